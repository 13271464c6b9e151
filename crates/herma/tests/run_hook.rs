//! `herma hook` inside `herma run`: the process outside judges, as this user and, for root, as an
//! ordinary one.

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
use std::time::{Duration, Instant};

use support::guarded::{Guarded, skip};
use support::{Ran, Stage, feed};

/// An ordinary user's number, when the tests run as root.
const ORDINARY: u32 = 1000;

/// The hook inside, with the event on standard input.
const HOOK: &str = "herma hook claude-code";

struct Person {
    stage: Stage,
    user: Option<u32>,
}

fn everybody() -> Vec<Person> {
    let own = Person {
        stage: Stage::patient(),
        user: None,
    };
    if !rustix::process::geteuid().is_root() {
        return vec![own];
    }
    let ordinary = Guarded {
        stage: Stage::patient(),
    };
    ordinary.hand_over();
    let ordinary = Person {
        stage: ordinary.stage,
        user: Some(ORDINARY),
    };
    vec![own, ordinary]
}

impl Person {
    fn command(&self, profile: &str, text: &str) -> Command {
        let words = ["run", "--no-network", "--quiet", "--profile", profile];
        let words = [&words[..], &["--", "bash", "-c", text]].concat();
        let mut command = self.stage.command(&words);
        if let Some(user) = self.user {
            command.uid(user).gid(user);
        }
        command
    }

    /// What bash says inside, with an event about a command on standard input.
    fn inside(&self, text: &str, command: &str) -> Ran {
        let event = self.stage.event(command, "default");
        feed(self.command("default", text), event.as_bytes())
    }

    fn trail(&self) -> String {
        let mut all = String::new();
        for file in std::fs::read_dir(self.stage.state().join("audit")).expect("a trail") {
            let path = file.expect("a file").path();
            if path.extension().is_some_and(|it| it == "jsonl") {
                all.push_str(&self.stage.read(&path));
            }
        }
        all
    }
}

fn assert_denied(ran: &Ran, said: &str) {
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{ran:?}");
    assert!(
        ran.stderr.contains(said) && ran.stderr.trim_end().ends_with("denied"),
        "{ran:?}"
    );
}

fn eventually(what: &str, mut holds: impl FnMut() -> bool) {
    let until = Instant::now() + Duration::from_secs(20);
    while !holds() {
        assert!(Instant::now() < until, "{what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn the_hook_inside_answers_as_the_one_outside_and_is_recorded_outside() {
    for person in everybody() {
        for command in ["ls", "git push --force", "rm -rf /"] {
            let inside = person.inside(HOOK, command);
            let outside = {
                let mut outside = person.stage.command(&["hook", "claude-code"]);
                if let Some(user) = person.user {
                    outside.uid(user).gid(user);
                }
                feed(outside, person.stage.event(command, "default").as_bytes())
            };
            assert_eq!(
                (inside.code, inside.stdout, inside.stderr),
                (outside.code, outside.stdout, outside.stderr),
                "{command}"
            );
        }
        let trail = person.trail();
        assert_eq!(trail.matches("\"kind\":\"check\"").count(), 6, "{trail}");
        assert_eq!(
            trail.matches("\"floor\":\"hardline\"").count(),
            2,
            "{trail}"
        );
    }
}

#[test]
fn the_program_has_its_own_name_inside_and_one_in_the_path() {
    for person in everybody() {
        let own = env!("CARGO_BIN_EXE_herma");
        let ran = person.inside(&format!("{own} hook claude-code; command -v herma"), "ls");
        assert_eq!(ran.stdout, "/run/herma-hook/bin/herma\n", "{ran:?}");
    }
}

#[test]
fn nothing_of_the_post_can_be_changed_inside() {
    for person in everybody() {
        let text = "rm -f /run/herma-hook/socket; mv /run/herma-hook /run/other; rmdir /run/herma-hook; \
            echo x >/run/herma-hook/bin/herma; touch /run/herma-hook/new; herma hook claude-code 2>&1 && ls /run";
        let ran = person.inside(text, "ls");
        assert_eq!(
            (ran.code, ran.stdout.as_str()),
            (Some(0), "herma-hook\n"),
            "{ran:?}"
        );
    }
}

#[test]
fn without_the_socket_everything_is_denied() {
    for person in everybody() {
        let text = "touch ready; until [ -e go ]; do sleep 0.01; done; herma hook claude-code";
        let mut child = person
            .command("default", text)
            .stdin(Stdio::piped())
            .spawn()
            .expect("started");
        let project = person.stage.project();
        eventually("it begins", || project.join("ready").exists());
        let runs = std::fs::read_dir(person.stage.state().join("runs")).expect("runs");
        let socket = runs
            .flatten()
            .map(|it| it.path().join("post/socket"))
            .find(|it| it.exists())
            .expect("a socket");
        std::fs::remove_file(socket).expect("removed");
        let event = person.stage.event("ls", "default");
        std::io::Write::write_all(&mut child.stdin.take().unwrap(), event.as_bytes()).unwrap();
        std::fs::write(project.join("go"), "").expect("written");
        let output = child.wait_with_output().expect("ended");
        let ran = Ran {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        };
        assert_denied(&ran, "cannot be reached");
    }
}

#[test]
fn a_profile_without_sockets_denies() {
    for person in everybody() {
        let event = person.stage.event("ls", "default");
        let ran = feed(person.command("locked", HOOK), event.as_bytes());
        assert_denied(&ran, "cannot be reached");
    }
}

#[test]
fn who_answers_from_inside_is_not_believed() {
    let forge = "import socket\n\
        s = socket.socket(socket.AF_UNIX)\n\
        s.bind('/tmp/x/run/herma-hook/socket')\n\
        s.listen()\n\
        c, _ = s.accept()\n\
        c.sendall(bytes(9))\n";
    for person in everybody() {
        let project = person.stage.project();
        person.stage.write(&project.join("forge.py"), forge);
        // A root of its own is the one place where something else can stand at the post.
        let text = "mkdir -p /tmp/x/run/herma-hook; cp --parents $(ldd /run/herma-hook/bin/herma | grep -o '/[^ ]*') /tmp/x; \
            cp /run/herma-hook/bin/herma /tmp/x/h; python3 forge.py 2>/dev/null & \
            until [ -S /tmp/x/run/herma-hook/socket ]; do sleep 0.01; done; sleep 0.2; \
            unshare -U --keep-caps /usr/sbin/chroot /tmp/x /h --version >/dev/null || exit 77; \
            exec unshare -U --keep-caps /usr/sbin/chroot /tmp/x /h hook claude-code";
        let event = person.stage.event("rm -rf /", "default");
        let ran = feed(person.command("generic", text), event.as_bytes());
        if ran.code == Some(77) {
            skip("no roots of one's own inside");
            continue;
        }
        assert_denied(&ran, "is inside it");
    }
}

#[test]
fn nothing_can_be_mounted_over_the_post() {
    for person in everybody() {
        let text = "unshare -Um --keep-caps mount -t tmpfs none /run/herma-hook && exit 9; \
            unshare -Um --keep-caps mount --bind /tmp /run/herma-hook && exit 9; herma hook claude-code";
        let event = person.stage.event("ls", "default");
        let ran = feed(person.command("generic", text), event.as_bytes());
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), ""), "{ran:?}");
    }
}

#[test]
fn a_flood_of_connections_denies_and_the_run_goes_on() {
    let flood = "import socket, subprocess, sys, time\n\
        held = []\n\
        for _ in range(60):\n\
        \x20   s = socket.socket(socket.AF_UNIX); s.connect('/run/herma-hook/socket'); held.append(s)\n\
        event = open('event').read().encode()\n\
        ask = lambda: subprocess.run(['herma', 'hook', 'claude-code'], input=event, capture_output=True)\n\
        time.sleep(0.2)\n\
        print(ask().returncode)\n\
        for s in held: s.close()\n\
        time.sleep(1.2)\n\
        print(ask().returncode)\n";
    for person in everybody() {
        let project = person.stage.project();
        person.stage.write(&project.join("flood.py"), flood);
        let event = person.stage.event("ls", "default");
        person.stage.write(&project.join("event"), &event);
        let ran = person.inside("python3 flood.py", "ls");
        assert_eq!(ran.stdout, "2\n0\n", "{ran:?}");
    }
}

#[test]
fn an_event_that_is_too_long_is_denied_in_the_hook_s_own_words() {
    for person in everybody() {
        let text = "head -c 17000000 /dev/zero | tr '\\0' x | herma hook claude-code";
        let ran = person.inside(text, "ls");
        assert_denied(&ran, "longer than 16777216 bytes");
    }
}

#[test]
fn two_runs_at_once_have_their_own_posts() {
    let person = &everybody()[0];
    std::thread::scope(|scope| {
        for command in ["ls", "rm -rf /"] {
            scope.spawn(move || {
                let expected = if command == "ls" { 0 } else { 2 };
                for _ in 0..3 {
                    assert_eq!(person.inside(HOOK, command).code, Some(expected));
                }
            });
        }
    });
}

#[test]
fn nothing_that_answers_outlives_the_run() {
    for person in everybody() {
        let mut child = person
            .command("default", "touch ready; sleep 60")
            .spawn()
            .expect("started");
        let project = person.stage.project();
        eventually("it begins", || project.join("ready").exists());
        let state = person.stage.state();
        let answers = || {
            let all = std::fs::read_dir("/proc").expect("processes").flatten();
            let lines = all.map(|it| std::fs::read(it.path().join("cmdline")).unwrap_or_default());
            let wanted = format!("{}\0answer-hooks\0", state.display());
            let found = lines.filter(|it| it.ends_with(wanted.as_bytes()));
            found.count()
        };
        assert_eq!(answers(), 1);
        child.kill().expect("killed");
        child.wait().expect("ended");
        eventually("it ends with the run", || answers() == 0);
    }
}
