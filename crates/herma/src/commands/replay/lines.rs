//! Lines of a file that may be anything, and what they are.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read};

use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::arguments::FormatName;

/// Longest line that is read, in bytes. Pictures make long lines, no command needs one.
const LINE: u64 = 16 << 20;

/// Bytes that are read from one file.
pub(crate) const FILE: u64 = 2 << 30;

/// Lines by which a format is told.
const HEAD: usize = 16;

/// A line without its end.
pub(crate) enum Line {
    Text(Vec<u8>),
    TooLong,
}

/// Numbered lines, blank ones left out.
pub(crate) struct Lines {
    reader: BufReader<Box<dyn Read>>,
    /// Read ahead to tell the format.
    head: VecDeque<(u64, Line)>,
    number: u64,
    /// Bytes so far.
    pub(crate) bytes: u64,
}

impl Lines {
    pub(crate) fn new(reader: Box<dyn Read>) -> Self {
        Self {
            reader: BufReader::with_capacity(1 << 16, reader),
            head: VecDeque::new(),
            number: 0,
            bytes: 0,
        }
    }

    /// The next line with its number, from 1.
    pub(crate) fn next(&mut self) -> io::Result<Option<(u64, Line)>> {
        match self.head.pop_front() {
            Some(line) => Ok(Some(line)),
            None => self.read(),
        }
    }

    fn read(&mut self) -> io::Result<Option<(u64, Line)>> {
        loop {
            let mut line = Vec::new();
            let read = (&mut self.reader).take(LINE).read_until(b'\n', &mut line)?;
            if read == 0 {
                return Ok(None);
            }
            self.number += 1;
            let read = u64::try_from(read).unwrap_or(u64::MAX);
            self.bytes = self.bytes.saturating_add(read);
            if line.last() == Some(&b'\n') {
                line.pop();
                if line.last() == Some(&b'\r') {
                    line.pop();
                }
            } else if read == LINE {
                self.skip()?;
                return Ok(Some((self.number, Line::TooLong)));
            }
            if !line.iter().all(u8::is_ascii_whitespace) {
                return Ok(Some((self.number, Line::Text(line))));
            }
        }
    }

    /// The rest of a line.
    fn skip(&mut self) -> io::Result<()> {
        loop {
            let buffer = self.reader.fill_buf()?;
            if buffer.is_empty() {
                return Ok(());
            }
            let end = buffer.iter().position(|byte| *byte == b'\n');
            let used = end.map_or(buffer.len(), |at| at + 1);
            self.reader.consume(used);
            self.bytes = self.bytes.saturating_add(used as u64);
            if end.is_some() || self.bytes > FILE {
                return Ok(());
            }
        }
    }

    /// What the file holds, by the first of its lines that says so.
    pub(crate) fn format(&mut self, jsonl: bool) -> io::Result<FormatName> {
        while self.head.len() < HEAD {
            let Some((number, line)) = self.read()? else {
                break;
            };
            let told = match &line {
                Line::Text(text) => tell(text),
                Line::TooLong => None,
            };
            self.head.push_back((number, line));
            if let Some(format) = told {
                return Ok(format);
            }
        }
        Ok(if jsonl {
            FormatName::ClaudeCode
        } else {
            FormatName::List
        })
    }
}

/// The fields that tell rows from each other.
#[derive(Deserialize)]
struct Telling {
    cmd: Option<IgnoredAny>,
    #[serde(rename = "type")]
    kind: Option<IgnoredAny>,
}

fn tell(line: &[u8]) -> Option<FormatName> {
    if line.trim_ascii_start().first() != Some(&b'{') {
        return None;
    }
    let row: Telling = serde_json::from_slice(line).ok()?;
    match (row.cmd, row.kind) {
        (Some(_), _) => Some(FormatName::Jsonl),
        (None, Some(_)) => Some(FormatName::ClaudeCode),
        (None, None) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Lines {
        Lines::new(Box::new(io::Cursor::new(text.as_bytes().to_vec())))
    }

    fn texts(mut lines: Lines) -> Vec<(u64, String)> {
        let mut found = Vec::new();
        while let Some((number, line)) = lines.next().expect("read") {
            let text = match line {
                Line::Text(text) => String::from_utf8(text).expect("UTF-8"),
                Line::TooLong => "too long".to_owned(),
            };
            found.push((number, text));
        }
        found
    }

    fn found(pairs: &[(u64, &str)]) -> Vec<(u64, String)> {
        pairs
            .iter()
            .map(|(number, text)| (*number, (*text).to_owned()))
            .collect()
    }

    #[test]
    fn lines_keep_their_numbers() {
        assert_eq!(
            texts(lines("a\n\n \t\r\nb\r\nc")),
            found(&[(1, "a"), (4, "b"), (5, "c")])
        );
        assert!(texts(lines("")).is_empty());
    }

    #[test]
    fn a_line_without_end_costs_no_memory() {
        let long = "x".repeat((LINE + (1 << 17)) as usize);
        assert_eq!(
            texts(lines(&format!("a\n{long}\nb\n"))),
            found(&[(1, "a"), (2, "too long"), (3, "b")])
        );
        assert_eq!(texts(lines(&long)), found(&[(1, "too long")]));
    }

    #[test]
    fn a_format_is_told_by_the_first_line_that_says_so() {
        for (text, jsonl, format) in [
            ("ls\n{ echo a; }\n", false, FormatName::List),
            ("{\"cmd\":\"ls\"}", false, FormatName::Jsonl),
            ("{\"cmd\":7,\"type\":\"x\"}", false, FormatName::Jsonl),
            ("{\"type\":\"summary\"}", false, FormatName::ClaudeCode),
            ("broken\n{\"type\":1}", true, FormatName::ClaudeCode),
            ("{\"type\"", true, FormatName::ClaudeCode),
            ("{\"type\"", false, FormatName::List),
            ("", false, FormatName::List),
        ] {
            let mut lines = lines(text);
            assert_eq!(lines.format(jsonl).expect("read"), format, "{text}");
            let whole: Vec<String> = texts(lines).into_iter().map(|(_, text)| text).collect();
            assert_eq!(whole, text.lines().collect::<Vec<_>>(), "nothing is lost");
        }
    }
}
