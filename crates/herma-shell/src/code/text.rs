//! Code as bytes, with where each byte was written and where unknown pieces stand.

use crate::source::Span;
use crate::value::{Piece, Unknown, Value};

/// Code to read. An unknown piece of the value is one byte, zero, at a known position, so that it
/// lands in the string or the expression that it would be part of.
pub(super) struct Code {
    bytes: Vec<u8>,
    /// From which byte on, what was written where; `None` for computed bytes.
    runs: Vec<(usize, Option<u32>)>,
    holes: Vec<(usize, Unknown)>,
    fallback: Span,
    decoded: bool,
}

impl Code {
    /// The code of a value; what was not written has the span `fallback`.
    pub(super) fn new(value: &Value, fallback: Span) -> Self {
        let mut code = Self {
            bytes: Vec::new(),
            runs: Vec::new(),
            holes: Vec::new(),
            fallback,
            decoded: value.decoded,
        };
        for piece in &value.pieces {
            match piece {
                Piece::Text { bytes, at } | Piece::Glob { pattern: bytes, at } => {
                    code.runs.push((code.bytes.len(), *at));
                    code.bytes.extend_from_slice(bytes);
                }
                Piece::Unset(_) => {}
                Piece::Unknown(unknown) => {
                    code.runs.push((code.bytes.len(), None));
                    code.holes.push((code.bytes.len(), unknown.clone()));
                    code.bytes.push(0);
                }
            }
        }
        code
    }

    /// Its length in bytes.
    pub(super) fn len(&self) -> usize {
        self.bytes.len()
    }

    /// The byte at an offset.
    pub(super) fn byte(&self, at: usize) -> Option<u8> {
        self.bytes.get(at).copied()
    }

    /// The bytes between two offsets, as far as there are any.
    pub(super) fn slice(&self, start: usize, end: usize) -> &[u8] {
        self.bytes
            .get(start..end.min(self.bytes.len()))
            .unwrap_or_default()
    }

    /// Whether an unknown piece stands at this position.
    pub(super) fn hole(&self, at: usize) -> Option<&Unknown> {
        let index = self
            .holes
            .binary_search_by_key(&at, |(position, _)| *position)
            .ok()?;
        self.holes.get(index).map(|(_, unknown)| unknown)
    }

    /// The first unknown piece in `start..end`.
    pub(super) fn hole_in(&self, start: usize, end: usize) -> Option<&Unknown> {
        let index = self
            .holes
            .partition_point(|(position, _)| *position < start);
        let (position, unknown) = self.holes.get(index)?;
        (*position < end).then_some(unknown)
    }

    /// Where the byte at this position was written.
    fn written(&self, position: usize) -> Option<u32> {
        let index = self.runs.partition_point(|(from, _)| *from <= position);
        let (from, at) = self.runs.get(index.checked_sub(1)?)?;
        (*at)?.checked_add(u32::try_from(position - from).ok()?)
    }

    /// The span in the original text.
    pub(super) fn span(&self, start: usize, end: usize) -> Span {
        let Some(first) = self.written(start) else {
            return self.fallback;
        };
        let last = end
            .checked_sub(1)
            .and_then(|last| self.written(last))
            .map_or(first, |last| last.saturating_add(1));
        Span::new(first, last.max(first))
    }

    /// Appends the bytes `start..end` as they stand.
    pub(super) fn append(&self, start: usize, end: usize, value: &mut Value) {
        value.decoded |= self.decoded;
        let end = end.min(self.bytes.len());
        let mut position = start;
        while position < end {
            if let Some(unknown) = self.hole(position) {
                value.pieces.push(Piece::Unknown(unknown.clone()));
                position += 1;
                continue;
            }
            // The next run begins behind every hole too.
            let index = self.runs.partition_point(|(from, _)| *from <= position);
            let next = self.runs.get(index).map_or(end, |(from, _)| *from).min(end);
            value.push_text(self.slice(position, next), self.written(position));
            position = next;
        }
    }
}
