//! How much a match means: whether it is a floor, and whether it counts at all.

use herma_shell::{Reach, Value};

use crate::effect::Effect;
use crate::matching::{Clause, Subject};
use crate::place::Place;

/// How far a rule's word holds for an execution.
#[derive(Clone, Copy)]
pub(super) struct Weight {
    /// The program is certainly the one that the rule means.
    pub(super) certain: bool,
    /// It runs on this machine.
    pub(super) local: bool,
}

/// A floor stays one where its effect is certain: on this machine, by the program that is meant, or
/// by a redirection, which needs no program.
pub(super) fn stays_floor(effect: Option<&Effect>, weight: Weight) -> bool {
    let redirected = effect.is_some_and(|effect| effect.argument.is_none());
    weight.local && (weight.certain || redirected)
}

/// Outside of the line itself only what is resolved counts.
pub(super) fn counts(clause: &Clause, subject: &Subject<'_>, effect: Option<&Effect>) -> bool {
    if subject.execution.reach == Reach::Line {
        return true;
    }
    let known = |value: &Value| value.is_known() && !value.has_unset();
    let execution = subject.execution;
    let resolved = |effect: &Effect| {
        let target = match effect.argument {
            Some(at) => execution.argv.get(at).map(|arg| &arg.value),
            None => execution
                .redirections
                .iter()
                .find(|redirection| redirection.span == effect.span)
                .map(|redirection| &redirection.target),
        };
        target.is_none_or(known)
            && !effect.places.iter().any(|place| {
                matches!(
                    place,
                    Place::Unresolved | Place::UnresolvedRoot | Place::Unnamed | Place::EmptyJoin
                )
            })
    };
    match effect {
        Some(effect) => {
            resolved(effect)
                || subject
                    .effects
                    .iter()
                    .any(|other| clause.is_effect(other) && resolved(other))
        }
        None => execution.argv.iter().all(|arg| known(&arg.value)),
    }
}
