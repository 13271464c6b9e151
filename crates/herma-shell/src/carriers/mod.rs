//! Programs that hand text or argv on to another interpreter, as a table with one file per family.
//!
//! Pure: from a command to what it hands on. The builtins that act on the shell itself (`eval`,
//! `source`, `trap`, `alias`, `command`, `builtin`, `exec`) belong to `resolve`.

use crate::code::Language;
use crate::execution::{Arg, Binding, Via};
use crate::source::Span;
use crate::syntax::Dialect;
use crate::value::Value;

/// A command whose words are expanded.
pub(crate) struct Command<'a> {
    /// Program and arguments; never empty.
    pub(crate) argv: &'a [Arg],
    /// Standard input when the line determines it.
    pub(crate) stdin: Option<&'a Value>,
    /// Its environment as far as the line sets it (`GIT_SSH_COMMAND`, `PAGER`, `BASH_ENV`, …).
    pub(crate) environment: &'a [Binding],
}

/// What a carrier hands on.
pub(crate) enum Payload {
    /// A program with its arguments.
    Argv {
        /// Program and arguments; may end in an unknown word for what arrives from a pipe.
        words: Vec<Arg>,
        /// Assignments that the carrier adds (`env A=1 …`).
        environment: Vec<Binding>,
        /// A working directory that the carrier sets (`env -C`, `sudo -D`).
        cwd: Option<Value>,
        /// The program's standard input is no longer the carrier's (`xargs` has read it).
        input_taken: bool,
    },
    /// Shell text.
    Shell {
        /// The text.
        text: Value,
        /// Where it was written.
        span: Span,
        /// Positional parameters from `$0` on.
        parameters: Vec<Value>,
        /// Which shell.
        dialect: Dialect,
    },
    /// A shell script file.
    ShellFile {
        /// The path as given.
        path: Value,
        /// Where it was written.
        span: Span,
        /// Positional parameters from `$1` on.
        parameters: Vec<Value>,
        /// Which shell.
        dialect: Dialect,
    },
    /// A shell that reads commands from standard input.
    ShellInput {
        /// The shell's name.
        span: Span,
        /// Positional parameters from `$1` on.
        parameters: Vec<Value>,
        /// Which shell.
        dialect: Dialect,
    },
    /// Inline code.
    Code {
        /// The language.
        language: Language,
        /// The code.
        text: Value,
        /// Where it was written.
        span: Span,
    },
    /// A file with code.
    CodeFile {
        /// The language.
        language: Language,
        /// The path as given.
        path: Value,
        /// Where it was written.
        span: Span,
    },
    /// An interpreter that reads code from standard input.
    CodeInput {
        /// The language.
        language: Language,
        /// The interpreter's name.
        span: Span,
    },
    /// Text for a shell that is not analysed.
    Foreign {
        /// Where it was written.
        span: Span,
    },
    /// A file that somebody may run later or in parts (a makefile on standard input, a crontab):
    /// nothing is followed, the text cannot be known.
    Unresolved {
        /// Where it was written.
        span: Span,
    },
}

/// One thing that a carrier hands on.
pub(crate) struct Step {
    /// The carrier.
    pub(crate) via: Via,
    /// What it hands on.
    pub(crate) payload: Payload,
}

/// What this command hands on to other interpreters; empty for everything that is no carrier.
pub(crate) fn carry(_command: &Command<'_>) -> Vec<Step> {
    Vec::new()
}
