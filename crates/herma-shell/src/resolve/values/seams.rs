//! Words whose braces bring text together that did not stand together: `{$a,b}c` is `$ac bc`.

use std::rc::Rc;

use super::expand::PartRef;
use crate::source::Span;
use crate::syntax::{Operation, Parameter, Part};
use crate::value::{Origin, Piece, Value};

/// What a part lets the text behind it become.
enum End<'t> {
    /// `$name`: more of the name.
    Name(&'t [u8]),
    /// A single `$`: an expansion.
    Dollar,
    /// Nothing.
    Closed,
}

/// Reads a word that braces made as the shell does, which expands braces in the text first.
pub(crate) fn rejoin(parts: Vec<PartRef<'_>>) -> Vec<PartRef<'_>> {
    let open = |part| !matches!(end(part), End::Closed);
    if !parts.iter().any(open) {
        return parts;
    }
    let mut joined: Vec<PartRef<'_>> = Vec::with_capacity(parts.len());
    let mut parts = parts.into_iter().peekable();
    while let Some(part) = parts.next() {
        let (before, mut name) = match (end(&part), &part) {
            (End::Name(name), _) => (None, name.to_vec()),
            (End::Dollar, PartRef::Slice { bytes, at, start }) => {
                let bytes = bytes.get(..bytes.len() - 1).unwrap_or_default();
                let (at, start) = (*at, *start);
                (Some(PartRef::Slice { bytes, at, start }), Vec::new())
            }
            _ => {
                joined.push(part);
                continue;
            }
        };
        let own = name.len();
        // The rest of the name may come from several parts.
        while let Some(text) = parts.peek().and_then(text) {
            let length = text.iter().take_while(|byte| is_name(**byte)).count();
            if name.is_empty() && text.first().is_some_and(u8::is_ascii_digit) {
                break;
            }
            name.extend_from_slice(text.get(..length).unwrap_or_default());
            let whole = length == text.len();
            if whole {
                parts.next();
            } else {
                parts
                    .peek_mut()
                    .into_iter()
                    .for_each(|part| cut(part, length));
                break;
            }
        }
        if name.len() > own {
            joined.extend(before.filter(|part| !is_empty(part)));
            joined.push(PartRef::Name(Rc::new(named(name))));
        } else if before.is_some() && parts.peek().is_some_and(follows_dollar) {
            joined.extend(before.filter(|part| !is_empty(part)));
            // What it becomes is not followed.
            let unknown = Value::unknown_words(Origin::Other);
            joined.push(PartRef::Computed(Rc::new(unknown)));
            return joined;
        } else {
            joined.push(part);
        }
    }
    joined
}

/// The text of a part that braces cut out or made.
fn text<'p>(part: &'p PartRef<'_>) -> Option<&'p [u8]> {
    match part {
        PartRef::Slice { bytes, .. } => Some(bytes),
        PartRef::Computed(value) => match value.pieces.as_slice() {
            [Piece::Text { bytes, .. }] => Some(bytes),
            _ => None,
        },
        PartRef::Whole(_) | PartRef::Name(_) => None,
    }
}

/// Takes the first bytes off such a part.
fn cut(part: &mut PartRef<'_>, length: usize) {
    match part {
        PartRef::Slice { bytes, at, start } => {
            *bytes = bytes.get(length..).unwrap_or_default();
            *at = at.saturating_add(u32::try_from(length).unwrap_or(u32::MAX));
            *start = false;
        }
        PartRef::Computed(value) => {
            let rest = value.known_prefix();
            let rest = rest.get(length..).unwrap_or_default();
            *part = PartRef::Computed(Rc::new(Value::computed(rest)));
        }
        PartRef::Whole(_) | PartRef::Name(_) => {}
    }
}

fn end<'t>(part: &PartRef<'t>) -> End<'t> {
    match part {
        PartRef::Slice { bytes, .. } if bytes.ends_with(b"$") => End::Dollar,
        PartRef::Whole(Part::Parameter(parameter)) if is_bare(parameter) => {
            End::Name(&parameter.name)
        }
        _ => End::Closed,
    }
}

/// `$name`, which more letters would make another.
fn is_bare(parameter: &Parameter) -> bool {
    let named = parameter.name.first();
    !parameter.braced && named.is_some_and(|byte| is_name(*byte) && !byte.is_ascii_digit())
}

/// Whether `$` in front of this is more than a dollar sign.
fn follows_dollar(part: &PartRef<'_>) -> bool {
    match part {
        PartRef::Slice { bytes, .. } => bytes.first().is_some_and(|byte| {
            is_name(*byte) || matches!(byte, b'{' | b'@' | b'*' | b'#' | b'?' | b'-' | b'$' | b'!')
        }),
        PartRef::Whole(part) => matches!(
            part,
            Part::Parameter(_) | Part::Command(_) | Part::Arithmetic(_)
        ),
        PartRef::Computed(_) | PartRef::Name(_) => true,
    }
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

fn is_empty(part: &PartRef<'_>) -> bool {
    matches!(part, PartRef::Slice { bytes, .. } if bytes.is_empty())
}

fn named(name: Vec<u8>) -> Parameter {
    Parameter {
        name,
        subscript: None,
        indirect: false,
        length: false,
        operation: Operation::None,
        braced: false,
        span: Span::default(),
    }
}
