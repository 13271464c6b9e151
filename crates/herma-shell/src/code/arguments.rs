//! Arguments, list elements and object entries.

use super::Language;
use super::scan::Scanner;
use super::text_values;
use super::tokens::{Kind, Part, Token};
use super::val::{Argument, Val, bare};

impl Scanner<'_> {
    /// The elements between brackets, and whether a comma stands among them.
    pub(super) fn list(
        &mut self,
        tokens: &[Token],
        at: usize,
        end: usize,
        depth: usize,
    ) -> (Vec<Val>, bool) {
        let arguments = self.arguments(tokens, at, end, depth);
        let commas = arguments.len() > 1 || self.is(tokens, end.wrapping_sub(1), b",");
        (
            arguments.into_iter().map(|(_, value)| value).collect(),
            commas,
        )
    }

    /// Arguments between parentheses.
    pub(super) fn arguments(
        &mut self,
        tokens: &[Token],
        at: usize,
        end: usize,
        depth: usize,
    ) -> Vec<Argument> {
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
            let mut spread = self.is(tokens, at, b"*") || self.is(tokens, at, b"...");
            let (name, from) = self.argument_name(tokens, at, end);
            let (mut value, mut next) = self.evaluate(tokens, from, end, depth + 1);
            // Go: `f(list...)`
            if self.language == Language::Go && self.is(tokens, next, b"...") {
                spread = true;
                next += 1;
            }
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
                Val::Text(text) if spread && text.is_known() => {
                    if let Val::List(values) = text_values::characters(&text) {
                        out.extend(values.into_iter().map(|value| (None, value)));
                    } else {
                        out.push((None, Val::many()));
                    }
                }
                _ if spread => out.push((None, Val::many())),
                value => out.push((name, value)),
            }
            at = next.max(from).max(at + 1);
        }
        out
    }

    /// `name=`, `name:`, `"name" =>` in front of an argument.
    pub(super) fn argument_name(
        &self,
        tokens: &[Token],
        at: usize,
        end: usize,
    ) -> (Option<Vec<u8>>, usize) {
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
    pub(super) fn entries(&mut self, tokens: &[Token], at: usize, end: usize, depth: usize) -> Val {
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
    pub(super) fn takes_words(&self, name: &[u8], tokens: &[Token], at: usize, end: usize) -> bool {
        if at >= end {
            return self.language == Language::Perl && takes_topic(name);
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
            return self.language == Language::Perl && takes_topic(name);
        }
        match token.kind {
            Kind::Regex => self.language == Language::Perl && name == b"split",
            Kind::Newline => false,
            Kind::Name => true,
            Kind::Punct => {
                matches!(self.text(token), b"[" | b"\\" | b"*" | b"-" | b"{" | b"<<")
                    || (self.text(token) == b"(" && self.language == Language::Ruby)
            }
            _ => true,
        }
    }

    /// Whether arguments without parentheses end here.
    pub(super) fn ends_words(&self, token: &Token) -> bool {
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
    pub(super) fn word_arguments(
        &mut self,
        tokens: &[Token],
        at: usize,
        end: usize,
        depth: usize,
    ) -> (Vec<Argument>, usize) {
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
}

/// Perl's functions that take the topic when nothing is given.
fn takes_topic(name: &[u8]) -> bool {
    matches!(
        name,
        b"unlink" | b"rmdir" | b"reverse" | b"lc" | b"uc" | b"ucfirst" | b"lcfirst"
    )
}
