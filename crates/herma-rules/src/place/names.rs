//! What the name of a path means.

use super::Place;
use super::lists::{
    AGENT_DATA, ANYWHERE, BELOW_A_HOME, BELOW_THE_ROOT, DATABASE_SUFFIXES, INSTRUCTIONS,
    LOCK_FILES, OBJECT_SUFFIXES, REGENERABLE,
};
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
        for (prefix, place) in BELOW_THE_ROOT {
            if begins(parts, prefix) {
                add(*place);
            }
        }
        device(parts, &mut add);
        for directory in &scene.herma {
            if starts(parts, directory) {
                add(Place::HermaFiles);
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
    for below in homes(path, scene) {
        below_a_home(below, &mut add);
    }
    // A name that means something in any directory says nothing of where it is looked for, so a
    // pattern has to spell some of it; behind `.claude` the directory says enough.
    for start in 0..parts.len() {
        let rest = parts.get(start..).unwrap_or_default();
        for (prefix, place) in ANYWHERE {
            let spelled = match (rest.first(), prefix) {
                (Some(part), [name]) => part.spells(name.as_bytes()),
                _ => true,
            };
            if spelled
                && begins(rest, prefix)
                && !(*place == Place::GitDirectory && is_git_scrap(rest))
            {
                add(*place);
            }
        }
    }
    if let Some(last) = parts.last() {
        file_name(last, &mut add);
    }
}

/// What the components start with: known ones and patterns that could match.
fn begins(parts: &[Part], prefix: &[&str]) -> bool {
    parts.len() >= prefix.len()
        && parts
            .iter()
            .zip(prefix)
            .all(|(part, name)| !part.is_bare() && part.names(name.as_bytes()))
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

/// Files in `.git` that hold neither history nor settings: locks, messages, excluded names.
fn is_git_scrap(parts: &[Part]) -> bool {
    let [_, inside @ ..] = parts else {
        return false;
    };
    let names: Option<Vec<Vec<u8>>> = inside.iter().map(Part::literal).collect();
    match names.as_deref() {
        Some([directory, name]) if directory == b"info" => name == b"exclude",
        Some([.., name]) => {
            name.ends_with(b".lock") || name.ends_with(b"_EDITMSG") || name.ends_with(b"_MSG")
        }
        _ => false,
    }
}

fn below_a_home(below: &[Part], add: &mut impl FnMut(Place)) {
    for (prefix, place) in BELOW_A_HOME {
        if !begins(below, prefix) {
            continue;
        }
        if *place == Place::AgentSettings && is_agent_data(below) {
            continue;
        }
        add(*place);
        if *place == Place::SshDirectory && holds_private_key(below.get(1..).unwrap_or_default()) {
            add(Place::PrivateKey);
        }
    }
}

fn is_agent_data(below: &[Part]) -> bool {
    let [agent, inner, ..] = below else {
        return false;
    };
    AGENT_DATA.iter().any(|(name, inside)| {
        agent.is(name.as_bytes()) && inside.iter().any(|name| inner.is(name.as_bytes()))
    })
}

/// Whether something in `~/.ssh` is a private key: everything but the files that are known to be
/// none.
fn holds_private_key(inside: &[Part]) -> bool {
    let Some(name) = inside.first() else {
        return true;
    };
    let Some(name) = name.literal() else {
        return !name.suffix().ends_with(b".pub");
    };
    let public = name.ends_with(b".pub")
        || name.starts_with(b"known_hosts")
        || name.starts_with(b"authorized_keys")
        || name.starts_with(b"config")
        || matches!(name.as_slice(), b"environment" | b"rc" | b"allowed_signers");
    !public
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
        if INSTRUCTIONS
            .iter()
            .any(|want| name.eq_ignore_ascii_case(want.as_bytes()))
        {
            add(Place::Instructions);
        }
        if is_private_key(&name) {
            add(Place::PrivateKey);
        }
        if name.ends_with(b".keytab") || name.ends_with(b".kdbx") {
            add(Place::Credential);
        }
    } else if (last.prefix().starts_with(b"id_") && last.names(b"id_rsa"))
        || (suffix.starts_with(b".") && is_private_key(&[b"x", suffix.as_slice()].concat()))
    {
        add(Place::PrivateKey);
    }
}

/// Whose `.env` holds secrets of more than one machine.
const STAGES: &[&[u8]] = &[
    b"prod",
    b"production",
    b"prd",
    b"live",
    b"staging",
    b"secret",
    b"secrets",
    b"credentials",
];

/// `.env` and `.env.*`, unless the last part of the name says that it is an example.
fn is_env_file(last: &Part) -> bool {
    let Some(name) = last.literal() else {
        // A pattern that spells out `.env`, or more of a dot name than the dot.
        let prefix = last.prefix();
        return prefix.starts_with(b".e") && !last.has_fog() && last.could_be(b".env")
            || prefix.starts_with(b".env.")
            || !last.has_fog() && last.suffix() == b".env";
    };
    if let Some(stage) = name.strip_suffix(b".env") {
        // The settings of what is in service, wherever the dot stands.
        return stage.is_empty() || STAGES.iter().any(|own| stage.eq_ignore_ascii_case(own));
    }
    let Some(rest) = name.strip_prefix(b".env") else {
        return false;
    };
    match rest {
        [] => true,
        [b'.', rest @ ..] => {
            let kind = rest.rsplit(|byte| *byte == b'.').next().unwrap_or(rest);
            !rest.is_empty() && !matches!(kind, b"example" | b"sample" | b"template" | b"dist")
        }
        _ => false,
    }
}

fn is_private_key(name: &[u8]) -> bool {
    if matches!(
        name,
        b"id_rsa" | b"id_dsa" | b"id_ecdsa" | b"id_ed25519" | b"id_ecdsa_sk" | b"id_ed25519_sk"
    ) {
        return true;
    }
    let lower = name.to_ascii_lowercase();
    let has = |part: &[u8]| lower.windows(part.len()).any(|window| window == part);
    [b".key".as_slice(), b".ppk", b".p12", b".pfx"]
        .iter()
        .any(|suffix| lower.ends_with(suffix) && lower.len() > suffix.len())
        || (lower.ends_with(b".pem") && (has(b"key") || has(b"priv")))
}
