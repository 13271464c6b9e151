//! Standard input and output of what is being run.

use std::rc::Rc;

use super::MAX_PIECES;
use super::state::MAX_ALTERNATIVES;
use crate::value::{Origin, Value};

/// Standard input and output of what is being run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Io {
    /// Standard input when the line determines it.
    pub(crate) stdin: Option<Rc<Value>>,
    /// What was printed so far, in each possible reading; `None` when nobody looks.
    pub(crate) captured: Option<Vec<Value>>,
    /// Complaints go where standard output goes.
    pub(crate) errors: bool,
}

impl Io {
    /// Appends printed text to every reading.
    pub(crate) fn print(&mut self, text: &Value) {
        for reading in self.captured.iter_mut().flatten() {
            let size: usize = reading.pieces.len();
            if size < MAX_PIECES {
                reading.append(text);
            } else {
                // More than what is kept apart: the rest cannot be known.
                reading.append(&Value::unknown_words(Origin::Other));
            }
        }
    }

    /// Takes in the readings of another branch.
    pub(crate) fn join(&mut self, other: Self) {
        let (Some(own), Some(other)) = (&mut self.captured, other.captured) else {
            return;
        };
        for reading in other {
            if !own.contains(&reading) {
                own.push(reading);
            }
        }
        bound_readings(own);
    }
}

/// Keeps a bounded number of readings; one unknown reading stands for the others.
pub(crate) fn bound_readings(readings: &mut Vec<Value>) {
    if readings.len() > MAX_ALTERNATIVES {
        readings.truncate(MAX_ALTERNATIVES - 1);
        readings.push(Value::unknown_words(Origin::Other));
    }
}
