//! SHA-256 and its hexadecimal form.

use sha2::{Digest, Sha256};

/// A SHA-256.
pub(crate) type Hash = [u8; 32];

/// The hash in front of the first line.
pub(crate) const ZERO: Hash = [0; 32];

/// The hash of `parts`, one after the other.
pub(crate) fn hash(parts: &[&[u8]]) -> Hash {
    let mut digest = Sha256::new();
    for part in parts {
        digest.update(part);
    }
    digest.finalize().into()
}

/// 64 lower-case digits.
pub(crate) fn hex(hash: &Hash) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digit = |value: u8| char::from(DIGITS.get(usize::from(value)).copied().unwrap_or(b'?'));
    hash.iter()
        .flat_map(|byte| [digit(byte >> 4), digit(byte & 15)])
        .collect()
}

/// The hash of 64 lower-case digits.
pub(crate) fn unhex(text: &str) -> Option<Hash> {
    let text = text.as_bytes();
    if text.len() != 64 {
        return None;
    }
    let digit = |byte: u8| match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        _ => None,
    };
    let mut hash = ZERO;
    for (byte, pair) in hash.iter_mut().zip(text.chunks(2)) {
        let [high, low] = pair else { return None };
        *byte = digit(*high)? << 4 | digit(*low)?;
    }
    Some(hash)
}

#[cfg(test)]
mod tests {
    use super::{hash, hex, unhex};

    #[test]
    fn the_hash_of_the_empty_text_is_the_known_one() {
        let text = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(hex(&hash(&[])), text);
        assert_eq!(unhex(text), Some(hash(&[b""])));
        assert_eq!(unhex(&text.to_uppercase()), None);
    }

    #[test]
    fn parts_hash_like_their_whole() {
        assert_eq!(hash(&[b"ab", b"c"]), hash(&[b"abc"]));
    }
}
