//! `herma run` with a person in front of it.

#![cfg(target_os = "linux")]
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "tests"
)]

mod support;

use std::os::fd::OwnedFd;
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, poll};
use rustix::pty::OpenptFlags;
use rustix::termios::{OptionalActions, Termios, Winsize};
use support::Stage;

/// A terminal with a program in it.
struct Terminal {
    outer: OwnedFd,
    inner: OwnedFd,
    child: Child,
    seen: String,
}

impl Terminal {
    /// Runs a command in a sandbox in a terminal of 33 lines and 101 columns.
    fn run(stage: &Stage, words: &[&str]) -> Self {
        let herma = [env!("CARGO_BIN_EXE_herma"), "run", "--no-network"];
        Self::start(stage, &[&herma, words].concat())
    }

    /// The same without a sandbox.
    fn start(stage: &Stage, words: &[&str]) -> Self {
        let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC;
        let outer = rustix::pty::openpt(flags).expect("a terminal");
        rustix::pty::unlockpt(&outer).expect("unlocked");
        let inner = rustix::pty::ioctl_tiocgptpeer(&outer, flags).expect("its other side");
        let size = Winsize {
            ws_row: 33,
            ws_col: 101,
            ws_xpixel: 0,
            ws_ypixel: 0,
        };
        rustix::termios::tcsetwinsize(&outer, size).expect("a size");
        let side = || inner.try_clone().expect("a copy");
        let child = Command::new("setsid")
            .args(["--ctty", "--wait"])
            .args(words)
            .current_dir(stage.project())
            .env_clear()
            .env("HOME", stage.home())
            .env("PATH", "/usr/bin:/bin")
            .env("TERM", "xterm")
            .stdin(side())
            .stdout(side())
            .stderr(side())
            .spawn()
            .expect("started");
        Self {
            outer,
            inner,
            child,
            seen: String::new(),
        }
    }

    fn press(&self, keys: &str) {
        rustix::io::write(&self.outer, keys.as_bytes()).expect("typed");
    }

    /// Waits until this is seen behind what was waited for before.
    fn wait_for(&mut self, text: &str) -> String {
        let until = Instant::now() + Duration::from_secs(20);
        loop {
            if let Some(at) = self.seen.find(text) {
                let rest = self.seen.split_off(at + text.len());
                return std::mem::replace(&mut self.seen, rest);
            }
            assert!(Instant::now() < until, "no {text:?} in {:?}", self.seen);
            self.read(100);
        }
    }

    fn read(&mut self, milliseconds: i64) -> bool {
        let mut fds = [PollFd::new(&self.outer, PollFlags::IN)];
        let time = Duration::from_millis(milliseconds.unsigned_abs());
        let time = rustix::time::Timespec::try_from(time).expect("a time");
        if poll(&mut fds, Some(&time)).expect("waited") == 0 {
            return false;
        }
        let mut bytes = [0; 65536];
        let got = rustix::io::read(&self.outer, &mut bytes).unwrap_or(0);
        self.seen.push_str(&String::from_utf8_lossy(&bytes[..got]));
        got > 0
    }

    /// The exit code, and the rest of what is seen.
    fn end(&mut self) -> (Option<i32>, String) {
        let until = Instant::now() + Duration::from_secs(20);
        let code = loop {
            self.read(20);
            if let Some(status) = self.child.try_wait().expect("asked") {
                break status.code();
            }
            assert!(Instant::now() < until, "it does not end: {:?}", self.seen);
        };
        while self.read(20) {}
        (code, std::mem::take(&mut self.seen))
    }

    fn behaviour(&self) -> Termios {
        rustix::termios::tcgetattr(&self.inner).expect("attributes")
    }
}

#[test]
fn a_program_gets_a_terminal_of_its_own() {
    let stage = Stage::new();
    let mut terminal = Terminal::run(
        &stage,
        &["--", "bash", "-c", "tty; stty size; echo hi > /dev/tty"],
    );
    let (code, seen) = terminal.end();
    assert_eq!(code, Some(0), "{seen}");
    assert_eq!(seen, "/dev/pts/0\r\n33 101\r\nhi\r\n");
}

#[test]
fn jobs_are_controlled_inside() {
    let stage = Stage::new();
    let mut terminal = Terminal::run(&stage, &["--", "bash", "--norc", "-i"]);
    terminal.press("PS1='@ '; unset PROMPT_COMMAND\r");
    terminal.wait_for("@ ");
    terminal.press("sleep 300\r");
    terminal.wait_for("sleep 300\r\n");
    std::thread::sleep(Duration::from_millis(200));
    terminal.press("\x1a");
    terminal.wait_for("Stopped");
    terminal.press("jobs; bg; jobs\r");
    terminal.wait_for("Stopped");
    terminal.wait_for("Running");
    terminal.press("fg\r");
    terminal.wait_for("sleep 300\r\n");
    std::thread::sleep(Duration::from_millis(200));
    terminal.press("\x03");
    terminal.wait_for("@ ");
    terminal.press("echo $?; exit 5\r");
    terminal.wait_for("130");
    assert_eq!(terminal.end().0, Some(5));
}

/// What is seen of a shell that controls jobs, without processes' numbers.
fn transcript(mut terminal: Terminal) -> String {
    let root = rustix::process::geteuid().is_root();
    terminal.wait_for(if root { "# " } else { "$ " });
    let mut seen = String::new();
    let mut step = |keys: &str, text: &str| {
        terminal.press(keys);
        seen.push_str(&terminal.wait_for(text));
    };
    let prompt = "\r\n@ ";
    step("PS1='@ '\r", prompt);
    step("sleep 300\r", "sleep 300\r\n");
    std::thread::sleep(Duration::from_millis(300));
    step("\x1a", prompt);
    step("jobs\r", prompt);
    step("bg\r", prompt);
    step("jobs\r", prompt);
    step("fg\r", "sleep 300\r\n");
    std::thread::sleep(Duration::from_millis(300));
    step("\x03", prompt);
    step("echo $?\r", prompt);
    step("sleep 301 & sleep 302 | cat &\r", prompt);
    step("kill -STOP %1; sleep 0.3; jobs\r", prompt);
    step("grep State /proc/$(jobs -p %1)/status\r", prompt);
    step("kill -CONT %1; sleep 0.3; jobs\r", prompt);
    step("kill %1 %2; wait 2>/dev/null; echo done\r", prompt);
    step("/bin/sh -c 'kill -SEGV $$'; echo $?\r", prompt);
    step(
        "/bin/sh -c 'trap \"echo caught; exit 44\" INT; sleep 300'; echo $?\r",
        "$?\r\n",
    );
    std::thread::sleep(Duration::from_millis(300));
    step("\x03", prompt);
    terminal.press("exit 5\r");
    let (code, rest) = terminal.end();
    assert_eq!(code, Some(5), "{seen}{rest}");
    // `[1] 123`, and `123 Segmentation fault`.
    let words = seen.split_inclusive(char::is_whitespace);
    let named = words.map(|it| {
        let number = it.trim_end();
        let is_number = !number.is_empty() && number.bytes().all(|it| it.is_ascii_digit());
        if is_number && !["130", "139", "44"].contains(&number) {
            it.replace(number, "N")
        } else {
            it.to_owned()
        }
    });
    named.collect()
}

#[test]
fn jobs_look_as_outside() {
    let stage = Stage::new();
    let words = ["bash", "--norc", "--noediting", "-i"];
    let outside = transcript(Terminal::start(&stage, &words));
    let inside = transcript(Terminal::run(&stage, &[&["--"][..], &words].concat()));
    assert_eq!(inside, outside);
    for text in [
        "Stopped",
        "Running",
        "caught\r\n44",
        "T (stopped)",
        "Segmentation",
    ] {
        assert!(outside.contains(text), "{outside}");
    }
}

#[test]
fn the_terminal_is_given_back_as_it_was() {
    let stage = Stage::new();
    let mut terminal = Terminal::run(
        &stage,
        &["--", "bash", "-c", "echo on; read -r line; stty raw -echo"],
    );
    let modes = |it: Termios| (it.local_modes, it.input_modes, it.output_modes);
    terminal.wait_for("on");
    // Keys go inside as they are.
    assert!(
        !terminal
            .behaviour()
            .local_modes
            .contains(rustix::termios::LocalModes::ICANON)
    );
    terminal.press("x\r");
    let before = {
        let plain = OpenptFlags::RDWR | OpenptFlags::NOCTTY;
        let fresh = rustix::pty::openpt(plain).expect("a terminal");
        modes(rustix::termios::tcgetattr(&fresh).expect("attributes"))
    };
    assert_eq!(terminal.end().0, Some(0));
    assert_eq!(modes(terminal.behaviour()), before);
}

#[test]
fn a_new_size_is_known_inside() {
    let stage = Stage::new();
    let text = "trap 'stty size; exit' WINCH; echo on; while :; do sleep 0.01; done";
    let mut terminal = Terminal::run(&stage, &["--", "bash", "-c", text]);
    terminal.wait_for("on");
    let size = Winsize {
        ws_row: 7,
        ws_col: 8,
        ws_xpixel: 0,
        ws_ypixel: 0,
    };
    rustix::termios::tcsetwinsize(&terminal.outer, size).expect("a size");
    terminal.wait_for("7 8");
    assert_eq!(terminal.end().0, Some(0));
}

#[test]
fn what_reaches_beyond_the_screen_is_taken_out() {
    let stage = Stage::new();
    let text =
        r"printf '\033[1mbold\033[0m\033]52;c;aDU=\a\033]0;title\033\\\033[6n\033P+q\033\\end\n'";
    let mut terminal = Terminal::run(&stage, &["--", "bash", "-c", text]);
    assert_eq!(terminal.end().1, "\x1b[1mbold\x1b[0mend\r\n");
}

#[test]
fn nothing_can_be_typed_into_the_caller_s_terminal() {
    let stage = Stage::new();
    let text = "python3 -c \"import fcntl; [fcntl.ioctl(n, 0x5412, b'x') for n in (0, 1, 2)]\"; \
                python3 -c \"import fcntl; fcntl.ioctl(open('/dev/tty'), 0x1000000005412, b'x')\"; echo end";
    let mut terminal = Terminal::run(&stage, &["--", "bash", "-c", text]);
    let seen = terminal.end().1;
    let side = &terminal.inner;
    assert_eq!(seen.matches("Operation not permitted").count(), 2, "{seen}");
    let mut raw = rustix::termios::tcgetattr(side).expect("attributes");
    raw.make_raw();
    rustix::termios::tcsetattr(side, OptionalActions::Now, &raw).expect("raw");
    assert_eq!(rustix::io::ioctl_fionread(side).expect("asked"), 0);
}

#[test]
fn a_flood_is_slowed_down() {
    let stage = Stage::new();
    let begun = Instant::now();
    let text = "head -c 9000000 /dev/zero | tr '\\0' x";
    let mut terminal = Terminal::run(&stage, &["--", "bash", "-c", text]);
    let (code, seen) = terminal.end();
    assert_eq!(code, Some(0));
    assert_eq!(seen.matches('x').count(), 9_000_000);
    // 611,392 bytes behind the first 8 MiB, at 512 KiB a second.
    assert!(
        begun.elapsed() > Duration::from_millis(1100),
        "{:?}",
        begun.elapsed()
    );
}
