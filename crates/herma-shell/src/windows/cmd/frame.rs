//! Commands under construction.

use crate::source::Span;
use crate::syntax::{AndOr, Command, CommandKind, Junction, Pipeline, Redirect, Word};
use crate::windows::tree;

#[derive(Debug)]
pub(super) enum Open {
    Root,
    Paren,
    /// Its body goes on to the end of the line.
    If,
    For {
        letter: u8,
        words: Vec<Word>,
    },
}

/// Commands under construction.
pub(super) struct Frame {
    pub(super) open: Open,
    pub(super) start: usize,
    pub(super) items: Vec<AndOr>,
    pub(super) first: Option<Pipeline>,
    pub(super) rest: Vec<(Junction, Pipeline)>,
    pub(super) junction: Junction,
    pub(super) stages: Vec<Command>,
    pub(super) redirects: Vec<Redirect>,
    /// A command stands behind the last operator.
    pub(super) full: bool,
}

impl Frame {
    pub(super) fn new(open: Open, start: usize) -> Self {
        Self {
            open,
            start,
            items: Vec::new(),
            first: None,
            rest: Vec::new(),
            junction: Junction::And,
            stages: Vec::new(),
            redirects: Vec::new(),
            full: false,
        }
    }

    pub(super) fn stage(&mut self, command: Command) {
        self.stages.push(command);
        self.full = true;
    }

    /// Redirections behind or in front of the last command.
    pub(super) fn redirect(&mut self) {
        let redirects = std::mem::take(&mut self.redirects);
        if redirects.is_empty() {
            return;
        }
        match self.stages.last_mut() {
            Some(command) if self.full => match &mut command.kind {
                CommandKind::Simple(simple) => simple.redirects.extend(redirects),
                _ => command.redirects.extend(redirects),
            },
            _ => {
                let span = redirects
                    .first()
                    .map_or_else(Span::default, |first| first.span);
                self.stages.push(tree::simple(Vec::new(), redirects, span));
            }
        }
    }

    pub(super) fn pipeline(&mut self, next: Junction) {
        self.redirect();
        self.full = false;
        let stages = std::mem::take(&mut self.stages);
        if let Some(span) = stages.first().map(|stage| stage.span) {
            let pipeline = tree::pipeline(stages, span);
            if self.first.is_none() {
                self.first = Some(pipeline);
            } else {
                self.rest.push((self.junction, pipeline));
            }
        }
        self.junction = next;
    }

    pub(super) fn item(&mut self) {
        self.pipeline(Junction::And);
        if let Some(first) = self.first.take() {
            let rest = std::mem::take(&mut self.rest);
            self.items.push(tree::joined(first, rest, false));
        }
    }
}
