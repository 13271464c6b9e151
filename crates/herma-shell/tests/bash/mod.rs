//! Asks real bash whether it accepts a text.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::process::{Command, Stdio};

const BASH: &str = "/usr/bin/bash";

/// Whether the comparison can run here: the tables are for bash 5.2.
pub(crate) fn present() -> bool {
    Command::new(BASH)
        .arg("--version")
        .output()
        .is_ok_and(|output| String::from_utf8_lossy(&output.stdout).contains("version 5.2"))
}

/// Whether bash accepts the text without running it.
///
/// After an error in `[[ … ]]` or `((` bash may exit with 0, even without a message, and reads no
/// further: then a broken line behind the text goes unnoticed.
pub(crate) fn accepts(text: &[u8], patterns: Patterns) -> bool {
    let silent = (contains(text, b"[[") || contains(text, b"((")) && !contains(text, b"<<");
    check(text, patterns) && !(silent && check(&[text, b"\n)\n"].concat(), patterns))
}

/// Whether `extglob` is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Patterns {
    Plain,
    Extended,
}

pub(crate) fn contains(text: &[u8], wanted: &[u8]) -> bool {
    text.windows(wanted.len()).any(|window| window == wanted)
}

fn check(text: &[u8], patterns: Patterns) -> bool {
    let toggle = if patterns == Patterns::Extended {
        "-O"
    } else {
        "+O"
    };
    let output = Command::new(BASH)
        .args(["--norc", "--noprofile", toggle, "extglob", "-n", "-c", "--"])
        .arg(OsStr::from_bytes(text))
        .env_clear()
        .env("LC_ALL", "C.UTF-8")
        .stdin(Stdio::null())
        .output()
        .expect("bash runs");
    let complaint = String::from_utf8_lossy(&output.stderr)
        .lines()
        .any(|line| line.contains(": line ") && !line.contains("warning:"));
    output.status.success() && !complaint
}

/// The text as bash prints it when it is the body of a function, which is defined but not called.
pub(crate) fn printed(text: &[u8]) -> Option<Vec<u8>> {
    let output = Command::new(BASH)
        .args(["--norc", "--noprofile", "-c", "--"])
        .arg(OsStr::from_bytes(&as_function(text)))
        .env_clear()
        .env("LC_ALL", "C.UTF-8")
        .env("PATH", "/nonexistent")
        .current_dir("/proc/self")
        .stdin(Stdio::null())
        .output()
        .expect("bash runs");
    (output.status.success() && !output.stdout.is_empty()).then_some(output.stdout)
}

/// A definition of the function `f` with the text as its body, and a command that prints it.
pub(crate) fn as_function(text: &[u8]) -> Vec<u8> {
    [b"f() {\n", text, b"\n}\ndeclare -f f\n"].concat()
}
