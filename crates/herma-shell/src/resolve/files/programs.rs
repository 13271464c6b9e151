//! Programs that are files: found by a path or on a `PATH` of the line, with a script in them or
//! copied from others.

use std::rc::Rc;

use super::super::calls::shebang::{Start, Started, start};
use super::super::calls::simple::Invocation;
use super::super::machine::state::{Parameters, State};
use super::super::machine::{Io, Machine, local};
use crate::execution::{Arg, Binding, FactKind};
use crate::source::Span;
use crate::value::{Origin, Piece, Value};

impl Machine<'_> {
    /// A file of the line's own that a changed `PATH` makes a program.
    fn on_path(&mut self, name: &[u8], environment: &[Binding], state: &State) -> Option<Vec<u8>> {
        let given = environment.iter().rev();
        let path = match given.into_iter().find(|binding| binding.name == b"PATH") {
            Some(binding) => binding.value.known_prefix(),
            None => {
                let own = state.variables.get(b"PATH");
                own.filter(|variable| variable.own)?;
                self.scalar(b"PATH", state).known_prefix()
            }
        };
        for directory in path.split(|byte| *byte == b':') {
            // Looking for a file is a question to the machine.
            if !self.spend(100) {
                return None;
            }
            let file = Value::computed([directory, b"/", name].concat());
            let file = self.absolute(&file, state)?;
            if state.files.contains(&file)
                || !is_of_system(&file) && self.world.stat(&file).is_some()
            {
                return Some(file);
            }
        }
        None
    }

    /// A copy of a program, or a link to one, does what the program does.
    fn copied_program(&mut self, path: &[u8], args: &[Arg], state: &State, io: &mut Io) {
        let Some(content) = self.content_of(path, state) else {
            return;
        };
        let [Piece::Unknown(unknown)] = content.pieces.as_slice() else {
            return;
        };
        let Origin::File(original) = &unknown.origin else {
            return;
        };
        if original == path {
            return;
        }
        let mut args = args.to_vec();
        if let Some(first) = args.first_mut() {
            first.value = Value::computed(original.as_slice());
        }
        let span = args
            .iter()
            .map(|arg| arg.span)
            .reduce(Span::join)
            .unwrap_or_default();
        let original = Invocation {
            args: &args,
            environment: &[],
            redirections: &[],
            span,
        };
        let mut inner = state.clone();
        self.deeper(span, |machine| {
            machine.program(&original, &mut inner, io);
        });
    }

    /// A program named by a path that is a file with a script in it.
    pub(crate) fn program_file(
        &mut self,
        args: &[Arg],
        environment: &[Binding],
        state: &mut State,
        io: &mut Io,
    ) {
        let Some(first) = args.first() else { return };
        let path = &first.value;
        let found;
        let path = match path.bytes() {
            Some(bytes) if bytes.contains(&b'/') => path,
            Some(name) => match self.on_path(&name, environment, state) {
                Some(file) => {
                    found = Value::computed(file);
                    &found
                }
                None => return,
            },
            None if path.known_prefix().contains(&b'/')
                && self
                    .located(path, state)
                    .is_some_and(|file| state.files.contains(&file)) =>
            {
                path
            }
            None => {
                // Without a known name another fact says so.
                if path.known_suffix().contains(&b'/') {
                    self.unread_script(path, first.span, b"", state);
                }
                return;
            }
        };
        if path.has_glob() {
            self.unread_script(path, first.span, b"", state);
        }
        let Some(absolute) = self.located(path, state) else {
            return;
        };
        let own = state.files.contains(&absolute);
        if !own && self.absolute(path, state).is_none() {
            // In a directory that is not known.
            self.unread_script(path, first.span, b"", state);
            return;
        }
        // System programs are not scripts worth reading, and the hook is in a hurry.
        if !own && is_of_system(&absolute) {
            return;
        }
        self.copied_program(&absolute, args, state, io);
        let Some((content, reach)) = self.script(path, first.span, state) else {
            return;
        };
        if content.is_fetched() {
            self.fact(FactKind::CodeFetched, first.span, b"");
        }
        let file = Started {
            args,
            environment,
            content: &content,
            reach,
            own,
        };
        self.behind(
            local(&String::from_utf8_lossy(&absolute)),
            |machine| match start(&content) {
                Start::Shell(dialect) => {
                    let mut inner = machine.fresh_shell(state);
                    machine.set_environment(environment, &mut inner);
                    inner.parameters = Rc::new(Parameters {
                        zero: Some(path.clone()),
                        values: args.iter().skip(1).map(|arg| arg.value.clone()).collect(),
                        open: false,
                    });
                    machine.in_new_shell(&mut inner, |machine, inner| {
                        let span = first.span;
                        machine.script_text(path, &content, reach, span, dialect, inner, io);
                    });
                    state.keep_files(&inner);
                }
                Start::Program(words) => machine.interpret(&words, &file, state, io),
                Start::Unknown if own => machine.fact(FactKind::CodeUnresolved, first.span, b""),
                Start::Unknown | Start::Binary => {}
            },
        );
    }
}

/// Whether a file belongs to the system, whose programs are not looked into.
fn is_of_system(path: &[u8]) -> bool {
    path.starts_with(b"/bin/") || path.starts_with(b"/sbin/") || path.starts_with(b"/usr/")
}
