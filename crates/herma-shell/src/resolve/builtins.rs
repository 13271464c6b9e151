//! Builtins that act on the shell itself.

use std::rc::Rc;

use super::expand::join_words;
use super::machine::{Io, Machine};
use super::parameter::array;
use super::simple::{Invocation, unknown_output};
use super::state::{Parameters, Slot, State, Variable};
use crate::execution::Arg;
use crate::value::{Origin, Value};

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
    b"coproc",
];

pub(super) fn is_builtin(name: &[u8]) -> bool {
    BUILTINS.contains(&name)
}

impl Machine<'_> {
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
            b"pushd" => self.change_directory(args, true, state),
            b"popd" => self.pop_directory(state),
            b"pwd" => {
                let mut text = state.place.cwd.clone();
                text.push_text(b"\n", None);
                io.print(&text);
            }
            b"eval" => {
                let start = usize::from(args.get(1).is_some_and(|arg| arg.value.is(b"--")));
                let words: Vec<Value> = args
                    .iter()
                    .skip(1 + start)
                    .map(|arg| arg.value.clone())
                    .collect();
                let text = join_words(words);
                if let Some(span) = span_of(args.get(1..).unwrap_or_default()) {
                    let via = super::machine::local("eval");
                    self.behind(via, |m| m.shell_text(&text, span, b"eval", state, io));
                }
            }
            b"source" | b"." => self.source(args, state, io),
            b"exec" | b"command" | b"builtin" => self.precommand(name, invocation, state, io),
            b"trap" => {
                let mut words = args.iter().skip(1).filter(|arg| !arg.value.is(b"--"));
                if let (Some(text), Some(_)) = (words.next(), words.next()) {
                    let query = text
                        .value
                        .bytes()
                        .is_some_and(|b| matches!(&*b, b"-" | b"" | b"-p" | b"-l"));
                    if !query {
                        self.defer_text(text.value.clone(), text.span);
                    }
                }
            }
            b"declare" | b"typeset" | b"export" | b"readonly"
                if args
                    .iter()
                    .skip(1)
                    .all(|arg| arg.value.known_prefix().starts_with(b"-")) =>
            {
                // All variables with their values.
                io.print(&unknown_output(b"set"));
            }
            // The name came out of an expansion, or behind `command` or `builtin`.
            b"declare" | b"typeset" | b"local" | b"export" | b"readonly"
                if !self.declared_as_written =>
            {
                self.declared(&[], args, state);
            }
            b"alias" => self.define_aliases(args, state),
            b"unalias" => {
                if args.iter().any(|arg| arg.value.is(b"-a")) {
                    state.aliases = super::map::Map::default();
                }
                for arg in args.iter().skip(1) {
                    if let Some(name) = arg.value.bytes() {
                        state.aliases.remove(&name);
                    }
                }
            }
            b"set" => {
                if args.len() == 1 {
                    io.print(&unknown_output(b"set"));
                }
                self.set(args, state);
            }
            b"shift" => {
                let count = match args.get(1).map(|arg| arg.value.bytes()) {
                    None => Some(1),
                    Some(bytes) => bytes.and_then(|b| std::str::from_utf8(&b).ok()?.parse().ok()),
                };
                let parameters = Rc::make_mut(&mut state.parameters);
                match count {
                    Some(count) if count <= parameters.values.len() => {
                        parameters.values.drain(..count);
                    }
                    Some(_) => {}
                    None => {
                        parameters.values.clear();
                        parameters.open = true;
                    }
                }
            }
            b"unset" => self.unset(args, state),
            b"read" => self.read_builtin(args, io, state),
            b"mapfile" | b"readarray" => self.mapfile(args, io, state),
            b"getopts" => {
                if let Some(name) = args.get(2).and_then(|arg| arg.value.bytes()) {
                    let unknown = Value::unknown(Origin::Variable(name.to_vec()));
                    self.assign(state, &name, Slot::Scalar(unknown), false);
                    let unknown = Value::unknown_words(Origin::Variable(b"OPTARG".to_vec()));
                    self.assign(state, b"OPTARG", Slot::Scalar(unknown), false);
                }
            }
            b"let" => {
                for arg in args.iter().skip(1) {
                    self.arithmetic_text(&arg.value, arg.span, state);
                }
            }
            b"test" | b"[" => {
                for pair in args.windows(2) {
                    if let [operator, operand] = pair
                        && (operator.value.is(b"-v") || operator.value.is(b"-R"))
                    {
                        self.arithmetic_text(&operand.value, operand.span, state);
                    }
                }
            }
            b"printf"
                if args
                    .get(1)
                    .is_some_and(|arg| arg.value.known_prefix().starts_with(b"-v")) =>
            {
                self.printf_into(args, state);
            }
            b"hash" => {
                let mut words = args.iter().skip(1);
                if words.next().is_some_and(|arg| arg.value.is(b"-p"))
                    && let (Some(path), Some(name)) = (words.next(), words.next())
                    && let Some(name) = name.value.bytes()
                {
                    state.hashed.insert(&name, path.value.clone());
                }
            }
            b"shopt" => {
                let words: Vec<_> = args.iter().filter_map(|arg| arg.value.bytes()).collect();
                let on = words.iter().any(|word| **word == *b"-s");
                if on && words.iter().any(|word| **word == *b"lastpipe") {
                    state.last_pipe = true;
                }
                if on && words.iter().any(|word| **word == *b"nullglob") {
                    state.null_glob = true;
                }
            }
            b"compgen" | b"complete" => self.completion(args, state),
            b"bind" => {
                for pair in args.windows(2) {
                    if let [flag, text] = pair
                        && flag.value.is(b"-x")
                    {
                        let shown = text.value.known_prefix();
                        let command = shown.splitn(2, |b| *b == b':').nth(1).unwrap_or_default();
                        self.defer_text(Value::computed(command), text.span);
                    }
                }
            }
            b"enable" => {}
            b"exit" | b"logout" => state.left = true,
            b"return" => self.leave_function(state, io),
            b"break" | b"continue" => self.leave_body(state, io),
            _ => {
                if io.captured.is_some() {
                    let text = self.output_of(args, io, state);
                    io.print(&text);
                }
            }
        }
    }

    /// `exec`, `command`, `builtin`: the next word is the name.
    fn precommand(
        &mut self,
        name: &[u8],
        invocation: &Invocation<'_>,
        state: &mut State,
        io: &mut Io,
    ) {
        let args = invocation.args;
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
        let rest = args.get(start..).unwrap_or_default();
        if query || rest.is_empty() {
            if query && io.captured.is_some() {
                let text = self.output_of(args, io, state);
                io.print(&text);
            }
            if name == b"exec" {
                self.open_descriptors(invocation.redirections, state);
            }
            return;
        }
        let via = super::machine::local(&String::from_utf8_lossy(name));
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
                let name = rest
                    .first()
                    .and_then(|arg| arg.value.bytes().map(|b| b.into_owned()));
                match name {
                    Some(name) if is_builtin(&name) => {
                        machine.emit(
                            rest,
                            inner.environment,
                            inner.redirections,
                            io,
                            inner.span,
                            state,
                        );
                        machine.builtin(&name, &inner, state, io);
                    }
                    Some(_) => machine.program(&inner, state, io),
                    None => machine.invoke(&inner, state, io),
                }
            }),
        });
    }

    /// `source file args`
    fn source(&mut self, args: &[Arg], state: &mut State, io: &mut Io) {
        let mut words = args.iter().skip(1).filter(|arg| !arg.value.is(b"--"));
        let Some(file) = words.next() else { return };
        let parameters: Vec<Value> = words.map(|arg| arg.value.clone()).collect();
        let standard_input = file
            .value
            .bytes()
            .is_some_and(|b| matches!(&*b, b"/dev/stdin" | b"/dev/fd/0" | b"/proc/self/fd/0"));
        let found = if standard_input {
            io.stdin.clone().map(|text| (self.loaded(text), self.reach))
        } else {
            self.script(&file.value, state)
        };
        let via = super::machine::local("source");
        let Some((content, reach)) = found else {
            if file.value.is_fetched() {
                self.behind(via, |m| {
                    m.fact(crate::FactKind::CodeFetched, file.span, b"source")
                });
            }
            return;
        };
        let outer = Rc::clone(&state.parameters);
        if !parameters.is_empty() {
            state.parameters = Rc::new(Parameters {
                zero: outer.zero.clone(),
                values: parameters,
                open: false,
            });
        }
        self.returns.push(Vec::new());
        self.behind(via, |machine| {
            let dialect = machine.dialect;
            if standard_input {
                // Not a file: each reading finds other text in it.
                let mut inner = Io {
                    stdin: None,
                    captured: io.captured.take(),
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
        state.parameters = outer;
    }

    fn define_aliases(&mut self, args: &[Arg], state: &mut State) {
        for arg in args.iter().skip(1) {
            let shown = arg.value.known_prefix();
            let Some(equals) = shown.iter().position(|byte| *byte == b'=') else {
                continue;
            };
            let name = shown.get(..equals).unwrap_or_default().to_vec();
            let mut value = Value {
                pieces: Vec::new(),
                decoded: arg.value.decoded,
            };
            let mut skip = equals + 1;
            for piece in &arg.value.pieces {
                match piece {
                    crate::Piece::Text { bytes, at }
                    | crate::Piece::Glob { pattern: bytes, at } => {
                        let from = skip.min(bytes.len());
                        skip -= from;
                        let at = at.and_then(|at| at.checked_add(u32::try_from(from).ok()?));
                        value.push_text(bytes.get(from..).unwrap_or_default(), at);
                    }
                    other => value.pieces.push(other.clone()),
                }
            }
            if state.aliases.len() < 1024 {
                state.aliases.insert(&name, vec![value]);
            }
        }
    }

    /// `set -- a b`, `set a b`
    fn set(&mut self, args: &[Arg], state: &mut State) {
        let mut start = 1;
        let mut explicit = false;
        while let Some(bytes) = args.get(start).and_then(|arg| arg.value.bytes()) {
            match &*bytes {
                b"--" => {
                    explicit = true;
                    start += 1;
                    break;
                }
                b"-" => {
                    start += 1;
                    break;
                }
                b"-o" | b"+o" => start += 2,
                [b'-' | b'+', flags @ ..] if !flags.is_empty() => {
                    if !flags
                        .iter()
                        .all(|flag| b"abefhkmnptuvxBCEHPTo".contains(flag))
                    {
                        // An error: nothing is set.
                        return;
                    }
                    start += 1;
                }
                _ => break,
            }
        }
        let values: Vec<Value> = args
            .iter()
            .skip(start)
            .map(|arg| arg.value.clone())
            .collect();
        if explicit || !values.is_empty() {
            let open = values.iter().any(|value| !value.is_known());
            let zero = state.parameters.zero.clone();
            state.parameters = Rc::new(Parameters { zero, values, open });
        }
    }

    fn unset(&mut self, args: &[Arg], state: &mut State) {
        let functions_only = args.iter().any(|arg| arg.value.is(b"-f"));
        let variables_only = args.iter().any(|arg| arg.value.is(b"-v"));
        for arg in args.iter().skip(1) {
            let Some(name) = arg.value.bytes() else {
                continue;
            };
            if name.starts_with(b"-") {
                continue;
            }
            if name.contains(&b'[') {
                self.arithmetic_text(&arg.value, arg.span, state);
                self.unset_element(&name, state);
                continue;
            }
            if functions_only {
                state.functions.remove(&name);
                continue;
            }
            if !state.variables.contains(&name) && !variables_only {
                state.functions.remove(&name);
            }
            state.variables.insert(&name, Variable::new(Slot::Unset));
        }
    }

    /// `unset 'name[subscript]'`
    fn unset_element(&mut self, text: &[u8], state: &mut State) {
        let Some(open) = text.iter().position(|byte| *byte == b'[') else {
            return;
        };
        let name = text.get(..open).unwrap_or_default();
        let key = text.get(open + 1..text.len() - 1).unwrap_or_default();
        if !key.iter().all(u8::is_ascii_digit) {
            // Which element this is depends on what the subscript evaluates to.
            state
                .variables
                .update(name, |variable| variable.widen(name));
        } else if let Slot::Array(elements) = self.slot(name, state) {
            let rest = elements
                .iter()
                .filter(|(known, _)| known != key)
                .cloned()
                .collect();
            self.assign(state, name, array(rest), false);
        }
    }

    /// `printf -v name format …`
    fn printf_into(&mut self, args: &[Arg], state: &mut State) {
        let Some(flag) = args.get(1) else { return };
        let shown = flag.value.known_prefix();
        let (name, rest) = if shown.len() > 2 {
            (Some(shown.get(2..).unwrap_or_default().to_vec()), 2)
        } else {
            (
                args.get(2)
                    .and_then(|arg| arg.value.bytes().map(|b| b.into_owned())),
                3,
            )
        };
        let Some(name) = name else { return };
        if name.contains(&b'[') {
            self.arithmetic_text(&Value::computed(name.as_slice()), flag.span, state);
        }
        let mut call: Vec<Arg> = args.iter().take(1).cloned().collect();
        call.extend(args.iter().skip(rest).cloned());
        let text = self.output_of(&call, &Io::default(), state);
        self.assign(state, &name, Slot::Scalar(text), false);
    }

    fn completion(&mut self, args: &[Arg], state: &mut State) {
        for pair in args.windows(2) {
            let [flag, text] = pair else { continue };
            let Some(flag) = flag.value.bytes() else {
                continue;
            };
            match &*flag {
                b"-C" | b"-F" => {
                    let mut inner = state.clone();
                    // The command gets the words to complete.
                    let mut call = text.value.clone();
                    call.push_text(b" ", None);
                    call.append(&Value::unknown_words(Origin::Other));
                    self.text_behind("compgen", &call, text.span, &mut inner, &mut Io::default());
                }
                b"-W" => self.substitutions_in(&text.value, text.span, state),
                _ => {}
            }
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
        let mut files = super::files::LineFiles {
            machine: self,
            state,
        };
        crate::output::output(args, io.stdin.as_ref(), &mut files, dialect)
    }
}

/// The span of several words.
fn span_of(args: &[Arg]) -> Option<crate::Span> {
    args.iter().map(|arg| arg.span).reduce(crate::Span::join)
}
