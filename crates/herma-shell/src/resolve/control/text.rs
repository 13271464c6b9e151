//! Values that run as shell text.

use crate::resolve::machine::state::State;
use crate::resolve::machine::{Io, Machine, local};
use crate::source::Span;
use crate::value::{Piece, Value};

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
        let mut source = crate::Source::builder();
        let mut pieces = text.pieces.iter().peekable();
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

/// Whether a text ends in a dollar sign that no backslash quotes.
fn ends_in_dollar(text: &[u8]) -> bool {
    text.strip_suffix(b"$")
        .is_some_and(|rest| rest.iter().rev().take_while(|b| **b == b'\\').count() % 2 == 0)
}
