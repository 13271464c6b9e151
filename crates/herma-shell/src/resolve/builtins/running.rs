//! Builtins that run other text or commands: `eval`, `source`, `exec`, `command`, `builtin`.

use std::rc::Rc;

use super::is_builtin;
use crate::execution::Arg;
use crate::resolve::calls::simple::Invocation;
use crate::resolve::machine::state::{Parameters, State};
use crate::resolve::machine::{Io, Machine, local};
use crate::resolve::values::expand::join_words;
use crate::source::Span;
use crate::value::Value;

impl Machine<'_> {
    /// `eval`: the words are one text.
    pub(super) fn eval(&mut self, args: &[Arg], state: &mut State, io: &mut Io) {
        let start = usize::from(args.get(1).is_some_and(|arg| arg.value.is(b"--")));
        let words: Vec<Value> = args
            .iter()
            .skip(1 + start)
            .map(|arg| arg.value.clone())
            .collect();
        let text = join_words(words);
        let spans = args.iter().skip(1).map(|arg| arg.span);
        if let Some(span) = spans.reduce(Span::join) {
            self.behind(local("eval"), |m| {
                m.shell_text(&text, span, b"eval", state, io);
            });
        }
    }

    /// `exec`, `command`, `builtin`: the next word is the name.
    pub(super) fn precommand(
        &mut self,
        name: &[u8],
        invocation: &Invocation<'_>,
        state: &mut State,
        io: &mut Io,
    ) {
        let args = invocation.args;
        let (start, query) = precommand_options(name, args);
        let rest = args.get(start..).unwrap_or_default();
        if query || rest.is_empty() {
            if query {
                self.print_output(args, state, io);
            }
            if name == b"exec" {
                self.open_descriptors(invocation.redirections, state);
            }
            return;
        }
        let via = local(&String::from_utf8_lossy(name));
        let inner = Invocation {
            args: rest,
            ..*invocation
        };
        self.behind(via, |machine| match name {
            b"exec" => {
                machine.program(&inner, &mut state.clone(), io);
                state.left = true;
            }
            _ => machine.deeper(inner.span, |machine| {
                machine.behind_precommand(&inner, state, io)
            }),
        });
    }

    /// Runs the command behind `command` or `builtin`: a known name is no function.
    fn behind_precommand(&mut self, invocation: &Invocation<'_>, state: &mut State, io: &mut Io) {
        let args = invocation.args;
        let name = args.first().and_then(|arg| arg.value.bytes());
        match name {
            Some(name) if is_builtin(&name) => {
                self.emit(
                    args,
                    invocation.environment,
                    invocation.redirections,
                    io,
                    invocation.span,
                    state,
                );
                self.builtin(&name, invocation, state, io);
            }
            Some(_) => self.program(invocation, state, io),
            None => self.invoke(invocation, state, io),
        }
    }

    /// `source file args`
    pub(super) fn source(&mut self, args: &[Arg], state: &mut State, io: &mut Io) {
        let mut words = args.iter().skip(1).filter(|arg| !arg.value.is(b"--"));
        let Some(file) = words.next() else { return };
        let parameters: Vec<Value> = words.map(|arg| arg.value.clone()).collect();
        let standard_input = self.descriptor(&file.value, state) == Some(0);
        let found = if standard_input {
            io.stdin
                .as_deref()
                .cloned()
                .map(|text| (self.loaded(text), self.reach))
        } else {
            self.script(&file.value, file.span, state)
        };
        let via = local("source");
        let Some((content, reach)) = found else {
            self.behind(via, |m| {
                m.unread_script(&file.value, file.span, b"source", state);
            });
            return;
        };
        let outer = Rc::clone(&state.parameters);
        let given = (!parameters.is_empty()).then(|| {
            Rc::new(Parameters {
                zero: outer.zero.clone(),
                values: parameters,
                open: false,
            })
        });
        if let Some(given) = &given {
            state.parameters = Rc::clone(given);
        }
        self.returns.push(Vec::new());
        self.behind(via, |machine| {
            let dialect = machine.dialect;
            if standard_input {
                // Not a file: each reading finds other text in it.
                let mut inner = Io {
                    stdin: None,
                    captured: io.captured.take(),
                    errors: io.errors,
                };
                machine.shell_text(&content, file.span, b"source", state, &mut inner);
                io.captured = inner.captured;
                return;
            }
            machine.script_text(&file.value, &content, reach, file.span, dialect, state, io);
        });
        for (mut returned, printed) in self.returns.pop().unwrap_or_default() {
            returned.left = false;
            self.join(state, &returned);
            io.join(printed);
        }
        state.left = false;
        // `set` in the file sets the parameters of its reader, unless they were given for it alone.
        if given.is_some_and(|given| Rc::ptr_eq(&given, &state.parameters)) {
            state.parameters = outer;
        }
    }
}

/// Where the command behind `exec`, `command` or `builtin` starts, and whether it is only asked for
/// (`command -v`).
fn precommand_options(name: &[u8], args: &[Arg]) -> (usize, bool) {
    let mut start = 1;
    let mut query = false;
    while let Some(bytes) = args.get(start).and_then(|arg| arg.value.bytes()) {
        let [b'-', flags @ ..] = &*bytes else { break };
        start += 1;
        if flags == b"-" {
            break;
        }
        match name {
            b"command" => query |= flags.iter().any(|flag| matches!(flag, b'v' | b'V')),
            b"exec" if flags.last() == Some(&b'a') => start += 1,
            _ => {}
        }
    }
    (start, query)
}
