//! Forgetting what is possible, where a bound ends what is followed.

use std::rc::Rc;

use super::state::{Slot, State, Variable};
use crate::resolve::files::contents::Contents;
use crate::value::{Origin, Value};

impl Variable {
    /// Forgets the possible values.
    pub(crate) fn widen(&mut self, name: &[u8]) {
        self.slots = vec![self.any(name)];
    }

    /// A value about which only its kind is known.
    pub(crate) fn any(&self, name: &[u8]) -> Slot {
        if self.slots.iter().any(|slot| matches!(slot, Slot::Array(_))) {
            Slot::any_array(name)
        } else {
            Slot::Scalar(Value::unknown_words(Origin::Variable(name.to_vec())))
        }
    }

    /// Forgets the possible values that a loop changes. An array that only grows by words which
    /// may be several in any case holds any number of these.
    fn widen_in_loop(&mut self, name: &[u8]) {
        let arrays = self.slots.iter().filter_map(|slot| match slot {
            Slot::Array(elements) => Some(elements),
            _ => None,
        });
        let longest = arrays.max_by_key(|elements| elements.len()).cloned();
        let grown = longest.as_deref().and_then(|elements| {
            let ((_, last), _) = elements.split_last()?;
            let same = elements.iter().rev().take_while(|(_, value)| value == last);
            let start = elements.len() - same.count();
            let kept = elements.get(..=start)?;
            let within = |slot: &Slot| match slot {
                Slot::Unset | Slot::Inherited => true,
                Slot::Scalar(_) => false,
                Slot::Array(other) => other
                    .iter()
                    .enumerate()
                    .all(|(index, element)| elements.get(index).is_some_and(|own| own == element)),
            };
            (last.may_be_several() && self.slots.iter().all(within)).then(|| kept.to_vec())
        });
        match grown {
            Some(kept) => {
                let filled = |slot: &Slot| matches!(slot, Slot::Array(all) if !all.is_empty());
                self.slots.retain(|slot| !filled(slot));
                self.slots.push(Slot::Array(Rc::new(kept)));
            }
            None => self.widen(name),
        }
    }
}

impl State {
    /// Forgets what a loop changes in each round: names, files and directories that differ from
    /// before.
    pub(crate) fn widen_changed(&mut self, before: &Self) {
        for name in self.variables.differing(&before.variables) {
            self.variables
                .update(&name, |variable| variable.widen_in_loop(&name));
        }
        for path in self.files.differing(&before.files) {
            self.files.update(&path, Contents::widen);
        }
        for name in self.aliases.differing(&before.aliases) {
            self.aliases.update(&name, |texts| {
                *texts = vec![Value::unknown_words(Origin::Other)]
            });
        }
        for name in self.hashed.differing(&before.hashed) {
            self.hashed.update(&name, |path| {
                *path = Value::unknown(Origin::Variable(name.to_vec()));
            });
        }
        if self.elsewhere.len() > before.elsewhere.len() + 1 {
            self.blur_place();
        }
    }

    /// Forgets arrays that a loop still changes behind the last round that is followed.
    pub(crate) fn widen_arrays(&mut self, before: &Self) {
        for name in self.variables.differing(&before.variables) {
            self.variables.update(&name, |variable| {
                if variable.slots.len() > 1
                    && variable
                        .slots
                        .iter()
                        .any(|slot| matches!(slot, Slot::Array(_)))
                {
                    variable.widen_in_loop(&name);
                }
            });
        }
    }
}
