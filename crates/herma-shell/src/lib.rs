//! Which programs would this command line start?
//!
//! [`analyse`] takes shell text (bytes) and returns the [`Execution`]s that running it could start:
//! argv, assignments, redirections, working directory, and the chain of carriers that leads to each.
//! Nothing is executed. What cannot be known is a value ([`Piece::Unknown`], [`FactKind`],
//! [`Status::NotUnderstood`]), never an empty answer.
//!
//! Data flows one way: [`Source`] → `syntax` (text to a tree) → `resolve` (tree to executions, with
//! `carriers`, `code` and `output` giving what a program hands on, runs, or prints).

#![forbid(unsafe_code)]

mod carriers;
mod code;
mod execution;
mod output;
mod resolve;
mod source;
pub mod syntax;
mod value;
mod world;

pub use execution::{
    Analysis, Arg, Binding, Execution, Fact, FactKind, Host, Kind, Reach, Redirection, Status,
    Uncertain, Via, Why,
};
pub use resolve::{MAX_TEXT, Request, STACK, analyse, analyse_source};
pub use source::{Source, Span};
pub use value::{Origin, Piece, Unknown, Value};
pub use world::{EmptyWorld, FileKind, Read, World};

/// How deep constructs may nest (substitutions, compounds, carriers) before the text counts as not
/// understood.
pub const MAX_DEPTH: usize = 200;
