//! `herma rules`: what is looked for.

use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use anyhow::{Context, bail};
use herma_config::{Action, Config, Home, nearest};
use herma_rules::{Guard, Policy, Request, Rule};
use herma_shell::{FileKind, Read, World};
use serde::Serialize;

use crate::configured::{self, ConfiguredGuard};
use crate::exit::Exit;
use crate::output::{human, json, visible};
use crate::unjudged::Unjudged;
use crate::{allowance, input};

/// A rule as programs read it.
#[derive(Serialize)]
struct Listed<'a> {
    id: &'a str,
    pack: &'a str,
    severity: &'static str,
    floor: Option<&'static str>,
    title: &'a str,
    why: &'a str,
    suggest: Option<String>,
    aliases: &'a [&'a str],
    blocks: &'a [&'a str],
    passes: &'a [&'a str],
}

impl<'a> Listed<'a> {
    fn new(rule: &'a Rule) -> Self {
        Self {
            id: rule.id,
            pack: rule.pack,
            severity: json::severity(rule.severity),
            floor: rule.floor.map(json::floor),
            title: rule.title,
            why: rule.why,
            suggest: suggestion(rule).map(|(_, suggest)| suggest),
            aliases: rule.aliases,
            blocks: rule.blocks,
            passes: rule.passes,
        }
    }
}

#[derive(Serialize)]
struct List<'a> {
    v: u8,
    rules: Vec<Listed<'a>>,
}

#[derive(Serialize)]
struct One<'a> {
    v: u8,
    #[serde(flatten)]
    rule: Listed<'a>,
}

/// Prints all rules, one a line.
pub(crate) fn list(json: bool) -> anyhow::Result<Exit> {
    let mut out = anstream::stdout().lock();
    let rules = Guard::rules();
    if json {
        let list = List {
            v: 1,
            rules: rules.iter().map(Listed::new).collect(),
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
    if json {
        let one = One {
            v: 1,
            rule: Listed::new(rule),
        };
        writeln!(out, "{}", serde_json::to_string(&one)?)?;
        return Ok(Exit::Success);
    }
    writeln!(out, "{}: {}", rule.id, rule.title)?;
    writeln!(out, "  severity  {}", json::severity(rule.severity))?;
    if let Some(floor) = rule.floor {
        writeln!(out, "  floor     {}; nothing allows it", json::floor(floor))?;
    }
    writeln!(out, "  pack      {}", rule.pack)?;
    if !rule.aliases.is_empty() {
        writeln!(out, "  was       {}", rule.aliases.join(", "))?;
    }
    writeln!(out, "  why       {}", rule.why)?;
    if let Some((example, suggest)) = suggestion(rule) {
        writeln!(out, "  safer     {suggest}   (in place of {example})")?;
    }
    for (name, examples) in [("blocks", rule.blocks), ("passes", rule.passes)] {
        for (index, example) in examples.iter().enumerate() {
            let name = if index == 0 { name } else { "" };
            writeln!(out, "  {name:8}  {}", visible::line(example.as_bytes()))?;
        }
    }
    Ok(Exit::Success)
}

/// The first example for which the rule knows a safer command, with that.
fn suggestion(rule: &Rule) -> Option<(&'static str, String)> {
    rule.suggest?;
    let guard = Guard::new(Policy::manual());
    rule.blocks.iter().find_map(|example| {
        let request = Request::new(example.as_bytes(), PROJECT);
        let found = guard.check(&request, &Examples).findings;
        let own = found.into_iter().find(|found| found.rule == rule.id)?;
        Some((*example, own.suggest?.into_owned()))
    })
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
    let Some(rule) = rules.iter().find(|rule| rule.id == id) else {
        let names = Guard::rules().iter().map(|rule| rule.id);
        let meant = nearest(id, names.chain(rules.iter().map(|rule| rule.id.as_str())));
        match meant {
            Some(meant) => bail!("there is no rule {id:?}; did you mean {meant}?"),
            None => bail!("there is no rule {id:?}; `herma rules list` names all"),
        }
    };
    if json {
        bail!("{id} is your own rule; only built-in rules are shown as JSON");
    }
    let mut out = anstream::stdout().lock();
    let file = visible::line(rule.file.as_os_str().as_bytes());
    writeln!(out, "{id}: your own rule, {file}:{}\n", rule.line)?;
    let text = allowance::as_toml(&configured::verbatim(rule), "\n    ");
    writeln!(out, "    {text}")?;
    Ok(Exit::Success)
}

/// The world of the examples: a user `dev` in a project, no files, no variables but these.
struct Examples;

/// The working directory of the examples.
const PROJECT: &[u8] = b"/home/dev/proj";

impl World for Examples {
    fn read(&self, _: &[u8], _: usize) -> Read {
        Read::Missing
    }

    fn list(&self, _: &[u8]) -> Option<Vec<Vec<u8>>> {
        None
    }

    fn stat(&self, _: &[u8]) -> Option<FileKind> {
        None
    }

    fn variable(&self, name: &[u8]) -> Option<Vec<u8>> {
        match name {
            b"HOME" => Some(b"/home/dev".to_vec()),
            b"PWD" => Some(PROJECT.to_vec()),
            b"USER" => Some(b"dev".to_vec()),
            _ => None,
        }
    }

    fn home(&self, user: Option<&[u8]>) -> Option<Vec<u8>> {
        matches!(user, None | Some(b"dev")).then(|| b"/home/dev".to_vec())
    }
}

/// Runs the examples of the built-in rules, and checks a file with rules.
pub(crate) fn test(file: Option<&Path>) -> anyhow::Result<Exit> {
    let mut out = anstream::stdout().lock();
    let guard = Guard::new(Policy::manual());
    let (mut ran, mut failed) = (0usize, 0usize);
    for rule in Guard::rules() {
        for (examples, found) in [(rule.blocks, true), (rule.passes, false)] {
            for example in examples {
                ran += 1;
                let request = Request::new(example.as_bytes(), PROJECT);
                let verdict = guard.check(&request, &Examples);
                let finds = verdict.findings.iter().any(|it| it.rule == rule.id);
                if finds != found {
                    failed += 1;
                    let fault = if found { "does not find" } else { "finds" };
                    let example = visible::line(example.as_bytes());
                    writeln!(out, "FAILED {} {fault}: {example}", rule.id)?;
                }
            }
        }
    }
    writeln!(
        out,
        "{} rules, {ran} examples, {failed} failed",
        Guard::rules().len()
    )?;
    if let Some(file) = file {
        failed += own(&mut out, file)?;
    }
    Ok(if failed == 0 {
        Exit::Success
    } else {
        Exit::Failure
    })
}

/// Reads a file with `[[rule]]` tables and looks whether each rule finds what its own words name.
/// Returns how many do not.
fn own(out: &mut impl Write, file: &Path) -> anyhow::Result<usize> {
    let text =
        std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    let config = match Config::of_text(file, &text) {
        Ok(config) => config,
        Err(faults) => {
            let mut errors = anstream::stderr().lock();
            for fault in &faults {
                human::config_error(&mut errors, fault)?;
            }
            return Ok(faults.len());
        }
    };
    let mut failed = 0;
    for rule in &config.rules {
        // An allow rule is only seen where a rule of a pack finds something.
        if rule.action == Action::Allow {
            continue;
        }
        let mut policy = Policy::manual();
        let judged = configured::rule(rule);
        // `~` has become the home, as when a command is judged.
        let cwd = judged
            .cwd
            .as_deref()
            .map_or(PROJECT.to_vec(), |cwd| cwd.replace('*', "x").into());
        policy.rules = vec![judged];
        let words: Vec<Vec<u8>> = rule.argv.iter().filter_map(|word| example(word)).collect();
        let text = words.join(&b' ');
        let verdict = Guard::new(policy).check(&Request::new(&text, &cwd), &Examples);
        if !verdict.findings.iter().any(|it| it.rule == rule.id) {
            failed += 1;
            writeln!(
                out,
                "FAILED {} does not find: {}",
                rule.id,
                visible::line(&text)
            )?;
        }
    }
    let file = file.display();
    let rules = config.rules.len();
    let plural = if rules == 1 { "" } else { "s" };
    writeln!(out, "{file}: {rules} rule{plural}, {failed} failed")?;
    Ok(failed)
}

/// A word that a pattern stands for.
fn example(pattern: &str) -> Option<Vec<u8>> {
    (pattern != "**").then(|| herma_shell::spelling::quoted(pattern.replace('*', "x").as_bytes()))
}
