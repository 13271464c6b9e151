//! Text that may be hostile, as something that can be printed.
//!
//! Characters that move the cursor, change the direction of writing or cannot be seen are written
//! as escapes, so that what a person reads is what the shell gets.

/// Bytes in printable form, with the place of each.
#[derive(Debug)]
pub(crate) struct Visible {
    /// The printable form.
    pub(crate) text: String,
    /// Offsets (given, printable) where a unit begins; the last is behind the end.
    map: Vec<(usize, usize)>,
}

impl Visible {
    /// Makes one line printable.
    pub(crate) fn new(bytes: &[u8]) -> Self {
        let mut text = String::with_capacity(bytes.len());
        let mut map = Vec::new();
        let mut at = 0;
        for chunk in bytes.utf8_chunks() {
            for char in chunk.valid().chars() {
                map.push((at, text.len()));
                at += char.len_utf8();
                push(&mut text, char);
            }
            for byte in chunk.invalid() {
                map.push((at, text.len()));
                at += 1;
                text.push_str(&format!("\\x{byte:02x}"));
            }
        }
        map.push((at, text.len()));
        Self { text, map }
    }

    /// Where the unit that holds the given offset begins in the printable form.
    pub(crate) fn at(&self, offset: usize) -> usize {
        let index = self.map.partition_point(|(given, _)| *given <= offset);
        index
            .checked_sub(1)
            .and_then(|index| self.map.get(index))
            .map_or(0, |(_, shown)| *shown)
    }

    /// Where the unit that ends at or behind the given offset ends in the printable form.
    pub(crate) fn end(&self, offset: usize) -> usize {
        let index = self.map.partition_point(|(given, _)| *given < offset);
        self.map
            .get(index)
            .map_or(self.text.len(), |(_, shown)| *shown)
    }
}

/// Bytes on one line in printable form.
pub(crate) fn line(bytes: &[u8]) -> String {
    Visible::new(bytes).text
}

/// Characters of a text that stands beside others.
const SHORT: usize = 120;

/// Bytes on one line in printable form, cut to a readable length.
pub(crate) fn short(bytes: &[u8]) -> String {
    clipped(&line(
        bytes.get(..bytes.len().min(4 * SHORT)).unwrap_or(bytes),
    ))
}

/// Text cut to a readable length.
pub(crate) fn clipped(text: &str) -> String {
    match text.char_indices().nth(SHORT) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

fn push(text: &mut String, char: char) {
    match char {
        '\n' => text.push_str("\\n"),
        '\r' => text.push_str("\\r"),
        '\t' => text.push_str("\\t"),
        '\0'..='\u{1f}' | '\u{7f}' => text.push_str(&format!("\\x{:02x}", u32::from(char))),
        char if is_invisible(char) => text.push_str(&format!("\\u{{{:x}}}", u32::from(char))),
        char => text.push(char),
    }
}

/// Whether a character cannot be seen, or changes how others are seen.
pub(crate) fn is_invisible(char: char) -> bool {
    char.is_control()
        || matches!(char,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{2800}' | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}' | '\u{ffa0}'
            | '\u{fff0}'..='\u{fffb}'
            | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}'
            | '\u{e000}'..='\u{f8ff}'
            | '\u{f0000}'..='\u{10ffff}')
        // Spaces that are no separators for the shell look as if they were.
        || (char.is_whitespace() && char != ' ')
}

#[cfg(test)]
mod tests {
    use super::{Visible, line};

    #[test]
    fn plain_text_stays() {
        assert_eq!(line("rm -rf ./ü 猫".as_bytes()), "rm -rf ./ü 猫");
    }

    #[test]
    fn what_cannot_be_seen_is_escaped() {
        assert_eq!(line(b"a\x1b[2Jb\r\n\tc\0"), "a\\x1b[2Jb\\r\\n\\tc\\x00");
        assert_eq!(
            line("a\u{202e}b\u{200b}c\u{a0}d".as_bytes()),
            "a\\u{202e}b\\u{200b}c\\u{a0}d"
        );
        assert_eq!(line("\u{e0041}\u{85}".as_bytes()), "\\u{e0041}\\u{85}");
        assert_eq!(line(b"a\xffb"), "a\\xffb");
    }

    #[test]
    fn offsets_follow_the_escapes() {
        let shown = Visible::new("a\u{1b}ü rm".as_bytes());
        assert_eq!(shown.text, "a\\x1bü rm");
        assert_eq!((shown.at(0), shown.end(1)), (0, 1));
        assert_eq!((shown.at(1), shown.end(2)), (1, 5));
        assert_eq!((shown.at(5), shown.end(7)), (8, 10));
        assert_eq!(shown.end(99), 10);
        // In the middle of a character: the whole character.
        assert_eq!((shown.at(3), shown.end(3)), (5, 7));
    }
}
