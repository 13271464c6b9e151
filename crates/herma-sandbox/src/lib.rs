//! Sandboxes for agents, and the guard that sees every program start.
//!
//! ```text
//! configuration ── profile ──┐
//!                            ├─ plan ──── workspace ──── sandbox ──── receipt
//! the machine (Tree, Place) ─┘  pure      before it      output       behind it
//! ```
//!
//! * [`profile`]: named policies, in TOML, with inheritance.
//! * [`plan`]: from a profile and what exists to an ordered list of mounts; pure.
//! * [`workspace`]: what must be done in the working directory before and behind a run.
//! * [`local`]: a sandbox of this machine, and a command in it.
//! * [`output`]: how fast output may come, and what of it a terminal gets to see.
//! * [`post`]: the place inside where the process outside is asked.

mod error;
pub mod git;
pub mod guard;
pub mod local;
pub mod output;
pub mod plan;
pub mod post;
pub mod profile;
mod secret;
#[allow(unsafe_code)]
mod sys;
pub mod workspace;

pub use error::Error;
