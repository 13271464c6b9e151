//! What a file that the line wrote may hold, in each possible reading.

use crate::resolve::machine::map::Map;
use crate::resolve::machine::state::{MAX_ALTERNATIVES, State};
use crate::resolve::machine::{MAX_PIECES, MAX_VALUE, Machine, bound_readings};
use crate::value::{Origin, Value};

/// The possible contents of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Contents {
    /// What the line may have written; never empty.
    readings: Vec<Value>,
    /// In some reading the line has not written it.
    untouched: bool,
}

impl Contents {
    /// A file that holds one of these texts.
    pub(crate) fn of(texts: &[Value]) -> Self {
        let mut readings: Vec<Value> = texts.iter().map(bounded).collect();
        if readings.is_empty() {
            readings.push(Value::empty());
        }
        bound_readings(&mut readings);
        Self {
            readings,
            untouched: false,
        }
    }

    /// Appends one of these texts to every reading; `before` is what stood in the file before the
    /// line.
    pub(crate) fn append(&mut self, texts: &[Value], before: impl FnOnce() -> Value) {
        if std::mem::take(&mut self.untouched) {
            self.readings.push(before());
        }
        let mut all = Vec::new();
        for reading in &self.readings {
            for text in texts {
                if all.len() > MAX_ALTERNATIVES {
                    break;
                }
                let mut whole = reading.clone();
                if whole.pieces.len() < MAX_PIECES {
                    whole.append(text);
                } else {
                    whole.append(&Value::unknown_words(Origin::Other));
                }
                all.push(bounded(&whole));
            }
        }
        bound_readings(&mut all);
        self.readings = all;
    }

    /// Takes in the readings of another state; says whether anything is new.
    pub(crate) fn join(&mut self, other: &Self) -> bool {
        let mut changed = other.untouched && !self.untouched;
        self.untouched |= other.untouched;
        let full = self.readings.len() == MAX_ALTERNATIVES
            && self.readings.last() == Some(&Value::unknown_words(Origin::Other));
        for reading in &other.readings {
            if !full && !self.readings.contains(reading) {
                self.readings.push(reading.clone());
                changed = true;
            }
        }
        bound_readings(&mut self.readings);
        changed
    }

    /// Adds that it may hold anything.
    pub(crate) fn widen(&mut self) {
        let any = Value::unknown_words(Origin::Other);
        if !self.readings.contains(&any) {
            self.readings.push(any);
            bound_readings(&mut self.readings);
        }
    }

    /// Adds that the line may not have written it.
    pub(super) fn may_be_untouched(&mut self) {
        self.untouched = true;
    }

    /// How much there is to compare and to copy, in bytes.
    pub(crate) fn size(&self) -> usize {
        self.readings.iter().map(Value::size).sum()
    }
}

/// The text, unless it is too large to be kept.
fn bounded(text: &Value) -> Value {
    if text.size() > MAX_VALUE {
        Value::unknown_words(Origin::Other)
    } else {
        text.clone()
    }
}

/// Takes in what a file may hold in another state; says whether anything is new, and the work in
/// bytes.
pub(crate) fn join_file(
    own: &mut Map<Contents>,
    other: Option<&Contents>,
    path: &[u8],
) -> (bool, usize) {
    let (mut all, changed) = match (own.get(path), other) {
        (Some(known), Some(content)) => {
            let mut all = known.clone();
            let changed = all.join(content);
            (all, changed)
        }
        // The other state has not written it.
        (Some(known), None) => (known.clone(), false),
        (None, Some(content)) => (content.clone(), true),
        (None, None) => return (false, 0),
    };
    all.untouched |= other.is_none() || !own.contains(path);
    let work = all.size();
    own.insert(path, all);
    (changed, work)
}

impl Machine<'_> {
    /// What the line wrote to a file, in the reading that the current command takes; `None` when
    /// the file is as it was before the line.
    pub(crate) fn content_of(&mut self, path: &[u8], state: &State) -> Option<Value> {
        let led = self.led(path, state);
        let path = led
            .as_deref()
            .filter(|led| state.files.contains(led))
            .unwrap_or(path);
        let contents = state.files.get(path)?;
        let count = contents.readings.len() + usize::from(contents.untouched);
        let Some(index) = self.pick(path, count) else {
            return Some(Value::unknown_words(Origin::Other));
        };
        if contents.untouched && index == contents.readings.len() {
            return None;
        }
        let text = contents.readings.get(index)?;
        if self.spend(text.size() as u64 / 16) {
            Some(text.clone())
        } else {
            Some(Value::unknown_words(Origin::Other))
        }
    }
}
