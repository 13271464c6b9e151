//! Why no plan is made.

use std::path::{Path, PathBuf};

use herma_protected::HOME;

use super::names::{Meaning, meaning};
use super::place::{Kind, Place, Tree};

/// Why a directory cannot be the working directory of a sandbox.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// It is no directory, or cannot be seen.
    #[error("{} is no directory", .0.display())]
    Missing(PathBuf),
    /// It is the home directory, or holds it.
    #[error("{} is or holds the home directory", .0.display())]
    Home(PathBuf),
    /// It is the system's, or everybody's.
    #[error("{} is the system's", .0.display())]
    System(PathBuf),
    /// It holds keys, passwords or herma's own state.
    #[error("{} is where secrets are kept", .0.display())]
    Secret(PathBuf),
    /// The profile hides it.
    #[error("{} is hidden by the profile", .0.display())]
    Hidden(PathBuf),
}

/// Directories that are no workspace, and in which there is none.
const SYSTEM: &[&str] = &[
    "/bin", "/boot", "/dev", "/etc", "/lib", "/lib32", "/lib64", "/libx32", "/proc", "/run",
    "/sbin", "/sys", "/usr",
];

/// Directories that are no workspace, though there may be one in them.
const SHARED: &[&str] = &[
    "/",
    "/home",
    "/media",
    "/mnt",
    "/opt",
    "/root",
    "/srv",
    "/tmp",
    "/usr/local/src",
    "/usr/src",
    "/var",
    "/var/tmp",
];

/// Where people build in the system's directories.
const SOURCES: &[&str] = &["/usr/src", "/usr/local/src"];

/// Whether the working directory can be one.
pub(super) fn check(place: &Place<'_>, tree: &dyn Tree) -> Result<(), Refusal> {
    let cwd = place.cwd;
    let refuse = |why: fn(PathBuf) -> Refusal| Err(why(cwd.to_owned()));
    let is = |list: &[&str]| list.iter().any(|it| cwd == Path::new(it));
    let below = |list: &[&str]| list.iter().any(|it| cwd.starts_with(it));
    if !cwd.is_absolute() || tree.kind(cwd) != Some(Kind::Directory) {
        return refuse(Refusal::Missing);
    }
    if place.home.starts_with(cwd) {
        return refuse(Refusal::Home);
    }
    if is(SHARED) || below(SYSTEM) && !below(SOURCES) {
        return refuse(Refusal::System);
    }
    let secret = |(entry, matter): &(&str, _)| {
        meaning(*matter, true) == Meaning::Mask && cwd.starts_with(place.home.join(entry))
    };
    if HOME.iter().any(secret) {
        return refuse(Refusal::Secret);
    }
    if cwd.starts_with(place.state) || place.state.starts_with(cwd) {
        return refuse(Refusal::Secret);
    }
    Ok(())
}
