//! Requests to the network, as `curl` would make them, and the secrets that go with them.

use super::scan::Scanner;
use super::text_values::fetched;
use super::val::{Args, Val};
use crate::value::{Origin, Piece, Value};

/// Names of arguments and settings that carry credentials to the server that they are for.
const CREDENTIALS: &[&[u8]] = &[b"headers", b"auth", b"cookies", b"cert", b"Authorization"];

/// Objects that hold the whole environment.
const ENVIRONMENTS: &[&[u8]] = &[
    b"os.environ",
    b"os.environb",
    b"process.env",
    b"ENV",
    b"_ENV",
];

/// How deep arguments are searched.
const DEEPEST: usize = 4;

/// Text that is made from the environment.
fn of_environment() -> Value {
    Value::unknown(Origin::Output(b"env".to_vec()))
}

/// Whether a variable of this name usually holds a secret.
fn is_secret(name: &[u8]) -> bool {
    let name = name.to_ascii_uppercase();
    let holds = |part: &[u8]| name.windows(part.len()).any(|own| own == part);
    [
        &b"TOKEN"[..],
        b"SECRET",
        b"PASSW",
        b"CREDENTIAL",
        b"APIKEY",
        b"PRIVATE",
    ]
    .iter()
    .any(|part| holds(part))
        || name.ends_with(b"_KEY")
        || name.ends_with(b"_PASS")
        || name.ends_with(b"_AUTH")
}

/// Whether the name is that of the whole environment, or of a method of it.
fn is_of_environment(name: &[u8]) -> bool {
    ENVIRONMENTS.iter().any(|all| {
        name.strip_prefix(*all)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(b"."))
    })
}

/// Whether the text is made from the environment's secrets.
fn is_secret_text(text: &Value) -> bool {
    text.pieces.iter().any(|piece| match piece {
        Piece::Unset(name) => is_secret(name),
        Piece::Unknown(unknown) => match &unknown.origin {
            Origin::Variable(name) => is_secret(name) || ENVIRONMENTS.contains(&name.as_slice()),
            Origin::Output(name) => name == b"env",
            _ => false,
        },
        _ => false,
    })
}

impl Scanner<'_> {
    /// Whether the value holds secrets of the environment.
    fn holds_secrets(&self, value: &Val, depth: usize) -> bool {
        match value {
            _ if depth > DEEPEST => false,
            Val::Text(text) | Val::Path(text) => is_secret_text(text),
            Val::Symbol(name) => is_of_environment(name),
            Val::List(values) | Val::Any(values) | Val::Program(values) => values
                .iter()
                .take(64)
                .any(|value| self.holds_secrets(value, depth + 1)),
            Val::Map(entries) => entries
                .iter()
                .take(64)
                .filter(|(name, _)| !CREDENTIALS.contains(&name.as_slice()))
                .any(|(_, value)| self.holds_secrets(value, depth + 1)),
            Val::Bound(of, _) => self.holds_secrets(of, depth + 1),
            Val::Partial(_, list) => list
                .iter()
                .take(64)
                .any(|(_, value)| self.holds_secrets(value, depth + 1)),
        }
    }

    /// What a call makes of secrets; `None` when none go in.
    pub(super) fn secrets_in(&self, name: &[u8], args: &Args) -> Option<Val> {
        // `os.environ.copy()`, `ENV.to_h`
        let own = is_of_environment(name);
        let given = || {
            args.list
                .iter()
                .take(8)
                .any(|(_, value)| self.holds_secrets(value, 0))
        };
        (own || given()).then(|| Val::Text(of_environment()))
    }

    /// `request.end(text)`: what is written to a connection that is open.
    pub(super) fn written(&mut self, to: &Value, name: &[u8], args: &Args) {
        let writes = matches!(name, b"end" | b"write" | b"send" | b"sendall" | b"post");
        if writes && to.is_fetched() && self.secrets_in(b"", args).is_some() {
            self.request(name, None, args);
        }
    }

    /// A request: the address, and whatever else the call is given is sent.
    pub(super) fn request(&mut self, name: &[u8], url: Option<&Val>, args: &Args) -> Val {
        let url = url.map_or_else(|| Value::unknown(Origin::Other), |url| self.value(url));
        let mut words = vec![Value::computed(*b"curl")];
        // `fetch(url, {method: "DELETE"})`
        let removes = args
            .named("method")
            .and_then(|method| self.value(method).bytes().map(|method| method.to_vec()))
            .is_some_and(|method| method.eq_ignore_ascii_case(b"delete"))
            || name.ends_with(b".delete");
        if removes {
            words.extend([Value::computed(*b"-X"), Value::computed(*b"DELETE")]);
        }
        let mut secret = is_secret_text(&url);
        let mut files = Vec::new();
        for (name, value) in args.list.iter().take(16) {
            if name
                .as_deref()
                .is_some_and(|name| CREDENTIALS.contains(&name))
            {
                continue;
            }
            secret |= self.holds_secrets(value, 0);
            self.files_in(value, 0, &mut files);
        }
        for file in files {
            let mut operand = Value::computed(*b"@");
            operand.push_text(&file, None);
            words.push(Value::computed(*b"-d"));
            words.push(operand);
        }
        if secret {
            words.push(Value::computed(*b"-d"));
            words.push(of_environment());
        }
        words.push(Value::computed(*b"--"));
        // An address is known by its host.
        words.push(if url.is_known() {
            url
        } else {
            let head = url.known_prefix();
            if head.iter().filter(|byte| **byte == b'/').count() > 2 {
                Value::computed(head)
            } else {
                url
            }
        });
        self.call_words(name, words, args);
        fetched()
    }

    /// Files whose contents are in the value.
    fn files_in(&self, value: &Val, depth: usize, files: &mut Vec<Vec<u8>>) {
        if depth > DEEPEST || files.len() > 8 {
            return;
        }
        match value {
            Val::Text(text) | Val::Path(text) => {
                for piece in &text.pieces {
                    if let Piece::Unknown(unknown) = piece
                        && let Origin::File(path) = &unknown.origin
                        && !path.is_empty()
                    {
                        files.push(path.clone());
                    }
                }
            }
            Val::List(values) | Val::Any(values) | Val::Program(values) => {
                for value in values.iter().take(16) {
                    self.files_in(value, depth + 1, files);
                }
            }
            Val::Map(entries) => {
                for (_, value) in entries.iter().take(16) {
                    self.files_in(value, depth + 1, files);
                }
            }
            Val::Bound(of, _) => self.files_in(of, depth + 1, files),
            Val::Partial(_, list) => {
                for (_, value) in list.iter().take(16) {
                    self.files_in(value, depth + 1, files);
                }
            }
            Val::Symbol(_) => {}
        }
    }
}
