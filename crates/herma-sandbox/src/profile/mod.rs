//! Profiles: named policies of sandboxes, written in TOML.
//!
//! A profile lists what is allowed and what is denied. Everything that no list names does not
//! exist inside. Between the lists one order holds: a deny wins against every allow, however much
//! deeper the allow is (`hide`, then `mask`, then `protect`); between allows the deeper one wins,
//! and for the same path the weaker (`read`, then `private`, then `write`). `except` takes names
//! out of `mask` and `protect`, those that herma always masks and protects included.
//!
//! A profile extends another: lists are joined, anything else is replaced. Layers of the
//! configuration may write the same profile; a lower layer may only tighten what a higher one
//! wrote, and a project only tightens.

mod document;
mod key;
mod pattern;
mod shelf;
mod size;

pub use key::{KEYS, Key, Shape};
pub use pattern::{Anchor, Pattern};
pub use shelf::Shelf;
pub use size::size;

use std::collections::BTreeMap;

use document::Value;

/// herma's own profiles.
const BUILTIN: &[(&str, &str)] = &[
    ("generic", include_str!("../../profiles/generic.toml")),
    ("default", include_str!("../../profiles/default.toml")),
    ("read-only", include_str!("../../profiles/read-only.toml")),
    ("locked", include_str!("../../profiles/locked.toml")),
];

/// A policy, with everything that it inherits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Profile {
    /// Its name.
    pub name: String,
    /// What it is for.
    pub about: String,
    /// What may be read and run.
    pub read: Vec<Pattern>,
    /// What may be changed.
    pub write: Vec<Pattern>,
    /// What may be changed for the time of the run.
    pub private: Vec<Pattern>,
    /// What does not exist inside.
    pub hide: Vec<Pattern>,
    /// What is empty inside.
    pub mask: Vec<Pattern>,
    /// What may be read but not changed.
    pub protect: Vec<Pattern>,
    /// What is neither masked nor protected.
    pub except: Vec<Pattern>,
    /// What may be done with the working directory.
    pub workspace: Workspace,
    /// Names of variables that are handed on, `*` at their end.
    pub environment: Vec<String>,
    /// Whether files that agents take orders from may be changed.
    pub instructions: bool,
    /// The way to the network.
    pub network: Network,
    /// What the system call filter refuses.
    pub filter: Filter,
    /// Limits for every process inside.
    pub limits: Limits,
}

/// What may be done with the working directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Workspace {
    /// It may be changed.
    Write,
    /// Changes are seen inside only and end with the run.
    Private,
    /// It may be read.
    Read,
}

/// The way to the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Network {
    /// There is none.
    None,
    /// The one through herma's proxy.
    Exit,
}

/// What the system call filter refuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Filter {
    /// Also what ordinary programs can do without.
    pub strict: bool,
    /// Whether programs may make namespaces of their own.
    pub nested: bool,
    /// Whether programs may make Unix sockets.
    pub unix_sockets: bool,
    /// Whether programs may run that are in no file; otherwise `memfd_create` must say
    /// `MFD_NOEXEC_SEAL`.
    pub run_from_memory: bool,
}

/// Limits; `None` is no limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of data of one process.
    pub memory: Option<u64>,
    /// Bytes of the largest file.
    pub file: Option<u64>,
    /// Bytes of each directory in memory.
    pub temporary: u64,
    /// Processes and threads at once.
    pub tasks: Option<u64>,
    /// Open files of one process.
    pub open_files: Option<u64>,
    /// Seconds of processor time of one process.
    pub cpu: Option<u64>,
    /// Seconds that the run may take.
    pub time: Option<u64>,
}

/// Bytes of a directory in memory when no profile says.
const TEMPORARY: u64 = 1 << 30;

impl Profile {
    /// The profile that these values make. What is not given is denied, but for limits.
    fn of(name: &str, values: &BTreeMap<&'static str, Value>) -> Self {
        let patterns = |key: &str| match values.get(key) {
            Some(Value::Patterns(entries)) => entries.iter().map(|(it, _)| it.clone()).collect(),
            _ => Vec::new(),
        };
        let word = |key: &str| match values.get(key) {
            Some(Value::Text(text)) => text.as_str(),
            _ => "",
        };
        let number = |key: &str| match values.get(key) {
            Some(Value::Number(number)) => Some(*number),
            _ => None,
        };
        let may = |key: &str| matches!(values.get(key), Some(Value::Truth(true)));
        Self {
            name: name.to_owned(),
            about: word("about").to_owned(),
            read: patterns("read"),
            write: patterns("write"),
            private: patterns("private"),
            hide: patterns("hide"),
            mask: patterns("mask"),
            protect: patterns("protect"),
            except: patterns("except"),
            workspace: match word("workspace") {
                "write" => Workspace::Write,
                "private" => Workspace::Private,
                _ => Workspace::Read,
            },
            environment: match values.get("environment") {
                Some(Value::Variables(names)) => names.iter().map(|(it, _)| it.clone()).collect(),
                _ => Vec::new(),
            },
            instructions: may("instructions"),
            network: if may("network") {
                Network::Exit
            } else {
                Network::None
            },
            filter: Filter {
                strict: word("filter") != "default",
                nested: may("nested"),
                unix_sockets: may("unix_sockets"),
                run_from_memory: may("run_from_memory"),
            },
            limits: Limits {
                memory: number("limits.memory"),
                file: number("limits.file"),
                temporary: number("limits.temporary").unwrap_or(TEMPORARY),
                tasks: number("limits.tasks"),
                open_files: number("limits.open_files"),
                cpu: number("limits.cpu"),
                time: number("limits.time"),
            },
        }
    }
}

#[cfg(test)]
mod tests;
