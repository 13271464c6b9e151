//! Loops whose conditions are certain: they are followed round by round, as the shell runs them.
//!
//! Everything else about conditions is left open: both sides are taken.

use crate::resolve::calls::simple::literal;
use crate::resolve::machine::state::State;
use crate::resolve::machine::{Escapes, Io, Machine};
use crate::resolve::values::operators::number;
use crate::syntax::{Command, CommandKind, List, Simple, Word};
use crate::value::Value;

/// How many rounds of one loop are followed one by one.
const MAX_ROUNDS: usize = 32;

/// What a loop asks before each round.
#[derive(Clone, Copy)]
pub(crate) enum Condition<'t> {
    /// Commands, and whether they must fail.
    List(&'t List, bool),
    /// An expression.
    Arithmetic(&'t Word),
}

/// A loop.
pub(crate) struct Loop<'t> {
    pub(crate) condition: Condition<'t>,
    pub(crate) body: &'t List,
    /// The expression behind each round.
    pub(crate) step: Option<&'t Word>,
}

impl Machine<'_> {
    /// Runs a loop: as far as its condition is certain round by round, else any number of rounds.
    pub(crate) fn run_loop(&mut self, looped: &Loop<'_>, state: &mut State, io: &mut Io) {
        self.escapes.push(Escapes::default());
        let ended = self.certain_rounds(looped, state, io);
        if !ended {
            // The loop is one of its own: how deep it stands counts.
            let ways = self.escapes.pop().unwrap_or_default();
            self.rounds(state, io, |machine, state, io| {
                machine.ask(&looped.condition, state, io);
                machine.list(looped.body, state, io);
                machine.step(looped, state, io);
            });
            self.escapes.push(ways);
        }
        self.leave_loop(state, io);
    }

    /// Says whether the loop has ended for certain, behind one round or more.
    fn certain_rounds(&mut self, looped: &Loop<'_>, state: &mut State, io: &mut Io) -> bool {
        if self.shallow {
            return false;
        }
        for round in 0..=MAX_ROUNDS {
            // Where there is little left to spend, the bound on rounds is the cheaper one.
            if !self.has_plenty() {
                return false;
            }
            let Some(holds) = self.holds(&looped.condition, state) else {
                return false;
            };
            if !holds && round == 0 || holds && round == MAX_ROUNDS {
                return false;
            }
            self.ask(&looped.condition, state, io);
            if !holds {
                return true;
            }
            self.list(looped.body, state, io);
            let ways = self.escapes.last();
            if ways.is_some_and(|ways| !(ways.out.is_empty() && ways.on.is_empty())) {
                // Whether the next round runs is open: the rest is any number of rounds.
                self.go_on(state, io);
                state.left = false;
                return false;
            }
            if state.left {
                return true;
            }
            if !self.step(looped, state, io) {
                // What cannot be evaluated ends the loop.
                return false;
            }
        }
        false
    }

    /// Runs the condition.
    fn ask(&mut self, condition: &Condition<'_>, state: &mut State, io: &mut Io) {
        match condition {
            Condition::List(list, _) => self.list(list, state, io),
            Condition::Arithmetic(word) => self.in_every_reading(state, io, |m, state, _| {
                m.arithmetic_word(word, state);
            }),
        }
    }

    /// Evaluates what stands behind each round; says whether that could be done.
    fn step(&mut self, looped: &Loop<'_>, state: &mut State, io: &mut Io) -> bool {
        let mut known = true;
        if let Some(step) = looped.step {
            self.in_every_reading(state, io, |m, state, _| {
                known &= step.parts.is_empty() || m.arithmetic_word(step, state).is_known();
            });
        }
        known
    }

    /// Whether the condition holds; `None` where that is not certain.
    fn holds(&mut self, condition: &Condition<'_>, state: &State) -> Option<bool> {
        if !self.spend(50) {
            return None;
        }
        let outer = std::mem::take(&mut self.choice);
        let mut trial = state.clone();
        let holds = match condition {
            Condition::Arithmetic(word) => self.is_not_zero(word, &mut trial),
            Condition::List(list, until) => self
                .succeeds(list, &mut trial)
                .map(|success| success != *until),
        };
        let single = self.choice.is_single();
        self.choice = outer;
        holds.filter(|_| single)
    }

    /// Whether a list that is one test succeeds.
    fn succeeds(&mut self, list: &List, state: &mut State) -> Option<bool> {
        let [item] = list.items.as_slice() else {
            return None;
        };
        let [command] = item.first.stages.as_slice() else {
            return None;
        };
        let Command {
            kind, redirects, ..
        } = command;
        if !item.rest.is_empty() || item.background || !redirects.is_empty() {
            return None;
        }
        let success = match kind {
            CommandKind::Arithmetic(word) => self.is_not_zero(word, state),
            CommandKind::Test(words) => {
                let words = words.iter().map(|word| self.expand_single(word, state));
                test(&words.collect::<Vec<_>>())
            }
            CommandKind::Simple(simple) => self.tested(simple, state),
            _ => None,
        };
        success.map(|success| success != item.first.negated)
    }

    fn tested(&mut self, simple: &Simple, state: &mut State) -> Option<bool> {
        let name = simple.words.first().and_then(literal)?;
        let plain = simple.redirects.is_empty() && simple.assignments.is_empty();
        if !plain || !matches!(name, b"[" | b"test" | b"getopts") || state.functions.contains(name)
        {
            return None;
        }
        let args = self.expand_words(&simple.words, state);
        if name == b"getopts" {
            return self.getopts(&args, state);
        }
        let words: Vec<Value> = args.into_iter().skip(1).map(|arg| arg.value).collect();
        match words.as_slice() {
            [words @ .., last] if name == b"[" => last.is(b"]").then(|| test(words))?,
            words => test(words),
        }
    }

    fn is_not_zero(&mut self, word: &Word, state: &mut State) -> Option<bool> {
        let value = self.arithmetic_word(word, state);
        Some(number(&value)? != 0)
    }
}

/// What a test of known words says.
fn test(words: &[Value]) -> Option<bool> {
    if words.iter().any(|word| !word.is_known() || word.has_glob()) {
        return None;
    }
    Some(match words {
        [] => false,
        [word] => !word.is(b""),
        [not, rest @ ..] if not.is(b"!") => !test(rest)?,
        [operator, word] if operator.is(b"-n") => !word.is(b""),
        [operator, word] if operator.is(b"-z") => word.is(b""),
        [left, operator, right] => match &*operator.bytes()? {
            b"=" | b"==" => left.bytes()? == right.bytes()?,
            b"!=" => left.bytes()? != right.bytes()?,
            b"-eq" => number(left)? == number(right)?,
            b"-ne" => number(left)? != number(right)?,
            b"-lt" => number(left)? < number(right)?,
            b"-le" => number(left)? <= number(right)?,
            b"-gt" => number(left)? > number(right)?,
            b"-ge" => number(left)? >= number(right)?,
            _ => return None,
        },
        _ => return None,
    })
}
