//! Here-documents: delimiters and bodies.

use super::Outcome;
use super::input::{Buffer, Filled, Input};
use super::parts::Run;
use super::quote::{AnsiC, decode_ansi};
use crate::execution::{Uncertain, Why};
use crate::syntax::{Dialect, Word};

/// A here-document whose body is still to come.
#[derive(Debug)]
pub(super) struct Pending {
    pub(super) slot: usize,
    pub(super) delimiter: Vec<u8>,
    pub(super) quoted: bool,
    pub(super) strips_tabs: bool,
    /// Left open by a substitution: bash takes the body behind this newline already.
    pub(super) due: Option<usize>,
}

/// Removes the quotes of a delimiter; says whether there were any.
pub(super) fn delimiter(raw: &[u8]) -> (Vec<u8>, bool) {
    let mut out = Vec::new();
    let mut quoted = false;
    let mut double = false;
    let mut index = 0;
    while let Some(byte) = raw.get(index).copied() {
        let next = raw.get(index + 1).copied();
        index += 1;
        match (byte, next) {
            (b'\\', Some(next)) if !double || matches!(next, b'$' | b'`' | b'"' | b'\\') => {
                quoted = true;
                out.push(next);
                index += 1;
            }
            (b'\'', _) if !double => {
                quoted = true;
                while let Some(byte) = raw.get(index).copied() {
                    index += 1;
                    if byte == b'\'' {
                        break;
                    }
                    out.push(byte);
                }
            }
            (b'$', Some(b'\'')) if !double => {
                quoted = true;
                let AnsiC { bytes, end } = decode_ansi(raw, index + 1);
                out.extend(bytes);
                index = end.map_or(raw.len(), |end| end + 1);
            }
            (b'$', Some(b'"')) if !double => {}
            (b'"', _) => {
                quoted = true;
                double = !double;
            }
            _ => out.push(byte),
        }
    }
    (out, quoted)
}

/// A body is copied with its map and read again: its bytes cost more than others.
const COPIES: usize = 6;

impl Input {
    /// Steps over a newline and the here-document bodies behind it.
    pub(super) fn newline(&mut self) -> Outcome<()> {
        let newline = self.pos;
        self.pos += 1;
        if self.pending.len() <= self.scope {
            return Ok(());
        }
        let mut pending = self.pending.split_off(self.scope);
        pending.sort_by_key(|pending| pending.due.is_none());
        for pending in pending {
            if pending.due.is_some_and(|due| due != newline) {
                // A quoted newline came first: bash would have read that line as the body.
                return Err(self.fault());
            }
            let from = self.pos;
            self.read_body(&pending);
            self.burn((self.pos - from) * COPIES)?;
        }
        Ok(())
    }

    /// At the end of a substitution: bodies that were not read go to the text around it.
    pub(super) fn hand_out(&mut self, outer: usize) {
        if self.pending.len() > self.scope {
            let end = self.line_end();
            for pending in self.pending.iter_mut().skip(self.scope) {
                pending.due.get_or_insert(end);
            }
        }
        self.scope = outer;
    }

    /// At the end of the text: where bodies were due at a newline that a backslash removed, bash
    /// has read them there, in the middle of a word.
    pub(super) fn report_skipped_bodies(&mut self) {
        let skipped = |pending: &Pending| pending.due.is_some_and(|due| self.raw(due).is_some());
        if self.pending.iter().any(skipped) {
            let span = self.span(self.pos, self.pos);
            self.report(Uncertain {
                why: Why::UnexpectedEnd,
                span,
            });
        }
    }

    fn read_body(&mut self, pending: &Pending) {
        let from = self.pos;
        let mut body = Buffer::default();
        let mut live = false;
        let mut end = from;
        while self.pos < self.len() {
            let kept = body.len();
            let start = self.pos;
            let joined = self.read_line(pending, &mut body, &mut live);
            let line = body.tail(kept);
            let text = line.strip_suffix(b"\n").unwrap_or(line);
            if text == pending.delimiter {
                body.truncate(kept);
                break;
            }
            if !joined && self.closes_early(pending, start, line) {
                body.truncate(kept);
                break;
            }
            end = self.pos;
        }
        if self.dialect == Dialect::Bash
            && let Some((_, origin)) = body.last().filter(|(last, _)| *last != b'\n')
        {
            // The text ends in the body: bash adds the newline that is missing there.
            body.push(b'\n', origin);
        }
        let span = self.span(from, end);
        if pending.quoted || !live {
            let mut run = Run::default();
            let mut parts = Vec::new();
            for (byte, origin) in body.iter() {
                run.push(&mut parts, byte, origin, true);
            }
            run.flush(&mut parts);
            self.fill(pending.slot, Filled::Word(Word { parts, span }));
        } else {
            self.plan_into(pending.slot, body, true);
        }
    }

    /// Appends one line with its newline; lines joined by a backslash are one. Says whether any were.
    fn read_line(&mut self, pending: &Pending, body: &mut Buffer, live: &mut bool) -> bool {
        let mut joined = false;
        let mut leading = pending.strips_tabs;
        while let Some(byte) = self.raw(self.pos) {
            let origin = self.origin(self.pos);
            self.pos += 1;
            if leading && byte == b'\t' {
                continue;
            }
            leading = false;
            if byte == b'\\' && !pending.quoted {
                *live = true;
                match self.raw(self.pos) {
                    Some(b'\n') => {
                        self.pos += 1;
                        joined = true;
                        continue;
                    }
                    Some(next) => {
                        body.push(byte, origin);
                        body.push(next, self.origin(self.pos));
                        self.pos += 1;
                        continue;
                    }
                    None => {}
                }
            }
            *live |= matches!(byte, b'$' | b'`');
            body.push(byte, origin);
            if byte == b'\n' {
                break;
            }
        }
        joined
    }

    /// In a substitution bash also takes a line that begins with the delimiter and holds the closing
    /// parenthesis: what follows the delimiter is code again.
    fn closes_early(&mut self, pending: &Pending, start: usize, line: &[u8]) -> bool {
        let Some(closer) = self.closer.filter(|_| self.bash()) else {
            return false;
        };
        let ends = line
            .strip_prefix(pending.delimiter.as_slice())
            .is_some_and(|rest| rest.contains(&closer));
        if ends {
            let written = self.pos - start;
            let tabs = written - line.len();
            self.pos = start + tabs + pending.delimiter.len();
        }
        ends
    }
}
