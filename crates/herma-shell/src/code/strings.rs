//! Strings: escapes, expressions in them, here-documents.

use super::Language;
use super::lexer::{Lexer, Pending};
use super::tokens::{Escapes, Form, Interpolation, Kind, Part, Token};
use crate::value::Value;

/// How deep strings with code in them may nest.
const MAX_NESTING: usize = 16;

impl Lexer<'_> {
    /// Tokens up to `close`, which nothing in them opens.
    pub(super) fn nested(&mut self, close: u8) -> Vec<Token> {
        if self.nesting >= MAX_NESTING {
            self.overflow = true;
            self.at = self.end;
            return Vec::new();
        }
        let tokens = std::mem::take(&mut self.tokens);
        let open = std::mem::take(&mut self.open);
        let pending = std::mem::take(&mut self.pending);
        self.nesting += 1;
        self.run(Some(close));
        self.nesting -= 1;
        self.open = open;
        self.pending = pending;
        std::mem::replace(&mut self.tokens, tokens)
    }

    /// Tokens of `start..end`.
    pub(super) fn range(&mut self, start: usize, end: usize) -> Vec<Token> {
        let (at, old_end) = (self.at, self.end);
        self.at = start;
        self.end = end;
        let tokens = std::mem::take(&mut self.tokens);
        let open = std::mem::take(&mut self.open);
        self.run(None);
        self.open = open;
        self.at = at;
        self.end = old_end;
        std::mem::replace(&mut self.tokens, tokens)
    }

    /// Reads a string from behind its opening delimiter to behind its closing one.
    pub(super) fn string(&mut self, form: Form<'_>) -> Vec<Part> {
        let mut parts = Vec::new();
        let mut text = Value::empty();
        let mut from = self.at;
        let mut depth = 0_usize;
        let mut finish = self.end;
        while self.at < self.end {
            if depth == 0 && self.sees(form.close) {
                finish = self.at;
                self.at += form.close.len();
                break;
            }
            let byte = self.peek(0);
            if byte == Some(b'\n') && self.ends_at_line(form) {
                finish = self.at;
                break;
            }
            if form.open.is_some() && byte == form.open {
                depth += 1;
            } else if depth > 0 && byte == form.close.first().copied() {
                depth -= 1;
            } else if byte == Some(b'\\') && form.escapes != Escapes::None {
                if form.escapes == Escapes::Raw {
                    self.at += 2;
                    continue;
                }
                self.code.append(from, self.at, &mut text);
                self.escape(form, &mut text);
                from = self.at;
                continue;
            } else if let Some((start, length)) = self.interpolates(form.interpolation) {
                self.code.append(from, self.at, &mut text);
                let tokens = match length {
                    // A whole expression in braces.
                    None => {
                        self.at += start;
                        self.nested(b'}')
                    }
                    Some(length) => {
                        let begin = self.at + start;
                        self.at = begin + length;
                        self.range(begin, begin + length)
                    }
                };
                if !text.pieces.is_empty() {
                    parts.push(Part::Text(std::mem::take(&mut text)));
                }
                parts.push(Part::Code(tokens));
                from = self.at;
                continue;
            } else if form.interpolation == Interpolation::Braces
                && (self.sees(b"{{") || self.sees(b"}}"))
            {
                self.code.append(from, self.at + 1, &mut text);
                self.at += 2;
                from = self.at;
                continue;
            }
            self.at += 1;
        }
        self.at = self.at.min(self.end);
        self.code.append(from, finish, &mut text);
        parts.push(Part::Text(text));
        parts
    }

    /// Whether a line end ends the string too: it is an error there, and what follows is code.
    pub(super) fn ends_at_line(&self, form: Form<'_>) -> bool {
        matches!(
            self.language,
            Language::Python
                | Language::JavaScript
                | Language::Lua
                | Language::Awk
                | Language::C
                | Language::Go
                | Language::Java
        ) && matches!(form.close, b"'" | b"\"")
    }

    /// Whether an expression begins here: how many bytes stand in front of it, and its length when
    /// no closing brace ends it.
    pub(super) fn interpolates(
        &self,
        interpolation: Interpolation,
    ) -> Option<(usize, Option<usize>)> {
        match interpolation {
            Interpolation::None => None,
            Interpolation::Braces => (self.sees(b"{") && !self.sees(b"{{")).then_some((1, None)),
            Interpolation::Template => self.sees(b"${").then_some((2, None)),
            Interpolation::Hash => self.sees(b"#{").then_some((2, None)),
            Interpolation::Php if self.sees(b"{$") => Some((1, None)),
            Interpolation::Perl if self.sees(b"@{") => Some((2, None)),
            Interpolation::Perl | Interpolation::Php => {
                let sigil = self.peek(0)?;
                if sigil != b'$' && !(sigil == b'@' && interpolation == Interpolation::Perl) {
                    return None;
                }
                let braced = self.peek(1) == Some(b'{');
                let from = self.at + 1 + usize::from(braced);
                let mut to = from;
                while self.is_name(to) {
                    to += 1;
                }
                if to == from {
                    return None;
                }
                if braced {
                    // `${name}` is read as the bare name, which the scanner knows too.
                    return (self.code.byte(to) == Some(b'}')).then_some((2, None));
                }
                // One subscript belongs to it.
                let close = match self.code.byte(to) {
                    Some(b'{') if interpolation == Interpolation::Perl => b'}',
                    Some(b'[') => b']',
                    _ => return Some((0, Some(to - self.at))),
                };
                let end = (to..self.end.min(to + 64)).find(|at| self.code.byte(*at) == Some(close));
                Some((0, Some(end.map_or(to, |end| end + 1) - self.at)))
            }
        }
    }

    /// Reads a backslash and what belongs to it.
    pub(super) fn escape(&mut self, form: Form<'_>, text: &mut Value) {
        let start = self.at;
        self.at += 1;
        let Some(letter) = self.peek(0) else {
            self.code.append(start, self.at, text);
            return;
        };
        self.at += 1;
        if form.escapes == Escapes::Quote {
            let quotes =
                letter == b'\\' || form.close.first() == Some(&letter) || form.open == Some(letter);
            self.code
                .append(if quotes { start + 1 } else { start }, self.at, text);
            return;
        }
        let number = match letter {
            b'n' => Some(10),
            b't' => Some(9),
            b'r' => Some(13),
            b'a' => Some(7),
            b'e' => Some(27),
            b'f' => Some(12),
            b'v' => Some(11),
            b'b' => Some(8),
            b'0'..=b'7' => {
                self.at -= 1;
                self.digits(8, 3)
            }
            b'x' | b'u' if self.peek(0) == Some(b'{') => {
                self.at += 1;
                let number = self.digits(16, 8);
                if self.peek(0) == Some(b'}') {
                    self.at += 1;
                }
                number
            }
            b'x' => self.digits(16, 2),
            b'u' => self.digits(16, 4),
            b'U' => self.digits(16, 8),
            b'\n' => return,
            _ => None,
        };
        match number.and_then(char::from_u32) {
            Some(character) => {
                let mut buffer = [0; 4];
                text.push_text(character.encode_utf8(&mut buffer).as_bytes(), None);
            }
            None => {
                let plain = letter.is_ascii_alphabetic() && self.language == Language::Python;
                self.code
                    .append(if plain { start } else { start + 1 }, self.at, text);
            }
        }
    }

    /// The number that at most so many digits give.
    pub(super) fn digits(&mut self, base: u32, most: usize) -> Option<u32> {
        let mut number = None;
        for _ in 0..most {
            let Some(digit) = self
                .peek(0)
                .and_then(|byte| char::from(byte).to_digit(base))
            else {
                break;
            };
            number = Some(
                number
                    .unwrap_or(0_u32)
                    .wrapping_mul(base)
                    .wrapping_add(digit),
            );
            self.at += 1;
        }
        number
    }

    /// Notes a here-document; its token stands at `start`.
    pub(super) fn await_document(
        &mut self,
        start: usize,
        kind: Kind,
        delimiter: Vec<u8>,
        indented: bool,
        raw: bool,
    ) {
        let interpolation = match self.language {
            _ if raw => Interpolation::None,
            Language::Ruby => Interpolation::Hash,
            Language::Php => Interpolation::Php,
            _ => Interpolation::Perl,
        };
        self.pending.push(Pending {
            token: self.tokens.len(),
            delimiter,
            indented,
            escapes: if raw { Escapes::None } else { Escapes::Full },
            interpolation,
        });
        self.push(kind, start);
    }

    /// Reads the bodies of the here-documents that the line began.
    pub(super) fn here_documents(&mut self) {
        for pending in std::mem::take(&mut self.pending) {
            let body = self.at;
            let mut line = body;
            let (mut finish, mut next) = (self.end, self.end);
            while line < self.end {
                let stop = (line..self.end)
                    .find(|at| self.code.byte(*at) == Some(b'\n'))
                    .unwrap_or(self.end);
                let mut from = line;
                while pending.indented
                    && from < stop
                    && matches!(self.code.byte(from), Some(b' ' | b'\t'))
                {
                    from += 1;
                }
                let text = self.code.slice(from, stop);
                let text = text.strip_suffix(b"\r").unwrap_or(text);
                // PHP lets code follow the delimiter.
                let ends = text == pending.delimiter
                    || (self.language == Language::Php
                        && text.starts_with(&pending.delimiter)
                        && !self.is_name(from + pending.delimiter.len()));
                if ends {
                    finish = line;
                    next = if self.language == Language::Php {
                        from + pending.delimiter.len()
                    } else {
                        stop
                    };
                    break;
                }
                line = stop + 1;
            }
            let old_end = std::mem::replace(&mut self.end, finish);
            self.at = body;
            let parts = self.string(Form {
                open: None,
                close: b"\0\0\0never",
                escapes: pending.escapes,
                interpolation: pending.interpolation,
            });
            self.end = old_end;
            self.at = next;
            if let Some(token) = self.tokens.get_mut(pending.token) {
                match &mut token.kind {
                    Kind::Text(own) | Kind::Command(own) => *own = parts,
                    _ => {}
                }
            }
        }
    }
}
