//! The second reading of a text: as a person sees it, or as a careless program folds it.
//!
//! Terminal sequences and NUL bytes are dropped and compatibility forms (full-width letters,
//! ideographic blanks) folded, so that `ｒｍ` is judged as the `rm` that it imitates.

use herma_shell::{Source, Span};
use unicode_normalization::UnicodeNormalization as _;

/// The text without terminal sequences and NUL, compatibility forms folded; `None` when that
/// changes nothing.
pub(crate) fn normalised(text: &[u8]) -> Option<Source> {
    if !text
        .iter()
        .any(|byte| *byte == 0 || *byte == 0x1b || *byte >= 0x80)
    {
        return None;
    }
    let mut source = Source::builder();
    let mut changed = false;
    let mut kept = 0;
    let mut open = 0;
    let mut at = 0;
    while at < text.len() {
        let rest = text.get(at..).unwrap_or_default();
        let step = step(rest, at, &mut open);
        if let Step::Keep(length) = step {
            at += length;
            continue;
        }
        changed = true;
        source.push(text.get(kept..at).unwrap_or_default(), offset(kept));
        at += match step {
            Step::Keep(length) | Step::Drop(length) => length,
            Step::Fold(length, folded) => {
                source.push_fixed(
                    folded.as_bytes(),
                    Span::new(offset(at), offset(at + length)),
                );
                length
            }
        };
        kept = at;
    }
    source.push(text.get(kept..).unwrap_or_default(), offset(kept));
    changed.then_some(source)
}

enum Step {
    Keep(usize),
    Drop(usize),
    Fold(usize, String),
}

/// What happens with the bytes at `at`. Control strings that start in front of `open` have no end.
fn step(rest: &[u8], at: usize, open: &mut usize) -> Step {
    match rest {
        [0, ..] => Step::Drop(1),
        [0x1b, ..] => Step::Drop(escape(rest, at, open)),
        [byte, ..] if *byte < 0x80 => Step::Keep(1),
        _ => match first_char(rest) {
            Some(char @ '\u{80}'..='\u{9f}') => Step::Drop(control(char as u32, rest, 2, at, open)),
            Some(char) => fold(char),
            // C1 controls as single bytes.
            None => match rest {
                [byte @ 0x80..=0x9f, ..] => {
                    Step::Drop(control(u32::from(*byte), rest, 1, at, open))
                }
                _ => Step::Keep(1),
            },
        },
    }
}

fn fold(char: char) -> Step {
    let length = char.len_utf8();
    if is_invisible(char) {
        return Step::Drop(length);
    }
    let mut folded = char.nfkc();
    if folded.next() == Some(char) && folded.next().is_none() {
        return Step::Keep(length);
    }
    Step::Fold(length, char.nfkc().collect())
}

/// Characters that take no place on the screen.
fn is_invisible(char: char) -> bool {
    matches!(
        char,
        '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2064}'
            | '\u{2066}'..='\u{2069}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}'
    )
}

fn first_char(bytes: &[u8]) -> Option<char> {
    let bytes = bytes.get(..4).unwrap_or(bytes);
    bytes.utf8_chunks().next()?.valid().chars().next()
}

/// The length of the sequence that starts with ESC.
fn escape(rest: &[u8], at: usize, open: &mut usize) -> usize {
    match rest.get(1) {
        Some(b'[') => csi(rest, 2),
        Some(b']' | b'P' | b'X' | b'^' | b'_') => string(rest, 2, at, open),
        Some(0x20..=0x2f) => {
            let run = rest
                .iter()
                .skip(1)
                .take_while(|byte| matches!(byte, 0x20..=0x2f))
                .count();
            match rest.get(1 + run) {
                Some(0x30..=0x7e) => run + 2,
                _ => 1,
            }
        }
        Some(0x30..=0x7e) => 2,
        _ => 1,
    }
}

/// The length of the sequence that a C1 control of `width` bytes starts.
fn control(code: u32, rest: &[u8], width: usize, at: usize, open: &mut usize) -> usize {
    match code {
        0x9b => csi(rest, width),
        0x90 | 0x98 | 0x9d..=0x9f => string(rest, width, at, open),
        _ => width,
    }
}

/// A control sequence: parameters, intermediates, one final byte.
fn csi(rest: &[u8], start: usize) -> usize {
    let body = rest
        .iter()
        .skip(start)
        .take_while(|byte| matches!(byte, 0x20..=0x3f))
        .count();
    match rest.get(start + body) {
        Some(0x40..=0x7e) => start + body + 1,
        _ => start,
    }
}

/// A control string up to its terminator; only its introducer when none follows, so that an open
/// string hides nothing. What was searched in vain is not searched again, to stay linear.
fn string(rest: &[u8], start: usize, at: usize, open: &mut usize) -> usize {
    if at < *open {
        return start;
    }
    let mut length = start;
    loop {
        match rest.get(length..).unwrap_or_default() {
            [0x07, ..] => return length + 1,
            [0x1b, b'\\', ..] | [0xc2, 0x9c, ..] => return length + 2,
            [b'\n' | 0x1b, ..] | [] => {
                *open = at + length;
                return start;
            }
            _ => length += 1,
        }
    }
}

fn offset(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::normalised;

    fn view(text: &[u8]) -> Option<Vec<u8>> {
        normalised(text).map(|source| source.bytes().to_vec())
    }

    #[test]
    fn plain_text_has_no_second_reading() {
        assert_eq!(view(b"rm -rf x"), None);
        assert_eq!(view("echo naïve 日本".as_bytes()), None);
    }

    #[test]
    fn full_width_letters_and_blanks_fold() {
        assert_eq!(view("ｒｍ　-ｒｆ　／".as_bytes()).unwrap(), b"rm -rf /");
    }

    #[test]
    fn terminal_sequences_of_every_kind_are_dropped() {
        assert_eq!(view(b"\x1b[0mrm\x1b[1;31m x").unwrap(), b"rm x");
        assert_eq!(view(b"a\x1b]0;title\x07b\x1b]8;;u\x1b\\c").unwrap(), b"abc");
        assert_eq!(
            view(b"a\x1bPq\x1b\\b\x1b(Bc\x1b=d\x1bce").unwrap(),
            b"abcde"
        );
        assert_eq!(
            view("\u{9b}31mreboot\u{9b}0m".as_bytes()).unwrap(),
            b"reboot"
        );
        assert_eq!(view(b"\x9b31mreboot").unwrap(), b"reboot");
    }

    #[test]
    fn an_open_control_string_hides_nothing() {
        assert_eq!(view(b"\x1b]0;x\nreboot").unwrap(), b"0;x\nreboot");
    }

    #[test]
    fn nul_and_invisible_characters_are_dropped() {
        assert_eq!(view(b"re\0boot").unwrap(), b"reboot");
        assert_eq!(view("re\u{200b}boot".as_bytes()).unwrap(), b"reboot");
    }

    #[test]
    fn spans_point_into_the_given_text() {
        let source = normalised("\u{9b}0mｒｍ x".as_bytes()).unwrap();
        assert_eq!(source.bytes(), b"rm x");
        let span = source.span(0, 2);
        assert_eq!((span.start, span.end), (4, 8));
    }
}
