//! One pass over the text.

use crate::SecretSpan;
use crate::kind::{self, SecretKind};
use crate::name::{self, Announces};
use crate::pem;
use crate::program::{Credential, Program};
use crate::shape;
use crate::value::{self, Value};

/// Bytes behind an AWS key id in which its secret key is looked for.
const AWS_WINDOW: usize = 256;

/// Bytes of an AWS secret key.
const AWS_SECRET: usize = 40;

/// Bytes behind `sudo` in which `-S` is looked for.
const SUDO_OPTIONS: usize = 128;

/// Bytes of a cookie header in which the first `=` is looked for.
const COOKIE_NAME: usize = 96;

/// Longest authority of a URL.
const MAX_AUTHORITY: usize = 1024;

/// Schemes of authorization headers that stay.
const SCHEMES: &[&[u8]] = &[
    b"bearer ",
    b"basic ",
    b"token ",
    b"digest ",
    b"negotiate ",
    b"apikey ",
];

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

    /// At a letter or digit.
    fn word(&mut self) {
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
    fn aws_key(&mut self) {
        if self.begins()
            && let Some(end) = aws_secret(self.text, self.at)
        {
            self.push(SecretKind::AwsSecret, self.at, end);
        }
    }

    /// `Bearer …` outside of a header.
    fn bearer(&mut self) {
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
    fn program_name(&mut self) {
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
    fn piped_password(&mut self) {
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
    fn here_string(&mut self) {
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

    /// At `:`: a URL, a bot's token, or a name with its value.
    fn colon(&mut self) {
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
    fn url(&mut self) {
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
    fn bot_token(&mut self) -> bool {
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

    /// At `=` or `:` behind a name.
    fn assignment(&mut self, colon: bool) {
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

    /// Whether the name is the first word of its line or of a quoted text, such as a header.
    fn opens(&self, name: usize) -> bool {
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
    fn authorization(&mut self, start: usize) {
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
    fn cookies(&mut self, start: usize) {
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

    /// At `-`: a private key, or an option that takes a secret.
    fn dash(&mut self) {
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

    fn credential(&mut self, start: usize, credential: Credential) {
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

    /// `password%3Dvalue`, `token%3A…`: an escaped form.
    fn percent(&mut self) {
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
fn kind_of(announced: Announces) -> SecretKind {
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
