//! Functions.

use std::rc::Rc;

use super::Outcome;
use super::command::{Place, broken, command};
use super::frame::{Frame, Product, Step};
use super::input::Input;
use super::parts::{Mode, Parts};
use super::redirect::RedirectFrame;
use crate::syntax::{Command, CommandKind, List, Part, Simple, Text, Word};

/// `name() command`, `function name [()] command`; in zsh any number of names, and without one the
/// function is called at once with the words behind it.
#[derive(Debug)]
pub(super) struct FunctionFrame {
    start: usize,
    names: Vec<Vec<u8>>,
    /// All names are read.
    named: bool,
    /// Where the name began, while it is read.
    name_start: Option<usize>,
    body: Option<Command>,
    closed: bool,
    call: Simple,
}

/// What a function without a name is called.
const ANONYMOUS: &[u8] = b"(anon)";

impl FunctionFrame {
    pub(super) fn keyword(start: usize) -> Self {
        Self {
            start,
            names: Vec::new(),
            named: false,
            name_start: None,
            body: None,
            closed: true,
            call: Simple::default(),
        }
    }

    /// Behind `name()`.
    pub(super) fn named(start: usize, names: Vec<Vec<u8>>) -> Self {
        Self {
            names,
            named: true,
            ..Self::keyword(start)
        }
    }

    fn kind(&mut self, body: Command, span: crate::source::Span) -> CommandKind {
        let body = Rc::new(body);
        let mut names = std::mem::take(&mut self.names);
        let anonymous = names.is_empty();
        if anonymous {
            names.push(ANONYMOUS.to_vec());
        }
        let mut kinds: Vec<CommandKind> = names
            .into_iter()
            .map(|name| CommandKind::Function {
                name,
                body: Rc::clone(&body),
            })
            .collect();
        if anonymous {
            let mut call = std::mem::take(&mut self.call);
            let text = Text {
                bytes: ANONYMOUS.to_vec(),
                at: span.start,
            };
            let name = Word {
                parts: vec![Part::Quoted(text)],
                span,
            };
            call.words.insert(0, name);
            kinds.push(CommandKind::Simple(call));
        }
        if kinds.len() == 1
            && let Some(kind) = kinds.pop()
        {
            return kind;
        }
        let commands = kinds.into_iter().map(|kind| Command {
            kind,
            redirects: Vec::new(),
            span,
        });
        CommandKind::Group(List {
            items: commands.map(super::clause::line).collect(),
        })
    }

    pub(super) fn step(&mut self, input: &mut Input) -> Outcome {
        if self.body.is_some() {
            return self.behind_body(input);
        }
        if self.named {
            input.skip_newlines()?;
            return command(input, Place::Body).map(Step::Push);
        }
        let Some(start) = self.name_start.take() else {
            input.skip_blanks();
            if input.zsh() {
                if let Some(end) = input.empty_parens() {
                    input.pos = end;
                    self.named = true;
                    return Ok(Step::Stay);
                }
                let brace = input.bare_word().is_some_and(|(word, _)| &*word == b"{");
                if brace || !self.names.is_empty() && !input.at_word() {
                    self.named = true;
                    return Ok(Step::Stay);
                }
            }
            if !input.at_word() {
                return Err(input.fault());
            }
            self.name_start = Some(input.pos);
            return Ok(Step::Push(Frame::Parts(Parts::new(
                Mode::Word { head: true },
                input.pos,
            ))));
        };
        self.names.push(input.joined_slice(start, input.pos));
        if input.zsh() {
            return Ok(Step::Stay);
        }
        input.skip_blanks();
        if let Some(end) = input.empty_parens() {
            input.pos = end;
        }
        self.named = true;
        Ok(Step::Stay)
    }

    fn behind_body(&mut self, input: &mut Input) -> Outcome {
        if self.names.is_empty() {
            let end = input.pos;
            input.skip_blanks();
            if let Some(frame) = RedirectFrame::begin(input) {
                return Ok(Step::Push(Frame::Redirect(frame)));
            }
            let brace = input.bare_word().is_some_and(|(word, _)| &*word == b"}");
            if input.at_word() && !brace {
                return Ok(Step::Push(Frame::Parts(Parts::new(
                    Mode::Word { head: false },
                    input.pos,
                ))));
            }
            input.pos = end;
        }
        let Some(body) = self.body.take() else {
            return Err(input.fault());
        };
        let span = input.span(self.start, input.pos);
        Ok(Step::Pop(Product::Command(
            Command {
                kind: self.kind(body, span),
                redirects: Vec::new(),
                span,
            },
            self.closed,
        )))
    }

    pub(super) fn receive(&mut self, product: Product, _input: &Input) {
        match product {
            Product::Command(command, closed) => {
                self.body = Some(command);
                self.closed = closed;
            }
            Product::Word(word, _) if self.body.is_some() => self.call.words.push(word),
            Product::Redirect(redirect) => self.call.redirects.push(redirect),
            _ => {}
        }
    }

    pub(super) fn abandon(&mut self, input: &Input) -> Option<Product> {
        let body = self.body.take()?;
        let span = input.span(self.start, input.pos);
        let kind = self.kind(body, span);
        Some(Product::Command(broken(kind, self.start, input), true))
    }
}
