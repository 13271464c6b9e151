//! `herma rules test`: examples of the built-in rules and of the user's own.

use std::io::Write;
use std::path::Path;

use anyhow::Context;
use herma_config::{Action, Config, ConfigError, Example, UserRule};
use herma_rules::{Decision, Guard, Mode, Policy, Request, Verdict};
use herma_shell::{FileKind, Listing, Read, World};

use crate::configured;
use crate::exit::Exit;
use crate::output::{human, json, visible};

/// The world of the examples: a user `dev` in a project, no files, no variables but these.
pub(crate) struct Examples;

/// The working directory of the examples.
pub(crate) const PROJECT: &[u8] = b"/home/dev/proj";

/// The home of their user.
const HOME: &[u8] = b"/home/dev";

impl World for Examples {
    fn read(&self, _: &[u8], _: usize) -> Read {
        Read::Missing
    }

    fn list(&self, _: &[u8]) -> Listing {
        Listing::Missing
    }

    fn stat(&self, _: &[u8]) -> Option<FileKind> {
        None
    }

    fn variable(&self, name: &[u8]) -> Option<Vec<u8>> {
        match name {
            b"HOME" => Some(HOME.to_vec()),
            b"PWD" => Some(PROJECT.to_vec()),
            b"USER" => Some(b"dev".to_vec()),
            _ => None,
        }
    }

    fn home(&self, user: Option<&[u8]>) -> Option<Vec<u8>> {
        matches!(user, None | Some(b"dev")).then(|| HOME.to_vec())
    }
}

/// Runs the examples of the built-in rules, or those of a file with rules.
pub(crate) fn run(file: Option<&Path>) -> anyhow::Result<Exit> {
    let mut out = anstream::stdout().lock();
    let failed = match file {
        Some(file) => file_with_rules(&mut out, file)?,
        None => built_in(&mut out)?,
    };
    Ok(if failed == 0 {
        Exit::Success
    } else {
        Exit::Failure
    })
}

fn built_in(out: &mut impl Write) -> anyhow::Result<usize> {
    let guard = Guard::new(Policy::manual());
    let (mut ran, mut failed) = (0usize, 0usize);
    for rule in Guard::rules() {
        for (examples, found) in [(rule.blocks, true), (rule.passes, false)] {
            for example in examples {
                ran += 1;
                let request = Request::new(example.as_bytes(), PROJECT);
                let verdict = guard.check(&request, &Examples);
                if finds(&verdict, rule.id) != found {
                    failed += 1;
                    let fault = if found { "does not find" } else { "finds" };
                    let example = visible::line(example.as_bytes());
                    writeln!(out, "FAILED {} {fault}: {example}", rule.id)?;
                }
            }
        }
    }
    let rules = Guard::rules().len();
    writeln!(out, "{rules} rules, {ran} examples, {failed} failed")?;
    Ok(failed)
}

/// Tries a file's rules on their examples, and each on what its own words name. Returns how many
/// faults there are.
fn file_with_rules(out: &mut impl Write, file: &Path) -> anyhow::Result<usize> {
    let text =
        std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    let mut errors = anstream::stderr().lock();
    let config = match Config::of_text(file, &text) {
        Ok(config) => config,
        Err(faults) => {
            for fault in &faults {
                human::config_error(&mut errors, fault)?;
            }
            return Ok(faults.len());
        }
    };
    let faults = faults(&config.rules, &text);
    for fault in &faults {
        human::config_error(&mut errors, fault)?;
    }
    let mut failed = faults.len();
    for rule in &config.rules {
        if let Some(text) = missed(rule) {
            failed += 1;
            let text = visible::line(&text);
            writeln!(out, "FAILED {} does not find: {text}", rule.id)?;
        }
    }
    let counted = |count: usize, what: &str| {
        let plural = if count == 1 { "" } else { "s" };
        format!("{count} {what}{plural}")
    };
    let rules = counted(config.rules.len(), "rule");
    let examples = config.rules.iter().map(|rule| rule.examples.len()).sum();
    let examples = counted(examples, "example");
    let file = file.display();
    writeln!(out, "{file}: {rules}, {examples}, {failed} failed")?;
    Ok(failed)
}

/// The examples in a file that are not answered as they should be; `text` is the file's.
pub(crate) fn faults(rules: &[UserRule], text: &str) -> Vec<ConfigError> {
    if rules.iter().all(|rule| rule.examples.is_empty()) {
        return Vec::new();
    }
    let policy = |without: Option<&UserRule>| {
        let mut policy = Policy::manual();
        policy.rules = rules
            .iter()
            .filter(|rule| without.is_none_or(|without| without.id != rule.id))
            .map(|rule| configured::rule_at(rule, Some(HOME)))
            .collect();
        Guard::new(policy)
    };
    let with = policy(None);
    let mut faults = Vec::new();
    for rule in rules {
        let mut without = None;
        for example in &rule.examples {
            let fault = if rule.action == Action::Allow {
                let without = without.get_or_insert_with(|| policy(Some(rule)));
                misallowed(rule, example, &with, without)
            } else {
                misfound(rule, example, &with)
            };
            if let Some(what) = fault {
                faults.push(rule.fault(text, example, what));
            }
        }
    }
    faults
}

/// What is wrong with an example of a `deny` or `ask` rule.
fn misfound(rule: &UserRule, example: &Example, guard: &Guard) -> Option<String> {
    let verdict = judged(rule, guard, &example.text, Mode::Manual);
    let id = &rule.id;
    match (example.blocks, finds(&verdict, id)) {
        (true, false) => Some(format!("`{id}` does not find this: {}", said(&verdict))),
        (false, true) => Some(format!("`{id}` finds this")),
        _ => None,
    }
}

/// What is wrong with an example of an `allow` rule. Most programs ask in no other mode than
/// `strict`, so that is where an allowance shows.
fn misallowed(rule: &UserRule, example: &Example, with: &Guard, without: &Guard) -> Option<String> {
    let id = &rule.id;
    let verdict = judged(rule, with, &example.text, Mode::Strict);
    match (example.blocks, verdict.decision == Decision::Allow) {
        (true, true) => Some(format!("`{id}` allows this")),
        (false, false) => Some(format!("`{id}` does not allow this: {}", said(&verdict))),
        (false, true) => {
            let before = judged(rule, without, &example.text, Mode::Strict);
            (before.decision == Decision::Allow)
                .then(|| format!("this is allowed without `{id}` too, also in mode strict"))
        }
        (true, false) => None,
    }
}

/// Judges a text where the rule holds.
fn judged(rule: &UserRule, guard: &Guard, text: &str, mode: Mode) -> Verdict {
    let cwd = directory(rule);
    let mut request = Request::new(text.as_bytes(), &cwd);
    request.mode = Some(mode);
    guard.check(&request, &Examples)
}

/// A directory that the rule's pattern matches; the examples' own where it does too.
fn directory(rule: &UserRule) -> Vec<u8> {
    match configured::rule_at(rule, Some(HOME)).cwd {
        Some(cwd) if !herma_patterns::glob::matches(cwd.as_bytes(), PROJECT, false) => {
            let cwd = cwd.strip_suffix("/**").unwrap_or(&cwd);
            cwd.replace('*', "x").into()
        }
        _ => PROJECT.to_vec(),
    }
}

/// A decision with the rules that made it.
fn said(verdict: &Verdict) -> String {
    let rules = json::rules(verdict);
    let decision = json::decision(verdict.decision);
    if rules.is_empty() {
        decision.to_owned()
    } else {
        format!("{decision}, {}", rules.join(", "))
    }
}

fn finds(verdict: &Verdict, id: &str) -> bool {
    verdict.findings.iter().any(|finding| finding.rule == id)
}

/// The command that a rule's own words name, when the rule does not find it.
fn missed(rule: &UserRule) -> Option<Vec<u8>> {
    // An allow rule is only seen where something else is found, what an expression matches cannot
    // be made up, and a rule for tools has no words.
    if rule.action == Action::Allow || rule.regex.is_some() || rule.argv.is_empty() {
        return None;
    }
    let mut policy = Policy::manual();
    policy.rules = vec![configured::rule_at(rule, Some(HOME))];
    let words: Vec<Vec<u8>> = rule.argv.iter().filter_map(|word| named(word)).collect();
    let text = words.join(&b' ');
    let request = Request::new(&text, PROJECT);
    let cwd = directory(rule);
    let request = Request {
        cwd: &cwd,
        ..request
    };
    let verdict = Guard::new(policy).check(&request, &Examples);
    (!finds(&verdict, &rule.id)).then_some(text)
}

/// A word that a pattern stands for.
fn named(pattern: &str) -> Option<Vec<u8>> {
    (pattern != "**").then(|| herma_shell::spelling::quoted(pattern.replace('*', "x").as_bytes()))
}
