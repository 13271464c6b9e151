//! URLs and bots' tokens.

use super::Scan;
use crate::kind::{self, SecretKind};
use crate::shape;
use crate::value::{self, Value};

/// Longest authority of a URL.
const MAX_AUTHORITY: usize = 1024;

impl Scan<'_> {
    /// At `:`: a URL, a bot's token, or a name with its value.
    pub(super) fn colon(&mut self) {
        if self
            .text
            .get(self.at..)
            .unwrap_or_default()
            .starts_with(b"://")
        {
            return self.url();
        }
        if self.bot_token() {
            return;
        }
        self.assignment(true);
    }

    /// The password in `scheme://user:password@host`.
    pub(super) fn url(&mut self) {
        let start = self.at + 3;
        let rest = self.text.get(start..).unwrap_or_default();
        let length = rest
            .iter()
            .take(MAX_AUTHORITY)
            .take_while(|byte| {
                !byte.is_ascii_whitespace()
                    && !matches!(
                        byte,
                        b'/' | b'?' | b'#' | b'"' | b'\'' | b'`' | b'<' | b'>' | b'\\'
                    )
            })
            .count();
        let authority = rest.get(..length).unwrap_or_default();
        let Some(user_end) = authority.iter().rposition(|byte| *byte == b'@') else {
            return;
        };
        let user = authority.get(..user_end).unwrap_or_default();
        // The user may be what redaction left, with a colon of its own.
        let known = user
            .iter()
            .position(|byte| *byte == b']')
            .map(|at| at + 1)
            .filter(|end| user.get(..*end).is_some_and(kind::is_replacement))
            .unwrap_or_default();
        let unknown = user.get(known..).unwrap_or_default();
        let (from, password) = match unknown.iter().position(|byte| *byte == b':') {
            Some(colon) => {
                let from = known + colon + 1;
                (from, user.get(from..).unwrap_or_default())
            }
            // A token in the place of the user.
            None if value::looks_random(user) => (0, user),
            None => return,
        };
        if !value::is_left(password, None) {
            let value = Value {
                start: start + from,
                end: start + user_end,
                quote: None,
            };
            // A token as the user of a password goes too.
            if from > 0
                && let Some((kind, first, end)) = shape::at(self.text, start)
                && end < value.start
            {
                self.push(kind, first, end);
            }
            self.push_value(SecretKind::UrlPassword, value);
        }
    }

    /// `123456789:AA…`, also behind `bot`.
    pub(super) fn bot_token(&mut self) -> bool {
        let digits = (1..=self.at.min(11))
            .take_while(|back| self.byte(self.at - back).is_ascii_digit())
            .count();
        let start = self.at + 1;
        let rest = self.text.get(start..).unwrap_or_default();
        let length = rest
            .iter()
            .take(64)
            .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
            .count();
        let body = rest.get(..length).unwrap_or_default();
        let fits =
            (8..=10).contains(&digits) && (30..=40).contains(&length) && value::is_mixed(body);
        if fits {
            self.push(SecretKind::Telegram, start, start + length);
        }
        fits
    }
}
