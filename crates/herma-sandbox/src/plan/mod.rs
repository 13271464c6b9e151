//! What a sandbox looks like, before it is made: plain data, carried out in order.

mod mount;
mod note;
mod place;

pub use mount::{Mount, PathRule};
pub use note::Note;
pub use place::{Kind, Place, Tree};

use std::ffi::OsString;
use std::path::PathBuf;

use crate::profile::{Filter, Limits, Network};

/// Everything that a launcher needs to know to make one sandbox.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The new root's content, in the order in which it is mounted. The root itself is an empty
    /// file system in memory; whatever is not named here does not exist inside.
    pub mounts: Vec<Mount>,
    /// What must exist in the working directory as a mount point, and does not yet.
    pub placeholders: Vec<Placeholder>,
    /// Configurations of repositories of which the sandbox gets a copy of its own.
    pub repositories: Vec<Repository>,
    /// The whole environment.
    pub environment: Vec<(OsString, OsString)>,
    /// Limits for every process inside.
    pub limits: Limits,
    /// The way to the network.
    pub network: Network,
    /// How much the system call filter refuses.
    pub filter: Filter,
    /// What Landlock allows; everything else below `/` may be read and run.
    pub landlock: Vec<PathRule>,
    /// The working directory.
    pub cwd: PathBuf,
    /// The host's name inside.
    pub hostname: String,
    /// What a person should know about this plan.
    pub notes: Vec<Note>,
}

/// A mount point to be made before the sandbox and removed behind it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placeholder {
    /// Where.
    pub path: PathBuf,
    /// Whether it is a directory.
    pub directory: bool,
}

/// A configuration that may name programs, replaced inside by a copy.
///
/// git writes a configuration by renaming a file over it, which no mounted file allows; it follows
/// links, though. So the copy lies in a directory of its own, and a link is mounted over the
/// original.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repository {
    /// The original.
    pub config: PathBuf,
    /// The copy outside, below the run's directory. Its directory is mounted inside.
    pub copy: PathBuf,
}
