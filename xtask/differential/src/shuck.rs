//! shuck-parser's view.

use std::collections::BTreeSet;

use shuck_parser::parser::{ParseStatus, Parser};

use super::{Seen, is_marker};

/// The tree has no visitor that reaches every nested list, so its printed form is searched: a
/// simple command prints its name first, and a literal name prints its offset first.
pub(crate) fn commands(text: &str) -> Seen {
    let parsed = Parser::new(text).parse();
    if parsed.status != ParseStatus::Clean {
        return None;
    }
    let printed = format!("{:?}", parsed.file);
    let mut found = BTreeSet::new();
    for part in printed.split("SimpleCommand { name: ").skip(1) {
        let offset = part.split_once("offset: ").map(|(_, rest)| rest);
        let digits: String = offset
            .unwrap_or_default()
            .chars()
            .take_while(char::is_ascii_digit)
            .collect();
        // A quoted name prints the offset behind its quote.
        if let Ok(at) = digits.parse::<usize>()
            && is_marker(text, at)
            && !text
                .get(..at)
                .is_some_and(|before| before.ends_with(['\'', '"']))
        {
            found.insert(at);
        }
    }
    Some(found)
}
