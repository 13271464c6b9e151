//! String literals given to calls that run shell text, in languages without a lexer of their own:
//! editors' scripts, AppleScript, Lisp, R.

use crate::execution::Arg;

use super::words::{Cell, cells, word};

/// The literals behind any of these names, with only blanks and an opening parenthesis between.
pub(super) fn behind_names(arg: &Arg, names: &[&str]) -> Vec<Arg> {
    let cells = cells(&arg.value);
    let mut out = Vec::new();
    let mut index = 0;
    while index < cells.len() {
        let boundary = index
            .checked_sub(1)
            .and_then(|before| cells.get(before))
            .and_then(|cell| cell.byte())
            .is_none_or(|byte| !byte.is_ascii_alphanumeric() && byte != b'_');
        let name = names.iter().find(|name| {
            boundary && starts_with(cells.get(index..).unwrap_or_default(), name.as_bytes())
        });
        let Some(name) = name else {
            index += 1;
            continue;
        };
        index += name.len();
        let gap = cells
            .get(index..)
            .unwrap_or_default()
            .iter()
            .take_while(|cell| matches!(cell.byte(), Some(b' ' | b'\t' | b'\n' | b'(')))
            .count();
        if let Some((text, length)) = literal(cells.get(index + gap..).unwrap_or_default(), arg) {
            out.push(text);
            index += gap + length;
        }
    }
    out
}

fn starts_with(cells: &[Cell<'_>], name: &[u8]) -> bool {
    cells.len() >= name.len()
        && cells
            .iter()
            .zip(name)
            .all(|(cell, byte)| cell.byte() == Some(*byte))
}

/// A quoted string at the front, and how many cells it takes.
pub(super) fn literal(cells: &[Cell<'_>], arg: &Arg) -> Option<(Arg, usize)> {
    let quote = cells.first()?.byte()?;
    if !matches!(quote, b'"' | b'\'' | b'`') {
        return None;
    }
    let mut text = Vec::new();
    let mut index = 1;
    while let Some(cell) = cells.get(index).copied() {
        index += 1;
        match cell.byte() {
            Some(byte) if byte == quote => return Some((word(&text, arg.span), index)),
            Some(b'\\') => {
                let next = cells.get(index).copied()?;
                index += 1;
                match next.byte() {
                    Some(b'n') => text.push(Cell::Byte(b'\n', None)),
                    Some(b't') => text.push(Cell::Byte(b'\t', None)),
                    _ => text.push(next),
                }
            }
            _ => text.push(cell),
        }
    }
    None
}

/// The lines' rests behind a mark at the front of a line.
pub(super) fn escaped_lines(arg: &Arg, marks: &[&str]) -> Vec<Arg> {
    super::words::lines(arg)
        .iter()
        .filter_map(|line| {
            let head = line.value.known_prefix();
            let blanks = head
                .iter()
                .take_while(|byte| byte.is_ascii_whitespace())
                .count();
            let mark = marks.iter().find(|mark| {
                head.get(blanks..)
                    .is_some_and(|rest| rest.starts_with(mark.as_bytes()))
            })?;
            let text = super::words::behind(line, blanks + mark.len());
            (!text.value.pieces.is_empty()).then_some(text)
        })
        .collect()
}
