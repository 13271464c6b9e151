//! Protected files by their names: the one list, for commands, file tools and paths.
//!
//! [`HOME`], [`TOP`] and [`ANYWHERE`] are paths of components, compared without regard to ASCII
//! case, since some file systems do. The functions say what one name means. Where homes are, what
//! a pattern may match, and what is asked for which operation is for whoever asks.

#![forbid(unsafe_code)]

mod lists;
mod name;
mod state;

pub use lists::{AGENT_DATA, ANYWHERE, HOME, INSTRUCTIONS, TOP};
pub use name::{
    EXAMPLES, KEY_ENDS, KEYS, STAGES, STORE_ENDS, is_environment, is_git_scrap, is_instructions,
    is_key_of_ssh, is_private_key, is_store, is_within,
};
pub use state::{STATE, state};

/// What a protected file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// herma's keys, tokens and copies of what was blocked.
    HermaSecrets,
    /// herma's grants, sessions, audit trail, and the system's policy.
    HermaState,
    /// herma's configuration, the user's or a project's.
    HermaSettings,
    /// herma itself, where it is usually installed.
    HermaProgram,
    /// A file that agents take orders from.
    Instructions,
    /// A private key, or a directory of them.
    PrivateKey,
    /// Passwords, tokens, sessions.
    Credential,
    /// Anything in `~/.ssh`.
    Ssh,
    /// An agent's settings.
    AgentSettings,
    /// A shell start-up file.
    ShellStartup,
    /// Schedules, units, plugins: files that run something later.
    RunsLater,
    /// A repository's own files.
    Git,
    /// What a repository runs.
    GitHook,
    /// Logs and histories.
    History,
}

#[cfg(test)]
mod tests;
