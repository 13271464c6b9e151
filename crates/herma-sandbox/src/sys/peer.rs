//! Who is at the other end of a local socket.

use std::mem::size_of;
use std::os::fd::{AsRawFd, BorrowedFd};

use rustix::io::Errno;

/// The process and the user who made the other end, as this process's namespaces number them.
///
/// A process that these namespaces do not have is number 0, for which the safe wrapper has no type.
pub(crate) fn of(socket: BorrowedFd<'_>) -> Result<(i32, u32), Errno> {
    let mut peer = libc::ucred {
        pid: -1,
        uid: u32::MAX,
        gid: u32::MAX,
    };
    let mut length = libc::socklen_t::try_from(size_of::<libc::ucred>()).unwrap_or(0);
    // SAFETY: the kernel writes at most `length` bytes, which is the size of `peer`; every pattern
    // of bits is a value of it. The descriptor is borrowed, so it is open.
    let done = unsafe {
        libc::getsockopt(
            socket.as_raw_fd(),
            libc::SOL_SOCKET,
            libc::SO_PEERCRED,
            (&raw mut peer).cast(),
            &raw mut length,
        )
    };
    if done == 0 {
        Ok((peer.pid, peer.uid))
    } else {
        let why = std::io::Error::last_os_error();
        Err(Errno::from_io_error(&why).unwrap_or(Errno::INVAL))
    }
}
