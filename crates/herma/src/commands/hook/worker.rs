//! What the hook's worker does: read the event, judge, record, and put the answer into the host's
//! words.
//!
//! The model reads what is answered here. So it says what was found and why, and never what would
//! allow it: no file of herma's, no rule, no setting. That is for people, who have the trail,
//! `herma blocked show`, `herma check` and `herma doctor`.

use std::os::unix::ffi::OsStrExt as _;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use herma_config::{AskPolicy, Home};
use herma_hosts::{Act, Answer, Call, Event, FileUse, Host, Reply};
use herma_rules::{Decision, Request, Verdict};

use super::{Shared, finish, too_late};
use crate::configured::ConfiguredGuard;
use crate::input;
use crate::output::visible;
use crate::record::{self, Outcome};
use crate::rehearsal;
use crate::sighting::{self, Sighting};
use crate::unjudged::Unjudged;
use crate::world::Machine;

/// Milliseconds that no configuration exceeds: the host gives up after the ten seconds that `init`
/// writes into its settings, and then runs the command.
const LONGEST_MS: u64 = 6_000;

/// How long the worker waits for others that write the trail.
const PATIENCE: Duration = Duration::from_secs(5);

/// What the model reads when the state directory cannot be used.
const NO_STATE: &str =
    "the state directory cannot be used; the user can see why with `herma doctor`";

/// What the model reads when nothing can be written down.
const NO_TRAIL: &str =
    "the audit trail cannot be written; the user can see why with `herma doctor`";

/// What the model reads when the configuration is not valid.
const INVALID: &str = "herma: the configuration is not valid, so every command is denied; \
    the user can see why with `herma config check`";

/// The thread that decides.
pub(super) struct Worker {
    pub(super) host: Host,
    pub(super) home: Option<PathBuf>,
    /// When the process began.
    pub(super) started: Instant,
    pub(super) shared: Arc<Shared>,
}

impl Worker {
    /// Reads, judges, records, and ends the process with the reply, unless the deadline did.
    pub(super) fn run(self) {
        let reply = self.reply();
        if self.shared.speak() {
            finish(&reply);
        }
    }

    fn reply(&self) -> Reply {
        let input = match input::limited(std::io::stdin().lock(), input::TEXT_LIMIT) {
            Ok(input) => input,
            Err(error) => {
                return self.unreadable(&format!("cannot read the hook's input: {error}"));
            }
        };
        let call = match self.host.decode(&input) {
            Ok(Event::Other) => return Reply::silence(),
            Ok(Event::Call(call)) => *call,
            Err(error) => return self.unreadable(&error.to_string()),
        };
        let home = match Home::locate(self.home.as_deref()) {
            Ok(home) => home,
            Err(_) => return self.refuse(NO_STATE),
        };
        let rehearsal = rehearsal::is_one(&call);
        if !rehearsal && let Ok(mut known) = self.shared.known.lock() {
            *known = Some((call.clone(), home.clone()));
        }
        let usable = if rehearsal {
            home.open().and_then(|_| home.check_version())
        } else {
            home.prepare()
        };
        if usable.is_err() {
            return self.refuse(NO_STATE);
        }
        let outcome = self.judge(&home, &call);
        // What took too long is denied, also when nobody has looked at the clock yet.
        let outcome = if self.started.elapsed() < self.shared.deadline() {
            outcome
        } else {
            Outcome::unjudged(Unjudged::Deadline, &too_late(&self.shared))
        };
        if !self.shared.claim() {
            // Denied at the deadline; that is what was written down.
            return self.host.refusal(&too_late(&self.shared));
        }
        let took = self.started.elapsed();
        // Whoever holds the trail for longer than the deadline gets a denial from the main thread.
        if !rehearsal && record::hook(&home, self.host, &call, &outcome, took, PATIENCE).is_err() {
            return self.refuse(NO_TRAIL);
        }
        match outcome.decision {
            Decision::Allow => self.host.encode(&call, &Answer::Allow),
            Decision::Ask => self.host.encode(
                &call,
                &Answer::Ask {
                    reason: &outcome.reason,
                    changes_files: outcome.changes_files,
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

    /// Denies what could not be read, which is written down as well; nothing allows it when that
    /// fails.
    fn unreadable(&self, reason: &str) -> Reply {
        if let Ok(home) = Home::locate(self.home.as_deref())
            && home.prepare().is_ok()
        {
            let _ = record::unreadable(&home, self.host, self.started.elapsed(), PATIENCE);
        }
        self.refuse(reason)
    }

    fn refuse(&self, reason: &str) -> Reply {
        let reason = visible::line(reason.as_bytes());
        self.host.refusal(&format!("herma: {reason}; denied"))
    }

    /// The gravest outcome among what the call does.
    fn judge(&self, home: &Home, call: &Call) -> Outcome {
        let cwd = match &call.cwd {
            Some(cwd) => herma_shell::path::normal(cwd.as_bytes()),
            None => match input::directory(None) {
                Ok(cwd) => cwd,
                Err(_) => {
                    let reason = "herma: the working directory cannot be told; denied";
                    return Outcome::unjudged(Unjudged::Directory, reason);
                }
            },
        };
        let configured = match ConfiguredGuard::read(home, &cwd) {
            Ok(configured) => configured,
            Err(_) => return Outcome::unjudged(Unjudged::Config, INVALID),
        };
        let deadline = configured.config.deadline_ms.min(LONGEST_MS);
        self.shared.allow(deadline, self.started.elapsed());
        let machine = Machine::of_process(&cwd);
        let commands = match &call.act {
            Act::Commands(commands) => commands,
            Act::File(file) => return self.file(home, &configured, call, file, &cwd, &machine),
        };
        let mut gravest: Option<Outcome> = None;
        for command in commands {
            let request = Request::new(command.as_bytes(), &cwd);
            let verdict = configured.guard.check(&request, &machine);
            let outcome = self.outcome(&configured, call, verdict);
            if gravest
                .as_ref()
                .is_none_or(|it| it.decision < outcome.decision)
            {
                gravest = Some(outcome);
            }
        }
        gravest.unwrap_or_else(|| Outcome::unjudged(Unjudged::Empty, "herma: no command; denied"))
    }

    /// A file tool's use of a file, judged under every name of the file.
    fn file(
        &self,
        home: &Home,
        configured: &ConfiguredGuard,
        call: &Call,
        file: &FileUse,
        cwd: &[u8],
        machine: &Machine,
    ) -> Outcome {
        let state = home.root().as_os_str().as_bytes();
        let sighting = match Sighting::of(file, cwd, machine, state) {
            Ok(sighting) => sighting,
            Err(why) => {
                let reason = format!("herma: {why} ({}); denied", why.code());
                return Outcome::unjudged(Unjudged::Path, &reason);
            }
        };
        let names = sighting.names();
        let verdict = configured
            .guard
            .check_access(&sighting::access(file, &names));
        Outcome {
            object: sighting.object(),
            ..self.outcome(configured, call, verdict)
        }
    }

    /// What the verdict means for this host: a question that nobody would hear is a denial.
    fn outcome(&self, configured: &ConfiguredGuard, call: &Call, verdict: Verdict) -> Outcome {
        let heard = self.host.honours_ask(call, verdict.changes_files)
            && configured.config.host(self.host.name()) != Some(AskPolicy::Deny);
        let mut reason = format!("herma: {}", visible::line(verdict.reason.as_bytes()));
        let suggest = verdict.findings.iter().find_map(|it| it.suggest.as_deref());
        if let Some(suggest) = suggest {
            reason.push_str(&format!("; safer: {}", visible::line(suggest.as_bytes())));
        }
        let unheard = verdict.decision == Decision::Ask && !heard;
        if unheard {
            reason.push_str("; nobody can be asked here, so it is denied");
        }
        Outcome {
            decision: if unheard {
                Decision::Deny
            } else {
                verdict.decision
            },
            reason,
            terms: Some((configured.policy.mode, configured.config.retention)),
            floor: verdict.floor,
            findings: verdict.findings,
            allowed_by: verdict.allowed_by,
            unjudged: None,
            object: None,
            changes_files: verdict.changes_files,
        }
    }
}
