//! `herma rules`: what is looked for.

mod facts;
pub(crate) mod test;

use std::io::Write;
use std::os::unix::ffi::OsStrExt;

use anyhow::bail;
use herma_config::{Home, nearest};
use herma_rules::Guard;
use serde::Serialize;

use self::facts::Facts;
use crate::configured::ConfiguredGuard;
use crate::exit::Exit;
use crate::output::{json, visible};
use crate::unjudged::Unjudged;
use crate::{allowance, input};

#[derive(Serialize)]
struct List<'a> {
    v: u8,
    rules: Vec<Facts<'a>>,
}

#[derive(Serialize)]
struct One<'a> {
    v: u8,
    #[serde(flatten)]
    rule: Facts<'a>,
}

/// Prints all rules, one a line.
pub(crate) fn list(json: bool) -> anyhow::Result<Exit> {
    let mut out = anstream::stdout().lock();
    let rules = Guard::rules();
    if json {
        let list = List {
            v: 1,
            rules: rules.iter().map(Facts::new).collect(),
        };
        writeln!(out, "{}", serde_json::to_string(&list)?)?;
        return Ok(Exit::Success);
    }
    let width = rules.iter().map(|rule| rule.id.len()).max().unwrap_or(0);
    for rule in rules {
        let severity = json::severity(rule.severity);
        writeln!(out, "{:width$}  {severity:6}  {}", rule.id, rule.title)?;
    }
    Ok(Exit::Success)
}

/// Explains one rule, a built-in one or the user's own.
pub(crate) fn show(home: &Home, id: &str, json: bool) -> anyhow::Result<Exit> {
    let Some(rule) = Guard::rule(id) else {
        return match Unjudged::from_id(id) {
            Some(why) => show_unjudged(why, json),
            None => show_own(home, id, json),
        };
    };
    let mut out = anstream::stdout().lock();
    let rule = Facts::new(rule);
    if json {
        writeln!(out, "{}", serde_json::to_string(&One { v: 1, rule })?)?;
        return Ok(Exit::Success);
    }
    writeln!(out, "{}: {}", rule.id, rule.title)?;
    writeln!(out, "  severity  {}", rule.severity)?;
    match rule.floor {
        Some(floor) => writeln!(out, "  decision  deny: floor {floor}; nothing allows it")?,
        None => writeln!(out, "  decision  ask")?,
    }
    writeln!(out, "  pack      {}", rule.pack)?;
    let lists = [("was", rule.aliases), ("related", &rule.related)];
    for (name, ids) in lists.into_iter().filter(|(_, ids)| !ids.is_empty()) {
        writeln!(out, "  {name:8}  {}", ids.join(", "))?;
    }
    writeln!(out, "  why       {}", rule.why)?;
    if let Some((suggest, example)) = rule.suggest.as_ref().zip(rule.suggested_for) {
        writeln!(out, "  safer     {suggest}   (in place of {example})")?;
    }
    for (name, examples) in [("blocks", rule.blocks), ("passes", rule.passes)] {
        for (index, example) in examples.iter().enumerate() {
            let name = if index == 0 { name } else { "" };
            writeln!(out, "  {name:8}  {}", visible::line(example.as_bytes()))?;
        }
    }
    if let Some(allow) = &rule.allow {
        let example = visible::line(allow.example.as_bytes());
        writeln!(out, "  allow     {example}, and only that, with")?;
        for line in allow.toml.lines() {
            writeln!(out, "            {line}")?;
        }
    }
    writeln!(out, "  page      {}", rule.page)?;
    Ok(Exit::Success)
}

/// Explains what stands for a rule in the trail.
fn show_unjudged(why: Unjudged, json: bool) -> anyhow::Result<Exit> {
    let id = why.id();
    if json {
        bail!("{id} stands for a rule when nothing was judged; only rules are shown as JSON");
    }
    let mut out = anstream::stdout().lock();
    writeln!(out, "{id}: the hook denied without judging")?;
    writeln!(out, "  why       {}", why.what())?;
    writeln!(out, "  remedy    {}", why.remedy())?;
    Ok(Exit::Success)
}

/// Shows a rule of the configuration as it is written there.
fn show_own(home: &Home, id: &str, json: bool) -> anyhow::Result<Exit> {
    let cwd = input::directory(None)?;
    let config = ConfiguredGuard::load(home, &cwd).map(|configured| configured.config);
    let rules = config.map(|config| config.rules).unwrap_or_default();
    let has =
        |rule: &herma_config::UserRule| rule.id == id || rule.aliases.iter().any(|it| it == id);
    let Some(rule) = rules.iter().find(|rule| has(rule)) else {
        let names = Guard::rules().iter().map(|rule| rule.id);
        let meant = nearest(id, names.chain(rules.iter().map(|rule| rule.id.as_str())));
        match meant {
            Some(meant) => bail!("there is no rule {id:?}; did you mean {meant}?"),
            None => bail!(
                "there is no built-in rule {id:?}; `herma rules list` names them, `herma config show` your own"
            ),
        }
    };
    if json {
        bail!("{id} is your own rule; only built-in rules are shown as JSON");
    }
    let mut out = anstream::stdout().lock();
    let file = visible::line(rule.file.as_os_str().as_bytes());
    writeln!(out, "{}: your own rule, {file}:{}\n", rule.id, rule.line)?;
    let text = allowance::written(rule, "\n    ");
    writeln!(out, "    {text}")?;
    Ok(Exit::Success)
}
