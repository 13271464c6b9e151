//! Collects the answer without repetitions.

use std::collections::HashMap;

use super::fingerprint::Fingerprints;
use crate::environment::Environment;
use crate::execution::{
    Analysis, Execution, Fact, FactKind, Reach, ScriptPlace, Status, Uncertain, Why,
};
use crate::resolve::machine::Machine;
use crate::resolve::machine::places::Scripts;
use crate::source::Span;

/// How many executions one answer may hold; more count as not understood.
pub(crate) const MAX_EXECUTIONS: usize = 20_000;

/// So many executions are compared one by one: most lines have no more.
const FEW: usize = 8;

/// How many facts, and how many places that were not understood, one answer may hold.
const MAX_FACTS: usize = 256;

#[derive(Default)]
pub(crate) struct Report {
    executions: Vec<Execution>,
    fingerprints: Fingerprints,
    /// Where executions with this fingerprint stand; nothing while there are few.
    seen: HashMap<u64, Vec<usize>>,
    facts: Vec<Fact>,
    uncertain: Vec<Uncertain>,
    /// Units of work that were spent.
    pub(crate) work: u64,
    pub(crate) scripts: Scripts,
    /// For each execution, the script file that it stands in.
    places: Vec<Option<ScriptPlace>>,
    /// The environment that was moved last, before and behind that: most executions share one.
    moved: Option<(Environment, Environment)>,
}

impl Report {
    /// For a text that ends here.
    pub(crate) fn behind(end: u32) -> Self {
        Self {
            scripts: Scripts::behind(end),
            ..Self::default()
        }
    }

    /// Adds an execution unless it is known; says whether there is room for more.
    pub(crate) fn execution(&mut self, mut execution: Execution) -> bool {
        let place = self.scripts.place(execution.span);
        self.outside(&mut execution);
        if self.is_known(&execution) {
            return true;
        }
        self.executions.push(execution);
        self.places.push(place);
        self.executions.len() < MAX_EXECUTIONS
    }

    /// Whether the answer holds half of the executions that it may hold.
    pub(crate) fn is_half_full(&self) -> bool {
        self.executions.len() > MAX_EXECUTIONS / 2
    }

    /// Whether the answer holds this execution; else its place is noted.
    fn is_known(&mut self, execution: &Execution) -> bool {
        let count = self.executions.len();
        if count < FEW {
            return self.executions.contains(execution);
        }
        if self.seen.is_empty() {
            for (index, known) in self.executions.iter().enumerate() {
                let same = self.seen.entry(self.fingerprints.of(known)).or_default();
                same.push(index);
            }
        }
        let same = self
            .seen
            .entry(self.fingerprints.of(execution))
            .or_default();
        if same
            .iter()
            .any(|index| self.executions.get(*index) == Some(execution))
        {
            return true;
        }
        same.push(count);
        false
    }

    /// Moves what is in a script to where the script is run.
    fn outside(&mut self, execution: &mut Execution) {
        self.environment_outside(&mut execution.environment);
        let scripts = &self.scripts;
        let at = Span::new(execution.at, execution.at);
        execution.at = scripts.outside(at).start;
        execution.span = scripts.outside(execution.span);
        for arg in &mut execution.argv {
            arg.span = scripts.outside(arg.span);
            scripts.unwritten(&mut arg.value);
        }
        for redirection in &mut execution.redirections {
            redirection.span = scripts.outside(redirection.span);
            scripts.unwritten(&mut redirection.target);
        }
        if let Some(stdin) = &mut execution.stdin {
            scripts.unwritten(stdin);
        }
    }

    fn environment_outside(&mut self, environment: &mut Environment) {
        if environment.is_empty() {
            return;
        }
        let inside = environment.clone();
        match &self.moved {
            Some((known, outside)) if known.is_copy(&inside) => *environment = outside.clone(),
            _ => {
                environment.each(|binding| {
                    binding.span = self.scripts.outside(binding.span);
                    self.scripts.unwritten(&mut binding.value);
                });
                self.moved = Some((inside, environment.clone()));
            }
        }
    }

    pub(crate) fn fact(&mut self, mut fact: Fact) {
        let place = self.scripts.place(fact.span);
        fact.span = self.scripts.outside(fact.span);
        let same = |own: &Fact| {
            own.kind == fact.kind
                && own.span == fact.span
                && own.via == fact.via
                && own.reach == fact.reach
                && own.program == fact.program
        };
        if self.facts.iter().any(same) {
            return;
        }
        fact.script = place;
        if self.facts.len() < MAX_FACTS {
            self.facts.push(fact);
        } else if fact.reach != Reach::Script
            || matches!(fact.kind, FactKind::ForkBomb | FactKind::CodeFetched)
        {
            // What cannot be resolved in a script is no finding.
            self.uncertain(Uncertain {
                why: Why::Fuel,
                span: fact.span,
            });
        }
    }

    pub(crate) fn uncertain(&mut self, mut uncertain: Uncertain) {
        uncertain.span = self.scripts.outside(uncertain.span);
        if !self.uncertain.contains(&uncertain) && self.uncertain.len() < MAX_FACTS {
            self.uncertain.push(uncertain);
        }
    }

    /// The answer; every span lies within `whole`.
    pub(crate) fn finish(mut self, whole: Span) -> Analysis {
        let inside = |span: &mut Span| {
            span.end = span.end.clamp(whole.start, whole.end);
            span.start = span.start.clamp(whole.start, span.end);
        };
        for (execution, place) in self.executions.iter_mut().zip(self.places) {
            execution.script = place;
            inside(&mut execution.span);
            execution.at = execution.at.clamp(whole.start, whole.end);
            execution
                .argv
                .iter_mut()
                .for_each(|arg| inside(&mut arg.span));
            execution
                .redirections
                .iter_mut()
                .for_each(|r| inside(&mut r.span));
            if execution.environment.iter().any(|binding| {
                let mut span = binding.span;
                inside(&mut span);
                span != binding.span
            }) {
                execution
                    .environment
                    .each(|binding| inside(&mut binding.span));
            }
        }
        self.facts
            .iter_mut()
            .for_each(|fact| inside(&mut fact.span));
        self.uncertain
            .iter_mut()
            .for_each(|uncertain| inside(&mut uncertain.span));
        Analysis {
            status: if self.uncertain.is_empty() {
                Status::Clean
            } else {
                Status::NotUnderstood
            },
            executions: self.executions,
            facts: self.facts,
            uncertain: self.uncertain,
            work: self.work,
        }
    }
}

impl Machine<'_> {
    /// Says that a bound hides something. In a script that was there before, one that only makes
    /// values less precise is not worth a question.
    pub(crate) fn beyond(&mut self, span: Span) {
        if self.reach != Reach::Script {
            self.hidden(span);
        }
    }

    /// Says that a bound hides something that runs.
    pub(crate) fn hidden(&mut self, span: Span) {
        self.uncertain(Why::Fuel, span);
    }
}
