//! Names that a search hands on: `find … -exec rm {} +` and `find … | xargs rm` remove what `find`
//! matches, as `find … -delete` would.

use herma_shell::{Arg, Execution, Origin, Value};

use crate::effect::{Effect, Verb};
use crate::model;
use crate::place::Place;
use crate::scene::Scene;

/// The effects of the execution at `index`, with what is known of names that a search hands it.
pub(crate) fn effects(executions: &[Execution], index: usize, scene: &Scene) -> Vec<Effect> {
    let Some(execution) = executions.get(index) else {
        return Vec::new();
    };
    let mut effects = model::effects(execution, scene);
    if !effects.iter().any(is_unnamed) {
        return effects;
    }
    let Some(search) = search(executions, index) else {
        return effects;
    };
    let matched = model::effects(&deleting(search), scene);
    if matched.is_empty() {
        return effects;
    }
    let (unnamed, mut rest): (Vec<Effect>, Vec<Effect>) = effects.drain(..).partition(is_unnamed);
    for effect in unnamed {
        for found in &matched {
            let verb = match found.verb {
                Verb::DeleteTree => Verb::DeleteTree,
                _ => effect.verb,
            };
            rest.push(Effect {
                verb,
                places: found.places.clone(),
                span: effect.span,
                argument: effect.argument,
            });
        }
    }
    rest
}

fn is_unnamed(effect: &Effect) -> bool {
    matches!(effect.verb, Verb::Delete | Verb::DeleteTree)
        && effect
            .places
            .iter()
            .any(|place| matches!(place, Place::Unnamed | Place::Unresolved))
}

/// The search that yields the names for the execution at `index`.
fn search(executions: &[Execution], index: usize) -> Option<&Execution> {
    let execution = executions.get(index)?;
    let names = execution
        .argv
        .iter()
        .any(|arg| arg.value.any_unknown(|origin| *origin == Origin::Names));
    let carrier = execution.via.last()?.name.as_str();
    let before = executions.get(..index)?.iter().rev();
    let is_find = |own: &&Execution| own.program().is_some_and(|name| name == b"find");
    if !names {
        return None;
    }
    if carrier.starts_with("find") {
        return before.into_iter().find(is_find);
    }
    if carrier != "xargs" {
        return None;
    }
    let mut before = before.skip_while(|own| own.program().is_none_or(|name| name != b"xargs"));
    let fed = before.next()?.stdin.as_ref().is_some_and(|stdin| {
        stdin.any_unknown(|origin| matches!(origin, Origin::Output(name) if name == b"find"))
    });
    if fed { before.find(is_find) } else { None }
}

/// The same search with `-delete` as its only action.
fn deleting(search: &Execution) -> Execution {
    let mut out = search.clone();
    let action = |arg: &Arg| {
        const ACTIONS: &[&[u8]] = &[
            b"-exec",
            b"-execdir",
            b"-ok",
            b"-okdir",
            b"-print",
            b"-print0",
            b"-delete",
            b"-ls",
        ];
        ACTIONS.iter().any(|action| arg.value.is(action))
    };
    if let Some(at) = out.argv.iter().position(action) {
        out.argv.truncate(at);
    }
    out.argv.push(Arg {
        value: Value::computed(b"-delete".as_slice()),
        span: search.span,
    });
    out.redirections.clear();
    out
}
