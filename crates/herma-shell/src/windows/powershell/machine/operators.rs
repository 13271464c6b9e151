//! Tokens of expressions.

use super::Machine;
use super::Mode;
use crate::syntax::Text;
use crate::windows::powershell::text::{dash, is_name, quote};
use crate::windows::powershell::token::{Keyword, Open, Token};

impl Machine<'_> {
    /// `.name`, `::name`, `[index]` behind a value.
    pub(super) fn member(&mut self, byte: u8) -> bool {
        let at = self.at;
        let (of_type, from) = match (byte, self.byte(1)) {
            (b':', Some(b':')) => (true, at + 2),
            (b'.', Some(next)) if is_name(next) && !next.is_ascii_digit() => (false, at + 1),
            (b'.', Some(b'\'' | b'"' | b'$' | b'(')) if self.mode() == Mode::Expression => {
                (false, at + 1)
            }
            (b'?', Some(b'.')) if self.mode() == Mode::Expression => (false, at + 2),
            (b'[', _) => {
                self.open(Open::Index, at + 1);
                return true;
            }
            _ => return false,
        };
        let mut end = from;
        while self.text.get(end).is_some_and(|byte| is_name(*byte)) {
            end += 1;
        }
        let name = self.text.get(from..end).unwrap_or_default();
        let name = name.to_ascii_lowercase();
        self.push(Token::Member { name, of_type }, end);
        true
    }

    /// Where a number ends that begins here; `None` when this is no number.
    pub(super) fn number_at(&self, at: usize) -> Option<usize> {
        let rest = self.text.get(at..)?;
        let mut end = 0;
        while let Some(byte) = rest.get(end) {
            let range = *byte == b'.' && rest.get(end + 1) == Some(&b'.');
            if !(byte.is_ascii_alphanumeric() || *byte == b'.') || range {
                break;
            }
            end += 1;
        }
        let word = rest.get(..end)?.to_ascii_lowercase();
        if !word.first()?.is_ascii_digit() {
            return None;
        }
        let hex = word
            .strip_prefix(b"0x")
            .is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit));
        let stem = word
            .iter()
            .position(u8::is_ascii_alphabetic)
            .map_or(word.as_slice(), |at| word.get(..at).unwrap_or_default());
        let suffix = word.get(stem.len()..).unwrap_or_default();
        let known = matches!(
            suffix,
            b"" | b"kb" | b"mb" | b"gb" | b"tb" | b"pb" | b"l" | b"d" | b"u" | b"ul" | b"n"
        ) || suffix
            .strip_prefix(b"e")
            .is_some_and(|digits| !digits.is_empty() && digits.iter().all(u8::is_ascii_digit));
        // `7z x`, `3rd.exe`, `10-build.ps1`: a command.
        let whole = rest.get(end).is_none_or(|next| {
            next.is_ascii_whitespace() || b")]},;|.+*/%-=!<>&\"'?:".contains(next)
        });
        ((hex || known) && whole).then_some(at + end)
    }

    /// A token of an expression.
    pub(super) fn expression_token(&mut self, byte: u8) {
        let at = self.at;
        let glued = self.glued();
        if self.redirect(byte, glued) {
            return;
        }
        let behind_value = glued
            && matches!(
                self.last().map(|spot| &spot.token),
                Some(
                    Token::Variable(_)
                        | Token::Group(..)
                        | Token::Member { .. }
                        | Token::Type(_)
                        | Token::Quoted(_)
                        | Token::Number(_)
                )
            );
        if behind_value && self.member(byte) {
            return;
        }
        if self.operand(byte) {
            return;
        }
        if byte == b'[' {
            match self.type_at(at) {
                Some(end) => {
                    let name = self.text.get(at + 1..end - 1).unwrap_or_default();
                    let name = name.to_ascii_lowercase();
                    self.push(Token::Type(name), end);
                }
                None => self.open(Open::Index, at + 1),
            }
            return;
        }
        if let Some(end) = self.number_at(at) {
            let bytes = self.text.get(at..end).unwrap_or_default().to_vec();
            let origin = self.source.origin(at);
            self.push(Token::Number(Text { bytes, at: origin }), end);
            return;
        }
        if let Some(length) = dash(self.text, at) {
            let from = at + length;
            let mut end = from;
            while self.text.get(end).is_some_and(u8::is_ascii_alphabetic) {
                end += 1;
            }
            if end > from {
                let name = self.text.get(from..end).unwrap_or_default();
                let name = name.to_ascii_lowercase();
                self.push(Token::Operator(name), end);
                return;
            }
        }
        if is_name(byte) && dash(self.text, at).is_none() {
            let mut end = at;
            while self.text.get(end).is_some_and(|byte| is_name(*byte))
                && quote(self.text, end).is_none()
            {
                end += 1;
            }
            let end = end.max(at + 1);
            let word = self.text.get(at..end).unwrap_or_default();
            if word.eq_ignore_ascii_case(b"in") {
                self.push(Token::Keyword(Keyword::In), end);
                self.set_mode(Mode::Start);
            } else {
                self.bare(at, end);
            }
            return;
        }
        self.symbol(byte);
    }

    pub(super) fn symbol(&mut self, byte: u8) {
        let at = self.at;
        match (byte, self.byte(1)) {
            (b',', _) => self.push(Token::Comma, at + 1),
            (b'=', _) => {
                self.push(Token::Assign(b'='), at + 1);
                self.set_mode(Mode::Start);
            }
            (b'+' | b'*' | b'/' | b'%', Some(b'=')) => {
                self.push(Token::Assign(byte), at + 2);
                self.set_mode(Mode::Start);
            }
            (_, Some(b'=')) if dash(self.text, at).is_some() => {
                self.push(Token::Assign(b'-'), at + 2);
                self.set_mode(Mode::Start);
            }
            (b'?', Some(b'?')) if self.byte(2) == Some(b'=') => {
                self.push(Token::Assign(b'?'), at + 3);
                self.set_mode(Mode::Start);
            }
            (b'+', Some(b'+')) | (b'-', Some(b'-')) | (b'.', Some(b'.')) | (b'?', Some(b'?')) => {
                self.push(Token::Operator(vec![byte, byte]), at + 2);
            }
            (b'+' | b'-' | b'*' | b'/' | b'%' | b'!' | b'?' | b':' | b'.' | b'~', _) => {
                self.push(Token::Operator(vec![byte]), at + 1);
            }
            _ => {
                let end = self.bare_end(at).max(at + 1);
                self.bare(at, end);
            }
        }
    }

    /// Where a type's name in brackets ends; `None` when this is an attribute or an index.
    pub(super) fn type_at(&self, at: usize) -> Option<usize> {
        let mut depth = 0_usize;
        let mut end = at;
        loop {
            match self.text.get(end)? {
                b'[' => depth += 1,
                b']' => {
                    depth -= 1;
                    if depth == 0 {
                        return Some(end + 1);
                    }
                }
                byte if is_name(*byte) || b".,+` \t".contains(byte) => {}
                _ => return None,
            }
            end += 1;
            if end - at > 512 {
                return None;
            }
        }
    }
}
