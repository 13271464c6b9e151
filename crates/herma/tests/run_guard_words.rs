//! The exec guard: which words of which programs it stops.

#![cfg(target_os = "linux")]
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "tests"
)]

mod support;

use serde_json::Value;
use support::guarded::{Guarded, built};

fn project() -> Guarded {
    let carry = built("carry", &[]);
    let guarded = Guarded::new(&[
        ("carry", carry.as_path()),
        ("harmless", "/bin/rm".as_ref()),
        ("rm", "/bin/rm".as_ref()),
        ("tidy", "/bin/dd".as_ref()),
    ]);
    let project = guarded.stage.project();
    std::os::unix::fs::symlink("/bin/rm", project.join("link")).expect("a link");
    for (name, text) in [
        ("one", "#!/bin/sh\nrm -rf /\n"),
        ("two", "#!./one\n"),
        ("three", "#!./two\n"),
        ("four", "#!/usr/bin/env ./three\n"),
        ("plain", "rm -rf /\n"),
    ] {
        guarded.stage.write(&project.join(name), text);
        let open = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        std::fs::set_permissions(project.join(name), open).expect("permissions");
    }
    guarded.hand_over();
    guarded
}

fn digits(word: &[u8]) -> String {
    if word.is_empty() {
        return "-".to_owned();
    }
    word.iter().map(|it| format!("{it:02x}")).collect()
}

/// Starts a program from a directory, by words that cannot be read before.
fn carry(guarded: &Guarded, directory: &str, path: &str, words: &[&[u8]]) -> Value {
    let mut all = vec!["./carry".to_owned()];
    if !directory.is_empty() {
        all.push(format!("@{}", digits(directory.as_bytes())));
    }
    all.push(digits(path.as_bytes()));
    all.extend(words.iter().map(|it| digits(it)));
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    guarded.start(&all)
}

#[track_caller]
fn stopped(guarded: &Guarded, path: &str, words: &[&[u8]], rule: &str) {
    let value = carry(guarded, "", path, words);
    assert_eq!(value["stopped"][0]["rule"], rule, "{path}: {value}");
    assert_eq!(value["signal"], 9, "{path}: {value}");
    assert!(guarded.is_whole(), "{path}");
}

#[test]
fn a_program_is_what_runs_not_what_it_is_called() {
    let guarded = project();
    for claimed in ["ls", "", "-rm", "rm", "/usr/bin/true", "\u{1b}[2J"] {
        let words: [&[u8]; 3] = [claimed.as_bytes(), b"-rf", b"/"];
        stopped(&guarded, "/bin/rm", &words, "fs.delete-root");
    }
    // A copy that keeps its name, called by its path.
    for claimed in ["./rm", "rm", "/opt/rm", ""] {
        let words: [&[u8]; 3] = [claimed.as_bytes(), b"-rf", b"/"];
        stopped(&guarded, "./rm", &words, "fs.delete-root");
    }
    for path in ["./harmless", "./link"] {
        stopped(&guarded, path, &[b"x", b"-rf", b"/"], "fs.delete-root");
    }
    stopped(
        &guarded,
        "./tidy",
        &[b"tidy", b"of=/dev/sda"],
        "device.overwrite",
    );
    stopped(
        &guarded,
        "/bin/sh",
        &[b"x", b"-c", b"rm -rf /"],
        "fs.delete-root",
    );
    #[cfg(target_arch = "x86_64")]
    stopped(
        &guarded,
        "/lib64/ld-linux-x86-64.so.2",
        &[b"ld.so", b"/bin/rm", b"-rf", b"/"],
        "fs.delete-root",
    );
}

#[test]
fn every_floor_is_known_by_its_words() {
    let guarded = project();
    let cases: &[(&str, &[&[u8]], &str)] = &[
        ("/bin/rm", &[b"rm", b"-rf", b"/usr"], "fs.delete-root"),
        (
            "/bin/rm",
            &[b"rm", b"-rf", b"\xff\xfe", b"/"],
            "fs.delete-root",
        ),
        (
            "/usr/bin/find",
            &[b"find", b"/", b"-delete"],
            "fs.delete-root",
        ),
        (
            "/usr/bin/env",
            &[b"env", b"-S", b"rm -rf /"],
            "fs.delete-root",
        ),
        (
            "/bin/dd",
            &[b"dd", b"if=/dev/zero", b"of=/dev/sda"],
            "device.overwrite",
        ),
        (
            "/bin/true",
            &[b"mkfs.ext4", b"/dev/sda1"],
            "device.overwrite",
        ),
        (
            "/bin/kill",
            &[b"kill", b"-9", b"--", b"-1"],
            "process.kill-all",
        ),
        ("/bin/sh", &[b"sh", b"plain"], "fs.delete-root"),
        ("./one", &[b"one"], "fs.delete-root"),
    ];
    for (path, words, rule) in cases {
        stopped(&guarded, path, words, rule);
    }
    let home = guarded.stage.home();
    let home = home.as_os_str().as_encoded_bytes();
    stopped(
        &guarded,
        "/bin/rm",
        &[b"rm", b"-rf", home],
        "fs.delete-root",
    );
    for words in [
        &[&b"rm"[..], b"-rf", b"."][..],
        &[b"rm", b"-rf", b"bin", b"etc", b"usr"],
    ] {
        let value = carry(&guarded, "/", "/bin/rm", words);
        assert_eq!(value["stopped"][0]["rule"], "fs.delete-root", "{value}");
    }
}

#[test]
fn scripts_that_lead_to_scripts_are_read() {
    let guarded = project();
    for path in ["./two", "./three", "./four"] {
        let value = carry(&guarded, "", path, &[b"x"]);
        assert_eq!(
            value["stopped"][0]["rule"], "fs.delete-root",
            "{path}: {value}"
        );
        assert!(guarded.is_whole(), "{path}");
    }
}

#[test]
fn what_only_looks_like_it_runs() {
    let guarded = project();
    let cases: &[(&str, &[&[u8]])] = &[
        ("/bin/echo", &[b"echo", b"rm", b"-rf", b"/"]),
        ("/bin/echo", &[b"echo", b"mkfs /dev/sda; rm -rf /"]),
        ("/bin/rm", &[b"rm", b"-rf", b"build", b"dist"]),
        ("/bin/rm", &[b"", b"-rf", b"build"]),
        ("./harmless", &[b"harmless", b"-f", b"absent"]),
        ("/bin/rm", &[b"rm", b"-rf", b"/tmp/x"]),
        (
            "/usr/bin/find",
            &[b"find", b".", b"-name", b"absent", b"-delete"],
        ),
        ("/bin/dd", &[b"dd", b"if=/dev/null", b"of=/dev/null"]),
        ("/bin/sh", &[b"-sh", b"-c", b"rm -rf build"]),
    ];
    for (path, words) in cases {
        let value = carry(&guarded, "", path, words);
        assert_eq!(
            (&value["exit"], &value["stopped"]),
            (&0.into(), &serde_json::json!([])),
            "{value}"
        );
    }
}
