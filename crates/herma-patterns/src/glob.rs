//! Globs of packs and user rules: `*` stands for any bytes, everything else for itself.

/// Whether the whole text matches, with or without regard to the case of ASCII letters. One point
/// to go back to, so at most the product of the lengths.
#[must_use]
pub fn matches(pattern: &[u8], text: &[u8], caseless: bool) -> bool {
    let same = |a: u8, b: u8| a == b || (caseless && a.eq_ignore_ascii_case(&b));
    // Most texts are told from most patterns by their first bytes.
    if let (Some(a), Some(b)) = (pattern.first(), text.first())
        && *a != b'*'
        && !same(*a, *b)
    {
        return false;
    }
    let (mut p, mut t) = (0, 0);
    let mut retry: Option<(usize, usize)> = None;
    while t < text.len() {
        match (pattern.get(p), text.get(t)) {
            (Some(b'*'), _) => {
                p += 1;
                retry = Some((p, t));
            }
            (Some(a), Some(b)) if same(*a, *b) => {
                p += 1;
                t += 1;
            }
            _ => match retry {
                Some((at_pattern, at_text)) => {
                    retry = Some((at_pattern, at_text + 1));
                    p = at_pattern;
                    t = at_text + 1;
                }
                None => return false,
            },
        }
    }
    pattern
        .get(p..)
        .is_some_and(|rest| rest.iter().all(|byte| *byte == b'*'))
}

/// Whether the text holds the piece, without case.
#[must_use]
pub fn contains(text: &[u8], piece: &[u8]) -> bool {
    let Some(first) = piece.first() else {
        return true;
    };
    let (low, high) = (first.to_ascii_lowercase(), first.to_ascii_uppercase());
    text.len() >= piece.len()
        && text.windows(piece.len()).any(|window| {
            window
                .first()
                .is_some_and(|byte| *byte == low || *byte == high)
                && window.eq_ignore_ascii_case(piece)
        })
}

#[cfg(test)]
mod tests {
    use super::{contains, matches};

    #[test]
    fn a_star_stands_for_any_bytes() {
        assert!(matches(b"release/*", b"release/1.2", false));
        assert!(matches(b"*", b"", false));
        assert!(matches(b"a*b*c", b"axbxbc", false));
        assert!(!matches(b"a*b*c", b"axbxb", false));
        assert!(!matches(b"abc", b"ABC", false));
        assert!(matches(b"delete-*", b"Delete-Table", true));
    }

    #[test]
    fn pieces_are_found_without_case() {
        assert!(contains(b"db.DropDatabase()", b"dropdatabase"));
        assert!(!contains(b"dro", b"drop"));
    }

    /// By the definition, one byte after the other.
    fn means(pattern: &[u8], text: &[u8]) -> bool {
        match pattern.split_first() {
            None => text.is_empty(),
            Some((b'*', rest)) => (0..=text.len()).any(|at| means(rest, &text[at..])),
            Some((byte, rest)) => text
                .split_first()
                .is_some_and(|(first, text)| first == byte && means(rest, text)),
        }
    }

    #[test]
    fn every_short_pattern_says_what_it_means_of_every_short_text() {
        let words = |letters: &[u8], longest: u32| -> Vec<Vec<u8>> {
            let mut all = vec![Vec::new()];
            for length in 1..=longest {
                for mut number in 0..letters.len().pow(length) {
                    let mut word = Vec::new();
                    for _ in 0..length {
                        word.push(letters[number % letters.len()]);
                        number /= letters.len();
                    }
                    all.push(word);
                }
            }
            all
        };
        let texts = words(b"ab", 6);
        for pattern in words(b"ab*", 5) {
            for text in &texts {
                let found = matches(&pattern, text, false);
                assert_eq!(found, means(&pattern, text), "{pattern:?} {text:?}");
            }
        }
    }
}
