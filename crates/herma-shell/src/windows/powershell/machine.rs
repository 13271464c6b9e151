//! Text to tokens, with a frame for each open group.

use std::collections::BTreeSet;

use super::text::{blank, escape, newline};
use super::token::{Keyword, Open, Spot, Token};
use super::variable::Variable;
mod operators;
mod start;
mod strings;
mod words;

use crate::MAX_DEPTH;
use crate::execution::{Uncertain, Why};
use crate::source::{Source, Span};
use crate::syntax::{List, Parsed, Part};
use crate::windows::tree;

/// How the next token is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// A statement or a stage of a pipeline begins.
    Start,
    /// Words of a command.
    Command,
    /// Operands and operators.
    Expression,
}

/// An open group.
struct Frame {
    open: Open,
    start: usize,
    mode: Mode,
    spots: Vec<Spot>,
    /// The statement that a block would belong to.
    compound: Option<Keyword>,
    /// Parts of a string, and the text behind the last one.
    parts: Vec<Part>,
    run: Vec<u8>,
    run_at: usize,
}

impl Frame {
    fn new(open: Open, start: usize, body: usize) -> Self {
        Self {
            open,
            start,
            mode: Mode::Start,
            spots: Vec::new(),
            compound: None,
            parts: Vec::new(),
            run: Vec::new(),
            run_at: body,
        }
    }
}

pub(super) struct Machine<'s> {
    source: &'s Source,
    text: &'s [u8],
    at: usize,
    frames: Vec<Frame>,
    errors: Vec<Uncertain>,
    unread: Vec<Span>,
    /// Variables that hold several elements.
    pub(super) arrays: BTreeSet<Vec<u8>>,
    /// Variables that hold a script block: what it runs was reported where it is written.
    pub(super) blocks: BTreeSet<Vec<u8>>,
}

impl<'s> Machine<'s> {
    pub(super) fn new(source: &'s Source) -> Self {
        Self {
            source,
            text: source.bytes(),
            at: 0,
            frames: vec![Frame::new(Open::Root, 0, 0)],
            errors: Vec::new(),
            unread: Vec::new(),
            arrays: BTreeSet::new(),
            blocks: BTreeSet::new(),
        }
    }

    pub(super) fn run(mut self) -> Parsed {
        if self.text.starts_with(b"\xef\xbb\xbf") {
            self.at = 3;
        }
        while self.at < self.text.len() {
            let before = (self.at, self.frames.len());
            match self.frames.last().map(|frame| frame.open) {
                Some(Open::Text { here }) => self.step_text(here),
                Some(_) => self.step(),
                None => break,
            }
            if (self.at, self.frames.len()) == before {
                self.at += 1;
            }
        }
        while let Some(frame) = self.frames.pop() {
            if self.frames.is_empty() {
                let span = self.span(0, self.text.len());
                let lowered = self.lower(frame.open, frame.spots);
                let mut list = self.unknown_item(span);
                list.items.extend(self.listed(lowered, span).items);
                self.errors.sort_by_key(|error| error.span);
                self.unread.sort();
                return Parsed {
                    list,
                    errors: self.errors,
                    unread: self.unread,
                    extended: false,
                };
            }
            self.error(Why::UnexpectedEnd, frame.start, frame.start + 1);
            self.close(frame);
        }
        Parsed {
            list: List::default(),
            errors: self.errors,
            unread: self.unread,
            extended: false,
        }
    }

    /// What `$_` is where nothing says it.
    fn unknown_item(&self, span: Span) -> List {
        let value = tree::opaque(Vec::new(), span);
        let item = Variable::new(b"_").key();
        let used = self.text.windows(2).any(|pair| pair == b"$_")
            || self
                .text
                .windows(7)
                .any(|word| word.eq_ignore_ascii_case(b"$psitem"));
        tree::list(
            used.then(|| tree::assign(&item, value, false, Span::new(span.start, span.start)))
                .into_iter()
                .collect(),
        )
    }

    pub(super) fn span(&self, start: usize, end: usize) -> Span {
        self.source.span(start, end)
    }

    pub(super) fn error(&mut self, why: Why, start: usize, end: usize) {
        // One place is enough for a verdict, and a few are enough for people.
        if self.errors.len() < 64 {
            let span = self.span(start, end);
            self.errors.push(Uncertain { why, span });
        }
    }

    /// Says that a part of the text is not followed.
    pub(super) fn unread(&mut self, start: usize, end: usize) {
        let span = self.span(start, end);
        if self.unread.len() < 64 && !self.unread.contains(&span) {
            self.unread.push(span);
        }
    }

    /// The same for a place that is known in the original text.
    pub(super) fn unread_at(&mut self, span: Span) {
        if self.unread.len() < 64 {
            self.unread.push(span);
        }
    }

    fn byte(&self, ahead: usize) -> Option<u8> {
        self.text.get(self.at + ahead).copied()
    }

    fn top(&mut self) -> Option<&mut Frame> {
        self.frames.last_mut()
    }

    fn mode(&self) -> Mode {
        self.frames
            .last()
            .map_or(Mode::Expression, |frame| frame.mode)
    }

    fn set_mode(&mut self, mode: Mode) {
        if let Some(frame) = self.top() {
            frame.mode = mode;
        }
    }

    fn last(&self) -> Option<&Spot> {
        self.frames.last()?.spots.last()
    }

    /// Whether the token at the position stands right behind another.
    fn glued(&self) -> bool {
        self.last().is_some_and(|spot| spot.end == self.at)
    }

    fn push(&mut self, token: Token, end: usize) {
        let (start, glued) = (self.at, self.glued());
        self.at = end;
        if let Some(frame) = self.top() {
            frame.spots.push(Spot {
                token,
                start,
                end,
                glued,
            });
        }
    }

    /// Opens a group whose mark ends at `body`.
    fn open(&mut self, open: Open, body: usize) {
        if self.frames.len() >= MAX_DEPTH {
            self.error(Why::Depth, self.at, body);
            self.at = self.text.len();
            return;
        }
        let mut open = open;
        let mut expression = matches!(open, Open::Index | Open::Arguments);
        if let (Open::Paren, Some(below)) = (open, self.frames.last()) {
            let last = below.spots.last().map(|spot| &spot.token);
            if matches!(last, Some(Token::Keyword(Keyword::Param)))
                || below.compound == Some(Keyword::Function)
            {
                open = Open::Parameters;
                expression = true;
            }
            // Arguments of an attribute.
            expression |= below.open == Open::Index;
        }
        let mut frame = Frame::new(open, self.at, body);
        if expression {
            frame.mode = Mode::Expression;
        }
        self.frames.push(frame);
        self.at = body;
    }

    /// Gives what a finished frame holds to the one below it; the position is behind its end.
    fn close(&mut self, mut frame: Frame) {
        let end = self.at;
        if matches!(frame.open, Open::Text { .. }) {
            self.flush(&mut frame);
        }
        let token = match frame.open {
            Open::Text { .. } => Token::Quoted(frame.parts),
            open => Token::Group(open, self.lower(open, frame.spots)),
        };
        let start = frame.start;
        let span = self.span(start, end);
        if let Some(Frame {
            open: Open::Text { .. },
            parts,
            run_at,
            ..
        }) = self.frames.last_mut()
        {
            *run_at = end;
            if let Token::Group(_, lowered) = token {
                let word = super::expression::one_word(lowered, span);
                parts.extend(word.parts);
            }
            return;
        }
        let Some(below) = self.frames.last_mut() else {
            return;
        };
        let glued = below.spots.last().is_some_and(|spot| spot.end == start);
        let block = matches!(frame.open, Open::Block | Open::Cases);
        if below.mode == Mode::Start {
            below.mode = Mode::Expression;
        }
        if block && below.compound.is_some() {
            below.mode = Mode::Start;
        }
        below.spots.push(Spot {
            token,
            start,
            end,
            glued,
        });
    }

    /// One step outside of strings.
    fn step(&mut self) {
        let at = self.at;
        if let Some(length) = blank(self.text, at) {
            self.at += length;
            return;
        }
        if let Some(length) = newline(self.text, at) {
            self.line_end(length);
            return;
        }
        let Some(byte) = self.byte(0) else { return };
        match byte {
            b'`' if newline(self.text, at + 1).is_some() => {
                self.at += escape(self.text, at).1;
            }
            b'#' if self.comment_here() => {
                while self.at < self.text.len() && newline(self.text, self.at).is_none() {
                    self.at += 1;
                }
            }
            b'<' if self.byte(1) == Some(b'#') => {
                let rest = self.text.get(at + 2..).unwrap_or_default();
                match rest.windows(2).position(|pair| pair == b"#>") {
                    Some(end) => self.at += end + 4,
                    None => {
                        self.error(Why::UnexpectedEnd, at, at + 2);
                        self.at = self.text.len();
                    }
                }
            }
            b';' => self.separator(Token::Semicolon, 1),
            b'|' if self.byte(1) == Some(b'|') => self.separator(Token::Or, 2),
            b'|' => {
                // A line may begin with the pipe that continues the one before.
                if let Some(frame) = self.top() {
                    while matches!(frame.spots.last(), Some(spot) if matches!(spot.token, Token::Newline))
                    {
                        frame.spots.pop();
                    }
                }
                self.separator(Token::Pipe, 1);
            }
            b'&' if self.byte(1) == Some(b'&') => self.separator(Token::And, 2),
            b'&' if self.mode() == Mode::Start => {
                self.push(Token::Call, at + 1);
                self.set_mode(Mode::Command);
            }
            b'&' => self.separator(Token::Background, 1),
            b')' | b'}' => self.closes(byte),
            b']' if self.frames.last().is_some_and(|f| f.open == Open::Index) => {
                self.closes(byte);
            }
            _ => match self.mode() {
                Mode::Start => self.start(byte),
                Mode::Command => self.command_token(byte),
                Mode::Expression => self.expression_token(byte),
            },
        }
    }

    /// Whether a `#` begins a comment: inside of a word it is text.
    fn comment_here(&self) -> bool {
        self.mode() != Mode::Command
            || !self.glued()
            || !matches!(
                self.last().map(|spot| &spot.token),
                Some(Token::Bare(_) | Token::Quoted(_) | Token::Variable(_))
            )
    }

    fn line_end(&mut self, length: usize) {
        let at = self.at;
        let Some(frame) = self.top() else { return };
        let open_statement = frame.compound.is_some()
            && !matches!(
                frame.spots.last().map(|spot| &spot.token),
                Some(Token::Group(Open::Block | Open::Cases, _))
            );
        let waits = frame
            .spots
            .last()
            .is_none_or(|spot| spot.token.wants_more());
        if open_statement || waits {
            self.at += length;
            return;
        }
        frame.compound = None;
        frame.mode = Mode::Start;
        self.push(Token::Newline, at + length);
    }

    fn separator(&mut self, token: Token, length: usize) {
        let end = self.at + length;
        self.push(token, end);
        if let Some(frame) = self.top() {
            frame.compound = None;
            frame.mode = Mode::Start;
        }
    }

    fn closes(&mut self, byte: u8) {
        let fits = |open: Open| match open {
            Open::Paren | Open::Arguments | Open::Parameters | Open::Sub | Open::Array => {
                byte == b')'
            }
            Open::Hash | Open::Block | Open::Cases => byte == b'}',
            Open::Index => byte == b']',
            Open::Root | Open::Text { .. } => false,
        };
        let found = self
            .frames
            .iter()
            .rev()
            .take_while(|frame| !matches!(frame.open, Open::Text { .. } | Open::Root))
            .position(|frame| fits(frame.open));
        let Some(above) = found else {
            self.error(Why::Syntax, self.at, self.at + 1);
            self.at += 1;
            return;
        };
        if above > 0 {
            self.error(Why::Syntax, self.at, self.at + 1);
        }
        for _ in 0..above {
            if let Some(frame) = self.frames.pop() {
                self.close(frame);
            }
        }
        self.at += 1;
        if let Some(frame) = self.frames.pop() {
            self.close(frame);
        }
    }
}
