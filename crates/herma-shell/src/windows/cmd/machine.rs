//! Lines to commands, with a frame for each `(`, `if` and `for`.

use super::frame::{Frame, Open};
use super::variables::{Variables, loop_key};
use super::word::{Ends, Read, read};
use crate::MAX_DEPTH;
use crate::execution::{Uncertain, Why};
use crate::source::Source;
use crate::syntax::{CommandKind, Junction, List, Parsed};
use crate::windows::tree;

pub(super) struct Machine<'s> {
    pub(super) source: &'s Source,
    pub(super) text: &'s [u8],
    pub(super) at: usize,
    frames: Vec<Frame>,
    errors: Vec<Uncertain>,
    pub(super) variables: Variables,
    /// Nothing but blanks stands between the line's begin and here.
    begins: bool,
}

impl<'s> Machine<'s> {
    pub(super) fn new(source: &'s Source, variables: Variables) -> Self {
        Self {
            source,
            text: source.bytes(),
            at: 0,
            frames: vec![Frame::new(Open::Root, 0)],
            errors: Vec::new(),
            variables,
            begins: true,
        }
    }

    pub(super) fn run(mut self) -> (Parsed, Variables) {
        while self.at < self.text.len() {
            let before = self.at;
            self.step();
            if self.at == before {
                self.at += 1;
            }
        }
        while self.frames.len() > 1 {
            if let Some(Frame {
                open: Open::Paren,
                start,
                ..
            }) = self.frames.last()
            {
                let start = *start;
                self.error(Why::UnexpectedEnd, start);
            }
            self.close();
        }
        let mut items = Vec::new();
        if let Some(mut root) = self.frames.pop() {
            root.item();
            items = root.items;
        }
        let parsed = Parsed {
            list: List { items },
            errors: self.errors,
            unread: Vec::new(),
            extended: false,
        };
        (parsed, self.variables)
    }

    pub(super) fn error(&mut self, why: Why, at: usize) {
        if self.errors.len() < 64 {
            let span = self.source.span(at, at + 1);
            self.errors.push(Uncertain { why, span });
        }
    }

    pub(super) fn byte(&self, ahead: usize) -> Option<u8> {
        self.text.get(self.at + ahead).copied()
    }

    pub(super) fn top(&mut self) -> Option<&mut Frame> {
        self.frames.last_mut()
    }

    pub(super) fn open(&mut self, open: Open, start: usize) {
        if self.frames.len() >= MAX_DEPTH {
            self.error(Why::Depth, start);
            self.at = self.text.len();
            return;
        }
        if let Open::For { letter, .. } = &open {
            self.variables.letters.push(*letter);
        }
        self.frames.push(Frame::new(open, start));
    }

    /// Gives what the innermost frame holds to the one below.
    fn close(&mut self) {
        let Some(mut frame) = self.frames.pop() else {
            return;
        };
        frame.item();
        let span = self.source.span(frame.start, self.at.max(frame.start + 1));
        let body = List { items: frame.items };
        let kind = match frame.open {
            Open::Root | Open::Paren => CommandKind::Group(body),
            Open::If => CommandKind::If {
                branches: vec![(List::default(), body)],
                otherwise: None,
            },
            Open::For { letter, words } => {
                self.variables.letters.pop();
                CommandKind::For {
                    variable: loop_key(letter),
                    words: Some(words),
                    body,
                    select: false,
                }
            }
        };
        if let Some(below) = self.frames.last_mut() {
            below.stage(tree::command(kind, Vec::new(), span));
        }
    }

    fn step(&mut self) {
        let at = self.at;
        let begins = std::mem::replace(&mut self.begins, false);
        let full = self.frames.last().is_some_and(|frame| frame.full);
        match self.byte(0) {
            Some(b' ' | b'\t' | b'\r' | 0x0b | 0x0c | 0xff) => {
                self.at += 1;
                self.begins = begins;
            }
            Some(b',' | b';' | b'=' | b'@') if !full => self.at += 1,
            Some(b'^') if matches!(self.byte(1), Some(b'\n' | b'\r')) => self.at += 2,
            Some(b'\n' | 0x1a) => {
                self.at += 1;
                self.line_end();
                self.begins = self.frames.len() == 1;
            }
            Some(b'&') => {
                let double = self.byte(1) == Some(b'&');
                self.at += if double { 2 } else { 1 };
                if let Some(frame) = self.top() {
                    if double {
                        frame.pipeline(Junction::And);
                    } else {
                        frame.item();
                    }
                }
            }
            Some(b'|') => {
                let double = self.byte(1) == Some(b'|');
                self.at += if double { 2 } else { 1 };
                if let Some(frame) = self.top() {
                    if double {
                        frame.pipeline(Junction::Or);
                    } else {
                        frame.redirect();
                        frame.full = false;
                    }
                }
            }
            Some(b'(') if !full => {
                self.at += 1;
                self.open(Open::Paren, at);
            }
            Some(b')') => {
                self.at += 1;
                self.closing();
            }
            Some(b'<' | b'>') => self.redirect(None),
            Some(digit @ b'0'..=b'9') if matches!(self.byte(1), Some(b'<' | b'>')) => {
                self.at += 1;
                self.redirect(Some(u32::from(digit - b'0')));
            }
            // A label; only on a line of its own do operators mean nothing there.
            Some(b':') if begins => self.skip_line(),
            Some(b':') if !full => {
                let word = self.word();
                if word.end == at {
                    self.at += 1;
                }
            }
            Some(_) => self.command(),
            None => {}
        }
    }

    fn line_end(&mut self) {
        while matches!(
            self.frames.last(),
            Some(Frame {
                open: Open::If | Open::For { .. },
                ..
            })
        ) {
            self.close();
        }
        if let Some(frame) = self.top() {
            frame.item();
        }
        if self.frames.len() == 1 {
            self.variables.fresh.clear();
        }
    }

    fn closing(&mut self) {
        if !self
            .frames
            .iter()
            .any(|frame| matches!(frame.open, Open::Paren))
        {
            // A lone one is skipped, with the rest of its command.
            return;
        }
        while let Some(frame) = self.frames.last() {
            let paren = matches!(frame.open, Open::Paren);
            self.close();
            if paren {
                break;
            }
        }
    }

    pub(super) fn skip_line(&mut self) {
        while self
            .byte(0)
            .is_some_and(|byte| byte != b'\n' && byte != 0x1a)
        {
            self.at += 1;
        }
    }

    pub(super) fn ends(&self) -> Ends {
        Ends {
            blank: true,
            closing: self
                .frames
                .iter()
                .any(|frame| matches!(frame.open, Open::Paren)),
            operators: true,
            ..Ends::default()
        }
    }

    pub(super) fn read(&self, at: usize, ends: Ends) -> Read {
        read(self.source, at, ends, &self.variables)
    }

    pub(super) fn word(&mut self) -> Read {
        let word = self.read(self.at, self.ends());
        self.at = word.end;
        word
    }

    pub(super) fn blanks(&mut self) {
        loop {
            match (self.byte(0), self.byte(1)) {
                (Some(b' ' | b'\t' | b',' | b';' | 0x0b | 0x0c | 0xff), _) => self.at += 1,
                (Some(b'\r'), next) if next != Some(b'\n') => self.at += 1,
                (Some(b'^'), Some(b'\n')) => self.at += 2,
                (Some(b'^'), Some(b'\r')) => self.at += 3,
                _ => break,
            }
        }
    }
}
