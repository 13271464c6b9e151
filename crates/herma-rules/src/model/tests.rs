use herma_shell::syntax::Dialect;
use herma_shell::{EmptyWorld, Request, analyse};

use super::effects;
use crate::effect::Verb::{self, *};
use crate::place::Place::{self, *};
use crate::scene::Scene;

/// What a line does, as (verb, places) of every effect of every execution.
fn of(line: &str) -> Vec<(Verb, Vec<Place>)> {
    let request = Request {
        text: line.as_bytes(),
        dialect: Dialect::Bash,
        cwd: b"/home/dev/proj",
    };
    let scene = Scene::new(b"/home/dev/proj").with_home(b"/home/dev");
    analyse(&request, &EmptyWorld)
        .executions
        .iter()
        .flat_map(|execution| effects(execution, &scene))
        .map(|effect| (effect.verb, effect.places))
        .collect()
}

#[track_caller]
fn does(lines: &[&str], verb: Verb, place: Place) {
    for line in lines {
        let own = of(line);
        assert!(
            own.iter()
                .any(|(own, places)| *own == verb && places.contains(&place)),
            "{line}: {own:?}"
        );
    }
}

#[track_caller]
fn does_not(lines: &[&str], verbs: &[Verb]) {
    for line in lines {
        let own = of(line);
        assert!(
            !own.iter().any(|(own, _)| verbs.contains(own)),
            "{line}: {own:?}"
        );
    }
}
