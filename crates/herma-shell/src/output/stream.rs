//! Values as byte streams: parts, lines, bounds.

use super::LIMIT;
use crate::value::{Origin, Piece, Unknown, Value};

/// Offset `by` behind `at`.
fn behind(at: Option<u32>, by: usize) -> Option<u32> {
    at.and_then(|at| at.checked_add(u32::try_from(by).ok()?))
}

/// The known bytes `from..to`, and the unknown pieces that stand among them.
pub(super) fn slice(value: &Value, from: usize, to: usize) -> Value {
    let mut out = Value {
        pieces: Vec::new(),
        decoded: value.decoded,
    };
    let mut position = 0;
    for piece in &value.pieces {
        let size = piece.known_length();
        let start = from.saturating_sub(position).min(size);
        let end = to.saturating_sub(position).min(size);
        match piece {
            Piece::Text { bytes, at } | Piece::Glob { pattern: bytes, at } => {
                if let Some(part) = bytes.get(start..end) {
                    match piece {
                        Piece::Glob { .. } if !part.is_empty() => out.pieces.push(Piece::Glob {
                            pattern: part.to_vec(),
                            at: behind(*at, start),
                        }),
                        _ => out.push_text(part, behind(*at, start)),
                    }
                }
            }
            other if position >= from && position <= to => out.pieces.push(other.clone()),
            _ => {}
        }
        position += size;
    }
    out
}

/// Cuts off what is beyond the limit; the rest counts as unknown.
pub(super) fn bound(value: Value) -> Value {
    if value.known_length() <= LIMIT {
        return value;
    }
    let mut out = slice(&value, 0, LIMIT);
    out.pieces.push(Piece::Unknown(Unknown {
        origin: Origin::Other,
        many: true,
        from: value.sources(),
    }));
    out
}

/// The lines without their ends, and whether the last one had one.
pub(super) fn lines(value: &Value) -> (Vec<Value>, bool) {
    let mut lines = Vec::new();
    let mut line = Value::empty();
    let mut open = false;
    for piece in &value.pieces {
        let (bytes, at) = match piece {
            Piece::Text { bytes, at } | Piece::Glob { pattern: bytes, at } => (bytes, *at),
            Piece::Unset(_) => continue,
            Piece::Unknown(_) => {
                line.pieces.push(piece.clone());
                open = true;
                continue;
            }
        };
        let mut from = 0;
        for part in bytes.split_inclusive(|byte| *byte == b'\n') {
            let (text, ends) = match part.split_last() {
                Some((b'\n', text)) => (text, true),
                _ => (part, false),
            };
            line.push_text(text, behind(at, from));
            from += part.len();
            open = !ends;
            if ends {
                lines.push(std::mem::take(&mut line));
            }
        }
    }
    if open {
        lines.push(line);
    }
    (lines, !open)
}

/// Puts lines together again.
pub(super) fn unlines<'a>(
    lines: impl IntoIterator<Item = &'a Value>,
    ended: bool,
    decoded: bool,
) -> Value {
    let mut out = Value::empty();
    let mut first = true;
    for line in lines {
        if !first {
            out.push_text(b"\n", None);
        }
        first = false;
        out.append(line);
    }
    if ended && !first {
        out.push_text(b"\n", None);
    }
    out.decoded |= decoded;
    bound(out)
}

/// Output under construction that stops growing at the limit.
pub(super) struct Output {
    value: Value,
    size: usize,
    full: bool,
}

impl Output {
    pub(super) fn new() -> Self {
        Self {
            value: Value::empty(),
            size: 0,
            full: false,
        }
    }

    /// Whether nothing more is kept.
    pub(super) fn is_full(&self) -> bool {
        self.full
    }

    /// Appends known text, written at `at`.
    pub(super) fn text(&mut self, bytes: &[u8], at: Option<u32>) {
        if self.size + bytes.len() > LIMIT {
            self.unknown(Origin::Other);
            self.full = true;
        }
        if !self.full {
            self.size += bytes.len();
            self.value.push_text(bytes, at);
        }
    }

    /// Appends a value.
    pub(super) fn value(&mut self, value: &Value) {
        self.value.decoded |= value.decoded;
        for piece in &value.pieces {
            match piece {
                Piece::Text { bytes, at } => self.text(bytes, *at),
                other => {
                    // A piece counts as one byte, so that many of them are bounded too.
                    self.size += other.known_length() + 1;
                    if self.size > LIMIT {
                        self.full = true;
                    }
                    if !self.full {
                        self.value.pieces.push(other.clone());
                    }
                }
            }
        }
    }

    /// Appends unknown words.
    pub(super) fn unknown(&mut self, origin: Origin) {
        if !self.full {
            self.value.append(&Value::unknown_words(origin));
        }
    }

    /// Notes that the text was encoded before.
    pub(super) fn mark_decoded(&mut self) {
        self.value.decoded = true;
    }

    /// What was printed.
    pub(super) fn finish(self) -> Value {
        self.value
    }
}
