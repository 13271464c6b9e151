//! Reading files that decide something.
//!
//! A file is opened without following a link in its last component and without waiting for a
//! writer (a named pipe would hang the hook), must be a regular file of bounded size, and, where
//! [`Trust::Owner`] is asked for, must belong to this user or root and be writable by nobody else.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::fs::File;
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rustix::fd::OwnedFd;
use rustix::fs::{FileType, Mode, OFlags, Stat};
use rustix::io::Errno;

/// Largest file that is read, in bytes.
pub const MAX_BYTES: usize = 1 << 20;

/// Most names that are read from a directory.
pub const MAX_NAMES: usize = 4096;

/// Whose files may decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trust {
    /// This user's or root's, writable by nobody else.
    Owner,
    /// Anybody's: for files that can only tighten.
    Anybody,
}

/// Why a file is not read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refusal {
    /// The last component is a symbolic link.
    Link,
    /// It is a directory, a pipe, a device or a socket, or a directory was expected.
    WrongType,
    /// It is larger than the limit, in bytes.
    TooLarge(usize),
    /// The directory holds more names than are read.
    TooManyNames,
    /// It belongs to another user.
    Owner {
        /// The owner's user id.
        uid: u32,
    },
    /// Others may write it.
    Writable {
        /// The permission bits.
        mode: u32,
    },
    /// The system refused; the error number.
    System(i32),
}

impl fmt::Display for Refusal {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Link => out.write_str("is a symbolic link, which is not followed"),
            Self::WrongType => out.write_str("is not a file of the expected type"),
            Self::TooLarge(limit) => write!(out, "is larger than {limit} bytes"),
            Self::TooManyNames => write!(out, "holds more than {MAX_NAMES} files"),
            Self::Owner { uid } => write!(out, "belongs to user {uid}, not to you or root"),
            Self::Writable { mode } => {
                write!(
                    out,
                    "can be written by others (mode {mode:04o}); chmod go-w it"
                )
            }
            Self::System(number) => {
                write!(out, "{}", std::io::Error::from_raw_os_error(*number))
            }
        }
    }
}

impl std::error::Error for Refusal {}

impl From<Errno> for Refusal {
    fn from(errno: Errno) -> Self {
        Self::System(errno.raw_os_error())
    }
}

const FLAGS: OFlags = OFlags::RDONLY
    .union(OFlags::NOFOLLOW)
    .union(OFlags::NONBLOCK)
    .union(OFlags::NOCTTY)
    .union(OFlags::CLOEXEC);

/// Reads the file at `path`, at most `limit` bytes. `Ok(None)` when there is none.
///
/// # Errors
/// Why it is not read.
pub fn read(path: &Path, limit: usize, trust: Trust) -> Result<Option<Vec<u8>>, Refusal> {
    match rustix::fs::open(path, FLAGS, Mode::empty()) {
        Ok(fd) => content(fd, limit, trust).map(Some),
        Err(errno) => absent(errno),
    }
}

/// An opened directory whose files are read by name.
#[derive(Debug)]
pub struct Directory {
    fd: OwnedFd,
    path: PathBuf,
    trust: Trust,
}

impl Directory {
    /// Opens a directory; links in its path are followed, since the checks below hold for what was
    /// opened. `Ok(None)` when there is none.
    ///
    /// # Errors
    /// Why it is not used.
    pub fn open(path: &Path, trust: Trust) -> Result<Option<Self>, Refusal> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        match rustix::fs::open(path, flags, Mode::empty()) {
            Ok(fd) => {
                check_owner(&rustix::fs::fstat(&fd)?, trust)?;
                Ok(Some(Self {
                    fd,
                    path: path.to_owned(),
                    trust,
                }))
            }
            // A file or link where a directory belongs must not pass for an absent one.
            Err(Errno::NOTDIR) => Err(Refusal::WrongType),
            Err(errno) => absent(errno),
        }
    }

    /// Opens a directory in this one.
    ///
    /// # Errors
    /// Why it is not used.
    pub fn directory(&self, name: &OsStr) -> Result<Option<Self>, Refusal> {
        let flags = FLAGS | OFlags::DIRECTORY;
        match rustix::fs::openat(&self.fd, name, flags, Mode::empty()) {
            Ok(fd) => {
                check_owner(&rustix::fs::fstat(&fd)?, self.trust)?;
                Ok(Some(Self {
                    fd,
                    path: self.path.join(name),
                    trust: self.trust,
                }))
            }
            // A file or link where a directory belongs must not pass for an absent one.
            Err(Errno::NOTDIR) => Err(Refusal::WrongType),
            Err(errno) => absent(errno),
        }
    }

    /// Reads a file in this directory. `Ok(None)` when there is none.
    ///
    /// # Errors
    /// Why it is not read.
    pub fn read(&self, name: &OsStr, limit: usize) -> Result<Option<Vec<u8>>, Refusal> {
        match rustix::fs::openat(&self.fd, name, FLAGS, Mode::empty()) {
            Ok(fd) => content(fd, limit, self.trust).map(Some),
            Err(errno) => absent(errno),
        }
    }

    /// The names in this directory in byte order, without `.` and `..`.
    ///
    /// # Errors
    /// Why it cannot be listed; too many names are an error, not a shorter list.
    pub fn names(&self) -> Result<Vec<OsString>, Refusal> {
        let mut names = Vec::new();
        for entry in rustix::fs::Dir::read_from(&self.fd)? {
            let entry = entry?;
            let name = entry.file_name().to_bytes();
            if name == b"." || name == b".." {
                continue;
            }
            if names.len() == MAX_NAMES {
                return Err(Refusal::TooManyNames);
            }
            names.push(OsStr::from_bytes(name).to_owned());
        }
        names.sort();
        Ok(names)
    }

    /// Where the directory is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// A missing file is an answer, a link is a refusal of its own, the rest is an error.
fn absent<T>(errno: Errno) -> Result<Option<T>, Refusal> {
    match errno {
        Errno::NOENT | Errno::NOTDIR => Ok(None),
        Errno::LOOP => Err(Refusal::Link),
        errno => Err(errno.into()),
    }
}

fn content(fd: OwnedFd, limit: usize, trust: Trust) -> Result<Vec<u8>, Refusal> {
    let stat = rustix::fs::fstat(&fd)?;
    if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
        return Err(Refusal::WrongType);
    }
    check_owner(&stat, trust)?;
    let mut bytes = Vec::new();
    // One byte more than allowed: the file may have grown since it was measured.
    let most = u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1);
    File::from(fd)
        .take(most)
        .read_to_end(&mut bytes)
        .map_err(|error| Refusal::System(error.raw_os_error().unwrap_or_default()))?;
    if bytes.len() > limit {
        return Err(Refusal::TooLarge(limit));
    }
    Ok(bytes)
}

fn check_owner(stat: &Stat, trust: Trust) -> Result<(), Refusal> {
    owner_allows(
        stat.st_uid,
        stat.st_mode,
        rustix::process::geteuid().as_raw(),
        trust,
    )
}

/// The owner check on plain numbers.
fn owner_allows(uid: u32, mode: u32, me: u32, trust: Trust) -> Result<(), Refusal> {
    if trust == Trust::Anybody {
        return Ok(());
    }
    if uid != me && uid != 0 {
        return Err(Refusal::Owner { uid });
    }
    // The sticky bit lets others add files to a directory, not replace ours; a rule file that
    // somebody adds would still count.
    if mode & 0o022 != 0 {
        return Err(Refusal::Writable {
            mode: mode & 0o7777,
        });
    }
    Ok(())
}

#[cfg(test)]
mod tests;
