//! The exec guard of `herma run`: what starts is judged, whatever started it.

#![cfg(target_os = "linux")]
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "tests"
)]

mod support;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use serde_json::Value;
use support::{Ran, Stage, feed};

/// An ordinary user's number, when the tests run as root.
const ORDINARY: u32 = 1000;

/// The program of `programs/guard.c`.
fn program() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let built = Path::new(env!("CARGO_TARGET_TMPDIR")).join("guard");
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/guard.c");
        let done = Command::new("cc")
            .args(["-O1", "-w", "-pthread", "-static", "-o"])
            .arg(&built)
            .arg(source)
            .status()
            .expect("a compiler");
        assert!(done.success());
        built
    })
}

/// A project with the program and something that must not be lost.
struct Scene {
    stage: Stage,
}

impl Scene {
    fn new() -> Self {
        let scene = Self {
            stage: Stage::new(),
        };
        let project = scene.stage.project();
        std::fs::copy(program(), project.join("guard")).expect("copied");
        scene.stage.write(&project.join("precious"), "x");
        scene.stage.write(&project.join("slash"), "/\n");
        if rustix::process::geteuid().is_root() {
            let open = std::os::unix::fs::PermissionsExt::from_mode(0o755);
            std::fs::set_permissions(scene.stage.root(), open).expect("permissions");
            let done = Command::new("chown")
                .args(["-R", &format!("{ORDINARY}:{ORDINARY}")])
                .arg(scene.stage.root())
                .status()
                .expect("chown");
            assert!(done.success());
        }
        scene
    }

    fn run(&self, words: &[&str]) -> Ran {
        let all = [&["run", "--no-network", "--json"], words].concat();
        feed(self.command(&all), b"")
    }

    /// herma as an ordinary user.
    fn command(&self, words: &[&str]) -> Command {
        let mut command = self.stage.command(words);
        if rustix::process::geteuid().is_root() {
            use std::os::unix::process::CommandExt;
            command.uid(ORDINARY).gid(ORDINARY);
        }
        command
    }

    /// Runs a program of the project, and says what came of it.
    fn guard(&self, words: &[&str]) -> Value {
        let ran = self.run(&[&["--", "./guard"], words].concat());
        ran.json()
    }

    fn is_whole(&self) -> bool {
        self.stage.project().join("precious").exists()
    }
}

#[test]
fn a_floor_that_is_made_at_run_time_is_killed_before_its_first_instruction() {
    let scene = Scene::new();
    let value = scene.guard(&["exec"]);
    assert_eq!(value["ending"], "signalled", "{value}");
    assert_eq!(value["signal"], 9);
    assert_eq!(value["stopped"][0]["rule"], "fs.delete-root");
    assert_eq!(
        value["stopped"][0]["argv"],
        serde_json::json!(["rm", "-rf", "/"])
    );
    assert!(
        value["stderr"]
            .as_str()
            .expect("text")
            .contains("herma: stopped rm -rf /"),
        "{value}"
    );
    assert!(scene.is_whole());
    let trail = scene.stage.run(&["audit", "tail", "--json"]).rows();
    assert_eq!(
        (&trail[0]["kind"], &trail[0]["context"]),
        (&"run".into(), &"namespaces".into())
    );
    assert_eq!(
        (&trail[1]["kind"], &trail[1]["floor"]),
        (&"exec".into(), &"hardline".into())
    );
    assert_eq!(
        trail[1]["argv_redacted"],
        serde_json::json!(["rm", "-rf", "/"])
    );
}

#[test]
fn whatever_starts_it_is_seen() {
    let scene = Scene::new();
    for way in ["fork", "vfork", "shared-memory", "silent"] {
        let value = scene.guard(&[way]);
        assert_eq!(value["stdout"], "signal 9\n", "{way}: {value}");
        assert!(scene.is_whole(), "{way}");
    }
    for way in ["memory", "thread", "exec", "hidden"] {
        let value = scene.guard(&[way]);
        assert!(value["signal"] == 9 || value["exit"] == 9, "{way}: {value}");
        assert!(scene.is_whole(), "{way}");
    }
    for (way, why) in [
        ("untraced", "refused Operation not permitted\n"),
        ("shared-directory", "refused Operation not permitted\n"),
        ("clone3", "Function not implemented\n"),
        ("listener", "Device or resource busy\n"),
        (
            "trace",
            "Operation not permitted\nOperation not permitted\n",
        ),
    ] {
        let value = scene.guard(&[way]);
        assert_eq!(value["stdout"], why, "{way}: {value}");
    }
}

#[test]
fn carriers_hand_it_on_in_vain() {
    let scene = Scene::new();
    let project = scene.stage.project();
    scene
        .stage
        .write(&project.join("makefile"), "all:\n\t./guard exec\n");
    scene.stage.write(
        &project.join("x.py"),
        "import os, sys\nx = open('slash').read().strip()\nos.execv('/bin/' + 'mr'[::-1], ['mr'[::-1], '-fr', x])\n",
    );
    scene.stage.write(
        &project.join("y.py"),
        "import subprocess\nx = open('slash').read().strip()\nsubprocess.run(['find', x, '-del' + 'ete'])\nsubprocess.run(['sh', '-c', 'r' + 'm -rf ' + x])\n",
    );
    for words in [
        &["make", "-s"][..],
        &["python3", "x.py"],
        &["python3", "y.py"],
        &["env", "-i", "./guard", "exec"],
        &["nice", "./guard", "fork"],
        &["setsid", "-w", "./guard", "exec"],
        &["perl", "-e", "system './guard', 'exec'"],
    ] {
        let ran = scene.run(&[&["--"], words].concat());
        let value = ran.json();
        let stopped = value["stopped"].as_array().expect("a list");
        assert!(!stopped.is_empty(), "{words:?}: {value}");
        assert!(scene.is_whole(), "{words:?}");
    }
}

#[test]
fn what_is_judged_is_what_runs() {
    let scene = Scene::new();
    let text = "for i in $(seq 300); do ./guard flip; echo $?; done 2>/dev/null | sort | uniq -c";
    let value = scene.run(&["--", "bash", "-c", text]).json();
    let answers = value["stdout"].as_str().expect("text");
    // Killed, or it has removed what is not there.
    for line in answers.lines() {
        let code = line.split_ascii_whitespace().nth(1).expect("a code");
        assert!(["0", "137"].contains(&code), "{answers}");
    }
    assert!(scene.is_whole());
}

#[test]
fn every_start_is_counted() {
    let scene = Scene::new();
    let begun = Instant::now();
    let value = scene.guard(&["chain", "2000"]);
    assert_eq!(
        (&value["exit"], &value["programs"]),
        (&0.into(), &2001.into()),
        "{value}"
    );
    let text =
        "for k in 1 2 3 4 5 6 7 8; do (for i in {1..100}; do ./guard chain 0; done) & done; wait";
    let value = scene.run(&["--", "bash", "-c", text]).json();
    assert_eq!(
        (&value["exit"], &value["programs"]),
        (&0.into(), &801.into()),
        "{value}"
    );
    assert!(begun.elapsed() < Duration::from_secs(60));
}

#[test]
fn threads_that_race_to_start_programs_do_not_hang() {
    let scene = Scene::new();
    for _ in 0..3 {
        let value = scene
            .run(&["--timeout", "60", "--", "./guard", "mix", "100"])
            .json();
        assert_eq!(
            (&value["exit"], &value["programs"]),
            (&0.into(), &101.into()),
            "{value}"
        );
    }
}

#[test]
fn stops_and_kills_on_the_way_change_nothing() {
    let scene = Scene::new();
    let value = scene
        .run(&["--timeout", "60", "--", "./guard", "stops"])
        .json();
    assert_eq!(value["stdout"], "20\n", "{value}");
}

#[test]
fn signals_and_exit_codes_are_as_outside() {
    let scene = Scene::new();
    let text = "bash -c 'exit 3'; echo $?; bash -c 'kill -SEGV $$' 2>/dev/null; echo $?; /no/such; echo $?; \
                /etc/passwd; echo $?; grep TracerPid /proc/self/status; sleep 60 & kill -STOP $!; sleep 0.1; \
                grep State /proc/$!/status; kill -CONT $!; kill $!; wait $!; echo $?";
    let value = scene.run(&["--", "bash", "-c", text]).json();
    assert_eq!(
        value["stdout"], "3\n139\n127\n126\nTracerPid:\t0\nState:\tT (stopped)\n143\n",
        "{value}"
    );
}

#[test]
fn many_arguments_are_judged_in_time() {
    let scene = Scene::new();
    let begun = Instant::now();
    scene.stage.write(
        &scene.stage.project().join("many.py"),
        "import os, sys\nos.execv('/bin/rm', ['rm', '-rf'] + ['absent%d' % i for i in range(90000)] + ['/'])\n",
    );
    let value = scene.run(&["--", "python3", "many.py"]).json();
    assert_eq!(value["signal"], 9, "{:.300}", value.to_string());
    assert!(scene.is_whole());
    scene.stage.write(
        &scene.stage.project().join("many.py"),
        "import os, sys\nos.execv('/bin/true', ['true'] + ['x' * 120000] * 15)\n",
    );
    let value = scene.run(&["--", "python3", "many.py"]).json();
    assert_eq!(value["exit"], 0, "{:.300}", value.to_string());
    assert!(
        begun.elapsed() < Duration::from_secs(60),
        "{:?}",
        begun.elapsed()
    );
}

#[test]
fn a_run_inside_a_run_is_refused_in_words() {
    let scene = Scene::new();
    let herma = env!("CARGO_BIN_EXE_herma");
    let ran = scene.run(&[
        "--read",
        herma,
        "--",
        herma,
        "run",
        "--no-network",
        "--",
        "true",
    ]);
    let value = ran.json();
    assert_eq!(value["exit"], 125, "{value}");
    assert!(
        value["stderr"]
            .as_str()
            .expect("text")
            .contains("inside a herma run already"),
        "{value}"
    );
}

#[test]
fn a_supervisor_that_does_not_answer_ends_the_run() {
    let scene = Scene::new();
    let mut command = scene.command(&[
        "run",
        "--no-network",
        "--",
        "bash",
        "-c",
        "echo > ready; sleep 300",
    ]);
    let mut child = command.spawn().expect("started");
    let until = Instant::now() + Duration::from_secs(20);
    while !scene.stage.project().join("ready").exists() {
        assert!(Instant::now() < until);
        std::thread::sleep(Duration::from_millis(10));
    }
    let supervisor = support::supervisor(child.id());
    let supervisor = rustix::process::Pid::from_raw(supervisor).expect("a process");
    rustix::process::kill_process(supervisor, rustix::process::Signal::STOP).expect("stopped");
    assert_eq!(child.wait().expect("ended").code(), Some(125));
    assert!(rustix::process::test_kill_process(supervisor).is_err());
}
