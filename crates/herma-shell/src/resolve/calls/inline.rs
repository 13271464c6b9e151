//! Inline code: what its calls start.

use std::rc::Rc;

use super::simple::Invocation;
use crate::code::{Action, Arguments, Language, actions, loads};
use crate::execution::{Arg, FactKind, Kind};
use crate::resolve::machine::state::State;
use crate::resolve::machine::{Io, Machine, local};
use crate::source::Span;
use crate::value::{Origin, Piece, Value};

/// How deep modules may load modules.
const MAX_LOADED: usize = 4;

/// Code that an interpreter runs.
#[derive(Clone, Copy)]
pub(crate) struct Code<'a> {
    pub(crate) language: Language,
    pub(crate) text: &'a Value,
    pub(crate) span: Span,
    /// The interpreter.
    pub(crate) program: &'a [u8],
    /// What the code finds as its arguments.
    pub(crate) arguments: Option<&'a Arguments>,
}

impl Machine<'_> {
    /// Runs what inline code starts, and reports its library calls.
    pub(crate) fn code(&mut self, code: &Code<'_>, state: &mut State, io: &mut Io) {
        let Code {
            language,
            text,
            span,
            program,
            arguments,
        } = *code;
        if self.about_code(text, span, program) || !self.spend(text.pieces.len() as u64) {
            return;
        }
        let size: usize = text.known_prefix().len();
        if !self.spend(size as u64 / 4) {
            return;
        }
        let computed = |piece: &Piece| !matches!(piece, Piece::Text { at: Some(_), .. });
        if text.pieces.iter().any(computed) {
            self.fixed.insert(span.start);
        }
        self.modules(code, state, io);
        // Programs that code starts read what the code writes to them.
        let mut own = Io {
            stdin: Some(Rc::new(Value::unknown_words(Origin::Output(
                program.to_vec(),
            )))),
            captured: io.captured.take(),
            errors: io.errors,
        };
        // Directories that the code left; the shell around it stays where it is.
        let outside = state.place.cwd.clone();
        let mut before = Vec::new();
        for action in actions(language, text, span, program, arguments) {
            if !self.spend(4) {
                break;
            }
            match action {
                Action::Shell { text, span } => {
                    let text = self.with_environment(&text, state);
                    let mut inner = self.fresh_shell(state);
                    self.in_new_shell(&mut inner, |machine, inner| {
                        machine.shell_text(&text, span, program, inner, &mut own);
                    });
                    state.keep_files(&inner);
                }
                Action::Program(words) => {
                    let words = self.words_with_environment(words, state);
                    let span = words
                        .iter()
                        .map(|arg| arg.span)
                        .reduce(Span::join)
                        .unwrap_or(span);
                    let invocation = Invocation {
                        args: &words,
                        environment: &[],
                        redirections: &[],
                        span,
                    };
                    let mut inner = self.fresh_shell(state);
                    self.start(&invocation, &mut inner, &mut own);
                    state.keep_files(&inner);
                }
                Action::Call { name, argv } => {
                    let argv = self.words_with_environment(argv, state);
                    self.library_call(&name, argv, &own, state);
                }
                Action::ForkBomb { span } => self.fact(FactKind::ForkBomb, span, program),
                Action::Directory { path } => {
                    let next = match path {
                        Some(path) => {
                            before.push(state.place.cwd.clone());
                            let path = self.with_environment(&path, state);
                            self.joined(&path, state)
                        }
                        None => match before.pop() {
                            Some(previous) => previous,
                            None => continue,
                        },
                    };
                    Rc::make_mut(&mut state.place).cwd = next;
                }
                Action::Code { text, span } => {
                    let text = self.with_environment(&text, state);
                    self.deeper(span, |machine| {
                        let inner = Code {
                            text: &text,
                            span,
                            ..*code
                        };
                        machine.code(&inner, state, &mut own);
                    });
                }
            }
        }
        io.captured = own.captured;
        if !before.is_empty() || state.place.cwd != outside {
            Rc::make_mut(&mut state.place).cwd = outside;
        }
    }

    /// Runs modules that the line wrote and that the code loads.
    fn modules(&mut self, code: &Code<'_>, state: &mut State, io: &mut Io) {
        if state.files.is_empty() {
            return;
        }
        for file in loads(code.language, &code.text.known_prefix()) {
            let Some(path) = self.located(&Value::computed(file), state) else {
                continue;
            };
            if self.scripts.contains(&path) {
                continue;
            }
            if let Some(content) = self.content_of(&path, state) {
                if self.scripts.len() >= MAX_LOADED {
                    self.hidden(code.span);
                    continue;
                }
                self.followed += 1;
                self.scripts.push(path);
                let content = self.loaded(content);
                self.deeper(code.span, |machine| {
                    let inner = Code {
                        text: &content,
                        ..*code
                    };
                    machine.code(&inner, state, io);
                });
                self.scripts.pop();
            }
        }
    }

    /// Reports a library call as the argv with the same effect.
    fn library_call(&mut self, name: &str, argv: Vec<Arg>, io: &Io, state: &mut State) {
        let Some(first) = argv.first() else { return };
        let at = first.span.start;
        let span = argv.iter().map(|arg| arg.span).fold(first.span, Span::join);
        self.call_writes(&argv, io, state);
        let mut via = self.via.clone();
        via.push(local(name));
        let cwd = self.shared_cwd(state);
        self.execution(crate::Execution {
            at,
            span,
            environment: Vec::new().into(),
            redirections: Vec::new(),
            stdin: None,
            cwd,
            via,
            kind: Kind::Call,
            reach: self.reach,
            captured: self.substitutions > 0,
            script: None,
            argv,
        });
    }

    /// The variables that code reads from its environment.
    fn with_environment(&mut self, value: &Value, state: &State) -> Value {
        if value.is_known() && self.fixed.is_empty() {
            return value.clone();
        }
        let mut out = Value {
            pieces: Vec::new(),
            decoded: value.decoded,
        };
        for piece in &value.pieces {
            if let Piece::Unknown(unknown) = piece
                && let Origin::Variable(name) = &unknown.origin
            {
                let known = self.scalar(name, state);
                let is_set = !known
                    .pieces
                    .iter()
                    .all(|piece| matches!(piece, Piece::Unset(_)));
                if known.is_known() && is_set {
                    out.append(&known);
                    continue;
                }
            }
            match piece {
                Piece::Text { bytes, at } => {
                    out.push_text(bytes, at.and_then(|at| self.place(at)));
                }
                piece => out.pieces.push(piece.clone()),
            }
        }
        out
    }

    fn words_with_environment(&mut self, words: Vec<Arg>, state: &State) -> Vec<Arg> {
        words
            .into_iter()
            .map(|arg| Arg {
                value: self.with_environment(&arg.value, state),
                span: arg.span,
            })
            .collect()
    }
}
