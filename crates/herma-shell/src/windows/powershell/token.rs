//! What the machine reads.

use super::variable::Variable;
use crate::syntax::{List, Part, RedirectOp, Text, Word};

/// Words that begin or continue statements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Keyword {
    If,
    ElseIf,
    Else,
    ForEach,
    In,
    For,
    While,
    Do,
    Until,
    Switch,
    Try,
    Catch,
    Finally,
    Trap,
    Function,
    Param,
    /// `return`, `throw`, `exit`: what follows is evaluated.
    Leave,
    /// `break`, `continue`
    Jump,
    /// `begin`, `process`, `end`, `clean`, `dynamicparam`: a named block.
    Block,
    /// `class`, `enum`, `configuration`, `workflow`, `data`: not read.
    Unread,
    Using,
}

impl Keyword {
    pub(super) fn of(word: &[u8]) -> Option<Self> {
        Some(match word.to_ascii_lowercase().as_slice() {
            b"if" => Self::If,
            b"elseif" => Self::ElseIf,
            b"else" => Self::Else,
            b"foreach" => Self::ForEach,
            b"for" => Self::For,
            b"while" => Self::While,
            b"do" => Self::Do,
            b"until" => Self::Until,
            b"switch" => Self::Switch,
            b"try" => Self::Try,
            b"catch" => Self::Catch,
            b"finally" => Self::Finally,
            b"trap" => Self::Trap,
            b"function" | b"filter" => Self::Function,
            b"param" => Self::Param,
            b"return" | b"throw" | b"exit" => Self::Leave,
            b"break" | b"continue" => Self::Jump,
            b"begin" | b"process" | b"end" | b"clean" | b"dynamicparam" => Self::Block,
            b"class" | b"enum" | b"configuration" | b"workflow" | b"data" => Self::Unread,
            b"using" => Self::Using,
            _ => return None,
        })
    }

    /// Whether a `}` may end the statement.
    pub(super) const fn is_compound(self) -> bool {
        !matches!(
            self,
            Self::Param | Self::Leave | Self::Jump | Self::Using | Self::In
        )
    }

    /// Whether it goes on with a statement that a newline did not end.
    pub(super) const fn continues(self) -> bool {
        matches!(
            self,
            Self::ElseIf | Self::Else | Self::Catch | Self::Finally | Self::Until
        )
    }
}

/// What a group is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Open {
    /// The text.
    Root,
    /// `(`
    Paren,
    /// `(` right behind a member's name.
    Arguments,
    /// `(` of a function or behind `param`.
    Parameters,
    /// `$(`
    Sub,
    /// `@(`
    Array,
    /// `@{`
    Hash,
    /// `{`
    Block,
    /// `{` of a `switch`.
    Cases,
    /// `[`
    Index,
    /// `"`, or `@"` for a here-string.
    Text { here: bool },
}

/// What a group holds.
#[derive(Debug)]
pub(super) enum Lowered {
    /// One expression: its elements.
    Pure(Vec<Word>),
    /// Commands.
    List(List),
    /// Keys with what is assigned to each.
    Hash(Vec<(Vec<Word>, Vec<Word>)>),
    /// `$name in …`
    Each(Vec<u8>, Vec<Word>),
}

/// A token.
#[derive(Debug)]
pub(super) enum Token {
    Keyword(Keyword),
    /// Text of a command's word, or a name or operand without quotes in an expression.
    Bare(Text),
    Number(Text),
    Quoted(Vec<Part>),
    Variable(Variable),
    /// `@name`
    Splat(Variable),
    Group(Open, Lowered),
    /// `[System.IO.File]`
    Type(Vec<u8>),
    /// `.name` or `::name`; empty when the name is computed.
    Member {
        name: Vec<u8>,
        of_type: bool,
    },
    /// An operator without its dash, in lower case.
    Operator(Vec<u8>),
    Comma,
    /// `=`, `+=`, …: the byte in front of the `=`, or `=`.
    Assign(u8),
    /// `&` or `.` in front of a command.
    Call,
    Redirect {
        op: RedirectOp,
        fd: Option<u32>,
    },
    Newline,
    Semicolon,
    Pipe,
    And,
    Or,
    Background,
}

impl Token {
    /// Whether a newline behind it ends nothing.
    pub(super) fn wants_more(&self) -> bool {
        matches!(
            self,
            Self::Pipe
                | Self::And
                | Self::Or
                | Self::Comma
                | Self::Assign(_)
                | Self::Operator(_)
                | Self::Call
                | Self::Keyword(Keyword::In)
        )
    }

    pub(super) const fn is_separator(&self) -> bool {
        matches!(self, Self::Newline | Self::Semicolon)
    }
}

/// A token with its place in the source.
#[derive(Debug)]
pub(super) struct Spot {
    pub(super) token: Token,
    pub(super) start: usize,
    pub(super) end: usize,
    /// No blank stands in front of it.
    pub(super) glued: bool,
}
