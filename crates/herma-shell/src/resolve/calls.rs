//! What a command's name stands for, and what it runs in turn.
//!
//! [`simple`] is the entrance: it tells an `alias`, a `function`, a builtin and a program apart. A
//! program may hand something on (`carried`), be a script (`shebang`), or be given code (`inline`);
//! `payload` runs what was handed on.

pub(super) mod alias;
pub(super) mod carried;
pub(super) mod command_names;
mod depth;
mod environment;
pub(super) mod function;
pub(super) mod inline;
pub(super) mod payload;
pub(super) mod shebang;
pub(super) mod simple;
mod windows;
mod wordless;
mod zsh;
