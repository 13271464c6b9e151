//! Cutting, splitting and joining words without losing where their bytes were written.

use crate::execution::{Arg, Binding};
use crate::source::Span;
use crate::value::{Piece, Value};

/// One byte of a value with its place, or a piece that is no known text.
#[derive(Clone, Copy)]
pub(super) enum Cell<'a> {
    /// A known byte.
    Byte(u8, Option<u32>),
    /// A pattern, an unset variable, or unknown text.
    Opaque(&'a Piece),
}

impl Cell<'_> {
    /// The byte, when it is one.
    pub(super) fn byte(self) -> Option<u8> {
        match self {
            Self::Byte(byte, _) => Some(byte),
            Self::Opaque(_) => None,
        }
    }
}

/// The value byte by byte.
pub(super) fn cells(value: &Value) -> Vec<Cell<'_>> {
    let mut out = Vec::new();
    for piece in &value.pieces {
        match piece {
            Piece::Text { bytes, at } => {
                out.extend(bytes.iter().zip(0u32..).map(|(byte, index)| {
                    Cell::Byte(*byte, at.map(|start| start.saturating_add(index)))
                }));
            }
            other => out.push(Cell::Opaque(other)),
        }
    }
    out
}

/// A value from cells.
pub(super) fn collect(cells: &[Cell<'_>]) -> Value {
    let mut out = Value::empty();
    for cell in cells {
        match cell {
            Cell::Byte(byte, at) => out.push_text(&[*byte], *at),
            Cell::Opaque(piece) => out.pieces.push((*piece).clone()),
        }
    }
    out
}

/// A word from cells; where its bytes were not written it stands at `fallback`.
pub(super) fn word(cells: &[Cell<'_>], fallback: Span) -> Arg {
    let value = collect(cells);
    Arg {
        span: extent(&value, fallback),
        value,
    }
}

/// From the first to the last written byte of a value, as far as that lies in `fallback`.
fn extent(value: &Value, fallback: Span) -> Span {
    let mut span: Option<Span> = None;
    for piece in &value.pieces {
        if let Piece::Text {
            bytes,
            at: Some(at),
        }
        | Piece::Glob {
            pattern: bytes,
            at: Some(at),
        } = piece
        {
            let length = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
            let own = Span::new(*at, at.saturating_add(length));
            span = Some(span.map_or(own, |before| before.join(own)));
        }
    }
    match span {
        Some(span) if value.is_known() => span,
        Some(span) if span.start >= fallback.start => {
            Span::new(span.start, fallback.end.max(span.end))
        }
        _ => fallback,
    }
}

/// The word behind its first `count` known bytes.
pub(super) fn behind(arg: &Arg, count: usize) -> Arg {
    let mut skip = count;
    let mut value = Value {
        pieces: Vec::new(),
        decoded: arg.value.decoded,
    };
    for piece in &arg.value.pieces {
        match piece {
            Piece::Text { bytes, at } | Piece::Glob { pattern: bytes, at } if skip > 0 => {
                let cut = skip.min(bytes.len());
                skip -= cut;
                let rest = bytes.get(cut..).unwrap_or_default();
                let at = at.map(|at| at.saturating_add(u32::try_from(cut).unwrap_or(u32::MAX)));
                if matches!(piece, Piece::Text { .. }) {
                    value.push_text(rest, at);
                } else if !rest.is_empty() {
                    value.pieces.push(Piece::Glob {
                        pattern: rest.to_vec(),
                        at,
                    });
                }
            }
            Piece::Text { bytes, at } => value.push_text(bytes, *at),
            other => value.pieces.push(other.clone()),
        }
    }
    let start = value.first_written().filter(|at| *at >= arg.span.start);
    let start = start.unwrap_or(arg.span.start);
    Arg {
        span: Span::new(start, arg.span.end.max(start)),
        value,
    }
}

/// Words joined by blanks, as one text.
pub(super) fn join(words: &[Arg]) -> Option<Arg> {
    let (first, rest) = words.split_first()?;
    let mut out = first.clone();
    for word in rest {
        out.value.push_text(b" ", None);
        out.value.append(&word.value);
        out.span = out.span.join(word.span);
    }
    Some(out)
}

/// A word that nobody wrote, standing at `span`.
pub(super) fn computed(bytes: impl Into<Vec<u8>>, span: Span) -> Arg {
    Arg {
        value: Value::computed(bytes),
        span,
    }
}

/// Whether the word begins with something that cannot be known.
pub(super) fn begins_unknown(arg: &Arg) -> bool {
    for piece in &arg.value.pieces {
        match piece {
            Piece::Unset(_) => {}
            Piece::Unknown(_) => return true,
            _ => return false,
        }
    }
    false
}

/// Splits at unquoted blanks and drops the quotes, as simple configuration grammars do: single and
/// double quotes group, a backslash takes the next byte as it is outside single quotes.
pub(super) fn split_quoted(arg: &Arg) -> Vec<Arg> {
    let mut out = Vec::new();
    let mut current: Vec<Cell<'_>> = Vec::new();
    let mut open = false;
    let mut quote = None;
    let cells = cells(&arg.value);
    let mut rest = cells.iter().copied();
    while let Some(cell) = rest.next() {
        match (cell.byte(), quote) {
            (Some(b'\\'), None | Some(b'"')) => {
                open = true;
                current.extend(rest.next());
            }
            (Some(byte), Some(close)) if byte == close => quote = None,
            (Some(byte @ (b'\'' | b'"')), None) => {
                open = true;
                quote = Some(byte);
            }
            (Some(b' ' | b'\t' | b'\n' | b'\r'), None) => {
                if open {
                    out.push(word(&current, arg.span));
                    current.clear();
                    open = false;
                }
            }
            _ => {
                open = true;
                current.push(cell);
            }
        }
    }
    if open {
        out.push(word(&current, arg.span));
    }
    out
}

/// The lines of a text, without their line ends.
pub(super) fn lines(arg: &Arg) -> Vec<Arg> {
    cells(&arg.value)
        .split(|cell| cell.byte() == Some(b'\n'))
        .map(|line| word(line, arg.span))
        .collect()
}

/// Reads `NAME=value` words from `from` on; returns them and the index of the first other word.
pub(super) fn assignments(words: &[Arg], from: usize) -> (Vec<Binding>, usize) {
    let mut bindings = Vec::new();
    let mut index = from;
    while let Some(arg) = words.get(index) {
        let head = arg.value.known_prefix();
        let Some(equals) = head.iter().position(|byte| *byte == b'=') else {
            break;
        };
        // `env =x program` runs the program, too.
        let name = head.get(..equals).unwrap_or_default();
        bindings.push(Binding {
            name: name.to_vec(),
            value: behind(arg, equals + 1).value,
            span: arg.span,
        });
        index += 1;
    }
    (bindings, index)
}
