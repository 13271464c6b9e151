//! `repeat` of zsh.

use super::Outcome;
use super::clause::{line, loop_body};
use super::command::{Trailer, broken};
use super::frame::{Frame, Product, Step};
use super::input::Input;
use super::parts::{Mode, Parts};
use crate::syntax::{CommandKind, List, Part, Word};

/// So many rounds are followed one by one.
const ROUNDS: usize = 8;

/// `repeat COUNT body`
#[derive(Debug)]
pub(super) struct RepeatFrame {
    start: usize,
    count: Option<Word>,
    body: Option<List>,
}

impl RepeatFrame {
    pub(super) fn new(start: usize) -> Self {
        Self {
            start,
            count: None,
            body: None,
        }
    }

    fn kind(&mut self) -> CommandKind {
        let count = self.count.take().unwrap_or_default();
        let body = self.body.take().unwrap_or_default();
        let rounds = match count.parts.as_slice() {
            [Part::Literal(text) | Part::Quoted(text)] => std::str::from_utf8(&text.bytes)
                .ok()
                .and_then(|text| text.parse::<usize>().ok()),
            _ => None,
        };
        match rounds {
            Some(rounds) if rounds <= ROUNDS => CommandKind::For {
                variable: b"(repeat)".to_vec(),
                words: Some(vec![count; rounds]),
                body,
                select: false,
            },
            _ => CommandKind::While {
                until: false,
                condition: List {
                    items: vec![line(crate::syntax::Command {
                        kind: CommandKind::Simple(crate::syntax::Simple {
                            words: vec![Word {
                                span: count.span,
                                parts: vec![Part::Quoted(crate::syntax::Text {
                                    bytes: b"read".to_vec(),
                                    at: count.span.start,
                                })],
                            }],
                            ..crate::syntax::Simple::default()
                        }),
                        redirects: Vec::new(),
                        span: count.span,
                    })],
                },
                body,
            },
        }
    }

    pub(super) fn step(&mut self, input: &mut Input) -> Outcome {
        if self.count.is_none() {
            input.skip_blanks();
            if !input.at_word() {
                return Err(input.fault());
            }
            return Ok(Step::Push(Frame::Parts(Parts::new(
                Mode::Word { head: false },
                input.pos,
            ))));
        }
        if self.body.is_none() {
            input.skip_blanks();
            if input.eat(b";") || input.peek() == Some(b'\n') {
                input.skip_newlines()?;
            }
            return loop_body(input, true);
        }
        Trailer::step_for(self.kind(), self.start)
    }

    pub(super) fn receive(&mut self, product: Product, _input: &Input) {
        match product {
            Product::Word(word, _) => self.count = Some(word),
            Product::List(list, _) => self.body = Some(list),
            Product::Command(command, _) => {
                self.body = Some(List {
                    items: vec![line(command)],
                });
            }
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
