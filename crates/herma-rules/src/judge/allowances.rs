//! Which rules of the user stood against which findings.

use std::borrow::Cow;

use herma_shell::Span;

use super::collected::{Collected, subsumes};
use crate::policy::UserRule;
use crate::verdict::Allowed;

/// Silenced findings beyond this many say nothing new.
const MOST_SILENCED: usize = 256;

/// A rule that would have been found, and where.
type Silenced = (&'static str, Span);

/// The user's rules by their number, each with the rules that it silenced.
#[derive(Default)]
pub(super) struct Allowances {
    silenced: Vec<(usize, Silenced)>,
}

impl Allowances {
    /// The user's rules with these numbers silenced this one at this place.
    pub(super) fn add(&mut self, allowing: &[usize], id: &'static str, span: Span) {
        for number in allowing {
            let silenced = (*number, (id, span));
            if self.silenced.len() < MOST_SILENCED && !self.silenced.contains(&silenced) {
                self.silenced.push(silenced);
            }
        }
    }

    /// The user's rules in their order, each with what would be found without it: not what a
    /// floor says all the same, and of two words about one effect the stronger.
    pub(super) fn finish(self, found: &Collected, rules: &[UserRule]) -> Vec<Allowed> {
        let mut allowed: Vec<(usize, Allowed)> = Vec::new();
        for (number, (id, span)) in &self.silenced {
            let weaker = self
                .silenced
                .iter()
                .any(|(_, (other, at))| at == span && subsumes(other, id));
            let Some(rule) = rules
                .get(*number)
                .filter(|_| !weaker && !found.has_floor_at(id, *span))
            else {
                continue;
            };
            let at = match allowed.iter().position(|(own, _)| own == number) {
                Some(at) => at,
                None => {
                    let rule = rule.id.clone();
                    let silenced = Vec::new();
                    allowed.push((*number, Allowed { rule, silenced }));
                    allowed.len() - 1
                }
            };
            if let Some((_, own)) = allowed.get_mut(at)
                && !own.silenced.iter().any(|own| own == id)
            {
                own.silenced.push(Cow::Borrowed(*id));
            }
        }
        allowed.sort_by_key(|(number, _)| *number);
        allowed.into_iter().map(|(_, allowed)| allowed).collect()
    }
}
