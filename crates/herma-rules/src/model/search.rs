//! `find` and `fd`: what their own actions do. What `-exec` runs is an execution of its own.

use herma_shell::find::{Term, Tests, roots, terms};
use herma_shell::{Piece, Value};

use super::{Act, join};
use crate::effect::Verb;
use crate::place::Place;

pub(super) fn effects(name: &[u8], act: &mut Act<'_>) -> bool {
    match name {
        b"find" | b"gfind" | b"bfs" => find(act),
        _ => return false,
    }
    true
}

fn find(act: &mut Act<'_>) {
    let argv = act.argv();
    let range = roots(argv);
    let expression = range.end;
    let mut roots: Vec<(usize, Value)> = range
        .filter_map(|at| argv.get(at).map(|arg| (at, arg.value.clone())))
        .collect();
    if roots.is_empty() {
        roots.push((0, Value::computed(*b".")));
    }
    // What stands in front of an action.
    let mut tests = Tests::default();
    for (at, term) in terms(argv, expression) {
        tests.add(term);
        match term {
            Term::Delete => delete(act, at, &roots, &tests),
            Term::Write(file) => {
                if let Some(arg) = argv.get(file) {
                    act.on(Verb::Write, file, &arg.value);
                }
            }
            Term::Quit => tests.filtered = true,
            _ => {}
        }
    }
}

/// `-delete`: without a test everything below the roots, else what the name says.
fn delete(act: &mut Act<'_>, at: usize, roots: &[(usize, Value)], tests: &Tests) {
    for (index, root) in roots {
        let argument = if *index == 0 { at } else { *index };
        if !tests.filtered {
            act.on(Verb::DeleteTree, argument, root);
            continue;
        }
        for name in tests.spelled() {
            let places = act.places(&join(root, name));
            if tests.only_directories() {
                act.without_loss(argument, places);
            } else if name.has_glob() {
                // A pattern with text in it says which files go, as it does for `rm`.
                act.on_places(Verb::Delete, argument, places);
            } else {
                deletes_some(act, argument, places);
            }
        }
        if tests.spelled().is_empty() {
            let mut value = root.clone();
            value.push_text(b"/", None);
            value.pieces.push(Piece::Glob {
                pattern: b"*".to_vec(),
                at: None,
            });
            let mut places = act.places(&value);
            // Not all of the root goes, since a test chooses.
            let all = places.len();
            places.retain(|place| {
                !matches!(place, Place::SystemRoot | Place::Home | Place::EmptyJoin)
            });
            if tests.only_directories() && places.len() == all {
                act.without_loss(argument, places);
            } else {
                deletes_some(act, argument, places);
            }
        }
    }
}

fn deletes_some(act: &mut Act<'_>, argument: usize, mut places: Vec<Place>) {
    if !places.contains(&Place::Unnamed) && !places.contains(&Place::TempChild) {
        places.push(Place::Unnamed);
    }
    act.on_places(Verb::Delete, argument, places);
}
