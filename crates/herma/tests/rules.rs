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
fn every_rule_has_its_page_and_every_page_its_rule() {
    let list = Stage::new().run(&["rules", "list", "--json"]).json();
    let mut rules: Vec<String> = list["rules"]
        .as_array()
        .expect("rules")
        .iter()
        .map(|rule| format!("{}.md", rule["id"].as_str().expect("an id")))
        .collect();
    rules.push("README.md".to_owned());
    rules.sort();
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/rules");
    let mut pages: Vec<String> = std::fs::read_dir(folder)
        .expect("pages")
        .map(|page| {
            page.expect("a page")
                .file_name()
                .into_string()
                .expect("UTF-8")
        })
        .collect();
    pages.sort();
    assert_eq!(pages, rules, "cargo xtask generate");
}

#[test]
fn the_rule_on_a_page_allows_its_example_and_no_rule_is_shown_for_a_floor() {
    let list = Stage::new().run(&["rules", "list", "--json"]).json();
    let rules = list["rules"].as_array().expect("rules");
    let mut allowed = 0;
    for rule in rules {
        let Some(example) = rule["allow"]["example"].as_str() else {
            continue;
        };
        assert!(rule["floor"].is_null(), "{rule}");
        let judge = |config: &str| {
            let stage = Stage::new();
            stage.configure(config);
            let row = serde_json::json!({
                "cmd": example,
                "cwd": "/home/dev/proj",
                "env": {"HOME": "/home/dev", "USER": "dev"},
            });
            let answer = stage.run_with(&["check", "--batch", "-"], format!("{row}\n"));
            answer.json()["decision"].clone()
        };
        assert_eq!(judge(""), "ask", "{rule}");
        let toml = rule["allow"]["toml"].as_str().expect("a rule");
        assert_eq!(judge(toml), "allow", "{rule}");
        allowed += 1;
    }
    assert!(allowed > rules.len() / 2, "{allowed} of {}", rules.len());
}

#[test]
fn a_rule_is_shown_under_its_former_id_with_its_page() {
    let list = Stage::new().run(&["rules", "list", "--json"]).json();
    let rules = list["rules"].as_array().expect("rules");
    for rule in rules {
        for alias in rule["aliases"].as_array().expect("aliases") {
            let alias = alias.as_str().expect("an id");
            let shown = Stage::new().run(&["rules", "show", "--json", alias]).json();
            assert_eq!(shown["id"], rule["id"]);
        }
    }
    let shown = Stage::new().run(&["rules", "show", "git.clean"]);
    assert!(
        shown.stdout.contains("docs/rules/git.clean.md"),
        "{shown:?}"
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

/// Tests a file with this text; what it prints, and how it ends.
fn tested(text: &str) -> String {
    let stage = Stage::new();
    stage.write(&stage.project().join("rules.toml"), text);
    let ran = stage.run(&["rules", "test", "rules.toml"]);
    format!("exit {:?}\n{}{}", ran.code, ran.stderr, ran.stdout)
}

const PUSH: &str = r#"[[rule]]
id = "team.no-push"
action = "deny"
argv = ["git", "push", "**"]
blocks = ["git push", "sudo git -C /srv push --tags", "sh -c 'git push'"]
passes = ["git pull", "echo git push", "git commit -m 'git push'"]
"#;

#[test]
fn a_file_whose_examples_hold_passes() {
    insta::assert_snapshot!(tested(PUSH), @r"
    exit Some(0)
    rules.toml: 1 rule, 6 examples, 0 failed
    ");
}

#[test]
fn an_example_that_does_not_hold_is_shown_at_its_place() {
    let text = PUSH
        .replace("git pull", "/usr/bin/git push")
        .replace("sh -c", "echo");
    insta::assert_snapshot!(tested(&text));
}

#[test]
fn an_allowance_is_tried_with_and_without_itself() {
    insta::assert_snapshot!(tested(
        r#"[[rule]]
id = "me.reset"
action = "allow"
argv = ["git", "reset", "--hard", "**"]
blocks = [
    "git reset --hard && git clean -fd",
    "sh -c 'git reset --hard'",
    "git reset --hard > log",
    "git reset --hard HEAD~1",
]
passes = ["git reset --hard", "git reset HEAD~2 --hard", "git status", "git reset --soft"]
"#
    ));
}

#[test]
fn faults_of_a_file_are_shown_with_place_and_caret() {
    let fault = |from: &str, to: &str| tested(&PUSH.replace(from, to));
    insta::assert_snapshot!(
        [
            fault("action", "acton"),
            fault("\"deny\"", "\"dney\""),
            fault("\"**\"", "\"**\", \"main\""),
            fault("blocks", "regex = \"prod(\"\nblocks"),
            fault("blocks", "regex = \".*\"\nblocks"),
            fault("blocks", "aliases = [\"team.no-push\"]\nblocks"),
            fault("[\"git pull\"", "[3"),
        ]
        .join("\n")
    );
}

#[test]
fn a_rule_that_does_not_find_its_own_words_fails() {
    let text = "[[rule]]\nid = \"t.x\"\naction = \"ask\"\nargv = [\"RM\", \"**\"]\n";
    assert!(
        tested(text).contains("FAILED t.x does not find"),
        "{}",
        tested(text)
    );
}

#[test]
fn a_file_that_is_not_there_is_a_failure() {
    let stage = Stage::new();
    assert_eq!(stage.run(&["rules", "test", "nowhere.toml"]).code, Some(1));
}

#[test]
fn a_rule_for_a_directory_below_the_home_finds_its_own_words() {
    let text = "[[rule]]\nid = \"me.x\"\naction = \"deny\"\nargv = [\"npm\", \"**\"]\ncwd = \"~/work/**\"\n";
    insta::assert_snapshot!(tested(text), @r"
    exit Some(0)
    rules.toml: 1 rule, 0 examples, 0 failed
    ");
}

#[test]
fn rules_in_rules_d_hold_and_their_examples_are_checked() {
    let stage = Stage::new();
    stage.configure("");
    let file = stage.state().join("rules.d/team.toml");
    stage.write(&file, PUSH);
    let ran = stage.run(&["check", "--json", "git push"]);
    assert_eq!(ran.json()["floor"], "user-deny", "{ran:?}");
    assert_eq!(stage.run(&["config", "check"]).code, Some(0));
    stage.write(&file, &PUSH.replace("git pull", "git push -f"));
    let ran = stage.run(&["config", "check"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(
        ran.stderr
            .contains("team.toml:6:11: `team.no-push` finds this"),
        "{ran:?}"
    );
    assert_eq!(
        stage.run(&["check", "ls"]).code,
        Some(0),
        "commands are judged all the same"
    );
}

#[test]
fn a_renamed_rule_is_found_under_its_former_id() {
    let stage = Stage::new();
    stage.configure(&PUSH.replace("blocks", "aliases = [\"team.push\"]\nblocks"));
    let ran = stage.run(&["rules", "show", "team.push"]);
    assert!(ran.stdout.starts_with("team.no-push: "), "{ran:?}");
    assert!(ran.stdout.contains("aliases = [\"team.push\"]"), "{ran:?}");
}

#[test]
fn a_rule_for_tools_has_no_words_to_be_found_by() {
    let text = "[[rule]]\nid = \"me.notes\"\naction = \"ask\"\ntool = [\"Read\"]\npath = [\"~/notes/**\"]\n";
    insta::assert_snapshot!(tested(text), @r"
    exit Some(0)
    rules.toml: 1 rule, 0 examples, 0 failed
    ");
}
