//! PowerShell: a stack machine that reads tokens and lowers each group when it closes.
//!
//! A frame is open for each `(`, `{`, `[` and `"`; nothing recurses. Commands become simple commands,
//! expressions become words: strings, variables and what subexpressions print stay known, everything
//! else is text that cannot be known. Names of variables get a prefix of their own, since they
//! are not those of the environment.

mod command;
mod expression;
mod machine;
mod statement;
mod text;
mod token;
mod types;
mod variable;

use crate::source::Source;
use crate::syntax::Parsed;

/// Parses PowerShell text.
pub(crate) fn parse(source: &Source) -> Parsed {
    machine::Machine::new(source).run()
}

/// The name of a variable in the evaluation.
pub(crate) fn key(name: &[u8]) -> Vec<u8> {
    variable::Variable::new(name).key()
}
