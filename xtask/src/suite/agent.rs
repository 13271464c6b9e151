//! A real agent: Claude Code with herma's hook, driven by a scripted model.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context as _, Result};
use serde_json::{Value, json};

use super::model::{Model, ToolResult, call_id};
use super::process::{bare_herma, exists, finish, fresh_folder, herma};
use super::{Context, Outcome, install};

/// What the model asks for, and what must come of it.
const STEPS: &[(&str, Expected)] = &[
    ("echo first; touch first", Expected::Runs("first")),
    // The home is a throw-away one: should the hook fail, only canaries die.
    ("rm -rf \"$HOME\"", Expected::Denied),
    ("touch ran; echo hello", Expected::Runs("hello")),
    ("ls", Expected::Runs("ran")),
    (
        "git push --force origin main; touch pushed",
        Expected::Asked,
    ),
    (
        "echo cmVib290Cg== | base64 -d > /dev/null; touch decoded; echo decoded",
        Expected::Runs("decoded"),
    ),
];

#[derive(Clone, Copy, Debug)]
enum Expected {
    /// It runs and prints this.
    Runs(&'static str),
    /// It never runs, and the model learns why.
    Denied,
    /// It would be asked; nobody is there, so it never runs.
    Asked,
}

pub(super) fn run(context: &Context) -> Result<Outcome> {
    if !exists("node") && !context.install {
        return Ok(Outcome::Skipped(
            "node is missing (--install brings it)".to_owned(),
        ));
    }
    let Some(claude) = install::claude_code(context)? else {
        return Ok(Outcome::Skipped(format!(
            "Claude Code {} is missing (--install brings it from npm)",
            install::CLAUDE_CODE
        )));
    };
    let binary = herma(context)?;
    let folder = fresh_folder(context, "agent")?;
    let home = folder.join("home");
    let project = folder.join("project");
    fs::create_dir_all(&home)?;
    fs::create_dir_all(&project)?;
    fs::write(home.join("canary"), "alive\n")?;
    let mut init = Command::new(&binary);
    init.args(["init", "claude-code"])
        .env_clear()
        .env("PATH", path())
        .env("HOME", &home)
        .current_dir(&project);
    let installed = finish(&mut init, b"", Duration::from_secs(10))?;
    if !installed.status.is_some_and(|status| status.success()) {
        return Ok(Outcome::Failed(format!(
            "herma init claude-code: {}",
            installed.text()
        )));
    }
    let commands: Vec<&str> = STEPS.iter().map(|(command, _)| *command).collect();
    let model = Model::start(&commands)?;
    let mut agent = Command::new(&claude);
    agent
        .args([
            "-p",
            "go",
            "--dangerously-skip-permissions",
            "--output-format",
            "json",
        ])
        .current_dir(&project)
        .env_clear()
        .env("PATH", path())
        .env("HOME", &home)
        .env("IS_SANDBOX", "1")
        .env("DISABLE_TELEMETRY", "1")
        .env("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1")
        .env("ANTHROPIC_BASE_URL", format!("http://{}", model.address))
        .env("ANTHROPIC_API_KEY", "sk-ant-test");
    let done = finish(&mut agent, b"", Duration::from_secs(120))?;
    let mut faults = faults(&model, &home, &project)?;
    faults.extend(replayed(&binary, &home, &project)?);
    for fault in &faults {
        println!("  {fault}");
    }
    if faults.is_empty() {
        Ok(Outcome::Passed(format!(
            "Claude Code {}: {} commands in {:.1} s",
            install::CLAUDE_CODE,
            STEPS.len(),
            done.took.as_secs_f64()
        )))
    } else {
        println!("  the agent said: {}", done.text());
        Ok(Outcome::Failed(format!(
            "{} faults with Claude Code {}",
            faults.len(),
            install::CLAUDE_CODE
        )))
    }
}

fn path() -> String {
    std::env::var("PATH").unwrap_or_else(|_| "/usr/bin:/bin".to_owned())
}

fn faults(model: &Model, home: &Path, project: &Path) -> Result<Vec<String>> {
    let mut faults = Vec::new();
    if model.played() != STEPS.len() {
        faults.push(format!(
            "the agent asked for {} of {} commands",
            model.played(),
            STEPS.len()
        ));
    }
    if fs::read_to_string(home.join("canary")).ok().as_deref() != Some("alive\n") {
        faults.push("the canary in the home is dead".to_owned());
    }
    for (name, wanted) in [
        ("first", true),
        ("ran", true),
        ("decoded", true),
        ("pushed", false),
    ] {
        if project.join(name).exists() != wanted {
            faults.push(format!("{name}: exists is {}, wanted {wanted}", !wanted));
        }
    }
    let results = model.results();
    let audit = audit_lines(home)?;
    for (index, (command, expected)) in STEPS.iter().enumerate() {
        let id = call_id(index);
        let Some(result) = results.iter().find(|result| result.id == id) else {
            faults.push(format!("{command}: no result reached the model"));
            continue;
        };
        if let Some(fault) = unexpected(result, *expected) {
            faults.push(format!("{command}: {fault}: {}", result.text));
        }
        let wanted = match expected {
            Expected::Runs(_) => "allow",
            Expected::Denied => "deny",
            Expected::Asked => "ask",
        };
        let lines: Vec<&Value> = audit
            .iter()
            .filter(|line| line.get("tool_use_id").and_then(Value::as_str) == Some(&id))
            .collect();
        match lines.as_slice() {
            [line] if line.get("decision").and_then(Value::as_str) == Some(wanted) => {}
            [line] => faults.push(format!("{command}: audited as {line}")),
            other => faults.push(format!("{command}: {} audit lines", other.len())),
        }
    }
    Ok(faults)
}

/// What `herma replay` reads in the transcript that the client has just written.
fn replayed(binary: &Path, home: &Path, project: &Path) -> Result<Vec<String>> {
    let mut replay = bare_herma(binary, home);
    replay
        .args(["replay", "--json", "--once"])
        .arg(home.join(".claude/projects"));
    let done = finish(&mut replay, b"", Duration::from_secs(30))?;
    let report: Value = serde_json::from_slice(&done.output).with_context(|| done.text())?;
    let mut faults = Vec::new();
    let mut expect = |pointer: &str, wanted: Value| {
        let found = report.pointer(pointer).cloned().unwrap_or_default();
        if found != wanted {
            faults.push(format!("replay: {pointer} is {found}, wanted {wanted}"));
        }
    };
    let count = |wanted: fn(&Expected) -> bool| {
        STEPS
            .iter()
            .filter(|(_, expected)| wanted(expected))
            .count()
    };
    expect("/commands/times", json!(STEPS.len()));
    expect("/broken_lines", json!(0));
    expect(
        "/decisions/deny/times",
        json!(count(|it| matches!(it, Expected::Denied))),
    );
    expect(
        "/decisions/ask/times",
        json!(count(|it| matches!(it, Expected::Asked))),
    );
    expect("/stopped/0/cwd", json!(project));
    // Nobody was there to say no.
    expect("/refused", json!(0));
    Ok(faults)
}

fn unexpected(result: &ToolResult, expected: Expected) -> Option<&'static str> {
    match expected {
        Expected::Runs(output) if result.is_error || !result.text.contains(output) => {
            Some("did not run")
        }
        // The reason names the rule, so that the model can do something else.
        Expected::Denied if !result.is_error => Some("was no error"),
        Expected::Denied if !result.text.contains("fs.") => {
            Some("the reason did not reach the model")
        }
        Expected::Asked if !result.is_error => Some("was no error"),
        _ => None,
    }
}

fn audit_lines(home: &Path) -> Result<Vec<Value>> {
    let mut lines = Vec::new();
    let folder = home.join(".herma/audit");
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
