//! Programs that calculate with whole numbers: `expr`, `bc`, `dc`.

use super::Run;
use super::stream::{self, Output};
use crate::value::Value;

/// How deep brackets may stand in brackets.
const MAX_NESTING: usize = 64;

/// A part of an expression.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Token {
    Number(i128),
    Operator(&'static [u8]),
    Open,
    Close,
}

/// Binary operators by precedence, loosest first.
type Levels = &'static [&'static [&'static [u8]]];

const EXPR: Levels = &[
    &[b"|"],
    &[b"&"],
    &[b"<", b"<=", b"=", b"==", b"!=", b">=", b">"],
    &[b"+", b"-"],
    &[b"*", b"/", b"%"],
];

const BC: Levels = &[&[b"+", b"-"], &[b"*", b"/", b"%"]];

/// The operator of these levels that this is.
fn operator(levels: Levels, text: &[u8]) -> Option<Token> {
    let mut operators = levels.iter().copied().flatten();
    let found = operators.find(|operator| **operator == text);
    found.map(|operator| Token::Operator(operator))
}

fn number(digits: &[u8]) -> Option<i128> {
    std::str::from_utf8(digits).ok()?.parse().ok()
}

/// `expr 1 + 2`
pub(super) fn expr(run: &Run<'_>) -> Value {
    let token = |word: &Value| {
        let word = word.bytes()?;
        match &*word {
            b"(" => Some(Token::Open),
            b")" => Some(Token::Close),
            text => operator(EXPR, text).or_else(|| number(text).map(Token::Number)),
        }
    };
    let words = run.words.iter().map(|arg| token(&arg.value));
    match words
        .collect::<Option<Vec<_>>>()
        .and_then(|tokens| calculate(EXPR, &tokens))
    {
        Some(result) => Value::computed(format!("{result}\n")),
        None => run.unknown(),
    }
}

/// `bc`: a result for each line of its input.
pub(super) fn bc(run: &mut Run<'_>) -> Value {
    let operands = run.options(b"", &[]).operands;
    let input = run.input(&operands);
    let Some(text) = input.bytes() else {
        return run.derived(&input);
    };
    let mut out = Output::new();
    for line in text.split(|byte| matches!(byte, b'\n' | b';')) {
        let line = line.trim_ascii();
        if line.is_empty() {
            continue;
        }
        if matches!(line, b"quit" | b"halt") {
            break;
        }
        match tokens(line).and_then(|tokens| calculate(BC, &tokens)) {
            Some(result) => out.text(format!("{result}\n").as_bytes(), None),
            None => return run.derived(&input),
        }
    }
    stream::bound(out.finish())
}

/// `dc`: numbers and operators behind them, as far as it only prints results.
pub(super) fn dc(run: &mut Run<'_>) -> Value {
    let options = run.options(b"ef", &["expression", "file"]);
    let script = options.value(b'e', "expression").cloned();
    let input = script.unwrap_or_else(|| run.input(&options.operands));
    match input.bytes().and_then(|text| reversed(&text)) {
        Some(results) => Value::computed(results),
        None => run.derived(&input),
    }
}

fn reversed(text: &[u8]) -> Option<Vec<u8>> {
    let mut stack: Vec<i128> = Vec::new();
    let mut out = Vec::new();
    let mut rest = text;
    while let Some((byte, behind)) = rest.split_first() {
        if byte.is_ascii_digit() || *byte == b'_' {
            let digits = rest.get(usize::from(*byte == b'_')..)?;
            let end = digits.iter().position(|byte| !byte.is_ascii_digit());
            let (digits, behind) = digits.split_at(end.unwrap_or(digits.len()));
            let value = number(digits)?;
            stack.push(if *byte == b'_' { -value } else { value });
            rest = behind;
            continue;
        }
        rest = behind;
        match byte {
            b' ' | b'\t' | b'\n' => {}
            b'p' => out.extend_from_slice(format!("{}\n", stack.last()?).as_bytes()),
            byte => {
                let Token::Operator(operator) = operator(BC, &[*byte])? else {
                    return None;
                };
                let right = stack.pop()?;
                let left = stack.pop()?;
                stack.push(apply(operator, left, right)?);
            }
        }
    }
    Some(out)
}

/// The parts of a line for `bc`; `None` when it is more than one expression of whole numbers.
fn tokens(line: &[u8]) -> Option<Vec<Token>> {
    let mut tokens = Vec::new();
    let mut rest = line;
    while let Some((byte, behind)) = rest.split_first() {
        if byte.is_ascii_digit() {
            let end = rest.iter().position(|byte| !byte.is_ascii_digit());
            let (digits, behind) = rest.split_at(end.unwrap_or(rest.len()));
            tokens.push(Token::Number(number(digits)?));
            rest = behind;
            continue;
        }
        rest = behind;
        match byte {
            b' ' | b'\t' => {}
            b'(' => tokens.push(Token::Open),
            b')' => tokens.push(Token::Close),
            byte => tokens.push(operator(BC, &[*byte])?),
        }
    }
    Some(tokens)
}

fn calculate(levels: Levels, tokens: &[Token]) -> Option<i128> {
    let mut calculation = Calculation {
        levels,
        tokens,
        depth: 0,
    };
    let result = calculation.binary(0)?;
    calculation.tokens.is_empty().then_some(result)
}

struct Calculation<'t> {
    levels: Levels,
    tokens: &'t [Token],
    depth: usize,
}

impl Calculation<'_> {
    fn next(&mut self) -> Option<Token> {
        let (first, rest) = self.tokens.split_first()?;
        self.tokens = rest;
        Some(*first)
    }

    fn binary(&mut self, level: usize) -> Option<i128> {
        let Some(operators) = self.levels.get(level) else {
            return self.single();
        };
        let mut left = self.binary(level + 1)?;
        while let Some(Token::Operator(operator)) = self.tokens.first()
            && operators.contains(operator)
        {
            self.next();
            let right = self.binary(level + 1)?;
            left = apply(operator, left, right)?;
        }
        Some(left)
    }

    fn single(&mut self) -> Option<i128> {
        self.depth += 1;
        if self.depth > MAX_NESTING {
            return None;
        }
        let value = match self.next()? {
            Token::Number(number) => number,
            Token::Open => {
                let value = self.binary(0)?;
                (self.next()? == Token::Close).then_some(value)?
            }
            Token::Operator(b"-") => self.single()?.checked_neg()?,
            Token::Operator(_) | Token::Close => return None,
        };
        self.depth -= 1;
        Some(value)
    }
}

fn apply(operator: &[u8], left: i128, right: i128) -> Option<i128> {
    Some(match operator {
        b"|" => {
            if left == 0 {
                right
            } else {
                left
            }
        }
        b"&" if left == 0 || right == 0 => 0,
        b"&" => left,
        b"<" => i128::from(left < right),
        b"<=" => i128::from(left <= right),
        b"=" | b"==" => i128::from(left == right),
        b"!=" => i128::from(left != right),
        b">=" => i128::from(left >= right),
        b">" => i128::from(left > right),
        b"+" => left.checked_add(right)?,
        b"-" => left.checked_sub(right)?,
        b"*" => left.checked_mul(right)?,
        b"/" => left.checked_div(right)?,
        b"%" => left.checked_rem(right)?,
        _ => return None,
    })
}
