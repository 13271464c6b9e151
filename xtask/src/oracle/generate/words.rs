//! One known word, spelled in any way that bash expands to it.

use super::Generator;
use super::spellings::{BASH, POSIX, Spelling};

impl Generator {
    /// A spelling of `text` (letters, digits and `./-`), which may need a prelude.
    pub(super) fn spell(&mut self, text: &str) -> String {
        if text.is_empty() {
            return self.random.pick(&["''", "\"\""]).to_owned();
        }
        if text.len() > 1 && self.random.chance(20) {
            let cut = 1 + self.random.below(text.len() - 1);
            let (left, right) = text.split_at(cut);
            let left = self.spell(left);
            let right = self.spell(right);
            let between =
                self.random
                    .pick(&["", "", "", "\\\n", "''", "\"\"", "$unset_name", "$@"]);
            // A bare `$name` would swallow what follows; all ours have braces.
            return format!("{left}{between}{right}");
        }
        let further: &[Spelling] = if self.posix { &[] } else { &BASH };
        let index = self.random.below(POSIX.len() + further.len());
        match POSIX.iter().chain(further).nth(index) {
            Some(spelling) => spelling(self, text),
            None => text.to_owned(),
        }
    }
}
