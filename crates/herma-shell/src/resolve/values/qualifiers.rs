//! Groups in patterns of zsh: qualifiers, flags, alternatives.

use crate::execution::FactKind;
use crate::resolve::machine::Machine;
use crate::resolve::machine::state::State;
use crate::syntax::{Text, Word};

impl Machine<'_> {
    /// Whether the group only says which files of a pattern count. Code in it is not followed.
    pub(crate) fn qualifiers(
        &mut self,
        alternatives: &[Word],
        text: &Text,
        state: &mut State,
    ) -> bool {
        let written = text.bytes.as_slice();
        let inside = written
            .strip_prefix(b"(")
            .and_then(|rest| rest.strip_suffix(b")"))
            .unwrap_or(written);
        if alternatives.len() > 1 {
            return false;
        }
        let inside = inside.strip_prefix(b"#q").unwrap_or(inside);
        // `e:'code':`, `+function`
        let code = inside.contains(&b'+')
            || inside.iter().enumerate().any(|(index, byte)| {
                *byte == b'e'
                    && inside
                        .get(index + 1)
                        .is_some_and(|next| !next.is_ascii_alphanumeric() && *next != b'^')
            });
        if code {
            let span = alternatives
                .first()
                .map_or_else(Default::default, |word| word.span);
            self.fact(FactKind::CodeUnresolved, span, b"");
        }
        let qualifiers = code
            || inside.iter().all(|byte| {
                byte.is_ascii_alphanumeric() || b"./@=*%^-+#:,[]!_'\"{}~".contains(byte)
            });
        if qualifiers && inside.contains(&b'N') {
            state.null_glob = true;
        }
        qualifiers
    }
}
