//! Secret shapes and redaction: the one implementation, used wherever text is stored or shown.
//!
//! [`find`] reports where secrets stand in a text, [`redact`] replaces each by
//! `[REDACTED:kind]`, keeping a fixed prefix that tells what it was (`ghp_[REDACTED:github-token]`).
//! Recognised are keys and tokens with a published shape, private keys, credentials in URLs,
//! headers and cookies, and the values of names that say what they are (`PASSWORD=`, `--token`,
//! `"api_key":`). References (`$TOKEN`, `${TOKEN}`, `<token>`), paths and words that stand for a
//! value (`changeme`, `xxx`) are left, and so are UUIDs and hashes that no such name announces.
//!
//! Both take time linear in the text, never panic, and `redact` is idempotent.
//!
//! ```
//! let text = b"curl -H 'Authorization: Bearer abc123def456ghi789'";
//! let clean = herma_secrets::redact(text);
//! assert_eq!(&*clean, b"curl -H 'Authorization: Bearer [REDACTED:authorization]'");
//! ```

#![forbid(unsafe_code)]

use std::borrow::Cow;

mod kind;
mod name;
mod pem;
mod program;
mod scan;
mod shape;
mod value;

pub use kind::SecretKind;

/// A secret in a text: the bytes `start..end` are replaced by [`redact`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SecretSpan {
    /// What it is.
    pub kind: SecretKind,
    /// Offset of its first byte, behind a prefix that is kept.
    pub start: usize,
    /// Offset behind its last byte.
    pub end: usize,
}

/// The secrets in a text, in order and without overlap.
#[must_use]
pub fn find(text: &[u8]) -> Vec<SecretSpan> {
    scan::find(text)
}

/// The text with every secret replaced by `[REDACTED:kind]`; borrowed when there is none.
#[must_use]
pub fn redact(text: &[u8]) -> Cow<'_, [u8]> {
    let mut clean = Cow::Borrowed(text);
    // A replacement changes what stands next to it; what then looks like a secret goes as well.
    for _ in 0..ROUNDS {
        let spans = find(&clean);
        if spans.is_empty() {
            break;
        }
        clean = Cow::Owned(replace(&clean, &spans));
    }
    clean
}

/// Most rounds of replacement.
const ROUNDS: usize = 4;

fn replace(text: &[u8], spans: &[SecretSpan]) -> Vec<u8> {
    let mut clean = Vec::with_capacity(text.len());
    let mut copied = 0;
    for span in spans {
        clean.extend_from_slice(text.get(copied..span.start).unwrap_or_default());
        clean.extend_from_slice(kind::MARK);
        clean.extend_from_slice(span.kind.name().as_bytes());
        clean.push(b']');
        copied = span.end;
    }
    clean.extend_from_slice(text.get(copied..).unwrap_or_default());
    clean
}

#[cfg(test)]
mod tests;
