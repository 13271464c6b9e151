//! What the mode and the user's own rules say about an execution.

use herma_shell::Execution;

use super::Judge;
use super::findings::{by_user, by_user_for_tool};
use crate::access::Access;
use crate::arguments::Arguments;
use crate::effect::{Effect, Verb};
use crate::matching;
use crate::naming::Name;
use crate::pack;
use crate::place::Place;
use crate::policy::{Action, Mode};
use crate::user;
use crate::verdict::Floor;

impl Judge<'_> {
    /// Asks about what is not known to be harmless.
    pub(super) fn strict(
        &mut self,
        execution: &Execution,
        names: &[Name<'_>],
        arguments: &[Arguments<'_>],
        effects: &[Effect],
    ) {
        let known = names.iter().zip(arguments).all(|(name, arguments)| {
            name.certain
                && pack::known(&name.base).iter().any(|words| {
                    matching::words_match(words, arguments).is_some_and(|taken| {
                        arguments
                            .operands
                            .iter()
                            .take(taken)
                            .all(|at| arguments.words.get(*at).is_some_and(Option::is_some))
                    })
                })
        });
        if !names.is_empty() && known && are_harmless(effects) {
            return;
        }
        self.unknown(execution);
    }

    /// The same for what a file tool does.
    pub(super) fn strict_access(&mut self, execution: &Execution, effects: &[Effect]) {
        if !are_harmless(effects) {
            self.unknown(execution);
        }
    }

    fn unknown(&mut self, execution: &Execution) {
        if self.allowing.is_empty() {
            self.about("strict.unknown", execution);
        } else {
            self.allowances
                .add(&self.allowing, "strict.unknown", execution.span);
        }
    }

    /// Records what the user's rules for tools find; the numbers of those that allow the use.
    pub(super) fn user_tools(&mut self, access: &Access<'_>) -> Vec<usize> {
        let mut allowing = Vec::new();
        let mut asked = false;
        for (number, rule) in self.policy.rules.iter().enumerate() {
            if !user::covers(rule, access) {
                continue;
            }
            let floor = match rule.action {
                Action::Allow => {
                    allowing.push(number);
                    continue;
                }
                Action::Ask if self.mode == Mode::Off => continue,
                Action::Ask => None,
                Action::Deny => Some(Floor::UserDeny),
            };
            asked |= floor.is_none();
            self.found.add(by_user_for_tool(rule, access, floor));
        }
        if asked { Vec::new() } else { allowing }
    }

    /// Records what the user's rules find; the numbers of those that allow the execution.
    pub(super) fn user(
        &mut self,
        execution: &Execution,
        names: &[Name<'_>],
        arguments: &[Arguments<'_>],
    ) -> Vec<usize> {
        let mut allowing = Vec::new();
        let mut asked = false;
        for (number, rule) in self.policy.rules.iter().enumerate() {
            let matches = names.iter().zip(arguments).any(|(name, arguments)| {
                (rule.action != Action::Allow || (name.certain && !name.respelled))
                    && user::matches(rule, &name.base, execution, arguments)
            });
            if !matches {
                continue;
            }
            match rule.action {
                Action::Allow if execution.via.is_empty() && execution.redirections.is_empty() => {
                    allowing.push(number);
                }
                Action::Allow => {}
                Action::Ask if self.mode != Mode::Off => {
                    asked = true;
                    self.found.add(by_user(rule, execution, None));
                }
                Action::Ask => {}
                Action::Deny => self
                    .found
                    .add(by_user(rule, execution, Some(Floor::UserDeny))),
            }
        }
        if asked { Vec::new() } else { allowing }
    }
}

/// Whether nothing but reading, and changing what is one's own.
fn are_harmless(effects: &[Effect]) -> bool {
    effects.iter().all(|effect| match effect.verb {
        Verb::Read => true,
        Verb::Write | Verb::Append | Verb::Edit | Verb::Delete => {
            effect.places.iter().all(|place| {
                matches!(
                    place,
                    Place::Work | Place::TempChild | Place::NullDevice | Place::Regenerable
                )
            })
        }
        _ => false,
    })
}
