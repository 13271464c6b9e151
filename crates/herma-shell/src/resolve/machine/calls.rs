//! What is being run: calls of functions, and bodies of loops.

use std::collections::HashSet;
use std::rc::Rc;

use super::Io;
use super::state::{Parameters, State};

/// A function that is being called.
pub(crate) struct Active {
    pub(crate) name: Vec<u8>,
    pub(crate) parameters: Rc<Parameters>,
    /// What the call began with.
    pub(crate) state: State,
    /// The call stands in a loop of the function that calls.
    pub(crate) called_in_loop: bool,
    /// Conditions and loops that were entered since the call.
    pub(crate) conditional: usize,
    /// A pipeline that was entered unconditionally since the call: how often the function calls
    /// itself in it.
    pub(crate) in_pipeline: bool,
    pub(crate) in_background: bool,
    pub(crate) self_calls_in_pipeline: usize,
}

/// States in which the body of a loop was left before its end.
#[derive(Default)]
pub(crate) struct Escapes {
    /// `break`: the loop has ended.
    pub(crate) out: Vec<(State, Io)>,
    /// `continue`: the next round may follow.
    pub(crate) on: Vec<(State, Io)>,
}

/// What is known of a function's body from the calls so far.
#[derive(Default)]
pub(crate) struct Body {
    pub(crate) calls: usize,
    pub(crate) changes: HashSet<Rc<[u8]>>,
    /// It runs once more at the end, for all calls that were not followed.
    pub(crate) deferred: bool,
}
