//! Puts the trees of jobs in their places.

use std::rc::Rc;

use super::input::{Filled, Slot};
use crate::source::Span;
use crate::syntax::{
    Command, CommandKind, List, Operation, Parameter, Part, Pipeline, Redirect, Simple, Word,
};

/// The end of spans that stand for a slot; no text is as long.
const MARK: u32 = u32::MAX;

/// Stands for a slot until it is filled.
pub(super) fn mark(slot: usize) -> Span {
    Span {
        start: u32::try_from(slot).unwrap_or(MARK),
        end: MARK,
    }
}

/// What is still to be visited.
enum Node<'t> {
    List(&'t mut List),
    Command(&'t mut Command),
    Word(&'t mut Word),
    Part(&'t mut Part),
}

struct Graft<'t> {
    nodes: Vec<Node<'t>>,
    slots: Vec<Slot>,
}

/// Fills every marked place below `root`.
pub(super) fn graft(root: &mut List, slots: Vec<Slot>) {
    let mut graft = Graft {
        nodes: vec![Node::List(root)],
        slots,
    };
    while let Some(node) = graft.nodes.pop() {
        match node {
            Node::List(list) => graft.list(list),
            Node::Command(command) => graft.command(command),
            Node::Word(word) => graft.word(word),
            Node::Part(part) => graft.part(part),
        }
    }
}

impl<'t> Graft<'t> {
    fn fill(&mut self, mark: Span) -> Option<Slot> {
        if mark.end != MARK {
            return None;
        }
        let slot = self.slots.get_mut(mark.start as usize)?;
        let span = slot.span;
        let filled = std::mem::replace(&mut slot.filled, Filled::Empty);
        Some(Slot { filled, span })
    }

    fn list(&mut self, list: &'t mut List) {
        for item in &mut list.items {
            self.pipeline(&mut item.first);
            for (_, pipeline) in &mut item.rest {
                self.pipeline(pipeline);
            }
        }
    }

    fn pipeline(&mut self, pipeline: &'t mut Pipeline) {
        self.nodes
            .extend(pipeline.stages.iter_mut().map(Node::Command));
    }

    fn words(&mut self, words: &'t mut [Word]) {
        self.nodes.extend(words.iter_mut().map(Node::Word));
    }

    fn redirects(&mut self, redirects: &'t mut [Redirect]) {
        for redirect in redirects {
            if let Some(body) = &mut redirect.body {
                if let Some(slot) = self.fill(body.span) {
                    *body = match slot.filled {
                        Filled::Word(word) => word,
                        _ => Word::default(),
                    };
                }
                self.nodes.push(Node::Word(body));
            }
            self.nodes.push(Node::Word(&mut redirect.target));
        }
    }

    fn command(&mut self, command: &'t mut Command) {
        self.redirects(&mut command.redirects);
        match &mut command.kind {
            CommandKind::Simple(simple) => self.simple(simple),
            CommandKind::Group(list) | CommandKind::Subshell(list) => self.list(list),
            CommandKind::If {
                branches,
                otherwise,
            } => {
                for (condition, body) in branches {
                    self.list(condition);
                    self.list(body);
                }
                if let Some(list) = otherwise {
                    self.list(list);
                }
            }
            CommandKind::While {
                condition, body, ..
            } => {
                self.list(condition);
                self.list(body);
            }
            CommandKind::For { words, body, .. } => {
                if let Some(words) = words {
                    self.words(words);
                }
                self.list(body);
            }
            CommandKind::ArithmeticFor { expressions, body } => {
                self.words(expressions);
                self.list(body);
            }
            CommandKind::Case { word, arms } => {
                self.nodes.push(Node::Word(word));
                for arm in arms {
                    self.words(&mut arm.patterns);
                    self.list(&mut arm.body);
                }
            }
            CommandKind::Arithmetic(word) => self.nodes.push(Node::Word(word)),
            CommandKind::Test(words) => self.words(words),
            CommandKind::Function { body, .. } => {
                // The tree is fresh: nobody shares the body yet.
                if let Some(body) = Rc::get_mut(body) {
                    self.nodes.push(Node::Command(body));
                }
            }
            CommandKind::Coprocess { body, .. } => {
                if let Some(body) = Rc::get_mut(body) {
                    self.nodes.push(Node::Command(body));
                }
            }
        }
    }

    fn simple(&mut self, simple: &'t mut Simple) {
        for assignment in &mut simple.assignments {
            self.nodes
                .extend(assignment.subscript.iter_mut().map(Node::Word));
            self.nodes.push(Node::Word(&mut assignment.value));
        }
        self.words(&mut simple.words);
        self.redirects(&mut simple.redirects);
    }

    fn word(&mut self, word: &'t mut Word) {
        self.nodes.extend(word.parts.iter_mut().map(Node::Part));
    }

    fn part(&mut self, part: &'t mut Part) {
        match part {
            Part::Literal(_) | Part::Quoted(_) | Part::AnsiC(_) => {}
            Part::Double(parts) | Part::Opaque(parts) => {
                self.nodes.extend(parts.iter_mut().map(Node::Part))
            }
            Part::Parameter(parameter) => self.parameter(parameter),
            Part::Command(sub) => {
                if let Some(slot) = self.fill(sub.span) {
                    sub.span = slot.span;
                    if let Filled::List(list) = slot.filled {
                        sub.list = list;
                    }
                }
                self.nodes.push(Node::List(&mut sub.list));
            }
            Part::Arithmetic(word) => self.nodes.push(Node::Word(word)),
            Part::Process { list, .. } => self.nodes.push(Node::List(list)),
            Part::ExtendedGlob { alternatives, .. } => self.words(alternatives),
            Part::Array(elements) => {
                for element in elements {
                    self.nodes.extend(element.index.iter_mut().map(Node::Word));
                    self.nodes.push(Node::Word(&mut element.value));
                }
            }
        }
    }

    fn parameter(&mut self, parameter: &'t mut Parameter) {
        self.nodes
            .extend(parameter.subscript.iter_mut().map(Node::Word));
        match &mut parameter.operation {
            Operation::None | Operation::Transform(_) | Operation::Names => {}
            Operation::Default { word, .. } | Operation::Bad(word) => {
                self.nodes.push(Node::Word(word));
            }
            Operation::Remove { pattern, .. } | Operation::Case { pattern, .. } => {
                self.nodes.push(Node::Word(pattern));
            }
            Operation::Replace {
                pattern,
                replacement,
                ..
            } => {
                self.nodes.push(Node::Word(pattern));
                self.nodes.extend(replacement.iter_mut().map(Node::Word));
            }
            Operation::Slice { offset, length } => {
                self.nodes.push(Node::Word(offset));
                self.nodes.extend(length.iter_mut().map(Node::Word));
            }
        }
    }
}
