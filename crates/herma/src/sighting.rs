//! The file that a tool is about to use, by every name that it has.

use herma_audit::FileObject;
use herma_hosts::{FileOperation, FileUse};
use herma_paths::{Identity, Located, Protected, Refusal, locate};
use herma_rules::effect::Verb;
use herma_rules::{Access, KnownAs, Scene};
use herma_shell::path::normal;

use crate::accounts;
use crate::world::Machine;

/// What was found at a path.
pub(crate) struct Sighting {
    names: Vec<Name>,
    given: Scene,
    /// The same with the places that its directories really are.
    canonical: Option<Scene>,
    /// Which object it is; `None` when nothing is there.
    identity: Option<Identity>,
    /// How many names it has; `None` for a directory and for what is not there.
    link_count: Option<u64>,
}

struct Name {
    path: Vec<u8>,
    is_canonical: bool,
}

impl Sighting {
    /// Follows every path that the tool may mean, in a working directory; `state` is herma's own
    /// directory.
    ///
    /// # Errors
    /// The path that it means in the first place is malformed or cannot be walked.
    pub(crate) fn of(
        file: &FileUse,
        cwd: &[u8],
        machine: &Machine,
        state: &[u8],
    ) -> Result<Self, Refusal> {
        let homes = homes();
        let protected = {
            let homes: Vec<&[u8]> = homes.iter().map(Vec::as_slice).collect();
            Protected::new(&homes, state)
        };
        let mut sighting = Self {
            names: Vec::new(),
            given: Scene::of_world(cwd, machine).with_herma_home(state),
            canonical: None,
            identity: None,
            link_count: None,
        };
        for (index, reading) in file.readings.iter().enumerate() {
            let written = absolute(reading.as_bytes(), cwd, &homes);
            for (turn, written) in written.iter().enumerate() {
                let path = normal(written);
                let located = locate(&path);
                if index == 0 && turn == 0 {
                    let located = located?;
                    sighting.identity = located.identity();
                    sighting.link_count = located.link_count();
                    sighting.see(&path, &located, &protected);
                } else if let Ok(located) = located {
                    sighting.see(&path, &located, &protected);
                }
                // The host takes `..` away by the text, the kernel where links have led.
                if herma_paths::has_traversal(written)
                    && let Ok(located) = locate(written)
                {
                    sighting.see(&path, &located, &protected);
                }
            }
        }
        if sighting.names.iter().any(|name| name.is_canonical) {
            sighting.canonical = Some(canonical_scene(cwd, machine, state, &homes));
        }
        Ok(sighting)
    }

    /// The names, each with the directories that it is compared with.
    pub(crate) fn names(&self) -> Vec<KnownAs<'_>> {
        let scene = |name: &Name| match &self.canonical {
            Some(canonical) if name.is_canonical => canonical,
            _ => &self.given,
        };
        self.names
            .iter()
            .map(|name| KnownAs {
                path: &name.path,
                scene: scene(name),
            })
            .collect()
    }

    /// The object for the trail.
    pub(crate) fn object(&self) -> Option<FileObject> {
        self.identity.map(|identity| FileObject {
            device: identity.device,
            inode: identity.inode,
            nlink: self.link_count,
        })
    }

    fn see(&mut self, path: &[u8], located: &Located, protected: &Protected) {
        self.add(path.to_vec(), false);
        let canonical = located.canonical();
        if canonical != path {
            self.add(canonical, true);
            for link in located.links() {
                self.add(link, true);
            }
        }
        for alias in protected.aliases(located) {
            self.add(alias, false);
        }
    }

    fn add(&mut self, path: Vec<u8>, is_canonical: bool) {
        let known = self
            .names
            .iter()
            .any(|name| name.path == path && (name.is_canonical == is_canonical || !is_canonical));
        if !known {
            self.names.push(Name { path, is_canonical });
        }
    }
}

/// The question for the rules: a use of the file with these names.
pub(crate) fn access<'a>(file: &'a FileUse, names: &'a [KnownAs<'a>]) -> Access<'a> {
    Access {
        tool: &file.tool,
        verb: verb(file.operation),
        written: file.path.as_bytes(),
        names,
        globs: &file.globs,
        context: None,
        mode: None,
    }
}

/// What the rules know the operation as; showing names shows nothing of the files.
fn verb(operation: FileOperation) -> Option<Verb> {
    match operation {
        FileOperation::Read | FileOperation::Search => Some(Verb::Read),
        FileOperation::Write => Some(Verb::Write),
        FileOperation::Empty => Some(Verb::Empty),
        FileOperation::Edit => Some(Verb::Edit),
        FileOperation::List => None,
    }
}

/// The user's homes: by the environment, which may be anything, and by the password database.
fn homes() -> Vec<Vec<u8>> {
    let mut homes: Vec<Vec<u8>> = Vec::new();
    for home in [accounts::own_home(), accounts::account_home()]
        .into_iter()
        .flatten()
    {
        let home = normal(&home);
        if !homes.contains(&home) {
            homes.push(home);
        }
    }
    homes
}

/// The absolute path for each home that `~` may be.
fn absolute(path: &[u8], cwd: &[u8], homes: &[Vec<u8>]) -> Vec<Vec<u8>> {
    match path {
        [b'/', ..] => vec![path.to_vec()],
        [b'~'] | [b'~', b'/', ..] if !homes.is_empty() => {
            let below = path.get(1..).unwrap_or_default();
            homes
                .iter()
                .map(|home| [home.as_slice(), below].concat())
                .collect()
        }
        _ => vec![[cwd, b"/", path].concat()],
    }
}

fn canonical_scene(cwd: &[u8], machine: &Machine, state: &[u8], homes: &[Vec<u8>]) -> Scene {
    let real = |path: &[u8]| locate(path).map_or_else(|_| path.to_vec(), |it| it.canonical());
    let mut scene = Scene::of_world(&real(cwd), machine);
    for home in homes {
        scene = scene.with_home(&real(home));
    }
    for directory in [b"/tmp".as_slice(), b"/var/tmp"] {
        scene = scene.with_temporary(&real(directory));
    }
    scene.with_herma_home(&real(state)).with_herma_home(state)
}
