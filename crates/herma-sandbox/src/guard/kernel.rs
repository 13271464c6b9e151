//! What the guard asks of the kernel.

use std::fs;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use rustix::event::{PollFd, PollFlags, poll};
use rustix::process::{Pid, PidfdFlags, PidfdGetfdFlags, Signal};

use crate::sys::notify::{self, Held};
use crate::sys::ptrace::{self, Waited};
use crate::sys::signals;

/// Most bytes that a stopped program's caller is told.
const MAX_TEXT: usize = 4096;

/// Calls that are held, and threads that are followed. What cannot be done to a thread that is gone
/// need not be.
pub(crate) trait Kernel {
    /// Takes the next held call; an error when it is gone by now.
    fn take(&mut self) -> io::Result<Held>;
    /// Whether the call is still held: if so, its thread's number is still that thread's.
    fn is_held(&self, held: Held) -> bool;
    /// Lets the call go on.
    fn go_on(&mut self, held: Held);
    /// Has the call fail.
    fn refuse(&mut self, held: Held);
    /// Follows a thread until it becomes another program.
    fn seize(&mut self, thread: i32) -> io::Result<()>;
    /// Asks a followed thread to stop when it is back in its program.
    fn interrupt(&mut self, thread: i32) -> io::Result<()>;
    /// Lets a stopped thread go, with a signal or with none.
    fn release(&mut self, thread: i32, signal: i32);
    /// Kills a process that has become another program, and tells its caller why.
    fn kill(&mut self, process: i32, why: &[u8]);
    /// The next news of any child or followed thread; `None` when there is none.
    fn wait(&mut self) -> Option<Waited>;
    /// The process of a thread; `None` when it is gone.
    fn process(&self, thread: i32) -> Option<i32>;
}

/// This machine's kernel, by the descriptor that the filter gave.
pub(crate) struct Listener(pub(crate) OwnedFd);

impl AsFd for Listener {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

impl Kernel for Listener {
    fn take(&mut self) -> io::Result<Held> {
        notify::take(self.as_fd())
    }

    fn is_held(&self, held: Held) -> bool {
        notify::is_held(self.as_fd(), held)
    }

    fn go_on(&mut self, held: Held) {
        let _ = notify::go_on(self.as_fd(), held);
    }

    fn refuse(&mut self, held: Held) {
        let _ = notify::refuse(self.as_fd(), held, libc::EPERM);
    }

    fn seize(&mut self, thread: i32) -> io::Result<()> {
        ptrace::seize(thread)
    }

    fn interrupt(&mut self, thread: i32) -> io::Result<()> {
        ptrace::interrupt(thread)
    }

    fn release(&mut self, thread: i32, signal: i32) {
        let _ = ptrace::release(thread, signal);
    }

    fn kill(&mut self, process: i32, why: &[u8]) {
        let Some(process) = Pid::from_raw(process) else {
            return;
        };
        tell(process, why);
        let _ = rustix::process::kill_process(process, Signal::KILL);
    }

    fn wait(&mut self) -> Option<Waited> {
        ptrace::wait()
    }

    fn process(&self, thread: i32) -> Option<i32> {
        if signals::is_process(thread) {
            return Some(thread);
        }
        let text = fs::read(format!("/proc/{thread}/status")).ok()?;
        let mut lines = text.split(|it| *it == b'\n');
        let value = lines.find_map(|it| it.strip_prefix(b"Tgid:\t"))?;
        std::str::from_utf8(value).ok()?.trim().parse().ok()
    }
}

/// Writes where the program's complaints would go, unless that would have to wait. The descriptor is
/// the program's own: what it may not write, this does not either.
fn tell(pid: Pid, text: &[u8]) {
    let stream = rustix::process::pidfd_open(pid, PidfdFlags::empty())
        .and_then(|it| rustix::process::pidfd_getfd(it, 2, PidfdGetfdFlags::empty()));
    let Ok(stream) = stream else {
        return;
    };
    let mut fds = [PollFd::new(&stream, PollFlags::OUT)];
    let now = rustix::time::Timespec::default();
    if poll(&mut fds, Some(&now)) == Ok(1) {
        // As much as a pipe takes at once.
        let text = text.get(..text.len().min(MAX_TEXT)).unwrap_or_default();
        let _ = rustix::io::write(&stream, text);
    }
}
