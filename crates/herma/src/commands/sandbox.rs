//! `herma sandbox selftest`: attacks on a sandbox of this machine.

mod scene;

use std::ffi::OsString;
use std::io::Write;

use anstyle::{AnsiColor, Style};
use anyhow::{Context, bail};
use herma_config::Home;
use herma_rules::Guard;
use herma_sandbox::local::{Ending, Outcome};
use herma_sandbox::profile::{Network, Profile};
use serde::{Deserialize, Serialize};

use crate::arguments::{Run, Selftest};
use crate::commands::run::stage::{Failed, Held, Task};
use crate::commands::run::{named, whole};
use crate::exit::Exit;
use crate::input;

use scene::Scene;

const ATTACKS: &str = include_str!("sandbox/attacks.toml");

/// What Python rows begin with.
const PYTHON: &str = "import ctypes,os\nl=ctypes.CDLL(None,use_errno=True)\n\
    def refused(*a):\n r=l.syscall(*a)\n exit(1 if r<0 and ctypes.get_errno() in (1,38) else 0)\n";

/// How long one attack may take, in seconds.
const PATIENCE: u64 = 10;

#[derive(Deserialize)]
struct Table {
    attack: Vec<Attack>,
}

/// Something to try.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Attack {
    id: String,
    what: String,
    /// Text for bash.
    how: Option<String>,
    /// Text for Python.
    python: Option<String>,
    /// What shows outside that it got through; its exit code does without.
    proof: Option<String>,
    /// Whether programs are watched meanwhile.
    #[serde(default)]
    guard: bool,
    /// Whether it is made of numbers of this architecture.
    #[serde(default)]
    x86: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Result {
    Blocked,
    Open,
    NotApplicable,
}

impl Result {
    fn name(self) -> &'static str {
        match self {
            Self::Blocked => "blocked",
            Self::Open => "OPEN",
            Self::NotApplicable => "n/a",
        }
    }
}

#[derive(Serialize)]
struct Row<'a> {
    id: &'a str,
    what: &'a str,
    result: Result,
}

#[derive(Serialize)]
struct Report<'a> {
    v: u8,
    profile: &'a str,
    namespaces: bool,
    attacks: &'a [Row<'a>],
}

/// Tries everything. This is the only thread of the process.
pub(crate) fn run(arguments: &Selftest, home: &Home) -> anyhow::Result<Exit> {
    let table: Table = toml::from_str(ATTACKS).context("the attacks cannot be read")?;
    let mut out = anstream::stdout().lock();
    let wanted = |attack: &&Attack| {
        let text = arguments.only.as_deref().unwrap_or_default();
        attack.id.contains(text) || attack.id == "control"
    };
    if arguments.list {
        for attack in table.attack.iter().filter(wanted) {
            writeln!(out, "{}", serde_json::to_string(attack)?)?;
        }
        return Ok(Exit::Success);
    }
    let cwd = input::path(&input::directory(None)?);
    let Some((mut profile, guard)) = named(&arguments.profile, home, &cwd)? else {
        return Ok(Exit::Failure);
    };
    profile.network = Network::None;
    profile.limits.time = Some(PATIENCE);
    let (namespaces, held) = if whole()? {
        (true, Held::Whole)
    } else {
        (false, Held::Partly)
    };
    let mut scene = Scene::new()?;
    let mut rows = Vec::new();
    for attack in table.attack.iter().filter(wanted) {
        let result = attack.attempt(&mut scene, &profile, &guard, held)?;
        if attack.id == "control" {
            if result != Result::Open {
                bail!("not even a harmless command runs in a sandbox here; try herma run");
            }
            continue;
        }
        if !arguments.json {
            let color = match result {
                Result::Blocked => AnsiColor::Green,
                Result::Open => AnsiColor::Red,
                Result::NotApplicable => AnsiColor::Yellow,
            };
            let (style, name) = (Style::new().fg_color(Some(color.into())), result.name());
            writeln!(
                out,
                "{style}{name:7}{style:#}  {:28} {}",
                attack.id, attack.what
            )?;
        }
        rows.push(Row {
            id: &attack.id,
            what: &attack.what,
            result,
        });
    }
    let count = |result| rows.iter().filter(|it| it.result == result).count();
    let open = count(Result::Open);
    if arguments.json {
        let report = Report {
            v: 1,
            profile: &arguments.profile,
            namespaces,
            attacks: &rows,
        };
        writeln!(out, "{}", serde_json::to_string(&report)?)?;
    } else {
        writeln!(
            out,
            "{} blocked, {open} open, {} not applicable on this machine",
            count(Result::Blocked),
            count(Result::NotApplicable)
        )?;
    }
    Ok(if open == 0 { Exit::Success } else { Exit::Deny })
}

impl Attack {
    fn attempt(
        &self,
        scene: &mut Scene,
        profile: &Profile,
        guard: &Guard,
        held: Held,
    ) -> anyhow::Result<Result> {
        if self.x86 && !cfg!(target_arch = "x86_64") || self.lacks(scene) {
            return Ok(Result::NotApplicable);
        }
        scene.reset()?;
        // Where the guard would stop an attack by its words, the layers below are what is asked about.
        let guard = self.guard.then_some(guard);
        let run = self.command(scene);
        let task = Task {
            arguments: &run,
            profile,
            guard,
            held,
            told: &|_| (),
        };
        let outcome = match scene.stage().run(&task) {
            Ok((outcome, _)) => outcome,
            Err(Failed::Sandbox(why)) => return Err(why.into()),
            Err(Failed::Other(why)) => return Err(why),
        };
        Ok(if self.got_through(scene, &outcome) {
            Result::Open
        } else {
            Result::Blocked
        })
    }

    /// Whether something is missing on this machine that it needs.
    fn lacks(&self, scene: &Scene) -> bool {
        self.python.is_some() && !scene.has_python || self.id == "network.tcp6" && !scene.has_six()
    }

    fn got_through(&self, scene: &Scene, outcome: &Outcome) -> bool {
        match self.proof.as_deref() {
            None => outcome.ending == Ending::Exited(0),
            Some("output") => outcome.stdout.len() > 20_000_000,
            Some(proof) => scene.shows(proof),
        }
    }

    fn command(&self, scene: &Scene) -> Run {
        let mut text = scene.variables();
        match (&self.how, &self.python) {
            (Some(how), _) => text.push_str(how),
            (None, Some(python)) => {
                let code = format!("{PYTHON}{python}").replace('\'', "'\\''");
                text.push_str("python3 -c '");
                text.push_str(&code);
                text.push('\'');
            }
            (None, None) => {}
        }
        text.push_str("\nexit $?");
        Run {
            command: ["bash", "-c", &text].map(OsString::from).into(),
            profile: String::new(),
            no_network: true,
            read: Vec::new(),
            write: Vec::new(),
            env: Vec::new(),
            timeout: None,
            memory: None,
            no_exec_guard: false,
            json: true,
            quiet: true,
        }
    }
}
