//! The code's own functions: their parameters are what their calls give.

use std::collections::HashMap;

use super::Language;
use super::scan::Scanner;
use super::tokens::{Kind, Token};
use super::val::{Args, MAX_ALTERNATIVES, Val, bare};

/// Where a name is called.
#[derive(Default)]
pub(super) struct Mentions {
    /// Indices of the names in front of the parentheses.
    calls: Vec<usize>,
    /// It also stands where it is not called: somebody may call it under another name.
    elsewhere: bool,
}

/// Mentions of all names of the code.
pub(super) type Index<'c> = HashMap<&'c [u8], Mentions>;

/// A parameter.
struct Parameter {
    name: Vec<u8>,
    /// `*rest`: all arguments from here on.
    rest: bool,
}

impl<'c> Scanner<'c> {
    /// Notes where names are called.
    pub(super) fn index(&mut self, tokens: &[Token]) {
        if !matches!(
            self.language,
            Language::Python | Language::JavaScript | Language::Php
        ) {
            return;
        }
        let mut index = Index::new();
        let defines = (0..tokens.len()).any(|at| self.defines(tokens, at));
        if !defines {
            return;
        }
        for (at, token) in tokens.iter().enumerate() {
            if !matches!(token.kind, Kind::Name) {
                continue;
            }
            let before = |count: usize| {
                at.checked_sub(count)
                    .map_or(&[][..], |before| self.text_at(tokens, before))
            };
            if matches!(before(1), b"def" | b"function") {
                continue;
            }
            // Another object's method is another function.
            let member = matches!(before(1), b"." | b"?." | b"->" | b"::");
            if member && !matches!(before(2), b"self" | b"this" | b"$this" | b"cls") {
                continue;
            }
            let mentions = index.entry(self.text(token)).or_default();
            if self.is(tokens, at + 1, b"(") && mentions.calls.len() <= MAX_ALTERNATIVES {
                mentions.calls.push(at);
            } else {
                mentions.elsewhere = true;
            }
        }
        self.functions = index;
    }

    fn defines(&self, tokens: &[Token], at: usize) -> bool {
        matches!(tokens.get(at), Some(token) if matches!(token.kind, Kind::Name)
            && matches!(self.text(token), b"def" | b"function"))
    }

    /// Binds the parameters of the function whose name stands at `at` to what its calls give; they
    /// stay unknown where not every call is seen.
    pub(super) fn parameters(&mut self, tokens: &[Token], at: usize) {
        let open = at + 1;
        if !self.is(tokens, open, b"(") {
            return;
        }
        let parameters = self.parameter_names(tokens, open);
        for parameter in &parameters {
            // What a name outside of the function holds is not the parameter's.
            self.env.remove(&parameter.name);
        }
        let name = self.text_at(tokens, at);
        let Some(mentions) = self.functions.remove(name) else {
            return;
        };
        if mentions.elsewhere || mentions.calls.is_empty() {
            return;
        }
        let mut given: Vec<Vec<Val>> = parameters.iter().map(|_| Vec::new()).collect();
        for call in mentions.calls {
            let Some(bracket) = tokens.get(call + 1) else {
                return;
            };
            let args = Args {
                list: self.arguments(tokens, call + 2, bracket.close, 0),
                span: self.code.span(bracket.start, bracket.end),
                emit: false,
            };
            for ((position, parameter), values) in parameters.iter().enumerate().zip(&mut given) {
                if parameter.rest {
                    let rest = args.positional().into_iter().skip(position).collect();
                    values.push(Val::List(rest));
                    continue;
                }
                let name = String::from_utf8_lossy(&parameter.name);
                if let Some(value) = args.get(position, &[&name]) {
                    values.push(value.clone());
                }
            }
        }
        for (parameter, mut values) in parameters.into_iter().zip(given) {
            match values.len() {
                0 => {}
                1 => self.bind(&parameter.name, values.remove(0)),
                _ => self.bind(&parameter.name, Val::Any(values)),
            }
        }
    }

    /// The parameters between the parentheses at `open`, without the object itself.
    fn parameter_names(&mut self, tokens: &[Token], open: usize) -> Vec<Parameter> {
        let close = tokens.get(open).map_or(0, |token| token.close);
        let mut out = Vec::new();
        let mut at = open + 1;
        while at < close && self.pay(1) {
            let rest = self.is(tokens, at, b"*") || self.is(tokens, at, b"...");
            if rest {
                at += 1;
            }
            let Some(token) = tokens.get(at) else {
                break;
            };
            if matches!(token.kind, Kind::Name) {
                let name = bare(self.text(token)).to_vec();
                if !(out.is_empty() && matches!(name.as_slice(), b"self" | b"cls")) {
                    out.push(Parameter { name, rest });
                }
            }
            // Types and defaults, up to the next comma.
            while at < close && !self.is(tokens, at, b",") && self.pay(1) {
                at = match tokens.get(at) {
                    Some(token) if token.close != usize::MAX => token.close + 1,
                    _ => at + 1,
                };
            }
            at += 1;
        }
        out
    }
}
