//! Values put together: concatenation, paths, patterns.

use super::Language;
use super::scan::{LONGEST, MAX_DEPTH, Scanner};
use super::val::{MAX_ALTERNATIVES, Val};
use crate::value::{Origin, Piece, Value};

impl Scanner<'_> {
    /// A value as one word.
    pub(super) fn value(&self, value: &Val) -> Value {
        match value {
            Val::Text(text) | Val::Path(text) => text.clone(),
            Val::Symbol(name) => Value::unknown(Origin::Variable(name.clone())),
            Val::Any(values) | Val::List(values) if values.len() == 1 => values
                .first()
                .map_or_else(Value::empty, |value| self.value(value)),
            Val::Any(values) | Val::List(values) => {
                let fetched = values
                    .iter()
                    .take(MAX_ALTERNATIVES)
                    .any(|value| self.value(value).is_fetched());
                Value::unknown(if fetched {
                    Origin::Fetched
                } else {
                    Origin::Other
                })
            }
            Val::Map(_) | Val::Program(_) | Val::Partial(..) => Value::unknown(Origin::Other),
            Val::Bound(of, _) => {
                if self.value(of).is_fetched() {
                    Value::unknown(Origin::Fetched)
                } else {
                    Value::unknown(Origin::Other)
                }
            }
        }
    }

    /// A value as the words that it stands for: lists and alternatives one by one.
    pub(super) fn values(&self, value: &Val) -> Vec<Value> {
        let mut out = Vec::new();
        self.collect(value, &mut out, 0);
        out
    }

    pub(super) fn collect(&self, value: &Val, out: &mut Vec<Value>, depth: usize) {
        match value {
            Val::List(values) | Val::Any(values) if depth < MAX_DEPTH => {
                for value in values {
                    self.collect(value, out, depth + 1);
                }
            }
            other => out.push(self.value(other)),
        }
    }

    /// The text, or an unknown one when it is too long.
    pub(super) fn bounded(&mut self, value: Value) -> Value {
        let size: usize = value
            .pieces
            .iter()
            .map(|piece| match piece {
                Piece::Text { bytes, .. } | Piece::Glob { pattern: bytes, .. } => bytes.len(),
                _ => 1,
            })
            .sum();
        if size > LONGEST || !self.pay(size / 16) {
            return Value::unknown(Origin::Other);
        }
        value
    }

    /// The values with a separator between them.
    pub(super) fn joined(&mut self, values: &[Val], separator: &Value) -> Val {
        let mut out = Value::empty();
        for (index, value) in values.iter().enumerate() {
            if index > 0 {
                out.append(separator);
            }
            out.append(&self.value(value));
        }
        Val::Text(self.bounded(out))
    }

    /// Two values joined: texts, or lists.
    pub(super) fn concat(&mut self, left: &Val, right: &Val) -> Val {
        match (left, right) {
            (Val::Any(values), right) => Val::Any(
                values
                    .iter()
                    .take(MAX_ALTERNATIVES)
                    .map(|value| match value {
                        Val::Any(_) => Val::other(),
                        value => self.concat(value, right),
                    })
                    .collect(),
            ),
            (left, Val::Any(values)) => Val::Any(
                values
                    .iter()
                    .take(MAX_ALTERNATIVES)
                    .map(|value| match value {
                        Val::Any(_) => Val::other(),
                        value => self.concat(left, value),
                    })
                    .collect(),
            ),
            (Val::List(left), right) => {
                let mut all = left.clone();
                match right {
                    Val::List(right) => all.extend(right.iter().cloned()),
                    _ => all.push(Val::many()),
                }
                if all.len() > 4096 || !self.pay(all.len()) {
                    return Val::many();
                }
                Val::List(all)
            }
            (left, right) => {
                let mut text = self.value(left);
                text.append(&self.value(right));
                Val::Text(self.bounded(text))
            }
        }
    }

    /// Path components joined as `os.path.join` does.
    pub(super) fn joined_path(&mut self, parts: &[Val]) -> Value {
        let mut path = Value::empty();
        let mut first = true;
        for part in parts {
            let part = self.value(part);
            if part.known_prefix().starts_with(b"/") && self.language != Language::Ruby {
                path = part;
            } else {
                let separated = first || path.known_suffix().ends_with(b"/");
                if !separated && !part.known_prefix().starts_with(b"/") {
                    path.push_text(b"/", None);
                }
                path.append(&part);
            }
            first = false;
        }
        self.bounded(path)
    }

    /// The value of an environment variable, for the evaluator to resolve.
    pub(super) fn variable(&self, name: Option<&Val>) -> Val {
        let name = name.map(|name| self.value(name));
        match name.as_ref().and_then(Value::bytes) {
            Some(name) => Val::Text(Value::unknown(Origin::Variable(name.into_owned()))),
            None => Val::other(),
        }
    }

    /// A path whose leading tilde is the home.
    pub(super) fn home_expanded(&self, path: Option<&Val>) -> Value {
        let Some(path) = path.map(|path| self.value(path)) else {
            return Value::unknown(Origin::Other);
        };
        let prefix = path.known_prefix();
        if prefix == b"~" || prefix.starts_with(b"~/") {
            let mut out = Value::unknown(Origin::Variable(b"HOME".to_vec()));
            let mut rest = path;
            if let Some(Piece::Text { bytes, at }) = rest.pieces.first_mut() {
                bytes.remove(0);
                *at = at.and_then(|at| at.checked_add(1));
            }
            out.append(&rest);
            return out;
        }
        path
    }

    /// Text as a file name pattern.
    pub(super) fn glob(&self, pattern: Option<&Val>) -> Val {
        let Some(pattern) = pattern.map(|pattern| self.value(pattern)) else {
            return Val::many();
        };
        let mut out = Value {
            pieces: Vec::new(),
            decoded: pattern.decoded,
        };
        for piece in pattern.pieces {
            match piece {
                Piece::Text { bytes, at } if bytes.iter().any(|byte| b"*?[".contains(byte)) => {
                    out.pieces.push(Piece::Glob { pattern: bytes, at });
                }
                other => out.pieces.push(other),
            }
        }
        Val::Text(out)
    }
}
