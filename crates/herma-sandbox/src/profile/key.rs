//! The table of a profile's keys: reading, inheritance and layers come from it.

/// What a key's value looks like, and which values are tighter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Paths; a profile adds to what it extends.
    Paths {
        /// Whether more paths are tighter.
        denies: bool,
        /// Whether a name may stand for itself in every directory.
        names: bool,
    },
    /// Names of variables, `*` at their end; a profile adds to what it extends.
    Variables,
    /// A number of bytes, or a text such as `512 MiB`; less is tighter.
    Size,
    /// A number; less is tighter.
    Count,
    /// What may be done; `false` is tighter.
    Permission,
    /// One of these words, from the loosest to the tightest.
    Choice(&'static [&'static str]),
    /// One line for people.
    About,
    /// The name of another profile.
    Extends,
}

/// One key.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// Its path below the profile.
    pub path: &'static str,
    /// What its value looks like.
    pub shape: Shape,
    /// What it is for.
    pub doc: &'static str,
}

const fn key(path: &'static str, shape: Shape, doc: &'static str) -> Key {
    Key { path, shape, doc }
}

const ALLOWS: Shape = Shape::Paths {
    denies: false,
    names: false,
};

/// Every key.
pub const KEYS: &[Key] = &[
    key(
        "extends",
        Shape::Extends,
        "The profile that this one begins with; `default` when it is not given.",
    ),
    key("about", Shape::About, "What it is for, in one line."),
    key(
        "read",
        ALLOWS,
        "What may be read and run. What no entry names does not exist inside.",
    ),
    key("write", ALLOWS, "What may be changed as well."),
    key(
        "private",
        ALLOWS,
        "What may be changed, but the changes are seen inside only and end with the run.",
    ),
    key(
        "hide",
        Shape::Paths {
            denies: true,
            names: false,
        },
        "What does not exist inside, or is an empty directory, though an entry above allows it.",
    ),
    key(
        "mask",
        Shape::Paths {
            denies: true,
            names: true,
        },
        "Files that are empty inside and directories without content, besides `.env` files, keys and credentials.",
    ),
    key(
        "protect",
        Shape::Paths {
            denies: true,
            names: true,
        },
        "What may be read but not changed, besides hooks and settings that run later. What begins with ./ is kept from being made, too.",
    ),
    key(
        "except",
        Shape::Paths {
            denies: false,
            names: true,
        },
        "What is neither masked nor protected, though its name says so.",
    ),
    key(
        "workspace",
        Shape::Choice(&["write", "private", "read"]),
        "Whether the working directory may be changed, only seemingly (the changes end with the run), or only read.",
    ),
    key(
        "environment",
        Shape::Variables,
        "Variables that are handed on, when they are set. A value with a password in a URL is not.",
    ),
    key(
        "network",
        Shape::Permission,
        "Whether there is a way to the network: the one through herma's proxy.",
    ),
    key(
        "unix_sockets",
        Shape::Permission,
        "Whether programs may make Unix sockets. The machine's own are out of sight in any case.",
    ),
    key(
        "nested",
        Shape::Permission,
        "Whether programs may make namespaces of their own, as other sandboxes do.",
    ),
    key(
        "run_from_memory",
        Shape::Permission,
        "Whether programs may run that are in no file (memfd).",
    ),
    key(
        "instructions",
        Shape::Permission,
        "Whether files that agents take orders from (`AGENTS.md`, `CLAUDE.md`) may be changed.",
    ),
    key(
        "filter",
        Shape::Choice(&["default", "strict"]),
        "System calls that are refused: what endangers the machine, or also what ordinary programs can do without.",
    ),
    key(
        "limits.memory",
        Shape::Size,
        "Bytes of data of one process.",
    ),
    key("limits.file", Shape::Size, "Bytes of the largest file."),
    key(
        "limits.temporary",
        Shape::Size,
        "Bytes of each directory in memory, `/tmp` and the home among them.",
    ),
    key(
        "limits.tasks",
        Shape::Count,
        "Processes and threads at once.",
    ),
    key(
        "limits.open_files",
        Shape::Count,
        "Open files of one process.",
    ),
    key(
        "limits.cpu",
        Shape::Count,
        "Seconds of processor time of one process.",
    ),
    key(
        "limits.time",
        Shape::Count,
        "Seconds that the run may take.",
    ),
];

/// Where it stands among the words, the loosest first.
pub(super) fn rank(choices: &[&str], word: &str) -> usize {
    choices.iter().position(|it| *it == word).unwrap_or(0)
}
