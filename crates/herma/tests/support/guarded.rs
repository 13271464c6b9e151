//! A project whose programs run under the exec guard, and something that must not be lost.

use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use super::{Ran, Stage, feed};

/// An ordinary user's number, when the tests run as root.
const ORDINARY: u32 = 1000;

/// Builds a program of `programs/`. Tests run side by side, each process with its own.
pub fn built(name: &str, flags: &[&str]) -> PathBuf {
    made(
        name,
        &[&["-O1", "-w", "-static", "-pthread"], flags].concat(),
    )
    .expect(name)
}

/// Builds one without a C library, whose first instructions are its own; `None` when the compiler
/// does not make programs of this kind.
pub fn bare(name: &str, flags: &[&str]) -> Option<PathBuf> {
    let own = [
        "-O1",
        "-w",
        "-static",
        "-nostdlib",
        "-ffreestanding",
        "-fno-stack-protector",
        "-fno-pic",
        "-no-pie",
    ];
    made(name, &[&own, flags].concat())
}

/// The same, without looking at what it is.
fn made(name: &str, flags: &[&str]) -> Option<PathBuf> {
    static ONE_BY_ONE: std::sync::Mutex<()> = std::sync::Mutex::new(());
    let _lock = ONE_BY_ONE
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    let kind: String = flags.concat().replace(['/', '='], "");
    let own = std::process::id();
    let temporary = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (target, new) = (
        temporary.join(format!("guarded-{name}{kind}")),
        temporary.join(format!("guarded-{name}-{own}")),
    );
    let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    let done = Command::new("cc")
        .args(flags)
        .arg("-o")
        .arg(&new)
        .arg(programs.join(format!("{name}.c")))
        .status()
        .expect("a compiler");
    if !done.success() {
        return None;
    }
    // Nobody sees half a program.
    std::fs::rename(&new, &target).expect("renamed");
    Some(target)
}

/// Says why a test ends early: this machine lacks something.
#[allow(clippy::print_stderr, reason = "libtest knows no skipped tests")]
pub fn skip(why: &str) {
    eprintln!("skipped: {why}");
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

    /// With a witness called `rm` among them: its words are judged, and it does no harm.
    pub fn witness(programs: &[(&str, &Path)]) -> Self {
        let witness = bare("witness", &[]).expect("a witness");
        Self::new(&[programs, &[("rm", witness.as_path())]].concat())
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

    /// The same under a guard that does nothing.
    pub fn unguarded(&self, words: &[&str]) -> Value {
        self.run(&[&["--no-exec-guard", "--"], words].concat())
    }

    /// Whether nothing was lost.
    pub fn is_whole(&self) -> bool {
        self.stage.project().join("precious").exists()
    }
}
