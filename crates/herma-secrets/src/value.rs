//! Where a value ends, and which values are no secrets.

use crate::kind;

/// A value in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Value {
    /// Its first byte, inside a quote.
    pub(crate) start: usize,
    /// Behind its last byte.
    pub(crate) end: usize,
    /// The quote around it.
    pub(crate) quote: Option<u8>,
}

/// Longest value that is looked at for reasons to leave it. Longer ones are secrets, so that no
/// byte is looked at for many names.
const MAX_LEFT: usize = 256;

/// Whether the byte ends a value that is not quoted.
fn ends(byte: u8) -> bool {
    byte.is_ascii_whitespace()
        || matches!(
            byte,
            b'"' | b'\'' | b'`' | b';' | b'&' | b'|' | b'<' | b'>' | b')' | 0
        )
}

/// The value that begins at `at`: quoted, also with escaped quotes, or up to the end of the word.
/// What follows the closing quote without a gap belongs to it, as a shell joins it.
pub(crate) fn at(text: &[u8], at: usize) -> Value {
    let byte = |index: usize| text.get(index).copied().unwrap_or_default();
    let none = |at| Value {
        start: at,
        end: at,
        quote: None,
    };
    let computed = |at: usize| opens_reference(text.get(at..).unwrap_or_default());
    if computed(at) {
        return none(at);
    }
    let escaped = usize::from(byte(at) == b'\\' && matches!(byte(at + 1), b'"' | b'\''));
    let open = byte(at + escaped);
    if !matches!(open, b'"' | b'\'') {
        let end = word(text, at);
        return Value {
            start: at,
            end,
            quote: None,
        };
    }
    let start = at + escaped + 1;
    if open == b'"' && computed(start) {
        return none(start);
    }
    let mut end = start;
    while end < text.len() && byte(end) != b'\n' {
        match byte(end) {
            close if close == open && escaped == 0 => break,
            b'\\' if escaped == 1 && byte(end + 1) == open => break,
            b'\\' if open == b'"' => end += 1,
            _ => {}
        }
        end += 1;
    }
    let end = end.min(text.len());
    let behind = end + 1 + escaped;
    let joined = word(text, behind.min(text.len()));
    let goes_on = escaped == 0
        && behind < text.len()
        && !matches!(byte(behind), b',' | b'}' | b']' | b':' | b'\\' | b'.')
        && joined > behind;
    Value {
        start,
        end: if goes_on { joined } else { end },
        quote: Some(open),
    }
}

/// The end of the word that begins at `at`.
fn word(text: &[u8], at: usize) -> usize {
    let mut end = at;
    while let Some(byte) = text.get(end).copied() {
        if byte == b'\\' {
            // `\n` in front of the next line of an escaped text ends the value as a line end does.
            if matches!(text.get(end + 1), Some(b'"' | b'\'' | b'n' | b'r')) {
                break;
            }
            end += 2;
        } else if ends(byte) {
            break;
        } else {
            end += 1;
        }
    }
    end.min(text.len())
}

/// Whether a value stands for another: a reference, a path, a word for "put it here", or what
/// redaction left.
pub(crate) fn is_left(value: &[u8], quote: Option<u8>) -> bool {
    if value.len() > MAX_LEFT {
        // A reference of any length is known by its first bytes.
        return opens_reference(value);
    }
    value.is_empty()
        || opens_reference(value)
        || refers(value, quote)
        || is_path(value)
        || stands_for_one(value)
        || kind::is_replacement(value)
}

/// `$(…)`, `` `…` ``, `{{…}}`: computed elsewhere.
fn opens_reference(value: &[u8]) -> bool {
    [b"$(".as_slice(), b"`", b"{{", b"${{", b"<("]
        .iter()
        .any(|opening| value.starts_with(opening))
}

/// `$NAME`, `${NAME…}`, `%NAME%`, `<name>`, `process.env.NAME`, `@file`.
fn refers(value: &[u8], quote: Option<u8>) -> bool {
    let name = |bytes: &[u8]| {
        !bytes.is_empty()
            && bytes
                .iter()
                .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-'))
    };
    let constant = |bytes: &[u8]| {
        !bytes.is_empty()
            && bytes
                .iter()
                .all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'_')
    };
    if let Some(rest) = value.strip_prefix(b"$") {
        if let Some(inner) = rest.strip_prefix(b"{") {
            // `${NAME:-value}` writes a value.
            return inner.strip_suffix(b"}").is_some_and(name);
        }
        // Single quotes make `$ecret` a text; only a variable's usual spelling counts there.
        return if quote == Some(b'\'') {
            constant(rest)
        } else {
            name(rest) && !rest.first().is_some_and(u8::is_ascii_digit)
        };
    }
    let inside = |open: &[u8], close: &[u8]| {
        value
            .strip_prefix(open)
            .and_then(|rest| rest.strip_suffix(close))
            .is_some_and(|inner| !inner.is_empty())
    };
    // `get_token(…)` in code.
    let function = value.split(|byte| *byte == b'(').next().unwrap_or(value);
    let called = function.len() < value.len() && name(function) && quote.is_none();
    inside(b"%", b"%")
        || inside(b"<", b">")
        || value.starts_with(b"process.env")
        || value.starts_with(b"os.environ")
        || value.starts_with(b"env.")
        || value.starts_with(b"@/")
        || value.starts_with(b"@-")
        || called
}

/// A file's name rather than a value. A key of 40 letters may begin with a slash.
fn is_path(value: &[u8]) -> bool {
    let begins = [b"/".as_slice(), b"./", b"../", b"~/", b"file:"]
        .iter()
        .any(|root| value.starts_with(root));
    let plain = value.iter().all(|byte| {
        byte.is_ascii_alphanumeric()
            || matches!(
                byte,
                b'/' | b'.' | b'_' | b'-' | b'~' | b'$' | b'{' | b'}' | b':'
            )
    });
    // `path/to/key`; a random value has digits.
    let inner = value.contains(&b'/') && !value.iter().any(u8::is_ascii_digit);
    plain && (begins || inner) && !(value.len() == 40 && is_mixed(value))
}

/// Whether capitals, small letters and digits all occur.
pub(crate) fn is_mixed(value: &[u8]) -> bool {
    value.iter().any(u8::is_ascii_digit)
        && value.iter().any(u8::is_ascii_uppercase)
        && value.iter().any(u8::is_ascii_lowercase)
}

/// Words that stand for a value or say that there is none.
const WORDS: &[&[u8]] = &[
    b"changeme",
    b"change-me",
    b"change_me",
    b"placeholder",
    b"redacted",
    b"hidden",
    b"masked",
    b"none",
    b"null",
    b"nil",
    b"true",
    b"false",
    b"yes",
    b"no",
    b"undefined",
    b"required",
    b"optional",
    b"prompt",
    b"ask",
    b"stdin",
    b"todo",
    b"tbd",
    b"foo",
    b"bar",
    b"dummy",
    b"example",
    b"string",
    b"str",
    b"text",
    b"bytes",
    b"number",
    b"int",
    b"bool",
    b"boolean",
    b"any",
    b"unset",
    b"empty",
    b"env",
];

/// Parts that only a word for "put it here" has.
const PARTS: &[&[u8]] = &[b"example", b"your-", b"your_", b"placeholder", b"changeme"];

/// Whether the value is a word such as `changeme`, or one or two characters repeated (`xxxx`,
/// `****`, `...`).
pub(crate) fn stands_for_one(value: &[u8]) -> bool {
    if value.len() > MAX_LEFT {
        return false;
    }
    let mut lower = value.to_ascii_lowercase();
    while lower
        .last()
        .is_some_and(|byte| matches!(byte, b',' | b'.' | b'}' | b']' | b':'))
    {
        lower.pop();
    }
    let first = lower.first().copied().unwrap_or(b'x');
    let repeated = (lower.len() >= 3 || !first.is_ascii_alphabetic())
        && matches!(first, b'x' | b'*' | b'.' | b'-' | b'_' | b'#' | b'?')
        && lower.iter().all(|byte| *byte == first || *byte == b'-');
    repeated
        || WORDS.contains(&lower.as_slice())
        || PARTS
            .iter()
            .any(|part| lower.windows(part.len()).any(|window| window == *part))
        || (value.len() >= 12 && value.iter().all(|byte| *byte == first.to_ascii_uppercase()))
}

/// Whether a value that its context only hints at looks like a secret.
pub(crate) fn looks_random(value: &[u8]) -> bool {
    value.len() > MAX_LEFT
        || value.len() >= 16
            && value.iter().any(u8::is_ascii_digit)
            && value.iter().any(u8::is_ascii_alphabetic)
            && value.iter().all(|byte| byte.is_ascii_graphic())
}
