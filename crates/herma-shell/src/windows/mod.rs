//! The shells of Windows: grammars lowered to the tree of `syntax`, and what their commands mean.
//!
//! `powershell` and `cmd` read text; `resolve` evaluates the tree as any other. [`names`] says which
//! command a word names, and [`cmdlets`] and [`verbs`] what program has the same effect.

pub(crate) mod cmd;
pub(crate) mod cmdlets;
pub(crate) mod names;
pub(crate) mod powershell;
#[cfg(test)]
mod tests;
mod tree;
pub(crate) mod verbs;
