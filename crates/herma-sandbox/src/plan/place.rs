//! The machine, as far as a plan depends on it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// What stands at a path; links are not followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A regular file.
    File,
    /// A directory.
    Directory,
    /// A symbolic link.
    Link,
    /// A device, socket or pipe.
    Other,
}

/// The only way to the file system.
pub trait Tree {
    /// What stands there, the last link not followed; `None` when there is nothing or it cannot
    /// be seen.
    fn kind(&self, path: &Path) -> Option<Kind>;
    /// Names in a directory with what they are, in any order, at most `most` of them; `None` when
    /// it cannot be read.
    fn list(&self, path: &Path, most: usize) -> Option<Vec<(OsString, Kind)>>;
    /// The target of a link, as written.
    fn target(&self, path: &Path) -> Option<PathBuf>;
    /// A regular file's bytes, when there are at most `most`.
    fn read(&self, path: &Path, most: u64) -> Option<Vec<u8>>;
    /// The path without links; `None` when it does not exist.
    fn real(&self, path: &Path) -> Option<PathBuf>;
}

/// Where a sandbox is made, and for whom. Every path is absolute and without links.
#[derive(Clone, Debug)]
pub struct Place<'a> {
    /// The working directory.
    pub cwd: &'a Path,
    /// The user's home.
    pub home: &'a Path,
    /// herma's state directory.
    pub state: &'a Path,
    /// A directory of this run below it, which exists.
    pub run: &'a Path,
    /// The whole environment of the launcher.
    pub environment: &'a [(OsString, OsString)],
}
