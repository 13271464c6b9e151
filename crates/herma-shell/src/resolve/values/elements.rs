//! Elements of arrays: the first, which a value alone sets, and those that may be several words.

use std::collections::HashSet;

use super::assign::subscript_number;
use super::parameter::array;
use crate::resolve::machine::Machine;
use crate::resolve::machine::state::{MAX_ELEMENTS, Slot, State};
use crate::syntax::Parameter;
use crate::value::{Origin, Piece, Value};

impl Machine<'_> {
    /// `${!prefix*}` and `${!name[@]}`
    pub(super) fn names(&mut self, parameter: &Parameter, state: &State) -> Vec<Value> {
        if parameter.subscript.is_some() {
            return match self.slot(&parameter.name, state) {
                Slot::Array(elements)
                    if elements.iter().any(|(_, value)| value.may_be_several()) =>
                {
                    vec![Value::unknown_words(Origin::Variable(
                        parameter.name.clone(),
                    ))]
                }
                Slot::Array(elements) => elements
                    .iter()
                    .map(|(key, _)| Value::computed(key.as_slice()))
                    .collect(),
                Slot::Scalar(_) => vec![Value::computed(b"0".as_slice())],
                _ => Vec::new(),
            };
        }
        let mut names: Vec<Vec<u8>> = state
            .variables
            .iter()
            .map(|(name, _)| name)
            .filter(|name| name.starts_with(&parameter.name))
            .map(<[u8]>::to_vec)
            .collect();
        names.truncate(MAX_ELEMENTS);
        self.spend(state.variables.len() as u64);
        names.into_iter().map(Value::computed).collect()
    }

    /// What a name holds that is set to a value: of an array it is the first element.
    pub(crate) fn as_first_element(&mut self, name: &[u8], value: Value, state: &State) -> Slot {
        let is_array = |slot: &Slot| matches!(slot, Slot::Array(_));
        let known = state.variables.get(name);
        let known = known.is_some_and(|variable| variable.slots.iter().any(is_array));
        if !known || self.dialect == crate::syntax::Dialect::Zsh {
            return Slot::Scalar(value);
        }
        match self.slot(name, state) {
            Slot::Array(elements) if self.spend(elements.len() as u64) => {
                let mut elements = elements.to_vec();
                match elements.iter_mut().find(|(key, _)| key == b"0") {
                    Some((_, first)) => *first = value,
                    None => elements.insert(0, (b"0".to_vec(), value)),
                }
                array(elements)
            }
            _ => Slot::Scalar(value),
        }
    }

    /// What a name holds that something is appended to.
    pub(super) fn appended(&mut self, state: &State, name: &[u8], slot: Slot) -> Slot {
        match (self.slot(name, state), slot) {
            (Slot::Scalar(mut old), Slot::Scalar(new)) => {
                if old.pieces.len() > 4096 || !self.spend(old.size() as u64 / 16) {
                    return Slot::Scalar(Value::unknown_words(Origin::Variable(name.to_vec())));
                }
                old.append(&new);
                Slot::Scalar(old)
            }
            (Slot::Array(old), Slot::Array(new)) => {
                let unordered = new
                    .first()
                    .zip(old.last())
                    .is_some_and(|((new, _), (old, _))| {
                        subscript_number(new) <= subscript_number(old)
                    });
                let mut elements = old.to_vec();
                if unordered {
                    let added: HashSet<&[u8]> = new.iter().map(|(key, _)| key.as_slice()).collect();
                    elements.retain(|(key, _)| !added.contains(key.as_slice()));
                }
                elements.extend(new.iter().cloned());
                if unordered
                    && elements
                        .iter()
                        .all(|(key, _)| subscript_number(key).is_some())
                {
                    elements.sort_by_key(|(key, _)| subscript_number(key));
                }
                array(elements)
            }
            (Slot::Scalar(old), Slot::Array(new)) => {
                let first = (b"0".to_vec(), old);
                let kept = new.iter().all(|(key, _)| key != b"0").then_some(first);
                array(kept.into_iter().chain(new.iter().cloned()).collect())
            }
            // `a+=x` appends to the first element.
            (Slot::Array(old), Slot::Scalar(new)) => {
                let mut elements = old.to_vec();
                match elements.iter_mut().find(|(key, _)| key == b"0") {
                    Some((_, first)) => first.append(&new),
                    None => elements.insert(0, (b"0".to_vec(), new)),
                }
                array(elements)
            }
            (_, slot) => slot,
        }
    }
}

/// Whether an element up to this one may be no word or several, so that others have its place.
pub(crate) fn shifted(elements: &[(Vec<u8>, Value)], key: &[u8]) -> bool {
    let many = |value: &Value| {
        value
            .pieces
            .iter()
            .any(|piece| matches!(piece, Piece::Unknown(unknown) if unknown.many))
    };
    if !are_indexed(elements) {
        return false;
    }
    let several = |(_, value): &&(Vec<u8>, Value)| value.may_be_several();
    // The first of several names stands where the pattern does.
    let is_many = |own: &[u8]| {
        let own = elements.iter().find(|(known, _)| known == own);
        own.is_some_and(|(_, value)| many(value))
    };
    match counted_back(elements, key) {
        Some(key) => {
            let behind = elements.iter().rev().take_while(|(own, _)| *own != key);
            behind.clone().any(|element| several(&element)) || is_many(&key)
        }
        None => {
            let in_front = elements.iter().take_while(|(own, _)| own != key);
            in_front.clone().any(|element| several(&element)) || is_many(key)
        }
    }
}

/// Whether the subscripts are numbers.
pub(crate) fn are_indexed(elements: &[(Vec<u8>, Value)]) -> bool {
    elements
        .iter()
        .all(|(key, _)| key.iter().all(u8::is_ascii_digit))
}

/// The subscript that a negative one stands for, counted from behind the last element; `None` where
/// none is so far in front, and where subscripts are text.
pub(crate) fn counted_back(elements: &[(Vec<u8>, Value)], key: &[u8]) -> Option<Vec<u8>> {
    let number = |text: &[u8]| std::str::from_utf8(text).ok()?.parse::<u64>().ok();
    let back = number(key.strip_prefix(b"-")?)?;
    let (last, _) = elements.last()?;
    let index = number(last)?.checked_add(1)?.checked_sub(back)?;
    Some(index.to_string().into_bytes())
}

/// What any element is, where it stands for names that all match the same pattern.
pub(super) fn alike(elements: &[(Vec<u8>, Value)]) -> Option<Value> {
    let ((_, first), rest) = elements.split_first()?;
    let same = first.has_glob() && first.is_known() && rest.iter().all(|(_, value)| value == first);
    same.then(|| first.clone())
}
