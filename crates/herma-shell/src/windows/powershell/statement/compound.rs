//! Statements that begin with a keyword.

use super::{Cursor, Machine, evaluating, maybe};
use crate::execution::Why;
use crate::syntax::{Command, CommandKind, List};
use crate::windows::powershell::token::{Keyword, Lowered, Open, Spot, Token};
use crate::windows::tree;
use std::rc::Rc;

impl Machine<'_> {
    /// The next group of this kind, behind newlines.
    pub(super) fn group(&mut self, cursor: &mut Cursor, wanted: Open) -> Option<List> {
        while cursor
            .next_if(|spot| matches!(spot.token, Token::Newline))
            .is_some()
        {}
        let spot = cursor
            .next_if(|spot| matches!(&spot.token, Token::Group(open, _) if *open == wanted))?;
        let span = self.span(spot.start, spot.end);
        match spot.token {
            Token::Group(_, lowered) => Some(self.listed(lowered, span)),
            _ => None,
        }
    }

    pub(super) fn keyword_next(&self, cursor: &mut Cursor, wanted: &[Keyword]) -> Option<Keyword> {
        let spot = cursor.next_if(
            |spot| matches!(&spot.token, Token::Keyword(keyword) if wanted.contains(keyword)),
        )?;
        match spot.token {
            Token::Keyword(keyword) => Some(keyword),
            _ => None,
        }
    }

    /// Tokens up to the next block or the end of the statement.
    pub(super) fn until_block(&self, cursor: &mut Cursor) -> Vec<Spot> {
        let mut spots = Vec::new();
        while let Some(spot) = cursor.next_if(|spot| {
            !spot.token.is_separator()
                && !matches!(spot.token, Token::Group(Open::Block | Open::Cases, _))
        }) {
            spots.push(spot);
        }
        spots
    }

    /// The statement that begins with a keyword.
    pub(super) fn compound(
        &mut self,
        keyword: Keyword,
        place: (usize, usize),
        cursor: &mut Cursor,
    ) -> Vec<Command> {
        let span = self.span(place.0, place.1);
        match self.known_compound(keyword, place, cursor) {
            Some(kinds) => kinds
                .into_iter()
                .map(|kind| tree::command(kind, Vec::new(), span))
                .collect(),
            None => {
                self.error(Why::Syntax, place.0, place.1);
                Vec::new()
            }
        }
    }

    pub(super) fn known_compound(
        &mut self,
        keyword: Keyword,
        place: (usize, usize),
        cursor: &mut Cursor,
    ) -> Option<Vec<CommandKind>> {
        let span = self.span(place.0, place.1);
        let nothing = List::default;
        Some(match keyword {
            Keyword::If => {
                let mut branches = Vec::new();
                let mut otherwise = None;
                loop {
                    let condition = self.group(cursor, Open::Paren)?;
                    branches.push((condition, self.group(cursor, Open::Block)?));
                    match self.keyword_next(cursor, &[Keyword::ElseIf, Keyword::Else]) {
                        Some(Keyword::ElseIf) => {}
                        Some(_) => {
                            otherwise = Some(self.group(cursor, Open::Block)?);
                            break;
                        }
                        None => break,
                    }
                }
                vec![CommandKind::If {
                    branches,
                    otherwise,
                }]
            }
            Keyword::ForEach => {
                while cursor
                    .next_if(|spot| matches!(spot.token, Token::Operator(_) | Token::Number(_)))
                    .is_some()
                {}
                let spot = cursor.next_if(|spot| {
                    matches!(&spot.token, Token::Group(Open::Paren, Lowered::Each(..)))
                })?;
                let Token::Group(_, Lowered::Each(variable, words)) = spot.token else {
                    return None;
                };
                let body = self.group(cursor, Open::Block)?;
                vec![CommandKind::For {
                    variable,
                    words: Some(words),
                    body,
                    select: false,
                }]
            }
            Keyword::For | Keyword::While => {
                let condition = self.group(cursor, Open::Paren)?;
                let body = self.group(cursor, Open::Block)?;
                vec![CommandKind::While {
                    until: false,
                    condition,
                    body,
                }]
            }
            Keyword::Do => {
                let mut round = self.group(cursor, Open::Block)?;
                self.keyword_next(cursor, &[Keyword::While, Keyword::Until])?;
                let condition = self.group(cursor, Open::Paren)?;
                round.items.extend(condition.items);
                vec![CommandKind::While {
                    until: false,
                    condition: round,
                    body: nothing(),
                }]
            }
            Keyword::Switch => {
                let subject = self.until_block(cursor);
                let mut kinds = Vec::new();
                let mut of = Vec::new();
                for spot in subject {
                    if let Token::Group(_, lowered) = spot.token {
                        of.extend(crate::windows::powershell::expression::words_of(
                            lowered, span,
                        ));
                    }
                }
                if !of.is_empty() {
                    kinds.push(evaluating(of, span).kind);
                }
                kinds.push(CommandKind::Group(self.group(cursor, Open::Cases)?));
                kinds
            }
            Keyword::Try => {
                let mut kinds = vec![CommandKind::Group(self.group(cursor, Open::Block)?)];
                while let Some(next) =
                    self.keyword_next(cursor, &[Keyword::Catch, Keyword::Finally])
                {
                    if next == Keyword::Catch {
                        self.until_block(cursor);
                    }
                    let body = self.group(cursor, Open::Block)?;
                    kinds.push(match next {
                        Keyword::Catch => maybe(body, span).kind,
                        _ => CommandKind::Group(body),
                    });
                }
                kinds
            }
            Keyword::Trap => {
                self.until_block(cursor);
                let body = self.group(cursor, Open::Block)?;
                vec![maybe(body, span).kind]
            }
            Keyword::Function => {
                let mut name = Vec::new();
                let mut inside = Vec::new();
                for spot in self.until_block(cursor) {
                    match spot.token {
                        Token::Bare(text) => name.extend(text.bytes),
                        Token::Group(Open::Parameters, Lowered::List(list)) => {
                            inside.extend(list.items);
                        }
                        _ => return None,
                    }
                }
                let name = name.to_ascii_lowercase();
                let name = match name.iter().position(|byte| *byte == b':') {
                    Some(colon) => name.get(colon + 1..).unwrap_or_default().to_vec(),
                    None => name,
                };
                inside.extend(self.group(cursor, Open::Block)?.items);
                let body = CommandKind::Group(List { items: inside });
                vec![CommandKind::Function {
                    name,
                    body: Rc::new(tree::command(body, Vec::new(), span)),
                }]
            }
            Keyword::Param => vec![CommandKind::Group(self.group(cursor, Open::Parameters)?)],
            Keyword::Leave => {
                let mut own = Vec::new();
                while let Some(spot) = cursor.next_if(|spot| !spot.token.is_separator()) {
                    own.push(spot);
                }
                self.chain(own, false)
                    .map(|item| CommandKind::Group(List { items: vec![item] }))
                    .into_iter()
                    .collect()
            }
            Keyword::Jump => {
                while cursor.next_if(|spot| !spot.token.is_separator()).is_some() {}
                Vec::new()
            }
            Keyword::Block => {
                // It runs once for each object.
                let condition = nothing();
                let body = self.group(cursor, Open::Block)?;
                vec![CommandKind::While {
                    until: false,
                    condition,
                    body,
                }]
            }
            Keyword::Unread => {
                let mut end = place.1;
                let spots = self.until_block(cursor);
                end = spots.last().map_or(end, |spot| spot.end);
                self.group(cursor, Open::Block);
                self.unread(place.0, end);
                Vec::new()
            }
            Keyword::Using => Vec::new(),
            Keyword::ElseIf
            | Keyword::Else
            | Keyword::In
            | Keyword::Until
            | Keyword::Catch
            | Keyword::Finally => return None,
        })
    }
}
