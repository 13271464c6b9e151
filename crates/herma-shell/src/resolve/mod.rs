//! Tree to executions: an abstract run of the shell.
//!
//! The machine walks the tree as the shell would, with values that may be unknown and names that
//! may have several possible values. Both sides of every condition are taken. It over-approximates:
//! what it cannot decide it reports in every reading, and what it cannot know it says so.
//!
//! Depth is bounded by [`MAX_DEPTH`](crate::MAX_DEPTH), work by fuel linear in the text's length.

mod builtins;
mod calls;
mod control;
mod files;
mod machine;
#[cfg(test)]
mod tests;
mod values;

use crate::execution::Analysis;
use crate::source::Source;
use crate::syntax::Dialect;
use crate::world::World;

/// Texts longer than this (bytes) are not analysed and count as not understood.
pub const MAX_TEXT: usize = 4 << 20;

/// What to analyse.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The command line.
    pub text: &'a [u8],
    /// The shell that will read it.
    pub dialect: Dialect,
    /// The working directory, absolute.
    pub cwd: &'a [u8],
}

/// Says what the command line would run. Total: it never fails and never panics.
///
/// Depth is bounded, but frames are large: give it a stack of at least
/// [`STACK`] bytes.
#[must_use]
pub fn analyse(request: &Request<'_>, world: &dyn World) -> Analysis {
    machine::run(&Source::original(request.text.to_vec()), request, world)
}

/// As [`analyse`], for a source with its own map (a normalised view of the text).
#[must_use]
pub fn analyse_source(source: &Source, request: &Request<'_>, world: &dyn World) -> Analysis {
    machine::run(source, request, world)
}

/// Stack that an analysis may need in an unoptimised build, in bytes.
pub const STACK: usize = 64 << 20;
