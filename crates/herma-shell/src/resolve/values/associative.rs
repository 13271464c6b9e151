//! Associative arrays: subscripts are text, and elements come in the order of bash's hash table.

use std::collections::HashMap;
use std::rc::Rc;

use super::parameter::array;
use crate::resolve::machine::Machine;
use crate::resolve::machine::state::{MAX_ELEMENTS, Slot, State, Variable};
use crate::syntax::Element;
use crate::value::Value;

impl Machine<'_> {
    /// The elements of an associative array whose keys and values take turns.
    pub(super) fn pairs(&mut self, elements: &[Element], state: &mut State) -> Slot {
        let mut words = Vec::new();
        for element in elements {
            // Neither a key nor a value is split; what looks like a subscript is text.
            let mut word = Value::empty();
            if let Some(index) = &element.index {
                word.push_text(b"[", None);
                word.append(&self.expand_single(index, state));
                word.push_text(b"]=", None);
            }
            word.append(&self.expand_single(&element.value, state));
            words.push(word);
        }
        let mut out: Vec<(Vec<u8>, Value)> = Vec::new();
        let mut places: HashMap<Vec<u8>, usize> = HashMap::new();
        for pair in words.chunks(2).take(MAX_ELEMENTS + 1) {
            let [key, value @ ..] = pair else { continue };
            let Some(key) = key.bytes().map(std::borrow::Cow::into_owned) else {
                return Slot::any_array(b"");
            };
            let value = value.first().cloned().unwrap_or_default();
            match places.get(&key).and_then(|place| out.get_mut(*place)) {
                Some((_, known)) => *known = value,
                None => {
                    places.insert(key.clone(), out.len());
                    out.push((key, value));
                }
            }
        }
        array(out)
    }
}

/// Whether subscripts of the variable are text.
pub(super) fn is_associative(name: &[u8], state: &State) -> bool {
    let variable = state.variables.get(name);
    variable.is_some_and(|variable| variable.associative && !variable.doubtful)
}

/// Puts the elements of an associative array where bash's hash table has them.
pub(super) fn in_order_of_table(variable: &mut Variable) {
    for slot in &mut variable.slots {
        if let Slot::Array(elements) = slot
            && !elements.is_sorted_by_key(|(key, _)| bucket(key))
        {
            Rc::make_mut(elements).sort_by_key(|(key, _)| bucket(key));
        }
    }
}

/// Where a key stands in a table of 1,024 chains: bash's `hash_string`, which is FNV-1.
fn bucket(key: &[u8]) -> u32 {
    let hash = key.iter().fold(2_166_136_261_u32, |hash, byte| {
        // A plain `char` has a sign on x86.
        let byte = if cfg!(target_arch = "x86_64") {
            i32::from(byte.cast_signed()).cast_unsigned()
        } else {
            u32::from(*byte)
        };
        hash.wrapping_mul(16_777_619) ^ byte
    });
    hash & 1023
}
