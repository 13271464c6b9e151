//! Claude Code's file tools: what each does to which path.

use serde::Deserialize;
use serde_json::value::RawValue;
use unicode_normalization::{UnicodeNormalization as _, is_nfc};

use crate::event::{DecodeError, FileOperation, FileUse};

/// A file tool.
struct Tool {
    name: &'static str,
    operation: FileOperation,
    /// The field that holds the path.
    field: Field,
}

#[derive(Clone, Copy)]
enum Field {
    /// `file_path`, which must be there.
    File,
    /// `notebook_path`, which must be there.
    Notebook,
    /// `path`; without one the working directory.
    Directory,
}

const fn tool(name: &'static str, operation: FileOperation, field: Field) -> Tool {
    Tool {
        name,
        operation,
        field,
    }
}

/// The tools of all versions; some have gone and some have come back.
const TOOLS: &[Tool] = &[
    tool("Read", FileOperation::Read, Field::File),
    tool("Write", FileOperation::Write, Field::File),
    tool("Edit", FileOperation::Edit, Field::File),
    tool("MultiEdit", FileOperation::Edit, Field::File),
    tool("NotebookRead", FileOperation::Read, Field::Notebook),
    tool("NotebookEdit", FileOperation::Edit, Field::Notebook),
    tool("Grep", FileOperation::Search, Field::Directory),
    tool("Glob", FileOperation::List, Field::Directory),
    tool("LS", FileOperation::List, Field::Directory),
];

/// The names of the file tools.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    TOOLS.iter().map(|tool| tool.name)
}

/// Whether this is a file tool.
pub(super) fn knows(tool: &str) -> bool {
    names().any(|name| name == tool)
}

/// The fields that matter; all others are ignored.
#[derive(Deserialize)]
struct Input {
    file_path: Option<String>,
    notebook_path: Option<String>,
    path: Option<String>,
    glob: Option<String>,
    content: Option<String>,
}

/// Decodes the input of a tool that [`knows`] knows.
pub(super) fn decode(name: String, raw: &RawValue) -> Result<FileUse, DecodeError> {
    let missing = |field| DecodeError::Missing { field };
    let tool = TOOLS
        .iter()
        .find(|tool| tool.name == name)
        .ok_or_else(|| missing("tool_name"))?;
    let input: Input = serde_json::from_str(raw.get())?;
    let path = match tool.field {
        Field::File => input
            .file_path
            .ok_or_else(|| missing("tool_input.file_path"))?,
        Field::Notebook => input
            .notebook_path
            .ok_or_else(|| missing("tool_input.notebook_path"))?,
        Field::Directory => input.path.unwrap_or_default(),
    };
    let operation = match tool.operation {
        FileOperation::Write if input.content.as_deref() == Some("") => FileOperation::Empty,
        operation => operation,
    };
    Ok(FileUse {
        tool: name,
        operation,
        readings: readings(&path),
        globs: match tool.operation {
            FileOperation::Search => globs(input.glob.as_deref().unwrap_or_default())?,
            _ => Vec::new(),
        },
        path,
    })
}

/// The use of a file by the tool of that name.
pub(super) fn used(name: &str, path: &str) -> Option<FileUse> {
    let tool = TOOLS.iter().find(|tool| tool.name == name)?;
    Some(FileUse {
        tool: name.to_owned(),
        operation: tool.operation,
        path: path.to_owned(),
        readings: readings(path),
        globs: Vec::new(),
    })
}

/// What Claude Code opens for a path: blanks around it are cut off, and letters are composed. A
/// version that does neither opens the path as it is.
fn readings(path: &str) -> Vec<String> {
    let trimmed = path.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
    let mut readings = vec![trimmed.to_owned()];
    if trimmed.len() != path.len() {
        readings.push(path.to_owned());
    }
    if !is_nfc(trimmed) {
        readings.push(trimmed.nfc().collect());
    }
    readings
}

/// Most patterns that one call is read as, and most bytes of their text.
const MOST_GLOBS: usize = 64;
const LONGEST_GLOBS: usize = 4096;

/// The patterns for file names: they stand between blanks and commas, and braces hold
/// alternatives. What excludes names (`!…`) names none.
fn globs(text: &str) -> Result<Vec<String>, DecodeError> {
    let too_many = DecodeError::TooMany {
        field: "tool_input.glob",
    };
    if text.len() > LONGEST_GLOBS {
        return Err(too_many);
    }
    let mut open: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        if word.contains('{') {
            open.push(word.to_owned());
        } else {
            open.extend(word.split(',').map(str::to_owned));
        }
    }
    let mut globs = Vec::new();
    while let Some(pattern) = open.pop() {
        if open.len() + globs.len() >= MOST_GLOBS {
            return Err(too_many);
        }
        if pattern.is_empty() || pattern.starts_with('!') {
            continue;
        }
        // The innermost braces first.
        let braces = pattern.split_once('}').and_then(|(before, tail)| {
            let (head, inner) = before.rsplit_once('{')?;
            Some((head, inner, tail))
        });
        match braces {
            Some((head, inner, tail)) => {
                let each = inner.split(',');
                open.extend(each.map(|one| format!("{head}{one}{tail}")));
            }
            None => globs.push(pattern),
        }
    }
    globs.reverse();
    Ok(globs)
}

#[cfg(test)]
mod tests;
