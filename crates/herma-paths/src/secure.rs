//! Directories and files that only their owner may use.

use std::fs::File;

use rustix::fd::{AsFd, OwnedFd};
use rustix::fs::{FileType, Mode, OFlags, Stat};

use crate::Refusal;
use crate::kernel::{self, Identity};
use crate::text::check_text;
use crate::walk::{self, Located, Start};

const DIRECTORY: Mode = Mode::from_raw_mode(0o700);
const FILE: Mode = Mode::from_raw_mode(0o600);

/// Opens the directory at an absolute path with permission bits 0700: made if it is missing (its
/// parent must be there), made narrower if others may use it.
///
/// # Errors
/// The last component is a link or no directory, belongs to another user, or the system refuses.
pub fn secure_dir(path: &[u8]) -> Result<OwnedFd, Refusal> {
    let found = find(path)?;
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let fd = match (&found.target, found.missing.as_slice()) {
        (Some((_, stat)), _) => return Err(link_or(stat, Refusal::NotDirectory)),
        (None, []) => rustix::fs::openat(&found.directory, c".", flags, Mode::empty())
            .map_err(Refusal::after_check)?,
        (None, [name]) => {
            rustix::fs::mkdirat(&found.directory, name.as_slice(), DIRECTORY)
                .map_err(Refusal::after_check)?;
            rustix::fs::openat(&found.directory, name.as_slice(), flags, Mode::empty())
                .map_err(Refusal::after_check)?
        }
        (None, _) => return Err(Refusal::Missing),
    };
    own(&fd, DIRECTORY)?;
    Ok(fd)
}

/// Opens the regular file at an absolute path for reading and writing with permission bits 0600:
/// made if it is missing (its directory must be there), made narrower if others may use it.
///
/// # Errors
/// The last component is a link or no regular file, the file has other names, belongs to another
/// user, or the system refuses.
pub fn secure_file(path: &[u8]) -> Result<File, Refusal> {
    let found = find(path)?;
    if found.wants_directory {
        return Err(Refusal::IsDirectory);
    }
    let flags =
        OFlags::RDWR | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let fd = match (&found.target, found.missing.as_slice()) {
        (None, []) => return Err(Refusal::IsDirectory),
        (None, [name]) => {
            let flags = flags | OFlags::CREATE | OFlags::EXCL;
            rustix::fs::openat(&found.directory, name.as_slice(), flags, FILE)
                .map_err(Refusal::after_check)?
        }
        (None, _) => return Err(Refusal::Missing),
        (Some((_, stat)), _) => {
            if kernel::kind(stat) != FileType::RegularFile {
                return Err(link_or(stat, Refusal::NotRegular));
            }
            let name = found.steps.last().ok_or(Refusal::IsDirectory)?;
            let fd = rustix::fs::openat(
                found.directory.as_fd(),
                name.name.as_slice(),
                flags,
                Mode::empty(),
            )
            .map_err(Refusal::after_check)?;
            let now = rustix::fs::fstat(&fd).map_err(Refusal::after_check)?;
            if Identity::of(&now) != name.identity {
                return Err(Refusal::Raced);
            }
            if now.st_nlink != 1 {
                return Err(Refusal::HardLinked);
            }
            fd
        }
    };
    own(&fd, FILE)?;
    Ok(File::from(fd))
}

fn find(path: &[u8]) -> Result<Located, Refusal> {
    check_text(path)?;
    if path.first() != Some(&b'/') {
        return Err(Refusal::RootRelative);
    }
    let found = walk::walk(Start::top()?, path, false)?;
    if found.barred {
        return Err(Refusal::Permission);
    }
    Ok(found)
}

fn link_or(stat: &Stat, other: Refusal) -> Refusal {
    if kernel::kind(stat) == FileType::Symlink {
        Refusal::Link
    } else {
        other
    }
}

/// Refuses what is not this user's, and takes the permissions away that others have.
fn own(fd: &OwnedFd, mode: Mode) -> Result<(), Refusal> {
    let stat = rustix::fs::fstat(fd).map_err(Refusal::after_check)?;
    if stat.st_uid != rustix::process::geteuid().as_raw() {
        return Err(Refusal::ForeignOwner);
    }
    if stat.st_mode & 0o7777 != mode.as_raw_mode() {
        rustix::fs::fchmod(fd, mode).map_err(Refusal::after_check)?;
    }
    Ok(())
}
