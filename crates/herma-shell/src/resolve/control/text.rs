//! Values that run as shell text.

use std::borrow::Cow;

use crate::resolve::machine::state::State;
use crate::resolve::machine::{Io, Machine, local};
use crate::source::Span;
use crate::value::{Origin, Piece, Value};

impl Machine<'_> {
    /// Runs a value as shell text. Unknown parts become expansions that give them back.
    pub(crate) fn value_as_text(
        &mut self,
        text: &Value,
        span: Span,
        state: &mut State,
        io: &mut Io,
    ) {
        if self.placeholders.len() > 65_536 {
            self.beyond(span);
            return;
        }
        let kept = without_names_of_processes(&text.pieces);
        let mut source = crate::Source::builder();
        let mut pieces = kept.iter().peekable();
        while let Some(piece) = pieces.next() {
            // `$` and a text that is not known: which parameter that is, is not known either.
            let open = matches!(pieces.peek(), Some(Piece::Unknown(_)));
            match piece {
                Piece::Text { bytes, at } | Piece::Glob { pattern: bytes, at } => {
                    let text = match bytes.split_last() {
                        Some((_, text)) if open && ends_in_dollar(bytes) => text,
                        _ => bytes,
                    };
                    match at {
                        Some(at) => source.push(text, *at),
                        None => {
                            self.fixed.insert(span.start);
                            source.push_fixed(text, span);
                        }
                    }
                }
                Piece::Unset(_) => {}
                Piece::Unknown(unknown) => {
                    let name = format!(
                        "${{{}{}}}",
                        crate::resolve::values::parameter::PLACEHOLDER,
                        self.placeholders.len()
                    );
                    self.placeholders.push(unknown.clone());
                    source.push_fixed(name.as_bytes(), span);
                }
            }
        }
        let partly = text
            .pieces
            .iter()
            .any(|piece| matches!(piece, Piece::Unset(_) | Piece::Unknown(_)));
        self.deeper(span, |machine| {
            machine.text_of(&source, partly.then_some(span), state, io);
        });
    }

    /// Runs shell text in the current shell behind a carrier with this name.
    pub(crate) fn text_behind(
        &mut self,
        name: &str,
        text: &Value,
        span: Span,
        state: &mut State,
        io: &mut Io,
    ) {
        self.behind(local(name), |machine| {
            machine.value_as_text(text, span, state, io)
        });
    }
}

/// The pieces without `$name` where a process id goes on with the name: nobody has set that one.
fn without_names_of_processes(pieces: &[Piece]) -> Cow<'_, [Piece]> {
    let is_process = |piece: &Piece| match piece {
        Piece::Unknown(unknown) => {
            matches!(&unknown.origin, Origin::Variable(name) if matches!(name.as_slice(), b"$" | b"!"))
        }
        _ => false,
    };
    let names = |pair: &[Piece]| match pair {
        [Piece::Text { bytes, .. }, next] if is_process(next) => open_name(bytes),
        _ => None,
    };
    if !pieces.windows(2).any(|pair| names(pair).is_some()) {
        return Cow::Borrowed(pieces);
    }
    let mut kept = Vec::new();
    let mut rest = pieces;
    let mut in_name = false;
    while let Some((piece, behind)) = rest.split_first() {
        let dollar = names(rest.get(..2).unwrap_or_default());
        let mut piece = piece.clone();
        if let Piece::Text { bytes, at } = &mut piece {
            bytes.truncate(dollar.unwrap_or(bytes.len()));
            if in_name {
                let end = bytes.iter().position(|byte| !is_of_name(*byte));
                let end = end.unwrap_or(bytes.len());
                bytes.drain(..end);
                *at = at.map(|at| at.saturating_add(u32::try_from(end).unwrap_or(0)));
            }
        }
        in_name = dollar.is_some();
        kept.push(piece);
        rest = if in_name {
            behind.get(1..).unwrap_or_default()
        } else {
            behind
        };
    }
    Cow::Owned(kept)
}

const fn is_of_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Where `$name` begins that a text ends in.
fn open_name(text: &[u8]) -> Option<usize> {
    let name = text.iter().rev().take_while(|byte| is_of_name(**byte));
    let dollar = text.len().checked_sub(name.count() + 1)?;
    let begins = text
        .get(dollar + 1)
        .is_some_and(|first| !first.is_ascii_digit());
    (begins && ends_in_dollar(text.get(..=dollar)?)).then_some(dollar)
}

/// Whether a text ends in a dollar sign that no backslash quotes.
fn ends_in_dollar(text: &[u8]) -> bool {
    text.strip_suffix(b"$")
        .is_some_and(|rest| rest.iter().rev().take_while(|b| **b == b'\\').count() % 2 == 0)
}
