//! One pass over the text.

mod assignments;
mod links;
mod options;
mod words;

use crate::SecretSpan;
use crate::kind::SecretKind;
use crate::program::Program;
use crate::shape;
use crate::value::{self, Value};

/// Bytes behind an AWS key id in which its secret key is looked for.
const AWS_WINDOW: usize = 256;

/// The state of the pass.
struct Scan<'a> {
    text: &'a [u8],
    at: usize,
    spans: Vec<SecretSpan>,
    program: Program,
    /// Where the words of the last `echo` begin.
    printed: Option<usize>,
    /// Up to where the secret of an AWS key id is looked for.
    aws_until: usize,
}

/// The secrets in a text.
pub(crate) fn find(text: &[u8]) -> Vec<SecretSpan> {
    let mut scan = Scan {
        text,
        at: 0,
        spans: Vec::new(),
        program: Program::Other,
        printed: None,
        aws_until: 0,
    };
    while scan.at < text.len() {
        let before = scan.at;
        scan.step();
        // Whatever a step found, the scan moves on.
        scan.at = scan.at.max(before + 1);
    }
    scan.spans
}

impl Scan<'_> {
    fn byte(&self, index: usize) -> u8 {
        self.text.get(index).copied().unwrap_or_default()
    }

    fn push(&mut self, kind: SecretKind, start: usize, end: usize) {
        if start < end {
            self.spans.push(SecretSpan { kind, start, end });
        }
        self.at = end;
    }

    fn step(&mut self) {
        let byte = self.byte(self.at);
        match byte {
            b'=' => self.assignment(false),
            b':' => self.colon(),
            b'-' => self.dash(),
            b'%' => self.percent(),
            b'<' => self.here_string(),
            b'\n' => {
                self.program = Program::Other;
                self.printed = None;
            }
            b'|' | b'&' => {
                // What was printed may go into what follows a pipe, and nowhere else.
                if byte == b'&' || self.byte(self.at + 1) == b'|' {
                    self.printed = None;
                    self.at += 1;
                }
                self.program = Program::Other;
            }
            b'/' | b'+' if self.at < self.aws_until => self.aws_key(),
            _ if byte.is_ascii_alphanumeric() => self.word(),
            _ => {}
        }
    }

    /// Whether a token may begin here: not inside a word, unless an escape stands in front.
    fn begins(&self) -> bool {
        let Some(before) = self.at.checked_sub(1).map(|index| self.byte(index)) else {
            return true;
        };
        if !before.is_ascii_alphanumeric() {
            return true;
        }
        let back = |count: usize| self.at.checked_sub(count).map(|index| self.byte(index));
        (back(2) == Some(b'\\') && matches!(before, b'n' | b't' | b'r'))
            || (back(3) == Some(b'%')
                && back(2).is_some_and(|byte| byte.is_ascii_hexdigit())
                && before.is_ascii_hexdigit())
    }

    /// A value that is secret unless it is left.
    fn take(&mut self, kind: SecretKind, start: usize) {
        let value = value::at(self.text, start);
        let bytes = self.text.get(value.start..value.end).unwrap_or_default();
        if !value::is_left(bytes, value.quote) {
            self.push_value(kind, value);
        }
    }

    /// Reports a value, by its own shape when it has one.
    fn push_value(&mut self, kind: SecretKind, value: Value) {
        match shape::at(self.text, value.start) {
            Some((shaped, start, end)) if end == value.end => {
                if shaped == SecretKind::AwsKeyId {
                    self.aws_until = end + AWS_WINDOW;
                }
                self.push(shaped, start, end);
            }
            _ => self.push(kind, value.start, value.end),
        }
    }
}
