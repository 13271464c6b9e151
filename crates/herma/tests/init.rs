//! `herma init claude-code`: the hook in the settings.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "tests"
)]

mod support;

use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use support::{Ran, Stage, mode};

fn settings(stage: &Stage) -> PathBuf {
    stage.home().join(".claude/settings.json")
}

fn init(stage: &Stage, more: &[&str]) -> Ran {
    let mut words = vec!["init", "claude-code"];
    words.extend(more);
    stage.run(&words)
}

fn backups(stage: &Stage) -> Vec<PathBuf> {
    let directory = stage.home().join(".claude");
    let mut found: Vec<PathBuf> = std::fs::read_dir(directory)
        .expect("directory")
        .map(|entry| entry.expect("entry").path())
        .filter(|path| {
            path.display()
                .to_string()
                .contains("settings.json.herma-backup-")
        })
        .collect();
    found.sort();
    found
}

fn hooks(stage: &Stage) -> Vec<serde_json::Value> {
    let value: serde_json::Value =
        serde_json::from_str(&stage.read(&settings(stage))).expect("JSON");
    let groups = value
        .pointer("/hooks/PreToolUse")
        .and_then(|groups| groups.as_array().cloned());
    groups.unwrap_or_default()
}

#[test]
fn without_settings_the_file_is_made_for_the_user_alone() {
    let stage = Stage::new();
    let ran = init(&stage, &[]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(mode(&settings(&stage)), 0o600);
    let groups = hooks(&stage);
    assert_eq!(groups.len(), 1);
    let matcher = groups[0]["matcher"].as_str().expect("matcher");
    for tool in ["Bash", "Read", "Write", "Edit", "NotebookEdit", "Grep"] {
        assert!(matcher.split('|').any(|name| name == tool), "{matcher}");
    }
    assert_eq!(groups[0]["hooks"][0]["timeout"], 10);
    assert!(groups[0]["hooks"][0].get("onFailure").is_none());
    assert!(backups(&stage).is_empty());
    assert_eq!(mode(&stage.state()), 0o700);
}

#[test]
fn the_command_in_the_settings_runs_the_hook() {
    let stage = Stage::patient();
    init(&stage, &[]);
    let command = hooks(&stage)[0]["hooks"][0]["command"]
        .as_str()
        .expect("command")
        .to_owned();
    let run = |event: String| {
        let mut shell = std::process::Command::new("sh");
        shell
            .args(["-c", &command])
            .env_clear()
            // What a repository could set must not matter.
            .env("HERMA_HOME", stage.project())
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped());
        support::feed(shell, event.as_bytes())
    };
    assert_eq!(run(stage.event("ls", "default")).code, Some(0));
    let denied = run(stage.event("sudo -S id", "default"));
    assert_eq!((denied.code, denied.stdout.as_str()), (Some(2), ""));
    assert!(!stage.project().join("audit").exists());
}

#[test]
fn a_hook_that_is_gone_or_dies_is_a_denial() {
    let stage = Stage::new();
    let copy = stage.root().join("bin/herma");
    std::fs::create_dir(stage.root().join("bin")).expect("directory");
    std::fs::copy(env!("CARGO_BIN_EXE_herma"), &copy).expect("copied");
    let made = std::process::Command::new(&copy)
        .args(["init", "claude-code"])
        .env("HOME", stage.home())
        .env_remove("HERMA_HOME")
        .output();
    assert!(made.expect("started").status.success());
    let command = hooks(&stage)[0]["hooks"][0]["command"]
        .as_str()
        .expect("command")
        .to_owned();
    let ask = || {
        let mut shell = std::process::Command::new("sh");
        shell
            .args(["-c", &command])
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped());
        support::feed(shell, stage.event("ls", "default").as_bytes()).code
    };
    stage.write(&copy, "#!/bin/sh\nkill -SEGV $$\n");
    assert_eq!(ask(), Some(2));
    std::fs::remove_file(&copy).expect("removed");
    assert_eq!(ask(), Some(2));
}

#[test]
fn doing_it_twice_changes_nothing() {
    let stage = Stage::new();
    stage.write(&settings(&stage), "{\n  \"model\": \"opus\"\n}\n");
    init(&stage, &[]);
    let once = stage.read(&settings(&stage));
    let ran = init(&stage, &[]);
    assert_eq!(ran.code, Some(0));
    assert!(ran.stdout.contains("already"), "{}", ran.stdout);
    assert_eq!(stage.read(&settings(&stage)), once);
    assert_eq!(backups(&stage).len(), 1);
}

#[test]
fn everything_else_in_the_file_stays_and_removing_restores_it() {
    let stage = Stage::new();
    let text = "{\n    \"z\": 1.50,\n    \"hooks\": {\n        \"Stop\": []\n    },\n    \"a\": [1,  2]\n}\n";
    stage.write(&settings(&stage), text);
    std::fs::set_permissions(settings(&stage), PermissionsExt::from_mode(0o640)).expect("mode");
    assert_eq!(init(&stage, &[]).code, Some(0));
    assert_eq!(mode(&settings(&stage)), 0o640);
    assert_eq!(hooks(&stage).len(), 1);
    let kept = backups(&stage);
    assert_eq!(kept.len(), 1);
    assert_eq!(stage.read(&kept[0]), text);
    assert_eq!(mode(&kept[0]), 0o640);
    let ran = init(&stage, &["--remove"]);
    assert_eq!(ran.code, Some(0));
    assert_eq!(stage.read(&settings(&stage)), text);
    assert_eq!(mode(&settings(&stage)), 0o640);
    assert_eq!(backups(&stage).len(), 2);
}

#[test]
fn a_dry_run_shows_the_difference_and_writes_nothing() {
    let stage = Stage::new();
    stage.write(&settings(&stage), "{\n  \"model\": \"opus\"\n}\n");
    let ran = init(&stage, &["--dry-run"]);
    assert_eq!(ran.code, Some(0));
    assert!(ran.stdout.contains("\n+  \"hooks\": {\n"), "{}", ran.stdout);
    assert!(
        ran.stdout.contains("\n-  \"model\": \"opus\"\n"),
        "{}",
        ran.stdout
    );
    assert_eq!(
        stage.read(&settings(&stage)),
        "{\n  \"model\": \"opus\"\n}\n"
    );
    assert!(backups(&stage).is_empty());
    assert!(!stage.state().exists());
    assert_eq!(
        std::fs::read_dir(stage.home().join(".claude"))
            .expect("there")
            .count(),
        1
    );
}

#[test]
fn settings_that_are_no_json_are_left_alone() {
    let stage = Stage::new();
    let text = "{\n  // mine\n  \"model\": \"opus\"\n}\n";
    stage.write(&settings(&stage), text);
    let ran = init(&stage, &[]);
    assert_eq!(ran.code, Some(1));
    assert!(
        ran.stderr.contains("left as it is") && ran.stderr.contains("line 2"),
        "{ran:?}"
    );
    assert_eq!(stage.read(&settings(&stage)), text);
}

#[test]
fn a_link_of_the_users_own_is_followed() {
    let stage = Stage::new();
    let target = stage.home().join("dotfiles/claude.json");
    stage.write(&target, "{}\n");
    std::fs::create_dir(stage.home().join(".claude")).expect("directory");
    std::os::unix::fs::symlink(&target, settings(&stage)).expect("link");
    assert_eq!(init(&stage, &[]).code, Some(0));
    assert!(settings(&stage).is_symlink());
    assert!(stage.read(&target).contains("hook claude-code"));
}

#[test]
fn a_link_in_a_project_is_refused() {
    let stage = Stage::new();
    let victim = stage.home().join("victim.json");
    stage.write(&victim, "{}\n");
    std::fs::create_dir(stage.project().join(".claude")).expect("directory");
    let link = stage.project().join(".claude/settings.json");
    std::os::unix::fs::symlink(&victim, link).expect("link");
    let ran = init(&stage, &["--project"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.stderr.contains("symbolic link"), "{}", ran.stderr);
    assert_eq!(stage.read(&victim), "{}\n");
}

#[test]
fn a_dangling_link_and_a_directory_are_refused() {
    let stage = Stage::new();
    std::fs::create_dir(stage.home().join(".claude")).expect("directory");
    std::os::unix::fs::symlink("/nowhere/x", settings(&stage)).expect("link");
    assert_eq!(init(&stage, &[]).code, Some(1));
    std::fs::remove_file(settings(&stage)).expect("removed");
    std::fs::create_dir(settings(&stage)).expect("directory");
    assert_eq!(init(&stage, &[]).code, Some(1));
}

#[test]
fn a_project_gets_its_own_settings() {
    let stage = Stage::new();
    assert_eq!(init(&stage, &["--project"]).code, Some(0));
    let file = stage.project().join(".claude/settings.json");
    assert!(stage.read(&file).contains("hook claude-code"));
    assert!(!settings(&stage).exists());
}

#[test]
fn a_version_that_knows_on_failure_gets_it() {
    for (version, expected) in [("2.1.332", true), ("2.1.197", false)] {
        let stage = Stage::new();
        let claude = stage.root().join("bin/claude");
        stage.write(
            &claude,
            &format!("#!/bin/sh\necho '{version} (Claude Code)'\n"),
        );
        std::fs::set_permissions(&claude, PermissionsExt::from_mode(0o755)).expect("mode");
        let mut command = stage.command(&["init", "claude-code"]);
        command.env(
            "PATH",
            format!("{}/bin:/usr/bin:/bin", stage.root().display()),
        );
        assert_eq!(support::feed(command, b"").code, Some(0));
        let hook = &hooks(&stage)[0]["hooks"][0];
        assert_eq!(hook.get("onFailure").is_some(), expected, "{version}");
    }
}

#[test]
fn hooks_that_are_switched_off_are_reported() {
    let stage = Stage::new();
    stage.write(&settings(&stage), "{\"disableAllHooks\": true}");
    let ran = init(&stage, &[]);
    assert_eq!(ran.code, Some(0));
    assert!(ran.stderr.contains("disableAllHooks"), "{}", ran.stderr);
}
