//! What one name means.

use crate::INSTRUCTIONS;

/// Private keys by their usual names.
pub const KEYS: &[&str] = &[
    "id_rsa",
    "id_dsa",
    "id_ecdsa",
    "id_ed25519",
    "id_ecdsa_sk",
    "id_ed25519_sk",
];

/// Ends of names of key files.
pub const KEY_ENDS: &[&str] = &[".key", ".ppk", ".p12", ".pfx", ".jks", ".keystore"];

/// Ends of names of credential stores.
pub const STORE_ENDS: &[&str] = &[".keytab", ".kdbx"];

/// Last parts of names that say that a file holds no real values.
pub const EXAMPLES: &[&str] = &["example", "sample", "template", "dist"];

/// Whose `….env` holds secrets of more than one machine.
pub const STAGES: &[&str] = &[
    "prod",
    "production",
    "prd",
    "live",
    "staging",
    "secret",
    "secrets",
    "credentials",
];

/// Whether the names begin with the components of `prefix`.
#[must_use]
pub fn is_within(names: &[Vec<u8>], prefix: &str) -> bool {
    let mut names = names.iter();
    prefix.split('/').all(|want| {
        names
            .next()
            .is_some_and(|name| name.eq_ignore_ascii_case(want.as_bytes()))
    })
}

/// Whether it is a file that agents read as orders, in any directory.
#[must_use]
pub fn is_instructions(name: &[u8]) -> bool {
    listed(name, INSTRUCTIONS)
}

/// `.env`, `.env.…`, copies that editors and people make of them (`.env~`, `.env-old`), and what is
/// in service (`prod.env`), unless the last part of the name says that it is an example.
#[must_use]
pub fn is_environment(name: &[u8]) -> bool {
    let name = name.to_ascii_lowercase();
    let rest = match name.strip_prefix(b".env") {
        Some([]) => return true,
        Some(b".") => return false,
        Some(rest @ [b'.' | b'-' | b'_' | b'~', ..]) => rest,
        _ => {
            return name
                .strip_suffix(b".env")
                .is_some_and(|stage| listed(stage, STAGES));
        }
    };
    let last = rest
        .rsplit(|byte| matches!(byte, b'.' | b'-' | b'_'))
        .next()
        .unwrap_or(rest);
    !listed(last, EXAMPLES)
}

/// Whether it is the usual name of a private key.
#[must_use]
pub fn is_private_key(name: &[u8]) -> bool {
    let name = name.to_ascii_lowercase();
    let has = |part: &[u8]| name.windows(part.len()).any(|window| window == part);
    listed(&name, KEYS)
        || ends(&name, KEY_ENDS)
        || name.ends_with(b".pem") && (has(b"key") || has(b"priv"))
}

/// Whether it is the usual name of a store of credentials.
#[must_use]
pub fn is_store(name: &[u8]) -> bool {
    ends(&name.to_ascii_lowercase(), STORE_ENDS)
}

/// Whether something in `~/.ssh` is a private key: everything but the files that are known to be
/// none.
#[must_use]
pub fn is_key_of_ssh(name: &[u8]) -> bool {
    let name = name.to_ascii_lowercase();
    let is_public = name.ends_with(b".pub")
        || ["known_hosts", "authorized_keys", "config"]
            .iter()
            .any(|start| name.starts_with(start.as_bytes()))
        || matches!(name.as_slice(), b"environment" | b"rc" | b"allowed_signers");
    !is_public
}

/// Files in `.git`, which comes first, that hold neither history nor settings: locks, messages,
/// excluded names.
#[must_use]
pub fn is_git_scrap<N: AsRef<[u8]>>(names: &[N]) -> bool {
    match names {
        [_, directory, name] if directory.as_ref() == b"info" => name.as_ref() == b"exclude",
        [_, .., name] => {
            let name = name.as_ref();
            name.ends_with(b".lock") || name.ends_with(b"_EDITMSG") || name.ends_with(b"_MSG")
        }
        _ => false,
    }
}

fn listed(name: &[u8], list: &[&str]) -> bool {
    list.iter()
        .any(|want| name.eq_ignore_ascii_case(want.as_bytes()))
}

fn ends(name: &[u8], list: &[&str]) -> bool {
    list.iter()
        .any(|end| name.len() > end.len() && name.ends_with(end.as_bytes()))
}
