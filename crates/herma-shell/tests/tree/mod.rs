//! Walks a tree: which commands stand in it, and whether its spans are sound.

use herma_shell::Span;
use herma_shell::syntax::{
    Command, CommandKind, List, Operation, Parameter, Part, Redirect, Simple, Word,
};

/// What a walk saw.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    /// Offsets of simple commands whose first word is known to be the wanted name.
    pub(crate) named: Vec<u32>,
    /// All spans, and for texts where they begin and how long they are.
    pub(crate) spans: Vec<Span>,
    /// Offset and bytes of unquoted and quoted texts.
    pub(crate) texts: Vec<(u32, Vec<u8>)>,
    /// Simple commands and functions, for a picture of the structure.
    pub(crate) shape: Vec<String>,
}

/// Walks `list`, noting commands named `name`.
pub(crate) fn walk(list: &List, name: &[u8]) -> Seen {
    let mut walk = Walk {
        name,
        seen: Seen::default(),
    };
    walk.list(list);
    walk.seen.named.sort_unstable();
    walk.seen
}

struct Walk<'a> {
    name: &'a [u8],
    seen: Seen,
}

impl Walk<'_> {
    fn list(&mut self, list: &List) {
        for item in &list.items {
            for pipeline in
                std::iter::once(&item.first).chain(item.rest.iter().map(|(_, pipeline)| pipeline))
            {
                self.seen.spans.push(pipeline.span);
                for command in &pipeline.stages {
                    self.command(command);
                }
            }
        }
    }

    fn command(&mut self, command: &Command) {
        self.seen.spans.push(command.span);
        match &command.kind {
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
                otherwise.iter().for_each(|list| self.list(list));
            }
            CommandKind::While {
                condition, body, ..
            } => {
                self.list(condition);
                self.list(body);
            }
            CommandKind::For { words, body, .. } => {
                words.iter().flatten().for_each(|word| self.word(word));
                self.list(body);
            }
            CommandKind::ArithmeticFor { expressions, body } => {
                expressions.iter().for_each(|word| self.word(word));
                self.list(body);
            }
            CommandKind::Case { word, arms } => {
                self.word(word);
                for arm in arms {
                    arm.patterns.iter().for_each(|word| self.word(word));
                    self.list(&arm.body);
                }
            }
            CommandKind::Arithmetic(word) => self.word(word),
            CommandKind::Test(words) => words.iter().for_each(|word| self.word(word)),
            CommandKind::Function { name, body } => {
                self.seen
                    .shape
                    .push(format!("{}()", String::from_utf8_lossy(name)));
                self.command(body);
            }
            CommandKind::Coprocess { body, .. } => self.command(body),
        }
        self.redirects(&command.redirects);
    }

    fn simple(&mut self, simple: &Simple) {
        for assignment in &simple.assignments {
            self.seen.spans.push(assignment.span);
            assignment.subscript.iter().for_each(|word| self.word(word));
            self.word(&assignment.value);
        }
        if let Some(first) = simple.words.first()
            && known(&first.parts).is_some_and(|name| name == self.name)
        {
            self.seen.named.push(first.span.start);
        }
        let shape: Vec<String> = simple
            .words
            .iter()
            .map(|word| match known(&word.parts) {
                Some(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
                None => "…".to_owned(),
            })
            .collect();
        self.seen.shape.push(shape.join(" "));
        simple.words.iter().for_each(|word| self.word(word));
        self.redirects(&simple.redirects);
    }

    fn redirects(&mut self, redirects: &[Redirect]) {
        for redirect in redirects {
            self.seen.spans.push(redirect.span);
            self.word(&redirect.target);
            redirect.body.iter().for_each(|word| self.word(word));
        }
    }

    fn word(&mut self, word: &Word) {
        self.seen.spans.push(word.span);
        self.parts(&word.parts);
    }

    fn parts(&mut self, parts: &[Part]) {
        for part in parts {
            match part {
                Part::Literal(text) | Part::Quoted(text) => {
                    self.seen.texts.push((text.at, text.bytes.clone()));
                }
                Part::AnsiC(text) => self.seen.spans.push(Span::new(text.at, text.at)),
                Part::Double(parts) | Part::Opaque(parts) => self.parts(parts),
                Part::Parameter(parameter) => self.parameter(parameter),
                Part::Command(sub) => {
                    self.seen.spans.push(sub.span);
                    self.list(&sub.list);
                }
                Part::Arithmetic(word) => self.word(word),
                Part::Process { list, span, .. } => {
                    self.seen.spans.push(*span);
                    self.list(list);
                }
                Part::ExtendedGlob { alternatives, .. } => {
                    alternatives.iter().for_each(|word| self.word(word));
                }
                Part::Array(elements) => {
                    for element in elements {
                        element.index.iter().for_each(|word| self.word(word));
                        self.word(&element.value);
                    }
                }
            }
        }
    }

    fn parameter(&mut self, parameter: &Parameter) {
        self.seen.spans.push(parameter.span);
        parameter.subscript.iter().for_each(|word| self.word(word));
        match &parameter.operation {
            Operation::None | Operation::Transform(_) | Operation::Names => {}
            Operation::Default { word, .. } | Operation::Bad(word) => self.word(word),
            Operation::Remove { pattern, .. } | Operation::Case { pattern, .. } => {
                self.word(pattern);
            }
            Operation::Replace {
                pattern,
                replacement,
                ..
            } => {
                self.word(pattern);
                replacement.iter().for_each(|word| self.word(word));
            }
            Operation::Slice { offset, length } => {
                self.word(offset);
                length.iter().for_each(|word| self.word(word));
            }
        }
    }
}

/// The bytes of a word without expansions.
pub(crate) fn known(parts: &[Part]) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    for part in parts {
        match part {
            Part::Literal(text) | Part::Quoted(text) | Part::AnsiC(text) => {
                bytes.extend_from_slice(&text.bytes);
            }
            Part::Double(parts) => bytes.extend(known(parts)?),
            _ => return None,
        }
    }
    Some(bytes)
}
