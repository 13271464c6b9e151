//! Words: quotes, carets and variables.

use std::collections::BTreeSet;

use crate::source::Source;
use crate::syntax::{Part, Text};
use crate::windows::powershell::environment;
use crate::windows::tree;

/// A word that was read.
pub(super) struct Read {
    pub(super) parts: Vec<Part>,
    pub(super) end: usize,
    /// It holds text that is put in when the line is read.
    pub(super) expands: bool,
    pub(super) quoted: bool,
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

/// What the words of a text may name.
pub(super) struct Names<'n> {
    /// Variables that the text sets.
    pub(super) set: &'n BTreeSet<Vec<u8>>,
    /// Letters of the loops around.
    pub(super) letters: &'n [u8],
}

/// Which bytes end a word.
#[derive(Clone, Copy)]
pub(super) struct Ends {
    pub(super) blank: bool,
    pub(super) closing: bool,
    pub(super) operators: bool,
    pub(super) equals: bool,
}

/// Reads from `at` up to what ends the word.
pub(super) fn read(source: &Source, at: usize, ends: Ends, names: &Names<'_>) -> Read {
    let text = source.bytes();
    let mut out = Read {
        parts: Vec::new(),
        end: at,
        expands: false,
        quoted: false,
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
            b'\n' => true,
            b'\r' if text.get(end + 1) == Some(&b'\n') => true,
            b' ' | b'\t' => ends.blank && !quoted,
            b',' | b';' => ends.blank && !quoted,
            b'=' => ends.equals && !quoted,
            b'&' | b'|' | b'<' | b'>' => ends.operators && !quoted,
            b')' => ends.closing && !quoted,
            _ => false,
        };
        if over {
            break;
        }
        match byte {
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
                    let span = source.span(end, end + length);
                    out.parts.push(match name {
                        Variable::Set(name) => Part::Double(vec![tree::parameter(&name, span)]),
                        Variable::Known(part) => part(span),
                        Variable::Unknown => Part::Opaque(Vec::new()),
                        Variable::Percent => Part::Quoted(Text {
                            bytes: b"%".to_vec(),
                            at: span.start,
                        }),
                    });
                    out.expands = true;
                    out.end += length;
                    run_at = out.end;
                }
                None => {
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

enum Variable {
    Set(Vec<u8>),
    Known(fn(crate::source::Span) -> Part),
    Unknown,
    Percent,
}

/// The variable at a percent or exclamation mark, and how long it is written.
fn variable(text: &[u8], at: usize, names: &Names<'_>) -> Option<(Variable, usize)> {
    let mark = *text.get(at)?;
    let rest = text.get(at + 1..)?;
    if mark == b'%' {
        // `%%i` in a batch file is `%i` on a line.
        let doubled = rest.first() == Some(&b'%');
        let letters = rest.get(usize::from(doubled)..)?;
        let (letter, modifiers) = match letters {
            [b'~', more @ ..] => {
                let count = more
                    .iter()
                    .take_while(|byte| b"fdpnxsatz".contains(&byte.to_ascii_lowercase()))
                    .count();
                let direct = more.get(count);
                match direct.filter(|byte| names.letters.contains(byte) || byte.is_ascii_digit()) {
                    Some(letter) => (Some(*letter), count + 1),
                    // The last modifier letter is the variable.
                    None => (
                        count
                            .checked_sub(1)
                            .and_then(|last| more.get(last).copied()),
                        count,
                    ),
                }
            }
            [letter, ..] => (Some(*letter), 0),
            [] => (None, 0),
        };
        if let Some(letter) = letter {
            let length = 1 + usize::from(doubled) + 1 + modifiers;
            if names.letters.contains(&letter) {
                return Some(match modifiers {
                    0 | 1 => (Variable::Set(loop_key(letter)), length),
                    _ => (Variable::Unknown, length),
                });
            }
            if (letter.is_ascii_digit() || letter == b'*') && !doubled {
                let known = modifiers > 1 && letter == b'0';
                return Some(if known {
                    // The folder of the script.
                    (
                        Variable::Known(|span| {
                            Part::Quoted(Text {
                                bytes: b"./".to_vec(),
                                at: span.start,
                            })
                        }),
                        length,
                    )
                } else {
                    (Variable::Unknown, length)
                });
            }
        }
        if doubled {
            return Some((Variable::Percent, 2));
        }
    }
    let length = rest
        .iter()
        .take(256)
        .position(|byte| *byte == mark || *byte == b'\n')?;
    if rest.get(length) != Some(&mark) || length == 0 {
        return None;
    }
    let name = rest.get(..length)?;
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"_()-.#$@".contains(byte);
    let computed = name.contains(&b':');
    if !computed && !name.iter().all(plain) || computed && !plain(name.first()?) {
        return None;
    }
    let upper = name.to_ascii_uppercase();
    if computed {
        return Some((Variable::Unknown, length + 2));
    }
    if names.set.contains(&upper) {
        return Some((Variable::Set(upper), length + 2));
    }
    Some((
        match environment(&upper) {
            Some(part) => Variable::Known(part),
            None => Variable::Unknown,
        },
        length + 2,
    ))
}

/// The name of a loop's variable in the evaluation.
pub(super) fn loop_key(letter: u8) -> Vec<u8> {
    format!("_cmd_{letter:02x}").into_bytes()
}
