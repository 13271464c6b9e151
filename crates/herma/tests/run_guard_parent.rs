//! Under the exec guard parents are told of their children as outside, and the supervisor cannot be reached.

#![cfg(target_os = "linux")]
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "tests"
)]

mod support;

use std::process::Command;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process, test_kill_process};
use support::feed;
use support::guarded::{Guarded, built};

fn waiter() -> Guarded {
    let waits = built("waits", &[]);
    Guarded::witness(&[("waits", waits.as_path())])
}

#[test]
fn stops_ends_signals_and_states_are_as_outside() {
    let guarded = waiter();
    let mut outside = Command::new(guarded.stage.project().join("waits"));
    outside.stdout(std::process::Stdio::piped());
    let outside = feed(outside, b"");
    assert_eq!(outside.stdout.lines().count(), 25, "{outside:?}");
    let value = guarded.start(&["./waits"]);
    assert_eq!(value["stdout"], outside.stdout, "{value}");
    assert!(outside.stdout.contains("TracerPid:\t0"), "{outside:?}");
    assert_eq!(value["programs"], 8, "{value}");
}

#[test]
fn nobody_inside_reaches_the_supervisor() {
    let guarded = waiter();
    let value = guarded.start(&["./waits", "pid-1"]);
    let text = value["stdout"].as_str().expect("text");
    // Signals are taken by the kernel and do nothing.
    for line in [
        "seize: Operation not permitted",
        "limits: refused",
        "descriptor: refused",
        "alive: 0",
    ] {
        assert!(text.lines().any(|it| it == line), "{line}: {value}");
    }
    assert!(!text.contains("open"), "{value}");
}

#[test]
fn a_program_with_more_rights_gets_none() {
    let guarded = waiter();
    let text = "exec 2>&1; su -c id < /dev/null; echo $?; grep NoNewPrivs /proc/self/status";
    let value = guarded.start(&["bash", "-c", text]);
    let said = value["stdout"].as_str().expect("text");
    assert!(
        said.contains("NoNewPrivs:\t1") && !said.contains("uid=0"),
        "{value}"
    );
    assert_eq!(value["programs"], 3, "{value}");
}

/// A run whose command waits, its supervisor, and the command as the supervisor's child.
fn waiting(guarded: &Guarded) -> (std::process::Child, Pid, Pid) {
    let text = "echo > ready; while :; do /bin/true; done";
    let command = ["run", "--no-network", "--", "bash", "-c", text];
    let child = guarded.command(&command).spawn().expect("started");
    let until = Instant::now() + Duration::from_secs(20);
    while !guarded.stage.project().join("ready").exists() {
        assert!(Instant::now() < until);
        std::thread::sleep(Duration::from_millis(10));
    }
    let supervisor = support::supervisor(child.id());
    let command = support::children(supervisor.unsigned_abs())
        .into_iter()
        .next()
        .expect("a command");
    let process = |number| Pid::from_raw(number).expect("a process");
    (child, process(supervisor), process(command))
}

fn ends(process: Pid) {
    let until = Instant::now() + Duration::from_secs(10);
    while test_kill_process(process).is_ok() {
        assert!(Instant::now() < until, "it lives on");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn nothing_runs_on_without_its_supervisor() {
    let guarded = waiter();
    let (mut child, supervisor, command) = waiting(&guarded);
    kill_process(supervisor, Signal::KILL).expect("killed");
    assert_eq!(child.wait().expect("ended").code(), Some(125));
    ends(command);
}

#[test]
fn nothing_runs_on_without_its_launcher() {
    let guarded = waiter();
    let (mut child, supervisor, command) = waiting(&guarded);
    kill_process(Pid::from_child(&child), Signal::KILL).expect("killed");
    child.wait().expect("ended");
    ends(supervisor);
    ends(command);
}
