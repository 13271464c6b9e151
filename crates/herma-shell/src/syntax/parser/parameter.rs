//! `${…}`

use super::Outcome;
use super::frame::{Frame, Product, Step};
use super::input::Input;
use super::parts::{Mode, Parts};
use crate::source::Span;
use crate::syntax::{Operation, Parameter, Part, Word};

/// Parameters whose names are one punctuation character.
pub(super) fn is_special(byte: u8) -> bool {
    matches!(byte, b'@' | b'*' | b'#' | b'?' | b'-' | b'$' | b'!')
}

/// Which operand is being read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Head,
    Subscript,
    Operator,
    Default { operator: u8, colon: bool },
    Remove { suffix: bool, longest: bool },
    Pattern { which: u8 },
    Replacement { which: u8 },
    Offset,
    Length,
    Case { operator: u8, all: bool },
    Bad,
    Done,
}

#[derive(Debug)]
pub(super) struct ParameterFrame {
    start: usize,
    /// Within double quotes.
    double: bool,
    state: State,
    name: Vec<u8>,
    subscript: Option<Word>,
    indirect: bool,
    length: bool,
    operation: Operation,
    /// The first of two operands.
    held: Option<Word>,
    /// zsh: the value's own substitutions run (`(e)`).
    evaluates: bool,
    /// zsh: what comes out is not followed.
    opaque: bool,
    /// zsh: `$name[…]`, without braces.
    bare: bool,
}

impl ParameterFrame {
    /// The input stands behind `${`.
    pub(super) fn new(start: usize, double: bool) -> Self {
        Self {
            start,
            double,
            state: State::Head,
            name: Vec::new(),
            subscript: None,
            indirect: false,
            length: false,
            operation: Operation::None,
            held: None,
            evaluates: false,
            opaque: false,
            bare: false,
        }
    }

    /// `$name[`: the input stands behind the bracket.
    pub(super) fn bare(start: usize, name: Vec<u8>, double: bool) -> Self {
        Self {
            state: State::Subscript,
            name,
            bare: true,
            ..Self::new(start, double)
        }
    }

    fn parameter(&mut self, span: Span) -> Part {
        let name = self.evaluates.then(|| self.name.clone());
        let part = Part::Parameter(Box::new(Parameter {
            name: std::mem::take(&mut self.name),
            subscript: self.subscript.take(),
            indirect: self.indirect,
            length: self.length,
            operation: std::mem::replace(&mut self.operation, Operation::None),
            braced: true,
            span,
        }));
        match name {
            Some(name) => Part::Opaque(vec![
                part,
                Part::Parameter(Box::new(Parameter {
                    name,
                    subscript: None,
                    indirect: false,
                    length: false,
                    operation: Operation::Transform(b'P'),
                    braced: true,
                    span,
                })),
            ]),
            None if self.opaque => Part::Opaque(vec![part]),
            None => part,
        }
    }

    pub(super) fn step(&mut self, input: &mut Input) -> Outcome {
        match self.state {
            State::Head => {
                if input.zsh() && !self.flags(input)? {
                    self.state = State::Bad;
                    return Ok(Step::Stay);
                }
                self.head(input);
                if self.state == State::Subscript {
                    return Ok(read(Mode::Subscript, input));
                }
                Ok(Step::Stay)
            }
            State::Subscript if self.bare => Ok(read(Mode::Subscript, input)),
            State::Operator if self.bare => {
                self.state = State::Done;
                if input.peek() == Some(b'[') {
                    // A part of an element.
                    self.opaque = true;
                    input.pos += 1;
                    self.state = State::Subscript;
                }
                Ok(Step::Stay)
            }
            State::Subscript | State::Operator => self.operator(input),
            State::Default { .. } => Ok(self.operand(!self.double, false, input)),
            State::Remove { .. } | State::Replacement { .. } | State::Case { .. } => {
                Ok(self.operand(true, false, input))
            }
            State::Pattern { .. } => Ok(self.operand(true, true, input)),
            State::Offset => Ok(read(Mode::Slice { offset: true }, input)),
            State::Length => Ok(read(Mode::Slice { offset: false }, input)),
            State::Bad => Ok(self.operand(!self.double, false, input)),
            State::Done => {
                let span = input.span(self.start, input.pos);
                Ok(Step::Pop(Product::Part(self.parameter(span))))
            }
        }
    }

    fn operand(&self, quotes: bool, slash: bool, input: &Input) -> Step {
        read(
            Mode::Operand {
                double: self.double,
                quotes,
                slash,
            },
            input,
        )
    }

    /// Reads `!`, `#` and the name.
    fn head(&mut self, input: &mut Input) {
        let first = input.peek();
        let second = input.joined(input.pos + 1);
        let third = input.raw(input.joined(second + 1));
        let after = input.raw(second);
        let named = after.is_some_and(|byte| byte == b'_' || byte.is_ascii_alphanumeric());
        if first == Some(b'!') && (named || matches!(after, Some(b'@' | b'*' | b'#' | b'?'))) {
            self.indirect = true;
            input.pos = second;
        } else if first == Some(b'#')
            && (named || (after.is_some_and(is_special) && third == Some(b'}')))
        {
            self.length = true;
            input.pos = second;
        }
        let start = input.pos;
        let mut end = start;
        match input.raw(start) {
            Some(byte) if byte == b'_' || byte.is_ascii_alphabetic() => {
                while input
                    .raw(end)
                    .is_some_and(|byte| byte == b'_' || byte.is_ascii_alphanumeric())
                {
                    end = input.joined(end + 1);
                }
                self.name = input.joined_slice(start, end);
                input.pos = end;
                self.state = State::Operator;
                if input.bash() && input.eat(b"[") {
                    self.state = State::Subscript;
                }
            }
            Some(byte) if byte.is_ascii_digit() => {
                while input.raw(end).is_some_and(|byte| byte.is_ascii_digit()) {
                    end = input.joined(end + 1);
                }
                self.name = input.joined_slice(start, end);
                input.pos = end;
                self.state = State::Operator;
            }
            // An expansion in place of a name.
            Some(b'$') if matches!(input.raw(input.joined(start + 1)), Some(b'{' | b'(')) => {
                self.state = State::Bad;
            }
            Some(byte) if is_special(byte) => {
                self.name = vec![byte];
                input.pos = start + 1;
                self.state = State::Operator;
            }
            _ => self.state = State::Bad,
        }
    }

    fn operator(&mut self, input: &mut Input) -> Outcome {
        let Some(byte) = input.peek() else {
            return Err(input.unfinished(self.start));
        };
        let at = input.pos;
        input.pos += 1;
        if input.zsh() {
            let next = input.peek();
            let modifier = byte == b':'
                && next.is_some_and(|next| {
                    next.is_ascii_alphabetic()
                        || matches!(next, b'#' | b'|' | b'*' | b'^' | b'/' | b':' | b'&')
                });
            if modifier || matches!(byte, b'^' | b',' | b'~' | b'@' | b'[') {
                // Its values are not followed.
                input.pos = at;
                self.state = State::Bad;
                return Ok(Step::Stay);
            }
        }
        self.state = match byte {
            b'}' => {
                let all = self.subscript.as_ref().is_some_and(is_all);
                if self.indirect && all {
                    self.operation = Operation::Names;
                }
                State::Done
            }
            b':' => match input.peek() {
                Some(operator @ (b'-' | b'=' | b'?' | b'+')) => {
                    input.pos += 1;
                    State::Default {
                        operator,
                        colon: true,
                    }
                }
                _ => State::Offset,
            },
            b'-' | b'=' | b'?' | b'+' => State::Default {
                operator: byte,
                colon: false,
            },
            b'#' | b'%' => {
                let longest = input.eat(&[byte]);
                State::Remove {
                    suffix: byte == b'%',
                    longest,
                }
            }
            b'/' => {
                let which = match input.peek() {
                    Some(b'/') => b'*',
                    Some(which @ (b'#' | b'%')) => which,
                    _ => b'/',
                };
                if which != b'/' {
                    input.pos += 1;
                }
                State::Pattern { which }
            }
            b'^' | b',' | b'~' => State::Case {
                operator: byte,
                all: input.eat(&[byte]),
            },
            b'@' | b'*' if self.indirect && input.at(b"}") => {
                input.eat(b"}");
                self.operation = Operation::Names;
                State::Done
            }
            b'@' if input.peek_second() == Some(b'}') => {
                let letter = input.peek().unwrap_or(b'}');
                if letter == b'}' {
                    input.pos = at;
                    State::Bad
                } else {
                    self.operation = Operation::Transform(letter);
                    input.pos += 1;
                    input.eat(b"}");
                    State::Done
                }
            }
            _ => {
                input.pos = at;
                State::Bad
            }
        };
        Ok(Step::Stay)
    }

    /// zsh: `(flags)` and the signs in front of the name; false when the rest is not followed.
    fn flags(&mut self, input: &mut Input) -> Outcome<bool> {
        if input.peek() == Some(b'(') {
            let mut index = input.pos + 1;
            let mut plain = true;
            let mut evaluates = false;
            loop {
                match input.raw(index) {
                    Some(b')') => break,
                    Some(b'e') => evaluates = true,
                    Some(b'@' | b'P' | b'A') => {}
                    Some(b'$' | b'`' | b'\'' | b'"' | b'\\' | b'\n' | b'}') | None => {
                        return Err(input.fault());
                    }
                    Some(_) => plain = false,
                }
                index += 1;
            }
            let flags = input.slice(input.pos, index).to_vec();
            if evaluates {
                let named = input
                    .raw(index + 1)
                    .is_some_and(|byte| byte == b'_' || byte.is_ascii_alphanumeric());
                if !named {
                    return Err(input.fault());
                }
                self.evaluates = true;
            } else if !plain {
                return Ok(false);
            }
            self.opaque |= flags.contains(&b'P') || flags.contains(&b'A');
            input.pos = index + 1;
        }
        loop {
            match (input.peek(), input.peek_second()) {
                (Some(b'='), _) => {
                    input.pos += 1;
                    self.operation = Operation::Transform(b'=');
                }
                (Some(b'~'), _) => input.pos += 1,
                (Some(b'^' | b'+'), _) => {
                    input.pos += 1;
                    self.opaque = true;
                }
                (Some(b'!'), Some(b'}')) => return Ok(true),
                (Some(b'!' | b'"' | b':' | b'('), _) => return Ok(false),
                _ => return Ok(true),
            }
        }
    }

    pub(super) fn receive(&mut self, product: Product, _input: &Input) {
        let Product::Word(word, stop) = product else {
            return;
        };
        let mut next = State::Done;
        match self.state {
            State::Subscript => {
                self.subscript = Some(word);
                next = State::Operator;
            }
            State::Default { operator, colon } => {
                self.operation = Operation::Default {
                    operator,
                    colon,
                    word,
                };
            }
            State::Remove { suffix, longest } => {
                self.operation = Operation::Remove {
                    suffix,
                    longest,
                    pattern: word,
                };
            }
            State::Pattern { which } if stop == b'/' => {
                self.held = Some(word);
                next = State::Replacement { which };
            }
            State::Pattern { which } => {
                self.operation = Operation::Replace {
                    which,
                    pattern: word,
                    replacement: None,
                };
            }
            State::Replacement { which } => {
                self.operation = Operation::Replace {
                    which,
                    pattern: self.held.take().unwrap_or_default(),
                    replacement: Some(word),
                };
            }
            State::Offset if stop == b':' => {
                self.held = Some(word);
                next = State::Length;
            }
            State::Offset => {
                self.operation = Operation::Slice {
                    offset: word,
                    length: None,
                };
            }
            State::Length => {
                self.operation = Operation::Slice {
                    offset: self.held.take().unwrap_or_default(),
                    length: Some(word),
                };
            }
            State::Case { operator, all } => {
                self.operation = Operation::Case {
                    operator,
                    all,
                    pattern: word,
                };
            }
            State::Head | State::Operator | State::Bad | State::Done => {
                self.operation = Operation::Bad(word);
            }
        }
        self.state = next;
    }

    pub(super) fn abandon(&mut self, input: &Input) -> Option<Product> {
        if let Some(word) = self.held.take() {
            self.operation = Operation::Bad(word);
        }
        let span = input.span(self.start, input.pos);
        Some(Product::Part(self.parameter(span)))
    }
}

fn read(mode: Mode, input: &Input) -> Step {
    Step::Push(Frame::Parts(Parts::new(mode, input.pos)))
}

/// The subscript is `@` or `*`.
fn is_all(subscript: &Word) -> bool {
    match subscript.parts.as_slice() {
        [Part::Quoted(text) | Part::Literal(text)] => matches!(text.bytes.as_slice(), b"@" | b"*"),
        _ => false,
    }
}
