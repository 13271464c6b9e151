//! The state directory.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::io;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use crate::atomic;
use crate::guarded::{Directory, Refusal, Trust};
use crate::version::{self, VersionError};

/// Permission bits of state directories.
const DIRECTORY_MODE: u32 = 0o700;

/// Longest session key in a file name, in bytes, after escaping.
const MAX_KEY: usize = 200;

/// The state directory and the names in it. Nothing is created until [`Home::prepare`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Home {
    root: PathBuf,
}

/// Why there is no state directory to work with.
#[derive(Debug)]
#[non_exhaustive]
pub enum HomeError {
    /// Neither `--home`, `HERMA_HOME`, `HOME` nor the password database names a place.
    NoHome,
    /// The path given is not absolute.
    Relative(PathBuf),
    /// The directory is there and must not be used.
    Refused(PathBuf, Refusal),
    /// It could not be made.
    Create(PathBuf, io::Error),
    /// The state is of another version.
    Version(VersionError),
}

impl fmt::Display for HomeError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoHome => out.write_str("no home directory; set HOME or pass --home DIR"),
            Self::Relative(path) => {
                write!(out, "state directory {} is not absolute", path.display())
            }
            Self::Refused(path, why) => write!(out, "state directory {} {why}", path.display()),
            Self::Create(path, why) => write!(out, "cannot create {}: {why}", path.display()),
            Self::Version(why) => why.fmt(out),
        }
    }
}

impl std::error::Error for HomeError {}

impl From<VersionError> for HomeError {
    fn from(error: VersionError) -> Self {
        Self::Version(error)
    }
}

impl Home {
    /// Finds the state directory: `flag` (`--home`), else `HERMA_HOME`, else `.herma` in the
    /// user's home. With `flag` no `HERMA_*` variable counts, here and elsewhere, since a
    /// repository's settings can set variables for hooks.
    ///
    /// # Errors
    /// No place is named, or it is relative.
    pub fn locate(flag: Option<&Path>) -> Result<Self, HomeError> {
        let variable = std::env::var_os("HERMA_HOME");
        Self::choose(flag, variable.as_deref(), || {
            std::env::var_os("HOME")
                .filter(|home| !home.is_empty())
                .or_else(home_of_user)
        })
    }

    /// [`Home::locate`] with everything that it looks up handed in.
    ///
    /// # Errors
    /// As [`Home::locate`].
    pub fn choose(
        flag: Option<&Path>,
        variable: Option<&OsStr>,
        user_home: impl FnOnce() -> Option<OsString>,
    ) -> Result<Self, HomeError> {
        let root = match (flag, variable.filter(|value| !value.is_empty())) {
            (Some(flag), _) => flag.to_owned(),
            (None, Some(variable)) => PathBuf::from(variable),
            (None, None) => PathBuf::from(user_home().ok_or(HomeError::NoHome)?).join(".herma"),
        };
        Self::at(root)
    }

    /// The state directory at `root`, which must be absolute.
    ///
    /// # Errors
    /// It is relative.
    pub fn at(root: impl Into<PathBuf>) -> Result<Self, HomeError> {
        let root = root.into();
        if root.is_absolute() {
            Ok(Self { root })
        } else {
            Err(HomeError::Relative(root))
        }
    }

    /// Makes the directory (0700) and its `VERSION` where they are missing, brings older state up
    /// to this version, and refuses newer state.
    ///
    /// # Errors
    /// It cannot be made or must not be used.
    pub fn prepare(&self) -> Result<(), HomeError> {
        // The hook passes here on every call, and the directory is nearly always there.
        if self.open()?.is_none() {
            self.create(&self.root)?;
            self.open()?;
        }
        version::bring_up(self)?;
        Ok(())
    }

    /// Makes a directory below the state directory (0700) unless it is there.
    ///
    /// # Errors
    /// It cannot be made.
    pub fn create(&self, directory: &Path) -> Result<(), HomeError> {
        atomic::create_directory(directory, DIRECTORY_MODE)
            .map_err(|why| HomeError::Create(directory.to_owned(), why))
    }

    /// Refuses state that a newer herma wrote. Reads one small file; a missing one is fine.
    ///
    /// # Errors
    /// The state is newer, or its version cannot be read.
    pub fn check_version(&self) -> Result<(), HomeError> {
        version::check(self)?;
        Ok(())
    }

    /// Opens the directory for reading, after the owner check. `Ok(None)` when it is missing.
    ///
    /// # Errors
    /// It must not be used.
    pub fn open(&self) -> Result<Option<Directory>, HomeError> {
        Directory::open(&self.root, Trust::Owner)
            .map_err(|why| HomeError::Refused(self.root.clone(), why))
    }

    /// The directory itself.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The user's configuration.
    #[must_use]
    pub fn config(&self) -> PathBuf {
        self.root.join("config.toml")
    }

    /// The user's rules, one or more a file.
    #[must_use]
    pub fn rules(&self) -> PathBuf {
        self.root.join("rules.d")
    }

    /// The user's providers.
    #[must_use]
    pub fn providers(&self) -> PathBuf {
        self.root.join("providers.d")
    }

    /// Digests of files that the user trusts.
    #[must_use]
    pub fn trust(&self) -> PathBuf {
        self.root.join("trust.toml")
    }

    /// Stored permissions.
    #[must_use]
    pub fn grants(&self) -> PathBuf {
        self.root.join("grants.jsonl")
    }

    /// The directory of session states.
    #[must_use]
    pub fn sessions(&self) -> PathBuf {
        self.root.join("sessions")
    }

    /// The state of one session. `None` when the id is empty or too long for a file name; other
    /// ids of a host map to distinct names.
    #[must_use]
    pub fn session(&self, host: &str, id: &str) -> Option<PathBuf> {
        let (host, id) = (file_part(host)?, file_part(id)?);
        (host.len() + id.len() <= MAX_KEY)
            .then(|| self.sessions().join(format!("{host}-{id}.json")))
    }

    /// The audit files.
    #[must_use]
    pub fn audit(&self) -> PathBuf {
        self.root.join("audit")
    }

    /// Copies of blocked commands.
    #[must_use]
    pub fn blocked(&self) -> PathBuf {
        self.root.join("blocked")
    }

    /// The directories of runs.
    #[must_use]
    pub fn runs(&self) -> PathBuf {
        self.root.join("runs")
    }

    /// The directory of one run. `None` when the id is no file name.
    #[must_use]
    pub fn run(&self, id: &str) -> Option<PathBuf> {
        file_part(id).map(|id| self.runs().join(id))
    }

    /// The proxy's state.
    #[must_use]
    pub fn proxy(&self) -> PathBuf {
        self.root.join("proxy")
    }

    /// Programs that herma installed.
    #[must_use]
    pub fn bin(&self) -> PathBuf {
        self.root.join("bin")
    }

    /// The version of the state.
    #[must_use]
    pub fn version(&self) -> PathBuf {
        self.root.join("VERSION")
    }
}

/// A name as a part of a file name: letters, digits, `_` and inner `.` stay, other bytes become
/// `%XX`, so that different names stay different and none can leave the directory.
fn file_part(name: &str) -> Option<String> {
    if name.is_empty() || name.len() > MAX_KEY {
        return None;
    }
    let mut part = String::with_capacity(name.len());
    for (index, byte) in name.bytes().enumerate() {
        if byte.is_ascii_alphanumeric() || byte == b'_' || (byte == b'.' && index > 0) {
            part.push(char::from(byte));
        } else if byte == b'-' && index > 0 {
            part.push('-');
        } else {
            part.push_str(&format!("%{byte:02X}"));
        }
    }
    (part.len() <= MAX_KEY).then_some(part)
}

/// The home of the current user in the password file, for a process without `HOME`.
fn home_of_user() -> Option<OsString> {
    let me = rustix::process::getuid().as_raw().to_string();
    let users = std::fs::read("/etc/passwd").ok()?;
    users
        .split(|byte| *byte == b'\n')
        .map(|line| line.split(|byte| *byte == b':').collect::<Vec<_>>())
        .find(|fields| fields.get(2).is_some_and(|uid| *uid == me.as_bytes()))
        .and_then(|fields| fields.get(5).map(|home| OsString::from_vec(home.to_vec())))
        .filter(|home| home.as_bytes().starts_with(b"/"))
}

#[cfg(test)]
mod tests;
