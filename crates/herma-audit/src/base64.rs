//! Base64 with padding, for bytes that are no UTF-8.

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The text for `bytes`.
pub(crate) fn encode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let byte = |index: usize| u32::from(chunk.get(index).copied().unwrap_or_default());
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for index in 0..4 {
            if index <= chunk.len() {
                let digit = bits >> (18 - 6 * index) & 63;
                let letter = ALPHABET.get(digit as usize).copied().unwrap_or(b'=');
                text.push(char::from(letter));
            } else {
                text.push('=');
            }
        }
    }
    text
}

/// The bytes of `text`; `None` when it is no padded base64.
pub(crate) fn decode(text: &str) -> Option<Vec<u8>> {
    let text = text.as_bytes();
    if !text.len().is_multiple_of(4) {
        return None;
    }
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    for (index, chunk) in text.chunks(4).enumerate() {
        let padding = chunk.iter().rev().take_while(|byte| **byte == b'=').count();
        if padding > 2 || (padding > 0 && (index + 1) * 4 != text.len()) {
            return None;
        }
        let mut bits = 0u32;
        for (place, byte) in chunk.iter().enumerate() {
            let digit = if place + padding < 4 {
                ALPHABET.iter().position(|letter| letter == byte)?
            } else {
                0
            };
            bits = bits << 6 | u32::try_from(digit).ok()?;
        }
        let [_, first, second, third] = bits.to_be_bytes();
        bytes.extend([first, second, third].into_iter().take(3 - padding));
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::{decode, encode};

    #[test]
    fn known_texts() {
        assert_eq!(encode(b""), "");
        assert_eq!(encode(b"f"), "Zg==");
        assert_eq!(encode(b"fo"), "Zm8=");
        assert_eq!(encode(b"foobar"), "Zm9vYmFy");
    }

    #[test]
    fn all_bytes_are_read_back_and_rubbish_is_refused() {
        let bytes: Vec<u8> = (0..=255).collect();
        for end in 0..bytes.len() {
            assert_eq!(decode(&encode(&bytes[..end])).unwrap(), &bytes[..end]);
        }
        for rubbish in ["A", "AA=A", "====", "AA==AAAA", "A\u{e9}A"] {
            assert_eq!(decode(rubbish), None, "{rubbish}");
        }
    }
}
