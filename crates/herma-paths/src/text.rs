//! What can be said of a path as bytes, before anything is looked up.

use crate::Refusal;

/// Longest path, in bytes.
pub const MAX_PATH: usize = 4095;

/// Longest component, in bytes.
pub const MAX_NAME: usize = 255;

/// Whether any component is exactly `..`. A quick look: nothing is decoded or resolved.
#[must_use]
pub fn has_traversal(path: &[u8]) -> bool {
    path.split(|byte| *byte == b'/')
        .any(|component| component == b"..")
}

/// Refuses what is no path of this system or imitates another one when it is printed, decoded or
/// handed on. Nothing is decoded, folded or expanded.
///
/// # Errors
/// What is wrong with the text.
pub fn check_text(path: &[u8]) -> Result<(), Refusal> {
    if path.is_empty() {
        return Err(Refusal::Empty);
    }
    if path.len() > MAX_PATH {
        return Err(Refusal::PathTooLong);
    }
    characters(path)?;
    if path
        .get(..5)
        .is_some_and(|scheme| scheme.eq_ignore_ascii_case(b"file:"))
    {
        return Err(Refusal::FileScheme);
    }
    if is_windows(path) {
        return Err(Refusal::Windows);
    }
    for component in path.split(|byte| *byte == b'/') {
        if component.len() > MAX_NAME {
            return Err(Refusal::NameTooLong);
        }
        if component.contains(&b'\\')
            && component
                .split(|byte| *byte == b'\\')
                .any(|piece| piece == b"..")
        {
            return Err(Refusal::BackslashTraversal);
        }
    }
    Ok(())
}

/// Refuses characters that forge lines, terminal sequences or another order of letters. Their
/// encodings are looked for as bytes, so a path need not be UTF-8 as a whole.
fn characters(path: &[u8]) -> Result<(), Refusal> {
    let mut rest = path;
    while let [first, behind @ ..] = rest {
        match (*first, behind) {
            (0..=0x1f | 0x7f, _)
            // U+0080 to U+009F, NEL among them.
            | (0xc2, [0x80..=0x9f, ..])
            // U+2028 and U+2029.
            | (0xe2, [0x80, 0xa8 | 0xa9, ..]) => return Err(Refusal::Control),
            // U+202A to U+202E, U+2066 to U+2069.
            (0xe2, [0x80, 0xaa..=0xae, ..] | [0x81, 0xa6..=0xa9, ..]) => {
                return Err(Refusal::Bidirectional);
            }
            _ => rest = behind,
        }
    }
    Ok(())
}

/// Drives, shares, NT and device names, with slashes of either kind where Windows takes both.
fn is_windows(path: &[u8]) -> bool {
    let slash = |byte: &u8| matches!(byte, b'/' | b'\\');
    match path {
        [letter, b':', ..] if letter.is_ascii_alphabetic() => true,
        [b'\\', second, ..] | [second, b'\\', ..] if slash(second) => true,
        [b'/' | b'\\', b'?', b'?', end, ..] => slash(end),
        [b'/', b'/', b'.' | b'?', b'/', ..] => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_whole_component_is_a_traversal() {
        for path in ["..", "../a", "a/..", "a/../b", "/.."] {
            assert!(has_traversal(path.as_bytes()), "{path}");
        }
        for path in ["", "..a", "a..", "...", "a/..b/c", "%2e%2e/x", "\u{2025}/x"] {
            assert!(!has_traversal(path.as_bytes()), "{path}");
        }
    }

    #[test]
    fn unusual_names_are_names() {
        for path in [
            " ",
            "a ",
            "-rf",
            "*",
            "$HOME/x",
            "`id`",
            "%2e%2e/x",
            "a\\b",
            "caf\u{e9}",
            "\u{645}\u{6cc}\u{200c}\u{62e}",
            "ab:c",
            "~",
            "http://x",
        ] {
            assert_eq!(check_text(path.as_bytes()), Ok(()), "{path}");
        }
        assert_eq!(check_text(b"\xff\xfe\xe2\x80"), Ok(()));
    }

    #[test]
    fn characters_that_forge_what_is_printed_are_refused() {
        for text in [
            "\0", "\n", "\r", "\t", "\x1b[2J", "\x7f", "\u{85}", "\u{9b}", "\u{2028}", "\u{2029}",
        ] {
            let path = format!("a{text}b");
            assert_eq!(
                check_text(path.as_bytes()),
                Err(Refusal::Control),
                "{path:?}"
            );
        }
        for text in [
            '\u{202a}', '\u{202b}', '\u{202c}', '\u{202d}', '\u{202e}', '\u{2066}', '\u{2067}',
            '\u{2068}', '\u{2069}',
        ] {
            let path = format!("a{text}b");
            assert_eq!(check_text(path.as_bytes()), Err(Refusal::Bidirectional));
        }
    }

    #[test]
    fn paths_of_another_system_are_refused() {
        for path in [
            "C:\\x",
            "c:/x",
            "C:",
            "C:x",
            "\\\\h\\s",
            "//?/C:/x",
            "\\??\\C:\\x",
            "//./pipe/x",
            "\\/h/s",
            "/\\h",
        ] {
            assert_eq!(check_text(path.as_bytes()), Err(Refusal::Windows), "{path}");
        }
        for path in ["file:///x", "FILE:x"] {
            assert_eq!(check_text(path.as_bytes()), Err(Refusal::FileScheme));
        }
        for path in ["..\\x", "a\\..\\b", "a/b\\.."] {
            assert_eq!(
                check_text(path.as_bytes()),
                Err(Refusal::BackslashTraversal)
            );
        }
    }

    #[test]
    fn lengths_end_where_the_kernel_ends_them() {
        assert_eq!(check_text(&[b'a'; 255]), Ok(()));
        assert_eq!(check_text(&[b'a'; 256]), Err(Refusal::NameTooLong));
        assert_eq!(check_text("./".repeat(2047).as_bytes()), Ok(()));
        assert_eq!(
            check_text("./".repeat(2048).as_bytes()),
            Err(Refusal::PathTooLong)
        );
    }
}
