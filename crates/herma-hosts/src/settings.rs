//! Edits of a host's settings file, on its text.

use thiserror::Error;

/// A settings file after an edit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edited {
    /// The whole new text; equal to the old one when nothing changed.
    pub text: String,
    /// What the edit did.
    pub change: Change,
    /// What the user should know besides.
    pub warnings: Vec<Warning>,
}

/// What an edit did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// The hook was not there and is now.
    Added,
    /// The hook was there in another form.
    Updated,
    /// The hook was there and is gone.
    Removed,
    /// Nothing had to change.
    Unchanged,
}

/// Something else in the settings that keeps the hook from firing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Warning {
    /// The settings switch all hooks off.
    AllHooksDisabled,
}

/// Why settings cannot be edited. They are then left as they are.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SettingsError {
    /// The text is no JSON.
    #[error("it is not JSON: {detail} (line {line}, column {column})")]
    Json {
        /// What the JSON reader found.
        detail: String,
        /// Line, from 1.
        line: usize,
        /// Column in bytes, from 1.
        column: usize,
    },
    /// A place where the hook belongs holds something else.
    #[error("{path} is not {expected}")]
    Shape {
        /// The place, as a path of keys.
        path: String,
        /// What it should be.
        expected: &'static str,
    },
    /// A key is there twice, so that readers disagree about which one counts.
    #[error("{path} is there twice")]
    Twice {
        /// The key, as a path of keys.
        path: String,
    },
}
