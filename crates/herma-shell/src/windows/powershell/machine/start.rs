//! The first token of a statement, and keywords.

use super::Machine;
use super::Mode;
use crate::windows::powershell::text::{blank, dash, is_name, newline, quote};
use crate::windows::powershell::token::{Keyword, Open, Token};

impl Machine<'_> {
    /// The first token of a statement or stage.
    pub(super) fn start(&mut self, byte: u8) {
        let at = self.at;
        let behind_block = matches!(
            self.last().map(|spot| &spot.token),
            Some(Token::Group(Open::Block | Open::Cases, _))
        );
        let next = self.byte(1);
        if dash(self.text, at).is_some()
            || matches!(byte, b'[' | b'!' | b'+' | b',' | b'=' | b'<' | b'>')
            || self.number_at(at).is_some()
        {
            self.set_mode(Mode::Expression);
            self.leave_compound(behind_block);
            self.expression_token(byte);
            return;
        }
        if byte == b'.' && !matches!(next, Some(next) if is_name(next) || b"./\\".contains(&next)) {
            self.push(Token::Call, at + 1);
            self.set_mode(Mode::Command);
            return;
        }
        if byte == b':' && next.is_some_and(is_name) {
            // A label.
            self.at += 1;
            while self.byte(0).is_some_and(is_name) {
                self.at += 1;
            }
            return;
        }
        if byte == b'$' || byte == b'@' || b"({".contains(&byte) || quote(self.text, at).is_some() {
            if byte != b'{' && byte != b'(' {
                self.leave_compound(behind_block);
            }
            if byte == b'$' && self.byte(1) != Some(b'(') || byte == b'@' {
                self.set_mode(Mode::Expression);
            }
            if self.operand(byte) {
                if self.mode() == Mode::Start {
                    self.set_mode(Mode::Expression);
                }
                // A group's own frame starts anew.
                if self.last().is_none() {
                    self.set_mode(Mode::Start);
                }
                return;
            }
        }
        let end = self.bare_end(at);
        let word = self.text.get(at..end).unwrap_or_default();
        let lone = end == self.text.len()
            || !matches!(self.text.get(end), Some(b'`'))
                && quote(self.text, end).is_none()
                && self.text.get(end) != Some(&b'$');
        let plain = !matches!(
            self.last().map(|spot| &spot.token),
            Some(Token::Pipe | Token::Call | Token::Keyword(Keyword::Function))
        );
        let in_hash = self
            .frames
            .last()
            .is_some_and(|frame| matches!(frame.open, Open::Hash));
        if in_hash {
            let end = word
                .iter()
                .position(|byte| *byte == b'=')
                .map_or(end, |equals| at + equals);
            self.bare(at, end.max(at + 1));
            self.set_mode(Mode::Expression);
            return;
        }
        if lone
            && plain
            && let Some(keyword) =
                Keyword::of(word).filter(|keyword| self.is_keyword(*keyword, end))
        {
            self.keyword(keyword, end);
            return;
        }
        self.leave_compound(behind_block);
        self.set_mode(Mode::Command);
        self.command_token(byte);
    }

    /// Whether the word that ends here is the keyword and no command of that name.
    pub(super) fn is_keyword(&self, keyword: Keyword, end: usize) -> bool {
        let mut at = end;
        while let Some(length) = blank(self.text, at).or_else(|| newline(self.text, at)) {
            at += length;
        }
        let next = self.text.get(at);
        match keyword {
            Keyword::Block => next == Some(&b'{'),
            Keyword::Param => next == Some(&b'('),
            Keyword::Unread => next.is_some_and(|next| is_name(*next) || *next == b'{'),
            _ => true,
        }
    }

    /// A statement that a block has ended is over.
    pub(super) fn leave_compound(&mut self, behind_block: bool) {
        if behind_block && let Some(frame) = self.top() {
            frame.compound = None;
        }
    }

    pub(super) fn keyword(&mut self, keyword: Keyword, end: usize) {
        let behind_do = self.frames.last().is_some_and(|frame| {
            frame.compound == Some(Keyword::Do)
                || frame
                    .spots
                    .iter()
                    .rev()
                    .take(2)
                    .any(|spot| matches!(spot.token, Token::Group(Open::Block, _)))
                    && matches!(keyword, Keyword::Until)
        });
        if keyword.continues()
            && let Some(frame) = self.top()
        {
            while matches!(frame.spots.last(), Some(spot) if matches!(spot.token, Token::Newline)) {
                frame.spots.pop();
            }
        }
        self.push(Token::Keyword(keyword), end);
        if keyword == Keyword::Using {
            self.using();
            return;
        }
        let ends_do = behind_do && matches!(keyword, Keyword::While | Keyword::Until);
        if let Some(frame) = self.top() {
            frame.mode = Mode::Start;
            if ends_do {
                frame.compound = None;
            } else if keyword.is_compound() {
                frame.compound = Some(keyword);
            }
        }
    }

    /// `using namespace …` is a name; modules and assemblies run code.
    pub(super) fn using(&mut self) {
        let start = self.at;
        while self.at < self.text.len()
            && newline(self.text, self.at).is_none()
            && self.byte(0) != Some(b';')
        {
            self.at += 1;
        }
        let rest = self
            .text
            .get(start..self.at)
            .unwrap_or_default()
            .trim_ascii();
        let namespace = rest
            .get(..9)
            .is_some_and(|head| head.eq_ignore_ascii_case(b"namespace"));
        if !namespace {
            self.unread(start, self.at);
        }
        self.set_mode(Mode::Start);
    }
}
