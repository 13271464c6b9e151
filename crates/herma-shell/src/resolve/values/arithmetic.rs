//! Arithmetic: enough to know offsets and exit codes, and to see what evaluating runs.
//!
//! bash expands subscripts inside arithmetic again, so `x='a[$(cmd)]'; $((x))` runs `cmd`.

mod text;

use std::collections::HashSet;

use self::text::{
    ASSIGNING, LEVELS, apply, assigns, decimal, name_positions, names, shown, starts_name,
};
use crate::resolve::machine::Machine;
use crate::resolve::machine::state::{Slot, State, Variable as Attributed};
use crate::source::Span;
use crate::syntax::Word;
use crate::value::{Origin, Value};

/// How often a variable's value may name another one.
const MAX_CHAIN: usize = 16;

/// How many errors are followed to the next line.
const MAX_GIVEN_UP: usize = 16;

impl Machine<'_> {
    /// The value of an arithmetic expression.
    pub(crate) fn arithmetic_word(&mut self, word: &Word, state: &mut State) -> Value {
        let text = self.expand_single(word, state);
        self.arithmetic_text(&text, word.span, state)
    }

    /// Evaluates text as arithmetic, with everything that this runs.
    pub(crate) fn arithmetic_text(&mut self, text: &Value, span: Span, state: &mut State) -> Value {
        self.evaluate(text, span, state, Depth::default())
    }

    fn evaluate(&mut self, text: &Value, span: Span, state: &mut State, depth: Depth) -> Value {
        let unknown = || Value::unknown(Origin::Other);
        if depth.chain > MAX_CHAIN {
            if shown(text).contains(&b'[') {
                // What a subscript holds runs.
                self.hidden(span);
            }
            self.beyond(span);
            return unknown();
        }
        if !self.spend(1 + text.pieces.len() as u64) {
            return unknown();
        }
        self.substitutions_in(text, span, state);
        let shown = shown(text);
        self.spend(shown.len() as u64 / 4);
        // Names in it are evaluated in turn; what this changes counts when their turn comes.
        let mut inner = state.clone();
        for name in names(&shown) {
            self.evaluate_value(name, span, &mut inner, depth);
        }
        let before = state.clone();
        let mut parser = Expression {
            text: &shown,
            position: 0,
            machine: self,
            state,
            span,
            depth: 0,
            around: depth,
            skipped: 0,
            doubted: 0,
        };
        if !text.is_known() {
            // What stands in the unknown part decides what of the rest is evaluated.
            parser.abandon();
            return unknown();
        }
        let value = parser.comma();
        if value.is_err() || parser.skip().is_some() {
            parser.abandon();
            // What stands in front of the error may not be done any more.
            self.join(state, &before);
            if self.given_up.len() < MAX_GIVEN_UP {
                self.given_up.push(state.clone());
            }
            return unknown();
        }
        match value {
            Ok(Some(number)) => Value::computed(number.to_string()),
            _ => unknown(),
        }
    }

    /// Evaluates the value of a name where it may be an expression itself.
    fn evaluate_value(&mut self, name: &[u8], span: Span, state: &mut State, depth: Depth) {
        let value = self.scalar(name, state);
        let plain = value.bytes().is_some_and(|bytes| decimal(&bytes).is_some());
        if !plain && !value.is(name) && !value.has_unset() {
            self.evaluate(&value, span, state, depth.deeper(false));
        }
    }
}

/// Where an evaluation stands.
#[derive(Clone, Copy, Default)]
struct Depth {
    /// How many variables' values lead to it.
    chain: usize,
    /// Whether it takes place is not known.
    doubtful: bool,
}

impl Depth {
    fn deeper(self, doubtful: bool) -> Self {
        Self {
            chain: self.chain + 1,
            doubtful: self.doubtful || doubtful,
        }
    }
}

/// A recursive-descent evaluator; depth is bounded by [`MAX_NESTING`].
struct Expression<'e, 'm, 'w> {
    text: &'e [u8],
    position: usize,
    machine: &'m mut Machine<'w>,
    state: &'m mut State,
    span: Span,
    depth: usize,
    around: Depth,
    /// How many operators around leave this part out (`0 && x++`).
    skipped: usize,
    /// How many operators around may leave this part out (`$n && x++`).
    doubted: usize,
}

/// A number, or none where it cannot be known.
type Number = Option<i64>;

/// The text is no expression, or one that is not evaluated to its end.
struct Stopped;

const MAX_NESTING: usize = 64;

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

    fn comma(&mut self) -> Result<Number, Stopped> {
        let mut value = self.ternary()?;
        while self.take(b",") {
            value = self.ternary()?;
        }
        Ok(value)
    }

    fn ternary(&mut self) -> Result<Number, Stopped> {
        self.depth += 1;
        if self.depth > MAX_NESTING {
            return Err(Stopped);
        }
        let condition = self.binary(0)?;
        let value = if self.take(b"?") {
            let holds = condition.map(|condition| condition != 0);
            let then = self.when(holds, Self::ternary)?;
            if !self.take(b":") {
                return Err(Stopped);
            }
            let otherwise = self.when(holds.map(|holds| !holds), Self::ternary)?;
            holds.and_then(|holds| if holds { then } else { otherwise })
        } else {
            condition
        };
        self.depth -= 1;
        Ok(value)
    }

    /// A part whose assignments count when the condition holds.
    fn when(
        &mut self,
        holds: Option<bool>,
        inner: impl FnOnce(&mut Self) -> Result<Number, Stopped>,
    ) -> Result<Number, Stopped> {
        let (skipped, doubted) = (
            usize::from(holds == Some(false)),
            usize::from(holds.is_none()),
        );
        self.skipped += skipped;
        self.doubted += doubted;
        let value = inner(self);
        if value.is_ok() {
            self.skipped -= skipped;
            self.doubted -= doubted;
        }
        value
    }

    fn binary(&mut self, level: usize) -> Result<Number, Stopped> {
        let Some(operators) = LEVELS.get(level) else {
            return self.unary();
        };
        let mut left = self.binary(level + 1)?;
        loop {
            let Some(operator) = operators.iter().find(|operator| self.take(operator)) else {
                return Ok(left);
            };
            let goes_on = match *operator {
                b"||" => left.map(|left| left == 0),
                b"&&" => left.map(|left| left != 0),
                _ => Some(true),
            };
            // Powers bind to the right.
            let next = level + usize::from(**operator != *b"**");
            let right = self.when(goes_on, |expression| expression.binary(next))?;
            left = match (left, right) {
                (Some(left), Some(right)) => match apply(operator, left, right) {
                    // An error ends the evaluation where it takes place.
                    None if self.skipped == 0 => return Err(Stopped),
                    number => number,
                },
                (Some(left), None) if goes_on == Some(false) => Some(i64::from(left != 0)),
                _ => None,
            };
        }
    }

    fn unary(&mut self) -> Result<Number, Stopped> {
        let first = self.skip().ok_or(Stopped)?;
        if matches!(first, b'+' | b'-') && self.text.get(self.position + 1) == Some(&first) {
            let step = if first == b'+' { 1 } else { -1 };
            let before = self.position;
            self.position += 2;
            let named = self.skip().is_some_and(starts_name);
            if named {
                let place = self.variable()?;
                let value = self.value_of(&place).map(|value| value.wrapping_add(step));
                return Ok(self.set(&place, value));
            }
            self.position = before;
        }
        let mut apply = |apply: fn(i64) -> i64| {
            self.position += 1;
            Ok(self.nested(Self::unary)?.map(apply))
        };
        match first {
            b'-' => apply(i64::wrapping_neg),
            b'+' => apply(|number| number),
            b'!' => apply(|number| i64::from(number == 0)),
            b'~' => apply(|number| !number),
            b'(' => {
                self.position += 1;
                let value = self.nested(Self::comma)?;
                if self.take(b")") {
                    Ok(value)
                } else {
                    Err(Stopped)
                }
            }
            byte if byte.is_ascii_digit() => self.number().map(Some).ok_or(Stopped),
            byte if starts_name(byte) => self.name(),
            _ => Err(Stopped),
        }
    }

    fn nested(
        &mut self,
        inner: fn(&mut Self) -> Result<Number, Stopped>,
    ) -> Result<Number, Stopped> {
        self.depth += 1;
        if self.depth > MAX_NESTING {
            return Err(Stopped);
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
    fn variable(&mut self) -> Result<Variable, Stopped> {
        let name = self
            .word(|b| b.is_ascii_alphanumeric() || b == b'_')
            .to_vec();
        if self.text.get(self.position) != Some(&b'[') {
            return Ok(Variable::Scalar(name));
        }
        self.position += 1;
        let index = self.nested(Self::comma)?;
        if !self.take(b"]") {
            return Err(Stopped);
        }
        Ok(Variable::Element(
            name,
            index.map(|index| index.to_string().into_bytes()),
        ))
    }

    fn name(&mut self) -> Result<Number, Stopped> {
        let place = self.variable()?;
        self.skip();
        let rest = self.rest();
        if let [sign @ (b'+' | b'-'), second, ..] = rest
            && sign == second
        {
            let step = if *sign == b'+' { 1 } else { -1 };
            self.position += 2;
            let before = self.value_of(&place);
            self.set(&place, before.map(|before| before.wrapping_add(step)));
            return Ok(before);
        }
        let assigned = |operator: &&&[u8]| {
            rest.starts_with(operator) && rest.get(operator.len()) == Some(&b'=')
        };
        let operator = match rest {
            [b'=', behind @ ..] if behind.first() != Some(&b'=') => &b""[..],
            _ => match ASSIGNING.iter().find(assigned) {
                Some(operator) => *operator,
                None => return Ok(self.value_of(&place)),
            },
        };
        self.position += operator.len() + 1;
        let left = if operator.is_empty() {
            None
        } else {
            self.value_of(&place)
        };
        let Ok(right) = self.nested(Self::ternary) else {
            self.set(&place, None);
            return Err(Stopped);
        };
        if operator.is_empty() {
            return Ok(self.set(&place, right));
        }
        match left
            .zip(right)
            .map(|(left, right)| apply(operator, left, right))
        {
            Some(None) if self.skipped == 0 => {
                self.set(&place, None);
                Err(Stopped)
            }
            value => Ok(self.set(&place, value.flatten())),
        }
    }

    fn value_of(&mut self, place: &Variable) -> Number {
        // What is left out is not evaluated.
        if self.skipped > 0 {
            return None;
        }
        let value = match place {
            Variable::Scalar(name) => self.machine.scalar(name, self.state),
            Variable::Element(name, key) => {
                self.machine
                    .element(name, Some(key.as_deref()?), self.state)
            }
        };
        let bytes = value.bytes()?.into_owned();
        if bytes.is_empty() {
            return Some(0);
        }
        if matches!(place, Variable::Scalar(name) if bytes == *name) {
            return None;
        }
        match decimal(&bytes) {
            Some(number) => Some(number),
            // The value is an expression itself.
            None if value.has_unset() => None,
            None => {
                let around = self.around.deeper(self.doubted > 0);
                let value = self.machine.evaluate(&value, self.span, self.state, around);
                decimal(&value.bytes()?)
            }
        }
    }

    /// Sets a place; where it is doubtful that this happens, the place may also be as it was.
    fn set(&mut self, place: &Variable, value: Number) -> Number {
        if self.skipped > 0 {
            return value;
        }
        let certain = self.doubted == 0 && !self.around.doubtful;
        let scalar = matches!(place, Variable::Scalar(_));
        let new = match value.filter(|_| certain || scalar) {
            Some(number) => Value::computed(number.to_string()),
            None => Value::unknown(Origin::Variable(place.name().to_vec())),
        };
        match place {
            Variable::Scalar(name) => {
                let target = self.machine.target(name, self.state);
                let before = self.state.variables.get(&target).cloned();
                let slot = Slot::Scalar(new);
                self.machine.assign(self.state, name, slot, false);
                if !certain {
                    let before = before.unwrap_or_else(|| Attributed::new(Slot::Inherited));
                    self.state.variables.update(&target, |variable| {
                        variable.join(&before, &target);
                    });
                }
            }
            Variable::Element(name, Some(key)) => {
                self.machine
                    .assign_element(self.state, name, Some(key), new, false);
            }
            Variable::Element(name, None) => {
                self.machine.assign_some_element(self.state, name, &new);
            }
        }
        value
    }

    /// What stands behind is evaluated or not: what it assigns is not known.
    fn abandon(&mut self) {
        let rest = self.rest().to_vec();
        if rest.is_empty() || !self.machine.spend(rest.len() as u64) {
            return;
        }
        // It is not known which part is left out.
        self.skipped = 0;
        self.around.doubtful = true;
        let subscripted = (0..rest.len()).rev().find(|at| {
            rest.get(*at) == Some(&b']') && assigns(rest.get(at + 1..).unwrap_or_default())
        });
        let mut seen = HashSet::new();
        for (at, name) in name_positions(&rest) {
            let behind = rest.get(at + name.len()..).unwrap_or_default();
            let before = rest.get(..at).unwrap_or_default().trim_ascii_end();
            if behind.first() == Some(&b'[') {
                if subscripted.is_some_and(|end| end > at) && seen.insert((name, true)) {
                    self.set(&Variable::Element(name.to_vec(), None), None);
                }
            } else if assigns(behind) || before.ends_with(b"++") || before.ends_with(b"--") {
                self.set(&Variable::Scalar(name.to_vec()), None);
            } else if seen.insert((name, false)) {
                let around = self.around;
                self.machine
                    .evaluate_value(name, self.span, self.state, around);
            }
        }
    }
}

/// What a name in an expression stands for.
enum Variable {
    Scalar(Vec<u8>),
    /// Without a subscript that is known it may be any.
    Element(Vec<u8>, Option<Vec<u8>>),
}

impl Variable {
    fn name(&self) -> &[u8] {
        match self {
            Self::Scalar(name) | Self::Element(name, _) => name,
        }
    }
}
