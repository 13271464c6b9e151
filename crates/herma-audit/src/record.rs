//! What the chain needs to know of a line.

use serde_json::Value;

use crate::digest::{Hash, unhex};

/// Number and predecessor of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Record {
    /// Its number, from 1.
    pub(crate) seq: u64,
    /// The hash of the line before it.
    pub(crate) prev: Hash,
    /// The reason, for a `gap` record.
    pub(crate) gap: Option<String>,
}

impl Record {
    /// Reads a line, with or without its newline. `None` when it is no line of version 1.
    pub(crate) fn parse(line: &[u8]) -> Option<Self> {
        let value: Value = serde_json::from_slice(line).ok()?;
        if value.get("v")?.as_u64()? != 1 {
            return None;
        }
        let kind = value.get("kind")?.as_str()?;
        let reason = || value.get("context").and_then(Value::as_str);
        Some(Self {
            seq: value.get("seq")?.as_u64()?,
            prev: unhex(value.get("prev")?.as_str()?)?,
            gap: (kind == "gap").then(|| reason().unwrap_or_default().to_owned()),
        })
    }
}
