//! Lists, pipelines and compound commands.

use std::rc::Rc;

use super::certain::{Condition, Loop};
use super::each::Each;
use crate::execution::FactKind;
use crate::resolve::calls::simple::literal;
use crate::resolve::machine::state::{Function, State};
use crate::resolve::machine::{Escapes, Io, Machine, bound_readings};
use crate::source::Span;
use crate::syntax::{AndOr, Arm, Command, CommandKind, Junction, List, Pipeline, Word};
use crate::value::{Origin, Value};

/// How many rounds a loop in a loop is followed before its variables are forgotten.
const INNER_ROUNDS: usize = 2;

impl Machine<'_> {
    pub(crate) fn list(&mut self, list: &List, state: &mut State, io: &mut Io) {
        for item in &list.items {
            if !self.spend(1) {
                return;
            }
            self.and_or(item, state, io);
        }
    }

    /// The same, of a text: what ends the rest of a line leaves the lines behind it.
    pub(crate) fn lines(&mut self, list: &List, state: &mut State, io: &mut Io) {
        for item in &list.items {
            if !self.spend(1) {
                return;
            }
            if item.begins_line {
                self.take_up(state);
            }
            self.and_or(item, state, io);
        }
        self.take_up(state);
    }

    /// Takes in the states in which a line ended early.
    fn take_up(&mut self, state: &mut State) {
        for given_up in std::mem::take(&mut self.given_up) {
            self.join(state, &given_up);
        }
    }

    fn and_or(&mut self, item: &AndOr, state: &mut State, io: &mut Io) {
        if item.background {
            // In a subshell; what it leaves behind are executions only.
            let outer = self.active.last_mut().map(|active| {
                let outer = active.in_background;
                active.in_background |= active.conditional == 0 && item.rest.is_empty();
                outer
            });
            let mut inner = state.clone();
            self.jobs += 1;
            self.has_started_job = true;
            self.in_own_process(&mut inner, |m, inner| m.chain(item, inner, io));
            self.jobs -= 1;
            state.keep_files(&inner);
            if let (Some(active), Some(outer)) = (self.active.last_mut(), outer) {
                active.in_background = outer;
            }
        } else {
            self.chain(item, state, io);
        }
    }

    fn chain(&mut self, item: &AndOr, state: &mut State, io: &mut Io) {
        let mut start = (Rc::clone(&state.place), state.elsewhere.clone());
        self.pipeline(&item.first, state, io);
        let left_is_cd = changes_directory(&item.first);
        let mut skipped_from = Vec::new();
        let last = item.rest.len() == 1;
        for (junction, pipeline) in &item.rest {
            let before = state.clone();
            if *junction == Junction::Or {
                // What failed has not changed the directory.
                (state.place, state.elsewhere) = start;
            } else if !state.place.stayed.is_empty() {
                Rc::make_mut(&mut state.place).stayed.clear();
            }
            start = (Rc::clone(&state.place), state.elsewhere.clone());
            let mut skipped = io.clone();
            if let Some(active) = self.active.last_mut() {
                active.conditional += 1;
            }
            self.pipeline(pipeline, state, io);
            if let Some(active) = self.active.last_mut() {
                active.conditional -= 1;
            }
            // Directories: `&&` is taken to have succeeded.
            let reached = (Rc::clone(&state.place), state.elsewhere.clone());
            let left = state.left;
            self.join(state, &before);
            if *junction == Junction::Or && left && !state.place.stayed.is_empty() {
                // `cd x || exit`
                Rc::make_mut(&mut state.place).stayed.clear();
            }
            if *junction == Junction::And && !left {
                // Where the line went before, it is still if what `&&` waits for failed.
                let went = before.place.cwd != reached.0.cwd;
                let stayed = (before.place.cwd.clone(), before.place.previous.clone());
                if went && before.place.previous.is_some() {
                    skipped_from.push(before);
                }
                (state.place, state.elsewhere) = reached;
                if went {
                    Rc::make_mut(&mut state.place).stay_in(&[stayed]);
                }
            }
            if last && *junction == Junction::And && left_is_cd && io.captured.is_some() {
                // `$(cd x && pwd)`: what `&&` waits for is taken to have succeeded.
                io.stdin = skipped.stdin;
                continue;
            }
            std::mem::swap(io, &mut skipped);
            // The reading in which the command ran comes first.
            let stdin = io.stdin.take();
            skipped.join(std::mem::take(io));
            *io = skipped;
            io.stdin = stdin;
        }
        if !state.left {
            for before in &skipped_from {
                state.join_places(before);
            }
        }
    }

    fn pipeline(&mut self, pipeline: &Pipeline, state: &mut State, io: &mut Io) {
        let [first, rest @ ..] = pipeline.stages.as_slice() else {
            return;
        };
        if rest.is_empty() {
            self.command(first, state, io);
            return;
        }
        let outer = self.active.last_mut().map(|active| {
            let outer = (active.in_pipeline, active.self_calls_in_pipeline);
            active.in_pipeline |= active.conditional == 0;
            active.self_calls_in_pipeline = 0;
            outer
        });
        let [stages @ .., last] = pipeline.stages.as_slice() else {
            return;
        };
        let mut inputs = vec![io.stdin.clone()];
        for (index, stage) in stages.iter().enumerate() {
            let captured = Some(vec![Value::empty()]);
            let errors = pipeline.with_stderr.get(index) == Some(&true);
            self.jobs += 1;
            let (end, printed) = self.stage(stage, false, inputs, captured, errors, state);
            self.jobs -= 1;
            // Files that one stage writes are there for the others.
            state.keep_files(&end);
            inputs = printed
                .unwrap_or_default()
                .into_iter()
                .map(|text| Some(Rc::new(text)))
                .collect();
        }
        let captured = io.captured.take();
        let (end, printed) = self.stage(last, true, inputs, captured, io.errors, state);
        io.captured = printed;
        state.keep_files(&end);
        if state.last_pipe {
            self.join(state, &end);
        }
        if let (Some(active), Some((in_pipeline, calls))) = (self.active.last_mut(), outer) {
            active.in_pipeline = in_pipeline;
            active.self_calls_in_pipeline = calls;
        }
    }

    /// Runs one stage of a pipeline in a shell of its own, once for each text that may arrive in it.
    fn stage(
        &mut self,
        stage: &Command,
        last: bool,
        mut inputs: Vec<Option<Rc<Value>>>,
        captured: Option<Vec<Value>>,
        errors: bool,
        state: &State,
    ) -> (State, Option<Vec<Value>>) {
        let limit = self.care().readings;
        if inputs.len() > limit {
            // One text that is not known stands for those that are not followed.
            inputs.truncate(limit - 1);
            inputs.push(Some(Rc::new(Value::unknown_words(Origin::Other))));
        }
        let mut end: Option<State> = None;
        let mut printed = captured.is_some().then(Vec::new);
        for stdin in inputs {
            let mut inner = state.clone();
            if !last {
                inner.print_into_pipe();
            }
            let mut io = Io {
                stdin,
                captured: captured.clone(),
                errors,
            };
            if last && state.last_pipe {
                self.command(stage, &mut inner, &mut io);
            } else {
                self.in_own_process(&mut inner, |m, inner| m.command(stage, inner, &mut io));
            }
            if let (Some(all), Some(own)) = (&mut printed, io.captured) {
                for text in own {
                    if !all.contains(&text) {
                        all.push(text);
                    }
                }
                bound_readings(all);
            }
            match &mut end {
                Some(end) => {
                    self.join(end, &inner);
                }
                None => end = Some(inner),
            }
        }
        (end.unwrap_or_else(|| state.clone()), printed)
    }

    /// A compound command without its redirections.
    pub(crate) fn compound(&mut self, command: &Command, state: &mut State, io: &mut Io) {
        match &command.kind {
            CommandKind::Simple(simple) => self.simple(simple, command.span, state, io),
            CommandKind::Group(list) => self.list(list, state, io),
            CommandKind::Subshell(list) => {
                let mut inner = state.clone();
                self.in_own_process(&mut inner, |m, inner| m.list(list, inner, io));
                state.keep_files(&inner);
            }
            CommandKind::Coprocess { name, body } => {
                self.coprocess(name.as_deref().unwrap_or(b"COPROC"), body, state);
            }
            CommandKind::If {
                branches,
                otherwise,
            } => {
                self.conditionally(|m| m.branches(branches, otherwise.as_ref(), state, io));
            }
            CommandKind::While {
                until,
                condition,
                body,
            } => {
                // An endless loop is no condition for what stands in it.
                let endless = always(condition);
                let looped = Loop {
                    condition: Condition::List(condition, *until),
                    body,
                    step: None,
                };
                let mut run = |m: &mut Self| m.run_loop(&looped, state, io);
                if endless {
                    run(self);
                } else {
                    self.conditionally(run);
                }
                if !until {
                    self.behind_last_line(condition, state);
                }
            }
            CommandKind::For {
                variable,
                words,
                body,
                select,
            } => {
                self.conditionally(|m| {
                    let each = Each {
                        variable,
                        words: words.as_deref(),
                        body,
                        select: *select,
                    };
                    m.for_each(&each, state, io);
                });
            }
            CommandKind::ArithmeticFor { expressions, body } => {
                let [first, condition, step] = expressions.as_slice() else {
                    self.conditionally(|m| m.list(body, state, io));
                    return;
                };
                self.in_every_reading(state, io, |m, state, _| {
                    m.arithmetic_word(first, state);
                });
                let looped = Loop {
                    condition: Condition::Arithmetic(condition),
                    body,
                    step: Some(step),
                };
                self.conditionally(|m| m.run_loop(&looped, state, io));
            }
            CommandKind::Case { word, arms } => {
                self.conditionally(|m| m.case(word, arms, state, io));
            }
            CommandKind::Arithmetic(word) => {
                self.in_every_reading(state, io, |m, state, _| {
                    m.arithmetic_word(word, state);
                });
            }
            CommandKind::Test(words) => {
                self.in_every_reading(state, io, |m, state, _| m.test(words, state));
            }
            CommandKind::Function { name, body } => {
                let function = Function {
                    bodies: vec![Rc::clone(body)],
                    maybe: false,
                    more: false,
                };
                state.functions.insert(name, function);
                if self.shallow {
                    let mut inner = state.clone();
                    std::rc::Rc::make_mut(&mut inner.parameters).open = true;
                    self.command(body, &mut inner, &mut Io::default());
                } else {
                    self.defer_function(body);
                }
            }
        }
    }

    fn conditionally(&mut self, run: impl FnOnce(&mut Self)) {
        if let Some(active) = self.active.last_mut() {
            active.conditional += 1;
        }
        run(self);
        if let Some(active) = self.active.last_mut() {
            active.conditional -= 1;
        }
    }

    fn branches(
        &mut self,
        branches: &[(List, List)],
        otherwise: Option<&List>,
        state: &mut State,
        io: &mut Io,
    ) {
        let mut ends: Vec<(State, Io)> = Vec::new();
        for (condition, body) in branches {
            self.list(condition, state, io);
            let mut taken = (state.clone(), io.clone());
            self.list(body, &mut taken.0, &mut taken.1);
            ends.push(taken);
        }
        if let Some(body) = otherwise {
            self.list(body, state, io);
        }
        self.join_ends(ends, state, io);
    }

    fn join_ends(&mut self, ends: Vec<(State, Io)>, state: &mut State, io: &mut Io) {
        for (end, printed) in ends {
            self.join(state, &end);
            io.join(printed);
        }
    }

    /// A loop whose number of rounds is not known.
    pub(super) fn rounds(
        &mut self,
        state: &mut State,
        io: &mut Io,
        body: impl FnMut(&mut Self, &mut State, &mut Io),
    ) {
        self.escapes.push(Escapes::default());
        self.repeat(false, state, io, body);
        self.leave_loop(state, io);
    }

    /// Any number of rounds, where the first is `certain` at least one, of the innermost loop.
    pub(super) fn repeat(
        &mut self,
        certain: bool,
        state: &mut State,
        io: &mut Io,
        mut body: impl FnMut(&mut Self, &mut State, &mut Io),
    ) {
        let outermost =
            self.escapes.len() < 2 && !self.active.iter().any(|call| call.called_in_loop);
        let rounds = if self.shallow {
            1
        } else if outermost {
            self.care().rounds
        } else {
            INNER_ROUNDS
        };
        for round in 0..rounds {
            let before = state.clone();
            let skipped = io.clone();
            body(self, state, io);
            self.go_on(state, io);
            let end = std::mem::replace(state, before.clone());
            let mut changed = self.join(state, &end);
            // What is printed once more may be another text.
            changed |= round == 0 && io.captured != skipped.captured;
            if certain && round == 0 {
                *state = end;
                state.left = false;
            } else {
                io.join(skipped);
            }
            if !changed || !self.spend(1) {
                break;
            }
            if round + 2 == rounds {
                state.widen_changed(&before);
            } else if round + 1 == rounds {
                state.widen_arrays(&before);
            }
        }
    }

    /// Takes in the states in which `continue` left the body of the innermost loop.
    pub(super) fn go_on(&mut self, state: &mut State, io: &mut Io) {
        let ways = self
            .escapes
            .last_mut()
            .map(|ways| std::mem::take(&mut ways.on));
        self.take_in(ways.unwrap_or_default(), state, io);
    }

    pub(super) fn leave_loop(&mut self, state: &mut State, io: &mut Io) {
        let escapes = self.escapes.pop().unwrap_or_default();
        state.left = false;
        self.take_in(escapes.on, state, io);
        self.take_in(escapes.out, state, io);
    }

    fn take_in(&mut self, ways: Vec<(State, Io)>, state: &mut State, io: &mut Io) {
        for (mut escaped, printed) in ways {
            escaped.left = false;
            self.join(state, &escaped);
            io.join(printed);
        }
    }

    fn case(&mut self, word: &Word, arms: &[Arm], state: &mut State, io: &mut Io) {
        self.in_every_reading(state, io, |m, state, _| {
            m.expand_single(word, state);
        });
        let mut ends: Vec<(State, Io)> = Vec::new();
        let mut fallen: Option<(State, Io)> = None;
        for arm in arms {
            self.in_every_reading(state, io, |m, state, _| {
                for pattern in &arm.patterns {
                    m.expand_single(pattern, state);
                }
            });
            let mut taken = (state.clone(), io.clone());
            if let Some((fell, printed)) = fallen.take() {
                self.join(&mut taken.0, &fell);
                taken.1.join(printed);
            }
            self.list(&arm.body, &mut taken.0, &mut taken.1);
            if arm.falls_through {
                fallen = Some(taken.clone());
            }
            ends.push(taken);
        }
        self.join_ends(ends, state, io);
    }

    /// `[[ … ]]`: words are expanded; operands of arithmetic operators and of `-v` are evaluated.
    fn test(&mut self, words: &[Word], state: &mut State) {
        let mut arithmetic_next = false;
        let mut previous: Option<(Value, Span)> = None;
        for word in words {
            let value = self.expand_single(word, state);
            if arithmetic_next {
                self.arithmetic_text(&value, word.span, state);
            }
            arithmetic_next = value.bytes().is_some_and(|b| {
                matches!(
                    &*b,
                    b"-eq" | b"-ne" | b"-lt" | b"-le" | b"-gt" | b"-ge" | b"-v" | b"-R"
                )
            });
            if arithmetic_next && let Some((left, span)) = previous.take() {
                self.arithmetic_text(&left, span, state);
            }
            previous = Some((value, word.span));
        }
    }

    /// Notes that the function `name` is called; says whether it is one that never ends.
    pub(crate) fn note_self_call(&mut self, name: &[u8], span: Span) {
        let Some(active) = self
            .active
            .iter_mut()
            .rev()
            .find(|active| active.name == name)
        else {
            return;
        };
        if active.conditional > 0 {
            return;
        }
        if active.in_pipeline {
            active.self_calls_in_pipeline += 1;
        }
        if active.in_background || active.self_calls_in_pipeline > 1 {
            self.fact(FactKind::ForkBomb, span, name);
        }
    }
}

/// A condition that always holds: `true`, `:`.
fn always(condition: &List) -> bool {
    let [item] = condition.items.as_slice() else {
        return false;
    };
    let [command] = item.first.stages.as_slice() else {
        return false;
    };
    let CommandKind::Simple(simple) = &command.kind else {
        return false;
    };
    let [word] = simple.words.as_slice() else {
        return false;
    };
    item.rest.is_empty()
        && !item.first.negated
        && literal(word).is_some_and(|name| matches!(name, b"true" | b":"))
}

/// A plain `cd`.
fn changes_directory(pipeline: &Pipeline) -> bool {
    matches!(pipeline.stages.as_slice(), [only]
        if matches!(&only.kind, CommandKind::Simple(simple)
            if simple.words.first().and_then(literal) == Some(b"cd")))
        && !pipeline.negated
}
