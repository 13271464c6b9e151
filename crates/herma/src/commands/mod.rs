//! One file per command.

pub(crate) mod audit;
pub(crate) mod batch;
pub(crate) mod blocked;
pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod config;
pub(crate) mod doctor;
pub(crate) mod hook;
pub(crate) mod import;
pub(crate) mod init;
pub(crate) mod path;
pub(crate) mod replay;
pub(crate) mod rules;
pub(crate) mod run;
pub(crate) mod sandbox;
pub(crate) mod shell;
