//! Text to tokens, with a frame for each open group.

use std::collections::BTreeSet;

use super::text::{blank, dash, escape, here_body, here_end, is_name, newline, quote, single};
use super::token::{Keyword, Open, Spot, Token};
use super::variable::Variable;
use crate::MAX_DEPTH;
use crate::execution::{Uncertain, Why};
use crate::source::{Source, Span};
use crate::syntax::{List, Parsed, Part, RedirectOp, Text};
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
                };
            }
            self.error(Why::UnexpectedEnd, frame.start, frame.start + 1);
            self.close(frame);
        }
        Parsed {
            list: List::default(),
            errors: self.errors,
            unread: self.unread,
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

    /// Text of a string in front of a part or the end.
    fn flush(&mut self, frame: &mut Frame) {
        if !frame.run.is_empty() {
            frame.parts.push(Part::Quoted(Text {
                bytes: std::mem::take(&mut frame.run),
                at: self.source.origin(frame.run_at),
            }));
        }
    }

    fn flush_top(&mut self) {
        if let Some(mut frame) = self.frames.pop() {
            self.flush(&mut frame);
            self.frames.push(frame);
        }
    }

    /// One step inside double quotes.
    fn step_text(&mut self, here: bool) {
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
    fn take(&mut self, length: usize) {
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
    fn variable_at(&self, at: usize, in_text: bool) -> Option<(Variable, usize)> {
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

    /// Strings, variables and groups, which are read alike everywhere.
    fn operand(&mut self, byte: u8) -> bool {
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

    fn here_single(&mut self, body: usize) {
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

    /// The first token of a statement or stage.
    fn start(&mut self, byte: u8) {
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
    fn is_keyword(&self, keyword: Keyword, end: usize) -> bool {
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
    fn leave_compound(&mut self, behind_block: bool) {
        if behind_block && let Some(frame) = self.top() {
            frame.compound = None;
        }
    }

    fn keyword(&mut self, keyword: Keyword, end: usize) {
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
    fn using(&mut self) {
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

    /// Where the text of a command's word ends that begins at `at`.
    fn bare_end(&self, at: usize) -> usize {
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

    fn begins_variable(&self, at: usize) -> bool {
        self.text.get(at + 1) == Some(&b'(') || self.variable_at(at, false).is_some()
    }

    /// Text from the position up to `end`.
    fn bare(&mut self, at: usize, end: usize) {
        let mut bytes = self.text.get(at..end).unwrap_or_default().to_vec();
        if let Some(length @ 2..) = dash(&bytes, 0) {
            // A long dash is one.
            bytes.splice(..length, *b"-");
        }
        let origin = self.source.origin(at);
        self.push(Token::Bare(Text { bytes, at: origin }), end);
    }

    /// A token of a command.
    fn command_token(&mut self, byte: u8) {
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
    fn verbatim(&mut self, from: usize) {
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

    fn redirect(&mut self, byte: u8, glued: bool) -> bool {
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

    /// `.name`, `::name`, `[index]` behind a value.
    fn member(&mut self, byte: u8) -> bool {
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
    fn number_at(&self, at: usize) -> Option<usize> {
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
    fn expression_token(&mut self, byte: u8) {
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

    fn symbol(&mut self, byte: u8) {
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
    fn type_at(&self, at: usize) -> Option<usize> {
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
