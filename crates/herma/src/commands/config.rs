//! `herma config`: the configuration in force.

use std::io::Write;
use std::os::unix::ffi::OsStrExt;

use anyhow::Context;
use herma_config::{AskPolicy, Config, ConfigError, Home, Sources};

use crate::allowance::{self, toml_string};
use crate::commands::rules::test;
use crate::exit::Exit;
use crate::output::{human, visible};
use crate::{configured, input};

/// Prints the path of the user's file.
pub(crate) fn path(home: &Home) -> anyhow::Result<Exit> {
    writeln!(std::io::stdout().lock(), "{}", home.config().display())?;
    Ok(Exit::Success)
}

/// Checks all layers.
pub(crate) fn check(home: &Home) -> anyhow::Result<Exit> {
    Ok(match load(home)? {
        Some(config) => {
            let mut out = anstream::stdout().lock();
            for note in configured::notes(&config) {
                writeln!(out, "note: {note}")?;
            }
            let faults = examples(&config)?;
            writeln!(out, "the configuration is valid")?;
            if faults.is_empty() {
                return Ok(Exit::Success);
            }
            let mut errors = anstream::stderr().lock();
            for fault in &faults {
                human::config_error(&mut errors, fault)?;
            }
            let examples = if faults.len() == 1 {
                "example is"
            } else {
                "examples are"
            };
            writeln!(
                out,
                "{} {examples} not answered as the rule says",
                faults.len()
            )?;
            Exit::Failure
        }
        None => Exit::Failure,
    })
}

/// The examples of own rules that are not answered as they should be. The rules of a file are tried
/// together, as `herma rules test` does.
fn examples(config: &Config) -> anyhow::Result<Vec<ConfigError>> {
    let mut faults = Vec::new();
    for rules in config.rules.chunk_by(|one, next| one.file == next.file) {
        let exemplified = rules.iter().find(|rule| !rule.examples.is_empty());
        if let Some(rule) = exemplified {
            let text = std::fs::read_to_string(&rule.file)
                .with_context(|| format!("cannot read {}", rule.file.display()))?;
            faults.extend(test::faults(rules, &text));
        }
    }
    Ok(faults)
}

/// Prints what holds in this directory.
pub(crate) fn show(home: &Home) -> anyhow::Result<Exit> {
    let Some(config) = load(home)? else {
        return Ok(Exit::Failure);
    };
    let mut out = anstream::stdout().lock();
    let policy = |policy: &AskPolicy| match policy {
        AskPolicy::Ask => "ask",
        AskPolicy::Deny => "deny",
    };
    // Where each value comes from, behind it.
    let place = |key: &str| match config.places.get(key) {
        Some((file, line)) => {
            let file = visible::line(file.as_os_str().as_bytes());
            format!("  # {file}:{line}")
        }
        None => "  # default".to_owned(),
    };
    let mode = place("mode");
    writeln!(out, "mode = \"{}\"{mode}", config.mode.name())?;
    let deadline = place("deadline_ms");
    writeln!(out, "deadline_ms = {}{deadline}", config.deadline_ms)?;
    let disabled: Vec<String> = config
        .packs_disabled
        .iter()
        .map(|name| toml_string(name))
        .collect();
    let packs = place("packs.disable");
    writeln!(out, "packs.disable = [{}]{packs}", disabled.join(", "))?;
    for (name, own) in &config.contexts {
        let at = place(&format!("contexts.{name}"));
        let name = toml_string(name);
        writeln!(out, "contexts.{name} = \"{}\"{at}", policy(own))?;
    }
    for (name, own) in &config.hosts {
        let at = place(&format!("hosts.{name}.ask"));
        let name = toml_string(name);
        writeln!(out, "hosts.{name}.ask = \"{}\"{at}", policy(own))?;
    }
    for (key, value) in [
        (
            "retention.blocked_days",
            u64::from(config.retention.blocked_days),
        ),
        (
            "retention.audit_days",
            u64::from(config.retention.audit_days),
        ),
        ("approvals.timeout", config.approval_timeout),
    ] {
        writeln!(out, "{key} = {value}{}", place(key))?;
    }
    for rule in &config.rules {
        let place = visible::line(rule.file.as_os_str().as_bytes());
        writeln!(out, "\n# {place}:{}", rule.line)?;
        writeln!(out, "{}", allowance::written(rule, "\n"))?;
    }
    Ok(Exit::Success)
}

fn load(home: &Home) -> anyhow::Result<Option<Config>> {
    home.check_version()?;
    let cwd = input::path(&input::directory(None)?);
    match Config::load(&Sources::new(home, Some(&cwd))) {
        Ok(config) => Ok(Some(config)),
        Err(faults) => {
            let mut errors = anstream::stderr().lock();
            for fault in &faults {
                human::config_error(&mut errors, fault)?;
            }
            Ok(None)
        }
    }
}
