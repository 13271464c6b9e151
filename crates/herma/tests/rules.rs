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
fn a_slip_in_an_id_is_pointed_out() {
    let ran = Stage::new().run(&["rules", "show", "git.reset-hrad"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.stderr.contains("git.reset-hard?"), "{}", ran.stderr);
}

#[test]
fn a_rule_of_the_user_is_shown_as_it_is_written() {
    let stage = Stage::new();
    let rule = "[[rule]]\nid = \"me.x\"\naction = \"deny\"\nargv = [\"npm\", \"**\"]\ncwd = \"~/w\"\nwhy = \"no\"";
    stage.configure(rule);
    let ran = stage.run(&["rules", "show", "me.x"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let shown: Vec<&str> = ran.stdout.lines().skip(2).map(str::trim).collect();
    assert_eq!(shown.join("\n"), rule);
    let config = stage.run(&["config", "show"]);
    assert!(config.stdout.contains(rule), "{}", config.stdout);
}

#[test]
fn an_agent_program_that_nobody_knows_is_noted() {
    let stage = Stage::new();
    stage.configure("hosts.claude-cod.ask = \"deny\"\n");
    let ran = stage.run(&["config", "check"]);
    assert!(
        ran.stdout.contains("claude-cod") && ran.stdout.contains("it knows claude-code"),
        "{}",
        ran.stdout
    );
}

#[test]
fn an_id_that_a_built_in_rule_has_is_noted() {
    let stage = Stage::new();
    stage.configure("[[rule]]\nid = \"git.reset-hard\"\naction = \"ask\"\nargv = [\"make\"]\n");
    let ran = stage.run(&["config", "check"]);
    assert!(ran.stdout.contains("built-in rule"), "{}", ran.stdout);
}

#[test]
fn a_pack_that_is_none_is_noted() {
    let stage = Stage::new();
    stage.configure("packs.disable = [\"gti\", \"git\", \"fs.delete-unnamed\"]\n");
    let ran = stage.run(&["config", "check"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(ran.stdout.matches("note:").count(), 1, "{}", ran.stdout);
    assert!(ran.stdout.contains("did you mean `git`?"), "{}", ran.stdout);
}

#[test]
fn the_test_says_how_many_examples_hold() {
    let stage = Stage::new();
    let ran = stage.run(&["rules", "test"]);
    let last = ran.stdout.lines().last().expect("a summary");
    let failed = ran
        .stdout
        .lines()
        .filter(|line| line.starts_with("FAILED "))
        .count();
    assert!(
        last.ends_with(&format!(" examples, {failed} failed")),
        "{last}"
    );
    assert_eq!(ran.code, Some(i32::from(failed > 0)));
}

#[test]
fn a_file_of_own_rules_is_tested() {
    let stage = Stage::new();
    let file = stage.project().join("rules.toml");
    let test = |text: &str| {
        stage.write(&file, text);
        stage.run(&["rules", "test", "rules.toml"])
    };
    let good = "[[rule]]\nid = \"t.push\"\naction = \"deny\"\nargv = [\"git\", \"push\", \"**\"]\n";
    let ran = test(good);
    assert!(
        ran.stdout.contains("rules.toml: 1 rule, 0 failed"),
        "{ran:?}"
    );
    let ran = test(&good.replace("action", "acton"));
    assert_eq!(ran.code, Some(1));
    assert!(
        ran.stderr.contains("rules.toml:3:1: ") && ran.stderr.contains('^'),
        "{ran:?}"
    );
    assert_eq!(stage.run(&["rules", "test", "nowhere.toml"]).code, Some(1));
}

#[test]
fn a_rule_for_a_directory_below_the_home_finds_its_own_words() {
    let stage = Stage::new();
    let file = stage.project().join("own.toml");
    stage.write(
        &file,
        "[[rule]]\nid = \"me.x\"\naction = \"deny\"\nargv = [\"npm\", \"**\"]\ncwd = \"~/work/**\"\n",
    );
    let ran = stage.run(&["rules", "test", &file.display().to_string()]);
    assert!(ran.stdout.ends_with("1 rule, 0 failed\n"), "{}", ran.stdout);
}
