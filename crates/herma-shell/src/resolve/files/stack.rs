//! The directory stack: `pushd`, `popd`, `dirs`, `~1`, `DIRSTACK`.

use std::rc::Rc;

use crate::execution::Arg;
use crate::resolve::machine::Machine;
use crate::resolve::machine::state::{Place, State};
use crate::value::{Origin, Value};

impl Place {
    /// The stack as `dirs` shows it: where the shell is, then what `popd` goes back to.
    pub(crate) fn shown(&self) -> Vec<Value> {
        let behind = self.stack.iter().rev().cloned();
        std::iter::once(self.cwd.clone()).chain(behind).collect()
    }

    /// The place in the stack that `+1`, `-0` or `1` names.
    fn position(&self, spec: &[u8]) -> Option<usize> {
        let (from_end, digits) = match spec {
            [b'-', digits @ ..] => (true, digits),
            [b'+', digits @ ..] | digits => (false, digits),
        };
        let number: usize = std::str::from_utf8(digits).ok()?.parse().ok()?;
        if from_end {
            self.stack.len().checked_sub(number)
        } else {
            Some(number).filter(|number| *number <= self.stack.len())
        }
    }

    /// The directory that `~1`, `~+1`, `~-1` names.
    pub(crate) fn numbered(&self, spec: &[u8]) -> Option<Value> {
        self.shown().get(self.position(spec)?).cloned()
    }

    /// Sets the stack from what `dirs` would show.
    fn set_shown(&mut self, mut shown: Vec<Value>) {
        if shown.is_empty() {
            return;
        }
        let first = shown.remove(0);
        if first != self.cwd {
            self.previous = Some(std::mem::replace(&mut self.cwd, first));
        }
        shown.reverse();
        self.stack = shown;
    }
}

/// `+1`, `-2`: a place in the stack, and no directory.
fn is_number(word: &[u8]) -> bool {
    matches!(word, [b'+' | b'-', digits @ ..] if !digits.is_empty() && digits.iter().all(u8::is_ascii_digit))
}

impl Machine<'_> {
    /// `pushd`
    pub(crate) fn push_directory(&mut self, args: &[Arg], state: &mut State) {
        let only_stack = args.iter().skip(1).any(|arg| arg.value.is(b"-n"));
        let operand = args
            .iter()
            .skip(1)
            .find(|arg| !arg.value.is(b"-n") && !arg.value.is(b"--"));
        let place = &state.place;
        let turned = match operand.map(|arg| arg.value.bytes()) {
            None => {
                let mut shown = place.shown();
                if shown.len() < 2 || only_stack {
                    return;
                }
                shown.swap(0, 1);
                Some(shown)
            }
            Some(Some(word)) if is_number(&word) => {
                let Some(position) = place.position(&word) else {
                    return;
                };
                let mut shown = place.shown();
                shown.rotate_left(position);
                Some(shown)
            }
            Some(_) => None,
        };
        match (turned, operand) {
            (Some(shown), _) => {
                Rc::make_mut(&mut state.place).set_shown(shown);
                self.note_place(state);
            }
            (None, Some(operand)) if only_stack => {
                let pushed = self.joined(&operand.value, state);
                Rc::make_mut(&mut state.place).stack.push(pushed);
            }
            _ => self.change_directory(args, true, state),
        }
    }

    /// `popd`
    pub(crate) fn pop_directory(&mut self, args: &[Arg], state: &mut State) {
        let only_stack = args.iter().skip(1).any(|arg| arg.value.is(b"-n"));
        let number = args
            .iter()
            .skip(1)
            .filter_map(|arg| arg.value.bytes())
            .find(|word| is_number(word));
        let place = Rc::make_mut(&mut state.place);
        let position = match &number {
            Some(word) => match place.position(word) {
                Some(position) => position,
                None => return,
            },
            None => usize::from(only_stack),
        };
        let mut shown = place.shown();
        if shown.len() < 2 {
            // What lies below an empty stack is unknown.
            shown = vec![Value::unknown(Origin::Variable(b"PWD".to_vec()))];
        } else if position < shown.len() {
            shown.remove(position);
        }
        place.set_shown(shown);
        self.note_place(state);
    }
}
