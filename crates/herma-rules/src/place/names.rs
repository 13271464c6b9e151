//! What the name of a path means.

use herma_protected::{AGENT_DATA, ANYWHERE, HOME, Kind, TOP};

use super::Place;
use super::lists::{DATABASE_SUFFIXES, LOCK_FILES, OBJECT_SUFFIXES, REGENERABLE};
use super::path::{Base, Path};
use super::pattern::Part;
use crate::scene::Scene;

/// Whether the component names what can be made again, all that it could match included.
pub(super) fn is_regenerable(part: &Part) -> bool {
    let listed = |name: &&str| part.is(name.as_bytes());
    if REGENERABLE.iter().any(listed) || LOCK_FILES.iter().any(listed) {
        return true;
    }
    let suffix = part.suffix();
    OBJECT_SUFFIXES
        .iter()
        .any(|want| suffix.ends_with(want.as_bytes()))
}

/// Adds the classes that the name of the path says.
pub(super) fn name_classes(path: &Path, scene: &Scene, places: &mut Vec<Place>) {
    let parts = path.parts.as_slice();
    let mut add = |place: Place| {
        if !places.contains(&place) {
            places.push(place);
        }
    };
    if path.may_be_rooted() {
        if begins(parts, "etc") {
            add(Place::Etc);
        }
        for (prefix, kind) in TOP {
            if begins(parts, prefix) {
                add(place(*kind));
            }
        }
        device(parts, &mut add);
        for directory in &scene.herma {
            if starts(parts, directory) {
                herma(parts.get(directory.len()..).unwrap_or_default(), &mut add);
            }
        }
        for directory in &scene.agents {
            if starts(parts, directory) {
                add(Place::AgentSettings);
            }
        }
        if let [first, .., last] = parts
            && first.is(b"proc")
            && last.is(b"environ")
        {
            add(Place::Credential);
        }
        if let [first, second, last] = parts
            && first.is(b"etc")
            && second.is(b"ssh")
            && last.prefix().starts_with(b"ssh_host_")
            && last.names(b"ssh_host_rsa_key")
        {
            add(Place::PrivateKey);
        }
    }
    let homes = homes(path, scene);
    for below in &homes {
        below_a_home(below, &mut add);
    }
    // A directory of the agent itself in a project.
    if let [.., parent, _] = parts
        && parent.means(".hermes")
        && homes.is_empty()
    {
        add(Place::Instructions);
    }
    // A name that means something in any directory says nothing of where it is looked for, so a
    // pattern has to spell some of it; behind `.claude` the directory says enough.
    for start in 0..parts.len() {
        let rest = parts.get(start..).unwrap_or_default();
        for (prefix, kind) in ANYWHERE {
            let spelled = prefix.contains('/') || rest.first().is_some_and(|it| it.spells(prefix));
            if !spelled || !begins(rest, prefix) {
                continue;
            }
            match kind {
                Kind::Git if is_git_scrap(rest) => {}
                Kind::Ssh => ssh(rest, &mut add),
                kind => add(place(*kind)),
            }
        }
    }
    if let Some(last) = parts.last() {
        file_name(last, &mut add);
    }
}

/// What the components start with: known ones and patterns that could match.
fn begins(parts: &[Part], prefix: &str) -> bool {
    let mut parts = parts.iter();
    prefix.split('/').all(|name| {
        parts
            .next()
            .is_some_and(|part| !part.is_bare() && part.means(name))
    })
}

/// The class of what the list knows.
fn place(kind: Kind) -> Place {
    match kind {
        Kind::HermaSecrets | Kind::HermaState | Kind::HermaSettings | Kind::HermaProgram => {
            Place::HermaFiles
        }
        Kind::Instructions => Place::Instructions,
        Kind::PrivateKey => Place::PrivateKey,
        Kind::Credential => Place::Credential,
        Kind::Ssh => Place::SshDirectory,
        Kind::AgentSettings => Place::AgentSettings,
        Kind::ShellStartup => Place::ShellStartup,
        Kind::RunsLater => Place::RunsLater,
        Kind::Git => Place::GitDirectory,
        Kind::GitHook => Place::GitHook,
        Kind::History => Place::Log,
    }
}

/// herma's state directory; what lies in it is below.
fn herma(below: &[Part], add: &mut impl FnMut(Place)) {
    add(Place::HermaFiles);
    let names: Option<Vec<Vec<u8>>> = below.iter().map(Part::literal).collect();
    if names.is_some_and(|names| herma_protected::state(&names) == Kind::HermaSecrets) {
        add(Place::Credential);
    }
}

/// A directory of keys, which comes first.
fn ssh(parts: &[Part], add: &mut impl FnMut(Place)) {
    add(Place::SshDirectory);
    if holds_private_key(parts.get(1..).unwrap_or_default()) {
        add(Place::PrivateKey);
    }
}

fn starts(parts: &[Part], prefix: &[Part]) -> bool {
    parts.len() >= prefix.len()
        && parts
            .iter()
            .zip(prefix)
            .all(|(part, want)| want.literal().is_some_and(|name| part.names(&name)))
}

/// What is below a home directory, for each directory that may be one.
fn homes<'a>(path: &'a Path, scene: &Scene) -> Vec<&'a [Part]> {
    let parts = path.parts.as_slice();
    let mut out = Vec::new();
    if path.may_be_rooted() {
        for home in &scene.homes {
            if starts(parts, home) {
                out.push(parts.get(home.len()..).unwrap_or_default());
            }
        }
    }
    let usual = match (path.base, parts) {
        (Base::Root, [first, rest @ ..]) if first.is(b"root") => Some(rest),
        (Base::Root, [first, _, rest @ ..]) if first.is(b"home") || first.is(b"Users") => {
            Some(rest)
        }
        (Base::Root, [first, _, users, _, rest @ ..]) if first.is(b"mnt") && users.is(b"Users") => {
            Some(rest)
        }
        (Base::Drive, [users, _, rest @ ..])
            if users
                .literal()
                .is_some_and(|name| name.eq_ignore_ascii_case(b"users")) =>
        {
            Some(rest)
        }
        // `$DIR/.ssh/id_rsa`: the unknown text may be a home.
        (Base::Unknown(_), parts) => Some(parts),
        _ => None,
    };
    // `@~/.ssh/id_rsa`: the shell leaves the tilde, and the writer means a home.
    if let Some(at) = parts.iter().rposition(|part| part.is(b"~")) {
        out.push(parts.get(at + 1..).unwrap_or_default());
    }
    // `$DIR/.ssh/id_rsa` with a name that something unseen may have set.
    let usual = usual.or_else(|| path.unset_prefix.then_some(parts));
    if let Some(below) = usual
        && !out.contains(&below)
    {
        out.push(below);
    }
    out
}

/// Files in `.git` that hold neither history nor settings.
fn is_git_scrap(parts: &[Part]) -> bool {
    let names: Option<Vec<Vec<u8>>> = parts
        .iter()
        .enumerate()
        // How the repository's directory itself was written does not matter.
        .map(|(at, part)| {
            if at == 0 {
                Some(Vec::new())
            } else {
                part.literal()
            }
        })
        .collect();
    names.is_some_and(|names| herma_protected::is_git_scrap(&names))
}

fn below_a_home(below: &[Part], add: &mut impl FnMut(Place)) {
    for (prefix, kind) in HOME {
        if !begins(below, prefix) {
            continue;
        }
        match kind {
            Kind::AgentSettings if AGENT_DATA.iter().any(|data| begins(below, data)) => {}
            Kind::Ssh => ssh(below, add),
            Kind::HermaState => herma(below.get(1..).unwrap_or_default(), add),
            kind => add(place(*kind)),
        }
    }
}

/// Whether something in `~/.ssh` is a private key.
fn holds_private_key(inside: &[Part]) -> bool {
    let Some(name) = inside.first() else {
        return true;
    };
    match name.literal() {
        Some(name) => herma_protected::is_key_of_ssh(&name),
        None => !name.suffix().ends_with(b".pub"),
    }
}

/// Raw block devices and the devices that lose or echo what is written.
fn device(parts: &[Part], add: &mut impl FnMut(Place)) {
    let [first, rest @ ..] = parts else {
        return;
    };
    if first.is(b"proc") {
        if let [_, directory, ..] = rest
            && directory.is(b"fd")
        {
            add(Place::NullDevice);
        }
        return;
    }
    if !first.is(b"dev") {
        return;
    }
    match rest {
        [name] => {
            let literal = name.literal();
            let quiet = literal.as_deref().is_some_and(|name| {
                matches!(
                    name,
                    b"null"
                        | b"zero"
                        | b"full"
                        | b"random"
                        | b"urandom"
                        | b"tty"
                        | b"stdin"
                        | b"stdout"
                        | b"stderr"
                        | b"fd"
                )
            });
            if quiet {
                add(Place::NullDevice);
            } else if is_raw_device(&name.prefix(), literal.is_some()) {
                add(Place::RawDevice);
            }
        }
        [directory, _, ..] if directory.is(b"fd") => add(Place::NullDevice),
        [directory, _, ..] if directory.is(b"mapper") => add(Place::RawDevice),
        [directory, by, _, ..] if directory.is(b"disk") && by.prefix().starts_with(b"by-") => {
            add(Place::RawDevice);
        }
        _ => {}
    }
}

/// Whether a name in `/dev` is a raw block device; of a name that is not whole only the start is
/// known.
fn is_raw_device(name: &[u8], whole: bool) -> bool {
    let letters = |prefix: &[u8]| {
        name.strip_prefix(prefix).is_some_and(|rest| {
            if whole {
                rest.first().is_some_and(u8::is_ascii_lowercase)
                    && rest
                        .iter()
                        .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
            } else {
                true
            }
        })
    };
    let numbered = |prefix: &[u8]| {
        name.strip_prefix(prefix).is_some_and(|rest| {
            if whole {
                rest.first().is_some_and(u8::is_ascii_digit)
            } else {
                true
            }
        })
    };
    [b"sd".as_slice(), b"hd", b"vd", b"xvd"]
        .into_iter()
        .any(letters)
        || [
            b"nvme".as_slice(),
            b"mmcblk",
            b"md",
            b"loop",
            b"nbd",
            b"dm-",
            b"disk",
            b"rdisk",
        ]
        .into_iter()
        .any(numbered)
}

/// Classes that the last component alone says.
fn file_name(last: &Part, add: &mut impl FnMut(Place)) {
    if is_env_file(last) {
        add(Place::EnvFile);
    }
    let suffix = last.suffix();
    let ends = |want: &&str| suffix.ends_with(want.as_bytes());
    if DATABASE_SUFFIXES.iter().any(ends) {
        add(Place::Database);
    }
    if let Some(name) = last.literal() {
        if herma_protected::is_instructions(&name) {
            add(Place::Instructions);
        }
        if herma_protected::is_private_key(&name) {
            add(Place::PrivateKey);
        }
        if herma_protected::is_store(&name) {
            add(Place::Credential);
        }
    } else if (last.prefix().starts_with(b"id_") && last.names(b"id_rsa"))
        || (suffix.starts_with(b".")
            && herma_protected::is_private_key(&[b"x", suffix.as_slice()].concat()))
    {
        add(Place::PrivateKey);
    }
}

/// An environment file, or a pattern for some.
fn is_env_file(last: &Part) -> bool {
    let Some(name) = last.literal() else {
        // A pattern that spells out `.env`, or more of a dot name than the dot.
        let prefix = last.prefix();
        return prefix.starts_with(b".e") && !last.has_fog() && last.could_be(b".env")
            || prefix.starts_with(b".env.")
            || !last.has_fog() && last.suffix() == b".env";
    };
    herma_protected::is_environment(&name)
}
