//! A directory, a home and the real binary for each test.

#![allow(
    dead_code,
    unreachable_pub,
    reason = "each test file uses its own part"
)]
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "tests"
)]

pub mod file_tools;
pub mod guarded;
pub mod transcript;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A user's home and project, gone when it is dropped.
pub struct Stage {
    directory: tempfile::TempDir,
}

/// What a process did.
#[derive(Debug)]
pub struct Ran {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Ran {
    /// The only line of standard output as JSON.
    pub fn json(&self) -> serde_json::Value {
        let lines: Vec<&str> = self.stdout.lines().collect();
        let [line] = lines.as_slice() else {
            panic!("not one line: {self:?}");
        };
        serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))
    }

    /// Every line of standard output as JSON.
    pub fn rows(&self) -> Vec<serde_json::Value> {
        self.stdout
            .lines()
            .map(|line| {
                serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))
            })
            .collect()
    }
}

impl Stage {
    pub fn new() -> Self {
        let stage = Self {
            directory: tempfile::tempdir().expect("a temporary directory"),
        };
        for path in [stage.home(), stage.project()] {
            std::fs::create_dir(path).expect("a directory");
        }
        stage
    }

    /// The same with a hook that is not in a hurry, for machines that are.
    pub fn patient() -> Self {
        let stage = Self::new();
        stage.configure("deadline_ms = 10000\n");
        stage
    }

    /// The temporary directory's real path.
    pub fn root(&self) -> PathBuf {
        self.directory.path().canonicalize().expect("a real path")
    }

    pub fn home(&self) -> PathBuf {
        self.root().join("home")
    }

    pub fn project(&self) -> PathBuf {
        self.root().join("project")
    }

    pub fn state(&self) -> PathBuf {
        self.home().join(".herma")
    }

    /// Makes the state directory with a configuration.
    pub fn configure(&self, text: &str) {
        let state = self.state();
        if !state.exists() {
            std::fs::create_dir(&state).expect("a directory");
            let private = std::os::unix::fs::PermissionsExt::from_mode(0o700);
            std::fs::set_permissions(&state, private).expect("permissions");
        }
        self.write(&state.join("config.toml"), text);
    }

    pub fn write(&self, path: &Path, text: &str) {
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent).expect("a directory");
        }
        std::fs::write(path, text).expect("a file");
    }

    pub fn read(&self, path: &Path) -> String {
        std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    /// The binary with an environment of its own, in the project.
    pub fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_herma"));
        command
            .args(words)
            .env_clear()
            .env("HOME", self.home())
            .env("PATH", "/usr/bin:/bin")
            .current_dir(self.project())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    pub fn run(&self, words: &[&str]) -> Ran {
        feed(self.command(words), b"")
    }

    pub fn run_with(&self, words: &[&str], input: impl AsRef<[u8]>) -> Ran {
        feed(self.command(words), input.as_ref())
    }

    /// Asks the hook about a command in a permission mode.
    pub fn hook(&self, command: &str, mode: &str) -> Ran {
        self.run_with(&["hook", "claude-code"], self.event(command, mode))
    }

    /// What Claude Code sends before a shell call.
    pub fn event(&self, command: &str, mode: &str) -> String {
        serde_json::json!({
            "session_id": "8ead",
            "transcript_path": "/t.jsonl",
            "cwd": self.project(),
            "prompt_id": "97bf",
            "permission_mode": mode,
            "effort": {"level": "high"},
            "hook_event_name": "PreToolUse",
            "tool_name": "Bash",
            "tool_input": {"command": command, "description": "step"},
            "tool_use_id": "toolu_1",
        })
        .to_string()
    }
}

/// Runs a command with this standard input.
pub fn feed(mut command: Command, input: &[u8]) -> Ran {
    let mut child = command.stdin(Stdio::piped()).spawn().expect("started");
    let mut stdin = child.stdin.take().expect("standard input");
    // A process that does not read its input may be gone already.
    let _ = stdin.write_all(input);
    drop(stdin);
    let output = child.wait_with_output().expect("ended");
    Ran {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).expect("UTF-8"),
        stderr: String::from_utf8(output.stderr).expect("UTF-8"),
    }
}

/// The permission bits of a path.
pub fn mode(path: &Path) -> u32 {
    use std::os::unix::fs::PermissionsExt;
    let metadata = path.symlink_metadata().expect("there");
    metadata.permissions().mode() & 0o7777
}

/// The children of a process.
pub fn children(of: u32) -> Vec<i32> {
    let path = format!("/proc/{of}/task/{of}/children");
    let text = std::fs::read_to_string(path).expect("children");
    let numbers = text.split_ascii_whitespace();
    numbers.map(|it| it.parse().expect("a number")).collect()
}

/// The supervisor of a run: the child of the launcher that is process 1 of a sandbox.
pub fn supervisor(launcher: u32) -> i32 {
    let is_first = |process: &i32| {
        let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
        let mut lines = status.lines();
        let numbers = lines.find_map(|line| line.strip_prefix("NSpid:"));
        numbers.is_some_and(|it| it.split_ascii_whitespace().nth(1) == Some("1"))
    };
    let found = children(launcher).into_iter().find(is_first);
    found.expect("a supervisor")
}
