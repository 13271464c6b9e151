//! herma's view: the tree alone, nothing evaluated.

use std::collections::BTreeSet;

use herma_shell::Source;
use herma_shell::syntax::{
    Assignment, Command, CommandKind, Dialect, List, Operation, Parameter, Part, Redirect, Simple,
    Word, parse,
};

use super::{Seen, is_marker};

pub(crate) fn commands(text: &str) -> Seen {
    let parsed = parse(&Source::original(text.as_bytes().to_vec()), Dialect::Bash);
    if !parsed.errors.is_empty() {
        return None;
    }
    let mut walk = Walk {
        text,
        found: BTreeSet::new(),
        open: vec![Node::List(&parsed.list)],
    };
    while let Some(node) = walk.open.pop() {
        match node {
            Node::List(list) => walk.list(list),
            Node::Command(command) => walk.command(command),
            Node::Word(word) => walk.parts(&word.parts),
        }
    }
    Some(walk.found)
}

enum Node<'a> {
    List(&'a List),
    Command(&'a Command),
    Word(&'a Word),
}

struct Walk<'a> {
    text: &'a str,
    found: BTreeSet<usize>,
    open: Vec<Node<'a>>,
}

impl<'a> Walk<'a> {
    fn list(&mut self, list: &'a List) {
        for item in &list.items {
            let rest = item.rest.iter().map(|(_, pipeline)| pipeline);
            for pipeline in std::iter::once(&item.first).chain(rest) {
                self.open.extend(pipeline.stages.iter().map(Node::Command));
            }
        }
    }

    fn words(&mut self, words: impl IntoIterator<Item = &'a Word>) {
        self.open.extend(words.into_iter().map(Node::Word));
    }

    fn command(&mut self, command: &'a Command) {
        self.redirects(&command.redirects);
        match &command.kind {
            CommandKind::Simple(simple) => self.simple(simple),
            CommandKind::Group(list) | CommandKind::Subshell(list) => {
                self.open.push(Node::List(list))
            }
            CommandKind::If {
                branches,
                otherwise,
            } => {
                for (condition, body) in branches {
                    self.open.extend([Node::List(condition), Node::List(body)]);
                }
                self.open.extend(otherwise.as_ref().map(Node::List));
            }
            CommandKind::While {
                condition, body, ..
            } => {
                self.open.extend([Node::List(condition), Node::List(body)])
            }
            CommandKind::For { words, body, .. } => {
                self.words(words.iter().flatten());
                self.open.push(Node::List(body));
            }
            CommandKind::ArithmeticFor { expressions, body } => {
                self.words(expressions);
                self.open.push(Node::List(body));
            }
            CommandKind::Case { word, arms } => {
                self.words([word]);
                for arm in arms {
                    self.words(&arm.patterns);
                    self.open.push(Node::List(&arm.body));
                }
            }
            CommandKind::Arithmetic(word) => self.words([word]),
            CommandKind::Test(words) => self.words(words),
            CommandKind::Function { body, .. } => self.open.push(Node::Command(body)),
            CommandKind::Coprocess { body, .. } => self.open.push(Node::Command(body)),
        }
    }

    fn simple(&mut self, simple: &'a Simple) {
        if let Some(name) = simple.words.first() {
            let at = name.span.start as usize;
            let literal =
                matches!(name.parts.as_slice(), [Part::Literal(text)] if text.bytes == b"zz9");
            if literal && is_marker(self.text, at) {
                self.found.insert(at);
            }
        }
        for Assignment {
            subscript, value, ..
        } in &simple.assignments
        {
            self.words(subscript.iter().chain([value]));
        }
        self.words(&simple.words);
        self.redirects(&simple.redirects);
    }

    fn redirects(&mut self, redirects: &'a [Redirect]) {
        for redirect in redirects {
            self.words(std::iter::once(&redirect.target).chain(&redirect.body));
        }
    }

    fn parts(&mut self, parts: &'a [Part]) {
        for part in parts {
            match part {
                Part::Literal(_) | Part::Quoted(_) | Part::AnsiC(_) => {}
                Part::Double(inner) | Part::Opaque(inner) => self.parts(inner),
                Part::Parameter(parameter) => self.parameter(parameter),
                Part::Command(substitution) => self.open.push(Node::List(&substitution.list)),
                Part::Arithmetic(word) => self.words([word]),
                Part::Process { list, .. } => self.open.push(Node::List(list)),
                Part::ExtendedGlob { alternatives, .. } => self.words(alternatives),
                Part::Array(elements) => {
                    for element in elements {
                        self.words(element.index.iter().chain([&element.value]));
                    }
                }
            }
        }
    }

    fn parameter(&mut self, parameter: &'a Parameter) {
        self.words(&parameter.subscript);
        match &parameter.operation {
            Operation::None | Operation::Transform(_) | Operation::Names => {}
            Operation::Default { word, .. } | Operation::Bad(word) => self.words([word]),
            Operation::Remove { pattern, .. } | Operation::Case { pattern, .. } => {
                self.words([pattern])
            }
            Operation::Replace {
                pattern,
                replacement,
                ..
            } => self.words(std::iter::once(pattern).chain(replacement)),
            Operation::Slice { offset, length } => {
                self.words(std::iter::once(offset).chain(length))
            }
        }
    }
}
