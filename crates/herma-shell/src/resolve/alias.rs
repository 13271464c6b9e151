//! Aliases, on the tree: the alias' commands with the call's words behind the last one.

use super::machine::{Io, Machine};
use super::state::State;
use crate::execution::FactKind;
use crate::source::Span;
use crate::syntax::{CommandKind, List, Part, Simple, Word, parse};
use crate::value::Value;

/// How often an alias may expand to another one.
const MAX_CHAIN: usize = 16;

impl Machine<'_> {
    /// Runs the command as the aliases of its first word make it, in every reading.
    pub(super) fn aliased(&mut self, simple: &Simple, span: Span, state: &mut State, io: &mut Io) {
        if state.aliases.is_empty() || self.shallow {
            return;
        }
        let Some(name) = simple.words.first().and_then(plain) else {
            return;
        };
        if self.alias_chain.contains(&name) {
            return;
        }
        let Some(values) = state.aliases.get(&name).cloned() else {
            return;
        };
        if self.alias_chain.len() > MAX_CHAIN {
            self.fact(FactKind::CommandUnresolved, span, b"");
            return;
        }
        self.alias_chain.push(name);
        for value in &values {
            match self.replaced(simple, value, span, state) {
                Some(list) => {
                    let mut inner = state.clone();
                    let mut inner_io = io.clone();
                    self.deeper(span, |machine| {
                        machine.list(&list, &mut inner, &mut inner_io);
                    });
                    self.join(state, &inner);
                    io.join(inner_io);
                }
                None => self.fact(FactKind::CommandUnresolved, span, b""),
            }
        }
        self.alias_chain.pop();
    }

    /// The alias' commands with the words behind the name at their end.
    fn replaced(
        &mut self,
        simple: &Simple,
        value: &Value,
        span: Span,
        state: &State,
    ) -> Option<List> {
        if value
            .pieces
            .iter()
            .any(|piece| matches!(piece, crate::Piece::Text { at: None, .. }))
        {
            self.fixed.insert(span.start);
        }
        let (source, known) = value.to_source(span);
        if !known
            || !self.spend(100 + 2 * source.bytes().len() as u64 + 8 * simple.words.len() as u64)
        {
            return None;
        }
        // A comment, a quote or a continuation reaches into what follows the call.
        let reaches_on = source.bytes().contains(&b'#')
            || source.bytes().ends_with(b"\\")
            || source.bytes().windows(2).any(|pair| pair == b"<<");
        if reaches_on {
            return None;
        }
        let parsed = parse(&source, self.dialect);
        let mut list = parsed.list;
        let mut rest = simple.words.get(1..).unwrap_or_default().to_vec();
        // Behind an alias that ends in a blank the next word is looked up too; both readings.
        let last_blank = source.bytes().last().is_some_and(u8::is_ascii_whitespace);
        let last = list
            .items
            .last_mut()
            .map(|item| {
                item.rest
                    .last_mut()
                    .map_or(&mut item.first, |(_, pipeline)| pipeline)
            })
            .and_then(|pipeline| pipeline.stages.last_mut());
        match last.map(|command| &mut command.kind) {
            Some(CommandKind::Simple(inner)) if parsed.errors.is_empty() => {
                if last_blank
                    && let Some(text) = rest.first().and_then(plain)
                    && let Some([value, ..]) = state.aliases.get(&text).map(Vec::as_slice)
                {
                    let (source, _) = value.to_source(span);
                    let parsed = parse(&source, self.dialect);
                    let words = words_of(&parsed.list);
                    // An operator or a construct in it changes what the command is.
                    if words.is_empty() || !parsed.errors.is_empty() || parsed.list.items.len() > 1
                    {
                        return None;
                    }
                    rest.splice(0..1, words);
                }
                inner.words.append(&mut rest);
                inner.redirects.extend(simple.redirects.iter().cloned());
                let mut assignments = simple.assignments.clone();
                assignments.append(&mut inner.assignments);
                inner.assignments = assignments;
                Some(list)
            }
            // The alias ends in a compound or inside a construct: what it holds runs, the rest
            // cannot be known.
            _ if parsed.errors.is_empty() && rest.is_empty() => Some(list),
            _ => None,
        }
    }
}

/// The words of a list that is one simple command of nothing but words.
fn words_of(list: &List) -> Vec<Word> {
    let [item] = list.items.as_slice() else {
        return Vec::new();
    };
    let [command] = item.first.stages.as_slice() else {
        return Vec::new();
    };
    match &command.kind {
        CommandKind::Simple(simple)
            if item.rest.is_empty()
                && !item.background
                && simple.assignments.is_empty()
                && simple.redirects.is_empty() =>
        {
            simple.words.clone()
        }
        _ => Vec::new(),
    }
}

/// An unquoted word without expansions.
fn plain(word: &Word) -> Option<Vec<u8>> {
    match word.parts.as_slice() {
        [Part::Literal(text)] => Some(text.bytes.clone()),
        [Part::Literal(first), rest @ ..] => {
            let mut out = first.bytes.clone();
            for part in rest {
                let Part::Literal(text) = part else {
                    return None;
                };
                out.extend_from_slice(&text.bytes);
            }
            Some(out)
        }
        _ => None,
    }
}
