//! Arithmetic: enough to know offsets and exit codes, and to see what evaluating runs.
//!
//! bash expands subscripts inside arithmetic again, so `x='a[$(cmd)]'; $((x))` runs `cmd`.

use std::collections::HashSet;

use crate::resolve::machine::Machine;
use crate::resolve::machine::state::{Slot, State};
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
                // What it changes counts when its turn comes, unless it never does.
                let mut inner = state.clone();
                let state = if text.is_known() {
                    &mut inner
                } else {
                    &mut *state
                };
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
            span,
            depth: 0,
            chain,
            skipped: 0,
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
    span: Span,
    depth: usize,
    /// How many variables' values lead to this expression.
    chain: usize,
    /// How many operators around leave this part out (`0 && x++`).
    skipped: usize,
}

const MAX_NESTING: usize = 64;

/// Binary operators by precedence, loosest first.
const LEVELS: [&[&[u8]]; 11] = [
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
    &[b"**"],
];

/// Operators that may stand in front of the `=` of an assignment.
const ASSIGNING: [&[u8]; 10] = [b"+", b"-", b"*", b"/", b"%", b"<<", b">>", b"&", b"^", b"|"];

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

    fn rest(&self) -> &[u8] {
        self.text.get(self.position..).unwrap_or_default()
    }

    fn take(&mut self, operator: &[u8]) -> bool {
        self.skip();
        let rest = self.rest();
        if !rest.starts_with(operator) {
            return false;
        }
        // `<` is not the start of `<<`, `&` not of `&&`, and neither of an assignment.
        let next = rest.get(operator.len()).copied().unwrap_or(b' ');
        let doubled = operator == [next];
        let longer = match operator {
            b"|" | b"&" | b"<" | b">" | b"*" => doubled || next == b'=',
            b"+" | b"-" | b"/" | b"%" | b"^" | b"<<" | b">>" => next == b'=',
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
            let then = self.unless(condition == 0, Self::ternary)?;
            if !self.take(b":") {
                return None;
            }
            let otherwise = self.unless(condition != 0, Self::ternary)?;
            if condition != 0 { then } else { otherwise }
        } else {
            condition
        };
        self.depth -= 1;
        Some(value)
    }

    /// A part whose assignments do not count when it is left out.
    fn unless(&mut self, out: bool, inner: fn(&mut Self) -> Option<i64>) -> Option<i64> {
        self.skipped += usize::from(out);
        let value = inner(self);
        self.skipped -= usize::from(out);
        value
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
            let decided = match *operator {
                b"||" => left != 0,
                b"&&" => left == 0,
                _ => false,
            };
            self.skipped += usize::from(decided);
            // Powers bind to the right.
            let right = self.binary(level + usize::from(**operator != *b"**"));
            self.skipped -= usize::from(decided);
            left = apply(operator, left, right?)?;
        }
    }

    fn unary(&mut self) -> Option<i64> {
        let first = self.skip()?;
        if matches!(first, b'+' | b'-') && self.text.get(self.position + 1) == Some(&first) {
            let step = if first == b'+' { 1 } else { -1 };
            let before = self.position;
            self.position += 2;
            let named = self.skip().is_some_and(starts_name);
            if named {
                let place = self.variable()?;
                let value = self.value_of(&place)?.wrapping_add(step);
                return Some(self.set(&place, value));
            }
            self.position = before;
        }
        match first {
            b'-' => {
                self.position += 1;
                Some(self.nested(Self::unary)?.wrapping_neg())
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
            byte if starts_name(byte) => self.name(),
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

    /// A number; one that is too long wraps, as the shell's own does.
    fn number(&mut self) -> Option<i64> {
        let digits = self
            .word(|b| b.is_ascii_alphanumeric() || matches!(b, b'#' | b'@' | b'_'))
            .to_vec();
        let (base, digits) = match digits.iter().position(|byte| *byte == b'#') {
            Some(sign) => {
                let base = std::str::from_utf8(digits.get(..sign)?).ok()?.parse().ok();
                let base = base.filter(|base| (2..=64).contains(base))?;
                (base, digits.get(sign + 1..)?)
            }
            None => match digits.as_slice() {
                [b'0', b'x' | b'X', rest @ ..] => (16, rest),
                [b'0', rest @ ..] if !rest.is_empty() => (8, rest),
                _ => (10, digits.as_slice()),
            },
        };
        let mut number: i64 = 0;
        for byte in digits {
            let digit = match byte {
                b'0'..=b'9' => byte - b'0',
                b'a'..=b'z' => byte - b'a' + 10,
                b'A'..=b'Z' if base <= 36 => byte - b'A' + 10,
                b'A'..=b'Z' => byte - b'A' + 36,
                b'@' => 62,
                _ => 63,
            };
            let digit = Some(i64::from(digit)).filter(|digit| *digit < base)?;
            number = number.wrapping_mul(base).wrapping_add(digit);
        }
        Some(number)
    }

    /// A name, with its subscript when it has one.
    fn variable(&mut self) -> Option<Vec<u8>> {
        let mut place = self
            .word(|b| b.is_ascii_alphanumeric() || b == b'_')
            .to_vec();
        if self.text.get(self.position) == Some(&b'[') {
            self.position += 1;
            let index = self.nested(Self::comma)?;
            // Elements from the end are not told apart.
            if index < 0 || !self.take(b"]") {
                return None;
            }
            place.extend_from_slice(format!("[{index}]").as_bytes());
        }
        Some(place)
    }

    fn name(&mut self) -> Option<i64> {
        let place = self.variable()?;
        self.skip();
        let rest = self.rest();
        if let [sign @ (b'+' | b'-'), second, ..] = rest
            && sign == second
        {
            let step = if *sign == b'+' { 1 } else { -1 };
            self.position += 2;
            let before = self.value_of(&place);
            return match before {
                Some(before) => {
                    self.set(&place, before.wrapping_add(step));
                    Some(before)
                }
                None => self.forget(&place),
            };
        }
        if rest.first() == Some(&b'=') && rest.get(1) != Some(&b'=') {
            self.position += 1;
            return match self.nested(Self::ternary) {
                Some(value) => Some(self.set(&place, value)),
                None => self.forget(&place),
            };
        }
        let operator = ASSIGNING
            .iter()
            .find(|operator| rest.starts_with(operator) && rest.get(operator.len()) == Some(&b'='));
        if let Some(operator) = operator {
            self.position += operator.len() + 1;
            let left = self.value_of(&place);
            let right = self.nested(Self::ternary);
            return match left.zip(right).and_then(|(l, r)| apply(operator, l, r)) {
                Some(value) => Some(self.set(&place, value)),
                None => self.forget(&place),
            };
        }
        self.value_of(&place)
    }

    fn value_of(&mut self, place: &[u8]) -> Option<i64> {
        let value = match place.iter().position(|byte| *byte == b'[') {
            Some(open) => self.element(place, open)?,
            None => self.machine.scalar(place, self.state),
        };
        let bytes = value.bytes()?.into_owned();
        if bytes.is_empty() {
            return Some(0);
        }
        if bytes == place {
            return None;
        }
        let number = std::str::from_utf8(&bytes)
            .ok()
            .map(str::trim)
            .filter(|text| !text.trim_start_matches('-').starts_with('0') || *text == "0")
            .and_then(|text| text.parse().ok());
        match number {
            Some(number) => Some(number),
            // The value is an expression itself.
            None if value.has_unset() => None,
            None => {
                let (span, chain) = (self.span, self.chain + 1);
                let value = self.machine.evaluate(&value, span, self.state, chain);
                std::str::from_utf8(&value.bytes()?).ok()?.parse().ok()
            }
        }
    }

    fn element(&mut self, place: &[u8], open: usize) -> Option<Value> {
        let name = place.get(..open)?;
        let key = place.get(open + 1..place.len().checked_sub(1)?)?;
        Some(self.machine.element(name, Some(key), self.state))
    }

    fn set(&mut self, place: &[u8], value: i64) -> i64 {
        if self.skipped == 0 {
            let slot = Slot::Scalar(Value::computed(value.to_string()));
            self.machine.assign(self.state, place, slot, false);
        }
        value
    }

    /// It is set to something that cannot be known.
    fn forget(&mut self, place: &[u8]) -> Option<i64> {
        let name = place.split(|byte| *byte == b'[').next().unwrap_or(place);
        let unknown = Value::unknown(Origin::Variable(name.to_vec()));
        self.machine
            .assign(self.state, place, Slot::Scalar(unknown), false);
        None
    }
}

fn starts_name(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_'
}

/// Numbers wrap, as the shell's own do.
fn apply(operator: &[u8], left: i64, right: i64) -> Option<i64> {
    let bits = || u32::try_from(right.rem_euclid(64)).ok();
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
        b"<<" => left.wrapping_shl(bits()?),
        b">>" => left.wrapping_shr(bits()?),
        b"+" => left.wrapping_add(right),
        b"-" => left.wrapping_sub(right),
        b"*" => left.wrapping_mul(right),
        b"/" if right != 0 => left.wrapping_div(right),
        b"%" if right != 0 => left.wrapping_rem(right),
        b"**" => left.wrapping_pow(u32::try_from(right).ok()?),
        _ => return None,
    })
}
