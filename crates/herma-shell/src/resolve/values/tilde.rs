//! Where a tilde is live.

use super::expand::PartRef;
use crate::syntax::{Part, Word};

/// Whether a tilde at the start of the parts is live: quoting in its prefix makes it text.
pub(crate) fn tilde_is_live(parts: &[PartRef<'_>]) -> bool {
    let bytes = match parts.first() {
        Some(PartRef::Whole(Part::Literal(text))) => text.bytes.as_slice(),
        Some(PartRef::Slice { bytes, .. }) => bytes,
        _ => return true,
    };
    let ends = bytes.iter().any(|byte| matches!(byte, b'/' | b':'));
    let longer = match parts.get(1) {
        // Text that brace expansion put behind it belongs to the name, and no name has quotes or
        // expansions in it.
        Some(PartRef::Slice { bytes, .. }) => !bytes.starts_with(b"/"),
        Some(_) => true,
        None => false,
    };
    ends || !longer
}

/// Where the name behind a tilde ends: at a slash, at a colon, and in bash before `=~`.
pub(crate) fn end_of_name(bytes: &[u8]) -> usize {
    let ends = |at: usize| match bytes.get(at) {
        Some(b'/' | b':') => true,
        Some(b'=') => bytes.get(at + 1) == Some(&b'~'),
        _ => false,
    };
    (0..bytes.len()).find(|at| ends(*at)).unwrap_or(bytes.len())
}

/// Whether a tilde stands somewhere unquoted.
pub(crate) fn has_tilde(word: &Word) -> bool {
    word.parts
        .iter()
        .any(|part| matches!(part, Part::Literal(text) if text.bytes.contains(&b'~')))
}

/// The parts of `name=value`, or of a value alone, cut where a tilde would be live: behind the
/// first `=` and behind each `:` of the value.
pub(crate) fn assigned_parts(word: &Word, in_value: bool) -> Vec<PartRef<'_>> {
    let mut parts = Vec::new();
    let mut in_value = in_value;
    for (number, part) in word.parts.iter().enumerate() {
        let Part::Literal(text) = part else {
            parts.push(PartRef::Whole(part));
            continue;
        };
        let mut from = 0;
        let mut start = false;
        for (index, byte) in text.bytes.iter().enumerate() {
            let cut = if in_value {
                *byte == b':'
            } else {
                *byte == b'='
            };
            if cut {
                in_value = true;
                push_slice(&mut parts, text, from, index + 1, start);
                from = index + 1;
                // Quoting in the prefix makes it text.
                let rest = text.bytes.get(from..).unwrap_or_default();
                let ends = rest.iter().any(|byte| matches!(byte, b'/' | b':'));
                start = ends || number + 1 == word.parts.len();
            }
        }
        push_slice(&mut parts, text, from, text.bytes.len(), start);
    }
    parts
}

pub(crate) fn push_slice<'t>(
    parts: &mut Vec<PartRef<'t>>,
    text: &'t crate::syntax::Text,
    from: usize,
    to: usize,
    start: bool,
) {
    if let Some(bytes) = text.bytes.get(from..to).filter(|bytes| !bytes.is_empty()) {
        let at = text
            .at
            .saturating_add(u32::try_from(from).unwrap_or(u32::MAX));
        parts.push(PartRef::Slice { bytes, at, start });
    }
}
