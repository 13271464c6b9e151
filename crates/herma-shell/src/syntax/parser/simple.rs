//! Simple commands: assignments, words, redirections.

use super::Outcome;
use super::array::AssignmentFrame;
use super::frame::{Frame, Product, Step};
use super::function::FunctionFrame;
use super::input::Input;
use super::parts::{Mode, Parts};
use super::redirect::RedirectFrame;
use crate::syntax::{Command, CommandKind, Part, Simple, Word};

/// Builtins behind which `name=(…)` is an array.
const DECLARING: [&[u8]; 8] = [
    b"alias",
    b"declare",
    b"eval",
    b"export",
    b"let",
    b"local",
    b"readonly",
    b"typeset",
];

#[derive(Debug)]
pub(super) struct SimpleFrame {
    start: usize,
    simple: Simple,
    /// `name()` may turn this into a function.
    may_define: bool,
    declares: bool,
    /// Where the first word stands.
    first: (usize, usize),
}

impl SimpleFrame {
    pub(super) fn new(start: usize, may_define: bool) -> Self {
        Self {
            start,
            simple: Simple::default(),
            may_define,
            declares: false,
            first: (start, start),
        }
    }

    fn is_empty(&self) -> bool {
        let Simple {
            assignments,
            words,
            redirects,
        } = &self.simple;
        assignments.is_empty() && words.is_empty() && redirects.is_empty()
    }

    pub(super) fn step(&mut self, input: &mut Input) -> Outcome {
        let end = input.pos;
        if self.simple.words.len() == 1 && self.first.1 == self.start {
            self.first.1 = end;
        }
        input.skip_blanks();
        match input.peek() {
            Some(b'(') if !(input.zsh() && self.is_argument(input)) => {
                return self.parenthesis(input);
            }
            None | Some(b'\n' | b';' | b'|' | b')' | b'#') => return self.finish(end, input),
            Some(b'&') if !(input.bash() && input.at(b"&>")) => return self.finish(end, input),
            Some(b'}')
                if input.zsh()
                    && !self.is_empty()
                    && input.bare_word().is_some_and(|(word, _)| &*word == b"}") =>
            {
                return self.finish(end, input);
            }
            _ => {}
        }
        if let Some(frame) = RedirectFrame::begin(input) {
            return Ok(Step::Push(Frame::Redirect(frame)));
        }
        if self.simple.words.is_empty() {
            if let Some(frame) = AssignmentFrame::begin(input) {
                return Ok(Step::Push(Frame::Assignment(frame)));
            }
            self.first = (input.pos, self.start);
        } else if self.declares
            && let Some(frame) = AssignmentFrame::declared(input)
        {
            return Ok(Step::Push(Frame::Assignment(frame)));
        }
        let head = self.simple.words.is_empty();
        Ok(Step::Push(Frame::Parts(Parts::new(
            Mode::Word { head },
            input.pos,
        ))))
    }

    /// zsh: an argument that begins with a group of patterns.
    fn is_argument(&self, input: &mut Input) -> bool {
        !self.simple.words.is_empty() && input.empty_parens().is_none()
    }

    /// The names in front of `()`, if they are nothing else.
    fn names(&self) -> Option<Vec<Vec<u8>>> {
        let mut names = Vec::new();
        for word in &self.simple.words {
            let mut name = Vec::new();
            for part in &word.parts {
                match part {
                    Part::Literal(text) | Part::Quoted(text) => name.extend_from_slice(&text.bytes),
                    _ => return None,
                }
            }
            names.push(name);
        }
        Some(names)
    }

    fn finish(&mut self, end: usize, input: &Input) -> Outcome {
        if self.is_empty() {
            return Err(input.fault());
        }
        Ok(Step::Pop(Product::Command(
            Command {
                kind: CommandKind::Simple(std::mem::take(&mut self.simple)),
                redirects: Vec::new(),
                span: input.span(self.start, end),
            },
            false,
        )))
    }

    /// At `(`: a function, or an error.
    fn parenthesis(&mut self, input: &mut Input) -> Outcome {
        let alone = self.may_define
            && (self.simple.words.len() == 1 || input.zsh() && !self.simple.words.is_empty())
            && self.simple.assignments.is_empty()
            && self.simple.redirects.is_empty();
        match input.empty_parens() {
            Some(end) if alone => {
                let names = if input.zsh() {
                    self.names().ok_or_else(|| input.fault())?
                } else {
                    vec![input.joined_slice(self.first.0, self.first.1)]
                };
                input.pos = end;
                self.simple.words.clear();
                Ok(Step::Become(Frame::Function(FunctionFrame::named(
                    self.start, names,
                ))))
            }
            _ => Err(input.fault()),
        }
    }

    pub(super) fn receive(&mut self, product: Product, _input: &Input) {
        match product {
            Product::Word(word, _) => {
                if self.simple.words.is_empty() {
                    self.declares = DECLARING.iter().any(|name| is_plain(&word, name));
                }
                self.simple.words.push(word);
            }
            Product::Assignment(assignment) => self.simple.assignments.push(assignment),
            Product::Redirect(redirect) => {
                self.simple.redirects.push(redirect);
            }
            _ => {}
        }
    }

    pub(super) fn abandon(&mut self, input: &Input) -> Option<Product> {
        if self.is_empty() {
            return None;
        }
        let simple = std::mem::take(&mut self.simple);
        Some(Product::Command(
            super::command::broken(CommandKind::Simple(simple), self.start, input),
            false,
        ))
    }
}

/// The word is `text`, unquoted.
fn is_plain(word: &Word, text: &[u8]) -> bool {
    let mut rest = text;
    for part in &word.parts {
        let Part::Literal(literal) = part else {
            return false;
        };
        match rest.strip_prefix(literal.bytes.as_slice()) {
            Some(left) => rest = left,
            None => return false,
        }
    }
    rest.is_empty()
}
