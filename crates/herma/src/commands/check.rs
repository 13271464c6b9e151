//! `herma check`: may this command run?

use std::io::Write;

use herma_config::Home;
use herma_rules::{Decision, Mode, Request, Verdict};

use crate::allowance;
use crate::arguments::{Check, ModeName};
use crate::commands::batch;
use crate::configured::{self, ConfiguredGuard, Unready};
use crate::exit::Exit;
use crate::input;
use crate::output::human;
use crate::output::json::Checked;
use crate::record;
use crate::rows::Row;
use crate::terms::Terms;
use crate::world::Machine;

/// Judges one command line, or every row of a file.
pub(crate) fn run(arguments: &Check, home: Home) -> anyhow::Result<Exit> {
    let cwd = input::directory(arguments.cwd.as_deref())?;
    let terms = Terms {
        home,
        context: arguments.context.as_deref(),
        mode: arguments.mode.map(mode),
        record: arguments.record,
    };
    if let Some(file) = &arguments.batch {
        return batch::run(file, &cwd, &terms);
    }
    let text = if arguments.stdin {
        input::standard_input()?
    } else {
        input::command(&arguments.command)
    };
    let mut row = Row::of_process(text, cwd);
    row.dialect = arguments.shell.unwrap_or(row.dialect);
    let configured = match ConfiguredGuard::load(&terms.home, &row.cwd) {
        Ok(configured) => configured,
        Err(why) => return refuse(arguments.json, &why),
    };
    notes(&configured, terms.mode)?;
    let machine = Machine::of_process(&row.cwd);
    let started = std::time::Instant::now();
    let request = terms.request(&row);
    let verdict = configured.guard.check(&request, &machine);
    if terms.record {
        record::check(&terms, &configured, &row, &verdict, started.elapsed())?;
    }
    print(
        arguments.json,
        &configured,
        &request,
        &verdict,
        &machine,
        &terms.home,
    )?;
    Ok(verdict.decision.into())
}

fn mode(name: ModeName) -> Mode {
    match name {
        ModeName::Manual => Mode::Manual,
        ModeName::Smart => Mode::Smart,
        ModeName::Strict => Mode::Strict,
        ModeName::Off => Mode::Off,
    }
}

fn print(
    json: bool,
    configured: &ConfiguredGuard,
    request: &Request<'_>,
    verdict: &Verdict,
    machine: &Machine,
    home: &Home,
) -> anyhow::Result<()> {
    let mut out = anstream::stdout().lock();
    if json {
        writeln!(
            out,
            "{}",
            serde_json::to_string(&Checked::new(None, verdict))?
        )?;
    } else {
        let allowance = allowance::find(&configured.policy, request, verdict, &machine.fresh());
        human::verdict(
            &mut out, request, machine, verdict, &allowance, configured, home,
        )?;
    }
    out.flush()?;
    Ok(())
}

/// Denies because nothing can be judged, and says what to repair.
fn refuse(json: bool, why: &Unready) -> anyhow::Result<Exit> {
    let mut errors = anstream::stderr().lock();
    match why {
        Unready::Config(faults) => {
            for fault in faults {
                human::config_error(&mut errors, fault)?;
            }
        }
        Unready::Home(error) => {
            writeln!(errors, "error: {error}")?;
        }
    }
    if json {
        let reason = why.to_string();
        let line = serde_json::to_string(&Checked::refused(None, &reason))?;
        writeln!(std::io::stdout().lock(), "{line}")?;
    } else {
        writeln!(
            anstream::stdout().lock(),
            "deny: every command is denied until this is repaired"
        )?;
    }
    Ok(Decision::Deny.into())
}

/// What is configured and does nothing, on standard error.
pub(crate) fn notes(configured: &ConfiguredGuard, mode: Option<Mode>) -> std::io::Result<()> {
    let mut errors = anstream::stderr().lock();
    for note in configured::notes(&configured.config) {
        writeln!(errors, "note: {note}")?;
    }
    if mode.unwrap_or(configured.policy.mode) == Mode::Smart {
        writeln!(
            errors,
            "note: there is no reviewer, so smart asks as manual does"
        )?;
    }
    Ok(())
}
