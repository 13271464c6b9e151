//! Shell patterns on known text, for parameter operators.

use super::fields::bracket;

/// Whether the pattern matches the whole text. Works in `pattern × text` at the worst; callers
/// bound both.
pub(crate) fn matches(pattern: &[u8], text: &[u8]) -> bool {
    let mut p = 0;
    let mut t = 0;
    let mut retry: Option<(usize, usize)> = None;
    loop {
        if pattern.get(p) == Some(&b'*') {
            p += 1;
            retry = Some((p, t));
            continue;
        }
        match text.get(t) {
            Some(&byte) => {
                if let Some(length) = matches_one(pattern.get(p..).unwrap_or_default(), byte) {
                    p += length;
                    t += 1;
                    continue;
                }
            }
            None if p == pattern.len() => return true,
            None => {}
        }
        match retry {
            Some((at_p, at_t)) if at_t < text.len() => {
                retry = Some((at_p, at_t + 1));
                p = at_p;
                t = at_t + 1;
            }
            _ => return false,
        }
    }
}

/// The length of the pattern element that matches this byte.
fn matches_one(pattern: &[u8], byte: u8) -> Option<usize> {
    match pattern.first()? {
        b'?' => Some(1),
        b'\\' if pattern.len() > 1 => (pattern.get(1) == Some(&byte)).then_some(2),
        b'[' => match bracket(pattern) {
            Some(length) => in_bracket(pattern.get(1..length - 1)?, byte).then_some(length),
            None => (byte == b'[').then_some(1),
        },
        literal => (*literal == byte).then_some(1),
    }
}

fn in_bracket(set: &[u8], byte: u8) -> bool {
    let (negated, set) = match set {
        [b'!' | b'^', rest @ ..] => (true, rest),
        _ => (false, set),
    };
    let mut found = false;
    let mut position = 0;
    while let Some(&first) = set.get(position) {
        if first == b'['
            && set.get(position + 1) == Some(&b':')
            && let Some(length) = set
                .get(position + 2..)
                .and_then(|rest| rest.windows(2).position(|w| w == b":]"))
        {
            let name = set
                .get(position + 2..position + 2 + length)
                .unwrap_or_default();
            found |= in_class(name, byte);
            position += length + 4;
            continue;
        }
        match (set.get(position + 1), set.get(position + 2)) {
            (Some(b'-'), Some(&last)) => {
                found |= first <= byte && byte <= last;
                position += 3;
            }
            _ => {
                found |= first == byte;
                position += 1;
            }
        }
    }
    found != negated
}

fn in_class(name: &[u8], byte: u8) -> bool {
    match name {
        b"alpha" => byte.is_ascii_alphabetic(),
        b"digit" => byte.is_ascii_digit(),
        b"alnum" => byte.is_ascii_alphanumeric(),
        b"upper" => byte.is_ascii_uppercase(),
        b"lower" => byte.is_ascii_lowercase(),
        b"space" => byte.is_ascii_whitespace(),
        b"blank" => matches!(byte, b' ' | b'\t'),
        b"punct" => byte.is_ascii_punctuation(),
        b"xdigit" => byte.is_ascii_hexdigit(),
        b"cntrl" => byte.is_ascii_control(),
        b"print" => (0x20..0x7f).contains(&byte),
        b"graph" => byte.is_ascii_graphic(),
        b"word" => byte.is_ascii_alphanumeric() || byte == b'_',
        _ => false,
    }
}

/// The end of the shortest or longest prefix that matches.
pub(crate) fn prefix(pattern: &[u8], text: &[u8], longest: bool) -> Option<usize> {
    let test = |end: &usize| matches(pattern, text.get(..*end).unwrap_or_default());
    if longest {
        (0..=text.len()).rev().find(test)
    } else {
        (0..=text.len()).find(test)
    }
}

/// The start of the shortest or longest suffix that matches.
pub(crate) fn suffix(pattern: &[u8], text: &[u8], longest: bool) -> Option<usize> {
    let test = |start: &usize| matches(pattern, text.get(*start..).unwrap_or_default());
    if longest {
        (0..=text.len()).find(test)
    } else {
        (0..=text.len()).rev().find(test)
    }
}

/// The first, longest match from `from` on.
pub(crate) fn find(pattern: &[u8], text: &[u8], from: usize) -> Option<(usize, usize)> {
    (from..=text.len()).find_map(|start| {
        let rest = text.get(start..)?;
        prefix(pattern, rest, true).map(|length| (start, start + length))
    })
}
