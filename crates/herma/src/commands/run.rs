//! `herma run`: a command in a sandbox of its own.

mod identity;
mod judge;
pub(crate) mod post;
pub(crate) mod receipt;
pub(crate) mod stage;

use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use anyhow::{Context, bail};
use herma_config::Home;
use herma_rules::Guard;
use herma_sandbox::Error;
use herma_sandbox::guard::Stopped;
use herma_sandbox::local::{self, Ending, Outcome};
use herma_sandbox::profile::{Network, Pattern, Profile, Shelf};

use crate::arguments::Run;
use crate::configured::{ConfiguredGuard, Unready};
use crate::exit::Exit;
use crate::output::human;
use crate::record;
use crate::remedy::{self, Remedy};
use receipt::Receipt;
use stage::{Failed, Held, Stage, Task};

/// The sandbox could not be made.
const FAILED: u8 = 125;

/// The program is there and cannot be run.
const NOT_RUN: u8 = 126;

/// There is no such program.
const NOT_FOUND: u8 = 127;

/// The time was up, as `timeout` says it.
const TIMED_OUT: u8 = 124;

/// The step at which programs begin to be watched.
const GUARD: &str = "be told of programs";

/// The step at which the first of them is followed.
const FOLLOW: &str = "follow programs";

/// `EBUSY`.
const BUSY: i32 = 16;

/// The first version of Landlock that holds files from being emptied.
const LANDLOCK: u32 = 3;

/// How often a plan is made anew when the working directory changed meanwhile.
const ATTEMPTS: u32 = 3;

/// Runs the command. This is the only thread of the process.
pub(crate) fn run(arguments: &Run, home: anyhow::Result<Home>) -> Exit {
    match home.and_then(|home| attempt(arguments, &home)) {
        Ok(exit) => exit,
        Err(why) => {
            let _ = writeln!(anstream::stderr().lock(), "error: {why:#}");
            Exit::Run(FAILED)
        }
    }
}

fn attempt(arguments: &Run, home: &Home) -> anyhow::Result<Exit> {
    if is_inside() {
        bail!(
            "this is inside a herma run already, whose sandbox and guard hold every command; start \
             this one without herma"
        );
    }
    home.prepare()?;
    let cwd = std::env::current_dir().context("cannot tell the current directory")?;
    let Some((mut profile, guard)) = profile(arguments, home, &cwd)? else {
        return Ok(Exit::Run(FAILED));
    };
    let stage = Stage::of(home, &cwd)?;
    profile.read.extend(own_program(&stage));
    let cwd = stage.cwd.as_os_str().as_bytes();
    let told = |stopped: &Stopped| {
        // The program is stopped whether or not it can be recorded.
        let _ = record::stopped(home, cwd, stopped);
    };
    let mut number = 1;
    let mut recorded = None;
    let guard = (!arguments.no_exec_guard).then_some(&guard);
    let mut held = Held::Whole;
    let (outcome, receipt) = loop {
        if recorded != Some(held) {
            record::run(home, cwd, &arguments.command, held.name())
                .context("nothing runs, since it cannot be recorded")?;
            recorded = Some(held);
        }
        let task = Task {
            arguments,
            profile: &profile,
            guard,
            held,
            told: &told,
        };
        match stage.run(&task) {
            Err(Failed::Sandbox(Error::Changed(_))) if number < ATTEMPTS => number += 1,
            Err(Failed::Sandbox(why)) if held == Held::Whole && is_refused(&why) => {
                step_down(&why)?;
                held = Held::Partly;
            }
            Err(Failed::Sandbox(why)) => bail!(sentence(&why)),
            Err(Failed::Other(why)) => return Err(why),
            Ok(done) => break done,
        }
    };
    report(arguments, &outcome, &receipt)
}

/// Whether process 1 is a run's supervisor: its whole command line is one word.
pub(crate) fn is_inside() -> bool {
    let line = std::fs::read("/proc/1/cmdline").unwrap_or_default();
    let end = line.iter().rposition(|it| *it != 0).map_or(0, |it| it + 1);
    line.get(..end) == Some(b"herma")
}

/// Whether the machine, not the directory, is why there is no sandbox.
fn is_refused(why: &Error) -> bool {
    match why {
        Error::System { .. } => true,
        Error::Inside { step, .. } => step != GUARD && step != FOLLOW,
        _ => false,
    }
}

/// Without namespaces less holds. It is said, and what is open then.
fn step_down(why: &Error) -> anyhow::Result<()> {
    if whole()? {
        bail!(sentence(why));
    }
    Ok(())
}

/// Whether everything can hold a command here; when not, it is said what does.
pub(crate) fn whole() -> anyhow::Result<bool> {
    let support = local::probe()?;
    let Err(refused) = &support.namespaces else {
        return Ok(true);
    };
    let Remedy { cause, help } = remedy::namespaces(refused);
    let holds = support.landlock.is_some_and(|it| it >= LANDLOCK) && support.filter.is_ok();
    if !holds {
        bail!("cannot make the sandbox: {refused}: {cause}; {help}");
    }
    let mut errors = anstream::stderr().lock();
    writeln!(
        errors,
        "herma: no namespaces: {cause} ({refused}); {help}\n\
         herma: Landlock and a filter hold the command instead. Open are: masked and protected \
         files in this directory, names and attributes of all files, command lines of your \
         processes"
    )?;
    Ok(false)
}

/// This program under its own name, which is what settings of agents call. Not in the working
/// directory, where it may be built anew.
fn own_program(stage: &Stage) -> Option<Pattern> {
    let program = std::env::current_exe().ok()?;
    let elsewhere = !program.starts_with(&stage.cwd) && !program.starts_with(&stage.state);
    program
        .to_str()
        .filter(|_| elsewhere)
        .and_then(Pattern::parse)
}

/// The profile that holds, with what the command line adds; `None` when the configuration is not
/// understood, which has been said then.
fn profile(arguments: &Run, home: &Home, cwd: &Path) -> anyhow::Result<Option<(Profile, Guard)>> {
    let name = arguments.profile.as_str();
    let Some((mut profile, guard)) = named(name, home, cwd)? else {
        return Ok(None);
    };
    for (list, paths) in [
        (&mut profile.read, &arguments.read),
        (&mut profile.write, &arguments.write),
    ] {
        for path in paths {
            list.push(pattern(path, cwd)?);
        }
    }
    profile.environment.extend(arguments.env.iter().cloned());
    if let Some(memory) = arguments.memory {
        profile.limits.memory = Some(memory);
    }
    if let Some(seconds) = arguments.timeout {
        profile.limits.time = Some(seconds);
    }
    if arguments.no_network {
        profile.network = Network::None;
    }
    if profile.network == Network::Exit {
        bail!(
            "the profile {name} has a way to the network, and this version knows none that is \
             watched; add --no-network"
        );
    }
    Ok(Some((profile, guard)))
}

/// The profile with this name in a directory, and the rules that hold there; `None` when the configuration is not understood, which
/// has been said then.
pub(crate) fn named(
    name: &str,
    home: &Home,
    cwd: &Path,
) -> anyhow::Result<Option<(Profile, Guard)>> {
    let bytes = cwd.as_os_str().as_bytes();
    let loaded = ConfiguredGuard::load(home, bytes).and_then(|it| {
        let shelf = Shelf::of(&it.config.profiles).map_err(Unready::Config)?;
        Ok((shelf, it.guard))
    });
    let (shelf, guard) = match loaded {
        Ok(loaded) => loaded,
        Err(Unready::Home(why)) => return Err(why.into()),
        Err(Unready::Config(faults)) => {
            let mut errors = anstream::stderr().lock();
            for fault in &faults {
                human::config_error(&mut errors, fault)?;
            }
            return Ok(None);
        }
    };
    let Ok(Some(profile)) = shelf.profile(name) else {
        let meant = shelf.nearest(name);
        let meant = meant.map_or(String::new(), |it| format!("; did you mean {it}?"));
        let known: Vec<&str> = shelf.names().collect();
        bail!(
            "there is no profile {name} among {}{meant}",
            known.join(", ")
        );
    };
    Ok(Some((profile, guard)))
}

/// A path of the command line; it exists.
fn pattern(path: &Path, cwd: &Path) -> anyhow::Result<Pattern> {
    let real = cwd
        .join(path)
        .canonicalize()
        .with_context(|| format!("cannot find {}", path.display()))?;
    real.to_str()
        .and_then(Pattern::parse)
        .with_context(|| format!("{} is no path that a sandbox can show", path.display()))
}

/// The exit code, and what a person should know.
fn report(arguments: &Run, outcome: &Outcome, receipt: &Receipt) -> anyhow::Result<Exit> {
    let code = code(outcome);
    if arguments.json {
        let mut out = std::io::stdout().lock();
        writeln!(out, "{}", receipt::json(code, outcome, receipt)?)?;
        return Ok(Exit::Run(code));
    }
    let mut errors = anstream::stderr().lock();
    let program = arguments.command.first().cloned().unwrap_or_default();
    let program = program.to_string_lossy();
    match outcome.ending {
        Ending::TimedOut => {
            let seconds = arguments.timeout.unwrap_or_default();
            writeln!(errors, "herma: ended, since its {seconds} seconds were up")?;
        }
        Ending::NotRun(_) if code == NOT_FOUND => {
            writeln!(
                errors,
                "error: there is no {program} inside; --read PATH shows a file or directory"
            )?;
        }
        Ending::NotRun(errno) => {
            let why = std::io::Error::from_raw_os_error(errno);
            writeln!(errors, "error: cannot run {program}: {why}")?;
        }
        _ => {}
    }
    if !arguments.quiet {
        receipt.print(&mut errors)?;
    }
    Ok(Exit::Run(code))
}

/// The exit code.
fn code(outcome: &Outcome) -> u8 {
    match outcome.ending {
        Ending::Exited(code) => code,
        Ending::Signalled(signal) => u8::try_from(signal.saturating_add(128)).unwrap_or(u8::MAX),
        Ending::TimedOut => TIMED_OUT,
        Ending::NotRun(errno) => {
            let why = std::io::Error::from_raw_os_error(errno);
            if why.kind() == std::io::ErrorKind::NotFound {
                NOT_FOUND
            } else {
                NOT_RUN
            }
        }
        _ => FAILED,
    }
}

/// One sentence about what went wrong, and what to do.
fn sentence(why: &Error) -> String {
    match why {
        Error::Changed(path) => format!(
            "{} keeps changing while the sandbox is made; try again when nothing works there",
            path.display()
        ),
        Error::Inside { step, source, .. } if step == GUARD => {
            let cause = if source.raw_os_error() == Some(BUSY) {
                "another program here is told of them already, as in another herma run"
            } else {
                "the kernel or what is around this process refuses it"
            };
            format!(
                "programs cannot be watched ({source}): {cause}; --no-exec-guard runs without, and \
                 floors are then checked on command text only"
            )
        }
        Error::Inside { step, source, .. } if step == FOLLOW => format!(
            "programs cannot be watched ({source}): {}; --no-exec-guard runs without, and floors are \
             then checked on command text only",
            remedy::ptrace()
        ),
        other => format!("cannot make the sandbox: {other}"),
    }
}
