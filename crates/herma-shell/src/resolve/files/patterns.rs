//! Files that the line writes by a pattern (`> a*`): which of them it is, is not known here.

use super::{FILE_OPENED, MAX_MATCHED};
use crate::resolve::machine::Machine;
use crate::resolve::machine::state::State;
use crate::resolve::values::pattern::matches;
use crate::source::Span;
use crate::value::Value;
use crate::world::Listing;

impl Machine<'_> {
    /// Every file that the pattern names may hold one of these texts from here on.
    pub(super) fn write_matching(
        &mut self,
        pattern: &[u8],
        texts: &[Value],
        append: bool,
        state: &mut State,
    ) {
        for path in self.named_by(pattern, state) {
            let known = state.files.get(&path).cloned();
            self.write_file(state, &path, texts, append);
            state.files.update(&path, |contents| match &known {
                Some(known) => {
                    contents.join(known);
                }
                None => contents.may_be_untouched(),
            });
        }
    }

    /// The files of the line that a pattern names; those whose own name is a pattern only if wanted.
    pub(super) fn own_files(
        &mut self,
        pattern: &[u8],
        with_patterns: bool,
        state: &State,
    ) -> Vec<Vec<u8>> {
        let depth = |path: &[u8]| path.iter().filter(|byte| **byte == b'/').count();
        let mut found = Vec::new();
        let wanted = depth(pattern);
        for (path, _) in state.files.iter() {
            if depth(path) != wanted || !with_patterns && has_pattern(path) {
                continue;
            }
            if !self.spend(1 + pattern.len() as u64 * path.len() as u64 / 16) {
                break;
            }
            if !matches(pattern, path) {
                continue;
            }
            if found.len() == MAX_MATCHED {
                self.beyond(Span::default());
                break;
            }
            found.push(path.to_vec());
        }
        found
    }

    /// The files of the line and of the machine that a pattern names.
    fn named_by(&mut self, pattern: &[u8], state: &State) -> Vec<Vec<u8>> {
        let mut found = self.own_files(pattern, false, state);
        let mut there = Vec::new();
        let slash = pattern.iter().rposition(|byte| *byte == b'/');
        let (directory, base) = pattern.split_at(slash.map_or(0, |slash| slash + 1));
        if !has_pattern(directory)
            && self.spend(FILE_OPENED)
            && let Listing::Names(names) = self.world.list(directory)
        {
            for name in names {
                if !self.spend(1 + base.len() as u64 * name.len() as u64 / 16) {
                    return found;
                }
                if !has_pattern(&name) && matches(base, &name) {
                    there.push([directory, &name].concat());
                }
                // The shell refuses to write to one of several.
                if there.len() > MAX_MATCHED {
                    there.clear();
                    break;
                }
            }
        }
        there.retain(|path| !found.contains(path));
        found.append(&mut there);
        found
    }
}

/// Whether a path is a pattern.
pub(super) fn has_pattern(path: &[u8]) -> bool {
    path.iter().any(|byte| matches!(byte, b'*' | b'?' | b'['))
}
