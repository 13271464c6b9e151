//! `herma run`: a command in a sandbox of its own.

use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail};
use herma_config::{Config, Home, Sources};
use herma_sandbox::Error;
use herma_sandbox::local::{self, Ending, Outcome, Output, Request};
use herma_sandbox::plan::{self, Machine, Place, Plan};
use herma_sandbox::profile::{Network, Pattern, Profile, Shelf};
use herma_sandbox::workspace::{Copies, Journal};

use crate::arguments::Run;
use crate::exit::Exit;
use crate::output::human;
use crate::{accounts, input};

/// The sandbox could not be made.
const FAILED: u8 = 125;

/// The program is there and cannot be run.
const NOT_RUN: u8 = 126;

/// There is no such program.
const NOT_FOUND: u8 = 127;

/// The time was up, as `timeout` says it.
const TIMED_OUT: u8 = 124;

/// How often a plan is made anew when the working directory changed meanwhile.
const ATTEMPTS: u32 = 3;

/// Runs the command. This is the only thread of the process.
pub(crate) fn run(arguments: &Run, home: &Home) -> Exit {
    match attempt(arguments, home) {
        Ok(exit) => exit,
        Err(why) => {
            let _ = writeln!(anstream::stderr().lock(), "error: {why:#}");
            Exit::Run(FAILED)
        }
    }
}

fn attempt(arguments: &Run, home: &Home) -> anyhow::Result<Exit> {
    home.prepare()?;
    let cwd = std::env::current_dir().context("cannot tell the current directory")?;
    let Some(profile) = profile(arguments, home, &cwd)? else {
        return Ok(Exit::Run(FAILED));
    };
    let stage = Stage::of(home, &cwd)?;
    let mut number = 1;
    let outcome = loop {
        match stage.run(arguments, &profile) {
            Err(Failed::Sandbox(Error::Changed(_))) if number < ATTEMPTS => number += 1,
            Err(Failed::Sandbox(why)) => bail!(sentence(&why)),
            Err(Failed::Other(why)) => return Err(why),
            Ok(outcome) => break outcome,
        }
    };
    Ok(report(arguments, &outcome))
}

/// The profile that holds, with what the command line adds; `None` when the configuration is not
/// understood, which has been said then.
fn profile(arguments: &Run, home: &Home, cwd: &Path) -> anyhow::Result<Option<Profile>> {
    let shelf =
        Config::load(&Sources::new(home, Some(cwd))).and_then(|config| Shelf::of(&config.profiles));
    let shelf = match shelf {
        Ok(shelf) => shelf,
        Err(faults) => {
            let mut errors = anstream::stderr().lock();
            for fault in &faults {
                human::config_error(&mut errors, fault)?;
            }
            return Ok(None);
        }
    };
    let name = arguments.profile.as_str();
    let Ok(Some(mut profile)) = shelf.profile(name) else {
        let known: Vec<&str> = shelf.names().collect();
        let meant = shelf
            .nearest(name)
            .map_or(String::new(), |it| format!("; did you mean {it}?"));
        bail!(
            "there is no profile {name}{meant} There are {}.",
            known.join(", ")
        );
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
    Ok(Some(profile))
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

/// Where runs are made, and for whom.
struct Stage {
    cwd: PathBuf,
    home: PathBuf,
    state: PathBuf,
    environment: Vec<(OsString, OsString)>,
}

/// Why there was no run.
enum Failed {
    Sandbox(Error),
    Other(anyhow::Error),
}

impl From<Error> for Failed {
    fn from(why: Error) -> Self {
        Self::Sandbox(why)
    }
}

impl Stage {
    fn of(home: &Home, cwd: &Path) -> anyhow::Result<Self> {
        let user = accounts::own_home().context("there is no home directory; set HOME")?;
        let real = |path: &Path| {
            path.canonicalize()
                .with_context(|| format!("cannot find {}", path.display()))
        };
        Ok(Self {
            cwd: real(cwd)?,
            home: real(&input::path(&user))?,
            state: real(home.root())?,
            environment: std::env::vars_os().collect(),
        })
    }

    fn run(&self, arguments: &Run, profile: &Profile) -> Result<Outcome, Failed> {
        let other = |why: anyhow::Error| Failed::Other(why);
        let id = identity();
        let runs = self.state.join("runs");
        let mut journal = Journal::open(&runs, &id)?;
        let run = runs.join(&id);
        let result = std::fs::create_dir(&run)
            .with_context(|| format!("cannot make {}", run.display()))
            .map_err(other)
            .and_then(|()| self.within(&mut journal, &run, arguments, profile));
        let left = journal.end();
        let _ = std::fs::remove_dir_all(&run);
        let outcome = result?;
        for path in left? {
            let _ = writeln!(
                anstream::stderr().lock(),
                "note: {} is no longer what herma put there, and stays",
                path.display()
            );
        }
        Ok(outcome)
    }

    fn within(
        &self,
        journal: &mut Journal,
        run: &Path,
        arguments: &Run,
        profile: &Profile,
    ) -> Result<Outcome, Failed> {
        let place = Place {
            cwd: &self.cwd,
            home: &self.home,
            state: &self.state,
            run,
            environment: &self.environment,
        };
        let plan = plan::plan(profile, &place, &journal.tree(&Machine)).map_err(|why| {
            Failed::Other(anyhow::anyhow!(
                "{why}; start from the directory that the command works in"
            ))
        })?;
        journal.place(&plan.placeholders)?;
        let copies = Copies::make(&plan.repositories)?;
        let outcome = local::run(request(arguments, &plan))?;
        copies.merge()?;
        Ok(outcome)
    }
}

fn request<'a>(arguments: &'a Run, plan: &'a Plan) -> Request<'a> {
    Request {
        command: &arguments.command,
        plan,
        output: if arguments.json {
            Output::Keep(1 << 20)
        } else {
            Output::Pass
        },
        timeout: plan.limits.time.map(Duration::from_secs),
    }
}

/// A name for a run that no other has.
fn identity() -> String {
    let now = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .unwrap_or_default();
    format!("{}-{}", now.as_nanos(), std::process::id())
}

/// The exit code, and what a person should know.
fn report(arguments: &Run, outcome: &Outcome) -> Exit {
    let mut errors = anstream::stderr().lock();
    let program = arguments.command.first().cloned().unwrap_or_default();
    let program = program.to_string_lossy();
    Exit::Run(match outcome.ending {
        Ending::Exited(code) => code,
        Ending::Signalled(signal) => u8::try_from(signal.saturating_add(128)).unwrap_or(u8::MAX),
        Ending::TimedOut => {
            let seconds = arguments.timeout.unwrap_or_default();
            let _ = writeln!(errors, "herma: ended, since its {seconds} seconds were up");
            TIMED_OUT
        }
        Ending::NotRun(errno) => {
            let why = std::io::Error::from_raw_os_error(errno);
            if why.kind() == std::io::ErrorKind::NotFound {
                let _ = writeln!(
                    errors,
                    "error: there is no {program} inside; --read PATH shows a file or directory"
                );
                NOT_FOUND
            } else {
                let _ = writeln!(errors, "error: cannot run {program}: {why}");
                NOT_RUN
            }
        }
        _ => FAILED,
    })
}

/// One sentence about what went wrong, and what to do.
fn sentence(why: &Error) -> String {
    match why {
        Error::Changed(path) => format!(
            "{} keeps changing while the sandbox is made; try again when nothing works there",
            path.display()
        ),
        other => format!("cannot make the sandbox: {other}"),
    }
}
