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
use std::ops::Range;

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
    redact_with(text, &mut [])
}

/// The same, with places in the text moved to where they stand in the result. A place that cuts a
/// secret takes in the whole mark.
#[must_use]
pub fn redact_with<'a>(text: &'a [u8], places: &mut [Range<usize>]) -> Cow<'a, [u8]> {
    let mut clean = Cow::Borrowed(text);
    // A replacement changes what stands next to it; what then looks like a secret goes as well.
    for _ in 0..ROUNDS {
        let spans = find(&clean);
        if spans.is_empty() {
            break;
        }
        for place in places.iter_mut() {
            let end = moved(place.end, &spans, |span, mark| span.start + mark);
            *place = moved(place.start, &spans, |span, _| span.start)..end;
        }
        clean = Cow::Owned(replace(&clean, &spans));
    }
    clean
}

/// Most rounds of replacement.
const ROUNDS: usize = 4;

/// Where an offset is when the spans are replaced; `inside` says it for one within a span, before
/// what the earlier ones move.
fn moved(
    offset: usize,
    spans: &[SecretSpan],
    inside: impl Fn(&SecretSpan, usize) -> usize,
) -> usize {
    let (mut grown, mut gone) = (0, 0);
    for span in spans {
        if offset <= span.start {
            break;
        }
        let mark = kind::MARK.len() + span.kind.name().len() + 1;
        if offset < span.end {
            return (inside(span, mark) + grown).saturating_sub(gone);
        }
        grown += mark;
        gone += span.end - span.start;
    }
    (offset + grown).saturating_sub(gone)
}

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
