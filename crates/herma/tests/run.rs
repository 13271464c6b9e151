//! `herma run`: commands in sandboxes of this kernel, as this user and, for root, as an ordinary one.

#![cfg(target_os = "linux")]
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "tests"
)]

mod support;

use std::os::unix::fs::chown;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use support::{Ran, Stage, feed};

/// An ordinary user's number, when the tests run as root.
const ORDINARY: u32 = 1000;

/// Somebody with a home and a project.
struct Person {
    stage: Stage,
    user: Option<u32>,
}

/// This user and, for root, an ordinary one.
fn everybody() -> Vec<Person> {
    let mut people = vec![Person::new(None)];
    if rustix::process::geteuid().is_root() {
        people.push(Person::new(Some(ORDINARY)));
    }
    people
}

impl Person {
    fn new(user: Option<u32>) -> Self {
        let person = Self {
            stage: Stage::new(),
            user,
        };
        if user.is_some() {
            let open = std::os::unix::fs::PermissionsExt::from_mode(0o755);
            std::fs::set_permissions(person.stage.root(), open).expect("permissions");
        }
        person.own(&person.stage.home());
        person.own(&person.stage.project());
        person
    }

    /// Gives a file to this person.
    fn own(&self, path: &Path) {
        chown(path, self.user, self.user).expect("owned");
    }

    /// A file of this person's.
    fn file(&self, path: &Path, text: &str) {
        self.stage.write(path, text);
        for above in path.ancestors().take_while(|it| *it != self.stage.root()) {
            self.own(above);
        }
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut command = self.stage.command(words);
        if let Some(user) = self.user {
            command.uid(user).gid(user);
        }
        command
    }

    /// `herma run --no-network` with these words behind it.
    fn run(&self, words: &[&str]) -> Ran {
        feed(
            self.command(&[&["run", "--no-network"], words].concat()),
            b"",
        )
    }

    /// What bash says inside.
    fn bash(&self, text: &str) -> Ran {
        self.run(&["--", "bash", "-c", text])
    }

    /// The same for what a floor would stop.
    fn unguarded(&self, text: &str) -> Ran {
        self.run(&["--no-exec-guard", "--", "bash", "-c", text])
    }

    fn start(&self, text: &str) -> Child {
        self.command(&["run", "--no-network", "--", "bash", "-c", text])
            .stdin(Stdio::null())
            .spawn()
            .expect("started")
    }
}

/// Waits until something holds.
fn eventually(what: &str, mut holds: impl FnMut() -> bool) {
    let until = Instant::now() + Duration::from_secs(20);
    while !holds() {
        assert!(Instant::now() < until, "{what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Whether a process with this word in its command line lives.
fn lives(word: &str) -> bool {
    let mut found = false;
    for entry in std::fs::read_dir("/proc").expect("processes").flatten() {
        let line = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
        let mut words = line.split(|it| *it == 0);
        found |= words.next() == Some(word.as_bytes());
    }
    found
}

fn signal(child: &Child, signal: rustix::process::Signal) {
    let pid = rustix::process::Pid::from_child(child);
    rustix::process::kill_process(pid, signal).expect("sent");
}

#[test]
fn the_command_s_exit_code_is_herma_s() {
    for person in everybody() {
        let ran = person.bash("echo out; echo err >&2; exit 7");
        assert_eq!(ran.code, Some(7), "{ran:?}");
        assert_eq!(ran.stdout, "out\n");
        assert_eq!(ran.stderr, "err\n");
        assert_eq!(person.bash("kill -KILL $$").code, Some(128 + 9));
        assert_eq!(person.bash("kill -TERM $$").code, Some(128 + 15));
    }
}

#[test]
fn what_cannot_be_run_is_said_as_env_says_it() {
    let person = &everybody()[0];
    let missing = person.run(&["--", "no-such-program"]);
    assert_eq!(missing.code, Some(127));
    assert!(
        missing
            .stderr
            .contains("there is no no-such-program inside"),
        "{missing:?}"
    );
    assert_eq!(person.run(&["--", "/etc/passwd"]).code, Some(126));
    let unknown = person.run(&["--profile", "locke", "--", "true"]);
    assert_eq!(unknown.code, Some(125));
    assert!(
        unknown.stderr.contains("did you mean locked?"),
        "{unknown:?}"
    );
    let open = feed(person.command(&["run", "--", "true"]), b"");
    assert_eq!(open.code, Some(125));
    assert!(open.stderr.contains("--no-network"), "{open:?}");
}

#[test]
fn a_directory_that_is_no_workspace_is_refused_in_one_sentence() {
    let person = &everybody()[0];
    for directory in [person.stage.home(), "/".into(), "/usr".into()] {
        let mut command = person.command(&["run", "--no-network", "--", "true"]);
        command.current_dir(&directory);
        let ran = feed(command, b"");
        assert_eq!(ran.code, Some(125), "{ran:?}");
        assert_eq!(ran.stderr.lines().count(), 1, "{ran:?}");
    }
}

#[test]
fn the_home_is_out_of_sight_and_the_project_can_be_changed() {
    for person in everybody() {
        let secret = person.stage.home().join(".ssh/id_ed25519");
        person.file(&secret, "SECRET");
        person.file(&person.stage.project().join(".env"), "KEY=SECRET");
        let ran = person.bash("cat ~/.ssh/id_ed25519 .env; echo new > file; echo x > ~/y");
        assert!(!ran.stdout.contains("SECRET"), "{ran:?}");
        assert_eq!(
            person.stage.read(&person.stage.project().join("file")),
            "new\n"
        );
        assert!(!person.stage.home().join("y").exists());
    }
}

#[test]
fn nothing_of_herma_stays_in_the_project() {
    for person in everybody() {
        let list = || {
            let mut names: Vec<_> = std::fs::read_dir(person.stage.project())
                .expect("listed")
                .map(|it| it.expect("entry").file_name())
                .collect();
            names.sort();
            names
        };
        assert_eq!(person.bash("true").code, Some(0));
        assert!(list().is_empty(), "{:?}", list());
        // A run that is killed cannot clean up; the next one does.
        let mut child = person.start("echo > ready; sleep 60");
        eventually("it is ready", || {
            person.stage.project().join("ready").exists()
        });
        signal(&child, rustix::process::Signal::KILL);
        child.wait().expect("ended");
        assert!(list().len() > 1, "{:?}", list());
        assert_eq!(person.bash("rm ready").code, Some(0));
        assert!(list().is_empty(), "{:?}", list());
    }
}

#[test]
fn two_runs_work_in_one_directory() {
    for person in everybody() {
        let mut first = person.start("echo > ready; until test -e go; do sleep 0.01; done");
        eventually("it is ready", || {
            person.stage.project().join("ready").exists()
        });
        let second = person.bash("echo > go; echo x > .envrc");
        assert!(
            second.stderr.contains("Read-only file system"),
            "{second:?}"
        );
        assert_eq!(first.wait().expect("ended").code(), Some(0));
        assert!(!person.stage.project().join(".envrc").exists());
    }
}

#[test]
fn the_environment_is_a_short_list() {
    for person in everybody() {
        let mut command = person.command(&[
            "run",
            "--no-network",
            "--env",
            "GIVEN",
            "--",
            "bash",
            "-c",
            "env; cat /proc/1/environ /proc/1/cmdline; tr '\\0' ' ' < /proc/1/cmdline",
        ]);
        command
            .env("TOKEN", "SECRET")
            .env("GIVEN", "yes")
            .env("LD_PRELOAD", "");
        let ran = feed(command, b"");
        assert!(
            !ran.stdout.contains("SECRET") && !ran.stdout.contains("LD_PRELOAD"),
            "{ran:?}"
        );
        assert!(ran.stdout.contains("GIVEN=yes"), "{ran:?}");
        assert!(!ran.stdout.contains("--no-network"), "{ran:?}");
    }
}

#[test]
fn processes_outside_do_not_exist_inside() {
    for person in everybody() {
        let ran = person
            .unguarded("echo /proc/[0-9]*; kill -KILL 1; kill -STOP 1; kill -TERM -1; echo on");
        assert_eq!(ran.stdout, "/proc/1 /proc/2\non\n", "{ran:?}");
    }
}

#[test]
fn nothing_gains_privileges_inside() {
    for person in everybody() {
        let ran = person
            .bash("grep -E '^(Cap(Inh|Prm|Eff|Bnd|Amb)|NoNewPrivs|Seccomp):' /proc/self/status");
        for line in ran.stdout.lines() {
            let (name, value) = line.split_once(':').expect("a pair");
            let wanted = match name {
                "NoNewPrivs" => 1,
                "Seccomp" => 2,
                _ => 0,
            };
            let value = u64::from_str_radix(value.trim(), 16).expect("a number");
            assert_eq!(value, wanted, "{line}");
        }
        assert_eq!(ran.stdout.lines().count(), 7, "{ran:?}");
        let ran = person.unguarded(
            "echo x > /proc/sys/kernel/core_pattern; echo x > /proc/sysrq-trigger; echo x > /usr/x; \
             echo x > /etc/x; echo x > /x; echo x > /dev/x; test -e /dev/vda || test -e /dev/sda",
        );
        assert_eq!(ran.code, Some(1), "{ran:?}");
        assert_eq!(ran.stderr.lines().count(), 6, "{ran:?}");
    }
}

#[test]
fn standard_input_reaches_the_command() {
    for person in everybody() {
        let input = vec![b'x'; 300_000];
        let command = person.command(&["run", "--no-network", "--", "wc", "-c"]);
        assert_eq!(feed(command, &input).stdout, "300000\n");
        // One that reads nothing ends all the same.
        let command = person.command(&["run", "--no-network", "--", "true"]);
        assert_eq!(feed(command, &input).code, Some(0));
    }
}

#[test]
fn descriptors_of_the_caller_are_closed() {
    for person in everybody() {
        let mut outer = Command::new("bash");
        outer
            .arg("-c")
            .arg("exec 9>&1 \"$@\"")
            .arg("bash")
            .arg(env!("CARGO_BIN_EXE_herma"))
            .args([
                "run",
                "--no-network",
                "--",
                "bash",
                "-c",
                "ls /proc/self/fd | wc -l; echo leak >&9",
            ])
            .current_dir(person.stage.project())
            .env("HOME", person.stage.home())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        if let Some(user) = person.user {
            outer.uid(user).gid(user);
        }
        // 0 to 2, and the directory that `ls` reads.
        assert_eq!(feed(outer, b"").stdout, "4\n");
    }
}

#[test]
fn nothing_lives_on_behind_a_run() {
    for (number, person) in everybody().into_iter().enumerate() {
        let word = format!("survivor-{}-{number}", std::process::id());
        let text = format!("(setsid bash -c 'exec -a {word} sleep 60' &) ; echo > ready");
        assert_eq!(person.bash(&text).code, Some(0));
        assert!(!lives(&word));
        let mut child = person.start(&format!("{text}; sleep 60"));
        eventually("it is ready", || {
            person.stage.project().join("ready").exists() && lives(&word)
        });
        signal(&child, rustix::process::Signal::KILL);
        child.wait().expect("ended");
        eventually("all have ended", || !lives(&word));
    }
}

#[test]
fn signals_reach_the_command() {
    for person in everybody() {
        let mut child = person.start(
            "trap 'echo got > got; exit 9' TERM; echo > ready; while :; do sleep 0.01; done",
        );
        eventually("it is ready", || {
            person.stage.project().join("ready").exists()
        });
        signal(&child, rustix::process::Signal::TERM);
        assert_eq!(child.wait().expect("ended").code(), Some(9));
        assert!(person.stage.project().join("got").exists());
    }
}

#[test]
fn time_that_is_up_ends_everything() {
    for person in everybody() {
        let ran = person.run(&[
            "--timeout",
            "1",
            "--",
            "bash",
            "-c",
            "trap '' TERM; sleep 60",
        ]);
        assert_eq!(ran.code, Some(124), "{ran:?}");
        assert!(ran.stderr.contains("1 seconds were up"), "{ran:?}");
    }
}

#[test]
fn limits_hold_for_every_user() {
    for person in everybody() {
        let ran = person.run(&[
            "--profile",
            "locked",
            "--",
            "bash",
            "-c",
            "ulimit -c; python3 -c 'bytearray(1 << 30)'; head -c 300000000 /dev/zero > big; \
             for i in $(seq 700); do sleep 5 & done 2>/dev/null; jobs -p | wc -l; kill %1; rm big",
        ]);
        let lines: Vec<&str> = ran.stdout.lines().collect();
        assert_eq!(lines[0], "0", "{ran:?}");
        assert!(
            ran.stderr.contains("MemoryError") && ran.stderr.contains("File size limit"),
            "{ran:?}"
        );
        if let Some(number) = lines.get(1) {
            assert!(number.parse::<u32>().expect("a number") < 600, "{ran:?}");
        }
    }
}

#[test]
fn a_program_gets_one_object() {
    for person in everybody() {
        let ran = person.run(&[
            "--json",
            "--",
            "bash",
            "-c",
            "echo out; echo err >&2; echo x > new; chmod +x new; exit 3",
        ]);
        assert_eq!(ran.code, Some(3));
        let value = ran.json();
        assert_eq!(value["v"], 1);
        assert_eq!(value["ending"], "exited");
        assert_eq!(value["exit"], 3);
        assert_eq!(value["stdout"], "out\n");
        assert_eq!(value["stderr"], "err\n");
        let changes = value["changes"].as_array().expect("a list");
        assert_eq!(changes.len(), 1, "{changes:?}");
        assert_eq!(changes[0]["executable"], true);
        let flood = person.run(&[
            "--json",
            "--",
            "bash",
            "-c",
            "head -c 3000000 /dev/zero | tr '\\0' x",
        ]);
        let value = flood.json();
        assert_eq!(value["stdout"].as_str().expect("text").len(), 1 << 20);
        assert_eq!(value["dropped"], 3_000_000 - (1 << 20));
    }
}

#[test]
fn the_receipt_names_new_programs_and_can_be_silenced() {
    let person = &everybody()[0];
    let text = "echo x > prog; chmod +x prog";
    assert!(person.bash(text).stderr.contains("new program"));
    assert_eq!(
        person.run(&["--quiet", "--", "bash", "-c", text]).stderr,
        ""
    );
}

#[test]
fn git_works_and_what_runs_programs_does_not_go_back() {
    for person in everybody() {
        let ran = person.bash(
            "git init -q . && git config user.name a && git config user.email b@c && \
             echo x > f && git add f && git commit -qm x && git log --oneline | wc -l",
        );
        assert_eq!(ran.stdout, "1\n", "{ran:?}");
        let ran = person.bash(
            "git checkout -q -b other && git config branch.other.remote o && \
             git config core.fsmonitor ./x && git status --short && echo x > .git/hooks/pre-commit",
        );
        assert!(
            ran.stderr.contains("core.fsmonitor was left out"),
            "{ran:?}"
        );
        let config = person
            .stage
            .read(&person.stage.project().join(".git/config"));
        assert!(
            config.contains("[branch \"other\"]") && !config.contains("fsmonitor"),
            "{config}"
        );
        assert!(
            !person
                .stage
                .project()
                .join(".git/hooks/pre-commit")
                .exists()
        );
    }
}

/// A command of herma's where nobody may make namespaces.
fn without_namespaces(person: &Person, words: &[&str]) -> Ran {
    let mut command = Command::new("unshare");
    command
        .args(["--user", "--map-current-user", "--keep-caps", "sh", "-c"])
        .arg("echo 0 > /proc/sys/user/max_user_namespaces && exec setpriv --inh-caps=-all --ambient-caps=-all \"$@\"")
        .arg("sh")
        .arg(env!("CARGO_BIN_EXE_herma"))
        .args(words)
        .env_clear()
        .env("HOME", person.stage.home())
        .env("PATH", "/usr/bin:/bin")
        .current_dir(person.stage.project())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    if let Some(user) = person.user {
        command.uid(user).gid(user);
    }
    feed(command, b"")
}

#[test]
fn without_namespaces_less_holds_and_it_is_said() {
    for person in everybody() {
        let secret = person.stage.home().join(".ssh/id_ed25519");
        person.file(&secret, "SECRET");
        let text = format!(
            "cat {}; echo x > ~/../y; echo x > file; kill -KILL -1; \
             python3 -c 'import socket; socket.socket(socket.AF_UNIX)'; \
             (setsid bash -c 'exec -a left-{} sleep 60' &); exit 4",
            secret.display(),
            std::process::id(),
        );
        let ran = without_namespaces(
            &person,
            &[
                "run",
                "--no-network",
                "--no-exec-guard",
                "--",
                "bash",
                "-c",
                &text,
            ],
        );
        assert_eq!(ran.code, Some(4), "{ran:?}");
        assert!(
            ran.stderr
                .contains("herma: no namespaces: the kernel's settings allow no more"),
            "{ran:?}"
        );
        assert!(ran.stderr.contains("Open are:"), "{ran:?}");
        assert!(ran.stderr.contains("PermissionError"), "{ran:?}");
        assert!(!ran.stdout.contains("SECRET"), "{ran:?}");
        assert!(!person.stage.home().join(".herma/runs/y").exists());
        assert_eq!(
            person.stage.read(&person.stage.project().join("file")),
            "x\n"
        );
        assert!(!lives(&format!("left-{}", std::process::id())));
        // Programs are watched there, too.
        person.file(&person.stage.project().join("slash"), "/");
        let text =
            "python3 -c \"import os; os.execv('/bin/rm', ['rm', '-rf', open('slash').read()])\"";
        let ran = without_namespaces(&person, &["run", "--no-network", "--", "bash", "-c", text]);
        assert_eq!(ran.code, Some(137), "{ran:?}");
        assert!(ran.stderr.contains("herma: stopped rm -rf /"), "{ran:?}");
        assert!(person.stage.project().join("slash").exists());
    }
}

#[test]
fn the_doctor_names_what_is_missing_and_what_helps() {
    let person = &everybody()[0];
    let well = feed(person.command(&["doctor"]), b"");
    assert!(
        well.stdout.contains("ok    sandbox: namespaces"),
        "{well:?}"
    );
    let ill = without_namespaces(person, &["doctor"]);
    assert!(ill.stdout.contains("WRONG sandbox: namespaces"), "{ill:?}");
    assert!(
        ill.stdout.contains("sysctl user.max_user_namespaces=15000"),
        "{ill:?}"
    );
}

#[test]
fn no_attack_gets_through_the_locked_profile() {
    for person in everybody() {
        let ran = feed(person.command(&["sandbox", "selftest", "--json"]), b"");
        let value = ran.json();
        let attacks = value["attacks"].as_array().expect("a list");
        assert!(attacks.len() >= 130, "{}", attacks.len());
        let open: Vec<_> = attacks.iter().filter(|it| it["result"] == "open").collect();
        assert!(open.is_empty(), "{open:?}");
        assert_eq!(
            (value["namespaces"].as_bool(), ran.code),
            (Some(true), Some(0))
        );
    }
}

#[test]
fn of_the_default_profile_only_what_real_work_needs_is_open() {
    let person = &everybody()[0];
    let ran = feed(
        person.command(&["sandbox", "selftest", "--profile", "default"]),
        b"",
    );
    let open: Vec<&str> = ran
        .stdout
        .lines()
        .filter(|it| it.starts_with("OPEN"))
        .filter_map(|it| it.split_ascii_whitespace().nth(1))
        .collect();
    let expected = [
        "write.ci",
        "write.instructions",
        "privilege.user-namespace",
        "privilege.clone",
        "privilege.clone3",
        "kernel.memory-program",
        "limit.processes",
        "limit.memory",
        "limit.file",
        "limit.tmp",
        "limit.cpu",
    ];
    assert!(open.iter().all(|it| expected.contains(it)), "{open:?}");
}
