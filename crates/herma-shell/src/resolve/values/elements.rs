//! Where the elements of an array stand that may be several words.

use crate::value::{Piece, Value};

/// Whether an element up to this one may be no word or several, so that others have its place.
pub(crate) fn shifted(elements: &[(Vec<u8>, Value)], key: &[u8]) -> bool {
    let many = |value: &Value| {
        value
            .pieces
            .iter()
            .any(|piece| matches!(piece, Piece::Unknown(unknown) if unknown.many))
    };
    let digits = |key: &[u8]| key.iter().all(u8::is_ascii_digit);
    if !elements.iter().all(|(own, _)| digits(own)) {
        return false;
    }
    let from_front = digits(key);
    elements
        .iter()
        .take_while(|(own, _)| !from_front || own != key)
        .any(|(_, value)| value.may_be_several())
        // The first of several names stands where the pattern does.
        || elements
            .iter()
            .any(|(own, value)| own == key && many(value))
}

/// What any element is, where it stands for names that all match the same pattern.
pub(super) fn alike(elements: &[(Vec<u8>, Value)]) -> Option<Value> {
    let ((_, first), rest) = elements.split_first()?;
    let same = first.has_glob() && first.is_known() && rest.iter().all(|(_, value)| value == first);
    same.then(|| first.clone())
}
