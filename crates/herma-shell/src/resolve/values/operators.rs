//! Parameter operators on known values.

use super::pattern;
use crate::resolve::machine::MAX_VALUE;
use crate::value::{Origin, Piece, Value};

/// A pattern's text: what was quoted is escaped. `None` when a part is unknown.
pub(crate) fn pattern_bytes(value: &Value) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    for piece in &value.pieces {
        match piece {
            Piece::Text { bytes, .. } => {
                for byte in bytes {
                    if matches!(byte, b'*' | b'?' | b'[' | b'\\') {
                        out.push(b'\\');
                    }
                    out.push(*byte);
                }
            }
            Piece::Glob { pattern, .. } => {
                if pattern.get(1) == Some(&b'(') {
                    return None;
                }
                out.extend_from_slice(pattern);
            }
            Piece::Unset(_) => {}
            Piece::Unknown(_) => return None,
        }
    }
    Some(out)
}

/// Unknown text with the origin of the value's unknown part, if it has one.
pub(crate) fn forget(value: &Value) -> Value {
    let origin = value.pieces.iter().find_map(|piece| match piece {
        // What is left of a fresh path may be any directory above it.
        Piece::Unknown(unknown) if unknown.origin == Origin::Temporary => None,
        Piece::Unknown(unknown) => Some(unknown.origin.clone()),
        _ => None,
    });
    let mut unknown = Value::unknown_words(origin.unwrap_or(Origin::Other));
    unknown.decoded = value.decoded;
    unknown.made_as(value)
}

/// A range of a known value's bytes, with the places where they were written.
pub(crate) fn cut(value: &Value, range: std::ops::Range<usize>) -> Value {
    let mut out = Value::empty();
    let mut position = 0;
    for piece in &value.pieces {
        let (Piece::Text { bytes, at } | Piece::Glob { pattern: bytes, at }) = piece else {
            continue;
        };
        let from = range.start.saturating_sub(position).min(bytes.len());
        let to = range.end.saturating_sub(position).min(bytes.len());
        if from < to {
            let at = at.and_then(|at| at.checked_add(u32::try_from(from).ok()?));
            out.push_text(bytes.get(from..to).unwrap_or_default(), at);
        }
        position += bytes.len();
    }
    out
}

/// `${name/pattern/replacement}`
pub(crate) fn replace(
    value: &Value,
    text: &[u8],
    which: u8,
    pattern: &[u8],
    replacement: &Value,
) -> Option<Value> {
    let mut out = Value::empty();
    if pattern.is_empty() {
        // Nothing is found at the start and at the end only.
        return Some(match which {
            b'#' => {
                out.append(replacement);
                out.append(value);
                out
            }
            b'%' => {
                out.append(value);
                out.append(replacement);
                out
            }
            _ => value.clone(),
        });
    }
    let mut position = 0;
    loop {
        let found = match which {
            b'#' => pattern::prefix(pattern, text, true).map(|end| (0, end)),
            b'%' => pattern::suffix(pattern, text, true).map(|start| (start, text.len())),
            _ => pattern::find(pattern, text, position).filter(|(start, end)| end > start),
        };
        let Some((start, end)) = found else { break };
        out.append(&cut(value, position..start));
        out.append(replacement);
        position = end;
        if which != b'*' || out.pieces.len() > 4096 || position >= text.len() {
            break;
        }
    }
    out.append(&cut(value, position..text.len()));
    (out.pieces.len() <= MAX_VALUE / 64).then_some(out)
}

/// `${#name}`
pub(crate) fn length(values: &[Value], all: bool) -> Value {
    if all {
        let known = !values.iter().any(Value::may_be_several);
        return if known {
            Value::computed(values.len().to_string())
        } else {
            Value::unknown(Origin::Other)
        };
    }
    let value = values.first().filter(|value| !value.has_glob());
    match value.and_then(Value::bytes) {
        Some(bytes) => Value::computed(String::from_utf8_lossy(&bytes).chars().count().to_string()),
        None => Value::unknown(Origin::Other),
    }
}

/// A whole number.
pub(crate) fn number(value: &Value) -> Option<i64> {
    std::str::from_utf8(&value.bytes()?)
        .ok()?
        .trim()
        .parse()
        .ok()
}

/// `offset:length` of something with `size` elements.
pub(crate) fn range(size: usize, offset: i64, length: Option<i64>) -> std::ops::Range<usize> {
    let size_signed = i64::try_from(size).unwrap_or(i64::MAX);
    let start = if offset < 0 {
        size_signed.saturating_add(offset)
    } else {
        offset
    };
    let end = match length {
        None => size_signed,
        Some(length) if length < 0 => size_signed.saturating_add(length),
        Some(length) => start.saturating_add(length),
    };
    let clamp = |n: i64| usize::try_from(n.clamp(0, size_signed)).unwrap_or(0);
    if start < 0 || start > size_signed {
        0..0
    } else {
        clamp(start)..clamp(end).max(clamp(start))
    }
}

/// `${@:offset:length}`, `${name[@]:offset:length}`; `zero` is `$0` where the values are parameters.
/// A word that may be several is one at least: that many from it on may lie in front of the offset
/// (`left_out`).
pub(crate) fn slice_list(
    zero: Option<Value>,
    values: Vec<Value>,
    offset: Option<i64>,
    length: Option<Option<i64>>,
    left_out: usize,
) -> Vec<Value> {
    let (Some(offset), false) = (offset, matches!(length, Some(None))) else {
        return vec![Value::unknown_words(Origin::Other)];
    };
    let mut values = values;
    // Positional parameters count from `$0`.
    if let Some(zero) = zero {
        values.insert(0, zero);
    }
    let range = range(values.len(), offset, length.flatten());
    // Behind text that may be several words no place can be counted.
    if let Some(counted) = values.iter().position(Value::may_be_several) {
        let start = usize::try_from(offset).unwrap_or(0);
        if offset < 0 || start >= counted || range.end > counted {
            if length.is_some() && left_out > 0 {
                // It is one word.
                return values.get(range).map(<[Value]>::to_vec).unwrap_or_default();
            }
            let from = start.min(counted + left_out);
            return values.split_off(from.min(values.len()));
        }
    }
    values.get(range).map(<[Value]>::to_vec).unwrap_or_default()
}

/// What letters become.
#[derive(Clone, Copy)]
pub(crate) enum Letters {
    Upper,
    Lower,
    /// Small ones large, large ones small.
    Other,
}

/// `${name^}`, `${name,,}`, `${name~}` and their kind, where the pattern matches.
pub(crate) fn change_case(text: &[u8], to: Letters, all: bool, pattern: &[u8]) -> Value {
    let mut out = text.to_vec();
    for byte in out.iter_mut().take(if all { usize::MAX } else { 1 }) {
        if pattern.is_empty() || pattern::matches(pattern, &[*byte]) {
            *byte = match to {
                Letters::Upper => byte.to_ascii_uppercase(),
                Letters::Lower => byte.to_ascii_lowercase(),
                Letters::Other if byte.is_ascii_lowercase() => byte.to_ascii_uppercase(),
                Letters::Other => byte.to_ascii_lowercase(),
            };
        }
    }
    Value::computed(out)
}

/// The text as a word that the shell reads back as it is.
fn quoted(text: &[u8]) -> Vec<u8> {
    let ansi = text.iter().any(u8::is_ascii_control) || std::str::from_utf8(text).is_err();
    let mut out = if ansi { b"$'".to_vec() } else { b"'".to_vec() };
    for byte in text {
        let letter = match byte {
            b'\'' if !ansi => {
                out.extend_from_slice(b"'\\''");
                continue;
            }
            b'\'' | b'\\' if ansi => *byte,
            0x07 => b'a',
            0x08 => b'b',
            b'\t' => b't',
            b'\n' => b'n',
            0x0b => b'v',
            0x0c => b'f',
            b'\r' => b'r',
            0x1b => b'E',
            byte if byte.is_ascii_control() || (ansi && !byte.is_ascii()) => {
                out.extend_from_slice(format!("\\{byte:03o}").as_bytes());
                continue;
            }
            byte => {
                out.push(*byte);
                continue;
            }
        };
        out.extend([b'\\', letter]);
    }
    out.push(b'\'');
    out
}

/// `${name@operator}`
pub(crate) fn transform(operator: u8, text: &[u8]) -> Option<Value> {
    Some(match operator {
        b'U' => Value::computed(text.to_ascii_uppercase()),
        b'L' => Value::computed(text.to_ascii_lowercase()),
        b'u' => change_case(text, Letters::Upper, false, b""),
        b'Q' => Value::computed(quoted(text)),
        b'E' | b'P' if !text.contains(&b'\\') && !text.contains(&b'$') && !text.contains(&b'`') => {
            Value::computed(text)
        }
        b'E' => Value::computed(ansi_unquoted(text)),
        _ => return None,
    })
}

/// The text as `$'…'` reads it.
fn ansi_unquoted(text: &[u8]) -> Vec<u8> {
    use crate::output::escape::{Escape, Style, escape};
    let mut out = Vec::new();
    let mut rest = text;
    while let Some((byte, behind)) = rest.split_first() {
        rest = behind;
        if *byte != b'\\' {
            out.push(*byte);
            continue;
        }
        if let [b'c', control, behind @ ..] = rest {
            out.push(control.to_ascii_uppercase() ^ 0x40);
            rest = behind;
            continue;
        }
        match escape(rest, Style::Format) {
            Some((Escape::Bytes { bytes, .. }, length)) => {
                // The text ends at a NUL.
                if bytes == [0] {
                    break;
                }
                out.extend_from_slice(&bytes);
                rest = rest.get(length..).unwrap_or_default();
            }
            _ => out.push(b'\\'),
        }
    }
    out
}
