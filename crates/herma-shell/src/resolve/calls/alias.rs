//! Aliases, on the tree: the alias' commands with the call's words behind the last one.

use crate::execution::FactKind;
use crate::resolve::machine::state::State;
use crate::resolve::machine::{Io, Machine};
use crate::source::{Source, Span};
use crate::syntax::{CommandKind, List, Part, Simple, Word, parse};
use crate::value::Value;

/// How often an alias may expand to another one.
const MAX_CHAIN: usize = 16;

/// How many words aliases may make of a command.
const MAX_WORDS: usize = 4096;

impl Machine<'_> {
    /// Runs the command as the aliases of its first word make it, in every reading; gives where each
    /// of them ends.
    pub(crate) fn aliased(
        &mut self,
        simple: &Simple,
        span: Span,
        state: &State,
        io: &Io,
    ) -> Vec<(State, Io)> {
        let mut ends = Vec::new();
        if state.aliases.is_empty() || self.shallow {
            return ends;
        }
        let Some(name) = simple.words.first().and_then(plain) else {
            return ends;
        };
        if self.alias_chain.contains(&name) {
            return ends;
        }
        let Some(values) = state.aliases.get(&name).cloned() else {
            return ends;
        };
        if self.alias_chain.len() > MAX_CHAIN {
            self.fact(FactKind::CommandUnresolved, span, b"");
            return ends;
        }
        self.alias_chain.push(name);
        for value in &values {
            let lists = self.replaced(simple, value, span, state);
            if !lists.exact {
                self.fact(FactKind::CommandUnresolved, span, b"");
            }
            for list in &lists.readings {
                let mut end = (state.clone(), io.clone());
                self.deeper(span, |machine| {
                    machine.list(list, &mut end.0, &mut end.1);
                });
                ends.push(end);
            }
        }
        self.alias_chain.pop();
        ends
    }

    /// The alias' commands with the words behind the name at their end.
    fn replaced(&mut self, simple: &Simple, value: &Value, span: Span, state: &State) -> Replaced {
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
            return Replaced::partly(Vec::new());
        }
        let parsed = parse(&source, self.dialect);
        let mut list = parsed.list;
        let rest = simple.words.get(1..).unwrap_or_default();
        let bare = rest.is_empty() && simple.redirects.is_empty() && simple.assignments.is_empty();
        if parsed.errors.is_empty() && bare && !reaches_on(source.bytes()) {
            return Replaced::exactly(vec![list]);
        }
        let understood = parsed.errors.is_empty() && !reaches_on(source.bytes());
        let Some(inner) = last_command(&mut list).filter(|_| understood) else {
            // It ends in a compound, inside a construct or with a separator: what it holds runs, and
            // what becomes of the rest cannot be known.
            return Replaced::partly(vec![list]);
        };
        inner.redirects.extend(simple.redirects.iter().cloned());
        let mut assignments = simple.assignments.clone();
        assignments.append(&mut inner.assignments);
        inner.assignments = assignments;
        let own = inner.words.len();
        inner.words.extend_from_slice(rest);
        let mut readings = Vec::new();
        // Behind an alias that ends in a blank the next word is looked up too, in some shells even
        // with a redirection before it: both readings.
        let as_written = inner.words.clone();
        let ends_blank =
            |source: &Source| source.bytes().last().is_some_and(u8::is_ascii_whitespace);
        let mut looked_up = ends_blank(&source);
        let mut next = own;
        let mut replaced = false;
        // Aliases whose text is not read to its end: where it ends, whether in a blank, the name.
        let mut open: Vec<(usize, bool, Vec<u8>)> = Vec::new();
        while looked_up && let Some(text) = inner.words.get(next).and_then(plain) {
            let value = match state.aliases.get(&text).map(Vec::as_slice) {
                Some([value, ..]) if open.iter().all(|(_, _, name)| *name != text) => value,
                _ => {
                    next += 1;
                    looked_up = false;
                    // The rest of the innermost text is no longer looked up; what ends with it is.
                    if let Some((end, ..)) = open.last() {
                        next = next.max(*end);
                    }
                    while let Some((_, blank, _)) = open.pop_if(|(end, ..)| *end <= next) {
                        looked_up |= blank;
                    }
                    continue;
                }
            };
            let (source, known) = value.to_source(span);
            if !known {
                return Replaced::partly(vec![list]);
            }
            // Behind a word nothing is reserved.
            let mut behind_word = Value::computed(b"x ".as_slice());
            behind_word.append(value);
            let parsed = parse(&behind_word.to_source(span).0, self.dialect);
            let words: Vec<Word> = words_of(&parsed.list).into_iter().skip(1).collect();
            // An operator or a construct in it changes what the command is.
            let plainly =
                !words.is_empty() && parsed.errors.is_empty() && !reaches_on(source.bytes());
            let work = source.bytes().len() + inner.words.len();
            if !plainly || inner.words.len() > MAX_WORDS || !self.spend(100 + 2 * work as u64) {
                return Replaced::partly(vec![list]);
            }
            replaced = true;
            let more = words.len() - 1;
            inner.words.splice(next..=next, words);
            for (end, _, _) in &mut open {
                *end += more;
            }
            open.push((next + more + 1, ends_blank(&source), text));
        }
        if replaced {
            readings.push(list.clone());
            let Some(command) = last_command(&mut list) else {
                return Replaced::partly(readings);
            };
            command.words = as_written;
        }
        readings.push(list);
        Replaced::exactly(readings)
    }
}

/// What an alias makes of a command.
struct Replaced {
    /// Its commands, in each reading.
    readings: Vec<List>,
    /// Nothing else can come of it.
    exact: bool,
}

impl Replaced {
    fn exactly(readings: Vec<List>) -> Self {
        let exact = true;
        Self { readings, exact }
    }

    fn partly(readings: Vec<List>) -> Self {
        let exact = false;
        Self { readings, exact }
    }
}

/// The simple command at the end of a list.
fn last_command(list: &mut List) -> Option<&mut Simple> {
    let item = list.items.last_mut()?;
    let pipeline = item
        .rest
        .last_mut()
        .map_or(&mut item.first, |(_, pipeline)| pipeline);
    match &mut pipeline.stages.last_mut()?.kind {
        CommandKind::Simple(simple) => Some(simple),
        _ => None,
    }
}

/// A comment, a continuation, a here-document or a separator at the end reaches into what follows
/// the call, or keeps it apart.
fn reaches_on(text: &[u8]) -> bool {
    let end = text.trim_ascii_end();
    text.contains(&b'#')
        || text.ends_with(b"\\")
        || text.windows(2).any(|pair| pair == b"<<")
        || text
            .get(end.len()..)
            .is_some_and(|blank| blank.contains(&b'\n'))
        || end.ends_with(b";")
        || end.ends_with(b"&")
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
