//! The version of the state directory.
//!
//! `VERSION` holds a decimal number and a newline. State that a newer herma wrote is refused;
//! older state is brought up step by step after its files were copied to `backup-<version>/`.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use crate::atomic;
use crate::guarded::{self, Refusal, Trust};
use crate::home::Home;

/// The version that this herma reads and writes.
pub const STATE_VERSION: u32 = 1;

/// One step: brings state of version `from` to `from + 1`.
pub(crate) struct Migration {
    /// The version that it starts from.
    pub(crate) from: u32,
    /// What it does to the directory.
    pub(crate) apply: fn(&Path) -> io::Result<()>,
}

/// Steps in the order of their versions.
const MIGRATIONS: &[Migration] = &[];

/// What a backup holds: what cannot be made again. Audit files are only ever appended to.
const KEPT: &[&str] = &[
    "VERSION",
    "config.toml",
    "trust.toml",
    "grants.jsonl",
    "rules.d",
    "providers.d",
    "sessions",
];

/// Why state is not used.
#[derive(Debug)]
#[non_exhaustive]
pub enum VersionError {
    /// A newer herma wrote it.
    Newer {
        /// The file that says so.
        file: PathBuf,
        /// The version found.
        found: u32,
    },
    /// The file does not hold a version.
    Malformed(PathBuf),
    /// The file is not read.
    Refused(PathBuf, Refusal),
    /// A step failed; the backup is where the path says.
    Migration {
        /// The version that could not be left.
        from: u32,
        /// The copy of the state before the step.
        backup: PathBuf,
        /// What failed.
        why: io::Error,
    },
    /// The file or the backup cannot be written.
    Write(PathBuf, io::Error),
    /// No step leads from this version to the present one.
    NoWay {
        /// The version found.
        found: u32,
    },
}

impl fmt::Display for VersionError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Newer { file, found } => write!(
                out,
                "{} says {found}, this herma knows {STATE_VERSION}: upgrade herma, or run \
                 `herma --home DIR …` with another directory",
                file.display()
            ),
            Self::Malformed(file) => write!(
                out,
                "{} does not hold a version; write {STATE_VERSION} into it if the state is intact",
                file.display()
            ),
            Self::Refused(file, why) => write!(out, "{} {why}", file.display()),
            Self::Migration { from, backup, why } => write!(
                out,
                "state of version {from} cannot be brought up: {why}; a copy is in {}",
                backup.display()
            ),
            Self::Write(path, why) => write!(out, "cannot write {}: {why}", path.display()),
            Self::NoWay { found } => write!(out, "state of version {found} is not known"),
        }
    }
}

impl std::error::Error for VersionError {}

/// The version found; `None` when there is no file.
pub(crate) fn check(home: &Home) -> Result<Option<u32>, VersionError> {
    let file = home.version();
    let content = match guarded::read(&file, 64, Trust::Owner) {
        Ok(Some(content)) => content,
        Ok(None) => return Ok(None),
        Err(why) => return Err(VersionError::Refused(file, why)),
    };
    let text = std::str::from_utf8(&content).unwrap_or_default();
    match text.trim_end().parse::<u32>() {
        Ok(found) if found > STATE_VERSION => Err(VersionError::Newer { file, found }),
        Ok(found) if found > 0 => Ok(Some(found)),
        _ => Err(VersionError::Malformed(file)),
    }
}

/// Writes a missing `VERSION`, runs the steps for an older one.
pub(crate) fn bring_up(home: &Home) -> Result<(), VersionError> {
    match check(home)? {
        Some(STATE_VERSION) => Ok(()),
        Some(found) => migrate(home, found, MIGRATIONS, STATE_VERSION),
        None => write(home, STATE_VERSION),
    }
}

fn write(home: &Home, version: u32) -> Result<(), VersionError> {
    let file = home.version();
    atomic::replace(&file, format!("{version}\n").as_bytes(), 0o600)
        .map_err(|why| VersionError::Write(file, why))
}

/// Brings state of version `found` to `target`, a backup first.
pub(crate) fn migrate(
    home: &Home,
    found: u32,
    steps: &[Migration],
    target: u32,
) -> Result<(), VersionError> {
    let backup = home.root().join(format!("backup-{found}"));
    if steps.iter().filter(|step| step.from >= found).count() != (target - found) as usize {
        return Err(VersionError::NoWay { found });
    }
    keep(home.root(), &backup).map_err(|why| VersionError::Write(backup.clone(), why))?;
    for step in steps.iter().filter(|step| step.from >= found) {
        (step.apply)(home.root()).map_err(|why| VersionError::Migration {
            from: step.from,
            backup: backup.clone(),
            why,
        })?;
        // After each step, so that a crash resumes at the right one.
        write(home, step.from + 1)?;
    }
    Ok(())
}

fn keep(root: &Path, backup: &Path) -> io::Result<()> {
    atomic::create_directory(backup, 0o700)?;
    for name in KEPT {
        let (from, to) = (root.join(name), backup.join(name));
        let Ok(metadata) = std::fs::symlink_metadata(&from) else {
            continue;
        };
        if metadata.is_file() {
            copy(&from, &to)?;
        } else if metadata.is_dir() {
            atomic::create_directory(&to, 0o700)?;
            for entry in std::fs::read_dir(&from)? {
                let entry = entry?;
                if entry.file_type()?.is_file() {
                    copy(&entry.path(), &to.join(entry.file_name()))?;
                }
            }
        }
    }
    Ok(())
}

/// A backup that is there is older state of the same version: the first copy wins.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    if to.exists() {
        return Ok(());
    }
    atomic::replace(to, &std::fs::read(from)?, 0o600)
}

#[cfg(test)]
mod tests;
