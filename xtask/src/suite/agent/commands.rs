//! Shell commands: what the hook denies and asks about never runs, everything else does.

use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context as _, Result};
use serde_json::{Value, json};

use super::super::Context;
use super::super::model::{Step, ToolResult, call_id};
use super::super::process::{bare_herma, finish};
use super::Played;
use super::stage::{Session, Stage};

/// What the model asks for, and what must come of it.
const STEPS: &[(&str, Expected)] = &[
    ("echo first; touch first", Expected::Runs("first")),
    // The home is a throw-away one: should the hook fail, only canaries die.
    ("rm -rf \"$HOME\"", Expected::Denied),
    ("touch ran; echo hello", Expected::Runs("hello")),
    ("ls", Expected::Runs("ran")),
    ("git push --force origin main", Expected::Asked),
    // The host asks by itself before such a change, and in this permission mode not even that: the
    // hook's question would be gone with its own.
    (
        "git push --force origin main; mkdir -p .git/pushed",
        Expected::Unheard,
    ),
    ("cat .env; touch a~1", Expected::Unheard),
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
    /// The same, but the host would not ask: herma denies.
    Unheard,
}

/// One session with all of them, and what `herma replay` reads in its transcript.
pub(super) fn play(context: &Context, binary: &Path, claude: &Path) -> Result<Played> {
    let stage = Stage::new(context, binary, "commands")?;
    let steps = STEPS.iter().map(|(command, _)| Step::shell(command));
    let session = stage.play(claude, steps.collect())?;
    let mut faults = faults(&session, &stage)?;
    faults.extend(replayed(binary, &stage.home, &stage.project)?);
    Ok(Played {
        calls: STEPS.len(),
        said: session.done.text(),
        faults,
    })
}

fn faults(session: &Session, stage: &Stage) -> Result<Vec<String>> {
    let Stage { home, project } = stage;
    let model = &session.model;
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
        (".git/pushed", false),
        ("a~1", false),
    ] {
        if project.join(name).exists() != wanted {
            faults.push(format!("{name}: exists is {}, wanted {wanted}", !wanted));
        }
    }
    let results = model.results();
    let audit = stage.audit()?;
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
            Expected::Denied | Expected::Unheard => "deny",
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
        json!(count(|it| matches!(
            it,
            Expected::Asked | Expected::Unheard
        ))),
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
        Expected::Denied | Expected::Unheard if !result.is_error => Some("was no error"),
        Expected::Denied | Expected::Unheard if !result.text.contains("herma: ") => {
            Some("the reason did not reach the model")
        }
        Expected::Asked if !result.is_error => Some("was no error"),
        _ => None,
    }
}
