//! `tr`.

use super::Run;
use super::stream;
use crate::value::{Piece, Value};

/// What `tr` prints. Its output counts as decoded, whatever the sets are.
pub(super) fn tr(run: &Run<'_>) -> Value {
    let options = run.options(b"", &[]);
    let input = run.standard_input();
    let mut sets = options
        .operands
        .iter()
        .map(|operand| operand.bytes().and_then(|bytes| expand(&bytes)));
    let (Some(Some(mut first)), second) = (sets.next(), sets.next()) else {
        return run.decoded(&input);
    };
    let alone = options.has(b'd', "delete") || options.has(b's', "squeeze-repeats");
    let second = match second {
        Some(Some(second)) => second,
        Some(None) => return run.decoded(&input),
        None if alone => Vec::new(),
        // An error.
        None => return Value::empty(),
    };
    if options.has(b'c', "complement") || options.has(b'C', "") {
        let mut all = [true; 256];
        for byte in &first {
            mark(&mut all, *byte, false);
        }
        first = (0..=u8::MAX).filter(|byte| holds(&all, *byte)).collect();
    }
    let delete = options.has(b'd', "delete");
    let squeeze = options.has(b's', "squeeze-repeats");
    let sets = options.operands.len();
    if sets > 2 || (sets == 2 && second.is_empty()) || (sets == 2 && delete && !squeeze) {
        // Some refuse this.
        return run.decoded(&input);
    }
    let mut map: Vec<u8> = (0..=u8::MAX).collect();
    let mut deleted = [false; 256];
    let mut squeezed = [false; 256];
    if delete {
        first
            .iter()
            .for_each(|byte| mark(&mut deleted, *byte, true));
    } else if let Some(last) = second.last() {
        let short = options.has(b't', "truncate-set1");
        for (index, byte) in first.iter().enumerate() {
            let to = match second.get(index) {
                Some(to) => *to,
                None if short => break,
                None => *last,
            };
            if let Some(slot) = map.get_mut(usize::from(*byte)) {
                *slot = to;
            }
        }
    }
    if squeeze {
        let set = if second.is_empty() { &first } else { &second };
        set.iter().for_each(|byte| mark(&mut squeezed, *byte, true));
    }
    let mut out = Value::empty();
    let mut last = None;
    for piece in &input.pieces {
        let (Piece::Text { bytes, .. } | Piece::Glob { pattern: bytes, .. }) = piece else {
            out.pieces.push(piece.clone());
            last = None;
            continue;
        };
        let mut text = Vec::with_capacity(bytes.len());
        for byte in bytes {
            if holds(&deleted, *byte) {
                continue;
            }
            let to = map.get(usize::from(*byte)).copied().unwrap_or(*byte);
            if last == Some(to) && holds(&squeezed, to) {
                continue;
            }
            last = Some(to);
            text.push(to);
        }
        out.push_text(&text, None);
    }
    out.decoded = true;
    stream::bound(out)
}

fn mark(set: &mut [bool; 256], byte: u8, value: bool) {
    if let Some(slot) = set.get_mut(usize::from(byte)) {
        *slot = value;
    }
}

fn holds(set: &[bool; 256], byte: u8) -> bool {
    set.get(usize::from(byte)).copied().unwrap_or(false)
}

/// No set is longer than this: positions behind it map nothing that a byte has not mapped.
const LONGEST: usize = 4096;

/// The bytes of a set in order: escapes, ranges, classes, repetitions; `None` for a range that ends
/// before it begins, which `tr` refuses.
fn expand(spec: &[u8]) -> Option<Vec<u8>> {
    let mut out: Vec<u8> = Vec::new();
    let mut at = 0;
    while at < spec.len() && out.len() < LONGEST {
        let rest = spec.get(at..).unwrap_or_default();
        if let Some((class, length)) = class(rest) {
            out.extend(class);
            at += length;
            continue;
        }
        if let Some((byte, times, length)) = repetition(rest) {
            out.resize(out.len() + times.min(LONGEST), byte);
            at += length;
            continue;
        }
        let Some((first, length)) = one(rest) else {
            break;
        };
        at += length;
        if spec.get(at) == Some(&b'-')
            && let Some((last, length)) = spec.get(at + 1..).and_then(one)
        {
            if first > last {
                return None;
            }
            out.extend(first..=last);
            at += 1 + length;
            continue;
        }
        out.push(first);
    }
    Some(out)
}

/// One byte, perhaps escaped.
fn one(rest: &[u8]) -> Option<(u8, usize)> {
    match rest {
        [b'\\', digits @ ..] if matches!(digits.first(), Some(b'0'..=b'7')) => {
            let mut number = 0_u16;
            let mut length = 0;
            while let Some(digit @ b'0'..=b'7') = digits.get(length).filter(|_| length < 3) {
                number = number * 8 + u16::from(digit - b'0');
                length += 1;
            }
            Some((u8::try_from(number & 0xff).unwrap_or(0), length + 1))
        }
        [b'\\', letter, ..] => {
            let byte = match letter {
                b'a' => 7,
                b'b' => 8,
                b'f' => 12,
                b'n' => b'\n',
                b'r' => b'\r',
                b't' => b'\t',
                b'v' => 11,
                other => *other,
            };
            Some((byte, 2))
        }
        [byte, ..] => Some((*byte, 1)),
        [] => None,
    }
}

/// `[:class:]` and `[=c=]`.
fn class(rest: &[u8]) -> Option<(Vec<u8>, usize)> {
    if let [b'[', b'=', byte, b'=', b']', ..] = rest {
        return Some((vec![*byte], 5));
    }
    let inner = rest.strip_prefix(b"[:")?;
    let end = inner.windows(2).take(16).position(|pair| pair == b":]")?;
    let test: fn(&u8) -> bool = match inner.get(..end)? {
        b"alpha" => u8::is_ascii_alphabetic,
        b"digit" => u8::is_ascii_digit,
        b"alnum" => u8::is_ascii_alphanumeric,
        b"upper" => u8::is_ascii_uppercase,
        b"lower" => u8::is_ascii_lowercase,
        b"punct" => u8::is_ascii_punctuation,
        b"xdigit" => u8::is_ascii_hexdigit,
        b"cntrl" => u8::is_ascii_control,
        b"graph" => u8::is_ascii_graphic,
        b"blank" => |byte| matches!(byte, b' ' | b'\t'),
        b"space" => |byte| matches!(byte, b' ' | 9..=13),
        b"print" => |byte| matches!(byte, b' '..=b'~'),
        _ => return None,
    };
    Some(((0..=u8::MAX).filter(test).collect(), end + 4))
}

/// `[x*n]`; `[x*]` fills the set.
fn repetition(rest: &[u8]) -> Option<(u8, usize, usize)> {
    let inner = rest.strip_prefix(b"[")?;
    let (byte, length) = one(inner)?;
    let tail = inner.get(length..)?.strip_prefix(b"*")?;
    let close = tail.iter().take(8).position(|byte| *byte == b']')?;
    let digits = tail.get(..close)?;
    let times = if digits.is_empty() {
        256
    } else {
        super::options::number(digits)?
    };
    Some((byte, times, length + close + 3))
}
