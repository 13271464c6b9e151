//! Words: quotes, carets and variables.

use super::variables::{Variables, variable};
use crate::source::Source;
use crate::syntax::{Part, Text};

/// A word that was read.
pub(super) struct Read {
    pub(super) parts: Vec<Part>,
    pub(super) end: usize,
    /// It holds text that is put in when the line is read.
    pub(super) expands: bool,
    pub(super) quoted: bool,
    /// It holds a variable whose value may be more than a part of a word.
    pub(super) again: bool,
}

impl Read {
    /// Its text, if that is all it is.
    pub(super) fn text(&self) -> Option<Vec<u8>> {
        let mut out = Vec::new();
        for part in &self.parts {
            match part {
                Part::Quoted(text) | Part::Literal(text) => out.extend_from_slice(&text.bytes),
                _ => return None,
            }
        }
        Some(out)
    }
}

/// Which bytes end a word.
#[derive(Clone, Copy, Default)]
pub(super) struct Ends {
    pub(super) blank: bool,
    pub(super) closing: bool,
    pub(super) operators: bool,
    pub(super) equals: bool,
    /// A command's name ends in front of its switches.
    pub(super) slash: bool,
    /// Quotes stay in the word.
    pub(super) quotes: bool,
}

/// Reads from `at` up to what ends the word.
pub(super) fn read(source: &Source, at: usize, ends: Ends, names: &Variables) -> Read {
    let text = source.bytes();
    let mut out = Read {
        parts: Vec::new(),
        end: at,
        expands: false,
        quoted: false,
        again: false,
    };
    let mut run: Vec<u8> = Vec::new();
    let mut run_at = at;
    let mut quoted = false;
    let flush = |run: &mut Vec<u8>, run_at: usize, parts: &mut Vec<Part>| {
        if run.is_empty() {
            return;
        }
        let text = Text {
            bytes: std::mem::take(run),
            at: source.origin(run_at),
        };
        let live = text.bytes.iter().any(|byte| b"*?".contains(byte))
            && !text.bytes.iter().any(|byte| b"{~[".contains(byte));
        parts.push(if live {
            Part::Literal(text)
        } else {
            Part::Quoted(text)
        });
    };
    while let Some(byte) = text.get(out.end) {
        let end = out.end;
        let over = match byte {
            b'\n' | 0x1a => true,
            b'\r' if text.get(end + 1) == Some(&b'\n') => true,
            b' ' | b'\t' | 0x0b | 0x0c | 0xff => ends.blank && !quoted,
            b',' | b';' => ends.blank && !quoted,
            // `.` and `..` are no commands.
            b'/' if ends.slash && !quoted && end > at => {
                !matches!(text.get(at..end), Some(b"." | b".."))
            }
            b'=' => ends.equals && !quoted,
            b'&' | b'|' | b'<' | b'>' => ends.operators && !quoted,
            b')' => ends.closing && !quoted,
            _ => false,
        };
        if over {
            break;
        }
        match byte {
            // Taken out before the line is read.
            b'\r' => out.end += 1,
            b'"' if ends.quotes => {
                quoted = !quoted;
                run.push(b'"');
                out.end += 1;
            }
            b'"' => {
                quoted = !quoted;
                out.quoted = true;
                if run.last() == Some(&b'\\') && quoted_behind(text, end) {
                    run.pop();
                    run.push(b'"');
                } else {
                    flush(&mut run, run_at, &mut out.parts);
                    run_at = end + 1;
                }
                out.end += 1;
            }
            b'^' if !quoted => {
                flush(&mut run, run_at, &mut out.parts);
                let line = match (text.get(end + 1), text.get(end + 2)) {
                    (Some(b'\r'), Some(b'\n')) => 2,
                    (Some(b'\n'), _) => 1,
                    _ => 0,
                };
                out.end += 1 + line;
                run_at = out.end;
                if line == 0
                    && let Some(next) = text.get(out.end)
                {
                    run.push(*next);
                    out.end += 1;
                    flush(&mut run, run_at, &mut out.parts);
                    run_at = out.end;
                }
            }
            b'%' | b'!' => match variable(text, end, names) {
                Some((name, length)) => {
                    flush(&mut run, run_at, &mut out.parts);
                    out.again |= names.is_wide(&name);
                    out.parts.push(name.part(source.span(end, end + length)));
                    out.expands = true;
                    out.end += length;
                    run_at = out.end;
                }
                None => {
                    if run.is_empty() {
                        run_at = end;
                    }
                    run.push(*byte);
                    out.end += 1;
                }
            },
            byte => {
                if run.is_empty() {
                    run_at = end;
                }
                run.push(*byte);
                out.end += 1;
            }
        }
    }
    flush(&mut run, run_at, &mut out.parts);
    out
}

/// Whether the backslash in front of the quote escapes it for the program.
fn quoted_behind(text: &[u8], quote: usize) -> bool {
    // `"C:\"` ends a path; an escaped quote has more text behind it in the word.
    let next = text.get(quote + 1);
    next.is_some_and(|next| !next.is_ascii_whitespace() && !b"&|<>)".contains(next))
}

/// A stretch of text as cmd has it once variables are put in.
pub(super) fn expanded(source: &Source, from: usize, to: usize, names: &Variables) -> Vec<Part> {
    let text = source.bytes();
    let mut parts = Vec::new();
    let mut run_at = from;
    let mut at = from;
    let flush = |start: usize, end: usize, parts: &mut Vec<Part>| {
        if start < end {
            parts.push(Part::Quoted(Text {
                bytes: text.get(start..end).unwrap_or_default().to_vec(),
                at: source.origin(start),
            }));
        }
    };
    while at < to {
        if matches!(text.get(at), Some(b'%' | b'!'))
            && let Some((name, length)) = variable(text, at, names)
        {
            flush(run_at, at, &mut parts);
            parts.push(name.part(source.span(at, at + length)));
            at += length;
            run_at = at;
        } else {
            at += 1;
        }
    }
    flush(run_at, to, &mut parts);
    parts
}
