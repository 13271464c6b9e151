//! The exec guard sees every way in which a program starts, once.

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

/// What the kernel starts under the guard, and what its filter refuses.
const STARTED: [&str; 9] = [
    "fork",
    "vfork",
    "posix_spawn",
    "clone",
    "clone, no signal",
    "clone, files",
    "clone, memory",
    "clone, traced",
    "clone, parent",
];
const REFUSED: [(&str, &str); 8] = [
    ("clone, directory", "Operation not permitted"),
    ("clone, untraced", "Operation not permitted"),
    ("clone, untraced, memory", "Operation not permitted"),
    ("clone3", "Function not implemented"),
    ("clone3, no signal", "Function not implemented"),
    ("clone3, handlers cleared", "Function not implemented"),
    ("clone3, untraced", "Function not implemented"),
    ("clone3, untraced, memory", "Function not implemented"),
];

fn spawner() -> Guarded {
    let spawn = built("spawn", &[]);
    Guarded::witness(&[("spawn", spawn.as_path())])
}

/// What the program says of each way, and how often the witness spoke.
fn said(value: &Value) -> (Vec<(&str, &str)>, usize) {
    let text = value["stdout"].as_str().expect("text");
    let ways: Vec<_> = text.lines().filter_map(|it| it.split_once(": ")).collect();
    let spoke = text.lines().count() - ways.len();
    (ways, spoke)
}

#[test]
fn a_floor_runs_by_no_way_of_starting() {
    let guarded = spawner();
    let value = guarded.start(&["./spawn", "floor"]);
    let (ways, spoke) = said(&value);
    assert_eq!((ways.len(), spoke), (17, 0), "{value}");
    for way in STARTED {
        assert!(ways.contains(&(way, "signal 9")), "{way}: {value}");
    }
    for refused in REFUSED {
        assert!(ways.contains(&refused), "{refused:?}: {value}");
    }
    let stopped = value["stopped"].as_array().expect("a list");
    assert_eq!(stopped.len(), STARTED.len(), "{value}");
    for one in stopped {
        assert_eq!(one["argv"], serde_json::json!(["rm", "-rf", "/"]));
    }
    assert_eq!(value["programs"], 1 + STARTED.len(), "{value}");
}

#[test]
fn whatever_is_harmless_runs_by_every_way_and_is_counted_once() {
    let guarded = spawner();
    let value = guarded.start(&["./spawn", "fine"]);
    let (ways, spoke) = said(&value);
    assert_eq!((ways.len(), spoke), (17, STARTED.len()), "{value}");
    for way in STARTED {
        assert!(ways.contains(&(way, "exit 7")), "{way}: {value}");
    }
    assert_eq!(
        (&value["programs"], &value["stopped"]),
        (&(1 + STARTED.len()).into(), &serde_json::json!([])),
        "{value}"
    );
}

#[test]
fn without_a_guard_the_same_floors_run() {
    let guarded = spawner();
    let value = guarded.unguarded(&["./spawn", "floor"]);
    let (ways, spoke) = said(&value);
    let ran = ways.iter().filter(|(_, end)| *end == "exit 7").count();
    assert_eq!(ran, spoke, "{value}");
    for way in STARTED
        .iter()
        .chain(&["clone, untraced", "clone, directory"])
    {
        assert!(ways.contains(&(way, "exit 7")), "{way}: {value}");
    }
}

#[test]
fn no_instruction_of_500_stopped_programs_runs() {
    let guarded = spawner();
    let text = r#"x=$(printf '\57'); for ((i = 0; i < 500; i++)); do ./rm -rf $x; a[$?]=$((a[$?] + 1)); done 2>/dev/null; echo ${a[137]} ${a[7]}"#;
    let begun = Instant::now();
    let value = guarded.start(&["bash", "-c", text]);
    assert_eq!(value["stdout"], "500\n", "{value}");
    assert_eq!(value["programs"], 501, "{value}");
    assert!(begun.elapsed() < Duration::from_secs(60));
    let text = text.replace("500", "3");
    let value = guarded.unguarded(&["bash", "-c", &text]);
    assert_eq!(value["stdout"], "/\n/\n/\n3\n", "{value}");
}
