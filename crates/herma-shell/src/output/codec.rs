//! base64, base32 and hexadecimal.

/// An alphabet with a power of two of digits.
#[derive(Clone, Copy)]
pub(crate) enum Alphabet {
    Base64,
    Base64Url,
    Base32,
    Base32Hex,
    Base16,
}

impl Alphabet {
    fn digits(self) -> &'static [u8] {
        match self {
            Self::Base64 => b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
            Self::Base64Url => b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_",
            Self::Base32 => b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
            Self::Base32Hex => b"0123456789ABCDEFGHIJKLMNOPQRSTUV",
            Self::Base16 => b"0123456789ABCDEF",
        }
    }

    /// Bits of a digit, and digits of a whole group.
    fn shape(self) -> (u32, usize) {
        match self {
            Self::Base64 | Self::Base64Url => (6, 4),
            Self::Base32 | Self::Base32Hex => (5, 8),
            Self::Base16 => (4, 2),
        }
    }

    fn digit(self, byte: u8) -> Option<u32> {
        let byte = match self {
            Self::Base16 | Self::Base32 | Self::Base32Hex => byte.to_ascii_uppercase(),
            Self::Base64 | Self::Base64Url => byte,
        };
        let index = self.digits().iter().position(|digit| *digit == byte)?;
        u32::try_from(index).ok()
    }
}

/// Decodes up to the first byte that belongs neither to the alphabet nor to white space; such
/// bytes are skipped when `lenient`. Padding ends a group, and another text may follow.
pub(crate) fn decode(text: &[u8], alphabet: Alphabet, lenient: bool) -> Vec<u8> {
    let (width, _) = alphabet.shape();
    let mut out = Vec::with_capacity(text.len());
    let mut buffer = 0_u32;
    let mut bits = 0;
    for byte in text {
        if *byte == b'=' {
            buffer = 0;
            bits = 0;
            continue;
        }
        let Some(digit) = alphabet.digit(*byte) else {
            if lenient || byte.is_ascii_whitespace() {
                continue;
            }
            break;
        };
        buffer = (buffer << width) | digit;
        bits += width;
        if bits >= 8 {
            bits -= 8;
            out.push(u8::try_from((buffer >> bits) & 0xff).unwrap_or(0));
            buffer &= (1 << bits) - 1;
        }
    }
    out
}

/// Encodes, with a line end after each `wrap` digits (0: none).
pub(crate) fn encode(bytes: &[u8], alphabet: Alphabet, wrap: usize) -> Vec<u8> {
    let (width, group) = alphabet.shape();
    let digits = alphabet.digits();
    let mut text = Vec::with_capacity(bytes.len() * 2);
    let mut buffer = 0_u32;
    let mut bits = 0;
    let push = |text: &mut Vec<u8>, value: u32| {
        let digit = usize::try_from(value).ok().and_then(|at| digits.get(at));
        text.push(digit.copied().unwrap_or(b'='));
    };
    for byte in bytes {
        buffer = (buffer << 8) | u32::from(*byte);
        bits += 8;
        while bits >= width {
            bits -= width;
            push(&mut text, (buffer >> bits) & ((1 << width) - 1));
            buffer &= (1 << bits) - 1;
        }
    }
    if bits > 0 {
        push(&mut text, (buffer << (width - bits)) & ((1 << width) - 1));
    }
    while !text.len().is_multiple_of(group) {
        text.push(b'=');
    }
    if wrap == 0 || text.is_empty() {
        return text;
    }
    let mut out = Vec::with_capacity(text.len() + text.len() / wrap + 1);
    for line in text.chunks(wrap) {
        out.extend_from_slice(line);
        out.push(b'\n');
    }
    out
}

/// Pairs of hexadecimal digits; everything else between them is skipped.
pub(crate) fn unhex(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len() / 2);
    let mut high = None;
    for byte in text {
        let Some(digit) = char::from(*byte).to_digit(16) else {
            // xxd drops the half of a byte that stands before something else.
            if !byte.is_ascii_whitespace() {
                high = None;
            }
            continue;
        };
        let digit = u8::try_from(digit).unwrap_or(0);
        match high.take() {
            Some(first) => out.push((first << 4) | digit),
            None => high = Some(digit),
        }
    }
    out
}

/// A dump as `xxd` writes it: offset, colon, digits, two blanks, text.
pub(crate) fn undump(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    for line in text.split(|byte| *byte == b'\n') {
        let digits = match line.iter().position(|byte| *byte == b':') {
            Some(colon) => line.get(colon + 1..).unwrap_or_default(),
            None => continue,
        };
        let digits = digits.trim_ascii_start();
        let end = digits
            .windows(2)
            .position(|pair| pair == b"  ")
            .unwrap_or(digits.len());
        out.extend(unhex(digits.get(..end).unwrap_or_default()));
    }
    out
}
