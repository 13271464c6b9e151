//! `herma hook`: the answer to an agent program, before every shell call.
//!
//! The host runs the command when the hook fails, prints rubbish or takes too long. So every way
//! out of here but an allow is a denial that the host obeys: a worker does the work, and this
//! process denies when the worker fails, panics, or is not done at the deadline.

use std::ffi::{OsStr, OsString};
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use herma_config::{AskPolicy, Home};
use herma_hosts::{Answer, Call, Event, Host, Reply};
use herma_rules::{Decision, Request, Verdict};

use crate::allowance::{self, Allowance};
use crate::exit::Exit;
use crate::input;
use crate::judge::Judge;
use crate::output::visible;
use crate::record::{self, Outcome};
use crate::world::Machine;

/// Milliseconds until the configuration has said how many there are.
const DEADLINE_MS: u64 = 200;

/// Milliseconds that no configuration exceeds: the host gives up after the ten seconds that `init`
/// writes into its settings, and then runs the command.
const LONGEST_MS: u64 = 8_000;

/// What stands for a rule in the trail when the deadline denied.
const LATE: &str = "hook.deadline";

/// How long the worker waits for others that write the trail.
const PATIENCE: Duration = Duration::from_secs(5);

/// Time that is left for writing down a denial at the deadline.
const LAST_WORDS: Duration = Duration::from_millis(50);

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
    finish(&answered(invocation.host, invocation.home))
}

/// The same when the command line was read by its parser. A denial's exit code is the host's own.
pub(crate) fn answer(host: Host, home: Option<PathBuf>) -> Exit {
    Exit::Hook(write(&answered(host, home)))
}

fn finish(reply: &Reply) -> ExitCode {
    ExitCode::from(write(reply))
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

/// What the worker and the one who waits for it share. Only the answer wakes the other up: each
/// wake-up costs more than judging a command.
struct Shared {
    /// Milliseconds from the start to the deadline.
    deadline: AtomicU64,
    /// Set by whoever answers first: the worker, or the deadline.
    answered: AtomicBool,
    /// The call, once it is known, for a denial at the deadline.
    known: Mutex<Option<(Call, Home)>>,
}

impl Shared {
    fn new() -> Self {
        Self {
            deadline: AtomicU64::new(DEADLINE_MS),
            answered: AtomicBool::new(false),
            known: Mutex::new(None),
        }
    }

    /// Whether the caller is the first to answer.
    fn claim(&self) -> bool {
        !self.answered.swap(true, Ordering::SeqCst)
    }

    fn deadline(&self) -> Duration {
        Duration::from_millis(self.deadline.load(Ordering::SeqCst))
    }
}

fn answered(host: Host, home: Option<PathBuf>) -> Reply {
    let started = Instant::now();
    deny_on_panic(host);
    let (sender, receiver) = sync_channel(1);
    let shared = Arc::new(Shared::new());
    let worker = Worker {
        host,
        home,
        started,
        shared: Arc::clone(&shared),
        sender,
    };
    let spawned = std::thread::Builder::new()
        .stack_size(herma_shell::STACK)
        .spawn(move || worker.run());
    match spawned {
        Ok(_) => wait(host, started, &shared, &receiver),
        Err(_) => host.refusal("herma: cannot start a thread to judge this command; denied"),
    }
}

/// The release profile aborts on a panic, which the host would take for permission. The hook runs
/// before that and ends the process with a denial.
fn deny_on_panic(host: Host) {
    std::panic::set_hook(Box::new(move |_| {
        let code = write(&host.refusal(
            "herma: internal error while judging this command; denied (please report it)",
        ));
        #[expect(clippy::exit, reason = "the only way to end a panic with a denial")]
        std::process::exit(i32::from(code));
    }));
}

/// Waits for the worker's answer until the deadline.
fn wait(host: Host, started: Instant, shared: &Shared, receiver: &Receiver<Reply>) -> Reply {
    // The configuration may move the deadline while we wait; a nearer one is seen by the worker.
    loop {
        let left = shared.deadline().saturating_sub(started.elapsed());
        match receiver.recv_timeout(left) {
            Ok(reply) => return reply,
            Err(RecvTimeoutError::Disconnected) => {
                return host.refusal("herma: no answer about this command; denied");
            }
            Err(RecvTimeoutError::Timeout) if started.elapsed() < shared.deadline() => {}
            Err(RecvTimeoutError::Timeout) => break,
        }
    }
    let reason = too_late(shared);
    let known = shared.known.lock().ok().and_then(|mut known| known.take());
    if shared.claim()
        && let Some((call, home)) = known
    {
        late(host, call, home, &reason, started.elapsed());
    }
    host.refusal(&reason)
}

fn too_late(shared: &Shared) -> String {
    format!(
        "herma: not judged within {} ms, so it is denied; split the command, or raise deadline_ms",
        shared.deadline().as_millis()
    )
}

/// Writes the denial down, as long as that does not take long either.
fn late(host: Host, call: Call, home: Home, reason: &str, took: Duration) {
    let reason = reason.to_owned();
    let (sender, receiver) = sync_channel(1);
    let spawned = std::thread::Builder::new().spawn(move || {
        let outcome = Outcome::refused(LATE, &reason);
        let _ = record::hook(&home, host, &call, &outcome, took, LAST_WORDS);
        let _ = sender.send(());
    });
    if spawned.is_ok() {
        let _ = receiver.recv_timeout(LAST_WORDS);
    }
}

struct Worker {
    host: Host,
    home: Option<PathBuf>,
    started: Instant,
    shared: Arc<Shared>,
    sender: SyncSender<Reply>,
}

impl Worker {
    fn run(self) {
        let reply = self.reply();
        let _ = self.sender.send(reply);
    }

    fn reply(&self) -> Reply {
        let input = match input::limited(std::io::stdin().lock(), input::TEXT_LIMIT) {
            Ok(input) => input,
            Err(error) => return self.refuse(&format!("cannot read the hook's input: {error}")),
        };
        let call = match self.host.decode(&input) {
            Ok(Event::Other) => return Reply::silence(),
            Ok(Event::Call(call)) => call,
            Err(error) => return self.refuse(&error.to_string()),
        };
        let home = match Home::locate(self.home.as_deref()) {
            Ok(home) => home,
            Err(error) => return self.refuse(&error.to_string()),
        };
        if let Ok(mut known) = self.shared.known.lock() {
            *known = Some((call.clone(), home.clone()));
        }
        if let Err(error) = home.prepare() {
            return self.refuse(&error.to_string());
        }
        let outcome = self.judge(&home, &call);
        // What took too long is denied, also when nobody has looked at the clock yet.
        let outcome = if self.started.elapsed() < self.shared.deadline() {
            outcome
        } else {
            Outcome::refused(LATE, &too_late(&self.shared))
        };
        if !self.shared.claim() {
            // Denied at the deadline; that is what was written down.
            return self.host.refusal(&too_late(&self.shared));
        }
        let took = self.started.elapsed();
        // Whoever holds the trail for longer than the deadline gets a denial from the main thread.
        let written = record::hook(&home, self.host, &call, &outcome, took, PATIENCE);
        if let Err(error) = written {
            return self.refuse(&format!("cannot write the audit trail: {error:#}"));
        }
        match outcome.decision {
            Decision::Allow => self.host.encode(&call, &Answer::Allow),
            Decision::Ask => self.host.encode(
                &call,
                &Answer::Ask {
                    reason: &outcome.reason,
                },
            ),
            Decision::Deny => self.host.encode(
                &call,
                &Answer::Deny {
                    reason: &outcome.reason,
                },
            ),
        }
    }

    fn refuse(&self, reason: &str) -> Reply {
        let reason = visible::line(reason.as_bytes());
        self.host.refusal(&format!("herma: {reason}; denied"))
    }

    /// The gravest outcome among the call's commands.
    fn judge(&self, home: &Home, call: &Call) -> Outcome {
        let cwd = match &call.cwd {
            Some(cwd) => cwd.clone().into_bytes(),
            None => match input::directory(None) {
                Ok(cwd) => cwd,
                Err(error) => return Outcome::refused("hook.cwd", &format!("herma: {error:#}")),
            },
        };
        let judge = match Judge::read(home, &cwd) {
            Ok(judge) => judge,
            Err(why) => {
                let why = visible::line(why.to_string().as_bytes());
                return Outcome::refused(
                    "config.invalid",
                    &format!("herma: {why} (every command is denied until this is repaired)"),
                );
            }
        };
        let configured = judge.config.deadline_ms.min(LONGEST_MS);
        self.shared.deadline.store(configured, Ordering::SeqCst);
        let machine = Machine::of_process(&cwd);
        let mut gravest: Option<Outcome> = None;
        for command in &call.commands {
            let request = Request::new(command.as_bytes(), &cwd);
            let verdict = judge.guard.check(&request, &machine);
            let outcome = self.outcome(home, &judge, call, &request, verdict, &machine);
            if gravest
                .as_ref()
                .is_none_or(|it| it.decision < outcome.decision)
            {
                gravest = Some(outcome);
            }
        }
        gravest.unwrap_or_else(|| Outcome::refused("hook.empty", "herma: no command; denied"))
    }

    /// What the verdict means for this host: a question that nobody would hear is a denial.
    fn outcome(
        &self,
        home: &Home,
        judge: &Judge,
        call: &Call,
        request: &Request<'_>,
        verdict: Verdict,
        machine: &Machine,
    ) -> Outcome {
        let heard = self.host.honours_ask(call)
            && judge.config.host(self.host.name()) != Some(AskPolicy::Deny);
        let mut reason = format!("herma: {}", visible::line(verdict.reason.as_bytes()));
        let suggest = verdict.findings.iter().find_map(|it| it.suggest.as_deref());
        if let Some(suggest) = suggest {
            reason.push_str(&format!("; safer: {}", visible::line(suggest.as_bytes())));
        }
        let unheard = verdict.decision == Decision::Ask && !heard;
        if unheard {
            reason.push_str(&denied_question(judge, request, &verdict, machine, home));
        }
        Outcome {
            decision: if unheard {
                Decision::Deny
            } else {
                verdict.decision
            },
            reason,
            terms: Some((judge.policy.mode, judge.config.retention)),
            floor: verdict.floor,
            findings: verdict.findings,
            refused: None,
        }
    }
}

/// Why a question is a denial here, and what would allow the command.
fn denied_question(
    judge: &Judge,
    request: &Request<'_>,
    verdict: &Verdict,
    machine: &Machine,
    home: &Home,
) -> String {
    let mut text = String::from("; nobody can be asked here");
    if let Allowance::Rules(rules) = allowance::find(&judge.policy, request, verdict, machine) {
        let rules: Vec<String> = rules.iter().map(|it| allowance::as_toml(it, " ")).collect();
        text.push_str(&format!(
            "; a person can allow it in {} with {}",
            home.config().display(),
            rules.join(" ")
        ));
    }
    text
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
