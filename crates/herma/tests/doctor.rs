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
fn a_hook_that_is_not_asked_about_files_is_found() {
    let stage = Stage::patient();
    stage.run(&["init", "claude-code"]);
    let file = stage.home().join(".claude/settings.json");
    let mut settings: serde_json::Value = serde_json::from_str(&stage.read(&file)).expect("JSON");
    settings["hooks"]["PreToolUse"][0]["matcher"] = "Bash".into();
    stage.write(&file, &settings.to_string());
    let ran = stage.run(&["doctor"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(
        ran.stdout.contains("not asked about Read, Write"),
        "{ran:?}"
    );
    stage.run(&["init", "claude-code"]);
    assert_eq!(stage.run(&["doctor"]).code, Some(0));
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

/// Every file below a directory with its content.
fn tree(directory: &std::path::Path) -> Vec<(std::path::PathBuf, Vec<u8>)> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(directory).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.push((path.clone(), Vec::new()));
            found.extend(tree(&path));
        } else {
            found.push((path.clone(), std::fs::read(&path).expect("a file")));
        }
    }
    found.sort();
    found
}

#[test]
fn it_leaves_nothing_behind() {
    let stage = Stage::patient();
    stage.run(&["init", "claude-code"]);
    let before = tree(&stage.home());
    assert_eq!(stage.run(&["doctor"]).code, Some(0));
    assert_eq!(tree(&stage.home()), before);
    stage.hook("sudo -S id", "default");
    let before = tree(&stage.home());
    let ran = stage.run(&["doctor"]);
    assert_eq!(ran.code, Some(0));
    assert!(ran.stdout.contains("the chain holds"), "{}", ran.stdout);
    assert_eq!(tree(&stage.home()), before);
    std::fs::remove_dir_all(stage.state()).expect("removed");
    stage.run(&["doctor"]);
    assert!(!stage.state().exists());
}

#[test]
fn only_its_own_calls_go_unrecorded() {
    let stage = Stage::patient();
    let event = |command: &str| {
        stage
            .event(command, "default")
            .replace("\"8ead\"", "\"herma-doctor\"")
    };
    for command in ["id", "true; id", "true "] {
        stage.run_with(&["hook", "claude-code"], event(command));
    }
    stage.hook("true", "default");
    let ran = stage.run(&["audit", "tail"]);
    assert_eq!(ran.stdout.lines().count(), 4, "{}", ran.stdout);
    stage.run_with(&["hook", "claude-code"], event("true"));
    let ran = stage.run(&["audit", "tail"]);
    assert_eq!(ran.stdout.lines().count(), 4, "{}", ran.stdout);
}

#[test]
fn a_trail_that_cannot_go_on_is_found() {
    let stage = Stage::patient();
    stage.hook("ls", "default");
    std::fs::remove_dir_all(stage.state().join("audit")).expect("removed");
    stage.write(&stage.state().join("audit"), "in the way");
    let ran = stage.run(&["doctor"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.stdout.contains("WRONG audit trail"), "{}", ran.stdout);
}
