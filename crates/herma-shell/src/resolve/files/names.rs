//! Names for files whose paths are not wholly known.

use crate::value::{Origin, Piece, Value};

/// What stands for the name of a fresh temporary file; no name of a file begins so.
pub(crate) const TEMPORARY: &[u8] = b"\x01mktemp";

/// The name that stands for every directory that cannot be known.
pub(crate) const ELSEWHERE: &[u8] = b"/\x01elsewhere";

/// What stands in front of the name of a part that cannot be known; no name of a file begins so.
const UNKNOWN: u8 = 2;

/// Whether a name that is fresh or cannot be known stands in the path: it may be several files.
pub(crate) fn is_temporary(path: &[u8]) -> bool {
    path.contains(&UNKNOWN) || path.windows(TEMPORARY.len()).any(|part| part == TEMPORARY)
}

/// The path with names for the parts that cannot be known; `None` when nothing says which they are.
pub(crate) fn named_by_origin(path: &Value) -> Option<Vec<u8>> {
    let mut named = Vec::new();
    for piece in &path.pieces {
        match piece {
            Piece::Text { bytes, .. } => named.extend_from_slice(bytes),
            Piece::Unset(_) => {}
            Piece::Glob { .. } => return None,
            Piece::Unknown(unknown) => {
                let origin = match &unknown.origin {
                    Origin::Variable(name) | Origin::Output(name) => name.as_slice(),
                    Origin::Temporary => TEMPORARY,
                    _ => return None,
                };
                if origin.is_empty() {
                    return None;
                }
                named.push(UNKNOWN);
                let plain = |byte: &u8| if *byte == b'/' { b'_' } else { *byte };
                named.extend(origin.iter().map(plain));
            }
        }
    }
    Some(named)
}

/// The value's bytes, with fixed ones for fresh names; `None` when another part is unknown.
pub(crate) fn with_temporary(value: &Value) -> Option<Vec<u8>> {
    pinned(value).bytes().map(std::borrow::Cow::into_owned)
}

/// The value with fixed bytes for fresh names, so that text can be computed with.
pub(crate) fn pinned(value: &Value) -> std::borrow::Cow<'_, Value> {
    let is_fresh = |piece: &Piece| matches!(piece, Piece::Unknown(unknown) if unknown.origin == Origin::Temporary);
    if !value.pieces.iter().any(is_fresh) {
        return std::borrow::Cow::Borrowed(value);
    }
    let mut out = value.clone();
    for piece in out.pieces.iter_mut().filter(|piece| is_fresh(piece)) {
        *piece = Piece::Text {
            bytes: TEMPORARY.to_vec(),
            at: None,
        };
    }
    std::borrow::Cow::Owned(out)
}

/// Gives fresh names back what stands for them; `None` when one was taken apart.
pub(crate) fn unpinned(value: &Value) -> Option<Value> {
    let mut out = Value::empty();
    out.decoded = value.decoded;
    for piece in &value.pieces {
        let Piece::Text { bytes, at } = piece else {
            out.pieces.push(piece.clone());
            continue;
        };
        let mut rest = bytes.as_slice();
        let mut at = *at;
        while let Some(start) = rest
            .windows(TEMPORARY.len())
            .position(|part| part == TEMPORARY)
        {
            out.push_text(rest.get(..start).unwrap_or_default(), at);
            out.append(&Value::unknown(Origin::Temporary));
            rest = rest.get(start + TEMPORARY.len()..).unwrap_or_default();
            at = None;
        }
        out.push_text(rest, at);
    }
    let marks = |piece: &Piece| matches!(piece, Piece::Text { bytes, .. } if bytes.contains(&1));
    (!out.pieces.iter().any(marks)).then_some(out)
}
