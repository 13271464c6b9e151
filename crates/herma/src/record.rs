//! What is written down about a decision.

use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt;
use std::time::Duration;

use anyhow::Context;
use herma_audit::{Block, Copies, Event, FileObject, Log};
use herma_config::{Home, Retention};
use herma_hosts::{Act, Call, Host};
use herma_rules::{Allowed, Decision, Finding, Floor, Guard, Mode, Verdict};
use herma_sandbox::guard::Stopped;

use crate::configured::ConfiguredGuard;
use crate::output::json;
use crate::rows::Row;
use crate::terms::Terms;
use crate::unjudged::Unjudged;

/// What a hook answers, and why.
pub(crate) struct Outcome {
    pub(crate) decision: Decision,
    /// One line for the host.
    pub(crate) reason: String,
    /// The mode and for how long to keep what; `None` when the configuration is not known.
    pub(crate) terms: Option<(Mode, Retention)>,
    pub(crate) floor: Option<Floor>,
    pub(crate) findings: Vec<Finding>,
    /// What the user's rules allow in it.
    pub(crate) allowed_by: Vec<Allowed>,
    /// Stands for a rule when nothing was judged.
    pub(crate) unjudged: Option<Unjudged>,
    /// The file that a tool would use.
    pub(crate) object: Option<FileObject>,
    /// It may make, change or remove a file.
    pub(crate) changes_files: bool,
}

impl Outcome {
    /// A denial without a verdict.
    pub(crate) fn unjudged(why: Unjudged, reason: &str) -> Self {
        Self {
            decision: Decision::Deny,
            reason: reason.to_owned(),
            terms: None,
            floor: None,
            findings: Vec::new(),
            allowed_by: Vec::new(),
            unjudged: Some(why),
            object: None,
            changes_files: false,
        }
    }
}

/// Records what a hook answers: one line, and a copy when it is a denial.
///
/// # Errors
/// Nothing was recorded, and the caller denies. A copy that cannot be written is no error: the
/// command is blocked all the same.
pub(crate) fn hook(
    home: &Home,
    host: Host,
    call: &Call,
    outcome: &Outcome,
    took: Duration,
    patience: Duration,
) -> anyhow::Result<()> {
    let words = words(&call.act);
    let cwd = call.cwd.as_deref().map(str::as_bytes);
    let rules = rules(&outcome.findings, &outcome.allowed_by, outcome.unjudged);
    let mut event = Event::new("check");
    event.host = Some(host.name());
    event.session = call.session.as_deref();
    event.agent_id = call.agent_id.as_deref();
    event.turn = call.turn.as_deref();
    event.tool_use_id = call.tool_use_id.as_deref();
    event.cwd = cwd;
    event.command = &words;
    event.object = outcome.object;
    event.decision = Some(json::decision(outcome.decision));
    event.floor = outcome.floor.map(json::floor);
    event.rules = &rules;
    event.mode = outcome.terms.as_ref().map(|(mode, _)| mode_name(*mode));
    event.us = Some(micros(took));
    let retention = outcome.terms.as_ref().map(|(_, retention)| *retention);
    append(home, &event, retention, patience)?;
    if outcome.decision == Decision::Deny {
        let spans = spans(&outcome.findings, outcome.unjudged);
        let whole = match &call.act {
            Act::Commands(_) => words.join(&b'\n'),
            Act::File(file) => file.path.clone().into_bytes(),
        };
        let mut block = Block::new(&whole, json::decision(outcome.decision));
        block.tool = match &call.act {
            Act::Commands(_) => None,
            Act::File(file) => Some(&file.tool),
        };
        block.floor = event.floor;
        block.rules = &spans;
        block.host = event.host;
        block.session = event.session;
        block.cwd = cwd;
        let _ = Copies::at(home.blocked()).keep(&block);
    }
    Ok(())
}

/// Records that a hook's input could not be read and was denied.
///
/// # Errors
/// Nothing was recorded.
pub(crate) fn unreadable(
    home: &Home,
    host: Host,
    took: Duration,
    patience: Duration,
) -> anyhow::Result<()> {
    let mut event = Event::new("check");
    event.host = Some(host.name());
    event.decision = Some(json::decision(Decision::Deny));
    let rules = [Unjudged::Input.id()];
    event.rules = &rules;
    event.us = Some(micros(took));
    append(home, &event, None, patience)
}

/// Records the answer to `herma check --record`.
///
/// # Errors
/// Nothing was recorded, or the copy of what was denied could not be written.
pub(crate) fn check(
    terms: &Terms<'_>,
    configured: &ConfiguredGuard,
    row: &Row,
    verdict: &Verdict,
    took: Duration,
) -> anyhow::Result<()> {
    let commands = [row.text.as_slice()];
    let rules = rules(&verdict.findings, &verdict.allowed_by, None);
    let mut event = Event::new("check");
    event.cwd = Some(&row.cwd);
    event.command = &commands;
    event.decision = Some(json::decision(verdict.decision));
    event.floor = verdict.floor.map(json::floor);
    event.rules = &rules;
    event.mode = Some(mode_name(terms.mode.unwrap_or(configured.policy.mode)));
    event.context = terms.context;
    event.us = Some(micros(took));
    let patience = Duration::from_secs(5);
    terms.home.prepare()?;
    append(
        &terms.home,
        &event,
        Some(configured.config.retention),
        patience,
    )
    .context("nothing was recorded")?;
    if verdict.decision == Decision::Deny {
        let spans = spans(&verdict.findings, None);
        let mut block = Block::new(&row.text, json::decision(verdict.decision));
        block.floor = event.floor;
        block.rules = &spans;
        block.cwd = event.cwd;
        Copies::at(terms.home.blocked())
            .keep(&block)
            .context("no copy of the blocked command was kept")?;
    }
    Ok(())
}

/// Records that a command is about to run in a sandbox, and what holds it.
///
/// # Errors
/// Nothing was recorded, and nothing runs.
pub(crate) fn run(
    home: &Home,
    cwd: &[u8],
    command: &[OsString],
    held: &'static str,
) -> anyhow::Result<()> {
    let words: Vec<&[u8]> = command.iter().map(|it| it.as_bytes()).collect();
    let mut event = Event::new("run");
    event.cwd = Some(cwd);
    event.command = &words;
    event.decision = Some(json::decision(Decision::Allow));
    event.context = Some(held);
    append(home, &event, None, Duration::from_secs(5))
}

/// Records that a program was stopped in a sandbox before its first instruction.
///
/// # Errors
/// Nothing was recorded.
pub(crate) fn stopped(home: &Home, cwd: &[u8], stopped: &Stopped) -> anyhow::Result<()> {
    let words: Vec<&[u8]> = stopped.arguments.iter().map(Vec::as_slice).collect();
    let rules = [stopped.rule.as_str()];
    let floor = match stopped.rule.as_str() {
        "sudo.stdin" => Floor::SudoStdin,
        rule if Guard::rule(rule).is_none() => Floor::UserDeny,
        _ => Floor::Hardline,
    };
    let mut event = Event::new("exec");
    event.cwd = Some(cwd);
    event.command = &words;
    event.decision = Some(json::decision(Decision::Deny));
    event.floor = Some(json::floor(floor));
    event.rules = &rules;
    append(home, &event, None, Duration::from_secs(5))
}

/// Appends a line; the first of a day also removes what is too old. The state directory is there.
fn append(
    home: &Home,
    event: &Event<'_>,
    retention: Option<Retention>,
    patience: Duration,
) -> anyhow::Result<()> {
    let log = Log::at(home.audit()).patience(patience);
    let receipt = log.append(event)?;
    if let (true, Some(retention)) = (receipt.began_file, retention) {
        // Old files that stay are no reason to deny anything.
        let _ = log.purge(retention.audit_days);
        let _ = Copies::at(home.blocked()).purge(retention.blocked_days);
    }
    Ok(())
}

/// What the call does: the command lines, or the tool, its path and its patterns.
fn words(act: &Act) -> Vec<&[u8]> {
    match act {
        Act::Commands(commands) => commands.iter().map(String::as_bytes).collect(),
        Act::File(file) => [&file.tool, &file.path]
            .into_iter()
            .chain(&file.globs)
            .map(String::as_bytes)
            .collect(),
    }
}

/// Each rule once: those that were found, then the user's that allow.
fn rules<'a>(
    findings: &'a [Finding],
    allowed_by: &'a [Allowed],
    unjudged: Option<Unjudged>,
) -> Vec<&'a str> {
    let mut rules: Vec<&str> = unjudged.map(Unjudged::id).into_iter().collect();
    let found = findings.iter().map(|finding| finding.rule.as_ref());
    for rule in found.chain(allowed_by.iter().map(|it| it.rule.as_str())) {
        if !rules.contains(&rule) {
            rules.push(rule);
        }
    }
    rules
}

/// Rules with their places; what stands for a rule has the empty one.
fn spans(findings: &[Finding], unjudged: Option<Unjudged>) -> Vec<(&str, u32, u32)> {
    let unjudged = unjudged.map(|why| (why.id(), 0, 0));
    let found = findings
        .iter()
        .map(|it| (it.rule.as_ref(), it.span.start, it.span.end));
    unjudged.into_iter().chain(found).collect()
}

fn micros(took: Duration) -> u64 {
    u64::try_from(took.as_micros()).unwrap_or(u64::MAX)
}

fn mode_name(mode: Mode) -> &'static str {
    match mode {
        Mode::Manual => "manual",
        Mode::Smart => "smart",
        Mode::Strict => "strict",
        Mode::Off => "off",
    }
}
