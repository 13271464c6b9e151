//! Expressions: operators and what they stand between.

use super::Language;
use super::scan::{MAX_DEPTH, Scanner};
use super::text_values;
use super::tokens::{Kind, Part, Token};
use super::val::{MAX_ALTERNATIVES, Val, alternatives, bare};
use crate::value::{Origin, Piece, Value};

impl Scanner<'_> {
    /// A string's text.
    fn parts(&mut self, parts: &[Part], depth: usize) -> Value {
        let text = self.string(parts, depth);
        self.value(&text)
    }

    /// A string's text: one for each of several values that it is made with. Where it is made with
    /// two such, the second is unknown.
    pub(super) fn string(&mut self, parts: &[Part], depth: usize) -> Val {
        let mut texts = vec![Value::empty()];
        for part in parts {
            self.pay(texts.len());
            let value = match part {
                Part::Text(text) => {
                    texts.iter_mut().for_each(|own| own.append(text));
                    continue;
                }
                Part::Code(tokens) => self.evaluate(tokens, 0, tokens.len(), depth + 1).0,
            };
            let several = match &value {
                Val::Any(values) if values.len() > 1 => values.as_slice(),
                _ => &[],
            };
            let [only] = texts.as_slice() else {
                let value = self.value(&value);
                texts.iter_mut().for_each(|own| own.append(&value));
                continue;
            };
            let own: &[Val] = if several.is_empty() {
                std::slice::from_ref(&value)
            } else {
                several
            };
            texts = own
                .iter()
                .take(MAX_ALTERNATIVES)
                .map(|value| {
                    let mut text = only.clone();
                    text.append(&self.value(value));
                    text
                })
                .collect();
        }
        let mut texts: Vec<Val> = texts
            .into_iter()
            .map(|text| Val::Text(self.bounded(text)))
            .collect();
        match texts.pop() {
            Some(only) if texts.is_empty() => only,
            Some(last) => {
                texts.push(last);
                Val::Any(texts)
            }
            None => Val::other(),
        }
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
                (
                    Language::Python
                    | Language::JavaScript
                    | Language::Ruby
                    | Language::C
                    | Language::Go
                    | Language::Rust
                    | Language::Java,
                    b"+",
                )
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
                    left = self.formatted(&left, &right);
                    next = after;
                }
                (Language::Perl | Language::Ruby | Language::Php, b"or" | b"and")
                | (Language::Go, b"...") => break,
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
                    return self.otherwise(first, b":", tokens, after, end, depth);
                }
                (Language::Python, b"if") => {
                    let (_, after) = self.evaluate(tokens, next + 1, end, depth + 1);
                    return self.otherwise(left, b"else", tokens, after, end, depth);
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

    /// `"…" % values`
    fn formatted(&mut self, format: &Val, values: &Val) -> Val {
        let Val::Text(format) = format else {
            return Val::other();
        };
        match text_values::percent(self, format, values) {
            Val::Text(text) => Val::Text(self.bounded(text)),
            other => other,
        }
    }

    /// A value, or that behind the word which begins the other branch of a conditional expression.
    fn otherwise(
        &mut self,
        value: Val,
        word: &[u8],
        tokens: &[Token],
        at: usize,
        end: usize,
        depth: usize,
    ) -> (Val, usize) {
        if !self.is(tokens, at, word) {
            return (value, at);
        }
        let (other, after) = self.evaluate(tokens, at + 1, end, depth + 1);
        (alternatives(value, other), after)
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
                    | b"void" | b"do" | b"scalar" | b"local" | b"my" => {}
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

    /// A value without its members, subscripts and calls: the value and the index behind it.
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
        if super::compiled::is_compiled(self.language)
            && let Some(found) = self.literal(tokens, at, end, depth)
        {
            return found;
        }
        let value = match &token.kind {
            Kind::Text(parts) => return self.adjacent_strings(tokens, parts, at, end, depth),
            Kind::Punct => return self.bracketed(tokens, token, at, end, depth),
            Kind::Command(parts) => self.command_output(parts, depth),
            Kind::Words(words) => {
                self.pay(words.len());
                Val::List(words.iter().cloned().map(Val::Text).collect())
            }
            Kind::Glob(parts) => {
                let text = self.string(parts, depth);
                self.glob(Some(&text))
            }
            Kind::Number => {
                let mut value = Value::empty();
                self.code.append(token.start, token.end, &mut value);
                Val::Text(value)
            }
            // A name that no function has: what splits at it can read it.
            Kind::Regex => Val::symbol(self.text(token)),
            Kind::Newline => Val::other(),
            Kind::Name => self.named(token),
        };
        (value, at + 1)
    }

    /// A string; Python and Ruby join strings that stand side by side.
    fn adjacent_strings(
        &mut self,
        tokens: &[Token],
        parts: &[Part],
        at: usize,
        end: usize,
        depth: usize,
    ) -> (Val, usize) {
        let mut text = self.string(parts, depth);
        let mut next = at + 1;
        while matches!(
            self.language,
            Language::Python | Language::Ruby | Language::C
        ) && next < end
        {
            let Some(Token {
                kind: Kind::Text(parts),
                ..
            }) = tokens.get(next)
            else {
                break;
            };
            let more = self.string(parts, depth);
            text = self.concat(&text, &more);
            next += 1;
        }
        (text, next)
    }

    /// What a string that a shell runs gives.
    fn command_output(&mut self, parts: &[Part], depth: usize) -> Val {
        let text = self.parts(parts, depth);
        let prefix = text.known_prefix();
        let prefix = prefix.trim_ascii_start();
        let fetches = prefix.starts_with(b"curl ") || prefix.starts_with(b"wget ");
        Val::Text(Value::unknown(if fetches {
            Origin::Fetched
        } else {
            Origin::Output(b"sh".to_vec())
        }))
    }

    /// What a name stands for.
    fn named(&mut self, token: &Token) -> Val {
        let name = bare(self.text(token));
        if let Some(unknown) = self.code.hole_in(token.start, token.end) {
            return Val::Text(Value::unknown(unknown.origin.clone()));
        }
        let Some(value) = self.env.get(name).cloned() else {
            return self.given(name).unwrap_or_else(|| Val::symbol(name));
        };
        let cost = match &value {
            Val::Text(text) | Val::Path(text) => {
                let costs = text.pieces.iter().map(|piece| match piece {
                    Piece::Text { bytes, .. } => bytes.len() / 16,
                    _ => 1,
                });
                costs.sum()
            }
            Val::List(values) => 4 * values.len(),
            _ => 0,
        };
        if !self.pay(cost) {
            return Val::other();
        }
        value
    }

    /// What brackets hold.
    fn bracketed(
        &mut self,
        tokens: &[Token],
        open: &Token,
        at: usize,
        end: usize,
        depth: usize,
    ) -> (Val, usize) {
        let close = open.close.min(end);
        let value = match self.text(open) {
            b"(" => match self.list(tokens, at + 1, close, depth) {
                (values, false) if values.len() == 1 => {
                    values.into_iter().next().unwrap_or_else(Val::other)
                }
                // `(0, exec)` is the last of them.
                (mut values, _) if self.language == Language::JavaScript && !values.is_empty() => {
                    values.pop().unwrap_or_else(Val::other)
                }
                (values, _) => Val::List(values),
            },
            b"[" => Val::List(self.list(tokens, at + 1, close, depth).0),
            b"{" if super::compiled::is_compiled(self.language) => {
                Val::List(self.list(tokens, at + 1, close, depth).0)
            }
            b"{" => self.entries(tokens, at + 1, close, depth),
            _ => return (Val::other(), at + 1),
        };
        (value, (close + 1).min(end.max(at + 1)))
    }
}
