//! What words stand for: from the parts of a word to the fields that a command is given.
//!
//! In the shell's order: `braces` (and the `seams` that they leave), `tilde`, `parameter` with its
//! `operators` and `lookup`, `substitution`, `arithmetic`, then `fields`. [`expand`] calls them.
//! `assign` keeps what they gave under a name, `elements` says where those of an array stand,
//! and `associative` where those whose subscripts are text do.

pub(super) mod arithmetic;
pub(super) mod assign;
mod associative;
pub(super) mod braces;
pub(super) mod elements;
pub(super) mod expand;
pub(super) mod exported;
pub(super) mod fields;
pub(super) mod lookup;
pub(super) mod operators;
pub(super) mod parameter;
pub(super) mod pattern;
pub(super) mod qualifiers;
pub(super) mod seams;
pub(super) mod substitution;
pub(super) mod tilde;
