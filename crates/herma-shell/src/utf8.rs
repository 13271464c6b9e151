//! Numbers as the shell writes them: UTF-8 as it once was, up to six bytes.

/// The bytes for a code point in `\u` and `\U`. Bash writes surrogates and numbers past the last
/// character in the form of RFC 2279, and nothing at all for numbers of 32 bits.
pub(crate) fn encode(number: u32) -> Vec<u8> {
    let continuations: u32 = match number {
        0..=0x7f => 0,
        0x80..=0x7ff => 1,
        0x800..=0xffff => 2,
        0x1_0000..=0x1f_ffff => 3,
        0x20_0000..=0x3ff_ffff => 4,
        0x400_0000..=0x7fff_ffff => 5,
        0x8000_0000.. => return Vec::new(),
    };
    let lead: u8 = match continuations {
        0 => 0,
        1 => 0xc0,
        2 => 0xe0,
        3 => 0xf0,
        4 => 0xf8,
        _ => 0xfc,
    };
    let bits = |shift: u32, mask: u32| u8::try_from(number >> shift & mask).unwrap_or_default();
    let mut bytes = vec![lead | bits(continuations * 6, 0x7f)];
    for place in (0..continuations).rev() {
        bytes.push(0x80 | bits(place * 6, 0x3f));
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::encode;

    #[test]
    fn characters_are_written_as_utf_8() {
        for character in ['a', 'é', '漢', '🦀'] {
            assert_eq!(
                encode(u32::from(character)),
                character.to_string().into_bytes()
            );
        }
    }

    /// As `printf '\UNNNNNNNN'` of bash 5.2 in a UTF-8 locale.
    #[test]
    fn numbers_past_the_last_character_are_written_as_bash_writes_them() {
        assert_eq!(encode(0xd800), [0xed, 0xa0, 0x80]);
        assert_eq!(encode(0x20_0000), [0xf8, 0x88, 0x80, 0x80, 0x80]);
        assert_eq!(encode(0x400_0000), [0xfc, 0x84, 0x80, 0x80, 0x80, 0x80]);
        assert_eq!(encode(0x6000_0066), [0xfd, 0xa0, 0x80, 0x80, 0x81, 0xa6]);
        assert!(encode(0x8000_000b).is_empty());
    }
}
