//! What one step of a carrier runs: argv, shell text, or code of another language.

use std::rc::Rc;

use super::inline::Code;
use super::simple::Invocation;
use crate::carriers::Payload;
use crate::execution::{Arg, Binding, FactKind, Reach};
use crate::resolve::machine::state::{Function, Parameters, Slot, State};
use crate::resolve::machine::{Io, Machine};
use crate::source::Span;
use crate::syntax::Dialect;
use crate::value::{Origin, Piece, Value};

/// The program that hands something on, and the environment that it was given.
#[derive(Clone, Copy)]
pub(crate) struct Carrier<'a> {
    pub(crate) program: &'a [u8],
    pub(crate) environment: &'a [Binding],
}

/// A shell that a carrier starts.
#[derive(Clone)]
struct Shell {
    span: Span,
    dialect: Dialect,
    parameters: Parameters,
}

impl Machine<'_> {
    /// Runs what a carrier hands on.
    pub(crate) fn payload(
        &mut self,
        carrier: Carrier<'_>,
        payload: Payload,
        state: &mut State,
        io: &mut Io,
    ) {
        let program = carrier.program;
        match payload {
            Payload::Argv {
                words,
                environment,
                cwd,
                input_taken,
            } => {
                let environment = [carrier.environment, &environment].concat();
                self.argv(&words, &environment, cwd.as_ref(), input_taken, state, io);
            }
            Payload::Shell {
                text,
                span,
                parameters,
                dialect,
            } => {
                let mut parameters = parameters.into_iter();
                let shell = Shell {
                    span,
                    dialect,
                    parameters: Parameters {
                        zero: parameters.next(),
                        values: parameters.collect(),
                        open: false,
                    },
                };
                self.fresh_shell_text(carrier, shell, &text, state, io);
            }
            Payload::ShellFile {
                path,
                span,
                parameters,
                dialect,
            } => {
                let mut inner = state.clone();
                self.set_environment(carrier.environment, &mut inner);
                self.shell_file(&path, parameters, span, dialect, &mut inner, io);
                state.keep_files(&inner);
            }
            Payload::ShellInput {
                span,
                parameters,
                dialect,
            } => match io.stdin.take().or_else(|| self.script_on_input.take()) {
                Some(text) => {
                    let around = self.script_on_input.replace(Rc::clone(&text));
                    let shell = Shell {
                        span,
                        dialect,
                        parameters: Parameters {
                            zero: None,
                            values: parameters,
                            open: false,
                        },
                    };
                    let rest = without_lines_read(&text);
                    let other = rest.map(|rest| (rest, shell.clone(), state.clone(), io.clone()));
                    self.fresh_shell_text(carrier, shell, &text, state, io);
                    if let Some((rest, shell, mut after, mut printed)) = other {
                        self.fresh_shell_text(carrier, shell, &rest, &mut after, &mut printed);
                        self.join(state, &after);
                        io.join(printed);
                    }
                    self.script_on_input = around;
                }
                None => self.fact(FactKind::Interactive, span, program),
            },
            Payload::Code {
                language,
                text,
                span,
                arguments,
            } => {
                let code = Code {
                    language,
                    text: &text,
                    span,
                    program,
                    arguments: arguments.as_ref(),
                };
                self.code(&code, state, io);
            }
            Payload::CodeFile {
                language,
                path,
                span,
                arguments,
            } => match self.script(&path, span, state) {
                Some((text, reach)) => self.within_reach(reach, |machine| {
                    let code = Code {
                        language,
                        text: &text,
                        span,
                        program,
                        arguments: arguments.as_ref(),
                    };
                    machine.code(&code, state, io);
                }),
                None => self.unread_script(&path, span, program, state),
            },
            Payload::CodeInput {
                language,
                span,
                arguments,
            } => match io.stdin.take() {
                Some(text) => self.within_reach(reach_of(&text), |machine| {
                    let code = Code {
                        language,
                        text: &machine.loaded(Rc::unwrap_or_clone(text)),
                        span,
                        program,
                        arguments: arguments.as_ref(),
                    };
                    machine.code(&code, state, io);
                }),
                None => self.fact(FactKind::Interactive, span, program),
            },
            Payload::Foreign { span } => self.fact(FactKind::CodeForeign, span, program),
            Payload::Unresolved { span } => self.fact(FactKind::CodeUnresolved, span, program),
        }
    }

    /// Starts argv that a carrier hands on, in its working directory.
    fn argv(
        &mut self,
        words: &[Arg],
        environment: &[Binding],
        cwd: Option<&Value>,
        input_taken: bool,
        state: &mut State,
        io: &mut Io,
    ) {
        let mut inner = self.fresh_shell(state);
        if let Some(cwd) = cwd {
            Rc::make_mut(&mut inner.place).cwd = self.joined(cwd, state);
        }
        let mut inner_io = Io {
            stdin: if input_taken { None } else { io.stdin.clone() },
            captured: io.captured.take(),
            errors: io.errors,
        };
        let span = words
            .iter()
            .map(|arg| arg.span)
            .reduce(Span::join)
            .unwrap_or_default();
        let invocation = Invocation {
            args: words,
            environment,
            redirections: &[],
            span,
        };
        self.start(&invocation, &mut inner, &mut inner_io);
        io.captured = inner_io.captured;
        state.keep_files(&inner);
    }

    /// Runs text in another shell, which the carrier starts.
    fn fresh_shell_text(
        &mut self,
        carrier: Carrier<'_>,
        shell: Shell,
        text: &Value,
        state: &mut State,
        io: &mut Io,
    ) {
        let mut inner = self.fresh_shell(state);
        self.set_environment(carrier.environment, &mut inner);
        inner.parameters = Rc::new(shell.parameters);
        let outer = std::mem::replace(&mut self.dialect, shell.dialect);
        self.in_new_shell(&mut inner, |machine, inner| {
            machine.shell_text(text, shell.span, carrier.program, inner, io);
        });
        self.dialect = outer;
        state.keep_files(&inner);
    }

    /// Does something with text that stands further away than the line.
    pub(crate) fn within_reach(&mut self, reach: Reach, run: impl FnOnce(&mut Self)) {
        let outer = self.reach;
        self.reach = outer.max(reach);
        run(self);
        self.reach = outer;
    }

    /// Runs text in the state given, with what there is to say about where it comes from.
    pub(crate) fn shell_text(
        &mut self,
        text: &Value,
        span: Span,
        program: &[u8],
        state: &mut State,
        io: &mut Io,
    ) {
        self.within_reach(reach_of(text), |machine| {
            let loaded = from_file(text).then(|| machine.loaded(text.clone()));
            let text = loaded.as_ref().unwrap_or(text);
            if machine.about_code(text, span, program) {
                return;
            }
            // Text from an argument leaves standard input to the commands in it.
            let mut inner = Io {
                stdin: io.stdin.clone(),
                captured: io.captured.take(),
                errors: io.errors,
            };
            machine.value_as_text(text, span, state, &mut inner);
            io.captured = inner.captured;
        });
    }

    /// States what is known of code's origin; says whether there is nothing in it to analyse.
    pub(crate) fn about_code(&mut self, text: &Value, span: Span, program: &[u8]) -> bool {
        self.about_unread(text, span);
        if text.decoded {
            self.fact(FactKind::CodeDecoded, span, program);
        }
        if text.is_fetched() {
            self.fact(FactKind::CodeFetched, span, program);
        }
        let opaque = !text.pieces.is_empty()
            && text
                .pieces
                .iter()
                .any(|piece| matches!(piece, Piece::Unknown(_)))
            && text.pieces.iter().all(|piece| match piece {
                Piece::Unknown(_) | Piece::Unset(_) => true,
                Piece::Text { bytes, .. } => bytes.iter().all(u8::is_ascii_whitespace),
                Piece::Glob { .. } => false,
            });
        if !opaque {
            return false;
        }
        let explained = text.pieces.iter().all(|piece| match piece {
            Piece::Unknown(unknown) => match &unknown.origin {
                // Another fact says so, a script that was there before, or settings.
                Origin::Fetched | Origin::File(_) | Origin::Settings(_) => true,
                _ => false,
            },
            _ => true,
        });
        let by_pattern = |origin: &Origin| matches!(origin, Origin::File(path) if path.is_empty());
        if text.any_unknown(by_pattern) {
            self.fact(FactKind::ScriptUnresolved, span, program);
        }
        if !explained && !text.decoded {
            self.fact(FactKind::CodeUnresolved, span, program);
        }
        true
    }

    pub(crate) fn set_environment(&mut self, environment: &[Binding], state: &mut State) {
        for binding in environment {
            if let Some(name) = function_name(&binding.name) {
                self.function_of_environment(name, binding, state);
                continue;
            }
            self.assign(
                state,
                &binding.name,
                Slot::Scalar(binding.value.clone()),
                false,
            );
            state
                .variables
                .update(&binding.name, |variable| variable.set_exported(true));
            state.export(&binding.name);
        }
    }

    /// A function that the shell takes over from its environment.
    fn function_of_environment(&mut self, name: &[u8], binding: &Binding, state: &mut State) {
        let mut text = Value::computed([name, b" "].concat());
        text.append(&binding.value);
        if !text.known_suffix().trim_ascii_end().ends_with(b"}") {
            self.fact(FactKind::CodeUnresolved, binding.span, b"env");
        }
        self.value_as_text(&text, binding.span, state, &mut Io::default());
    }

    /// The state in which another shell starts: exported variables, files, the directory.
    pub(crate) fn fresh_shell(&mut self, state: &State) -> State {
        let mut fresh = State::new(state.place.cwd.clone());
        fresh.files = state.files.clone();
        fresh.links = state.links.clone();
        fresh.exported = Rc::clone(&state.exported);
        fresh.descriptors = Rc::clone(&state.descriptors);
        // The path of the shell's own program, as its parent found it.
        fresh.last_argument = Rc::new(Value::unknown(Origin::Variable(b"_".to_vec())));
        fresh.more_exported = state.more_exported;
        for name in state.exported.iter() {
            if let Some(variable) = state
                .variables
                .get(name)
                .filter(|variable| variable.exported)
            {
                let mut variable = variable.clone();
                if variable.maybe_exported && !variable.slots.contains(&Slot::Unset) {
                    variable.slots.push(Slot::Unset);
                    variable.maybe_exported = false;
                }
                fresh.variables.insert(name, variable);
            }
        }
        // `export -f` hands functions on; whether it was used does not matter much.
        for (name, function) in state.functions.iter() {
            if !self.spend(1) {
                break;
            }
            fresh.functions.insert(
                name,
                Function {
                    maybe: true,
                    ..function.clone()
                },
            );
        }
        fresh
    }
}

/// The function that a variable of this name stands for: `BASH_FUNC_name%%`, `BASH_FUNC_name()`.
fn function_name(variable: &[u8]) -> Option<&[u8]> {
    let name = variable.strip_prefix(b"BASH_FUNC_")?;
    name.strip_suffix(b"%%")
        .or_else(|| name.strip_suffix(b"()"))
        .filter(|name| !name.is_empty())
}

/// How far from the line text stands that is read.
pub(crate) fn reach_of(text: &Value) -> Reach {
    if from_file(text) {
        Reach::Script
    } else {
        Reach::Line
    }
}

/// Whether some of the text stands in a file of the machine.
fn from_file(text: &Value) -> bool {
    text.any_unknown(|origin| matches!(origin, Origin::File(path) if !path.is_empty()))
}

/// A script on standard input without the lines that its own `read` takes from it; `None` when it
/// takes none.
fn without_lines_read(text: &Value) -> Option<Value> {
    let script = text.bytes()?;
    let mut kept = Vec::with_capacity(script.len());
    let (mut reads, mut taken) = (false, false);
    for line in script.split_inclusive(|byte| *byte == b'\n') {
        if std::mem::take(&mut reads) {
            taken = true;
            continue;
        }
        let mut words = line.split(|byte| byte.is_ascii_whitespace() || *byte == b';');
        reads = words.any(|word| word == b"read");
        kept.extend_from_slice(line);
    }
    let mut rest = Value::computed(kept);
    rest.decoded = text.decoded;
    taken.then_some(rest)
}
