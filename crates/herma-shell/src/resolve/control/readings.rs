//! Running something once for each combination of the values that it may see.

use std::rc::Rc;

use crate::execution::Reach;
use crate::resolve::machine::state::State;
use crate::resolve::machine::{Io, MAX_PIECES, Machine, bound_readings};
use crate::value::{Origin, Value};

impl Machine<'_> {
    /// Runs something once for each combination of the possible values that it picks.
    pub(crate) fn in_every_reading(
        &mut self,
        state: &mut State,
        io: &mut Io,
        mut run: impl FnMut(&mut Self, &mut State, &mut Io),
    ) {
        let outer = std::mem::take(&mut self.choice);
        self.choice.blurred = self.shallow;
        // A single reading needs no way back.
        let before = (!self.shallow).then(|| state.clone());
        let mut printed: Vec<Value> = Vec::new();
        self.reading(state, io, &mut printed, &mut run);
        let limit = self.care().readings;
        while let Some(before) = &before
            && self.choice.advance(limit)
            && self.spend(1)
        {
            let mut trial = before.clone();
            self.reading(&mut trial, io, &mut printed, &mut run);
            self.join(state, &trial);
        }
        self.choice = outer;
        self.append_readings(io, printed);
    }

    /// Takes one of the directories that the shell may be in.
    fn stand(&mut self, state: &mut State) {
        if state.elsewhere.is_empty() {
            return;
        }
        let picked = match self.reach {
            // In a script that was there before, precision is all that it costs.
            Reach::Script => None,
            _ => self.pick(b"/", state.elsewhere.len() + 1),
        };
        match picked {
            Some(0) => state.elsewhere.clear(),
            Some(index) => {
                if let Some(place) = state.elsewhere.get(index - 1) {
                    state.place = Rc::clone(place);
                }
                state.elsewhere.clear();
            }
            None => state.blur_place(),
        }
    }

    fn reading(
        &mut self,
        state: &mut State,
        io: &Io,
        printed: &mut Vec<Value>,
        run: &mut impl FnMut(&mut Self, &mut State, &mut Io),
    ) {
        let captured = io.captured.is_some().then(|| vec![Value::empty()]);
        let mut own = Io {
            stdin: io.stdin.clone(),
            captured,
            errors: io.errors,
        };
        self.stand(state);
        run(self, state, &mut own);
        for text in own.captured.into_iter().flatten() {
            if !printed.contains(&text) {
                printed.push(text);
                bound_readings(printed);
            }
        }
    }

    /// Appends what was printed to each reading of what was printed before.
    pub(crate) fn append_readings(&mut self, io: &mut Io, printed: Vec<Value>) {
        let Some(captured) = &mut io.captured else {
            return;
        };
        match printed.as_slice() {
            [] => {}
            [only] => {
                for reading in captured.iter_mut() {
                    if reading.pieces.len() < MAX_PIECES {
                        reading.append(only);
                    } else {
                        reading.append(&Value::unknown_words(Origin::Other));
                    }
                }
            }
            several => {
                let mut combined = Vec::new();
                for reading in captured.iter() {
                    for text in several {
                        let mut next = reading.clone();
                        next.append(text);
                        combined.push(next);
                    }
                }
                bound_readings(&mut combined);
                *captured = combined;
            }
        }
    }
}
