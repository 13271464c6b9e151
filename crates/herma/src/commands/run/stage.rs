//! Where runs are made: what happens in the state and working directories around one.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;
use herma_config::Home;
use herma_rules::Guard;
use herma_sandbox::Error;
use herma_sandbox::git::index;
use herma_sandbox::guard::{Judge, Stopped};
use herma_sandbox::local::{self, Outcome, Output, Request, Rung};
use herma_sandbox::plan::{self, Machine, Place, Plan, Tree};
use herma_sandbox::profile::Profile;
use herma_sandbox::workspace::{Bounds, Changes, Copies, Journal, Moment, Setting, changes};

use super::judge::{Floors, announce};
use super::post::Answering;
use super::receipt::Receipt;
use crate::arguments::Run;
use crate::{accounts, input};

/// Most bytes of each stream that are kept for a program.
const KEPT: u64 = 1 << 20;

/// Where runs are made, and for whom.
#[derive(Debug)]
pub(crate) struct Stage {
    pub(crate) cwd: PathBuf,
    pub(crate) home: PathBuf,
    pub(crate) state: PathBuf,
    pub(crate) environment: Vec<(OsString, OsString)>,
}

/// What is run.
pub(crate) struct Task<'a> {
    pub(crate) arguments: &'a Run,
    pub(crate) profile: &'a Profile,
    /// The rules that programs are judged by; `None` when they are not watched.
    pub(crate) guard: Option<&'a Guard>,
    pub(crate) held: Held,
    /// Called as soon as a program was stopped.
    pub(crate) told: &'a dyn Fn(&Stopped),
}

/// What holds the command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Held {
    /// Everything.
    Whole,
    /// What needs no namespaces.
    Partly,
}

impl Held {
    /// As the audit trail calls it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Whole => "namespaces",
            Self::Partly => "confined",
        }
    }
}

/// Why there was no run.
pub(crate) enum Failed {
    Sandbox(Error),
    Other(anyhow::Error),
}

impl From<Error> for Failed {
    fn from(why: Error) -> Self {
        Self::Sandbox(why)
    }
}

impl Stage {
    pub(crate) fn of(home: &Home, cwd: &Path) -> anyhow::Result<Self> {
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

    /// Runs the command once, and puts everything back behind it.
    pub(crate) fn run(&self, task: &Task<'_>) -> Result<(Outcome, Receipt), Failed> {
        let other = |why: anyhow::Error| Failed::Other(why);
        let id = identity();
        let runs = self.state.join("runs");
        let mut journal = Journal::open(&runs, &id)?;
        let run = runs.join(&id);
        let result = std::fs::create_dir(&run)
            .with_context(|| format!("cannot make {}", run.display()))
            .map_err(other)
            .and_then(|()| self.within(&mut journal, &run, task));
        let left = journal.end();
        let _ = std::fs::remove_dir_all(&run);
        let done = result?;
        let receipt = Receipt {
            // Behind the removal of what herma put there itself.
            left: left?,
            changes: changed(&done.plan, done.begun),
            settings: done.settings,
            notes: done.plan.notes,
            stopped: done.outcome.stopped.clone(),
            slowed: done.outcome.slowed,
        };
        Ok((done.outcome, receipt))
    }

    fn within(&self, journal: &mut Journal, run: &Path, task: &Task<'_>) -> Result<Done, Failed> {
        let place = Place {
            cwd: &self.cwd,
            home: &self.home,
            state: &self.state,
            run,
            environment: &self.environment,
        };
        let mut plan =
            plan::plan(task.profile, &place, &journal.tree(&Machine)).map_err(|why| {
                Failed::Other(anyhow::anyhow!(
                    "{why}; start from the directory that the command works in"
                ))
            })?;
        // Until the end of this function.
        let _answering = match task.held {
            Held::Whole => {
                Some(Answering::begin(run, &self.state, &mut plan).map_err(Failed::Other)?)
            }
            Held::Partly => None,
        };
        let mut judge = task.guard.map(|it| Floors::new(it, &plan.environment));
        let judge = judge.as_mut().map(|it| it as &mut dyn Judge);
        let begun = Moment::now();
        let (outcome, settings) = match task.held {
            Held::Whole => {
                journal.place(&plan.placeholders)?;
                let copies = Copies::make(&plan.repositories)?;
                let outcome = local::run(request(task, &plan, Rung::Namespaces), judge)?;
                (outcome, copies.merge()?)
            }
            Held::Partly => {
                let scratch = run.join("scratch");
                std::fs::create_dir(&scratch)
                    .with_context(|| format!("cannot make {}", scratch.display()))
                    .map_err(Failed::Other)?;
                let rung = Rung::Confined { scratch };
                (local::run(request(task, &plan, rung), judge)?, Vec::new())
            }
        };
        Ok(Done {
            outcome,
            begun,
            settings,
            plan,
        })
    }
}

/// A run that has ended.
struct Done {
    outcome: Outcome,
    begun: Moment,
    settings: Vec<Setting>,
    plan: Plan,
}

/// What a run changed in its directory.
fn changed(plan: &Plan, begun: Moment) -> Changes {
    let tracked = plan.working_tree.as_ref().and_then(|(top, own)| {
        let bytes = Machine.read(&own.join("index"), index::MAX_BYTES)?;
        Some((top, index::parse(&bytes)?))
    });
    let tracked = tracked.as_ref().map(|(top, index)| (top.as_path(), index));
    changes(&plan.cwd, begun, tracked, Bounds::USUAL)
}

fn request<'a>(task: &'a Task<'_>, plan: &'a Plan, rung: Rung) -> Request<'a> {
    let arguments = task.arguments;
    Request {
        command: &arguments.command,
        plan,
        rung,
        announce,
        told: task.told,
        output: if arguments.json {
            Output::Keep(KEPT)
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
