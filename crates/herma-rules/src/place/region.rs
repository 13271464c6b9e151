//! Where a path lies.

use super::Place;
use super::names::is_regenerable;
use super::path::{Base, Path};
use super::pattern::{Fog, Part};
use crate::scene::Scene;

/// Directories at the top of a Unix system whose loss is the loss of the system.
const SYSTEM_ROOTS: &[&str] = &[
    "bin", "boot", "dev", "etc", "home", "lib", "lib32", "lib64", "libo32", "libx32", "proc",
    "root", "run", "sbin", "sys", "usr", "var", "Users", "System", "Library",
];

/// Directories of a Windows drive that are not for what a user makes.
const WINDOWS_ROOTS: &[&str] = &[
    "windows",
    "winnt",
    "program files",
    "program files (x86)",
    "programdata",
    "progra~1",
    "progra~2",
    "progra~3",
    "documents and settings",
    "users",
    "recovery",
    "boot",
    "efi",
    "system volume information",
];

/// Where Windows drives are mounted by what only runs on Windows.
const DRIVE_MOUNT: &str = "cygdrive";
/// Where they are mounted below a Linux kernel that runs on Windows; elsewhere any file system may.
const DRIVE_MOUNT_BELOW_LINUX: &str = "mnt";

/// The classes that say where the path lies, and `Regenerable`, which depends on it.
pub(super) fn region(path: &Path, scene: &Scene) -> Vec<Place> {
    let mut places = Vec::new();
    match path.base {
        Base::Unknown(fog) => {
            if path.may_be_rooted() && is_unix_root(path.trunk(), scene) {
                places.push(Place::UnresolvedRoot);
            }
            places.push(match fog {
                Fog::Names => Place::Unnamed,
                _ => Place::Unresolved,
            });
            if path.is_bare() {
                places.push(Place::Unnamed);
            }
            if path.climbs == 0 && !path.loose && path.parts.iter().any(is_regenerable) {
                places.push(Place::Regenerable);
            }
        }
        Base::Root | Base::Drive => {
            rooted(path, scene, &mut places);
            let is_root = |place: &Place| matches!(place, Place::SystemRoot | Place::Home);
            if path.loose && !places.iter().any(is_root) {
                // What a directory of one's own sets free needs the directory to be certain.
                places.retain(|place| !matches!(place, Place::TempChild | Place::Regenerable));
                places.push(Place::Unresolved);
            }
        }
    }
    places.dedup();
    places
}

fn rooted(path: &Path, scene: &Scene, places: &mut Vec<Place>) {
    if let Some(root) = root_class(path, scene) {
        let only_empty = path
            .filled
            .as_deref()
            .is_some_and(|filled| root_class(filled, scene).is_none());
        places.push(if only_empty { Place::EmptyJoin } else { root });
        return;
    }
    let trunk = path.trunk();
    let unnamed = path.is_bare() || path.has_names() && !ends_in_pattern(path);
    if unnamed && !is_below_temporary(path, scene) {
        places.push(Place::Unnamed);
    }
    if path.parts.last().is_some_and(Part::is_fog) && !path.has_names() {
        places.push(Place::Unresolved);
    }
    let in_work = path.base == Base::Root && has_work(scene) && is_in(trunk, &scene.work);
    let mut located = true;
    if let Some(directory) = scene
        .temporary
        .iter()
        .filter(|_| path.base == Base::Root)
        .filter(|directory| is_in(trunk, directory))
        .max_by_key(|directory| directory.len())
    {
        places.push(if has_named_child(trunk, directory.len()) {
            Place::TempChild
        } else {
            Place::TempRoot
        });
    } else {
        located = false;
    }
    if in_work {
        let below = trunk.get(scene.work.len()..).unwrap_or_default();
        places.push(if below.is_empty() || below.iter().all(Part::is_fog) {
            Place::WorkRoot
        } else {
            Place::Work
        });
        if below.iter().any(is_regenerable) || only_patterns(path, scene) {
            places.push(Place::Regenerable);
        }
        return;
    }
    if path.base == Base::Root && holds(trunk, &scene.work) {
        places.push(Place::WorkRoot);
    }
    if path.unset_prefix && path.parts.last().is_some_and(is_regenerable) {
        places.push(Place::Regenerable);
    }
    if located {
        return;
    }
    let home = path.base == Base::Root
        && scene
            .homes
            .iter()
            .any(|home| trunk.len() > home.len() && starts_with(trunk, home));
    places.push(if home {
        Place::BelowHome
    } else if is_below_system(path, scene) {
        Place::BelowSystem
    } else {
        Place::Outside
    });
}

/// The class of a path that is a root as a whole or by glob, or could be one.
fn root_class(path: &Path, scene: &Scene) -> Option<Place> {
    // `/*` stands for the roots in `/`, and `/*/*` for all that they hold.
    let trunk = path.trunk();
    // What a search found is something in the root, not the root.
    if path.has_names() {
        return None;
    }
    let certain = |parts: &[Part]| !parts.iter().any(Part::has_fog);
    let system = match path.base {
        Base::Root => is_unix_root(trunk, scene),
        Base::Drive => trunk.is_empty(),
        Base::Unknown(_) => false,
    };
    let home = path.base == Base::Root
        && scene
            .homes
            .iter()
            .any(|home| trunk.len() == home.len() && starts_with(trunk, home));
    if home || system {
        return Some(match (certain(trunk), home) {
            (false, _) => Place::UnresolvedRoot,
            (true, true) => Place::Home,
            (true, false) => Place::SystemRoot,
        });
    }
    // `/etc/$X` is `/etc/` when the variable is empty.
    let (last, above) = trunk.split_last()?;
    let root_above = match path.base {
        Base::Root => {
            is_unix_root(above, scene)
                || scene
                    .homes
                    .iter()
                    .any(|home| above.len() == home.len() && starts_with(above, home))
        }
        Base::Drive => above.is_empty(),
        Base::Unknown(_) => false,
    };
    (last.is_fog() && root_above).then_some(Place::UnresolvedRoot)
}

fn is_unix_root(parts: &[Part], scene: &Scene) -> bool {
    match parts {
        [] => true,
        [only] => SYSTEM_ROOTS
            .iter()
            .any(|root| only.could_be(root.as_bytes())),
        [mount, drive] => {
            let mounts = mount.is(DRIVE_MOUNT.as_bytes())
                || scene.on_windows && mount.is(DRIVE_MOUNT_BELOW_LINUX.as_bytes());
            mounts
                && drive
                    .literal()
                    .is_some_and(|name| name.len() == 1 && name.iter().all(u8::is_ascii_alphabetic))
        }
        _ => false,
    }
}

fn is_below_system(path: &Path, scene: &Scene) -> bool {
    match (path.base, path.parts.as_slice()) {
        (Base::Drive, [first, ..]) => is_windows_root(first),
        (Base::Root, [_]) => false,
        (Base::Root, [first, second, rest @ ..]) => {
            is_unix_root(std::slice::from_ref(first), scene)
                || is_unix_root(&[first.clone(), second.clone()], scene)
                    && rest.first().is_some_and(is_windows_root)
        }
        _ => false,
    }
}

/// Whether the system or other users own what lies below this directory of a drive. The drive
/// itself, as `/` does, holds anybody's.
fn is_windows_root(first: &Part) -> bool {
    first.has_fog()
        || WINDOWS_ROOTS
            .iter()
            .any(|root| first.could_be_caseless(root.as_bytes()))
}

/// Whether the working directory may serve as one: a system root as working directory makes nothing
/// in it one's own.
fn has_work(scene: &Scene) -> bool {
    !is_unix_root(&scene.work, scene)
}

/// Whether the path is the working directory or a directory that holds it.
fn holds(trunk: &[Part], work: &[Part]) -> bool {
    trunk.len() <= work.len() && starts_with(work, trunk)
}

fn starts_with(parts: &[Part], prefix: &[Part]) -> bool {
    parts.len() >= prefix.len()
        && parts
            .iter()
            .zip(prefix)
            .all(|(part, want)| same(part, want))
}

/// Whether the components certainly lie in the directory: what sets free needs more than what could
/// be.
fn is_in(parts: &[Part], directory: &[Part]) -> bool {
    parts.starts_with(directory)
}

/// Whether one component could name the other, which is known.
fn same(one: &Part, known: &Part) -> bool {
    one == known
        || match (one.literal(), known.literal()) {
            (None, Some(name)) => one.could_be(&name),
            // A pattern where the working directory is compared with its own parents.
            (Some(name), None) => known.could_be(&name),
            _ => false,
        }
}

/// Whether the component behind the temporary directory has text of its own, or something stands
/// behind it.
fn has_named_child(trunk: &[Part], depth: usize) -> bool {
    match trunk.get(depth..) {
        Some([child]) => !child.is_fog(),
        Some([child, ..]) => !child.is_bare(),
        _ => false,
    }
}

fn is_below_temporary(path: &Path, scene: &Scene) -> bool {
    let trunk = path.trunk();
    scene
        .temporary
        .iter()
        .any(|directory| is_in(trunk, directory) && has_named_child(trunk, directory.len()))
}

/// Whether the last component says by a pattern which files of a search are meant: `*.log`, or
/// the name that was found with text behind it.
fn ends_in_pattern(path: &Path) -> bool {
    path.parts
        .last()
        .is_some_and(|last| last.literal().is_none() && !last.suffix().is_empty())
}

/// Whether the last component names what can be made again by pattern (`*.pyc`).
fn only_patterns(path: &Path, scene: &Scene) -> bool {
    path.parts.len() > scene.work.len() && path.parts.last().is_some_and(is_regenerable)
}
