//! Classes of paths. A path may be in several.

/// A class of paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// A system root as a whole or by glob (`/`, `/etc`, `/usr/*`, `C:\`, `/System`).
    SystemRoot,
    /// The user's home, or another's, as a whole or by glob.
    Home,
    /// A system root that only an unset variable makes (`"$X"/*`).
    EmptyJoin,
    /// Below a system root.
    BelowSystem,
    /// Below the user's home.
    BelowHome,
    /// The working directory itself, a bare `*`, or `.` and `..` patterns.
    WorkRoot,
    /// Below the working directory.
    Work,
    /// Neither in the working directory, the temporary directories nor below home or a system root.
    Outside,
    /// Below a named child of a temporary directory, or such a child.
    TempChild,
    /// A temporary directory itself.
    TempRoot,
    /// In the list of what can be made again.
    Regenerable,
    /// A database file.
    Database,
    /// `.git` of a repository, or below it.
    GitDirectory,
    /// A git hook.
    GitHook,
    /// `.env` and its variants, examples excepted.
    EnvFile,
    /// Anything in `~/.ssh`.
    SshDirectory,
    /// A private key.
    PrivateKey,
    /// A credential file or directory.
    Credential,
    /// A shell start-up file.
    ShellStartup,
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
    /// Names from a pipe, a search, or a pattern without literal text.
    Unnamed,
    /// A value that cannot be known.
    Unresolved,
    /// A value that cannot be known joined to a root path (`/$UNKNOWN`).
    UnresolvedRoot,
    /// A log or history file.
    Log,
}
