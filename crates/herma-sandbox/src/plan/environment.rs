//! The environment inside.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use super::Note;
use crate::secret::has_userinfo;

/// Variables that the profile names and that are set, without those that hold a password; and those
/// that the sandbox sets itself.
pub(super) fn environment(
    names: &[String],
    all: &[(OsString, OsString)],
    home: &Path,
    cwd: &Path,
    notes: &mut Vec<Note>,
) -> Vec<(OsString, OsString)> {
    let own = [
        ("HOME", home.as_os_str()),
        ("PWD", cwd.as_os_str()),
        ("TMPDIR", OsStr::new("/tmp")),
    ];
    let mut kept: Vec<(OsString, OsString)> = Vec::new();
    for (name, value) in all {
        let listed = names.iter().any(|it| is_named(it, name.as_bytes()));
        if !listed || own.iter().any(|(own, _)| name == own) {
            continue;
        }
        if has_userinfo(value.as_bytes()) {
            notes.push(Note::SecretVariable(name.to_string_lossy().into_owned()));
            continue;
        }
        if !kept.iter().any(|(old, _)| old == name) {
            kept.push((name.clone(), value.clone()));
        }
    }
    kept.extend(own.map(|(name, value)| (name.into(), value.to_owned())));
    kept.sort();
    kept
}

fn is_named(pattern: &str, name: &[u8]) -> bool {
    match pattern.strip_suffix('*') {
        Some(stem) => name.starts_with(stem.as_bytes()),
        None => name == pattern.as_bytes(),
    }
}
