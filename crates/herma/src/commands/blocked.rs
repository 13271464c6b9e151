//! `herma blocked`: the copies of what was blocked.

use std::borrow::Cow;
use std::io::Write;

use herma_audit::{Copies, Kept, KeptRule, Verdict};
use herma_config::Home;
use herma_secrets::redact;
use serde::Serialize;

use crate::arguments::{ExpectName, Report};
use crate::exit::Exit;
use crate::output::excerpt::Excerpt;
use crate::output::json::Word;
use crate::output::visible;

/// Lines of a command that are shown.
const LINES: usize = 40;

/// A copy as programs read it.
#[derive(Serialize)]
struct Shown<'a> {
    v: u8,
    id: &'a str,
    ts: &'a str,
    decision: &'a str,
    floor: Option<&'a str>,
    rules: Vec<Rule<'a>>,
    host: Option<&'a str>,
    session: Option<&'a str>,
    cwd: Option<Word<'a>>,
    command: Word<'a>,
    cut: bool,
}

#[derive(Serialize)]
struct Rule<'a> {
    rule: &'a str,
    span: [u32; 2],
}

impl<'a> Shown<'a> {
    fn new(kept: &'a Kept) -> Self {
        Self {
            v: 1,
            id: &kept.id,
            ts: &kept.ts,
            decision: &kept.decision,
            floor: kept.floor.as_deref(),
            rules: kept.rules.iter().map(Rule::new).collect(),
            host: kept.host.as_deref(),
            session: kept.session.as_deref(),
            cwd: kept.cwd.as_deref().map(|cwd| Word(cwd.into())),
            command: Word(redact(&kept.command)),
            cut: kept.cut,
        }
    }
}

impl<'a> Rule<'a> {
    fn new(rule: &'a KeptRule) -> Self {
        Self {
            rule: &rule.id,
            span: [rule.start, rule.end],
        }
    }
}

/// Prints one line for each copy, oldest first.
pub(crate) fn list(home: &Home, json: bool) -> anyhow::Result<Exit> {
    let copies = Copies::at(home.blocked());
    let mut out = anstream::stdout().lock();
    for entry in copies.list()? {
        let kept = match copies.show(&entry.id) {
            Ok(kept) => kept,
            Err(error) => {
                writeln!(anstream::stderr().lock(), "error: {error}")?;
                continue;
            }
        };
        if json {
            writeln!(out, "{}", serde_json::to_string(&Shown::new(&kept))?)?;
            continue;
        }
        let rules: Vec<&str> = kept.rules.iter().map(|rule| rule.id.as_str()).collect();
        writeln!(
            out,
            "{}  {:4}  {}  {}",
            kept.id,
            kept.decision,
            visible::line(rules.join(" ").as_bytes()),
            visible::short(&redact(&kept.command))
        )?;
    }
    Ok(Exit::Success)
}

/// Shows one copy with the places that the rules found.
pub(crate) fn show(home: &Home, id: &str, json: bool) -> anyhow::Result<Exit> {
    let kept = Copies::at(home.blocked()).show(id)?;
    let mut out = anstream::stdout().lock();
    if json {
        writeln!(out, "{}", serde_json::to_string(&Shown::new(&kept))?)?;
        return Ok(Exit::Success);
    }
    let line = |text: &str| visible::line(text.as_bytes());
    writeln!(out, "id        {}", kept.id)?;
    writeln!(out, "time      {}", line(&kept.ts))?;
    match &kept.floor {
        Some(floor) => writeln!(out, "decision  {} ({})", line(&kept.decision), line(floor))?,
        None => writeln!(out, "decision  {}", line(&kept.decision))?,
    }
    if let Some(host) = &kept.host {
        writeln!(out, "host      {}", line(host))?;
    }
    if let Some(session) = &kept.session {
        writeln!(out, "session   {}", line(session))?;
    }
    if let Some(cwd) = &kept.cwd {
        writeln!(out, "directory {}", visible::line(cwd))?;
    }
    let command = redact(&kept.command);
    for rule in &kept.rules {
        let place = rule.start as usize..rule.end as usize;
        let excerpt = Excerpt::new(&kept.command, place);
        // A place may cut a secret so that its shape is gone.
        let marked = match &command {
            Cow::Borrowed(_) => excerpt.text.get(excerpt.span.clone()).unwrap_or_default(),
            Cow::Owned(_) => "[holds secrets]",
        };
        writeln!(
            out,
            "rule      {} at line {}: {marked}",
            line(&rule.id),
            excerpt.number
        )?;
    }
    writeln!(out, "command, {} bytes:", kept.command.len())?;
    let lines: Vec<&[u8]> = command.split(|byte| *byte == b'\n').collect();
    for text in lines.iter().take(LINES) {
        writeln!(out, "  | {}", visible::short(text))?;
    }
    if lines.len() > LINES {
        writeln!(out, "  | and {} more lines", lines.len() - LINES)?;
    }
    if kept.cut {
        writeln!(out, "only the beginning was kept")?;
    }
    Ok(Exit::Success)
}

/// Prints a copy as a labelled case, secrets removed.
pub(crate) fn report(home: &Home, report: &Report) -> anyhow::Result<Exit> {
    let expect = match report.expect {
        ExpectName::Allow => Verdict::Allow,
        ExpectName::Ask => Verdict::Ask,
        ExpectName::Floor => Verdict::Floor,
        ExpectName::SudoStdin => Verdict::SudoStdin,
    };
    let note = report.note.as_deref().unwrap_or_default();
    let case = Copies::at(home.blocked()).report(&report.id, expect, report.issue, note)?;
    writeln!(std::io::stdout().lock(), "{case}")?;
    Ok(Exit::Success)
}
