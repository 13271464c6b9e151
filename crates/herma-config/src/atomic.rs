//! Replacing a file so that a reader sees the old or the new content, never a part.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use rustix::fd::OwnedFd;
use rustix::fs::{AtFlags, Mode, OFlags};

/// Replaces the file at `path` by `content` with permission bits `mode` (`0o600` for state).
///
/// The content is written to a new file in the same directory, flushed to the disk, renamed over
/// the old one, and the directory is flushed. A link at `path` is replaced, not followed.
///
/// # Errors
/// The first step that failed; the old file is then untouched and the new one removed.
pub fn replace(path: &Path, content: &[u8], mode: u32) -> io::Result<()> {
    let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
    let directory = open_directory(path.parent().unwrap_or(Path::new(".")))?;
    let temporary = temporary_name(name);
    // Left behind by a process with our number that died in between.
    let _ = rustix::fs::unlinkat(&directory, &temporary, AtFlags::empty());
    let written = write_new(&directory, &temporary, content, mode).and_then(|()| {
        rustix::fs::renameat(&directory, &temporary, &directory, name)?;
        rustix::fs::fsync(&directory)?;
        Ok(())
    });
    if written.is_err() {
        let _ = rustix::fs::unlinkat(&directory, &temporary, AtFlags::empty());
    }
    written
}

/// Creates the directory `path` with permission bits `mode` unless it is there.
///
/// # Errors
/// What the system answers; something else than a directory at `path` is `NotADirectory`.
pub fn create_directory(path: &Path, mode: u32) -> io::Result<()> {
    match rustix::fs::mkdir(path, Mode::from_raw_mode(mode)) {
        Ok(()) => Ok(()),
        Err(rustix::io::Errno::EXIST) => open_directory(path).map(drop),
        Err(errno) => Err(errno.into()),
    }
}

fn open_directory(path: &Path) -> io::Result<OwnedFd> {
    let path = if path.as_os_str().is_empty() {
        Path::new(".")
    } else {
        path
    };
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    Ok(rustix::fs::open(path, flags, Mode::empty())?)
}

fn temporary_name(name: &OsStr) -> OsString {
    use std::sync::atomic::{AtomicU32, Ordering};
    // Threads of one process replace different versions side by side.
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let mut temporary = OsString::from(".");
    temporary.push(name);
    temporary.push(format!(
        ".{}-{}.new",
        std::process::id(),
        COUNT.fetch_add(1, Ordering::Relaxed)
    ));
    temporary
}

fn write_new(directory: &OwnedFd, name: &OsStr, content: &[u8], mode: u32) -> io::Result<()> {
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let mut file = File::from(rustix::fs::openat(
        directory,
        name,
        flags,
        Mode::from_raw_mode(mode),
    )?);
    file.write_all(content)?;
    file.sync_all()
}

#[cfg(test)]
mod tests;
