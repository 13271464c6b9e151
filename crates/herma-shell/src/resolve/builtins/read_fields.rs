//! What `read` takes from its input: pieces of lines, and the fields that its names get.

use crate::resolve::machine::state::Slot;
use crate::resolve::values::expand::join_with;
use crate::resolve::values::fields::{Fields, Separators};
use crate::resolve::values::operators::{cut, forget};
use crate::value::{Piece, Value};

/// How many pieces of a line are kept apart.
const MAX_PIECES: usize = 64;

/// What each of `count` names gets, for each line: a field, and the last one the rest; `whole` when
/// nothing separates.
pub(super) fn distributed(
    lines: &[Value],
    count: usize,
    whole: bool,
    separators: &Separators,
) -> Vec<Vec<Slot>> {
    let mut slots: Vec<Vec<Slot>> = vec![Vec::new(); count];
    for line in lines {
        let ranges = line.bytes().filter(|_| !separators.is_unknown());
        let mut words = match ranges {
            _ if whole => vec![line.clone()],
            Some(bytes) => ranges_of(&bytes, count, separators)
                .into_iter()
                .map(|range| dead(&cut(line, range)))
                .collect(),
            None => guessed(line, count, separators),
        }
        .into_iter();
        for slot in &mut slots {
            slot.push(Slot::Scalar(words.next().unwrap_or_default()));
        }
    }
    slots
}

/// Where the fields of a line stand: at most `count`, the last one to the end of the line.
fn ranges_of(line: &[u8], count: usize, separators: &Separators) -> Vec<std::ops::Range<usize>> {
    let blank = |at: usize| {
        line.get(at)
            .is_some_and(|byte| separators.blank.contains(byte))
    };
    let other = |at: usize| {
        line.get(at)
            .is_some_and(|byte| separators.other.contains(byte))
    };
    let past_blanks = |from: usize| {
        (from..line.len())
            .find(|at| !blank(*at))
            .unwrap_or(line.len())
    };
    let mut ranges = Vec::new();
    let mut at = past_blanks(0);
    while ranges.len() < count && at < line.len() {
        let start = at;
        let end = (start..line.len()).find(|at| blank(*at) || other(*at));
        let end = end.unwrap_or(line.len());
        at = past_blanks(end);
        if other(at) {
            at = past_blanks(at + 1);
        }
        let last = ranges.len() + 1 == count && at < line.len();
        ranges.push(if last {
            let blanks = (start..line.len())
                .rev()
                .take_while(|at| blank(*at))
                .count();
            start..line.len() - blanks
        } else {
            start..end
        });
    }
    ranges
}

/// The fields of a line some of which is not known.
fn guessed(line: &Value, count: usize, separators: &Separators) -> Vec<Value> {
    if count == 1 {
        return vec![stripped(line)];
    }
    let mut words = fields(line, separators);
    if words.len() > count {
        let rest = words.split_off(count - 1);
        words.push(match (&*separators.blank, &*separators.other) {
            ([], [only]) => join_with(rest, &[*only]),
            (_, []) => join_with(rest, b" "),
            _ => forget(line),
        });
    }
    words
}

/// The pieces that `read -n` takes one after the other.
pub(super) fn pieces(line: &Value, count: usize) -> Vec<Value> {
    let Some(bytes) = line.bytes().filter(|_| count > 0) else {
        return vec![line.clone()];
    };
    if bytes.len() / count > MAX_PIECES {
        return vec![forget(line)];
    }
    // The end of the line may be left for a piece of its own.
    let starts = (0..=bytes.len()).step_by(count);
    starts
        .map(|start| cut(line, start..start.saturating_add(count).min(bytes.len())))
        .collect()
}

/// The words of a line.
pub(super) fn fields(line: &Value, separators: &Separators) -> Vec<Value> {
    let mut fields = Fields::default();
    fields.split(line, separators);
    fields
        .finish()
        .into_iter()
        .map(|word| dead(&word))
        .collect()
}

/// Without blanks at the ends.
fn stripped(line: &Value) -> Value {
    let mut line = line.clone();
    if let Some(Piece::Text { bytes, at }) = line.pieces.first_mut() {
        let blanks = bytes.iter().take_while(|b| b" \t".contains(b)).count();
        bytes.drain(..blanks);
        *at = at.and_then(|at| at.checked_add(u32::try_from(blanks).ok()?));
    }
    if let Some(Piece::Text { bytes, .. }) = line.pieces.last_mut() {
        while bytes.last().is_some_and(|b| b" \t".contains(b)) {
            bytes.pop();
        }
    }
    line
}

/// Patterns in data are data.
fn dead(word: &Value) -> Value {
    let mut out = Value {
        pieces: Vec::new(),
        decoded: word.decoded,
    };
    for piece in &word.pieces {
        match piece {
            Piece::Glob { pattern, at } => out.push_text(pattern, *at),
            Piece::Text { bytes, at } => out.push_text(bytes, *at),
            other => out.pieces.push(other.clone()),
        }
    }
    out
}
