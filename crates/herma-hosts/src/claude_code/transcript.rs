//! Claude Code's transcripts: one JSON object a line, in `~/.claude/projects/<project>/<session>.jsonl`
//! and, for agents of an agent, in `<session>/subagents/`.
//!
//! Rows of type `assistant` hold what the model asked for, rows of type `user` what came of it; both
//! name the directory that the session was in at that moment. All other rows (summaries, queue
//! operations, attachments, progress) hold no call of their own.

use serde::Deserialize;
use serde_json::value::RawValue;
use thiserror::Error;

/// What one row says about shell calls.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Row {
    /// The working directory, absolute; only with calls.
    pub cwd: Option<String>,
    /// When, in RFC 3339.
    pub time: Option<String>,
    /// Shell commands that the model asked for.
    pub calls: Vec<ShellCall>,
    /// Ids of calls, of any tool, to which a person said no.
    pub refused: Vec<String>,
}

/// A shell command that the model asked for, whatever came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ShellCall {
    /// The call's id.
    pub id: String,
    /// The command line.
    pub command: String,
}

/// Why a row is not read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TranscriptError {
    /// It is no JSON object, or a known field has another type.
    #[error("{detail} (column {column})")]
    Json {
        /// What the JSON reader found.
        detail: String,
        /// Column in bytes, from 1.
        column: usize,
    },
    /// A row with a call lacks what the call needs.
    #[error("a row with a shell call has no `{0}`")]
    Missing(&'static str),
    /// The working directory is no absolute path.
    #[error("`cwd` is not an absolute path")]
    RelativeCwd,
}

impl From<serde_json::Error> for TranscriptError {
    fn from(error: serde_json::Error) -> Self {
        let text = error.to_string();
        let detail = text
            .rsplit_once(" at line ")
            .map_or(text.as_str(), |(head, _)| head);
        Self::Json {
            detail: detail.to_owned(),
            column: error.column(),
        }
    }
}

/// The shell tool.
const TOOL: &str = "Bash";

/// What newer clients write beside the result of a call to which a person said no.
const DENIED_BY_PERSON: &str = "user-rejected";

/// How the results begin by which older clients tell the model that a person said no; the last two
/// are for agents of an agent.
const REFUSALS: &[&str] = &[
    "The user doesn't want to proceed with this tool use",
    "The user doesn't want to take this action right now",
    "The user has declined this action",
    "User rejected tool use",
    "Permission for this tool use was denied. The tool use was rejected",
    "Permission for this action was declined",
];

/// The fields that matter; all others are skipped.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Input<'a> {
    #[serde(rename = "type")]
    kind: Option<String>,
    cwd: Option<String>,
    timestamp: Option<String>,
    #[serde(borrow)]
    message: Option<&'a RawValue>,
    tool_denial_kind: Option<String>,
}

#[derive(Deserialize)]
struct Message<'a> {
    #[serde(borrow)]
    content: Option<&'a RawValue>,
}

/// Of what the model says and of what it is told.
#[derive(Deserialize)]
struct Block<'a> {
    #[serde(rename = "type")]
    kind: Option<String>,
    id: Option<String>,
    name: Option<String>,
    #[serde(borrow)]
    input: Option<&'a RawValue>,
    tool_use_id: Option<String>,
    #[serde(borrow)]
    content: Option<&'a RawValue>,
    is_error: Option<bool>,
}

#[derive(Deserialize)]
struct BashInput {
    command: Option<String>,
}

#[derive(Deserialize)]
struct TextBlock {
    text: Option<String>,
}

/// Reads one row.
///
/// # Errors
/// When it is no JSON object, or a shell call in it lacks its id, command or directory.
pub fn decode(line: &[u8]) -> Result<Row, TranscriptError> {
    let input: Input<'_> = object(line)?;
    let mut row = Row {
        cwd: None,
        time: input.timestamp,
        calls: Vec::new(),
        refused: Vec::new(),
    };
    let assistant = match input.kind.as_deref() {
        Some("assistant") => true,
        Some("user") => false,
        _ => return Ok(row),
    };
    for block in blocks(input.message)? {
        match block.kind.as_deref() {
            Some("tool_use") if assistant && block.name.as_deref() == Some(TOOL) => {
                row.calls.push(call(block)?);
            }
            Some("tool_result") if !assistant => {
                let denied = input.tool_denial_kind.as_deref() == Some(DENIED_BY_PERSON);
                if (denied || is_refusal(&block))
                    && let Some(id) = block.tool_use_id
                {
                    row.refused.push(id);
                }
            }
            _ => {}
        }
    }
    if !row.calls.is_empty() {
        let cwd = input.cwd.ok_or(TranscriptError::Missing("cwd"))?;
        if !cwd.starts_with('/') {
            return Err(TranscriptError::RelativeCwd);
        }
        row.cwd = Some(cwd);
    }
    Ok(row)
}

fn object<'a>(line: &'a [u8]) -> Result<Input<'a>, TranscriptError> {
    // A list would be read as the fields in their order.
    if line.trim_ascii_start().first() != Some(&b'{') {
        return Err(TranscriptError::Json {
            detail: "not a JSON object".to_owned(),
            column: 1,
        });
    }
    Ok(serde_json::from_slice(line)?)
}

/// The parts of a message; a message of plain text has none.
fn blocks(message: Option<&RawValue>) -> Result<Vec<Block<'_>>, TranscriptError> {
    let Some(message) = message.filter(|message| message.get().starts_with('{')) else {
        return Ok(Vec::new());
    };
    let message: Message<'_> = serde_json::from_str(message.get())?;
    match message.content {
        Some(content) if content.get().starts_with('[') => Ok(serde_json::from_str(content.get())?),
        _ => Ok(Vec::new()),
    }
}

fn call(block: Block<'_>) -> Result<ShellCall, TranscriptError> {
    let id = block.id.ok_or(TranscriptError::Missing("id"))?;
    let input = block.input.ok_or(TranscriptError::Missing("input"))?;
    let input: BashInput = serde_json::from_str(input.get())?;
    let command = input.command.ok_or(TranscriptError::Missing("command"))?;
    Ok(ShellCall { id, command })
}

fn is_refusal(block: &Block<'_>) -> bool {
    if block.is_error != Some(true) {
        return false;
    }
    let Some(content) = block.content.map(RawValue::get) else {
        return false;
    };
    let text = if content.starts_with('[') {
        let texts: Vec<TextBlock> = serde_json::from_str(content).unwrap_or_default();
        texts.into_iter().find_map(|block| block.text)
    } else {
        serde_json::from_str(content).ok()
    };
    text.is_some_and(|text: String| {
        let text = text.trim_start();
        REFUSALS.iter().any(|opening| text.starts_with(opening))
    })
}

#[cfg(test)]
mod tests;
