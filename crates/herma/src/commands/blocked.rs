//! `herma blocked`: the copies of what was blocked.

use std::io::Write;
use std::ops::Range;
use std::os::unix::ffi::OsStrExt as _;

use anyhow::bail;
use herma_audit::{Copies, Kept, KeptRule, Verdict};
use herma_config::Home;
use herma_hosts::Host;
use herma_rules::Request;
use herma_secrets::{redact, redact_with};
use serde::Serialize;

use crate::allowance::{self, Allowance};
use crate::arguments::{ExpectName, Report};
use crate::configured::ConfiguredGuard;
use crate::exit::Exit;
use crate::output::excerpt::Excerpt;
use crate::output::human;
use crate::output::json::Word;
use crate::output::visible;
use crate::sighting::{self, Sighting};
use crate::unjudged::Unjudged;
use crate::world::Machine;

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
    #[serde(skip_serializing_if = "Option::is_none")]
    tool: Option<&'a str>,
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
        let mut places = places(kept);
        let command = redact_with(&kept.command, &mut places);
        Self {
            v: 1,
            id: &kept.id,
            ts: &kept.ts,
            decision: &kept.decision,
            floor: kept.floor.as_deref(),
            rules: kept
                .rules
                .iter()
                .zip(&places)
                .map(|(rule, place)| Rule::new(rule, place))
                .collect(),
            host: kept.host.as_deref(),
            session: kept.session.as_deref(),
            tool: kept.tool.as_deref(),
            cwd: kept.cwd.as_deref().map(|cwd| Word(cwd.into())),
            command: Word(command),
            cut: kept.cut,
        }
    }
}

impl<'a> Rule<'a> {
    fn new(rule: &'a KeptRule, place: &Range<usize>) -> Self {
        let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        Self {
            rule: &rule.id,
            span: [offset(place.start), offset(place.end)],
        }
    }
}

/// The places of the rules in the command as it was.
fn places(kept: &Kept) -> Vec<Range<usize>> {
    kept.rules
        .iter()
        .map(|rule| rule.start as usize..rule.end as usize)
        .collect()
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
        let tool = kept.tool.as_deref().map_or_else(String::new, |tool| {
            format!("{} ", visible::line(tool.as_bytes()))
        });
        let rules: Vec<&str> = kept.rules.iter().map(|rule| rule.id.as_str()).collect();
        writeln!(
            out,
            "{}  {:4}  {}  {tool}{}",
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
    let mut places = places(&kept);
    let command = redact_with(&kept.command, &mut places);
    for (rule, place) in kept.rules.iter().zip(places) {
        if let Some(why) = Unjudged::from_id(&rule.id) {
            writeln!(out, "not judged: {} ({})", why.what(), why.id())?;
            continue;
        }
        let excerpt = Excerpt::new(&command, place);
        let marked = excerpt.text.get(excerpt.span.clone()).unwrap_or_default();
        let (id, number) = (line(&rule.id), excerpt.number);
        writeln!(out, "rule      {id} at line {number}: {marked}")?;
    }
    let what = match &kept.tool {
        Some(tool) => format!("path for the tool {}", line(tool)),
        None => "command".to_owned(),
    };
    writeln!(out, "{what}, {} bytes:", kept.command.len())?;
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
    way_out(&mut out, home, &kept)?;
    Ok(Exit::Success)
}

/// How the command would pass by the configuration of now. The host was not told: it hands on to
/// the model what it is told.
fn way_out(out: &mut impl Write, home: &Home, kept: &Kept) -> anyhow::Result<()> {
    let unjudged = kept
        .rules
        .iter()
        .find_map(|rule| Unjudged::from_id(&rule.id));
    if let Some(why) = unjudged {
        return Ok(human::remedy(out, why.remedy())?);
    }
    let Some(cwd) = kept.cwd.as_deref().filter(|_| !kept.cut) else {
        return Ok(());
    };
    let Ok(configured) = ConfiguredGuard::load(home, cwd) else {
        return Ok(human::remedy(out, Unjudged::Config.remedy())?);
    };
    if matches!(redact(&kept.command), std::borrow::Cow::Owned(_)) {
        let hint = "it holds secrets, which are not shown; ask `herma check` about it";
        return Ok(human::remedy(out, hint)?);
    }
    let machine = Machine::of_process(cwd);
    if let Some(tool) = &kept.tool {
        return file_way_out(out, home, kept, tool, &configured, &machine);
    }
    let request = Request::new(&kept.command, cwd);
    let verdict = configured.guard.check(&request, &machine);
    let allowance = allowance::find(&configured.policy, &request, &verdict, &machine.fresh());
    if allowance == Allowance::Passes {
        return Ok(human::remedy(out, "nothing to do: it passes by now")?);
    }
    Ok(human::way_out(out, &allowance, &configured, home)?)
}

/// The same for the use of a file by a tool.
fn file_way_out(
    out: &mut impl Write,
    home: &Home,
    kept: &Kept,
    tool: &str,
    configured: &ConfiguredGuard,
    machine: &Machine,
) -> anyhow::Result<()> {
    let host = kept.host.as_deref().and_then(Host::from_name);
    let path = std::str::from_utf8(&kept.command).ok();
    let file = host
        .zip(path)
        .and_then(|(host, path)| host.file_use(tool, path));
    let (Some(file), Some(cwd)) = (file, kept.cwd.as_deref()) else {
        return Ok(());
    };
    let state = home.root().as_os_str().as_bytes();
    let Ok(sighting) = Sighting::of(&file, cwd, machine, state) else {
        return Ok(human::remedy(out, Unjudged::Path.remedy())?);
    };
    let names = sighting.names();
    let access = sighting::access(&file, &names);
    let verdict = configured.guard.check_access(&access);
    let allowance = allowance::for_file(&configured.policy, &access, &verdict);
    if allowance == Allowance::Passes {
        return Ok(human::remedy(out, "nothing to do: it passes by now")?);
    }
    Ok(human::way_out(out, &allowance, configured, home)?)
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
    if let Some(tool) = Copies::at(home.blocked()).show(&report.id)?.tool {
        bail!(
            "this is a call of the tool {}, and labelled cases are commands",
            visible::line(tool.as_bytes())
        );
    }
    let case = Copies::at(home.blocked()).report(&report.id, expect, report.issue, note)?;
    writeln!(std::io::stdout().lock(), "{case}")?;
    Ok(Exit::Success)
}
