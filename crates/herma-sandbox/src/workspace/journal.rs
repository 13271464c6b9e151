//! Mount points that a run puts into the working directory, and what makes sure that they go again.
//!
//! Each run has a journal, a file that it keeps locked as long as it lives: whoever gets the lock
//! knows that the run is dead. Everything is made under a name of its own, written down with its
//! device and inode, and only then given its place. So whatever stands in a journal is herma's with
//! certainty, and only the object that was written down is ever removed; a directory only when it
//! is empty, a file only with the content that was put there.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File, OpenOptions};
use std::io::{Read, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use rustix::fd::OwnedFd;
use rustix::fs::{AtFlags, FileType, FlockOperation, Mode, OFlags, RenameFlags};
use rustix::io::Errno;

use super::directory;
use super::record::{Record, What, records};
use crate::Error;
use crate::plan::{Kind, Placeholder, Put, Stamp, Tree};

/// Largest journal that is read, in bytes.
const MAX_BYTES: u64 = 1 << 20;

/// The end of a journal's name.
const END: &str = ".journal";

/// One run's journal.
#[derive(Debug)]
pub struct Journal {
    directory: PathBuf,
    name: String,
    file: File,
    own: Vec<Record>,
    others: BTreeSet<PathBuf>,
}

impl Journal {
    /// Begins a run's journal and removes what runs left behind that were killed. `id` is no other
    /// run's, of letters, digits, `-` and `_`.
    ///
    /// # Errors
    /// [`Error::File`].
    pub fn open(directory: &Path, id: &str) -> Result<Self, Error> {
        let fail = |step, path: &Path| {
            let path = path.to_owned();
            move |source: std::io::Error| Error::file(step, path, source)
        };
        fs::DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(directory)
            .map_err(fail("make", directory))?;
        let _turn = turn(directory)?;
        let mut live = BTreeSet::new();
        let mut dead = Vec::new();
        for (path, state) in journals(directory)? {
            match state {
                State::Live(records) => live.extend(records),
                State::Dead(records, lock) => dead.push((path, records, lock)),
            }
        }
        for (path, records, _lock) in dead {
            for record in records.iter().rev() {
                if !live.contains(record) {
                    remove(record);
                }
            }
            fs::remove_file(&path).map_err(fail("remove", &path))?;
        }
        let name = format!("{id}{END}");
        let path = directory.join(&name);
        let file = OpenOptions::new()
            .append(true)
            .create_new(true)
            .mode(0o600)
            .open(&path)
            .map_err(fail("make", &path))?;
        rustix::fs::flock(&file, FlockOperation::NonBlockingLockExclusive)
            .map_err(|why| Error::file("lock", path, why))?;
        let others = live.into_iter().filter_map(|record| match record {
            Record::Made { path, .. } => Some(path),
            Record::Begun { .. } => None,
        });
        Ok(Self {
            directory: directory.to_owned(),
            name,
            file,
            own: Vec::new(),
            others: others.collect(),
        })
    }

    /// The machine as it is without the mount points of other runs.
    #[must_use]
    pub fn tree<'a>(&'a self, tree: &'a dyn Tree) -> Without<'a> {
        Without {
            tree,
            paths: &self.others,
        }
    }

    /// Makes mount points. Those of other runs are shared.
    ///
    /// # Errors
    /// [`Error::Changed`] when something of somebody else's is there by now; [`Error::File`]. What
    /// was made before goes with [`Journal::end`].
    pub fn place(&mut self, placeholders: &[Placeholder]) -> Result<(), Error> {
        let _turn = turn(&self.directory)?;
        let mut live = BTreeSet::new();
        for (_, state) in journals(&self.directory)? {
            if let State::Live(records) = state {
                live.extend(records);
            }
        }
        for (number, placeholder) in placeholders.iter().enumerate() {
            self.one(placeholder, number, &live)?;
        }
        Ok(())
    }

    fn one(
        &mut self,
        placeholder: &Placeholder,
        number: usize,
        live: &BTreeSet<Record>,
    ) -> Result<(), Error> {
        let path = &placeholder.path;
        let fail = |step| move |why: Errno| Error::file(step, path, why);
        let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
            return Err(Error::Changed(path.clone()));
        };
        let parent_fd = directory::open(parent).map_err(fail("open the directory of"))?;
        if self.shared(&parent_fd, name, path, live)? {
            return Ok(());
        }
        let stem = self.name.strip_suffix(END).unwrap_or(&self.name);
        let temporary = OsString::from(format!(".herma-{stem}-{number}"));
        self.write(Record::Begun {
            path: parent.join(&temporary),
        })?;
        let what = make(&parent_fd, &temporary, &placeholder.what).map_err(fail("make"))?;
        let stat = directory::stat(&parent_fd, &temporary)
            .and_then(|stat| stat.ok_or(Errno::NOENT))
            .map_err(fail("look at"))?;
        self.write(Record::Made {
            path: path.clone(),
            what,
            device: stat.st_dev,
            inode: stat.st_ino,
            content: match &placeholder.what {
                Put::File(content) => content.clone(),
                Put::Directory | Put::Node => Vec::new(),
            },
        })?;
        match rename(&parent_fd, &temporary, name) {
            Ok(()) => Ok(()),
            Err(why) => {
                let flags = match what {
                    What::Directory => AtFlags::REMOVEDIR,
                    What::Node | What::File => AtFlags::empty(),
                };
                rustix::fs::unlinkat(&parent_fd, &temporary, flags).map_err(fail("remove"))?;
                match why {
                    Errno::EXIST | Errno::NOTEMPTY => Err(Error::Changed(path.clone())),
                    why => Err(fail("name")(why)),
                }
            }
        }
    }

    /// Whether a mount point of another run is there. It stays then as long as this run.
    fn shared(
        &mut self,
        parent: &OwnedFd,
        name: &OsStr,
        path: &Path,
        live: &BTreeSet<Record>,
    ) -> Result<bool, Error> {
        let found =
            directory::stat(parent, name).map_err(|why| Error::file("look at", path, why))?;
        let Some(found) = found else {
            return Ok(false);
        };
        let same = live.iter().find(|record| match record {
            Record::Made {
                path: there,
                device,
                inode,
                ..
            } => there == path && directory::is(&found, *device, *inode),
            Record::Begun { .. } => false,
        });
        match same {
            Some(record) => {
                self.write(record.clone())?;
                Ok(true)
            }
            None => Err(Error::Changed(path.to_owned())),
        }
    }

    fn write(&mut self, record: Record) -> Result<(), Error> {
        self.file
            .write_all(record.line().as_bytes())
            .map_err(|why| Error::file("write", self.directory.join(&self.name), why))?;
        self.own.push(record);
        Ok(())
    }

    /// Removes this run's mount points, unless another run needs them, and the journal. Those that
    /// could not be removed, since somebody put something there.
    ///
    /// # Errors
    /// [`Error::File`].
    pub fn end(self) -> Result<Vec<PathBuf>, Error> {
        let _turn = turn(&self.directory)?;
        let mut live = BTreeSet::new();
        for (path, state) in journals(&self.directory)? {
            if let State::Live(records) = state
                && !path.ends_with(&self.name)
            {
                live.extend(records);
            }
        }
        let mut left = Vec::new();
        for record in self.own.iter().rev() {
            if !live.contains(record)
                && !remove(record)
                && let Record::Made { path, .. } = record
            {
                left.push(path.clone());
            }
        }
        let path = self.directory.join(&self.name);
        fs::remove_file(&path).map_err(|why| Error::file("remove", path, why))?;
        Ok(left)
    }
}

/// A file system without certain paths.
#[derive(Clone, Copy)]
pub struct Without<'a> {
    tree: &'a dyn Tree,
    paths: &'a BTreeSet<PathBuf>,
}

impl Tree for Without<'_> {
    fn kind(&self, path: &Path) -> Option<Kind> {
        (!self.paths.contains(path)).then(|| self.tree.kind(path))?
    }

    fn list(&self, path: &Path, most: usize) -> Option<Vec<(OsString, Kind)>> {
        if self.paths.contains(path) {
            return None;
        }
        let mut names = self.tree.list(path, most)?;
        if !self.paths.is_empty() {
            names.retain(|(name, _)| !self.paths.contains(&path.join(name)));
        }
        Some(names)
    }

    fn target(&self, path: &Path) -> Option<PathBuf> {
        self.tree.target(path)
    }

    fn read(&self, path: &Path, most: u64) -> Option<Vec<u8>> {
        (!self.paths.contains(path)).then(|| self.tree.read(path, most))?
    }

    fn real(&self, path: &Path) -> Option<PathBuf> {
        (!self.paths.contains(path)).then(|| self.tree.real(path))?
    }

    fn stamp(&self, path: &Path) -> Option<Stamp> {
        self.tree.stamp(path)
    }
}

/// One run after the other looks at the journals and changes mount points.
fn turn(directory: &Path) -> Result<File, Error> {
    let path = directory.join("lock");
    let file = OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(false)
        .mode(0o600)
        .open(&path)
        .map_err(|why| Error::file("open", &path, why))?;
    loop {
        match rustix::fs::flock(&file, FlockOperation::LockExclusive) {
            Ok(()) => return Ok(file),
            Err(Errno::INTR) => {}
            Err(why) => return Err(Error::file("lock", path, why)),
        }
    }
}

enum State {
    /// The run lives.
    Live(Vec<Record>),
    /// The run is dead; the lock is kept while its records are acted upon.
    Dead(Vec<Record>, File),
}

/// All journals. Whoever calls has the turn.
fn journals(directory: &Path) -> Result<Vec<(PathBuf, State)>, Error> {
    let list = fs::read_dir(directory).map_err(|why| Error::file("list", directory, why))?;
    let mut found = Vec::new();
    for entry in list {
        let path = entry
            .map_err(|why| Error::file("list", directory, why))?
            .path();
        if !path
            .as_os_str()
            .as_encoded_bytes()
            .ends_with(END.as_bytes())
        {
            continue;
        }
        let flags = i32::try_from(OFlags::NOFOLLOW.bits()).unwrap_or_default();
        let mut file = match OpenOptions::new()
            .read(true)
            .custom_flags(flags)
            .open(&path)
        {
            Ok(file) => file,
            Err(why) if why.kind() == std::io::ErrorKind::NotFound => continue,
            Err(why) => return Err(Error::file("open", path, why)),
        };
        let mut text = String::new();
        (&mut file)
            .take(MAX_BYTES)
            .read_to_string(&mut text)
            .map_err(|why| Error::file("read", &path, why))?;
        let records = records(&text);
        let state = match rustix::fs::flock(&file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => State::Dead(records, file),
            Err(Errno::WOULDBLOCK) => State::Live(records),
            Err(why) => return Err(Error::file("lock", path, why)),
        };
        found.push((path, state));
    }
    Ok(found)
}

/// Makes something under a name of its own.
fn make(parent: &OwnedFd, name: &OsStr, what: &Put) -> Result<What, Errno> {
    match what {
        Put::Directory => {
            rustix::fs::mkdirat(parent, name, Mode::from_bits_truncate(0o755))?;
            Ok(What::Directory)
        }
        Put::Node => {
            let mode = Mode::from_bits_truncate(0o600);
            match rustix::fs::mknodat(parent, name, FileType::Socket, mode, 0) {
                Ok(()) => Ok(What::Node),
                // File systems without sockets.
                Err(Errno::PERM | Errno::OPNOTSUPP | Errno::INVAL | Errno::NOSYS) => {
                    file(parent, name, b"")?;
                    Ok(What::File)
                }
                Err(why) => Err(why),
            }
        }
        Put::File(content) => {
            file(parent, name, content)?;
            Ok(What::File)
        }
    }
}

fn file(parent: &OwnedFd, name: &OsStr, content: &[u8]) -> Result<(), Errno> {
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let file = rustix::fs::openat(parent, name, flags, Mode::from_bits_truncate(0o644))?;
    File::from(file)
        .write_all(content)
        .map_err(|why| Errno::from_io_error(&why).unwrap_or(Errno::IO))
}

/// Gives something a name that nothing has.
fn rename(parent: &OwnedFd, from: &OsStr, to: &OsStr) -> Result<(), Errno> {
    match rustix::fs::renameat_with(parent, from, parent, to, RenameFlags::NOREPLACE) {
        // File systems that cannot do that in one step.
        Err(Errno::INVAL | Errno::NOSYS) => match directory::stat(parent, to)? {
            Some(_) => Err(Errno::EXIST),
            None => rustix::fs::renameat(parent, from, parent, to),
        },
        other => other,
    }
}

/// Removes what was written down, if it is still that and nothing else. Whether it is gone.
fn remove(record: &Record) -> bool {
    match record {
        Record::Begun { path } => {
            let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
                return true;
            };
            let Ok(parent) = directory::open(parent) else {
                return true;
            };
            // Nobody else uses such a name.
            let file = rustix::fs::unlinkat(&parent, name, AtFlags::empty());
            file.is_ok() || rustix::fs::unlinkat(&parent, name, AtFlags::REMOVEDIR).is_ok()
        }
        Record::Made {
            path,
            what,
            device,
            inode,
            content,
        } => {
            let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
                return true;
            };
            let Ok(parent) = directory::open(parent) else {
                return true;
            };
            let ours = |name: &OsStr| {
                let Ok(Some(stat)) = directory::stat(&parent, name) else {
                    return false;
                };
                let kind = FileType::from_raw_mode(stat.st_mode);
                directory::is(&stat, *device, *inode)
                    && match what {
                        What::Directory => kind.is_dir(),
                        What::Node => kind.is_socket(),
                        What::File => {
                            let most = content.len() as u64;
                            kind.is_file()
                                && matches!(directory::read(&parent, name, most), Ok(Some((bytes, _))) if bytes == *content)
                        }
                    }
            };
            if !ours(name) {
                // Not there any more, or somebody else's.
                return true;
            }
            if *what == What::Directory {
                return rustix::fs::unlinkat(&parent, name, AtFlags::REMOVEDIR).is_ok();
            }
            // Between looking and removing, somebody may put a file in its place.
            let aside = OsString::from(format!(".herma-gone-{device}-{inode}"));
            if rename(&parent, name, &aside).is_err() {
                return false;
            }
            if ours(&aside) {
                rustix::fs::unlinkat(&parent, &aside, AtFlags::empty()).is_ok()
            } else {
                let _ = rename(&parent, &aside, name);
                true
            }
        }
    }
}
