//! Sandboxes on this machine, made without root.
//!
//! ```text
//! launcher     outside, the caller     signals, streams, time; the only one that prints
//!   └─ supervisor   process 1 inside   makes everything; reaps; its end is the end of all
//!        └─ command      confined      becomes the program
//! ```
//!
//! All three are this program, forked while it has one thread; only the command becomes another.

mod access;
mod channel;
mod command;
mod launcher;
mod probe;
mod root;
mod rung;
mod streams;
mod supervisor;

pub use launcher::run;
pub use probe::{Support, probe};
pub use rung::Rung;

use std::ffi::OsString;
use std::time::Duration;

use crate::guard::Stopped;
use crate::plan::Plan;

/// What is run, and how.
pub struct Request<'a> {
    /// The program and its arguments.
    pub command: &'a [OsString],
    /// What the sandbox looks like.
    pub plan: &'a Plan,
    /// What becomes of the output.
    pub output: Output,
    /// What holds it.
    pub rung: Rung,
    /// What is said to the person, in words, when the guard stops a program.
    pub announce: fn(&Stopped) -> Vec<u8>,
    /// Called, outside, as soon as the guard has stopped a program.
    pub told: &'a dyn Fn(&Stopped),
    /// How long it may take.
    pub timeout: Option<Duration>,
}

/// What becomes of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Output {
    /// It goes where the caller's goes; where that is a terminal, the program gets one.
    Pass,
    /// It is kept, at most so many bytes of each stream.
    Keep(u64),
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Ending {
    /// The program ended with this code.
    Exited(u8),
    /// A signal ended it.
    Signalled(i32),
    /// The time was up.
    TimedOut,
    /// The program could not be run: the kernel's answer.
    NotRun(i32),
}

/// What came of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Outcome {
    /// How it ended.
    pub ending: Ending,
    /// How long it took.
    pub took: Duration,
    /// What was kept of standard output.
    pub stdout: Vec<u8>,
    /// What was kept of standard error.
    pub stderr: Vec<u8>,
    /// Bytes of output that were not kept.
    pub dropped: u64,
    /// Programs that were started; `None` when they were not watched.
    pub started: Option<u64>,
    /// Programs that the guard stopped, the first ones.
    pub stopped: Vec<Stopped>,
    /// Whether output came faster than it may.
    pub slowed: bool,
}
