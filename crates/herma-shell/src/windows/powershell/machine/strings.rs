//! Strings, variables in them, and groups, which are read alike everywhere.

use super::Frame;
use super::Machine;
use crate::execution::Why;
use crate::syntax::{Part, Text};
use crate::windows::powershell::text::{
    blank, dash, escape, here_body, here_end, is_name, newline, quote, single,
};
use crate::windows::powershell::token::{Keyword, Open, Token};
use crate::windows::powershell::variable::Variable;

impl Machine<'_> {
    /// Text of a string in front of a part or the end.
    pub(super) fn flush(&mut self, frame: &mut Frame) {
        if !frame.run.is_empty() {
            frame.parts.push(Part::Quoted(Text {
                bytes: std::mem::take(&mut frame.run),
                at: self.source.origin(frame.run_at),
            }));
        }
    }

    pub(super) fn flush_top(&mut self) {
        if let Some(mut frame) = self.frames.pop() {
            self.flush(&mut frame);
            self.frames.push(frame);
        }
    }

    /// One step inside double quotes.
    pub(super) fn step_text(&mut self, here: bool) {
        let at = self.at;
        match self.text.get(at) {
            Some(b'`') => {
                let (bytes, length) = escape(self.text, at);
                self.flush_top();
                self.at = (at + length).min(self.text.len());
                let end = self.at;
                if let Some(frame) = self.top() {
                    frame.run = bytes;
                    frame.run_at = at;
                }
                // What follows does not continue the run.
                self.flush_top();
                if let Some(frame) = self.top() {
                    frame.run_at = end;
                }
            }
            Some(b'$') => {
                if self.byte(1) == Some(b'(') {
                    self.flush_top();
                    self.open(Open::Sub, at + 2);
                    return;
                }
                let Some((variable, end)) = self.variable_at(at, true) else {
                    self.take(1);
                    return;
                };
                self.flush_top();
                let span = self.span(at, end);
                let part = variable.part(&self.arrays, false, span);
                self.at = end;
                if let Some(frame) = self.top() {
                    frame.parts.push(part);
                    frame.run_at = end;
                }
            }
            Some(_) if here => match newline(self.text, at) {
                Some(length) => match here_end(self.text, at + length, b'"') {
                    Some(end) => {
                        self.at = end;
                        if let Some(frame) = self.frames.pop() {
                            self.close(frame);
                        }
                    }
                    None => self.take(length),
                },
                None => self.take(1),
            },
            Some(_) => match quote(self.text, at) {
                Some((b'"', length)) => match quote(self.text, at + length) {
                    Some((b'"', second)) => {
                        self.take(length);
                        self.flush_top();
                        self.at += second;
                        let end = self.at;
                        if let Some(frame) = self.top() {
                            frame.run_at = end;
                        }
                    }
                    _ => {
                        self.at = at + length;
                        if let Some(frame) = self.frames.pop() {
                            self.close(frame);
                        }
                    }
                },
                Some((_, length)) => self.take(length),
                None => self.take(1),
            },
            None => {}
        }
    }

    /// Bytes of a string as they are.
    pub(super) fn take(&mut self, length: usize) {
        let end = (self.at + length).min(self.text.len());
        let bytes = self.text.get(self.at..end).unwrap_or_default();
        let at = self.at;
        self.at = end;
        if let Some(frame) = self.frames.last_mut() {
            if frame.run.is_empty() {
                frame.run_at = at;
            }
            frame.run.extend_from_slice(bytes);
        }
    }

    /// The variable whose dollar stands at `at`, and where it ends.
    pub(super) fn variable_at(&self, at: usize, in_text: bool) -> Option<(Variable, usize)> {
        let from = at + 1;
        let rest = self.text.get(from..)?;
        if rest.first() == Some(&b'{') {
            let mut name = Vec::new();
            let mut end = from + 1;
            loop {
                match self.text.get(end)? {
                    b'}' => return Some((Variable::new(&name), end + 1)),
                    b'`' => {
                        let (bytes, length) = escape(self.text, end);
                        name.extend(bytes);
                        end += length;
                    }
                    byte => {
                        name.push(*byte);
                        end += 1;
                    }
                }
                if name.len() > 1024 {
                    return None;
                }
            }
        }
        if let Some(byte @ (b'$' | b'?' | b'^')) = rest.first() {
            return (!in_text || *byte != b'$').then(|| (Variable::new(&[*byte]), from + 1));
        }
        let mut end = 0;
        while let Some(byte) = rest.get(end) {
            let scope = *byte == b':'
                && end > 0
                && rest.get(end + 1).is_some_and(|next| is_name(*next))
                && !rest.get(..end).unwrap_or_default().contains(&b':');
            // Curly quotes and long dashes end a name.
            let ends = quote(rest, end).is_some() || dash(rest, end).is_some();
            if !scope && (!is_name(*byte) || ends || blank(rest, end).is_some()) {
                break;
            }
            end += 1;
        }
        (end > 0).then(|| {
            let name = rest.get(..end).unwrap_or_default();
            (Variable::new(name), from + end)
        })
    }

    /// Strings, variables and groups, which are read alike everywhere.
    pub(super) fn operand(&mut self, byte: u8) -> bool {
        let at = self.at;
        if let Some((kind, body)) = here_body(self.text, at) {
            if kind == b'"' {
                // An empty body ends right behind the first line end.
                match here_end(self.text, body, b'"') {
                    Some(end) => self.push(Token::Quoted(Vec::new()), end),
                    None => self.open(Open::Text { here: true }, body),
                }
            } else {
                self.here_single(body);
            }
            return true;
        }
        if let Some((kind, length)) = quote(self.text, at) {
            if kind == b'"' {
                self.open(Open::Text { here: false }, at + length);
                return true;
            }
            let (runs, end) = single(self.text, at + length);
            if end.is_none() {
                self.error(Why::UnexpectedEnd, at, at + length);
            }
            let parts = runs
                .into_iter()
                .map(|(bytes, place)| {
                    Part::Quoted(Text {
                        bytes,
                        at: self.source.origin(place),
                    })
                })
                .collect();
            self.push(Token::Quoted(parts), end.unwrap_or(self.text.len()));
            return true;
        }
        match (byte, self.byte(1)) {
            (b'$', Some(b'(')) => self.open(Open::Sub, at + 2),
            (b'$', _) => match self.variable_at(at, false) {
                Some((variable, end)) => self.push(Token::Variable(variable), end),
                None => return false,
            },
            (b'@', Some(b'(')) => self.open(Open::Array, at + 2),
            (b'@', Some(b'{')) => self.open(Open::Hash, at + 2),
            (b'@', Some(next)) if is_name(next) && !self.glued() => {
                match self.variable_at(at, false) {
                    Some((variable, end)) => self.push(Token::Splat(variable), end),
                    None => return false,
                }
            }
            (b'(', _) => {
                let call = self.glued()
                    && matches!(
                        self.last().map(|spot| &spot.token),
                        Some(Token::Member { .. })
                    );
                let open = if call { Open::Arguments } else { Open::Paren };
                self.open(open, at + 1);
            }
            (b'{', _) => {
                let cases = self
                    .frames
                    .last()
                    .is_some_and(|frame| frame.compound == Some(Keyword::Switch));
                let open = if cases { Open::Cases } else { Open::Block };
                self.open(open, at + 1);
            }
            _ => return false,
        }
        true
    }

    pub(super) fn here_single(&mut self, body: usize) {
        let start = self.at;
        let mut at = body;
        let found = loop {
            // The end mark stands at the start of a line, also of the first.
            if let Some(end) = here_end(self.text, at, b'\'') {
                let mut stop = at;
                if stop > body {
                    stop -= 1;
                    if stop > body && self.text.get(stop - 1..=stop) == Some(b"\r\n") {
                        stop -= 1;
                    }
                }
                break Some((stop, end));
            }
            let rest = self.text.get(at..).unwrap_or_default();
            match rest.iter().position(|byte| *byte == b'\n') {
                Some(next) => at += next + 1,
                None => break None,
            }
        };
        if found.is_none() {
            self.error(Why::UnexpectedEnd, start, body);
        }
        let (stop, end) = found.unwrap_or((self.text.len(), self.text.len()));
        let bytes = self.text.get(body..stop).unwrap_or_default().to_vec();
        let at = self.source.origin(body);
        self.push(Token::Quoted(vec![Part::Quoted(Text { bytes, at })]), end);
    }
}
