//! What is taken away from the view, and in which order.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::mount::Mount;
use super::{Placeholder, Put};

/// Most mounts that take something away.
pub(super) const MAX_DENIALS: usize = 512;

/// How a path is kept from being changed, from the weakest.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Keep {
    /// It can be neither renamed nor removed; what lies in it is free.
    Pin,
    /// It can only be read.
    ReadOnly,
    /// A link that points there, mounted over what is there.
    Link(PathBuf),
    /// This content in its place.
    Content(Vec<u8>),
}

/// Everything that is taken away. Later kinds win: what is hidden is hidden whatever else holds.
#[derive(Clone, Debug, Default)]
pub(super) struct Denials {
    keep: BTreeMap<PathBuf, Keep>,
    /// Whether it is a directory.
    mask: BTreeMap<PathBuf, bool>,
    placeholders: BTreeMap<PathBuf, Put>,
    over: BTreeSet<PathBuf>,
}

impl Denials {
    /// Keeps a path from being changed; of two ways the stronger counts.
    pub(super) fn keep(&mut self, path: PathBuf, how: Keep) {
        if self.is_full(&path) {
            return;
        }
        let entry = self.keep.entry(path).or_insert(Keep::Pin);
        if how > *entry {
            *entry = how;
        }
    }

    /// Pins the directories between `from`, which stays free, and `path`.
    pub(super) fn pin_between(&mut self, from: &Path, path: &Path) {
        let between: Vec<&Path> = path
            .ancestors()
            .skip(1)
            .take_while(|it| *it != from && it.starts_with(from))
            .collect();
        for directory in between.into_iter().rev() {
            self.keep(directory.to_owned(), Keep::Pin);
        }
    }

    pub(super) fn mask(&mut self, path: PathBuf, directory: bool) {
        if !self.is_full(&path) {
            self.mask.insert(path, directory);
        }
    }

    /// Has a mount point made, and something kept on it.
    pub(super) fn place(&mut self, path: PathBuf, put: Put, how: Keep) {
        if self.is_full(&path) {
            return;
        }
        self.placeholders.entry(path.clone()).or_insert(put);
        self.keep(path, how);
    }

    pub(super) fn placeholders(&self) -> Vec<Placeholder> {
        self.placeholders
            .iter()
            .map(|(path, what)| Placeholder {
                path: path.clone(),
                what: what.clone(),
            })
            .collect()
    }

    /// How many are left out, for their number.
    pub(super) fn left_out(&self) -> usize {
        self.over.len()
    }

    fn is_full(&mut self, path: &Path) -> bool {
        let known = self.keep.contains_key(path) || self.mask.contains_key(path);
        if known || self.keep.len() + self.mask.len() < MAX_DENIALS {
            return false;
        }
        self.over.insert(path.to_owned());
        true
    }

    /// The mounts: what is kept, parents first, then what is masked. What lies below something that
    /// can only be read or is masked needs no mount of its own, unless it brings content.
    pub(super) fn mounts(&self) -> Vec<Mount> {
        let under_mask = |path: &Path| {
            path.ancestors()
                .skip(1)
                .any(|it| self.mask.get(it).is_some_and(|directory| *directory))
        };
        let fixed = |path: &Path| {
            path.ancestors()
                .skip(1)
                .any(|it| self.keep.get(it) == Some(&Keep::ReadOnly))
        };
        let mut mounts = Vec::new();
        for (path, how) in &self.keep {
            let to = path.clone();
            if under_mask(path) || self.mask.contains_key(path) {
                continue;
            }
            mounts.push(match how {
                Keep::Pin | Keep::ReadOnly if fixed(path) => continue,
                Keep::Pin => Mount::Pin { to },
                Keep::ReadOnly => Mount::ReadOnly { to },
                Keep::Link(target) => Mount::Link {
                    to,
                    target: target.clone(),
                },
                Keep::Content(content) => Mount::File {
                    to,
                    content: content.clone(),
                },
            });
        }
        for (path, directory) in &self.mask {
            let to = path.clone();
            if under_mask(path) {
                continue;
            }
            mounts.push(if *directory {
                Mount::MaskDirectory { to }
            } else {
                Mount::MaskFile { to }
            });
        }
        mounts
    }
}
