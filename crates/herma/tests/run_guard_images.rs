//! The exec guard knows a program by what runs: memory, deleted files, unreadable ones, odd words, other entries.

#![cfg(target_os = "linux")]
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "tests"
)]

mod support;

use std::os::unix::fs::{PermissionsExt, chown};

use serde_json::{Value, json};
use support::guarded::{Guarded, bare, built, skip};

fn starter() -> Guarded {
    let image = built("image", &[]);
    Guarded::witness(&[("image", image.as_path()), ("other", "/bin/rm".as_ref())])
}

fn image(guarded: &Guarded, words: &[&str]) -> Value {
    guarded.start(&[&["./image"], words].concat())
}

/// It is stopped, and so is nothing without the guard.
#[track_caller]
fn is_seen(guarded: &Guarded, words: &[&str]) {
    let value = image(guarded, words);
    assert_eq!(
        (
            &value["signal"],
            &value["stopped"][0]["rule"],
            &value["stdout"]
        ),
        (&9.into(), &"fs.delete-root".into(), &"".into()),
        "{words:?}: {value}"
    );
    assert!(guarded.is_whole(), "{words:?}");
    let value = guarded.unguarded(&[&["./image"], words].concat());
    let spoke = value["exit"] == 7
        || value["stderr"]
            .as_str()
            .is_some_and(|it| it.contains("dangerous"));
    assert!(spoke, "{words:?}: {value}");
}

#[track_caller]
fn runs(guarded: &Guarded, words: &[&str], said: &str) {
    let value = image(guarded, words);
    assert_eq!(
        (&value["exit"], &value["stdout"], &value["stopped"]),
        (&7.into(), &said.into(), &json!([])),
        "{words:?}: {value:.400}"
    );
}

#[test]
fn a_program_without_a_file_is_seen() {
    let guarded = starter();
    is_seen(&guarded, &["memory", "floor"]);
    is_seen(&guarded, &["memory", "floor", "other"]);
    is_seen(&guarded, &["descriptor", "floor"]);
    is_seen(&guarded, &["descriptor", "floor", "other"]);
    is_seen(&guarded, &["deleted", "floor"]);
    runs(&guarded, &["memory", "fine"], "x\n");
    runs(&guarded, &["descriptor", "fine"], "x\n");
}

#[test]
fn a_program_under_another_name_is_seen() {
    let guarded = starter();
    is_seen(&guarded, &["renamed", "floor"]);
}

#[test]
fn a_program_that_cannot_be_read_is_seen() {
    let guarded = starter();
    is_seen(&guarded, &["hidden", "floor"]);
    is_seen(&guarded, &["mode", "floor"]);
    runs(&guarded, &["hidden", "fine"], "x\n");
    runs(&guarded, &["mode", "fine"], "x\n");
    if !rustix::process::geteuid().is_root() {
        return skip("only root makes files of somebody else");
    }
    let file = guarded.stage.project().join("rm");
    chown(&file, Some(0), Some(0)).expect("owned");
    std::fs::set_permissions(&file, PermissionsExt::from_mode(0o711)).expect("permissions");
    is_seen(&guarded, &["path", "floor", "./rm"]);
    runs(&guarded, &["path", "fine", "./rm"], "x\n");
}

#[test]
fn odd_words_are_judged() {
    let guarded = starter();
    for case in ["empty-words", "bytes"] {
        is_seen(&guarded, &[case, "floor"]);
    }
    runs(&guarded, &["empty-words", "fine"], "\n");
    runs(&guarded, &["bytes", "fine"], "-rf\n");
    // The kernel gives a program without words an empty one.
    runs(&guarded, &["no-words", "fine"], "ran\n");
}

#[test]
fn many_and_long_words_are_judged_in_linear_time() {
    let guarded = starter();
    let seconds = |words: &[&str], killed: bool| {
        let value = image(&guarded, words);
        let ended = if killed {
            &value["signal"]
        } else {
            &value["exit"]
        };
        assert_eq!(ended, if killed { 9 } else { 7 }, "{words:?}: {value:.400}");
        value["seconds"].as_f64().expect("a number")
    };
    let few = seconds(&["many", "floor", "10000"], true);
    let many = seconds(&["many", "floor", "100000"], true);
    assert!(many < 20.0 * few + 1.0, "{few} {many}");
    seconds(&["many", "fine", "10000"], false);
    let short = seconds(&["long", "floor", "3"], true);
    let long = seconds(&["long", "floor", "15"], true);
    assert!(long < 10.0 * short + 1.0, "{short} {long}");
    seconds(&["long", "fine", "15"], false);
}

#[cfg(target_arch = "x86_64")]
#[test]
fn the_kernel_s_other_entries_start_nothing() {
    let guarded = starter();
    // The old entry ends the process, before the guard has anything to judge.
    for words in [["old", "floor"], ["old", "fine"]] {
        let value = image(&guarded, &words);
        assert_eq!(
            (&value["signal"], &value["stdout"]),
            (&31.into(), &"".into()),
            "{value}"
        );
        assert_eq!(value["programs"], 1);
    }
    for case in ["x32", "x32-plain"] {
        let value = image(&guarded, &[case, "floor"]);
        assert_eq!(
            value["stdout"], "Function not implemented\n",
            "{case}: {value}"
        );
        assert_eq!(value["programs"], 1);
    }
}

#[cfg(target_arch = "x86_64")]
#[test]
fn a_program_of_32_bits_is_judged_and_ends_at_its_first_call() {
    let Some(witness) = bare("witness", &["-m32"]) else {
        return skip("the compiler makes no programs of 32 bits");
    };
    let guarded = starter();
    std::fs::copy(witness, guarded.stage.project().join("rm")).expect("copied");
    let value = image(&guarded, &["path", "floor", "./rm"]);
    assert_eq!(
        (&value["signal"], &value["stopped"][0]["argv"]),
        (&9.into(), &json!(["rm", "-rf", "/"])),
        "{value}"
    );
    let value = image(&guarded, &["path", "fine", "./rm"]);
    assert_eq!(
        (&value["signal"], &value["stdout"]),
        (&31.into(), &"".into()),
        "{value}"
    );
}
