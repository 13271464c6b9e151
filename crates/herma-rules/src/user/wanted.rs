//! The words of a rule, read as the program reads its own.

use std::borrow::Cow;

use crate::arguments::{Arguments, Spelled};
use crate::glob;

/// What a rule wants of an argv.
pub(super) struct Wanted<'r> {
    /// The rule's words without patterns for whole options.
    arguments: Arguments<'r>,
    /// Patterns for whole options, such as `-f*`.
    patterns: Vec<&'r [u8]>,
    /// Further words may follow.
    pub(super) open: bool,
}

impl<'r> Wanted<'r> {
    /// Reads a rule's words for the program with this name.
    pub(super) fn read(base: &str, argv: &'r [String]) -> Self {
        let mut patterns = Vec::new();
        let mut words: Vec<Option<Cow<'r, [u8]>>> = Vec::new();
        let mut open = false;
        for (index, word) in argv.iter().enumerate() {
            if index > 0 && word == "**" {
                open = true;
            } else if index > 0 && is_option_pattern(word) {
                patterns.push(word.as_bytes());
            } else {
                words.push(Some(Cow::Borrowed(word.as_bytes())));
            }
        }
        Self {
            arguments: Arguments::of_words(base, words),
            patterns,
            open,
        }
    }

    /// The options that must be there.
    pub(super) fn options(&self) -> impl Iterator<Item = Spelled<'_>> {
        self.arguments.spelled()
    }

    /// The operands in their order, each a glob.
    pub(super) fn operands(&self) -> impl Iterator<Item = &[u8]> {
        self.arguments.operands_from(0)
    }

    /// Whether `--` must be there.
    pub(super) fn marked(&self) -> bool {
        self.arguments.has_marker()
    }

    /// Whether each pattern for an option has its option.
    pub(super) fn patterns_hold(&self, given: &Arguments<'_>) -> bool {
        self.patterns.iter().all(|pattern| {
            let own = given.spelled().filter_map(|own| given.words.get(own.word));
            own.flatten()
                .any(|word| glob::matches(pattern, word, false))
        })
    }

    /// Whether a pattern stands for this option.
    pub(super) fn patterns_cover(&self, own: &Spelled<'_>, given: &Arguments<'_>) -> bool {
        let word = given.words.get(own.word).and_then(|word| word.as_deref());
        word.is_some_and(|word| {
            self.patterns
                .iter()
                .any(|pattern| glob::matches(pattern, word, false))
        })
    }
}

/// Whether the name of an option is left open, as in `--force*` and not in `--context=prod-*`.
fn is_option_pattern(word: &str) -> bool {
    let name = word.split('=').next().unwrap_or(word);
    word.starts_with('-') && name.contains('*')
}
