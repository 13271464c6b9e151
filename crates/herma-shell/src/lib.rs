//! Which programs would this command line start?
//!
//! [`analyse`] takes shell text (bytes) and returns the [`Execution`]s that running it could start:
//! argv, assignments, redirections, working directory, and the chain of carriers that leads to each.
//! Nothing is executed. What cannot be known is a value ([`Piece::Unknown`], [`FactKind`],
//! [`Status::NotUnderstood`]), never an empty answer.
//!
//! Data flows one way: [`Source`] → `syntax` (text to a tree) → `resolve` (tree to executions, with
//! `carriers`, `code` and `output` giving what a program hands on, runs, or prints).
//!
//! ```
//! use herma_shell::{EmptyWorld, Request, Status, analyse, syntax::Dialect};
//!
//! let text = br#"X=build; sudo sh -c "rm -rf $X""#;
//! let request = Request { text, dialect: Dialect::Bash, cwd: b"/home/dev/proj" };
//! let analysis = analyse(&request, &EmptyWorld);
//!
//! assert_eq!(analysis.status, Status::Clean);
//! let last = analysis.executions.last().ok_or("nothing runs")?;
//! let words = ["rm", "-rf", "build"].map(str::as_bytes);
//! assert!(last.argv.iter().zip(words).all(|(arg, word)| arg.value.is(word)));
//! assert_eq!(last.at, 21);
//! assert!(last.via.iter().map(|via| via.name.as_str()).eq(["sudo", "sh -c"]));
//! # Ok::<(), &str>(())
//! ```
//!
//! The analysis over-approximates: both sides of every condition are taken, and where bash depends
//! on its options both readings are reported. Work and memory are bounded by the text's length, nesting
//! by [`MAX_DEPTH`], and a thread that calls [`analyse`] needs a stack of [`STACK`] bytes.

#![forbid(unsafe_code)]

mod carriers;
mod code;
mod descriptors;
mod environment;
mod execution;
pub mod find;
mod output;
pub mod path;
mod resolve;
mod source;
pub mod spelling;
pub mod syntax;
mod utf8;
mod value;
mod windows;
mod world;

pub use environment::Environment;
pub use execution::{
    Analysis, Arg, Binding, Execution, Fact, FactKind, Host, Kind, Reach, Redirection, ScriptPlace,
    Status, Uncertain, Via, Why,
};
pub use resolve::{MAX_TEXT, Request, STACK, analyse, analyse_source};
pub use source::{Source, Span};
pub use value::{Origin, Piece, Unknown, Value};
pub use world::{EmptyWorld, FileKind, Listing, Read, World};

/// How deep constructs may nest (substitutions, compounds, carriers) before the text counts as not
/// understood.
pub const MAX_DEPTH: usize = 200;
