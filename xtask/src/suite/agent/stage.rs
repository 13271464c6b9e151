//! A home and a project of their own, with herma's hook installed, and Claude Code run in them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use serde_json::Value;

use super::super::model::{Model, Step};
use super::super::process::{Finished, finish, fresh_folder};
use super::super::{Context, install};

/// When a session counts as hanging.
const LIMIT: Duration = Duration::from_secs(120);

/// Where one session takes place.
pub(super) struct Stage {
    pub(super) home: PathBuf,
    pub(super) project: PathBuf,
}

/// A session that is over.
pub(super) struct Session {
    pub(super) model: Model,
    pub(super) done: Finished,
}

impl Stage {
    /// Fresh directories; `herma init claude-code` has put the hook into the user's settings.
    pub(super) fn new(context: &Context, binary: &Path, name: &str) -> Result<Self> {
        let folder = fresh_folder(context, &format!("agent-{name}"))?;
        let stage = Self {
            home: folder.join("home"),
            project: folder.join("project"),
        };
        fs::create_dir_all(&stage.home)?;
        fs::create_dir_all(&stage.project)?;
        fs::write(stage.home.join("canary"), "alive\n")?;
        let mut init = Command::new(binary);
        init.args(["init", "claude-code"])
            .env_clear()
            .env("PATH", path())
            .env("HOME", &stage.home)
            .current_dir(&stage.project);
        let installed = finish(&mut init, b"", Duration::from_secs(10))?;
        if !installed.status.is_some_and(|status| status.success()) {
            bail!("herma init claude-code: {}", installed.text());
        }
        Ok(stage)
    }

    /// A place below `home/` or `project/`.
    pub(super) fn path(&self, name: &str) -> PathBuf {
        match name.strip_prefix("home/") {
            Some(below) => self.home.join(below),
            None => self.project.join(name.trim_start_matches("project/")),
        }
    }

    /// A file, and the directories that it needs.
    pub(super) fn write(&self, path: &Path, text: &str) -> Result<()> {
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(path, text).with_context(|| path.display().to_string())
    }

    /// Lets the model ask for these calls; nobody is there who could be asked, and the agent's own
    /// permissions let everything through.
    pub(super) fn play(&self, claude: &Path, steps: Vec<Step>) -> Result<Session> {
        let model = Model::start(steps)?;
        let mut agent = Command::new(claude);
        agent
            .args([
                "-p",
                "go",
                "--dangerously-skip-permissions",
                "--output-format",
                "json",
            ])
            .current_dir(&self.project)
            .env_clear()
            .env("PATH", path())
            .env("HOME", &self.home)
            .env("IS_SANDBOX", "1")
            .env("DISABLE_TELEMETRY", "1")
            .env("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1")
            .env("ANTHROPIC_BASE_URL", format!("http://{}", model.address))
            .env("ANTHROPIC_API_KEY", "sk-ant-test");
        let done = finish(&mut agent, b"", LIMIT)?;
        Ok(Session { model, done })
    }

    /// What herma wrote down.
    pub(super) fn audit(&self) -> Result<Vec<Value>> {
        let mut lines = Vec::new();
        let folder = self.home.join(".herma/audit");
        let entries = fs::read_dir(&folder).with_context(|| folder.display().to_string())?;
        for entry in entries {
            let path = entry?.path();
            if path
                .extension()
                .is_some_and(|extension| extension == "jsonl")
            {
                for line in fs::read_to_string(&path)?.lines() {
                    lines.push(serde_json::from_str(line)?);
                }
            }
        }
        Ok(lines)
    }

    /// What the agent wrote down itself: its transcripts.
    pub(super) fn transcripts(&self) -> Result<String> {
        let mut text = String::new();
        let mut open = vec![self.home.join(".claude/projects")];
        while let Some(folder) = open.pop() {
            let entries = fs::read_dir(&folder).with_context(|| folder.display().to_string())?;
            for entry in entries {
                let path = entry?.path();
                if path.is_dir() {
                    open.push(path);
                } else {
                    text += &fs::read_to_string(&path)?;
                }
            }
        }
        Ok(text)
    }
}

/// The pinned Claude Code, or why there is none.
pub(super) fn claude(context: &Context) -> Result<Result<PathBuf, String>> {
    if !super::super::process::exists("node") && !context.install {
        return Ok(Err("node is missing (--install brings it)".to_owned()));
    }
    Ok(install::claude_code(context)?.ok_or_else(|| {
        format!(
            "Claude Code {} is missing (--install brings it from npm)",
            install::CLAUDE_CODE
        )
    }))
}

fn path() -> String {
    std::env::var("PATH").unwrap_or_else(|_| "/usr/bin:/bin".to_owned())
}
