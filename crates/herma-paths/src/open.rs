//! Opening, making, replacing and removing what was checked, and nothing else.

use std::fs::File;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::Write;

use rustix::fd::{AsFd, OwnedFd};
use rustix::fs::{AtFlags, FileType, Mode, OFlags, RenameFlags, Stat};
use rustix::io::Errno;

use crate::Refusal;
use crate::kernel::{self, Identity};
use crate::root::{Checked, Operation};

/// Permission bits of files and directories that are made, before the process's mask.
const FILE_MODE: Mode = Mode::from_raw_mode(0o666);
const DIRECTORY_MODE: Mode = Mode::from_raw_mode(0o777);

/// Names tried for a temporary file.
const TRIES: u32 = 16;

/// What was opened.
#[derive(Debug)]
pub struct Opened {
    /// The file or directory.
    pub file: File,
    /// Its canonical path when it was checked.
    pub path: Vec<u8>,
    /// Which object it is.
    pub identity: Identity,
    /// How many names it has.
    pub link_count: u64,
}

impl Checked<'_> {
    /// Opens what was checked, below the root's descriptor and without following any link.
    ///
    /// To read: a regular file or a directory. To write: a regular file with one name, its content
    /// untouched, or a new file together with the directories that are missing. To create: a new
    /// file. To list: a directory. To delete: nothing is opened for that, use [`Checked::remove`].
    ///
    /// # Errors
    /// [`Refusal::Raced`] when what is there now is not what was checked, [`Refusal::Missing`] when
    /// it was not there to be read, [`Refusal::Permission`] when this user may not.
    pub fn open(self) -> Result<Opened, Refusal> {
        let flags = match self.operation {
            Operation::Read => OFlags::RDONLY | OFlags::NONBLOCK,
            Operation::List => OFlags::RDONLY | OFlags::DIRECTORY,
            Operation::Write | Operation::Create => OFlags::WRONLY | OFlags::NONBLOCK,
            Operation::Delete => return Err(Refusal::Unsupported),
        };
        let changes = self.operation.changes();
        if let Some(identity) = self.located.identity() {
            let fd = self.below(self.inside(), flags, changes)?;
            let stat = same(&fd, identity)?;
            if changes && link_count(&stat) != 1 {
                return Err(Refusal::HardLinked);
            }
            return Ok(self.opened(fd, &stat));
        }
        if !changes {
            return Err(Refusal::Missing);
        }
        let (parent, name) = self.parent()?;
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL;
        let fd = make(&parent, name, flags, FILE_MODE)?;
        let stat = rustix::fs::fstat(&fd).map_err(Refusal::after_check)?;
        Ok(self.opened(fd, &stat))
    }

    /// Puts `content` in the place of the file, so that a reader sees the old or the new content
    /// and never a part. The permission bits of an old file stay.
    ///
    /// The content goes to a new file with a random name in the same directory, is flushed to the
    /// disk, and renamed; then the directory is flushed.
    ///
    /// # Errors
    /// As [`Checked::open`]; the old file is then untouched.
    pub fn replace(self, content: &[u8]) -> Result<Identity, Refusal> {
        if !matches!(self.operation, Operation::Write | Operation::Create) {
            return Err(Refusal::Unsupported);
        }
        let mode = match &self.located.target {
            Some((_, stat)) => Mode::from_raw_mode(stat.st_mode & 0o777),
            None => FILE_MODE,
        };
        let (parent, name) = self.parent()?;
        let (temporary, fd) = temporary(&parent, mode)?;
        let moved =
            fill(fd, content, self.located.target.is_some().then_some(mode)).and_then(|identity| {
                self.unchanged(&parent, name)?;
                // What was not there must not be there now either.
                let flags = match self.located.target {
                    Some(_) => RenameFlags::empty(),
                    None => RenameFlags::NOREPLACE,
                };
                rustix::fs::renameat_with(&parent, &temporary, &parent, name, flags)
                    .map_err(Refusal::after_check)?;
                rustix::fs::fsync(&parent).map_err(Refusal::after_check)?;
                Ok(identity)
            });
        if moved.is_err() {
            let _ = rustix::fs::unlinkat(&parent, &temporary, AtFlags::empty());
        }
        moved
    }

    /// Removes the name that was checked: a file, a link itself, or an empty directory.
    ///
    /// # Errors
    /// As [`Checked::open`].
    pub fn remove(self) -> Result<(), Refusal> {
        if self.operation != Operation::Delete {
            return Err(Refusal::Unsupported);
        }
        if self.located.identity().is_none() {
            return Err(Refusal::Missing);
        }
        let (parent, name) = self.parent()?;
        self.unchanged(&parent, name)?;
        let flags = if self.located.target.is_some() {
            AtFlags::empty()
        } else {
            AtFlags::REMOVEDIR
        };
        rustix::fs::unlinkat(&parent, name, flags).map_err(|errno| match errno {
            Errno::NOTEMPTY | Errno::BUSY => Refusal::System(errno.raw_os_error()),
            other => Refusal::after_check(other),
        })
    }

    /// The names below the root, those that are there.
    fn inside(&self) -> Vec<Vec<u8>> {
        let inside = self.located.steps.iter().skip(self.root.steps.len());
        inside.map(|step| step.name.clone()).collect()
    }

    fn below(&self, names: Vec<Vec<u8>>, flags: OFlags, changes: bool) -> Result<OwnedFd, Refusal> {
        kernel::open_below(
            self.root.directory.as_fd(),
            &names,
            flags,
            changes && !self.root.is_top(),
            self.root.way,
        )
    }

    /// The directory that holds the last name, made where it is missing, and that name.
    fn parent(&self) -> Result<(OwnedFd, &[u8]), Refusal> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY;
        let mut names = self.inside();
        let Some((last, before)) = self.located.missing.split_last() else {
            let name = self.located.steps.last().ok_or(Refusal::IsRoot)?;
            names.pop().ok_or(Refusal::IsRoot)?;
            let above = self.located.steps.len().checked_sub(2);
            let expected = above
                .filter(|_| !names.is_empty())
                .and_then(|above| self.located.steps.get(above))
                .map_or(self.root.identity, |step| step.identity);
            let parent = self.below(names, flags, true)?;
            same(&parent, expected)?;
            return Ok((parent, &name.name));
        };
        let expected = self.located.steps.last();
        let expected = expected
            .filter(|_| !names.is_empty())
            .map_or(self.root.identity, |step| step.identity);
        let mut parent = self.below(names, flags, true)?;
        same(&parent, expected)?;
        for name in before {
            // What has come to this name meanwhile is not ours, even if it is a directory.
            rustix::fs::mkdirat(&parent, name.as_slice(), DIRECTORY_MODE)
                .map_err(Refusal::after_check)?;
            let names = [name.clone()];
            let same_mount = !self.root.is_top();
            parent = kernel::open_below(parent.as_fd(), &names, flags, same_mount, self.root.way)?;
        }
        Ok((parent, last))
    }

    /// Refuses when another object than the one checked has the name.
    fn unchanged(&self, parent: &OwnedFd, name: &[u8]) -> Result<(), Refusal> {
        let found = rustix::fs::statat(parent, name, AtFlags::SYMLINK_NOFOLLOW);
        let found = match found {
            Ok(stat) => Some(Identity::of(&stat)),
            Err(Errno::NOENT) => None,
            Err(errno) => return Err(Refusal::after_check(errno)),
        };
        if found == self.located.identity() {
            Ok(())
        } else {
            Err(Refusal::Raced)
        }
    }

    fn opened(&self, fd: OwnedFd, stat: &Stat) -> Opened {
        Opened {
            file: File::from(fd),
            path: self.located.canonical(),
            identity: Identity::of(stat),
            link_count: link_count(stat),
        }
    }
}

#[allow(
    clippy::useless_conversion,
    reason = "the field's type differs between systems"
)]
fn link_count(stat: &Stat) -> u64 {
    stat.st_nlink.into()
}

/// The object behind a descriptor, which must be the expected one, a regular file or a directory.
fn same(fd: &OwnedFd, expected: Identity) -> Result<Stat, Refusal> {
    let stat = rustix::fs::fstat(fd).map_err(Refusal::after_check)?;
    let usable = matches!(
        kernel::kind(&stat),
        FileType::RegularFile | FileType::Directory
    );
    if usable && Identity::of(&stat) == expected {
        Ok(stat)
    } else {
        Err(Refusal::Raced)
    }
}

fn make(parent: &OwnedFd, name: &[u8], flags: OFlags, mode: Mode) -> Result<OwnedFd, Refusal> {
    let flags = flags | OFlags::NOFOLLOW | OFlags::NOCTTY | OFlags::CLOEXEC;
    rustix::fs::openat(parent, name, flags, mode).map_err(Refusal::after_check)
}

/// A new file with a name that nobody can foresee.
fn temporary(parent: &OwnedFd, mode: Mode) -> Result<(Vec<u8>, OwnedFd), Refusal> {
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL;
    let mut last = Refusal::Raced;
    for _ in 0..TRIES {
        // Each state has keys of its own from the system's random numbers.
        let number = RandomState::new().build_hasher().finish();
        let name = format!(".herma-{number:016x}.new").into_bytes();
        match make(parent, &name, flags, mode) {
            Ok(fd) => return Ok((name, fd)),
            Err(why) => last = why,
        }
    }
    Err(last)
}

fn fill(fd: OwnedFd, content: &[u8], mode: Option<Mode>) -> Result<Identity, Refusal> {
    if let Some(mode) = mode {
        rustix::fs::fchmod(&fd, mode).map_err(Refusal::after_check)?;
    }
    let stat = rustix::fs::fstat(&fd).map_err(Refusal::after_check)?;
    let mut file = File::from(fd);
    file.write_all(content)
        .and_then(|()| file.sync_all())
        .map_err(|error| Refusal::System(error.raw_os_error().unwrap_or_default()))?;
    Ok(Identity::of(&stat))
}
