//! `**/` in patterns, which stands for any number of directories and also for none.

use super::simple::Invocation;
use crate::execution::Arg;
use crate::resolve::machine::state::State;
use crate::resolve::machine::{Io, Machine};
use crate::syntax::Dialect;
use crate::value::{Piece, Value};

impl Machine<'_> {
    /// Where `**/` is read so: the reading in which it stands for no directory.
    pub(crate) fn without_depth(&mut self, invocation: &Invocation<'_>, state: &State) {
        if !state.any_depth && self.dialect != Dialect::Zsh {
            return;
        }
        let flat: Vec<Option<Value>> = invocation
            .args
            .iter()
            .map(|arg| flattened(&arg.value))
            .collect();
        if flat.iter().all(Option::is_none) {
            return;
        }
        let args: Vec<Arg> = invocation
            .args
            .iter()
            .zip(flat)
            .map(|(arg, flat)| Arg {
                value: flat.unwrap_or_else(|| arg.value.clone()),
                span: arg.span,
            })
            .collect();
        let without = Invocation {
            args: &args,
            ..*invocation
        };
        self.invoke(&without, &mut state.clone(), &mut Io::default());
    }
}

/// The word without its `**/`; `None` when it has none.
fn flattened(value: &Value) -> Option<Value> {
    let star = |piece: Option<&Piece>| matches!(piece, Some(Piece::Glob { pattern, .. }) if pattern == b"*");
    let mut pieces: Vec<Piece> = Vec::with_capacity(value.pieces.len());
    let mut found = false;
    let mut rest = value.pieces.iter();
    while let Some(piece) = rest.next() {
        let begins = match pieces.last() {
            None => true,
            Some(Piece::Text { bytes, .. }) => bytes.ends_with(b"/"),
            Some(_) => false,
        };
        let mut ahead = rest.clone();
        if begins
            && star(Some(piece))
            && star(ahead.next())
            && let Some(Piece::Text { bytes, at }) = ahead.next()
            && let Some(text) = bytes.strip_prefix(b"/")
        {
            found = true;
            rest = ahead;
            if !text.is_empty() {
                pieces.push(Piece::Text {
                    bytes: text.to_vec(),
                    at: at.and_then(|at| at.checked_add(1)),
                });
            }
        } else {
            pieces.push(piece.clone());
        }
    }
    found.then(|| Value {
        pieces,
        ..value.clone()
    })
}
