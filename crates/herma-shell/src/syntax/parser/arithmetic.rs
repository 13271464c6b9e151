//! `$((…))`, `$[…]`, `((…))`, `for ((…;…;…))`.

use super::Outcome;
use super::clause::loop_body;
use super::command::{EnclosedFrame, SubFrame, SubKind, Trailer, broken};
use super::frame::{Frame, Product, Step};
use super::input::{Checkpoint, Input};
use super::list::Ends;
use super::parts::{Mode, Parts};
use crate::syntax::{CommandKind, List, Word};

fn read(mode: Mode, input: &Input) -> Outcome {
    Ok(Step::Push(Frame::Parts(Parts::new(mode, input.pos))))
}

/// `$((…))`, which may turn out to be `$( (…) … )`, or `$[…]`.
#[derive(Debug)]
pub(super) struct ArithmeticSub {
    start: usize,
    /// Where the other reading begins; none for `$[`.
    checkpoint: Option<Checkpoint>,
    word: Option<Word>,
}

impl ArithmeticSub {
    /// The input stands behind the opening.
    pub(super) fn new(start: usize, checkpoint: Option<Checkpoint>) -> Self {
        Self {
            start,
            checkpoint,
            word: None,
        }
    }

    pub(super) fn step(&mut self, input: &mut Input) -> Outcome {
        match self.word.take() {
            Some(mut word) => {
                word.span = input.span(self.start, input.pos);
                Ok(Step::Pop(Product::Word(word, 0)))
            }
            None if self.checkpoint.is_some() => read(Mode::Arithmetic, input),
            None => read(Mode::Bracketed, input),
        }
    }

    pub(super) fn receive(&mut self, product: Product, _input: &Input) {
        if let Product::Word(word, _) = product {
            self.word = Some(word);
        }
    }

    pub(super) fn abandon(&mut self, _input: &Input) -> Option<Product> {
        Some(Product::Word(self.word.take()?, 0))
    }

    pub(super) fn has_other_reading(&self) -> bool {
        self.checkpoint.is_some()
    }

    pub(super) fn other_reading(self, input: &mut Input) -> Option<Frame> {
        input.refuse(self.checkpoint?);
        input.eat(b"$(");
        Some(Frame::Sub(SubFrame::new(SubKind::Command, self.start)))
    }
}

/// `((…))`, which may turn out to be `( (…) … )`.
#[derive(Debug)]
pub(super) struct ArithmeticCommand {
    start: usize,
    checkpoint: Checkpoint,
    word: Option<Word>,
}

impl ArithmeticCommand {
    /// Steps over `((`.
    pub(super) fn new(input: &mut Input) -> Self {
        let start = input.pos;
        let checkpoint = input.checkpoint();
        input.eat(b"((");
        Self {
            start,
            checkpoint,
            word: None,
        }
    }

    pub(super) fn step(&mut self, input: &mut Input) -> Outcome {
        match self.word.take() {
            Some(word) => Trailer::step_for(CommandKind::Arithmetic(word), self.start),
            None => read(Mode::Arithmetic, input),
        }
    }

    pub(super) fn receive(&mut self, product: Product, _input: &Input) {
        if let Product::Word(word, _) = product {
            self.word = Some(word);
        }
    }

    pub(super) fn abandon(&mut self, input: &Input) -> Option<Product> {
        let word = self.word.take()?;
        Some(Product::Command(
            broken(CommandKind::Arithmetic(word), self.start, input),
            true,
        ))
    }

    pub(super) fn other_reading(self, input: &mut Input) -> Frame {
        input.refuse(self.checkpoint);
        input.eat(b"(");
        Frame::Enclosed(EnclosedFrame::new(self.start, Ends::Paren))
    }
}

/// `for ((…;…;…))`
#[derive(Debug)]
pub(super) struct ArithmeticFor {
    start: usize,
    expressions: Vec<Word>,
    closed: bool,
    body: Option<List>,
}

impl ArithmeticFor {
    /// Steps over `((`.
    pub(super) fn new(start: usize, input: &mut Input) -> Self {
        input.eat(b"((");
        Self {
            start,
            expressions: Vec::new(),
            closed: false,
            body: None,
        }
    }

    fn kind(&mut self) -> CommandKind {
        CommandKind::ArithmeticFor {
            expressions: std::mem::take(&mut self.expressions),
            body: self.body.take().unwrap_or_default(),
        }
    }

    pub(super) fn step(&mut self, input: &mut Input) -> Outcome {
        if self.body.is_some() {
            return Trailer::step_for(self.kind(), self.start);
        }
        if !self.closed {
            return read(Mode::Clause, input);
        }
        if self.expressions.len() != 3 {
            return Err(input.fault());
        }
        input.skip_gap();
        if input.peek() == Some(b';') && !input.at(b";;") {
            input.pos += 1;
        }
        input.skip_newlines()?;
        loop_body(input, true)
    }

    pub(super) fn receive(&mut self, product: Product, _input: &Input) {
        match product {
            Product::Word(word, stop) => {
                self.expressions.push(word);
                self.closed = stop == b')';
            }
            Product::List(list, _) => self.body = Some(list),
            _ => {}
        }
    }

    pub(super) fn abandon(&mut self, input: &Input) -> Option<Product> {
        Some(Product::Command(
            broken(self.kind(), self.start, input),
            true,
        ))
    }
}
