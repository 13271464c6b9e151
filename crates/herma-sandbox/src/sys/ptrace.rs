//! Threads that are stopped and let go.

use std::io;
use std::ptr;

/// What `wait` says of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Waited {
    /// The process has become another program, before its first instruction.
    Became(i32),
    /// A stop that was asked for, or one of its whole process.
    Stopped(i32),
    /// A signal is about to reach it.
    Signal { thread: i32, signal: i32 },
    /// It has ended, with what `wait` says.
    Ended(i32, i32),
}

/// Follows a thread until it becomes another program. It ends when this process does.
pub(crate) fn seize(thread: i32) -> io::Result<()> {
    let options = libc::PTRACE_O_TRACEEXEC | libc::PTRACE_O_EXITKILL;
    // SAFETY: takes numbers; the address is none for this request.
    check(unsafe { libc::ptrace(libc::PTRACE_SEIZE, thread, ptr::null_mut::<u8>(), options) })
}

/// Asks a followed thread to stop when it is back in its program.
pub(crate) fn interrupt(thread: i32) -> io::Result<()> {
    let none = ptr::null_mut::<u8>();
    // SAFETY: takes a number; this request has neither address nor data.
    check(unsafe { libc::ptrace(libc::PTRACE_INTERRUPT, thread, none, none) })
}

/// Lets a stopped thread go, with a signal or with none.
pub(crate) fn release(thread: i32, signal: i32) -> io::Result<()> {
    let none = ptr::null_mut::<u8>();
    // SAFETY: takes numbers; the address is none for this request.
    check(unsafe {
        libc::ptrace(
            libc::PTRACE_DETACH,
            thread,
            none,
            libc::c_long::from(signal),
        )
    })
}

fn check(result: libc::c_long) -> io::Result<()> {
    if result < 0 {
        Err(io::Error::last_os_error())
    } else {
        Ok(())
    }
}

/// The next news of any child or followed thread; `None` when there is none.
pub(crate) fn wait() -> Option<Waited> {
    let mut status = 0;
    // SAFETY: the kernel writes one number, which lives.
    let id = unsafe { libc::waitpid(-1, &raw mut status, libc::__WALL | libc::WNOHANG) };
    if id <= 0 {
        return None;
    }
    if !libc::WIFSTOPPED(status) {
        return Some(Waited::Ended(id, status));
    }
    Some(match status >> 16 {
        libc::PTRACE_EVENT_EXEC => Waited::Became(id),
        0 => Waited::Signal {
            thread: id,
            signal: libc::WSTOPSIG(status),
        },
        _ => Waited::Stopped(id),
    })
}
