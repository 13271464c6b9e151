//! What code prints, where its statements say so.
//!
//! Only imports, assignments of known values and calls that print are understood. Whatever else
//! stands in the code may print anything: then the known texts come first, each on a line of its
//! own, and an unknown text behind them.

use super::Language;
use super::scan::Scanner;
use super::text::Code;
use super::text_values;
use super::tokens::{Kind, Token};
use super::val::{Argument, Val, bare};
use crate::source::Span;
use crate::value::{Origin, Value};

/// What the code prints; `None` when nothing is known of it. `expression` says that the value of
/// the code itself is printed (`node -p`).
pub(crate) fn printed(
    language: Language,
    text: &Value,
    span: Span,
    expression: bool,
) -> Option<Value> {
    let code = Code::new(text, span);
    let (tokens, overflow) = super::lexer::lex(&code, language);
    let mut reading = Reading {
        scan: Scanner::new(&code, language),
        out: Value::empty(),
        complete: !overflow,
    };
    match language {
        _ if expression => reading.expression(&tokens),
        Language::Awk => reading.awk(&tokens),
        _ => reading.statements(&tokens, 0, tokens.len()),
    }
    reading.finish()
}

struct Reading<'c> {
    scan: Scanner<'c>,
    out: Value,
    complete: bool,
}

impl Reading<'_> {
    fn finish(mut self) -> Option<Value> {
        let complete = self.complete && !self.scan.exhausted;
        if !complete && !self.out.pieces.iter().any(is_text) {
            return None;
        }
        if !complete {
            self.out.push_text(b"\n", None);
            let rest = Value::unknown_words(Origin::Output(Vec::new()));
            self.out.append(&rest);
        }
        Some(self.out)
    }

    fn expression(&mut self, tokens: &[Token]) {
        let (value, next) = self.scan.evaluate(tokens, 0, tokens.len(), 0);
        let value = self.scan.value(&value);
        self.complete &= next >= tokens.len() && value.is_known();
        if value.is_known() {
            self.out.append(&value);
            self.out.push_text(b"\n", None);
        }
    }

    /// Only what stands in one `BEGIN` alone is printed once and without input.
    fn awk(&mut self, tokens: &[Token]) {
        let close = tokens.get(1).map_or(usize::MAX, |open| open.close);
        let only = self.scan.is(tokens, 0, b"BEGIN") && self.scan.is(tokens, 1, b"{");
        if only && close.saturating_add(1) == tokens.len() {
            self.statements(tokens, 2, close);
        } else {
            self.complete = false;
            self.within(tokens, 0, tokens.len());
        }
    }

    fn statements(&mut self, tokens: &[Token], from: usize, to: usize) {
        let mut at = from;
        while at < to {
            if !self.scan.pay(1) {
                return;
            }
            if self.is_separator(tokens, at) {
                at += 1;
                continue;
            }
            let end = self.end_of_statement(tokens, at).min(to);
            if self.statement(tokens, at, end) {
                at = end;
                continue;
            }
            self.complete = false;
            self.within(tokens, at, end);
            at = end.max(at + 1);
        }
    }

    /// The calls that print somewhere in a statement that is not understood.
    fn within(&mut self, tokens: &[Token], from: usize, end: usize) {
        let mut at = from;
        while at < end {
            if !self.scan.pay(1) {
                return;
            }
            let before = at.checked_sub(1).and_then(|before| tokens.get(before));
            if self.scan.begins_statement(before) || before.is_some_and(|token| self.opens(token)) {
                let stop = self.end_of_statement(tokens, at).min(end);
                if self.assigns(tokens, at, stop) {
                    at = stop;
                    continue;
                }
            }
            if self.scan.is(tokens, at, b"for") || self.scan.is(tokens, at, b"foreach") {
                self.scan.loop_variable(tokens, at);
            }
            match self.call(tokens, at, end) {
                Some((next, _)) => at = next.max(at + 1),
                None => at += 1,
            }
        }
    }

    fn opens(&self, token: &Token) -> bool {
        matches!(token.kind, Kind::Punct) && matches!(self.scan.text(token), b")" | b"(" | b"=>")
    }

    fn is_separator(&self, tokens: &[Token], at: usize) -> bool {
        tokens.get(at).is_some_and(|token| match token.kind {
            Kind::Newline => true,
            Kind::Punct => self.scan.text(token) == b";",
            _ => false,
        })
    }

    /// The next separator outside of brackets.
    fn end_of_statement(&mut self, tokens: &[Token], at: usize) -> usize {
        let mut at = at;
        while at < tokens.len() && !self.is_separator(tokens, at) && self.scan.pay(1) {
            at = match tokens.get(at) {
                Some(token) if matches!(token.kind, Kind::Punct) && token.close != usize::MAX => {
                    token.close.saturating_add(1)
                }
                _ => at + 1,
            };
        }
        at.min(tokens.len())
    }

    /// Whether the statement is understood; what it prints is noted.
    fn statement(&mut self, tokens: &[Token], at: usize, end: usize) -> bool {
        self.imports(tokens, at, end)
            || self.assigns(tokens, at, end)
            || self
                .call(tokens, at, end)
                .is_some_and(|(next, known)| known && next >= end)
    }

    fn imports(&mut self, tokens: &[Token], at: usize, end: usize) -> bool {
        match (self.scan.language, self.scan.text_at(tokens, at)) {
            (Language::Python, b"import" | b"from") => {
                super::python::statement(&mut self.scan, tokens, at);
                true
            }
            (Language::JavaScript, b"import") if !self.scan.is(tokens, at + 1, b"(") => {
                super::javascript::statement(&mut self.scan, tokens, at);
                true
            }
            (Language::Perl, b"use" | b"no") => true,
            (Language::Ruby, b"require") => end == at + 2,
            _ => false,
        }
    }

    /// `name = value` with a value that is known.
    fn assigns(&mut self, tokens: &[Token], at: usize, end: usize) -> bool {
        let mut name = at;
        while [&b"const"[..], b"let", b"var", b"my", b"our", b"local"]
            .iter()
            .any(|word| self.scan.is(tokens, name, word))
        {
            name += 1;
        }
        let Some(bound) = tokens
            .get(name)
            .filter(|token| matches!(token.kind, Kind::Name))
        else {
            return false;
        };
        if !self.scan.is(tokens, name + 1, b"=") {
            return false;
        }
        let (value, next) = match self.scan.language {
            Language::Awk => {
                let text = super::awk::concatenation(&mut self.scan, tokens, name + 2, end);
                (text, end)
            }
            _ => self.scan.evaluate(tokens, name + 2, end, 0),
        };
        let bound = bare(self.scan.text(bound)).to_vec();
        let known = next >= end && self.is_known(&value);
        self.scan.bind(&bound, value);
        known
    }

    fn is_known(&self, value: &Val) -> bool {
        match value {
            Val::Text(text) | Val::Path(text) => text.is_known(),
            Val::List(values) => values.iter().all(|value| self.is_known(value)),
            _ => false,
        }
    }

    /// A call that prints: the index behind it, and whether all that it prints is known.
    fn call(&mut self, tokens: &[Token], at: usize, end: usize) -> Option<(usize, bool)> {
        let (form, from) = self.head(tokens, at, end)?;
        let parenthesis = tokens.get(from).filter(|token| {
            matches!(token.kind, Kind::Punct) && self.scan.text(token) == b"(" && from < end
        });
        let (list, next) = match parenthesis {
            _ if self.scan.language == Language::Awk => self.awk_arguments(tokens, from, end),
            Some(open) => {
                let close = open.close.min(end);
                let list = self.scan.arguments(tokens, from + 1, close, 0);
                (list, (close + 1).min(end))
            }
            None if matches!(
                self.scan.language,
                Language::Perl | Language::Ruby | Language::Php | Language::Lua
            ) =>
            {
                self.scan.word_arguments(tokens, from, end, 0)
            }
            None => return None,
        };
        let mut values = Vec::new();
        if let [(None, Val::Any(each))] = list.as_slice() {
            // One of several: each on a line of its own.
            for value in each {
                let text = self.scan.value(value);
                self.out.push_text(b"\n", None);
                self.out.append(&text);
            }
            return Some((next, false));
        }
        let mut separator = form.separator.to_vec();
        let mut last = form.last.to_vec();
        let mut known = true;
        for (name, value) in &list {
            let text = self.scan.value(value);
            match (name.as_deref(), text.bytes()) {
                (None, _) => match value {
                    Val::List(parts) if self.scan.language != Language::Python => {
                        values.extend(parts.iter().map(|part| self.scan.value(part)));
                    }
                    _ => values.push(text),
                },
                (Some(b"sep"), Some(bytes)) => separator = bytes.into_owned(),
                (Some(b"end"), Some(bytes)) => last = bytes.into_owned(),
                (Some(b"flush"), _) => {}
                // `file=sys.stderr`
                _ => return Some((next, false)),
            }
        }
        if form.formats
            && let Some((format, rest)) = values.split_first()
        {
            let rest = Val::List(rest.iter().cloned().map(Val::Text).collect());
            let filled = text_values::percent(&self.scan, format, &rest);
            values = vec![self.scan.value(&filled)];
        }
        let mut text = Value::empty();
        for (index, value) in values.iter().enumerate() {
            if index > 0 {
                text.push_text(&separator, None);
            }
            text.append(value);
            known &= value.is_known();
        }
        text.push_text(&last, None);
        if !self.complete && !self.out.pieces.is_empty() {
            self.out.push_text(b"\n", None);
        }
        let text = self.scan.bounded(text);
        self.out.append(&text);
        Some((next, known && text.is_known()))
    }

    /// Texts between commas; each is what stands side by side.
    fn awk_arguments(
        &mut self,
        tokens: &[Token],
        from: usize,
        end: usize,
    ) -> (Vec<Argument>, usize) {
        let end = self.end_of_statement(tokens, from).min(end);
        let mut list = Vec::new();
        let mut start = from;
        for at in from..=end {
            if at < end && !self.scan.is(tokens, at, b",") {
                // What goes to a file or a program is not printed here.
                let elsewhere = [&b">"[..], b">>", b"|", b"|&"]
                    .iter()
                    .any(|operator| self.scan.is(tokens, at, operator));
                if elsewhere || !self.scan.pay(1) {
                    return (vec![(None, Val::other())], end);
                }
                continue;
            }
            let text = super::awk::concatenation(&mut self.scan, tokens, start, at);
            list.push((None, text));
            start = at + 1;
        }
        (list, end)
    }

    /// The name of a call that prints, with the index behind it.
    fn head(&mut self, tokens: &[Token], at: usize, end: usize) -> Option<(Form, usize)> {
        let mut name = Vec::new();
        let mut next = at;
        while next < end {
            let token = tokens.get(next)?;
            let text = self.scan.text(token);
            let part = match token.kind {
                Kind::Name => name.is_empty() || name.ends_with(b"."),
                Kind::Punct => text == b"." && !name.is_empty(),
                _ => false,
            };
            if !part || name.len() > 64 {
                break;
            }
            name.extend_from_slice(bare(text));
            next += 1;
        }
        // A member of something else, and the name of a function that is defined.
        if at > 0 && self.scan.continues(tokens, at) {
            return None;
        }
        let form = form(self.scan.language, &name)?;
        // `print STDOUT "x"`
        let handle = self.scan.language == Language::Perl
            && self.scan.is(tokens, next, b"STDOUT")
            && !self.scan.is(tokens, next + 1, b",");
        Some((form, next + usize::from(handle)))
    }
}

fn is_text(piece: &crate::value::Piece) -> bool {
    matches!(piece, crate::value::Piece::Text { bytes, .. } if !bytes.trim_ascii().is_empty())
}

/// How a call prints its arguments.
#[derive(Clone, Copy)]
struct Form {
    separator: &'static [u8],
    last: &'static [u8],
    /// The first argument is a format.
    formats: bool,
}

const PLAIN: Form = Form {
    separator: b"",
    last: b"",
    formats: false,
};
const LINE: Form = Form {
    separator: b" ",
    last: b"\n",
    formats: false,
};
const LINES: Form = Form {
    separator: b"\n",
    last: b"\n",
    formats: false,
};
const FORMAT: Form = Form {
    separator: b"",
    last: b"",
    formats: true,
};

fn form(language: Language, name: &[u8]) -> Option<Form> {
    Some(match (language, name) {
        (Language::Python, b"print" | b"builtins.print") => LINE,
        (Language::Python, b"sys.stdout.write" | b"sys.stdout.buffer.write" | b"stdout.write") => {
            PLAIN
        }
        (
            Language::JavaScript,
            b"console.log" | b"console.info" | b"console.debug" | b"globalThis.console.log",
        ) => LINE,
        (Language::JavaScript, b"process.stdout.write") => PLAIN,
        (Language::Perl, b"print") => PLAIN,
        (Language::Perl, b"say") => Form {
            last: b"\n",
            ..PLAIN
        },
        (Language::Awk, b"print") => LINE,
        (Language::Perl | Language::Php | Language::Ruby | Language::Awk, b"printf") => FORMAT,
        (Language::Ruby, b"puts" | b"stdout.puts" | b"STDOUT.puts" | b"p" | b"$stdout.puts") => {
            LINES
        }
        (
            Language::Ruby,
            b"print" | b"stdout.write" | b"STDOUT.write" | b"stdout.print" | b"STDOUT.print",
        ) => PLAIN,
        (Language::Php, b"echo" | b"print" | b"print_r") => PLAIN,
        (Language::Lua, b"print") => Form {
            separator: b"\t",
            ..LINE
        },
        (Language::Lua, b"io.write") => PLAIN,
        _ => return None,
    })
}
