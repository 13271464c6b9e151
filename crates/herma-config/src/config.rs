//! The configuration as typed values.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::document::Value;
use crate::error::ConfigError;
use crate::key::{self, ASKING_CONTEXTS};
use crate::layers::{Layer, Merge, ProfileFile, Sources, default_of};
use crate::rule::UserRule;
use crate::source::Source;

/// How commands without a floor are judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mode {
    /// Floors only.
    Off,
    /// As manual, and a reviewer answers first.
    Smart,
    /// What no rule names is allowed.
    Manual,
    /// Every program without a positive model asks.
    Strict,
}

impl Mode {
    /// The mode with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "off" => Some(Self::Off),
            "smart" => Some(Self::Smart),
            "manual" => Some(Self::Manual),
            "strict" => Some(Self::Strict),
            _ => None,
        }
    }

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Smart => "smart",
            Self::Manual => "manual",
            Self::Strict => "strict",
        }
    }
}

/// What becomes of an `ask`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AskPolicy {
    /// A person is asked.
    Ask,
    /// It is refused.
    Deny,
}

/// For how long things are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Retention {
    /// Days for copies of blocked commands.
    pub blocked_days: u32,
    /// Days for audit files.
    pub audit_days: u32,
}

/// The reviewing model.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Reviewer {
    /// Its provider.
    pub provider: Option<String>,
    /// Its name.
    pub model: Option<String>,
    /// A file with instructions.
    pub policy: Option<String>,
}

/// The egress proxy.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Egress {
    /// Whether containers get it.
    pub enabled: bool,
    /// Whether a container is refused while it does not run.
    pub enforce: bool,
    /// Its port.
    pub tunnel_port: u16,
    /// Where real credentials come from: `env` or `bitwarden`.
    pub credential_source: String,
    /// Whether the environment serves when the credential source fails.
    pub allow_env_fallback: bool,
    /// Hosts that are allowed besides the providers'.
    pub extra_allowed_hosts: Vec<String>,
    /// Whether setting up may install what it needs.
    pub auto_install: bool,
}

/// Access to a Bitwarden secrets project, as written.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Bitwarden {
    /// Keys below `secrets.bitwarden` and their values as text.
    pub values: BTreeMap<String, String>,
}

/// A key that is set and does nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoEffect {
    /// The key as written.
    pub key: String,
    /// The file that sets it.
    pub file: PathBuf,
    /// The line there, from 1.
    pub line: u32,
}

/// The configuration of all layers together.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Config {
    /// How commands without a floor are judged.
    pub mode: Mode,
    /// Milliseconds after which a check answers without having finished.
    pub deadline_ms: u64,
    /// Names of packs that are switched off.
    pub packs_disabled: Vec<String>,
    /// Contexts that a file names; [`Config::context`] knows the others.
    pub contexts: BTreeMap<String, AskPolicy>,
    /// For how long things are kept.
    pub retention: Retention,
    /// Seconds that a request waits for a person.
    pub approval_timeout: u64,
    /// The reviewing model.
    pub reviewer: Reviewer,
    /// The egress proxy.
    pub egress: Egress,
    /// Access to Bitwarden.
    pub bitwarden: Bitwarden,
    /// Agent programs whose treatment of an `ask` a file overrides.
    pub hosts: BTreeMap<String, AskPolicy>,
    /// The user's own rules in the order of the files, higher layers first.
    pub rules: Vec<UserRule>,
    /// Files with sandbox profiles, higher layers first. Their tables are not looked into here.
    pub profiles: Vec<ProfileFile>,
    /// Where each key that a file sets and that counts stands, by its path with names, such as
    /// `contexts.cron`: the file, and the line from 1.
    pub places: BTreeMap<String, (PathBuf, u32)>,
    /// Keys that are set and do nothing.
    pub without_effect: Vec<NoEffect>,
    /// Keys that some file sets.
    set: BTreeSet<String>,
}

impl Config {
    /// Reads and merges all layers.
    ///
    /// # Errors
    /// Every fault found, never an empty list. A caller that must answer then refuses.
    pub fn load(sources: &Sources<'_>) -> Result<Self, Vec<ConfigError>> {
        Self::from_merge(Merge::read(sources))
    }

    /// What one text would say as the user's only file: to check it before it is put in place.
    ///
    /// # Errors
    /// Every fault found, as in [`Config::load`].
    pub fn of_text(file: &Path, text: &str) -> Result<Self, Vec<ConfigError>> {
        let mut merge = Merge::default();
        merge.absorb(&Source::new(file, Layer::User, text), false);
        Self::from_merge(merge)
    }

    /// What holds without any file.
    #[must_use]
    pub fn defaults() -> Self {
        Self::typed(Merge::default())
    }

    pub(crate) fn from_merge(mut merge: Merge) -> Result<Self, Vec<ConfigError>> {
        if merge.errors.is_empty() {
            Ok(Self::typed(merge))
        } else {
            Err(std::mem::take(&mut merge.errors))
        }
    }

    /// Whether some file sets this key, its path as in the table of keys with names for `*`.
    #[must_use]
    pub fn sets(&self, key: &str) -> bool {
        self.set.contains(key)
    }

    /// What becomes of an `ask` in this context: what a file says, else `ask` in `cli`, `gateway`
    /// and `ask` and `deny` in every other, known or not.
    #[must_use]
    pub fn context(&self, name: &str) -> AskPolicy {
        match self.contexts.get(name) {
            Some(policy) => *policy,
            None if ASKING_CONTEXTS.contains(&name) => AskPolicy::Ask,
            None => AskPolicy::Deny,
        }
    }

    /// What a file says an `ask` becomes for this agent program; `None` leaves it to what the
    /// program was measured to do.
    #[must_use]
    pub fn host(&self, name: &str) -> Option<AskPolicy> {
        self.hosts.get(name).copied()
    }

    fn typed(merge: Merge) -> Self {
        let read = Typed { merge: &merge };
        Self {
            mode: Mode::from_name(&read.text("mode")).unwrap_or(Mode::Strict),
            deadline_ms: read.number("deadline_ms"),
            packs_disabled: read.texts("packs.disable"),
            contexts: read.policies("contexts.", ""),
            retention: Retention {
                blocked_days: read.small("retention.blocked_days"),
                audit_days: read.small("retention.audit_days"),
            },
            approval_timeout: read.number("approvals.timeout"),
            reviewer: Reviewer {
                provider: read.maybe("reviewer.provider"),
                model: read.maybe("reviewer.model"),
                policy: read.maybe("reviewer.policy"),
            },
            egress: Egress {
                enabled: read.truth("egress.enabled"),
                enforce: read.truth("egress.enforce"),
                tunnel_port: u16::try_from(read.number("egress.tunnel_port")).unwrap_or_default(),
                credential_source: read.text("egress.credential_source"),
                allow_env_fallback: read.truth("egress.allow_env_fallback"),
                extra_allowed_hosts: read.texts("egress.extra_allowed_hosts"),
                auto_install: read.truth("egress.auto_install"),
            },
            bitwarden: Bitwarden {
                values: read.below("secrets.bitwarden."),
            },
            hosts: read.policies("hosts.", ".ask"),
            places: merge
                .settings
                .iter()
                .map(|(key, placed)| (key.clone(), (placed.file.clone(), placed.line)))
                .collect(),
            without_effect: merge
                .without_effect
                .iter()
                .map(|(key, file, line)| NoEffect {
                    key: key.clone(),
                    file: file.clone(),
                    line: *line,
                })
                .collect(),
            set: merge.settings.keys().cloned().collect(),
            profiles: merge.profiles,
            rules: merge.rules,
        }
    }
}

/// Values by path; their types were checked against the table of keys when they were read.
struct Typed<'a> {
    merge: &'a Merge,
}

impl Typed<'_> {
    fn value(&self, path: &str) -> Option<Value> {
        match self.merge.settings.get(path) {
            Some(placed) => Some(placed.value.clone()),
            None => key::find(path).and_then(|key| default_of(key, path)),
        }
    }

    fn maybe(&self, path: &str) -> Option<String> {
        match self.value(path) {
            Some(Value::Text(text)) => Some(text),
            _ => None,
        }
    }

    fn text(&self, path: &str) -> String {
        self.maybe(path).unwrap_or_default()
    }

    fn number(&self, path: &str) -> u64 {
        match self.value(path) {
            Some(Value::Integer(number)) => u64::try_from(number).unwrap_or_default(),
            _ => 0,
        }
    }

    fn small(&self, path: &str) -> u32 {
        u32::try_from(self.number(path)).unwrap_or(u32::MAX)
    }

    fn truth(&self, path: &str) -> bool {
        self.value(path) == Some(Value::Boolean(true))
    }

    fn texts(&self, path: &str) -> Vec<String> {
        match self.value(path) {
            Some(Value::Texts(texts)) => texts,
            _ => Vec::new(),
        }
    }

    fn policies(&self, prefix: &str, suffix: &str) -> BTreeMap<String, AskPolicy> {
        self.below(prefix)
            .into_iter()
            .filter_map(|(name, word)| {
                let policy = if word == "ask" {
                    AskPolicy::Ask
                } else {
                    AskPolicy::Deny
                };
                Some((name.strip_suffix(suffix)?.to_owned(), policy))
            })
            .collect()
    }

    fn below(&self, prefix: &str) -> BTreeMap<String, String> {
        self.merge
            .settings
            .iter()
            .filter_map(|(path, placed)| {
                let name = path.strip_prefix(prefix)?.to_owned();
                let text = match &placed.value {
                    Value::Text(text) => text.clone(),
                    Value::Integer(number) => number.to_string(),
                    Value::Boolean(truth) => truth.to_string(),
                    Value::Texts(_) | Value::Opaque => return None,
                };
                Some((name, text))
            })
            .collect()
    }
}

#[cfg(test)]
mod tests;
