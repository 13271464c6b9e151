//! What a host's hook is asked about.

use thiserror::Error;

/// A hook's input, decoded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// The host is about to run shell commands, or to use a file.
    Call(Box<Call>),
    /// Another event or another tool: the hook stays silent.
    Other,
}

/// What a tool is about to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Act {
    /// To run these command lines; some hosts start several in one call. Never empty.
    Commands(Vec<String>),
    /// To use a file itself, without a shell.
    File(FileUse),
}

/// A file that a tool uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileUse {
    /// The tool, as the host names it.
    pub tool: String,
    /// What it does.
    pub operation: FileOperation,
    /// The path as the host was given it; empty when it was given none, which means the working
    /// directory.
    pub path: String,
    /// What the host makes of that path: each text that it may open. `~` stands for the home, and
    /// what is not absolute starts in the working directory.
    pub readings: Vec<String>,
    /// Patterns for the names of the files below the path that are looked into; empty for all.
    pub globs: Vec<String>,
}

/// What a tool does to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FileOperation {
    /// Shows what it holds.
    Read,
    /// Shows what matches a pattern in it, or in the files below it.
    Search,
    /// Shows the names below it.
    List,
    /// Makes it, or puts something else in its place.
    Write,
    /// Makes it empty.
    Empty,
    /// Changes it.
    Edit,
}

/// A call that waits for the answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// What the tool does.
    pub act: Act,
    /// The directory in which they start, absolute; `None` when the host does not say, which means
    /// the hook's own.
    pub cwd: Option<String>,
    /// The session.
    pub session: Option<String>,
    /// The sub-agent within the session.
    pub agent_id: Option<String>,
    /// The prompt or turn within the session.
    pub turn: Option<String>,
    /// The call within the session.
    pub tool_use_id: Option<String>,
    /// The host's permission mode, as it spells it.
    pub permission_mode: Option<String>,
}

/// Why a hook's input cannot be answered other than by a denial.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum DecodeError {
    /// It is no JSON object, or a known field has another type.
    #[error(
        "the hook's input is not the JSON that was expected: {detail} (line {line}, column {column})"
    )]
    Json {
        /// What the JSON reader found.
        detail: String,
        /// Line, from 1.
        line: usize,
        /// Column in bytes, from 1.
        column: usize,
    },
    /// A field that matters is missing.
    #[error("the hook's input has no `{field}`")]
    Missing {
        /// The field's path.
        field: &'static str,
    },
    /// A field holds more than is looked at.
    #[error("the hook's input has too many patterns in `{field}`")]
    TooMany {
        /// The field's path.
        field: &'static str,
    },
    /// The working directory is no absolute path.
    #[error("the hook's `cwd` is not an absolute path")]
    RelativeCwd,
}

impl From<serde_json::Error> for DecodeError {
    fn from(error: serde_json::Error) -> Self {
        let text = error.to_string();
        // The reader appends the position, which is kept as numbers.
        let detail = text
            .rsplit_once(" at line ")
            .map_or(text.as_str(), |(head, _)| head);
        Self::Json {
            detail: detail.to_owned(),
            line: error.line(),
            column: error.column(),
        }
    }
}
