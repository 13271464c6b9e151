//! The guard that the configuration asks for.

use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::Path;

use herma_config::{AskPolicy, Config, ConfigError, Home, HomeError, Sources};
use herma_hosts::Host;
use herma_rules::{Action, ContextPolicy, Guard, Mode, Policy, UserRule};

use crate::input;

/// A configuration and the guard that follows from it.
pub(crate) struct ConfiguredGuard {
    /// The configuration of all layers.
    pub(crate) config: Config,
    /// The policy in it.
    pub(crate) policy: Policy,
    /// The guard for the policy.
    pub(crate) guard: Guard,
}

/// Why nothing can be judged.
#[derive(Debug)]
pub(crate) enum Unready {
    /// There is no state directory to use.
    Home(HomeError),
    /// A file is not understood; never empty.
    Config(Vec<ConfigError>),
}

impl std::fmt::Display for Unready {
    /// One line.
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Home(error) => error.fmt(out),
            Self::Config(errors) => match errors.first() {
                Some(error) => error.fmt(out),
                None => out.write_str("the configuration cannot be read"),
            },
        }
    }
}

impl From<HomeError> for Unready {
    fn from(error: HomeError) -> Self {
        Self::Home(error)
    }
}

impl ConfiguredGuard {
    /// Reads the configuration that holds in a working directory, unless the state is of a newer
    /// version.
    pub(crate) fn load(home: &Home, cwd: &[u8]) -> Result<Self, Unready> {
        home.check_version()?;
        Self::read(home, cwd)
    }

    /// The same for a state directory that was prepared.
    pub(crate) fn read(home: &Home, cwd: &[u8]) -> Result<Self, Unready> {
        let cwd = input::path(cwd);
        let config = Config::load(&Sources::new(home, Some(&cwd))).map_err(Unready::Config)?;
        let mut policy = policy(&config);
        policy.state = state(home.root());
        Ok(Self {
            guard: Guard::new(policy.clone()),
            policy,
            config,
        })
    }
}

/// The state directory as it was given and as it really is.
fn state(root: &Path) -> Vec<Vec<u8>> {
    let given = root.as_os_str().as_bytes().to_vec();
    let real = root.canonicalize().ok();
    let real = real.map(|real| real.into_os_string().into_vec());
    let mut state = vec![given];
    state.extend(real);
    state.dedup();
    state
}

fn policy(config: &Config) -> Policy {
    let mut policy = Policy::manual();
    policy.mode = mode(config.mode);
    policy.contexts = config
        .contexts
        .iter()
        .map(|(name, policy)| {
            let policy = match policy {
                AskPolicy::Ask => ContextPolicy::Ask,
                AskPolicy::Deny => ContextPolicy::Deny,
            };
            (name.clone(), policy)
        })
        .collect();
    policy.disabled = config.packs_disabled.clone();
    policy.rules = config.rules.iter().map(rule).collect();
    policy
}

/// A mode of the configuration as one of the guard.
pub(crate) fn mode(mode: herma_config::Mode) -> Mode {
    match mode {
        herma_config::Mode::Manual => Mode::Manual,
        herma_config::Mode::Smart => Mode::Smart,
        herma_config::Mode::Strict => Mode::Strict,
        herma_config::Mode::Off => Mode::Off,
    }
}

/// What is configured and is perhaps not what was meant: keys without effect, packs and agent
/// programs that nobody knows, ids that built-in rules have.
pub(crate) fn notes(config: &Config) -> Vec<String> {
    let keys = config.without_effect.iter().map(|key| {
        let file = key.file.display();
        format!("{file}:{}: `{}` has no effect", key.line, key.key)
    });
    let unknown = config.packs_disabled.iter().filter(|name| {
        Guard::rule(name).is_none() && Guard::rules().iter().all(|rule| rule.pack != *name)
    });
    let unknown = unknown.map(|name| {
        let candidates = Guard::rules().iter().flat_map(|rule| [rule.pack, rule.id]);
        let meant = herma_config::nearest(name, candidates)
            .map_or_else(String::new, |name| format!("; did you mean `{name}`?"));
        format!("`packs.disable` names {name:?}, which is no pack and no rule{meant}")
    });
    let hosts = config
        .hosts
        .keys()
        .filter(|name| Host::from_name(name).is_none());
    let hosts = hosts.map(|name| {
        let known: Vec<&str> = Host::ALL.iter().map(|host| host.name()).collect();
        let known = known.join(", ");
        format!("`hosts` names {name:?}, which herma does not know; it knows {known}")
    });
    let taken = config
        .rules
        .iter()
        .flat_map(|rule| {
            rule.aliases
                .iter()
                .chain([&rule.id])
                .map(move |id| (rule, id))
        })
        .filter(|(_, id)| Guard::rule(id).is_some());
    let taken = taken.map(|(rule, id)| {
        let file = rule.file.display();
        format!(
            "{file}:{}: a built-in rule has the id `{id}` too",
            rule.line
        )
    });
    keys.chain(unknown).chain(hosts).chain(taken).collect()
}

/// A rule of the configuration as one of the guard.
pub(crate) fn rule(rule: &herma_config::UserRule) -> UserRule {
    let home = rule.cwd.as_ref().and_then(|_| crate::accounts::own_home());
    rule_at(rule, home.as_deref())
}

/// The same for a user with this home.
pub(crate) fn rule_at(rule: &herma_config::UserRule, home: Option<&[u8]>) -> UserRule {
    UserRule {
        cwd: rule.cwd.as_deref().map(|cwd| absolute(cwd, home)),
        ..verbatim(rule)
    }
}

/// The same with the directory as it was written.
pub(crate) fn verbatim(rule: &herma_config::UserRule) -> UserRule {
    UserRule {
        id: rule.id.clone(),
        action: match rule.action {
            herma_config::Action::Allow => Action::Allow,
            herma_config::Action::Ask => Action::Ask,
            herma_config::Action::Deny => Action::Deny,
        },
        argv: rule.argv.clone(),
        tool: rule.tool.clone(),
        // `~` is replaced where the homes are known, canonical ones included.
        path: rule.path.clone(),
        cwd: rule.cwd.clone(),
        regex: rule.regex.clone(),
        why: rule.why.clone(),
    }
}

/// `~` at the start of a pattern is the user's home.
fn absolute(pattern: &str, home: Option<&[u8]>) -> String {
    let Some(rest) = pattern
        .strip_prefix('~')
        .filter(|rest| rest.is_empty() || rest.starts_with('/'))
    else {
        return pattern.to_owned();
    };
    match home {
        Some(home) => format!("{}{rest}", String::from_utf8_lossy(home)),
        // Without a home it can match nothing.
        None => pattern.to_owned(),
    }
}

#[cfg(test)]
mod tests;
