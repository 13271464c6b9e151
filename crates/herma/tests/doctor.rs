//! `herma doctor`.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "tests"
)]

mod support;

use support::Stage;

#[test]
fn without_a_hook_it_says_what_to_run() {
    let stage = Stage::new();
    let ran = stage.run(&["doctor"]);
    assert_eq!(ran.code, Some(1));
    assert!(
        ran.stdout.contains("herma init claude-code"),
        "{}",
        ran.stdout
    );
}

#[test]
fn settings_that_cannot_be_read_are_named() {
    let stage = Stage::new();
    let file = stage.home().join(".claude/settings.json");
    stage.write(&file, "nope");
    let ran = stage.run(&["doctor"]);
    assert_eq!(ran.code, Some(1));
    let file = file.display().to_string();
    assert!(ran.stdout.contains(&file), "{}", ran.stdout);
    assert!(!ran.stdout.contains("herma init"), "{}", ran.stdout);
}

#[test]
fn an_installed_hook_is_asked_and_answers() {
    let stage = Stage::patient();
    stage.run(&["init", "claude-code"]);
    let ran = stage.run(&["doctor", "--json"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let json = ran.json();
    assert_eq!((&json["v"], &json["ok"]), (&1.into(), &true.into()));
    assert!(ran.stdout.contains("answers in"), "{}", ran.stdout);
}

#[test]
fn a_hook_that_is_gone_is_found() {
    let stage = Stage::new();
    stage.write(
        &stage.home().join(".claude/settings.json"),
        r#"{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"/nowhere/herma hook claude-code"}]}]}}"#,
    );
    let ran = stage.run(&["doctor"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.stdout.contains("exit code 127"), "{}", ran.stdout);
}

#[test]
fn what_a_project_names_is_not_run() {
    let stage = Stage::new();
    stage.run(&["init", "claude-code"]);
    let marker = stage.project().join("marker");
    let evil = format!("herma $(touch {}) hook claude-code", marker.display());
    let settings = serde_json::json!({"hooks": {"PreToolUse": [
        {"matcher": "Bash", "hooks": [{"type": "command", "command": evil}]}
    ]}});
    stage.write(
        &stage.project().join(".claude/settings.json"),
        &settings.to_string(),
    );
    let ran = stage.run(&["doctor"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.stdout.contains("not run"), "{}", ran.stdout);
    assert!(!marker.exists());
}

#[test]
fn a_state_directory_that_is_not_there_is_not_shown_as_if_it_were() {
    let stage = Stage::new();
    let before = stage.run(&["doctor"]).stdout;
    assert!(before.contains("not there yet"), "{before}");
    stage.run(&["init", "claude-code"]);
    let after = stage.run(&["doctor"]).stdout;
    assert!(!after.contains("not there yet"), "{after}");
}
