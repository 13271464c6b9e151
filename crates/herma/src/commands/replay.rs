//! `herma replay`: what the rules of today say about the commands of past sessions.
//!
//! Nothing is recorded, and nothing is written but rules, when the user says so. The world is the one
//! of now: script files and directories may have been others when the commands ran.

mod calls;
mod habit;
mod judging;
mod lines;
mod machine;
mod progress;
mod proposal;
mod report;
mod source;
mod tally;
pub(crate) mod writing;

use std::io::Write;
use std::path::PathBuf;

use herma_config::{Config, Home, Sources as Layers};
use herma_rules::UserRule;

use crate::arguments::Replay;
use crate::exit::Exit;
use crate::input;
use crate::output::human;
use judging::Guards;
use proposal::Proposals;
use source::Sources;
use tally::Tally;
use writing::Addition;

/// Reads, judges, reports and, when asked to, writes.
pub(crate) fn run(arguments: &Replay, home: &Home) -> anyhow::Result<Exit> {
    let cwd = input::directory(None)?;
    let mut guards = Guards::new(home)?;
    // A fault in the user's own file would deny everything.
    if let Err(faults) = Config::load(&Layers::new(home, None)) {
        let mut errors = anstream::stderr().lock();
        for fault in &faults {
            human::config_error(&mut errors, fault)?;
        }
        return Ok(Exit::Failure);
    }
    let sources = Sources::find(&arguments.paths)?;
    let calls = calls::read(sources, arguments, &cwd)?;
    let stopped = judging::judge(&calls.subjects, &mut guards);
    let tally = Tally::new(&calls, &stopped);
    let proposals = proposal::propose(&calls.subjects, &stopped, &mut guards, arguments.once);
    let mut out = anstream::stdout().lock();
    if !arguments.json {
        let report = report::Report {
            calls: &calls,
            stopped: &stopped,
            tally: &tally,
            proposals: &proposals,
        };
        report.print(&mut out)?;
        out.flush()?;
    }
    let written = if arguments.write {
        write(arguments, home, &proposals)?
    } else {
        None
    };
    if arguments.json {
        let report = machine::Report::new(&calls, &stopped, &tally, &proposals, written.as_deref());
        writeln!(out, "{}", serde_json::to_string(&report)?)?;
        out.flush()?;
    } else if !arguments.write && !proposals.rules.is_empty() {
        let file = home.config();
        writeln!(out, "\n--write adds the rules to {}", file.display())?;
    }
    Ok(Exit::Success)
}

/// Adds the proposed rules after showing them. Returns the file when it was written.
fn write(
    arguments: &Replay,
    home: &Home,
    proposals: &Proposals,
) -> anyhow::Result<Option<PathBuf>> {
    // Standard output is a program's when it gets JSON.
    let mut errors = anstream::stderr().lock();
    let rules: Vec<&UserRule> = proposals.rules.iter().map(|rule| &rule.rule).collect();
    if rules.is_empty() {
        writeln!(errors, "nothing to add")?;
        return Ok(None);
    }
    let addition = Addition::new(home, &rules)?;
    addition.show(&mut errors)?;
    if !arguments.yes && !writing::confirmed("add these rules?")? {
        writeln!(errors, "nothing was written")?;
        return Ok(None);
    }
    let file = addition.write(home)?;
    let plural = if rules.len() == 1 { "" } else { "s" };
    writeln!(
        errors,
        "added {} rule{plural} to {}",
        rules.len(),
        file.display()
    )?;
    Ok(Some(file))
}
