//! From executions and facts to findings.

mod allowances;
mod collected;
mod findings;
mod own;
mod weight;

use std::borrow::Cow;

use herma_shell::{Analysis, Execution, Fact, FactKind, Reach, Source, Span, Value, Via};

use self::allowances::Allowances;
use self::collected::Collected;
pub(crate) use self::collected::Found;
use self::findings::finding;
use self::weight::{Weight, counts, stays_floor};
use crate::access::{Access, READER};
use crate::arguments::Arguments;
use crate::effect::Effect;
use crate::handed;
use crate::matching::Subject;
use crate::model;
use crate::mount;
use crate::naming::{self, Name};
use crate::pack;
use crate::packages;
use crate::policy::{Mode, Policy};
use crate::scene::Scene;
use crate::sequence;
use crate::suggestion;
use crate::verdict::{Allowed, Floor};

/// Collects what is found in one text.
pub(crate) struct Judge<'a> {
    policy: &'a Policy,
    disabled: &'a [bool],
    mode: Mode,
    scene: &'a Scene,
    found: Collected,
    /// The user's rules that allow the execution at hand, by their number.
    allowing: Vec<usize>,
    allowances: Allowances,
    /// Something that the line itself runs, or a tool, changes files.
    changes_files: bool,
    /// The number of the execution at hand in its analysis.
    at: Option<usize>,
    /// How many patterns in command position are still looked up.
    patterns: usize,
}

/// Each pattern in command position may stand for hundreds of programs.
const MOST_PATTERNS: usize = 32;

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
            found: Collected::default(),
            allowing: Vec::new(),
            allowances: Allowances::default(),
            changes_files: false,
            at: None,
            patterns: MOST_PATTERNS,
        }
    }

    /// What was found, gravest first, and what the user's rules silenced.
    pub(crate) fn finish(self) -> (Vec<Found>, Vec<Allowed>) {
        let allowed = self.allowances.finish(&self.found, &self.policy.rules);
        (self.found.finish(), allowed)
    }

    /// Whether anything that was judged changes files.
    pub(crate) fn changes_files(&self) -> bool {
        self.changes_files
    }

    /// Judges everything in the analysis of a text. `view` maps spans when it is not the text that
    /// was given.
    pub(crate) fn analysis(&mut self, text: &[u8], analysis: &Analysis, view: Option<&Source>) {
        let before = self.found.len();
        for (index, execution) in analysis.executions.iter().enumerate() {
            let effects = handed::effects(&analysis.executions, index, self.scene);
            self.changes_files |=
                execution.reach != Reach::Script && effects.iter().any(Effect::changes_a_file);
            self.at = Some(index);
            self.execution(execution, &effects);
        }
        self.at = None;
        for (rule, execution) in sequence::scan(&analysis.executions, self.scene) {
            self.about(rule, execution);
        }
        for fact in &analysis.facts {
            self.fact(fact);
        }
        for found in self.found.since(before) {
            found.finding.suggest = found.execution.and_then(|index| {
                let rule = pack::RULES
                    .iter()
                    .find(|rule| rule.id == found.finding.rule)?;
                let suggest = suggestion::fitted(rule.suggest?, text, &analysis.executions, index)?;
                Some(Cow::Owned(suggest))
            });
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
                self.found.add(found);
            }
        }
    }

    /// Judges a file tool's use of a file, under each name of the file.
    pub(crate) fn access(&mut self, access: &Access<'_>) {
        self.allowing = self.user_tools(access);
        let certain = Weight {
            certain: true,
            local: true,
        };
        for name in access.names {
            for (execution, effects) in access.executions(name) {
                self.changes_files |= effects.iter().any(Effect::changes_a_file);
                if let Some(command) = access.command(name) {
                    let arguments = Arguments::read(READER, &command);
                    let subject = Subject {
                        execution: &execution,
                        arguments: &arguments,
                        effects: &effects,
                        taken: 0,
                    };
                    for index in pack::by_name(READER) {
                        self.clause(*index, &subject, certain);
                    }
                }
                let arguments = Arguments::read("", &execution.argv);
                self.unnamed(&execution, &arguments, &effects, certain);
                if self.mode == Mode::Strict {
                    self.strict_access(&execution, &effects);
                }
            }
        }
        self.allowing.clear();
    }

    /// Records a rule about the line as a whole.
    pub(crate) fn line(&mut self, id: &str, span: Span) {
        if let Some(index) = pack::RULES.iter().position(|rule| rule.id == id) {
            self.record(index, None, span, &[], None);
        }
    }

    /// Records a rule about an execution by the rule's id.
    fn about(&mut self, id: &str, execution: &Execution) {
        if let Some(index) = pack::RULES.iter().position(|rule| rule.id == id) {
            self.record(index, None, execution.span, &execution.via, Some(execution));
        }
    }

    fn execution(&mut self, execution: &Execution, effects: &[Effect]) {
        if naming::is_pattern(execution) {
            match self.patterns.checked_sub(1) {
                Some(left) => self.patterns = left,
                None => return self.about("shell.command-unresolved", execution),
            }
        }
        let names = naming::names(execution);
        let arguments: Vec<Arguments<'_>> = names
            .iter()
            .map(|name| Arguments::read(&name.base, &execution.argv))
            .collect();
        self.allowing = self.user(execution, &names, &arguments);
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
            self.about("shell.cased-name", execution);
        }
        if self.mode == Mode::Strict {
            self.strict(execution, &names, &arguments, effects);
        }
        self.allowing.clear();
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
        // `reboot -h` and its like stop the machine.
        let explains = clause.effect.is_empty() && field(rule.id) != "power";
        if explains && subject.arguments.only_explain(clause.words.len()) {
            return;
        }
        // Whoever sees the host's processes ends them.
        let weight = Weight {
            local: weight.local
                || field(rule.id) == "process" && mount::shares_processes(&subject.execution.via),
            ..weight
        };
        let floor = rule.floor.filter(|_| stays_floor(effect, weight));
        let span = match effect {
            Some(effect) => effect.span,
            None => subject.execution.span,
        };
        // What the line sets for the program is no part of what the user allowed.
        let allowed = !self.allowing.is_empty() && !rule.each_time && clause.environment.is_empty();
        if floor.is_none() {
            if !counts(clause, subject, effect) {
                return;
            }
            if allowed {
                return self.silence(usize::from(clause.rule), span);
            }
        }
        self.record(
            usize::from(clause.rule),
            floor,
            span,
            &subject.execution.via,
            Some(subject.execution),
        );
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
                if fact.kind == FactKind::ForkBomb && self.found.has_floor(rule.id) {
                    continue;
                }
                let floor = rule.floor.filter(|_| local);
                let before = self.found.len();
                self.record(usize::from(clause.rule), floor, fact.span, &fact.via, None);
                for found in self.found.since(before) {
                    found.finding.script.clone_from(&fact.script);
                }
            }
        }
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
        if floor.is_none() && self.is_off(index) {
            return;
        }
        self.found.add(Found {
            finding: finding(rule, floor, span, via, execution),
            floor,
            execution: self.at,
        });
    }

    /// Notes that the user's rules for the execution at hand stand against a rule.
    fn silence(&mut self, index: usize, span: Span) {
        if self.is_off(index) {
            return;
        }
        if let Some(rule) = pack::RULES.get(index) {
            self.allowances.add(&self.allowing, rule.id, span);
        }
    }

    /// Whether the mode or the configuration switches a rule off.
    fn is_off(&self, index: usize) -> bool {
        let quiet =
            self.mode == Mode::Off && !pack::RULES.get(index).is_some_and(|rule| rule.each_time);
        quiet || self.disabled.get(index).copied().unwrap_or_default()
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

/// The same execution with the program's name as the packs spell it.
fn respell(execution: &Execution, base: &str) -> Execution {
    let mut execution = execution.clone();
    if let Some(first) = execution.argv.first_mut() {
        first.value = Value::computed(base.as_bytes());
    }
    execution
}
