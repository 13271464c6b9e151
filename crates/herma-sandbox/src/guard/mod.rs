//! The exec guard: every program is held before its first instruction and judged.
//!
//! The kernel holds each call that starts a program and tells the supervisor. It follows the thread,
//! lets the call go on, and the kernel stops it once the new program is loaded: its arguments are
//! copied by then, and nobody else can write them. So what is judged is what runs. The thread is let
//! go at once, or the process is killed before its first instruction. Nothing is followed for
//! longer, so debuggers' ways, threads, signals and job control are as outside.
//!
//! What it judges are programs with their arguments, not what they do: a program's own code is held
//! by the view of the file system, Landlock and the filter.

mod filter;
mod kernel;
mod program;
mod watch;

pub(crate) use filter::install;
pub(crate) use kernel::Listener;
pub use program::{Executable, Program};
pub(crate) use watch::Watch;

/// Who says what may run.
pub trait Judge {
    /// Rules on a program that is about to run.
    fn judge(&mut self, program: &Program) -> Ruling;
}

/// What is done with a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ruling {
    /// It runs.
    Run,
    /// It is killed before its first instruction.
    Kill {
        /// The rule.
        rule: String,
        /// Why, in a sentence.
        why: String,
    },
}

/// A program that was stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stopped {
    /// Its arguments, the first its name.
    pub arguments: Vec<Vec<u8>>,
    /// The rule.
    pub rule: String,
    /// Why, in a sentence.
    pub why: String,
}
