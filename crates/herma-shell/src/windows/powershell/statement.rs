//! Tokens of a group to commands.

mod compound;

use std::iter::Peekable;
use std::vec::IntoIter;

use super::expression::parts_of;
use super::machine::Machine;
use super::token::{Keyword, Lowered, Open, Spot, Token};
use crate::source::Span;
use crate::syntax::{
    AndOr, Command, CommandKind, Element, Junction, List, Part, Pipeline, Text, Word,
};
use crate::windows::tree;

type Cursor = Peekable<IntoIter<Spot>>;

impl Machine<'_> {
    /// What a closed group holds.
    pub(super) fn lower(&mut self, open: Open, spots: Vec<Spot>) -> Lowered {
        match open {
            Open::Hash => self.hash(spots),
            Open::Cases => self.cases(spots),
            Open::Parameters => self.parameters(spots),
            Open::Index | Open::Arguments => Lowered::Pure(self.values(spots)),
            Open::Root | Open::Block => Lowered::List(self.statements(spots)),
            Open::Paren | Open::Sub | Open::Array | Open::Text { .. } => {
                if let [
                    Spot {
                        token: Token::Variable(variable),
                        ..
                    },
                    Spot {
                        token: Token::Keyword(Keyword::In),
                        ..
                    },
                    ..,
                ] = spots.as_slice()
                {
                    let key = variable.key();
                    let rest = spots.into_iter().skip(2).collect();
                    let words = self.value_of(rest);
                    return Lowered::Each(key, words);
                }
                if !spots
                    .split(|spot| spot.token.is_separator())
                    .all(|statement| statement.is_empty() || is_expression(statement))
                {
                    return Lowered::List(self.statements(spots));
                }
                let mut words = Vec::new();
                let mut statement = Vec::new();
                for spot in spots {
                    if spot.token.is_separator() {
                        words.extend(self.values(std::mem::take(&mut statement)));
                    } else {
                        statement.push(spot);
                    }
                }
                words.extend(self.values(statement));
                Lowered::Pure(words)
            }
        }
    }

    /// A group as commands that print what it holds.
    pub(super) fn listed(&mut self, lowered: Lowered, span: Span) -> List {
        match lowered {
            Lowered::List(list) => list,
            Lowered::Pure(words) if words.is_empty() => List::default(),
            Lowered::Pure(words) => tree::list(vec![printing(words, span)]),
            other => tree::list(vec![evaluating(
                super::expression::words_of(other, span),
                span,
            )]),
        }
    }

    /// What the tokens behind `=` or `in` give.
    pub(super) fn value_of(&mut self, spots: Vec<Spot>) -> Vec<Word> {
        let Some(span) = self.extent(&spots) else {
            return Vec::new();
        };
        if is_expression(&spots) {
            return self.values(spots);
        }
        let list = self.statements(spots);
        vec![tree::word(vec![tree::printed(list, span)], span)]
    }

    pub(super) fn extent(&self, spots: &[Spot]) -> Option<Span> {
        Some(self.span(spots.first()?.start, spots.last()?.end))
    }

    fn statements(&mut self, spots: Vec<Spot>) -> List {
        let mut cursor: Cursor = spots.into_iter().peekable();
        let mut items: Vec<AndOr> = Vec::new();
        while let Some(spot) = cursor.peek() {
            match spot.token {
                Token::Newline | Token::Semicolon | Token::Background | Token::Pipe => {
                    cursor.next();
                }
                Token::Keyword(keyword) => {
                    let place = (spot.start, spot.end);
                    cursor.next();
                    let commands = self.compound(keyword, place, &mut cursor);
                    items.extend(commands.into_iter().map(tree::line));
                }
                _ => {
                    let mut own = Vec::new();
                    let mut background = false;
                    while let Some(spot) = cursor.next_if(|spot| !spot.token.is_separator()) {
                        if matches!(spot.token, Token::Background) {
                            background = true;
                            break;
                        }
                        own.push(spot);
                    }
                    items.extend(self.chain(own, background));
                }
            }
        }
        List { items }
    }

    /// Pipelines joined by `&&` and `||`.
    fn chain(&mut self, spots: Vec<Spot>, background: bool) -> Option<AndOr> {
        let mut first: Option<Pipeline> = None;
        let mut rest = Vec::new();
        let mut own = Vec::new();
        let mut junction = Junction::And;
        let mut finish = |machine: &mut Self, own: Vec<Spot>, junction: Junction| {
            let Some(pipeline) = machine.pipeline(own) else {
                return;
            };
            if first.is_none() {
                first = Some(pipeline);
            } else {
                rest.push((junction, pipeline));
            }
        };
        for spot in spots {
            let next = match spot.token {
                Token::And => Junction::And,
                Token::Or => Junction::Or,
                _ => {
                    own.push(spot);
                    continue;
                }
            };
            finish(self, std::mem::take(&mut own), junction);
            junction = next;
        }
        finish(self, own, junction);
        Some(tree::joined(first?, rest, background))
    }

    fn pipeline(&mut self, spots: Vec<Spot>) -> Option<Pipeline> {
        let span = self.extent(&spots)?;
        let assigned = spots
            .iter()
            .take_while(|spot| !matches!(spot.token, Token::Pipe))
            .position(|spot| matches!(spot.token, Token::Assign(_)));
        if let Some(at) = assigned {
            let mut left = spots;
            let right = left.split_off(at + 1);
            let commands = self.assignment(left, right);
            let group = tree::command(CommandKind::Group(tree::list(commands)), Vec::new(), span);
            return Some(tree::pipeline(vec![group], span));
        }
        if let Some(Spot {
            token: Token::Keyword(_),
            ..
        }) = spots.first()
        {
            let list = self.statements(spots);
            let group = tree::command(CommandKind::Group(list), Vec::new(), span);
            return Some(tree::pipeline(vec![group], span));
        }
        let mut stages = Vec::new();
        let mut own = Vec::new();
        for spot in spots {
            if matches!(spot.token, Token::Pipe) {
                stages.extend(self.stage(std::mem::take(&mut own), stages.is_empty()));
            } else {
                own.push(spot);
            }
        }
        stages.extend(self.stage(own, stages.is_empty()));
        (!stages.is_empty()).then(|| tree::pipeline(stages, span))
    }

    /// `left = right`; the operator is the last of `left`.
    fn assignment(&mut self, mut left: Vec<Spot>, right: Vec<Spot>) -> Vec<Command> {
        let Some(Spot {
            token: Token::Assign(how),
            ..
        }) = left.pop()
        else {
            return Vec::new();
        };
        let Some(span) = self.extent(&left) else {
            return Vec::new();
        };
        let mut commands = Vec::new();
        let plain = matches!(right.as_slice(), [spot] if matches!(spot.token, Token::Group(Open::Array | Open::Hash | Open::Block, _)));
        let mut array = false;
        let mut block = false;
        let values = match right.into_iter().collect::<Vec<_>>() {
            mut only if plain => match only.pop().map(|spot| spot.token) {
                Some(Token::Group(Open::Hash, Lowered::Hash(pairs))) => {
                    array = true;
                    named(pairs)
                }
                Some(Token::Group(Open::Block, lowered)) => {
                    block = true;
                    let list = self.listed(lowered, span);
                    commands.push(tree::command(CommandKind::Group(list), Vec::new(), span));
                    vec![tree::opaque(Vec::new(), span)]
                }
                Some(Token::Group(_, lowered)) => {
                    array = true;
                    super::expression::words_of(lowered, span)
                }
                _ => Vec::new(),
            },
            right => self.value_of(right),
        };
        let variables: Vec<_> = left
            .iter()
            .filter_map(|spot| match &spot.token {
                Token::Variable(variable) => Some(variable.clone()),
                _ => None,
            })
            .collect();
        let of_member = left.iter().any(|spot| {
            matches!(spot.token, Token::Member { .. })
                || matches!(&spot.token, Token::Group(Open::Index, _) if spot.glued)
        });
        let place = left.first().map(|spot| (spot.start, spot.end));
        // What stands in subscripts and attributes is evaluated too.
        let mut inside = Vec::new();
        for spot in left {
            if let Token::Group(_, lowered) = spot.token {
                inside.extend(super::expression::words_of(lowered, span));
            }
        }
        if !inside.is_empty() {
            commands.push(evaluating(inside, span));
        }
        let [variable] = variables.as_slice() else {
            let mut parts = parts_of(values);
            for variable in &variables {
                let value = tree::opaque(std::mem::take(&mut parts), span);
                commands.push(tree::assign(&variable.key(), value, false, span));
            }
            if !parts.is_empty() {
                let value = tree::opaque(parts, span);
                commands.push(tree::assign(DISCARDED, value, false, span));
            }
            return commands;
        };
        let key = variable.key();
        if variable.is_elsewhere() {
            if let Some((start, end)) = place {
                self.unread(start, end);
            }
            commands.push(evaluating(values, span));
            return commands;
        }
        if variable.is_environment() && !of_member {
            let mut parts = vec![Part::Literal(Text {
                bytes: [key.as_slice(), b"="].concat(),
                at: span.start,
            })];
            if how != b'=' {
                parts.push(Part::Double(vec![tree::parameter(&key, span)]));
            }
            parts.push(Part::Double(parts_of(values)));
            let name = tree::word(
                vec![Part::Literal(Text {
                    bytes: b"export".to_vec(),
                    at: span.start,
                })],
                span,
            );
            commands.push(tree::simple(
                vec![name, tree::word(parts, span)],
                Vec::new(),
                span,
            ));
            return commands;
        }
        if !block {
            self.blocks.remove(&key);
        } else if !of_member {
            self.blocks.insert(key.clone());
        }
        if of_member || !matches!(how, b'=' | b'+' | b'?') {
            let value = tree::opaque(parts_of(values), span);
            commands.push(tree::assign(&key, value, false, span));
            return commands;
        }
        let append = how == b'+';
        if array || values.len() > 1 {
            self.arrays.insert(key.clone());
        } else if !append {
            self.arrays.remove(&key);
        }
        let value = if self.arrays.contains(&key) {
            let elements = values
                .into_iter()
                .map(|value| Element { index: None, value })
                .collect();
            tree::word(vec![Part::Array(elements)], span)
        } else {
            tree::word(parts_of(values), span)
        };
        commands.push(tree::assign(&key, value, append, span));
        commands
    }

    fn hash(&mut self, spots: Vec<Spot>) -> Lowered {
        let mut pairs = Vec::new();
        let mut own: Vec<Spot> = Vec::new();
        let finish = |machine: &mut Self, mut own: Vec<Spot>, pairs: &mut Vec<_>| {
            let Some(at) = own
                .iter()
                .position(|spot| matches!(spot.token, Token::Assign(_)))
            else {
                let words = machine.values(own);
                if !words.is_empty() {
                    pairs.push((Vec::new(), words));
                }
                return;
            };
            let value = own.split_off(at + 1);
            own.pop();
            let key = machine.values(own);
            pairs.push((key, machine.value_of(value)));
        };
        for spot in spots {
            if spot.token.is_separator() {
                finish(self, std::mem::take(&mut own), &mut pairs);
            } else {
                own.push(spot);
            }
        }
        finish(self, own, &mut pairs);
        Lowered::Hash(pairs)
    }

    /// The arms of a `switch`: any may run.
    fn cases(&mut self, spots: Vec<Spot>) -> Lowered {
        let mut commands = Vec::new();
        let mut patterns = Vec::new();
        for spot in spots {
            let span = self.span(spot.start, spot.end);
            match spot.token {
                Token::Group(Open::Block, lowered) => {
                    let body = self.listed(lowered, span);
                    commands.push(maybe(body, span));
                }
                Token::Bare(_) | Token::Newline | Token::Semicolon => {}
                _ => patterns.push(spot),
            }
        }
        if let Some(span) = self.extent(&patterns) {
            let words = self.values(patterns);
            commands.push(evaluating(words, span));
        }
        Lowered::List(tree::list(commands))
    }

    /// Names of parameters: what the caller gives them is not known.
    fn parameters(&mut self, spots: Vec<Spot>) -> Lowered {
        let mut commands = Vec::new();
        let mut own: Vec<Spot> = Vec::new();
        let finish = |machine: &mut Self, own: Vec<Spot>, commands: &mut Vec<Command>| {
            let Some(span) = machine.extent(&own) else {
                return;
            };
            let name = own.iter().find_map(|spot| match &spot.token {
                Token::Variable(variable) => Some(variable.key()),
                _ => None,
            });
            let parts = parts_of(machine.values(own));
            let value = tree::opaque(parts, span);
            let name = name.as_deref().unwrap_or(DISCARDED);
            commands.push(tree::assign(name, value, false, span));
        };
        for spot in spots {
            match spot.token {
                Token::Comma => finish(self, std::mem::take(&mut own), &mut commands),
                Token::Newline | Token::Semicolon => {}
                _ => own.push(spot),
            }
        }
        finish(self, own, &mut commands);
        Lowered::List(tree::list(commands))
    }
}

/// A name that nothing reads.
const DISCARDED: &[u8] = b"_ps_";

/// Whether the tokens are one expression and no command.
pub(super) fn is_expression(spots: &[Spot]) -> bool {
    let Some(first) = spots.first() else {
        return false;
    };
    let begins = !matches!(
        first.token,
        Token::Keyword(_) | Token::Call | Token::Bare(_) | Token::Redirect { .. }
    );
    begins
        && !spots.iter().any(|spot| {
            matches!(
                spot.token,
                Token::Assign(_)
                    | Token::Pipe
                    | Token::And
                    | Token::Or
                    | Token::Redirect { .. }
                    | Token::Background
                    | Token::Newline
                    | Token::Semicolon
            )
        })
}

/// A command that prints the words, one on each line.
pub(super) fn printing(words: Vec<Word>, span: Span) -> Command {
    let mut all = vec![tree::text(b"Write-Output", span)];
    all.extend(words);
    tree::simple(all, Vec::new(), span)
}

/// Evaluates words of which nothing comes out.
pub(super) fn evaluating(words: Vec<Word>, span: Span) -> Command {
    tree::assign(DISCARDED, tree::opaque(parts_of(words), span), false, span)
}

/// Commands that may run.
fn maybe(body: List, span: Span) -> Command {
    let branches = vec![(List::default(), body)];
    tree::command(
        CommandKind::If {
            branches,
            otherwise: None,
        },
        Vec::new(),
        span,
    )
}

/// A table as the parameters that splatting it gives.
fn named(pairs: Vec<(Vec<Word>, Vec<Word>)>) -> Vec<Word> {
    let mut words = Vec::new();
    for (key, value) in pairs {
        for mut key in key {
            let span = key.span;
            key.parts.insert(
                0,
                Part::Quoted(Text {
                    bytes: b"-".to_vec(),
                    at: span.start,
                }),
            );
            match value.as_slice() {
                [only] if super::expression::is_text(only, b"True") => words.push(key),
                [only] if super::expression::is_text(only, b"False") => {}
                _ => words.push(key),
            }
        }
        let switch = matches!(value.as_slice(), [only] if super::expression::is_text(only, b"True") || super::expression::is_text(only, b"False"));
        if !switch {
            words.extend(value);
        }
    }
    words
}
