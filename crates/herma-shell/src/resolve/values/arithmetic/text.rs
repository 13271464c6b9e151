//! The text of an arithmetic expression: names, numbers, operators.

use std::collections::HashSet;

use crate::value::{Piece, Value};

/// A number without a sign of another base.
pub(super) fn decimal(text: &[u8]) -> Option<i64> {
    let digits = text.strip_prefix(b"-").unwrap_or(text);
    let plain =
        matches!(digits, [b'0'] | [b'1'..=b'9', ..]) && digits.iter().all(u8::is_ascii_digit);
    std::str::from_utf8(text)
        .ok()
        .filter(|_| plain)?
        .parse()
        .ok()
}

/// An expression with a blank for each part that cannot be known.
pub(super) fn shown(text: &Value) -> Vec<u8> {
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

/// The variable names in an expression, each once.
pub(super) fn names(text: &[u8]) -> Vec<&[u8]> {
    let mut seen = HashSet::new();
    let mut names: Vec<&[u8]> = name_positions(text)
        .into_iter()
        .map(|(_, name)| name)
        .collect();
    names.retain(|name| seen.insert(*name));
    names
}

/// Where names stand in an expression.
pub(super) fn name_positions(text: &[u8]) -> Vec<(usize, &[u8])> {
    let mut names = Vec::new();
    let mut position = 0;
    while let Some(byte) = text.get(position) {
        let start = position;
        if starts_name(*byte) {
            while text
                .get(position)
                .is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_')
            {
                position += 1;
            }
            names.push((start, text.get(start..position).unwrap_or_default()));
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

/// Whether the text behind a name or a subscript changes what it holds.
pub(super) fn assigns(rest: &[u8]) -> bool {
    let rest = rest.trim_ascii_start();
    let follows = |operator: &[u8]| {
        rest.strip_prefix(operator)
            .is_some_and(|behind| behind.first() == Some(&b'='))
    };
    match rest {
        [b'+', b'+', ..] | [b'-', b'-', ..] => true,
        [b'=', behind @ ..] => behind.first() != Some(&b'='),
        _ => ASSIGNING.iter().any(|operator| follows(operator)),
    }
}

/// Binary operators by precedence, loosest first.
pub(super) const LEVELS: [&[&[u8]]; 11] = [
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
pub(super) const ASSIGNING: [&[u8]; 10] =
    [b"+", b"-", b"*", b"/", b"%", b"<<", b">>", b"&", b"^", b"|"];

pub(super) fn starts_name(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_'
}

/// Numbers wrap, as the shell's own do.
pub(super) fn apply(operator: &[u8], left: i64, right: i64) -> Option<i64> {
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
