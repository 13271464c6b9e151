//! Transcripts of sessions, and what `herma replay` says of them.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::{Ran, Stage};

pub const NO: &str = "The user doesn't want to proceed with this tool use. The tool use was rejected \
    (eg. if it was a file edit, the new_string was NOT written to the file). STOP what you are doing \
    and wait for the user to tell you how to proceed.";

/// Rows of a transcript.
pub struct Transcript {
    pub cwd: PathBuf,
    pub rows: String,
    pub calls: usize,
}

impl Transcript {
    pub fn of(cwd: &Path) -> Self {
        let summary = json!({"type": "summary", "summary": "git branch -D main", "leafUuid": "u"});
        Self {
            cwd: cwd.to_owned(),
            rows: format!("{summary}\n"),
            calls: 0,
        }
    }

    pub fn row(&mut self, kind: &str, content: &Value, result: &Value) {
        let row = json!({
            "parentUuid": null, "isSidechain": false, "userType": "external", "type": kind,
            "cwd": self.cwd, "sessionId": "8ead", "version": "2.1.197", "gitBranch": "main",
            "message": {"role": kind, "content": content}, "toolUseResult": result,
            "uuid": format!("u{}", self.rows.len()),
            "timestamp": format!("2026-11-30T19:12:{:02}.{:03}Z", self.calls / 1000 % 60, self.calls % 1000),
        });
        self.rows.push_str(&format!("{row}\n"));
    }

    pub fn asked(mut self, command: &str) -> Self {
        self.calls += 1;
        let id = format!("toolu_{}", self.calls);
        let call = json!({"type": "tool_use", "id": id, "name": "Bash",
            "input": {"command": command, "description": "step"}});
        self.row("assistant", &json!([call]), &Value::Null);
        self
    }

    pub fn answered(mut self, text: &str, is_error: bool, result: &str) -> Self {
        let id = format!("toolu_{}", self.calls);
        let result = json!(result);
        let content = json!([{"type": "tool_result", "tool_use_id": id, "content": text, "is_error": is_error}]);
        self.row("user", &content, &result);
        self
    }

    /// The command runs.
    pub fn ran(self, command: &str) -> Self {
        self.asked(command).answered("done", false, "done")
    }

    /// A person says no.
    pub fn refused(self, command: &str) -> Self {
        self.asked(command)
            .answered(NO, true, "User rejected tool use")
    }

    pub fn line(mut self, line: &str) -> Self {
        self.rows.push_str(line);
        self.rows.push('\n');
        self
    }
}

/// Replays a transcript that lies in a project's folder.
pub fn replay(stage: &Stage, rows: &str, words: &[&str]) -> Ran {
    let file = stage.home().join(".claude/projects/-project/8ead.jsonl");
    stage.write(&file, rows);
    let mut all = vec!["replay"];
    all.extend(words);
    let folder = stage.home().join(".claude/projects");
    all.push(folder.to_str().unwrap());
    stage.run(&all)
}

pub fn report(stage: &Stage, rows: &str, words: &[&str]) -> Value {
    let mut all = vec!["--json"];
    all.extend(words);
    let ran = replay(stage, rows, &all);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(ran.stderr, "");
    assert!(ran.stdout.starts_with("{\"v\":1,"), "{}", ran.stdout);
    ran.json()
}

/// The words of the proposed rules.
pub fn proposed(report: &Value) -> Vec<String> {
    let words = |rule: &Value| -> String {
        let words = rule["argv"].as_array().unwrap().iter();
        words
            .map(|word| word.as_str().unwrap())
            .collect::<Vec<_>>()
            .join(" ")
    };
    report["proposed"]
        .as_array()
        .unwrap()
        .iter()
        .map(words)
        .collect()
}

/// Why a question stays.
pub fn left<'a>(report: &'a Value, command: &str) -> &'a str {
    let stopped = report["stopped"].as_array().unwrap();
    let found = stopped.iter().find(|it| it["cmd"] == command);
    found.expect(command)["left"].as_str().unwrap_or("silenced")
}

/// What a person sees, with this test's directory taken out.
pub fn shown(stage: &Stage, text: &str) -> String {
    text.replace(stage.root().to_str().unwrap(), "[ROOT]")
}

pub fn mixed(cwd: &Path) -> String {
    Transcript::of(cwd)
        .ran("ls -la")
        .ran("cargo test")
        .ran("ls -la")
        .ran("git branch -D fix/one")
        .ran("git branch -D fix/two")
        .ran("cd src && ls; git branch -D fix/three")
        .ran("git branch -D fix/three")
        .ran("git push --force origin topic")
        .ran("make && git push --force origin topic")
        .refused("git push --force origin main")
        .ran("docker compose down -v")
        .ran("sudo git branch -D fix/one")
        .ran("cat .env")
        .ran("curl -H 'Authorization: Bearer abc123def456ghi789' -X DELETE https://example.com/x")
        .asked("rm -rf /")
        .answered("Exit code 1\nrm: refused", true, "Error: Exit code 1")
        .line("{\"type\":\"assistant\",\"message\":{\"con")
        .rows
}
