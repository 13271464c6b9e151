//! Classes of paths. A path may be in several.
//!
//! [`places`] turns a value into classes: [`path`] joins it with the working directory and
//! normalises it lexically, [`region`] says where it lies, [`names`] what its name means by the [`lists`].

mod lists;
pub(crate) mod names;
pub(crate) mod path;
pub(crate) mod pattern;
mod region;

use herma_shell::Value;

use crate::scene::Scene;

/// A class of paths.
///
/// The first group says where a path lies: a path that is not fully known may have none or several
/// of them. The second group says what it is; a path may have any number of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// A system root as a whole or by glob (`/`, `/etc`, `/usr/*`, `C:\`, `/System`).
    SystemRoot,
    /// The user's home as a whole or by glob.
    Home,
    /// A system root that only an unset variable makes (`"$X"/*`).
    EmptyJoin,
    /// Below a system root, and not below the user's home, in the working directory, or in a
    /// temporary directory.
    BelowSystem,
    /// Below the user's home, but not in the working directory.
    BelowHome,
    /// The working directory itself or a directory that holds it, a bare `*`, or `.` and `..`
    /// patterns.
    WorkRoot,
    /// Below the working directory.
    Work,
    /// Neither in the working directory, the temporary directories nor below home or a system root.
    Outside,
    /// A named child of a temporary directory, or below one.
    TempChild,
    /// A temporary directory itself.
    TempRoot,
    /// Names from a pipe, a search, or a pattern without literal text.
    Unnamed,
    /// A value that cannot be known.
    Unresolved,
    /// A value that cannot be known joined to a root path (`/$UNKNOWN`).
    UnresolvedRoot,

    /// In the list of what can be made again, in the working directory or behind an unknown prefix.
    Regenerable,
    /// A database file.
    Database,
    /// `.git` of a repository, or below it, except locks and messages.
    GitDirectory,
    /// A git hook.
    GitHook,
    /// `.env` and its variants, examples excepted.
    EnvFile,
    /// Anything in `~/.ssh`.
    SshDirectory,
    /// A private key, or a directory of them.
    PrivateKey,
    /// A credential file or directory.
    Credential,
    /// A shell start-up file.
    ShellStartup,
    /// A file that agents take orders from.
    Instructions,
    /// An agent's own settings.
    AgentSettings,
    /// herma's own files.
    HermaFiles,
    /// Schedules, units, and other files that run something later.
    RunsLater,
    /// Below `/etc` (and `/private/etc`).
    Etc,
    /// A raw block device.
    RawDevice,
    /// `/dev/null`, `/dev/std*`, `/dev/tty`, `/dev/fd`.
    NullDevice,
    /// A log or history file.
    Log,
}

/// The classes of the path that `value` names for a process whose working directory is `cwd`.
///
/// Empty for the empty word, which names nothing.
#[must_use]
pub fn places(value: &Value, cwd: &Value, scene: &Scene) -> Vec<Place> {
    match path::Path::parse(value, cwd) {
        path::Parsed::Empty => Vec::new(),
        path::Parsed::TooLong => vec![Place::Unresolved],
        path::Parsed::Path(path) => {
            let mut places = region::region(&path, scene);
            names::name_classes(&path, scene, &mut places);
            places
        }
    }
}

#[cfg(test)]
mod tests;
