//! Where do other parsers see commands that herma's does not, or the other way round?
//!
//! Standard input: JSON strings, one a line. Compared are the byte offsets at which the word `zz9`
//! stands as a command's name. Each difference must belong to a class that
//! `docs/parser-differences.md` explains; any other makes the comparison fail.

mod classes;
mod ours;
mod shuck;
mod tree;

use std::collections::{BTreeMap, BTreeSet};
use std::io::BufRead;
use std::process::ExitCode;

use anyhow::Result;

use classes::{Difference, Side};

/// Of so many texts one may hold a command that only herma sees for an unclassified reason.
const UNCLASSIFIED_ONE_IN: usize = 1_000;

/// Offsets of `zz9` in command position; `None` when the parser reports an error.
type Seen = Option<BTreeSet<usize>>;

fn main() -> Result<ExitCode> {
    let explained = std::env::args().nth(1).map_or_else(String::new, |path| {
        std::fs::read_to_string(path).unwrap_or_default()
    });
    let mut trees = tree::Trees::new()?;
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut unexplained = 0;
    let mut theirs_only = false;
    let (mut texts, mut compared) = (0, 0);
    for line in std::io::stdin().lock().lines() {
        let text: String = serde_json::from_str(&line?)?;
        texts += 1;
        let Some(ours) = ours::commands(&text) else {
            *counts
                .entry("herma does not understand the text".to_owned())
                .or_default() += 1;
            continue;
        };
        for (parser, theirs) in [
            ("shuck", shuck::commands(&text)),
            ("tree-sitter", trees.commands(&text)),
        ] {
            let Some(theirs) = theirs else {
                *counts
                    .entry(format!("{parser} reports an error"))
                    .or_default() += 1;
                continue;
            };
            compared += 1;
            let more = theirs.difference(&ours).map(|at| (Side::Theirs, *at));
            let fewer = ours.difference(&theirs).map(|at| (Side::Ours, *at));
            for (side, at) in more.chain(fewer) {
                let difference = Difference {
                    text: &text,
                    at,
                    side,
                    parser,
                };
                match classes::class(&difference) {
                    Some(class) if explained.contains(&format!("`{class}`")) => {
                        *counts
                            .entry(format!("{parser}, {side:?} only, {class}"))
                            .or_default() += 1;
                    }
                    class => {
                        unexplained += 1;
                        theirs_only |= side == Side::Theirs;
                        if unexplained <= 40 {
                            println!(
                                "UNEXPLAINED {parser}, {side:?} only, offset {at}, {class:?}: {text:?}"
                            );
                        }
                    }
                }
            }
        }
    }
    for (what, count) in &counts {
        println!("{count:>6} × {what}");
    }
    println!("{texts} texts, {compared} comparisons, {unexplained} unexplained differences");
    let few = !theirs_only && unexplained * UNCLASSIFIED_ONE_IN <= texts;
    Ok(if few && compared > 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// Whether the word at `at` is `zz9` and nothing else.
fn is_marker(text: &str, at: usize) -> bool {
    let bytes = text.as_bytes();
    let ends = |byte: Option<&u8>| byte.is_none_or(|byte| b" \t\n;&|()<>`}".contains(byte));
    bytes.get(at..at + 3) == Some(b"zz9") && ends(bytes.get(at + 3))
}
