//! Where a tilde is live.

use std::rc::Rc;

use super::expand::PartRef;
use crate::resolve::machine::Machine;
use crate::resolve::machine::state::State;
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

impl Machine<'_> {
    /// Puts home directories where the name behind a tilde stands in several parts: line
    /// continuations cut it, or braces put it together.
    pub(crate) fn homes_over_seams<'t>(
        &mut self,
        parts: Vec<PartRef<'t>>,
        state: &State,
    ) -> Vec<PartRef<'t>> {
        let mut joined = Vec::with_capacity(parts.len());
        let mut index = 0;
        while let Some(part) = parts.get(index) {
            let begins = index == 0 || matches!(part, PartRef::Slice { start: true, .. });
            let name = parts.get(index..).filter(|_| begins).and_then(seamed_name);
            match name.map(|name| (self.tilde(&name.user, state), name)) {
                Some((Some(home), name)) => {
                    joined.push(PartRef::Computed(Rc::new(home)));
                    joined.extend(name.rest);
                    index += name.parts;
                }
                Some((None, _)) => {
                    // Nobody has that name: it is text.
                    let text = literal_of(part);
                    let start = false;
                    joined.extend(text.map(|(bytes, at)| PartRef::Slice { bytes, at, start }));
                    index += 1;
                }
                None => {
                    joined.push(part.clone());
                    index += 1;
                }
            }
        }
        joined
    }
}

/// A name behind a tilde that stands in several parts.
struct SeamedName<'t> {
    user: Vec<u8>,
    /// How many parts it takes.
    parts: usize,
    /// What of the last one is behind it.
    rest: Option<PartRef<'t>>,
}

fn seamed_name<'t>(parts: &[PartRef<'t>]) -> Option<SeamedName<'t>> {
    let (first, more) = parts.split_first()?;
    let (bytes, _) = literal_of(first)?;
    let mut user = bytes.strip_prefix(b"~")?.to_vec();
    if more.is_empty() || end_of_name(bytes) < bytes.len() {
        return None;
    }
    for (index, part) in more.iter().enumerate() {
        let (bytes, at) = literal_of(part)?;
        let end = end_of_name(bytes);
        user.extend_from_slice(bytes.get(..end)?);
        if let Some(rest) = bytes.get(end..).filter(|rest| !rest.is_empty()) {
            let rest = PartRef::Slice {
                bytes: rest,
                at: at.saturating_add(u32::try_from(end).unwrap_or(u32::MAX)),
                start: false,
            };
            return Some(SeamedName {
                user,
                parts: index + 2,
                rest: Some(rest),
            });
        }
    }
    Some(SeamedName {
        user,
        parts: parts.len(),
        rest: None,
    })
}

fn literal_of<'t>(part: &PartRef<'t>) -> Option<(&'t [u8], u32)> {
    match part {
        PartRef::Whole(Part::Literal(text)) => Some((&text.bytes, text.at)),
        PartRef::Slice { bytes, at, .. } => Some((bytes, *at)),
        PartRef::Whole(_) | PartRef::Computed(_) | PartRef::Name(_) => None,
    }
}

/// Whether a name that goes on in these parts has no quotes or expansions in it.
fn goes_on_plainly(parts: &[Part]) -> bool {
    for part in parts {
        match part {
            Part::Literal(text) if end_of_name(&text.bytes) < text.bytes.len() => return true,
            Part::Literal(_) => {}
            _ => return false,
        }
    }
    true
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
                start = ends || goes_on_plainly(word.parts.get(number + 1..).unwrap_or_default());
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
