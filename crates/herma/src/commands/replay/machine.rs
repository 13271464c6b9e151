//! The report for programs.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use serde::Serialize;

use super::calls::Calls;
use super::judging::Stopped;
use super::proposal::Proposals;
use super::tally::{Count, Tally, percent};
use crate::allowance;
use crate::output::json::{self, Word};

/// The whole report.
#[derive(Serialize)]
pub(crate) struct Report<'a> {
    v: u8,
    files: usize,
    commands: Counted,
    decisions: Decisions,
    floors: BTreeMap<&'static str, Counted>,
    refused: usize,
    refused_allowed: Vec<Refused<'a>>,
    rules: Vec<Rule<'a>>,
    stopped: Vec<Command<'a>>,
    proposed: Vec<Proposed<'a>>,
    written: Option<Word<'a>>,
    repeated: usize,
    timeless: usize,
    broken_lines: usize,
    broken: Vec<Broken<'a>>,
    passed_over: Vec<PassedOver<'a>>,
}

#[derive(Serialize)]
struct Counted {
    times: usize,
    different: usize,
}

impl From<Count> for Counted {
    fn from(count: Count) -> Self {
        Self {
            times: count.times,
            different: count.different,
        }
    }
}

#[derive(Serialize)]
struct Share {
    times: usize,
    different: usize,
    percent: f64,
}

#[derive(Serialize)]
struct Decisions {
    allow: Share,
    ask: Share,
    deny: Share,
}

#[derive(Serialize)]
struct Refused<'a> {
    cmd: Word<'a>,
    cwd: Word<'a>,
    times: usize,
    refused: usize,
    file: Word<'a>,
    line: u64,
}

#[derive(Serialize)]
struct Rule<'a> {
    rule: &'a str,
    title: &'a str,
    severity: Option<&'static str>,
    times: usize,
    different: usize,
}

#[derive(Serialize)]
struct Command<'a> {
    cmd: Word<'a>,
    cwd: Word<'a>,
    times: usize,
    refused: usize,
    decision: &'static str,
    floor: Option<&'static str>,
    rules: Vec<&'a str>,
    spans: Vec<Place<'a>>,
    file: Word<'a>,
    line: u64,
    left: Option<&'static str>,
}

#[derive(Serialize)]
struct Place<'a> {
    rule: &'a str,
    span: [usize; 2],
}

#[derive(Serialize)]
struct Proposed<'a> {
    id: &'a str,
    action: &'static str,
    argv: &'a [String],
    cwd: Option<&'a str>,
    toml: String,
    wide: bool,
    grave: bool,
    rules: Vec<&'a str>,
    times: usize,
    /// Indices of `stopped`.
    silences: &'a [usize],
}

#[derive(Serialize)]
struct Broken<'a> {
    file: Word<'a>,
    line: u64,
    /// May quote the line.
    why: Word<'a>,
}

#[derive(Serialize)]
struct PassedOver<'a> {
    path: Word<'a>,
    why: &'a str,
}

impl<'a> Report<'a> {
    pub(crate) fn new(
        calls: &'a Calls,
        stopped: &'a [Stopped],
        tally: &'a Tally<'a>,
        proposals: &'a Proposals,
        written: Option<&'a Path>,
    ) -> Self {
        let share = |count: Count| Share {
            times: count.times,
            different: count.different,
            percent: (percent(count.times, tally.all.times) * 100.0).round() / 100.0,
        };
        let times = |at: &usize| {
            let subject = stopped.get(*at).map(|it| it.subject);
            subject
                .and_then(|at| calls.subjects.get(at))
                .map_or(0, |subject| subject.times)
        };
        Self {
            v: 1,
            files: calls.files,
            commands: tally.all.into(),
            decisions: Decisions {
                allow: share(tally.allow),
                ask: share(tally.ask),
                deny: share(tally.deny),
            },
            floors: tally
                .floors
                .iter()
                .map(|(name, count)| (*name, (*count).into()))
                .collect(),
            refused: tally.refused,
            refused_allowed: tally
                .refused_allowed
                .iter()
                .filter_map(|at| calls.subjects.get(*at))
                .map(|subject| Refused {
                    cmd: Word(herma_secrets::redact(&subject.row.text)),
                    cwd: Word(herma_secrets::redact(&subject.row.cwd)),
                    times: subject.times,
                    refused: subject.refused,
                    file: path(&subject.file),
                    line: subject.line,
                })
                .collect(),
            rules: tally
                .rules
                .iter()
                .map(|rule| Rule {
                    rule: rule.id,
                    title: rule.title,
                    severity: rule.severity.map(json::severity),
                    times: rule.count.times,
                    different: rule.count.different,
                })
                .collect(),
            stopped: stopped
                .iter()
                .enumerate()
                .filter_map(|(at, stopped)| command(at, stopped, calls, proposals))
                .collect(),
            proposed: proposals
                .rules
                .iter()
                .map(|proposal| Proposed {
                    id: &proposal.rule.id,
                    action: allowance::action(proposal.rule.action),
                    argv: &proposal.rule.argv,
                    cwd: proposal.rule.cwd.as_deref(),
                    toml: allowance::as_toml(&proposal.rule, "\n"),
                    wide: proposal.wide,
                    grave: proposal.grave,
                    rules: proposal.finds.iter().map(String::as_str).collect(),
                    times: proposal.silences.iter().map(times).sum(),
                    silences: &proposal.silences,
                })
                .collect(),
            written: written.map(path),
            repeated: calls.repeated,
            timeless: calls.timeless,
            broken_lines: calls.broken_lines,
            broken: calls
                .broken
                .iter()
                .map(|broken| Broken {
                    file: path(&broken.file),
                    line: broken.line,
                    why: Word(herma_secrets::redact(broken.why.as_bytes())),
                })
                .collect(),
            passed_over: calls
                .passed_over
                .iter()
                .map(|(own, why)| PassedOver {
                    path: path(own),
                    why,
                })
                .collect(),
        }
    }
}

fn command<'a>(
    at: usize,
    stopped: &'a Stopped,
    calls: &'a Calls,
    proposals: &Proposals,
) -> Option<Command<'a>> {
    let subject = calls.subjects.get(stopped.subject)?;
    let verdict = stopped.verdict.as_ref();
    let findings = verdict.map_or(&[][..], |verdict| verdict.findings.as_slice());
    let mut places: Vec<std::ops::Range<usize>> = findings
        .iter()
        .map(|found| found.span.start as usize..found.span.end as usize)
        .collect();
    let cmd = herma_secrets::redact_with(&subject.row.text, &mut places);
    Some(Command {
        cmd: Word(cmd),
        cwd: Word(herma_secrets::redact(&subject.row.cwd)),
        times: subject.times,
        refused: subject.refused,
        decision: json::decision(stopped.decision()),
        floor: verdict
            .ok()
            .and_then(|verdict| verdict.floor)
            .map(json::floor),
        rules: stopped.rules(),
        spans: findings
            .iter()
            .zip(places)
            .map(|(found, place)| Place {
                rule: &found.rule,
                span: [place.start, place.end],
            })
            .collect(),
        file: path(&subject.file),
        line: subject.line,
        left: proposals.left.get(&at).map(|left| left.name()),
    })
}

fn path(path: &Path) -> Word<'_> {
    Word(Cow::Borrowed(path.as_os_str().as_bytes()))
}
