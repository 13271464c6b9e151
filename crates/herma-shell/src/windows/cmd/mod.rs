//! cmd.exe: a stack machine over lines.
//!
//! A frame is open for each `(`, `if` and `for`; nothing recurses. Variables are put in as text before
//! cmd reads a line, so a word that holds one cannot be known unless the text itself set it, and a
//! command that begins with one is read once more when it runs.

mod assignment;
mod control;
mod frame;
mod machine;
mod program;
mod variables;
mod word;

use machine::Machine;
use variables::Variables;

use crate::source::Source;
use crate::syntax::Parsed;

/// Parses text for cmd.exe.
pub(crate) fn parse(source: &Source) -> Parsed {
    let (parsed, variables) = Machine::new(source, Variables::default()).run();
    match variables.again() {
        Some(variables) => Machine::new(source, variables).run().0,
        None => parsed,
    }
}
