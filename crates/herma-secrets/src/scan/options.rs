//! Private keys, and options that take a secret.

use super::Scan;
use super::assignments::kind_of;
use crate::kind::SecretKind;
use crate::name::{self, Announces};
use crate::pem;
use crate::program::Credential;
use crate::value;

impl Scan<'_> {
    /// At `-`: a private key, or an option that takes a secret.
    pub(super) fn dash(&mut self) {
        if let Some((start, end)) = pem::at(self.text, self.at) {
            return self.push(SecretKind::PrivateKey, start, end);
        }
        let before = self
            .at
            .checked_sub(1)
            .map_or(b' ', |index| self.byte(index));
        if !(before.is_ascii_whitespace() || matches!(before, b'"' | b'\'')) {
            return;
        }
        let rest = self.text.get(self.at..).unwrap_or_default();
        let length = rest
            .iter()
            .take(name::MAX_NAME + 2)
            .take_while(|byte| name::holds(**byte))
            .count();
        let word = rest.get(..length).unwrap_or_default();
        let mut next = self.at + length;
        // In a list of words each stands in quotes: `["--token", "abc"]`.
        while matches!(self.byte(next), b' ' | b'\t' | b'"' | b'\'' | b',')
            && next - self.at - length < 8
        {
            next += 1;
        }
        if next > self.at + length && matches!(self.byte(next - 1), b'"' | b'\'') {
            next -= 1;
        }
        if let Some((start, credential)) = self.program.option(word, next, self.at) {
            return self.credential(start, credential);
        }
        let announced = word.strip_prefix(b"--").and_then(name::announces);
        let takes = matches!(announced, Some(Announces::Password | Announces::Secret));
        let unset = self.byte(next) == b'-' || next == self.at + length;
        // `docker build --secret id=…` names a secret, it does not hold one.
        let named = self.text.get(next..).unwrap_or_default();
        let named = [b"id=".as_slice(), b"type=", b"source="]
            .iter()
            .any(|field| named.starts_with(field));
        if takes && !unset && !named {
            self.at = next;
            self.take(announced.map_or(SecretKind::Named, kind_of), next);
        } else if length > 0 {
            // A lone option word holds nothing else; `=` in it is looked at next.
            self.at += 1;
        }
    }

    pub(super) fn credential(&mut self, start: usize, credential: Credential) {
        let mut value = value::at(self.text, start);
        if credential == Credential::BehindColon {
            let bytes = self.text.get(value.start..value.end).unwrap_or_default();
            match bytes.iter().position(|byte| *byte == b':') {
                Some(colon) => value.start += colon + 1,
                None => return,
            }
        }
        let bytes = self.text.get(value.start..value.end).unwrap_or_default();
        if !value::is_left(bytes, value.quote) {
            self.push_value(SecretKind::Password, value);
        }
    }
}
