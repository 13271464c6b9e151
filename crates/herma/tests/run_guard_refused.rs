//! What `herma run` says where the kernel, or what is around it, refuses what the exec guard needs.

#![cfg(target_os = "linux")]
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "tests"
)]

mod support;

use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};

use support::guarded::{Guarded, built};
use support::{Ran, feed};

fn refuser() -> Guarded {
    let (refuse, image) = (built("refuse", &[]), built("image", &[]));
    Guarded::witness(&[("refuse", refuse.as_path()), ("image", image.as_path())])
}

/// `herma run` where this is refused.
fn without(guarded: &Guarded, what: &str, words: &[&str]) -> Ran {
    let mut command = Command::new(guarded.stage.project().join("refuse"));
    command
        .args([what, env!("CARGO_BIN_EXE_herma"), "run", "--no-network"])
        .args(words)
        .env_clear()
        .env("HOME", guarded.stage.home())
        .env("PATH", "/usr/bin:/bin")
        .current_dir(guarded.stage.project())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    if rustix::process::geteuid().is_root() {
        command.uid(1000).gid(1000);
    }
    feed(command, b"")
}

#[test]
fn nothing_runs_where_programs_cannot_be_followed() {
    let guarded = refuser();
    let ran = without(&guarded, "ptrace", &["--", "./rm"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(125), ""), "{ran:?}");
    assert!(
        ran.stderr.contains("programs cannot be watched")
            && ran.stderr.contains("refuses ptrace")
            && ran.stderr.contains("--no-exec-guard"),
        "{ran:?}"
    );
    let ran = without(&guarded, "ptrace", &["--no-exec-guard", "--", "./rm"]);
    assert_eq!(
        (ran.code, ran.stdout.as_str()),
        (Some(7), "ran\n"),
        "{ran:?}"
    );
}

#[test]
fn nothing_runs_where_nobody_is_told_of_programs() {
    let guarded = refuser();
    let ran = without(&guarded, "listener", &["--", "./rm"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(125), ""), "{ran:?}");
    assert!(
        ran.stderr.contains("programs cannot be watched") && ran.stderr.contains("refuses it"),
        "{ran:?}"
    );
    let ran = without(&guarded, "listener", &["--no-exec-guard", "--", "./rm"]);
    assert_eq!(
        (ran.code, ran.stdout.as_str()),
        (Some(7), "ran\n"),
        "{ran:?}"
    );
}

#[test]
fn where_there_are_no_namespaces_or_mounts_programs_are_judged_and_it_is_said() {
    let guarded = refuser();
    for what in ["user", "mount"] {
        let ran = without(&guarded, what, &["--", "./image", "path", "floor", "./rm"]);
        assert_eq!(
            (ran.code, ran.stdout.as_str()),
            (Some(137), ""),
            "{what}: {ran:?}"
        );
        assert!(
            ran.stderr.contains("herma: no namespaces")
                && ran.stderr.contains("herma: stopped rm -rf /"),
            "{what}: {ran:?}"
        );
        let ran = without(&guarded, what, &["--", "./image", "path", "fine", "./rm"]);
        assert_eq!(
            (ran.code, ran.stdout.as_str()),
            (Some(7), "x\n"),
            "{what}: {ran:?}"
        );
        let words = ["--no-exec-guard", "--", "./image", "path", "floor", "./rm"];
        let ran = without(&guarded, what, &words);
        assert_eq!(
            (ran.code, ran.stdout.as_str()),
            (Some(7), "/\n"),
            "{what}: {ran:?}"
        );
    }
}

#[test]
fn a_process_that_hides_starts_nothing_where_there_are_no_namespaces() {
    let guarded = refuser();
    for word in ["floor", "fine"] {
        let ran = without(&guarded, "user", &["--", "./image", "hidden", word]);
        assert_eq!(ran.stdout, "Operation not permitted\n", "{word}: {ran:?}");
    }
}
