//! Held system calls.

use std::io;
use std::mem;
use std::os::fd::{AsRawFd, BorrowedFd};

/// A call that the kernel holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Held {
    /// The kernel's number for it.
    pub(crate) id: u64,
    /// The thread.
    pub(crate) thread: i32,
}

/// Takes the next held call; an error when it is gone by now.
pub(crate) fn take(listener: BorrowedFd<'_>) -> io::Result<Held> {
    // SAFETY: a structure of numbers, which the kernel wants to be zero.
    let mut request: libc::seccomp_notif = unsafe { mem::zeroed() };
    // SAFETY: the kernel writes one structure of this type, which lives.
    let done = unsafe {
        libc::ioctl(
            listener.as_raw_fd(),
            libc::SECCOMP_IOCTL_NOTIF_RECV,
            &raw mut request,
        )
    };
    if done < 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(Held {
        id: request.id,
        thread: i32::try_from(request.pid).unwrap_or(0),
    })
}

/// Whether the call is still held: if so, its thread's number is still that thread's.
pub(crate) fn is_held(listener: BorrowedFd<'_>, held: Held) -> bool {
    let id = held.id;
    // SAFETY: the kernel reads one number, which lives.
    let done = unsafe {
        libc::ioctl(
            listener.as_raw_fd(),
            libc::SECCOMP_IOCTL_NOTIF_ID_VALID,
            &raw const id,
        )
    };
    done == 0
}

/// Lets the call go on.
pub(crate) fn go_on(listener: BorrowedFd<'_>, held: Held) -> io::Result<()> {
    let flags = u32::try_from(libc::SECCOMP_USER_NOTIF_FLAG_CONTINUE).unwrap_or(1);
    send(listener, held, 0, flags)
}

/// Has the call fail.
pub(crate) fn refuse(listener: BorrowedFd<'_>, held: Held, errno: i32) -> io::Result<()> {
    send(listener, held, -errno, 0)
}

fn send(listener: BorrowedFd<'_>, held: Held, error: i32, flags: u32) -> io::Result<()> {
    let mut answer = libc::seccomp_notif_resp {
        id: held.id,
        val: 0,
        error,
        flags,
    };
    // SAFETY: the kernel reads one structure of this type, which lives.
    let done = unsafe {
        libc::ioctl(
            listener.as_raw_fd(),
            libc::SECCOMP_IOCTL_NOTIF_SEND,
            &raw mut answer,
        )
    };
    if done < 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(())
}
