//! Assignments and array literals.

use super::Outcome;
use super::frame::{Frame, Product, Step};
use super::input::Input;
use super::parts::{Mode, Parts};
use super::redirect::name_end;
use crate::source::Span;
use crate::syntax::{Assignment, Element, Part, Text, Word};

/// What is read next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Subscript,
    Operator,
    Value,
    /// Behind an array literal: what follows without a blank still belongs to the assignment.
    Tail,
    Done,
}

/// An assignment.
#[derive(Debug)]
pub(super) struct AssignmentFrame {
    start: usize,
    name: Vec<u8>,
    subscript: Option<Word>,
    append: bool,
    value: Option<Word>,
    stage: Stage,
    /// Behind a declaration builtin: the assignment is a word of the command.
    is_word: bool,
    value_start: usize,
}

impl AssignmentFrame {
    fn new(input: &Input, name: Vec<u8>) -> Self {
        Self {
            start: input.pos,
            name,
            subscript: None,
            append: false,
            value: None,
            stage: Stage::Value,
            is_word: false,
            value_start: input.pos,
        }
    }

    /// Reads `name=`, `name+=` or `name[`, if one stands here.
    pub(super) fn begin(input: &mut Input) -> Option<Self> {
        input.peek();
        let end = name_end(input, input.pos)?;
        let mut frame = Self::new(input, Vec::new());
        if let Some(after) = input.ends_at(end, b"=") {
            frame.name = input.joined_slice(input.pos, end);
            input.pos = after;
            return Some(frame);
        }
        if !input.bash() {
            return None;
        }
        if let Some(after) = input.ends_at(end, b"+=") {
            frame.append = true;
            frame.name = input.joined_slice(input.pos, end);
            input.pos = after;
            return Some(frame);
        }
        let after = input.ends_at(end, b"[")?;
        frame.stage = Stage::Subscript;
        frame.name = input.joined_slice(input.pos, end);
        input.pos = after;
        Some(frame)
    }

    /// Reads `name=` or `name+=` in front of `(`, behind a declaration builtin.
    pub(super) fn declared(input: &mut Input) -> Option<Self> {
        if !input.bash() {
            return None;
        }
        input.peek();
        let end = name_end(input, input.pos)?;
        let append = input.ends_at(end, b"+=(").is_some();
        if !append {
            input.ends_at(end, b"=(")?;
        }
        let mut frame = Self::new(input, input.joined_slice(input.pos, end));
        frame.is_word = true;
        frame.append = append;
        input.pos = input.ends_at(end, if append { b"+=" } else { b"=" })?;
        Some(frame)
    }

    pub(super) fn step(&mut self, input: &mut Input) -> Outcome {
        match self.stage {
            Stage::Subscript => Ok(Step::Push(Frame::Parts(Parts::new(
                Mode::Subscript,
                input.pos,
            )))),
            Stage::Operator => {
                if input.eat(b"+=") {
                    self.append = true;
                } else if !input.eat(b"=") {
                    // In a plain word these would run commands.
                    let written = input.slice(self.start, input.pos);
                    if written.windows(2).any(|pair| matches!(pair, b"<(" | b">(")) {
                        return Err(input.fault());
                    }
                    return Ok(Step::Become(self.plain_word(input)));
                }
                self.stage = Stage::Value;
                Ok(Step::Stay)
            }
            Stage::Value => {
                self.value_start = input.pos;
                if input.bash() && input.peek() == Some(b'(') {
                    self.value_start = input.pos;
                    input.pos += 1;
                    return Ok(Step::Push(Frame::Array(ArrayFrame::default())));
                }
                Ok(Step::Push(Frame::Parts(Parts::new(
                    Mode::Word { head: false },
                    input.pos,
                ))))
            }
            Stage::Tail => {
                if input.at_word() || input.peek() == Some(b'#') {
                    self.value = self.as_text(input).or(self.value.take());
                    return Ok(Step::Push(Frame::Parts(Parts::new(
                        Mode::Word { head: false },
                        input.pos,
                    ))));
                }
                self.stage = Stage::Done;
                Ok(Step::Stay)
            }
            Stage::Done => {
                let mut assignment = self.assignment(input);
                if matches!(assignment.value.parts.as_slice(), [Part::Array(_), ..]) {
                    assignment.value.span = input.span(self.value_start, input.pos);
                }
                if !self.is_word {
                    return Ok(Step::Pop(Product::Assignment(assignment)));
                }
                Ok(Step::Pop(Product::Word(as_word(assignment), 0)))
            }
        }
    }

    /// `(…)` with text behind it is text; `None` where something in it would be expanded.
    fn as_text(&self, input: &Input) -> Option<Word> {
        let text = input.slice(self.value_start, input.pos);
        let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b" \t()_.,:/-+=@%".contains(byte);
        text.iter().all(plain).then(|| Word {
            parts: vec![Part::Literal(Text {
                bytes: text.to_vec(),
                at: input.origin(self.value_start),
            })],
            span: Span::default(),
        })
    }

    fn assignment(&mut self, input: &Input) -> Assignment {
        Assignment {
            name: std::mem::take(&mut self.name),
            subscript: self.subscript.take(),
            append: self.append,
            value: self.value.take().unwrap_or_default(),
            span: input.span(self.start, input.pos),
        }
    }

    /// `name[…]` without `=` is a word that goes on.
    fn plain_word(&mut self, input: &Input) -> Frame {
        let mut bytes = std::mem::take(&mut self.name);
        bytes.push(b'[');
        let text = Text {
            bytes,
            at: input.origin(self.start),
        };
        bracketed(
            text,
            self.subscript.take().unwrap_or_default(),
            self.start,
            input,
        )
    }

    pub(super) fn receive(&mut self, product: Product, _input: &Input) {
        match product {
            Product::Word(word, _) if self.stage == Stage::Subscript => {
                self.subscript = Some(word);
                self.stage = Stage::Operator;
            }
            Product::Word(word, _) => {
                match &mut self.value {
                    Some(value) => value.parts.extend(word.parts),
                    None => self.value = Some(word),
                }
                self.stage = Stage::Done;
            }
            Product::Elements(elements) => {
                self.value = Some(Word {
                    parts: vec![Part::Array(elements)],
                    span: Span::default(),
                });
                self.stage = Stage::Tail;
            }
            _ => {}
        }
    }

    pub(super) fn abandon(&mut self, input: &Input) -> Option<Product> {
        let assignment = self.assignment(input);
        Some(if self.is_word {
            Product::Word(as_word(assignment), 0)
        } else {
            Product::Assignment(assignment)
        })
    }
}

/// `name=(…)` as a word.
fn as_word(assignment: Assignment) -> Word {
    let Assignment {
        mut name,
        append,
        value,
        span,
        ..
    } = assignment;
    name.extend_from_slice(if append { b"+=" } else { b"=" });
    let mut parts = vec![Part::Literal(Text {
        bytes: name,
        at: span.start,
    })];
    parts.extend(value.parts);
    Word { parts, span }
}

/// A word that begins with what was read as a subscript.
fn bracketed(opening: Text, inner: Word, start: usize, input: &Input) -> Frame {
    let mut parts = vec![Part::Literal(opening)];
    parts.extend(inner.parts.into_iter().map(|part| match part {
        Part::Quoted(text) => Part::Literal(text),
        part => part,
    }));
    parts.push(Part::Literal(Text {
        bytes: vec![b']'],
        at: input.origin(input.pos.saturating_sub(1)),
    }));
    Frame::Parts(Parts::resumed(
        Mode::Word { head: false },
        start,
        joined(parts),
    ))
}

/// Parts in which unquoted text that was written in one run is one part.
fn joined(parts: Vec<Part>) -> Vec<Part> {
    let mut out: Vec<Part> = Vec::with_capacity(parts.len());
    for part in parts {
        if let (Some(Part::Literal(last)), Part::Literal(text)) = (out.last_mut(), &part)
            && u32::try_from(last.bytes.len()).is_ok_and(|length| last.at + length == text.at)
        {
            last.bytes.extend_from_slice(&text.bytes);
            continue;
        }
        out.push(part);
    }
    out
}

/// `(…)` behind an assignment.
#[derive(Debug, Default)]
pub(super) struct ArrayFrame {
    elements: Vec<Element>,
    /// Where the bracket of the element began.
    bracket: Option<usize>,
    index: Option<Word>,
}

impl ArrayFrame {
    pub(super) fn step(&mut self, input: &mut Input) -> Outcome {
        if let Some(start) = self.bracket
            && self.index.is_some()
        {
            self.bracket = None;
            if input.eat(b"=") || input.eat(b"+=") {
                return Ok(Step::Push(Frame::Parts(Parts::new(
                    Mode::Word { head: false },
                    input.pos,
                ))));
            }
            let opening = Text {
                bytes: vec![b'['],
                at: input.origin(start),
            };
            let inner = self.index.take().unwrap_or_default();
            return Ok(Step::Push(bracketed(opening, inner, start, input)));
        }
        input.skip_newlines()?;
        match input.peek() {
            Some(b')') => {
                input.pos += 1;
                Ok(Step::Pop(Product::Elements(std::mem::take(
                    &mut self.elements,
                ))))
            }
            Some(b'[') => {
                self.bracket = Some(input.pos);
                input.pos += 1;
                Ok(Step::Push(Frame::Parts(Parts::new(
                    Mode::Subscript,
                    input.pos,
                ))))
            }
            _ if input.at_word() => Ok(Step::Push(Frame::Parts(Parts::new(
                Mode::Word { head: false },
                input.pos,
            )))),
            _ => Err(input.fault()),
        }
    }

    pub(super) fn receive(&mut self, product: Product, _input: &Input) {
        let Product::Word(word, _) = product else {
            return;
        };
        if self.bracket.is_some() && self.index.is_none() {
            self.index = Some(word);
            return;
        }
        self.elements.push(Element {
            index: self.index.take(),
            value: word,
        });
    }

    pub(super) fn abandon(&mut self, _input: &Input) -> Option<Product> {
        if let Some(index) = self.index.take() {
            self.elements.push(Element {
                index: Some(index),
                value: Word::default(),
            });
        }
        Some(Product::Elements(std::mem::take(&mut self.elements)))
    }
}
