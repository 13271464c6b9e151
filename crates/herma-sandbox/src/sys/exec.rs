//! Becoming another program.

use std::ffi::{CStr, CString};
use std::io;
use std::ptr;

/// Runs a program in place of this one; comes back only when it cannot.
pub(crate) fn execve(path: &CStr, arguments: &[CString], environment: &[CString]) -> io::Error {
    let pointers = |strings: &[CString]| {
        strings
            .iter()
            .map(|it| it.as_ptr())
            .chain([ptr::null()])
            .collect::<Vec<_>>()
    };
    let (arguments, environment) = (pointers(arguments), pointers(environment));
    // SAFETY: three pointers that live until the call returns, if it does; both lists are of
    // pointers to strings that end with NUL, and end with a null pointer.
    unsafe { libc::execve(path.as_ptr(), arguments.as_ptr(), environment.as_ptr()) };
    io::Error::last_os_error()
}
