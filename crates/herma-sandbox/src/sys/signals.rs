//! Signals as a descriptor, and as programs expect to find them.

use std::io;
use std::mem::{self, MaybeUninit};
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd};

/// Signals that are blocked.
#[derive(Clone, Copy)]
pub(crate) struct Mask(libc::sigset_t);

/// Blocks signals; what was blocked before.
pub(crate) fn block(signals: &[i32]) -> io::Result<Mask> {
    let set = set_of(signals);
    let mut before = MaybeUninit::<libc::sigset_t>::uninit();
    // SAFETY: both sets live; the second is written when the call succeeds.
    if unsafe { libc::sigprocmask(libc::SIG_BLOCK, &raw const set, before.as_mut_ptr()) } < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the call has written it.
    Ok(Mask(unsafe { before.assume_init() }))
}

/// Blocks exactly what `mask` says.
pub(crate) fn restore(mask: &Mask) -> io::Result<()> {
    // SAFETY: the set lives; nothing is written.
    if unsafe { libc::sigprocmask(libc::SIG_SETMASK, &raw const mask.0, std::ptr::null_mut()) } < 0
    {
        return Err(io::Error::last_os_error());
    }
    Ok(())
}

/// A signal does again what it does by default.
pub(crate) fn default(signal: i32) -> io::Result<()> {
    // SAFETY: the default action needs no handler; it replaces `SIG_IGN`, which the standard
    // library sets for SIGPIPE.
    if unsafe { libc::signal(signal, libc::SIG_DFL) } == libc::SIG_ERR {
        return Err(io::Error::last_os_error());
    }
    Ok(())
}

/// A descriptor that becomes readable when one of these signals, which are blocked, has come.
pub(crate) fn descriptor(signals: &[i32]) -> io::Result<OwnedFd> {
    let set = set_of(signals);
    let flags = libc::SFD_CLOEXEC | libc::SFD_NONBLOCK;
    // SAFETY: the set lives; a new descriptor is made.
    let new = unsafe { libc::signalfd(-1, &raw const set, flags) };
    if new < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the kernel has just made it, and nobody else knows of it.
    Ok(unsafe { OwnedFd::from_raw_fd(new) })
}

/// The next signal that has come.
pub(crate) fn next(descriptor: BorrowedFd<'_>) -> Option<i32> {
    let mut info = MaybeUninit::<libc::signalfd_siginfo>::uninit();
    let size = mem::size_of::<libc::signalfd_siginfo>();
    // SAFETY: the kernel writes one structure of this size, or nothing.
    let got = unsafe { libc::read(descriptor.as_raw_fd(), info.as_mut_ptr().cast(), size) };
    if usize::try_from(got) != Ok(size) {
        return None;
    }
    // SAFETY: the whole structure has been written.
    let info = unsafe { info.assume_init() };
    i32::try_from(info.ssi_signo).ok()
}

fn set_of(signals: &[i32]) -> libc::sigset_t {
    let mut set = MaybeUninit::<libc::sigset_t>::uninit();
    // SAFETY: `sigemptyset` writes the whole set; `sigaddset` changes it, and refuses numbers that
    // are none.
    unsafe {
        libc::sigemptyset(set.as_mut_ptr());
        for signal in signals {
            libc::sigaddset(set.as_mut_ptr(), *signal);
        }
        set.assume_init()
    }
}

/// Whether a thread is its process's first, whose number is the process's.
pub(crate) fn is_process(thread: i32) -> bool {
    // SAFETY: takes numbers; the signal is none, so that nothing is sent.
    let done = unsafe { libc::syscall(libc::SYS_tgkill, thread, thread, 0) };
    done == 0 || io::Error::last_os_error().raw_os_error() == Some(libc::EPERM)
}
