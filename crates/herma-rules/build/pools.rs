//! The arrays that hold what the tables refer to, each text and list once.

use std::collections::HashMap;
use std::fmt::Write as _;

/// All arrays.
#[derive(Default)]
pub(crate) struct Pools {
    text: String,
    places_in_text: HashMap<String, usize>,
    texts: Pool,
    text_lists: Pool,
    pub(crate) words: Pool,
    flags: Pool,
    pub(crate) flag_lists: Pool,
    pub(crate) verbs: Pool,
    pub(crate) places: Pool,
    pub(crate) facts: Pool,
    pub(crate) statements: Pool,
    pub(crate) predicates: Pool,
    pub(crate) indices: Pool,
}

/// One array.
#[derive(Default)]
pub(crate) struct Pool {
    elements: Vec<String>,
    known: HashMap<Vec<String>, usize>,
}

impl Pool {
    /// A list of these elements, which are Rust expressions.
    pub(crate) fn list(&mut self, elements: Vec<String>) -> String {
        let length = elements.len();
        if length == 0 {
            return "List::EMPTY".to_owned();
        }
        let next = self.elements.len();
        let at = *self.known.entry(elements).or_insert_with_key(|elements| {
            self.elements.extend_from_slice(elements);
            next
        });
        format!("List::at({at}, {length})")
    }
}

impl Pools {
    pub(crate) fn text(&mut self, text: &str) -> String {
        let next = self.text.len();
        let at = *self.places_in_text.entry(text.to_owned()).or_insert(next);
        if at == next {
            self.text.push_str(text);
        }
        format!("Text::at({at}, {})", text.len())
    }

    pub(crate) fn texts(&mut self, texts: &[&str]) -> String {
        let texts = texts.iter().map(|text| self.text(text)).collect();
        self.texts.list(texts)
    }

    /// Words with their alternatives: `reset|restore --hard`.
    pub(crate) fn words(&mut self, words: &str) -> String {
        let words = words
            .split_whitespace()
            .map(|word| self.texts(&word.split('|').collect::<Vec<_>>()))
            .collect();
        self.text_lists.list(words)
    }

    /// Alternatives of options: `--force|--with=value`.
    pub(crate) fn flags(&mut self, alternatives: &str) -> String {
        let flags = alternatives
            .split('|')
            .filter(|name| !name.is_empty())
            .map(|flag| {
                let (name, value) = match flag.split_once('=') {
                    Some((name, value)) => (name, format!("Some({})", self.text(value))),
                    None => (flag, "None".to_owned()),
                };
                format!("Flag {{ name: {}, value: {value} }}", self.text(name))
            })
            .collect();
        self.flags.list(flags)
    }

    pub(crate) fn emit(&self, out: &mut String) {
        let _ = writeln!(out, "pub(crate) static TEXT: &str = {:?};", self.text);
        for (name, kind, pool) in [
            ("TEXTS", "Text", &self.texts),
            ("TEXT_LISTS", "List<Text>", &self.text_lists),
            ("WORDS", "List<List<Text>>", &self.words),
            ("FLAGS", "Flag", &self.flags),
            ("FLAG_LISTS", "List<Flag>", &self.flag_lists),
            ("VERBS", "Verb", &self.verbs),
            ("PLACES", "Place", &self.places),
            ("FACTS", "FactKind", &self.facts),
            ("STATEMENTS", "Statement", &self.statements),
            ("PREDICATES", "Predicate", &self.predicates),
            ("INDICES", "u16", &self.indices),
        ] {
            let elements = pool.elements.join(",\n");
            let _ = writeln!(out, "static {name}: &[{kind}] = &[\n{elements}\n];");
        }
    }
}
