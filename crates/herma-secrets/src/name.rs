//! Names that say that their value is secret.

use crate::kind;

/// What a name announces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Announces {
    /// A password, however short.
    Password,
    /// A token, key or secret.
    Secret,
    /// A secret when the value looks random.
    Perhaps,
    /// An authorization header: a scheme may stand in front.
    Authorization,
    /// Cookies, up to the end of the line.
    Cookies,
}

/// Longest name that is looked at, in bytes.
pub(crate) const MAX_NAME: usize = 64;

/// Endings, letters and digits only.
const PASSWORDS: &[&[u8]] = &[b"password", b"passwd", b"passphrase", b"passcode"];

const SECRETS: &[&[u8]] = &[
    b"secret",
    b"token",
    b"apikey",
    b"accesskey",
    b"secretkey",
    b"privatekey",
    b"authkey",
    b"accountkey",
    b"signingkey",
    b"encryptionkey",
    b"masterkey",
    b"sharedkey",
    b"credential",
    b"credentials",
    b"connectionstring",
    b"secretkeybase",
];

/// Last parts that are too short to be endings.
const SHORT_PASSWORDS: &[&[u8]] = &[b"pass", b"pwd", b"pw", b"psw"];

const PERHAPS: &[&[u8]] = &[
    b"sig",
    b"signature",
    b"sid",
    b"sessionid",
    b"phpsessid",
    b"jsessionid",
    b"auth",
    b"session",
];

/// What the name announces, whatever its case and separators.
pub(crate) fn announces(name: &[u8]) -> Option<Announces> {
    let lower: Vec<u8> = name
        .iter()
        .filter(|byte| byte.is_ascii_alphanumeric())
        .map(u8::to_ascii_lowercase)
        .collect();
    match lower.as_slice() {
        b"authorization" | b"proxyauthorization" => return Some(Announces::Authorization),
        b"cookie" | b"setcookie" => return Some(Announces::Cookies),
        // The shell's working directories.
        b"pwd" | b"oldpwd" => return None,
        _ => {}
    }
    let ends = |words: &[&[u8]]| words.iter().any(|word| lower.ends_with(word));
    if ends(PASSWORDS) {
        return Some(Announces::Password);
    }
    if ends(SECRETS) {
        return Some(Announces::Secret);
    }
    let last = last_part(name);
    if SHORT_PASSWORDS.contains(&last.as_slice()) {
        return Some(Announces::Password);
    }
    PERHAPS
        .contains(&last.as_slice())
        .then_some(Announces::Perhaps)
}

/// The last part of a name, in small letters: behind a separator, or from a capital on.
fn last_part(name: &[u8]) -> Vec<u8> {
    let part = name
        .rsplit(|byte| matches!(byte, b'_' | b'-' | b'.'))
        .next()
        .unwrap_or(name);
    let camel = part.windows(2).rposition(|pair| {
        matches!(pair, [before, after] if before.is_ascii_lowercase() && after.is_ascii_uppercase())
    });
    let part = camel.and_then(|at| part.get(at + 1..)).unwrap_or(part);
    part.to_ascii_lowercase()
}

/// Whether the byte belongs to a name.
pub(crate) fn holds(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.')
}

/// The name that ends in front of `end`, a quote and blanks in between allowed, with its start.
pub(crate) fn before(text: &[u8], end: usize) -> Option<(usize, &[u8])> {
    let byte = |index: usize| text.get(index).copied().unwrap_or_default();
    let mut end = end;
    for _ in 0..2 {
        if end > 0 && byte(end - 1) == b' ' {
            end -= 1;
        }
    }
    if end > 0 && matches!(byte(end - 1), b'"' | b'\'') {
        end -= 1;
        if end > 0 && byte(end - 1) == b'\\' {
            end -= 1;
        }
    } else if end > 0 && byte(end - 1) == b']' {
        // A form field or an index: `user[password]=`, `env["TOKEN"] =`.
        end -= 1;
        if end > 0 && matches!(byte(end - 1), b'"' | b'\'') {
            end -= 1;
        }
    }
    let mut start = end;
    while start > 0 && end - start < MAX_NAME && holds(byte(start - 1)) {
        start -= 1;
    }
    // `\nTOKEN=` inside an escaped text.
    if start > 0 && byte(start - 1) == b'\\' && matches!(byte(start), b'n' | b't' | b'r') {
        start += 1;
    }
    // What redaction left is no name, whatever follows it.
    if text
        .get(..start)
        .is_some_and(|before| before.ends_with(kind::MARK))
    {
        return None;
    }
    text.get(start..end)
        .filter(|name| !name.is_empty())
        .map(|name| (start, name))
}
