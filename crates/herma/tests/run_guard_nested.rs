//! The exec guard sees programs in namespaces, roots and sessions that are made inside.

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

fn starter() -> Guarded {
    let image = built("image", &[]);
    Guarded::witness(&[("image", image.as_path()), ("other", "/bin/rm".as_ref())])
}

/// What bash comes to in a profile that lets programs make namespaces.
fn nested(guarded: &Guarded, text: &str, guard: bool) -> Value {
    let mut words = vec!["--profile", "generic"];
    if !guard {
        words.push("--no-exec-guard");
    }
    words.extend(["--", "bash", "-c", text]);
    guarded.run(&words)
}

/// Stopped, and carried where nobody looks.
#[track_caller]
fn is_seen(guarded: &Guarded, text: &str, said: &str) {
    let value = nested(guarded, text, true);
    assert_eq!(
        value["stopped"][0]["rule"], "fs.delete-root",
        "{text}: {value}"
    );
    let spoke = |value: &Value| value["stdout"].as_str().is_some_and(|it| it.contains(said));
    assert!(!spoke(&value), "{text}: {value}");
    assert!(guarded.is_whole(), "{text}");
    let value = nested(guarded, text, false);
    assert!(spoke(&value), "{text}: {value}");
}

/// Ways into namespaces; nothing is mapped there, since nothing below /proc can be written.
const WAYS: &[&str] = &[
    "unshare -U",
    "unshare -Um --propagation unchanged",
    "unshare -Upf",
    "unshare -Upfinu",
    "setsid -w",
];

#[test]
fn namespaces_made_inside_hide_nothing() {
    let guarded = starter();
    for way in WAYS {
        is_seen(&guarded, &format!("{way} ./image path floor ./rm"), "/\n");
        let value = nested(&guarded, &format!("{way} ./image path fine ./rm"), true);
        assert_eq!(
            (&value["exit"], &value["stdout"]),
            (&7.into(), &"x\n".into()),
            "{way}: {value}"
        );
    }
}

#[test]
fn a_daemon_is_seen() {
    let guarded = starter();
    let text = "(setsid bash -c './image path floor ./rm' > said 2>&1 &); sleep 1; cat said";
    is_seen(&guarded, text, "/\n");
}

#[test]
fn a_root_of_its_own_hides_nothing() {
    let guarded = starter();
    let project = guarded.stage.project();
    std::fs::create_dir_all(project.join("root/usr/bin")).expect("a directory");
    std::fs::rename(project.join("rm"), project.join("root/usr/bin/rm")).expect("renamed");
    guarded.stage.write(
        &project.join("root.py"),
        "import ctypes, os\n\
         assert ctypes.CDLL(None).unshare(0x10000000) == 0\n\
         os.chroot('root')\n\
         os.execv('/usr/bin/rm', ['x', '-rf', chr(47)])\n",
    );
    guarded.hand_over();
    is_seen(&guarded, "python3 root.py", "/\n");
}
