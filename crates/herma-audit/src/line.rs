//! An event as one line of JSON, version 1.
//!
//! Fields in this order, absent ones left out: `v ts seq prev kind host session agent_id turn
//! tool_use_id cwd argv_redacted sha256 device inode nlink decision floor rules mode context us`.

use std::borrow::Cow;

use serde_json::Value;

use crate::base64;
use crate::digest::{Hash, hash, hex};
use crate::error::AuditError;
use crate::time::Timestamp;

/// Most bytes of a word that are recorded, after redaction; the hash covers all of it.
const MAX_WORD: usize = 4096;

/// Most bytes of all words together.
const MAX_WORDS: usize = 16_384;

/// Most bytes of any other text.
const MAX_TEXT: usize = 4096;

/// Most rules of one event.
const MAX_RULES: usize = 64;

/// What happened.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Event<'a> {
    /// What kind of event: `check`, `hook`, `exec`, …
    pub kind: &'a str,
    /// The agent program.
    pub host: Option<&'a str>,
    /// Its session.
    pub session: Option<&'a str>,
    /// The agent within the session.
    pub agent_id: Option<&'a str>,
    /// The turn within the session.
    pub turn: Option<&'a str>,
    /// The host's name for this call.
    pub tool_use_id: Option<&'a str>,
    /// The working directory.
    pub cwd: Option<&'a [u8]>,
    /// What was to be run, not redacted: a command line as one word, or an argv. Recorded
    /// redacted; its SHA-256 (words joined by NUL) is that of the bytes given. Empty when the
    /// event is about no command.
    pub command: &'a [&'a [u8]],
    /// The file that a tool was about to use, as it was judged.
    pub object: Option<FileObject>,
    /// `allow`, `ask` or `deny`.
    pub decision: Option<&'a str>,
    /// The floor that was met.
    pub floor: Option<&'a str>,
    /// The rules that matched.
    pub rules: &'a [&'a str],
    /// The mode that held.
    pub mode: Option<&'a str>,
    /// The context that held.
    pub context: Option<&'a str>,
    /// Microseconds that the decision took.
    pub us: Option<u64>,
}

/// Which file it was, whatever its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileObject {
    /// The device's number.
    pub device: u64,
    /// The inode's number on that device.
    pub inode: u64,
    /// How many names it has; `None` for a directory.
    pub nlink: Option<u64>,
}

impl<'a> Event<'a> {
    /// An event about which nothing else is known.
    #[must_use]
    pub fn new(kind: &'a str) -> Self {
        Self {
            kind,
            host: None,
            session: None,
            agent_id: None,
            turn: None,
            tool_use_id: None,
            cwd: None,
            command: &[],
            object: None,
            decision: None,
            floor: None,
            rules: &[],
            mode: None,
            context: None,
            us: None,
        }
    }

    /// The line with its newline.
    pub(crate) fn line(&self, at: Timestamp, seq: u64, prev: &Hash) -> Result<Vec<u8>, AuditError> {
        let mut object = Fields::new();
        object.number("v", 1);
        object.text("ts", &at.rfc3339())?;
        object.number("seq", seq);
        object.text("prev", &hex(prev))?;
        object.text("kind", self.kind)?;
        object.maybe("host", self.host)?;
        object.maybe("session", self.session)?;
        object.maybe("agent_id", self.agent_id)?;
        object.maybe("turn", self.turn)?;
        object.maybe("tool_use_id", self.tool_use_id)?;
        if let Some(cwd) = self.cwd {
            object.value("cwd", &bytes(&herma_secrets::redact(cwd), MAX_TEXT))?;
        }
        if !self.command.is_empty() {
            object.value("argv_redacted", &words(self.command))?;
            object.text("sha256", &hex(&command_hash(self.command)))?;
        }
        if let Some(own) = self.object {
            object.number("device", own.device);
            object.number("inode", own.inode);
            if let Some(nlink) = own.nlink {
                object.number("nlink", nlink);
            }
        }
        object.maybe("decision", self.decision)?;
        object.maybe("floor", self.floor)?;
        if !self.rules.is_empty() {
            let rules = self.rules.iter().take(MAX_RULES);
            let rules = rules.map(|rule| Value::from(cut(rule, MAX_TEXT))).collect();
            object.value("rules", &Value::Array(rules))?;
        }
        object.maybe("mode", self.mode)?;
        object.maybe("context", self.context)?;
        if let Some(us) = self.us {
            object.number("us", us);
        }
        Ok(object.finish())
    }
}

/// The hash of a command: its words joined by NUL, so that a line hashes as its bytes.
pub(crate) fn command_hash(command: &[&[u8]]) -> Hash {
    let mut parts: Vec<&[u8]> = Vec::with_capacity(command.len() * 2);
    for (index, word) in command.iter().enumerate() {
        if index > 0 {
            parts.push(b"\0");
        }
        parts.push(word);
    }
    hash(&parts)
}

/// The words redacted and bounded. Redaction comes first: a secret cut in two is not recognised.
fn words(command: &[&[u8]]) -> Value {
    let mut left = MAX_WORDS;
    let mut words = Vec::new();
    for (index, word) in command.iter().enumerate() {
        if left == 0 {
            words.push(Value::from(format!("[+{} words]", command.len() - index)));
            break;
        }
        let word = herma_secrets::redact(word);
        let limit = MAX_WORD.min(left);
        // An empty word costs as well, or a million of them would be recorded.
        left -= limit.min(word.len().max(16));
        words.push(bytes(&word, limit));
    }
    Value::Array(words)
}

/// Bytes as a text, or as `{"b64":…}` when they are no UTF-8.
pub(crate) fn bytes(bytes: &[u8], limit: usize) -> Value {
    match std::str::from_utf8(bytes) {
        Ok(text) => Value::from(cut(text, limit)),
        Err(_) => {
            let kept = bytes.get(..limit).unwrap_or(bytes);
            serde_json::json!({ "b64": base64::encode(kept) })
        }
    }
}

/// The text up to `limit` bytes, with a note of how much is missing.
fn cut(text: &str, limit: usize) -> Cow<'_, str> {
    if text.len() <= limit {
        return Cow::Borrowed(text);
    }
    let mut end = limit;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let kept = text.get(..end).unwrap_or_default();
    Cow::Owned(format!("{kept}[+{} bytes]", text.len() - end))
}

/// A JSON object whose fields keep their order.
pub(crate) struct Fields {
    out: Vec<u8>,
}

impl Fields {
    /// An object without fields.
    pub(crate) fn new() -> Self {
        Self {
            out: Vec::with_capacity(512),
        }
    }

    fn name(&mut self, name: &str) {
        self.out
            .extend_from_slice(if self.out.is_empty() { b"{\"" } else { b",\"" });
        self.out.extend_from_slice(name.as_bytes());
        self.out.extend_from_slice(b"\":");
    }

    /// Adds a number.
    pub(crate) fn number(&mut self, name: &str, number: u64) {
        self.name(name);
        self.out.extend_from_slice(number.to_string().as_bytes());
    }

    /// Adds a text.
    pub(crate) fn text(&mut self, name: &str, text: &str) -> Result<(), AuditError> {
        self.name(name);
        serde_json::to_writer(&mut self.out, cut(text, MAX_TEXT).as_ref())
            .map_err(|_| AuditError::Encode)
    }

    /// Adds a text that is there.
    pub(crate) fn maybe(&mut self, name: &str, text: Option<&str>) -> Result<(), AuditError> {
        text.map_or(Ok(()), |text| self.text(name, text))
    }

    /// Adds any value.
    pub(crate) fn value(&mut self, name: &str, value: &Value) -> Result<(), AuditError> {
        self.name(name);
        serde_json::to_writer(&mut self.out, value).map_err(|_| AuditError::Encode)
    }

    /// The object and a newline.
    pub(crate) fn finish(mut self) -> Vec<u8> {
        self.out.extend_from_slice(b"}\n");
        self.out
    }
}

#[cfg(test)]
mod tests;
