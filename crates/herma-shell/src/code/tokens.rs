//! Tokens, and the forms of strings.

use crate::value::Value;

/// A part of a string.
#[derive(Clone, Debug)]
pub(super) enum Part {
    /// Known text (and holes).
    Text(Value),
    /// An expression in the string.
    Code(Vec<Token>),
}

/// What a token is.
#[derive(Clone, Debug)]
pub(super) enum Kind {
    /// A name; with its sigil where the language has them.
    Name,
    /// A number as written.
    Number,
    /// A string.
    Text(Vec<Part>),
    /// A string that a shell runs.
    Command(Vec<Part>),
    /// A list of words.
    Words(Vec<Value>),
    /// A file name pattern.
    Glob(Vec<Part>),
    /// A regular expression.
    Regex,
    /// An operator or bracket.
    Punct,
    /// The end of a line outside of brackets.
    Newline,
}

/// A token.
#[derive(Clone, Debug)]
pub(super) struct Token {
    /// What it is.
    pub(super) kind: Kind,
    /// Its first byte in the code.
    pub(super) start: usize,
    /// Behind its last byte.
    pub(super) end: usize,
    /// For an opening bracket: the index of the closing one (the number of tokens if there is
    /// none).
    pub(super) close: usize,
    /// For a closing bracket: the index of the opening one.
    pub(super) open: usize,
}

/// What a backslash means in a string.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Escapes {
    /// Nothing at all.
    None,
    /// It keeps the next byte from closing the string, and stays.
    Raw,
    /// It quotes itself and the delimiters.
    Quote,
    /// The usual escapes.
    Full,
}

/// Which expressions stand in a string.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Interpolation {
    /// None.
    None,
    /// `{x}`
    Braces,
    /// `${x}`
    Template,
    /// `#{x}`
    Hash,
    /// `$x`, `@x`
    Perl,
    /// `$x`, `{$x}`
    Php,
}

/// A string's form.
#[derive(Clone, Copy)]
pub(super) struct Form<'a> {
    /// What nests in it (`q{a{b}c}`).
    pub(super) open: Option<u8>,
    /// What ends it.
    pub(super) close: &'a [u8],
    /// What a backslash means.
    pub(super) escapes: Escapes,
    /// What is evaluated in it.
    pub(super) interpolation: Interpolation,
}
