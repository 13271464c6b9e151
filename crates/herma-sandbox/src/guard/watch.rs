//! Which threads are on their way into another program.
//!
//! At most one thread of a process is followed at a time. A thread that becomes a program waits
//! until its siblings have ended, and a followed sibling ends only when it is waited for; while
//! following another takes the lock that the first one holds. More than one and everything waits
//! for everything. The others wait in a queue.

use std::collections::VecDeque;
use std::io;

use super::kernel::Kernel;
use super::{Judge, Program, Ruling, Stopped};
use crate::sys::notify::Held;
use crate::sys::ptrace::Waited;

/// Most calls that wait; each is a thread, whose number is limited.
const MAX_WAITING: usize = 1 << 16;

/// What the supervisor knows of programs that start.
pub(crate) struct Watch<'j, K> {
    kernel: K,
    judge: &'j mut (dyn Judge + 'j),
    announce: fn(&Stopped) -> Vec<u8>,
    /// Threads that are followed, and their processes.
    followed: Vec<(i32, i32)>,
    waiting: VecDeque<(Held, i32)>,
    /// Programs that were started.
    started: u64,
    stopped: Vec<Stopped>,
    /// Why not even the command can be followed.
    unable: Option<io::Error>,
}

impl<'j, K: Kernel> Watch<'j, K> {
    pub(crate) fn new(
        kernel: K,
        judge: &'j mut (dyn Judge + 'j),
        announce: fn(&Stopped) -> Vec<u8>,
    ) -> Self {
        Self {
            kernel,
            judge,
            announce,
            followed: Vec::new(),
            waiting: VecDeque::new(),
            started: 0,
            stopped: Vec::new(),
            unable: None,
        }
    }

    pub(crate) fn kernel(&self) -> &K {
        &self.kernel
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
        let Ok(held) = self.kernel.take() else {
            return;
        };
        let Some(process) = self.kernel.process(held.thread) else {
            // It is gone, or nobody may know: nothing starts.
            return self.refuse(held);
        };
        if self.is_busy(process) {
            if self.waiting.len() < MAX_WAITING {
                self.waiting.push_back((held, process));
            } else {
                self.refuse(held);
            }
        } else {
            self.follow(held, process);
        }
    }

    /// Whether a thread of the process is followed.
    fn is_busy(&self, process: i32) -> bool {
        self.followed.iter().any(|(_, it)| *it == process)
    }

    fn follow(&mut self, held: Held, process: i32) {
        if let Err(why) = self.kernel.seize(held.thread) {
            // Still held: it is not just gone.
            if self.started == 0 && self.kernel.is_held(held) {
                self.unable = Some(why);
            }
            return self.refuse(held);
        }
        // A start that fails must be noticed: it stops then, back in its program.
        let asked = self.kernel.interrupt(held.thread);
        self.followed.push((held.thread, process));
        // A number may have become another thread's; that one stops, too, and is let go.
        if asked.is_ok() && self.kernel.is_held(held) {
            self.kernel.go_on(held);
        } else {
            self.refuse(held);
        }
    }

    fn refuse(&mut self, held: Held) {
        self.kernel.refuse(held);
    }

    /// Takes all news; those of ended processes are handed on.
    pub(crate) fn news(&mut self, mut ended: impl FnMut(i32, i32)) {
        while let Some(news) = self.kernel.wait() {
            match news {
                Waited::Became(process) => {
                    self.end(process);
                    self.rule(process);
                }
                Waited::Stopped(thread) => {
                    self.forget(thread);
                    self.kernel.release(thread, 0);
                }
                Waited::Signal { thread, signal } => {
                    self.forget(thread);
                    self.kernel.release(thread, signal);
                }
                Waited::Ended(thread, status) => {
                    self.forget(thread);
                    self.end(thread);
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
            } else if self.kernel.is_held(held) {
                self.follow(held, process);
            }
        }
    }

    fn forget(&mut self, thread: i32) {
        self.followed.retain(|(it, _)| *it != thread);
    }

    /// A process has ended or has become another program: none of its threads is followed, not even
    /// one that got the process's number on the way. Its own may be another thread's by now.
    fn end(&mut self, process: i32) {
        self.followed.retain(|(_, it)| *it != process);
    }

    fn rule(&mut self, process: i32) {
        self.started += 1;
        let program = Program::of(process);
        match self.judge.judge(&program) {
            Ruling::Run => self.kernel.release(process, 0),
            Ruling::Kill { rule, why } => {
                let stopped = Stopped {
                    arguments: program.arguments().unwrap_or_default().to_vec(),
                    rule,
                    why,
                };
                self.kernel.kill(process, &(self.announce)(&stopped));
                self.stopped.push(stopped);
            }
        }
    }
}

#[cfg(test)]
mod tests;
