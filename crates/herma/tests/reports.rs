//! What users of other guards reported, retold as cases: `corpus/reports.jsonl`.
//!
//! The rules of a case are prefixes in the way of the host that the report is about. They are put
//! into herma's words here, once. A host with a list of what is allowed asks about everything else,
//! which is the mode `strict`; the other cases are judged in `manual`.
//!
//! A case about a path is put to `herma path check`, which says whether it leaves its root, and if
//! not to the hook as a call of a file tool, with the rules.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "tests"
)]

mod support;

use std::path::Path;

use serde_json::{Value, json};
use support::Stage;

/// Allowed in `manual` as a matter of policy, whatever the report wants; `docs/differences.md` says
/// why.
const ALLOWED_IN_MANUAL: &[&str] = &["h8-command-035", "h8-command-036", "h8-command-056"];

/// Where a report wants a denial herma asks: a person may have a reason, and nobody there is a no.
const ASKED: &[&str] = &["h8-path-008", "h8-path-010", "h8-path-011"];

fn cases(layer: &str) -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/reports.jsonl");
    let content = std::fs::read_to_string(path).expect("the cases");
    content
        .lines()
        .map(|line| serde_json::from_str(line).expect("a case"))
        .filter(|case: &Value| text(case, "layer") == layer)
        .collect()
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().expect("a text")
}

/// The host's prefixes as `(action, words)`.
fn prefixes(case: &Value) -> Vec<(String, Vec<String>)> {
    let Some(rules) = case["input"]["rules"].as_object() else {
        return Vec::new();
    };
    let words = |prefix: &Value| -> Vec<String> {
        let prefix = prefix.as_str().expect("a prefix");
        prefix.split(' ').map(str::to_owned).collect()
    };
    rules
        .iter()
        .flat_map(|(action, prefixes)| {
            let prefixes = prefixes.as_array().expect("prefixes");
            prefixes.iter().map(move |it| (action.clone(), words(it)))
        })
        .collect()
}

/// A prefix in herma's words: these, and then anything.
fn rule(number: usize, action: &str, words: &[String]) -> String {
    let mut argv = words.to_vec();
    argv.push("**".to_owned());
    format!(
        "[[rule]]\nid = \"host.{number}\"\naction = \"{action}\"\nargv = {}\n",
        json!(argv)
    )
}

/// Judges a case in a mode with these rules.
fn judge(case: &Value, rules: &str, mode: &str) -> Value {
    let stage = Stage::new();
    stage.configure(rules);
    let files = case["input"]["files"].as_object();
    for (name, content) in files.into_iter().flatten() {
        let content = content.as_str().expect("content");
        stage.write(&stage.project().join(name), content);
    }
    let cwd = match case["input"]["cwd"].as_str() {
        Some(cwd) => cwd.to_owned(),
        None => stage.project().display().to_string(),
    };
    let row = json!({
        "cmd": text(&case["input"], "command"),
        "cwd": cwd,
        "env": {"HOME": "/home/dev", "USER": "dev"},
    });
    let words = ["check", "--mode", mode, "--batch", "-"];
    stage.run_with(&words, format!("{row}\n")).json()
}

fn fits(expect: &str, answer: &Value) -> bool {
    let decision = text(answer, "decision");
    match expect {
        "block" => decision == "deny" && answer["floor"].is_string(),
        "ask" => decision == "ask",
        "not_allow" => decision != "allow",
        "allow" => decision == "allow",
        other => panic!("{other} is no answer"),
    }
}

/// The rules of a case that herma takes, as a file.
fn translated(case: &Value) -> String {
    let prefixes = prefixes(case);
    let taken = prefixes.iter().enumerate().filter(|(_, (action, words))| {
        // An allowance for a program that runs others is refused, and so is not there.
        action != "allow"
            || words
                .first()
                .is_some_and(|it| herma_config::may_be_allowed(it))
    });
    taken
        .map(|(number, (action, words))| rule(number, action, words))
        .collect()
}

#[test]
fn every_reported_command_is_judged_as_the_report_wants() {
    let cases = cases("command");
    assert_eq!(cases.len(), 10);
    for case in &cases {
        let allows = prefixes(case).iter().any(|(action, _)| action == "allow");
        let mode = if allows { "strict" } else { "manual" };
        let answer = judge(case, &translated(case), mode);
        assert!(fits(text(case, "expect"), &answer), "{case}\n{answer}");
    }
}

#[test]
fn without_a_list_of_what_is_allowed_only_what_policy_allows_differs() {
    for case in &cases("command") {
        let answer = judge(case, &translated(case), "manual");
        let differs = !fits(text(case, "expect"), &answer);
        let expected = ALLOWED_IN_MANUAL.contains(&text(case, "id"));
        assert_eq!(differs, expected, "{case}\n{answer}");
    }
}

#[test]
fn an_allowance_for_a_program_that_runs_others_is_refused_with_its_place() {
    let stage = Stage::new();
    stage.configure(&rule(0, "allow", &["env".to_owned()]));
    let ran = stage.run(&["check", "--json", "env /bin/sh -c 'id > /tmp/o'"]);
    assert_eq!(ran.json()["decision"], "deny");
    assert!(
        text(&ran.json(), "reason").contains("config.toml:4:"),
        "{ran:?}"
    );
}

/// What a host has besides prefixes, in herma's words.
fn tool_rules(case: &Value, stage: &Stage) -> String {
    let input = &case["input"];
    let rule = |action: &str, tool: &str, path: &str| {
        format!(
            "[[rule]]\nid = \"host.{action}\"\naction = \"{action}\"\ntool = [\"{tool}\"]\n\
             path = [{}]\n",
            json!(path)
        )
    };
    let mut rules = String::from("deadline_ms = 10000\n");
    for denied in input["rules"]["deny_read"].as_array().into_iter().flatten() {
        let pattern = denied.as_str().expect("a pattern").replace("**/", "*/");
        rules += &rule("deny", "Read", &pattern);
    }
    // The digest is the host's; what herma lets through is the one file.
    if input["policy"]["trusted_hooks"].is_array() {
        rules += &rule("allow", "Write", &placed(text(input, "path"), stage));
    }
    rules
}

/// A path of a report below the stage; `~` and `..` stay.
fn placed(path: &str, stage: &Stage) -> String {
    match path.strip_prefix("/home/u") {
        Some(below) => format!("{}{below}", stage.home().display()),
        None if path.starts_with('/') => format!("{}{path}", stage.root().display()),
        None => path.to_owned(),
    }
}

fn judge_path(case: &Value) -> &'static str {
    let stage = Stage::new();
    let input = &case["input"];
    stage.configure(&tool_rules(case, &stage));
    let links = input["symlinks"].as_object();
    let links: Vec<(String, String)> = links
        .into_iter()
        .flatten()
        .map(|(at, to)| (at.clone(), placed(to.as_str().expect("a path"), &stage)))
        .collect();
    let root = placed(text(input, "root"), &stage);
    // The root itself may be one of them.
    if !links.iter().any(|(at, _)| *at == text(input, "root")) {
        std::fs::create_dir_all(format!("{root}/a")).expect("a directory");
    }
    for (at, to) in &links {
        let is_root = *at == text(input, "root");
        if is_root {
            std::fs::create_dir_all(to).expect("a directory");
        }
        std::os::unix::fs::symlink(to, placed(at, &stage)).expect("a link");
    }
    let path = placed(text(input, "path"), &stage);
    let operation = text(input, "op");
    let row = json!({"root": root, "path": path, "op": operation});
    let words = ["path", "check", "--batch", "-"];
    let place = stage.run_with(&words, format!("{row}\n")).json();
    if text(&place, "verdict") != "inside" {
        return "deny";
    }
    let event = json!({
        "session_id": "8ead",
        "cwd": root,
        "permission_mode": "default",
        "hook_event_name": "PreToolUse",
        "tool_name": if operation == "read" { "Read" } else { "Write" },
        "tool_input": {"file_path": path, "content": "x"},
    });
    let ran = stage.run_with(&["hook", "claude-code"], event.to_string());
    match (ran.code, ran.stdout.is_empty()) {
        (Some(0), true) => "allow",
        (Some(0), false) => "ask",
        _ => "deny",
    }
}

#[test]
fn every_reported_path_is_judged_as_the_report_wants() {
    let cases = cases("path");
    assert_eq!(cases.len(), 15);
    for case in &cases {
        let expect = match text(case, "expect") {
            "deny" if ASKED.contains(&text(case, "id")) => "ask",
            expect => expect,
        };
        assert_eq!(judge_path(case), expect, "{case}");
    }
}
