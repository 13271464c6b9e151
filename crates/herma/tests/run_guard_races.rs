//! The exec guard against programs that change things while it looks.

#![cfg(target_os = "linux")]
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "tests"
)]

mod support;

use std::time::{Duration, Instant};

use serde_json::Value;
use support::guarded::{Guarded, built};

/// Far more than any of it takes, far less than for ever.
const LIMIT: Duration = Duration::from_secs(40);

fn racer() -> Guarded {
    let race = built("race", &[]);
    Guarded::witness(&[("race", race.as_path())])
}

/// Three numbers of `flip`: stopped, harmless, floors.
fn counted(value: &Value) -> [u64; 3] {
    let text = value["stdout"].as_str().expect("text").trim_end();
    let numbers = text
        .split(", ")
        .map(|it| it.split(' ').next()?.parse().ok());
    let numbers: Option<Vec<u64>> = numbers.collect();
    numbers
        .and_then(|it| it.try_into().ok())
        .unwrap_or_else(|| panic!("{value}"))
}

#[test]
fn words_that_a_thread_changes_are_judged_as_the_program_gets_them() {
    let guarded = racer();
    let value = guarded.start(&["./race", "flip", "1000"]);
    let [stopped, harmless, floors] = counted(&value);
    assert_eq!((stopped + harmless, floors), (1000, 0), "{value}");
    // Both were tried.
    assert!(stopped > 0 && harmless > 0, "{value}");
    assert_eq!(value["programs"], 1001);
    let value = guarded.unguarded(&["./race", "flip", "100"]);
    let [stopped, _, floors] = counted(&value);
    assert!(stopped == 0 && floors > 0, "{value}");
}

#[test]
fn of_threads_that_race_one_becomes_the_program() {
    let guarded = racer();
    for words in [["threads", "8", "1"], ["threads", "8", "0"]] {
        for _ in 0..10 {
            let value = guarded.run(&[&["--timeout", "30", "--", "./race"], &words[..]].concat());
            assert_eq!(
                (&value["stdout"], &value["exit"], &value["programs"]),
                (&"x\n".into(), &7.into(), &2.into()),
                "{value}"
            );
        }
    }
}

#[test]
fn failing_and_succeeding_starts_of_six_threads_do_not_hang() {
    let guarded = racer();
    let begun = Instant::now();
    let value = guarded.run(&["--timeout", "40", "--", "./race", "mix", "200"]);
    assert_eq!(
        (&value["exit"], &value["programs"]),
        (&0.into(), &201.into()),
        "{value}"
    );
    assert!(begun.elapsed() < LIMIT, "{:?}", begun.elapsed());
}

#[test]
fn no_start_of_a_storm_is_missed() {
    let guarded = racer();
    let begun = Instant::now();
    let text = "./race storm 8 300; grep -hc '^State:.Z' /proc/[0-9]*/status | sort -u";
    let value = guarded.run(&["--timeout", "40", "--", "bash", "-c", text]);
    // Nobody is left who was not waited for.
    assert_eq!(
        (&value["stdout"], &value["programs"]),
        (&"8\n0\n".into(), &2404.into()),
        "{value}"
    );
    assert!(begun.elapsed() < LIMIT, "{:?}", begun.elapsed());
}

#[test]
fn signals_that_rain_on_whoever_starts_programs_change_nothing() {
    let guarded = racer();
    let begun = Instant::now();
    let value = guarded.run(&["--timeout", "40", "--", "./race", "hail", "500"]);
    assert_eq!(
        (&value["stderr"], &value["programs"]),
        (&"500\n".into(), &501.into()),
        "{value}"
    );
    assert!(begun.elapsed() < LIMIT, "{:?}", begun.elapsed());
}

#[test]
fn what_a_replaced_script_starts_is_judged() {
    use std::os::unix::fs::PermissionsExt;
    let guarded = racer();
    for (name, word) in [("fine", "x"), ("floor", "$(printf '\\57')")] {
        let path = guarded.stage.project().join(name);
        let text = format!("#!/bin/sh\n./rm -rf {word}\n");
        guarded.stage.write(&path, &text);
        std::fs::set_permissions(path, PermissionsExt::from_mode(0o755)).expect("permissions");
    }
    guarded.hand_over();
    let value = guarded.start(&["./race", "swap", "200"]);
    let text = value["stdout"].as_str().expect("text");
    let stopped = value["stopped"].as_array().expect("a list");
    assert!(text.contains('x') && !text.contains('/'), "{value}");
    assert!(!stopped.is_empty(), "{value}");
    let value = guarded.unguarded(&["./race", "swap", "100"]);
    assert!(value["stdout"].as_str().expect("text").contains('/'));
}

#[test]
fn what_was_judged_can_be_changed_by_nobody() {
    let guarded = racer();
    let value = guarded.start(&["./race", "write"]);
    let text = value["stdout"].as_str().expect("text");
    let lines: Vec<&str> = text.lines().collect();
    let [call, file, trace, word] = lines.as_slice() else {
        panic!("{value}");
    };
    assert_eq!(
        (*call, *trace, *word),
        (
            "call: Operation not permitted",
            "trace: Operation not permitted",
            "good"
        ),
        "{value}"
    );
    assert!(
        ["file: Permission denied", "file: Read-only file system"].contains(file),
        "{value}"
    );
    let value = guarded.unguarded(&["./race", "write"]);
    let text = value["stdout"].as_str().expect("text");
    assert!(
        text.starts_with("call: written\n") && text.ends_with("EVIL\n"),
        "{value}"
    );
}

#[test]
fn whoever_asks_to_be_followed_is_not() {
    let guarded = racer();
    let value = guarded.start(&["./race", "traced"]);
    assert_eq!(
        value["stdout"], "ask: Operation not permitted\nx\nexit 7\n",
        "{value}"
    );
    assert_eq!(value["programs"], 2);
    let value = guarded.unguarded(&["./race", "traced"]);
    assert_eq!(value["stdout"], "ask: followed\nx\nexit 7\n", "{value}");
}
