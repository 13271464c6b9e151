//! Arithmetic: enough to know offsets and exit codes, and to see what evaluating runs.
//!
//! bash expands subscripts inside arithmetic again, so `x='a[$(cmd)]'; $((x))` runs `cmd`.

use std::collections::HashSet;

use crate::resolve::machine::Machine;
use crate::resolve::machine::state::State;
use crate::source::Span;
use crate::syntax::Word;
use crate::value::{Origin, Piece, Value};

/// How often a variable's value may name another one.
const MAX_CHAIN: usize = 16;

impl Machine<'_> {
    /// The value of an arithmetic expression.
    pub(crate) fn arithmetic_word(&mut self, word: &Word, state: &mut State) -> Value {
        let text = self.expand_single(word, state);
        self.arithmetic_text(&text, word.span, state)
    }

    /// Evaluates text as arithmetic, with everything that this runs.
    pub(crate) fn arithmetic_text(&mut self, text: &Value, span: Span, state: &mut State) -> Value {
        self.evaluate(text, span, state, 0)
    }

    fn evaluate(&mut self, text: &Value, span: Span, state: &mut State, chain: usize) -> Value {
        let unknown = || Value::unknown(Origin::Other);
        if chain > MAX_CHAIN {
            self.beyond(span);
            return unknown();
        }
        if !self.spend(1 + text.pieces.len() as u64) {
            return unknown();
        }
        self.substitutions_in(text, span, state);
        // Names in it are evaluated in turn, unknown parts or not.
        let shown = shown(text);
        self.spend(shown.len() as u64 / 4);
        for name in names(&shown) {
            let value = self.scalar(name, state);
            let plain = value
                .bytes()
                .is_some_and(|b| b.iter().all(|b| b.is_ascii_digit() || *b == b'-'));
            if !plain && !value.is(name) && !value.has_unset() {
                self.evaluate(&value, span, state, chain + 1);
            }
        }
        if !text.is_known() {
            return unknown();
        }
        let mut parser = Expression {
            text: &shown,
            position: 0,
            machine: self,
            state,
            depth: 0,
        };
        let value = parser.comma();
        let end = parser.skip().is_none();
        match value {
            Some(number) if end => Value::computed(number.to_string()),
            _ => unknown(),
        }
    }
}

/// An expression with a blank for each part that cannot be known.
fn shown(text: &Value) -> Vec<u8> {
    let mut shown = Vec::new();
    for piece in &text.pieces {
        match piece {
            Piece::Text { bytes, .. } | Piece::Glob { pattern: bytes, .. } => {
                shown.extend_from_slice(bytes);
            }
            Piece::Unset(_) => {}
            Piece::Unknown(_) => shown.push(b' '),
        }
    }
    shown
}

/// The variable names in an expression.
fn names(text: &[u8]) -> Vec<&[u8]> {
    let mut names = Vec::new();
    let mut seen = HashSet::new();
    let mut position = 0;
    while let Some(byte) = text.get(position) {
        let start = position;
        if byte.is_ascii_alphabetic() || *byte == b'_' {
            while text
                .get(position)
                .is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_')
            {
                position += 1;
            }
            let name = text.get(start..position).unwrap_or_default();
            if seen.insert(name) {
                names.push(name);
            }
        } else if byte.is_ascii_digit() {
            while text
                .get(position)
                .is_some_and(|b| b.is_ascii_alphanumeric())
            {
                position += 1;
            }
        } else {
            position += 1;
        }
    }
    names
}

/// A recursive-descent evaluator; depth is bounded by [`MAX_NESTING`].
struct Expression<'e, 'm, 'w> {
    text: &'e [u8],
    position: usize,
    machine: &'m mut Machine<'w>,
    state: &'m mut State,
    depth: usize,
}

const MAX_NESTING: usize = 64;

/// Binary operators by precedence, loosest first.
const LEVELS: [&[&[u8]]; 10] = [
    &[b"||"],
    &[b"&&"],
    &[b"|"],
    &[b"^"],
    &[b"&"],
    &[b"==", b"!="],
    &[b"<=", b">=", b"<", b">"],
    &[b"<<", b">>"],
    &[b"+", b"-"],
    &[b"*", b"/", b"%"],
];

impl Expression<'_, '_, '_> {
    fn skip(&mut self) -> Option<u8> {
        while self
            .text
            .get(self.position)
            .is_some_and(u8::is_ascii_whitespace)
        {
            self.position += 1;
        }
        self.text.get(self.position).copied()
    }

    fn take(&mut self, operator: &[u8]) -> bool {
        self.skip();
        let rest = self.text.get(self.position..).unwrap_or_default();
        if !rest.starts_with(operator) {
            return false;
        }
        // `<` is not the start of `<<`, `&` not of `&&`, and neither of an assignment.
        let next = rest.get(operator.len()).copied().unwrap_or(b' ');
        let doubled = operator == [next];
        let longer = match operator {
            b"|" | b"&" | b"<" | b">" => doubled || next == b'=',
            b"+" | b"-" => doubled || next == b'=',
            b"*" => matches!(next, b'*' | b'='),
            b"/" | b"%" | b"^" | b"<<" | b">>" => next == b'=',
            _ => false,
        };
        if longer {
            return false;
        }
        self.position += operator.len();
        true
    }

    fn comma(&mut self) -> Option<i64> {
        let mut value = self.ternary()?;
        while self.take(b",") {
            value = self.ternary()?;
        }
        Some(value)
    }

    fn ternary(&mut self) -> Option<i64> {
        self.depth += 1;
        if self.depth > MAX_NESTING {
            return None;
        }
        let condition = self.binary(0)?;
        let value = if self.take(b"?") {
            let then = self.ternary()?;
            if !self.take(b":") {
                return None;
            }
            let otherwise = self.ternary()?;
            if condition != 0 { then } else { otherwise }
        } else {
            condition
        };
        self.depth -= 1;
        Some(value)
    }

    fn binary(&mut self, level: usize) -> Option<i64> {
        let Some(operators) = LEVELS.get(level) else {
            return self.unary();
        };
        let mut left = self.binary(level + 1)?;
        loop {
            let Some(operator) = operators.iter().find(|operator| self.take(operator)) else {
                return Some(left);
            };
            let right = self.binary(level + 1)?;
            left = apply(operator, left, right)?;
        }
    }

    fn unary(&mut self) -> Option<i64> {
        match self.skip()? {
            b'-' => {
                self.position += 1;
                self.nested(Self::unary)?.checked_neg()
            }
            b'+' => {
                self.position += 1;
                self.nested(Self::unary)
            }
            b'!' => {
                self.position += 1;
                self.nested(Self::unary).map(|n| i64::from(n == 0))
            }
            b'~' => {
                self.position += 1;
                self.nested(Self::unary).map(|n| !n)
            }
            b'(' => {
                self.position += 1;
                let value = self.nested(Self::comma)?;
                self.take(b")").then_some(value)
            }
            byte if byte.is_ascii_digit() => self.number(),
            byte if byte.is_ascii_alphabetic() || byte == b'_' => self.name(),
            _ => None,
        }
    }

    fn nested(&mut self, inner: fn(&mut Self) -> Option<i64>) -> Option<i64> {
        self.depth += 1;
        if self.depth > MAX_NESTING {
            return None;
        }
        let value = inner(self);
        self.depth -= 1;
        value
    }

    fn word(&mut self, test: fn(u8) -> bool) -> &[u8] {
        let start = self.position;
        while self.text.get(self.position).is_some_and(|byte| test(*byte)) {
            self.position += 1;
        }
        self.text.get(start..self.position).unwrap_or_default()
    }

    fn number(&mut self) -> Option<i64> {
        let digits =
            std::str::from_utf8(self.word(|b| b.is_ascii_alphanumeric() || b == b'#')).ok()?;
        if let Some((base, digits)) = digits.split_once('#') {
            let base: u32 = base.parse().ok().filter(|base| (2..=36).contains(base))?;
            return i64::from_str_radix(digits, base).ok();
        }
        if let Some(hex) = digits
            .strip_prefix("0x")
            .or_else(|| digits.strip_prefix("0X"))
        {
            return i64::from_str_radix(hex, 16).ok();
        }
        if digits.len() > 1 && digits.starts_with('0') {
            return i64::from_str_radix(digits, 8).ok();
        }
        digits.parse().ok()
    }

    fn name(&mut self) -> Option<i64> {
        let name = self
            .word(|b| b.is_ascii_alphanumeric() || b == b'_')
            .to_vec();
        // Assignments and subscripts change or read what is not tracked here.
        match self.skip() {
            Some(b'[') => return None,
            Some(b'=') if self.text.get(self.position + 1) != Some(&b'=') => {
                self.position += 1;
                let value = self.nested(Self::ternary)?;
                let slot = crate::resolve::machine::state::Slot::Scalar(Value::computed(
                    value.to_string(),
                ));
                self.machine.assign(self.state, &name, slot, false);
                return Some(value);
            }
            Some(b'+' | b'-' | b'*' | b'/' | b'%') => {
                let rest = self.text.get(self.position..).unwrap_or_default();
                let changes = rest.get(1) == Some(&b'=')
                    || rest.starts_with(b"++")
                    || rest.starts_with(b"--");
                if changes {
                    let slot = crate::resolve::machine::state::Slot::Scalar(Value::unknown(
                        Origin::Variable(name.clone()),
                    ));
                    self.machine.assign(self.state, &name, slot, false);
                    return None;
                }
            }
            _ => {}
        }
        let value = self.machine.scalar(&name, self.state);
        let bytes = value.bytes()?.into_owned();
        if bytes.is_empty() {
            return Some(0);
        }
        if bytes == name {
            return None;
        }
        std::str::from_utf8(&bytes).ok()?.trim().parse().ok()
    }
}

fn apply(operator: &[u8], left: i64, right: i64) -> Option<i64> {
    Some(match operator {
        b"||" => i64::from(left != 0 || right != 0),
        b"&&" => i64::from(left != 0 && right != 0),
        b"|" => left | right,
        b"^" => left ^ right,
        b"&" => left & right,
        b"==" => i64::from(left == right),
        b"!=" => i64::from(left != right),
        b"<=" => i64::from(left <= right),
        b">=" => i64::from(left >= right),
        b"<" => i64::from(left < right),
        b">" => i64::from(left > right),
        b"<<" => left.checked_shl(u32::try_from(right).ok()?)?,
        b">>" => left.checked_shr(u32::try_from(right).ok()?)?,
        b"+" => left.checked_add(right)?,
        b"-" => left.checked_sub(right)?,
        b"*" => left.checked_mul(right)?,
        b"/" => left.checked_div(right)?,
        b"%" => left.checked_rem(right)?,
        _ => return None,
    })
}
