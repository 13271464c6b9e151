//! Copies of repositories' configurations, and what of their changes goes back.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::Write;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rustix::fd::OwnedFd;
use rustix::fs::{AtFlags, Mode, OFlags};
use rustix::io::Errno;

use super::directory;
use crate::Error;
use crate::git::config::{Config, MAX_BYTES, Name};
use crate::git::settings::{Effect, effect};
use crate::plan::Repository;

/// How long another program's lock on a configuration is waited for.
const PATIENCE: Duration = Duration::from_millis(500);

/// Values of one key, in their order.
type Values = Vec<Option<Vec<u8>>>;

/// The copies of one run.
#[derive(Debug)]
pub struct Copies {
    copies: Vec<(Repository, Config)>,
}

/// One key that a run set, changed or took away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// The configuration.
    pub config: PathBuf,
    /// The key; `None` when the run left something that is no configuration.
    pub name: Option<Name>,
    /// Its values before.
    pub before: Values,
    /// Its values behind.
    pub after: Values,
    /// What became of it.
    pub fate: Fate,
}

/// What became of a changed setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fate {
    /// It stands in the repository.
    Merged,
    /// It may do more than name a branch, a remote or a person: left out.
    LeftOut(Effect),
    /// Somebody else changed the same key meanwhile: theirs stays.
    Conflict,
    /// The configuration is locked by another program.
    Busy,
    /// What the run left is no configuration.
    Unreadable,
}

impl Copies {
    /// Makes the copies. Their directories are made; they are the run's own.
    ///
    /// # Errors
    /// [`Error::File`]; [`Error::Changed`] when a configuration is no longer what the plan saw.
    pub fn make(repositories: &[Repository]) -> Result<Self, Error> {
        let mut copies = Vec::new();
        for repository in repositories {
            let Repository { config, copy } = repository;
            let (parent, name) = split(config)?;
            let parent = directory::open(parent).map_err(|why| Error::file("open", config, why))?;
            let read = directory::read(&parent, name, MAX_BYTES)
                .map_err(|why| Error::file("read", config, why))?;
            let parsed = read.and_then(|(bytes, _)| Config::parse(&bytes).ok());
            let Some(parsed) = parsed else {
                return Err(Error::Changed(config.clone()));
            };
            let (directory, _) = split(copy)?;
            fs::DirBuilder::new()
                .recursive(true)
                .mode(0o700)
                .create(directory)
                .map_err(|why| Error::file("make", directory, why))?;
            let mut file = fs::OpenOptions::new()
                .write(true)
                .create_new(true)
                .mode(0o600)
                .open(copy)
                .map_err(|why| Error::file("make", copy, why))?;
            file.write_all(parsed.text())
                .map_err(|why| Error::file("write", copy, why))?;
            copies.push((repository.clone(), parsed));
        }
        Ok(Self { copies })
    }

    /// Merges what the run changed back, as far as it is harmless. Every change is told of.
    ///
    /// # Errors
    /// [`Error::File`] when a configuration cannot be read or replaced.
    pub fn merge(&self) -> Result<Vec<Setting>, Error> {
        let mut all = Vec::new();
        for (repository, before) in &self.copies {
            all.extend(one(repository, before)?);
        }
        Ok(all)
    }
}

fn split(path: &Path) -> Result<(&Path, &OsStr), Error> {
    match (path.parent(), path.file_name()) {
        (Some(parent), Some(name)) => Ok((parent, name)),
        _ => Err(Error::Changed(path.to_owned())),
    }
}

fn one(repository: &Repository, before: &Config) -> Result<Vec<Setting>, Error> {
    let Repository { config, copy } = repository;
    let (directory, name) = split(copy)?;
    // Whatever the run left there.
    let after = directory::open(directory)
        .map_err(std::io::Error::from)
        .and_then(|directory| directory::read(&directory, name, MAX_BYTES))
        .map_err(|why| Error::file("read", copy, why))?
        .and_then(|(bytes, _)| Config::parse(&bytes).ok());
    let Some(after) = after else {
        return Ok(vec![Setting {
            config: config.clone(),
            name: None,
            before: Vec::new(),
            after: Vec::new(),
            fate: Fate::Unreadable,
        }]);
    };
    let mut settings = changed(config, before, &after);
    if settings.iter().any(|it| it.fate == Fate::Merged) {
        write(config, &mut settings)?;
    }
    Ok(settings)
}

/// What changed, in the order of the names.
fn changed(config: &Path, before: &Config, after: &Config) -> Vec<Setting> {
    let names: BTreeSet<&Name> = [before, after]
        .iter()
        .flat_map(|it| it.entries())
        .map(|entry| &entry.name)
        .collect();
    let mut settings = Vec::new();
    for name in names {
        let (old, new) = (owned(before, name), owned(after, name));
        if old == new {
            continue;
        }
        let worst = new
            .iter()
            .map(|value| effect(name, value.as_deref()))
            .max()
            // To take away is harmless where to set is.
            .unwrap_or_else(|| effect(name, Some(b"x")));
        settings.push(Setting {
            config: config.to_owned(),
            name: Some(name.clone()),
            before: old,
            after: new,
            fate: match worst {
                Effect::Harmless => Fate::Merged,
                other => Fate::LeftOut(other),
            },
        });
    }
    settings
}

fn owned(config: &Config, name: &Name) -> Values {
    config
        .values(name)
        .into_iter()
        .map(|value| value.map(<[u8]>::to_vec))
        .collect()
}

/// Writes harmless changes as git does: under a lock beside the file, which then takes its place.
fn write(config: &Path, settings: &mut [Setting]) -> Result<(), Error> {
    let fail = |step| move |why: std::io::Error| Error::file(step, config, why);
    let (parent, name) = split(config)?;
    let parent =
        directory::open(parent).map_err(|why| fail("open the directory of")(why.into()))?;
    let mut lock_name = name.to_owned();
    lock_name.push(".lock");
    let Some(mut lock) = lock(&parent, &lock_name).map_err(|why| fail("lock")(why.into()))? else {
        for setting in settings.iter_mut().filter(|it| it.fate == Fate::Merged) {
            setting.fate = Fate::Busy;
        }
        return Ok(());
    };
    let done = (|| {
        let read = directory::read(&parent, name, MAX_BYTES).map_err(fail("read"))?;
        let read = read.and_then(|(bytes, mode)| Some((Config::parse(&bytes).ok()?, mode)));
        let Some((mut current, mode)) = read else {
            return Err(Error::Changed(config.to_owned()));
        };
        let mut any = false;
        for setting in settings.iter_mut().filter(|it| it.fate == Fate::Merged) {
            let Some(key) = &setting.name else {
                continue;
            };
            let theirs = owned(&current, key);
            if theirs == setting.after {
                continue;
            }
            match current.with(key, &setting.after) {
                Ok(next) if theirs == setting.before => {
                    current = next;
                    any = true;
                }
                _ => setting.fate = Fate::Conflict,
            }
        }
        if any {
            rustix::fs::fchmod(&lock, Mode::from_bits_truncate(mode))
                .map_err(|why| fail("set the mode of")(why.into()))?;
            lock.write_all(current.text()).map_err(fail("write"))?;
            lock.sync_all().map_err(fail("write"))?;
            rustix::fs::renameat(&parent, &lock_name, &parent, name)
                .map_err(|why| fail("replace")(why.into()))?;
        }
        Ok(any)
    })();
    if !matches!(done, Ok(true)) {
        let _ = rustix::fs::unlinkat(&parent, &lock_name, AtFlags::empty());
    }
    done.map(drop)
}

/// Makes the lock; `None` when another program keeps it.
fn lock(parent: &OwnedFd, name: &OsStr) -> Result<Option<File>, Errno> {
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let until = Instant::now() + PATIENCE;
    loop {
        match rustix::fs::openat(parent, name, flags, Mode::from_bits_truncate(0o600)) {
            Ok(file) => return Ok(Some(file.into())),
            Err(Errno::EXIST) if Instant::now() < until => {
                std::thread::sleep(Duration::from_millis(20));
            }
            Err(Errno::EXIST) => return Ok(None),
            Err(why) => return Err(why),
        }
    }
}
