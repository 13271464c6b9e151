//! Configuration layers and the state directory.
//!
//! * [`Home`] names every file of the state directory (`$HERMA_HOME`, `~/.herma`) and guards its
//!   version.
//! * [`Config::load`] reads `/etc/herma`, the user's `config.toml` and every `.herma.toml` from the
//!   working directory upwards, in this order. A lower layer may only tighten what a higher one
//!   wrote; a project file may only add `deny` and `ask` rules and tighten what it is allowed to
//!   name. What cannot be understood is an error with file, line and column, never a default.
//! * [`guarded`] reads a file that decides something: no links, a size limit, an owner check.
//! * [`atomic::replace`] writes one so that a reader sees the old or the new content.
//!
//! [`key::KEYS`] is the one table of keys: parsing, defaults and the reference page
//! ([`reference()`]) come from it.
//!
//! ```no_run
//! use std::path::Path;
//! use herma_config::{Config, Home, Sources};
//!
//! let home = Home::locate(None)?;
//! home.check_version()?;
//! match Config::load(&Sources::new(&home, Some(Path::new("/home/me/project")))) {
//!     Ok(config) => assert!(config.deadline_ms > 0),
//!     Err(errors) => for error in &errors { eprintln!("{error}"); },
//! }
//! # Ok::<(), herma_config::HomeError>(())
//! ```

#![forbid(unsafe_code)]

pub mod atomic;
mod config;
mod document;
mod error;
pub mod guarded;
mod home;
pub mod key;
mod layers;
mod reference;
mod rule;
mod source;
mod suggest;
mod version;

pub use config::{AskPolicy, Bitwarden, Config, Egress, Mode, NoEffect, Retention, Reviewer};
pub use error::{ConfigError, Excerpt, Kind, ProfileFault, RuleFault};
pub use home::{Home, HomeError};
pub use layers::{Layer, PROJECT_FILE, ProfileFile, SYSTEM_DIRECTORY, Sources};
pub use reference::reference;
pub use rule::{Action, Example, FILE_TOOLS, UserRule, may_be_allowed};
pub use suggest::nearest;
pub use version::{STATE_VERSION, VersionError};

#[cfg(test)]
mod tests;
