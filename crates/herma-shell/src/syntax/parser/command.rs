//! Commands: which one begins here, groups, functions, coprocesses, substitutions.

use std::rc::Rc;

use super::Outcome;
use super::arithmetic::{ArithmeticCommand, ArithmeticFor};
use super::clause::{CaseFrame, ForFrame, IfFrame, WhileFrame};
use super::frame::{Frame, Product, Step};
use super::function::FunctionFrame;
use super::input::Input;
use super::list::{Ends, ListFrame};
use super::redirect::RedirectFrame;
use super::short::RepeatFrame;
use super::simple::SimpleFrame;
use super::test_command::TestFrame;
use crate::syntax::{Command, CommandKind, CommandSub, List, Part, Redirect};

/// Where a command stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    List,
    /// A function's body: bash wants a compound command there.
    Body,
    Coprocess,
}

/// The frame for the command that begins at the position.
pub(super) fn command(input: &mut Input, place: Place) -> Outcome<Frame> {
    let Some(byte) = input.peek() else {
        return Err(input.fault());
    };
    let start = input.pos;
    match byte {
        b'(' if input.bash() && input.peek_second() == Some(b'(') && !input.refused(start) => {
            return Ok(Frame::ArithmeticCommand(ArithmeticCommand::new(input)));
        }
        b'(' if input.zsh() && input.empty_parens().is_some() => {
            input.pos = input.empty_parens().unwrap_or(start + 1);
            return Ok(Frame::Function(FunctionFrame::named(start, Vec::new())));
        }
        b'(' => {
            input.pos += 1;
            return Ok(Frame::Enclosed(EnclosedFrame::new(start, Ends::Paren)));
        }
        b')' | b';' | b'\n' | b'|' => return Err(input.fault()),
        b'&' if !(input.bash() && input.at(b"&>")) => return Err(input.fault()),
        _ => {}
    }
    if let Some((word, end)) = input.bare_word() {
        let bash = input.bash();
        let frame = match &*word {
            b"{" => Frame::Enclosed(EnclosedFrame::new(start, Ends::Brace)),
            b"if" => Frame::If(IfFrame::new(start)),
            word @ (b"while" | b"until") => Frame::While(WhileFrame::new(start, word == b"until")),
            b"case" => Frame::Case(CaseFrame::new(start)),
            b"for" => {
                input.pos = end;
                input.skip_blanks();
                if bash && input.at(b"((") {
                    return Ok(Frame::ArithmeticFor(ArithmeticFor::new(start, input)));
                }
                Frame::For(ForFrame::new(start, false))
            }
            b"foreach" if input.zsh() => return Err(input.fault()),
            b"repeat" if input.zsh() => Frame::Repeat(RepeatFrame::new(start)),
            b"select" if bash => Frame::For(ForFrame::new(start, true)),
            b"[[" if bash => Frame::Test(TestFrame::new(start)),
            b"function" if bash => Frame::Function(FunctionFrame::keyword(start)),
            b"coproc" if bash && place == Place::List => {
                Frame::Coprocess(CoprocessFrame::new(start))
            }
            b"in" | b"then" | b"do" | b"}" | b"fi" | b"done" | b"esac" | b"elif" | b"else" => {
                return Err(input.fault());
            }
            b"]]" if bash => return Err(input.fault()),
            b"!" => return Err(input.fault()),
            _ => return simple(input, place),
        };
        if !matches!(frame, Frame::For(_)) || input.pos < end {
            input.pos = end;
        }
        return Ok(frame);
    }
    simple(input, place)
}

fn simple(input: &mut Input, place: Place) -> Outcome<Frame> {
    if place == Place::Body && input.bash() && !input.zsh() {
        return Err(input.fault());
    }
    Ok(Frame::Simple(SimpleFrame::new(
        input.pos,
        place == Place::List,
    )))
}

/// Behind a compound command: its redirections.
#[derive(Debug)]
pub(super) struct Trailer {
    kind: Option<CommandKind>,
    redirects: Vec<Redirect>,
    start: usize,
}

impl Trailer {
    pub(super) fn frame(kind: CommandKind, start: usize) -> Frame {
        Frame::Trailer(Self {
            kind: Some(kind),
            redirects: Vec::new(),
            start,
        })
    }

    /// The finished compound.
    pub(super) fn step_for(kind: CommandKind, start: usize) -> Outcome {
        Ok(Step::Become(Self::frame(kind, start)))
    }

    pub(super) fn step(&mut self, input: &mut Input) -> Outcome {
        let end = input.pos;
        input.skip_blanks();
        if let Some(frame) = RedirectFrame::begin(input) {
            return Ok(Step::Push(Frame::Redirect(frame)));
        }
        let closed = self.redirects.is_empty();
        let kind = self.kind.take().unwrap_or_else(nothing);
        Ok(Step::Pop(Product::Command(
            Command {
                kind,
                redirects: std::mem::take(&mut self.redirects),
                span: input.span(self.start, end),
            },
            closed,
        )))
    }

    pub(super) fn receive(&mut self, product: Product, _input: &Input) {
        if let Product::Redirect(redirect) = product {
            self.redirects.push(redirect);
        }
    }

    pub(super) fn abandon(&mut self, input: &Input) -> Option<Product> {
        let mut command = broken(self.kind.take()?, self.start, input);
        command.redirects = std::mem::take(&mut self.redirects);
        Some(Product::Command(command, true))
    }
}

fn nothing() -> CommandKind {
    CommandKind::Group(List::default())
}

/// A command that an error cut short.
pub(super) fn broken(kind: CommandKind, start: usize, input: &Input) -> Command {
    Command {
        kind,
        redirects: Vec::new(),
        span: input.span(start, input.pos),
    }
}

/// `( list )`, `{ list; }`
#[derive(Debug)]
pub(super) struct EnclosedFrame {
    start: usize,
    ends: Ends,
    list: Option<List>,
    /// What stands in front of `always`.
    tried: Option<List>,
}

impl EnclosedFrame {
    pub(super) fn new(start: usize, ends: Ends) -> Self {
        Self {
            start,
            ends,
            list: None,
            tried: None,
        }
    }

    fn kind(&mut self, mut list: List) -> CommandKind {
        if self.ends == Ends::Brace {
            if let Some(mut tried) = self.tried.take() {
                tried.items.append(&mut list.items);
                list = tried;
            }
            CommandKind::Group(list)
        } else {
            CommandKind::Subshell(list)
        }
    }

    pub(super) fn step(&mut self, input: &mut Input) -> Outcome {
        if input.zsh() && self.ends == Ends::Brace && self.list.is_some() && self.tried.is_none() {
            let end = input.pos;
            input.skip_blanks();
            match input.bare_word() {
                Some((word, behind)) if &*word == b"always" => {
                    input.pos = behind;
                    input.skip_newlines()?;
                    if !input.eat(b"{") {
                        return Err(input.fault());
                    }
                    self.tried = self.list.take();
                }
                _ => input.pos = end,
            }
        }
        let zsh = input.zsh();
        match self.list.take() {
            None => Ok(Step::Push(Frame::List(ListFrame::new(self.ends, zsh)))),
            Some(list) => Trailer::step_for(self.kind(list), self.start),
        }
    }

    pub(super) fn receive(&mut self, product: Product, _input: &Input) {
        if let Product::List(list, _) = product {
            self.list = Some(list);
        }
    }

    pub(super) fn abandon(&mut self, input: &Input) -> Option<Product> {
        let list = self.list.take()?;
        Some(Product::Command(
            broken(self.kind(list), self.start, input),
            true,
        ))
    }
}

/// `coproc [NAME] command`
#[derive(Debug)]
pub(super) struct CoprocessFrame {
    start: usize,
    name: Option<Vec<u8>>,
    command: Option<Command>,
    closed: bool,
}

impl CoprocessFrame {
    fn new(start: usize) -> Self {
        Self {
            start,
            name: None,
            command: None,
            closed: true,
        }
    }

    pub(super) fn step(&mut self, input: &mut Input) -> Outcome {
        if let Some(command) = self.command.take() {
            let end = input.pos;
            return Ok(Step::Pop(Product::Command(
                Command {
                    kind: CommandKind::Coprocess {
                        name: self.name.take(),
                        body: Rc::new(command),
                    },
                    redirects: Vec::new(),
                    span: input.span(self.start, end),
                },
                self.closed,
            )));
        }
        input.skip_blanks();
        if !input.zsh()
            && let Some((name, end)) = name_before_compound(input)
        {
            self.name = Some(name);
            input.pos = end;
        }
        command(input, Place::Coprocess).map(Step::Push)
    }

    pub(super) fn receive(&mut self, product: Product, _input: &Input) {
        if let Product::Command(command, closed) = product {
            self.command = Some(command);
            self.closed = closed;
        }
    }

    pub(super) fn abandon(&mut self, input: &Input) -> Option<Product> {
        let body = Rc::new(self.command.take()?);
        let name = self.name.take();
        Some(Product::Command(
            broken(CommandKind::Coprocess { name, body }, self.start, input),
            true,
        ))
    }
}

/// The plain name in front of a compound command, and where the latter begins.
fn name_before_compound(input: &mut Input) -> Option<(Vec<u8>, usize)> {
    let begins = |word: &[u8]| {
        matches!(
            word,
            b"{" | b"if" | b"while" | b"until" | b"for" | b"case" | b"select" | b"[["
        )
    };
    if let Some((word, _)) = input.bare_word()
        && begins(&word)
    {
        return None;
    }
    let mut index = input.joined(input.pos);
    let mut name = Vec::new();
    while let Some(byte) = input.raw(index)
        && !b" \t\n;&|()<>'\"`\\$".contains(&byte)
    {
        name.push(byte);
        index = input.joined(index + 1);
    }
    let end = index;
    while matches!(input.raw(index), Some(b' ' | b'\t')) {
        index = input.joined(index + 1);
    }
    if name.is_empty() || index == end {
        return None;
    }
    let compound = input.raw(index) == Some(b'(')
        || input
            .bare_word_at(index)
            .is_some_and(|(word, _)| begins(&word));
    compound.then_some((name, index))
}

/// What a substitution is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SubKind {
    /// `$(…)`
    Command,
    /// `${ …; }`, `${| …; }`
    Current,
    /// `<(…)`
    Input,
    /// `>(…)`
    Output,
}

/// A substitution; the input stands behind its opening.
#[derive(Debug)]
pub(super) struct SubFrame {
    kind: SubKind,
    start: usize,
    /// The scope of here-documents around it, and what ends that.
    outer: Option<(usize, Option<u8>)>,
    list: Option<List>,
}

impl SubFrame {
    pub(super) fn new(kind: SubKind, start: usize) -> Self {
        Self {
            kind,
            start,
            outer: None,
            list: None,
        }
    }

    fn part(&self, list: List, span: crate::source::Span) -> Part {
        match self.kind {
            SubKind::Command | SubKind::Current => Part::Command(CommandSub {
                list,
                current_shell: self.kind == SubKind::Current,
                span,
            }),
            SubKind::Input | SubKind::Output => Part::Process {
                input: self.kind == SubKind::Input,
                list,
                span,
            },
        }
    }

    pub(super) fn step(&mut self, input: &mut Input) -> Outcome {
        let Some(list) = self.list.take() else {
            self.outer = Some((input.scope, input.closer));
            input.scope = input.pending.len();
            let (ends, closer) = if self.kind == SubKind::Current {
                (Ends::Current, b'}')
            } else {
                (Ends::Paren, b')')
            };
            input.closer = Some(closer);
            return Ok(Step::Push(Frame::List(ListFrame::new(ends, true))));
        };
        let span = input.span(self.start, input.pos);
        let (scope, closer) = self.outer.unwrap_or_default();
        input.hand_out(scope);
        input.closer = closer;
        Ok(Step::Pop(Product::Part(self.part(list, span))))
    }

    pub(super) fn receive(&mut self, product: Product, _input: &Input) {
        if let Product::List(list, _) = product {
            self.list = Some(list);
        }
    }

    pub(super) fn abandon(&mut self, input: &Input) -> Option<Product> {
        let list = self.list.take()?;
        let span = input.span(self.start, input.pos);
        Some(Product::Part(self.part(list, span)))
    }
}

impl Input {
    /// Whether a word can begin here.
    pub(super) fn at_word(&mut self) -> bool {
        match self.peek() {
            None | Some(b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b'(' | b')' | b'#') => false,
            Some(b'<' | b'>') => self.bash() && self.peek_second() == Some(b'('),
            Some(_) => true,
        }
    }

    /// Where `()` ends, if it stands here.
    pub(super) fn empty_parens(&mut self) -> Option<usize> {
        if self.peek() != Some(b'(') {
            return None;
        }
        let mut index = self.joined(self.pos + 1);
        while matches!(self.raw(index), Some(b' ' | b'\t')) {
            index = self.joined(index + 1);
        }
        (self.raw(index) == Some(b')')).then_some(index + 1)
    }
}
