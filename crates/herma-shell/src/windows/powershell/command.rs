//! One stage of a pipeline.

use super::expression::{bare, is_postfix, text_of, words_of};
use super::machine::Machine;
use super::statement::{evaluating, is_expression, printing};
use super::token::{Lowered, Open, Spot, Token};
use super::types::calls_by_name;
use super::variable::own;
use crate::source::Span;
use crate::syntax::{Command, CommandKind, List, Redirect, Word};
use crate::windows::{names, tree};

impl Machine<'_> {
    /// A stage; `first` when nothing is piped into it.
    pub(super) fn stage(&mut self, spots: Vec<Spot>, first: bool) -> Option<Command> {
        let span = self.extent(&spots)?;
        let (mut spots, redirects) = self.redirects(spots);
        if spots.is_empty() {
            return Some(tree::simple(Vec::new(), redirects, span));
        }
        if is_expression(&spots) {
            return Some(self.expression_stage(spots, redirects, span));
        }
        if matches!(
            spots.first(),
            Some(Spot {
                token: Token::Keyword(_),
                ..
            })
        ) {
            return self
                .value_commands(spots)
                .map(|list| tree::command(CommandKind::Group(list), redirects, span));
        }
        let called = matches!(
            spots.first(),
            Some(Spot {
                token: Token::Call,
                ..
            })
        );
        if called {
            spots.remove(0);
        }
        let mut blocks: Vec<List> = Vec::new();
        if called && let Some(known) = self.called_block(&mut spots, &mut blocks) {
            let words = self.words(spots, &mut blocks);
            let mut commands = Vec::new();
            if !words.is_empty() {
                commands.push(evaluating(words, span));
            }
            let mut list = tree::list(commands);
            list.items.extend(known.items);
            for block in blocks {
                list.items.extend(block.items);
            }
            return Some(tree::command(CommandKind::Group(list), redirects, span));
        }
        let words = self.words(spots, &mut blocks);
        let name = words.first().and_then(text_of).unwrap_or_default();
        let name = names::powershell(&name);
        if blocks.is_empty() {
            let by_name = name == b"ForEach-Object"
                && words.get(1).is_some_and(|word| {
                    !text_of(word).is_some_and(|text| text.starts_with(b"-")) && calls_by_name(word)
                });
            if by_name {
                self.unread_at(span);
            }
            return Some(tree::simple(words, redirects, span));
        }
        let body = List {
            items: blocks.into_iter().flat_map(|block| block.items).collect(),
        };
        let per_object = matches!(
            name.as_slice(),
            b"ForEach-Object" | b"Where-Object" | b"Sort-Object" | b"Group-Object"
        );
        if per_object && !first {
            let read = [b"read".as_slice(), b"-r", &own(b"_")]
                .iter()
                .map(|word| tree::text(word, Span::new(span.start, span.start)))
                .collect();
            let condition = tree::list(vec![tree::simple(read, Vec::new(), span)]);
            let round = CommandKind::While {
                until: false,
                condition,
                body,
            };
            return Some(tree::command(round, redirects, span));
        }
        let mut list = body;
        if !per_object {
            list.items
                .push(tree::line(tree::simple(words, Vec::new(), span)));
        }
        Some(tree::command(CommandKind::Group(list), redirects, span))
    }

    fn value_commands(&mut self, spots: Vec<Spot>) -> Option<List> {
        match self.lower(Open::Block, spots) {
            Lowered::List(list) => Some(list),
            _ => None,
        }
    }

    /// What an expression prints.
    fn expression_stage(
        &mut self,
        mut spots: Vec<Spot>,
        redirects: Vec<Redirect>,
        span: Span,
    ) -> Command {
        let lone = matches!(
            spots.as_slice(),
            [Spot {
                token: Token::Group(
                    Open::Paren | Open::Sub | Open::Array | Open::Block,
                    Lowered::List(_)
                ),
                ..
            }]
        );
        if lone
            && let Some(Spot {
                token: Token::Group(_, Lowered::List(list)),
                ..
            }) = spots.pop()
        {
            return tree::command(CommandKind::Group(list), redirects, span);
        }
        let words = self.values(spots);
        let mut command = printing(words, span);
        if let CommandKind::Simple(simple) = &mut command.kind {
            simple.redirects = redirects;
        }
        command
    }

    /// `& { … }` and `& $block`: what runs.
    fn called_block(&mut self, spots: &mut Vec<Spot>, blocks: &mut [List]) -> Option<List> {
        debug_assert!(blocks.is_empty());
        let alone = spots.get(1).is_none_or(|next| !next.glued);
        let known = match &spots.first()?.token {
            Token::Group(Open::Block, _) => true,
            Token::Variable(variable) => self.blocks.contains(&variable.key()),
            _ => false,
        };
        if !known || !alone {
            return None;
        }
        match spots.remove(0).token {
            Token::Group(_, Lowered::List(list)) => Some(list),
            _ => Some(List::default()),
        }
    }

    /// Takes redirections out of a stage.
    fn redirects(&mut self, spots: Vec<Spot>) -> (Vec<Spot>, Vec<Redirect>) {
        let mut rest = Vec::new();
        let mut redirects = Vec::new();
        let mut spots = spots.into_iter().peekable();
        while let Some(spot) = spots.next() {
            let Token::Redirect { op, fd } = spot.token else {
                rest.push(spot);
                continue;
            };
            let mut own = Vec::new();
            if let Some(next) = spots.next() {
                own.push(next);
                while let Some(next) = spots
                    .next_if(|next| next.glued && !matches!(next.token, Token::Redirect { .. }))
                {
                    own.push(next);
                }
            }
            let end = own.last().map_or(spot.end, |last| last.end);
            let span = self.span(spot.start, end);
            let null = matches!(own.as_slice(), [Spot { token: Token::Variable(variable), .. }] if variable.is(b"null"));
            let target = if null {
                tree::text(b"/dev/null", span)
            } else {
                let parts = self.glued_words(own, &mut Vec::new());
                tree::word(super::expression::parts_of(parts), span)
            };
            redirects.push(Redirect {
                op,
                fd,
                variable: None,
                target: slashed(target),
                body: None,
                span,
            });
        }
        (rest, redirects)
    }

    /// The words of a command. Elements of one list have the list's place.
    fn words(&mut self, spots: Vec<Spot>, blocks: &mut Vec<List>) -> Vec<Word> {
        let mut words = Vec::new();
        let mut spots = spots.into_iter().peekable();
        while let Some(spot) = spots.next() {
            if matches!(spot.token, Token::Comma) {
                continue;
            }
            let start = spot.start;
            let mut end = spot.end;
            let mut own = vec![spot];
            let mut list = Vec::new();
            let mut joined = false;
            loop {
                let more = spots.next_if(|next| {
                    let last_comma = own.is_empty();
                    !matches!(next.token, Token::Comma) && (last_comma || next.glued)
                });
                if let Some(next) = more {
                    end = next.end;
                    own.push(next);
                    continue;
                }
                list.extend(self.glued_words(std::mem::take(&mut own), blocks));
                let comma = spots.next_if(|next| matches!(next.token, Token::Comma));
                if comma.is_none() || spots.peek().is_none() {
                    break;
                }
                joined = true;
            }
            let span = self.span(start, end);
            if joined || list.len() > 1 {
                for word in &mut list {
                    word.span = span;
                }
            }
            words.extend(list);
        }
        words
    }

    /// Tokens without a blank between them: usually one word.
    fn glued_words(&mut self, spots: Vec<Spot>, blocks: &mut Vec<List>) -> Vec<Word> {
        let Some(span) = self.extent(&spots) else {
            return Vec::new();
        };
        let mut out: Vec<Word> = Vec::new();
        let mut alone = true;
        let mut spots = spots.into_iter().peekable();
        while let Some(spot) = spots.next() {
            let place = self.span(spot.start, spot.end);
            let words = match spot.token {
                Token::Bare(text) if alone => vec![bare(text, place)],
                Token::Group(Open::Block, lowered) => {
                    let list = self.listed(lowered, place);
                    blocks.push(list);
                    vec![tree::text(b"{}", place)]
                }
                Token::Group(Open::Paren | Open::Sub | Open::Array, lowered)
                    if spots.peek().is_none_or(|next| !is_postfix(next)) =>
                {
                    words_of(lowered, place)
                }
                token => {
                    let mut own = vec![Spot { token, ..spot }];
                    while let Some(next) = spots.next_if(is_postfix) {
                        own.push(next);
                    }
                    self.primary(own)
                }
            };
            if out.is_empty() && alone {
                out = words;
            } else if let ([left], 1) = (out.as_mut_slice(), words.len()) {
                left.parts
                    .extend(words.into_iter().flat_map(|word| word.parts));
                left.span = span;
            } else {
                let mut parts = super::expression::parts_of(out);
                parts.extend(super::expression::parts_of(words));
                out = vec![tree::word(parts, span)];
            }
            alone = false;
        }
        out
    }
}

/// A file's name with the slashes that the evaluation knows.
fn slashed(mut word: Word) -> Word {
    use crate::syntax::Part;
    let turn = |text: &mut crate::syntax::Text| {
        for byte in &mut text.bytes {
            if *byte == b'\\' {
                *byte = b'/';
            }
        }
    };
    for part in &mut word.parts {
        match part {
            Part::Quoted(text) | Part::Literal(text) => turn(text),
            Part::Double(inner) => {
                for part in inner {
                    if let Part::Quoted(text) = part {
                        turn(text);
                    }
                }
            }
            _ => {}
        }
    }
    word
}
