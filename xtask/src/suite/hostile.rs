//! Hostile command lines through the real binary: always an answer, in time, and never `allow`
//! for what was not understood.

mod inputs;

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::Result;
use serde_json::{Value, json};

use self::inputs::{Input, inputs};
use super::process::{Finished, bare_herma, finish, fresh_folder, herma};
use super::{Context, Outcome};

/// When an answer counts as hanging: the binary is not optimised, and machines are busy.
const LIMIT: Duration = Duration::from_secs(30);

/// The address space of a child, in KiB.
const MEMORY: u64 = 2 << 20;

/// What takes longer is named.
const SLOW: Duration = Duration::from_secs(1);

/// What the answer must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
    /// Any decision, but no `allow` when the text was not understood.
    Answer,
    /// Something dangerous is certain or the text is broken: anything but `allow`.
    NotAllow,
}

/// Every input through `check --stdin` and through the hook.
pub(super) fn run(context: &Context) -> Result<Outcome> {
    let binary = herma(context)?;
    let home = fresh_folder(context, "hostile")?;
    let mut faults = 0;
    let mut slowest = (Duration::ZERO, "");
    let mut count = 0;
    for input in inputs() {
        count += 1;
        let (found, took) = judge(&binary, &home, input)?;
        if took > slowest.0 {
            slowest = (took, input.name);
        }
        if took > SLOW {
            println!("  {}: {:.2} s", input.name, took.as_secs_f64());
        }
        for fault in found {
            println!("  {}: {fault}", input.name);
            faults += 1;
        }
    }
    let slow = format!("slowest {:.2} s ({})", slowest.0.as_secs_f64(), slowest.1);
    Ok(if faults == 0 {
        Outcome::Passed(format!("{} inputs, {slow}", count))
    } else {
        Outcome::Failed(format!("{faults} faults with {} inputs, {slow}", count))
    })
}

/// Herma that dies of an allocation when it holds too much.
fn bounded(binary: &Path, home: &Path) -> Command {
    let herma = bare_herma(binary, home);
    let mut command = Command::new("/bin/sh");
    command
        .args(["-c", "ulimit -v \"$1\" && shift && exec \"$@\"", "sh"])
        .arg(MEMORY.to_string())
        .arg(binary)
        .env_clear()
        .envs(
            herma
                .get_envs()
                .filter_map(|(name, value)| Some((name, value?))),
        )
        .current_dir(home);
    command
}

fn judge(binary: &Path, home: &Path, input: &Input) -> Result<(Vec<String>, Duration)> {
    let text = input.text();
    let mut faults = Vec::new();
    let mut check = bounded(binary, home);
    let checked = finish(check.args(["check", "--stdin"]), &text, LIMIT)?;
    let mut took = checked.took;
    let code = code(&checked);
    match code {
        Ok(0 | 3 | 4) => {}
        Ok(other) => faults.push(format!("check ends with {other}: {}", short(&checked))),
        Err(why) => faults.push(format!("check {why}: {}", short(&checked))),
    }
    if code == Ok(0) && input.wanted == Wanted::NotAllow {
        faults.push("check allows it".to_owned());
    }
    let mut parse = bounded(binary, home);
    let parsed = finish(
        parse.args(["shell", "parse", "--json", "--stdin"]),
        &text,
        LIMIT,
    )?;
    took = took.max(parsed.took);
    match parsed.status.map(|status| status.code()) {
        None => faults.push(format!("shell parse takes more than {LIMIT:?}")),
        Some(None) => faults.push(format!("shell parse dies: {}", short(&parsed))),
        Some(Some(_)) => {
            let answer: Value = serde_json::from_slice(&parsed.output).unwrap_or_default();
            if code == Ok(0)
                && answer.get("status").and_then(Value::as_str) == Some("not-understood")
            {
                faults.push("allowed although it was not understood".to_owned());
            }
        }
    }
    let event = json!({
        "session_id": "hostile",
        "cwd": home,
        "permission_mode": "default",
        "hook_event_name": "PreToolUse",
        "tool_name": "Bash",
        "tool_input": {"command": String::from_utf8_lossy(&text)},
        "tool_use_id": "t1",
    });
    let mut hook = bounded(binary, home);
    let hooked = finish(
        hook.args(["hook", "claude-code"]),
        event.to_string().as_bytes(),
        LIMIT,
    )?;
    took = took.max(hooked.took);
    match self::code(&hooked) {
        Ok(0) if !hooked.output.is_empty() => {
            let answer: Value = serde_json::from_slice(&hooked.output).unwrap_or_default();
            if answer
                .pointer("/hookSpecificOutput/permissionDecision")
                .is_none()
            {
                faults.push(format!("the hook prints rubbish: {}", short(&hooked)));
            }
        }
        Ok(0) if input.wanted == Wanted::NotAllow => faults.push("the hook is silent".to_owned()),
        Ok(0) => {}
        Ok(2) if !hooked.errors.is_empty() && hooked.output.is_empty() => {}
        Ok(other) => faults.push(format!("the hook ends with {other}: {}", short(&hooked))),
        Err(why) => faults.push(format!("the hook {why}: {}", short(&hooked))),
    }
    Ok((faults, took))
}

fn code(done: &Finished) -> Result<i32, &'static str> {
    match done.status {
        None => Err("takes too long"),
        Some(status) => status.code().ok_or("dies of a signal"),
    }
}

fn short(done: &Finished) -> String {
    done.text()
        .chars()
        .take(200)
        .collect::<String>()
        .escape_debug()
        .to_string()
}
