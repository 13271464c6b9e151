//! How a name ends that `-path` or `-regex` lets through.

use crate::value::{Piece, Value};

/// What the last component of a path matches when the whole path matches this pattern; `None` when
/// it may be any name. A `*` stands for slashes too, so only text behind it is certain.
pub(super) fn of_pattern(pattern: &[u8]) -> Option<Value> {
    if pattern.contains(&b'\\') {
        return None;
    }
    let open = pattern.iter().rposition(|byte| b"*?[]".contains(byte));
    let text = open.map_or(pattern, |at| pattern.get(at + 1..).unwrap_or_default());
    ending(text, open.is_none())
}

/// The same for a regular expression, of which plain text at the end is read.
pub(super) fn of_regex(regex: &[u8]) -> Option<Value> {
    if regex.contains(&b'|') {
        return None;
    }
    let regex = regex.strip_suffix(b"$").unwrap_or(regex);
    let mut text = Vec::new();
    let mut at = regex.len();
    while let Some(byte) = at.checked_sub(1).and_then(|last| regex.get(last)) {
        let escaped = at >= 2 && regex.get(at - 2) == Some(&b'\\');
        let plain = byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'/' | b'~');
        match (escaped, byte) {
            // `\\.` is a dot or any byte behind a backslash.
            (true, b'.') if at < 3 || regex.get(at - 3) != Some(&b'\\') => {
                text.push(b'.');
                at -= 2;
            }
            (false, _) if plain => {
                text.push(*byte);
                at -= 1;
            }
            _ => break,
        }
    }
    text.reverse();
    ending(&text, at == 0)
}

/// The last component of text that a path ends in; `whole` when nothing stands in front of it.
fn ending(text: &[u8], whole: bool) -> Option<Value> {
    let slash = text.iter().rposition(|byte| *byte == b'/');
    let name = slash.map_or(text, |at| text.get(at + 1..).unwrap_or_default());
    if name.is_empty() {
        return None;
    }
    if whole || slash.is_some() {
        return Some(Value::computed(name));
    }
    Some(Value {
        pieces: vec![Piece::Glob {
            pattern: [b"*".as_slice(), name].concat(),
            at: None,
        }],
        decoded: false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(value: Option<Value>) -> Option<Vec<u8>> {
        value.and_then(|value| value.bytes().map(std::borrow::Cow::into_owned))
    }

    #[test]
    fn a_pattern_says_how_the_name_ends() {
        let cases: &[(&[u8], Option<&[u8]>)] = &[
            (b"*.log", Some(b"*.log")),
            (b"*/a/*.log", Some(b"*.log")),
            (b"*/node_modules", Some(b"node_modules")),
            (b"./a/core", Some(b"core")),
            (b"*/build/*", None),
            (b"*/build/", None),
            (b"*[0-9]", None),
            (b"*\\*x", None),
        ];
        for (pattern, name) in cases {
            assert_eq!(text(of_pattern(pattern)).as_deref(), *name, "{pattern:?}");
        }
    }

    #[test]
    fn an_expression_says_how_the_name_ends() {
        let cases: &[(&[u8], Option<&[u8]>)] = &[
            (b".*\\.bak", Some(b"*.bak")),
            (b".+-[0-9]+\\.jpg$", Some(b"*.jpg")),
            (b".*/core", Some(b"core")),
            (b".*", None),
            (b".*x*", None),
            (b".*\\w", None),
            (b".*\\\\.", None),
            (b"a|.*\\.bak", None),
            (b".*\\(a\\|b\\)", None),
        ];
        for (regex, name) in cases {
            assert_eq!(text(of_regex(regex)).as_deref(), *name, "{regex:?}");
        }
    }
}
