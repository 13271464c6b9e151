//! The same text in other spellings, independent of the shell's state.

use super::super::random::Random;

pub(super) fn single(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

pub(super) fn double(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        if matches!(c, '"' | '\\' | '$' | '`') {
            out.push('\\');
        }
        out.push(c);
    }
    out.push('"');
    out
}

/// `$'…'` with random escapes.
pub(super) fn ansi(text: &str, random: &mut Random) -> String {
    let mut out = String::from("$'");
    let bytes: Vec<char> = text.chars().collect();
    for (index, c) in bytes.iter().enumerate() {
        let code = *c as u32;
        let digit_follows = bytes.get(index + 1).is_some_and(char::is_ascii_hexdigit);
        match random.below(7) {
            0 if code < 128 => out.push_str(&format!("\\x{code:02x}")),
            1 if code < 128 => out.push_str(&format!("\\{code:03o}")),
            2 => out.push_str(&format!("\\u{code:04x}")),
            3 => out.push_str(&format!("\\U{code:08x}")),
            4 if code < 16 && !digit_follows => out.push_str(&format!("\\x{code:x}")),
            _ => match c {
                '\'' => out.push_str("\\'"),
                '\\' => out.push_str("\\\\"),
                '\n' => out.push_str("\\n"),
                '\t' => out.push_str("\\t"),
                other => out.push(*other),
            },
        }
    }
    out.push('\'');
    out
}

/// Every byte behind a backslash; only for text without newlines.
pub(super) fn escaped(text: &str) -> String {
    text.chars().flat_map(|c| ['\\', c]).collect()
}

/// Code for the inside of backticks.
pub(super) fn backticks(code: &str) -> String {
    let mut out = String::from("`");
    for c in code.chars() {
        if matches!(c, '\\' | '`') {
            out.push('\\');
        }
        out.push(c);
    }
    out.push('`');
    out
}

/// An escape sequence for `printf` or `echo -e`.
pub(super) fn octal(text: &str) -> String {
    text.bytes().map(|byte| format!("\\{byte:03o}")).collect()
}

pub(super) fn hex(text: &str) -> String {
    text.bytes().map(|byte| format!("{byte:02x}")).collect()
}

pub(crate) fn base64(text: &str) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for chunk in text.as_bytes().chunks(3) {
        let bits = chunk
            .iter()
            .fold(0u32, |sum, byte| sum << 8 | u32::from(*byte))
            << (8 * (3 - chunk.len()));
        for index in 0..4 {
            if index <= chunk.len() {
                out.push(ALPHABET[(bits >> (18 - 6 * index) & 63) as usize] as char);
            } else {
                out.push('=');
            }
        }
    }
    out
}

pub(super) fn rot13(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            'a'..='m' | 'A'..='M' => (c as u8 + 13) as char,
            'n'..='z' | 'N'..='Z' => (c as u8 - 13) as char,
            other => other,
        })
        .collect()
}

pub(super) fn reversed(text: &str) -> String {
    text.chars().rev().collect()
}
