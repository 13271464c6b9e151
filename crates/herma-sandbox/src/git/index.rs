//! git's index: which files are tracked, and what they looked like.

use std::collections::BTreeMap;

/// Largest index that is read, in bytes.
pub const MAX_BYTES: u64 = 64 << 20;

/// A tracked file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tracked {
    /// Seconds of the last change when git looked.
    pub seconds: u32,
    /// Bytes, modulo 2^32.
    pub size: u32,
    /// Whether git was told not to look at the file: it may hold anything.
    pub unwatched: bool,
}

/// Tracked files by their path below the working tree, `/` between names.
pub type Index = BTreeMap<Vec<u8>, Tracked>;

/// Reads an index of version 2 to 4; `None` for anything else, such as one that is torn or split.
#[must_use]
pub fn parse(bytes: &[u8]) -> Option<Index> {
    let mut reader = Reader { bytes, at: 0 };
    if reader.take(4)? != b"DIRC" {
        return None;
    }
    let version = reader.number()?;
    if !(2..=4).contains(&version) {
        return None;
    }
    let count = reader.number()?;
    let mut files = Index::new();
    let mut path: Vec<u8> = Vec::new();
    for _ in 0..count {
        let start = reader.at;
        reader.take(8)?; // ctime
        let seconds = reader.number()?;
        reader.take(24)?; // nanoseconds, device, inode, mode, user, group
        let size = reader.number()?;
        reader.take(20)?; // object name; SHA-256 repositories are not read
        let flags = reader.short()?;
        let extended = flags & 0x4000 != 0;
        let more = if extended { reader.short()? } else { 0 };
        if version == 4 {
            let kept = path.len().checked_sub(reader.offset()?)?;
            path.truncate(kept);
            path.extend_from_slice(reader.text()?);
        } else {
            path.clear();
            path.extend_from_slice(reader.text()?);
            // Entries are padded to a multiple of eight, the end of the text included.
            let used = reader.at - start;
            reader.take(used.next_multiple_of(8) - used)?;
        }
        let unwatched = flags & 0x8000 != 0 || more & 0x4000 != 0;
        files.insert(
            path.clone(),
            Tracked {
                seconds,
                size,
                unwatched,
            },
        );
    }
    // A split index keeps its entries elsewhere; a checksum of 20 bytes ends every index.
    let rest = bytes.get(reader.at..)?;
    (rest.len() >= 20 && !rest.starts_with(b"link")).then_some(files)
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let end = self.at.checked_add(length)?;
        let taken = self.bytes.get(self.at..end)?;
        self.at = end;
        Some(taken)
    }

    fn number(&mut self) -> Option<u32> {
        Some(u32::from_be_bytes(self.take(4)?.try_into().ok()?))
    }

    fn short(&mut self) -> Option<u16> {
        Some(u16::from_be_bytes(self.take(2)?.try_into().ok()?))
    }

    /// A text up to its NUL, which is passed.
    fn text(&mut self) -> Option<&'a [u8]> {
        let rest = self.bytes.get(self.at..)?;
        let end = rest.iter().position(|it| *it == 0)?;
        let text = rest.get(..end)?;
        self.at += end + 1;
        Some(text)
    }

    /// A number in groups of seven bits, as in packs.
    fn offset(&mut self) -> Option<usize> {
        let mut byte = *self.take(1)?.first()?;
        let mut value = usize::from(byte & 0x7f);
        while byte & 0x80 != 0 {
            byte = *self.take(1)?.first()?;
            value = value
                .checked_add(1)?
                .checked_mul(128)?
                .checked_add(usize::from(byte & 0x7f))?;
        }
        Some(value)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::process::Command;

    use super::*;

    fn git(directory: &Path, arguments: &[&str]) {
        let status = Command::new("git")
            .current_dir(directory)
            .args(["-c", "user.name=a", "-c", "user.email=b@c"])
            .args(arguments)
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .output()
            .unwrap();
        assert!(status.status.success(), "{arguments:?}: {status:?}");
    }

    fn index(directory: &Path) -> Index {
        parse(&std::fs::read(directory.join(".git/index")).unwrap()).unwrap()
    }

    #[test]
    fn every_version_that_git_writes_is_read() {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path();
        git(root, &["init", "-q"]);
        std::fs::create_dir_all(root.join("deep/er")).unwrap();
        let names = [
            "a",
            "deep/er/file-with-a-long-name",
            "deep/er/file-with-another",
            "deep/x",
            "z z",
        ];
        for name in names {
            std::fs::write(root.join(name), name).unwrap();
        }
        git(root, &["add", "-A"]);
        for version in ["2", "3", "4"] {
            git(root, &["update-index", "--index-version", version]);
            let index = index(root);
            let found: Vec<&[u8]> = index.keys().map(Vec::as_slice).collect();
            assert_eq!(found, names.map(str::as_bytes), "version {version}");
            assert_eq!(index[&b"deep/x"[..]].size, 6);
        }
        git(root, &["update-index", "--skip-worktree", "a"]);
        git(root, &["update-index", "--assume-unchanged", "z z"]);
        let index = index(root);
        assert!(index[&b"a"[..]].unwatched && index[&b"z z"[..]].unwatched);
        assert!(!index[&b"deep/x"[..]].unwatched);
    }

    #[test]
    fn a_torn_index_is_none() {
        let directory = tempfile::tempdir().unwrap();
        git(directory.path(), &["init", "-q"]);
        std::fs::write(directory.path().join("a"), "a").unwrap();
        git(directory.path(), &["add", "a"]);
        let bytes = std::fs::read(directory.path().join(".git/index")).unwrap();
        for end in 0..80 {
            assert_eq!(parse(&bytes[..end]), None);
        }
        assert_eq!(parse(b"DIRC\0\0\0\x05\0\0\0\0"), None);
        assert_eq!(parse(b"DIRC\0\0\0\x02\xff\xff\xff\xff"), None);
    }
}
