//! Shell text to a tree: a stack machine without recursion.

mod ast;
mod parser;

pub use ast::*;
pub use parser::{Dialect, Parsed, parse};
