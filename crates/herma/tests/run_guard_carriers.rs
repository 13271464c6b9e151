//! Each floor, carried by everything that starts programs: none runs, and what only looks like one does.

#![cfg(target_os = "linux")]
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "tests"
)]

mod support;

use std::path::Path;

use serde_json::Value;
use support::guarded::{Guarded, bare, built, skip};

/// Programs and words that are floors; the programs are witnesses, which write their third word.
const FLOORS: &[&str] = &[
    "rm -rf /",
    "rm -rf HOME",
    "find / -delete",
    "mkfs.ext4 /dev/sda1",
    "mkswap /dev/sda1",
    "wipefs -a /dev/sda",
    "blkdiscard /dev/sda",
    "shred -u /dev/sda",
    "dd if=/dev/zero of=/dev/sda",
    "shutdown -h now",
    "reboot -f -f",
    "init 0",
    "systemctl poweroff",
    "kill -9 -1",
    "sudo -S true",
];

/// The same programs with harmless words.
const FINE: &[&str] = &[
    "rm -rf build",
    "find . unlikely",
    "mkfs.ext4 -V version",
    "wipefs -V wiped",
    "dd if=/dev/null of=/dev/null",
    "systemctl status one",
    "kill -0 1",
    "shutdown --help helped",
];

/// A carrier: the program that it needs, and what bash does with the words to hand them on.
type Carrier = (&'static str, &'static str);

const DIRECT: &[Carrier] = &[
    ("bash", r#""$@""#),
    ("bash", r#"(exec -a x "$@")"#),
    ("bash", r#". <(printf '%s\n' "$*")"#),
    ("bash", r#"printf '%s\n' "$*" > text; sh text"#),
    ("dash", r#"printf '%s\n' "$*" | dash"#),
    ("dash", r#"dash -c '"$@"' x "$@""#),
    ("base64", r#"printf '%s\n' "$*" | base64 | base64 -d | sh"#),
    ("busybox", r#"printf '%s\n' "$*" | busybox sh"#),
    (
        "busybox",
        r#"printf '%s\0' "$@" | busybox xargs -0 busybox env"#,
    ),
    (
        "busybox",
        r#"cp "$(command -v busybox)" sh; printf '%s\n' "$*" | ./sh"#,
    ),
    ("find", r#"find . -maxdepth 0 -exec "$@" \;"#),
    ("xargs", r#"printf '%s\n' "$@" | xargs -d '\n' nice"#),
    ("xargs", r#"printf '%s\n' "$*" | xargs -I{} sh -c '{}'"#),
    ("env", r#"env -S "$*""#),
    ("env", r#"env -i A=b "$@""#),
    (
        "setsid",
        r#"timeout 9 nice nohup setsid -w stdbuf -o0 "$@""#,
    ),
    ("flock", r#"flock lock "$@""#),
];

const INDIRECT: &[Carrier] = &[
    (
        "python3",
        r#"printf '%s\n' "$@" | python3 -c 'import os, sys; w = sys.stdin.read().split("\n")[:-1]; os.execv(w[0], w)'"#,
    ),
    (
        "python3",
        r#"printf '%s\n' "$@" | python3 -c 'import subprocess, sys; subprocess.run(sys.stdin.read().split("\n")[:-1])'"#,
    ),
    (
        "python3",
        r#"printf '%s\n' "$*" | python3 -c 'import os, sys; os.system(sys.stdin.read())'"#,
    ),
    (
        "perl",
        r#"printf '%s\n' "$@" | perl -e 'chomp(@w = <STDIN>); system @w'"#,
    ),
    (
        "perl",
        r#"printf '%s\n' "$*" | perl -e 'chomp($w = <STDIN>); exec $w'"#,
    ),
    ("awk", r#"printf '%s\n' "$*" | awk '{ system($0) }'"#),
    ("make", r#"printf 'all:\n\t@%s\n' "$*" | make -sf -"#),
    ("git", r#"git -c alias.x="!$*" x"#),
    (
        "node",
        r#"printf '%s\n' "$@" | node -e 'const w = require("fs").readFileSync(0, "utf8").split("\n").slice(0, -1); require("child_process").spawnSync(w[0], w.slice(1), {stdio: "inherit"})'"#,
    ),
    ("script", r#"script -qec "$*" /dev/null"#),
    (
        "tar",
        r#"tar cf /dev/null --checkpoint=1 --checkpoint-action=exec="$*" lines"#,
    ),
    ("tclsh", r#"printf 'exec %s >@stdout\n' "$*" | tclsh"#),
    ("ed", r#"printf '!%s\nq\n' "$*" | ed -s"#),
    ("sqlite3", r#"printf '.shell %s\n' "$*" | sqlite3"#),
    (
        "od",
        r#"./carry $(for w in "$1" "$@"; do printf %s "$w" | od -An -v -tx1 | tr -d ' \n'; echo; done)"#,
    ),
    (
        "npm",
        r#"[[ $2 == -rf ]] || { "$@"; return; }; printf '%s\n' "$*" > all
           printf '{"scripts":{"x":"while read -r l; do $l; done < all"}}' > package.json; npm run -s x"#,
    ),
];

fn witnesses() -> Guarded {
    let (carry, witness) = (built("carry", &[]), bare("witness", &[]));
    let witness = witness.expect("a witness");
    let guarded = Guarded::new(&[("carry", carry.as_path())]);
    let bin = guarded.stage.project().join("bin");
    std::fs::create_dir(&bin).expect("a directory");
    for line in FLOORS {
        let name = line.split(' ').next().expect("a name");
        std::fs::copy(&witness, bin.join(name)).expect("copied");
    }
    guarded.hand_over();
    guarded
}

/// The lines, so that no rule reads them before they are words: letters turned by 13, and no slash.
fn hidden(guarded: &Guarded, lines: &[&str]) -> String {
    let home = guarded.stage.home();
    let home = home.to_str().expect("text");
    let plain: String = lines
        .iter()
        .map(|it| format!("./bin/{}\n", it.replace("HOME", home)))
        .collect();
    let turned = plain.chars().map(|it| match it {
        'a'..='m' | 'A'..='M' => char::from(it as u8 + 13),
        'n'..='z' | 'N'..='Z' => char::from(it as u8 - 13),
        '/' => '%',
        other => other,
    });
    turned.collect()
}

/// What the witness writes for each line.
fn words<'l>(guarded: &Guarded, lines: &[&'l str]) -> Vec<String> {
    let home = guarded.stage.home();
    let word = |line: &&'l str| line.split(' ').nth(2).unwrap_or("ran").to_owned();
    let words = lines.iter().map(word);
    words
        .map(|it| it.replace("HOME", home.to_str().expect("text")))
        .collect()
}

/// Lines that came out, whatever ends them.
fn came(value: &Value) -> Vec<&str> {
    let text = value["stdout"].as_str().expect("text");
    text.lines().map(|it| it.trim_end_matches('\r')).collect()
}

fn exists(program: &str) -> bool {
    let places = ["/usr/bin", "/bin"];
    places.iter().any(|it| Path::new(it).join(program).exists())
}

#[track_caller]
fn nothing_gets_through(carriers: &[Carrier]) {
    let guarded = witnesses();
    let project = guarded.stage.project();
    let all = [FLOORS, FINE].concat();
    let (floors, fine) = (words(&guarded, FLOORS), words(&guarded, FINE));
    let some = &FLOORS[..4];
    for (program, how) in carriers {
        if !exists(program) {
            skip(&format!("{program} is missing"));
            continue;
        }
        let script = format!(
            "go() {{ {how}\n}}\n\
             while IFS= read -r line; do\n\
             go $(printf '%s' \"$line\" | tr 'a-zA-Z%' 'n-za-mN-ZA-M/') 2>/dev/null < /dev/null\n\
             done < lines\nexit 0\n"
        );
        guarded.stage.write(&project.join("go.sh"), &script);
        guarded
            .stage
            .write(&project.join("lines"), &hidden(&guarded, &all));
        guarded.hand_over();
        let value = guarded.start(&["bash", "go.sh"]);
        let lines = came(&value);
        for word in &floors {
            assert!(!lines.contains(&word.as_str()), "{how}: {word}: {value}");
        }
        for word in &fine {
            assert!(lines.contains(&word.as_str()), "{how}: {word}: {value}");
        }
        let stopped = value["stopped"].as_array().expect("a list").len();
        assert!(stopped >= FLOORS.len(), "{how}: {stopped}: {value}");
        assert!(guarded.is_whole(), "{how}");
        // They are carried, if nobody looks.
        guarded
            .stage
            .write(&project.join("lines"), &hidden(&guarded, some));
        let value = guarded.unguarded(&["bash", "go.sh"]);
        let lines = came(&value);
        for word in &floors[..some.len()] {
            assert!(lines.contains(&word.as_str()), "{how}: {word}: {value}");
        }
    }
}

#[test]
fn shells_and_wrappers_carry_no_floor() {
    nothing_gets_through(DIRECT);
}

#[test]
fn interpreters_and_tools_carry_no_floor() {
    nothing_gets_through(INDIRECT);
}
