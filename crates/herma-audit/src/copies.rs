//! Copies of blocked commands: data for reports, never a recipe for running them.
//!
//! `blocked/<id>.json` (0600, directory 0700) holds the command as it was, the decision, the rules
//! with their spans, time, host and session. The id is the time and 8 digits of the command's
//! SHA-256.

use std::fmt;
use std::io;
use std::path::PathBuf;

use rustix::fs::{AtFlags, Mode, OFlags};
use serde_json::Value;

use crate::digest::hex;
use crate::directory::{Directory, measure};
use crate::error::AuditError;
use crate::line::{Fields, bytes, command_hash};
use crate::read::{Lines, MAX_LINE, Piece};
use crate::time::{Timestamp, days_of};

/// Most copies that are kept; the oldest go first.
const MAX_COPIES: usize = 2000;

/// Most bytes of a command that are kept.
const MAX_COMMAND: usize = 256 * 1024;

/// Most ids that are named when several are meant.
const SAME_SHOWN: usize = 4;

/// Holds the day of the last purge.
const STAMP: &str = "purged";

/// The copies in one directory.
#[derive(Clone, Debug)]
pub struct Copies {
    directory: PathBuf,
}

/// What was blocked.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Block<'a> {
    /// The command as it was, or the path that a tool was to use.
    pub command: &'a [u8],
    /// The tool; `None` for a command.
    pub tool: Option<&'a str>,
    /// `ask` or `deny`.
    pub decision: &'a str,
    /// The floor that was met.
    pub floor: Option<&'a str>,
    /// Rules with the span of each in the command, in bytes.
    pub rules: &'a [(&'a str, u32, u32)],
    /// The agent program.
    pub host: Option<&'a str>,
    /// Its session.
    pub session: Option<&'a str>,
    /// The working directory.
    pub cwd: Option<&'a [u8]>,
}

impl<'a> Block<'a> {
    /// A command with the decision.
    #[must_use]
    pub fn new(command: &'a [u8], decision: &'a str) -> Self {
        Self {
            command,
            tool: None,
            decision,
            floor: None,
            rules: &[],
            host: None,
            session: None,
            cwd: None,
        }
    }
}

/// A rule in a copy.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct KeptRule {
    /// Its id.
    pub id: String,
    /// First byte in the command.
    pub start: u32,
    /// Behind the last byte.
    pub end: u32,
}

/// A copy.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Kept {
    /// Its id.
    pub id: String,
    /// When it was blocked, RFC 3339.
    pub ts: String,
    /// The command as it was, or the path that a tool was to use.
    pub command: Vec<u8>,
    /// The tool; `None` for a command.
    pub tool: Option<String>,
    /// Whether the command was longer than what is kept.
    pub cut: bool,
    /// `ask` or `deny`.
    pub decision: String,
    /// The floor that was met.
    pub floor: Option<String>,
    /// The rules that matched.
    pub rules: Vec<KeptRule>,
    /// The agent program.
    pub host: Option<String>,
    /// Its session.
    pub session: Option<String>,
    /// The working directory.
    pub cwd: Option<Vec<u8>>,
}

/// A copy in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Entry {
    /// Its id.
    pub id: String,
    /// Its size in bytes.
    pub bytes: u64,
}

/// What a report says would have been right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It should have been allowed.
    Allow,
    /// It should have asked.
    Ask,
    /// It is a floor.
    Floor,
    /// It is the floor for passwords on standard input of sudo.
    SudoStdin,
}

impl Verdict {
    fn name(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Ask => "ask",
            Self::Floor => "floor",
            Self::SudoStdin => "sudo-stdin",
        }
    }
}

/// Why there is no copy.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CopyError {
    /// No copy has an id that begins like this.
    Unknown(String),
    /// Several ids begin like this; the newest of them.
    Ambiguous(String, Vec<String>),
    /// The file is no copy.
    Malformed(String),
    /// The directory or file cannot be used.
    Storage(AuditError),
}

impl fmt::Display for CopyError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(id) => write!(out, "no blocked command has the id {}", id.escape_debug()),
            Self::Ambiguous(id, ids) => write!(
                out,
                "several blocked commands have ids with {}: {}",
                id.escape_debug(),
                ids.join(", ")
            ),
            Self::Malformed(id) => write!(out, "the copy {id} cannot be read"),
            Self::Storage(why) => why.fmt(out),
        }
    }
}

impl std::error::Error for CopyError {}

impl From<AuditError> for CopyError {
    fn from(error: AuditError) -> Self {
        Self::Storage(error)
    }
}

impl Copies {
    /// The copies in this directory, which the first one makes.
    pub fn at(directory: impl Into<PathBuf>) -> Self {
        Self {
            directory: directory.into(),
        }
    }

    /// Keeps a copy and returns its id. The same command in the same second is kept once.
    ///
    /// # Errors
    /// The copy cannot be written; the command is blocked all the same.
    pub fn keep(&self, block: &Block<'_>) -> Result<String, CopyError> {
        self.keep_at(block, Timestamp::now())
    }

    /// [`Copies::keep`] as of `now`.
    ///
    /// # Errors
    /// As [`Copies::keep`].
    pub fn keep_at(&self, block: &Block<'_>, now: Timestamp) -> Result<String, CopyError> {
        let directory = Directory::open_or_create(&self.directory)?;
        let digest = hex(&command_hash(&[block.command]));
        let short = digest.get(..8).unwrap_or_default();
        let id = format!("{}-{short}", now.compact());
        let content = encode(block, &id, now, &digest)?;
        let ids = ids(&directory)?;
        for surplus in ids.iter().take((ids.len() + 1).saturating_sub(MAX_COPIES)) {
            remove(&directory, surplus)?;
        }
        if !ids.contains(&id) {
            write(&directory, &id, &content)?;
        }
        Ok(id)
    }

    /// The copies, oldest first.
    ///
    /// # Errors
    /// The directory cannot be read.
    pub fn list(&self) -> Result<Vec<Entry>, CopyError> {
        let Some(directory) = Directory::open(&self.directory)? else {
            return Ok(Vec::new());
        };
        let mut entries = Vec::new();
        for id in ids(&directory)? {
            if let Some(file) = directory.file(&format!("{id}.json"), OFlags::RDONLY)? {
                let (bytes, _) = measure(&file, &id)?;
                entries.push(Entry { id, bytes });
            }
        }
        Ok(entries)
    }

    /// One copy: by its id, by a beginning that no other id has, or by a beginning of the digits
    /// behind the time.
    ///
    /// # Errors
    /// There is none with this id, there are several, or it cannot be read.
    pub fn show(&self, id: &str) -> Result<Kept, CopyError> {
        let unknown = || CopyError::Unknown(id.chars().take(64).collect());
        if id.is_empty() {
            return Err(unknown());
        }
        let directory = Directory::open(&self.directory)?.ok_or_else(unknown)?;
        // Only names that were found there become part of a path.
        let mut meant: Vec<String> = ids(&directory)?
            .into_iter()
            .filter(|own| own.starts_with(id) || own.get(16..).is_some_and(|it| it.starts_with(id)))
            .collect();
        if meant.len() > 1 {
            let newest = meant.split_off(meant.len().saturating_sub(SAME_SHOWN));
            return Err(CopyError::Ambiguous(id.to_owned(), newest));
        }
        let id = meant.pop().ok_or_else(unknown)?;
        let id = id.as_str();
        let name = format!("{id}.json");
        let file = directory.file(&name, OFlags::RDONLY)?.ok_or_else(unknown)?;
        let (length, _) = measure(&file, &name)?;
        let limit = u64::try_from(MAX_LINE).unwrap_or_default();
        match Lines::new(&file, 0, length.min(limit)).next()? {
            Some(Piece::Line(line)) => decode(&line),
            _ => None,
        }
        .filter(|kept| kept.id == id)
        .ok_or_else(|| CopyError::Malformed(id.to_owned()))
    }

    /// A copy as a labelled case, one line of JSON without a newline: `id cmd expect kind issue
    /// note`. Secrets in the command and the note are redacted.
    ///
    /// # Errors
    /// As [`Copies::show`].
    pub fn report(
        &self,
        id: &str,
        expect: Verdict,
        issue: u64,
        note: &str,
    ) -> Result<String, CopyError> {
        let kept = self.show(id)?;
        let mut case = Fields::new();
        case.text("id", &kept.id)?;
        let command = herma_secrets::redact(&kept.command);
        case.value("cmd", &bytes(&command, usize::MAX))?;
        case.text("expect", expect.name())?;
        let rule = kept.rules.first().map_or("report", |rule| rule.id.as_str());
        case.text("kind", rule)?;
        case.number("issue", issue);
        let note = herma_secrets::redact(note.as_bytes());
        case.text("note", &String::from_utf8_lossy(&note))?;
        let line = case.finish();
        Ok(String::from_utf8_lossy(&line).trim_end().to_owned())
    }

    /// Removes copies older than `days` days, at most once a day, and returns how many went.
    ///
    /// # Errors
    /// A copy cannot be removed.
    pub fn purge(&self, days: u32) -> Result<usize, CopyError> {
        self.purge_at(days, Timestamp::now())
    }

    /// [`Copies::purge`] as of `now`.
    ///
    /// # Errors
    /// As [`Copies::purge`].
    pub fn purge_at(&self, days: u32, now: Timestamp) -> Result<usize, CopyError> {
        let Some(directory) = Directory::open(&self.directory)? else {
            return Ok(0);
        };
        let today = now.date();
        let stamp = directory.file(STAMP, OFlags::RDWR | OFlags::CREATE)?;
        let Some(stamp) = stamp else { return Ok(0) };
        let mut buffer = [0u8; 10];
        let read = rustix::io::pread(&stamp, &mut buffer, 0)
            .map_err(AuditError::system("read the day of the last purge"))?;
        if buffer.get(..read) == Some(today.as_bytes()) {
            return Ok(0);
        }
        let oldest = now.days().saturating_sub(u64::from(days));
        let mut removed = 0;
        for id in ids(&directory)? {
            if day_of(&id).is_some_and(|day| day < oldest) {
                remove(&directory, &id)?;
                removed += 1;
            }
        }
        rustix::io::pwrite(&stamp, today.as_bytes(), 0)
            .map_err(AuditError::system("write the day of the last purge"))?;
        Ok(removed)
    }
}

/// Whether this is an id: `20261201T093000-9f8e7d6c`. Nothing else becomes part of a path.
fn is_id(id: &str) -> bool {
    let hexadecimal = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    id.len() == 24
        && id.bytes().enumerate().all(|(index, byte)| match index {
            8 => byte == b'T',
            15 => byte == b'-',
            0..15 => byte.is_ascii_digit(),
            _ => hexadecimal(byte),
        })
}

/// Days since 1970 of an id.
fn day_of(id: &str) -> Option<u64> {
    let date = format!("{}-{}-{}", id.get(..4)?, id.get(4..6)?, id.get(6..8)?);
    days_of(&date)
}

/// Every id, oldest first.
fn ids(directory: &Directory) -> Result<Vec<String>, AuditError> {
    let failed = AuditError::system("list the blocked commands");
    let mut ids = Vec::new();
    for entry in rustix::fs::Dir::read_from(&directory.fd).map_err(&failed)? {
        let entry = entry.map_err(&failed)?;
        let name = entry.file_name().to_str().unwrap_or_default();
        if let Some(id) = name.strip_suffix(".json").filter(|id| is_id(id)) {
            ids.push(id.to_owned());
        }
    }
    ids.sort();
    Ok(ids)
}

fn remove(directory: &Directory, id: &str) -> Result<(), AuditError> {
    match rustix::fs::unlinkat(&directory.fd, format!("{id}.json"), AtFlags::empty()) {
        Ok(()) | Err(rustix::io::Errno::NOENT) => Ok(()),
        Err(errno) => Err(AuditError::system("remove a blocked command")(errno)),
    }
}

/// Writes under another name first: a copy is whole or not there.
fn write(directory: &Directory, id: &str, content: &[u8]) -> Result<(), AuditError> {
    let failed = AuditError::system("keep a blocked command");
    let new = format!(".{id}.{}.new", std::process::id());
    let flags =
        OFlags::WRONLY | OFlags::CREATE | OFlags::TRUNC | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let mode = Mode::from_raw_mode(0o600);
    let file = rustix::fs::openat(&directory.fd, &new, flags, mode).map_err(&failed)?;
    let mut file = std::fs::File::from(file);
    let written = io::Write::write_all(&mut file, content)
        .map_err(|error| rustix::io::Errno::from_io_error(&error).unwrap_or(rustix::io::Errno::IO))
        .and_then(|()| {
            rustix::fs::renameat(&directory.fd, &new, &directory.fd, format!("{id}.json"))
        });
    if written.is_err() {
        let _ = rustix::fs::unlinkat(&directory.fd, &new, AtFlags::empty());
    }
    written.map_err(&failed)
}

fn encode(
    block: &Block<'_>,
    id: &str,
    now: Timestamp,
    digest: &str,
) -> Result<Vec<u8>, AuditError> {
    let mut object = Fields::new();
    object.number("v", 1);
    object.text("id", id)?;
    object.text("ts", &now.rfc3339())?;
    object.maybe("host", block.host)?;
    object.maybe("session", block.session)?;
    object.maybe("tool", block.tool)?;
    if let Some(cwd) = block.cwd {
        object.value("cwd", &bytes(cwd, usize::MAX))?;
    }
    object.text("decision", block.decision)?;
    object.maybe("floor", block.floor)?;
    let rules = block
        .rules
        .iter()
        .take(256)
        .map(|(rule, start, end)| serde_json::json!({ "id": rule, "span": [start, end] }));
    object.value("rules", &Value::Array(rules.collect()))?;
    object.text("sha256", digest)?;
    let kept = block.command.get(..MAX_COMMAND).unwrap_or(block.command);
    if kept.len() < block.command.len() {
        object.value("cut", &Value::Bool(true))?;
    }
    object.value("command", &bytes(kept, usize::MAX))?;
    Ok(object.finish())
}

fn decode(line: &[u8]) -> Option<Kept> {
    let value: Value = serde_json::from_slice(line).ok()?;
    let text = |name: &str| value.get(name).and_then(Value::as_str).map(str::to_owned);
    let raw = |name: &str| match value.get(name)? {
        Value::String(text) => Some(text.clone().into_bytes()),
        other => crate::base64::decode(other.get("b64")?.as_str()?),
    };
    let rules = value.get("rules")?.as_array()?;
    Some(Kept {
        id: text("id")?,
        ts: text("ts")?,
        command: raw("command")?,
        cut: value.get("cut").is_some(),
        decision: text("decision")?,
        floor: text("floor"),
        rules: rules.iter().map(kept_rule).collect::<Option<_>>()?,
        host: text("host"),
        session: text("session"),
        tool: text("tool"),
        cwd: raw("cwd"),
    })
}

fn kept_rule(value: &Value) -> Option<KeptRule> {
    let span = value.get("span")?;
    let offset = |index: usize| u32::try_from(span.get(index)?.as_u64()?).ok();
    Some(KeptRule {
        id: value.get("id")?.as_str()?.to_owned(),
        start: offset(0)?,
        end: offset(1)?,
    })
}

#[cfg(test)]
mod tests;
