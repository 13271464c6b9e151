//! `[[ … ]]`

use super::Outcome;
use super::command::{Trailer, broken};
use super::frame::{Frame, Product, Step};
use super::input::Input;
use super::parts::{Mode, Parts};
use crate::syntax::{CommandKind, Part, Text, Word};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Before a term.
    Term,
    /// Behind a unary operator.
    Operand,
    /// Behind the first word of a term.
    First,
    /// Behind a binary operator.
    Right,
    /// Behind `=~`.
    Regex,
    /// Behind a term.
    After,
}

#[derive(Debug)]
pub(super) struct TestFrame {
    start: usize,
    words: Vec<Word>,
    state: State,
    parens: usize,
}

impl TestFrame {
    pub(super) fn new(start: usize) -> Self {
        Self {
            start,
            words: Vec::new(),
            state: State::Term,
            parens: 0,
        }
    }

    fn word(&self, input: &mut Input) -> Outcome {
        input.skip_blanks();
        let mode = if self.state == State::Regex {
            Mode::Regex
        } else {
            Mode::Word { head: false }
        };
        let begins = input.at_word()
            || (self.state == State::Regex && matches!(input.peek(), Some(b'(' | b'|')));
        if !begins || self.closes(input).is_some() {
            return Err(input.fault());
        }
        Ok(Step::Push(Frame::Parts(Parts::new(mode, input.pos))))
    }

    /// Where `]]` ends, if it stands here.
    fn closes(&self, input: &mut Input) -> Option<usize> {
        match input.bare_word() {
            Some((word, end)) if &*word == b"]]" => Some(end),
            _ => None,
        }
    }

    /// Takes an operator as a literal word.
    fn operator(&mut self, text: &[u8], input: &mut Input) -> bool {
        let start = input.pos;
        if !input.eat(text) {
            return false;
        }
        let at = input.origin(start);
        self.words.push(Word {
            parts: vec![Part::Literal(Text {
                bytes: text.to_vec(),
                at,
            })],
            span: input.span(start, input.pos),
        });
        true
    }

    pub(super) fn step(&mut self, input: &mut Input) -> Outcome {
        match self.state {
            State::Term => self.term(input),
            State::Operand | State::Right | State::Regex => self.word(input),
            State::First => self.binary(input),
            State::After => {
                input.skip_newlines()?;
                self.join(input)
            }
        }
    }

    fn term(&mut self, input: &mut Input) -> Outcome {
        input.skip_newlines()?;
        if self.operator(b"(", input) {
            self.parens += 1;
            return Ok(Step::Stay);
        }
        match input.bare_word() {
            Some((word, _)) if &*word == b"!" => {
                self.operator(b"!", input);
                return Ok(Step::Stay);
            }
            _ => {}
        }
        if let Some(length) = unary(input) {
            let text = input.joined_slice(input.pos, length);
            self.operator(&text, input);
            self.state = State::Operand;
            return Ok(Step::Stay);
        }
        self.word(input)
    }

    /// Behind the first word: a binary operator, or the term is complete.
    fn binary(&mut self, input: &mut Input) -> Outcome {
        input.skip_blanks();
        for text in [&b"&&"[..], b"||", b")"] {
            if input.at(text) {
                return self.join(input);
            }
        }
        if self.closes(input).is_some() {
            return self.join(input);
        }
        let from = input.pos;
        for text in [&b"<"[..], b">"] {
            if self.operator(text, input) {
                self.state = State::Right;
                return Ok(Step::Stay);
            }
        }
        let mut end = from;
        while input.raw(end).is_some_and(|byte| {
            matches!(byte, b'=' | b'!' | b'~' | b'-') || byte.is_ascii_lowercase()
        }) && end < from + 16
        {
            end = input.joined(end + 1);
        }
        let text = input.joined_slice(from, end);
        let ended = matches!(
            input.raw(end),
            None | Some(b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b'(' | b')' | b'<' | b'>')
        );
        let state = match text.as_slice() {
            b"=~" => State::Regex,
            b"=" | b"==" | b"!=" | b"-eq" | b"-ne" | b"-lt" | b"-le" | b"-gt" | b"-ge" | b"-nt"
            | b"-ot" | b"-ef" => State::Right,
            _ => return Err(input.fault()),
        };
        if !ended {
            return Err(input.fault());
        }
        self.operator(&text, input);
        self.state = state;
        Ok(Step::Stay)
    }

    /// Behind a term.
    fn join(&mut self, input: &mut Input) -> Outcome {
        if self.operator(b"&&", input) || self.operator(b"||", input) {
            self.state = State::Term;
            return Ok(Step::Stay);
        }
        if self.parens > 0 && self.operator(b")", input) {
            self.parens -= 1;
            self.state = State::After;
            return Ok(Step::Stay);
        }
        match self.closes(input) {
            Some(end) if self.parens == 0 => {
                input.pos = end;
                let words = std::mem::take(&mut self.words);
                Trailer::step_for(CommandKind::Test(words), self.start)
            }
            _ => Err(input.fault()),
        }
    }

    pub(super) fn receive(&mut self, product: Product, _input: &Input) {
        if let Product::Word(word, _) = product {
            self.words.push(word);
            self.state = if self.state == State::Term {
                State::First
            } else {
                State::After
            };
        }
    }

    pub(super) fn abandon(&mut self, input: &Input) -> Option<Product> {
        let words = std::mem::take(&mut self.words);
        Some(Product::Command(
            broken(CommandKind::Test(words), self.start, input),
            true,
        ))
    }
}

/// Where a unary operator (`-f`, …) ends, if one stands here.
fn unary(input: &mut Input) -> Option<usize> {
    if input.peek() != Some(b'-') {
        return None;
    }
    let letter = input.joined(input.pos + 1);
    let known = input
        .raw(letter)
        .is_some_and(|byte| b"abcdefghknoprstuvwxzGLNORS".contains(&byte));
    let end = input.joined(letter + 1);
    let ended = matches!(
        input.raw(end),
        None | Some(b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b'(' | b')' | b'<' | b'>')
    );
    (known && ended).then_some(end)
}
