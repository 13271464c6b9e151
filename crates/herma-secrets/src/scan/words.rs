//! Words: tokens with a shape of their own, and programs.

use super::{AWS_WINDOW, Scan};
use crate::kind::SecretKind;
use crate::program::Program;
use crate::shape;
use crate::value;

/// Bytes of an AWS secret key.
const AWS_SECRET: usize = 40;

/// Bytes behind `sudo` in which `-S` is looked for.
const SUDO_OPTIONS: usize = 128;

impl Scan<'_> {
    /// At a letter or digit.
    pub(super) fn word(&mut self) {
        if !self.begins() {
            return;
        }
        if let Some((kind, start, end)) = shape::at(self.text, self.at) {
            if kind == SecretKind::AwsKeyId {
                self.aws_until = end + AWS_WINDOW;
            }
            return self.push(kind, start, end);
        }
        if self.at < self.aws_until
            && let Some(end) = aws_secret(self.text, self.at)
        {
            return self.push(SecretKind::AwsSecret, self.at, end);
        }
        self.bearer();
        self.program_name();
    }

    /// At `/` or `+` behind an AWS key id.
    pub(super) fn aws_key(&mut self) {
        if self.begins()
            && let Some(end) = aws_secret(self.text, self.at)
        {
            self.push(SecretKind::AwsSecret, self.at, end);
        }
    }

    /// `Bearer …` outside of a header.
    pub(super) fn bearer(&mut self) {
        if !matches!(self.byte(self.at), b'b' | b'B') {
            return;
        }
        let rest = self.text.get(self.at..).unwrap_or_default();
        let scheme = b"bearer ";
        if !rest
            .get(..scheme.len())
            .is_some_and(|word| word.eq_ignore_ascii_case(scheme))
        {
            return;
        }
        let start = self.at + scheme.len();
        let value = value::at(self.text, start);
        let bytes = self.text.get(value.start..value.end).unwrap_or_default();
        if value::looks_random(bytes) && !value::is_left(bytes, value.quote) {
            self.push_value(SecretKind::Authorization, value);
        }
    }

    /// Remembers programs with options of their own.
    pub(super) fn program_name(&mut self) {
        let before = self
            .at
            .checked_sub(1)
            .map_or(b' ', |index| self.byte(index));
        if !(before.is_ascii_whitespace()
            || matches!(
                before,
                b'/' | b'|' | b'&' | b';' | b'(' | b'"' | b'\'' | b'`'
            ))
        {
            return;
        }
        let rest = self.text.get(self.at..).unwrap_or_default();
        let length = rest
            .iter()
            .take(16)
            .take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'-')
            .count();
        let name = rest.get(..length).unwrap_or_default();
        match Program::named(name) {
            Some(Program::Print) => {
                self.program = Program::Print;
                self.printed = Some(self.at + length);
            }
            Some(Program::Sudo) => {
                self.program = Program::Sudo;
                self.piped_password();
            }
            Some(program) => self.program = program,
            None if name == b"login" && self.program == Program::Container => {
                self.program = Program::ContainerLogin;
            }
            None => {}
        }
    }

    /// `echo PASSWORD | sudo -S …`: what is printed is the password.
    pub(super) fn piped_password(&mut self) {
        let Some(start) = self.printed.take() else {
            return;
        };
        let rest = self.text.get(self.at..).unwrap_or_default();
        let rest = rest.get(..SUDO_OPTIONS).unwrap_or(rest);
        let mut words = rest.split(|byte| *byte == b' ').skip(1).take(6);
        let reads = words.any(|word| {
            word == b"--stdin"
                || (word.starts_with(b"-") && !word.starts_with(b"--") && word.contains(&b'S'))
        });
        let printed = self.text.get(start..self.at).unwrap_or_default();
        let Some(pipe) = printed.iter().rposition(|byte| *byte == b'|') else {
            return;
        };
        if !reads {
            return;
        }
        let words = printed.get(..pipe).unwrap_or_default();
        let trimmed = words.trim_ascii();
        if trimmed.is_empty() || value::is_left(trim_quotes(trimmed), None) {
            return;
        }
        let first = words.iter().position(|byte| !byte.is_ascii_whitespace());
        let start = start + first.unwrap_or_default();
        while self.spans.last().is_some_and(|span| span.end > start) {
            self.spans.pop();
        }
        let at = self.at;
        self.push(SecretKind::Password, start, start + trimmed.len());
        self.at = at + 4;
    }

    /// `sudo -S … <<< PASSWORD`.
    pub(super) fn here_string(&mut self) {
        if self.program != Program::Sudo
            || !self
                .text
                .get(self.at..)
                .unwrap_or_default()
                .starts_with(b"<<<")
        {
            return;
        }
        self.at += 3;
        while self.byte(self.at) == b' ' {
            self.at += 1;
        }
        self.take(SecretKind::Password, self.at);
    }
}

/// The end of an AWS secret key that begins at `at`.
fn aws_secret(text: &[u8], at: usize) -> Option<usize> {
    let rest = text.get(at..)?;
    let length = rest
        .iter()
        .take(AWS_SECRET + 1)
        .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'+'))
        .count();
    let key = rest.get(..length)?;
    (length == AWS_SECRET && value::is_mixed(key)).then_some(at + length)
}

fn trim_quotes(value: &[u8]) -> &[u8] {
    let inner = |quote: &[u8]| value.strip_prefix(quote)?.strip_suffix(quote);
    inner(b"\"").or_else(|| inner(b"'")).unwrap_or(value)
}
