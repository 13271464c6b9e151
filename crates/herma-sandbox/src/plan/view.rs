//! What is seen inside, before anything is taken away.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::mount::{Mount, PathRule};
use super::place::Tree;

/// Most paths that one pattern stands for.
const MAX_MATCHES: usize = 256;

/// Most names of a directory that a `*` is compared with.
const MAX_NAMES: usize = 4096;

/// What may be done, from the weakest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Access {
    Read,
    Private,
    Write,
}

/// What is mounted at a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Entry {
    /// Something of the machine's.
    Machine {
        from: PathBuf,
        access: Access,
        directory: bool,
    },
    Link {
        target: PathBuf,
    },
    Memory {
        size: u64,
        mode: u32,
    },
    Proc,
    Dev,
}

/// Entries by path; parents come before what lies below them.
#[derive(Clone, Debug)]
pub(super) struct View {
    entries: BTreeMap<PathBuf, Entry>,
}

impl View {
    pub(super) fn new() -> Self {
        Self {
            entries: BTreeMap::new(),
        }
    }

    pub(super) fn set(&mut self, path: impl Into<PathBuf>, entry: Entry) {
        self.entries.insert(path.into(), entry);
    }

    /// Shows a path of the machine; of two wishes for the same path the weaker counts.
    pub(super) fn allow(&mut self, path: &Path, from: PathBuf, access: Access, directory: bool) {
        if let Some(Entry::Machine { access: old, .. }) = self.entries.get_mut(path) {
            *old = access.min(*old);
            return;
        }
        self.set(
            path,
            Entry::Machine {
                from,
                access,
                directory,
            },
        );
    }

    pub(super) fn remove(&mut self, path: &Path) {
        self.entries.remove(path);
    }

    pub(super) fn paths(&self) -> Vec<PathBuf> {
        self.entries.keys().cloned().collect()
    }

    pub(super) fn get(&self, path: &Path) -> Option<&Entry> {
        self.entries.get(path)
    }

    /// The deepest entry that a path is or lies below, with its path.
    pub(super) fn above<'p>(&self, path: &'p Path) -> Option<(&'p Path, &Entry)> {
        path.ancestors()
            .find_map(|it| self.entries.get(it).map(|entry| (it, entry)))
    }

    /// Takes every entry for something of the machine's that is this path or lies below it out.
    pub(super) fn take_below(&mut self, path: &Path) -> Vec<PathBuf> {
        let below: Vec<PathBuf> = self
            .entries
            .range(path.to_owned()..)
            .take_while(|(it, _)| it.starts_with(path))
            .filter(|(_, entry)| matches!(entry, Entry::Machine { .. }))
            .map(|(it, _)| it.clone())
            .collect();
        for path in &below {
            self.entries.remove(path);
        }
        below
    }

    /// What may be done with a path of the machine; `None` when it is not seen.
    pub(super) fn access(&self, path: &Path) -> Option<Access> {
        match self.above(path) {
            Some((_, Entry::Machine { access, .. })) => Some(*access),
            _ => None,
        }
    }

    /// Directories that may be changed outside, too.
    pub(super) fn written(&self) -> Vec<PathBuf> {
        self.entries
            .iter()
            .filter(|(_, entry)| {
                matches!(
                    entry,
                    Entry::Machine {
                        access: Access::Write,
                        directory: true,
                        ..
                    }
                )
            })
            .map(|(path, _)| path.clone())
            .collect()
    }

    /// The mounts that make it, without those that change nothing.
    pub(super) fn mounts(&self) -> Vec<Mount> {
        let mut mounts = Vec::new();
        for (path, entry) in &self.entries {
            let to = path.clone();
            let above = path.parent().and_then(|it| self.above(it));
            mounts.push(match entry {
                Entry::Machine { from, access, .. } => {
                    if let Some((
                        outer,
                        Entry::Machine {
                            from: there,
                            access: same,
                            ..
                        },
                    )) = above
                        && same == access
                        && there == outer
                        && from == path
                    {
                        continue;
                    }
                    match access {
                        Access::Private => Mount::Private {
                            from: from.clone(),
                            to,
                        },
                        _ => Mount::Bind {
                            from: from.clone(),
                            to,
                            write: *access == Access::Write,
                        },
                    }
                }
                Entry::Link { target } => Mount::Link {
                    to,
                    target: target.clone(),
                },
                Entry::Memory { size, mode } => Mount::Tmpfs {
                    to,
                    size: *size,
                    mode: *mode,
                },
                Entry::Proc => Mount::Proc { to },
                Entry::Dev => Mount::Dev { to },
            });
        }
        mounts
    }

    /// What Landlock must allow besides reading.
    pub(super) fn rules(&self) -> Vec<PathRule> {
        let rule = |(path, entry): (&PathBuf, &Entry)| {
            let create = match entry {
                Entry::Machine {
                    access: Access::Read,
                    ..
                }
                | Entry::Link { .. }
                | Entry::Proc => return None,
                Entry::Machine { directory, .. } => *directory,
                Entry::Memory { .. } => true,
                Entry::Dev => false,
            };
            Some(PathRule {
                path: path.clone(),
                create,
            })
        };
        self.entries.iter().filter_map(rule).collect()
    }
}

/// Paths that exist and that a pattern's names stand for below `base`.
pub(super) fn expand(base: &Path, names: &[String], tree: &dyn Tree) -> Vec<PathBuf> {
    let mut found = vec![base.to_owned()];
    for name in names {
        let mut next = Vec::new();
        for directory in &found {
            if !name.contains('*') {
                next.push(directory.join(name));
                continue;
            }
            let mut listed = tree.list(directory, MAX_NAMES).unwrap_or_default();
            listed.sort();
            for (candidate, _) in listed {
                if matches(name, &candidate) {
                    next.push(directory.join(candidate));
                }
            }
        }
        next.truncate(MAX_MATCHES);
        found = next;
    }
    found.retain(|path| tree.kind(path).is_some());
    found
}

fn matches(pattern: &str, name: &OsString) -> bool {
    use std::os::unix::ffi::OsStrExt;
    herma_patterns::glob::matches(pattern.as_bytes(), name.as_bytes(), false)
}
