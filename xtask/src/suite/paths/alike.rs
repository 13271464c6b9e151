//! The hook about an agent's file tool and `herma path check` about the same path: what one asks
//! about, the other asks about too.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use serde_json::{Value, json};

use super::super::process::{bare_herma, finish};
use super::{Case, text};

/// The tool for an operation of the path check; deleting has none.
fn tool(case: &Case) -> Option<(&'static str, Value)> {
    match case.operation.as_str() {
        "read" => Some(("Read", json!({"file_path": case.path}))),
        "write" | "create" => Some(("Write", json!({"file_path": case.path, "content": "x"}))),
        "list" => Some(("LS", json!({"path": case.path}))),
        _ => None,
    }
}

/// Where the two differ about a case that was answered so; `None` when there is nothing to compare.
pub(super) fn difference(
    case: &Case,
    answer: &Value,
    words: &[String],
    home: &Path,
) -> Result<Option<Result<(), String>>> {
    // A path that leads nowhere is no file of any kind. Confinement is not the hook's, and the
    // hook's own directories count from the root of the case.
    if text(answer, "verdict") == "refused" {
        return Ok(None);
    }
    let Some((tool, input)) = tool(case) else {
        return Ok(None);
    };
    let event = json!({
        "session_id": "alike",
        "cwd": case.root,
        "permission_mode": "default",
        "hook_event_name": "PreToolUse",
        "tool_name": tool,
        "tool_input": input,
        "tool_use_id": case.id,
    });
    let (program, arguments) = words.split_first().context("a program")?;
    let mut command = bare_herma(Path::new(program), home);
    command.args(arguments);
    if let Some(home) = &case.home {
        command.env("HOME", home);
    }
    let done = finish(
        &mut command,
        event.to_string().as_bytes(),
        Duration::from_secs(30),
    )?;
    let asks = match done.status.and_then(|status| status.code()) {
        Some(0) => !done.output.is_empty(),
        Some(2) => true,
        _ => bail!("{}: {}", case.id, done.text()),
    };
    let protected = answer.get("protected").is_some_and(|it| !it.is_null());
    if asks == protected {
        return Ok(Some(Ok(())));
    }
    Ok(Some(Err(format!(
        "{} {} {}: path check says {}, the hook {}",
        case.id,
        case.operation,
        case.path.escape_debug(),
        answer.get("protected").unwrap_or(&Value::Null),
        if asks {
            done.text()
        } else {
            "nothing".to_owned()
        }
    ))))
}
