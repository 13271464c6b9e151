//! The position of the last line: the content of `head` and of `anchor`.
//!
//! One line of fixed width, so that it is overwritten in place:
//! file name, number of the last line, length of the file in bytes, SHA-256 of the last line.

use crate::digest::{Hash, ZERO, hex, unhex};
use crate::time::days_of;

/// Where the chain stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Head {
    /// Name of the file that holds the last line; empty before the first.
    pub(crate) file: String,
    /// Number of the last line; 0 before the first.
    pub(crate) seq: u64,
    /// Length of the file behind the last line, in bytes.
    pub(crate) length: u64,
    /// Hash of the last line with its newline.
    pub(crate) hash: Hash,
}

impl Head {
    /// Bytes of the written form.
    pub(crate) const WIDTH: usize = 16 + 1 + 20 + 1 + 20 + 1 + 64 + 1;

    /// Before the first line.
    pub(crate) fn start() -> Self {
        Self {
            file: String::new(),
            seq: 0,
            length: 0,
            hash: ZERO,
        }
    }

    /// The written form.
    pub(crate) fn write(&self) -> String {
        let hash = hex(&self.hash);
        format!(
            "{:16} {:020} {:020} {hash}\n",
            self.file, self.seq, self.length
        )
    }

    /// Reads the written form; `None` when it is anything else.
    pub(crate) fn parse(bytes: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(bytes).ok()?.strip_suffix('\n')?;
        let mut parts = text.split(' ');
        let head = Self {
            file: parts.next().filter(|name| is_day(name))?.to_owned(),
            seq: parts.next()?.parse().ok()?,
            length: parts.next()?.parse().ok()?,
            hash: unhex(parts.next()?)?,
        };
        parts.next().is_none().then_some(head)
    }
}

/// Whether this is the name of a day's file.
pub(crate) fn is_day(name: &str) -> bool {
    name.len() == 16 && name.strip_suffix(".jsonl").and_then(days_of).is_some()
}

#[cfg(test)]
mod tests {
    use super::Head;
    use crate::digest::hash;

    #[test]
    fn what_is_written_is_read_back_and_has_the_fixed_width() {
        let head = Head {
            file: "2026-12-01.jsonl".into(),
            seq: u64::MAX,
            length: 7,
            hash: hash(&[b"x"]),
        };
        assert_eq!(head.write().len(), Head::WIDTH);
        assert_eq!(Head::parse(head.write().as_bytes()), Some(head));
    }

    #[test]
    fn torn_and_foreign_heads_are_not_read() {
        let head = Head {
            file: "2026-12-01.jsonl".into(),
            ..Head::start()
        };
        let text = head.write();
        for end in 0..text.len() {
            assert_eq!(Head::parse(&text.as_bytes()[..end]), None, "{end}");
        }
        assert_eq!(Head::parse(text.replace("2026", "../x").as_bytes()), None);
        assert_eq!(Head::parse(format!("{text}{text}").as_bytes()), None);
    }
}
