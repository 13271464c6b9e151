//! Words and everything that is made of parts: quoted strings, operands, expressions, bodies.

use super::Outcome;
use super::command::{SubFrame, SubKind};
use super::frame::{Frame, Product, Step};
use super::input::{Checkpoint, Input};
use crate::syntax::{Part, Text, Word};

/// What the parts belong to: which bytes are special, and where they end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// An unquoted word; `head`: it could be the name of a function.
    Word { head: bool },
    /// The right side of `=~`.
    Regex,
    /// Behind `"`.
    Double,
    /// The body of an unquoted here-document.
    HereDoc,
    /// An operand in `${…}`; `double`: within double quotes; `quotes`: single quotes quote.
    Operand {
        double: bool,
        quotes: bool,
        /// Ends at `/` too.
        slash: bool,
    },
    /// Offset or length of `${name:offset:length}`; the offset ends at `:` too.
    Slice { offset: bool },
    /// Behind `[`.
    Subscript,
    /// Behind `$((` or `((`.
    Arithmetic,
    /// Behind `$[`.
    Bracketed,
    /// In `for ((`: ends at `;` or `))`.
    Clause,
    /// In a pattern list: ends at `|` or `)`.
    Alternative,
}

impl Mode {
    /// Text is a plain literal, `\` and `'` quote as in a word.
    fn unquoted(self) -> bool {
        matches!(
            self,
            Self::Word { .. }
                | Self::Regex
                | Self::Alternative
                | Self::Operand { quotes: true, .. }
        )
    }

    /// `<(` and `>(` begin a substitution.
    fn substitutes_processes(self) -> bool {
        match self {
            Self::Word { .. } | Self::Regex | Self::Alternative => true,
            // Patterns, and what replaces them, are read as words even within double quotes.
            Self::Operand { double, quotes, .. } => !double || quotes,
            _ => false,
        }
    }

    /// Within double quotes, or where the same rules hold.
    pub(super) fn double(self) -> bool {
        match self {
            Self::Double | Self::HereDoc => true,
            Self::Operand { double, .. } => double,
            _ => false,
        }
    }

    /// Single quotes hide the end of the construct but not expansions.
    fn toggles(self) -> bool {
        !self.unquoted() && !matches!(self, Self::Double | Self::HereDoc)
    }
}

/// Bytes that were written next to each other.
#[derive(Debug, Default)]
pub(super) struct Run {
    bytes: Vec<u8>,
    at: u32,
    last: u32,
    quoted: bool,
}

impl Run {
    pub(super) fn push(&mut self, parts: &mut Vec<Part>, byte: u8, origin: u32, quoted: bool) {
        // Computed text has one origin for all its bytes: it stays together.
        // A sequence may go on behind a newline that a backslash removes.
        let removed = origin == self.last.saturating_add(3) && self.bytes.contains(&b'{');
        let goes_on = origin == self.last || origin == self.last.saturating_add(1) || removed;
        if !self.bytes.is_empty() && (!goes_on || quoted != self.quoted) {
            self.flush(parts);
        }
        if self.bytes.is_empty() {
            self.at = origin;
            self.quoted = quoted;
        }
        self.bytes.push(byte);
        self.last = origin;
    }

    pub(super) fn flush(&mut self, parts: &mut Vec<Part>) {
        if self.bytes.is_empty() {
            return;
        }
        let text = Text {
            bytes: std::mem::take(&mut self.bytes),
            at: self.at,
        };
        // What was read as a subscript and what follows it are one run of text.
        if let (false, Some(Part::Literal(last))) = (self.quoted, parts.last_mut())
            && u32::try_from(last.bytes.len()).is_ok_and(|length| last.at + length == text.at)
        {
            last.bytes.extend_from_slice(&text.bytes);
            return;
        }
        // Most words have one part, and parts are large.
        if parts.capacity() == 0 {
            parts.reserve_exact(1);
        }
        parts.push(if self.quoted {
            Part::Quoted(text)
        } else {
            Part::Literal(text)
        });
    }
}

#[derive(Debug)]
pub(super) struct Parts {
    pub(super) mode: Mode,
    pub(super) start: usize,
    pub(super) parts: Vec<Part>,
    run: Run,
    /// Open parentheses or brackets.
    nested: usize,
    /// Open `?` of a slice.
    ternary: usize,
    /// Between single quotes that do not hide expansions.
    single: bool,
}

impl Parts {
    pub(super) fn new(mode: Mode, start: usize) -> Self {
        Self::resumed(mode, start, Vec::new())
    }

    /// Goes on behind parts that were read already.
    pub(super) fn resumed(mode: Mode, start: usize, parts: Vec<Part>) -> Self {
        Self {
            mode,
            start,
            parts,
            run: Run::default(),
            nested: 0,
            ternary: 0,
            single: false,
        }
    }

    /// Appends a byte that stands at `index`.
    pub(super) fn text(&mut self, byte: u8, index: usize, quoted: bool, input: &Input) {
        let quoted = quoted || !self.mode.unquoted();
        self.run
            .push(&mut self.parts, byte, input.origin(index), quoted);
    }

    pub(super) fn part(&mut self, part: Part) {
        self.run.flush(&mut self.parts);
        self.parts.push(part);
    }

    /// Opens a frame whose product is a part.
    pub(super) fn open(&mut self, frame: Frame) -> Outcome<Option<Step>> {
        self.run.flush(&mut self.parts);
        Ok(Some(Step::Push(frame)))
    }

    fn take(&mut self, input: &Input) -> Word {
        self.run.flush(&mut self.parts);
        Word {
            parts: std::mem::take(&mut self.parts),
            span: input.span(self.start, input.pos),
        }
    }

    /// Ends in front of the byte.
    fn stop(&mut self, byte: u8, input: &Input) -> Outcome<Option<Step>> {
        let product = Product::Word(self.take(input), byte);
        Ok(Some(Step::Pop(product)))
    }

    /// Ends with the byte.
    fn close(&mut self, byte: u8, input: &mut Input) -> Outcome<Option<Step>> {
        let step = if self.mode == Mode::Double {
            input.pos += 1;
            self.run.flush(&mut self.parts);
            Step::Pop(Product::Part(Part::Double(std::mem::take(&mut self.parts))))
        } else {
            let word = self.take(input);
            input.pos += 1;
            Step::Pop(Product::Word(word, byte))
        };
        Ok(Some(step))
    }

    pub(super) fn step(&mut self, input: &mut Input) -> Outcome {
        let from = input.pos;
        let step = self.scan(input)?;
        input.burn(input.pos - from)?;
        Ok(step)
    }

    fn scan(&mut self, input: &mut Input) -> Outcome {
        loop {
            let Some(byte) = input.peek() else {
                return self.at_end(input);
            };
            if let Some(step) = self.special(byte, input)? {
                return Ok(step);
            }
        }
    }

    fn at_end(&mut self, input: &Input) -> Outcome {
        match self.mode {
            Mode::Word { .. } | Mode::Regex | Mode::HereDoc => {
                Ok(Step::Pop(Product::Word(self.take(input), 0)))
            }
            _ => Err(input.unfinished(self.start.saturating_sub(1))),
        }
    }

    /// Reads one byte or construct.
    fn special(&mut self, byte: u8, input: &mut Input) -> Outcome<Option<Step>> {
        match byte {
            b'\\' => {
                self.escape(input);
                return Ok(None);
            }
            b'$' => return self.dollar(input),
            b'`' => return self.backtick(input).map(|()| None),
            b'\'' if self.mode.toggles() => {
                // dash does not pair them within double quotes.
                self.single = !self.single && (input.bash() || !self.mode.double());
            }
            b'\'' if self.mode.unquoted() => return self.single_quotes(input).map(|()| None),
            b'"' if self.mode == Mode::Double => return self.close(b'"', input),
            b'"' if self.mode != Mode::HereDoc && !self.single => {
                input.pos += 1;
                return self.open(Frame::Parts(Self::new(Mode::Double, input.pos)));
            }
            _ if self.single => {}
            b'<' | b'>'
                if self.mode.substitutes_processes()
                    && input.bash()
                    && input.peek_second() == Some(b'(') =>
            {
                let start = input.pos;
                input.pos = input.joined(start + 1) + 1;
                let kind = if byte == b'<' {
                    SubKind::Input
                } else {
                    SubKind::Output
                };
                return self.open(Frame::Sub(SubFrame::new(kind, start)));
            }
            _ => {
                if let Some(step) = self.ending(byte, input)? {
                    return Ok(Some(step));
                }
            }
        }
        self.text(byte, input.pos, false, input);
        input.pos += 1;
        Ok(None)
    }

    /// Whether the byte ends the construct; keeps count of brackets.
    fn ending(&mut self, byte: u8, input: &mut Input) -> Outcome<Option<Step>> {
        match (self.mode, byte) {
            (Mode::Double | Mode::HereDoc, _) => {}
            (Mode::Word { .. }, b'=')
                if input.zsh() && input.pos == self.start && input.peek_second() == Some(b'(') =>
            {
                let start = input.pos;
                input.pos = input.joined(start + 1) + 1;
                return self.open(Frame::Sub(SubFrame::new(SubKind::Input, start)));
            }
            (Mode::Word { .. }, b'(') if input.zsh() && input.empty_parens().is_none() => {
                return self.group(input);
            }
            (Mode::Word { head }, b'?' | b'*' | b'+' | b'@' | b'!') => {
                return self.extended_glob(byte, head, input);
            }
            (Mode::Alternative, b'?' | b'*' | b'+' | b'@' | b'!') => {
                return self.extended_glob(byte, false, input);
            }
            (
                Mode::Word { .. },
                b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b'(' | b')' | b'<' | b'>',
            ) => return self.stop(byte, input),
            (Mode::Regex, b' ' | b'\t' | b'\n' | b';' | b'&' | b'<' | b'>') if self.nested == 0 => {
                return self.stop(byte, input);
            }
            (Mode::Regex | Mode::Arithmetic | Mode::Clause | Mode::Slice { .. }, b'(')
            | (Mode::Alternative, b'(')
            | (Mode::Bracketed | Mode::Subscript, b'[') => self.nested += 1,
            (Mode::Regex | Mode::Arithmetic | Mode::Clause | Mode::Slice { .. }, b')')
            | (Mode::Alternative, b')')
            | (Mode::Bracketed | Mode::Subscript, b']')
                if self.nested > 0 =>
            {
                self.nested -= 1;
            }
            (Mode::Regex, b')') => return self.stop(byte, input),
            (Mode::Alternative, b'|') if self.nested == 0 => return self.close(byte, input),
            (Mode::Alternative, b')') | (Mode::Bracketed | Mode::Subscript, b']') => {
                return self.close(byte, input);
            }
            (Mode::Arithmetic | Mode::Clause, b')') => {
                if input.peek_second() != Some(b')') {
                    return Err(input.fault());
                }
                let word = self.take(input);
                input.eat(b"))");
                return Ok(Some(Step::Pop(Product::Word(word, b')'))));
            }
            (Mode::Clause, b';') if self.nested == 0 => return self.close(byte, input),
            (Mode::Operand { .. } | Mode::Slice { .. }, b'}') => return self.close(byte, input),
            (Mode::Operand { slash: true, .. }, b'/') => return self.close(byte, input),
            (Mode::Slice { offset: true }, b'?') => self.ternary += 1,
            (Mode::Slice { offset: true }, b':') if self.ternary > 0 => self.ternary -= 1,
            (Mode::Slice { offset: true }, b':') if self.nested == 0 => {
                return self.close(byte, input);
            }
            _ => {}
        }
        Ok(None)
    }

    /// zsh: alternatives, or qualifiers of a pattern.
    fn group(&mut self, input: &mut Input) -> Outcome<Option<Step>> {
        let start = input.pos;
        let checkpoint = input.checkpoint();
        input.pos += 1;
        self.open(Frame::ExtendedGlob(ExtendedGlobFrame {
            operator: b'(',
            checkpoint,
            start,
            alternatives: Vec::new(),
            closed: false,
        }))
    }

    /// At a byte that begins a pattern list when `(` follows.
    fn extended_glob(
        &mut self,
        operator: u8,
        head: bool,
        input: &mut Input,
    ) -> Outcome<Option<Step>> {
        let start = input.pos;
        if !input.bash() || input.zsh() || input.peek_second() != Some(b'(') || input.refused(start)
        {
            return Ok(None);
        }
        let checkpoint = input.checkpoint();
        input.pos = input.joined(start + 1);
        if head && input.empty_parens().is_some() {
            // `name@()` defines a function, since patterns are off unless switched on.
            input.pos = start;
            return Ok(None);
        }
        input.pos += 1;
        input.extended = true;
        self.open(Frame::ExtendedGlob(ExtendedGlobFrame {
            operator,
            checkpoint,
            start,
            alternatives: Vec::new(),
            closed: false,
        }))
    }

    /// At a backslash that is no continuation.
    fn escape(&mut self, input: &mut Input) {
        let at = input.pos;
        let Some(next) = input.raw(at + 1) else {
            self.text(b'\\', at, true, input);
            input.pos += 1;
            return;
        };
        let escapes = match self.mode {
            _ if self.single => matches!(next, b'$' | b'`' | b'\\'),
            mode if mode.unquoted() => true,
            Mode::HereDoc => matches!(next, b'$' | b'`' | b'\\'),
            Mode::Operand { .. } => matches!(next, b'$' | b'`' | b'\\' | b'"' | b'}'),
            _ => matches!(next, b'$' | b'`' | b'\\' | b'"'),
        };
        if escapes {
            self.text(next, at + 1, true, input);
            input.pos += 2;
            return;
        }
        self.text(b'\\', at, true, input);
        input.pos += 1;
        if self.mode.toggles() && !self.single {
            // The next byte ends nothing.
            self.text(next, at + 1, true, input);
            input.pos += 1;
        }
    }

    pub(super) fn receive(&mut self, product: Product, _input: &Input) {
        match product {
            Product::Part(part) => self.part(part),
            Product::Word(word, _) => self.part(Part::Arithmetic(word)),
            _ => {}
        }
    }

    pub(super) fn abandon(&mut self, input: &Input) -> Option<Product> {
        self.run.flush(&mut self.parts);
        let parts = std::mem::take(&mut self.parts);
        if self.mode == Mode::Double {
            return Some(Product::Part(Part::Double(parts)));
        }
        if parts.is_empty() {
            return None;
        }
        let span = input.span(self.start, input.pos);
        Some(Product::Word(Word { parts, span }, 0))
    }
}

/// `?(…|…)` and its kin.
#[derive(Debug)]
pub(super) struct ExtendedGlobFrame {
    operator: u8,
    checkpoint: Checkpoint,
    start: usize,
    alternatives: Vec<Word>,
    closed: bool,
}

impl ExtendedGlobFrame {
    pub(super) fn step(&mut self, input: &mut Input) -> Outcome {
        if !self.closed {
            return Ok(Step::Push(Frame::Parts(Parts::new(
                Mode::Alternative,
                input.pos,
            ))));
        }
        let text = Text {
            bytes: input.slice(self.start, input.pos).to_vec(),
            at: input.origin(self.start),
        };
        Ok(Step::Pop(Product::Part(self.part(text))))
    }

    fn part(&mut self, text: Text) -> Part {
        Part::ExtendedGlob {
            operator: self.operator,
            alternatives: std::mem::take(&mut self.alternatives),
            text,
        }
    }

    pub(super) fn receive(&mut self, product: Product, _input: &Input) {
        if let Product::Word(word, stop) = product {
            self.alternatives.push(word);
            self.closed = stop == b')';
        }
    }

    pub(super) fn abandon(&mut self, _input: &Input) -> Option<Product> {
        let text = Text {
            bytes: Vec::new(),
            at: 0,
        };
        Some(Product::Part(self.part(text)))
    }

    /// A group of zsh is nothing else.
    pub(super) fn has_other_reading(&self) -> bool {
        self.operator != b'('
    }

    /// Plain text: the word goes on at the operator.
    pub(super) fn refuse(self, input: &mut Input) {
        input.refuse(self.checkpoint);
    }
}
