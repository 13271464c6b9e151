//! What the names of a path say.

use super::Class;
use super::lists::{
    AGENT_DATA, ANYWHERE, EXAMPLES, HOME, INSTRUCTIONS, KEY_ENDS, KEYS, STORE_ENDS, TOP,
};

/// Names of the state directory that hold keys and tokens.
const STATE_SECRETS: &[&str] = &["proxy", "runs", "blocked"];

/// Names of the state directory that people edit.
const STATE_SETTINGS: &[&str] = &["config.toml", "rules.d", "providers.d"];

/// Where homes and the state directory are, as canonical names.
#[derive(Debug)]
pub(super) struct Places {
    pub(super) homes: Vec<Vec<Vec<u8>>>,
    pub(super) states: Vec<Vec<Vec<u8>>>,
}

impl Places {
    /// Adds the classes of the path with these names, from the top.
    pub(super) fn classes(&self, names: &[Vec<u8>], found: &mut Vec<Class>) {
        for state in &self.states {
            if let Some(below) = below(names, state) {
                found.push(state_class(below));
            }
        }
        listed(names, TOP, found);
        if begins(names, "etc/herma") {
            found.push(Class::HermaState);
        }
        if begins(names, "proc") && names.last().is_some_and(|last| last == b"environ") {
            found.push(Class::Credential);
        }
        if begins(names, "etc/ssh")
            && names
                .last()
                .is_some_and(|last| last.starts_with(b"ssh_host_") && last.ends_with(b"_key"))
        {
            found.push(Class::PrivateKey);
        }
        for home in &self.homes {
            if let Some(below) = below(names, home) {
                home_classes(below, found);
            }
        }
        if let Some(below) = usual_home(names) {
            home_classes(below, found);
        }
        anywhere(names, found);
    }
}

/// Classes that hold wherever the path lies.
pub(super) fn anywhere(names: &[Vec<u8>], found: &mut Vec<Class>) {
    for start in 0..names.len() {
        let rest = names.get(start..).unwrap_or_default();
        for (prefix, class) in ANYWHERE {
            if !begins(rest, prefix) {
                continue;
            }
            match class {
                Class::Ssh => ssh(rest.get(1..).unwrap_or_default(), found),
                Class::Git if is_git_scrap(rest) => {}
                class => found.push(*class),
            }
        }
    }
    // A directory of the agent itself in a project.
    if let [.., parent, _] = names
        && parent.eq_ignore_ascii_case(b".hermes")
    {
        found.push(Class::Instructions);
    }
    if let Some(last) = names.last() {
        file_name(last, found);
    }
}

fn home_classes(names: &[Vec<u8>], found: &mut Vec<Class>) {
    let is_data = AGENT_DATA.iter().any(|prefix| begins(names, prefix));
    for (prefix, class) in HOME {
        if !begins(names, prefix) {
            continue;
        }
        match class {
            Class::Ssh => ssh(names.get(1..).unwrap_or_default(), found),
            Class::AgentSettings if is_data => {}
            class => found.push(*class),
        }
    }
    if begins(names, ".herma") {
        found.push(state_class(names.get(1..).unwrap_or_default()));
    }
}

fn state_class(inside: &[Vec<u8>]) -> Class {
    let is = |list: &[&str]| list.iter().any(|name| begins(inside, name));
    if is(STATE_SECRETS) {
        Class::HermaSecrets
    } else if is(STATE_SETTINGS) {
        Class::HermaSettings
    } else {
        Class::HermaState
    }
}

/// Everything in a directory of keys is one, but for what is known to be none.
fn ssh(inside: &[Vec<u8>], found: &mut Vec<Class>) {
    found.push(Class::Ssh);
    let Some(name) = inside.first() else {
        return;
    };
    let name = name.to_ascii_lowercase();
    let is_public = name.ends_with(b".pub")
        || ["known_hosts", "authorized_keys", "config"]
            .iter()
            .any(|start| name.starts_with(start.as_bytes()))
        || matches!(name.as_slice(), b"environment" | b"rc" | b"allowed_signers");
    if !is_public {
        found.push(Class::PrivateKey);
    }
}

/// Files in `.git` that hold neither history nor settings: locks, messages, excluded names.
fn is_git_scrap(names: &[Vec<u8>]) -> bool {
    match names {
        [_, directory, name] if directory == b"info" => name == b"exclude",
        [_, .., name] => {
            name.ends_with(b".lock") || name.ends_with(b"_EDITMSG") || name.ends_with(b"_MSG")
        }
        _ => false,
    }
}

fn file_name(name: &[u8], found: &mut Vec<Class>) {
    let name = name.to_ascii_lowercase();
    let is = |list: &[&str]| list.iter().any(|want| name == want.as_bytes());
    let ends = |list: &[&str]| {
        list.iter()
            .any(|end| name.len() > end.len() && name.ends_with(end.as_bytes()))
    };
    if is_environment(&name) {
        found.push(Class::EnvFile);
    }
    if is(INSTRUCTIONS) {
        found.push(Class::Instructions);
    }
    if name == b".herma.toml" {
        found.push(Class::HermaSettings);
    }
    let has = |part: &[u8]| name.windows(part.len()).any(|window| window == part);
    if is(KEYS) || ends(KEY_ENDS) || (name.ends_with(b".pem") && (has(b"key") || has(b"priv"))) {
        found.push(Class::PrivateKey);
    }
    if ends(STORE_ENDS) {
        found.push(Class::Credential);
    }
}

/// `.env`, `.env.…`, copies that editors and people make of them (`.env~`, `.env-old`), and
/// `….env`, unless a part of the name says that it is an example.
fn is_environment(name: &[u8]) -> bool {
    let rest = match name.strip_prefix(b".env") {
        Some([]) => return true,
        Some(rest @ [b'.' | b'-' | b'_' | b'~', ..]) => rest,
        _ => match name.strip_suffix(b".env") {
            Some(stem) if !stem.is_empty() => stem,
            _ => return false,
        },
    };
    let is_example = |part: &[u8]| EXAMPLES.iter().any(|word| part == word.as_bytes());
    let last = rest
        .rsplit(|byte| matches!(byte, b'.' | b'-' | b'_'))
        .next()
        .unwrap_or(rest);
    !is_example(last)
}

/// System directories in which nobody's project lies.
const SYSTEM_ALONE: &[&str] = &["etc", "private/etc", "boot", "dev", "proc", "sys", "System"];

/// Parts of system directories that are anybody's.
const SYSTEM_SHARED: &[&str] = &["var/tmp", "var/folders"];

/// Whether a project may lie at the place with these names although it is below a system directory.
pub(super) fn may_hold_project(names: &[Vec<u8>]) -> bool {
    names.len() > 1 && !SYSTEM_ALONE.iter().any(|prefix| begins(names, prefix))
}

fn listed(names: &[Vec<u8>], list: &[(&str, Class)], found: &mut Vec<Class>) {
    for (prefix, class) in list {
        let is_shared =
            || *class == Class::System && SYSTEM_SHARED.iter().any(|part| begins(names, part));
        if begins(names, prefix) && !is_shared() {
            found.push(*class);
        }
    }
}

/// Whether the names begin with the components of `prefix`.
fn begins(names: &[Vec<u8>], prefix: &str) -> bool {
    let mut names = names.iter();
    prefix.split('/').all(|want| {
        names
            .next()
            .is_some_and(|name| name.eq_ignore_ascii_case(want.as_bytes()))
    })
}

fn below<'a>(names: &'a [Vec<u8>], front: &[Vec<u8>]) -> Option<&'a [Vec<u8>]> {
    // A home at the top would make every path one in it.
    (!front.is_empty() && names.starts_with(front))
        .then(|| names.get(front.len()..).unwrap_or_default())
}

/// What is below a directory that is usually somebody's home.
fn usual_home(names: &[Vec<u8>]) -> Option<&[Vec<u8>]> {
    match names {
        [first, rest @ ..] if first == b"root" => Some(rest),
        [first, _, rest @ ..] if first == b"home" || first == b"Users" => Some(rest),
        [first, second, rest @ ..] if first == b"var" && second == b"root" => Some(rest),
        _ => None,
    }
}
