//! `herma hook`: the answer to an agent program, before every shell call.
//!
//! The host runs the command when the hook fails, prints rubbish or takes too long. So every way
//! out of here but an allow is a denial that the host obeys: a worker does the work, and this
//! process denies when the worker fails, panics, or is not done at the deadline.

pub(crate) mod relay;
mod worker;

use std::ffi::{OsStr, OsString};
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::sync_channel;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use herma_config::Home;
use herma_hosts::{Call, Host, Reply};

use crate::exit::Exit;
use crate::record::{self, Outcome};
use crate::unjudged::Unjudged;
use worker::Worker;

/// Milliseconds for reading the event and the configuration, which then says how many there are
/// for the rest.
const READING_MS: u64 = 2_000;

/// How often the clock is looked at while nothing comes.
const TICK: Duration = Duration::from_millis(50);

/// Time that is left for writing down a denial at the deadline. What was late is often long, and
/// taking secrets out of it takes time too. Reading, the longest deadline and this together stay
/// below the ten seconds after which the host gives up.
const LAST_WORDS: Duration = Duration::from_millis(1_000);

/// `herma [--home DIR] hook HOST`.
pub(crate) struct Invocation {
    host: Host,
    home: Option<PathBuf>,
}

impl Invocation {
    /// Recognises exactly that; everything else is for the command line's parser.
    pub(crate) fn recognise(words: impl Iterator<Item = OsString>) -> Option<Self> {
        // One more than the longest form, so that a longer one is not taken for it.
        let words: Vec<OsString> = words.take(5).collect();
        let words: Vec<&OsStr> = words.iter().map(OsString::as_os_str).collect();
        let (home, host) = match words.as_slice() {
            [hook, host] if *hook == "hook" => (None, host),
            [home, directory, hook, host] if *home == "--home" && *hook == "hook" => {
                (Some(PathBuf::from(directory)), host)
            }
            _ => return None,
        };
        let host = Host::from_name(host.to_str()?)?;
        Some(Self { host, home })
    }
}

/// Reads the event, answers, and ends the process.
pub(crate) fn run(invocation: Invocation) -> ExitCode {
    ExitCode::from(answered(invocation.host, invocation.home))
}

/// The same when the command line was read by its parser. A denial's exit code is the host's own.
pub(crate) fn answer(host: Host, home: Option<PathBuf>) -> Exit {
    Exit::Hook(answered(host, home))
}

/// Ends the process with the reply.
fn finish(reply: &Reply) -> ! {
    let code = write(reply);
    #[expect(
        clippy::exit,
        reason = "a wake-up of the main thread costs more than judging a command"
    )]
    std::process::exit(i32::from(code));
}

/// Writes the reply and returns the exit code.
fn write(reply: &Reply) -> u8 {
    // Without the reason on standard error some hosts run the command; there is nothing more to
    // try than the exit code.
    let _ = std::io::stderr().lock().write_all(&reply.stderr);
    let mut out = std::io::stdout().lock();
    let written = out.write_all(&reply.stdout).and_then(|()| out.flush());
    match written {
        Ok(()) => reply.code,
        // A question that did not get through is no permission.
        Err(_) => {
            let _ = std::io::stderr()
                .lock()
                .write_all(b"herma: cannot write the answer; denied\n");
            2
        }
    }
}

/// What the worker and the one who watches the clock share.
struct Shared {
    /// Milliseconds from the start to the deadline.
    deadline: AtomicU64,
    /// Milliseconds that the part before the deadline may take.
    allowed: AtomicU64,
    /// Set by whoever answers first: the worker, or the deadline.
    answered: AtomicBool,
    /// Set by whoever writes the reply.
    written: AtomicBool,
    /// The call, once it is known, for a denial at the deadline.
    known: Mutex<Option<(Call, Home)>>,
}

impl Shared {
    fn new() -> Self {
        Self {
            deadline: AtomicU64::new(READING_MS),
            allowed: AtomicU64::new(READING_MS),
            answered: AtomicBool::new(false),
            written: AtomicBool::new(false),
            known: Mutex::new(None),
        }
    }

    /// Whether the caller is the first to answer.
    fn claim(&self) -> bool {
        !self.answered.swap(true, Ordering::SeqCst)
    }

    /// Whether the caller is the one who writes the reply.
    fn speak(&self) -> bool {
        !self.written.swap(true, Ordering::SeqCst)
    }

    fn deadline(&self) -> Duration {
        Duration::from_millis(self.deadline.load(Ordering::SeqCst))
    }

    /// Gives this many milliseconds from now on, `elapsed` after the start.
    fn allow(&self, ms: u64, elapsed: Duration) {
        let elapsed = u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX);
        self.allowed.store(ms, Ordering::SeqCst);
        self.deadline
            .store(elapsed.saturating_add(ms), Ordering::SeqCst);
    }
}

/// The worker ends the process with its answer; this returns the exit code of a denial in its place.
fn answered(host: Host, home: Option<PathBuf>) -> u8 {
    let started = Instant::now();
    deny_on_panic(host);
    if relay::is_inside() {
        return write(&relay::reply(host));
    }
    let shared = Arc::new(Shared::new());
    let worker = Worker {
        host,
        home,
        started,
        shared: Arc::clone(&shared),
    };
    let spawned = std::thread::Builder::new()
        .stack_size(herma_shell::STACK)
        .spawn(move || worker.run());
    match spawned {
        Ok(_) => watch(host, started, &shared),
        Err(_) => {
            write(&host.refusal("herma: cannot start a thread to judge this command; denied"))
        }
    }
}

/// The release profile aborts on a panic, which the host would take for permission. The hook runs
/// before that and ends the process with a denial.
fn deny_on_panic(host: Host) {
    std::panic::set_hook(Box::new(move |_| {
        finish(
            &host.refusal(
                "herma: internal error while judging this command; denied (please report it)",
            ),
        )
    }));
}

/// Denies at the deadline.
fn watch(host: Host, started: Instant, shared: &Shared) -> u8 {
    // The configuration moves the deadline meanwhile.
    loop {
        let left = shared.deadline().saturating_sub(started.elapsed());
        if left.is_zero() {
            break;
        }
        std::thread::sleep(left.min(TICK));
    }
    let reason = too_late(shared);
    let known = shared.known.lock().ok().and_then(|mut known| known.take());
    if shared.claim()
        && let Some((call, home)) = known
    {
        late(host, call, home, &reason, started.elapsed());
    }
    if !shared.speak() {
        // The worker is writing, and ends the process behind that.
        loop {
            std::thread::park();
        }
    }
    write(&host.refusal(&reason))
}

fn too_late(shared: &Shared) -> String {
    format!(
        "herma: not judged within {} ms, so it is denied; a shorter command may be judged in time",
        shared.allowed.load(Ordering::SeqCst)
    )
}

/// Writes the denial down, as long as that does not take long either.
fn late(host: Host, call: Call, home: Home, reason: &str, took: Duration) {
    let reason = reason.to_owned();
    let (sender, receiver) = sync_channel(1);
    let spawned = std::thread::Builder::new().spawn(move || {
        let outcome = Outcome::unjudged(Unjudged::Deadline, &reason);
        let _ = record::hook(&home, host, &call, &outcome, took, LAST_WORDS);
        let _ = sender.send(());
    });
    if spawned.is_ok() {
        let _ = receiver.recv_timeout(LAST_WORDS);
    }
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Stdio};

    use super::{Host, Invocation, deny_on_panic};

    /// Set in the process that panics for [`a_panic_is_a_denial`].
    const PANICS: &str = "HERMA_TEST_PANICS";

    fn recognised(words: &[&str]) -> bool {
        Invocation::recognise(words.iter().map(Into::into)).is_some()
    }

    #[test]
    fn only_the_exact_forms_are_recognised() {
        assert!(recognised(&["hook", "claude-code"]));
        assert!(recognised(&["--home", "/h", "hook", "claude-code"]));
        assert!(!recognised(&["hook"]));
        assert!(!recognised(&["hook", "nobody"]));
        assert!(!recognised(&["hook", "claude-code", "--help"]));
        assert!(!recognised(&["--home", "/h", "hook", "claude-code", "x"]));
        assert!(!recognised(&["check", "claude-code"]));
        assert!(!recognised(&[]));
    }

    #[test]
    fn a_panic_is_a_denial() {
        if std::env::var_os(PANICS).is_some() {
            deny_on_panic(Host::ClaudeCode);
            let worker = std::thread::spawn(|| panic!("on purpose"));
            let _ = worker.join();
            return;
        }
        let this = std::env::current_exe().expect("this test");
        let ran = Command::new(this)
            .args([
                "--exact",
                "commands::hook::tests::a_panic_is_a_denial",
                "--nocapture",
            ])
            .env(PANICS, "1")
            .stdout(Stdio::null())
            .output()
            .expect("started");
        assert_eq!(ran.status.code(), Some(2));
        let said = String::from_utf8(ran.stderr).expect("UTF-8");
        assert!(
            said.starts_with("herma: internal error") && said.matches('\n').count() == 1,
            "{said}"
        );
    }
}
