//! Every rule's own examples, both ways.

mod world;

use herma_rules::{Decision, Guard, Policy};

fn guard() -> Guard {
    Guard::new(Policy::manual())
}

#[test]
fn every_rule_is_found_in_what_it_blocks() {
    let guard = guard();
    let mut missed = Vec::new();
    for rule in Guard::rules() {
        for text in rule.blocks {
            let verdict = world::check(&guard, text);
            let found: Vec<_> = verdict
                .findings
                .iter()
                .map(|finding| finding.rule.as_ref())
                .collect();
            if !found.contains(&rule.id) || verdict.floor != rule.floor.or(verdict.floor) {
                missed.push(format!("{}: {text:?} gave {found:?}", rule.id));
            }
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

#[test]
fn what_a_rule_passes_is_allowed() {
    let guard = guard();
    let mut wrong = Vec::new();
    for rule in Guard::rules() {
        for text in rule.passes {
            let verdict = world::check(&guard, text);
            if verdict.decision != Decision::Allow {
                let found: Vec<_> = verdict
                    .findings
                    .iter()
                    .map(|finding| finding.rule.as_ref())
                    .collect();
                wrong.push(format!("{}: {text:?} gave {found:?}", rule.id));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_suggestion_is_itself_allowed() {
    let guard = guard();
    for rule in Guard::rules() {
        let mut made = 0;
        for example in rule.blocks {
            for finding in world::check(&guard, example).findings {
                let Some(suggest) = finding.suggest.filter(|_| finding.rule == rule.id) else {
                    continue;
                };
                made += 1;
                let verdict = world::check(&guard, &suggest);
                let case = format!("{}: {example:?} became {suggest:?}", rule.id);
                assert_eq!(verdict.decision, Decision::Allow, "{case}");
                let program = |text: &str| text.split(' ').next().map(str::to_owned);
                assert_eq!(program(example), program(&suggest), "{case}");
            }
        }
        assert_eq!(made > 0, rule.suggest.is_some(), "{}", rule.id);
    }
}

#[test]
fn ids_are_unique_and_name_their_field() {
    let mut ids: Vec<&str> = Guard::rules().iter().map(|rule| rule.id).collect();
    ids.sort_unstable();
    let count = ids.len();
    ids.dedup();
    assert_eq!(ids.len(), count);
    assert!(ids.iter().all(|id| id.split('.').count() == 2), "{ids:?}");
}
