//! Sandboxes for agents, and the guard that sees every program start.

mod error;
mod guard;
mod local;
mod output;
mod plan;
mod profile;
#[allow(unsafe_code)]
mod sys;
mod workspace;

pub use error::Error;
