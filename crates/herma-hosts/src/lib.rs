//! What agent programs send to a hook, and what they obey.
//!
//! One file per host: [`Host::decode`] reads the hook's standard input, [`Host::encode`] gives the
//! bytes and the exit code with which the host does what was decided. Nothing is judged here, and
//! nothing is read or written.
//!
//! Hosts disagree about everything: the same answer runs the command in one and blocks it in
//! another. So the three answers are encoded per host, and an answer that a host would not obey is
//! turned into a denial here.

#![forbid(unsafe_code)]

mod answer;
pub mod claude_code;
mod event;
mod settings;

pub use answer::{Answer, Reply};
pub use event::{Act, Call, DecodeError, Event, FileOperation, FileUse};
pub use settings::{Change, Edited, SettingsError, Warning};

/// An agent program that calls herma.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Host {
    /// Anthropic's Claude Code.
    ClaudeCode,
}

impl Host {
    /// All of them, in the order of listings.
    pub const ALL: &'static [Self] = &[Self::ClaudeCode];

    /// The name in commands, configuration and audit lines.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude-code",
        }
    }

    /// The host of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|host| host.name() == name)
    }

    /// Reads what the host wrote to the hook's standard input.
    ///
    /// # Errors
    /// When it is not the JSON object that the host documents, or a field that matters for the
    /// verdict is missing or of another type. The caller answers with [`Host::refusal`].
    pub fn decode(self, input: &[u8]) -> Result<Event, DecodeError> {
        match self {
            Self::ClaudeCode => claude_code::decode(input),
        }
    }

    /// The use of a file by one of this host's tools; `None` when it has no such file tool.
    #[must_use]
    pub fn file_use(self, tool: &str, path: &str) -> Option<FileUse> {
        match self {
            Self::ClaudeCode => claude_code::file_use(tool, path),
        }
    }

    /// The answer as this host obeys it.
    #[must_use]
    pub fn encode(self, call: &Call, answer: &Answer<'_>) -> Reply {
        match self {
            Self::ClaudeCode => claude_code::encode(call, answer),
        }
    }

    /// Whether this host, in this call, would put an `ask` before a person rather than run the
    /// command; `changes_files` says that the call may make, change or remove a file.
    #[must_use]
    pub fn honours_ask(self, call: &Call, changes_files: bool) -> bool {
        match self {
            Self::ClaudeCode => claude_code::honours_ask(call, changes_files),
        }
    }

    /// A denial that needs no decoded call, for every failure.
    #[must_use]
    pub fn refusal(self, reason: &str) -> Reply {
        match self {
            Self::ClaudeCode => claude_code::refusal(reason),
        }
    }
}

#[cfg(test)]
mod tests;
