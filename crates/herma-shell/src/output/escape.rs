//! Backslash escapes of `echo` and `printf`.

use crate::utf8;

/// Which program reads the escape.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    /// `echo -e`, `%b`: octal as `\0NNN`, and `\c` ends the output.
    Echo,
    /// The format of `printf`: octal as `\NNN`.
    Format,
}

/// What an escape stands for.
pub(crate) enum Escape {
    /// These bytes.
    Bytes {
        /// The bytes.
        bytes: Vec<u8>,
        /// They stand for characters by number, so that letters are hidden.
        hides: bool,
    },
    /// Ends all output.
    Stop,
}

/// Reads the escape behind a backslash: what it stands for and how many bytes it takes (without
/// the backslash). `None` when the backslash stands for itself.
pub(crate) fn escape(rest: &[u8], style: Style) -> Option<(Escape, usize)> {
    let plain = |byte: u8| {
        Some((
            Escape::Bytes {
                bytes: vec![byte],
                hides: false,
            },
            1,
        ))
    };
    match *rest.first()? {
        b'a' => plain(7),
        b'b' => plain(8),
        b'e' | b'E' => plain(27),
        b'f' => plain(12),
        b'n' => plain(b'\n'),
        b'r' => plain(b'\r'),
        b't' => plain(b'\t'),
        b'v' => plain(11),
        b'\\' => plain(b'\\'),
        quote @ (b'"' | b'\'' | b'?') if style == Style::Format => plain(quote),
        b'c' if style == Style::Echo => Some((Escape::Stop, 1)),
        b'0' if style == Style::Echo => {
            let (number, digits) = digits(rest.get(1..)?, 8, 3);
            by_number(vec![low_byte(number)], digits + 1)
        }
        b'0'..=b'7' => {
            let (number, digits) = digits(rest, 8, 3);
            by_number(vec![low_byte(number)], digits)
        }
        b'x' => {
            let (number, digits) = digits(rest.get(1..)?, 16, 2);
            (digits > 0).then(|| by_number(vec![low_byte(number)], digits + 1))?
        }
        letter @ (b'u' | b'U') => {
            let (number, digits) = digits(rest.get(1..)?, 16, if letter == b'u' { 4 } else { 8 });
            (digits > 0).then(|| by_number(utf8::encode(number), digits + 1))?
        }
        _ => None,
    }
}

fn by_number(bytes: Vec<u8>, length: usize) -> Option<(Escape, usize)> {
    Some((Escape::Bytes { bytes, hides: true }, length))
}

/// The number in front of `rest` and how many digits it has.
fn digits(rest: &[u8], base: u32, most: usize) -> (u32, usize) {
    let mut number = 0_u32;
    let mut count = 0;
    for byte in rest.iter().take(most) {
        let Some(digit) = char::from(*byte).to_digit(base) else {
            break;
        };
        number = number.wrapping_mul(base).wrapping_add(digit);
        count += 1;
    }
    (number, count)
}

fn low_byte(number: u32) -> u8 {
    u8::try_from(number & 0xff).unwrap_or_default()
}
