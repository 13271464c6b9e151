//! Programs for the kernel's filter of system calls, where no crate knows the action.

use std::io;
use std::os::fd::{FromRawFd, OwnedFd, RawFd};

/// Where the number of the call is.
pub(crate) const NUMBER: u32 = 0;

/// Where the architecture is.
pub(crate) const ARCHITECTURE: u32 = 4;

/// This machine's architecture.
#[cfg(target_arch = "x86_64")]
pub(crate) const NATIVE: u32 = 0xc000_003e;
/// This machine's architecture.
#[cfg(target_arch = "aarch64")]
pub(crate) const NATIVE: u32 = 0xc000_00b7;

/// The first number of x32.
pub(crate) const X32: u32 = 0x4000_0000;

/// Where the lower half of an argument is; both architectures are little-endian.
pub(crate) const fn argument(number: u32) -> u32 {
    16 + 8 * number
}

/// One instruction.
pub(crate) type Step = libc::sock_filter;

/// Loads 32 bits.
pub(crate) const fn load(at: u32) -> Step {
    Step {
        code: 0x20,
        jt: 0,
        jf: 0,
        k: at,
    }
}

/// Skips so many steps when the loaded value is this, and so many otherwise.
pub(crate) const fn equal(value: u32, yes: u8, no: u8) -> Step {
    Step {
        code: 0x15,
        jt: yes,
        jf: no,
        k: value,
    }
}

/// The same when it is at least this.
pub(crate) const fn at_least(value: u32, yes: u8, no: u8) -> Step {
    Step {
        code: 0x35,
        jt: yes,
        jf: no,
        k: value,
    }
}

/// The same when it has one of these bits.
pub(crate) const fn any(bits: u32, yes: u8, no: u8) -> Step {
    Step {
        code: 0x45,
        jt: yes,
        jf: no,
        k: bits,
    }
}

/// The end.
pub(crate) const fn answer(action: u32) -> Step {
    Step {
        code: 0x06,
        jt: 0,
        jf: 0,
        k: action,
    }
}

/// The answer that a call fails.
pub(crate) const fn fail(errno: i32) -> Step {
    answer(libc::SECCOMP_RET_ERRNO | errno.unsigned_abs())
}

/// Installs a program for this process and all that it starts, and returns the descriptor by which
/// held calls are told of. It gains no privileges any more by then.
///
/// # Errors
/// `EBUSY` when something else is told of calls already.
pub(crate) fn listen(program: &mut [Step]) -> io::Result<OwnedFd> {
    let program = libc::sock_fprog {
        len: u16::try_from(program.len()).unwrap_or(u16::MAX),
        filter: program.as_mut_ptr(),
    };
    let install = |flags: libc::c_ulong| {
        // SAFETY: the structure names as many instructions as it says, and all of it lives. The
        // kernel copies them.
        unsafe {
            libc::syscall(
                libc::SYS_seccomp,
                libc::SECCOMP_SET_MODE_FILTER,
                flags,
                &raw const program,
            )
        }
    };
    let mut new = install(
        libc::SECCOMP_FILTER_FLAG_NEW_LISTENER | libc::SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV,
    );
    if new < 0 && io::Error::last_os_error().raw_os_error() == Some(libc::EINVAL) {
        // Before Linux 5.19: signals begin held calls anew.
        new = install(libc::SECCOMP_FILTER_FLAG_NEW_LISTENER);
    }
    match RawFd::try_from(new) {
        // SAFETY: the kernel has just made it, and nobody else knows of it.
        Ok(new) if new >= 0 => Ok(unsafe { OwnedFd::from_raw_fd(new) }),
        _ => Err(io::Error::last_os_error()),
    }
}
