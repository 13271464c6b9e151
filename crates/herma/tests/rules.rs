//! `herma rules`.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "tests"
)]

mod support;

use support::Stage;

#[test]
fn every_rule_is_listed_once_with_its_severity() {
    let stage = Stage::new();
    let ran = stage.run(&["rules", "list"]);
    assert_eq!(ran.code, Some(0));
    let json = stage.run(&["rules", "list", "--json"]).json();
    let rules = json["rules"].as_array().expect("rules");
    assert_eq!(ran.stdout.lines().count(), rules.len());
    assert!(ran.stdout.contains("git.reset-hard"));
    let ids: std::collections::BTreeSet<_> = rules.iter().map(|it| it["id"].as_str()).collect();
    assert_eq!(ids.len(), rules.len());
}

#[test]
fn a_rule_is_explained_with_its_examples() {
    let stage = Stage::new();
    let ran = stage.run(&["rules", "show", "git.reset-hard"]);
    assert_eq!(ran.code, Some(0));
    for part in ["git.reset-hard", "high", "why", "blocks", "passes"] {
        assert!(ran.stdout.contains(part), "{part}: {}", ran.stdout);
    }
    let json = stage
        .run(&["rules", "show", "--json", "git.reset-hard"])
        .json();
    assert_eq!(
        (&json["v"], &json["id"]),
        (&1.into(), &"git.reset-hard".into())
    );
}

#[test]
fn a_rule_that_is_not_there_is_a_failure() {
    let stage = Stage::new();
    let ran = stage.run(&["rules", "show", "no.such"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.stderr.contains("no.such") && ran.stderr.contains("rules list"));
}

#[test]
fn the_examples_of_the_packs_hold() {
    let stage = Stage::new();
    let ran = stage.run(&["rules", "test"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stdout);
}
