//! From executions and facts to findings.

use std::borrow::Cow;

use herma_shell::{Analysis, Execution, Fact, FactKind, Reach, Source, Span, Value, Via};

use crate::arguments::Arguments;
use crate::effect::{Effect, Verb};
use crate::handed;
use crate::matching::{self, Clause, Subject};
use crate::model;
use crate::mount;
use crate::naming::{self, Name};
use crate::pack::{self, Rule};
use crate::packages;
use crate::place::Place;
use crate::policy::{Action, Mode, Policy, UserRule};
use crate::scene::Scene;
use crate::sequence;
use crate::suggestion;
use crate::user;
use crate::verdict::{Finding, Floor, Severity};

/// A finding with what the decision needs of it.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) finding: Finding,
    pub(crate) floor: Option<Floor>,
}

/// Collects what is found in one text.
pub(crate) struct Judge<'a> {
    policy: &'a Policy,
    disabled: &'a [bool],
    mode: Mode,
    scene: &'a Scene,
    found: Vec<Found>,
    /// A rule of the user allows the execution at hand.
    allowed: bool,
    /// How many patterns in command position are still looked up.
    patterns: usize,
}

/// Findings beyond this many say nothing new; floors are kept.
const MOST_FINDINGS: usize = 256;

/// Rules about one effect, each with those that say less of it at the same place.
const SUBSUMED: &[(&str, &[&str])] = &[
    (
        "fs.delete-root",
        &["fs.delete-tree", "fs.delete-outside", "fs.delete-unnamed"],
    ),
    (
        "fs.delete-empty-join",
        &["fs.delete-tree", "fs.delete-outside", "fs.delete-unnamed"],
    ),
    (
        "fs.delete-tree",
        &["fs.delete-outside", "fs.delete-unnamed"],
    ),
];

/// Each pattern in command position may stand for hundreds of programs.
const MOST_PATTERNS: usize = 32;

/// How far a rule's word holds for an execution.
#[derive(Clone, Copy)]
struct Weight {
    /// The program is certainly the one that the rule means.
    certain: bool,
    /// It runs on this machine.
    local: bool,
}

impl<'a> Judge<'a> {
    pub(crate) fn new(
        policy: &'a Policy,
        disabled: &'a [bool],
        mode: Mode,
        scene: &'a Scene,
    ) -> Self {
        Self {
            policy,
            disabled,
            mode,
            scene,
            found: Vec::new(),
            allowed: false,
            patterns: MOST_PATTERNS,
        }
    }

    /// Judges everything in an analysis. `view` maps spans when it is not of the text itself.
    pub(crate) fn analysis(&mut self, analysis: &Analysis, view: Option<&Source>) {
        let before = self.found.len();
        for (index, execution) in analysis.executions.iter().enumerate() {
            let effects = handed::effects(&analysis.executions, index, self.scene);
            self.execution(execution, &effects);
        }
        for (rule, execution) in sequence::scan(&analysis.executions, self.scene) {
            self.at(rule, execution);
        }
        for fact in &analysis.facts {
            self.fact(fact);
        }
        if let Some(view) = view {
            let mut fresh = self.found.split_off(before);
            for found in &mut fresh {
                let span = found.finding.span;
                // Up to where the next byte was written: folded letters are longer there.
                let (start, end) = (span.start as usize, span.end as usize);
                let last = view.span(start, end).end;
                found.finding.span = Span::new(view.origin(start), view.origin(end).max(last));
            }
            for found in fresh {
                self.add(found);
            }
        }
    }

    /// Records a rule about the line as a whole.
    pub(crate) fn line(&mut self, id: &str, span: Span) {
        if let Some(index) = pack::RULES.iter().position(|rule| rule.id == id) {
            self.record(index, None, span, &[], None);
        }
    }

    /// Records a rule about an execution by the rule's id.
    fn at(&mut self, id: &str, execution: &Execution) {
        if let Some(index) = pack::RULES.iter().position(|rule| rule.id == id) {
            self.record(index, None, execution.span, &execution.via, Some(execution));
        }
    }

    /// What was found, gravest first.
    pub(crate) fn finish(mut self) -> Vec<Found> {
        // A floor says all that the same field has to say about a place.
        let floors: Vec<(Span, String)> = self
            .found
            .iter()
            .filter(|found| found.floor.is_some())
            .map(|found| (found.finding.span, field(&found.finding.rule).to_owned()))
            .collect();
        self.found.retain(|found| {
            let own = (found.finding.span, field(&found.finding.rule));
            found.floor.is_some()
                || !floors
                    .iter()
                    .any(|(span, floor)| *span == own.0 && floor == own.1)
        });
        // Of two words about one effect the stronger is enough.
        let stronger: Vec<(Span, &'static [&'static str])> = self
            .found
            .iter()
            .filter_map(|found| {
                let (_, weaker) = SUBSUMED.iter().find(|(id, _)| *id == found.finding.rule)?;
                Some((found.finding.span, *weaker))
            })
            .collect();
        self.found.retain(|found| {
            found.floor.is_some()
                || !stronger.iter().any(|(span, weaker)| {
                    *span == found.finding.span && weaker.contains(&&*found.finding.rule)
                })
        });
        self.found.sort_by_key(|found| {
            std::cmp::Reverse((found.floor.is_some(), found.finding.severity))
        });
        self.found
    }

    fn execution(&mut self, execution: &Execution, effects: &[Effect]) {
        if naming::is_pattern(execution) {
            match self.patterns.checked_sub(1) {
                Some(left) => self.patterns = left,
                None => return self.at("shell.command-unresolved", execution),
            }
        }
        let names = naming::names(execution);
        let arguments: Vec<Arguments<'_>> = names
            .iter()
            .map(|name| Arguments::read(&name.base, &execution.argv))
            .collect();
        self.allowed = self.user(execution, &names, &arguments);
        let local = mount::is_local(&execution.via);
        let on_host = if local {
            None
        } else {
            mount::on_host(execution)
        };
        // What works in a mounted place does to it what it would do there.
        let own = on_host
            .as_ref()
            .map(|on_host| model::effects(&on_host.execution, self.scene));
        let effects = own.as_deref().unwrap_or(effects);
        for (name, arguments) in names.iter().zip(&arguments) {
            let weight = Weight {
                certain: name.certain,
                local,
            };
            if name.respelled {
                let execution = respell(execution, &name.base);
                let effects = model::effects(&execution, self.scene);
                let arguments = Arguments::read(&name.base, &execution.argv);
                self.named(&execution, name, &arguments, &effects, weight);
            } else {
                self.named(execution, name, arguments, effects, weight);
            }
        }
        if names.is_empty() && (!effects.is_empty() || !execution.environment.is_empty()) {
            let arguments = Arguments::read("", &execution.argv);
            self.unnamed(
                execution,
                &arguments,
                effects,
                Weight {
                    certain: true,
                    local,
                },
            );
        }
        if let Some(on_host) = &on_host {
            self.mounted(on_host);
        }
        if execution.reach != Reach::Script && naming::is_respelled_carrier(execution) {
            self.at("shell.cased-name", execution);
        }
        if self.mode == Mode::Strict {
            self.strict(execution, &names, &arguments, effects);
        }
        self.allowed = false;
    }

    /// Rules for a program of this name, then those for any program.
    fn named(
        &mut self,
        execution: &Execution,
        name: &Name<'_>,
        arguments: &Arguments<'_>,
        effects: &[Effect],
        weight: Weight,
    ) {
        let subject = Subject {
            execution,
            arguments,
            effects,
            taken: 0,
        };
        let package = packages::runs_package(execution);
        let weight = Weight {
            certain: weight.certain && (!package || packages::is_modelled(&name.base)),
            ..weight
        };
        for index in pack::by_name(&name.base)
            .iter()
            .copied()
            .chain(pack::by_prefix(&name.base))
        {
            if !(package && is_of_the_system(index)) {
                self.clause(index, &subject, weight);
            }
        }
        self.unnamed(execution, arguments, effects, weight);
    }

    fn unnamed(
        &mut self,
        execution: &Execution,
        arguments: &Arguments<'_>,
        effects: &[Effect],
        weight: Weight,
    ) {
        let subject = Subject {
            execution,
            arguments,
            effects,
            taken: 0,
        };
        if !effects.is_empty() {
            for index in pack::BY_EFFECT {
                self.clause(*index, &subject, weight);
            }
        }
        if !execution.environment.is_empty() {
            for index in pack::BY_ENVIRONMENT {
                self.clause(*index, &subject, weight);
            }
        }
    }

    fn clause(&mut self, index: u16, subject: &Subject<'_>, weight: Weight) {
        let Some(clause) = pack::CLAUSES.get(usize::from(index)) else {
            return;
        };
        let Some(matched) = clause.matches(subject) else {
            return;
        };
        let Some(rule) = pack::RULES.get(usize::from(clause.rule)) else {
            return;
        };
        let effect = matched.effect.and_then(|index| subject.effects.get(index));
        // Whoever sees the host's processes ends them.
        let weight = Weight {
            local: weight.local
                || field(rule.id) == "process" && mount::shares_processes(&subject.execution.via),
            ..weight
        };
        let floor = rule.floor.filter(|_| stays_floor(effect, weight));
        // What the line sets for the program is no part of what the user allowed.
        let allowed = self.allowed && clause.environment.is_empty();
        if floor.is_none() && (allowed || !self.counts(clause, subject, effect)) {
            return;
        }
        let span = match effect {
            Some(effect) => effect.span,
            None => subject.execution.span,
        };
        self.record(
            usize::from(clause.rule),
            floor,
            span,
            &subject.execution.via,
            Some(subject.execution),
        );
    }

    /// Outside of the line itself only what is resolved counts.
    fn counts(&self, clause: &Clause, subject: &Subject<'_>, effect: Option<&Effect>) -> bool {
        if subject.execution.reach == Reach::Line {
            return true;
        }
        let known = |value: &Value| value.is_known() && !value.has_unset();
        let execution = subject.execution;
        let resolved = |effect: &Effect| {
            let target = match effect.argument {
                Some(at) => execution.argv.get(at).map(|arg| &arg.value),
                None => execution
                    .redirections
                    .iter()
                    .find(|redirection| redirection.span == effect.span)
                    .map(|redirection| &redirection.target),
            };
            target.is_none_or(known)
                && !effect.places.iter().any(|place| {
                    matches!(
                        place,
                        Place::Unresolved
                            | Place::UnresolvedRoot
                            | Place::Unnamed
                            | Place::EmptyJoin
                    )
                })
        };
        match effect {
            Some(effect) => {
                resolved(effect)
                    || subject
                        .effects
                        .iter()
                        .any(|other| clause.is_effect(other) && resolved(other))
            }
            None => execution.argv.iter().all(|arg| known(&arg.value)),
        }
    }

    /// Floors whose paths are this machine's by a mount.
    fn mounted(&mut self, execution: &mount::OnHost) {
        let effects: Vec<Effect> = model::effects(&execution.execution, self.scene)
            .into_iter()
            .filter(|effect| {
                effect
                    .argument
                    .map_or(execution.redirected, |at| execution.moved.contains(&at))
            })
            .collect();
        if effects.is_empty() {
            return;
        }
        for name in naming::names(&execution.execution) {
            let weight = Weight {
                certain: name.certain,
                local: true,
            };
            let arguments = Arguments::read(&name.base, &execution.execution.argv);
            self.unnamed(&execution.execution, &arguments, &effects, weight);
        }
    }

    fn fact(&mut self, fact: &Fact) {
        let counts = match fact.kind {
            FactKind::ForkBomb => true,
            FactKind::CodeFetched => fact.reach != Reach::Uncalled,
            _ => fact.reach == Reach::Line,
        };
        if !counts {
            return;
        }
        let local = mount::is_local(&fact.via);
        for index in pack::BY_FACT {
            let Some(clause) = pack::CLAUSES.get(usize::from(*index)) else {
                continue;
            };
            let Some(rule) = pack::RULES.get(usize::from(clause.rule)) else {
                continue;
            };
            if clause.fact.contains(&fact.kind) {
                // Each place where a bomb starts itself is a place of the same bomb.
                if fact.kind == FactKind::ForkBomb && self.has_floor(rule.id) {
                    continue;
                }
                let floor = rule.floor.filter(|_| local);
                self.record(usize::from(clause.rule), floor, fact.span, &fact.via, None);
            }
        }
    }

    fn has_floor(&self, id: &str) -> bool {
        self.found
            .iter()
            .any(|own| own.floor.is_some() && own.finding.rule == id)
    }

    fn strict(
        &mut self,
        execution: &Execution,
        names: &[Name<'_>],
        arguments: &[Arguments<'_>],
        effects: &[Effect],
    ) {
        let harmless = |effect: &Effect| match effect.verb {
            Verb::Read => true,
            Verb::Write | Verb::Append | Verb::Edit | Verb::Delete => {
                effect.places.iter().all(|place| {
                    matches!(
                        place,
                        Place::Work | Place::TempChild | Place::NullDevice | Place::Regenerable
                    )
                })
            }
            _ => false,
        };
        let known = names.iter().zip(arguments).all(|(name, arguments)| {
            name.certain
                && pack::known(&name.base).iter().any(|words| {
                    matching::words_match(words, arguments).is_some_and(|taken| {
                        arguments
                            .operands
                            .iter()
                            .take(taken)
                            .all(|at| arguments.words.get(*at).is_some_and(Option::is_some))
                    })
                })
        });
        if self.allowed {
            return;
        }
        if names.is_empty() || !known || !effects.iter().all(harmless) {
            self.at("strict.unknown", execution);
        }
    }

    /// Records what the user's rules find; whether they allow the execution.
    fn user(
        &mut self,
        execution: &Execution,
        names: &[Name<'_>],
        arguments: &[Arguments<'_>],
    ) -> bool {
        let mut allowed = false;
        let mut asked = false;
        for rule in &self.policy.rules {
            let matches = names.iter().zip(arguments).any(|(name, arguments)| {
                (rule.action != Action::Allow || (name.certain && !name.respelled))
                    && user::matches(rule, &name.base, execution, arguments)
            });
            if !matches {
                continue;
            }
            match rule.action {
                Action::Allow => {
                    allowed |= execution.via.is_empty() && execution.redirections.is_empty();
                }
                Action::Ask if self.mode != Mode::Off => {
                    asked = true;
                    self.add(by_user(rule, execution, None));
                }
                Action::Ask => {}
                Action::Deny => self.add(by_user(rule, execution, Some(Floor::UserDeny))),
            }
        }
        allowed && !asked
    }

    fn record(
        &mut self,
        index: usize,
        floor: Option<Floor>,
        span: Span,
        via: &[Via],
        execution: Option<&Execution>,
    ) {
        let Some(rule) = pack::RULES.get(index) else {
            return;
        };
        if floor.is_none()
            && (self.mode == Mode::Off || self.disabled.get(index).copied().unwrap_or_default())
        {
            return;
        }
        self.add(Found {
            finding: finding(rule, floor, span, via, execution),
            floor,
        });
    }

    /// Adds a finding; of two of the same rule at the same place the graver stays.
    fn add(&mut self, found: Found) {
        let same = self.found.iter_mut().find(|own| {
            own.finding.span == found.finding.span && own.finding.rule == found.finding.rule
        });
        if let Some(own) = same {
            if own.floor.is_none() && found.floor.is_some() {
                *own = found;
            }
            return;
        }
        let first_floor =
            found.floor.is_some() && self.found.iter().all(|own| own.floor != found.floor);
        if self.found.len() < MOST_FINDINGS || first_floor {
            self.found.push(found);
        }
    }
}

/// The part of a rule's id that names its field.
fn field(id: &str) -> &str {
    id.split('.').next().unwrap_or(id)
}

/// Whether the clause belongs to a rule about the system's own programs.
fn is_of_the_system(clause: u16) -> bool {
    pack::CLAUSES
        .get(usize::from(clause))
        .and_then(|clause| pack::RULES.get(usize::from(clause.rule)))
        .is_some_and(|rule| packages::is_of_the_system(field(rule.id)))
}

/// A floor stays one where its effect is certain: on this machine, by the program that is meant, or
/// by a redirection, which needs no program.
fn stays_floor(effect: Option<&Effect>, weight: Weight) -> bool {
    let redirected = effect.is_some_and(|effect| effect.argument.is_none());
    weight.local && (weight.certain || redirected)
}

fn finding(
    rule: &'static Rule,
    floor: Option<Floor>,
    span: Span,
    via: &[Via],
    execution: Option<&Execution>,
) -> Finding {
    let severity = match (floor, rule.severity) {
        (None, Severity::Floor) => Severity::High,
        (_, severity) => severity,
    };
    Finding {
        rule: Cow::Borrowed(rule.id),
        severity,
        title: Cow::Borrowed(rule.title),
        why: Cow::Borrowed(rule.why),
        span,
        argv: execution.map(words).unwrap_or_default(),
        via: via.iter().map(|via| via.name.clone()).collect(),
        suggest: rule
            .suggest
            .zip(execution)
            .and_then(|(template, execution)| suggestion::fitted(template, execution))
            .map(Cow::Owned),
    }
}

fn by_user(rule: &UserRule, execution: &Execution, floor: Option<Floor>) -> Found {
    let title = match floor {
        Some(_) => "Refused by your rule",
        None => "Your rule asks",
    };
    let why = rule
        .why
        .clone()
        .unwrap_or_else(|| format!("matches {}", rule.argv.join(" ")));
    Found {
        finding: Finding {
            rule: Cow::Owned(rule.id.clone()),
            severity: if floor.is_some() {
                Severity::Floor
            } else {
                Severity::Medium
            },
            title: Cow::Borrowed(title),
            why: Cow::Owned(why),
            span: execution.span,
            argv: words(execution),
            via: execution.via.iter().map(|via| via.name.clone()).collect(),
            suggest: None,
        },
        floor,
    }
}

fn words(execution: &Execution) -> Vec<Option<Vec<u8>>> {
    execution
        .argv
        .iter()
        .map(|arg| arg.value.bytes().map(Cow::into_owned))
        .collect()
}

/// The same execution with the program's name as the packs spell it.
fn respell(execution: &Execution, base: &str) -> Execution {
    let mut execution = execution.clone();
    if let Some(first) = execution.argv.first_mut() {
        first.value = Value::computed(base.as_bytes());
    }
    execution
}
