//! git's files, as far as a sandbox must understand them.

pub mod config;
pub mod index;
pub mod settings;
