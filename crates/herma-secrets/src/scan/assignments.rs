//! Names and their values.

use super::Scan;
use crate::kind::SecretKind;
use crate::name::{self, Announces};
use crate::value;

/// Bytes of a cookie header in which the first `=` is looked for.
const COOKIE_NAME: usize = 96;

/// Bytes in front of a name in which an opening quote is looked for.
const QUOTED: usize = 256;

/// Schemes of authorization headers that stay.
const SCHEMES: &[&[u8]] = &[
    b"bearer ",
    b"basic ",
    b"token ",
    b"digest ",
    b"negotiate ",
    b"apikey ",
];

impl Scan<'_> {
    /// At `=` or `:` behind a name.
    pub(super) fn assignment(&mut self, colon: bool) {
        let Some((name_start, name)) = name::before(self.text, self.at) else {
            return;
        };
        let Some(announced) = name::announces(name) else {
            return;
        };
        let mut start = self.at + 1;
        // `==`, `:=`, `=>`: what follows the operator.
        while matches!(self.byte(start), b'=' | b'>') {
            start += 1;
        }
        let tight = start;
        while matches!(self.byte(start), b' ' | b'\t') && start - tight < 8 {
            start += 1;
        }
        if colon && start > tight && self.closes(name_start, start) {
            return;
        }
        let spaced = start > tight || self.byte(self.at.saturating_sub(1)) == b' ';
        match announced {
            Announces::Authorization => self.authorization(start),
            Announces::Cookies => self.cookies(start),
            Announces::Password | Announces::Secret | Announces::Perhaps => {
                // `PASSWORD= command` empties the variable.
                let emptied =
                    !colon && start > tight && self.byte(self.at.saturating_sub(1)) != b' ';
                let value = value::at(self.text, start);
                let bytes = self.text.get(value.start..value.end).unwrap_or_default();
                let bare = value.quote.is_none() && (colon || spaced);
                let least = if bare { 4 } else { least(announced) };
                if bytes.len() < least || value::is_left(bytes, value.quote) {
                    return;
                }
                let loose = bare && (emptied || !self.opens(name_start));
                let random = value::looks_random(bytes);
                let secret = match announced {
                    Announces::Perhaps => random,
                    // Prose and code write `token: …` too.
                    _ => !loose || random || looks_chosen(bytes),
                };
                if secret {
                    self.push_value(kind_of(announced), value);
                }
            }
        }
    }

    /// Whether a quote at `at` closes a text that began in front of the name on the same line, as in
    /// the prompt `"Password: "`.
    pub(super) fn closes(&self, name: usize, at: usize) -> bool {
        let quote = self.byte(at);
        if !matches!(quote, b'"' | b'\'') || matches!(self.byte(self.at - 1), b'"' | b'\'') {
            return false;
        }
        let line = self.text.get(name.saturating_sub(QUOTED)..name);
        let line = line.unwrap_or_default();
        let line = line.rsplit(|byte| *byte == b'\n').next().unwrap_or(line);
        line.iter().filter(|byte| **byte == quote).count() % 2 == 1
    }

    /// Whether the name is the first word of its line or of a quoted text, such as a header.
    pub(super) fn opens(&self, name: usize) -> bool {
        let mut back = name;
        if name > 0 && matches!(self.byte(name - 1), b'"' | b'\'') {
            return true;
        }
        while back > 0 && name - back < 64 {
            match self.byte(back - 1) {
                b'\n' => return true,
                b' ' | b'\t' | b'-' => back -= 1,
                _ => return false,
            }
        }
        back == 0
    }

    /// The credential of a header, behind its scheme.
    pub(super) fn authorization(&mut self, start: usize) {
        let quoted = usize::from(matches!(self.byte(start), b'"' | b'\''));
        let escaped = usize::from(self.byte(start) == b'\\') * 2;
        let mut begin = start + quoted + escaped;
        let rest = self.text.get(begin..).unwrap_or_default();
        let scheme = SCHEMES.iter().find(|scheme| {
            rest.get(..scheme.len())
                .is_some_and(|word| word.eq_ignore_ascii_case(scheme))
        });
        begin += scheme.map_or(0, |scheme| scheme.len());
        while self.byte(begin) == b' ' {
            begin += 1;
        }
        let value = value::at(self.text, begin);
        let bytes = self.text.get(value.start..value.end).unwrap_or_default();
        // Without a scheme it may be prose.
        if value::is_left(bytes, value.quote) || (scheme.is_none() && !value::looks_random(bytes)) {
            return;
        }
        self.push_value(SecretKind::Authorization, value);
    }

    /// Cookies up to the quote or the end of the line.
    pub(super) fn cookies(&mut self, start: usize) {
        let quoted = usize::from(matches!(self.byte(start), b'"' | b'\''));
        let begin = start + quoted;
        let rest = self.text.get(begin..).unwrap_or_default();
        let first = rest.get(..COOKIE_NAME).unwrap_or(rest);
        let named = first
            .iter()
            .take_while(|byte| !matches!(byte, b'\n' | b'\r' | b'"' | b'\''))
            .any(|byte| *byte == b'=');
        if !named || first.starts_with(b"$") || first.starts_with(b"<") {
            return;
        }
        let length = rest
            .iter()
            .take_while(|byte| !matches!(byte, b'\n' | b'\r' | b'"' | b'\''))
            .count();
        self.push(SecretKind::Cookie, begin, begin + length);
    }

    /// `password%3Dvalue`, `token%3A…`: an escaped form.
    pub(super) fn percent(&mut self) {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let separates = rest.get(..3).is_some_and(|code| {
            code.eq_ignore_ascii_case(b"%3d") || code.eq_ignore_ascii_case(b"%3a")
        });
        if !separates {
            return;
        }
        let announced =
            name::before(self.text, self.at).and_then(|(_, name)| name::announces(name));
        if let Some(Announces::Password | Announces::Secret) = announced {
            self.take(SecretKind::Named, self.at + 3);
        }
    }
}

/// The kind of a value behind such a name.
pub(super) fn kind_of(announced: Announces) -> SecretKind {
    if announced == Announces::Password {
        SecretKind::Password
    } else {
        SecretKind::Named
    }
}

/// Fewest bytes of a value.
fn least(announced: Announces) -> usize {
    if announced == Announces::Password {
        1
    } else {
        4
    }
}

/// Whether somebody chose these letters as a password: a digit or sign among them.
fn looks_chosen(value: &[u8]) -> bool {
    // Longer than any word of prose or code.
    value.len() > 256
        || (value.len() >= 6
            && value.iter().any(|byte| {
                byte.is_ascii_digit() || matches!(byte, b'!' | b'#' | b'$' | b'^' | b'*' | b'@')
            }))
}
