//! Pieces of the tree.

use crate::source::Span;
use crate::syntax::{
    AndOr, Assignment, Command, CommandKind, CommandSub, Junction, List, Operation, Parameter,
    Part, Pipeline, Redirect, Simple, Text, Word,
};

/// A word of text that is taken as it is.
pub(super) fn text(bytes: &[u8], span: Span) -> Word {
    Word {
        parts: vec![Part::Quoted(Text {
            bytes: bytes.to_vec(),
            at: span.start,
        })],
        span,
    }
}

/// A word of parts.
pub(super) fn word(parts: Vec<Part>, span: Span) -> Word {
    Word { parts, span }
}

/// What cannot be known, with what evaluating it runs.
pub(super) fn opaque(parts: Vec<Part>, span: Span) -> Word {
    // Chains of operators do not nest.
    let mut flat = Vec::new();
    for part in parts {
        match part {
            Part::Opaque(inside) if flat.is_empty() => flat = inside,
            Part::Opaque(inside) => flat.extend(inside),
            part => flat.push(part),
        }
    }
    word(vec![Part::Opaque(flat)], span)
}

/// What a name holds.
pub(super) fn parameter(name: &[u8], span: Span) -> Part {
    Part::Parameter(Box::new(Parameter {
        name: name.to_vec(),
        subscript: None,
        indirect: false,
        length: false,
        operation: Operation::None,
        braced: true,
        span,
    }))
}

/// All elements of a name (`@`), or all as one word (`*`).
pub(super) fn elements(name: &[u8], how: u8, span: Span) -> Part {
    Part::Parameter(Box::new(Parameter {
        name: name.to_vec(),
        subscript: Some(text(&[how], span)),
        indirect: false,
        length: false,
        operation: Operation::None,
        braced: true,
        span,
    }))
}

/// What commands print, run in the shell itself.
pub(super) fn printed(list: List, span: Span) -> Part {
    Part::Command(CommandSub {
        list,
        current_shell: true,
        span,
    })
}

/// A program with its words.
pub(super) fn simple(words: Vec<Word>, redirects: Vec<Redirect>, span: Span) -> Command {
    Command {
        kind: CommandKind::Simple(Simple {
            assignments: Vec::new(),
            words,
            redirects,
        }),
        redirects: Vec::new(),
        span,
    }
}

/// A command of another kind.
pub(super) fn command(kind: CommandKind, redirects: Vec<Redirect>, span: Span) -> Command {
    Command {
        kind,
        redirects,
        span,
    }
}

/// `name=value`
pub(super) fn assign(name: &[u8], value: Word, append: bool, span: Span) -> Command {
    Command {
        kind: CommandKind::Simple(Simple {
            assignments: vec![Assignment {
                name: name.to_vec(),
                subscript: None,
                append,
                value,
                span,
            }],
            words: Vec::new(),
            redirects: Vec::new(),
        }),
        redirects: Vec::new(),
        span,
    }
}

/// Commands joined by `|`.
pub(super) fn pipeline(stages: Vec<Command>, span: Span) -> Pipeline {
    Pipeline {
        with_stderr: vec![false; stages.len().saturating_sub(1)],
        stages,
        negated: false,
        span,
    }
}

/// One command as a line.
pub(super) fn line(command: Command) -> AndOr {
    let span = command.span;
    AndOr {
        first: pipeline(vec![command], span),
        rest: Vec::new(),
        background: false,
        begins_line: false,
    }
}

/// Commands one after the other.
pub(super) fn list(commands: Vec<Command>) -> List {
    List {
        items: commands.into_iter().map(line).collect(),
    }
}

/// Pipelines with the operator in front of each but the first.
pub(super) fn joined(first: Pipeline, rest: Vec<(Junction, Pipeline)>, background: bool) -> AndOr {
    AndOr {
        first,
        rest,
        background,
        begins_line: false,
    }
}
