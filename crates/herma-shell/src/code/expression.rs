//! Expressions: operators, and chains of members and calls.

use super::Language;
use super::scan::{MAX_DEPTH, Scanner};
use super::text_values;
use super::tokens::{Kind, Part, Token};
use super::val::{Args, Val, alternatives, bare};
use crate::value::{Origin, Piece, Value};

impl Scanner<'_> {
    /// A string's text.
    pub(super) fn parts(&mut self, parts: &[Part], depth: usize) -> Value {
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
                        path @ Val::Path(_) => Val::Path(self.joined_path(&[path, right])),
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
    pub(super) fn operand(
        &mut self,
        tokens: &[Token],
        at: usize,
        end: usize,
        depth: usize,
    ) -> (Val, usize) {
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
    pub(super) fn chain(
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
                            && matches!(method.as_slice(), b"forEach" | b"map" | b"then")
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
    pub(super) fn is_member(&self, operator: &[u8]) -> bool {
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
    pub(super) fn end_of(&self, tokens: &[Token], at: usize) -> usize {
        at.checked_sub(1)
            .and_then(|before| tokens.get(before))
            .map_or(usize::MAX, |token| token.end)
    }

    /// Whether a parenthesis calls what stands in front of it. Ruby needs it to be adjacent.
    pub(super) fn is_call(&self, tokens: &[Token], at: usize) -> bool {
        self.language != Language::Ruby
            || tokens
                .get(at)
                .is_some_and(|token| token.start == self.end_of(tokens, at))
    }

    pub(super) fn primary(
        &mut self,
        tokens: &[Token],
        at: usize,
        end: usize,
        depth: usize,
    ) -> (Val, usize) {
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
}
