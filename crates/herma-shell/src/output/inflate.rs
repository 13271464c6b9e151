//! gzip.

use miniz_oxide::inflate::decompress_to_vec_with_limit;

use super::LIMIT;

/// The content of the first member of a gzip file; `None` when it is damaged or too long.
pub(super) fn gunzip(bytes: &[u8]) -> Option<Vec<u8>> {
    let [0x1f, 0x8b, 8, flags, _, _, _, _, _, _, ..] = bytes else {
        return None;
    };
    let mut rest = bytes.get(10..)?;
    if flags & 4 != 0 {
        let [low, high, ..] = rest else {
            return None;
        };
        rest = rest.get(2 + usize::from(u16::from_le_bytes([*low, *high]))..)?;
    }
    // The file's name, then a comment.
    for flag in [8, 16] {
        if flags & flag != 0 {
            let end = rest.iter().position(|byte| *byte == 0)?;
            rest = rest.get(end + 1..)?;
        }
    }
    if flags & 2 != 0 {
        rest = rest.get(2..)?;
    }
    decompress_to_vec_with_limit(rest, LIMIT).ok()
}
