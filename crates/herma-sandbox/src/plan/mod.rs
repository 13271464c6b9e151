//! What a sandbox looks like, before it is made: plain data, carried out in order.

mod denial;
mod environment;
mod make;
mod mount;
mod names;
mod note;
mod place;
mod refusal;
mod repository;
mod search;
mod view;

pub use make::plan;
pub use mount::{Mount, PathRule};
pub use note::Note;
pub use place::{Kind, Machine, Place, Stamp, Tree};
pub use refusal::Refusal;
pub(crate) use search::is_passed;

use std::ffi::OsString;
use std::path::PathBuf;

use crate::profile::{Filter, Limits, Network};

/// Everything that a launcher needs to know to make one sandbox.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The new root's content, in the order in which it is mounted. The root itself is an empty
    /// file system in memory, which can only be read once everything is in place; whatever is not
    /// named here does not exist inside.
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
    /// The working tree that it is in, and the directory with its index.
    pub working_tree: Option<(PathBuf, PathBuf)>,
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
    /// What is put there.
    pub what: Put,
}

/// What serves as a mount point.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Put {
    /// An empty directory.
    Directory,
    /// Something that nothing is mounted on but a file, and that is no file itself: neither git nor
    /// an editor takes it for content.
    Node,
    /// A file with this content, which means nothing to those who read it.
    File(Vec<u8>),
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

#[cfg(test)]
mod tests;
