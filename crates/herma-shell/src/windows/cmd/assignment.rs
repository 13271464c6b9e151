//! `set`.

use super::machine::Machine;
use super::word::Ends;
use crate::execution::Why;
use crate::syntax::{Command, Part, Text, Word};
use crate::windows::tree;

impl Machine<'_> {
    /// `set NAME=value`, `set "NAME=value"`, `set /a …`, `set /p NAME=…`; `asked` when the value is not
    /// what is written.
    pub(super) fn assignment(&mut self, start: usize, asked: bool) {
        let mut asked = asked;
        self.blanks();
        while matches!(
            self.text.get(self.at..self.at + 2),
            Some([b'/', b'p' | b'P' | b'a' | b'A'])
        ) {
            self.at += 2;
            self.blanks();
            asked = true;
        }
        let ends = Ends {
            quotes: true,
            ..self.ends()
        };
        let ends = Ends {
            blank: false,
            ..ends
        };
        let word = self.read(self.at, ends);
        self.at = word.end;
        let span = self.source.span(start, self.at);
        let (name, value) = halves(unquoted(word.parts));
        let command = match (name, value) {
            (None, _) => {
                // Any variable may be meant.
                self.error(Why::Syntax, start);
                None
            }
            (Some(_), None) => None,
            (Some(name), Some(value)) => self.set(&name, value, asked, word.again, span),
        };
        let command = command
            .unwrap_or_else(|| tree::simple(vec![tree::text(b"set", span)], Vec::new(), span));
        if let Some(frame) = self.top() {
            frame.stage(command);
        }
    }

    /// Notes the variable, and gives the command that sets it.
    fn set(
        &mut self,
        name: &[u8],
        value: Vec<Part>,
        asked: bool,
        wide: bool,
        span: crate::source::Span,
    ) -> Option<Command> {
        let trimmed = name.trim_ascii_start().to_ascii_uppercase();
        let mut name = trimmed.trim_ascii_end().to_vec();
        let usable = |name: &[u8]| {
            !name.is_empty()
                && name
                    .iter()
                    .all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
        };
        if asked {
            while name.last().is_some_and(|byte| b"+-*/%&|^<>".contains(byte)) {
                name.pop();
            }
        }
        // `x =1` sets another variable than `x`.
        if !usable(&name) || (!asked && name != trimmed) {
            self.variables.unsure.insert(name);
            return None;
        }
        *self.variables.times.entry(name.clone()).or_default() += 1;
        self.variables.fresh.insert(name.clone());
        self.variables.set.insert(name.clone());
        let value = if asked {
            tree::opaque(value, span)
        } else {
            if wide || value.iter().any(is_wide) {
                self.variables.wide.insert(name.clone());
            }
            tree::word(vec![Part::Double(flat(value))], span)
        };
        let mut parts = vec![Part::Literal(Text {
            bytes: [name.as_slice(), b"="].concat(),
            at: span.start,
        })];
        parts.extend(value.parts);
        let export = Part::Literal(Text {
            bytes: b"export".to_vec(),
            at: span.start,
        });
        let words: Vec<Word> = vec![tree::word(vec![export], span), tree::word(parts, span)];
        Some(tree::simple(words, Vec::new(), span))
    }
}

/// Whether a word with this value in it would be read otherwise than as that word.
fn is_wide(part: &Part) -> bool {
    match part {
        Part::Quoted(text) | Part::Literal(text) => text.bytes.iter().any(|byte| {
            !(byte.is_ascii_alphanumeric() || b"_.:\\+@~-*?".contains(byte) || *byte >= 0x80)
        }),
        Part::Double(inside) => inside.iter().any(is_wide),
        _ => false,
    }
}

/// `"NAME=value"` without the quotes and what stands behind them.
fn unquoted(mut parts: Vec<Part>) -> Vec<Part> {
    let Some(Part::Quoted(first) | Part::Literal(first)) = parts.first_mut() else {
        return parts;
    };
    if first.bytes.first() != Some(&b'"') {
        return parts;
    }
    first.bytes.remove(0);
    first.at = first.at.saturating_add(1);
    let last = parts.iter().enumerate().rev().find_map(|(index, part)| {
        let (Part::Quoted(text) | Part::Literal(text)) = part else {
            return None;
        };
        let at = text.bytes.iter().rposition(|byte| *byte == b'"')?;
        Some((index, at))
    });
    if let Some((index, at)) = last {
        parts.truncate(index + 1);
        if let Some(Part::Quoted(text) | Part::Literal(text)) = parts.last_mut() {
            text.bytes.truncate(at);
        }
    }
    parts
}

/// The name, unless it is computed, and the value behind `=`.
fn halves(parts: Vec<Part>) -> (Option<Vec<u8>>, Option<Vec<Part>>) {
    let mut name = Some(Vec::new());
    let mut value: Option<Vec<Part>> = None;
    for part in parts {
        match (part, &mut value) {
            (part, Some(value)) => value.push(part),
            (Part::Quoted(text) | Part::Literal(text), None) => {
                let equals = text.bytes.iter().position(|byte| *byte == b'=');
                let head = text.bytes.get(..equals.unwrap_or(text.bytes.len()));
                if let Some(name) = &mut name {
                    name.extend_from_slice(head.unwrap_or_default());
                }
                if let Some(equals) = equals {
                    let offset = u32::try_from(equals + 1).unwrap_or(u32::MAX);
                    value = Some(vec![Part::Quoted(Text {
                        bytes: text.bytes.get(equals + 1..).unwrap_or_default().to_vec(),
                        at: text.at.saturating_add(offset),
                    })]);
                }
            }
            (_, None) => name = None,
        }
    }
    // Only shown: `set %x%`.
    if value.is_none() {
        name = Some(Vec::new());
    }
    (name, value)
}

/// Parts as they stand in quotes: nothing is split, no pattern is live.
pub(super) fn flat(parts: Vec<Part>) -> Vec<Part> {
    let mut out = Vec::new();
    for part in parts {
        match part {
            Part::Literal(text) => out.push(Part::Quoted(text)),
            Part::Double(inside) => out.extend(inside),
            part => out.push(part),
        }
    }
    out
}
