//! Labelled cases through the real binary.

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use serde_json::{Value, json};

use super::process::{bare_herma, finish, fresh_folder, herma};
use super::{Context, Outcome};

/// How many wrong answers are printed.
const SHOWN: usize = 60;

fn rows(context: &Context, file: &str) -> Result<Vec<Value>> {
    let path = context.repository.join("corpus").join(file);
    let content = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    content
        .lines()
        .filter(|line| !line.is_empty())
        .map(|line| Ok(serde_json::from_str(line)?))
        .collect()
}

fn text<'a>(row: &'a Value, key: &str) -> &'a str {
    row.get(key).and_then(Value::as_str).unwrap_or_default()
}

fn verdict(context: &Context, name: &str, faults: &[String], total: usize) -> Outcome {
    for fault in faults.iter().take(SHOWN) {
        println!("  {fault}");
    }
    if faults.len() > SHOWN {
        println!("  … and {} more", faults.len() - SHOWN);
    }
    let list = context
        .target
        .join("suites")
        .join(format!("{name}-faults.txt"));
    let _ = fs::write(list, faults.join("\n"));
    if faults.is_empty() {
        Outcome::Passed(format!("{total} cases"))
    } else {
        Outcome::Failed(format!(
            "{} of {total} cases answered wrongly",
            faults.len()
        ))
    }
}

/// `commands.jsonl` through `herma check --batch`.
pub(super) fn commands(context: &Context) -> Result<Outcome> {
    let binary = herma(context)?;
    let home = fresh_folder(context, "corpus")?;
    let rows = rows(context, "commands.jsonl")?;
    let mut input = String::new();
    for row in &rows {
        let request = json!({
            "id": text(row, "id"),
            "cmd": text(row, "cmd"),
            "cwd": "/home/dev/proj",
            "env": {"HOME": "/home/dev", "USER": "dev"},
            "shell": row.get("shell"),
        });
        input.push_str(&request.to_string());
        input.push('\n');
    }
    let mut command = bare_herma(&binary, &home);
    command.args(["check", "--batch", "-"]);
    let done = finish(&mut command, input.as_bytes(), Duration::from_secs(120))?;
    let output = String::from_utf8(done.output).context("the answers are not UTF-8")?;
    let answers: Vec<&str> = output.lines().collect();
    if answers.len() != rows.len() {
        bail!(
            "{} rows, {} answers, {:?}: {}",
            rows.len(),
            answers.len(),
            done.status,
            String::from_utf8_lossy(&done.errors)
        );
    }
    let mut faults = Vec::new();
    for (row, answer) in rows.iter().zip(answers) {
        let answer: Value = serde_json::from_str(answer)?;
        if !fits(row, &answer) {
            faults.push(format!(
                "{} {:>10}: {} {} {} | {}",
                text(row, "id"),
                text(row, "expect"),
                text(&answer, "decision"),
                answer.get("floor").cloned().unwrap_or_default(),
                answer.get("rules").cloned().unwrap_or_default(),
                text(row, "cmd").escape_debug(),
            ));
        }
    }
    Ok(verdict(context, "corpus", &faults, rows.len()))
}

fn fits(row: &Value, answer: &Value) -> bool {
    let decision = text(answer, "decision");
    let floor = answer.get("floor").and_then(Value::as_str);
    if text(answer, "id") != text(row, "id") {
        return false;
    }
    match text(row, "expect") {
        "floor" => decision == "deny" && floor == Some("hardline"),
        "sudo-stdin" => decision == "deny" && floor == Some("sudo-stdin"),
        "ask" => matches!(decision, "ask" | "deny") && floor != Some("hardline"),
        "allow" => decision == "allow",
        _ => false,
    }
}

/// `shell/parse.jsonl` through `herma shell parse`.
pub(super) fn parse(context: &Context) -> Result<Outcome> {
    let binary = herma(context)?;
    let home = fresh_folder(context, "corpus-parse")?;
    let rows = rows(context, "shell/parse.jsonl")?;
    let mut faults = Vec::new();
    for row in &rows {
        let source = text(row, "src");
        let mut command: Command = bare_herma(&binary, &home);
        command.args(["shell", "parse", "--json", "--stdin"]);
        let done = finish(&mut command, source.as_bytes(), Duration::from_secs(10))?;
        let answer: Value = serde_json::from_slice(&done.output)
            .with_context(|| format!("{}: {}", text(row, "id"), done.text()))?;
        if let Some(fault) = misread(row, &answer) {
            faults.push(format!(
                "{} {fault} | {}",
                text(row, "id"),
                source.escape_debug()
            ));
        }
    }
    Ok(verdict(context, "corpus-parse", &faults, rows.len()))
}

fn offsets(value: Option<&Value>) -> BTreeSet<u64> {
    value
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_u64)
        .collect()
}

fn misread(row: &Value, answer: &Value) -> Option<String> {
    let status = text(answer, "status");
    if row.get("valid").and_then(Value::as_bool) == Some(false) {
        return (status != "not-understood").then(|| format!("broken text is {status}"));
    }
    if status != "clean" {
        return Some(format!(
            "valid text is {status} {}",
            answer.get("uncertain").cloned().unwrap_or_default()
        ));
    }
    // What a carrier runs, and library calls, are other executions than the shell's own.
    let found: BTreeSet<u64> = answer
        .get("executions")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter(|execution| {
            execution
                .get("via")
                .and_then(Value::as_array)
                .is_some_and(Vec::is_empty)
        })
        .filter(|execution| {
            execution
                .get("argv")
                .and_then(|argv| argv.get(0))
                .and_then(Value::as_str)
                == Some("zz9")
        })
        .filter_map(|execution| execution.get("at").and_then(Value::as_u64))
        .collect();
    let expected = offsets(row.get("exp"));
    let data = offsets(row.get("dat"));
    let missing: Vec<_> = expected.difference(&found).collect();
    let wrong: Vec<_> = found.intersection(&data).collect();
    let extra: Vec<_> = found
        .difference(&expected)
        .filter(|at| !data.contains(at))
        .collect();
    (!missing.is_empty() || !wrong.is_empty() || !extra.is_empty())
        .then(|| format!("missing {missing:?}, data as command {wrong:?}, elsewhere {extra:?}"))
}
