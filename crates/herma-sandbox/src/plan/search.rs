//! The bounded search for files that matter by their names.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use super::place::{Kind, Tree};

/// Most directories that are listed in one tree.
pub(super) const MAX_DIRECTORIES: usize = 2048;

/// Most names that are looked at in one tree.
pub(super) const MAX_NAMES: usize = 32_768;

/// Directories below this depth are not listed.
pub(super) const MAX_DEPTH: usize = 12;

/// Directories that are made again, or are somebody's package: nothing in them is looked at.
const PASSED: &[&str] = &[
    ".git",
    ".gradle",
    ".hg",
    ".mypy_cache",
    ".next",
    ".nuxt",
    ".parcel-cache",
    ".pytest_cache",
    ".ruff_cache",
    ".svn",
    ".tox",
    ".turbo",
    ".venv",
    "__pycache__",
    "build",
    "coverage",
    "dist",
    "node_modules",
    "target",
    "venv",
];

/// One listed directory.
pub(super) struct Listed {
    pub(super) path: PathBuf,
    /// Its names in alphabetical order.
    pub(super) names: Vec<(OsString, Kind)>,
}

/// Lists a tree, the shallow directories first. Links are not followed, other views' roots not
/// entered. The second value is the first directory that was not listed, when a bound was met.
pub(super) fn tree(
    root: &Path,
    others: &[PathBuf],
    tree: &dyn Tree,
) -> (Vec<Listed>, Option<PathBuf>) {
    let mut found: Vec<Listed> = Vec::new();
    let mut left = MAX_NAMES;
    let mut waiting = VecDeque::from([(root.to_owned(), 0)]);
    while let Some((path, depth)) = waiting.pop_front() {
        if depth > MAX_DEPTH || found.len() == MAX_DIRECTORIES || left == 0 {
            return (found, Some(path));
        }
        let Some(mut names) = tree.list(&path, left + 1) else {
            continue;
        };
        if names.len() > left {
            names.truncate(left);
            left = 0;
        } else {
            left -= names.len();
        }
        names.sort();
        for (name, kind) in &names {
            let below = path.join(name);
            if *kind == Kind::Directory && !is_passed(name.as_bytes()) && !others.contains(&below) {
                waiting.push_back((below, depth + 1));
            }
        }
        let full = left == 0;
        found.push(Listed { path, names });
        if full {
            let end = found.last().map(|it| it.path.clone());
            return (found, end);
        }
    }
    (found, None)
}

/// Whether a directory of this name is made again, or somebody's package.
pub(crate) fn is_passed(name: &[u8]) -> bool {
    PASSED.iter().any(|it| it.as_bytes() == name)
}
