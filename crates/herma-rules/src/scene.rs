//! What the machine and the request say about paths, gathered once per check.

use herma_shell::World;

use crate::place::path::{Base, Path};
use crate::place::pattern::Part;

/// Directories that paths are compared with.
#[derive(Clone, Debug, Default)]
pub struct Scene {
    /// The request's working directory.
    pub(crate) work: Vec<Part>,
    /// The user's homes: by the environment and by the password database.
    pub(crate) homes: Vec<Vec<Part>>,
    /// Temporary directories.
    pub(crate) temporary: Vec<Vec<Part>>,
    /// Homes of agents that are not in their usual place.
    pub(crate) agents: Vec<Vec<Part>>,
    /// herma's own directories.
    pub(crate) herma: Vec<Vec<Part>>,
    /// The machine is a Linux below Windows, whose drives lie below `/mnt`.
    pub(crate) on_windows: bool,
}

impl Scene {
    /// A scene for a request in `cwd` (absolute), with nothing but the usual temporary directories.
    #[must_use]
    pub fn new(cwd: &[u8]) -> Self {
        let mut scene = Self {
            work: parts(cwd).unwrap_or_default(),
            ..Self::default()
        };
        for directory in [b"/tmp".as_slice(), b"/var/tmp"] {
            add(&mut scene.temporary, directory);
        }
        add(&mut scene.herma, b"/etc/herma");
        scene
    }

    /// A scene for a request in `cwd` (absolute) on this machine.
    #[must_use]
    pub fn of_world(cwd: &[u8], world: &dyn World) -> Self {
        let mut scene = Self::new(cwd);
        for home in [world.variable(b"HOME"), world.home(None)]
            .into_iter()
            .flatten()
        {
            scene = scene.with_home(&home);
        }
        if let Some(directory) = world.variable(b"TMPDIR") {
            scene = scene.with_temporary(&directory);
        }
        for name in [
            b"HERMES_HOME".as_slice(),
            b"CLAUDE_CONFIG_DIR",
            b"CODEX_HOME",
        ] {
            if let Some(directory) = world.variable(name) {
                scene = scene.with_agent_home(&directory);
            }
        }
        if let Some(directory) = world.variable(b"HERMA_HOME") {
            scene = scene.with_herma_home(&directory);
        }
        scene.on_windows = WINDOWS_SIGNS.iter().any(|path| world.stat(path).is_some());
        scene
    }

    /// The homes as paths.
    pub(crate) fn home_paths(&self) -> Vec<Vec<u8>> {
        self.homes.iter().map(|home| path(home)).collect()
    }

    /// The working directory as a path.
    pub(crate) fn work_path(&self) -> Vec<u8> {
        path(&self.work)
    }

    /// Says that the drives of Windows lie below `/mnt`.
    #[must_use]
    pub const fn below_windows(mut self) -> Self {
        self.on_windows = true;
        self
    }

    /// Adds a home of the user. `/` is none.
    #[must_use]
    pub fn with_home(mut self, home: &[u8]) -> Self {
        add(&mut self.homes, home);
        self
    }

    /// Adds a temporary directory. System roots and homes are none.
    #[must_use]
    pub fn with_temporary(mut self, directory: &[u8]) -> Self {
        let allowed = parts(directory).is_some_and(|parts| {
            parts.len() > 1 && !self.homes.iter().any(|home| home.starts_with(&parts))
        });
        if allowed {
            add(&mut self.temporary, directory);
        }
        self
    }

    /// Adds an agent's home.
    #[must_use]
    pub fn with_agent_home(mut self, directory: &[u8]) -> Self {
        add(&mut self.agents, directory);
        self
    }

    /// Adds herma's home.
    #[must_use]
    pub fn with_herma_home(mut self, directory: &[u8]) -> Self {
        add(&mut self.herma, directory);
        self
    }
}

/// What a Linux below Windows has and no other.
const WINDOWS_SIGNS: &[&[u8]] = &[
    b"/proc/sys/fs/binfmt_misc/WSLInterop",
    b"/proc/sys/fs/binfmt_misc/WSLInterop-late",
    b"/run/WSL",
];

fn parts(path: &[u8]) -> Option<Vec<Part>> {
    if path.first() != Some(&b'/') {
        return None;
    }
    let path = Path::known(path);
    (path.base == Base::Root).then_some(path.parts)
}

fn path(parts: &[Part]) -> Vec<u8> {
    let mut path = Vec::new();
    for part in parts {
        path.push(b'/');
        path.extend(part.literal().unwrap_or_default());
    }
    if path.is_empty() {
        path.push(b'/');
    }
    path
}

fn add(list: &mut Vec<Vec<Part>>, directory: &[u8]) {
    if let Some(parts) = parts(directory)
        && !parts.is_empty()
        && !list.contains(&parts)
    {
        list.push(parts);
    }
}
