//! From a profile and what exists to a plan.

use std::path::{Path, PathBuf};

use herma_protected::{HOME, TOP};

use super::denial::{Denials, Keep};
use super::names::{Meaning, Rules, meaning};
use super::place::{Kind, Place, Tree};
use super::repository::{self, COPIES, FUEL, Found, Protector};
use super::view::{Access, Entry, View, expand};
use super::{Mount, Note, Plan, Put, Refusal, Repository, environment, refusal, search};
use crate::git::config::Config;
use crate::git::{config, index, settings};
use crate::profile::{Anchor, Pattern, Profile, Workspace};

/// The host's name inside.
const HOSTNAME: &str = "sandbox";

/// The plan for a profile in a place.
///
/// # Errors
/// [`Refusal`], when the place can be no workspace.
pub fn plan(profile: &Profile, place: &Place<'_>, tree: &dyn Tree) -> Result<Plan, Refusal> {
    refusal::check(place, tree)?;
    let mut maker = Maker {
        profile,
        place,
        tree,
        view: View::new(),
        denials: Denials::default(),
        copies: Vec::new(),
        files: Vec::new(),
        notes: Vec::new(),
    };
    let found = maker.allowed()?;
    maker.repositories(found.as_ref());
    maker.searched(found.as_ref());
    maker.listed();
    maker.ignored(found.as_ref());
    maker.settings();
    Ok(maker.end(found))
}

struct Maker<'a> {
    profile: &'a Profile,
    place: &'a Place<'a>,
    tree: &'a dyn Tree,
    view: View,
    denials: Denials,
    copies: Vec<Repository>,
    files: Vec<(PathBuf, Vec<u8>)>,
    notes: Vec<Note>,
}

impl Maker<'_> {
    /// What is seen: the profile's lists, private directories, the working directory and its
    /// repository.
    fn allowed(&mut self) -> Result<Option<Found>, Refusal> {
        let Place { cwd, home, .. } = *self.place;
        let size = self.profile.limits.temporary;
        let memory = |mode| Entry::Memory { size, mode };
        for (path, mode) in [("/tmp", 0o1777), ("/var/tmp", 0o1777), ("/run", 0o755)] {
            self.view.set(path, memory(mode));
        }
        self.view.set("/proc", Entry::Proc);
        self.view.set("/dev", Entry::Dev);
        self.view.set("/dev/shm", memory(0o1777));
        self.view.set(home, memory(0o700));
        for (list, access) in [
            (&self.profile.read, Access::Read),
            (&self.profile.private, Access::Private),
            (&self.profile.write, Access::Write),
        ] {
            for pattern in list {
                self.allow(pattern, access);
            }
        }
        let access = match self.profile.workspace {
            Workspace::Write => Access::Write,
            Workspace::Private => Access::Private,
            Workspace::Read => Access::Read,
        };
        let found = repository::around(cwd, home, self.tree, &mut self.notes);
        if let Some(found) = &found {
            if found.top != cwd {
                self.view
                    .allow(&found.top, found.top.clone(), Access::Read, true);
            }
            if !found.common.starts_with(cwd) {
                self.view
                    .allow(&found.common, found.common.clone(), access, true);
            }
        }
        // What the profile says of the working directory itself is about that.
        self.view.remove(cwd);
        self.view.allow(cwd, cwd.to_owned(), access, true);
        self.links();
        self.hidden()?;
        Ok(found)
    }

    fn allow(&mut self, pattern: &Pattern, access: Access) {
        let Place { cwd, home, .. } = *self.place;
        let Some(base) = pattern.base(home, cwd) else {
            return;
        };
        let found = expand(base, pattern.names(), self.tree);
        for path in found {
            if path == Path::new("/") {
                // Everything but what is made anew.
                let names = self.tree.list(&path, 4096).unwrap_or_default();
                for (name, _) in names {
                    self.show(&path.join(name), access);
                }
            } else {
                self.show(&path, access);
            }
        }
    }

    fn show(&mut self, path: &Path, access: Access) {
        let made = ["/proc", "/dev", "/sys", "/run", "/tmp", "/var/tmp"];
        if made.iter().any(|it| path == Path::new(it)) {
            return;
        }
        let Some(real) = self.tree.real(path) else {
            return;
        };
        let directory = self.tree.kind(&real) == Some(Kind::Directory);
        if self.tree.kind(path) == Some(Kind::Link)
            && let Some(target) = self.tree.target(path)
        {
            self.view.set(path, Entry::Link { target });
            return;
        }
        if let Some(Entry::Memory { .. }) = self.view.get(path) {
            self.view.remove(path);
        }
        self.view.allow(path, real, access, directory);
    }

    /// Links stay links where their target is seen, and become what they lead to elsewhere.
    fn links(&mut self) {
        for path in self.view.paths() {
            let Some(Entry::Link { .. }) = self.view.get(&path) else {
                continue;
            };
            let Some(real) = self.tree.real(&path) else {
                self.view.remove(&path);
                continue;
            };
            if self.view.access(&real).is_none() {
                let directory = self.tree.kind(&real) == Some(Kind::Directory);
                self.view.remove(&path);
                self.view.allow(&path, real, Access::Read, directory);
            }
        }
    }

    /// What the profile hides and herma's state: out of the view, or empty.
    fn hidden(&mut self) -> Result<(), Refusal> {
        let Place {
            cwd, home, state, ..
        } = *self.place;
        let hides = |path: &Path| {
            path.starts_with(state)
                || self
                    .profile
                    .hide
                    .iter()
                    .any(|it| it.covers(path, home, cwd))
        };
        if hides(cwd) {
            return Err(Refusal::Hidden(cwd.to_owned()));
        }
        for path in self.view.paths() {
            let from = match self.view.get(&path) {
                Some(Entry::Machine { from, .. }) => from.clone(),
                _ => continue,
            };
            if hides(&path) || hides(&from) {
                self.view.remove(&path);
                self.notes.push(Note::Denied(path));
            }
        }
        let mut gone: Vec<PathBuf> = vec![state.to_owned()];
        for pattern in &self.profile.hide {
            if let Some(base) = pattern.base(home, cwd) {
                gone.extend(expand(base, pattern.names(), self.tree));
            }
        }
        for path in gone {
            self.mask(&path);
        }
        Ok(())
    }

    /// Masks what is seen at a path. What the profile allows below it is not: a denial wins.
    fn mask(&mut self, path: &Path) {
        if !self.place.cwd.starts_with(path) {
            let denied = self.view.take_below(path);
            self.notes.extend(denied.into_iter().map(Note::Denied));
        }
        if self.view.access(path).is_none() {
            return;
        }
        match self.tree.kind(path) {
            Some(Kind::Directory) => self.denials.mask(path.to_owned(), true),
            Some(Kind::File | Kind::Other) => self.denials.mask(path.to_owned(), false),
            Some(Kind::Link) => {
                if let Some(real) = self.tree.real(path)
                    && real != *path
                    && self.view.access(&real).is_some()
                {
                    let directory = self.tree.kind(&real) == Some(Kind::Directory);
                    self.denials.mask(real, directory);
                }
            }
            None => {}
        }
    }

    fn protect(&mut self, path: &Path) {
        if self.view.access(path) == Some(Access::Write) && self.tree.kind(path).is_some() {
            let root = self.root_of(path);
            self.denials.pin_between(&root, path);
            self.denials.keep(path.to_owned(), Keep::ReadOnly);
        }
    }

    /// The entry of the view that a path belongs to.
    fn root_of(&self, path: &Path) -> PathBuf {
        let mut above = path.ancestors();
        let root = above.find(|it| self.view.get(it).is_some());
        root.unwrap_or(path).to_owned()
    }

    fn repositories(&mut self, found: Option<&Found>) {
        let Some(found) = found else {
            return;
        };
        self.repository(found);
    }

    fn repository(&mut self, found: &Found) {
        let free = self.root_of(&found.link);
        let view = &self.view;
        let writable = |path: &Path| view.access(path) == Some(Access::Write);
        Protector {
            tree: self.tree,
            run: self.place.run,
            denials: &mut self.denials,
            copies: &mut self.copies,
            notes: &mut self.notes,
            writable: &writable,
            fuel: FUEL,
        }
        .protect(found, &free);
    }

    /// Looks for names that matter in everything that may be changed, and in the working tree.
    fn searched(&mut self, found: Option<&Found>) {
        let mut roots = self.view.written();
        roots.push(self.place.cwd.to_owned());
        if let Some(found) = found {
            roots.push(found.top.clone());
            // Its files are looked at one by one.
            roots.retain(|root| !root.starts_with(&found.common));
        }
        roots.sort();
        roots.dedup();
        let mut masks = Vec::new();
        let mut nested = Vec::new();
        for root in &roots {
            let (listed, ended) = search::tree(root, &roots, self.tree);
            if let Some(ended) = ended {
                self.notes.push(Note::SearchEnded(ended));
            }
            self.look(root, &listed, &mut masks);
            let has_git = |it: &&search::Listed| it.names.iter().any(|(name, _)| name == ".git");
            nested.extend(listed.iter().filter(has_git).map(|it| it.path.clone()));
        }
        for top in nested {
            let known = found.is_some_and(|found| found.top == top);
            if known || self.view.access(&top) != Some(Access::Write) {
                continue;
            }
            match repository::at(&top, self.tree) {
                Some(found) => self.repository(&found),
                None => self.notes.push(Note::RepositoryBroken(top)),
            }
        }
        self.masked(masks, found);
    }

    fn look(&mut self, root: &Path, listed: &[search::Listed], masks: &mut Vec<(PathBuf, bool)>) {
        let Place { cwd, home, .. } = *self.place;
        let profile = self.profile;
        let covers =
            |list: &[Pattern], path: &Path| list.iter().any(|it| it.covers(path, home, cwd));
        let except = |path: &Path| covers(&profile.except, path);
        let mask = |path: &Path| names_of(&profile.mask, path, home, cwd).is_some();
        let protect = |path: &Path| names_of(&profile.protect, path, home, cwd);
        let (view, tree) = (&self.view, self.tree);
        let seen = |path: &Path| tree.real(path).filter(|it| view.access(it).is_some());
        let rules = Rules {
            tree,
            pins: profile.filter.strict.then_some(root),
            writable: view.access(root) == Some(Access::Write),
            instructions: profile.instructions,
            except: &except,
            mask: &mask,
            protect: &protect,
            seen: &seen,
        };
        for directory in listed {
            rules.look(directory, directory.path == root, &mut self.denials, masks);
        }
    }

    /// Masks what holds secrets. What git tracks, unchanged, is in its history anyway, and a mask
    /// would make it look changed.
    fn masked(&mut self, masks: Vec<(PathBuf, bool)>, found: Option<&Found>) {
        if masks.is_empty() {
            return;
        }
        let tracked = found
            .and_then(|found| self.tree.read(&found.own.join("index"), index::MAX_BYTES))
            .and_then(|bytes| index::parse(&bytes));
        for (path, directory) in masks {
            let entry = found.zip(tracked.as_ref()).and_then(|(found, index)| {
                let inside = path.strip_prefix(&found.top).ok()?;
                index.get(inside.as_os_str().as_encoded_bytes())
            });
            if let Some(entry) = entry.filter(|it| !it.unwatched && !directory) {
                let stamp = self.tree.stamp(&path);
                let same = stamp.is_some_and(|it| {
                    it.seconds == i64::from(entry.seconds) && it.size == u64::from(entry.size)
                });
                let Place { cwd, home, .. } = *self.place;
                if same && names_of(&self.profile.mask, &path, home, cwd).is_none() {
                    continue;
                }
                self.notes.push(Note::MaskedTracked(path.clone()));
            }
            self.denials.mask(path, directory);
        }
    }

    /// Names below the home and the top, and paths that the profile denies.
    fn listed(&mut self) {
        let Place { cwd, home, .. } = *self.place;
        for (base, list) in [(home, HOME), (Path::new("/"), TOP)] {
            for (entry, matter) in list {
                let path = base.join(entry);
                // The working directory itself was chosen by a person.
                if self.excepted(&path) || cwd.starts_with(&path) {
                    continue;
                }
                match meaning(*matter, self.profile.instructions) {
                    Meaning::Mask => self.mask(&path),
                    Meaning::Protect => self.protect(&path),
                    Meaning::Free => {}
                }
            }
        }
        for (list, masks) in [(&self.profile.mask, true), (&self.profile.protect, false)] {
            for pattern in list {
                let Some(base) = pattern.base(home, cwd) else {
                    continue;
                };
                for path in expand(base, pattern.names(), self.tree) {
                    if self.excepted(&path) {
                        continue;
                    }
                    if masks {
                        self.mask(&path)
                    } else {
                        self.protect(&path)
                    }
                }
                if !masks && pattern.anchor() == Anchor::Workspace {
                    self.absent(pattern);
                }
            }
        }
    }

    /// Keeps a path of the working directory that does not exist from being made.
    fn absent(&mut self, pattern: &Pattern) {
        let Place { cwd, home, .. } = *self.place;
        let Some(path) = pattern.path(home, cwd) else {
            return;
        };
        if self.excepted(&path) || self.view.access(cwd) != Some(Access::Write) {
            return;
        }
        let mut at = cwd.to_owned();
        let names = pattern.names();
        for (index, name) in names.iter().enumerate() {
            at.push(name);
            match self.tree.kind(&at) {
                Some(Kind::Directory) => {}
                Some(_) => return,
                None => {
                    self.denials.pin_between(cwd, &at);
                    let last = index + 1 == names.len();
                    if last && super::names::is_file(name) {
                        let content = super::names::content(name);
                        self.denials.place(at, Put::Node, Keep::Content(content));
                    } else {
                        self.denials.place(at, Put::Directory, Keep::ReadOnly);
                    }
                    return;
                }
            }
        }
    }

    fn excepted(&self, path: &Path) -> bool {
        let Place { cwd, home, .. } = *self.place;
        self.profile
            .except
            .iter()
            .any(|it| it.covers(path, home, cwd))
    }

    /// What is put into a working tree is none of git's business: its own list of ignored names
    /// says so, inside.
    fn ignored(&mut self, found: Option<&Found>) {
        let Some(found) = found else {
            return;
        };
        let info = found.common.join("info");
        let path = info.join("exclude");
        if self.view.access(&info) != Some(Access::Write)
            || self.tree.kind(&info) != Some(Kind::Directory)
        {
            return;
        }
        let mut content = match self.tree.kind(&path) {
            Some(Kind::File) => match self.tree.read(&path, config::MAX_BYTES) {
                Some(content) => content,
                None => return,
            },
            None => Vec::new(),
            Some(_) => return,
        };
        let mut any = false;
        for placeholder in self.denials.placeholders() {
            let Ok(inside) = placeholder.path.strip_prefix(&found.top) else {
                continue;
            };
            if placeholder.what != Put::Node {
                continue;
            }
            if !content.is_empty() && !content.ends_with(b"\n") {
                content.push(b'\n');
            }
            content.push(b'/');
            content.extend_from_slice(inside.as_os_str().as_encoded_bytes());
            content.push(b'\n');
            any = true;
        }
        if !any {
            return;
        }
        self.denials.pin_between(&found.common, &path);
        if self.tree.kind(&path).is_some() {
            self.denials.keep(path, Keep::Content(content));
        } else {
            self.denials
                .place(path, Put::File(Vec::new()), Keep::Content(content));
        }
    }

    /// The part of the user's git settings that names a person and habits.
    fn settings(&mut self) {
        let home = self.place.home;
        if !matches!(self.view.get(home), Some(Entry::Memory { .. })) {
            return;
        }
        let to = home.join(".gitconfig");
        let files: Vec<Config> = [home.join(".config/git/config"), to.clone()]
            .iter()
            .filter_map(|path| self.tree.real(path))
            .filter_map(|path| self.tree.read(&path, config::MAX_BYTES))
            .filter_map(|text| Config::parse(&text).ok())
            .collect();
        if let Ok(kept) = settings::behaviour(&files)
            && !kept.entries().is_empty()
        {
            self.files.push((to, kept.text().to_vec()));
        }
    }

    fn end(mut self, found: Option<Found>) -> Plan {
        let Place { cwd, home, .. } = *self.place;
        let mut mounts = self.view.mounts();
        for (number, repository) in self.copies.iter().enumerate() {
            if let Some(from) = repository.copy.parent() {
                mounts.push(Mount::Bind {
                    from: from.to_owned(),
                    to: Path::new(COPIES).join(number.to_string()),
                    write: true,
                });
            }
        }
        mounts.extend(
            self.files
                .into_iter()
                .map(|(to, content)| Mount::File { to, content }),
        );
        mounts.extend(self.denials.mounts());
        if self.denials.left_out() > 0 {
            self.notes.push(Note::TooMany(self.denials.left_out()));
        }
        let environment = environment::environment(
            &self.profile.environment,
            self.place.environment,
            home,
            cwd,
            &mut self.notes,
        );
        self.notes.sort();
        self.notes.dedup();
        Plan {
            mounts,
            placeholders: self.denials.placeholders(),
            repositories: self.copies,
            environment,
            limits: self.profile.limits,
            network: self.profile.network,
            filter: self.profile.filter,
            landlock: self.view.rules(),
            cwd: cwd.to_owned(),
            working_tree: found.map(|it| (it.top, it.own)),
            hostname: HOSTNAME.to_owned(),
            notes: self.notes,
        }
    }
}

/// Whether a pattern that stands for names in every directory ends here, and how many names it has.
/// Others are looked up.
fn names_of(list: &[Pattern], path: &Path, home: &Path, cwd: &Path) -> Option<usize> {
    let parent = path.parent();
    let ends = |it: &&Pattern| {
        it.anchor() == Anchor::Anywhere
            && it.covers(path, home, cwd)
            && !parent.is_some_and(|parent| it.covers(parent, home, cwd))
    };
    list.iter().find(ends).map(|it| it.names().len())
}
