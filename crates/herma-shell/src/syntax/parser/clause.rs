//! `if`, `while`, `for`, `select`, `case`.

use super::Outcome;
use super::command::{Trailer, broken};
use super::frame::{Frame, Product, Step};
use super::input::Input;
use super::list::{End, Ends, ListFrame};
use super::parts::{Mode, Parts};
use crate::syntax::{
    AndOr, Arm, Assignment, Command, CommandKind, List, Part, Pipeline, Simple, Word,
};

fn list(ends: Ends, may_be_empty: bool) -> Outcome {
    Ok(Step::Push(Frame::List(ListFrame::new(ends, may_be_empty))))
}

#[derive(Debug)]
pub(super) struct IfFrame {
    start: usize,
    branches: Vec<(List, List)>,
    condition: Option<List>,
    otherwise: Option<List>,
    /// What ended the last list.
    last: Option<End>,
    /// The body stands without reserved words.
    short: bool,
}

impl IfFrame {
    pub(super) fn new(start: usize) -> Self {
        Self {
            start,
            branches: Vec::new(),
            condition: None,
            otherwise: None,
            last: None,
            short: false,
        }
    }

    fn kind(&mut self) -> CommandKind {
        if let Some(condition) = self.condition.take() {
            self.branches.push((condition, List::default()));
        }
        CommandKind::If {
            branches: std::mem::take(&mut self.branches),
            otherwise: self.otherwise.take(),
        }
    }

    pub(super) fn step(&mut self, input: &mut Input) -> Outcome {
        if self.short && self.condition.is_none() {
            // `elif` and `else` may follow; `fi` does not.
            let end = input.pos;
            input.skip_blanks();
            let next = input.bare_word();
            match next.as_ref().map(|(word, end)| (&**word, *end)) {
                Some((b"elif", end)) => {
                    input.pos = end;
                    self.short = false;
                    self.last = Some(End::Elif);
                }
                Some((b"else", end)) if self.otherwise.is_none() => {
                    input.pos = end;
                    input.skip_newlines()?;
                    self.last = Some(End::Else);
                    return short_body(input);
                }
                _ => {
                    input.pos = end;
                    return Trailer::step_for(self.kind(), self.start);
                }
            }
        }
        match self.last {
            Some(End::Short) => {
                self.short = true;
                short_body(input)
            }
            None | Some(End::Elif) => list(Ends::Then, false),
            Some(End::Then) => list(Ends::Branch, false),
            Some(End::Else) => list(Ends::Fi, false),
            _ => Trailer::step_for(self.kind(), self.start),
        }
    }

    pub(super) fn receive(&mut self, product: Product, _input: &Input) {
        let (list, end) = match product {
            Product::List(list, end) => (list, end),
            Product::Command(command, _) => (
                List {
                    items: vec![line(command)],
                },
                End::Brace,
            ),
            _ => return,
        };
        match self.last {
            None | Some(End::Elif) => self.condition = Some(list),
            Some(End::Then | End::Short) => {
                let condition = self.condition.take().unwrap_or_default();
                self.branches.push((condition, list));
            }
            _ => self.otherwise = Some(list),
        }
        self.last = Some(end);
    }

    pub(super) fn abandon(&mut self, input: &Input) -> Option<Product> {
        Some(Product::Command(
            broken(self.kind(), self.start, input),
            true,
        ))
    }
}

/// `while`, `until`
#[derive(Debug)]
pub(super) struct WhileFrame {
    start: usize,
    until: bool,
    condition: Option<List>,
    /// The body stands without reserved words.
    short: bool,
    body: Option<List>,
}

impl WhileFrame {
    pub(super) fn new(start: usize, until: bool) -> Self {
        Self {
            start,
            until,
            condition: None,
            short: false,
            body: None,
        }
    }

    fn kind(&mut self) -> CommandKind {
        CommandKind::While {
            until: self.until,
            condition: self.condition.take().unwrap_or_default(),
            body: self.body.take().unwrap_or_default(),
        }
    }

    pub(super) fn step(&mut self, input: &mut Input) -> Outcome {
        if self.condition.is_none() {
            list(Ends::Do, false)
        } else if self.body.is_none() && self.short {
            short_body(input)
        } else if self.body.is_none() {
            list(Ends::Done, false)
        } else {
            Trailer::step_for(self.kind(), self.start)
        }
    }

    pub(super) fn receive(&mut self, product: Product, _input: &Input) {
        match product {
            Product::List(list, end) if self.condition.is_none() => {
                self.condition = Some(list);
                self.short = end == End::Short;
            }
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

/// Begins the body of a loop: `do … done`, or, where bash takes that, `{ …; }`.
pub(super) fn loop_body(input: &mut Input, brace: bool) -> Outcome {
    let brace = brace && input.bash();
    match input.bare_word() {
        Some((word, end)) if &*word == b"do" => {
            input.pos = end;
            list(Ends::Done, false)
        }
        Some((word, end)) if &*word == b"{" && brace => {
            input.pos = end;
            list(Ends::Brace, false)
        }
        _ if input.zsh() => short_body(input),
        _ => Err(input.fault()),
    }
}

/// A body without `do` or `then`: `{ …; }`, or one command.
pub(super) fn short_body(input: &mut Input) -> Outcome {
    input.skip_newlines()?;
    match input.bare_word() {
        Some((word, end)) if &*word == b"{" => {
            input.pos = end;
            list(Ends::Brace, true)
        }
        _ => super::command::command(input, super::command::Place::List).map(Step::Push),
    }
}

/// One command as a line.
pub(super) fn line(command: Command) -> AndOr {
    AndOr {
        first: Pipeline {
            span: command.span,
            stages: vec![command],
            with_stderr: Vec::new(),
            negated: false,
        },
        rest: Vec::new(),
        background: false,
        begins_line: false,
    }
}

/// `for`, `select`
#[derive(Debug)]
pub(super) struct ForFrame {
    start: usize,
    select: bool,
    name_start: Option<usize>,
    variable: Option<Vec<u8>>,
    /// zsh: the variables behind the first.
    others: Vec<Vec<u8>>,
    /// zsh: the words stand in parentheses.
    enclosed: bool,
    words: Option<Vec<Word>>,
    /// The words are complete.
    listed: bool,
    /// `{` may begin the body: a separator stands in front.
    brace: bool,
    body: Option<List>,
}

impl ForFrame {
    pub(super) fn new(start: usize, select: bool) -> Self {
        Self {
            start,
            select,
            name_start: None,
            variable: None,
            others: Vec::new(),
            enclosed: false,
            words: None,
            listed: false,
            brace: true,
            body: None,
        }
    }

    fn kind(&mut self) -> CommandKind {
        let mut body = self.body.take().unwrap_or_default();
        let span = body
            .items
            .first()
            .map_or_else(Default::default, |item| item.first.span);
        for name in std::mem::take(&mut self.others) {
            // Which of the words it gets is not followed.
            let assignment = Assignment {
                name,
                subscript: None,
                append: false,
                value: Word {
                    parts: vec![Part::Opaque(Vec::new())],
                    span,
                },
                span,
            };
            let kind = CommandKind::Simple(Simple {
                assignments: vec![assignment],
                ..Simple::default()
            });
            let command = Command {
                kind,
                redirects: Vec::new(),
                span,
            };
            body.items.insert(0, line(command));
        }
        CommandKind::For {
            variable: self.variable.take().unwrap_or_default(),
            words: self.words.take(),
            body,
            select: self.select,
        }
    }

    fn word(input: &Input) -> Outcome {
        Ok(Step::Push(Frame::Parts(Parts::new(
            Mode::Word { head: false },
            input.pos,
        ))))
    }

    pub(super) fn step(&mut self, input: &mut Input) -> Outcome {
        if self.body.is_some() {
            return Trailer::step_for(self.kind(), self.start);
        }
        let Some(name_start) = self.name_start else {
            input.skip_blanks();
            if !input.at_word() {
                return Err(input.fault());
            }
            self.name_start = Some(input.pos);
            return Self::word(input);
        };
        if self.variable.is_some() && self.words.is_none() && !self.listed {
            // Behind another variable's name.
            self.others.push(input.joined_slice(name_start, input.pos));
            return self.behind_name(input);
        }
        if self.variable.is_none() {
            self.variable = Some(input.joined_slice(name_start, input.pos));
            return self.behind_name(input);
        }
        if self.listed {
            input.skip_newlines()?;
            return loop_body(input, self.brace);
        }
        if self.enclosed {
            input.skip_newlines()?;
            if input.eat(b")") {
                self.enclosed = false;
                self.listed = true;
                return Ok(Step::Stay);
            }
        }
        input.skip_gap();
        match input.peek() {
            Some(b';') if input.at(b";;") => Err(input.fault()),
            Some(b';') => {
                input.pos += 1;
                self.listed = true;
                Ok(Step::Stay)
            }
            Some(b'\n') => {
                input.newline()?;
                self.listed = true;
                Ok(Step::Stay)
            }
            _ if input.at_word() => Self::word(input),
            _ => Err(input.fault()),
        }
    }

    fn behind_name(&mut self, input: &mut Input) -> Outcome {
        input.skip_gap();
        if input.peek() == Some(b';') && !input.at(b";;") {
            input.pos += 1;
            self.listed = true;
            return Ok(Step::Stay);
        }
        if input.zsh() {
            if input.eat(b"(") {
                self.words = Some(Vec::new());
                self.enclosed = true;
                return Ok(Step::Stay);
            }
            let keyword = input
                .bare_word()
                .is_some_and(|(word, _)| matches!(&*word, b"in" | b"do" | b"{"));
            if !keyword && input.at_word() {
                self.name_start = Some(input.pos);
                return Self::word(input);
            }
        }
        let behind = input.pos;
        input.skip_newlines()?;
        self.brace = input.pos > behind;
        match input.bare_word() {
            Some((word, end)) if &*word == b"in" => {
                input.pos = end;
                self.brace = true;
                self.words = Some(Vec::new());
            }
            _ => self.listed = true,
        }
        Ok(Step::Stay)
    }

    pub(super) fn receive(&mut self, product: Product, _input: &Input) {
        match product {
            Product::Word(word, _) => {
                if let Some(words) = &mut self.words {
                    words.push(word);
                }
            }
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

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CaseState {
    Word,
    In,
    /// Before an arm.
    Arm,
    /// Before a pattern.
    Pattern,
    /// Behind a pattern.
    Patterns,
    End,
}

#[derive(Debug)]
pub(super) struct CaseFrame {
    start: usize,
    state: CaseState,
    word: Option<Word>,
    arms: Vec<Arm>,
    patterns: Vec<Word>,
}

impl CaseFrame {
    pub(super) fn new(start: usize) -> Self {
        Self {
            start,
            state: CaseState::Word,
            word: None,
            arms: Vec::new(),
            patterns: Vec::new(),
        }
    }

    fn kind(&mut self) -> CommandKind {
        if !self.patterns.is_empty() {
            self.close_arm(List::default(), false);
        }
        CommandKind::Case {
            word: self.word.take().unwrap_or_default(),
            arms: std::mem::take(&mut self.arms),
        }
    }

    fn close_arm(&mut self, body: List, falls_through: bool) {
        self.arms.push(Arm {
            patterns: std::mem::take(&mut self.patterns),
            body,
            falls_through,
        });
    }

    pub(super) fn step(&mut self, input: &mut Input) -> Outcome {
        match self.state {
            CaseState::Word | CaseState::Pattern => {
                input.skip_blanks();
                if !input.at_word() {
                    return Err(input.fault());
                }
                return Ok(Step::Push(Frame::Parts(Parts::new(
                    Mode::Word { head: false },
                    input.pos,
                ))));
            }
            CaseState::In => {
                input.skip_newlines()?;
                match input.bare_word() {
                    Some((word, end)) if &*word == b"in" => input.pos = end,
                    _ => return Err(input.fault()),
                }
                self.state = CaseState::Arm;
            }
            CaseState::Arm => {
                input.skip_newlines()?;
                match input.bare_word() {
                    Some((word, end)) if &*word == b"esac" => {
                        input.pos = end;
                        self.state = CaseState::End;
                        return Ok(Step::Stay);
                    }
                    _ => {}
                }
                input.eat(b"(");
                self.state = CaseState::Pattern;
            }
            CaseState::Patterns => {
                input.skip_blanks();
                match input.peek() {
                    Some(b'|') if !input.at(b"||") => {
                        input.pos += 1;
                        self.state = CaseState::Pattern;
                    }
                    Some(b')') => {
                        input.pos += 1;
                        return list(Ends::Arm, true);
                    }
                    _ => return Err(input.fault()),
                }
            }
            CaseState::End => return Trailer::step_for(self.kind(), self.start),
        }
        Ok(Step::Stay)
    }

    pub(super) fn receive(&mut self, product: Product, _input: &Input) {
        match product {
            Product::Word(word, _) if self.state == CaseState::Word => {
                self.word = Some(word);
                self.state = CaseState::In;
            }
            Product::Word(word, _) => {
                self.patterns.push(word);
                self.state = CaseState::Patterns;
            }
            Product::List(list, end) => {
                self.close_arm(list, end == End::FallThrough);
                self.state = if end == End::Esac {
                    CaseState::End
                } else {
                    CaseState::Arm
                };
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
