//! Files that matter by their names, in one listed directory.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use herma_protected::{
    ANYWHERE, Kind as Matter, is_environment, is_instructions, is_private_key, is_store,
};

use super::Put;
use super::denial::{Denials, Keep};
use super::place::{Kind, Tree};
use super::search::Listed;

/// What protected names mean inside a sandbox.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// It is empty inside.
    Mask,
    /// It can only be read.
    Protect,
    /// It is as it is.
    Free,
}

/// What a kind of file means where it may be changed.
pub(super) fn meaning(matter: Matter, instructions: bool) -> Meaning {
    match matter {
        Matter::HermaSecrets
        | Matter::HermaState
        | Matter::PrivateKey
        | Matter::Credential
        | Matter::Ssh
        | Matter::History => Meaning::Mask,
        Matter::Instructions if instructions => Meaning::Free,
        // The repository's own files are looked at one by one.
        Matter::Git => Meaning::Free,
        Matter::Instructions
        | Matter::HermaSettings
        | Matter::HermaProgram
        | Matter::AgentSettings
        | Matter::ShellStartup
        | Matter::RunsLater
        | Matter::GitHook => Meaning::Protect,
    }
}

/// How a tree is looked through.
pub(super) struct Rules<'a> {
    pub(super) tree: &'a dyn Tree,
    /// From where on directories that lead to what is protected are kept from being renamed; from
    /// the listed directory on when there is none. Each is a mount of its own then, and files are
    /// copied, not renamed, from one to another.
    pub(super) pins: Option<&'a Path>,
    /// Whether what lies there may be changed outside, so that it must be protected.
    pub(super) writable: bool,
    /// Whether instruction files may be changed.
    pub(super) instructions: bool,
    /// Whether a path is excepted from masks and protection.
    pub(super) except: &'a dyn Fn(&Path) -> bool,
    /// Whether the profile masks a path.
    pub(super) mask: &'a dyn Fn(&Path) -> bool,
    /// Whether the profile protects a path, and of how many names it is.
    pub(super) protect: &'a dyn Fn(&Path) -> Option<usize>,
    /// The file of the machine that a link leads to, when it is seen inside.
    pub(super) seen: &'a dyn Fn(&Path) -> Option<PathBuf>,
}

impl Rules<'_> {
    /// Looks at one directory. At the root of a tree, names that do not exist yet are kept from
    /// being made, too. Masks are collected in `masks`, since tracked files are none.
    pub(super) fn look(
        &self,
        listed: &Listed,
        root: bool,
        denials: &mut Denials,
        masks: &mut Vec<(PathBuf, bool)>,
    ) {
        for (name, kind) in &listed.names {
            let path = listed.path.join(name);
            let bytes = name.as_bytes();
            let secret = *kind != Kind::Directory
                && (is_environment(bytes) || is_private_key(bytes) || is_store(bytes));
            if (secret || (self.mask)(&path)) && !(self.except)(&path) {
                self.masked(&path, *kind, masks);
            }
            let ordered = *kind != Kind::Directory && !self.instructions && is_instructions(bytes);
            let names = (self.protect)(&path).or(ordered.then_some(1));
            if let Some(names) = names.filter(|_| self.writable && !(self.except)(&path)) {
                let base = path.ancestors().nth(names).unwrap_or(&listed.path);
                self.kept(base, &path, *kind, denials);
            }
        }
        for (entry, matter) in ANYWHERE {
            if *entry == ".git" || entry.starts_with(".git/") {
                continue;
            }
            match meaning(*matter, self.instructions) {
                Meaning::Free => {}
                Meaning::Mask => {
                    if let Found::Whole(path, kind) = self.find(listed, entry)
                        && !(self.except)(&path)
                    {
                        self.masked(&path, kind, masks);
                    }
                }
                Meaning::Protect if self.writable => self.entry(listed, entry, root, denials),
                Meaning::Protect => {}
            }
        }
    }

    fn masked(&self, path: &Path, kind: Kind, masks: &mut Vec<(PathBuf, bool)>) {
        match kind {
            Kind::File => masks.push((path.to_owned(), false)),
            Kind::Directory => masks.push((path.to_owned(), true)),
            Kind::Link => {
                if let Some(real) = (self.seen)(path)
                    && let Some(kind @ (Kind::File | Kind::Directory)) = self.tree.kind(&real)
                {
                    masks.push((real, kind == Kind::Directory));
                }
            }
            Kind::Other => {}
        }
    }

    /// Keeps what exists from being changed, and what leads there from being exchanged.
    fn kept(&self, base: &Path, path: &Path, kind: Kind, denials: &mut Denials) {
        denials.pin_between(self.pins.unwrap_or(base), path);
        if kind != Kind::Link {
            return denials.keep(path.to_owned(), Keep::ReadOnly);
        }
        if let Some(target) = self.tree.target(path) {
            denials.keep(path.to_owned(), Keep::Link(target));
        }
        if let Some(real) = (self.seen)(path) {
            denials.keep(real, Keep::ReadOnly);
        }
    }

    fn entry(&self, listed: &Listed, entry: &str, root: bool, denials: &mut Denials) {
        match self.find(listed, entry) {
            Found::Whole(path, kind) => {
                if !(self.except)(&path) {
                    self.kept(&listed.path, &path, kind, denials);
                }
            }
            Found::Link(path) => {
                if !(self.except)(&path) {
                    self.kept(&listed.path, &path, Kind::Link, denials);
                }
            }
            Found::Part {
                above,
                missing,
                last,
            } => {
                let path = above.join(missing);
                let whole = listed.path.join(entry);
                let free = (self.except)(&path) || (self.except)(&whole);
                // Everywhere else such a directory is a rare guest.
                if free || above == listed.path && !root {
                    return;
                }
                denials.pin_between(&listed.path, &path);
                if last && is_file(missing) {
                    denials.place(path, Put::Node, Keep::Content(content(missing)));
                } else {
                    denials.place(path, Put::Directory, Keep::ReadOnly);
                }
            }
            Found::Nothing => {}
        }
    }

    /// How far an entry of several names exists below a listed directory. Names compare without
    /// case, since some file systems do.
    fn find<'e>(&self, listed: &Listed, entry: &'e str) -> Found<'e> {
        let mut path = listed.path.clone();
        let mut names = entry.split('/').peekable();
        let mut first = true;
        while let Some(name) = names.next() {
            let last = names.peek().is_none();
            let found = if first {
                spelt(&listed.names, name)
            } else {
                let below = self.tree.list(&path, MAX_BELOW);
                below.as_deref().and_then(|names| spelt(names, name))
            };
            first = false;
            let Some((spelling, kind)) = found else {
                return Found::Part {
                    above: path,
                    missing: name,
                    last,
                };
            };
            path.push(spelling);
            match kind {
                _ if last => return Found::Whole(path, kind),
                Kind::Directory => {}
                Kind::Link => return Found::Link(path),
                Kind::File | Kind::Other => return Found::Nothing,
            }
        }
        Found::Nothing
    }
}

/// Most names of a directory of settings.
const MAX_BELOW: usize = 1024;

enum Found<'e> {
    /// All of it.
    Whole(PathBuf, Kind),
    /// A link stands where a directory belongs.
    Link(PathBuf),
    /// Nothing from `missing` on, which may be the last name.
    Part {
        above: PathBuf,
        missing: &'e str,
        last: bool,
    },
    /// A file stands where a directory belongs.
    Nothing,
}

fn spelt(names: &[(OsString, Kind)], want: &str) -> Option<(OsString, Kind)> {
    let is = |name: &OsStr, exact: bool| {
        if exact {
            name == want
        } else {
            name.as_bytes().eq_ignore_ascii_case(want.as_bytes())
        }
    };
    [true, false]
        .into_iter()
        .find_map(|exact| names.iter().find(|(name, _)| is(name, exact)).cloned())
}

/// Whether a protected name is a file's.
pub(super) fn is_file(name: &str) -> bool {
    name == ".envrc"
        || name.rsplit_once('.').is_some_and(|(stem, end)| {
            !stem.is_empty()
                && matches!(
                    end,
                    "json" | "jsonc" | "md" | "mdc" | "py" | "sh" | "toml" | "yaml" | "yml"
                )
        })
}

/// What stands inside in place of a file that does not exist: what its readers take for nothing.
pub(super) fn content(name: &str) -> Vec<u8> {
    let text = match name {
        ".mcp.json" | "mcp.json" => "{\"mcpServers\":{}}\n",
        _ if name.ends_with(".json") || name.ends_with(".jsonc") => "{}\n",
        _ => "",
    };
    text.into()
}
