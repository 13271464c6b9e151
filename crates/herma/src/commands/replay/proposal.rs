//! The narrowest allow rules for what was asked again and again, and the proof of what they do.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use herma_rules::{Action, Decision, Finding, Guard, Severity, UserRule, Verdict};

use super::calls::Subject;
use super::habit::{self, Need};
use super::judging::{Guards, Stopped, machine, request};
use crate::allowance::{self, Allowance};

/// Packs in which no habit makes a rule: what they are about reaches beyond the project, or decides
/// what runs later.
const EACH_TIME: &[&str] = &[
    "agents",
    "device",
    "network",
    "permissions",
    "persistence",
    "remote-code",
    "secrets",
    "sudo",
    "system-files",
    "windows",
];

/// Rounds after which a proof that does not hold ends in no proposal.
const ROUNDS: usize = 4;

/// A rule that could be added.
#[derive(Debug)]
pub(crate) struct Proposal {
    pub(crate) rule: UserRule,
    /// Whether it covers more than what was seen.
    pub(crate) wide: bool,
    /// The rules that find what it allows, each with whether it is grave.
    pub(crate) finds: BTreeSet<String>,
    pub(crate) grave: bool,
    /// The commands of [`Stopped`] that it silences, alone or with other proposals.
    pub(crate) silences: Vec<usize>,
    needs: Vec<usize>,
}

/// Why a question stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Left {
    /// A person said no.
    Refused,
    /// A rule of the user's own asks.
    Own,
    /// It is about something that is asked about each time.
    EachTime,
    /// A rule would hold a secret.
    Secret,
    /// No rule covers exactly this.
    NoRule,
    /// It was asked once.
    Once,
}

impl Left {
    /// The name for programs.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Refused => "refused",
            Self::Own => "own-rule",
            Self::EachTime => "each-time",
            Self::Secret => "secret",
            Self::NoRule => "no-rule",
            Self::Once => "once",
        }
    }

    /// Some words for people.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Refused => "a person said no",
            Self::Own => "a rule of your own asks",
            Self::EachTime => {
                "about secrets, networks, privileges, the system or what runs later: asked each time"
            }
            Self::Secret => "a rule would hold a secret",
            Self::NoRule => {
                "no rule covers exactly this (carriers, redirections, interpreters, unknown words)"
            }
            Self::Once => "asked once; --once proposes rules for these too",
        }
    }
}

/// What could be added, and what stays.
#[derive(Debug, Default)]
pub(crate) struct Proposals {
    pub(crate) rules: Vec<Proposal>,
    /// Questions that stay, by index of [`Stopped`].
    pub(crate) left: BTreeMap<usize, Left>,
}

/// Looks for rules.
pub(crate) fn propose(
    subjects: &[Subject],
    stopped: &[Stopped],
    guards: &mut Guards<'_>,
    once: bool,
) -> Proposals {
    let mut search = Search {
        subjects,
        stopped,
        guards,
        needs: Vec::new(),
        refused: Vec::new(),
        index: HashMap::new(),
    };
    let mut left = search.collect();
    let mut rules = search.candidates(once);
    let mut sound = false;
    for _ in 0..ROUNDS {
        search.keep_useful(&mut rules, &left);
        let wrong = search.prove(&mut rules);
        sound = wrong.is_empty();
        if sound {
            break;
        }
        rules.retain(|rule| {
            let is_wrong = |at: &usize| rule.silences.contains(at);
            !wrong
                .iter()
                .any(|at| is_wrong(at) || search.touches(&rule.rule, *at))
        });
    }
    if !sound {
        rules.clear();
    }
    let silenced: BTreeSet<usize> = rules
        .iter()
        .flat_map(|rule| rule.silences.iter().copied())
        .collect();
    for (at, stopped) in stopped.iter().enumerate() {
        if stopped.decision() == Decision::Ask && !silenced.contains(&at) {
            left.entry(at).or_insert(Left::Once);
        }
    }
    let times = |rule: &Proposal| -> usize {
        let times = |at: &usize| Some(subjects.get(stopped.get(*at)?.subject)?.times);
        rule.silences.iter().filter_map(times).sum()
    };
    rules.sort_by_cached_key(|rule| (std::cmp::Reverse(times(rule)), rule.rule.id.clone()));
    Proposals { rules, left }
}

struct Search<'s, 'g> {
    subjects: &'s [Subject],
    stopped: &'s [Stopped],
    guards: &'s mut Guards<'g>,
    needs: Vec<Need>,
    /// Questions that a person answered with no.
    refused: Vec<usize>,
    /// Needs by words and directory.
    index: HashMap<(Vec<String>, String), usize>,
}

impl<'s> Search<'s, '_> {
    fn subject(&self, at: usize) -> Option<(&'s Subject, &'s Verdict)> {
        let stopped = self.stopped.get(at)?;
        let verdict = stopped.verdict.as_ref().ok()?;
        Some((self.subjects.get(stopped.subject)?, verdict))
    }

    /// Finds what rules would have to allow. Returns the questions for which there is none.
    fn collect(&mut self) -> BTreeMap<usize, Left> {
        let mut left = BTreeMap::new();
        for at in 0..self.stopped.len() {
            let Some((subject, verdict)) = self.subject(at) else {
                continue;
            };
            if verdict.decision != Decision::Ask {
                continue;
            }
            if subject.refused > 0 {
                self.refused.push(at);
                left.insert(at, Left::Refused);
                continue;
            }
            match self.wanted(subject, verdict) {
                Err(why) => {
                    left.insert(at, why);
                }
                Ok(rules) => {
                    for rule in rules {
                        self.need(at, subject.times, rule, verdict);
                    }
                }
            }
        }
        left
    }

    fn wanted(&mut self, subject: &Subject, verdict: &Verdict) -> Result<Vec<UserRule>, Left> {
        if verdict.findings.iter().any(is_asked_each_time) {
            return Err(Left::EachTime);
        }
        let configured = self.guards.of(&subject.row.cwd).map_err(|_| Left::NoRule)?;
        let machine = machine(subject);
        match allowance::find(&configured.policy, &request(subject), verdict, &machine) {
            Allowance::Rules(rules) if rules.iter().any(holds_secret) => Err(Left::Secret),
            Allowance::Rules(rules) => Ok(rules),
            Allowance::Own(_) => Err(Left::Own),
            Allowance::Passes | Allowance::Never | Allowance::Unavailable => Err(Left::NoRule),
        }
    }

    fn need(&mut self, at: usize, times: usize, rule: UserRule, verdict: &Verdict) {
        let Some(cwd) = rule.cwd else { return };
        let key = (rule.argv, cwd);
        let index = match self.index.get(&key) {
            Some(index) => *index,
            None => {
                self.needs.push(Need::new(key.0.clone(), key.1.clone()));
                self.needs.len() - 1
            }
        };
        if let Some(need) = self.needs.get_mut(index) {
            need.asked.push(at);
            need.times += times;
            for finding in &verdict.findings {
                if allowance::patterns(finding).as_ref() == Some(&key) {
                    need.finds.insert(finding.rule.to_string());
                    need.grave |= finding.severity >= Severity::High;
                }
            }
        }
        self.index.insert(key, index);
    }

    /// Rules for habits that touch nothing to which a person said no.
    fn candidates(&mut self, once: bool) -> Vec<Proposal> {
        let mut rules: Vec<Proposal> = Vec::new();
        for habit in habit::habits(&self.needs) {
            let wide = habit.pattern.as_ref().and_then(|pattern| {
                let first = self.needs.get(*habit.needs.first()?)?;
                Some((pattern.clone(), first.cwd.clone()))
            });
            if let Some((argv, cwd)) = wide
                && self.add(&mut rules, argv, cwd, true, &habit.needs)
            {
                continue;
            }
            for at in &habit.needs {
                let Some(need) = self.needs.get(*at) else {
                    continue;
                };
                if once || need.times > 1 {
                    let (argv, cwd) = (need.argv.clone(), need.cwd.clone());
                    self.add(&mut rules, argv, cwd, false, &[*at]);
                }
            }
        }
        rules
    }

    fn add(
        &mut self,
        rules: &mut Vec<Proposal>,
        argv: Vec<String>,
        cwd: String,
        wide: bool,
        needs: &[usize],
    ) -> bool {
        let used =
            |id: &str| self.guards.knows(id) || rules.iter().any(|other| other.rule.id == id);
        let rule = UserRule {
            id: allowance::free_id(used, &argv),
            action: Action::Allow,
            argv,
            tool: Vec::new(),
            path: Vec::new(),
            cwd: Some(cwd),
            regex: None,
            why: None,
        };
        // A no to one line is a no to what it would have run.
        for index in 0..self.refused.len() {
            let refused = self.refused.get(index).copied();
            if refused.is_some_and(|at| self.touches(&rule, at)) {
                return false;
            }
        }
        // A pattern that is read otherwise than it was meant covers nothing.
        if wide {
            let asked: Vec<usize> = needs
                .iter()
                .filter_map(|at| self.needs.get(*at)?.asked.first().copied())
                .collect();
            if !asked.iter().all(|at| self.touches(&rule, *at)) {
                return false;
            }
        }
        let members = || needs.iter().filter_map(|at| self.needs.get(*at));
        rules.push(Proposal {
            rule,
            wide,
            finds: members().flat_map(|need| need.finds.clone()).collect(),
            grave: members().any(|need| need.grave),
            silences: Vec::new(),
            needs: needs.to_vec(),
        });
        true
    }

    /// Whether the rule, alone, takes something from what is found in a command.
    fn touches(&mut self, rule: &UserRule, at: usize) -> bool {
        let Some((subject, verdict)) = self.subject(at) else {
            return false;
        };
        let program = rule.argv.first().map_or(&[][..], |word| word.as_bytes());
        let is_near = |finding: &Finding| {
            let own = finding.argv.first().and_then(Option::as_deref);
            own.is_some_and(|own| own.ends_with(program))
                && finding.cwd.as_deref() == rule.cwd.as_deref().map(str::as_bytes)
        };
        if !verdict.findings.iter().any(is_near) {
            return false;
        }
        let Some(guard) = self
            .guards
            .with(&subject.row.cwd, std::slice::from_ref(rule))
        else {
            return true;
        };
        let again = guard.check(&request(subject), &machine(subject));
        again.findings.len() < verdict.findings.len()
    }

    /// Drops the rules that silence nothing, since a command also needs rules that are not there.
    fn keep_useful(&self, rules: &mut Vec<Proposal>, left: &BTreeMap<usize, Left>) {
        let covered: BTreeSet<usize> = rules
            .iter()
            .flat_map(|rule| rule.needs.iter().copied())
            .collect();
        let mut missing: BTreeSet<usize> = left.keys().copied().collect();
        for (index, need) in self.needs.iter().enumerate() {
            if !covered.contains(&index) {
                missing.extend(need.asked.iter().copied());
            }
        }
        for rule in rules.iter_mut() {
            let needs = rule.needs.iter().filter_map(|at| self.needs.get(*at));
            let silences: BTreeSet<usize> = needs
                .flat_map(|need| need.asked.iter().copied())
                .filter(|at| !missing.contains(at))
                .collect();
            rule.silences = silences.into_iter().collect();
        }
        rules.retain(|rule| !rule.silences.is_empty());
    }

    /// Judges everything that is not allowed again, with all rules. Returns the commands for which
    /// the answer is not the one that was meant.
    fn prove(&mut self, rules: &mut [Proposal]) -> Vec<usize> {
        let all: Vec<UserRule> = rules.iter().map(|rule| rule.rule.clone()).collect();
        if all.is_empty() {
            return Vec::new();
        }
        let meant: BTreeSet<usize> = rules
            .iter()
            .flat_map(|rule| rule.silences.iter().copied())
            .collect();
        // One directory after the other, since each has its own guard.
        let mut order: Vec<usize> = (0..self.stopped.len()).collect();
        let cwd = |at: &usize| {
            self.subject(*at)
                .map(|(subject, _)| subject.row.cwd.as_slice())
        };
        order.sort_by_key(cwd);
        let mut current: Option<(&[u8], Guard)> = None;
        let mut wrong = Vec::new();
        let mut further = Vec::new();
        for at in order {
            let Some((subject, verdict)) = self.subject(at) else {
                continue;
            };
            let cwd = subject.row.cwd.as_slice();
            if current.as_ref().is_none_or(|(own, _)| *own != cwd) {
                current = self.guards.with(cwd, &all).map(|guard| (cwd, guard));
            }
            let Some((_, guard)) = &current else {
                wrong.push(at);
                continue;
            };
            let again = guard.check(&request(subject), &machine(subject));
            let silent = again.decision == Decision::Allow;
            let same = again.decision == verdict.decision && again.floor == verdict.floor;
            match (meant.contains(&at), silent) {
                (true, true) => {}
                (false, true) if verdict.decision == Decision::Ask && subject.refused == 0 => {
                    let rules = again.allowed_by.into_iter().map(|it| it.rule);
                    further.push((at, rules.collect::<BTreeSet<_>>()));
                }
                (false, false) if same => {}
                _ => wrong.push(at),
            }
        }
        // What a pattern covers without having been made for it.
        for (at, by) in further {
            for rule in rules.iter_mut().filter(|rule| by.contains(&rule.rule.id)) {
                rule.silences.push(at);
            }
        }
        wrong
    }
}

fn is_asked_each_time(finding: &Finding) -> bool {
    Guard::rule(&finding.rule).is_some_and(|rule| EACH_TIME.contains(&rule.pack))
}

fn holds_secret(rule: &UserRule) -> bool {
    let line = rule.argv.join(" ");
    let cwd = rule.cwd.as_deref().unwrap_or_default();
    let secret = |text: &str| !herma_secrets::find(text.as_bytes()).is_empty();
    secret(&line) || secret(cwd) || rule.argv.iter().any(|word| secret(word))
}
