//! Simple commands: words, redirections, assignments, then what the name stands for.

use std::rc::Rc;

use crate::execution::{Arg, Binding, FactKind, Redirection};
use crate::resolve::control::command::{Routes, Sink};
use crate::resolve::files::descriptors::close_descriptors;
use crate::resolve::machine::state::{Descriptor, Slot, State, unset};
use crate::resolve::machine::{Io, Machine};
use crate::source::Span;
use crate::syntax::{List, Part, Simple, Word};
use crate::value::{Origin, Piece, Value};
use crate::world::Listing;

/// Builtins whose operands are assignments.
pub(crate) const DECLARATIONS: [&[u8]; 5] =
    [b"declare", b"typeset", b"local", b"export", b"readonly"];

/// How many programs a pattern in command position is followed to.
const MAX_MATCHES: usize = 64;

/// A command that is about to run.
pub(crate) struct Invocation<'a> {
    pub(crate) args: &'a [Arg],
    pub(crate) environment: &'a [Binding],
    pub(crate) redirections: &'a [Redirection],
    pub(crate) span: Span,
}

impl Machine<'_> {
    /// Runs the command once for each combination of the values that its names may have.
    pub(crate) fn simple(&mut self, simple: &Simple, span: Span, state: &mut State, io: &mut Io) {
        self.run_before_each(state);
        // Whether aliases count depends on run-time options: both readings.
        let aliased = self.aliased(simple, span, state, io);
        self.in_every_reading(state, io, |machine, state, io| {
            machine.simple_once(simple, span, state, io);
        });
        for (end, printed) in aliased {
            self.join(state, &end);
            io.join(printed);
        }
    }

    /// What a trap runs in front of each command: it may have run, and what it sets counts.
    fn run_before_each(&mut self, state: &mut State) {
        let Some(trap) = state.before_each.take() else {
            return;
        };
        let mut after = state.clone();
        self.text_behind("trap", &trap.0, trap.1, &mut after, &mut Io::default());
        after.left = false;
        self.join(state, &after);
        state.before_each = Some(trap);
    }

    /// Runs the command with the values that are picked for its names.
    fn simple_once(&mut self, simple: &Simple, span: Span, state: &mut State, io: &mut Io) {
        let mut pending = Vec::new();
        let declaration = simple
            .words
            .first()
            .and_then(literal)
            .is_some_and(|name| DECLARATIONS.contains(&name));
        self.bad_substitution = false;
        // Declarations set their names before redirections are made here.
        let undeclared =
            (declaration && !simple.redirects.is_empty()).then(|| Box::new(state.clone()));
        let mut args = if declaration {
            self.declare(&simple.words, state)
        } else {
            self.expand_words_with(&simple.words, state, &mut pending)
        };
        if std::mem::take(&mut self.bad_substitution) && args.len() > 1 {
            // It prints nothing.
            args.truncate(1);
            args.push(Arg {
                value: Value::unknown_words(Origin::Other),
                span,
            });
        }
        if let ([only], [_, word, ..]) = (args.as_slice(), simple.words.as_slice())
            && only.value.is(b"cd")
        {
            // Words that came to nothing are not the same as none.
            let value = unset(b"");
            args.push(Arg {
                value,
                span: word.span,
            });
        }
        let mut inner = Io {
            stdin: io.stdin.clone(),
            captured: io.captured.take(),
            errors: io.errors,
        };
        let before = state.descriptors.clone();
        let routes = self.simple_routes(simple, pending, state, &mut inner);
        let copies = args.is_empty()
            && self.dialect == crate::syntax::Dialect::Zsh
            && simple.words.is_empty()
            && simple.assignments.is_empty()
            && !simple.redirects.is_empty();
        if copies {
            // Redirections alone copy their input.
            args.push(Arg {
                value: Value::computed(b"cat".as_slice()),
                span,
            });
        }
        if args.is_empty() {
            self.keep_last_argument(Value::empty(), state);
            self.without_words(simple, span, &routes, &inner, state);
            io.captured = inner.captured;
            // A process behind the redirection runs, with nothing to read.
            self.deliver(&routes, &[Value::empty()], state);
            close_descriptors(&routes, &before, state);
            self.run_pending(&routes, None, state);
            return;
        }
        let mut refused = self.when_refused(&routes.redirections, state, &inner);
        if state.no_unset && refused.is_none() && args.iter().any(|arg| arg.value.has_unset()) {
            refused = Some(Box::new((state.clone(), inner.clone())));
        }
        if let (Some(refused), Some(undeclared)) = (&mut refused, undeclared) {
            refused.0 = *undeclared;
        }
        if self.dialect == crate::syntax::Dialect::Zsh {
            args = self.zsh_words(args, state);
        }
        if self.dialect.is_windows() {
            args = self.windows_words(args, state, &mut inner);
        }
        if !simple.redirects.is_empty() {
            self.names_of_descriptors(&args, state);
        }
        let environment = self.bindings(simple, state);
        let redirected = !matches!(routes.sink, Sink::Same);
        let outside = redirected
            .then(|| inner.captured.replace(vec![Value::empty()]))
            .flatten();
        let invocation = Invocation {
            args: &args,
            environment: &environment,
            redirections: &routes.redirections,
            span,
        };
        self.declared_as_written = declaration;
        self.invoke(&invocation, state, &mut inner);
        self.declared_as_written = false;
        if state.null_glob {
            self.without_patterns(&invocation, state);
        }
        self.without_depth(&invocation, state);
        if redirected {
            let texts = inner.captured.take().unwrap_or_default();
            self.deliver(&routes, &texts, state);
            io.captured = self.and_into_pipe(outside, &texts);
            self.kept(&routes, texts, io);
        } else {
            io.captured = inner.captured.take();
        }
        if !may_be_exec(&args) {
            close_descriptors(&routes, &before, state);
        }
        self.finish_pending(&routes, &args, &inner, state);
        self.join_refused(refused, state, io);
        if let Some(last) = args.last() {
            self.keep_last_argument(last.value.clone(), state);
        }
    }

    /// `{name[subscript]}>file`: the subscript is evaluated, and that it is no word does not matter
    /// much.
    fn names_of_descriptors(&mut self, args: &[Arg], state: &mut State) {
        for arg in args {
            let text = arg.value.bytes().unwrap_or_default();
            if let [b'{', name @ .., b']', b'}'] = &*text
                && let Some(open) = name.iter().position(|byte| *byte == b'[')
            {
                let subscript = Value::computed(name.get(open + 1..).unwrap_or_default());
                self.substitutions_in(&subscript, arg.span, state);
            }
        }
    }

    /// `$_` behind a command.
    fn keep_last_argument(&self, value: Value, state: &mut State) {
        state.last_argument = Rc::new(match self.dialect {
            // dash keeps what it was started with.
            crate::syntax::Dialect::Posix => Value::unknown_words(Origin::Variable(b"_".to_vec())),
            _ => value,
        });
    }

    /// Standard input and output as `exec` and the command's redirections say; `pending` are the
    /// process substitutions among its words.
    fn simple_routes<'t>(
        &mut self,
        simple: &'t Simple,
        mut pending: Vec<(Vec<u8>, &'t List)>,
        state: &mut State,
        io: &mut Io,
    ) -> Routes<'t> {
        if io.stdin.is_none() {
            io.stdin = self.descriptor_input(0, state);
        }
        let mut routes = self.routes(&simple.redirects, state, io);
        if let (Sink::Same, Some(Descriptor::Output(path))) = (&routes.sink, state.descriptor(1)) {
            routes.sink = Sink::File {
                path: path.clone(),
                append: true,
            };
        }
        if let Sink::Process(index) = &mut routes.sink {
            *index += pending.len();
        }
        pending.append(&mut routes.pending);
        routes.pending = pending;
        routes
    }

    /// With `nullglob`: the reading in which no pattern matches.
    fn without_patterns(&mut self, invocation: &Invocation<'_>, state: &State) {
        if !invocation.args.iter().any(|arg| arg.value.has_glob()) {
            return;
        }
        let args: Vec<Arg> = invocation
            .args
            .iter()
            .filter(|arg| !arg.value.has_glob())
            .cloned()
            .collect();
        let without = Invocation {
            args: &args,
            ..*invocation
        };
        self.invoke(&without, &mut state.clone(), &mut Io::default());
    }

    /// What arrives in output process substitutions among the words: `tee`'s input is known.
    fn finish_pending(&mut self, routes: &Routes<'_>, args: &[Arg], io: &Io, state: &mut State) {
        let tee = args.first().is_some_and(|arg| arg.value.is(b"tee"));
        let text = if tee { io.stdin.as_deref() } else { None };
        self.run_pending(routes, text, state);
    }

    /// Runs what the first word names: a function, a builtin, or a program.
    pub(crate) fn invoke(&mut self, invocation: &Invocation<'_>, state: &mut State, io: &mut Io) {
        let Some(first) = invocation.args.first() else {
            return;
        };
        let mut run = |machine: &mut Self| match first.value.bytes() {
            Some(name) => machine.invoke_named(&name, invocation, state, io),
            None => machine.invoke_unknown(first, invocation, state, io),
        };
        self.deeper(invocation.span, |machine| run(machine));
    }

    fn invoke_named(
        &mut self,
        name: &[u8],
        invocation: &Invocation<'_>,
        state: &mut State,
        io: &mut Io,
    ) {
        let Some(first) = invocation.args.first() else {
            return;
        };
        if first.value.has_glob() {
            self.invoke_pattern(name, invocation, state, io);
        }
        if !name.contains(&b'/') && state.functions.contains(name) {
            // Assignments in front of a function hold while it runs.
            for binding in invocation.environment {
                self.assign(
                    state,
                    &binding.name,
                    Slot::Scalar(binding.value.clone()),
                    false,
                );
            }
            let before = (state.clone(), io.clone());
            if self.call(name, invocation.args, invocation.span, state, io) {
                return;
            }
            // The readings in which it is a program.
            let called = (
                std::mem::replace(state, before.0),
                std::mem::replace(io, before.1),
            );
            self.invoke_no_function(name, invocation, state, io);
            self.join(state, &called.0);
            io.join(called.1);
            return;
        }
        self.invoke_no_function(name, invocation, state, io);
    }

    /// Runs a builtin or a program.
    fn invoke_no_function(
        &mut self,
        name: &[u8],
        invocation: &Invocation<'_>,
        state: &mut State,
        io: &mut Io,
    ) {
        if !name.contains(&b'/') && crate::resolve::builtins::is_builtin(name) {
            self.emit(
                invocation.args,
                invocation.environment,
                invocation.redirections,
                io,
                invocation.span,
                state,
            );
            self.builtin_with_environment(name, invocation, state, io);
            return;
        }
        self.not_found(name, invocation, state, io);
        let remembered = state.hashed.get(name).cloned();
        let Some(path) = remembered.filter(|_| !name.contains(&b'/')) else {
            self.program(invocation, state, io);
            return;
        };
        // It may have been forgotten since: another reading, never the only one.
        let mut args = invocation.args.to_vec();
        if let Some(first) = args.first_mut() {
            first.value = path;
        }
        let hashed = Invocation {
            args: &args,
            ..*invocation
        };
        let mut other = (state.clone(), io.clone());
        match args.first().filter(|first| !first.value.is_known()) {
            Some(first) => self.invoke_unknown(first, &hashed, &mut other.0, &mut other.1),
            None => self.program(&hashed, &mut other.0, &mut other.1),
        }
        self.program(invocation, state, io);
        self.join(state, &other.0);
        io.join(other.1);
    }

    /// What the shell calls where it finds no program of that name, in a process of its own.
    fn not_found(&mut self, name: &[u8], invocation: &Invocation<'_>, state: &mut State, io: &Io) {
        let handler = b"command_not_found_handle".as_slice();
        let in_handler = self.active.iter().any(|call| call.name == handler);
        if name.contains(&b'/') || in_handler || !state.functions.contains(handler) {
            return;
        }
        let value = Value::computed(handler);
        let span = invocation.span;
        let mut args = vec![Arg { value, span }];
        args.extend_from_slice(invocation.args);
        let mut called = state.clone();
        let mut printed = io.clone();
        self.in_own_process(&mut called, |machine, called| {
            machine.call(handler, &args, span, called, &mut printed);
        });
        let mut after = state.clone();
        after.keep_files(&called);
        self.join(state, &after);
    }

    /// A name that cannot be known. When only the directory is unknown, the last component counts.
    fn invoke_unknown(
        &mut self,
        first: &Arg,
        invocation: &Invocation<'_>,
        state: &mut State,
        io: &mut Io,
    ) {
        let suffix = first.value.known_suffix();
        if suffix
            .iter()
            .rposition(|byte| *byte == b'/')
            .is_some_and(|slash| slash + 1 < suffix.len())
        {
            self.program(invocation, state, io);
            return;
        }
        let kind = if first.value.is_fetched() {
            FactKind::CodeFetched
        } else {
            FactKind::CommandUnresolved
        };
        self.fact(kind, first.span, b"");
        self.program(invocation, state, io);
        // It may expand to nothing: then the next word is the name.
        let nothing = first.value.pieces.iter().all(|piece| match piece {
            Piece::Unknown(unknown) => unknown.many,
            Piece::Unset(_) => true,
            _ => false,
        });
        if nothing && invocation.args.len() > 1 {
            let args = invocation.args.get(1..).unwrap_or_default();
            self.invoke(
                &Invocation {
                    args,
                    ..*invocation
                },
                state,
                io,
            );
        }
    }

    /// A pattern as a name: the programs that matter among those that it could match.
    fn invoke_pattern(
        &mut self,
        pattern: &[u8],
        invocation: &Invocation<'_>,
        state: &mut State,
        io: &mut Io,
    ) {
        let slash = pattern.iter().rposition(|byte| *byte == b'/');
        let (directory, base) = pattern.split_at(slash.map_or(0, |slash| slash + 1));
        if base.contains(&b'(') {
            // An extended pattern: which programs it could name is not followed.
            let span = invocation
                .args
                .first()
                .map_or(invocation.span, |arg| arg.span);
            self.fact(FactKind::CommandUnresolved, span, b"");
            return;
        }
        if !base.iter().any(|byte| matches!(byte, b'*' | b'?' | b'[')) {
            return;
        }
        // Without a directory the pattern names files of the working directory.
        let place = if directory.is_empty() {
            b".".as_slice()
        } else {
            directory
        };
        let place = self.absolute(&Value::computed(place), state);
        let in_programs = place.as_ref().is_some_and(|place| place.ends_with(b"bin"))
            || directory
                .iter()
                .any(|byte| matches!(byte, b'*' | b'?' | b'['));
        let mut names: Vec<Vec<u8>> = Vec::new();
        if in_programs {
            names.extend(super::command_names::matching(base).map(<[u8]>::to_vec));
        }
        let unresolved = match place.map(|place| self.world.list(&place)) {
            Some(Listing::Names(listed)) => {
                self.spend(listed.len() as u64);
                let matching = listed
                    .into_iter()
                    .filter(|name| crate::resolve::values::pattern::matches(base, name));
                names.extend(matching.take(MAX_MATCHES + 1));
                names.len() > MAX_MATCHES
            }
            Some(Listing::Unreadable) => true,
            Some(Listing::Missing) | None => false,
        };
        if unresolved {
            let span = invocation
                .args
                .first()
                .map_or(invocation.span, |arg| arg.span);
            self.fact(FactKind::CommandUnresolved, span, b"");
        }
        for name in names {
            let mut args = invocation.args.to_vec();
            if let Some(first) = args.first_mut() {
                let at = first.value.first_written();
                let mut value = Value::empty();
                value.push_text(&[directory, &name].concat(), at);
                first.value = value;
            }
            self.program(
                &Invocation {
                    args: &args,
                    ..*invocation
                },
                &mut state.clone(),
                io,
            );
        }
    }

    /// Runs a program: reports it, follows what it hands on, notes what it prints and writes.
    pub(crate) fn program(&mut self, invocation: &Invocation<'_>, state: &mut State, io: &mut Io) {
        if let Some(args) = self.shell_itself(invocation.args) {
            let shell = Invocation {
                args: &args,
                ..*invocation
            };
            self.program(&shell, state, io);
            return;
        }
        self.emit(
            invocation.args,
            invocation.environment,
            invocation.redirections,
            io,
            invocation.span,
            state,
        );
        if let Some(args) = self.through_links(invocation.args, state) {
            self.emit(
                &args,
                invocation.environment,
                invocation.redirections,
                io,
                invocation.span,
                state,
            );
        }
        self.rewrite(invocation.args, io, state);
        self.write_outputs(invocation.args, io, state);
        self.write_products(invocation.args, io, state);
        self.carried(invocation.args, invocation.environment, state, io);
        self.program_file(invocation.args, invocation.environment, state, io);
    }

    /// The words with the shell's name where they name what a process runs (`/proc/self/exe`).
    fn shell_itself(&self, args: &[Arg]) -> Option<Vec<Arg>> {
        let first = &args.first()?.value;
        let (head, tail) = match first.bytes() {
            Some(path) if path.starts_with(b"/") => {
                let path = crate::path::normal(&path);
                (path.clone(), path)
            }
            Some(_) => return None,
            None => (first.known_prefix(), first.known_suffix()),
        };
        if !head.starts_with(b"/proc/") || !tail.ends_with(b"/exe") {
            return None;
        }
        let name: &[u8] = match self.dialect {
            crate::syntax::Dialect::Zsh => b"/bin/zsh",
            crate::syntax::Dialect::Posix => b"/bin/sh",
            _ => b"/bin/bash",
        };
        let mut args = args.to_vec();
        let shell = &mut args.first_mut()?.value;
        let at = shell.first_written();
        *shell = Value::empty();
        shell.push_text(name, at);
        Some(args)
    }

    /// `declare`, `export` and their kind: operands are assignments, not split.
    fn declare(&mut self, words: &[Word], state: &mut State) -> Vec<Arg> {
        let mut args = Vec::new();
        for (index, word) in words.iter().enumerate() {
            if index > 0 && self.is_declared(word) {
                let value = self.expand_single(word, state);
                args.push(Arg {
                    value,
                    span: word.span,
                });
            } else {
                self.expand_word(word, state, &mut Vec::new(), &mut args);
            }
        }
        self.apply_declaration(words, &args, state);
        args
    }
}

/// The bytes of a word without quotes and expansions.
pub(crate) fn literal(word: &Word) -> Option<&[u8]> {
    match word.parts.as_slice() {
        [Part::Literal(text)] => Some(&text.bytes),
        _ => None,
    }
}

/// `name=…`, `name+=…`, `name[…]=…` as an operand.
pub(crate) fn is_assignment(word: &Word) -> bool {
    let Some(Part::Literal(text)) = word.parts.first() else {
        return false;
    };
    let name = text
        .bytes
        .iter()
        .take_while(|b| b.is_ascii_alphanumeric() || **b == b'_')
        .count();
    let starts = text
        .bytes
        .first()
        .is_some_and(|b| b.is_ascii_alphabetic() || *b == b'_');
    starts && matches!(text.bytes.get(name), Some(b'=' | b'+' | b'['))
}

/// Whether redirections of these words may hold on in the shell.
fn may_be_exec(args: &[Arg]) -> bool {
    let first = args.first().map(|arg| &arg.value);
    let names = [b"exec".as_slice(), b"command", b"builtin"];
    first.is_some_and(|name| names.iter().any(|known| name.is(known)))
}

/// An unknown result of a program.
pub(crate) fn unknown_output(name: &[u8]) -> Value {
    Value::unknown_words(Origin::Output(name.to_vec()))
}
