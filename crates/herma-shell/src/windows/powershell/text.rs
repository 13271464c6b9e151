//! Characters that PowerShell takes alike, escapes, and strings without expansions.

/// A quote of either kind, straight or curly, and its length in bytes.
pub(super) fn quote(text: &[u8], at: usize) -> Option<(u8, usize)> {
    match text.get(at)? {
        b'\'' => Some((b'\'', 1)),
        b'"' => Some((b'"', 1)),
        0xe2 => match text.get(at + 1..at + 3)? {
            [0x80, 0x98..=0x9b] => Some((b'\'', 3)),
            [0x80, 0x9c..=0x9e] => Some((b'"', 3)),
            _ => None,
        },
        _ => None,
    }
}

/// A dash, straight or long, and its length in bytes.
pub(super) fn dash(text: &[u8], at: usize) -> Option<usize> {
    match text.get(at)? {
        b'-' => Some(1),
        0xe2 => matches!(text.get(at + 1..at + 3)?, [0x80, 0x93..=0x95]).then_some(3),
        _ => None,
    }
}

/// A blank that is no newline, and its length in bytes.
pub(super) fn blank(text: &[u8], at: usize) -> Option<usize> {
    match text.get(at)? {
        b' ' | b'\t' | 0x0b | 0x0c => Some(1),
        0xc2 => matches!(text.get(at + 1)?, 0xa0 | 0x85).then_some(2),
        _ => None,
    }
}

/// A line end, and its length in bytes.
pub(super) fn newline(text: &[u8], at: usize) -> Option<usize> {
    match text.get(at)? {
        b'\n' => Some(1),
        b'\r' if text.get(at + 1) == Some(&b'\n') => Some(2),
        b'\r' => Some(1),
        _ => None,
    }
}

/// What a backtick at `at` and what follows give, and how long that is; nothing for a joined line.
pub(super) fn escape(text: &[u8], at: usize) -> (Vec<u8>, usize) {
    if let Some(length) = newline(text, at + 1) {
        return (Vec::new(), 1 + length);
    }
    let Some(byte) = text.get(at + 1) else {
        return (Vec::new(), 1);
    };
    let plain = |byte: u8| (vec![byte], 2);
    match byte {
        b'n' => plain(b'\n'),
        b'r' => plain(b'\r'),
        b't' => plain(b'\t'),
        b'0' => plain(0),
        b'a' => plain(7),
        b'b' => plain(8),
        b'e' => plain(0x1b),
        b'f' => plain(0x0c),
        b'v' => plain(0x0b),
        b'u' if text.get(at + 2) == Some(&b'{') => {
            let digits = text.get(at + 3..).unwrap_or_default();
            let end = digits.iter().take(8).position(|byte| *byte == b'}');
            let letter = end
                .and_then(|end| std::str::from_utf8(digits.get(..end)?).ok())
                .and_then(|digits| u32::from_str_radix(digits, 16).ok())
                .and_then(char::from_u32);
            match (letter, end) {
                (Some(letter), Some(end)) => (letter.to_string().into_bytes(), end + 4),
                _ => plain(b'u'),
            }
        }
        byte => plain(*byte),
    }
}

/// Text between single quotes, as runs with the place of each, and the place behind the last quote;
/// `None` when it does not end.
pub(super) fn single(text: &[u8], from: usize) -> (Vec<(Vec<u8>, usize)>, Option<usize>) {
    let mut runs = Vec::new();
    let mut at = from;
    let mut start = from;
    while at < text.len() {
        match quote(text, at) {
            Some((b'\'', length)) => {
                runs.push((text.get(start..at).unwrap_or_default().to_vec(), start));
                match quote(text, at + length) {
                    Some((b'\'', second)) => {
                        start = at + length;
                        at = start + second;
                    }
                    _ => return (runs, Some(at + length)),
                }
            }
            Some((_, length)) => at += length,
            None => at += 1,
        }
    }
    runs.push((text.get(start..).unwrap_or_default().to_vec(), start));
    (runs, None)
}

/// Where the body of a here-string begins whose `@'` or `@"` stands at `at`.
pub(super) fn here_body(text: &[u8], at: usize) -> Option<(u8, usize)> {
    if text.get(at) != Some(&b'@') {
        return None;
    }
    let (kind, length) = quote(text, at + 1)?;
    let mut at = at + 1 + length;
    while let Some(length) = blank(text, at) {
        at += length;
    }
    Some((kind, at + newline(text, at)?))
}

/// Where a here-string's end mark begins behind this newline, how long it is, and where the body ends.
pub(super) fn here_end(text: &[u8], at: usize, kind: u8) -> Option<usize> {
    let (found, length) = quote(text, at)?;
    (found == kind && text.get(at + length) == Some(&b'@')).then_some(at + length + 1)
}

/// Whether the byte may stand in a variable's name without braces.
pub(super) fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}
