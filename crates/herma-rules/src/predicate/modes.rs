//! Permissions.

use crate::matching::Subject;

/// The mode lets others write.
pub(crate) fn world_writable(subject: &Subject<'_>) -> bool {
    mode(subject).is_some_and(others_write)
}

/// The mode sets a setuid or setgid bit.
pub(crate) fn setuid_mode(subject: &Subject<'_>) -> bool {
    mode(subject).is_some_and(|mode| match octal(mode) {
        Some(value) => value & 0o6000 != 0,
        None => clauses(mode).any(|(_, add, bits)| add && bits.contains(&b's')),
    })
}

/// An option of `install` or `mkdir` lets others write.
pub(crate) fn world_writable_option(subject: &Subject<'_>) -> bool {
    subject
        .arguments
        .values(&["-m", "--mode"])
        .any(others_write)
}

/// An access list lets everybody write.
pub(crate) fn open_acl(subject: &Subject<'_>) -> bool {
    subject
        .arguments
        .values(&["-m", "--modify", "--set"])
        .flat_map(|entries| entries.split(|byte| *byte == b','))
        .any(|entry| {
            let entry = entry
                .strip_prefix(b"d:")
                .or(entry.strip_prefix(b"default:"))
                .unwrap_or(entry);
            let others = [b"o::".as_slice(), b"o:", b"other::", b"other:"]
                .iter()
                .find_map(|start| entry.strip_prefix(*start));
            others.is_some_and(|bits| {
                bits.contains(&b'w') || matches!(bits, [b'2' | b'3' | b'6' | b'7'])
            })
        })
}

fn mode<'a>(subject: &Subject<'a>) -> Option<&'a [u8]> {
    let index = *subject.arguments.operands.first()?;
    subject.arguments.words.get(index)?.as_deref()
}

fn others_write(mode: &[u8]) -> bool {
    match octal(mode) {
        Some(value) => value & 0o2 != 0,
        None => clauses(mode).any(|(who, add, bits)| {
            add && who.iter().any(|byte| matches!(byte, b'o' | b'a'))
                && bits.iter().any(|byte| matches!(byte, b'w' | b'u' | b'g'))
        }),
    }
}

fn octal(mode: &[u8]) -> Option<u32> {
    let mode = mode
        .strip_prefix(b"=")
        .or(mode.strip_prefix(b"+"))
        .unwrap_or(mode);
    if mode.is_empty() || mode.len() > 8 || !mode.iter().all(|byte| matches!(byte, b'0'..=b'7')) {
        return None;
    }
    Some(
        mode.iter()
            .fold(0, |value, byte| value * 8 + u32::from(byte - b'0')),
    )
}

/// Symbolic clauses: who, whether bits are given, which.
fn clauses(mode: &[u8]) -> impl Iterator<Item = (&[u8], bool, &[u8])> {
    mode.split(|byte| *byte == b',').flat_map(|clause| {
        let end = clause
            .iter()
            .position(|byte| matches!(byte, b'+' | b'-' | b'='))
            .unwrap_or(clause.len());
        let (who, rest) = clause.split_at(end);
        let mut out = Vec::new();
        let mut start = 0;
        while let Some(operator) = rest.get(start) {
            let bits = rest.get(start + 1..).unwrap_or_default();
            let length = bits
                .iter()
                .position(|byte| matches!(byte, b'+' | b'-' | b'='))
                .unwrap_or(bits.len());
            out.push((
                who,
                *operator != b'-',
                bits.get(..length).unwrap_or_default(),
            ));
            start += length + 1;
        }
        out
    })
}

#[cfg(test)]
mod tests {
    use super::others_write;

    #[test]
    fn modes_that_let_others_write_are_seen_in_every_spelling() {
        for mode in [
            "777",
            "0777",
            "o+w",
            "a+rwx",
            "ugo+rwx",
            "a=rwx",
            "o=rw",
            "u+x,o+w",
            "1777",
            "g-w+x,o+rw",
        ] {
            assert!(others_write(mode.as_bytes()), "{mode}");
        }
        for mode in [
            "755",
            "0644",
            "u+w",
            "g+w",
            "o-w",
            "+x",
            "o=r",
            "a-w",
            "u=rwx,go=rx",
            "1755",
        ] {
            assert!(!others_write(mode.as_bytes()), "{mode}");
        }
    }
}
