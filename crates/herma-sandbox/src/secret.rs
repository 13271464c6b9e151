//! Values that must not be handed on.

/// Whether a text holds a URL with a name and a password, `scheme://name:password@host`.
#[must_use]
pub(crate) fn has_userinfo(text: &[u8]) -> bool {
    let mut rest = text;
    while let Some(at) = rest.windows(3).position(|it| it == b"://") {
        rest = rest.get(at + 3..).unwrap_or_default();
        let end = rest
            .iter()
            .position(|it| matches!(it, b'/' | b'?' | b'#') || it.is_ascii_whitespace())
            .unwrap_or(rest.len());
        let authority = rest.get(..end).unwrap_or_default();
        if let Some(at) = authority.iter().rposition(|it| *it == b'@')
            && authority.get(..at).is_some_and(|it| it.contains(&b':'))
        {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::has_userinfo;

    #[test]
    fn passwords_in_urls_are_seen() {
        assert!(has_userinfo(b"https://me:secret@host/x"));
        assert!(has_userinfo(b"a https://x postgres://u:p%40@h:5432/db"));
        for fine in [
            "https://host/x",
            "ssh://git@host/x",
            "http://host:8080/@a:b",
            "a:b@c",
            "://",
            "",
        ] {
            assert!(!has_userinfo(fine.as_bytes()), "{fine}");
        }
    }
}
