//! Descriptors as numbers.

use std::io;
use std::os::fd::{AsRawFd, BorrowedFd, RawFd};

/// Puts a descriptor under a number, whatever was there, and lets programs inherit it.
pub(crate) fn put(from: BorrowedFd<'_>, to: RawFd) -> io::Result<()> {
    if from.as_raw_fd() == to {
        // `dup2` would leave it closed at exec.
        // SAFETY: changes a flag of a descriptor, no memory.
        return check(unsafe { libc::fcntl(to, libc::F_SETFD, 0) });
    }
    // SAFETY: takes two numbers. Whoever owned `to` is gone: this is called in a child, for 0 to 2
    // and one number above, before the descriptors that it owns are used again.
    check(unsafe { libc::dup2(from.as_raw_fd(), to) })
}

/// As [`put`], but closed at exec.
pub(crate) fn put_closing(from: BorrowedFd<'_>, to: RawFd) -> io::Result<()> {
    if from.as_raw_fd() == to {
        // SAFETY: changes a flag of a descriptor, no memory.
        return check(unsafe { libc::fcntl(to, libc::F_SETFD, libc::FD_CLOEXEC) });
    }
    // SAFETY: as in `put`.
    check(unsafe { libc::dup3(from.as_raw_fd(), to, libc::O_CLOEXEC) })
}

/// A copy of a descriptor with a number of at least `least`.
pub(crate) fn above(from: BorrowedFd<'_>, least: RawFd) -> io::Result<std::os::fd::OwnedFd> {
    // SAFETY: takes two numbers and makes a new descriptor.
    let new = unsafe { libc::fcntl(from.as_raw_fd(), libc::F_DUPFD_CLOEXEC, least) };
    check(new)?;
    // SAFETY: the kernel has just made it, and nobody else knows of it.
    Ok(unsafe { std::os::fd::FromRawFd::from_raw_fd(new) })
}

/// Closes every descriptor from this number on but those in `kept`.
pub(crate) fn close_from(first: RawFd, kept: &[BorrowedFd<'_>]) -> io::Result<()> {
    let mut numbers: Vec<u32> = kept
        .iter()
        .filter_map(|it| u32::try_from(it.as_raw_fd()).ok())
        .collect();
    numbers.sort_unstable();
    let mut next = u32::try_from(first).unwrap_or(0);
    for number in numbers {
        if number > next {
            close_range(next, number - 1)?;
        }
        next = next.max(number + 1);
    }
    close_range(next, u32::MAX)
}

fn close_range(first: u32, last: u32) -> io::Result<()> {
    // SAFETY: takes numbers. Called in a child right behind the fork, where everything that owns a
    // descriptor and is not kept is never used again, nor dropped.
    let done = unsafe { libc::syscall(libc::SYS_close_range, first, last, 0) };
    check(i32::try_from(done).unwrap_or(-1))
}

fn check(result: i32) -> io::Result<()> {
    if result < 0 {
        Err(io::Error::last_os_error())
    } else {
        Ok(())
    }
}

/// Takes a descriptor over that nobody owns, by its number.
pub(crate) fn owned(number: RawFd) -> std::os::fd::OwnedFd {
    // SAFETY: the caller has just put it there, and closed or forgotten everything else.
    unsafe { std::os::fd::FromRawFd::from_raw_fd(number) }
}
