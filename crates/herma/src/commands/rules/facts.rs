//! All that is known of a built-in rule, for people, programs and its page.

use herma_rules::{Guard, Policy, Request, Rule, Verdict};
use serde::Serialize;

use super::test::{Examples, PROJECT};
use crate::allowance::{self, Allowance};
use crate::output::json;

/// Most rules that are named beside one.
const MOST_RELATED: usize = 8;

/// A rule as programs read it.
#[derive(Serialize)]
pub(super) struct Facts<'a> {
    pub(super) id: &'a str,
    pub(super) pack: &'a str,
    pub(super) severity: &'static str,
    pub(super) floor: Option<&'static str>,
    pub(super) title: &'a str,
    pub(super) why: &'a str,
    /// A safer command in place of an example.
    pub(super) suggest: Option<String>,
    pub(super) aliases: &'a [&'a str],
    pub(super) blocks: &'a [&'a str],
    pub(super) passes: &'a [&'a str],
    /// Own rules that allow an example.
    pub(super) allow: Option<Allow<'a>>,
    /// Rules that are found together with it, and those about the same program.
    pub(super) related: Vec<&'static str>,
    /// Its page in the repository.
    pub(super) page: String,
    /// The example that `suggest` stands for.
    #[serde(skip)]
    pub(super) suggested_for: Option<&'a str>,
}

/// How an example could be allowed, and nothing else.
#[derive(Serialize)]
pub(super) struct Allow<'a> {
    pub(super) example: &'a str,
    /// `[[rule]]` tables.
    pub(super) toml: String,
}

impl<'a> Facts<'a> {
    pub(super) fn new(rule: &'a Rule) -> Self {
        let guard = Guard::new(Policy::manual());
        let verdicts: Vec<(&'a str, Verdict)> = rule
            .blocks
            .iter()
            .map(|example| (*example, judge(&guard, example)))
            .collect();
        let suggested = suggestion(rule, &verdicts);
        Self {
            id: rule.id,
            pack: rule.pack,
            severity: json::severity(rule.severity),
            floor: rule.floor.map(json::floor),
            title: rule.title,
            why: rule.why,
            suggested_for: suggested.as_ref().map(|(example, _)| *example),
            suggest: suggested.map(|(_, suggest)| suggest),
            aliases: rule.aliases,
            blocks: rule.blocks,
            passes: rule.passes,
            allow: allow(&verdicts),
            related: related(rule, &verdicts),
            page: format!("docs/rules/{}.md", rule.id),
        }
    }
}

fn judge(guard: &Guard, example: &str) -> Verdict {
    guard.check(&Request::new(example.as_bytes(), PROJECT), &Examples)
}

/// The first example for which the rule knows a safer command, with that.
fn suggestion<'a>(rule: &Rule, verdicts: &[(&'a str, Verdict)]) -> Option<(&'a str, String)> {
    verdicts.iter().find_map(|(example, verdict)| {
        let mut own = verdict
            .findings
            .iter()
            .filter(|found| found.rule == rule.id);
        Some((
            *example,
            own.find_map(|found| found.suggest.clone())?.into_owned(),
        ))
    })
}

/// The first example that own rules can allow, with these.
fn allow<'a>(verdicts: &[(&'a str, Verdict)]) -> Option<Allow<'a>> {
    let policy = Policy::manual();
    verdicts.iter().find_map(|(example, verdict)| {
        let request = Request::new(example.as_bytes(), PROJECT);
        match allowance::find(&policy, &request, verdict, &Examples) {
            Allowance::Rules(rules) => Some(Allow {
                example,
                toml: rules
                    .iter()
                    .map(|rule| allowance::as_toml(rule, "\n"))
                    .collect::<Vec<_>>()
                    .join("\n\n"),
            }),
            _ => None,
        }
    })
}

fn related(rule: &Rule, verdicts: &[(&str, Verdict)]) -> Vec<&'static str> {
    let found = verdicts.iter().flat_map(|(_, verdict)| &verdict.findings);
    let together = found.filter_map(|found| Some(Guard::rule(&found.rule)?.id));
    let program = rule.blocks.first().map(|example| program(example));
    let beside = Guard::rules().iter().filter(|other| {
        let first = other.blocks.first().map(|example| self::program(example));
        other.pack == rule.pack && first == program
    });
    let mut related = Vec::new();
    for id in together.chain(beside.map(|other| other.id)) {
        if id != rule.id && !related.contains(&id) && related.len() < MOST_RELATED {
            related.push(id);
        }
    }
    related
}

/// The program that an example begins with, about.
fn program(example: &str) -> &str {
    example
        .split_whitespace()
        .find(|word| !word.contains('=') && *word != "sudo")
        .unwrap_or_default()
}
