//! What programs hand on: text, scripts, code and argv behind carriers.

use std::rc::Rc;

use super::machine::{Io, Machine};
use super::simple::Invocation;
use super::state::{Parameters, Slot, State};
use crate::carriers::{Command, Payload, Step, carry};
use crate::execution::{Arg, Binding, FactKind, Reach};
use crate::source::Span;
use crate::value::{Origin, Piece, Value};

/// Programs that print settings for the shell to evaluate; the field's usual way to set up a
/// session.
const ENVIRONMENT_PRINTERS: [&[u8]; 30] = [
    b"ssh-agent",
    b"direnv",
    b"brew",
    b"pyenv",
    b"rbenv",
    b"nodenv",
    b"goenv",
    b"jenv",
    b"fnm",
    b"starship",
    b"zoxide",
    b"conda",
    b"mise",
    b"asdf",
    b"opam",
    b"dircolors",
    b"kubectl",
    b"helm",
    b"gh",
    b"keychain",
    b"docker-machine",
    b"minikube",
    b"register-python-argcomplete",
    b"thefuck",
    b"atuin",
    b"locale",
    b"resize",
    b"lesspipe",
    b"luarocks",
    b"gpgconf",
];

/// How much generated text (`seq`, `yes`) is kept, in bytes.
const MAX_GENERATED: usize = 1 << 16;

impl Machine<'_> {
    /// Follows what a program hands on, or computes what it prints.
    pub(super) fn carried(
        &mut self,
        args: &[Arg],
        environment: &[Binding],
        state: &mut State,
        io: &mut Io,
    ) {
        let given = self.input_by_name(args, state);
        let mut extended;
        let args = if let Some((_, Some(file))) = &given {
            // The recipe file as if it had come on standard input.
            extended = args.to_vec();
            for word in [b"-f".as_slice(), b"-"] {
                extended.push(Arg {
                    value: Value::computed(word),
                    span: *file,
                });
            }
            extended.as_slice()
        } else {
            args
        };
        let loaded = match given {
            Some((text, _)) => text,
            None => io
                .stdin
                .clone()
                .filter(|_| reads_names(args))
                .map(|text| self.loaded(text)),
        };
        let stdin = loaded.as_ref().or(io.stdin.as_ref());
        let mut bindings = self.exported(state);
        bindings.extend_from_slice(environment);
        let steps = carry(&Command {
            argv: args,
            stdin,
            environment: &bindings,
        });
        if steps.is_empty() {
            if io.captured.is_some() {
                let mut text = self.output_of(args, io, state);
                let generated = text
                    .pieces
                    .iter()
                    .all(|piece| matches!(piece, Piece::Text { at: None, .. }));
                if generated && super::command::size(&text) > MAX_GENERATED {
                    let name = args
                        .first()
                        .and_then(|arg| arg.value.bytes())
                        .unwrap_or_default();
                    text = super::simple::unknown_output(&name);
                }
                io.print(&text);
            }
            return;
        }
        // Where the carrier's output is its own, what its steps print is not captured.
        let own = io.captured.is_some() && !steps.iter().all(|step| step.prints);
        let captured = own.then(|| {
            let text = self.output_of(args, io, state);
            let before = io.captured.clone();
            io.print(&text);
            std::mem::replace(&mut io.captured, before)
        });
        for step in steps {
            if !self.spend(4) {
                break;
            }
            let span = args.first().map_or_else(Span::default, |arg| arg.span);
            let Step { via, payload, .. } = step;
            let name = via.name.clone();
            self.behind(via, |machine| {
                machine.deeper(span, |machine| {
                    machine.payload(&name, payload, environment, state, io);
                });
            });
        }
        if let Some(captured) = captured {
            io.captured = captured;
        }
    }

    /// Input that a carrier takes from a file that it names itself: `xargs -a FILE`, and the
    /// makefile that the line wrote, with the place of the call.
    fn input_by_name(
        &mut self,
        args: &[Arg],
        state: &State,
    ) -> Option<(Option<Value>, Option<Span>)> {
        let first = args.first()?;
        let name = first.value.bytes()?;
        match name.rsplit(|byte| *byte == b'/').next()? {
            b"xargs" | b"gxargs" => {
                let file = crate::carriers::xargs::file(args)?;
                let content = self.file_as_input(&file, state);
                Some((Some(self.loaded(content)), None))
            }
            b"make" | b"gmake" => {
                let named = option_value(args, b"-f", b"--file");
                let place = option_value(args, b"-C", b"--directory");
                let names: Vec<Value> = match named {
                    Some(file) => vec![file],
                    None => [b"GNUmakefile".as_slice(), b"makefile", b"Makefile"]
                        .iter()
                        .map(|name| Value::computed(*name))
                        .collect(),
                };
                for file in names {
                    let mut path = place.clone().unwrap_or_default();
                    if place.is_some() {
                        path.push_text(b"/", None);
                    }
                    path.append(&file);
                    let Some(path) = self.absolute(&path, state) else {
                        continue;
                    };
                    if let Some(content) = self.content_of(&path, state) {
                        return Some((Some(content), Some(first.span)));
                    }
                }
                None
            }
            _ => None,
        }
    }

    fn payload(
        &mut self,
        carrier: &str,
        payload: Payload,
        environment: &[Binding],
        state: &mut State,
        io: &mut Io,
    ) {
        let program = carrier
            .split(' ')
            .next()
            .unwrap_or_default()
            .as_bytes()
            .to_vec();
        match payload {
            Payload::Argv {
                words,
                environment: added,
                cwd,
                input_taken,
            } => {
                let mut inner = self.fresh_shell(state);
                if let Some(cwd) = cwd {
                    Rc::make_mut(&mut inner.place).cwd = self.joined(&cwd, state);
                }
                let mut bindings = environment.to_vec();
                bindings.extend(added);
                let mut inner_io = Io {
                    stdin: if input_taken { None } else { io.stdin.clone() },
                    captured: io.captured.take(),
                };
                let span = words
                    .iter()
                    .map(|arg| arg.span)
                    .reduce(Span::join)
                    .unwrap_or_default();
                let invocation = Invocation {
                    args: &words,
                    environment: &bindings,
                    redirections: &[],
                    span,
                };
                self.start(&invocation, &mut inner, &mut inner_io);
                io.captured = inner_io.captured;
                state.files = inner.files;
            }
            Payload::Shell {
                text,
                span,
                parameters,
                dialect,
            } => {
                let mut inner = self.fresh_shell(state);
                self.set_environment(environment, &mut inner);
                let mut parameters = parameters.into_iter();
                inner.parameters = Rc::new(Parameters {
                    zero: parameters.next(),
                    values: parameters.collect(),
                    open: false,
                });
                let outer = std::mem::replace(&mut self.dialect, dialect);
                self.shell_text(&text, span, &program, &mut inner, io);
                self.dialect = outer;
                state.files = inner.files;
            }
            Payload::ShellFile {
                path,
                span,
                parameters,
                dialect,
            } => {
                let mut inner = state.clone();
                self.set_environment(environment, &mut inner);
                self.shell_file(&path, parameters, span, dialect, &mut inner, io);
                state.files = inner.files;
            }
            Payload::ShellInput {
                span,
                parameters,
                dialect,
            } => {
                let Some(text) = io.stdin.take() else {
                    self.fact(FactKind::Interactive, span, &program);
                    return;
                };
                let mut inner = self.fresh_shell(state);
                self.set_environment(environment, &mut inner);
                inner.parameters = Rc::new(Parameters {
                    zero: None,
                    values: parameters,
                    open: false,
                });
                let outer = std::mem::replace(&mut self.dialect, dialect);
                self.shell_text(&text, span, &program, &mut inner, io);
                self.dialect = outer;
                state.files = inner.files;
            }
            Payload::Code {
                language,
                text,
                span,
            } => {
                self.code(language, &text, span, &program, state, io);
            }
            Payload::CodeFile {
                language,
                path,
                span,
            } => {
                if let Some((text, reach)) = self.script(&path, state) {
                    let outer = self.reach;
                    self.reach = outer.max(reach);
                    self.code(language, &text, span, &program, state, io);
                    self.reach = outer;
                } else {
                    self.unread_script(&path, span, &program, state);
                }
            }
            Payload::CodeInput { language, span } => match io.stdin.take() {
                Some(text) => {
                    let outer = self.reach;
                    if from_file(&text) {
                        self.reach = outer.max(Reach::Script);
                    }
                    let text = self.loaded(text);
                    self.code(language, &text, span, &program, state, io);
                    self.reach = outer;
                }
                None => self.fact(FactKind::Interactive, span, &program),
            },
            Payload::Foreign { span } => self.fact(FactKind::CodeForeign, span, &program),
            Payload::Unresolved { span } => self.fact(FactKind::CodeUnresolved, span, &program),
        }
    }

    /// Starts argv as a program: no functions, aliases or builtins.
    pub(super) fn start(&mut self, invocation: &Invocation<'_>, state: &mut State, io: &mut Io) {
        let Some(first) = invocation.args.first() else {
            return;
        };
        let unresolved = match first.value.bytes() {
            Some(_) => false,
            None => {
                let suffix = first.value.known_suffix();
                suffix
                    .iter()
                    .rposition(|b| *b == b'/')
                    .is_none_or(|at| at + 1 >= suffix.len())
            }
        };
        if unresolved {
            let kind = if first.value.is_fetched() {
                FactKind::CodeFetched
            } else {
                FactKind::CommandUnresolved
            };
            self.fact(kind, first.span, b"");
        }
        self.program(invocation, state, io);
    }

    /// Runs text in the state given, with what there is to say about where it comes from.
    pub(super) fn shell_text(
        &mut self,
        text: &Value,
        span: Span,
        program: &[u8],
        state: &mut State,
        io: &mut Io,
    ) {
        let outer = self.reach;
        let loaded;
        let text = if from_file(text) {
            self.reach = outer.max(Reach::Script);
            loaded = self.loaded(text.clone());
            &loaded
        } else {
            text
        };
        if self.about_code(text, span, program) {
            self.reach = outer;
            return;
        }
        let mut inner_io = Io {
            stdin: None,
            captured: io.captured.take(),
        };
        // Text from an argument leaves standard input to the commands in it.
        inner_io.stdin = io.stdin.clone();
        self.value_as_text(text, span, state, &mut inner_io);
        io.captured = inner_io.captured;
        self.reach = outer;
    }

    /// States what is known of code's origin; says whether there is nothing in it to analyse.
    pub(super) fn about_code(&mut self, text: &Value, span: Span, program: &[u8]) -> bool {
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
                // Another fact says so, or a script that was there before.
                Origin::Fetched | Origin::File(_) => true,
                Origin::Output(name) => ENVIRONMENT_PRINTERS.contains(&name.as_slice()),
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

    fn set_environment(&mut self, environment: &[Binding], state: &mut State) {
        for binding in environment {
            self.assign(
                state,
                &binding.name,
                Slot::Scalar(binding.value.clone()),
                false,
            );
            state
                .variables
                .update(&binding.name, |variable| variable.exported = true);
            state.export(&binding.name);
        }
    }

    /// The state in which another shell starts: exported variables, files, the directory.
    pub(super) fn fresh_shell(&mut self, state: &State) -> State {
        let mut fresh = State::new(state.place.cwd.clone());
        fresh.files = state.files.clone();
        fresh.links = state.links.clone();
        fresh.exported = Rc::clone(&state.exported);
        fresh.more_exported = state.more_exported;
        for name in state.exported.iter() {
            if let Some(variable) = state
                .variables
                .get(name)
                .filter(|variable| variable.exported)
            {
                fresh.variables.insert(name, variable.clone());
            }
        }
        // `export -f` hands functions on; whether it was used does not matter much.
        for (name, function) in state.functions.iter() {
            if !self.spend(1) {
                break;
            }
            fresh.functions.insert(
                name,
                super::state::Function {
                    maybe: true,
                    ..function.clone()
                },
            );
        }
        fresh
    }
}

/// Whether some of the text stands in a file of the machine.
pub(super) fn from_file(text: &Value) -> bool {
    text.any_unknown(|origin| matches!(origin, Origin::File(path) if !path.is_empty()))
}

/// The value of an option, attached or as the next word; the last one counts. Long options may be
/// abbreviated.
fn option_value(args: &[Arg], short: &[u8], long: &[u8]) -> Option<Value> {
    let mut found = None;
    for (index, arg) in args.iter().enumerate().skip(1) {
        let Some(word) = arg.value.bytes() else {
            continue;
        };
        let (name, attached) = match word.iter().position(|byte| *byte == b'=') {
            Some(equals) => word.split_at(equals),
            None => (&*word, [].as_slice()),
        };
        let is_long = name.len() > 2 && name.starts_with(b"--") && long.starts_with(name);
        if *word == *short || is_long && attached.is_empty() {
            found = args.get(index + 1).map(|arg| arg.value.clone());
        } else if is_long {
            found = Some(Value::computed(attached.get(1..).unwrap_or_default()));
        } else if let Some(value) = word
            .strip_prefix(short)
            .filter(|_| !word.starts_with(b"--"))
        {
            found = Some(Value::computed(value));
        }
    }
    found
}

/// Carriers whose arguments arrive by standard input.
fn reads_names(args: &[Arg]) -> bool {
    args.first()
        .and_then(|arg| arg.value.bytes())
        .is_some_and(|name| {
            let base = name.rsplit(|b| *b == b'/').next().unwrap_or_default();
            matches!(
                base,
                b"xargs" | b"parallel" | b"at" | b"batch" | b"crontab" | b"make"
            )
        })
}
