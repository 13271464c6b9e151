//! Names that a search hands on: `find … -exec rm {} +` and `find … | xargs rm` remove what `find`
//! matches, as `find … -delete` would.

use herma_shell::find::{Term, Tests, roots, terms};
use herma_shell::{Arg, Execution, Origin, Piece, Value};

use crate::effect::{Effect, Verb};
use crate::model;
use crate::place::{self, Place};
use crate::scene::Scene;
use crate::unpacked::absolute;

/// How many executions may stand between a search and what it feeds.
const FARTHEST: usize = 16;

/// The effects of the execution at `index`, with what is known of names that a search hands it.
pub(crate) fn effects(executions: &[Execution], index: usize, scene: &Scene) -> Vec<Effect> {
    let Some(execution) = executions.get(index) else {
        return Vec::new();
    };
    let mut effects = model::effects(execution, scene);
    if effects.iter().any(|effect| effect.verb == Verb::DeleteTree) {
        for effect in &mut effects {
            let found = |at| is_found_file(executions, index, at);
            if effect.verb == Verb::DeleteTree && effect.argument.is_some_and(found) {
                effect.verb = Verb::Delete;
            }
        }
    }
    for effect in &mut effects {
        if effect.verb == Verb::DeleteTree
            && let Some(at) = effect.argument
            && let Some(whole) = listed(executions, index, at)
        {
            let places = place::places(&whole, &execution.cwd, scene);
            if places
                .iter()
                .any(|place| matches!(place, Place::SystemRoot | Place::Home))
            {
                effect.places = places;
            }
        }
    }
    if !effects.iter().any(is_unnamed) {
        return effects;
    }
    let piped = execution.via.last().is_some_and(|via| via.name == "xargs");
    let Some(search) = search(executions, index).and_then(|search| deleting(search, piped)) else {
        return effects;
    };
    let matched = model::effects(&search, scene);
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

/// Whether the word at this index of the argv is what a search for nothing but files found, so
/// that `-r` has no directory to go down.
fn is_found_file(executions: &[Execution], index: usize, word: usize) -> bool {
    let Some(execution) = executions.get(index) else {
        return false;
    };
    let (Some(arg), Some(via)) = (execution.argv.get(word), execution.via.last()) else {
        return false;
    };
    let start = index.saturating_sub(FARTHEST);
    let before = executions.get(start..index).unwrap_or_default();
    let mut searches = before.iter().filter(|own| is_find(own));
    let Some(search) = searches.next_back() else {
        return false;
    };
    let from = roots(&search.argv).end;
    let mut tests = Tests::default();
    let mut handed = false;
    for (_, term) in terms(&search.argv, from) {
        tests.add(term);
        if let Term::Run(run) = term {
            let same = |at: usize| run.words.get(at).map(|own| own.span);
            let mark = run.words.get(word).is_some_and(|own| own.value.is(b"{}"));
            handed |= mark
                && run.words.len() == execution.argv.len()
                && same(0) == execution.argv.first().map(|own| own.span);
            // What stands behind the action tells nothing of its names.
            break;
        }
    }
    if via.name == "xargs" {
        let xargs = before
            .iter()
            .rfind(|own| own.program().is_some_and(|name| name == b"xargs"));
        // One search alone feeds it, and its names stand behind what is written.
        handed = searches.next().is_none()
            && xargs.is_some_and(|xargs| {
                let stdin = xargs.stdin.as_ref();
                arg.value.has_glob()
                    && !xargs.argv.iter().skip(1).any(|own| own.span == arg.span)
                    && stdin.is_some_and(|stdin| {
                        stdin.has_glob() && !stdin.any_unknown(|origin| *origin != Origin::Names)
                    })
            });
    } else if !via.name.starts_with("find -exec") {
        return false;
    }
    handed && tests.only_files()
}

/// Everything in a directory, when the word is each name that `ls` prints of that directory: they
/// are put behind the directory's path, or are names in the working directory.
fn listed(executions: &[Execution], index: usize, word: usize) -> Option<Value> {
    let execution = executions.get(index)?;
    let value = &execution.argv.get(word)?.value;
    let (last, before) = value.pieces.split_last()?;
    let Piece::Unknown(unknown) = last else {
        return None;
    };
    let directory = Value {
        pieces: before.to_vec(),
        decoded: false,
    };
    let path = directory.bytes()?;
    if !path.is_empty() && !path.ends_with(b"/") {
        return None;
    }
    let start = index.saturating_sub(FARTHEST);
    let before = executions.get(start..index)?;
    let from_list = |origin: &Origin| matches!(origin, Origin::Output(name) if name == b"ls");
    let fed = match &unknown.origin {
        Origin::Names => before
            .iter()
            .rfind(|own| own.program().is_some_and(|name| name == b"xargs"))
            .and_then(|xargs| xargs.stdin.as_ref())
            .is_some_and(|stdin| {
                matches!(stdin.pieces.as_slice(), [Piece::Unknown(only)] if from_list(&only.origin))
            }),
        origin => from_list(origin),
    };
    let list = before
        .iter()
        .rfind(|own| own.program().is_some_and(|name| name == b"ls"))
        .filter(|_| fed)?;
    // Nothing but names, each on a line of its own.
    let words: Option<Vec<_>> = list
        .argv
        .iter()
        .skip(1)
        .map(|arg| arg.value.bytes())
        .collect();
    let words = words?;
    let (options, operands): (Vec<_>, Vec<_>) =
        words.iter().partition(|word| word.starts_with(b"-"));
    let plain = options.iter().all(|word| {
        word.iter()
            .skip(1)
            .all(|flag| b"1aAUtrSfcuX".contains(flag))
    });
    let shown: &[u8] = match operands.as_slice() {
        [] => b".",
        [only] => only,
        _ => return None,
    };
    let same = absolute(shown, list)? == absolute(&[&path, b".".as_slice()].concat(), execution)?;
    if !plain || !same {
        return None;
    }
    let mut whole = directory.clone();
    whole.pieces.push(Piece::Glob {
        pattern: b"*".to_vec(),
        at: None,
    });
    Some(whole)
}

fn is_find(execution: &Execution) -> bool {
    execution.program().is_some_and(|name| name == b"find")
}

/// The search that yields the names for the execution at `index`.
fn search(executions: &[Execution], index: usize) -> Option<&Execution> {
    let execution = executions.get(index)?;
    let names = execution
        .argv
        .iter()
        .any(|arg| arg.value.any_unknown(|origin| *origin == Origin::Names));
    let carrier = execution.via.last()?.name.as_str();
    // Far in front of it stands another pipeline.
    let mut before = executions.get(..index)?.iter().rev().take(FARTHEST);
    if !names {
        return None;
    }
    if carrier.starts_with("find") {
        return before.find(|own| is_find(own));
    }
    if carrier != "xargs" {
        return None;
    }
    let mut before = before.skip_while(|own| own.program().is_none_or(|name| name != b"xargs"));
    let fed = before.next()?.stdin.as_ref().is_some_and(|stdin| {
        stdin.any_unknown(|origin| match origin {
            Origin::Output(name) => name == b"find",
            origin => *origin == Origin::Names,
        })
    });
    if fed {
        before.find(|own| is_find(own))
    } else {
        None
    }
}

/// The same search with `-delete` as its only action; `None` when another action may hold names
/// back or the person is asked.
fn deleting(search: &Execution, piped: bool) -> Option<Execution> {
    let starts = |arg: &Arg, words: &[&[u8]]| words.iter().any(|word| arg.value.is(word));
    let running = search
        .argv
        .iter()
        .filter(|arg| starts(arg, &[b"-exec", b"-execdir", b"-ok", b"-okdir"]))
        .count();
    let asks = search
        .argv
        .iter()
        .any(|arg| starts(arg, &[b"-ok", b"-okdir"]));
    if asks || running > usize::from(!piped) {
        return None;
    }
    let mut out = search.clone();
    let actions: &[&[u8]] = &[
        b"-exec",
        b"-execdir",
        b"-print",
        b"-print0",
        b"-delete",
        b"-ls",
    ];
    if let Some(at) = out.argv.iter().position(|arg| starts(arg, actions)) {
        out.argv.truncate(at);
    }
    out.argv.push(Arg {
        value: Value::computed(b"-delete".as_slice()),
        span: search.span,
    });
    out.redirections.clear();
    Some(out)
}
