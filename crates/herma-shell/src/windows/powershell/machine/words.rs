//! Words of commands, and redirections.

use super::Machine;
use super::Mode;
use crate::execution::Why;
use crate::syntax::{RedirectOp, Text};
use crate::windows::powershell::text::{blank, dash, escape, newline, quote};
use crate::windows::powershell::token::Token;

impl Machine<'_> {
    /// Where the text of a command's word ends that begins at `at`.
    pub(super) fn bare_end(&self, at: usize) -> usize {
        let mut end = at;
        while let Some(byte) = self.text.get(end) {
            let stops = matches!(
                byte,
                b' ' | b'\t'
                    | b'\r'
                    | b'\n'
                    | b'\x0b'
                    | b'\x0c'
                    | b';'
                    | b'|'
                    | b'&'
                    | b'('
                    | b')'
                    | b'{'
                    | b'}'
                    | b','
                    | b'<'
                    | b'>'
                    | b'`'
            ) || *byte == b'$' && self.begins_variable(end)
                || quote(self.text, end).is_some()
                || blank(self.text, end).is_some();
            if stops {
                break;
            }
            end += 1;
        }
        end
    }

    pub(super) fn begins_variable(&self, at: usize) -> bool {
        self.text.get(at + 1) == Some(&b'(') || self.variable_at(at, false).is_some()
    }

    /// Text from the position up to `end`.
    pub(super) fn bare(&mut self, at: usize, end: usize) {
        let mut bytes = self.text.get(at..end).unwrap_or_default().to_vec();
        if let Some(length @ 2..) = dash(&bytes, 0) {
            // A long dash is one.
            bytes.splice(..length, *b"-");
        }
        let origin = self.source.origin(at);
        self.push(Token::Bare(Text { bytes, at: origin }), end);
    }

    /// A token of a command.
    pub(super) fn command_token(&mut self, byte: u8) {
        let at = self.at;
        let glued = self.glued();
        if self.redirect(byte, glued) {
            return;
        }
        let behind_value = glued
            && matches!(
                self.last().map(|spot| &spot.token),
                Some(Token::Variable(_) | Token::Group(..) | Token::Member { .. })
            );
        if behind_value && self.member(byte) {
            return;
        }
        if self.operand(byte) {
            return;
        }
        match byte {
            b',' => self.push(Token::Comma, at + 1),
            b'`' => {
                let (bytes, length) = escape(self.text, at);
                let origin = self.source.origin(at);
                let end = (at + length).min(self.text.len());
                self.push(Token::Bare(Text { bytes, at: origin }), end);
            }
            _ => {
                let end = self.bare_end(at).max(at + 1);
                let word = self.text.get(at..end).unwrap_or_default();
                if !glued && word == b"--%" {
                    self.verbatim(end);
                    return;
                }
                self.bare(at, end);
            }
        }
    }

    /// Behind `--%` the rest of the line goes to the program as it is.
    pub(super) fn verbatim(&mut self, from: usize) {
        let start = self.at;
        self.at = from;
        while let Some(byte) = self.byte(0) {
            if newline(self.text, self.at).is_some() || matches!(byte, b'|') {
                break;
            }
            if let Some(length) = blank(self.text, self.at) {
                self.at += length;
                continue;
            }
            let mut end = self.at;
            while self.text.get(end).is_some_and(|byte| *byte != b'|')
                && blank(self.text, end).is_none()
                && newline(self.text, end).is_none()
            {
                end += 1;
            }
            self.bare(self.at, end);
        }
        self.unread(start, self.at);
    }

    pub(super) fn redirect(&mut self, byte: u8, glued: bool) -> bool {
        let at = self.at;
        let (fd, arrow) = match byte {
            b'>' => (None, at),
            b'1'..=b'6' | b'*' if !glued && self.byte(1) == Some(b'>') => {
                (Some(u32::from(byte.wrapping_sub(b'0'))), at + 1)
            }
            b'<' => {
                self.error(Why::Syntax, at, at + 1);
                self.at += 1;
                return true;
            }
            _ => return false,
        };
        let all = byte == b'*';
        let next = self.text.get(arrow + 1..).unwrap_or_default();
        let (op, end) = match next {
            [b'>', ..] if all => (RedirectOp::BothAppend, arrow + 2),
            [b'>', ..] => (RedirectOp::Append, arrow + 2),
            [b'&', b'1' | b'2', ..] => {
                // Two streams become one; both are written nowhere new.
                self.at = arrow + 3;
                return true;
            }
            _ if all => (RedirectOp::Both, arrow + 1),
            _ => (RedirectOp::Write, arrow + 1),
        };
        let fd = fd.filter(|_| !all);
        self.push(Token::Redirect { op, fd }, end);
        self.set_mode(Mode::Command);
        true
    }
}
