//! Calls of an agent program's file tools, put to the hook.

use serde_json::{Value, json};

use super::{Ran, Stage};

/// What the hook said: the decision and, behind it, the reason.
pub fn answer(ran: &Ran) -> (&'static str, String) {
    match (ran.code, ran.stdout.is_empty(), ran.stderr.is_empty()) {
        (Some(0), true, true) => ("allow", String::new()),
        (Some(2), true, false) => ("deny", ran.stderr.clone()),
        (Some(0), false, true) => {
            let output = ran.json()["hookSpecificOutput"].clone();
            assert_eq!(output["permissionDecision"], "ask");
            let reason = output["permissionDecisionReason"].as_str().expect("reason");
            ("ask", reason.to_owned())
        }
        _ => panic!("no answer: {ran:?}"),
    }
}

pub fn ask(stage: &Stage, tool: &str, input: &Value) -> (&'static str, String) {
    ask_in(stage, "default", tool, input)
}

pub fn ask_in(stage: &Stage, mode: &str, tool: &str, input: &Value) -> (&'static str, String) {
    let event = json!({
        "session_id": "8ead",
        "cwd": stage.project(),
        "permission_mode": mode,
        "hook_event_name": "PreToolUse",
        "tool_name": tool,
        "tool_input": input,
        "tool_use_id": "toolu_1",
    });
    answer(&stage.run_with(&["hook", "claude-code"], event.to_string()))
}

pub fn read(stage: &Stage, path: &str) -> (&'static str, String) {
    ask(stage, "Read", &json!({"file_path": path}))
}

pub fn write(stage: &Stage, path: &str) -> (&'static str, String) {
    ask(stage, "Write", &json!({"file_path": path, "content": "x"}))
}

/// The rule ids in a reason stand in parentheses.
pub fn rule(reason: &str) -> &str {
    reason
        .split_once('(')
        .and_then(|(_, rest)| rest.split_once(')'))
        .map_or("", |(rule, _)| rule)
}

pub fn stage() -> Stage {
    let stage = Stage::patient();
    for (path, text) in [
        ("home/.ssh/id_ed25519", "key"),
        ("home/.bashrc", "x"),
        ("project/.env", "A=1"),
        ("project/src/main.rs", "fn main() {}"),
        ("project/.git/hooks/sample", "x"),
    ] {
        stage.write(&stage.root().join(path), text);
    }
    stage
}

pub fn audit(stage: &Stage) -> Vec<Value> {
    let mut lines = Vec::new();
    for entry in std::fs::read_dir(stage.state().join("audit")).expect("audit") {
        let path = entry.expect("entry").path();
        if path.extension().is_some_and(|end| end == "jsonl") {
            let text = stage.read(&path);
            lines.extend(text.lines().map(|line| serde_json::from_str(line).unwrap()));
        }
    }
    lines
}
