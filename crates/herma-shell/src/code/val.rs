//! What expressions give.

use crate::source::Span;
use crate::value::{Origin, Value};

/// The most alternatives of a value.
pub(super) const MAX_ALTERNATIVES: usize = 16;

/// What an expression gives.
#[derive(Clone, Debug)]
pub(super) enum Val {
    /// Text or a number.
    Text(Value),
    /// A path object.
    Path(Value),
    /// A list.
    List(Vec<Val>),
    /// One of several.
    Any(Vec<Val>),
    /// Names with values.
    Map(Vec<(Vec<u8>, Val)>),
    /// A module, function, class or variable by its full name.
    Symbol(Vec<u8>),
    /// A method of a value.
    Bound(Box<Val>, Vec<u8>),
    /// A program with its words that is not started yet.
    Program(Vec<Val>),
    /// A function with its first arguments (`functools.partial`).
    Partial(Vec<u8>, Vec<Argument>),
}

impl Val {
    /// Unknown text.
    pub(super) fn other() -> Self {
        Self::Text(Value::unknown(Origin::Other))
    }

    /// Unknown words.
    pub(super) fn many() -> Self {
        Self::Text(Value::unknown_words(Origin::Other))
    }

    /// Known text.
    pub(super) fn text(bytes: &[u8]) -> Self {
        Self::Text(Value::computed(bytes))
    }

    /// A name.
    pub(super) fn symbol(name: &[u8]) -> Self {
        Self::Symbol(name.to_vec())
    }

    /// Whether it may be true; what is not known may.
    pub(super) fn may_be_true(&self) -> bool {
        match self {
            Self::Symbol(name) => !matches!(
                name.as_slice(),
                b"False" | b"false" | b"FALSE" | b"None" | b"null" | b"undefined" | b"nil"
            ),
            Self::Text(value) => value
                .bytes()
                .is_none_or(|bytes| !bytes.is_empty() && *bytes != *b"0"),
            Self::Any(values) => values.iter().any(Self::may_be_true),
            _ => true,
        }
    }

    /// The value of a key.
    pub(super) fn key(&self, key: &str) -> Option<&Self> {
        match self {
            Self::Map(entries) => entries
                .iter()
                .rev()
                .find(|(name, _)| name == key.as_bytes())
                .map(|(_, value)| value),
            _ => None,
        }
    }
}

/// An argument, with its name when it has one.
pub(super) type Argument = (Option<Vec<u8>>, Val);

/// The arguments of a call.
pub(super) struct Args {
    pub(super) list: Vec<Argument>,
    /// The whole call.
    pub(super) span: Span,
    /// Whether what the call does is reported.
    pub(super) emit: bool,
}

impl Args {
    /// The argument at a position or with one of the names.
    pub(super) fn get(&self, position: usize, names: &[&str]) -> Option<&Val> {
        self.list
            .iter()
            .filter(|(name, _)| name.is_none())
            .nth(position)
            .map(|(_, value)| value)
            .or_else(|| names.iter().find_map(|name| self.named(name)))
    }

    /// The argument with this name, also in an object given as an argument.
    pub(super) fn named(&self, name: &str) -> Option<&Val> {
        self.list
            .iter()
            .find(|(own, _)| own.as_deref() == Some(name.as_bytes()))
            .map(|(_, value)| value)
            .or_else(|| self.list.iter().find_map(|(_, value)| value.key(name)))
    }

    /// The arguments without names.
    pub(super) fn positional(&self) -> Vec<Val> {
        self.list
            .iter()
            .filter(|(name, _)| name.is_none())
            .map(|(_, value)| value.clone())
            .collect()
    }

    /// The arguments that are words of a command: neither named nor options.
    pub(super) fn words(&self) -> Vec<Val> {
        let mut words = self.positional();
        words.retain(|value| !matches!(value, Val::Map(_)));
        words
    }

    /// The arguments with names.
    pub(super) fn names(&self) -> impl Iterator<Item = (&[u8], &Val)> {
        self.list
            .iter()
            .filter_map(|(name, value)| Some((name.as_deref()?, value)))
    }
}

/// A name without its sigil.
pub(super) fn bare(name: &[u8]) -> &[u8] {
    match name {
        [b'$' | b'@' | b'%' | b'\\', rest @ ..] if !rest.is_empty() => rest,
        other => other,
    }
}

/// One of the elements of a list.
pub(super) fn elements(list: Val) -> Val {
    match list {
        Val::List(values) if values.len() <= MAX_ALTERNATIVES => Val::Any(values),
        Val::List(_) => Val::many(),
        other => other,
    }
}

/// One of two values.
pub(super) fn alternatives(left: Val, right: Val) -> Val {
    match (left, right) {
        (Val::Any(mut left), right) if left.len() < MAX_ALTERNATIVES => {
            left.push(right);
            Val::Any(left)
        }
        (Val::Symbol(_), right) => right,
        (left, right) => Val::Any(vec![left, right]),
    }
}
