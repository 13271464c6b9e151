//! Command and process substitution: what commands print, as text.

use super::expand::Pending;
use crate::descriptors::PROCESSES;
use crate::execution::{Arg, Redirection};
use crate::resolve::machine::state::State;
use crate::resolve::machine::{Io, MAX_VALUE, Machine};
use crate::source::Span;
use crate::syntax::{CommandSub, List, Word};
use crate::value::{Origin, Piece, Value};

impl Machine<'_> {
    /// Reports a redirection without a command, as a null command that has it.
    pub(crate) fn read_alone(&mut self, target: &Value, span: Span, state: &State) {
        let nothing = Arg {
            value: Value::computed(b":".as_slice()),
            span,
        };
        let redirection = Redirection {
            op: crate::syntax::RedirectOp::Read,
            fd: None,
            target: target.clone(),
            span,
        };
        let io = Io::default();
        let outer = std::mem::take(&mut self.redirections);
        self.emit(&[nothing], &[], &[redirection], &io, span, state);
        self.redirections = outer;
    }

    /// `$(…)`
    pub(crate) fn substitution(&mut self, substitution: &CommandSub, state: &mut State) -> Value {
        // `$(<file)`
        if let Some(target) = only_input(&substitution.list) {
            let target = self.expand_single(target, state);
            self.substitutions += 1;
            self.read_alone(&target, substitution.span, state);
            self.substitutions -= 1;
            let content = self.file_as_input(&target, None, state);
            return trimmed(self.loaded(content));
        }
        let outer = std::mem::take(&mut self.choice);
        let outer_redirections = std::mem::take(&mut self.redirections);
        let mut io = Io {
            stdin: None,
            captured: Some(vec![Value::empty()]),
            errors: false,
        };
        self.substitutions += 1;
        self.deeper(substitution.span, |machine| {
            if substitution.current_shell {
                let before = state.descriptors.clone();
                state.print_into_pipe();
                machine.list(&substitution.list, state, &mut io);
                state.descriptors = before;
            } else {
                let mut inner = state.clone();
                inner.print_into_pipe();
                machine.in_own_process(&mut inner, |machine, inner| {
                    machine.list(&substitution.list, inner, &mut io);
                });
                state.keep_files(&inner);
            }
        });
        self.substitutions -= 1;
        self.redirections = outer_redirections;
        self.choice = outer;
        let mut readings = io.captured.unwrap_or_default();
        if readings.len() > 1 {
            let key = format!("$({}", substitution.span.start);
            let picked = self.pick(key.as_bytes(), readings.len());
            return match picked {
                Some(index) => trimmed(readings.swap_remove(index)),
                None => Value::unknown_words(Origin::Output(Vec::new())),
            };
        }
        let value = readings.pop().unwrap_or_default();
        if let Some(known) = before_names(&value).or_else(|| before_nothing(&value)) {
            // A search may find nothing but its roots, and a program may print nothing.
            let key = format!("$({}", substitution.span.start);
            if self.pick(key.as_bytes(), 2) == Some(1) {
                return trimmed(known);
            }
        }
        if substitution.current_shell && value.pieces.is_empty() {
            // `${| …; }` gives REPLY.
            return self.scalar(b"REPLY", state);
        }
        trimmed(value)
    }

    /// `<(…)` and `>(…)`: a file whose content is what the commands print.
    pub(crate) fn process<'t>(
        &mut self,
        input: bool,
        list: &'t List,
        span: Span,
        state: &mut State,
        pending: &mut Pending<'t>,
    ) -> Value {
        self.process_files += 1;
        let path = format!("/dev/fd/{}", PROCESSES + self.process_files).into_bytes();
        if input {
            let mut io = Io {
                stdin: None,
                captured: Some(vec![Value::empty()]),
                errors: false,
            };
            let outer = std::mem::take(&mut self.choice);
            self.deeper(span, |machine| {
                let mut inner = state.clone();
                inner.print_into_pipe();
                machine.in_own_process(&mut inner, |machine, inner| {
                    machine.list(list, inner, &mut io);
                });
                state.keep_files(&inner);
            });
            self.choice = outer;
            let texts = io.captured.unwrap_or_default();
            self.write_file(state, &path, &texts, false);
        } else {
            pending.push((path.clone(), list));
        }
        Value::computed(path)
    }
}

/// The lines in front of the first one that holds names from a search.
fn before_names(value: &Value) -> Option<Value> {
    let first = value.pieces.iter().position(
        |piece| matches!(piece, Piece::Unknown(unknown) if unknown.origin == Origin::Names),
    )?;
    let mut known = Value {
        pieces: value.pieces.get(..first)?.to_vec(),
        decoded: value.decoded,
    };
    // Back to the end of the last whole line.
    loop {
        let Some(Piece::Text { bytes, .. }) = known.pieces.last_mut() else {
            return None;
        };
        match bytes.iter().rposition(|byte| *byte == b'\n') {
            Some(end) => {
                bytes.truncate(end);
                break;
            }
            None => {
                known.pieces.pop();
            }
        }
    }
    Some(known)
}

/// The lines in front of what cannot be known at the end: when that is nothing, their last newline
/// goes too.
fn before_nothing(value: &Value) -> Option<Value> {
    let [known @ .., Piece::Unknown(last)] = value.pieces.as_slice() else {
        return None;
    };
    let ends_line =
        matches!(known.last(), Some(Piece::Text { bytes, .. }) if bytes.ends_with(b"\n"));
    (last.many && ends_line).then(|| Value {
        pieces: known.to_vec(),
        decoded: value.decoded,
    })
}

/// `$(<file)`: the target when that is all.
fn only_input(list: &List) -> Option<&Word> {
    let [item] = list.items.as_slice() else {
        return None;
    };
    let [command] = item.first.stages.as_slice() else {
        return None;
    };
    let crate::syntax::CommandKind::Simple(simple) = &command.kind else {
        return None;
    };
    let [redirect] = simple.redirects.as_slice() else {
        return None;
    };
    let alone = item.rest.is_empty() && simple.words.is_empty() && simple.assignments.is_empty();
    (alone && redirect.op == crate::syntax::RedirectOp::Read && redirect.fd.unwrap_or(0) == 0)
        .then_some(&redirect.target)
}

/// Without the newlines at the end, and bounded.
fn trimmed(mut value: Value) -> Value {
    // NUL is dropped.
    for piece in &mut value.pieces {
        if let Piece::Text { bytes, at } = piece
            && bytes.contains(&0)
        {
            bytes.retain(|byte| *byte != 0);
            *at = None;
        }
    }
    while let Some(Piece::Text { bytes, .. }) = value.pieces.last_mut() {
        while bytes.last() == Some(&b'\n') {
            bytes.pop();
        }
        if !bytes.is_empty() {
            break;
        }
        value.pieces.pop();
    }
    let size: usize = value
        .pieces
        .iter()
        .map(|piece| match piece {
            Piece::Text { bytes, .. } => bytes.len(),
            _ => 1,
        })
        .sum();
    if size > MAX_VALUE {
        return Value::unknown_words(Origin::Other);
    }
    value
}
