//! Loops over words: `for` and `select`.

use crate::resolve::machine::state::{Slot, State, unset};
use crate::resolve::machine::{Escapes, Io, Machine};
use crate::resolve::values::lookup::is_name;
use crate::source::Span;
use crate::syntax::{List, Word};
use crate::value::{Origin, Value};

/// A loop over words.
pub(super) struct Each<'t> {
    pub(super) variable: &'t [u8],
    /// `None`: the positional parameters.
    pub(super) words: Option<&'t [Word]>,
    pub(super) body: &'t List,
    pub(super) select: bool,
}

impl Machine<'_> {
    pub(super) fn for_each(&mut self, each: &Each<'_>, state: &mut State, io: &mut Io) {
        let readings = match each.words {
            Some(words) => self.words_in_every_reading(words, state),
            None => vec![self.all_parameters(state)],
        };
        self.escapes.push(Escapes::default());
        let (before, skipped) = (state.clone(), io.clone());
        for (index, values) in readings.into_iter().enumerate() {
            if index == 0 {
                self.for_values(each, values, state, io);
                continue;
            }
            let (mut other, mut printed) = (before.clone(), skipped.clone());
            self.for_values(each, values, &mut other, &mut printed);
            self.join(state, &other);
            io.join(printed);
        }
        if !is_name(each.variable) {
            // The shell refuses it, and runs no round.
            self.join(state, &before);
            io.join(skipped);
        }
        self.leave_loop(state, io);
    }

    /// The rounds of a loop over these words.
    fn for_values(&mut self, each: &Each<'_>, values: Vec<Value>, state: &mut State, io: &mut Io) {
        if each.select {
            if let Some(input) = &io.stdin {
                self.takes_line(input, Span::default());
            }
            self.choose(each, &values, state);
            self.repeat(false, state, io, |machine, state, io| {
                machine.choose(each, &values, state);
                machine.list(each.body, state, io);
            });
            return;
        }
        let before = state.clone();
        let may_be_none = values.iter().all(|value| !value.is_known());
        let count = values.len();
        let (mut cost, mut counted) = (0, false);
        for (index, mut value) in values.into_iter().enumerate() {
            if !self.spend(1) {
                break;
            }
            if is_count(&value) && !self.affords(cost * (count - index) as u64) {
                // One number that is not known stands for all further ones.
                if std::mem::replace(&mut counted, true) {
                    continue;
                }
                value = Value::unknown(Origin::Variable(each.variable.to_vec()));
            }
            let before = self.fuel();
            let several = value.may_be_several();
            self.assign_in_loop(state, each.variable, value.clone());
            if several {
                self.repeat(true, state, io, |machine, state, io| {
                    machine.assign_in_loop(state, each.variable, value.clone());
                    machine.list(each.body, state, io);
                });
            } else {
                self.list(each.body, state, io);
                // `break` joins behind the loop.
                self.go_on(state, io);
                state.left = false;
            }
            cost = before.saturating_sub(self.fuel());
        }
        if may_be_none {
            self.join(state, &before);
        }
    }

    /// What an answer to `select` gives: one of the words, or nothing.
    fn choose(&mut self, each: &Each<'_>, values: &[Value], state: &mut State) {
        let reply = Slot::Scalar(Value::unknown(Origin::Other));
        self.assign(state, b"REPLY", reply, false);
        let before = state.clone();
        self.assign_in_loop(state, each.variable, unset(each.variable));
        for value in values {
            if !self.spend(1) {
                break;
            }
            let mut other = before.clone();
            self.assign_in_loop(&mut other, each.variable, value.clone());
            self.join(state, &other);
        }
    }

    /// The words of a loop in each reading.
    fn words_in_every_reading(&mut self, words: &[Word], state: &mut State) -> Vec<Vec<Value>> {
        let outer = std::mem::take(&mut self.choice);
        let limit = self.care().readings;
        let mut readings: Vec<Vec<Value>> = Vec::new();
        loop {
            let args = self.expand_words(words, state);
            let values: Vec<Value> = args.into_iter().map(|arg| arg.value).collect();
            if !readings.contains(&values) {
                readings.push(values);
            }
            if !self.choice.advance(limit) || !self.spend(1) {
                break;
            }
        }
        self.choice = outer;
        readings
    }
}

/// Whether a word is a number, as `seq` prints them to count rounds.
fn is_count(value: &Value) -> bool {
    value
        .bytes()
        .is_some_and(|bytes| !bytes.is_empty() && bytes.iter().all(u8::is_ascii_digit))
}
