//! What is handed in: words, standard input, directories.

use std::ffi::{OsStr, OsString};
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use herma_shell::spelling::quoted;

/// Bytes of text that are read; the analyser refuses less than that.
pub(crate) const TEXT_LIMIT: u64 = 16 << 20;

/// A word's bytes.
pub(crate) fn bytes(word: &OsStr) -> Vec<u8> {
    word.as_bytes().to_vec()
}

/// Bytes as a path.
pub(crate) fn path(bytes: &[u8]) -> PathBuf {
    PathBuf::from(OsStr::from_bytes(bytes))
}

/// One word is shell text. Several are a program with its arguments, as the calling shell has
/// split them: they are quoted where they need it.
pub(crate) fn command(words: &[OsString]) -> Vec<u8> {
    if let [text] = words {
        return bytes(text);
    }
    let words: Vec<Vec<u8>> = words.iter().map(|word| quoted(word.as_bytes())).collect();
    words.join(&b' ')
}

/// All of standard input.
pub(crate) fn standard_input() -> anyhow::Result<Vec<u8>> {
    limited(std::io::stdin().lock(), TEXT_LIMIT).context("cannot read standard input")
}

/// All of a reader, up to a limit.
pub(crate) fn limited(reader: impl Read, limit: u64) -> anyhow::Result<Vec<u8>> {
    let mut content = Vec::new();
    reader
        .take(limit.saturating_add(1))
        .read_to_end(&mut content)?;
    if u64::try_from(content.len()).unwrap_or(u64::MAX) > limit {
        bail!("it is longer than {limit} bytes");
    }
    Ok(content)
}

/// The directory given, else this process's; absolute.
pub(crate) fn directory(given: Option<&Path>) -> anyhow::Result<Vec<u8>> {
    let current = || {
        std::env::current_dir()
            .context("cannot tell the current directory; name one with --cwd DIR")
    };
    let path = match given {
        Some(path) if path.is_absolute() => path.to_owned(),
        Some(path) => current()?.join(path),
        None => current()?,
    };
    Ok(herma_shell::path::normal(path.as_os_str().as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_word_is_text_and_several_are_quoted() {
        let command = |words: &[&str]| {
            let words: Vec<OsString> = words.iter().map(OsString::from).collect();
            String::from_utf8(command(&words)).expect("UTF-8")
        };
        assert_eq!(command(&["echo a | sh"]), "echo a | sh");
        assert_eq!(command(&["rm", "-rf", "/"]), "rm -rf /");
        assert_eq!(
            command(&["sh", "-c", "rm -rf '/'"]),
            "sh -c 'rm -rf '\\''/'\\'''"
        );
        assert_eq!(command(&["A=1", "", "*"]), "'A=1' '' '*'");
    }

    #[test]
    fn a_directory_has_one_spelling() {
        for (path, expected) in [
            ("/", "/"),
            ("/home/dev/proj/", "/home/dev/proj"),
            ("/home//dev/./proj", "/home/dev/proj"),
            ("/home/dev/../x", "/home/x"),
            ("/../..", "/"),
        ] {
            assert_eq!(
                herma_shell::path::normal(path.as_bytes()),
                expected.as_bytes()
            );
        }
    }

    #[test]
    fn what_is_too_long_is_refused() {
        assert!(limited(&b"123"[..], 3).is_ok());
        assert!(limited(&b"1234"[..], 3).is_err());
    }
}
