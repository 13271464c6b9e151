//! Protected files by what they are and not by their names.
//!
//! An object has a second name by a hard link, by a mount, or because a protected name is itself a
//! link to it. The first two show in the object and in the table of mounts, and are rare; only then
//! every protected name is looked up. For links the few directories that hold protected names are
//! listed.

use std::collections::{BTreeMap, HashMap};

use herma_protected::{HOME, STATE, TOP};
use rustix::fd::AsFd;
use rustix::fs::{AtFlags, FileType, Mode, OFlags};

use super::mounts;
use super::names::Places;
use crate::kernel::{self, Identity};
use crate::walk::{self, Located};

/// Names of protected directories that are compared by object.
const MAX_ENTRIES: usize = 4096;

/// From this many names on a directory is listed instead of looking for each.
const MANY: usize = 4;

/// Names in a directory of which most are of no interest, at most so many.
const MAX_LISTED: usize = 16_384;

/// Directories, and protected names in each of them.
type List<'a> = (&'a [Vec<Vec<u8>>], Vec<&'static str>);

impl Places {
    /// Names of protected objects that the path leads to or through, and with `all` of those below
    /// it.
    pub(super) fn by_object(&self, located: &Located, all: bool) -> Vec<Vec<Vec<u8>>> {
        let mut look = Look {
            located,
            names: located.names(),
            all,
            directories: Vec::new(),
            found: Vec::new(),
        };
        let linked = located.link_count().is_some_and(|links| links > 1);
        if all || linked || mounts::may_be_mounted_twice(located) {
            self.each(&mut look);
        } else {
            self.linked(&mut look);
        }
        look.found
    }

    /// Looks at every protected name.
    fn each(&self, look: &mut Look<'_>) {
        for (directories, entries) in self.lists() {
            for directory in directories {
                if !directory.is_empty() {
                    look.at(directory.clone());
                }
                let mut above: Vec<&str> = Vec::new();
                for entry in &entries {
                    // What is not there yet is found by the directory that will hold it.
                    for (end, _) in entry.match_indices('/') {
                        let front = entry.get(..end).unwrap_or_default();
                        if !above.contains(&front) {
                            above.push(front);
                            look.through(&joined(directory, front));
                        }
                    }
                    look.at(joined(directory, entry));
                }
            }
        }
        if has_other_names(look.located)
            && let Some(target) = look.located.identity()
        {
            let mut left = MAX_ENTRIES;
            for directory in &look.directories {
                entries(directory, target, &mut left, &mut look.found);
            }
        }
    }

    /// Looks at the protected names that are links or lie behind one, and at the directories.
    fn linked(&self, look: &mut Look<'_>) {
        for (directories, entries) in self.lists() {
            for directory in directories {
                // A home may be a link as a whole.
                if !directory.is_empty() {
                    look.at(directory.clone());
                }
                look.links(directory, &entries);
            }
        }
    }

    /// Where protected names are looked for.
    fn lists(&self) -> [List<'_>; 3] {
        const TOP_DIRECTORY: &[Vec<Vec<u8>>] = &[Vec::new()];
        [
            (&self.homes, HOME.iter().map(|(entry, _)| *entry).collect()),
            (&self.states, STATE.to_vec()),
            (
                TOP_DIRECTORY,
                // Whole trees of the system hold no secrets of their own.
                TOP.iter()
                    .map(|(entry, _)| *entry)
                    .filter(|entry| entry.contains('/'))
                    .collect(),
            ),
        ]
    }
}

struct Look<'a> {
    located: &'a Located,
    names: Vec<Vec<u8>>,
    all: bool,
    /// Protected directories that are there.
    directories: Vec<Vec<Vec<u8>>>,
    found: Vec<Vec<Vec<u8>>>,
}

impl Look<'_> {
    /// Compares the object at a protected name with those on the way.
    fn at(&mut self, place: Vec<Vec<u8>>) {
        let is_directory = self.through(&place);
        if self.all && place.starts_with(&self.names) && is_directory.is_some() {
            self.found.push(place.clone());
        }
        if is_directory == Some(true) {
            self.directories.push(place);
        }
    }

    /// Compares the object at a name with those on the way, and says whether it is a directory;
    /// `None` when nothing is there.
    fn through(&mut self, place: &[Vec<u8>]) -> Option<bool> {
        let object = object(place)?;
        for (index, step) in self.located.steps.iter().enumerate() {
            if step.identity == object.identity {
                // The same way from there on.
                let rest = self.names.get(index + 1..).unwrap_or_default();
                self.found.push([place, rest].concat());
            }
        }
        Some(object.is_directory)
    }

    /// Compares those of the names below a directory that are links or lie behind one.
    fn links(&mut self, directory: &[Vec<u8>], entries: &[&str]) {
        let mut first: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for entry in entries {
            let (name, rest) = entry.split_once('/').unwrap_or((entry, ""));
            first.entry(name).or_default().push(rest);
        }
        let listed = (first.len() >= MANY).then(|| list(directory)).flatten();
        for (name, rests) in first {
            let place = joined(directory, name);
            let kind = match &listed {
                Some(listed) => match listed.get(name.as_bytes()) {
                    None => continue,
                    Some(FileType::Unknown) => kind(&place),
                    Some(kind) => Some(*kind),
                },
                None => kind(&place),
            };
            match kind {
                Some(FileType::Symlink) => {
                    // What is not there yet is found by the directory that will hold it.
                    self.through(&place);
                    for rest in rests.into_iter().filter(|rest| !rest.is_empty()) {
                        self.at(joined(&place, rest));
                    }
                }
                Some(FileType::Directory) => {
                    let below: Vec<&str> =
                        rests.into_iter().filter(|rest| !rest.is_empty()).collect();
                    if !below.is_empty() {
                        self.links(&place, &below);
                    }
                }
                _ => {}
            }
        }
    }
}

/// Whether the object may have another name elsewhere: a hard link, or a mount of one file.
fn has_other_names(located: &Located) -> bool {
    let Some((fd, _)) = &located.target else {
        return false;
    };
    located.link_count().is_some_and(|links| links > 1)
        || kernel::mount(fd.as_fd()).ok() != kernel::mount(located.directory.as_fd()).ok()
}

/// Adds the names in a directory that are this object.
fn entries(
    directory: &[Vec<u8>],
    target: Identity,
    left: &mut usize,
    found: &mut Vec<Vec<Vec<u8>>>,
) {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let Ok(fd) = rustix::fs::open(walk::joined(directory), flags, Mode::empty()) else {
        return;
    };
    let Ok(entries) = rustix::fs::Dir::read_from(&fd) else {
        return;
    };
    for entry in entries.flatten() {
        let Some(rest) = left.checked_sub(1) else {
            return;
        };
        *left = rest;
        if entry.ino() != target.inode {
            continue;
        }
        let name = entry.file_name();
        let is_it = rustix::fs::statat(&fd, name, AtFlags::SYMLINK_NOFOLLOW)
            .is_ok_and(|stat| Identity::of(&stat) == target);
        if is_it {
            let mut names = directory.to_vec();
            names.push(name.to_bytes().to_vec());
            found.push(names);
        }
    }
}

/// The names in a directory with their types; `None` when it cannot be listed, or holds too many.
fn list(directory: &[Vec<u8>]) -> Option<HashMap<Vec<u8>, FileType>> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let fd = rustix::fs::open(walk::joined(directory), flags, Mode::empty()).ok()?;
    let mut names = HashMap::new();
    for entry in rustix::fs::Dir::new(fd).ok()? {
        let entry = entry.ok()?;
        if names.len() == MAX_LISTED {
            return None;
        }
        names.insert(entry.file_name().to_bytes().to_vec(), entry.file_type());
    }
    Some(names)
}

/// The type of what has the name itself.
fn kind(names: &[Vec<u8>]) -> Option<FileType> {
    let stat = rustix::fs::lstat(walk::joined(names)).ok()?;
    Some(kernel::kind(&stat))
}

struct Object {
    identity: Identity,
    is_directory: bool,
}

/// The object that the names lead to, links followed.
fn object(names: &[Vec<u8>]) -> Option<Object> {
    let stat = rustix::fs::stat(walk::joined(names)).ok()?;
    Some(Object {
        identity: Identity::of(&stat),
        is_directory: kernel::kind(&stat) == FileType::Directory,
    })
}

fn joined(front: &[Vec<u8>], path: &str) -> Vec<Vec<u8>> {
    let names = path.split('/').map(|name| name.as_bytes().to_vec());
    front.iter().cloned().chain(names).collect()
}
