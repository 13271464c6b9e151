//! Lines to commands, with a frame for each `(`, `if` and `for`.

use std::collections::BTreeSet;

use super::word::{Ends, Names, Read, loop_key, read};
use crate::MAX_DEPTH;
use crate::execution::{Uncertain, Why};
use crate::source::{Source, Span};
use crate::syntax::{
    AndOr, Command, CommandKind, Junction, List, Parsed, Part, Pipeline, Redirect, RedirectOp,
    Text, Word,
};
use crate::windows::tree;

#[derive(Debug)]
enum Open {
    Root,
    Paren,
    /// Its body goes on to the end of the line.
    If,
    For {
        letter: u8,
        words: Vec<Word>,
    },
}

/// Commands under construction.
struct Frame {
    open: Open,
    start: usize,
    items: Vec<AndOr>,
    first: Option<Pipeline>,
    rest: Vec<(Junction, Pipeline)>,
    junction: Junction,
    stages: Vec<Command>,
    redirects: Vec<Redirect>,
    /// A command stands behind the last operator.
    full: bool,
}

impl Frame {
    fn new(open: Open, start: usize) -> Self {
        Self {
            open,
            start,
            items: Vec::new(),
            first: None,
            rest: Vec::new(),
            junction: Junction::And,
            stages: Vec::new(),
            redirects: Vec::new(),
            full: false,
        }
    }

    fn stage(&mut self, command: Command) {
        self.stages.push(command);
        self.full = true;
    }

    /// Redirections behind or in front of the last command.
    fn redirect(&mut self) {
        let redirects = std::mem::take(&mut self.redirects);
        if redirects.is_empty() {
            return;
        }
        match self.stages.last_mut() {
            Some(command) if self.full => match &mut command.kind {
                CommandKind::Simple(simple) => simple.redirects.extend(redirects),
                _ => command.redirects.extend(redirects),
            },
            _ => {
                let span = redirects
                    .first()
                    .map_or_else(Span::default, |first| first.span);
                self.stages.push(tree::simple(Vec::new(), redirects, span));
            }
        }
    }

    fn pipeline(&mut self, next: Junction) {
        self.redirect();
        self.full = false;
        let stages = std::mem::take(&mut self.stages);
        if let Some(span) = stages.first().map(|stage| stage.span) {
            let pipeline = tree::pipeline(stages, span);
            if self.first.is_none() {
                self.first = Some(pipeline);
            } else {
                self.rest.push((self.junction, pipeline));
            }
        }
        self.junction = next;
    }

    fn item(&mut self) {
        self.pipeline(Junction::And);
        if let Some(first) = self.first.take() {
            let rest = std::mem::take(&mut self.rest);
            self.items.push(tree::joined(first, rest, false));
        }
    }
}

pub(super) struct Machine<'s> {
    source: &'s Source,
    text: &'s [u8],
    at: usize,
    frames: Vec<Frame>,
    errors: Vec<Uncertain>,
    set: BTreeSet<Vec<u8>>,
    letters: Vec<u8>,
}

impl<'s> Machine<'s> {
    pub(super) fn new(source: &'s Source) -> Self {
        Self {
            source,
            text: source.bytes(),
            at: 0,
            frames: vec![Frame::new(Open::Root, 0)],
            errors: Vec::new(),
            set: BTreeSet::new(),
            letters: Vec::new(),
        }
    }

    pub(super) fn run(mut self) -> Parsed {
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
        Parsed {
            list: List { items },
            errors: self.errors,
            unread: Vec::new(),
        }
    }

    fn error(&mut self, why: Why, at: usize) {
        if self.errors.len() < 64 {
            let span = self.source.span(at, at + 1);
            self.errors.push(Uncertain { why, span });
        }
    }

    fn byte(&self, ahead: usize) -> Option<u8> {
        self.text.get(self.at + ahead).copied()
    }

    fn top(&mut self) -> Option<&mut Frame> {
        self.frames.last_mut()
    }

    fn open(&mut self, open: Open, start: usize) {
        if self.frames.len() >= MAX_DEPTH {
            self.error(Why::Depth, start);
            self.at = self.text.len();
            return;
        }
        if let Open::For { letter, .. } = &open {
            self.letters.push(*letter);
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
                self.letters.pop();
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
        let full = self.frames.last().is_some_and(|frame| frame.full);
        match self.byte(0) {
            Some(b' ' | b'\t' | b'\r' | 0x0b | 0x0c) => self.at += 1,
            Some(b',' | b';' | b'=' | b'@') if !full => self.at += 1,
            Some(b'^') if matches!(self.byte(1), Some(b'\n' | b'\r')) => self.at += 2,
            Some(b'\n') => {
                self.at += 1;
                self.line_end();
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
                self.closing(at);
            }
            Some(b'<' | b'>') => self.redirect(None),
            Some(digit @ b'0'..=b'9') if matches!(self.byte(1), Some(b'<' | b'>')) => {
                self.at += 1;
                self.redirect(Some(u32::from(digit - b'0')));
            }
            Some(b':') if !full => self.skip_line(),
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
    }

    fn closing(&mut self, at: usize) {
        if !self
            .frames
            .iter()
            .any(|frame| matches!(frame.open, Open::Paren))
        {
            // A lone one is skipped, with the rest of its command.
            return;
        }
        let _ = at;
        while let Some(frame) = self.frames.last() {
            let paren = matches!(frame.open, Open::Paren);
            self.close();
            if paren {
                break;
            }
        }
    }

    fn skip_line(&mut self) {
        while self.byte(0).is_some_and(|byte| byte != b'\n') {
            self.at += 1;
        }
    }

    fn ends(&self) -> Ends {
        Ends {
            blank: true,
            closing: self
                .frames
                .iter()
                .any(|frame| matches!(frame.open, Open::Paren)),
            operators: true,
            equals: false,
        }
    }

    fn read(&self, at: usize, ends: Ends) -> Read {
        let names = Names {
            set: &self.set,
            letters: &self.letters,
        };
        read(self.source, at, ends, &names)
    }

    fn word(&mut self) -> Read {
        let word = self.read(self.at, self.ends());
        self.at = word.end;
        word
    }

    fn blanks(&mut self) {
        loop {
            match (self.byte(0), self.byte(1)) {
                (Some(b' ' | b'\t' | b',' | b';'), _) => self.at += 1,
                (Some(b'^'), Some(b'\n')) => self.at += 2,
                (Some(b'^'), Some(b'\r')) => self.at += 3,
                _ => break,
            }
        }
    }

    /// A command's name, and what belongs to it.
    fn command(&mut self) {
        let start = self.at;
        let word = self.word();
        let name = word.text().unwrap_or_default().to_ascii_lowercase();
        let bare = !word.quoted && !word.expands;
        match name.as_slice() {
            b"rem" if bare => {
                self.blanks();
                if !matches!(self.byte(0), Some(b'&' | b'|')) {
                    self.skip_line();
                }
            }
            b"if" if bare => {
                self.condition();
                self.open(Open::If, start);
            }
            b"else" if bare => self.open(Open::If, start),
            b"for" if bare => self.for_loop(start),
            b"set" if bare => self.assignment(start),
            _ => self.program(word, start),
        }
    }

    fn program(&mut self, first: Read, start: usize) {
        let expands = first.expands && first.text().is_none();
        let starts = first
            .text()
            .is_some_and(|name| name.eq_ignore_ascii_case(b"start"));
        let mut words = self.split_name(first, start);
        let mut title = false;
        loop {
            self.blanks();
            match self.byte(0) {
                None | Some(b'\n' | b'\r' | b'&' | b'|') => break,
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
            let word = self.word();
            if word.end == at {
                self.at += 1;
                continue;
            }
            title |= starts && words.len() == 1 && word.quoted;
            words.extend(self.split_switches(word, at));
        }
        // The window's title: the first word in quotes.
        if title && words.len() > 2 {
            words.remove(1);
        }
        let span = self.source.span(start, self.at);
        if expands {
            // The text of the variable is read as the command that it is.
            let mut parts = Vec::new();
            for (index, word) in words.into_iter().enumerate() {
                if index > 0 {
                    parts.push(Part::Quoted(Text {
                        bytes: b" ".to_vec(),
                        at: word.span.start,
                    }));
                }
                parts.extend(word.parts);
            }
            words = vec![
                tree::text(b"cmd", span),
                tree::text(b"/c", span),
                tree::word(vec![Part::Double(flat(parts))], span),
            ];
        }
        if let Some(frame) = self.top() {
            frame.stage(tree::simple(words, Vec::new(), span));
        }
    }

    /// `rd/s`, `cd..`, `echo.x`: the name ends where the builtin's does.
    fn split_name(&self, first: Read, start: usize) -> Vec<Word> {
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
    fn split_switches(&self, word: Read, start: usize) -> Vec<Word> {
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

    fn redirect(&mut self, fd: Option<u32>) {
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

    /// The words of `if` in front of its command.
    fn condition(&mut self) {
        let ends = Ends {
            equals: true,
            ..self.ends()
        };
        let next = |machine: &mut Self| {
            machine.blanks();
            let word = machine.read(machine.at, ends);
            machine.at = word.end.max(machine.at);
            word.text().unwrap_or_default().to_ascii_lowercase()
        };
        loop {
            let word = next(self);
            match word.as_slice() {
                b"/i" | b"not" => {}
                b"exist" | b"defined" | b"errorlevel" | b"cmdextversion" => {
                    next(self);
                    return;
                }
                _ => break,
            }
        }
        self.blanks();
        if self.byte(0) == Some(b'=') {
            while self.byte(0) == Some(b'=') {
                self.at += 1;
            }
            next(self);
            return;
        }
        let operator = next(self);
        let _ = operator;
        next(self);
    }

    /// `for … %x in (…) do`
    fn for_loop(&mut self, start: usize) {
        let mut letter = None;
        let mut over_text = false;
        let mut computed = false;
        loop {
            self.blanks();
            let at = self.at;
            let word = self.text.get(at..).unwrap_or_default();
            let length = word
                .iter()
                .position(|byte| byte.is_ascii_whitespace() || *byte == b'(')
                .unwrap_or(word.len());
            let word = word.get(..length).unwrap_or_default().to_ascii_lowercase();
            if word.is_empty() {
                self.error(Why::Syntax, start);
                return;
            }
            self.at += length;
            match word.as_slice() {
                b"in" if letter.is_some() => break,
                b"/f" => over_text = true,
                b"/l" | b"/r" | b"/d" => computed = true,
                [b'%', .., _] => letter = self.text.get(at + length - 1).copied(),
                _ => {}
            }
        }
        self.blanks();
        let (Some(letter), Some(b'(')) = (letter, self.byte(0)) else {
            self.error(Why::Syntax, start);
            return;
        };
        let open = self.at + 1;
        let mut end = open;
        let mut quote: Option<u8> = None;
        while let Some(byte) = self.text.get(end) {
            match (byte, quote) {
                (b')', None) => break,
                (b'^', None) => end += 1,
                (b'"', None) => quote = Some(b'"'),
                (b'\'' | b'`', None) if over_text => quote = Some(*byte),
                (byte, Some(own)) if *byte == own => quote = None,
                _ => {}
            }
            end += 1;
        }
        let end = end.min(self.text.len());
        let words = self.loop_words(open, end, over_text, computed);
        self.at = (end + 1).min(self.text.len());
        self.blanks();
        let does = self
            .text
            .get(self.at..self.at + 2)
            .is_some_and(|word| word.eq_ignore_ascii_case(b"do"));
        if !does {
            self.error(Why::Syntax, start);
            return;
        }
        self.at += 2;
        self.open(Open::For { letter, words }, start);
    }

    fn loop_words(&self, open: usize, end: usize, over_text: bool, computed: bool) -> Vec<Word> {
        let span = self.source.span(open, end);
        let inside = self.text.get(open..end).unwrap_or_default();
        if over_text {
            let text = inside.trim_ascii();
            let command = match text {
                [b'\'', inner @ .., b'\''] | [b'`', inner @ .., b'`'] => Some(inner),
                _ => None,
            };
            return match command {
                Some(command) => {
                    let from = open
                        + inside
                            .iter()
                            .position(|byte| b"'`".contains(byte))
                            .map_or(0, |at| at + 1);
                    let mut parts = Vec::new();
                    let mut run = Vec::new();
                    let mut run_at = from;
                    // The command goes through the caret once more.
                    for (index, byte) in command.iter().enumerate() {
                        if *byte == b'^' {
                            if !run.is_empty() {
                                parts.push(Part::Quoted(Text {
                                    bytes: std::mem::take(&mut run),
                                    at: self.source.origin(run_at),
                                }));
                            }
                            run_at = from + index + 1;
                        } else {
                            run.push(*byte);
                        }
                    }
                    parts.push(Part::Quoted(Text {
                        bytes: run,
                        at: self.source.origin(run_at),
                    }));
                    let words = vec![
                        tree::text(b"cmd", span),
                        tree::text(b"/c", span),
                        tree::word(parts, span),
                    ];
                    let list = tree::list(vec![tree::simple(words, Vec::new(), span)]);
                    vec![tree::word(vec![tree::printed(list, span)], span)]
                }
                None => match text {
                    [b'"', inner @ .., b'"'] => vec![tree::text(inner, span)],
                    _ => vec![tree::opaque(Vec::new(), span)],
                },
            };
        }
        if computed {
            return vec![tree::opaque(Vec::new(), span)];
        }
        let source = self.source.slice(open, end);
        let names = Names {
            set: &self.set,
            letters: &self.letters,
        };
        let ends = Ends {
            blank: true,
            closing: false,
            operators: false,
            equals: true,
        };
        let mut words = Vec::new();
        let mut at = 0;
        while at < source.bytes().len() {
            let word = read(&source, at, ends, &names);
            if word.end == at {
                at += 1;
                continue;
            }
            let span = source.span(at, word.end);
            at = word.end;
            words.push(tree::word(word.parts, span));
        }
        words
    }

    /// `set NAME=value`, `set "NAME=value"`, `set /a …`, `set /p NAME=…`.
    fn assignment(&mut self, start: usize) {
        self.blanks();
        let ends = Ends {
            blank: false,
            ..self.ends()
        };
        let mut asked = false;
        for (switch, asks) in [(b"/p".as_slice(), true), (b"/a", true)] {
            let given = self
                .text
                .get(self.at..self.at + 2)
                .is_some_and(|word| word.eq_ignore_ascii_case(switch));
            if given {
                self.at += 2;
                self.blanks();
                asked = asks;
            }
        }
        let word = self.read(self.at, ends);
        let at = self.at;
        self.at = word.end;
        let span = self.source.span(start, self.at);
        let mut name = Vec::new();
        let mut value = Vec::new();
        let mut found = false;
        for part in word.parts {
            match part {
                Part::Quoted(text) | Part::Literal(text) if !found => {
                    match text.bytes.iter().position(|byte| *byte == b'=') {
                        Some(equals) => {
                            found = true;
                            name.extend_from_slice(text.bytes.get(..equals).unwrap_or_default());
                            let rest = text.bytes.get(equals + 1..).unwrap_or_default().to_vec();
                            let offset = u32::try_from(equals + 1).unwrap_or(u32::MAX);
                            value.push(Part::Quoted(Text {
                                bytes: rest,
                                at: text.at.saturating_add(offset),
                            }));
                        }
                        None => name.extend(text.bytes),
                    }
                }
                part if found => value.push(part),
                _ => name.clear(),
            }
        }
        let _ = at;
        let name = name.trim_ascii().to_ascii_uppercase();
        if !found || name.is_empty() {
            if let Some(frame) = self.top() {
                frame.stage(tree::simple(
                    vec![tree::text(b"set", span)],
                    Vec::new(),
                    span,
                ));
            }
            return;
        }
        let usable = name
            .iter()
            .all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
        let command = if usable {
            self.set.insert(name.clone());
            let value = if asked {
                tree::opaque(value, span)
            } else {
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
            tree::simple(
                vec![tree::word(vec![export], span), tree::word(parts, span)],
                Vec::new(),
                span,
            )
        } else {
            tree::simple(vec![tree::text(b"set", span)], Vec::new(), span)
        };
        if let Some(frame) = self.top() {
            frame.stage(command);
        }
    }
}

/// Parts as they stand in quotes: nothing is split, no pattern is live.
fn flat(parts: Vec<Part>) -> Vec<Part> {
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
