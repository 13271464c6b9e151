//! The hook's entry in Claude Code's `settings.json`.
//!
//! The file belongs to the user, so the text is edited in place: everything that is not the hook
//! keeps its bytes, and removing the hook gives back the text from before.

mod document;

use std::ops::Range;

use document::Document;
use serde::Serialize;

use super::{SHELL, files};
use crate::settings::{Change, Edited, SettingsError, Warning};

/// The first version that knows `onFailure`.
const ON_FAILURE_SINCE: [u32; 3] = [2, 1, 295];

/// Seconds after which the host gives up on the hook, far above the hook's own deadline.
const TIMEOUT: u32 = 10;

/// What `herma hook claude-code` looks like in a settings file.
const CALL: &str = " hook claude-code";

/// Makes a denial of every end that is no answer: a crash, a program that is gone. The host runs
/// hooks by a shell, and would run the command after any exit code but 2.
const OR_DENY: &str = " || exit 2";

/// The hook's command line for a program and a state directory, both quoted for the shell.
#[must_use]
pub fn command(program: &str, home: &str) -> String {
    format!("{program} --home {home}{CALL}{OR_DENY}")
}

/// Adds the hook, or brings it up to date.
///
/// `command` is what [`command`] gives; `version` is the installed host's, when
/// known, and decides which fields it understands. A text that is empty or blank counts as `{}`.
///
/// # Errors
/// When the text is no JSON object or the places on the way to the hook are of another shape.
pub fn install(text: &str, command: &str, version: Option<&str>) -> Result<Edited, SettingsError> {
    let text = if text.trim().is_empty() { "{}\n" } else { text };
    let document = Document::parse(text)?;
    let warnings = if disabled(&document)? {
        vec![Warning::AllHooksDisabled]
    } else {
        Vec::new()
    };
    let wanted = wanted(command, version);
    let ours = find(&document)?;
    if let [only] = ours.as_slice()
        && only.unseen.is_empty()
        && same(document.slice(&only.hook), &wanted)
    {
        return Ok(Edited {
            text: text.to_owned(),
            change: Change::Unchanged,
            warnings,
        });
    }
    let change = if ours.is_empty() {
        Change::Added
    } else {
        Change::Updated
    };
    let cleared = strip(text)?;
    let document = Document::parse(&cleared)?;
    Ok(Edited {
        text: insert(&document, &wanted)?,
        change,
        warnings,
    })
}

/// Removes the hook wherever it stands.
///
/// # Errors
/// As for [`install`].
pub fn remove(text: &str) -> Result<Edited, SettingsError> {
    if text.trim().is_empty() {
        return Ok(unchanged(text));
    }
    let document = Document::parse(text)?;
    if find(&document)?.is_empty() {
        return Ok(unchanged(text));
    }
    Ok(Edited {
        text: strip(text)?,
        change: Change::Removed,
        warnings: Vec::new(),
    })
}

/// One of our hooks in a settings file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Installed {
    /// Its command line.
    pub command: String,
    /// The tools that are judged and that it is not asked about.
    pub unseen: Vec<&'static str>,
}

/// Our hooks in the text, in order.
///
/// # Errors
/// As for [`install`].
pub fn installed(text: &str) -> Result<Vec<Installed>, SettingsError> {
    if text.trim().is_empty() {
        return Ok(Vec::new());
    }
    let document = Document::parse(text)?;
    Ok(find(&document)?
        .into_iter()
        .map(|ours| Installed {
            command: ours.command,
            unseen: ours.unseen,
        })
        .collect())
}

/// The tools that are judged: the shell tool and the file tools.
pub fn tools() -> impl Iterator<Item = &'static str> {
    std::iter::once(SHELL).chain(files::names())
}

/// The pattern for all of them. A version that does not know one of them never asks about it.
fn matcher() -> String {
    tools().collect::<Vec<&str>>().join("|")
}

/// Whether the text switches all hooks off.
///
/// # Errors
/// As for [`install`].
pub fn all_hooks_disabled(text: &str) -> Result<bool, SettingsError> {
    if text.trim().is_empty() {
        return Ok(false);
    }
    disabled(&Document::parse(text)?)
}

fn disabled(document: &Document<'_>) -> Result<bool, SettingsError> {
    let root = document.object(&document.root(), "the file")?;
    let node = root.member("disableAllHooks")?;
    Ok(node.is_some_and(|node| document.slice(&node.span) == "true"))
}

fn unchanged(text: &str) -> Edited {
    Edited {
        text: text.to_owned(),
        change: Change::Unchanged,
        warnings: Vec::new(),
    }
}

/// One of our hooks in the file.
struct Ours {
    hook: Range<usize>,
    command: String,
    /// The tools that its pattern leaves out.
    unseen: Vec<&'static str>,
}

/// Finds our hooks among the `PreToolUse` groups.
fn find(document: &Document<'_>) -> Result<Vec<Ours>, SettingsError> {
    let mut found = Vec::new();
    let root = document.object(&document.root(), "the file")?;
    let Some(hooks) = root.member("hooks")? else {
        return Ok(found);
    };
    let hooks = document.object(&hooks, "hooks")?;
    let Some(groups) = hooks.member("PreToolUse")? else {
        return Ok(found);
    };
    for group in document.array(&groups, "hooks.PreToolUse")?.items {
        let group = document.object(&group, "hooks.PreToolUse[]")?;
        let unseen: Vec<&str> = match group.member("matcher")? {
            None => Vec::new(),
            Some(node) => {
                let matcher = document.string(&node);
                tools()
                    .filter(|tool| !matcher.as_deref().is_some_and(|it| covers(it, tool)))
                    .collect()
            }
        };
        let Some(list) = group.member("hooks")? else {
            continue;
        };
        for hook in document.array(&list, "hooks.PreToolUse[].hooks")?.items {
            let entry = document.object(&hook, "hooks.PreToolUse[].hooks[]")?;
            let command = entry
                .member("command")?
                .and_then(|node| document.string(&node));
            if let Some(command) = command.filter(|command| is_ours(command)) {
                found.push(Ours {
                    hook: hook.span,
                    command,
                    unseen: unseen.clone(),
                });
            }
        }
    }
    Ok(found)
}

fn covers(matcher: &str, tool: &str) -> bool {
    matches!(matcher, "" | "*" | ".*") || matcher.split('|').any(|name| name == tool)
}

/// Whether a command line runs our hook, whatever the path and the quoting of the program. In the
/// form that [`command`] gives, the program may have any name: it can be a copy of herma.
fn is_ours(command: &str) -> bool {
    let command = command.trim();
    let call = command.strip_suffix(OR_DENY);
    let Some(head) = call.unwrap_or(command).strip_suffix(CALL) else {
        return false;
    };
    if call.is_some() && head.contains(" --home ") {
        return true;
    }
    let program = match head.chars().next() {
        // A quote inside a quoted path ends the quotes; then the last part is still the name.
        Some(quote @ ('\'' | '"')) => {
            let rest = head.get(1..).unwrap_or_default();
            rest.find(&format!("{quote} "))
                .and_then(|end| rest.get(..end))
                .unwrap_or_else(|| rest.trim_end_matches(quote))
        }
        _ => head.split(' ').next().unwrap_or(head),
    };
    let name = program.rsplit(['/', '\\']).next().unwrap_or(program);
    matches!(name, "herma" | "herma.exe")
}

/// A hook as it stands in the file.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Hook<'a> {
    r#type: &'static str,
    command: &'a str,
    timeout: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    on_failure: Option<&'static str>,
}

/// Hooks for the tools that a pattern names.
#[derive(Serialize)]
struct Group<'a> {
    matcher: String,
    hooks: [&'a Hook<'a>; 1],
}

/// The groups before a tool runs.
#[derive(Serialize)]
struct Hooks<'a> {
    #[serde(rename = "PreToolUse")]
    pre_tool_use: [Group<'a>; 1],
}

fn wanted<'a>(command: &'a str, version: Option<&str>) -> Hook<'a> {
    let knows = version
        .and_then(numbers)
        .is_some_and(|version| version >= ON_FAILURE_SINCE);
    Hook {
        r#type: "command",
        command,
        timeout: TIMEOUT,
        on_failure: knows.then_some("block"),
    }
}

/// The three numbers at the start of a version (`2.1.332 (Claude Code)`).
fn numbers(version: &str) -> Option<[u32; 3]> {
    let word = version.split_whitespace().next()?;
    let word = word.split(['-', '+']).next()?;
    let mut parts = word.split('.');
    let numbers = [
        parts.next()?.parse().ok()?,
        parts.next()?.parse().ok()?,
        parts.next()?.parse().ok()?,
    ];
    parts.next().is_none().then_some(numbers)
}

fn same(text: &str, wanted: &Hook<'_>) -> bool {
    let there = serde_json::from_str::<serde_json::Value>(text);
    let wanted = serde_json::to_value(wanted);
    matches!((there, wanted), (Ok(there), Ok(wanted)) if there == wanted)
}

/// The text without our hooks, and without the groups and lists that only held them.
fn strip(text: &str) -> Result<String, SettingsError> {
    let mut text = text.to_owned();
    loop {
        let document = Document::parse(&text)?;
        let Some(ours) = find(&document)?.into_iter().next() else {
            return Ok(text);
        };
        text = document.without(&ours.hook)?;
    }
}

/// The text with the hook's group behind all others.
fn insert(document: &Document<'_>, wanted: &Hook<'_>) -> Result<String, SettingsError> {
    let group = || Group {
        matcher: matcher(),
        hooks: [wanted],
    };
    let root = document.object(&document.root(), "the file")?;
    let Some(hooks) = root.member("hooks")? else {
        let value = Hooks {
            pre_tool_use: [group()],
        };
        return Ok(document.append(&document.root(), 1, Some("hooks"), &value));
    };
    let object = document.object(&hooks, "hooks")?;
    let Some(groups) = object.member("PreToolUse")? else {
        return Ok(document.append(&hooks, 2, Some("PreToolUse"), &[group()]));
    };
    document.array(&groups, "hooks.PreToolUse")?;
    Ok(document.append(&groups, 3, None, &group()))
}

#[cfg(test)]
mod tests;
