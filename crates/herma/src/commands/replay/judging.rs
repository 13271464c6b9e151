//! What the rules of today say about the commands of then.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use herma_config::{Home, HomeError};
use herma_rules::{Decision, Guard, Request, UserRule, Verdict};

use super::calls::Subject;
use super::progress::Progress;
use crate::configured::ConfiguredGuard;
use crate::world::Machine;

/// Stands for a rule where a directory's configuration cannot be read, so that all is denied.
pub(crate) const INVALID: &str = "config.invalid";

/// A command that is not allowed.
#[derive(Debug)]
pub(crate) struct Stopped {
    /// Which of the subjects.
    pub(crate) subject: usize,
    pub(crate) verdict: Result<Verdict, String>,
}

impl Stopped {
    /// What may happen with it.
    pub(crate) fn decision(&self) -> Decision {
        match &self.verdict {
            Ok(verdict) => verdict.decision,
            Err(_) => Decision::Deny,
        }
    }

    /// The rules that were found, each once.
    pub(crate) fn rules(&self) -> Vec<&str> {
        match &self.verdict {
            Ok(verdict) => crate::output::json::rules(verdict),
            Err(_) => vec![INVALID],
        }
    }
}

type Configured = Result<Rc<ConfiguredGuard>, String>;

/// Directories whose configuration is kept.
const KEPT: usize = 1_024;

/// The guards of the directories.
pub(crate) struct Guards<'a> {
    home: &'a Home,
    known: HashMap<Vec<u8>, Configured>,
    /// Ids of the rules of all of them.
    ids: HashSet<String>,
}

impl<'a> Guards<'a> {
    /// # Errors
    /// The state is of another version.
    pub(crate) fn new(home: &'a Home) -> Result<Self, HomeError> {
        home.check_version()?;
        Ok(Self {
            home,
            known: HashMap::new(),
            ids: HashSet::new(),
        })
    }

    /// The guard that holds in a directory, or why there is none.
    pub(crate) fn of(&mut self, cwd: &[u8]) -> Configured {
        if let Some(known) = self.known.get(cwd) {
            return known.clone();
        }
        let configured = ConfiguredGuard::read(self.home, cwd)
            .map(Rc::new)
            .map_err(|why| why.to_string());
        if let Ok(configured) = &configured {
            for rule in &configured.config.rules {
                self.ids.insert(rule.id.clone());
                self.ids.extend(rule.aliases.iter().cloned());
            }
        }
        if self.known.len() >= KEPT {
            self.known.clear();
        }
        self.known.insert(cwd.to_vec(), configured.clone());
        configured
    }

    /// Whether a rule of any directory seen so far has the id.
    pub(crate) fn knows(&self, id: &str) -> bool {
        Guard::rule(id).is_some() || self.ids.contains(id)
    }

    /// The guard of a directory with further rules.
    pub(crate) fn with(&mut self, cwd: &[u8], rules: &[UserRule]) -> Option<Guard> {
        let configured = self.of(cwd).ok()?;
        let mut policy = configured.policy.clone();
        policy.rules.extend(rules.iter().cloned());
        Some(Guard::new(policy))
    }
}

/// The world of a command.
pub(crate) fn machine(subject: &Subject) -> Machine {
    if subject.agent {
        Machine::of_process(&subject.row.cwd)
    } else {
        Machine::of_row(subject.row.env.clone(), &subject.row.cwd)
    }
}

/// The request for a command.
pub(crate) fn request(subject: &Subject) -> Request<'_> {
    let mut request = Request::new(&subject.row.text, &subject.row.cwd);
    request.shell = subject.row.dialect;
    request
}

/// Judges every command; those that are not allowed remain.
pub(crate) fn judge(subjects: &[Subject], guards: &mut Guards<'_>) -> Vec<Stopped> {
    let mut stopped = Vec::new();
    let mut progress = Progress::new();
    for (index, subject) in subjects.iter().enumerate() {
        progress.show(|| format!("judging {index}/{}", subjects.len()));
        let verdict = guards
            .of(&subject.row.cwd)
            .map(|configured| configured.guard.check(&request(subject), &machine(subject)));
        if !matches!(&verdict, Ok(verdict) if verdict.decision == Decision::Allow) {
            stopped.push(Stopped {
                subject: index,
                verdict,
            });
        }
    }
    progress.end();
    stopped
}
