//! Files that the kernel starts by the interpreter in their first line.

use super::simple::Invocation;
use crate::execution::{Arg, Binding, FactKind, Reach};
use crate::path::base_name;
use crate::resolve::machine::Io;
use crate::resolve::machine::Machine;
use crate::resolve::machine::state::State;
use crate::syntax::Dialect;
use crate::value::Value;

/// What starting a file starts.
pub(crate) enum Start {
    /// A shell that reads the file.
    Shell(Dialect),
    /// An interpreter, with the one argument that the line may give it.
    Program(Vec<Vec<u8>>),
    /// The line cannot be known.
    Unknown,
    /// No text.
    Binary,
}

/// What starts a file that holds this.
pub(crate) fn start(content: &Value) -> Start {
    let head = content.known_prefix();
    let Some(rest) = head.strip_prefix(b"#!") else {
        // Without a first line of that kind the calling shell runs text itself.
        let binary = head.starts_with(b"\x7fELF") || head.iter().take(256).any(|byte| *byte == 0);
        return if binary {
            Start::Binary
        } else {
            Start::Shell(Dialect::Bash)
        };
    };
    let end = rest.iter().position(|byte| *byte == b'\n');
    let line = match end {
        Some(end) => rest.get(..end).unwrap_or_default(),
        None if content.is_known() => rest,
        None => return Start::Unknown,
    };
    let line = line.trim_ascii();
    let blank = line.iter().position(u8::is_ascii_whitespace);
    let (program, argument) = line.split_at(blank.unwrap_or(line.len()));
    let argument = argument.trim_ascii();
    let is_env = base_name(program) == b"env";
    let shell = match argument {
        b"" => dialect(program),
        name if is_env => dialect(name),
        flags if plain(flags) => dialect(program),
        _ => None,
    };
    if let Some(dialect) = shell {
        return Start::Shell(dialect);
    }
    let mut words = vec![program.to_vec()];
    if is_env && !argument.starts_with(b"-") {
        // Some systems split the argument; on others `env` does not find such a program.
        let split = argument.split(u8::is_ascii_whitespace);
        words.extend(split.filter(|word| !word.is_empty()).map(<[u8]>::to_vec));
    } else if !argument.is_empty() {
        words.push(argument.to_vec());
    }
    Start::Program(words)
}

fn dialect(program: &[u8]) -> Option<Dialect> {
    match base_name(program) {
        b"zsh" => Some(Dialect::Zsh),
        b"bash" | b"ksh" => Some(Dialect::Bash),
        b"sh" | b"dash" | b"ash" => Some(Dialect::Posix),
        _ => None,
    }
}

/// Options of a shell after which it still reads the file.
fn plain(argument: &[u8]) -> bool {
    match argument {
        [b'-', flags @ ..] => flags
            .iter()
            .all(|flag| b"abefhklmpuvxBCEHPT".contains(flag)),
        _ => false,
    }
}

/// A file that is started.
pub(crate) struct Started<'a> {
    /// The word that names it, with its arguments.
    pub(crate) args: &'a [Arg],
    pub(crate) environment: &'a [Binding],
    pub(crate) content: &'a Value,
    pub(crate) reach: Reach,
    /// The line wrote it.
    pub(crate) own: bool,
}

impl Machine<'_> {
    /// Starts the interpreter as the kernel does: its argument, the file, the file's arguments.
    pub(crate) fn interpret(
        &mut self,
        interpreter: &[Vec<u8>],
        file: &Started<'_>,
        state: &mut State,
        io: &mut Io,
    ) {
        let Some(first) = file.args.first() else {
            return;
        };
        if !self.spend(50 + file.content.size() as u64 / 4) {
            return;
        }
        let words = interpreter.iter().map(|word| Arg {
            value: Value::computed(word.as_slice()),
            span: first.span,
        });
        let args: Vec<Arg> = words.chain(file.args.iter().cloned()).collect();
        let invocation = Invocation {
            args: &args,
            environment: file.environment,
            redirections: &[],
            span: first.span,
        };
        let followed = self.followed;
        self.within_reach(file.reach, |machine| {
            machine.deeper(first.span, |machine| {
                machine.program(&invocation, state, io);
            });
        });
        if file.own && self.followed == followed {
            self.fact(FactKind::CodeUnresolved, first.span, b"");
        }
    }
}
