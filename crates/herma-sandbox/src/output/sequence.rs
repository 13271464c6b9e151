//! Which control sequences a terminal gets to see.

/// What of a `CSI` sequence is passed on: those that colour, move and clear. Not those that the
/// terminal answers as if somebody typed, that print, resize or rename the window, or that set
/// modes which are not known to be harmless.
pub(super) fn is_csi_harmless(parameters: &[u8], intermediates: &[u8], last: u8) -> bool {
    let (prefix, numbers) = match parameters.split_first() {
        Some((first @ b'<'..=b'?', rest)) => (Some(*first), rest),
        _ => (None, parameters),
    };
    if numbers.iter().any(|it| matches!(it, b'<'..=b'?')) {
        return false;
    }
    match (prefix, intermediates, last) {
        // Insert, move, clear, scroll, delete, tabs, repeat.
        (
            None,
            [],
            b'@'..=b'M' | b'P' | b'S' | b'T' | b'X' | b'Z' | b'`' | b'a' | b'b' | b'd'..=b'g',
        ) => true,
        // Colours, scroll region, saved position.
        (None, [], b'm' | b'r' | b's' | b'u') => true,
        // Clearing only what is not protected.
        (Some(b'?'), [], b'J' | b'K') => true,
        (None, [], b'h' | b'l') => listed(numbers, &[4, 20]),
        (Some(b'?'), [], b'h' | b'l' | b's' | b'r') => listed(numbers, MODES),
        // The cursor's shape.
        (None, [b' '], b'q') => true,
        // A soft reset.
        (None, [b'!'], b'p') => true,
        // How keys are reported: what a person types stays what a person typed.
        (Some(b'>' | b'<' | b'='), [], b'u') => true,
        (Some(b'>'), [], b'm') => true,
        _ => false,
    }
}

/// Private modes: cursor keys, columns that wrap, cursor, mouse, focus, alternate screen, pasting,
/// drawing at once.
const MODES: &[u16] = &[
    1, 5, 6, 7, 9, 12, 25, 45, 47, 66, 1000, 1002, 1003, 1004, 1005, 1006, 1007, 1015, 1016, 1047,
    1048, 1049, 2004, 2026,
];

/// Whether every number is one of these, and there is one.
fn listed(numbers: &[u8], list: &[u16]) -> bool {
    numbers.split(|it| *it == b';').all(|number| {
        std::str::from_utf8(number)
            .ok()
            .and_then(|it| it.parse::<u16>().ok())
            .is_some_and(|it| list.contains(&it))
    })
}

/// Whether a short escape is harmless: saved position, line moves, tabs, keypad, reset, character
/// sets. Not what the terminal answers (`Z`), that changes encodings (`%`), announces controls of
/// eight bits or is not known.
pub(super) fn is_escape_harmless(intermediates: &[u8], last: u8) -> bool {
    match intermediates {
        [] => matches!(
            last,
            b'7' | b'8'
                | b'='
                | b'>'
                | b'c'
                | b'D'
                | b'E'
                | b'H'
                | b'M'
                | b'N'
                | b'O'
                | b'n'
                | b'o'
                | b'|'
                | b'}'
                | b'~'
        ),
        [b'(' | b')' | b'*' | b'+'] => matches!(last, b'0' | b'1' | b'2' | b'A' | b'B'),
        [b'#'] => matches!(last, b'3'..=b'6' | b'8'),
        _ => false,
    }
}
