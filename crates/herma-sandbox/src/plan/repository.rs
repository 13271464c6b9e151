//! The repository of a working directory, and those in it.
//!
//! A repository can run programs in many ways: hooks, settings, and links from one of its
//! directories to another that has its own hooks and settings. What git writes all the time stays
//! writable; the rest can only be read, and the configuration is a copy.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

use super::denial::{Denials, Keep};
use super::place::{Kind, Tree};
use super::{Note, Put, Repository};
use crate::git::config::{self, Config};

/// Where a configuration's copy is seen inside: a directory for each, below this one.
pub(super) const COPIES: &str = "/run/herma/git";

/// Most repositories of which a sandbox gets a copy of the configuration; others can only be read.
const MAX_COPIES: usize = 64;

/// Most working trees of one repository that are looked at.
const MAX_WORKTREES: usize = 64;

/// Most names of a directory in a repository.
const MAX_NAMES: usize = 1024;

/// Most files that one configuration includes, and how deep.
const MAX_INCLUDED: usize = 16;
const MAX_INCLUDE_DEPTH: usize = 2;

/// How deep repositories of submodules lie below `modules`.
const MAX_MODULE_DEPTH: usize = 5;

/// Longest link from a working tree to its repository.
const MAX_LINK: u64 = 4096;

/// A working tree with its repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Found {
    /// The working tree.
    pub(super) top: PathBuf,
    /// `.git` in it.
    pub(super) link: PathBuf,
    /// Whether `.git` is a file that leads to the repository.
    pub(super) linked: bool,
    /// The directory with `HEAD` and `index` of this working tree.
    pub(super) own: PathBuf,
    /// The directory with hooks, configuration and objects.
    pub(super) common: PathBuf,
}

/// The working tree that a directory is in, below `home` or anywhere outside of it.
pub(super) fn around(
    cwd: &Path,
    home: &Path,
    tree: &dyn Tree,
    notes: &mut Vec<Note>,
) -> Option<Found> {
    for top in cwd.ancestors() {
        if tree.kind(&top.join(".git")).is_none() {
            if is_bare(top, tree) && !home.starts_with(top) {
                return Some(bare(top));
            }
            continue;
        }
        if home.starts_with(top) {
            notes.push(Note::RepositoryHidden(top.to_owned()));
            return None;
        }
        let found = at(top, tree);
        if found.is_none() {
            notes.push(Note::RepositoryBroken(top.to_owned()));
        }
        return found;
    }
    None
}

/// The repository of a working tree. A `.git` that leads elsewhere counts only when what it leads
/// to leads back: everything in a working directory may be an agent's doing, and a link must not
/// open a directory that has nothing to do with it.
pub(super) fn at(top: &Path, tree: &dyn Tree) -> Option<Found> {
    let link = top.join(".git");
    match tree.kind(&link)? {
        Kind::Directory => Some(Found {
            top: top.to_owned(),
            linked: false,
            own: link.clone(),
            common: link.clone(),
            link,
        }),
        Kind::File => {
            let text = tree.read(&link, MAX_LINK)?;
            let target = text.strip_prefix(b"gitdir: ")?.trim_ascii_end();
            let own = tree.real(&joined(top, target)?)?;
            let common = if tree.kind(&own.join("commondir")) == Some(Kind::File) {
                worktree_of(&own, &link, tree)?
            } else {
                submodule_of(&own, top, tree)?
            };
            Some(Found {
                top: top.to_owned(),
                link,
                linked: true,
                own,
                common,
            })
        }
        Kind::Link | Kind::Other => None,
    }
}

/// Whether a directory is a repository without a working tree.
fn is_bare(path: &Path, tree: &dyn Tree) -> bool {
    let is = |name: &str, kind| tree.kind(&path.join(name)) == Some(kind);
    is("HEAD", Kind::File) && is("objects", Kind::Directory) && is("refs", Kind::Directory)
}

fn bare(path: &Path) -> Found {
    Found {
        top: path.to_owned(),
        link: path.to_owned(),
        linked: false,
        own: path.to_owned(),
        common: path.to_owned(),
    }
}

/// The repository that a further working tree belongs to.
fn worktree_of(own: &Path, link: &Path, tree: &dyn Tree) -> Option<PathBuf> {
    let back = tree.read(&own.join("gitdir"), MAX_LINK)?;
    let back = tree.real(&joined(own, back.trim_ascii_end())?)?;
    let common = tree.read(&own.join("commondir"), MAX_LINK)?;
    let common = tree.real(&joined(own, common.trim_ascii_end())?)?;
    let usual = own.parent()?.file_name() == Some(OsStr::new("worktrees"))
        && own.parent()?.parent() == Some(common.as_path());
    let leads_back = Some(back) == tree.real(link);
    (usual && leads_back && tree.kind(&common.join("HEAD")).is_some()).then_some(common)
}

/// The repository of a submodule: its configuration names the working tree.
fn submodule_of(own: &Path, top: &Path, tree: &dyn Tree) -> Option<PathBuf> {
    let text = tree.read(&own.join("config"), config::MAX_BYTES)?;
    let config = Config::parse(&text).ok()?;
    let back = tree.real(&joined(own, config.last("core", "worktree")?)?)?;
    (back == top && tree.kind(&own.join("HEAD")).is_some()).then(|| own.to_owned())
}

fn joined(base: &Path, bytes: &[u8]) -> Option<PathBuf> {
    (!bytes.is_empty() && !bytes.contains(&0)).then(|| base.join(OsStr::from_bytes(bytes)))
}

/// Protects repositories that may be changed.
pub(super) struct Protector<'a> {
    pub(super) tree: &'a dyn Tree,
    /// The run's directory, which holds the copies.
    pub(super) run: &'a Path,
    pub(super) denials: &'a mut Denials,
    pub(super) copies: &'a mut Vec<Repository>,
    pub(super) notes: &'a mut Vec<Note>,
    /// Whether a path may be changed.
    pub(super) writable: &'a dyn Fn(&Path) -> bool,
    /// Directories that may still be listed in search of submodules' repositories.
    pub(super) fuel: usize,
}

/// Most directories that are listed in search of submodules' repositories.
pub(super) const FUEL: usize = 256;

impl Protector<'_> {
    /// Protects a working tree's repository, when it may be changed. `free` is the directory above
    /// that needs no pin: the root of what may be changed.
    pub(super) fn protect(&mut self, found: &Found, free: &Path) {
        if found.linked && (self.writable)(&found.link) {
            self.denials.keep(found.link.clone(), Keep::ReadOnly);
        }
        if found.link.starts_with(free) && (self.writable)(&found.link) {
            // Nobody puts another one in its place by renaming what leads there.
            self.denials.pin_between(free, &found.link);
        }
        if !(self.writable)(&found.common) {
            return;
        }
        if found.common == free {
            // It is mounted as it is.
        } else if !found.linked {
            self.denials.keep(found.common.clone(), Keep::Pin);
        } else if found.common.starts_with(free) {
            self.denials.pin_between(free, &found.common.join("config"));
        }
        self.repository(&found.common, Some(&found.top), 0);
    }

    /// Protects a directory with hooks and configuration.
    fn repository(&mut self, common: &Path, top: Option<&Path>, depth: usize) {
        let hooks = common.join("hooks");
        self.directory(&hooks);
        let apart = self.has_own_settings(common);
        self.further(&common.join("config.worktree"), apart);
        self.common_link(common);
        self.configuration(common, top);
        self.worktrees(common, apart);
        self.modules(&common.join("modules"), depth);
    }

    /// A directory that can only be read, whether it exists or not.
    fn directory(&mut self, path: &Path) {
        match self.tree.kind(path) {
            None => self
                .denials
                .place(path.to_owned(), Put::Directory, Keep::ReadOnly),
            Some(Kind::Link) => {
                if let Some(target) = self.tree.target(path) {
                    self.denials.keep(path.to_owned(), Keep::Link(target));
                }
                if let Some(real) = self.tree.real(path).filter(|it| (self.writable)(it)) {
                    self.denials.keep(real, Keep::ReadOnly);
                }
            }
            Some(_) => self.denials.keep(path.to_owned(), Keep::ReadOnly),
        }
    }

    /// A file that can only be read, if it exists.
    fn single(&mut self, path: &Path) {
        if self.tree.kind(path).is_some() {
            self.denials.keep(path.to_owned(), Keep::ReadOnly);
        }
    }

    /// Settings of one working tree. Where git reads them, they cannot be made either.
    fn further(&mut self, path: &Path, read: bool) {
        if read && self.tree.kind(path).is_none() {
            let nothing = Put::File(Vec::new());
            return self.denials.place(path.to_owned(), nothing, Keep::ReadOnly);
        }
        self.single(path);
    }

    /// Whether git reads settings of single working trees.
    fn has_own_settings(&self, common: &Path) -> bool {
        let text = self.tree.read(&common.join("config"), config::MAX_BYTES);
        let config = text.and_then(|text| Config::parse(&text).ok());
        config.is_some_and(|it| {
            let last = |it: &crate::git::config::Entry| {
                it.name.section == "extensions" && it.name.key == "worktreeconfig"
            };
            it.entries().iter().any(last)
        })
    }

    /// Files in the workspace that a configuration takes further settings from: as they are, and
    /// never made. What they include in turn counts as well.
    fn included(&mut self, config: &Config, directory: &Path, top: Option<&Path>, depth: usize) {
        let includes = config.entries().iter().filter(|it| {
            matches!(it.name.section.as_str(), "include" | "includeif") && it.name.key == "path"
        });
        for value in includes
            .filter_map(|it| it.value.as_deref())
            .take(MAX_INCLUDED)
        {
            let Some(path) = joined(directory, value).and_then(|it| lexical(&it)) else {
                continue;
            };
            let real = self.tree.real(&path).unwrap_or_else(|| path.clone());
            if !(self.writable)(&real) {
                continue;
            }
            if let Some(top) = top {
                self.denials.pin_between(top, &path);
            }
            match self.tree.kind(&path) {
                Some(Kind::Link) => {
                    if let Some(target) = self.tree.target(&path) {
                        self.denials.keep(path, Keep::Link(target));
                    }
                    self.single(&real);
                }
                Some(_) => self.denials.keep(path, Keep::ReadOnly),
                None if path.parent().and_then(|it| self.tree.kind(it))
                    == Some(Kind::Directory) =>
                {
                    self.denials
                        .place(path, Put::File(Vec::new()), Keep::ReadOnly);
                }
                None => {}
            }
            let text = self.tree.read(&real, config::MAX_BYTES);
            if let Some(next) = text.and_then(|text| Config::parse(&text).ok())
                && depth < MAX_INCLUDE_DEPTH
                && let Some(directory) = real.parent()
            {
                self.included(&next, directory, top, depth + 1);
            }
        }
    }

    /// `commondir` makes git take hooks and configuration from elsewhere. Where there is none, one
    /// that leads to the repository itself keeps another from being made.
    fn common_link(&mut self, common: &Path) {
        let path = common.join("commondir");
        if self.tree.kind(&path).is_some() {
            return self.denials.keep(path, Keep::ReadOnly);
        }
        self.denials
            .place(path, Put::File(b".\n".to_vec()), Keep::ReadOnly);
    }

    fn configuration(&mut self, common: &Path, top: Option<&Path>) {
        let path = common.join("config");
        if self.copies.iter().any(|it| it.config == path) {
            return;
        }
        let text = match self.tree.kind(&path) {
            Some(Kind::File) => self.tree.read(&path, config::MAX_BYTES),
            Some(_) => None,
            None => return,
        };
        let config = text.and_then(|text| Config::parse(&text).ok());
        let Some(config) = config.filter(|_| self.copies.len() < MAX_COPIES) else {
            return self.denials.keep(path, Keep::ReadOnly);
        };
        if let Some(hooks) = config.last("core", "hookspath")
            && let Some(hooks) = joined(top.unwrap_or(common), hooks).and_then(|it| lexical(&it))
            && (self.writable)(&hooks)
        {
            let parent = hooks.parent().and_then(|it| self.tree.kind(it));
            if self.tree.kind(&hooks).is_some() || parent == Some(Kind::Directory) {
                if let Some(top) = top {
                    self.denials.pin_between(top, &hooks);
                }
                self.directory(&hooks);
            }
        }
        self.included(&config, common, top, 0);
        let number = self.copies.len().to_string();
        let inside = Path::new(COPIES).join(&number).join("config");
        self.denials.keep(path.clone(), Keep::Link(inside));
        self.copies.push(Repository {
            config: path,
            copy: self.run.join("git").join(number).join("config"),
        });
    }

    /// What leads from further working trees to the repository and back.
    fn worktrees(&mut self, common: &Path, apart: bool) {
        let all = common.join("worktrees");
        let mut names = self.tree.list(&all, MAX_NAMES).unwrap_or_default();
        names.retain(|(_, kind)| *kind == Kind::Directory);
        names.sort();
        if names.len() > MAX_WORKTREES {
            self.notes.push(Note::TooMany(names.len() - MAX_WORKTREES));
            names.truncate(MAX_WORKTREES);
        }
        for (name, _) in names {
            let own = all.join(name);
            self.denials.pin_between(common, &own.join("commondir"));
            for name in ["commondir", "gitdir"] {
                self.single(&own.join(name));
            }
            self.further(&own.join("config.worktree"), apart);
        }
    }

    /// Repositories of submodules, whose names may have several parts.
    fn modules(&mut self, directory: &Path, depth: usize) {
        if depth > MAX_MODULE_DEPTH || self.tree.kind(directory) != Some(Kind::Directory) {
            return;
        }
        if self.fuel == 0 {
            return self.notes.push(Note::SearchEnded(directory.to_owned()));
        }
        self.fuel -= 1;
        let mut names = self.tree.list(directory, MAX_NAMES).unwrap_or_default();
        names.sort();
        for (name, kind) in names {
            let path = directory.join(name);
            if kind != Kind::Directory {
                continue;
            }
            self.denials.keep(directory.to_owned(), Keep::Pin);
            self.denials.keep(path.clone(), Keep::Pin);
            if self.tree.kind(&path.join("HEAD")).is_some() {
                let top = self.worktree_in(&path);
                self.repository(&path, top.as_deref(), depth + 1);
            } else {
                self.modules(&path, depth + 1);
            }
        }
    }

    fn worktree_in(&self, repository: &Path) -> Option<PathBuf> {
        let text = self
            .tree
            .read(&repository.join("config"), config::MAX_BYTES)?;
        let config = Config::parse(&text).ok()?;
        self.tree
            .real(&joined(repository, config.last("core", "worktree")?)?)
    }
}

/// A path without `.` and `..`, by its text; `None` when it leads above the top.
fn lexical(path: &Path) -> Option<PathBuf> {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                if !plain.pop() {
                    return None;
                }
            }
            Component::CurDir => {}
            part => plain.push(part),
        }
    }
    Some(plain)
}
