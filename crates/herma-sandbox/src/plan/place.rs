//! The machine, as far as a plan depends on it.

use std::ffi::OsString;
use std::fs;
use std::io::Read;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

/// What stands at a path; links are not followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
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
    /// When a file changed last, and its size.
    fn stamp(&self, path: &Path) -> Option<Stamp>;
}

/// When a file changed last, and its size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    /// Seconds since 1970.
    pub seconds: i64,
    /// Bytes.
    pub size: u64,
}

/// This machine.
#[derive(Clone, Copy, Debug)]
pub struct Machine;

impl Tree for Machine {
    fn kind(&self, path: &Path) -> Option<Kind> {
        fs::symlink_metadata(path)
            .ok()
            .map(|it| kind(it.file_type()))
    }

    fn list(&self, path: &Path, most: usize) -> Option<Vec<(OsString, Kind)>> {
        let mut names = Vec::new();
        for entry in fs::read_dir(path).ok()?.take(most) {
            let entry = entry.ok()?;
            names.push((entry.file_name(), kind(entry.file_type().ok()?)));
        }
        Some(names)
    }

    fn target(&self, path: &Path) -> Option<PathBuf> {
        fs::read_link(path).ok()
    }

    fn read(&self, path: &Path, most: u64) -> Option<Vec<u8>> {
        // A pipe in place of the file must not make anybody wait.
        let flags = rustix::fs::OFlags::NONBLOCK | rustix::fs::OFlags::NOFOLLOW;
        let file = fs::OpenOptions::new()
            .read(true)
            .custom_flags(i32::try_from(flags.bits()).ok()?)
            .open(path)
            .ok()?;
        let about = file.metadata().ok()?;
        if !about.is_file() || about.len() > most {
            return None;
        }
        let mut bytes = Vec::new();
        file.take(most).read_to_end(&mut bytes).ok()?;
        Some(bytes)
    }

    fn real(&self, path: &Path) -> Option<PathBuf> {
        fs::canonicalize(path).ok()
    }

    fn stamp(&self, path: &Path) -> Option<Stamp> {
        let about = fs::symlink_metadata(path).ok()?;
        Some(Stamp {
            seconds: about.mtime(),
            size: about.len(),
        })
    }
}

fn kind(of: fs::FileType) -> Kind {
    if of.is_dir() {
        Kind::Directory
    } else if of.is_file() {
        Kind::File
    } else if of.is_symlink() {
        Kind::Link
    } else {
        Kind::Other
    }
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
