//! Programs that hand text or argv on to another interpreter, as a table with one file per family.
//!
//! Pure: from a command to what it hands on. The builtins that act on the shell itself (`eval`,
//! `source`, `trap`, `alias`, `command`, `builtin`, `exec`) belong to `resolve`.

mod awk;
mod consoles;
mod containers;
mod editors;
mod env;
mod environment;
pub(crate) mod find;
mod git;
mod interpreters;
mod jobs;
mod literals;
mod options;
mod parallel;
mod privilege;
pub(crate) mod products;
pub(crate) mod recipes;
mod remote;
pub(crate) mod rewriters;
pub(crate) mod sed;
mod shells;
mod tcl;
mod terminals;
#[cfg(test)]
mod tests;
mod tools;
mod windows;
mod words;
mod wrappers;
pub(crate) mod xargs;

use crate::code::{Arguments, Language};
use crate::execution::{Arg, Binding, Host, Via};
use crate::source::Span;
use crate::syntax::Dialect;
use crate::value::{Piece, Value};

/// A command whose words are expanded.
#[derive(Clone, Copy)]
pub(crate) struct Command<'a> {
    /// Program and arguments; never empty.
    pub(crate) argv: &'a [Arg],
    /// Standard input when the line determines it.
    pub(crate) stdin: Option<&'a Value>,
    /// Its environment as far as the line sets it (`GIT_SSH_COMMAND`, `PAGER`, `BASH_ENV`, …).
    pub(crate) environment: &'a [Binding],
}

/// What a carrier hands on.
#[derive(Clone, Debug)]
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
        /// What it finds as its arguments, where that can be known.
        arguments: Option<Arguments>,
    },
    /// A file with code.
    CodeFile {
        /// The language.
        language: Language,
        /// The path as given.
        path: Value,
        /// Where it was written.
        span: Span,
        /// What it finds as its arguments, where that can be known.
        arguments: Option<Arguments>,
    },
    /// An interpreter that reads code from standard input.
    CodeInput {
        /// The language.
        language: Language,
        /// The interpreter's name.
        span: Span,
        /// What it finds as its arguments, where that can be known.
        arguments: Option<Arguments>,
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
#[derive(Clone, Debug)]
pub(crate) struct Step {
    /// The carrier.
    pub(crate) via: Via,
    /// What it hands on.
    pub(crate) payload: Payload,
    /// What this prints is what the carrier prints (`sudo`, `env`, `sh -c`); else the carrier's
    /// output is its own (`git` with a pager, an interpreter's code, another machine).
    pub(crate) prints: bool,
}

impl Step {
    /// A step that runs on this machine.
    fn local(name: impl Into<String>, payload: Payload) -> Self {
        Self {
            via: Via {
                name: name.into(),
                host: Host::Local,
            },
            payload,
            prints: false,
        }
    }

    /// The same on another machine or in a container.
    fn on(mut self, host: &Host) -> Self {
        self.via.host = host.clone();
        self
    }

    /// The same in this working directory, if one is given.
    fn within(mut self, directory: Option<Value>) -> Self {
        if let Payload::Argv { cwd, .. } = &mut self.payload {
            *cwd = directory.or_else(|| cwd.take());
        }
        self
    }

    /// The same with what the code finds as its arguments: its own name, and the words behind it.
    fn given(mut self, name: Option<&[u8]>, words: &[Arg]) -> Self {
        if let Payload::Code { arguments, .. }
        | Payload::CodeFile { arguments, .. }
        | Payload::CodeInput { arguments, .. } = &mut self.payload
        {
            *arguments = Some(Arguments {
                name: name.map(Value::computed),
                words: words.iter().map(|arg| arg.value.clone()).collect(),
            });
        }
        self
    }

    /// A program with its arguments; nothing when there are no words.
    fn argv(name: &str, words: &[Arg]) -> Option<Self> {
        (!words.is_empty()).then(|| {
            Self::local(
                name,
                Payload::Argv {
                    words: words.to_vec(),
                    environment: Vec::new(),
                    cwd: None,
                    input_taken: false,
                },
            )
        })
    }

    /// Text that `system(3)` or `sh -c` would get.
    fn text(name: &str, text: &Arg) -> Self {
        Self::local(
            name,
            Payload::Shell {
                text: text.value.clone(),
                span: text.span,
                parameters: Vec::new(),
                dialect: Dialect::Posix,
            },
        )
    }
}

/// The program's name without directories, when its last component is known.
fn program(arg: &Arg) -> Option<Vec<u8>> {
    let name = match arg.value.bytes() {
        Some(name) => name.into_owned(),
        None => {
            let suffix = arg.value.known_suffix();
            suffix.contains(&b'/').then_some(suffix)?
        }
    };
    let base = crate::path::base_name(&name);
    let base = match base.len().checked_sub(4) {
        Some(stem)
            if base
                .get(stem..)
                .is_some_and(|end| end.eq_ignore_ascii_case(b".exe")) =>
        {
            base.get(..stem).unwrap_or(base)
        }
        _ => base,
    };
    (!base.is_empty()).then(|| base.to_vec())
}

/// What the programs of one family hand on; `None` for a program of another family.
type Family = fn(&str, &Command<'_>) -> Option<Vec<Step>>;

/// The words with options as they are where a name that nobody set stands in them (`-S$x`); `None`
/// when there is no such word.
fn without_unset(argv: &[Arg]) -> Option<Vec<Arg>> {
    let is_unset = |piece: &Piece| matches!(piece, Piece::Unset(_));
    let holds_unset = |arg: &Arg| {
        let pieces = &arg.value.pieces;
        let first = pieces.iter().find(|piece| !is_unset(piece));
        pieces.iter().any(is_unset)
            && matches!(first, Some(Piece::Text { bytes, .. }) if bytes.starts_with(b"-"))
    };
    if !argv.iter().any(holds_unset) {
        return None;
    }
    let mut argv = argv.to_vec();
    for arg in argv.iter_mut().filter(|arg| holds_unset(arg)) {
        arg.value.pieces.retain(|piece| !is_unset(piece));
    }
    Some(argv)
}

/// What this command hands on to other interpreters; empty for everything that is no carrier.
pub(crate) fn carry(command: &Command<'_>) -> Vec<Step> {
    if let Some(argv) = without_unset(command.argv) {
        let argv = argv.as_slice();
        return carry(&Command { argv, ..*command });
    }
    if let Some(step) = jobs::start_script(command.argv) {
        return vec![step];
    }
    let Some(name) = command.argv.first().and_then(program) else {
        return Vec::new();
    };
    let Ok(name) = std::str::from_utf8(&name) else {
        return Vec::new();
    };
    // The second word of a pair says whether the carrier's output is that of what it runs.
    const FAMILIES: &[(Family, bool)] = &[
        (crate::windows::cmdlets::carry, true),
        (wrappers::carry, true),
        (privilege::carry, true),
        (env::carry, true),
        (shells::carry, true),
        (windows::carry, true),
        (interpreters::carry, false),
        (xargs::carry, true),
        (find::carry, false),
        (remote::carry, false),
        (containers::carry, false),
        (git::carry, false),
        (tools::carry, false),
        (parallel::carry, true),
        (editors::carry, false),
        (consoles::carry, false),
        (terminals::carry, false),
        (jobs::carry, false),
    ];
    let found = FAMILIES
        .iter()
        .find_map(|(family, prints)| Some((family(name, command)?, *prints)));
    let (mut steps, prints) = found.unwrap_or_default();
    for step in &mut steps {
        step.prints = prints
            && step.via.host.is_local()
            && matches!(
                step.payload,
                Payload::Argv { .. } | Payload::Shell { .. } | Payload::ShellInput { .. }
            );
    }
    steps.extend(environment::carry(name, command));
    steps
}
