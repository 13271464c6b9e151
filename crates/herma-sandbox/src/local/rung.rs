//! What holds a command: namespaces, or what is left where nobody may make them.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::plan::{Mount, PathRule, Plan};

/// How a sandbox is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rung {
    /// Namespaces with a view of their own, and everything below.
    Namespaces,
    /// Landlock, the filter and limits, on the machine's own view. Landlock allows; it cannot take
    /// something out of what is allowed, and hides no names: what [`Plan`] masks and protects
    /// within the working directory is open, names and attributes of all files can be asked for,
    /// and so can the command lines of the user's processes.
    Confined {
        /// A directory of this run's, which exists, for temporary files and as a home.
        scratch: PathBuf,
    },
}

/// What Landlock allows on the machine's own view.
pub(super) struct Confinement {
    pub(super) read: Vec<PathRule>,
    pub(super) write: Vec<PathRule>,
    pub(super) environment: Vec<(OsString, OsString)>,
}

/// The plan without its mounts.
pub(super) fn confinement(plan: &Plan, scratch: &Path) -> Confinement {
    let rule = |path: &Path, create| PathRule {
        path: path.to_owned(),
        create,
    };
    let (mut read, mut write) = (vec![rule(Path::new("/proc"), false)], Vec::new());
    for mount in &plan.mounts {
        match mount {
            Mount::Bind {
                from, write: true, ..
            } if plan.repositories.iter().any(|it| it.copy.starts_with(from)) => {}
            Mount::Bind {
                from, write: true, ..
            } => write.push(rule(from, from.is_dir())),
            Mount::Bind { from, .. } | Mount::Private { from, .. } => read.push(rule(from, false)),
            _ => {}
        }
    }
    for device in [
        "full", "null", "ptmx", "pts", "random", "tty", "urandom", "zero",
    ] {
        write.push(rule(&Path::new("/dev").join(device), false));
    }
    write.push(rule(scratch, true));
    let mut environment = plan.environment.clone();
    for (name, value) in &mut environment {
        if *name == "HOME" || *name == "TMPDIR" {
            *value = scratch.into();
        }
    }
    Confinement {
        read,
        write,
        environment,
    }
}
