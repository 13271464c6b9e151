//! Sums over what was judged.

use std::collections::BTreeMap;

use herma_rules::{Decision, Guard, Severity};

use super::calls::{Calls, Subject};
use super::judging::{INVALID, Stopped};
use crate::output::json;

/// How often, and how many different ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Count {
    pub(crate) times: usize,
    pub(crate) different: usize,
}

impl Count {
    fn add(&mut self, subject: &Subject) {
        self.times += subject.times;
        self.different += 1;
    }
}

/// A rule with what it stopped.
#[derive(Debug)]
pub(crate) struct RuleTally<'a> {
    pub(crate) id: &'a str,
    pub(crate) title: &'a str,
    /// The gravest with which it was found; `None` when nothing was judged.
    pub(crate) severity: Option<Severity>,
    pub(crate) count: Count,
    /// Commands by index of [`Stopped`], the most frequent first.
    pub(crate) stopped: Vec<usize>,
}

/// All sums.
#[derive(Debug)]
pub(crate) struct Tally<'a> {
    pub(crate) all: Count,
    pub(crate) allow: Count,
    pub(crate) ask: Count,
    pub(crate) deny: Count,
    pub(crate) floors: BTreeMap<&'static str, Count>,
    /// To how many calls a person said no, whatever herma says.
    pub(crate) refused: usize,
    /// Those of them that are allowed, by index of subject: a rule of one's own could ask.
    pub(crate) refused_allowed: Vec<usize>,
    /// The one that stopped most comes first.
    pub(crate) rules: Vec<RuleTally<'a>>,
}

impl<'a> Tally<'a> {
    pub(crate) fn new(calls: &Calls, stopped: &'a [Stopped]) -> Self {
        let mut all = Count::default();
        for subject in &calls.subjects {
            all.add(subject);
        }
        let mut tally = Self {
            all,
            allow: Count::default(),
            ask: Count::default(),
            deny: Count::default(),
            floors: BTreeMap::new(),
            refused: calls.subjects.iter().map(|subject| subject.refused).sum(),
            refused_allowed: Vec::new(),
            rules: Vec::new(),
        };
        let mut open = stopped.iter().map(|found| found.subject).peekable();
        for (at, subject) in calls.subjects.iter().enumerate() {
            // Both are in the order of the subjects.
            let is_stopped = open.next_if_eq(&at).is_some();
            if subject.refused > 0 && !is_stopped {
                tally.refused_allowed.push(at);
            }
        }
        let mut rules: BTreeMap<&str, RuleTally<'a>> = BTreeMap::new();
        for (at, found) in stopped.iter().enumerate() {
            let Some(subject) = calls.subjects.get(found.subject) else {
                continue;
            };
            match found.decision() {
                Decision::Ask => tally.ask.add(subject),
                _ => tally.deny.add(subject),
            }
            if let Some(floor) = found.verdict.as_ref().ok().and_then(|it| it.floor) {
                tally
                    .floors
                    .entry(json::floor(floor))
                    .or_default()
                    .add(subject);
            }
            for id in found.rules() {
                let rule = rules.entry(id).or_insert_with(|| RuleTally {
                    id,
                    title: title(found, id),
                    severity: None,
                    count: Count::default(),
                    stopped: Vec::new(),
                });
                rule.severity = rule.severity.max(severity(found, id));
                rule.count.add(subject);
                rule.stopped.push(at);
            }
        }
        tally.allow = Count {
            times: all.times - tally.ask.times - tally.deny.times,
            different: all.different - tally.ask.different - tally.deny.different,
        };
        tally.rules = rules.into_values().collect();
        let times = |at: &usize| {
            let subject = stopped.get(*at).map(|it| it.subject);
            subject
                .and_then(|at| calls.subjects.get(at))
                .map_or(0, |subject| subject.times)
        };
        for rule in &mut tally.rules {
            rule.stopped.sort_by_key(|at| std::cmp::Reverse(times(at)));
        }
        // Rules of the same weight stay in the order of their ids.
        tally
            .rules
            .sort_by_key(|rule| std::cmp::Reverse(rule.count.times));
        tally
    }
}

fn title<'a>(found: &'a Stopped, id: &str) -> &'a str {
    if id == INVALID {
        return "The directory's configuration cannot be read";
    }
    if let Some(rule) = Guard::rule(id) {
        return rule.title;
    }
    let findings = found.verdict.as_ref().map(|it| it.findings.as_slice());
    let own = findings.unwrap_or_default().iter().find(|it| it.rule == id);
    own.map_or("", |finding| finding.title.as_ref())
}

fn severity(found: &Stopped, id: &str) -> Option<Severity> {
    let findings = found.verdict.as_ref().ok()?.findings.iter();
    findings
        .filter(|it| it.rule == id)
        .map(|it| it.severity)
        .max()
}

/// A share in percent.
pub(crate) fn percent(part: usize, whole: usize) -> f64 {
    if whole == 0 {
        0.0
    } else {
        part as f64 * 100.0 / whole as f64
    }
}
