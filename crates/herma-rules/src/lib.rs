//! Findings and a decision for the executions of a command line.
//!
//! Data flows one way: executions → [`effect`]s (what each does to which [`place`]) → findings of
//! the rules in the packs → a decision.

#![forbid(unsafe_code)]

pub mod effect;
pub mod place;
