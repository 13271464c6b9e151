//! The walk over tokens: constants, strings, and the calls that the languages know.
//!
//! Every name that begins an expression is read as a chain of members and calls. The walk visits
//! each once and reports what it does; evaluating an argument reports nothing. All work is paid from
//! one budget that is linear in the code: code that exceeds it counts as unknown code.

use std::collections::HashMap;

use super::text::Code;
use super::tokens::{Kind, Part, Token};
use super::val::{Args, Val, bare, elements};
use super::{Action, Language};
use crate::execution::Arg;
use crate::value::{Origin, Value};

/// The longest text that is computed.
pub(super) const LONGEST: usize = 1 << 16;
/// How deep expressions are evaluated.
pub(super) const MAX_DEPTH: usize = 32;

/// Scanner state.
pub(super) struct Scanner<'c> {
    pub(super) code: &'c Code,
    /// The language.
    pub(super) language: Language,
    pub(super) env: HashMap<Vec<u8>, Val>,
    pub(super) actions: Vec<Action>,
    pub(super) fuel: usize,
    /// Modules whose names are all imported.
    pub(super) stars: Vec<Vec<u8>>,
    /// Standard streams were replaced (`dup2`, `open(STDIN, ">&S")`).
    pub(super) redirects_input: bool,
    pub(super) remote: Option<(Value, Value)>,
    pub(super) starts_shell: bool,
    pub(super) exhausted: bool,
    /// The code loads a module whose purpose is to start programs.
    pub(super) loads_starters: bool,
    /// Ends of blocks (indices of tokens) behind which the directory is the one before.
    pub(super) returns: Vec<usize>,
    /// Where the code's own functions are called, until their definition is reached.
    pub(super) functions: super::functions::Index<'c>,
    /// What the interpreter gives, by full names.
    pub(super) given: HashMap<Vec<u8>, Val>,
    /// The code has functions of its own, with arguments of their own.
    pub(super) defines_functions: bool,
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
            loads_starters: false,
            returns: Vec::new(),
            functions: HashMap::new(),
            given: HashMap::new(),
            defines_functions: code
                .slice(0, code.len())
                .windows(4)
                .any(|word| word == b"sub "),
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
        // What it starts was not found, so that it can be anything.
        let starts = |action: &Action| matches!(action, Action::Shell { .. } | Action::Program(_));
        let hidden = self.loads_starters && !self.actions.iter().any(starts);
        if overflow || self.exhausted || hidden {
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
    pub(super) fn text_at(&self, tokens: &[Token], at: usize) -> &'c [u8] {
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

    /// Visits all tokens.
    pub(super) fn walk(&mut self, tokens: &[Token]) {
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            if !self.pay(1) {
                return;
            }
            if self.returns.last() == Some(&at) {
                self.returns.pop();
                self.actions.push(Action::Directory { path: None });
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
                    // `({exec: run} = …)`
                    b"{" if self.language == Language::JavaScript
                        && self.is(tokens, token.close.saturating_add(1), b"=") =>
                    {
                        let from = token.close.saturating_add(2);
                        let (value, _) = self.evaluate(tokens, from, tokens.len(), 0);
                        super::javascript::destructure(self, tokens, at, &value);
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
    pub(super) fn comprehension(&mut self, tokens: &[Token], at: usize) {
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

    /// A string that a shell runs.
    pub(super) fn run_command(&mut self, token: &Token, parts: &[Part]) {
        let text = self.string(parts, 0);
        let args = Args {
            list: Vec::new(),
            span: self.code.span(token.start, token.end),
            emit: true,
        };
        self.shell(Some(&text), &args);
    }

    /// Whether a member of the value in front of it, or a call, is written at `at`.
    pub(super) fn selects(&self, tokens: &[Token], at: usize) -> bool {
        tokens.get(at).is_some_and(|token| {
            matches!(token.kind, Kind::Punct)
                && (self.text(token) == b"(" || self.is_member(self.text(token)))
        })
    }

    /// Whether the token at `at` goes on with the expression in front of it.
    pub(super) fn continues(&self, tokens: &[Token], at: usize) -> bool {
        let Some(before) = at.checked_sub(1).and_then(|before| tokens.get(before)) else {
            return false;
        };
        match before.kind {
            Kind::Name => {
                let adjacent = tokens
                    .get(at)
                    .is_some_and(|token| token.start == before.end);
                let member = at
                    .checked_sub(2)
                    .and_then(|index| tokens.get(index))
                    .is_some_and(|dot| self.is_member(self.text(dot)));
                adjacent && (member || !is_keyword(self.text(before)))
            }
            Kind::Punct => matches!(
                self.text(before),
                b")" | b"]" | b"." | b"->" | b"::" | b"?." | b"&."
            ),
            _ => false,
        }
    }

    /// What begins with a name: a statement, an assignment, a definition, or a chain.
    pub(super) fn visit_name(&mut self, tokens: &[Token], at: usize) {
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
            (Language::Python, b"with") => {
                super::python::with(self, tokens, at);
                return;
            }
            (_, b"for" | b"foreach") => {
                self.loop_variable(tokens, at);
                return;
            }
            _ => {}
        }
        if self.language == Language::Perl && self.begins_statement(before) {
            self.modifier(tokens, at);
        }
        if super::compiled::is_compiled(self.language) {
            self.declaration(tokens, at);
        }
        self.assignment(tokens, at, before);
        if is_keyword(name) {
            return;
        }
        if matches!(before, Some(before) if matches!(self.text(before), b"def" | b"function" | b"class" | b"sub"))
        {
            self.parameters(tokens, at);
            return;
        }
        let (_, next) = self.chain(tokens, at, tokens.len(), 0, true);
        self.changed(tokens, at, next);
        // `char text[] = …` is no element's change.
        let typed = before
            .is_some_and(|before| matches!(before.kind, Kind::Name) || self.text(before) == b"*");
        if typed && super::compiled::is_compiled(self.language) && self.is(tokens, at + 1, b"[") {
            self.declaration(tokens, at);
        }
    }

    /// `x[0] = …`, `$x =~ s/a/b/`: what the name holds then is not followed.
    fn changed(&mut self, tokens: &[Token], at: usize, next: usize) {
        let name = self.text_at(tokens, at);
        let holds = match self.env.get(bare(name)) {
            Some(Val::Text(_)) => Val::other(),
            Some(Val::List(_) | Val::Map(_)) => Val::many(),
            _ => return,
        };
        let assigned = next > at + 1 && self.is(tokens, next, b"=");
        let substituted = self.language == Language::Perl
            && self.is(tokens, next, b"=~")
            && tokens.get(next + 1).is_some_and(|token| {
                matches!(token.kind, Kind::Regex)
                    && matches!(self.text(token).first(), Some(b's' | b't' | b'y'))
            });
        if assigned || substituted {
            self.bind(name, holds);
        }
    }

    /// Whether a statement begins behind this token.
    pub(super) fn begins_statement(&self, before: Option<&Token>) -> bool {
        before.is_none_or(|before| match before.kind {
            Kind::Newline => true,
            Kind::Punct => matches!(self.text(before), b";" | b"{" | b"}" | b":"),
            _ => false,
        })
    }

    /// `name = value`, with type annotations, and `name += value`.
    pub(super) fn assignment(&mut self, tokens: &[Token], at: usize, before: Option<&Token>) {
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
                if in_list && operator == b"=" && self.language == Language::Python {
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

    /// `statement for list;`: what the statement runs with.
    fn modifier(&mut self, tokens: &[Token], at: usize) {
        let mut next = at + 1;
        for _ in 0..64 {
            let Some(token) = tokens.get(next) else {
                return;
            };
            match self.text(token) {
                b";" | b"}" => return,
                b"for" | b"foreach" => {
                    let (list, _) = self.evaluate(tokens, next + 1, tokens.len(), 0);
                    self.bind(b"_", elements(list));
                    return;
                }
                _ => {}
            }
            next = if token.close == usize::MAX {
                next + 1
            } else {
                token.close + 1
            };
        }
    }

    /// The variable of a `for`.
    pub(super) fn loop_variable(&mut self, tokens: &[Token], at: usize) {
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
        if self.language == Language::Perl
            && self.is(tokens, next, b"(")
            && let (list @ (Val::List(_) | Val::Text(_)), _) =
                self.evaluate(tokens, next, behind(tokens, next), 0)
        {
            self.bind(b"_", elements(list));
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
        if self.language == Language::Lua
            && self.is(tokens, next, b",")
            && let Some(token) = tokens.get(next + 1)
        {
            name = self.text(token);
            next += 2;
        }
        let perl = self.language == Language::Perl && self.is(tokens, next, b"(");
        if self.is(tokens, next, b"in") || self.is(tokens, next, b"of") {
            next += 1;
        } else if !perl {
            self.env.remove(bare(name));
            return;
        }
        // What stands in braces behind the list is the body.
        let end = if perl {
            behind(tokens, next)
        } else {
            tokens.len()
        };
        let (list, _) = self.evaluate(tokens, next, end, 0);
        self.bind(name, elements(list));
    }
}

/// The index behind the bracket that closes the one at `at`.
fn behind(tokens: &[Token], at: usize) -> usize {
    let close = tokens.get(at).map_or(usize::MAX, |open| open.close);
    close.saturating_add(1).min(tokens.len())
}

/// Words that begin no expression by themselves.
pub(super) fn is_keyword(name: &[u8]) -> bool {
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
