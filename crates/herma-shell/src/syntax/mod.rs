//! Shell text to a tree: a stack machine without recursion. The grammars of Windows are in `windows`.

mod ast;
mod parser;

pub use ast::*;
pub use parser::{Dialect, Parsed, parse};
