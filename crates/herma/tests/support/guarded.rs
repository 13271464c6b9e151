//! A project whose programs run under the exec guard, and something that must not be lost.

use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use super::{Ran, Stage, feed};

/// An ordinary user's number, when the tests run as root.
const ORDINARY: u32 = 1000;

/// Builds a program of `programs/`.
pub fn built(name: &str, flags: &[&str]) -> PathBuf {
    static ONE_BY_ONE: std::sync::Mutex<()> = std::sync::Mutex::new(());
    let _lock = ONE_BY_ONE.lock().expect("no panic before");
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("guarded-{name}"));
    let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    let done = Command::new("cc")
        .args(["-O1", "-w", "-static", "-pthread"])
        .args(flags)
        .arg("-o")
        .arg(&target)
        .arg(programs.join(format!("{name}.c")))
        .status()
        .expect("a compiler");
    assert!(done.success(), "{name}");
    target
}

/// Where programs run.
pub struct Guarded {
    pub stage: Stage,
}

impl Guarded {
    /// With these programs in the project.
    pub fn new(programs: &[(&str, &Path)]) -> Self {
        let guarded = Self {
            stage: Stage::new(),
        };
        let project = guarded.stage.project();
        for (name, path) in programs {
            std::fs::copy(path, project.join(name)).expect("copied");
        }
        guarded.stage.write(&project.join("precious"), "x");
        guarded.hand_over();
        guarded
    }

    /// Gives everything to the ordinary user.
    pub fn hand_over(&self) {
        if rustix::process::geteuid().is_root() {
            let open = std::os::unix::fs::PermissionsExt::from_mode(0o755);
            std::fs::set_permissions(self.stage.root(), open).expect("permissions");
            let done = Command::new("chown")
                .args(["-hR", &format!("{ORDINARY}:{ORDINARY}")])
                .arg(self.stage.root())
                .status()
                .expect("chown");
            assert!(done.success());
        }
    }

    /// `herma` as the ordinary user.
    pub fn command(&self, words: &[&str]) -> Command {
        let mut command = self.stage.command(words);
        if rustix::process::geteuid().is_root() {
            command.uid(ORDINARY).gid(ORDINARY);
        }
        command
    }

    /// What came of `herma run --json`.
    pub fn run(&self, words: &[&str]) -> Value {
        let ran: Ran = feed(
            self.command(&[&["run", "--no-network", "--json"], words].concat()),
            b"",
        );
        ran.json()
    }

    /// The same for a command alone.
    pub fn start(&self, words: &[&str]) -> Value {
        self.run(&[&["--"], words].concat())
    }

    /// Whether nothing was lost.
    pub fn is_whole(&self) -> bool {
        self.stage.project().join("precious").exists()
    }
}
