//! What the names of a path say.

use herma_protected::{AGENT_DATA, ANYWHERE, HOME, Kind, TOP, is_within, state};

use super::Class;

/// Directories of the system.
const SYSTEM: &[&str] = &[
    "etc",
    "private/etc",
    "private/var/db",
    "private/var/root",
    "bin",
    "boot",
    "dev",
    "lib",
    "lib32",
    "lib64",
    "proc",
    "run",
    "sbin",
    "sys",
    "System",
    "usr",
    "var",
];

/// Parts of them that are anybody's.
const SYSTEM_SHARED: &[&str] = &["var/tmp", "var/folders"];

/// Those in which nobody's project lies.
const SYSTEM_ALONE: &[&str] = &["etc", "private/etc", "boot", "dev", "proc", "sys", "System"];

/// Where what is written is lost or echoed.
const SINKS: &[&str] = &[
    "dev/null",
    "dev/zero",
    "dev/full",
    "dev/random",
    "dev/urandom",
    "dev/tty",
    "dev/stdin",
    "dev/stdout",
    "dev/stderr",
    "dev/fd",
];

/// Where homes and the state directory are, as canonical names.
#[derive(Debug)]
pub(super) struct Places {
    pub(super) homes: Vec<Vec<Vec<u8>>>,
    pub(super) states: Vec<Vec<Vec<u8>>>,
}

impl Places {
    /// Adds the classes of the path with these names, from the top.
    pub(super) fn classes(&self, names: &[Vec<u8>], found: &mut Vec<Class>) {
        for own in &self.states {
            if let Some(below) = below(names, own) {
                found.push(class(state(below)));
            }
        }
        top(names, found);
        let mut in_home = false;
        for home in &self.homes {
            if let Some(below) = below(names, home) {
                home_classes(below, found);
                in_home = true;
            }
        }
        if let Some(below) = usual_home(names) {
            home_classes(below, found);
            in_home = true;
        }
        // A directory of the agent itself in a project.
        if let [.., parent, _] = names
            && parent.eq_ignore_ascii_case(b".hermes")
            && !in_home
        {
            found.push(Class::Instructions);
        }
        anywhere(names, found);
    }
}

/// The class of what the list knows.
fn class(kind: Kind) -> Class {
    match kind {
        Kind::HermaSecrets => Class::HermaSecrets,
        Kind::HermaState => Class::HermaState,
        Kind::HermaSettings | Kind::HermaProgram => Class::HermaSettings,
        Kind::Instructions => Class::Instructions,
        Kind::PrivateKey => Class::PrivateKey,
        Kind::Credential => Class::Credential,
        Kind::Ssh => Class::Ssh,
        Kind::AgentSettings => Class::AgentSettings,
        Kind::ShellStartup => Class::ShellStartup,
        Kind::RunsLater | Kind::GitHook => Class::RunsLater,
        Kind::Git => Class::Git,
        Kind::History => Class::History,
    }
}

fn top(names: &[Vec<u8>], found: &mut Vec<Class>) {
    let is = |list: &[&str]| list.iter().any(|prefix| is_within(names, prefix));
    for (prefix, kind) in TOP {
        if is_within(names, prefix) {
            found.push(class(*kind));
        }
    }
    if is(SYSTEM) && !is(SYSTEM_SHARED) && !is(SINKS) {
        found.push(Class::System);
    }
    if is_within(names, "proc") && names.last().is_some_and(|last| last == b"environ") {
        found.push(Class::Credential);
    }
    if is_within(names, "etc/ssh")
        && names
            .last()
            .is_some_and(|last| last.starts_with(b"ssh_host_") && last.ends_with(b"_key"))
    {
        found.push(Class::PrivateKey);
    }
}

/// Classes that hold wherever the path lies.
pub(super) fn anywhere(names: &[Vec<u8>], found: &mut Vec<Class>) {
    for start in 0..names.len() {
        let rest = names.get(start..).unwrap_or_default();
        for (prefix, kind) in ANYWHERE {
            if !is_within(rest, prefix) {
                continue;
            }
            match kind {
                Kind::Ssh => ssh(rest.get(1..).unwrap_or_default(), found),
                Kind::Git if herma_protected::is_git_scrap(rest) => {}
                // What lies in it has the class of the whole.
                _ if prefix.starts_with(".git/") => {}
                kind => found.push(class(*kind)),
            }
        }
    }
    if let Some(last) = names.last() {
        file_name(last, found);
    }
}

fn home_classes(names: &[Vec<u8>], found: &mut Vec<Class>) {
    let is_data = AGENT_DATA.iter().any(|prefix| is_within(names, prefix));
    for (prefix, kind) in HOME {
        if !is_within(names, prefix) {
            continue;
        }
        match kind {
            Kind::Ssh => ssh(names.get(1..).unwrap_or_default(), found),
            Kind::AgentSettings if is_data => {}
            Kind::HermaState => {
                found.push(class(state(names.get(1..).unwrap_or_default())));
            }
            kind => found.push(class(*kind)),
        }
    }
}

/// A directory of keys, and everything in it but what is known to be none.
fn ssh(inside: &[Vec<u8>], found: &mut Vec<Class>) {
    found.push(Class::Ssh);
    let holds_keys = |name: &Vec<u8>| herma_protected::is_key_of_ssh(name);
    if inside.first().is_none_or(holds_keys) {
        found.push(Class::PrivateKey);
    }
}

fn file_name(name: &[u8], found: &mut Vec<Class>) {
    if herma_protected::is_environment(name) {
        found.push(Class::EnvFile);
    }
    if herma_protected::is_instructions(name) {
        found.push(Class::Instructions);
    }
    if herma_protected::is_private_key(name) {
        found.push(Class::PrivateKey);
    }
    if herma_protected::is_store(name) {
        found.push(Class::Credential);
    }
}

/// Whether a project may lie at the place with these names although it is below a system directory.
pub(super) fn may_hold_project(names: &[Vec<u8>]) -> bool {
    names.len() > 1 && !SYSTEM_ALONE.iter().any(|prefix| is_within(names, prefix))
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
