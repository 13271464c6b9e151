//! Under which names the rules know an execution's program.

use std::borrow::Cow;

use herma_shell::path::PROGRAM_DIRECTORIES;
use herma_shell::path::base_name;
use herma_shell::{Execution, Kind};

use crate::pack;

/// Programs of floors that are known by their effects.
const PROGRAMS_OF_FLOORS: &[&str] = &[
    "rm",
    "dd",
    "cp",
    "mv",
    "tee",
    "find",
    "shred",
    "mkfs",
    "mke2fs",
    "mkswap",
    "newfs",
    "wipefs",
    "sgdisk",
    "parted",
    "blkdiscard",
    "cryptsetup",
    "rsync",
    "truncate",
    "install",
];

/// A name, and whether the program is certainly the one that has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Name<'a> {
    /// The name in the packs' spelling.
    pub(crate) base: Cow<'a, str>,
    /// False for another directory, or a Unix name in other letters.
    pub(crate) certain: bool,
    /// The name is not the last component as written.
    pub(crate) respelled: bool,
}

/// The names of the execution's program: usually one, none when it cannot be known, several when a
/// pattern stands for it.
pub(crate) fn names<'a>(execution: &'a Execution) -> Vec<Name<'a>> {
    let Some(word) = execution.argv.first() else {
        return Vec::new();
    };
    let Some(bytes) = word.value.bytes() else {
        return Vec::new();
    };
    let slash = bytes.iter().rposition(|byte| *byte == b'/');
    let certain = execution.kind == Kind::Call
        || slash.is_none_or(|at| is_system(bytes.get(..at).unwrap_or_default(), execution));
    // Only the base is text to the rules: directories are any bytes.
    let from = slash.map_or(0, |at| at + 1);
    let base = bytes.get(from..).unwrap_or_default();
    if word.value.has_glob() && has_pattern(base) {
        return matched(base, certain);
    }
    let base = match bytes {
        Cow::Borrowed(bytes) => std::str::from_utf8(bytes.get(from..).unwrap_or_default())
            .ok()
            .map(Cow::Borrowed),
        Cow::Owned(_) => std::str::from_utf8(base)
            .ok()
            .map(|base| Cow::Owned(base.to_owned())),
    };
    match base {
        Some(base) => vec![spelled(base, certain)],
        // No rule has such a name, so it is a program like any that is not known.
        None => vec![Name {
            base: Cow::Borrowed("\u{fffd}"),
            certain: false,
            respelled: false,
        }],
    }
}

/// Whether a pattern stands for the program's name.
pub(crate) fn is_pattern(execution: &Execution) -> bool {
    execution
        .argv
        .first()
        .is_some_and(|arg| arg.value.has_glob())
}

/// The known Unix programs whose names the pattern matches. Of many none is certain.
fn matched<'a>(base: &[u8], certain: bool) -> Vec<Name<'a>> {
    let unix = |name: &&str| pack::syntax(name).is_none_or(|syntax| !syntax.caseless);
    let others = pack::all_names()
        .filter(|name| !PROGRAMS_OF_FLOORS.contains(name))
        .filter(unix);
    let names: Vec<&'static str> = PROGRAMS_OF_FLOORS
        .iter()
        .copied()
        .chain(others)
        .filter(|name| pattern_matches(base, name.as_bytes()))
        .collect();
    let certain = certain && names.len() <= 3;
    names
        .into_iter()
        .map(|name| Name {
            base: Cow::Borrowed(name),
            certain,
            respelled: true,
        })
        .collect()
}

/// Programs that run what they are given.
const CARRIERS: &[&str] = &[
    "sh", "bash", "dash", "zsh", "ksh", "fish", "env", "xargs", "eval", "exec", "nohup", "timeout",
    "nice", "python", "python3", "perl", "ruby", "node", "php", "awk", "busybox", "chroot", "ssh",
];

/// Whether the name is a carrier's in other letters: some file systems take it for the carrier,
/// and then what it is given runs unread.
pub(crate) fn is_respelled_carrier(execution: &Execution) -> bool {
    let Some(name) = execution.argv.first().and_then(|arg| arg.value.bytes()) else {
        return false;
    };
    let base = base_name(&name);
    base.iter().any(u8::is_ascii_uppercase)
        && CARRIERS
            .iter()
            .any(|own| own.as_bytes().eq_ignore_ascii_case(base))
}

fn spelled(base: Cow<'_, str>, certain: bool) -> Name<'_> {
    let known = |name: &str| {
        pack::names(name) || PROGRAMS_OF_FLOORS.contains(&name) || name.starts_with("mkfs.")
    };
    if known(&base)
        || !base
            .bytes()
            .any(|byte| byte.is_ascii_uppercase() || byte == b'.')
    {
        return Name {
            base,
            certain,
            respelled: false,
        };
    }
    let lower = base.to_ascii_lowercase();
    let (lower, windows) = match lower.strip_suffix(".exe") {
        Some(stem) => (stem.to_owned(), true),
        None => (lower, false),
    };
    if !known(&lower) {
        return Name {
            base,
            certain,
            respelled: false,
        };
    }
    let caseless = windows || pack::syntax(&lower).is_some_and(|syntax| syntax.caseless);
    Name {
        base: Cow::Owned(lower),
        certain: certain && caseless,
        respelled: true,
    }
}

/// Whether the directory is one of the system's, seen from where the execution runs.
fn is_system(directory: &[u8], execution: &Execution) -> bool {
    let mut path = Vec::new();
    if !directory.is_empty() && !directory.starts_with(b"/") {
        match execution.cwd.bytes() {
            Some(cwd) => path.extend_from_slice(&cwd),
            None => return false,
        }
        path.push(b'/');
    }
    path.extend_from_slice(directory);
    let mut clean: Vec<&[u8]> = Vec::new();
    for part in path.split(|byte| *byte == b'/') {
        match part {
            b"" | b"." => {}
            b".." => {
                clean.pop();
            }
            part => clean.push(part),
        }
    }
    PROGRAM_DIRECTORIES.iter().any(|system| {
        let mut own = system.split(|byte| *byte == b'/').skip(1);
        let mut given = clean.iter();
        loop {
            match (own.next(), given.next()) {
                (None, None) => return true,
                (Some(own), Some(given)) if pattern_matches(given, own) => {}
                _ => return false,
            }
        }
    })
}

fn has_pattern(base: &[u8]) -> bool {
    base.iter().any(|byte| b"*?[".contains(byte)) && base.iter().any(u8::is_ascii_alphanumeric)
}

/// The shell's patterns without extensions: `*`, `?`, `[a-z]`, `[!a]`.
fn pattern_matches(pattern: &[u8], text: &[u8]) -> bool {
    let (mut p, mut t) = (0, 0);
    let mut retry: Option<(usize, usize)> = None;
    while let Some(byte) = text.get(t) {
        let step = match pattern.get(p) {
            Some(b'*') => {
                p += 1;
                retry = Some((p, t));
                continue;
            }
            Some(b'?') => Some(1),
            Some(b'[') => class(pattern.get(p..).unwrap_or_default(), *byte),
            Some(own) if own == byte => Some(1),
            _ => None,
        };
        match (step, retry) {
            (Some(step), _) => {
                p += step;
                t += 1;
            }
            (None, Some((at_pattern, at_text))) => {
                retry = Some((at_pattern, at_text + 1));
                p = at_pattern;
                t = at_text + 1;
            }
            (None, None) => return false,
        }
    }
    pattern
        .get(p..)
        .is_some_and(|rest| rest.iter().all(|byte| *byte == b'*'))
}

/// The length of the class at the start of the pattern when the byte is in it.
fn class(pattern: &[u8], byte: u8) -> Option<usize> {
    let negated = matches!(pattern.get(1), Some(b'!' | b'^'));
    let first = if negated { 2 } else { 1 };
    let length = pattern
        .iter()
        .skip(first + 1)
        .position(|own| *own == b']')?
        + first
        + 1;
    let members = pattern.get(first..length)?;
    let mut inside = false;
    let mut at = 0;
    while let Some(low) = members.get(at) {
        match (members.get(at + 1), members.get(at + 2)) {
            (Some(b'-'), Some(high)) => {
                inside |= (*low..=*high).contains(&byte);
                at += 3;
            }
            _ => {
                inside |= *low == byte;
                at += 1;
            }
        }
    }
    (inside != negated).then_some(length + 1)
}

#[cfg(test)]
mod tests {
    use super::pattern_matches;

    #[test]
    fn patterns_match_as_the_shell_matches_names() {
        assert!(pattern_matches(b"???", b"bin"));
        assert!(pattern_matches(b"r[l-n]", b"rm"));
        assert!(!pattern_matches(b"r[!l-n]", b"rm"));
        assert!(pattern_matches(b"sh*n", b"shutdown"));
        assert!(!pattern_matches(b"r?", b"r"));
        assert!(pattern_matches(b"[]r]m", b"rm"));
    }
}
