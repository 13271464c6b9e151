//! The directory of the log: files opened by name, without following links, and the lock.

use std::path::Path;
use std::time::{Duration, Instant};

use rustix::fd::OwnedFd;
use rustix::fs::{FileType, FlockOperation, Mode, OFlags};
use rustix::io::Errno;

use crate::error::AuditError;
use crate::head::{Head, is_day};

/// Name of the file that holds the last position and carries the lock.
pub(crate) const HEAD: &str = "head";

/// Name of the file that holds the position of the last purged line.
pub(crate) const ANCHOR: &str = "anchor";

/// An opened directory.
#[derive(Debug)]
pub(crate) struct Directory {
    pub(crate) fd: OwnedFd,
}

impl Directory {
    /// Opens the directory. `Ok(None)` when there is none.
    pub(crate) fn open(path: &Path) -> Result<Option<Self>, AuditError> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        match rustix::fs::open(path, flags, Mode::empty()) {
            Ok(fd) => Ok(Some(Self { fd })),
            Err(Errno::NOENT) => Ok(None),
            Err(errno) => Err(AuditError::system("open the audit directory")(errno)),
        }
    }

    /// Opens the directory; makes it, and the one above it, where they are missing (0700).
    pub(crate) fn open_or_create(path: &Path) -> Result<Self, AuditError> {
        if let Some(directory) = Self::open(path)? {
            return Ok(directory);
        }
        for missing in [path.parent(), Some(path)].into_iter().flatten() {
            match rustix::fs::mkdir(missing, Mode::from_raw_mode(0o700)) {
                Ok(()) | Err(Errno::EXIST) => {}
                Err(errno) => return Err(AuditError::system("make the audit directory")(errno)),
            }
        }
        Self::open(path)?.ok_or(AuditError::System {
            what: "open the audit directory",
            number: Errno::NOENT.raw_os_error(),
        })
    }

    /// Opens a file by name. `Ok(None)` when there is none and `flags` do not create it.
    pub(crate) fn file(&self, name: &str, flags: OFlags) -> Result<Option<OwnedFd>, AuditError> {
        let flags = flags | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        match rustix::fs::openat(&self.fd, name, flags, Mode::from_raw_mode(0o600)) {
            Ok(fd) => Ok(Some(fd)),
            Err(Errno::NOENT) => Ok(None),
            Err(Errno::LOOP | Errno::NXIO | Errno::ISDIR) => {
                Err(AuditError::NotAFile(name.to_owned()))
            }
            Err(errno) => Err(AuditError::system("open an audit file")(errno)),
        }
    }

    /// Names of the days' files, oldest first.
    pub(crate) fn days(&self) -> Result<Vec<String>, AuditError> {
        let failed = AuditError::system("list the audit directory");
        let mut names = Vec::new();
        for entry in rustix::fs::Dir::read_from(&self.fd).map_err(&failed)? {
            let entry = entry.map_err(&failed)?;
            if let Ok(name) = entry.file_name().to_str()
                && is_day(name)
            {
                names.push(name.to_owned());
            }
        }
        names.sort();
        Ok(names)
    }

    /// A position file's content. `Ok(None)` when it is missing or not understood.
    pub(crate) fn position(&self, name: &str) -> Result<Option<Head>, AuditError> {
        match self.file(name, OFlags::RDONLY)? {
            Some(fd) => read_position(&fd),
            None => Ok(None),
        }
    }
}

/// The position that an opened `head` or `anchor` holds.
pub(crate) fn read_position(fd: &OwnedFd) -> Result<Option<Head>, AuditError> {
    let mut buffer = [0u8; Head::WIDTH + 1];
    let count = rustix::io::pread(fd, &mut buffer, 0)
        .map_err(AuditError::system("read the head of the audit log"))?;
    Ok(buffer.get(..count).and_then(Head::parse))
}

/// Length and allocated bytes of a regular file.
pub(crate) fn measure(fd: &OwnedFd, name: &str) -> Result<(u64, u64), AuditError> {
    let stat = rustix::fs::fstat(fd).map_err(AuditError::system("measure an audit file"))?;
    if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
        return Err(AuditError::NotAFile(name.to_owned()));
    }
    let bytes = |number: i64| u64::try_from(number).unwrap_or_default();
    Ok((
        bytes(stat.st_size),
        bytes(stat.st_blocks).saturating_mul(512),
    ))
}

/// Takes the lock, waiting at most `patience`: a hook answers before its host gives up on it. The
/// lock goes with the descriptor.
pub(crate) fn lock(fd: &OwnedFd, shared: bool, patience: Duration) -> Result<(), AuditError> {
    let operation = if shared {
        FlockOperation::NonBlockingLockShared
    } else {
        FlockOperation::NonBlockingLockExclusive
    };
    let mut started = None;
    let mut pause = Duration::from_micros(20);
    loop {
        match rustix::fs::flock(fd, operation) {
            Ok(()) => return Ok(()),
            Err(Errno::WOULDBLOCK | Errno::INTR) => {}
            Err(errno) => return Err(AuditError::system("lock the audit log")(errno)),
        }
        let waited = started.get_or_insert_with(Instant::now).elapsed();
        if waited >= patience {
            return Err(AuditError::Locked(waited));
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(1));
    }
}
