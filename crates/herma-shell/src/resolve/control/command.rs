//! One command with its redirections.

use std::rc::Rc;

use crate::execution::{Arg, Redirection};
use crate::resolve::files::descriptors::close_descriptors;
use crate::resolve::machine::state::{Descriptor, Slot, State};
use crate::resolve::machine::{Io, Machine};
use crate::source::Span;
use crate::syntax::{Command, CommandKind, List, Redirect, RedirectOp};
use crate::value::{Origin, Value};

/// Where standard output goes.
pub(crate) enum Sink {
    /// Where it went before.
    Same,
    /// Into this file, absolute path.
    File { path: Vec<u8>, append: bool },
    /// Into a process substitution; index into the pending ones.
    Process(usize),
}

/// The effect of a command's redirections.
pub(crate) struct Routes<'t> {
    pub(crate) redirections: Vec<Redirection>,
    pub(crate) sink: Sink,
    /// Output process substitutions among words and targets: path and commands.
    pub(crate) pending: Vec<(Vec<u8>, &'t List)>,
    /// Descriptors that are open while the command runs.
    pub(crate) opened: Vec<u32>,
    /// Another descriptor is what standard output was before it went to a file (`2>&1 >file`).
    pub(crate) kept: bool,
    /// zsh: other files that get the output too.
    pub(crate) copies: Vec<Sink>,
}

impl Machine<'_> {
    /// Runs a command with its redirections.
    pub(crate) fn command(&mut self, command: &Command, state: &mut State, io: &mut Io) {
        if !self.spend(1) {
            return;
        }
        self.deeper(command.span, |machine| {
            if command.redirects.is_empty() || matches!(command.kind, CommandKind::Simple(_)) {
                machine.compound(command, state, io);
            } else {
                machine.in_every_reading(state, io, |machine, state, io| {
                    machine.redirected(command, state, io);
                });
            }
        });
    }

    /// A compound command with redirections. They are reported as those of a `:` of their own too,
    /// since nothing inside need be a program.
    fn redirected(&mut self, command: &Command, state: &mut State, io: &mut Io) {
        let mut inner = Io {
            stdin: io.stdin.clone(),
            captured: io.captured.clone(),
            errors: io.errors,
        };
        let before = state.descriptors.clone();
        let routes = self.routes(&command.redirects, state, &mut inner);
        let refused = self.when_refused(&routes.redirections, state, io);
        let marker = Arg {
            value: Value::computed(b":".as_slice()),
            span: command.span,
        };
        self.emit(
            &[marker],
            &[],
            &routes.redirections,
            &inner,
            command.span,
            state,
        );
        let depth = self.redirections.len();
        self.redirections
            .extend(routes.redirections.iter().cloned());
        self.redirections.truncate(depth + 16);
        match routes.sink {
            Sink::Same => {
                self.compound(command, state, &mut inner);
                io.captured = inner.captured;
            }
            Sink::File { .. } | Sink::Process(_) => {
                inner.captured = Some(vec![Value::empty()]);
                self.compound(command, state, &mut inner);
                let texts = inner.captured.take().unwrap_or_default();
                self.deliver(&routes, &texts, state);
                io.captured = self.and_into_pipe(io.captured.take(), &texts);
                self.kept(&routes, texts, io);
            }
        }
        self.redirections.truncate(depth);
        close_descriptors(&routes, &before, state);
        self.run_pending(&routes, None, state);
        self.join_refused(refused, state, io);
    }

    /// Hands printed text, in every reading, to where it goes.
    pub(crate) fn deliver(&mut self, routes: &Routes<'_>, texts: &[Value], state: &mut State) {
        for sink in routes.copies.iter().chain(std::iter::once(&routes.sink)) {
            match sink {
                Sink::Same => {}
                Sink::File { path, append } => self.write_file(state, path, texts, *append),
                Sink::Process(index) => {
                    if let Some((_, list)) = routes.pending.get(*index) {
                        for text in texts {
                            self.feed(list, Some(text.clone()), state);
                        }
                    }
                }
            }
        }
    }

    /// What may have gone where standard output went before, by a descriptor that kept it: any of
    /// what was printed, or complaints.
    pub(crate) fn kept(&mut self, routes: &Routes<'_>, texts: Vec<Value>, io: &mut Io) {
        if routes.kept && io.captured.is_some() {
            let mut readings = texts;
            readings.push(Value::unknown_words(Origin::Output(Vec::new())));
            self.append_readings(io, readings);
        }
    }

    /// zsh: what a command printed into a file arrives in a pipe too.
    pub(crate) fn and_into_pipe(
        &self,
        outside: Option<Vec<Value>>,
        texts: &[Value],
    ) -> Option<Vec<Value>> {
        let mut outside = outside?;
        if self.dialect == crate::syntax::Dialect::Zsh {
            let before = outside.clone();
            for text in texts {
                for reading in &before {
                    let mut both = reading.clone();
                    both.append(text);
                    if !outside.contains(&both) {
                        outside.push(both);
                    }
                }
            }
            crate::resolve::machine::bound_readings(&mut outside);
        }
        Some(outside)
    }

    /// Runs output process substitutions that were named by words; what arrives in them is `text`
    /// when known (`tee`).
    pub(crate) fn run_pending(
        &mut self,
        routes: &Routes<'_>,
        text: Option<&Value>,
        state: &mut State,
    ) {
        for (index, (path, list)) in routes.pending.iter().enumerate() {
            if self.stays_open(path, list, state) {
                continue;
            }
            if matches!(routes.sink, Sink::Process(taken) if taken == index) {
                continue;
            }
            let text = match text {
                Some(text) => text.clone(),
                None => self.arrived(path, state),
            };
            self.feed(list, Some(text), state);
        }
    }

    pub(crate) fn feed(&mut self, list: &List, stdin: Option<Value>, state: &State) {
        let mut inner = state.clone();
        self.list(
            list,
            &mut inner,
            &mut Io {
                stdin: stdin.map(Rc::new),
                captured: None,
                errors: false,
            },
        );
    }

    /// Expands redirections and routes standard input.
    pub(crate) fn routes<'t>(
        &mut self,
        redirects: &'t [Redirect],
        state: &mut State,
        io: &mut Io,
    ) -> Routes<'t> {
        let mut routes = Routes {
            redirections: Vec::new(),
            sink: Sink::Same,
            pending: Vec::new(),
            opened: Vec::new(),
            kept: false,
            copies: Vec::new(),
        };
        for redirect in redirects {
            let first_pending = routes.pending.len();
            let target = self.redirect_target(redirect, state, &mut routes.pending);
            match redirect.op {
                RedirectOp::HereDoc | RedirectOp::HereString if is_input(redirect) => {
                    io.stdin = Some(Rc::new(target.clone()));
                }
                RedirectOp::Read | RedirectOp::ReadWrite
                    if is_input(redirect) && self.descriptor(&target, state) != Some(0) =>
                {
                    let mut text = self.file_as_input(&target, None, state);
                    let again = routes.redirections.iter().any(|before| {
                        before.op == RedirectOp::Read && before.fd.is_none_or(|fd| fd == 0)
                    });
                    if self.dialect == crate::syntax::Dialect::Zsh
                        && again
                        && let Some(mut first) = io.stdin.take()
                    {
                        // Each file in turn.
                        Rc::make_mut(&mut first).append(&text);
                        text = Rc::unwrap_or_clone(first);
                    }
                    io.stdin = Some(Rc::new(text));
                }
                // `>&file`
                RedirectOp::DupOut
                    if is_output(redirect) && target.is_known() && !is_number(&target) =>
                {
                    if self.dialect != crate::syntax::Dialect::Zsh {
                        // Once it is no number, bash expands the name again.
                        self.substitutions_in(&target, redirect.target.span, state);
                    }
                    routes.sink =
                        self.sink(RedirectOp::Both, &target, &routes, first_pending, state);
                    io.errors = true;
                }
                RedirectOp::DupIn | RedirectOp::DupOut => {
                    self.duplicate(redirect, &target, &mut routes, state, io);
                    if !is_output(redirect) && !is_input(redirect) && !target.is(b"2") {
                        routes.kept |= matches!(routes.sink, Sink::Same);
                        io.errors |= redirect.fd == Some(2);
                    }
                }
                RedirectOp::Write
                | RedirectOp::Append
                | RedirectOp::Clobber
                | RedirectOp::Both
                | RedirectOp::BothAppend
                | RedirectOp::ReadWrite
                    if is_output(redirect)
                        && (redirect.op != RedirectOp::ReadWrite || redirect.fd == Some(1)) =>
                {
                    let sink = self.sink(redirect.op, &target, &routes, first_pending, state);
                    let before = std::mem::replace(&mut routes.sink, sink);
                    if self.dialect == crate::syntax::Dialect::Zsh {
                        routes.copies.push(before);
                    }
                    io.errors |= matches!(redirect.op, RedirectOp::Both | RedirectOp::BothAppend);
                }
                _ if redirect.fd == Some(2) => io.errors = false,
                _ => {}
            }
            let mut fd = redirect.fd;
            if let Some(name) = &redirect.variable {
                // The shell picks a free descriptor from 10 on.
                let number = 10 + u32::try_from(state.descriptors.len()).unwrap_or(0);
                fd = Some(number);
                let text = Value::computed(number.to_string());
                self.assign(state, name, Slot::Scalar(text), false);
            }
            let redirection = Redirection {
                op: redirect.op,
                fd,
                target,
                span: redirect.span,
            };
            if fd == Some(1) && redirection.op == RedirectOp::ReadWrite {
                self.forget_file(&redirection.target, state);
            }
            if let Some(number) = fd.filter(|number| *number > 1) {
                self.open_descriptors(std::slice::from_ref(&redirection), state);
                // One that the shell picked stays open.
                if redirect.variable.is_none() {
                    routes.opened.push(number);
                }
            }
            routes.redirections.push(redirection);
        }
        routes
    }

    /// The text of a here-document or here-string, or the word that names the target.
    fn redirect_target<'t>(
        &mut self,
        redirect: &'t Redirect,
        state: &mut State,
        pending: &mut Vec<(Vec<u8>, &'t List)>,
    ) -> Value {
        match redirect.op {
            RedirectOp::HereDoc => {
                let body = redirect.body.as_ref().unwrap_or(&redirect.target);
                self.expand_here_document(body, state)
            }
            RedirectOp::HereString => {
                let mut text = self.expand_single(&redirect.target, state);
                text.push_text(b"\n", None);
                text
            }
            _ => self.expand_target(&redirect.target, state, pending),
        }
    }

    /// `<&n`, `>&n`: standard input or output becomes what the descriptor `n` is open on.
    fn duplicate(
        &mut self,
        redirect: &Redirect,
        target: &Value,
        routes: &mut Routes<'_>,
        state: &State,
        io: &mut Io,
    ) {
        let input = is_input(redirect);
        let number = number_of(target);
        let written = number.and_then(|number| state.written_by(number));
        let read = number.filter(|number| !state.descriptor_inputs(*number).is_empty());
        match opened(target, state) {
            Some(_)
                if is_output(redirect)
                    && written.is_some()
                    && (redirect.op == RedirectOp::DupOut || read.is_none()) =>
            {
                if let Some(path) = written.cloned() {
                    routes.sink = Sink::File { path, append: true };
                }
            }
            Some(_) if input && read.is_some() => {
                io.stdin = read.and_then(|number| self.descriptor_input(number, state));
            }
            None if input && redirect.op == RedirectOp::DupIn => {
                if let Some(text) = unopened_input(target, &routes.redirections) {
                    io.stdin = Some(Rc::new(text));
                }
            }
            _ => {}
        }
    }

    fn sink(
        &mut self,
        op: RedirectOp,
        target: &Value,
        routes: &Routes<'_>,
        first_pending: usize,
        state: &mut State,
    ) -> Sink {
        if let Some((path, _)) = routes.pending.get(first_pending)
            && target.is(path)
        {
            return Sink::Process(first_pending);
        }
        let path = match self.descriptor(target, state) {
            Some(number) => state.written_by(number).cloned(),
            None => self.located(target, state),
        };
        // What stays may be all that there is.
        let stays = state.no_clobber && op != RedirectOp::Clobber || op == RedirectOp::ReadWrite;
        let append = matches!(op, RedirectOp::Append | RedirectOp::BothAppend)
            || stays && path.as_ref().is_some_and(|path| state.files.contains(path));
        match path {
            Some(path) => {
                if !append {
                    self.write_file(state, &path, &[Value::empty()], false);
                }
                Sink::File { path, append }
            }
            None => Sink::Same,
        }
    }

    /// What reading this file gives: what the line wrote, what a descriptor is open on (`stdin` is
    /// standard input), or the file by name.
    pub(crate) fn file_as_input(
        &mut self,
        target: &Value,
        stdin: Option<&Value>,
        state: &State,
    ) -> Value {
        if let Some(open) = self.descriptor_by_path(target, stdin, state) {
            return open;
        }
        let mut own = self.located(target, state);
        if target.has_glob() {
            // The one file that the pattern matches; files that were there before are not known.
            own = own.and_then(|pattern| self.matched(&pattern, state));
            if own.is_none() {
                return Value::unknown_words(Origin::File(Vec::new()));
            }
        }
        if let Some(content) = own.and_then(|path| self.content_of(&path, state)) {
            return content;
        }
        match self.absolute(target, state) {
            Some(path) if path.starts_with(b"/dev/tcp/") || path.starts_with(b"/dev/udp/") => {
                Value::unknown_words(Origin::Fetched)
            }
            Some(path) => Value::unknown_words(Origin::File(path)),
            None if target.is_fetched() => Value::unknown_words(Origin::Fetched),
            None => Value::unknown_words(Origin::File(Vec::new())),
        }
    }

    /// Reports an execution with what surrounds it.
    pub(crate) fn emit(
        &mut self,
        argv: &[Arg],
        environment: &[crate::Binding],
        redirections: &[Redirection],
        io: &Io,
        span: Span,
        state: &State,
    ) {
        let Some(first) = argv.first() else { return };
        // An execution keeps copies of what surrounds it: their size is work.
        let input = io.stdin.as_ref().map_or(0, |text| text.size());
        let own = |redirection: &Redirection| {
            matches!(redirection.op, RedirectOp::HereDoc | RedirectOp::HereString)
        };
        let keeps = redirections.iter().any(own) || self.affords(input as u64 / 2);
        let stdin = if keeps {
            io.stdin.as_deref().cloned()
        } else {
            Some(Value::unknown_words(Origin::Other))
        };
        let input = if keeps { input } else { 0 };
        let targets: usize = redirections
            .iter()
            .map(|redirection| redirection.target.size())
            .sum();
        // Relative words are judged with the directory in front of them.
        let words: usize = argv.iter().map(|arg| 256 + arg.value.size()).sum();
        let words = words + state.place.cwd.size();
        if !self.spend(30 + ((input + targets) / 2 + words / 8) as u64) {
            return;
        }
        let cwd = self.shared_cwd(state);
        let mut around = self.redirections.clone();
        around.extend_from_slice(redirections);
        let execution = crate::Execution {
            at: first.value.first_written().unwrap_or(first.span.start),
            argv: argv.to_vec(),
            span,
            environment: self.environment(environment, state),
            redirections: around,
            stdin,
            cwd,
            via: self.via.clone(),
            kind: crate::Kind::Program,
            reach: self.reach,
            captured: self.substitutions > 0,
            script: None,
        };
        let led = self.redirections_through_links(&execution.redirections, state);
        let through_links = led.map(|redirections| crate::Execution {
            redirections,
            ..execution.clone()
        });
        self.execution(execution);
        if let Some(execution) = through_links {
            self.execution(execution);
        }
    }
}

/// Whether a redirection is one of standard input.
fn is_input(redirect: &Redirect) -> bool {
    redirect.fd.unwrap_or(0) == 0 && redirect.variable.is_none()
}

/// Whether a redirection is one of standard output.
fn is_output(redirect: &Redirect) -> bool {
    redirect.fd.unwrap_or(1) == 1 && redirect.variable.is_none()
}

/// What comes from a descriptor that `exec` did not open.
fn unopened_input(target: &Value, earlier: &[Redirection]) -> Option<Value> {
    if !is_number(target) {
        // A coprocess: what it gives cannot be known.
        return Some(Value::unknown_words(Origin::Other));
    }
    // A redirection of the same command counts, a here-document for one.
    let number = target.bytes()?;
    let other = earlier.iter().rev().find(|other| {
        other
            .fd
            .is_some_and(|fd| *number == *fd.to_string().as_bytes())
    })?;
    Some(match other.op {
        RedirectOp::HereDoc | RedirectOp::HereString => other.target.clone(),
        _ => Value::unknown_words(Origin::File(other.target.known_prefix())),
    })
}

/// A descriptor's number, or `-`.
fn is_number(target: &Value) -> bool {
    target.bytes().is_some_and(|bytes| {
        !bytes.is_empty()
            && bytes
                .iter()
                .all(|byte| byte.is_ascii_digit() || *byte == b'-')
    })
}

/// What the descriptor that a word names is open on.
pub(crate) fn opened<'s>(target: &Value, state: &'s State) -> Option<&'s Descriptor> {
    state.descriptor(number_of(target)?)
}

/// The number of the descriptor that a word names.
pub(crate) fn number_of(target: &Value) -> Option<u32> {
    let digits = target.bytes()?;
    let digits = digits.strip_suffix(b"-").unwrap_or(&digits);
    std::str::from_utf8(digits).ok()?.parse().ok()
}
