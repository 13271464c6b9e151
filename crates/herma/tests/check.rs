//! `herma check`, one command line at a time.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "tests"
)]

mod support;

use support::Stage;

#[test]
fn the_exit_code_is_the_decision() {
    let stage = Stage::new();
    for (command, code) in [
        ("ls -la", 0),
        ("git reset --hard", 3),
        ("sudo -S id", 4),
        ("echo 'unclosed", 3),
    ] {
        let ran = stage.run(&["check", command]);
        assert_eq!(ran.code, Some(code), "{command}: {ran:?}");
        assert_eq!(ran.stderr, "", "{command}");
        assert_eq!(stage.run(&["check", "--json", command]).code, Some(code));
        assert_eq!(
            stage.run_with(&["check", "--stdin"], command).code,
            Some(code)
        );
    }
}

#[test]
fn wrong_usage_is_exit_code_two_and_says_what_was_meant() {
    let stage = Stage::new();
    for words in [
        &["check"][..],
        &["check", "--jsn", "ls"],
        &["check", "--stdin", "ls"],
        &["check", "--batch", "-", "ls"],
        &["check", "--mode", "loose", "ls"],
        &["chek", "ls"],
        &["rules"],
        &[],
    ] {
        let ran = stage.run(words);
        assert_eq!(ran.code, Some(2), "{words:?}");
        assert_eq!(ran.stdout, "", "{words:?}");
        assert!(ran.stderr.contains("--help"), "{words:?}: {ran:?}");
    }
    assert!(
        stage
            .run(&["check", "--jsn", "ls"])
            .stderr
            .contains("--json")
    );
    assert!(stage.run(&["chek"]).stderr.contains("check"));
}

#[test]
fn the_own_rule_that_allows_a_command_is_named() {
    let stage = Stage::new();
    stage.configure("[[rule]]\nid = \"me.reset\"\naction = \"allow\"\nargv = [\"git\", \"reset\", \"--hard\"]\n");
    let ran = stage.run(&["check", "git reset --hard"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let file = stage.state().join("config.toml");
    assert_eq!(
        ran.stdout,
        format!(
            "allow[me.reset]: your rule ({}:2) allows what git.reset-hard would ask about\n",
            file.display()
        )
    );
    let json = |command: &str| stage.run(&["check", "--json", command]).json();
    assert_eq!(json("git reset --hard")["allowed_by"][0], "me.reset");
    assert_eq!(json("git reset --hard")["rules"], serde_json::json!([]));
    assert_eq!(json("ls")["allowed_by"], serde_json::json!([]));
    let both = stage.run(&["check", "git reset --hard; git clean -fd"]);
    assert_eq!(both.code, Some(3));
    assert!(
        both.stdout.starts_with("ask[") && both.stdout.contains("\nallow[me.reset]: "),
        "{}",
        both.stdout
    );
    assert!(both.stdout.contains("ask[git.clean]"), "{}", both.stdout);
}

#[test]
fn what_runs_shows_what_is_a_pattern_and_what_is_a_name() {
    let stage = Stage::new();
    for (command, shown) in [
        ("X=/opt/x; rm -rf $X/*", "runs: rm -rf /opt/x/*"),
        ("X=/opt/x; rm -rf $X/'*'", "runs: rm -rf '/opt/x/*'"),
        ("X='/opt/a b'; rm -rf \"$X\"/*", "runs: rm -rf '/opt/a b/'*"),
    ] {
        let ran = stage.run(&["check", command]);
        assert!(ran.stdout.contains(shown), "{command}: {}", ran.stdout);
    }
}

#[test]
fn what_a_script_does_is_shown_with_its_line() {
    let stage = Stage::new();
    let script = "#!/bin/sh\nset -e\nX=-f\ngit push $X\n. ./lib/a.sh\n";
    stage.write(&stage.project().join("build.sh"), script);
    stage.write(&stage.project().join("lib/a.sh"), "x=1\n  sudo -S id\n");
    let ran = stage.run(&["check", "cd . && sh build.sh now"]);
    assert_eq!(ran.code, Some(4), "{ran:?}");
    for part in [
        " --> ./build.sh:4:1\n  |\n4 | git push $X\n  | ^^^^^^^^^^^\n",
        " --> ./lib/a.sh:2:3\n  |\n2 |   sudo -S id\n  |   ^^^^^^^^^^\n",
        "1 | cd . && sh build.sh now\n  |            -------- runs it\n",
        "runs: git push -f\n",
    ] {
        assert!(ran.stdout.contains(part), "{part}\n{}", ran.stdout);
    }
    assert!(!ran.stdout.contains("runs: sudo"), "{}", ran.stdout);
    let json = stage.run(&["check", "--json", "sh build.sh"]).json();
    let place = &json["findings"][1]["script"];
    assert_eq!(place["line"], 4);
    assert_eq!(
        place["path"],
        stage.project().join("build.sh").display().to_string()
    );
    let offset = |at: usize| usize::try_from(place["span"][at].as_u64().unwrap()).unwrap();
    assert_eq!(&script[offset(0)..offset(1)], "git push $X");
    assert!(json["reason"].as_str().unwrap().contains("lib/a.sh:2"));
}

#[test]
fn a_command_line_without_quotes_is_told_to_have_some() {
    let stage = Stage::new();
    let ran = stage.run(&["check", "ls", "-la"]);
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.stderr.contains("herma check 'ls -la'"),
        "{}",
        ran.stderr
    );
    let ran = stage.run(&["check", "--mode", "x", "ls"]);
    assert!(!ran.stderr.contains("quotes"), "{}", ran.stderr);
    assert_eq!(stage.run(&["check", "--help"]).code, Some(0));
    assert_eq!(stage.run(&["--version"]).code, Some(0));
}

#[test]
fn the_decision_stands_in_front_of_the_findings() {
    let stage = Stage::new();
    let ran = stage.run(&["check", "--context", "cron", "git reset --hard"]);
    assert!(ran.stdout.starts_with("deny: "), "{}", ran.stdout);
    assert!(ran.stdout.contains("ask[git.reset-hard]"), "{}", ran.stdout);
}

#[test]
fn the_configuration_in_force_says_where_each_value_stands() {
    let stage = Stage::new();
    stage.configure("mode = \"manual\"\n[contexts]\ncron = \"ask\"\n");
    let ran = stage.run(&["config", "show"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let user = stage.state().join("config.toml");
    let user = user.display();
    for line in [
        format!("mode = \"manual\"  # {user}:1"),
        format!("contexts.\"cron\" = \"ask\"  # {user}:3"),
        "retention.audit_days = 90  # default".to_owned(),
    ] {
        assert!(
            ran.stdout.lines().any(|it| it == line),
            "{line}\n{}",
            ran.stdout
        );
    }
}

#[test]
fn json_has_the_shape_of_a_batch_line() {
    let stage = Stage::new();
    let found = stage.run(&["check", "--json", "git reset --hard"]);
    let row = stage.run_with(
        &["check", "--batch", "-"],
        "{\"cmd\":\"git reset --hard\"}\n",
    );
    assert_eq!(found.stdout, row.stdout);
    assert!(
        found
            .stdout
            .starts_with("{\"v\":1,\"decision\":\"ask\",\"floor\":null,\"rules\":[")
    );
    let json = found.json();
    let finding = &json["findings"][0];
    assert_eq!(finding["rule"], "git.reset-hard");
    assert_eq!(finding["severity"], "high");
    assert_eq!(finding["span"], serde_json::json!([0, 16]));
    assert_eq!(
        finding["argv"],
        serde_json::json!(["git", "reset", "--hard"])
    );
    assert_eq!(finding["via"], serde_json::json!([]));
    for key in ["title", "why"] {
        assert!(
            finding[key].as_str().is_some_and(|text| !text.is_empty()),
            "{key}"
        );
    }
    assert!(
        json["reason"]
            .as_str()
            .is_some_and(|reason| !reason.is_empty())
    );
}

#[test]
fn allow_has_the_same_shape() {
    let stage = Stage::new();
    let ran = stage.run(&["check", "--json", "ls"]);
    assert_eq!(
        ran.stdout,
        "{\"v\":1,\"decision\":\"allow\",\"floor\":null,\"rules\":[],\"findings\":[],\"allowed_by\":[],\"reason\":\"\"}\n"
    );
}

#[test]
fn several_words_are_a_program_with_its_arguments() {
    let stage = Stage::new();
    assert_eq!(
        stage.run(&["check", "--", "git", "reset", "--hard"]).code,
        Some(3)
    );
    assert_eq!(
        stage
            .run(&["check", "--", "echo", "; git reset --hard"])
            .code,
        Some(0)
    );
    assert_eq!(
        stage
            .run(&["check", "--", "sh", "-c", "git reset --hard"])
            .code,
        Some(3)
    );
}

#[test]
fn words_that_are_not_utf8_are_taken_as_they_are() {
    use std::os::unix::ffi::OsStrExt;
    let stage = Stage::new();
    let mut command = stage.command(&["check", "--json"]);
    command.arg(std::ffi::OsStr::from_bytes(b"git reset --hard \xff"));
    let ran = support::feed(command, b"");
    assert_eq!(ran.code, Some(3), "{ran:?}");
    assert_eq!(
        ran.json()["findings"][0]["argv"][3],
        serde_json::json!({"b64": "/w=="})
    );
}

#[test]
fn spans_are_byte_offsets_in_the_given_text() {
    let stage = Stage::new();
    let text = "echo 'ü猫'; git reset --hard; ls";
    let json = stage.run(&["check", "--json", text]).json();
    let span = &json["findings"][0]["span"];
    let (start, end) = (
        span[0].as_u64().expect("start"),
        span[1].as_u64().expect("end"),
    );
    let (start, end) = (
        usize::try_from(start).unwrap(),
        usize::try_from(end).unwrap(),
    );
    assert_eq!(&text[start..end], "git reset --hard");
}

/// Output without what belongs to the rule and to this run.
fn stable(stage: &Stage, rule: &str, shown: &str) -> String {
    let rule = stage.run(&["rules", "show", "--json", rule]).json();
    let mut shown = shown.replace(&stage.root().display().to_string(), "[ROOT]");
    for key in ["title", "why", "suggest"] {
        if let Some(text) = rule[key].as_str() {
            shown = shown.replace(text, &format!("[{key}]"));
        }
    }
    shown
}

#[test]
fn a_person_sees_the_place_the_reason_and_the_way_out() {
    let stage = Stage::new();
    let ran = stage.run(&["check", "echo a && git reset --hard"]);
    let shown = stable(&stage, "git.reset-hard", &ran.stdout);
    insta::assert_snapshot!(shown, @r#"
    ask[git.reset-hard]: [title]
      |
    1 | echo a && git reset --hard
      |           ^^^^^^^^^^^^^^^^
      |
      = why: [why]
      = safer: [suggest]

    to allow it: add to [ROOT]/home/.herma/config.toml

        [[rule]]
        id = "allow.git.reset"
        action = "allow"
        argv = ["git", "reset", "--hard"]
        cwd = "[ROOT]/project"

    "#);
}

#[test]
fn a_floor_says_that_nothing_allows_it() {
    let stage = Stage::new();
    let ran = stage.run(&["check", "sudo -S id"]);
    let shown = stable(&stage, "sudo.stdin", &ran.stdout);
    insta::assert_snapshot!(shown, @r#"
    deny[sudo.stdin]: [title]
      |
    1 | sudo -S id
      | ^^^^^^^^^^
      |
      = why: [why]

    to allow it: nothing allows this; a person runs it in their own terminal
    "#);
}

#[test]
fn the_rule_that_is_offered_works() {
    let stage = Stage::new();
    let command = "git reset --hard";
    let shown = stage.run(&["check", command]).stdout;
    let rule: String = shown
        .lines()
        .filter_map(|line| line.strip_prefix("    "))
        .filter(|line| line.starts_with("[[rule]]") || line.contains(" = "))
        .map(|line| format!("{line}\n"))
        .collect();
    assert!(rule.contains("[[rule]]"), "{shown}");
    stage.configure(&rule);
    assert_eq!(stage.run(&["check", command]).code, Some(0), "{rule}");
    assert_eq!(
        stage.run(&["check", "git reset --hard HEAD~1"]).code,
        Some(3)
    );
    assert_eq!(stage.run(&["check", "--cwd", "/", command]).code, Some(3));
}

#[test]
fn the_rule_that_is_offered_is_bound_to_the_directory_in_which_the_program_runs() {
    let stage = Stage::new();
    std::fs::create_dir(stage.project().join("sub")).unwrap();
    let command = "cd sub && git reset --hard HEAD~3";
    let shown = stage.run(&["check", command]).stdout;
    assert!(shown.contains("/project/sub\""), "{shown}");
    let (_, rule) = shown.split_once("add to ").unwrap();
    let rule: String = rule
        .lines()
        .skip(1)
        .map(|line| format!("{line}\n"))
        .collect();
    stage.configure(&rule);
    assert_eq!(stage.run(&["check", command]).code, Some(0), "{rule}");
    let above = "git reset --hard HEAD~3";
    assert_eq!(stage.run(&["check", above]).code, Some(3));
    // Where it runs is not known.
    let elsewhere = stage.run(&["check", &format!("cd \"$(d)\" && {above}")]);
    assert!(!elsewhere.stdout.contains("[[rule]]"), "{elsewhere:?}");
}

#[test]
fn what_a_carrier_runs_cannot_be_allowed_by_a_rule() {
    let stage = Stage::new();
    let shown = stage.run(&["check", "sh -c 'git reset --hard'"]);
    assert_eq!(shown.code, Some(3));
    assert!(!shown.stdout.contains("[[rule]]"), "{}", shown.stdout);
    assert!(
        shown.stdout.contains("no rule covers exactly this"),
        "{}",
        shown.stdout
    );
}

#[test]
fn a_rule_that_would_allow_more_is_not_offered() {
    let stage = Stage::new();
    for command in [
        "git push --force origin '*'",
        "git push --force origin \"$(git branch)\"",
    ] {
        let shown = stage.run(&["check", command]);
        assert_eq!(shown.code, Some(3), "{command}");
        assert!(!shown.stdout.contains("[[rule]]"), "{}", shown.stdout);
    }
}

#[test]
fn hostile_characters_are_shown_as_escapes() {
    let stage = Stage::new();
    let text = "git reset --hard '\u{1b}[2J\u{202e}\u{200b}'";
    let shown = stage.run(&["check", text]).stdout;
    assert!(shown.contains("\\x1b[2J\\u{202e}\\u{200b}"), "{shown}");
    assert!(!shown.contains('\u{1b}') && !shown.contains('\u{202e}'));
}

#[test]
fn long_and_many_lines_are_cut_to_the_place() {
    let stage = Stage::new();
    let long = format!(
        "echo {}; git reset --hard; echo {}",
        "a".repeat(5_000),
        "b".repeat(5_000)
    );
    let many = format!(
        "{}git reset --hard\n{}",
        "echo a\n".repeat(500),
        "echo b\n".repeat(500)
    );
    for text in [long, many] {
        let ran = stage.run_with(&["check", "--stdin"], &text);
        assert_eq!(ran.code, Some(3));
        assert!(ran.stdout.contains("git reset --hard"));
        assert!(ran.stdout.len() < 2_500, "{} bytes", ran.stdout.len());
    }
}

#[test]
fn colours_are_for_terminals_only_and_can_be_forced() {
    let stage = Stage::new();
    let words = ["check", "sudo -S id"];
    assert!(!stage.run(&words).stdout.contains('\u{1b}'));
    let with = |name: &str, value: &str| {
        let mut command = stage.command(&words);
        command.env(name, value);
        support::feed(command, b"").stdout
    };
    assert!(with("CLICOLOR_FORCE", "1").contains('\u{1b}'));
    assert!(!with("NO_COLOR", "1").contains('\u{1b}'));
    assert!(!with("CLICOLOR", "0").contains('\u{1b}'));
}

#[test]
fn a_context_answers_the_question() {
    let stage = Stage::new();
    for (context, code) in [
        ("cli", 3),
        ("cron", 4),
        ("unattended", 4),
        ("never-heard-of", 4),
    ] {
        let ran = stage.run(&["check", "--context", context, "git reset --hard"]);
        assert_eq!(ran.code, Some(code), "{context}");
        assert_eq!(
            stage.run(&["check", "--context", context, "ls"]).code,
            Some(0)
        );
    }
    stage.configure("[contexts]\ncron = \"ask\"\n");
    assert_eq!(
        stage
            .run(&["check", "--context", "cron", "git reset --hard"])
            .code,
        Some(3)
    );
}

#[test]
fn a_mode_replaces_the_configured_one() {
    let stage = Stage::new();
    stage.configure("mode = \"off\"\n");
    assert_eq!(stage.run(&["check", "git reset --hard"]).code, Some(0));
    assert_eq!(stage.run(&["check", "sudo -S id"]).code, Some(4));
    assert_eq!(
        stage
            .run(&["check", "--mode", "manual", "git reset --hard"])
            .code,
        Some(3)
    );
    let smart = stage.run(&["check", "--mode", "smart", "git reset --hard"]);
    assert_eq!(smart.code, Some(3));
    assert_eq!(smart.stderr.matches("no reviewer").count(), 1);
}

#[test]
fn a_key_without_effect_is_named_once() {
    let stage = Stage::new();
    stage.configure("[reviewer]\nmodel = \"x\"\n");
    let ran = stage.run(&["check", "--json", "ls"]);
    assert_eq!(ran.code, Some(0));
    assert_eq!(
        ran.stderr.matches("reviewer.model").count(),
        1,
        "{}",
        ran.stderr
    );
    let rows = "{\"cmd\":\"ls\"}\n".repeat(3);
    let ran = stage.run_with(&["check", "--batch", "-"], rows);
    assert_eq!(
        ran.stderr.matches("reviewer.model").count(),
        1,
        "{}",
        ran.stderr
    );
}

#[test]
fn a_broken_configuration_denies_and_shows_the_place() {
    let stage = Stage::new();
    stage.configure("mode = \"manual\"\n\nmod = 7\n");
    let ran = stage.run(&["check", "ls"]);
    assert_eq!(ran.code, Some(4));
    assert_eq!(
        ran.stdout,
        "deny: every command is denied until this is repaired\n"
    );
    let file = stage.state().join("config.toml").display().to_string();
    let shown = ran.stderr.replace(&file, "[CONFIG]");
    insta::assert_snapshot!(shown, @r#"
    error: [CONFIG]:3:1: unknown key `mod`; did you mean `mode`?
      |
    3 | mod = 7
      | ^^^
    "#);
    let json = stage.run(&["check", "--json", "ls"]);
    assert_eq!(json.code, Some(4));
    assert_eq!(json.json()["decision"], "deny");
    let row = stage.run_with(&["check", "--batch", "-"], "{\"cmd\":\"ls\",\"id\":1}\n");
    assert_eq!(row.json()["decision"], "deny");
    assert_eq!(row.json()["id"], 1);
}

#[test]
fn a_project_may_tighten_and_not_loosen() {
    let stage = Stage::new();
    let project = stage.project().join(".herma.toml");
    stage.write(
        &project,
        "[[rule]]\nid = \"p.ls\"\naction = \"deny\"\nargv = [\"ls\", \"**\"]\n",
    );
    let ran = stage.run(&["check", "--json", "ls -l"]);
    assert_eq!(ran.code, Some(4));
    assert_eq!(ran.json()["floor"], "user-deny");
    assert_eq!(ran.json()["rules"], serde_json::json!(["p.ls"]));
    let shown = stage.run(&["check", "ls -l"]).stdout;
    let place = format!("your own rule p.ls ({}:2)", project.display());
    assert!(shown.contains(&place), "{shown}");
    stage.write(&project, "mode = \"off\"\n");
    assert_eq!(stage.run(&["check", "ls"]).code, Some(4));
}

#[test]
fn a_named_home_wins_over_the_variable() {
    let stage = Stage::new();
    stage.configure("mode = \"off\"\n");
    let empty = stage.root().join("empty");
    std::fs::create_dir(&empty).expect("a directory");
    let empty = empty.display().to_string();
    let state = stage.state().display().to_string();
    let run = |flag: Option<&str>, variable: &str| {
        let mut words = vec!["check", "git reset --hard"];
        if let Some(flag) = flag {
            words.extend(["--home", flag]);
        }
        let mut command = stage.command(&words);
        command.env("HERMA_HOME", variable);
        support::feed(command, b"").code
    };
    assert_eq!(run(None, &empty), Some(3));
    assert_eq!(run(None, &state), Some(0));
    assert_eq!(run(Some(&empty), &state), Some(3));
    assert_eq!(run(Some(&state), &empty), Some(0));
}

#[test]
fn nothing_is_written_without_record() {
    let stage = Stage::new();
    stage.run(&["check", "sudo -S id"]);
    stage.run(&["check", "ls"]);
    stage.run(&["shell", "parse", "ls"]);
    assert!(!stage.state().exists());
}

#[test]
fn mode_off_does_not_say_that_no_rule_names_it() {
    let ran = Stage::new().run(&["check", "--mode", "off", "git reset --hard"]);
    assert_eq!(ran.code, Some(0));
    assert!(ran.stdout.contains("mode off"), "{}", ran.stdout);
}

#[test]
fn what_runs_is_only_told_when_it_is_written_otherwise() {
    let stage = Stage::new();
    let told = |line| stage.run(&["check", line]).stdout.contains("runs:");
    assert!(!told("ls; rm -rf / # x"));
    assert!(told("rm  -rf /"));
    assert!(told("echo rm -rf / / /; r''m -rf /"));
}
