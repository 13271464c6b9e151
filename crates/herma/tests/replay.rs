//! `herma replay`: the commands of past sessions, judged as of today.
//!
//! The transcripts in `tests/transcripts` were written by Claude Code 2.1.197; names, ids and the host's
//! own texts are replaced.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "tests"
)]

mod support;

use std::os::unix::fs::symlink;
use std::path::Path;

use serde_json::{Value, json};
use support::Stage;
use support::transcript::*;

#[test]
fn a_transcript_of_the_real_client_is_read() {
    let stage = Stage::new();
    let rows = include_str!("transcripts/claude-code-2.1.197.jsonl");
    let report = report(&stage, rows, &["--once"]);
    assert_eq!(report["commands"], json!({"times": 6, "different": 6}));
    assert_eq!(report["decisions"]["allow"]["times"], 4);
    assert_eq!(report["floors"]["hardline"]["times"], 1);
    assert_eq!(report["broken_lines"], 0);
    let stopped = report["stopped"].as_array().unwrap();
    assert!(stopped.iter().all(|it| it["cwd"] == "/home/dev/proj"));
    assert_eq!(proposed(&report), ["git push --force origin main"]);
    assert_eq!(report["proposed"][0]["cwd"], "/home/dev/proj");
}

#[test]
fn a_no_in_a_transcript_of_the_real_client_is_read() {
    let stage = Stage::new();
    let rows = include_str!("transcripts/claude-code-2.1.197-refused.jsonl");
    let report = report(&stage, rows, &["--once"]);
    assert_eq!(report["decisions"]["ask"]["times"], 1);
    assert_eq!(report["refused"], 1);
    assert_eq!(left(&report, "git branch -D topic"), "refused");
    assert!(proposed(&report).is_empty());
}

#[test]
fn people_see_sums_rules_examples_and_proposals() {
    let stage = Stage::new();
    let ran = replay(&stage, &mixed(&stage.project()), &[]);
    assert_eq!(ran.code, Some(0));
    assert_eq!(ran.stderr, "");
    insta::assert_snapshot!(shown(&stage, &ran.stdout));
}

#[test]
fn programs_get_one_object() {
    let stage = Stage::new();
    let ran = replay(&stage, &mixed(&stage.project()), &["--json"]);
    assert_eq!(ran.code, Some(0));
    let report: Value = serde_json::from_str(&shown(&stage, &ran.stdout)).unwrap();
    insta::assert_snapshot!(serde_json::to_string_pretty(&report).unwrap());
}

#[test]
fn no_colour_reaches_a_pipe() {
    let stage = Stage::new();
    let ran = replay(&stage, &mixed(&stage.project()), &[]);
    assert!(!ran.stdout.contains('\u{1b}') && !ran.stderr.contains('\u{1b}'));
}

#[test]
fn secrets_are_shown_nowhere() {
    let stage = Stage::new();
    let rows = Transcript::of(&stage.project())
        .ran("API_TOKEN=abc123def456ghi789jkl git branch -D x")
        .ran("git push --force https://me:abc123def456ghi789jkl@example.com/x main")
        .ran("git push --force https://me:abc123def456ghi789jkl@example.com/x main")
        .rows;
    for words in [&["--json"][..], &[], &["--once", "--write", "--yes"]] {
        let ran = replay(&stage, &rows, words);
        assert!(ran.stdout.contains("[REDACTED:"), "{}", ran.stdout);
        let all = format!("{}{}", ran.stdout, ran.stderr);
        assert!(!all.contains("def456"), "{all}");
    }
    let report = report(&stage, &rows, &["--once"]);
    let command = "git push --force https://me:[REDACTED:url-password]@example.com/x main";
    assert_eq!(left(&report, command), "secret");
    let spans = &report["stopped"].as_array().unwrap().last().unwrap()["spans"];
    assert_eq!(spans[0]["span"], json!([0, command.len()]));
}

#[test]
fn nothing_is_recorded() {
    let stage = Stage::new();
    replay(&stage, &mixed(&stage.project()), &[]);
    assert!(!stage.state().exists());
    replay(&stage, &mixed(&stage.project()), &["--write", "--yes"]);
    assert!(!stage.state().join("audit").exists());
    assert!(!stage.state().join("blocked").exists());
}

#[test]
fn a_configuration_that_is_not_valid_fails_and_is_left() {
    let stage = Stage::new();
    stage.configure("mode = \"never\"\n");
    let ran = replay(&stage, &mixed(&stage.project()), &["--write", "--yes"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.stderr.contains("config.toml:1:8"), "{}", ran.stderr);
    assert_eq!(
        stage.read(&stage.state().join("config.toml")),
        "mode = \"never\"\n"
    );
}

#[test]
fn broken_lines_are_named_and_the_others_judged() {
    let stage = Stage::new();
    let huge = format!("{{\"type\":\"user\",\"x\":\"{}\"}}", "x".repeat(17 << 20));
    let deep = format!("{{\"type\":\"user\",\"x\":{}", "[".repeat(200_000));
    let rows = Transcript::of(&stage.project())
        .line(&huge)
        .line(&deep)
        .line("\u{0}\u{1b}[2J")
        .line("[]")
        .line("{\"type\":\"assistant\",\"message\":{\"content\":[{\"type\":\"tool_use\",\"id\":\"t\",\"name\":\"Bash\",\"input\":{}}]}}")
        .ran("git reset --hard")
        .line("{\"type\":\"assi")
        .rows;
    let report = report(&stage, &rows, &[]);
    assert_eq!(report["commands"]["times"], 1);
    assert_eq!(report["decisions"]["ask"]["times"], 1);
    assert_eq!(report["broken_lines"], 6);
    let broken = report["broken"].as_array().unwrap();
    let lines: Vec<u64> = broken
        .iter()
        .map(|it| it["line"].as_u64().unwrap())
        .collect();
    assert_eq!(lines, [2, 3, 4, 5, 6, 9]);
    assert_eq!(broken[0]["why"], "too long");
    let text = replay(&stage, &rows, &[]).stdout;
    assert!(text.contains("6 lines could not be read"), "{text}");
    assert!(text.contains("8ead.jsonl:9: EOF"), "{text}");
    assert!(!text.contains('\u{1b}'));
}

#[test]
fn a_directory_is_walked_without_following_links() {
    let stage = Stage::new();
    let folder = stage.home().join(".claude/projects");
    let other = stage.root().join("other");
    let row = |command: &str| Transcript::of(&stage.project()).ran(command).rows;
    stage.write(&folder.join("a/one.jsonl"), &row("git reset --hard"));
    stage.write(
        &folder.join("a/one/subagents/agent-x.jsonl"),
        &row("git clean -fdx"),
    );
    stage.write(&folder.join("a/notes.txt"), "git stash drop\n");
    stage.write(&other.join("secret.jsonl"), &row("git push --force"));
    symlink(&folder, folder.join("a/loop")).unwrap();
    symlink(&other, folder.join("a/out")).unwrap();
    symlink(other.join("secret.jsonl"), folder.join("a/link.jsonl")).unwrap();
    let pipe = folder.join("a/pipe.jsonl");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    let ran = stage.run(&["replay", "--json", folder.to_str().unwrap()]);
    let report = ran.json();
    assert_eq!(report["files"], 2);
    assert_eq!(report["commands"]["times"], 2, "{report}");
    let passed: Vec<&str> = report["passed_over"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["path"].as_str().unwrap().rsplit('/').next().unwrap())
        .collect();
    assert_eq!(passed, ["link.jsonl", "pipe.jsonl"]);
}

#[test]
fn copies_of_a_session_are_counted_once() {
    let stage = Stage::new();
    let rows = mixed(&stage.project());
    let copy = stage
        .home()
        .join(".claude/projects/-project/continued.jsonl");
    stage.write(&copy, &rows);
    let report = report(&stage, &rows, &[]);
    assert_eq!(report["files"], 2);
    assert_eq!(report["commands"]["times"], 15);
    assert_eq!(report["repeated"], 15);
}

#[test]
fn what_the_person_typed_or_a_tool_printed_is_no_command() {
    let stage = Stage::new();
    let call =
        json!({"type": "tool_use", "id": "t", "name": "Bash", "input": {"command": "rm -rf /"}});
    let mut transcript = Transcript::of(&stage.project());
    transcript.row(
        "user",
        &json!("<bash-input>rm -rf /</bash-input>"),
        &Value::Null,
    );
    transcript.row("user", &json!([call]), &Value::Null);
    transcript.row("assistant", &json!("rm -rf /"), &Value::Null);
    let progress = json!({"type": "progress", "data": {"message": {"type": "assistant", "message": {"content": [call]}}}});
    let rows = transcript.line(&progress.to_string()).rows;
    let report = report(&stage, &rows, &[]);
    assert_eq!(report["commands"]["times"], 0);
    assert_eq!(report["broken_lines"], 0);
}

#[test]
fn lists_and_rows_are_told_from_transcripts() {
    let stage = Stage::new();
    let read = |text: &str, words: &[&str]| {
        let mut all = vec!["replay", "--json", "-"];
        all.extend(words);
        let ran = stage.run_with(&all, text);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        ran.json()
    };
    let list = read(
        "#1700000000\nls\n\n{ git reset --hard; }\ngit reset --hard\n",
        &[],
    );
    assert_eq!(list["commands"]["times"], 3);
    assert_eq!(list["decisions"]["ask"]["times"], 2);
    let rows = "{\"cmd\":\"git reset --hard\",\"cwd\":\"/a\"}\n{\"cmd\":7}\n\
        {\"cmd\":\"rm -rf \\\"$X\\\"\",\"env\":{\"X\":\"/\"}}\n";
    let rows = read(rows, &[]);
    assert_eq!(rows["stopped"][0]["cwd"], "/a");
    assert_eq!(rows["floors"]["hardline"]["times"], 1);
    assert_eq!(rows["broken"][0]["line"], 2);
    let forced = read("{\"cmd\":\"ls\"}\n", &["--format", "list"]);
    assert_eq!(forced["commands"]["times"], 1);
    let transcript = Transcript::of(&stage.project())
        .ran("git reset --hard")
        .rows;
    assert_eq!(read(&transcript, &[])["commands"]["times"], 1);
    assert_eq!(read(&transcript, &["--format", "jsonl"])["broken_lines"], 3);
}

#[test]
fn only_the_latest_are_counted_when_that_is_asked_for() {
    let stage = Stage::new();
    let rows = Transcript::of(&stage.project())
        .ran("git reset --hard")
        .ran("ls")
        .ran("git clean -fdx")
        .rows;
    let two = report(&stage, &rows, &["--limit", "2"]);
    assert_eq!(two["commands"]["times"], 2);
    assert_eq!(two["stopped"].as_array().unwrap().len(), 1);
    assert_eq!(two["stopped"][0]["cmd"], "git clean -fdx");
    let never = report(&stage, &rows, &["--since", "0m"]);
    assert_eq!(never["commands"]["times"], 0);
    let ever = report(&stage, &rows, &["--since", "500000w"]);
    assert_eq!(ever["commands"]["times"], 3);
    let list = stage.run_with(&["replay", "--since", "30d", "-"], "ls\n");
    let said = "1 command without a time left out";
    assert!(list.stdout.contains(said), "{}", list.stdout);
    let list = stage.run_with(&["replay", "--json", "--since", "30d", "-"], "ls\n");
    assert_eq!(list.json()["timeless"], 1);
}

#[test]
fn a_projects_own_rules_hold_for_what_ran_there() {
    let stage = Stage::new();
    stage.write(
        &stage.project().join(".herma.toml"),
        "[[rule]]\nid = \"p.no-make\"\naction = \"deny\"\nargv = [\"make\", \"**\"]\n",
    );
    let here = report(
        &stage,
        &Transcript::of(&stage.project()).ran("make x").rows,
        &[],
    );
    assert_eq!(here["floors"]["user-deny"]["times"], 1);
    let there = report(
        &stage,
        &Transcript::of(Path::new("/srv")).ran("make x").rows,
        &[],
    );
    assert_eq!(there["decisions"]["allow"]["times"], 1);
    stage.write(&stage.project().join(".herma.toml"), "mode = 7\n");
    let broken = report(
        &stage,
        &Transcript::of(&stage.project()).ran("ls").rows,
        &[],
    );
    assert_eq!(broken["stopped"][0]["rules"], json!(["config.invalid"]));
}

#[test]
fn wrong_usage_is_told_from_failure() {
    let stage = Stage::new();
    for (words, code) in [
        (&["replay"][..], 2),
        (&["replay", "--since", "yesterday", "-"], 2),
        (&["replay", "--format", "toml", "-"], 2),
        (&["replay", "--yes", "-"], 2),
        (&["replay", "/nowhere"], 1),
        (&["replay", "-", "-"], 1),
        (&["replay", "-"], 0),
    ] {
        assert_eq!(stage.run(words).code, Some(code), "{words:?}");
    }
}
