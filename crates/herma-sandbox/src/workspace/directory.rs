//! Directories by descriptor: what an agent may change meanwhile must lead nowhere else.

use std::ffi::OsStr;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use rustix::fd::OwnedFd;
use rustix::fs::{AtFlags, Dev, Mode, OFlags, ResolveFlags, Stat};
use rustix::io::Errno;

/// Opens a directory; no part of the path may be a link.
pub(super) fn open(path: &Path) -> Result<OwnedFd, Errno> {
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let resolve = ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
    match rustix::fs::openat2(rustix::fs::CWD, path, flags, Mode::empty(), resolve) {
        // Before Linux 5.6, and where a filter does not know the call.
        Err(Errno::NOSYS | Errno::PERM) => {
            rustix::fs::openat(rustix::fs::CWD, path, flags, Mode::empty())
        }
        other => other,
    }
}

/// What a name in a directory is; a link is not followed.
pub(super) fn stat(directory: &OwnedFd, name: &OsStr) -> Result<Option<Stat>, Errno> {
    match rustix::fs::statat(directory, name, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(stat) => Ok(Some(stat)),
        Err(Errno::NOENT) => Ok(None),
        Err(why) => Err(why),
    }
}

/// A regular file's bytes and mode, when there are at most `most`; `None` for anything else.
pub(super) fn read(
    directory: &OwnedFd,
    name: &OsStr,
    most: u64,
) -> std::io::Result<Option<(Vec<u8>, u32)>> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = match rustix::fs::openat(directory, name, flags, Mode::empty()) {
        Ok(file) => File::from(file),
        Err(Errno::NOENT | Errno::LOOP | Errno::NXIO | Errno::NOTDIR) => return Ok(None),
        Err(why) => return Err(why.into()),
    };
    let stat = rustix::fs::fstat(&file)?;
    let is_file = rustix::fs::FileType::from_raw_mode(stat.st_mode).is_file();
    if !is_file || u64::try_from(stat.st_size).unwrap_or(u64::MAX) > most {
        return Ok(None);
    }
    let mut bytes = Vec::new();
    file.take(most + 1).read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 <= most).then_some((bytes, stat.st_mode & 0o7777)))
}

/// Whether this is the object that was recorded.
pub(super) fn is(stat: &Stat, device: Dev, inode: u64) -> bool {
    stat.st_dev == device && stat.st_ino == inode
}
