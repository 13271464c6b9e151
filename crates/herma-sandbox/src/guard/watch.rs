//! Which threads are on their way into another program.
//!
//! At most one thread of a process is followed at a time. A thread that becomes a program waits
//! until its siblings have ended, and a followed sibling ends only when it is waited for; while
//! following another takes the lock that the first one holds. More than one and everything waits
//! for everything. The others wait in a queue.

use std::collections::VecDeque;
use std::fs;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use rustix::event::{PollFd, PollFlags, poll};
use rustix::process::{Pid, PidfdFlags, PidfdGetfdFlags, Signal};

use super::{Judge, Program, Ruling, Stopped};
use crate::sys::notify::{self, Held};
use crate::sys::ptrace::{self, Waited};

/// Most calls that wait; each is a thread, whose number is limited.
const MAX_WAITING: usize = 1 << 16;

/// Most bytes that a stopped program's caller is told.
const MAX_TEXT: usize = 4096;

/// What the supervisor knows of programs that start.
pub(crate) struct Watch<'j> {
    listener: OwnedFd,
    judge: &'j mut (dyn Judge + 'j),
    announce: fn(&Stopped) -> Vec<u8>,
    /// Threads that are followed, and their processes.
    followed: Vec<(i32, Option<i32>)>,
    waiting: VecDeque<(Held, i32)>,
    /// Programs that were started.
    started: u64,
    stopped: Vec<Stopped>,
    /// Why not even the command can be followed.
    unable: Option<io::Error>,
}

impl<'j> Watch<'j> {
    pub(crate) fn new(
        listener: OwnedFd,
        judge: &'j mut (dyn Judge + 'j),
        announce: fn(&Stopped) -> Vec<u8>,
    ) -> Self {
        Self {
            listener,
            judge,
            announce,
            followed: Vec::new(),
            waiting: VecDeque::new(),
            started: 0,
            stopped: Vec::new(),
            unable: None,
        }
    }

    pub(crate) fn listener(&self) -> BorrowedFd<'_> {
        self.listener.as_fd()
    }

    /// How many programs were started.
    pub(crate) fn started(&self) -> u64 {
        self.started
    }

    /// What has been stopped since it was asked last.
    pub(crate) fn stopped(&mut self) -> Vec<Stopped> {
        std::mem::take(&mut self.stopped)
    }

    /// Why nothing can start: the kernel lets the command not be followed.
    pub(crate) fn unable(&mut self) -> Option<io::Error> {
        self.unable.take()
    }

    /// Takes one held call.
    pub(crate) fn take(&mut self) {
        let Ok(held) = notify::take(self.listener.as_fd()) else {
            return;
        };
        if self.followed.is_empty() && self.waiting.is_empty() {
            return self.follow(held, None);
        }
        let Some(process) = process(held.thread) else {
            // It is gone, or nobody may know: nothing starts.
            return self.refuse(held);
        };
        for (thread, of) in &mut self.followed {
            if of.is_none() {
                *of = self::process(*thread);
            }
        }
        if self.is_busy(process) {
            if self.waiting.len() < MAX_WAITING {
                self.waiting.push_back((held, process));
            } else {
                self.refuse(held);
            }
        } else {
            self.follow(held, Some(process));
        }
    }

    /// Whether a thread of the process is followed, or may be.
    fn is_busy(&self, process: i32) -> bool {
        self.followed
            .iter()
            .any(|(_, it)| it.is_none_or(|it| it == process))
    }

    fn follow(&mut self, held: Held, process: Option<i32>) {
        let listener = self.listener.as_fd();
        if let Err(why) = ptrace::seize(held.thread) {
            if self.started == 0 {
                self.unable = Some(why);
            }
            return self.refuse(held);
        }
        // A start that fails must be noticed: it stops then, back in its program.
        let asked = ptrace::interrupt(held.thread);
        self.followed.push((held.thread, process));
        // A number may have become another thread's; that one stops, too, and is let go.
        if asked.is_ok() && notify::is_held(listener, held) {
            let _ = notify::go_on(listener, held);
        } else {
            self.refuse(held);
        }
    }

    fn refuse(&self, held: Held) {
        let _ = notify::refuse(self.listener.as_fd(), held, libc::EPERM);
    }

    /// Takes all news; those of ended processes are handed on.
    pub(crate) fn news(&mut self, mut ended: impl FnMut(i32, i32)) {
        while let Some(news) = ptrace::wait() {
            match news {
                Waited::Became { process, from } => {
                    self.forget(process);
                    self.forget(from);
                    self.rule(process);
                }
                Waited::Stopped(thread) => {
                    self.forget(thread);
                    let _ = ptrace::release(thread, 0);
                }
                Waited::Signal { thread, signal } => {
                    self.forget(thread);
                    let _ = ptrace::release(thread, signal);
                }
                Waited::Ended(thread, status) => {
                    self.forget(thread);
                    ended(thread, status);
                }
            }
        }
        self.go_on();
    }

    /// Begins with calls that no longer have to wait.
    fn go_on(&mut self) {
        for _ in 0..self.waiting.len() {
            let Some((held, process)) = self.waiting.pop_front() else {
                return;
            };
            if self.is_busy(process) {
                self.waiting.push_back((held, process));
            } else if notify::is_held(self.listener.as_fd(), held) {
                self.follow(held, Some(process));
            }
        }
    }

    fn forget(&mut self, thread: i32) {
        self.followed.retain(|(it, _)| *it != thread);
    }

    fn rule(&mut self, process: i32) {
        self.started += 1;
        let program = Program::of(process);
        match self.judge.judge(&program) {
            Ruling::Run => {
                let _ = ptrace::release(process, 0);
            }
            Ruling::Kill { rule, why } => {
                let stopped = Stopped {
                    arguments: program.arguments().unwrap_or_default().to_vec(),
                    rule,
                    why,
                };
                tell(process, &(self.announce)(&stopped));
                if let Some(process) = Pid::from_raw(process) {
                    let _ = rustix::process::kill_process(process, Signal::KILL);
                }
                self.stopped.push(stopped);
            }
        }
    }
}

/// Writes where the program's complaints would go, unless that would have to wait. The descriptor is
/// the program's own: what it may not write, this does not either.
fn tell(process: i32, text: &[u8]) {
    let Some(pid) = Pid::from_raw(process) else {
        return;
    };
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

/// The process of a thread.
fn process(thread: i32) -> Option<i32> {
    let text = fs::read(format!("/proc/{thread}/status")).ok()?;
    let mut lines = text.split(|it| *it == b'\n');
    let value = lines.find_map(|it| it.strip_prefix(b"Tgid:\t"))?;
    std::str::from_utf8(value).ok()?.trim().parse().ok()
}
