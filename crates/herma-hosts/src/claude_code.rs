//! Claude Code: the `PreToolUse` hook and the settings file that names it.
//!
//! Silence with exit code 0 lets the call go on to the host's own rules. Exit code 2 with text on
//! standard error blocks it and shows the text to the model. Every other exit code, broken JSON and
//! a hook over its time let the command run, so nothing else is ever sent.

mod files;
pub mod settings;
pub mod transcript;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::answer::{Answer, Reply, line};
use crate::event::{Act, Call, DecodeError, Event, FileUse};

/// The event that comes before a tool runs.
const EVENT: &str = "PreToolUse";

/// The shell tool.
const SHELL: &str = "Bash";

/// The permission mode in which an `ask` of the host's own is not put before anybody. It asks by
/// itself before changes of some files (`.git`, `.vscode`, `.bashrc`, names with `~1` …), and that
/// question takes the place of the hook's: the call runs, whatever else is in it.
const UNASKED: &str = "bypassPermissions";

/// The permission modes in which an `ask` is known to reach a person or to be refused.
const MODES: &[&str] = &[
    "default",
    "acceptEdits",
    "bypassPermissions",
    "plan",
    "dontAsk",
    "auto",
];

/// The fields that matter; all others are ignored.
#[derive(Deserialize)]
struct Input<'a> {
    hook_event_name: Option<String>,
    tool_name: Option<String>,
    #[serde(borrow)]
    tool_input: Option<&'a RawValue>,
    cwd: Option<String>,
    session_id: Option<String>,
    agent_id: Option<String>,
    prompt_id: Option<String>,
    tool_use_id: Option<String>,
    permission_mode: Option<String>,
}

/// The shell tool's input.
#[derive(Deserialize)]
struct BashInput {
    command: Option<String>,
}

/// Decodes the hook's standard input.
pub(crate) fn decode(input: &[u8]) -> Result<Event, DecodeError> {
    let input: Input<'_> = serde_json::from_slice(input)?;
    let event = input.hook_event_name.ok_or(DecodeError::Missing {
        field: "hook_event_name",
    })?;
    if event != EVENT {
        return Ok(Event::Other);
    }
    let tool = input
        .tool_name
        .ok_or(DecodeError::Missing { field: "tool_name" })?;
    let is_file_tool = files::knows(&tool);
    if tool != SHELL && !is_file_tool {
        return Ok(Event::Other);
    }
    let raw = input.tool_input.ok_or(DecodeError::Missing {
        field: "tool_input",
    })?;
    let act = if is_file_tool {
        Act::File(files::decode(tool, raw)?)
    } else {
        let bash: BashInput = serde_json::from_str(raw.get())?;
        let command = bash.command.ok_or(DecodeError::Missing {
            field: "tool_input.command",
        })?;
        Act::Commands(vec![command])
    };
    if input
        .cwd
        .as_deref()
        .is_some_and(|cwd| !cwd.starts_with('/'))
    {
        return Err(DecodeError::RelativeCwd);
    }
    Ok(Event::Call(Box::new(Call {
        act,
        cwd: input.cwd,
        session: input.session_id,
        agent_id: input.agent_id,
        turn: input.prompt_id,
        tool_use_id: input.tool_use_id,
        permission_mode: input.permission_mode,
    })))
}

/// The use of a file by a tool.
pub(crate) fn file_use(tool: &str, path: &str) -> Option<FileUse> {
    files::used(tool, path)
}

/// In a mode that is not known nobody may be there to ask. Which files the host asks about by
/// itself is its own affair and changes with its versions, so every change counts.
pub(crate) fn honours_ask(call: &Call, changes_files: bool) -> bool {
    call.permission_mode
        .as_deref()
        .is_some_and(|mode| MODES.contains(&mode) && !(changes_files && mode == UNASKED))
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Output<'a> {
    hook_specific_output: Decision<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Decision<'a> {
    hook_event_name: &'a str,
    permission_decision: &'a str,
    permission_decision_reason: &'a str,
}

/// Encodes an answer.
pub(crate) fn encode(call: &Call, answer: &Answer<'_>) -> Reply {
    match answer {
        Answer::Allow => Reply::silence(),
        Answer::Deny { reason } => refusal(reason),
        Answer::Ask {
            reason,
            changes_files,
        } if honours_ask(call, *changes_files) => {
            let output = Output {
                hook_specific_output: Decision {
                    hook_event_name: EVENT,
                    permission_decision: "ask",
                    permission_decision_reason: &line(reason),
                },
            };
            match serde_json::to_vec(&output) {
                Ok(mut stdout) => {
                    stdout.push(b'\n');
                    Reply {
                        stdout,
                        stderr: Vec::new(),
                        code: 0,
                    }
                }
                Err(_) => refusal(reason),
            }
        }
        Answer::Ask { reason, .. } => refusal(reason),
    }
}

/// Exit code 2 and one line on standard error.
pub(crate) fn refusal(reason: &str) -> Reply {
    let mut stderr = line(reason).into_bytes();
    stderr.push(b'\n');
    Reply {
        stdout: Vec::new(),
        stderr,
        code: 2,
    }
}

#[cfg(test)]
mod tests;
