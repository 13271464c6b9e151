//! The walk over tokens: constants, strings, and the calls that the languages know.
//!
//! Every name that begins an expression is read as a chain of members and calls. The walk visits
//! each once and reports what it does; evaluating an argument reports nothing. All work is paid from
//! one budget that is linear in the code: code that exceeds it counts as unknown code.

use std::collections::HashMap;

use super::text::Code;
use super::text_values;
use super::tokens::{Kind, Part, Token};
use super::{Action, Language};
use crate::execution::Arg;
use crate::source::Span;
use crate::value::{Origin, Piece, Value};

/// The longest text that is computed.
pub(super) const LONGEST: usize = 1 << 16;
/// How deep expressions are evaluated.
const MAX_DEPTH: usize = 32;
/// The most alternatives of a value.
const MAX_ALTERNATIVES: usize = 16;

/// What an expression gives.
#[derive(Clone, Debug)]
pub(super) enum Val {
    /// Text or a number.
    Text(Value),
    /// A path object.
    Path(Value),
    /// A list.
    List(Vec<Val>),
    /// One of several.
    Any(Vec<Val>),
    /// Names with values.
    Map(Vec<(Vec<u8>, Val)>),
    /// A module, function, class or variable by its full name.
    Symbol(Vec<u8>),
    /// A method of a value.
    Bound(Box<Val>, Vec<u8>),
}

impl Val {
    /// Unknown text.
    pub(super) fn other() -> Self {
        Self::Text(Value::unknown(Origin::Other))
    }

    /// Unknown words.
    pub(super) fn many() -> Self {
        Self::Text(Value::unknown_words(Origin::Other))
    }

    /// Known text.
    pub(super) fn text(bytes: &[u8]) -> Self {
        Self::Text(Value::computed(bytes))
    }

    /// A name.
    pub(super) fn symbol(name: &[u8]) -> Self {
        Self::Symbol(name.to_vec())
    }

    /// Whether it may be true; what is not known may.
    pub(super) fn may_be_true(&self) -> bool {
        match self {
            Self::Symbol(name) => !matches!(
                name.as_slice(),
                b"False" | b"false" | b"FALSE" | b"None" | b"null" | b"undefined" | b"nil"
            ),
            Self::Text(value) => value
                .bytes()
                .is_none_or(|bytes| !bytes.is_empty() && *bytes != *b"0"),
            Self::Any(values) => values.iter().any(Self::may_be_true),
            _ => true,
        }
    }

    /// The value of a key.
    pub(super) fn key(&self, key: &str) -> Option<&Self> {
        match self {
            Self::Map(entries) => entries
                .iter()
                .rev()
                .find(|(name, _)| name == key.as_bytes())
                .map(|(_, value)| value),
            _ => None,
        }
    }
}

/// The arguments of a call.
pub(super) struct Args {
    list: Vec<(Option<Vec<u8>>, Val)>,
    /// The whole call.
    pub(super) span: Span,
    /// Whether what the call does is reported.
    emit: bool,
}

impl Args {
    /// The argument at a position or with one of the names.
    pub(super) fn get(&self, position: usize, names: &[&str]) -> Option<&Val> {
        self.list
            .iter()
            .filter(|(name, _)| name.is_none())
            .nth(position)
            .map(|(_, value)| value)
            .or_else(|| names.iter().find_map(|name| self.named(name)))
    }

    /// The argument with this name, also in an object given as an argument.
    pub(super) fn named(&self, name: &str) -> Option<&Val> {
        self.list
            .iter()
            .find(|(own, _)| own.as_deref() == Some(name.as_bytes()))
            .map(|(_, value)| value)
            .or_else(|| self.list.iter().find_map(|(_, value)| value.key(name)))
    }

    /// The arguments without names.
    pub(super) fn positional(&self) -> Vec<Val> {
        self.list
            .iter()
            .filter(|(name, _)| name.is_none())
            .map(|(_, value)| value.clone())
            .collect()
    }

    /// The arguments with names.
    pub(super) fn names(&self) -> impl Iterator<Item = (&[u8], &Val)> {
        self.list
            .iter()
            .filter_map(|(name, value)| Some((name.as_deref()?, value)))
    }
}

/// Scanner state.
pub(super) struct Scanner<'c> {
    code: &'c Code,
    /// The language.
    pub(super) language: Language,
    env: HashMap<Vec<u8>, Val>,
    actions: Vec<Action>,
    fuel: usize,
    /// Modules whose names are all imported.
    pub(super) stars: Vec<Vec<u8>>,
    /// Standard streams were replaced (`dup2`, `open(STDIN, ">&S")`).
    pub(super) redirects_input: bool,
    remote: Option<(Value, Value)>,
    starts_shell: bool,
    exhausted: bool,
}

impl<'c> Scanner<'c> {
    pub(super) fn new(code: &'c Code, language: Language) -> Self {
        Self {
            code,
            language,
            env: HashMap::new(),
            actions: Vec::new(),
            fuel: 10 * code.len() + 50_000,
            stars: Vec::new(),
            redirects_input: false,
            remote: None,
            starts_shell: false,
            exhausted: false,
        }
    }

    /// What the code does.
    pub(super) fn finish(mut self, overflow: bool) -> Vec<Action> {
        let whole = self.code.span(0, self.code.len());
        if let (Some((host, port)), true) = (
            self.remote.take(),
            self.starts_shell || self.redirects_input,
        ) {
            let words = [
                Value::computed(*b"nc"),
                Value::computed(*b"-e"),
                Value::computed(*b"/bin/sh"),
                host,
                port,
            ];
            self.actions.push(Action::Call {
                name: "reverse shell".to_owned(),
                argv: words
                    .into_iter()
                    .map(|value| Arg { value, span: whole })
                    .collect(),
            });
        }
        if overflow || self.exhausted {
            self.actions.push(Action::Code {
                text: Value::unknown_words(Origin::Other),
                span: whole,
            });
        }
        self.actions
    }

    /// Pays for work; `false` when nothing is left.
    pub(super) fn pay(&mut self, cost: usize) -> bool {
        match self.fuel.checked_sub(cost) {
            Some(rest) => {
                self.fuel = rest;
                true
            }
            None => {
                self.exhausted = true;
                false
            }
        }
    }

    /// A token's bytes.
    pub(super) fn text(&self, token: &Token) -> &'c [u8] {
        self.code.slice(token.start, token.end)
    }

    /// The bytes of the token at an index.
    fn text_at(&self, tokens: &[Token], at: usize) -> &'c [u8] {
        tokens.get(at).map_or(&[], |token| self.text(token))
    }

    /// Whether the token at an index is this name or operator.
    pub(super) fn is(&self, tokens: &[Token], at: usize, text: &[u8]) -> bool {
        tokens.get(at).is_some_and(|token| {
            matches!(token.kind, Kind::Name | Kind::Punct) && self.text(token) == text
        })
    }

    /// Binds a name.
    pub(super) fn bind(&mut self, name: &[u8], value: Val) {
        let name = bare(name);
        if !name.is_empty() && self.pay(1) {
            self.env.insert(name.to_vec(), value);
        }
    }

    // --- values -------------------------------------------------------------------------------

    /// A value as one word.
    pub(super) fn value(&self, value: &Val) -> Value {
        match value {
            Val::Text(text) | Val::Path(text) => text.clone(),
            Val::Symbol(name) => Value::unknown(Origin::Variable(name.clone())),
            Val::Any(values) | Val::List(values) if values.len() == 1 => values
                .first()
                .map_or_else(Value::empty, |value| self.value(value)),
            Val::Any(values) | Val::List(values) => {
                let fetched = values
                    .iter()
                    .take(MAX_ALTERNATIVES)
                    .any(|value| self.value(value).is_fetched());
                Value::unknown(if fetched {
                    Origin::Fetched
                } else {
                    Origin::Other
                })
            }
            Val::Map(_) => Value::unknown(Origin::Other),
            Val::Bound(of, _) => {
                if self.value(of).is_fetched() {
                    Value::unknown(Origin::Fetched)
                } else {
                    Value::unknown(Origin::Other)
                }
            }
        }
    }

    /// A value as the words that it stands for: lists and alternatives one by one.
    pub(super) fn values(&self, value: &Val) -> Vec<Value> {
        let mut out = Vec::new();
        self.collect(value, &mut out, 0);
        out
    }

    fn collect(&self, value: &Val, out: &mut Vec<Value>, depth: usize) {
        match value {
            Val::List(values) | Val::Any(values) if depth < MAX_DEPTH => {
                for value in values {
                    self.collect(value, out, depth + 1);
                }
            }
            other => out.push(self.value(other)),
        }
    }

    /// The text, or an unknown one when it is too long.
    pub(super) fn bounded(&mut self, value: Value) -> Value {
        let size: usize = value
            .pieces
            .iter()
            .map(|piece| match piece {
                Piece::Text { bytes, .. } | Piece::Glob { pattern: bytes, .. } => bytes.len(),
                _ => 1,
            })
            .sum();
        if size > LONGEST || !self.pay(size / 16) {
            return Value::unknown(Origin::Other);
        }
        value
    }

    fn concat(&mut self, left: &Val, right: &Val) -> Val {
        match (left, right) {
            (Val::Any(values), right) => Val::Any(
                values
                    .iter()
                    .take(MAX_ALTERNATIVES)
                    .map(|value| match value {
                        Val::Any(_) => Val::other(),
                        value => self.concat(value, right),
                    })
                    .collect(),
            ),
            (left, Val::Any(values)) => Val::Any(
                values
                    .iter()
                    .take(MAX_ALTERNATIVES)
                    .map(|value| match value {
                        Val::Any(_) => Val::other(),
                        value => self.concat(left, value),
                    })
                    .collect(),
            ),
            (Val::List(left), right) => {
                let mut all = left.clone();
                match right {
                    Val::List(right) => all.extend(right.iter().cloned()),
                    _ => all.push(Val::many()),
                }
                if all.len() > 4096 || !self.pay(all.len()) {
                    return Val::many();
                }
                Val::List(all)
            }
            (left, right) => {
                let mut text = self.value(left);
                text.append(&self.value(right));
                Val::Text(self.bounded(text))
            }
        }
    }

    /// Path components joined as `os.path.join` does.
    pub(super) fn join_paths(&mut self, parts: &[Val]) -> Val {
        let mut path = Value::empty();
        let mut first = true;
        for part in parts {
            let part = self.value(part);
            if part.known_prefix().starts_with(b"/") && self.language != Language::Ruby {
                path = part;
            } else {
                let separated = first || path.known_suffix().ends_with(b"/");
                if !separated && !part.known_prefix().starts_with(b"/") {
                    path.push_text(b"/", None);
                }
                path.append(&part);
            }
            first = false;
        }
        Val::Text(self.bounded(path))
    }

    /// The value of an environment variable, for the evaluator to resolve.
    pub(super) fn variable(&self, name: Option<&Val>) -> Val {
        let name = name.map(|name| self.value(name));
        match name.as_ref().and_then(Value::bytes) {
            Some(name) => Val::Text(Value::unknown(Origin::Variable(name.into_owned()))),
            None => Val::other(),
        }
    }

    /// A path whose leading tilde is the home.
    pub(super) fn home_expanded(&self, path: Option<&Val>) -> Value {
        let Some(path) = path.map(|path| self.value(path)) else {
            return Value::unknown(Origin::Other);
        };
        let prefix = path.known_prefix();
        if prefix == b"~" || prefix.starts_with(b"~/") {
            let mut out = Value::unknown(Origin::Variable(b"HOME".to_vec()));
            let mut rest = path;
            if let Some(Piece::Text { bytes, at }) = rest.pieces.first_mut() {
                bytes.remove(0);
                *at = at.and_then(|at| at.checked_add(1));
            }
            out.append(&rest);
            return out;
        }
        path
    }

    /// Text as a file name pattern.
    pub(super) fn glob(&self, pattern: Option<&Val>) -> Val {
        let Some(pattern) = pattern.map(|pattern| self.value(pattern)) else {
            return Val::many();
        };
        let mut out = Value {
            pieces: Vec::new(),
            decoded: pattern.decoded,
        };
        for piece in pattern.pieces {
            match piece {
                Piece::Text { bytes, at } if bytes.iter().any(|byte| b"*?[".contains(byte)) => {
                    out.pieces.push(Piece::Glob { pattern: bytes, at });
                }
                other => out.pieces.push(other),
            }
        }
        Val::Text(out)
    }

    /// Calls a function with each element.
    pub(super) fn apply_each(&mut self, function: &[u8], list: &Val, args: &Args) -> Val {
        let list = match list {
            Val::List(values) => values.clone(),
            other => vec![other.clone()],
        };
        let mut out = Vec::new();
        for value in list.into_iter().take(1024) {
            if !self.pay(8) {
                break;
            }
            let args = Args {
                list: vec![(None, value)],
                span: args.span,
                emit: args.emit,
            };
            out.push(self.dispatch(function, &args));
        }
        Val::List(out)
    }

    // --- actions ------------------------------------------------------------------------------

    fn push(&mut self, action: Action, args: &Args) {
        if args.emit {
            self.actions.push(action);
        }
    }

    /// Runs shell text.
    pub(super) fn shell(&mut self, text: Option<&Val>, args: &Args) -> Val {
        let texts = match text {
            Some(Val::Any(values)) => values.iter().map(|value| self.value(value)).collect(),
            Some(value) => vec![self.value(value)],
            None => vec![Value::unknown(Origin::Other)],
        };
        let mut fetches = false;
        for text in texts {
            let prefix = text.known_prefix();
            self.notice_shell(&prefix, args);
            fetches |= [&b"curl "[..], b"wget ", b"http "]
                .iter()
                .any(|name| prefix.trim_ascii_start().starts_with(name));
            self.push(
                Action::Shell {
                    text,
                    span: args.span,
                },
                args,
            );
        }
        Val::Text(Value::unknown(if fetches {
            Origin::Fetched
        } else {
            Origin::Output(b"sh".to_vec())
        }))
    }

    fn notice_shell(&mut self, program: &[u8], args: &Args) {
        let word = program
            .split(u8::is_ascii_whitespace)
            .next()
            .unwrap_or_default();
        let base = word.rsplit(|byte| *byte == b'/').next().unwrap_or(word);
        if args.emit
            && matches!(
                base,
                b"sh" | b"bash" | b"zsh" | b"dash" | b"ksh" | b"cmd.exe"
            )
        {
            self.starts_shell = true;
        }
    }

    /// Starts a program.
    pub(super) fn program(&mut self, words: &[Val], args: &Args) -> Val {
        let words: Vec<Value> = words.iter().flat_map(|word| self.values(word)).collect();
        let Some(first) = words.first() else {
            return Val::other();
        };
        let name = first.known_prefix();
        self.notice_shell(&name, args);
        let base = name.rsplit(|byte| *byte == b'/').next().unwrap_or(&name);
        let origin = if matches!(base, b"curl" | b"wget") {
            Origin::Fetched
        } else {
            Origin::Output(base.to_vec())
        };
        let argv = words
            .into_iter()
            .map(|value| Arg {
                value,
                span: args.span,
            })
            .collect();
        self.push(Action::Program(argv), args);
        Val::Text(Value::unknown(origin))
    }

    /// What a shell that was just started gets as input.
    pub(super) fn shell_input(&mut self, words: &[Val], input: &Val, args: &Args) {
        let name = words.first().map(|word| self.value(word).known_prefix());
        let name = name.unwrap_or_default();
        let base = name.rsplit(|byte| *byte == b'/').next().unwrap_or(&name);
        if words.len() == 1 && matches!(base, b"sh" | b"bash" | b"zsh" | b"dash" | b"ksh") {
            let input = input.clone();
            self.shell(Some(&input), args);
        }
    }

    /// A library call as `words -- operands`.
    pub(super) fn call(&mut self, name: &[u8], words: &[&str], operands: Vec<Value>, args: &Args) {
        let mut argv: Vec<Value> = words
            .iter()
            .map(|word| Value::computed(word.as_bytes()))
            .collect();
        argv.push(Value::computed(*b"--"));
        argv.extend(operands);
        self.call_words(name, argv, args);
    }

    /// A library call as an argv.
    pub(super) fn call_words(&mut self, name: &[u8], words: Vec<Value>, args: &Args) {
        let argv = words
            .into_iter()
            .map(|value| Arg {
                value,
                span: args.span,
            })
            .collect();
        let name = String::from_utf8_lossy(name).into_owned();
        self.push(Action::Call { name, argv }, args);
    }

    /// Runs code of the same language.
    pub(super) fn run_code(&mut self, text: Option<&Val>, args: &Args) -> Val {
        let text = text.map_or_else(|| Value::unknown(Origin::Other), |text| self.value(text));
        self.push(
            Action::Code {
                text,
                span: args.span,
            },
            args,
        );
        Val::other()
    }

    /// A call without arguments over these bytes of the code.
    pub(super) fn reported(&self, start: usize, end: usize) -> Args {
        Args {
            list: Vec::new(),
            span: self.code.span(start, end),
            emit: true,
        }
    }

    /// Notes a connection to `(host, port)` or `"host:port"`.
    pub(super) fn connects(&mut self, address: Option<&Val>) {
        match address {
            Some(Val::List(parts)) => {
                if let [host, port, ..] = parts.as_slice() {
                    let (host, port) = (self.value(host), self.value(port));
                    self.connects_to(host, port);
                }
            }
            Some(value) => {
                let value = self.value(value);
                if let Some(bytes) = value.bytes() {
                    if let Some(colon) = bytes.iter().rposition(|byte| *byte == b':') {
                        let (host, port) = bytes.split_at(colon);
                        let host = host.strip_prefix(b"tcp://").unwrap_or(host);
                        self.connects_to(
                            Value::computed(host),
                            Value::computed(port.get(1..).unwrap_or_default()),
                        );
                    }
                }
            }
            None => {}
        }
    }

    /// Notes a connection.
    pub(super) fn connects_to(&mut self, host: Value, port: Value) {
        let local = [&b"localhost"[..], b"127.0.0.1", b"::1", b""];
        if !local.iter().any(|name| host.is(name)) {
            self.remote = Some((host, port));
        }
    }

    /// What an unknown call gives.
    pub(super) fn result(&self, name: &[u8], args: &Args) -> Val {
        let fetched = args.list.iter().take(8).any(|(_, value)| match value {
            Val::Text(text) | Val::Path(text) => text.is_fetched(),
            _ => false,
        });
        Val::Text(Value::unknown(if fetched {
            Origin::Fetched
        } else {
            Origin::Output(name.to_vec())
        }))
    }

    fn dispatch(&mut self, name: &[u8], args: &Args) -> Val {
        match self.language {
            Language::Python => super::python::call(self, name, args),
            Language::JavaScript => super::javascript::call(self, name, args),
            Language::Perl => super::perl::call(self, name, args),
            Language::Ruby => super::ruby::call(self, name, args),
            Language::Php => super::php::call(self, name, args),
            Language::Lua => super::lua::call(self, name, args),
            Language::Awk => Val::other(),
        }
    }

    // --- the walk -----------------------------------------------------------------------------

    /// Visits all tokens.
    pub(super) fn walk(&mut self, tokens: &[Token]) {
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            if !self.pay(1) {
                return;
            }
            match &token.kind {
                Kind::Name => self.visit_name(tokens, at),
                Kind::Text(parts) | Kind::Command(parts) | Kind::Glob(parts) => {
                    if let Kind::Command(_) = token.kind {
                        self.run_command(token, parts);
                    }
                    for part in parts {
                        if let Part::Code(inner) = part {
                            self.walk(inner);
                        }
                    }
                    if !self.continues(tokens, at) && self.selects(tokens, at + 1) {
                        self.chain(tokens, at, tokens.len(), 0, true);
                    }
                }
                Kind::Words(_) if self.selects(tokens, at + 1) => {
                    self.chain(tokens, at, tokens.len(), 0, true);
                }
                Kind::Punct => match self.text(token) {
                    b"(" | b"[" | b"{" if self.language == Language::Python => {
                        self.comprehension(tokens, at);
                        let own = self.text(token) != b"{" && !self.continues(tokens, at);
                        if own && self.selects(tokens, token.close.saturating_add(1)) {
                            self.chain(tokens, at, tokens.len(), 0, true);
                        }
                    }
                    b"(" | b"["
                        if !self.continues(tokens, at)
                            && self.selects(tokens, token.close.saturating_add(1)) =>
                    {
                        self.chain(tokens, at, tokens.len(), 0, true);
                    }
                    _ => {}
                },
                Kind::Words(_) | Kind::Number | Kind::Regex | Kind::Newline => {}
            }
            at += 1;
        }
    }

    /// Binds the variable of `[f(x) for x in list]` before `f(x)` is visited.
    fn comprehension(&mut self, tokens: &[Token], at: usize) {
        let Some(open) = tokens.get(at) else {
            return;
        };
        let mut next = at + 1;
        for _ in 0..64 {
            if next >= open.close || !self.pay(1) {
                return;
            }
            if self.is(tokens, next, b"for") {
                self.loop_variable(tokens, next);
                return;
            }
            next = match tokens.get(next) {
                Some(token) if token.close != usize::MAX => token.close + 1,
                _ => next + 1,
            };
        }
    }

    fn run_command(&mut self, token: &Token, parts: &[Part]) {
        let text = Val::Text(self.parts(parts, 0));
        let args = Args {
            list: Vec::new(),
            span: self.code.span(token.start, token.end),
            emit: true,
        };
        self.shell(Some(&text), &args);
    }

    /// Whether a member of the value in front of it, or a call, is written at `at`.
    fn selects(&self, tokens: &[Token], at: usize) -> bool {
        tokens.get(at).is_some_and(|token| {
            matches!(token.kind, Kind::Punct)
                && (self.text(token) == b"(" || self.is_member(self.text(token)))
        })
    }

    /// Whether the token at `at` goes on with the expression in front of it.
    fn continues(&self, tokens: &[Token], at: usize) -> bool {
        let Some(before) = at.checked_sub(1).and_then(|before| tokens.get(before)) else {
            return false;
        };
        match before.kind {
            Kind::Name => {
                let adjacent = tokens
                    .get(at)
                    .is_some_and(|token| token.start == before.end);
                adjacent && !is_keyword(self.text(before))
            }
            Kind::Punct => matches!(
                self.text(before),
                b")" | b"]" | b"." | b"->" | b"::" | b"?." | b"&."
            ),
            _ => false,
        }
    }

    fn visit_name(&mut self, tokens: &[Token], at: usize) {
        let Some(token) = tokens.get(at) else {
            return;
        };
        let before = at.checked_sub(1).and_then(|before| tokens.get(before));
        let joined = before.is_some_and(|before| {
            matches!(before.kind, Kind::Punct)
                && matches!(self.text(before), b"." | b"->" | b"::" | b"?." | b"&.")
        });
        if joined {
            return;
        }
        let name = self.text(token);
        if self.code.hole_in(token.start, token.end).is_some() && self.begins_statement(before) {
            // Unknown text where a statement begins can be any code.
            let args = self.reported(token.start, token.end);
            let (text, _) = self.primary(tokens, at, at + 1, 0);
            self.run_code(Some(&text), &args);
            return;
        }
        match (self.language, name) {
            (Language::Python, b"import" | b"from") => {
                // The second word of `from x import y` begins no statement.
                if before.is_none_or(|before| !matches!(before.kind, Kind::Name)) {
                    super::python::statement(self, tokens, at);
                }
                return;
            }
            (Language::JavaScript, b"import" | b"const" | b"let" | b"var")
                if !self.is(tokens, at + 1, b"(") =>
            {
                super::javascript::statement(self, tokens, at);
                return;
            }
            (_, b"for" | b"foreach") => {
                self.loop_variable(tokens, at);
                return;
            }
            _ => {}
        }
        self.assignment(tokens, at, before);
        if is_keyword(name) {
            return;
        }
        if matches!(before, Some(before) if matches!(self.text(before), b"def" | b"function" | b"class" | b"sub"))
        {
            return;
        }
        self.chain(tokens, at, tokens.len(), 0, true);
    }

    fn begins_statement(&self, before: Option<&Token>) -> bool {
        before.is_none_or(|before| match before.kind {
            Kind::Newline => true,
            Kind::Punct => matches!(self.text(before), b";" | b"{" | b"}" | b":"),
            _ => false,
        })
    }

    /// `name = value`, with type annotations, and `name += value`.
    fn assignment(&mut self, tokens: &[Token], at: usize, before: Option<&Token>) {
        let Some(token) = tokens.get(at) else {
            return;
        };
        let name = self.text(token);
        let mut next = at + 1;
        // `name: type = value`
        let typed = matches!(self.language, Language::Python | Language::JavaScript);
        if typed
            && self.is(tokens, next, b":")
            && matches!(tokens.get(next + 1), Some(token) if matches!(token.kind, Kind::Name))
            && self.is(tokens, next + 2, b"=")
        {
            next += 2;
        }
        let Some(operator) = tokens.get(next) else {
            return;
        };
        if !matches!(operator.kind, Kind::Punct) {
            return;
        }
        let operator = self.text(operator);
        let in_list = before.is_some_and(|before| matches!(self.text(before), b"," | b"("));
        match operator {
            b"=" | b":=" | b"||=" | b"??=" | b"//=" => {
                if in_list && operator == b"=" && self.language != Language::Perl {
                    // A named argument, a default, or one of several targets.
                    return;
                }
                let (value, _) = self.evaluate(tokens, next + 1, tokens.len(), 0);
                let value = match self.language {
                    // `@list = (…)`
                    Language::Perl if name.starts_with(b"@") => match value {
                        Val::List(values) => Val::List(values),
                        other => Val::List(vec![other]),
                    },
                    _ => value,
                };
                self.bind(name, value);
            }
            b"+=" | b".=" => {
                let (value, _) = self.evaluate(tokens, next + 1, tokens.len(), 0);
                if let Some(old) = self.env.get(bare(name)).cloned() {
                    let value = self.concat(&old, &value);
                    self.bind(name, value);
                }
            }
            b"," if self.language != Language::JavaScript
                && before.is_none_or(|before| matches!(before.kind, Kind::Newline)) =>
            {
                // `a, b = …`: not followed.
                self.env.remove(bare(name));
            }
            _ => {}
        }
    }

    /// The variable of a `for`.
    fn loop_variable(&mut self, tokens: &[Token], at: usize) {
        let mut next = at + 1;
        if self.language == Language::Php && self.is(tokens, next, b"(") {
            // `foreach (list as $x)`
            let (list, end) = self.evaluate(tokens, next + 1, tokens.len(), 0);
            if self.is(tokens, end, b"as") {
                let mut variable = end + 1;
                if self.is(tokens, variable + 1, b"=>") {
                    variable += 2;
                }
                if let Some(token) = tokens.get(variable) {
                    self.bind(self.text(token), elements(list));
                }
            }
            return;
        }
        while self.is(tokens, next, b"(")
            || [&b"const"[..], b"let", b"var", b"my", b"await", b"our", b"_"]
                .iter()
                .any(|word| self.is(tokens, next, word))
            || (self.language == Language::Lua && self.is(tokens, next, b","))
        {
            next += 1;
        }
        let Some(token) = tokens.get(next) else {
            return;
        };
        if !matches!(token.kind, Kind::Name) {
            return;
        }
        let name = self.text(token);
        next += 1;
        // Lua: `for i, x in ipairs(list)`
        let mut name = name;
        if self.language == Language::Lua && self.is(tokens, next, b",") {
            if let Some(token) = tokens.get(next + 1) {
                name = self.text(token);
                next += 2;
            }
        }
        let perl = self.language == Language::Perl && self.is(tokens, next, b"(");
        if self.is(tokens, next, b"in") || self.is(tokens, next, b"of") {
            next += 1;
        } else if !perl {
            self.env.remove(bare(name));
            return;
        }
        let (list, _) = self.evaluate(tokens, next, tokens.len(), 0);
        self.bind(name, elements(list));
    }

    // --- expressions --------------------------------------------------------------------------

    /// A string's text.
    fn parts(&mut self, parts: &[Part], depth: usize) -> Value {
        let mut out = Value::empty();
        for part in parts {
            match part {
                Part::Text(text) => out.append(text),
                Part::Code(tokens) => {
                    let (value, _) = self.evaluate(tokens, 0, tokens.len(), depth + 1);
                    out.append(&self.value(&value));
                }
            }
        }
        self.bounded(out)
    }

    /// An expression: its value and the index behind it.
    pub(super) fn evaluate(
        &mut self,
        tokens: &[Token],
        at: usize,
        end: usize,
        depth: usize,
    ) -> (Val, usize) {
        if depth >= MAX_DEPTH || !self.pay(1) {
            return (Val::other(), end);
        }
        let (mut left, mut next) = self.operand(tokens, at, end, depth);
        while next < end {
            let Some(token) = tokens.get(next) else {
                break;
            };
            if !matches!(token.kind, Kind::Punct | Kind::Name) || !self.pay(1) {
                break;
            }
            let operator = self.text(token);
            match (self.language, operator) {
                (Language::Python | Language::JavaScript | Language::Ruby, b"+")
                | (Language::Ruby, b"<<")
                | (Language::Perl | Language::Php, b".")
                | (Language::Lua, b"..") => {
                    let (right, after) = self.operand(tokens, next + 1, end, depth);
                    left = self.concat(&left, &right);
                    next = after;
                }
                (Language::Python, b"/") => {
                    let (right, after) = self.operand(tokens, next + 1, end, depth);
                    left = match left {
                        path @ Val::Path(_) => match self.join_paths(&[path, right]) {
                            Val::Text(text) => Val::Path(text),
                            other => other,
                        },
                        _ => Val::other(),
                    };
                    next = after;
                }
                (Language::Python | Language::Ruby, b"%") => {
                    let (right, after) = self.operand(tokens, next + 1, end, depth);
                    left = match &left {
                        Val::Text(format) => {
                            let filled = text_values::percent(self, format, &right);
                            match filled {
                                Val::Text(text) => Val::Text(self.bounded(text)),
                                other => other,
                            }
                        }
                        _ => Val::other(),
                    };
                    next = after;
                }
                (Language::Perl | Language::Ruby | Language::Php, b"or" | b"and") => break,
                (Language::JavaScript, b"as" | b"satisfies") => next += 2,
                (_, b"||" | b"or" | b"??" | b"//") => {
                    let (right, after) = self.operand(tokens, next + 1, end, depth);
                    left = alternatives(left, right);
                    next = after;
                }
                (_, b"&&" | b"and") => {
                    let (right, after) = self.operand(tokens, next + 1, end, depth);
                    left = right;
                    next = after;
                }
                (Language::JavaScript | Language::Php | Language::Perl | Language::Ruby, b"?") => {
                    let (first, after) = self.evaluate(tokens, next + 1, end, depth + 1);
                    if !self.is(tokens, after, b":") {
                        return (first, after);
                    }
                    let (second, after) = self.evaluate(tokens, after + 1, end, depth + 1);
                    return (alternatives(first, second), after);
                }
                (Language::Python, b"if") => {
                    let (_, after) = self.evaluate(tokens, next + 1, end, depth + 1);
                    if !self.is(tokens, after, b"else") {
                        return (left, after);
                    }
                    let (second, after) = self.evaluate(tokens, after + 1, end, depth + 1);
                    return (alternatives(left, second), after);
                }
                (
                    _,
                    b"*" | b"-" | b"+" | b"/" | b"%" | b"==" | b"!=" | b"===" | b"!==" | b"<"
                    | b">" | b"<=" | b">=" | b"**" | b"&" | b"|" | b"^" | b">>" | b"<<" | b"=~"
                    | b"!~" | b"..." | b"..",
                ) => {
                    let (_, after) = self.operand(tokens, next + 1, end, depth);
                    left = Val::other();
                    next = after;
                }
                _ => break,
            }
        }
        (left, next)
    }

    /// An operand with its prefixes.
    fn operand(&mut self, tokens: &[Token], at: usize, end: usize, depth: usize) -> (Val, usize) {
        let mut at = at;
        while at < end {
            let Some(token) = tokens.get(at) else {
                break;
            };
            let text = self.text(token);
            match token.kind {
                Kind::Punct => match text {
                    b"-" => {
                        if let Some(number) = tokens
                            .get(at + 1)
                            .filter(|next| matches!(next.kind, Kind::Number))
                        {
                            let mut value = Value::computed(*b"-");
                            self.code.append(number.start, number.end, &mut value);
                            return (Val::Text(value), at + 2);
                        }
                    }
                    b"!" if self.text_at(tokens, at + 1) == b"0" => {
                        return (Val::symbol(b"true"), at + 2);
                    }
                    b"!" | b"+" | b"*" | b"**" | b"&" | b"\\" | b"..." | b"@" => {}
                    _ => break,
                },
                Kind::Name => match text {
                    b"new" | b"await" | b"not" | b"yield" | b"async" | b"return" | b"typeof"
                    | b"void" | b"do" | b"scalar" | b"sort" | b"reverse" | b"local" | b"my" => {}
                    _ => break,
                },
                Kind::Newline => {}
                _ => break,
            }
            if !self.pay(1) {
                return (Val::other(), end);
            }
            at += 1;
        }
        self.chain(tokens, at, end, depth, false)
    }

    /// A primary expression with members, subscripts and calls.
    fn chain(
        &mut self,
        tokens: &[Token],
        at: usize,
        end: usize,
        depth: usize,
        emit: bool,
    ) -> (Val, usize) {
        let Some(token) = tokens.get(at).filter(|_| at < end) else {
            return (Val::other(), at.max(end));
        };
        if depth >= MAX_DEPTH || !self.pay(2) {
            return (Val::other(), end);
        }
        let (mut value, mut next) = self.primary(tokens, at, end, depth);
        while next < end {
            let Some(operator) = tokens.get(next) else {
                break;
            };
            if !self.pay(1) {
                break;
            }
            let text = self.text(operator);
            match &operator.kind {
                Kind::Punct => match text {
                    b"." | b"?." | b"->" | b"::" | b"&." | b":" if self.is_member(text) => {
                        let Some(member) = tokens.get(next + 1).filter(|_| next + 1 < end) else {
                            break;
                        };
                        match member.kind {
                            Kind::Name => {
                                value = self.member(value, self.text(member));
                                next += 2;
                                value = self.bare_method(tokens, next, value, token, emit);
                            }
                            // JavaScript: `Bun.$`; Perl and JavaScript: `x->[0]`, `x?.[0]`, `f?.(x)`
                            Kind::Punct if matches!(self.text(member), b"[" | b"(" | b"{") => {
                                next += 1;
                            }
                            _ => break,
                        }
                    }
                    b"(" if self.is_call(tokens, next) => {
                        let close = operator.close.min(end);
                        if let Val::Bound(of, method) = &value
                            && matches!(method.as_slice(), b"forEach" | b"map")
                        {
                            let list = (**of).clone();
                            self.arrow_parameter(tokens, next + 1, list);
                        }
                        if let Val::Symbol(name) = &value
                            && let Some(promised) = name.strip_suffix(b".then")
                        {
                            let promised = Val::symbol(promised);
                            self.arrow_parameter(tokens, next + 1, promised);
                        }
                        let args = self.arguments(tokens, next + 1, close, depth);
                        let span = self.code.span(
                            token.start,
                            tokens.get(close).map_or(operator.end, |close| close.end),
                        );
                        let args = Args {
                            list: args,
                            span,
                            emit,
                        };
                        if emit && matches!(token.kind, Kind::Name) {
                            self.grow(self.text(token), &value, &args);
                        }
                        value = self.invoke(value, &args);
                        next = (close + 1).min(end.max(next + 1));
                        self.block_parameter(tokens, next, &value);
                    }
                    b"[" if operator.start == self.end_of(tokens, next) => {
                        let close = operator.close.min(end);
                        value = self.subscript(tokens, next + 1, close, depth, value);
                        next = close + 1;
                    }
                    b"{" if self.language == Language::Perl
                        && operator.start == self.end_of(tokens, next) =>
                    {
                        let close = operator.close.min(end);
                        value = self.subscript(tokens, next + 1, close, depth, value);
                        next = close + 1;
                    }
                    b"{" if self.language == Language::Lua && matches!(value, Val::Symbol(_)) => {
                        next = operator.close.min(end) + 1;
                        value = Val::other();
                    }
                    _ => break,
                },
                Kind::Text(parts)
                    if matches!(self.language, Language::JavaScript | Language::Lua)
                        && matches!(value, Val::Symbol(_)) =>
                {
                    // A tagged template, or a call with one string.
                    let parts = parts.clone();
                    let text = Val::Text(self.parts(&parts, depth));
                    let args = Args {
                        list: vec![(None, text)],
                        span: self.code.span(token.start, operator.end),
                        emit,
                    };
                    if let (Val::Symbol(name), Language::JavaScript) = (&mut value, self.language) {
                        name.push(b'`');
                    }
                    value = self.invoke(value, &args);
                    next += 1;
                }
                _ => break,
            }
        }
        if let Val::Symbol(name) = &value {
            let name = name.clone();
            if self.takes_words(&name, tokens, next, end) {
                let (list, after) = self.word_arguments(tokens, next, end, depth);
                let last = after.saturating_sub(1);
                let span = self.code.span(
                    token.start,
                    tokens.get(last).map_or(token.end, |last| last.end),
                );
                let args = Args { list, span, emit };
                value = self.dispatch(&name, &args);
                next = after;
            }
        }
        (value, next)
    }

    /// Whether the operator in front of a name selects a member in this language.
    fn is_member(&self, operator: &[u8]) -> bool {
        match self.language {
            Language::Python => operator == b".",
            Language::JavaScript => matches!(operator, b"." | b"?."),
            Language::Perl => matches!(operator, b"->" | b"::"),
            Language::Ruby => matches!(operator, b"." | b"::" | b"&."),
            Language::Php => matches!(operator, b"->" | b"::"),
            Language::Lua => matches!(operator, b"." | b":"),
            Language::Awk => false,
        }
    }

    /// Where the token in front of `at` ends.
    fn end_of(&self, tokens: &[Token], at: usize) -> usize {
        at.checked_sub(1)
            .and_then(|before| tokens.get(before))
            .map_or(usize::MAX, |token| token.end)
    }

    /// Whether a parenthesis calls what stands in front of it. Ruby needs it to be adjacent.
    fn is_call(&self, tokens: &[Token], at: usize) -> bool {
        self.language != Language::Ruby
            || tokens
                .get(at)
                .is_some_and(|token| token.start == self.end_of(tokens, at))
    }

    /// Ruby calls methods of values without parentheses.
    fn bare_method(
        &mut self,
        tokens: &[Token],
        next: usize,
        value: Val,
        from: &Token,
        emit: bool,
    ) -> Val {
        if self.language != Language::Ruby || self.is(tokens, next, b"(") {
            return value;
        }
        let end = self.end_of(tokens, next);
        let args = Args {
            list: Vec::new(),
            span: self.code.span(from.start, end),
            emit,
        };
        match value {
            Val::Bound(of, name) => {
                self.block_parameter(tokens, next, &of);
                self.invoke(Val::Bound(of, name), &args)
            }
            Val::Symbol(name) if super::ruby::is_value(&name) => self.dispatch(&name, &args),
            other => other,
        }
    }

    /// `list.append(x)`: the list that a name holds grows.
    fn grow(&mut self, name: &[u8], method: &Val, args: &Args) {
        let Val::Bound(of, method) = method else {
            return;
        };
        let Val::List(old) = &**of else {
            return;
        };
        if !matches!(
            method.as_slice(),
            b"append" | b"extend" | b"push" | b"concat!" | b"insert"
        ) || !matches!(self.env.get(bare(name)), Some(Val::List(_)))
            || !self.pay(old.len() + 1)
        {
            return;
        }
        let mut all = old.clone();
        match (method.as_slice(), args.get(0, &[])) {
            (b"extend", Some(Val::List(more))) => all.extend(more.iter().cloned()),
            (b"extend", _) => all.push(Val::many()),
            (b"insert", _) => all.extend(args.get(1, &[]).cloned()),
            _ => all.extend(args.positional()),
        }
        self.bind(name, Val::List(all));
    }

    /// `list.forEach(x => …)`: what the parameter stands for.
    fn arrow_parameter(&mut self, tokens: &[Token], at: usize, list: Val) {
        let mut at = at;
        while self.is(tokens, at, b"(")
            || self.is(tokens, at, b"async")
            || self.is(tokens, at, b"function")
        {
            at += 1;
        }
        if let Some(token) = tokens
            .get(at)
            .filter(|token| matches!(token.kind, Kind::Name))
        {
            self.bind(self.text(token), elements(list));
        }
    }

    /// `list.each { |x| … }`: what the parameter stands for.
    fn block_parameter(&mut self, tokens: &[Token], at: usize, list: &Val) {
        if self.language != Language::Ruby {
            return;
        }
        let opens = self.is(tokens, at, b"{") || self.is(tokens, at, b"do");
        if opens && self.is(tokens, at + 1, b"|") {
            if let Some(name) = tokens.get(at + 2) {
                let value = elements(list.clone());
                self.bind(self.text(name), value);
            }
        }
    }

    fn primary(&mut self, tokens: &[Token], at: usize, end: usize, depth: usize) -> (Val, usize) {
        let Some(token) = tokens.get(at) else {
            return (Val::other(), end);
        };
        match &token.kind {
            Kind::Text(parts) => {
                let mut text = self.parts(parts, depth);
                let mut next = at + 1;
                // Python and Ruby join strings that stand side by side.
                while matches!(self.language, Language::Python | Language::Ruby) && next < end {
                    let Some(Token {
                        kind: Kind::Text(parts),
                        ..
                    }) = tokens.get(next)
                    else {
                        break;
                    };
                    let more = self.parts(parts, depth);
                    text.append(&more);
                    text = self.bounded(text);
                    next += 1;
                }
                (Val::Text(text), next)
            }
            Kind::Command(parts) => {
                let text = self.parts(parts, depth);
                let prefix = text.known_prefix();
                let prefix = prefix.trim_ascii_start();
                let fetches = prefix.starts_with(b"curl ") || prefix.starts_with(b"wget ");
                let origin = if fetches {
                    Origin::Fetched
                } else {
                    Origin::Output(b"sh".to_vec())
                };
                (Val::Text(Value::unknown(origin)), at + 1)
            }
            Kind::Words(words) => {
                self.pay(words.len());
                (
                    Val::List(words.iter().cloned().map(Val::Text).collect()),
                    at + 1,
                )
            }
            Kind::Glob(parts) => {
                let text = Val::Text(self.parts(parts, depth));
                (self.glob(Some(&text)), at + 1)
            }
            Kind::Number => {
                let mut value = Value::empty();
                self.code.append(token.start, token.end, &mut value);
                (Val::Text(value), at + 1)
            }
            Kind::Regex | Kind::Newline => (Val::other(), at + 1),
            Kind::Name => {
                let name = self.text(token);
                if let Some(unknown) = self.code.hole_in(token.start, token.end) {
                    return (Val::Text(Value::unknown(unknown.origin.clone())), at + 1);
                }
                let value = match self.env.get(bare(name)) {
                    Some(value) => value.clone(),
                    None => Val::Symbol(bare(name).to_vec()),
                };
                if let Val::Text(text) | Val::Path(text) = &value {
                    let cost = text.pieces.iter().map(|piece| match piece {
                        Piece::Text { bytes, .. } => bytes.len() / 16,
                        _ => 1,
                    });
                    let cost = cost.sum();
                    if !self.pay(cost) {
                        return (Val::other(), at + 1);
                    }
                } else if let Val::List(values) = &value {
                    let cost = 4 * values.len();
                    if !self.pay(cost) {
                        return (Val::other(), at + 1);
                    }
                }
                (value, at + 1)
            }
            Kind::Punct => match self.text(token) {
                b"(" => {
                    let close = token.close.min(end);
                    let (values, commas) = self.list(tokens, at + 1, close, depth);
                    let after = (close + 1).min(end.max(at + 1));
                    let value = match values.len() {
                        1 if !commas => values.into_iter().next().unwrap_or_else(Val::other),
                        _ => Val::List(values),
                    };
                    (value, after)
                }
                b"[" => {
                    let close = token.close.min(end);
                    let (values, _) = self.list(tokens, at + 1, close, depth);
                    (Val::List(values), (close + 1).min(end.max(at + 1)))
                }
                b"{" => {
                    let close = token.close.min(end);
                    let entries = self.entries(tokens, at + 1, close, depth);
                    (entries, (close + 1).min(end.max(at + 1)))
                }
                _ => (Val::other(), at + 1),
            },
        }
    }

    /// The elements between brackets, and whether a comma stands among them.
    fn list(&mut self, tokens: &[Token], at: usize, end: usize, depth: usize) -> (Vec<Val>, bool) {
        let arguments = self.arguments(tokens, at, end, depth);
        let commas = arguments.len() > 1 || self.is(tokens, end.wrapping_sub(1), b",");
        (
            arguments.into_iter().map(|(_, value)| value).collect(),
            commas,
        )
    }

    /// Arguments between parentheses.
    fn arguments(
        &mut self,
        tokens: &[Token],
        at: usize,
        end: usize,
        depth: usize,
    ) -> Vec<(Option<Vec<u8>>, Val)> {
        let mut out = Vec::new();
        let mut at = at;
        while at < end && self.pay(1) {
            if tokens
                .get(at)
                .is_some_and(|token| matches!(token.kind, Kind::Newline))
                || self.is(tokens, at, b",")
            {
                at += 1;
                continue;
            }
            let spread = self.is(tokens, at, b"*") || self.is(tokens, at, b"...");
            let (name, from) = self.argument_name(tokens, at, end);
            let (mut value, mut next) = self.evaluate(tokens, from, end, depth + 1);
            // What is not understood ends at the next comma.
            let mut strange = false;
            while next < end && !self.is(tokens, next, b",") && self.pay(1) {
                let Some(token) = tokens.get(next) else {
                    break;
                };
                if !matches!(token.kind, Kind::Newline) {
                    strange = true;
                }
                next = match token.kind {
                    Kind::Punct if token.close != usize::MAX => token.close + 1,
                    _ => next + 1,
                };
            }
            if strange {
                value = if self.value(&value).is_fetched() {
                    text_values::fetched()
                } else {
                    Val::other()
                };
            }
            match value {
                Val::List(values) if spread => {
                    out.extend(values.into_iter().map(|value| (None, value)));
                }
                Val::List(values) if self.language == Language::Perl => {
                    // Lists flatten.
                    out.extend(values.into_iter().map(|value| (None, value)));
                }
                _ if spread => out.push((None, Val::many())),
                value => out.push((name, value)),
            }
            at = next.max(from).max(at + 1);
        }
        out
    }

    /// `name=`, `name:`, `"name" =>` in front of an argument.
    fn argument_name(&self, tokens: &[Token], at: usize, end: usize) -> (Option<Vec<u8>>, usize) {
        if at + 1 >= end {
            return (None, at);
        }
        let Some(token) = tokens.get(at) else {
            return (None, at);
        };
        let separator = match self.language {
            Language::Python => self.is(tokens, at + 1, b"="),
            Language::Ruby => self.is(tokens, at + 1, b":") || self.is(tokens, at + 1, b"=>"),
            Language::Php => self.is(tokens, at + 1, b"=>"),
            Language::Perl => self.is(tokens, at + 1, b"=>"),
            _ => false,
        };
        let name = match &token.kind {
            Kind::Name => Some(bare(self.text(token)).to_vec()),
            Kind::Text(parts) if self.language == Language::Perl => match parts.as_slice() {
                [Part::Text(text)] => text.bytes().map(std::borrow::Cow::into_owned),
                _ => None,
            },
            _ => None,
        };
        match name {
            Some(name) if separator => (Some(name), at + 2),
            _ => (None, at),
        }
    }

    /// Entries of an object or dictionary.
    fn entries(&mut self, tokens: &[Token], at: usize, end: usize, depth: usize) -> Val {
        let mut out = Vec::new();
        let mut at = at;
        while at < end && self.pay(1) {
            let Some(token) = tokens.get(at) else {
                break;
            };
            let key = match &token.kind {
                Kind::Name => Some(bare(self.text(token)).to_vec()),
                Kind::Text(parts) => match parts.as_slice() {
                    [Part::Text(text)] => text.bytes().map(std::borrow::Cow::into_owned),
                    _ => None,
                },
                _ => None,
            };
            let separated = [&b":"[..], b"=>", b"="]
                .iter()
                .any(|operator| self.is(tokens, at + 1, operator));
            match key {
                Some(key) if separated && at + 2 < end => {
                    let (value, next) = self.evaluate(tokens, at + 2, end, depth + 1);
                    out.push((key, value));
                    at = next.max(at + 2);
                }
                Some(key)
                    if self.language == Language::JavaScript
                        && (at + 1 >= end || self.is(tokens, at + 1, b",")) =>
                {
                    // `{recursive}`
                    let value = match self.env.get(&key) {
                        Some(value) => value.clone(),
                        None => Val::Symbol(key.clone()),
                    };
                    out.push((key, value));
                    at += 1;
                }
                _ => {
                    at = match token.kind {
                        Kind::Punct if token.close != usize::MAX => token.close + 1,
                        _ => at + 1,
                    };
                }
            }
        }
        Val::Map(out)
    }

    /// Whether a name is called with the words behind it, without parentheses.
    fn takes_words(&self, name: &[u8], tokens: &[Token], at: usize, end: usize) -> bool {
        if at >= end {
            return false;
        }
        let known = match self.language {
            Language::Perl => super::perl::takes_words(name),
            Language::Ruby => super::ruby::takes_words(name),
            Language::Php => matches!(
                name,
                b"include" | b"require" | b"include_once" | b"require_once" | b"eval"
            ),
            _ => false,
        };
        let Some(token) = tokens.get(at) else {
            return known && self.language == Language::Perl;
        };
        if !known {
            return false;
        }
        if self.ends_words(token) {
            // These take the topic when nothing is given.
            return self.language == Language::Perl && matches!(name, b"unlink" | b"rmdir");
        }
        match token.kind {
            Kind::Newline | Kind::Regex => false,
            Kind::Name => true,
            Kind::Punct => {
                matches!(self.text(token), b"[" | b"\\" | b"*" | b"-" | b"{" | b"<<")
                    || (self.text(token) == b"(" && self.language == Language::Ruby)
            }
            _ => true,
        }
    }

    /// Whether arguments without parentheses end here.
    fn ends_words(&self, token: &Token) -> bool {
        match token.kind {
            Kind::Newline => true,
            Kind::Name => matches!(
                self.text(token),
                b"if"
                    | b"unless"
                    | b"or"
                    | b"and"
                    | b"for"
                    | b"foreach"
                    | b"while"
                    | b"until"
                    | b"do"
                    | b"end"
                    | b"then"
            ),
            Kind::Punct => matches!(self.text(token), b";" | b"}" | b")" | b"]"),
            _ => false,
        }
    }

    /// Arguments without parentheses.
    fn word_arguments(
        &mut self,
        tokens: &[Token],
        at: usize,
        end: usize,
        depth: usize,
    ) -> (Vec<(Option<Vec<u8>>, Val)>, usize) {
        let mut out = Vec::new();
        let mut at = at;
        while at < end && self.pay(1) {
            if tokens.get(at).is_some_and(|token| self.ends_words(token)) {
                break;
            }
            let spread = self.is(tokens, at, b"*");
            let (name, from) = self.argument_name(tokens, at, end);
            let (value, next) = self.evaluate(tokens, from, end, depth + 1);
            match value {
                Val::List(values) if spread || self.language == Language::Perl => {
                    out.extend(values.into_iter().map(|value| (None, value)));
                }
                value => out.push((name, value)),
            }
            at = next.max(from + 1).min(end);
            if self.is(tokens, at, b",") || self.is(tokens, at, b"=>") {
                at += 1;
            } else if !(out.len() == 1 && matches!(out.first(), Some((_, Val::Map(_))))) {
                // Perl's `exec {"rm"} "rm", …` has no comma.
                break;
            }
            while tokens
                .get(at)
                .is_some_and(|token| matches!(token.kind, Kind::Newline))
                && at < end
            {
                at += 1;
            }
        }
        (out, at)
    }

    fn member(&mut self, of: Val, name: &[u8]) -> Val {
        match of {
            Val::Symbol(symbol) => {
                if symbol == b"process.env" {
                    return Val::Text(Value::unknown(Origin::Variable(name.to_vec())));
                }
                let joint: &[u8] = b".";
                let full = [&symbol[..], joint, name].concat();
                if matches!(full.as_slice(), b"os.sep" | b"os.path.sep" | b"path.sep") {
                    return Val::text(b"/");
                }
                match self.language {
                    Language::JavaScript => super::javascript::canonical(full),
                    _ => Val::Symbol(full),
                }
            }
            Val::Map(entries) => entries
                .into_iter()
                .rev()
                .find(|(key, _)| key == name)
                .map_or_else(Val::other, |(_, value)| value),
            other => Val::Bound(Box::new(other), name.to_vec()),
        }
    }

    fn subscript(&mut self, tokens: &[Token], at: usize, end: usize, depth: usize, of: Val) -> Val {
        // `[::-1]`
        let backwards = self.language == Language::Python
            && self.is(tokens, at, b"::")
            && self.is(tokens, at + 1, b"-");
        let (mut index, _) = self.evaluate(tokens, at, end, depth + 1);
        match of {
            Val::Text(text) if backwards => Val::Text(text_values::reversed(&text)),
            Val::List(mut values) if backwards => {
                values.reverse();
                Val::List(values)
            }
            Val::Symbol(name) => {
                if let Val::Symbol(key) = &index {
                    // Perl: `$ENV{HOME}`
                    index = Val::text(&key.clone());
                }
                match name.as_slice() {
                    b"Dir" if self.language == Language::Ruby => self.glob(Some(&index)),
                    b"os.environ" | b"process.env" | b"ENV" | b"_ENV" | b"_SERVER" | b"env" => {
                        self.variable(Some(&index))
                    }
                    _ => match self.value(&index).bytes() {
                        // `fs["rmSync"]`, `globalThis['process']`
                        Some(key)
                            if self.language == Language::JavaScript
                                || self.language == Language::Lua =>
                        {
                            self.member(Val::Symbol(name), &key)
                        }
                        _ => Val::Text(Value::unknown(Origin::Variable(name))),
                    },
                }
            }
            Val::List(values) => {
                let number = self
                    .value(&index)
                    .bytes()
                    .and_then(|bytes| std::str::from_utf8(&bytes).ok()?.parse::<usize>().ok());
                number
                    .and_then(|number| values.into_iter().nth(number))
                    .unwrap_or_else(Val::other)
            }
            Val::Map(entries) => {
                let key = match &index {
                    Val::Symbol(name) => Some(name.clone()),
                    other => self.value(other).bytes().map(std::borrow::Cow::into_owned),
                };
                entries
                    .into_iter()
                    .rev()
                    .find(|(name, _)| Some(name) == key.as_ref())
                    .map_or_else(Val::other, |(_, value)| value)
            }
            Val::Text(text) | Val::Path(text) => text_values::derived(&text),
            _ => Val::other(),
        }
    }

    fn invoke(&mut self, of: Val, args: &Args) -> Val {
        match of {
            Val::Symbol(name) => self.dispatch(&name, args),
            // PHP calls functions by their names in strings.
            Val::Text(name) if self.language == Language::Php => match name.bytes() {
                Some(name) => self.dispatch(&name, args),
                None => Val::other(),
            },
            Val::Bound(of, name) => self.method(*of, &name, args),
            _ => Val::other(),
        }
    }

    fn method(&mut self, of: Val, name: &[u8], args: &Args) -> Val {
        match &of {
            Val::Any(values) if values.len() <= MAX_ALTERNATIVES => {
                let values = values.clone();
                let mut out = Vec::new();
                for value in values {
                    if matches!(value, Val::Any(_)) {
                        out.push(Val::other());
                    } else {
                        out.push(self.method(value, name, args));
                    }
                }
                return Val::Any(out);
            }
            Val::Path(path) => {
                let found = match self.language {
                    Language::Python => super::python::method(self, path, name, args),
                    Language::Ruby => super::ruby::method(self, path, name, args),
                    _ => None,
                };
                if let Some(value) = found {
                    return value;
                }
            }
            Val::List(values) => {
                let listed = match name {
                    b"join" => {
                        let separator = args.get(0, &[]).cloned();
                        let separator = match separator {
                            Some(value) => self.value(&value),
                            None if self.language == Language::Ruby => Value::empty(),
                            None => Value::computed(*b","),
                        };
                        let mut out = Value::empty();
                        for (index, value) in values.iter().enumerate() {
                            if index > 0 {
                                out.append(&separator);
                            }
                            out.append(&self.value(value));
                        }
                        Some(Val::Text(self.bounded(out)))
                    }
                    b"reverse" | b"reversed" => {
                        let mut values = values.clone();
                        values.reverse();
                        Some(Val::List(values))
                    }
                    b"concat" => {
                        let mut all = Val::List(values.clone());
                        for value in args.positional() {
                            all = self.concat(&all, &value);
                        }
                        Some(all)
                    }
                    b"each" | b"forEach" | b"map" | b"flat" | b"slice" | b"to_a" | b"sort"
                    | b"filter" | b"uniq" | b"compact" | b"flatten" => Some(of.clone()),
                    _ => None,
                };
                if let Some(value) = listed {
                    return value;
                }
            }
            Val::Text(text) => {
                let text = text.clone();
                if let Some(value) = text_values::method(self, &text, name, args) {
                    return value;
                }
                if matches!(name, b"each" | b"forEach" | b"map") {
                    return of;
                }
                return text_values::derived(&text);
            }
            _ => {}
        }
        match &of {
            Val::Path(text) => text_values::derived(text),
            _ => Val::other(),
        }
    }
}

/// A name without its sigil.
pub(super) fn bare(name: &[u8]) -> &[u8] {
    match name {
        [b'$' | b'@' | b'%' | b'\\', rest @ ..] if !rest.is_empty() => rest,
        other => other,
    }
}

/// One of the elements of a list.
fn elements(list: Val) -> Val {
    match list {
        Val::List(values) if values.len() <= MAX_ALTERNATIVES => Val::Any(values),
        Val::List(_) => Val::many(),
        other => other,
    }
}

/// One of two values.
fn alternatives(left: Val, right: Val) -> Val {
    match (left, right) {
        (Val::Any(mut left), right) if left.len() < MAX_ALTERNATIVES => {
            left.push(right);
            Val::Any(left)
        }
        (Val::Symbol(_), right) => right,
        (left, right) => Val::Any(vec![left, right]),
    }
}

/// Words that begin no expression by themselves.
fn is_keyword(name: &[u8]) -> bool {
    matches!(
        name,
        b"if"
            | b"else"
            | b"elif"
            | b"elsif"
            | b"elseif"
            | b"unless"
            | b"while"
            | b"until"
            | b"return"
            | b"await"
            | b"async"
            | b"new"
            | b"in"
            | b"of"
            | b"and"
            | b"or"
            | b"not"
            | b"with"
            | b"as"
            | b"try"
            | b"do"
            | b"then"
            | b"end"
            | b"begin"
            | b"case"
            | b"when"
            | b"switch"
            | b"my"
            | b"our"
            | b"local"
            | b"def"
            | b"class"
            | b"function"
            | b"sub"
            | b"export"
            | b"throw"
            | b"raise"
            | b"yield"
            | b"print"
            | b"puts"
            | b"echo"
            | b"lambda"
            | b"assert"
    )
}
