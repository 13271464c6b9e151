//! Programs with their words, and redirections.

use super::assignment::flat;
use super::frame::Open;
use super::machine::Machine;
use super::word::{Ends, Read, expanded};
use crate::execution::Why;
use crate::syntax::{Part, Redirect, RedirectOp, Word};
use crate::windows::tree;

impl Machine<'_> {
    /// A command's name, and what belongs to it.
    pub(super) fn command(&mut self) {
        let start = self.at;
        let ends = Ends {
            equals: true,
            slash: true,
            ..self.ends()
        };
        let word = self.read(start, ends);
        self.at = word.end;
        let name = word.text().unwrap_or_default().to_ascii_lowercase();
        let bare = !word.quoted && !word.expands;
        match name.as_slice() {
            b"rem" if bare => {
                // Behind its first word the rest of the line says nothing.
                self.blanks();
                self.word();
                if !matches!(self.byte(0), Some(b'&' | b'|' | b')')) {
                    self.skip_line();
                }
            }
            b"goto" | b"endlocal" | b"call" if bare => {
                self.variables.jumps = true;
                self.blanks();
                let at = self.at;
                if name == b"call"
                    && self
                        .word()
                        .text()
                        .is_some_and(|next| next.eq_ignore_ascii_case(b"set"))
                {
                    self.assignment(start, true);
                    return;
                }
                self.at = at;
                self.program(word, start);
            }
            b"if" if bare => {
                self.condition();
                self.open(Open::If, start);
            }
            b"else" if bare => self.open(Open::If, start),
            b"for" if bare => self.for_loop(start),
            b"set" if bare => self.assignment(start, false),
            _ => self.program(word, start),
        }
    }

    pub(super) fn program(&mut self, first: Read, start: usize) {
        let name = first.text();
        let starts = name
            .as_ref()
            .is_some_and(|name| name.eq_ignore_ascii_case(b"start"));
        // Of an unquoted name with such bytes cmd may make another.
        let odd =
            name.is_some_and(|name| !first.quoted && name.iter().any(|byte| b"%!".contains(byte)));
        let mut again = first.again;
        let builtin = self.is_builtin(&first);
        let mut words = self.split_name(first, start);
        let mut title = false;
        let ends = Ends {
            equals: builtin,
            ..self.ends()
        };
        loop {
            self.blanks();
            match self.byte(0) {
                None | Some(b'\n' | 0x1a | b'\r' | b'&' | b'|') => break,
                Some(b'=') if builtin => {
                    self.at += 1;
                    continue;
                }
                Some(b')') if self.ends().closing => break,
                Some(b'<' | b'>') => {
                    self.redirect(None);
                    continue;
                }
                Some(digit @ b'0'..=b'9') if matches!(self.byte(1), Some(b'<' | b'>')) => {
                    self.at += 1;
                    self.redirect(Some(u32::from(digit - b'0')));
                    continue;
                }
                Some(_) => {}
            }
            let at = self.at;
            let word = self.read(at, ends);
            self.at = word.end;
            if word.end == at {
                self.at += 1;
                continue;
            }
            again |= word.again;
            if starts && word.quoted && !word.parts.is_empty() && words.len() > 1 {
                // Whether it is the window's title or the program depends on the words before it.
                let plain = words.iter().skip(1).any(|word| !is_switch(word));
                if !plain {
                    self.error(Why::Syntax, at);
                }
            }
            title |= starts && words.len() == 1 && word.quoted;
            words.extend(self.split_switches(word, at));
        }
        // The window's title: the first word in quotes.
        if title && words.len() > 2 {
            words.remove(1);
        }
        let span = self.source.span(start, self.at);
        if odd {
            self.error(Why::Syntax, start);
        }
        if again {
            // The values are read as the text that they are.
            let text = expanded(self.source, start, self.at, &self.variables);
            words = vec![
                tree::text(b"cmd", span),
                tree::text(b"/c", span),
                tree::word(vec![Part::Double(text)], span),
            ];
        }
        if let Some(frame) = self.top() {
            frame.stage(tree::simple(words, Vec::new(), span));
        }
    }

    /// Whether the words behind the name are the shell's own: `=` parts them too.
    fn is_builtin(&self, first: &Read) -> bool {
        first.text().is_some_and(|name| {
            let lower = name.to_ascii_lowercase();
            matches!(
                lower.as_slice(),
                b"rd" | b"rmdir" | b"del" | b"erase" | b"copy" | b"move" | b"ren" | b"rename"
            )
        })
    }

    /// `rd/s`, `cd..`, `echo.x`: the name ends where the builtin's does.
    pub(super) fn split_name(&self, first: Read, start: usize) -> Vec<Word> {
        const BUILTINS: &[&[u8]] = &[
            b"rmdir", b"mkdir", b"erase", b"chdir", b"rename", b"rd", b"md", b"cd", b"del", b"ren",
            b"dir", b"copy", b"move", b"type", b"echo", b"call", b"start", b"pushd", b"popd",
            b"mklink", b"exit",
        ];
        let span = self.source.span(start, first.end);
        if let (Some(text), false) = (first.text(), first.quoted) {
            let lower = text.to_ascii_lowercase();
            for builtin in BUILTINS {
                let Some(rest) = lower.strip_prefix(*builtin) else {
                    continue;
                };
                if !matches!(
                    rest.first(),
                    Some(b'/' | b'.' | b'\\' | b':' | b'(' | b'+' | b'[' | b']')
                ) {
                    continue;
                }
                // `del.exe` is a program.
                if rest.starts_with(b".exe") || rest.starts_with(b".com") {
                    break;
                }
                let mut rest = text.get(builtin.len()..).unwrap_or_default();
                if *builtin == b"echo" {
                    rest = rest.get(1..).unwrap_or_default();
                }
                let mut words = vec![tree::text(builtin, span)];
                if rest.starts_with(b"/") {
                    for part in rest.split(|byte| *byte == b'/').skip(1) {
                        words.push(tree::text(&[b"/", part].concat(), span));
                    }
                } else if !rest.is_empty() {
                    words.push(tree::text(rest, span));
                }
                return words;
            }
        }
        vec![tree::word(first.parts, span)]
    }

    /// `/s/q` are two switches.
    pub(super) fn split_switches(&self, word: Read, start: usize) -> Vec<Word> {
        let span = self.source.span(start, word.end);
        if let (Some(text), false) = (word.text(), word.quoted)
            && text.starts_with(b"/")
            && text.len() > 2
            && text.get(2) == Some(&b'/')
        {
            return text
                .split(|byte| *byte == b'/')
                .skip(1)
                .map(|part| tree::text(&[b"/", part].concat(), span))
                .collect();
        }
        if word.quoted && word.parts.is_empty() {
            return vec![tree::text(b"", span)];
        }
        let quoted = word.quoted;
        let parts = word.parts;
        if quoted {
            return vec![tree::word(vec![Part::Double(flat(parts))], span)];
        }
        vec![tree::word(parts, span)]
    }

    pub(super) fn redirect(&mut self, fd: Option<u32>) {
        let start = self.at - usize::from(fd.is_some());
        let arrow = self.byte(0);
        self.at += 1;
        let op = match (arrow, self.byte(0)) {
            (Some(b'<'), _) => RedirectOp::Read,
            (_, Some(b'>')) => {
                self.at += 1;
                RedirectOp::Append
            }
            _ => RedirectOp::Write,
        };
        if self.byte(0) == Some(b'&') {
            // Another handle.
            self.at += 1;
            while self.byte(0).is_some_and(|byte| byte.is_ascii_digit()) {
                self.at += 1;
            }
            return;
        }
        self.blanks();
        let at = self.at;
        let word = self.word();
        let span = self.source.span(start, self.at);
        let again = word.again;
        if word.end == at {
            self.error(Why::Syntax, start);
            return;
        }
        let null = word.text().is_some_and(|text| {
            let lower = text.to_ascii_lowercase();
            matches!(lower.as_slice(), b"nul" | b"nul:" | b"\\\\.\\nul")
        });
        let target = if null {
            tree::text(b"/dev/null", span)
        } else {
            tree::word(slashed(word.parts), span)
        };
        if again {
            self.error(Why::Syntax, start);
        }
        if let Some(frame) = self.top() {
            frame.redirects.push(Redirect {
                op,
                fd,
                variable: None,
                target,
                body: None,
                span,
            });
            if frame.full {
                frame.redirect();
            }
        }
    }
}

fn slashed(parts: Vec<Part>) -> Vec<Part> {
    let mut parts = parts;
    for part in &mut parts {
        if let Part::Quoted(text) | Part::Literal(text) = part {
            for byte in &mut text.bytes {
                if *byte == b'\\' {
                    *byte = b'/';
                }
            }
        }
    }
    parts
}

fn is_switch(word: &Word) -> bool {
    matches!(word.parts.first(), Some(Part::Quoted(text) | Part::Literal(text)) if text.bytes.starts_with(b"/"))
}
