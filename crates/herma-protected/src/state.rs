//! herma's state directory.

use crate::Kind;
use crate::name::is_within;

/// What it holds.
pub const STATE: &[&str] = &[
    "audit",
    "bin",
    "blocked",
    "config.toml",
    "grants.jsonl",
    "providers.d",
    "proxy",
    "rules.d",
    "runs",
    "sessions",
    "trust.toml",
    "VERSION",
];

/// Names that hold keys and tokens.
const SECRETS: &[&str] = &["proxy", "runs", "blocked"];

/// Names that people edit.
const SETTINGS: &[&str] = &["config.toml", "rules.d", "providers.d"];

/// What lies there below the state directory.
#[must_use]
pub fn state(inside: &[Vec<u8>]) -> Kind {
    let is = |list: &[&str]| list.iter().any(|name| is_within(inside, name));
    if is(SECRETS) {
        Kind::HermaSecrets
    } else if is(SETTINGS) {
        Kind::HermaSettings
    } else {
        Kind::HermaState
    }
}
