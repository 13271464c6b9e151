//! What the files say.

use super::super::literals::behind_names;
use super::super::words::{computed, lines};
use super::super::{Payload, Step, consoles};
use super::{Reader, Recipe, compose, json, just, suites, task, yaml};
use crate::execution::Arg;
use crate::syntax::Dialect;
use crate::value::{Piece, Value};

impl Recipe {
    /// Whether of a file that was there before only what the line added counts.
    pub(crate) fn adds(&self) -> bool {
        matches!(self.reader, Reader::Scripts(..))
    }

    /// What the program runs when the file holds this text.
    pub(crate) fn steps(&self, text: &Value) -> Vec<Step> {
        let whole = Arg {
            value: text.clone(),
            span: self.span,
        };
        match &self.reader {
            // Of what a source is made by others, nothing is said.
            Reader::Code(language) if language.is_compiled() && says_nothing(text) => Vec::new(),
            Reader::Bats => suites::shell(text)
                .map(|text| {
                    let span = self.span;
                    let text = computed(text, span);
                    let mut step = Step::text(&self.name, &text);
                    if let Payload::Shell { dialect, .. } = &mut step.payload {
                        *dialect = Dialect::Bash;
                    }
                    step
                })
                .into_iter()
                .collect(),
            Reader::Directives => lines(&whole)
                .iter()
                .filter_map(|line| {
                    let text = line.value.bytes()?;
                    let words = text.strip_prefix(b"//go:generate ")?.to_vec();
                    let words = computed(words, self.span);
                    Step::argv(&self.name, &super::super::words::split_quoted(&words))
                })
                .collect(),
            Reader::Code(language) => {
                let mut steps = vec![Step::local(
                    self.name.clone(),
                    Payload::Code {
                        language: *language,
                        text: text.clone(),
                        span: self.span,
                        arguments: None,
                    },
                )];
                if self.name == "rake" {
                    let shell = behind_names(&whole, &["sh"]);
                    steps.extend(shell.iter().map(|text| Step::text("rake sh", text)));
                }
                steps
            }
            Reader::Console => consoles::script(&self.name, &whole),
            Reader::Scripts(key, names) => {
                // Of a file that the line only added to, what it added.
                let mut bytes = Vec::new();
                for piece in &text.pieces {
                    if let Piece::Text { bytes: known, .. } = piece {
                        bytes.extend_from_slice(known);
                    }
                }
                let found = json::entries(&bytes, key.as_bytes());
                found
                    .into_iter()
                    .filter(|(name, _)| names.contains(name))
                    .map(|(_, text)| self.text(text))
                    .collect()
            }
            Reader::Just => just::recipes(&whole)
                .into_iter()
                .map(|text| Step::text(&self.name, &text))
                .collect(),
            Reader::Task => {
                let found = text.bytes().map(|bytes| task::commands(&bytes));
                found
                    .unwrap_or_default()
                    .into_iter()
                    .map(|text| self.text(text))
                    .collect()
            }
            Reader::Compose => {
                let found = text.bytes().map(|bytes| compose::runs(&bytes));
                let run = |words: Vec<Vec<u8>>| {
                    let words: Vec<Arg> = words
                        .into_iter()
                        .map(|word| computed(word, self.span))
                        .collect();
                    Step::argv(&self.name, &words)
                };
                found
                    .unwrap_or_default()
                    .into_iter()
                    .filter_map(run)
                    .collect()
            }
            Reader::Settings(names) => {
                let mut open = false;
                let mut out = Vec::new();
                for line in lines(&whole) {
                    let Some(text) = line.value.bytes() else {
                        continue;
                    };
                    let indented = matches!(text.first(), Some(b' ' | b'\t'));
                    let value = if indented {
                        Some(&*text)
                    } else {
                        let (name, value) = text.split_at(
                            text.iter()
                                .position(|byte| *byte == b'=')
                                .unwrap_or(text.len()),
                        );
                        open = names.contains(&name.trim_ascii());
                        value.get(1..)
                    };
                    let value = value.unwrap_or_default().trim_ascii();
                    // A leading dash lets the command fail.
                    let value = value.strip_prefix(b"-").unwrap_or(value);
                    if open && !value.is_empty() {
                        out.push(self.text(value.to_vec()));
                    }
                }
                out
            }
            Reader::Entries => {
                let found = text.bytes().map(|bytes| yaml::scalars(&bytes));
                found
                    .unwrap_or_default()
                    .into_iter()
                    .filter(|scalar| scalar.keys.last().is_some_and(|key| key == b"entry"))
                    .map(|scalar| self.text(scalar.value))
                    .collect()
            }
            Reader::Processes => lines(&whole)
                .iter()
                .filter_map(|line| {
                    let text = line.value.bytes()?;
                    let colon = text.iter().position(|byte| *byte == b':')?;
                    Some(self.text(text.get(colon + 1..)?.to_vec()))
                })
                .collect(),
        }
    }

    fn text(&self, text: Vec<u8>) -> Step {
        Step::text(&self.name, &computed(text, self.span))
    }
}

/// Whether nothing of the text is known, and it does not come from the network.
fn says_nothing(text: &Value) -> bool {
    let is_text = |piece: &Piece| matches!(piece, Piece::Text { .. });
    !text.is_fetched() && !text.pieces.iter().any(is_text)
}
