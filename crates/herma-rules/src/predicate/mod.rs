//! Conditions that the keys of a clause cannot say. Packs name them under `builtin`.

mod git;
mod network;
mod process;
mod remote;
mod secrets;

pub(crate) use git::*;
pub(crate) use network::*;
pub(crate) use process::*;
pub(crate) use remote::*;
pub(crate) use secrets::*;
