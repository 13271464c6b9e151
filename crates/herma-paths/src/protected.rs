//! Files that matter wherever the root lies: secrets, what steers agents, what runs later, herma's
//! own state.
//!
//! A path is looked at under its canonical name, under the name given, and under the places of the
//! links that led to it; and by object, so that a hard link, a bind mount or a protected name that
//! is itself a link is found under any name.

mod mounts;
mod names;
mod objects;

use crate::walk::{self, Located, Start, collapsed};
use crate::{Operation, Root};
use names::Places;

/// What a protected file is. The gravest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Class {
    /// herma's keys, tokens and copies of what was blocked.
    HermaSecrets,
    /// herma's grants, sessions, audit trail, and the system's policy.
    HermaState,
    /// A file that agents take orders from.
    Instructions,
    /// herma's configuration, the user's or a project's.
    HermaSettings,
    /// A private key, or a directory of them.
    PrivateKey,
    /// Passwords, tokens, sessions.
    Credential,
    /// `.env` and its variants, examples excepted.
    EnvFile,
    /// Anything in `~/.ssh`.
    Ssh,
    /// An agent's settings.
    AgentSettings,
    /// A shell start-up file.
    ShellStartup,
    /// Schedules, hooks, units, plugins: files that run something later.
    RunsLater,
    /// A repository's own files.
    Git,
    /// Logs and histories.
    History,
    /// The system's files.
    System,
}

/// What a protected file needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// A person's consent.
    Ask,
    /// Nothing allows it.
    Deny,
}

impl Action {
    /// The action as machines read it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Ask => "ask",
            Self::Deny => "deny",
        }
    }
}

impl Class {
    /// The class as machines read it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::HermaSecrets => "herma-secrets",
            Self::HermaState => "herma-state",
            Self::Instructions => "instructions",
            Self::HermaSettings => "herma-settings",
            Self::PrivateKey => "private-key",
            Self::Credential => "credential",
            Self::EnvFile => "env-file",
            Self::Ssh => "ssh",
            Self::AgentSettings => "agent-settings",
            Self::ShellStartup => "shell-startup",
            Self::RunsLater => "runs-later",
            Self::Git => "git",
            Self::History => "history",
            Self::System => "system",
        }
    }

    /// What the class is, for people.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::HermaSecrets => "herma's own keys and copies",
            Self::HermaState => "herma's own state",
            Self::Instructions => "a file that agents take orders from",
            Self::HermaSettings => "herma's configuration",
            Self::PrivateKey => "a private key",
            Self::Credential => "a credential file",
            Self::EnvFile => "an environment file with secrets",
            Self::Ssh => "a file of ~/.ssh",
            Self::AgentSettings => "an agent's settings",
            Self::ShellStartup => "a shell start-up file",
            Self::RunsLater => "a file that runs something later",
            Self::Git => "a repository's own file",
            Self::History => "a log or history",
            Self::System => "a file of the system",
        }
    }

    /// What the class needs for an operation; `None` when nothing.
    #[must_use]
    pub fn action(self, operation: Operation) -> Option<Action> {
        match (self, operation) {
            (Self::HermaSecrets, _) => Some(Action::Deny),
            (Self::HermaState, Operation::Read | Operation::List) => None,
            (Self::HermaState, _) => Some(Action::Deny),
            (Self::PrivateKey | Self::Credential | Self::EnvFile, Operation::Read) => {
                Some(Action::Ask)
            }
            (_, Operation::Read | Operation::List) => None,
            _ => Some(Action::Ask),
        }
    }

    /// Whether consent is for this one operation only: never remembered, never covered by a grant
    /// or a mode.
    #[must_use]
    pub fn asks_each_time(self) -> bool {
        matches!(self, Self::Instructions | Self::HermaSettings)
    }
}

/// Why a path is protected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Protection {
    /// What it is.
    pub class: Class,
    /// What it needs.
    pub action: Action,
}

/// Where protected files are on this machine.
#[derive(Debug)]
pub struct Protected {
    places: Places,
}

impl Protected {
    /// Protected files for users with these homes and for herma's state directory, as absolute
    /// paths; others are ignored. Each counts as written and as it resolves now.
    #[must_use]
    pub fn new(homes: &[&[u8]], state: &[u8]) -> Self {
        let both = |paths: &[&[u8]]| {
            let mut all = Vec::new();
            for path in paths.iter().filter(|path| path.first() == Some(&b'/')) {
                let real = Start::top()
                    .and_then(|top| walk::walk(top, path, true))
                    .map(|found| found.names());
                for names in [Some(collapsed(&[], path)), real.ok()]
                    .into_iter()
                    .flatten()
                {
                    if !all.contains(&names) {
                        all.push(names);
                    }
                }
            }
            all
        };
        Self {
            places: Places {
                homes: both(homes),
                states: both(&[state]),
            },
        }
    }

    /// What protects the place from the operation, the strictest. A root below a system directory
    /// (`/usr/src/app`) is a project's, not the system's, and keys that are made there are its own.
    #[must_use]
    pub fn find(&self, root: &Root, located: &Located, operation: Operation) -> Option<Protection> {
        let mut found = Vec::new();
        self.places.classes(&located.names(), &mut found);
        self.places.classes(&located.given, &mut found);
        for link in &located.through {
            self.places.classes(link, &mut found);
        }
        // With a directory goes what is in it.
        let all = operation == Operation::Delete && located.target.is_none();
        for names in self.places.by_object(located, all) {
            self.places.classes(&names, &mut found);
        }
        let root: Vec<Vec<u8>> = root.steps.iter().map(|step| step.name.clone()).collect();
        if located.names().starts_with(&root) {
            in_project(&root, operation, &mut found);
        }
        strictest(&found, operation)
    }

    /// What the names of a path in another file system protect from the operation; root and path
    /// as [`lexical::locate`](crate::lexical::locate) takes and returns them.
    #[must_use]
    pub fn find_by_name(
        &self,
        root: &[u8],
        path: &[u8],
        operation: Operation,
    ) -> Option<Protection> {
        let mut found = Vec::new();
        let names = collapsed(&[], path);
        if path.first() == Some(&b'~') {
            let in_home = [
                vec![b"root".to_vec()],
                names.get(1..).unwrap_or_default().to_vec(),
            ];
            self.places.classes(&in_home.concat(), &mut found);
        } else {
            self.places.classes(&names, &mut found);
        }
        let root = collapsed(&[], root);
        if names.starts_with(&root) {
            in_project(&root, operation, &mut found);
        }
        strictest(&found, operation)
    }

    /// Other names of the object among those that matter: through a hard link, through a mount, and
    /// where a protected name is itself a link. Homes and the state directory stand in them as they
    /// were given.
    #[must_use]
    pub fn aliases(&self, located: &Located) -> Vec<Vec<u8>> {
        let names = self.places.by_object(located, false);
        names.iter().map(|names| walk::joined(names)).collect()
    }
}

/// Takes away what does not count in a project with this root.
fn in_project(root: &[Vec<u8>], operation: Operation, found: &mut Vec<Class>) {
    if names::may_hold_project(root) {
        // What lies in a directory of keys is asked about for that.
        let own_key = operation.changes() && !found.contains(&Class::Ssh);
        found.retain(|class| *class != Class::System && !(own_key && *class == Class::PrivateKey));
    }
}

/// The strictest action, and the gravest class that has it.
fn strictest(found: &[Class], operation: Operation) -> Option<Protection> {
    found
        .iter()
        .filter_map(|class| {
            let action = class.action(operation)?;
            Some(Protection {
                class: *class,
                action,
            })
        })
        .min_by_key(|protection| (protection.action == Action::Ask, protection.class))
}
