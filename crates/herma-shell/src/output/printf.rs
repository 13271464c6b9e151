//! `printf`.

use super::LIMIT;
use super::echo::{unescape, unescape_text};
use super::escape::Style;
use super::stream::{self, Output};
use crate::execution::Arg;
use crate::syntax::Dialect;
use crate::value::{Origin, Piece, Value};

/// A number in a directive: `*` takes an argument.
#[derive(Clone, Copy)]
enum Count {
    Number(usize),
    Argument,
}

/// One conversion.
struct Directive {
    left: bool,
    zero: bool,
    plus: bool,
    space: bool,
    alternate: bool,
    width: Option<Count>,
    precision: Option<Count>,
    conversion: u8,
}

/// A part of the format.
enum Item<'a> {
    /// Text with escapes.
    Text(&'a [u8], Option<u32>),
    /// A piece that is not text.
    Piece(&'a Piece),
    /// `%…`
    Directive(Directive),
    /// A conversion that no printf knows, or none: an error, which ends the output.
    End,
    /// What is behind a percent sign cannot be known.
    Unclear,
}

/// What `printf` prints; nothing with `-v`.
pub(super) fn printf(words: &[Arg], _dialect: Dialect) -> Value {
    let mut words = words;
    if let Some((first, rest)) = words.split_first() {
        if first.value.known_prefix().starts_with(b"-v") {
            return Value::empty();
        }
        if first.value.is(b"--") {
            words = rest;
        } else if matches!(first.value.known_prefix().as_slice(), [b'-', _, ..]) {
            // An error to the shells' own printf, text to the one of the system.
            return Value::unknown_words(Origin::Output(b"printf".to_vec()));
        }
    }
    let Some((format, arguments)) = words.split_first() else {
        return Value::empty();
    };
    let format = whole(&format.value);
    let items = parse(&format);
    // What is not known may hold directives, which take the arguments of those behind it.
    let open = items.iter().any(|item| matches!(item, Item::Directive(_))) || !arguments.is_empty();
    let mut out = Output::new();
    if format.decoded {
        out.mark_decoded();
    }
    let mut arguments = arguments.iter().map(|arg| &arg.value).peekable();
    loop {
        let before = arguments.len();
        for item in &items {
            match item {
                Item::Text(bytes, at) => {
                    if !unescape_text(bytes, *at, Style::Format, &mut out) {
                        return out.finish();
                    }
                }
                Item::Piece(Piece::Unknown(_)) if open => {
                    out.unknown(Origin::Output(b"printf".to_vec()));
                    return out.finish();
                }
                Item::Piece(piece) => out.value(&Value {
                    pieces: vec![(*piece).clone()],
                    decoded: false,
                }),
                Item::Directive(directive) => {
                    if !convert(directive, &mut arguments, &mut out) {
                        return out.finish();
                    }
                }
                Item::End => return out.finish(),
                Item::Unclear => {
                    out.unknown(Origin::Output(b"printf".to_vec()));
                    return out.finish();
                }
            }
            if out.is_full() {
                return out.finish();
            }
        }
        if arguments.len() == 0 || arguments.len() == before {
            return out.finish();
        }
    }
}

/// The format with the texts joined that directives and escapes may span, as expansion leaves
/// them in pieces.
fn whole(format: &Value) -> Value {
    let mut pieces: Vec<Piece> = Vec::with_capacity(format.pieces.len());
    for piece in &format.pieces {
        if let (Some(Piece::Text { bytes, .. }), Piece::Text { bytes: more, .. }) =
            (pieces.last_mut(), piece)
            && bytes.iter().any(|byte| b"%\\".contains(byte))
        {
            bytes.extend_from_slice(more);
            continue;
        }
        pieces.push(piece.clone());
    }
    Value {
        pieces,
        decoded: format.decoded,
    }
}

fn parse(format: &Value) -> Vec<Item<'_>> {
    let mut items = Vec::new();
    for (index, piece) in format.pieces.iter().enumerate() {
        let (Piece::Text { bytes, at } | Piece::Glob { pattern: bytes, at }) = piece else {
            items.push(Item::Piece(piece));
            continue;
        };
        let offset = |by: usize| at.and_then(|at| at.checked_add(u32::try_from(by).ok()?));
        let mut from = 0;
        let mut position = 0;
        while position < bytes.len() {
            match bytes.get(position) {
                // An escaped percent sign is no escape; other escapes are two bytes at least.
                Some(b'\\') if bytes.get(position + 1) != Some(&b'%') => position += 2,
                Some(b'%') => {
                    items.push(Item::Text(
                        bytes.get(from..position).unwrap_or_default(),
                        offset(from),
                    ));
                    let rest = bytes.get(position + 1..).unwrap_or_default();
                    match directive(rest) {
                        Some((directive, length)) => {
                            items.push(Item::Directive(directive));
                            position += 1 + length;
                        }
                        None if index + 1 == format.pieces.len() => {
                            items.push(Item::End);
                            return items;
                        }
                        None => {
                            items.push(Item::Unclear);
                            return items;
                        }
                    }
                    from = position;
                }
                _ => position += 1,
            }
        }
        if let Some(text) = bytes.get(from..) {
            items.push(Item::Text(text, offset(from)));
        }
    }
    items
}

/// The directive behind a percent sign and its length.
fn directive(rest: &[u8]) -> Option<(Directive, usize)> {
    let mut out = Directive {
        left: false,
        zero: false,
        plus: false,
        space: false,
        alternate: false,
        width: None,
        precision: None,
        conversion: 0,
    };
    let mut at = 0;
    loop {
        match rest.get(at) {
            Some(b'-') => out.left = true,
            Some(b'0') => out.zero = true,
            Some(b'+') => out.plus = true,
            Some(b' ') => out.space = true,
            Some(b'#') => out.alternate = true,
            Some(b'\'') => {}
            _ => break,
        }
        at += 1;
    }
    out.width = count(rest, &mut at);
    if rest.get(at) == Some(&b'.') {
        at += 1;
        out.precision = count(rest, &mut at).or(Some(Count::Number(0)));
    }
    while rest.get(at).is_some_and(|byte| b"hlLjzt".contains(byte)) {
        at += 1;
    }
    let conversion = *rest.get(at)?;
    if conversion == b'(' {
        // `%(format)T`: a date.
        let close = rest.get(at..)?.iter().position(|byte| *byte == b')')?;
        out.conversion = b'T';
        return Some((out, at + close + 2));
    }
    out.conversion = conversion;
    conversion
        .is_ascii_alphabetic()
        .then_some(())
        .or((conversion == b'%').then_some(()))?;
    Some((out, at + 1))
}

fn count(rest: &[u8], at: &mut usize) -> Option<Count> {
    if rest.get(*at) == Some(&b'*') {
        *at += 1;
        return Some(Count::Argument);
    }
    let mut number: Option<usize> = None;
    while let Some(digit) = rest.get(*at).filter(|byte| byte.is_ascii_digit()) {
        let value = number.unwrap_or(0) * 10 + usize::from(digit - b'0');
        number = Some(value.min(LIMIT + 1));
        *at += 1;
    }
    number.map(Count::Number)
}

/// Appends one conversion; `false` when it ends the output (`\c` in `%b`).
fn convert<'a>(
    directive: &Directive,
    arguments: &mut impl Iterator<Item = &'a Value>,
    out: &mut Output,
) -> bool {
    let mut left = directive.left;
    let mut number = |count: Option<Count>| match count {
        None => Some(None),
        Some(Count::Number(number)) => Some(Some(i64::try_from(number).unwrap_or(i64::MAX))),
        Some(Count::Argument) => match arguments.next().map(Value::bytes) {
            None => Some(Some(0)),
            Some(Some(bytes)) => Some(Some(integer(&bytes))),
            Some(None) => None,
        },
    };
    let (Some(width), Some(precision)) = (number(directive.width), number(directive.precision))
    else {
        out.unknown(Origin::Output(b"printf".to_vec()));
        return true;
    };
    let mut width = width.unwrap_or(0);
    if width < 0 {
        left = true;
        width = width.saturating_neg();
    }
    let width = usize::try_from(width).unwrap_or(0).min(LIMIT + 1);
    let precision = precision.and_then(|number| usize::try_from(number).ok());
    if directive.conversion == b'%' {
        out.text(b"%", None);
        return true;
    }
    let empty = Value::empty();
    let argument = arguments.next().unwrap_or(&empty);
    let (text, goes_on) = match directive.conversion {
        b's' => (argument.clone(), true),
        b'b' => {
            let mut inner = Output::new();
            let goes_on = unescape(argument, Style::Echo, &mut inner);
            (inner.finish(), goes_on)
        }
        b'q' | b'Q' => (quote(argument), true),
        b'c' => (stream::slice(argument, 0, 1), true),
        conversion => {
            let text = argument
                .bytes()
                .and_then(|bytes| numeric(directive, conversion, precision, &bytes));
            let Some(text) = text else {
                out.unknown(Origin::Output(b"printf".to_vec()));
                return true;
            };
            let known = Value::computed(text);
            let pad = width.saturating_sub(known.known_length());
            if directive.zero && !left && precision.is_none() && pad > 0 {
                let digits = stream::slice(&known, usize::from(signed(&known)), usize::MAX);
                if signed(&known) {
                    out.value(&stream::slice(&known, 0, 1));
                }
                out.text(&vec![b'0'; pad], None);
                out.value(&digits);
            } else {
                padded(out, &known, pad, left);
            }
            return true;
        }
    };
    let text = match precision {
        Some(most) if directive.conversion != b'c' => stream::slice(&text, 0, most),
        _ => text,
    };
    let pad = width.saturating_sub(text.known_length());
    padded(out, &text, pad, left);
    goes_on
}

fn signed(value: &Value) -> bool {
    value.known_prefix().first() == Some(&b'-')
}

fn padded(out: &mut Output, text: &Value, pad: usize, left: bool) {
    if left {
        out.value(text);
    }
    if pad > 0 {
        out.text(&vec![b' '; pad], None);
    }
    if !left {
        out.value(text);
    }
}

/// A number with sign and digits; `None` for conversions that are not known.
fn numeric(
    directive: &Directive,
    conversion: u8,
    precision: Option<usize>,
    argument: &[u8],
) -> Option<Vec<u8>> {
    let number = integer(argument);
    let unsigned = number.cast_unsigned();
    let (sign, digits) = match conversion {
        b'd' | b'i' => {
            let sign = if number < 0 {
                "-"
            } else if directive.plus {
                "+"
            } else if directive.space {
                " "
            } else {
                ""
            };
            (sign, number.unsigned_abs().to_string())
        }
        b'u' => ("", unsigned.to_string()),
        b'o' if directive.alternate => ("0", format!("{unsigned:o}")),
        b'o' => ("", format!("{unsigned:o}")),
        b'x' if directive.alternate && number != 0 => ("0x", format!("{unsigned:x}")),
        b'x' => ("", format!("{unsigned:x}")),
        b'X' if directive.alternate && number != 0 => ("0X", format!("{unsigned:X}")),
        b'X' => ("", format!("{unsigned:X}")),
        b'f' | b'F' => {
            let places = precision.unwrap_or(6).min(1000);
            return Some(format!("{:.places$}", float(argument)).into_bytes());
        }
        b'e' | b'E' => {
            let text = exponent(float(argument), precision.unwrap_or(6).min(1000));
            return Some(if conversion == b'E' {
                text.to_ascii_uppercase().into_bytes()
            } else {
                text.into_bytes()
            });
        }
        b'g' | b'G' => return Some(float(argument).to_string().into_bytes()),
        _ => return None,
    };
    let zeros = precision
        .unwrap_or(0)
        .min(LIMIT)
        .saturating_sub(digits.len());
    let mut text = sign.as_bytes().to_vec();
    text.resize(text.len() + zeros, b'0');
    text.extend_from_slice(digits.as_bytes());
    Some(text)
}

/// `1.5e2` as C writes it: `1.5e+02`.
fn exponent(number: f64, places: usize) -> String {
    let text = format!("{number:.places$e}");
    match text.split_once('e') {
        Some((mantissa, exponent)) => {
            let (sign, digits) = match exponent.strip_prefix('-') {
                Some(digits) => ('-', digits),
                None => ('+', exponent),
            };
            format!("{mantissa}e{sign}{digits:0>2}")
        }
        None => text,
    }
}

/// The integer that an argument spells, in C notation or as `'c`; what is wrong with it counts as
/// its end.
fn integer(bytes: &[u8]) -> i64 {
    let blank = |byte: &u8| byte.is_ascii_whitespace() || *byte == 0x0b;
    let start = bytes.iter().position(|byte| !blank(byte));
    let bytes = bytes
        .get(start.unwrap_or(bytes.len())..)
        .unwrap_or_default();
    if let Some((b'\'' | b'"', rest)) = bytes.split_first() {
        return String::from_utf8_lossy(rest)
            .chars()
            .next()
            .map_or(0, |c| i64::from(u32::from(c)));
    }
    let (negative, rest) = match bytes.split_first() {
        Some((b'-', rest)) => (true, rest),
        Some((b'+', rest)) => (false, rest),
        _ => (false, bytes),
    };
    let (base, digits) = match rest {
        [b'0', b'x' | b'X', digits @ ..] => (16, digits),
        [b'0', digits @ ..] => (8, digits),
        digits => (10, digits),
    };
    let mut number = 0_i64;
    for byte in digits {
        let Some(digit) = char::from(*byte).to_digit(base) else {
            break;
        };
        number = number
            .saturating_mul(i64::from(base))
            .saturating_add(i64::from(digit));
    }
    if negative { -number } else { number }
}

fn float(bytes: &[u8]) -> f64 {
    std::str::from_utf8(bytes)
        .ok()
        .and_then(|text| text.trim().parse().ok())
        .unwrap_or(0.0)
}

/// `%q`: known text quoted so that the shell reads it back.
fn quote(value: &Value) -> Value {
    let mut out = Value::empty();
    out.decoded = value.decoded;
    if value.pieces.is_empty() {
        out.push_text(b"''", None);
    }
    for piece in &value.pieces {
        let (Piece::Text { bytes, .. } | Piece::Glob { pattern: bytes, .. }) = piece else {
            out.pieces.push(piece.clone());
            continue;
        };
        let mut text = Vec::new();
        if bytes.iter().any(u8::is_ascii_control) {
            text.extend_from_slice(b"$'");
            for byte in bytes {
                match byte {
                    b'\'' | b'\\' => text.extend_from_slice(&[b'\\', *byte]),
                    byte if byte.is_ascii_control() => {
                        text.extend_from_slice(format!("\\{byte:03o}").as_bytes());
                    }
                    byte => text.push(*byte),
                }
            }
            text.push(b'\'');
        } else {
            for byte in bytes {
                if !byte.is_ascii_alphanumeric() && !b"_-./:@%+=".contains(byte) && byte.is_ascii()
                {
                    text.push(b'\\');
                }
                text.push(*byte);
            }
        }
        out.push_text(&text, None);
    }
    out
}
