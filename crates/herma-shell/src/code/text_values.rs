//! What calls on strings and lists give.

use super::scan::Scanner;
use super::val::{Args, Val};
use crate::output::codec::{self, Alphabet};
use crate::value::{Origin, Piece, Value};

/// What was fetched from the network.
pub(super) fn fetched() -> Val {
    Val::Text(Value::unknown(Origin::Fetched))
}

fn decoded(scan: &Scanner<'_>, value: Option<&Val>, decode: impl FnOnce(&[u8]) -> Vec<u8>) -> Val {
    let Some(value) = value.map(|value| scan.value(value)) else {
        return Val::other();
    };
    let mut out = match value.bytes() {
        Some(bytes) => Value::computed(decode(&bytes)),
        None if value.is_fetched() => Value::unknown(Origin::Fetched),
        None => Value::unknown(Origin::Other),
    };
    out.decoded = true;
    Val::Text(out)
}

/// What base64 text holds.
pub(super) fn base64(scan: &Scanner<'_>, value: Option<&Val>) -> Val {
    decoded(scan, value, |bytes| {
        codec::decode(bytes, Alphabet::Base64, true)
    })
}

/// What hexadecimal text holds.
pub(super) fn hexadecimal(scan: &Scanner<'_>, value: Option<&Val>) -> Val {
    decoded(scan, value, codec::unhex)
}

/// `chr(114)`
pub(super) fn character(scan: &Scanner<'_>, value: Option<&Val>) -> Val {
    let number = value
        .map(|value| scan.value(value))
        .as_ref()
        .and_then(Value::bytes)
        .and_then(|bytes| {
            let text = std::str::from_utf8(&bytes).ok()?;
            match text.strip_prefix("0x") {
                Some(digits) => u32::from_str_radix(digits, 16).ok(),
                None => text.parse().ok(),
            }
        })
        .and_then(char::from_u32);
    match number {
        Some(character) => {
            let mut out = Value::computed(character.to_string());
            out.decoded = true;
            Val::Text(out)
        }
        None => Val::other(),
    }
}

/// Words as a shell would split them, as far as quotes go.
pub(super) fn words(scan: &Scanner<'_>, value: Option<&Val>) -> Val {
    let Some(value) = value.map(|value| scan.value(value)) else {
        return Val::many();
    };
    let mut words = Vec::new();
    let mut word: Option<Value> = None;
    let mut quote = None;
    for piece in &value.pieces {
        let (Piece::Text { bytes, at } | Piece::Glob { pattern: bytes, at }) = piece else {
            word.get_or_insert_default().pieces.push(piece.clone());
            continue;
        };
        for (index, byte) in bytes.iter().enumerate() {
            let place = at.and_then(|at| at.checked_add(u32::try_from(index).ok()?));
            match (quote, *byte) {
                (None, quoted @ (b'"' | b'\'')) => {
                    quote = Some(quoted);
                    word.get_or_insert_default();
                }
                (Some(open), byte) if open == byte => quote = None,
                (None, byte) if byte.is_ascii_whitespace() => {
                    words.extend(word.take().map(Val::Text));
                }
                (_, byte) => word.get_or_insert_default().push_text(&[byte], place),
            }
        }
    }
    words.extend(word.map(Val::Text));
    Val::List(words)
}

/// The index of a value that cannot be known.
const NOWHERE: usize = usize::MAX;

/// Replaces the markers of a format by arguments in order.
fn filled(
    format: &Value,
    values: &[Value],
    marker: impl Fn(&[u8]) -> Option<(usize, Option<usize>)>,
) -> Value {
    let mut out = Value::empty();
    out.decoded = format.decoded;
    let mut next = 0;
    for piece in &format.pieces {
        let (Piece::Text { bytes, at } | Piece::Glob { pattern: bytes, at }) = piece else {
            out.pieces.push(piece.clone());
            continue;
        };
        let place = |by: usize| at.and_then(|at| at.checked_add(u32::try_from(by).ok()?));
        let mut from = 0;
        let mut position = 0;
        while position < bytes.len() {
            let rest = bytes.get(position..).unwrap_or_default();
            let Some((length, index)) = marker(rest) else {
                position += 1;
                continue;
            };
            out.push_text(bytes.get(from..position).unwrap_or_default(), place(from));
            let index = match index {
                Some(NOWHERE) => {
                    next += 1;
                    NOWHERE
                }
                Some(index) => {
                    next = index + 1;
                    index
                }
                None => {
                    next += 1;
                    next - 1
                }
            };
            match values.get(index) {
                Some(value) => out.append(value),
                None => out.append(&Value::unknown(Origin::Other)),
            }
            position += length;
            from = position;
        }
        out.push_text(bytes.get(from..).unwrap_or_default(), place(from));
    }
    out
}

/// `"… %s …" % values`
pub(super) fn percent(scan: &Scanner<'_>, format: &Value, values: &Val) -> Val {
    let values: Vec<Value> = match values {
        Val::List(list) => list.iter().map(|value| scan.value(value)).collect(),
        other => vec![scan.value(other)],
    };
    Val::Text(filled(format, &values, |rest| match rest {
        [b'%', b's' | b'd' | b'i' | b'r', ..] => Some((2, None)),
        // Numbers in other forms and characters by their number.
        [b'%', byte, ..] if byte.is_ascii_alphanumeric() || b".-+ #".contains(byte) => {
            Some((2, Some(NOWHERE)))
        }
        _ => None,
    }))
}

/// `"… {} …".format(values)`
fn braces(scan: &Scanner<'_>, format: &Value, args: &Args) -> Val {
    let positional = args.positional();
    let names: Vec<(&[u8], &Val)> = args.names().collect();
    let mut values: Vec<Value> = positional.iter().map(|value| scan.value(value)).collect();
    let first_name = values.len();
    values.extend(names.iter().map(|(_, value)| scan.value(value)));
    Val::Text(filled(format, &values, |rest| {
        let inner = rest.strip_prefix(b"{")?;
        let end = inner.iter().take(64).position(|byte| *byte == b'}')?;
        let field = inner.get(..end)?;
        let field = field
            .split(|byte| matches!(byte, b'!' | b':'))
            .next()
            .unwrap_or(field);
        if field.is_empty() {
            return Some((end + 2, None));
        }
        let index = std::str::from_utf8(field)
            .ok()
            .and_then(|text| text.parse().ok())
            .or_else(|| {
                let at = names.iter().position(|(name, _)| *name == field)?;
                Some(first_name + at)
            })
            .unwrap_or(NOWHERE);
        Some((end + 2, Some(index)))
    }))
}

/// The text backwards.
pub(super) fn reversed(value: &Value) -> Value {
    let Some(bytes) = value.bytes() else {
        return Value::unknown(Origin::Other);
    };
    let mut out = Value::computed(bytes.iter().rev().copied().collect::<Vec<u8>>());
    out.decoded = true;
    out
}

/// The parts of a text between separators of one byte, or its bytes.
fn split(text: &Value, separator: &Value) -> Val {
    let (Some(bytes), Some(separator)) = (text.bytes(), separator.bytes()) else {
        return Val::many();
    };
    let part = |bytes: &[u8]| Val::Text(Value::computed(bytes));
    match &*separator {
        [] => Val::List(bytes.chunks(1).map(part).collect()),
        [one] => Val::List(bytes.split(|byte| byte == one).map(part).collect()),
        _ => Val::many(),
    }
}

/// A method of a string; `None` when it is not known.
pub(super) fn method(
    scan: &mut Scanner<'_>,
    text: &Value,
    name: &[u8],
    args: &Args,
) -> Option<Val> {
    let own = || Val::Text(text.clone());
    let first = args.get(0, &[]);
    if let (b"then", Some(Val::Symbol(function))) = (name, first) {
        // `promise.then(eval)`
        let function = function.clone();
        return Some(scan.apply_each(&Val::Symbol(function), &own(), args));
    }
    Some(match name {
        // Bytes in base64 or hexadecimal have those names here.
        b"decode" | b"encode" | b"toString" => match first.map(|value| scan.value(value)) {
            Some(codec) if name == b"decode" && codec.is(b"hex") => hexadecimal(scan, Some(&own())),
            Some(codec) if name == b"decode" && codec.is(b"base64") => base64(scan, Some(&own())),
            Some(codec) if !keeps_letters(&codec) => changed(text),
            _ => own(),
        },
        b"strip" | b"trim" | b"rstrip" | b"lstrip" | b"chomp" | b"trimStart" | b"trimEnd" => {
            match (text.bytes(), first) {
                (_, Some(_)) => changed(text),
                (Some(bytes), None) if !text.pieces.iter().any(is_written) => {
                    Val::Text(kept(text, bytes.trim_ascii().to_vec()))
                }
                _ => own(),
            }
        }
        b"to_s" | b"to_str" | b"read" | b"text" | b"content" | b"body" | b"then" | b"freeze"
        | b"stdout" | b"data" | b"readlines" | b"readline" | b"valueOf" | b"dup" | b"b"
        | b"to_path" | b"shellescape" | b"gets" | b"to_sym" | b"intern" => own(),
        b"chop" => match text.bytes() {
            Some(bytes) => {
                let end = bytes.len().saturating_sub(1);
                Val::Text(kept(text, bytes.get(..end).unwrap_or_default().to_vec()))
            }
            None => derived(text),
        },
        b"tr" => changed(text),
        b"chars" | b"each_char" => characters(text),
        b"unpack1" | b"unpack" => base64(scan, Some(&own())),
        b"format" => braces(scan, text, args),
        b"join" => match first {
            Some(Val::List(list)) => scan.joined(list, text),
            _ => Val::other(),
        },
        b"concat" => {
            let mut out = text.clone();
            for value in args.positional() {
                out.append(&scan.value(&value));
            }
            Val::Text(scan.bounded(out))
        }
        b"split" | b"shellsplit" => match first {
            None => words(scan, Some(&own())),
            Some(separator) => split(text, &scan.value(separator)),
        },
        b"replace" | b"gsub" | b"replaceAll" | b"sub" => {
            let from = first.map(|value| scan.value(value));
            let to = args.get(1, &[]).map(|value| scan.value(value));
            match (
                text.bytes(),
                from.as_ref().and_then(Value::bytes),
                to.as_ref().and_then(Value::bytes),
            ) {
                (Some(bytes), Some(from), Some(to)) if !from.is_empty() => {
                    Val::Text(scan.bounded(Value::computed(replaced(&bytes, &from, &to))))
                }
                _ => derived(text),
            }
        }
        b"reverse" => Val::Text(reversed(text)),
        b"lower" | b"toLowerCase" | b"downcase" => match text.bytes() {
            Some(bytes) => Val::Text(kept(text, bytes.to_ascii_lowercase())),
            None => own(),
        },
        b"upper" | b"toUpperCase" | b"upcase" => match text.bytes() {
            Some(bytes) => Val::Text(kept(text, bytes.to_ascii_uppercase())),
            None => own(),
        },
        _ => return None,
    })
}

/// Whether a codec leaves ASCII as it is.
fn keeps_letters(codec: &Value) -> bool {
    codec.bytes().is_some_and(|name| {
        let name = name.to_ascii_lowercase();
        [
            &b"utf"[..],
            b"ascii",
            b"us-ascii",
            b"latin",
            b"iso",
            b"binary",
        ]
        .iter()
        .any(|kept| name.starts_with(kept))
    })
}

fn is_written(piece: &Piece) -> bool {
    matches!(piece, Piece::Text { at: Some(_), .. })
}

/// Computed bytes in place of a text.
fn kept(text: &Value, bytes: Vec<u8>) -> Value {
    let mut out = Value::computed(bytes);
    out.decoded = text.decoded;
    out
}

/// A text that was changed in a way that is not followed: what it became is not known.
pub(super) fn changed(text: &Value) -> Val {
    derived(text)
}

/// The characters of a text, each on its own.
pub(super) fn characters(text: &Value) -> Val {
    match text.bytes() {
        Some(bytes) if bytes.len() <= 4096 && bytes.is_ascii() => Val::List(
            bytes
                .iter()
                .map(|byte| Val::Text(kept(text, vec![*byte])))
                .collect(),
        ),
        _ => Val::many(),
    }
}

/// Texts in the order of their bytes; unknown when one of them is.
pub(super) fn sorted(values: &[Val]) -> Val {
    let mut texts: Vec<Vec<u8>> = Vec::new();
    for value in values {
        match value {
            Val::Text(text) if text.is_known() => {
                texts.extend(text.bytes().map(std::borrow::Cow::into_owned));
            }
            _ => return Val::many(),
        }
    }
    texts.sort();
    Val::List(
        texts
            .into_iter()
            .map(|text| Val::Text(Value::computed(text)))
            .collect(),
    )
}

/// An unknown text that was made from another.
pub(super) fn derived(text: &Value) -> Val {
    if text.is_fetched() {
        fetched()
    } else {
        Val::other()
    }
}

fn replaced(text: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut at = 0;
    while let Some(byte) = text.get(at) {
        if text.get(at..).is_some_and(|rest| rest.starts_with(from)) {
            out.extend_from_slice(to);
            at += from.len();
            // The caller's bound is checked behind this; growth stops here.
            if out.len() > super::scan::LONGEST {
                break;
            }
        } else {
            out.push(*byte);
            at += 1;
        }
    }
    out
}

/// A value without bytes at its known ends.
pub(super) fn cut(value: &Value, front: usize, back: usize) -> Value {
    let mut out = value.clone();
    if let Some(Piece::Text { bytes, at }) = out.pieces.first_mut() {
        let front = front.min(bytes.len());
        bytes.drain(..front);
        *at = at.and_then(|at| at.checked_add(u32::try_from(front).ok()?));
    }
    if let Some(Piece::Text { bytes, .. }) = out.pieces.last_mut() {
        bytes.truncate(bytes.len().saturating_sub(back));
    }
    out.pieces
        .retain(|piece| !matches!(piece, Piece::Text { bytes, .. } if bytes.is_empty()));
    out
}
