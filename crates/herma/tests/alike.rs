//! What is protected is protected in every way to it: `herma path check`, file tools, and commands.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "tests"
)]

mod support;

use herma_protected::{ANYWHERE, HOME, INSTRUCTIONS, Kind, TOP};
use serde_json::{Value, json};
use support::Stage;

/// Every name that is listed, in a place where it counts, and in turn something below it or the
/// name in capitals.
fn listed(stage: &Stage) -> Vec<String> {
    let (home, project) = (stage.home(), stage.project());
    let (home, project) = (home.display(), project.display());
    let mut paths = Vec::new();
    let mut add = |front: String, entries: &[&str]| {
        for (index, entry) in entries.iter().enumerate() {
            paths.push(format!("{front}/{entry}"));
            paths.push(match index % 2 {
                0 => format!("{front}/{entry}/x"),
                _ => format!("{front}/{}", entry.to_ascii_uppercase()),
            });
        }
    };
    let names = |list: &[(&'static str, Kind)]| -> Vec<&'static str> {
        list.iter().map(|(entry, _)| *entry).collect()
    };
    add(home.to_string(), &names(HOME));
    add(project.to_string(), &names(ANYWHERE));
    add(format!("{project}/sub"), INSTRUCTIONS);
    // Nobody's system is in capitals.
    paths.extend(TOP.iter().map(|(entry, _)| format!("/{entry}")));
    paths
}

/// Names beside them that mean nothing or something only in places.
const BESIDE: &[&str] = &[
    "src/main.rs",
    "README.md",
    ".env.example",
    ".env~",
    ".env-old",
    ".environment",
    "prod.env",
    "app.env",
    "server.key",
    "cert.pem",
    "debug.keystore",
    "a.kdbx",
    ".gitignore",
    ".github/workflows/ci.yml",
    ".git/COMMIT_EDITMSG",
    ".hermes/plan.md",
    ".vscode/launch.json",
    "bin/tool",
    "../home/bin/tool",
    "../home/.local/bin/tool",
    "../home/.claude/projects/x",
    "../home/.hermes/cache/x",
    "../home/.ssh/work.pub",
    "../home/notes.txt",
    "../other/x",
    "/opt/x",
    "/tmp/x",
    "/dev/null",
    "/usr/local/bin/x",
    "/etc/hosts",
    "/etc/ssh/ssh_host_rsa_key",
    "/proc/1/environ",
    "/var/lib/x",
    "/var/tmp/x",
];

/// Whether the path check says that something protects it.
fn protected(stage: &Stage, paths: &[String], operation: &str) -> Vec<Value> {
    let root = stage.project();
    let rows: String = paths
        .iter()
        .map(|path| format!("{}\n", json!({"root": root, "path": path, "op": operation})))
        .collect();
    let ran = stage.run_with(&["path", "check", "--batch", "-"], rows);
    let rows = ran.rows();
    assert_eq!(rows.len(), paths.len(), "{}", ran.stderr);
    rows
}

/// Whether the hook asks or denies.
fn asks(stage: &Stage, path: &str, tool: &str) -> bool {
    let event = json!({
        "session_id": "8ead",
        "cwd": stage.project(),
        "permission_mode": "default",
        "hook_event_name": "PreToolUse",
        "tool_name": tool,
        "tool_input": {"file_path": path, "content": "x"},
    });
    let ran = stage.run_with(&["hook", "claude-code"], event.to_string());
    ran.code != Some(0) || !ran.stdout.is_empty()
}

#[test]
fn what_the_path_check_protects_is_protected_from_tools_and_commands() {
    let stage = Stage::patient();
    let mut paths = listed(&stage);
    paths.extend(BESIDE.iter().map(|path| {
        if path.starts_with('/') {
            (*path).to_owned()
        } else {
            format!("{}/{path}", stage.project().display()).replace("project/../", "")
        }
    }));
    let mut differences = Vec::new();
    for (operation, tool, command) in [("read", "Read", "cat "), ("write", "Write", "echo x > ")] {
        let rows: String = paths
            .iter()
            .map(|path| {
                let text = format!("{command}'{path}'");
                let home = stage.home();
                format!("{}\n", json!({"cmd": text, "env": {"HOME": home}}))
            })
            .collect();
        let commands = stage.run_with(&["check", "--batch", "-"], rows).rows();
        let checked = protected(&stage, &paths, operation);
        for (index, path) in paths.iter().enumerate() {
            let (place, command) = (&checked[index], &commands[index]);
            // Below a file there is nothing, which the path check says instead.
            if place["code"] == "not-directory" {
                continue;
            }
            let is_protected = !place["protected"].is_null();
            let by_command = command["decision"] != "allow";
            // A process for each: what was listed last is compared in full, the rest in part.
            let by_tool = if index % 6 == 0 || index + BESIDE.len() >= paths.len() {
                asks(&stage, path, tool)
            } else {
                by_command
            };
            if is_protected != by_tool || by_tool != by_command {
                differences.push(format!(
                    "{operation} {path}: path check {}, tool asks {by_tool}, command {} {}",
                    place["protected"], command["decision"], command["findings"][0]["rule"]
                ));
            }
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}
