//! Chains of members, subscripts and calls.

use super::Language;
use super::scan::{MAX_DEPTH, Scanner};
use super::tokens::{Kind, Part, Token};
use super::val::{Args, Val};

/// Where a chain stands.
struct Chain<'t> {
    tokens: &'t [Token],
    /// The token that it begins with.
    first: &'t Token,
    /// Behind the last token that may belong to it.
    end: usize,
    depth: usize,
    /// What its calls do is reported.
    emit: bool,
}

impl Scanner<'_> {
    /// A primary expression with members, subscripts and calls: its value and the index behind it.
    pub(super) fn chain(
        &mut self,
        tokens: &[Token],
        at: usize,
        end: usize,
        depth: usize,
        emit: bool,
    ) -> (Val, usize) {
        let Some(first) = tokens.get(at).filter(|_| at < end) else {
            return (Val::other(), at.max(end));
        };
        if depth >= MAX_DEPTH || !self.pay(2) {
            return (Val::other(), end);
        }
        let chain = Chain {
            tokens,
            first,
            end,
            depth,
            emit,
        };
        let (mut value, mut next) = self.primary(tokens, at, end, depth);
        while next < end {
            let Some(operator) = tokens.get(next) else {
                break;
            };
            if !self.pay(1) {
                break;
            }
            let (linked, behind) = self.link(&chain, value, operator, next);
            value = linked;
            match behind {
                Some(behind) => next = behind,
                None => break,
            }
        }
        if let Val::Symbol(name) = &value
            && self.takes_words(name, tokens, next, end)
        {
            let (list, after) = self.word_arguments(tokens, next, end, depth);
            let last = tokens.get(after.saturating_sub(1));
            let span = self
                .code
                .span(first.start, last.map_or(first.end, |last| last.end));
            let args = Args { list, span, emit };
            let called = value.clone();
            value = self.dispatch(&name.clone(), &args);
            next = after;
            self.left_behind(&called, tokens, next, emit);
        }
        (value, next)
    }

    /// One link at `next`: what the chain gives with it, and the index behind it; without an index
    /// the chain ends here.
    fn link(
        &mut self,
        chain: &Chain<'_>,
        value: Val,
        operator: &Token,
        next: usize,
    ) -> (Val, Option<usize>) {
        let adjacent = operator.start == self.end_of(chain.tokens, next);
        let text = match &operator.kind {
            Kind::Punct => self.text(operator),
            Kind::Text(parts) => return self.string_argument(chain, value, operator, parts, next),
            _ => return (value, None),
        };
        match (text, self.language) {
            (b"." | b"?." | b"->" | b"::" | b"&." | b":", _) if self.is_member(text) => {
                self.member_link(chain, value, next)
            }
            (b"(", _) if self.is_call(chain.tokens, next) => {
                let (value, behind) = self.call_link(chain, value, operator, next);
                (value, Some(behind))
            }
            (b"[", _) | (b"{", Language::Perl) if adjacent => {
                let close = operator.close.min(chain.end);
                let value = self.subscript(chain.tokens, next + 1, close, chain.depth, value);
                (value, Some(close + 1))
            }
            (b"{", Language::Lua) if matches!(value, Val::Symbol(_)) => {
                (Val::other(), Some(operator.close.min(chain.end) + 1))
            }
            _ => (value, None),
        }
    }

    /// `.name`
    fn member_link(&mut self, chain: &Chain<'_>, value: Val, next: usize) -> (Val, Option<usize>) {
        let tokens = chain.tokens;
        let Some(member) = tokens.get(next + 1).filter(|_| next + 1 < chain.end) else {
            return (value, None);
        };
        match member.kind {
            Kind::Name => {
                let value = self.member(value, self.text(member));
                let value = self.bare_method(tokens, next + 2, value, chain.first, chain.emit);
                (value, Some(next + 2))
            }
            // JavaScript: `Bun.$`; Perl and JavaScript: `x->[0]`, `x?.[0]`, `f?.(x)`
            Kind::Punct if matches!(self.text(member), b"[" | b"(" | b"{") => {
                (value, Some(next + 1))
            }
            _ => (value, None),
        }
    }

    /// `(…)`
    fn call_link(
        &mut self,
        chain: &Chain<'_>,
        value: Val,
        operator: &Token,
        next: usize,
    ) -> (Val, usize) {
        let (tokens, end) = (chain.tokens, chain.end);
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
        let list = self.arguments(tokens, next + 1, close, chain.depth);
        let last = tokens.get(close).unwrap_or(operator);
        let args = Args {
            list,
            span: self.code.span(chain.first.start, last.end),
            emit: chain.emit,
        };
        if chain.emit && matches!(chain.first.kind, Kind::Name) {
            self.grow(self.text(chain.first), &value, &args);
        }
        let called = value.clone();
        let value = self.invoke(value, &args);
        let behind = (close + 1).min(end.max(next + 1));
        self.left_behind(&called, tokens, behind, chain.emit);
        self.block_parameter(tokens, behind, &value);
        (value, behind)
    }

    /// A tagged template, or a call with one string.
    fn string_argument(
        &mut self,
        chain: &Chain<'_>,
        value: Val,
        string: &Token,
        parts: &[Part],
        next: usize,
    ) -> (Val, Option<usize>) {
        let Val::Symbol(mut name) = value else {
            return (value, None);
        };
        if !matches!(self.language, Language::JavaScript | Language::Lua) {
            return (Val::Symbol(name), None);
        }
        let text = self.string(parts, chain.depth);
        let args = Args {
            list: vec![(None, text)],
            span: self.code.span(chain.first.start, string.end),
            emit: chain.emit,
        };
        if self.language == Language::JavaScript {
            name.push(b'`');
        }
        (self.invoke(Val::Symbol(name), &args), Some(next + 1))
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
            Language::C => matches!(operator, b"." | b"->" | b"::"),
            Language::Rust => matches!(operator, b"." | b"::"),
            Language::Go | Language::Java => operator == b".",
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
}
