//! Builtins: programs that the shell itself is.

pub(super) mod declare;
pub(super) mod getopts;
pub(super) mod handlers;
pub(super) mod input;
mod read_fields;
pub(super) mod running;
pub(super) mod settings;
pub(super) mod variables;

use self::settings::{define_aliases, hash, remove_aliases, set, shift, shopt};
use super::calls::simple::{Invocation, unknown_output};
use super::files::LineFiles;
use super::machine::state::State;
use super::machine::{Io, Machine};
use crate::execution::Arg;
use crate::path::base_name;
use crate::value::{Origin, Piece, Value};

/// What has nothing to complain about.
const NEVER_COMPLAINS: [&[u8]; 8] = [
    b":", b"echo", b"false", b"printf", b"pwd", b"sleep", b"true", b"unset",
];

/// bash's builtins. `[`, `test`, `echo`, `printf` and `kill` exist as programs too.
const BUILTINS: [&[u8]; 62] = [
    b".",
    b":",
    b"[",
    b"alias",
    b"bg",
    b"bind",
    b"break",
    b"builtin",
    b"caller",
    b"cd",
    b"command",
    b"compgen",
    b"complete",
    b"compopt",
    b"continue",
    b"coproc",
    b"declare",
    b"dirs",
    b"disown",
    b"echo",
    b"enable",
    b"eval",
    b"exec",
    b"exit",
    b"export",
    b"false",
    b"fc",
    b"fg",
    b"getopts",
    b"hash",
    b"help",
    b"history",
    b"jobs",
    b"kill",
    b"let",
    b"local",
    b"logout",
    b"mapfile",
    b"popd",
    b"printf",
    b"pushd",
    b"pwd",
    b"read",
    b"readarray",
    b"readonly",
    b"return",
    b"set",
    b"shift",
    b"shopt",
    b"source",
    b"suspend",
    b"test",
    b"times",
    b"trap",
    b"true",
    b"type",
    b"typeset",
    b"ulimit",
    b"umask",
    b"unalias",
    b"unset",
    b"wait",
];

/// Whether a name is that of a builtin.
pub(super) fn is_builtin(name: &[u8]) -> bool {
    BUILTINS.binary_search(&name).is_ok()
}

impl Machine<'_> {
    /// Runs a builtin: what it changes in the shell, prints, or hands on.
    pub(super) fn builtin(
        &mut self,
        name: &[u8],
        invocation: &Invocation<'_>,
        state: &mut State,
        io: &mut Io,
    ) {
        let args = invocation.args;
        match name {
            b"cd" => self.change_directory(args, false, state),
            b"pushd" => self.push_directory(args, state),
            b"popd" => self.pop_directory(args, state),
            b"pwd" => {
                let mut text = state.place.cwd.clone();
                text.push_text(b"\n", None);
                io.print(&text);
            }
            b"eval" => self.eval(args, state, io),
            b"source" | b"." => self.source(args, state, io),
            b"exec" | b"command" | b"builtin" => self.precommand(name, invocation, state, io),
            b"trap" => self.trap(args, state),
            b"bind" => self.bind(args, state),
            b"compgen" | b"complete" => self.completion(args, state),
            b"declare" | b"typeset" | b"export" | b"readonly" if only_options(args) => {
                // All variables with their values.
                io.print(&unknown_output(b"set"));
            }
            // The name came out of an expansion, or behind `command` or `builtin`.
            b"declare" | b"typeset" | b"local" | b"export" | b"readonly"
                if !self.declared_as_written =>
            {
                self.apply_declaration(&[], args, state);
            }
            b"read" => self.read_builtin(args, io, state),
            b"mapfile" | b"readarray" => self.mapfile(args, io, state),
            b"getopts" => {
                self.getopts(args, state);
            }
            b"unset" => self.unset(args, state),
            b"wait" => self.wait(args, state),
            b"history" => self.history(args, state),
            b"fc" => self.fc(args, state),
            b"printf" if writes_variable(args) => self.printf_into(args, state),
            b"let" => {
                let before = self.given_up.len();
                for arg in args.iter().skip(1) {
                    self.arithmetic_text(&arg.value, arg.span, state);
                }
                // An error ends it, and not the line.
                for given_up in self.given_up.split_off(before) {
                    self.join(state, &given_up);
                }
            }
            b"test" | b"[" => self.test_variables(args, state),
            b"alias" => define_aliases(self, args, state),
            b"unalias" => remove_aliases(args, state),
            b"hash" => hash(args, state),
            b"shopt" => shopt(args, state),
            b"set" => set(args, state, io),
            b"shift" => shift(self, args, state),
            b"enable" => {}
            b"exit" | b"logout" => {
                self.note_exit(state);
                state.left = true;
            }
            b"return" => self.leave_function(state, io),
            b"break" | b"continue" => self.leave_body(args, state, io),
            _ => self.print_output(args, state, io),
        }
    }

    /// Prints what a program prints, when somebody looks.
    fn print_output(&mut self, args: &[Arg], state: &State, io: &mut Io) {
        if io.captured.is_some() {
            let text = self.output_of(args, io, state);
            self.say(args, &text, io);
        }
    }

    /// Prints a program's text; where its complaints go the same way, it may have complained instead.
    pub(super) fn say(&mut self, args: &[Arg], text: &Value, io: &mut Io) {
        let known = text
            .pieces
            .iter()
            .any(|piece| !matches!(piece, Piece::Unknown(_)));
        let name = args.first().and_then(|arg| arg.value.bytes());
        let name = name.as_deref().map(base_name).unwrap_or_default();
        if io.errors && (known || text.pieces.is_empty()) && !NEVER_COMPLAINS.contains(&name) {
            let complaint = unknown_output(name);
            self.append_readings(io, vec![text.clone(), complaint]);
        } else {
            io.print(text);
        }
    }

    /// What a program prints, as far as that can be computed.
    pub(super) fn output_of(&mut self, args: &[Arg], io: &Io, state: &State) -> Value {
        let dialect = self.dialect;
        if args.is_empty() {
            return unknown_output(b"");
        }
        if !self.spend(args.len() as u64) {
            return Value::unknown_words(Origin::Other);
        }
        let mut files = LineFiles {
            machine: self,
            state,
        };
        crate::output::output(args, io.stdin.as_deref(), &mut files, dialect)
    }
}

/// Whether no operand follows the options.
fn only_options(args: &[Arg]) -> bool {
    args.iter()
        .skip(1)
        .all(|arg| arg.value.known_prefix().starts_with(b"-"))
}

/// `printf -v name`
fn writes_variable(args: &[Arg]) -> bool {
    args.get(1)
        .is_some_and(|arg| arg.value.known_prefix().starts_with(b"-v"))
}

#[cfg(test)]
mod tests {
    use super::{BUILTINS, is_builtin};

    #[test]
    fn every_builtin_is_found() {
        assert!(BUILTINS.is_sorted());
        assert!(BUILTINS.iter().all(|name| is_builtin(name)));
        assert!(!is_builtin(b"ls"));
    }
}
