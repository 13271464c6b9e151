//! Clauses of rules against an execution.

use herma_shell::{Binding, Execution, FactKind};

use crate::arguments::Arguments;
use crate::effect::{Effect, Verb};
use crate::glob;
use crate::place::Place;
use crate::statement::{self, Statement};
use crate::table::{List, Text};

/// An option that a clause names.
#[derive(Debug)]
pub(crate) struct Flag {
    pub(crate) name: Text,
    /// A glob over its value.
    pub(crate) value: Option<Text>,
}

/// A condition that no other key can say.
pub(crate) type Predicate = fn(&Subject<'_>) -> bool;

/// What must hold together.
#[derive(Debug)]
pub(crate) struct Clause {
    /// Index of the rule.
    pub(crate) rule: u16,
    /// The words behind the program: each with its alternatives.
    pub(crate) words: List<List<Text>>,
    /// Options that must be there, each with its alternatives.
    pub(crate) has: List<List<Flag>>,
    /// Options of which none may be there.
    pub(crate) not: List<Flag>,
    /// Globs of which one must match some operand.
    pub(crate) operand: List<Text>,
    /// Globs that no operand may match.
    pub(crate) spare: List<Text>,
    /// How many operands stand behind the words at least.
    pub(crate) least: u16,
    /// How many operands stand behind the words at most.
    pub(crate) most: u16,
    pub(crate) effect: List<Verb>,
    pub(crate) place: List<Place>,
    pub(crate) beyond: List<Place>,
    /// Globs over variables that are set for the execution, by name or as `NAME=VALUE`.
    pub(crate) environment: List<Text>,
    pub(crate) fact: List<FactKind>,
    /// Text that stands in an argument or in standard input.
    pub(crate) text: List<Text>,
    pub(crate) statement: List<Statement>,
    pub(crate) builtin: List<Predicate>,
}

/// An execution with what was read out of it.
pub(crate) struct Subject<'a> {
    pub(crate) execution: &'a Execution,
    pub(crate) arguments: &'a Arguments<'a>,
    pub(crate) effects: &'a [Effect],
    /// How many operands are words of the clause.
    pub(crate) taken: usize,
}

/// How a clause matched.
#[derive(Clone, Copy)]
pub(crate) struct Match {
    /// Index of the effect that made it, when it needed one.
    pub(crate) effect: Option<usize>,
}

impl Clause {
    /// Whether this execution is what the clause describes.
    pub(crate) fn matches(&self, subject: &Subject<'_>) -> Option<Match> {
        // Most clauses for any program fail here, so it comes first.
        let effect = if self.effect.is_empty() {
            None
        } else {
            Some(
                subject
                    .effects
                    .iter()
                    .position(|effect| self.is_effect(effect))?,
            )
        };
        let arguments = subject.arguments;
        let taken = words_match(&self.words, arguments)?;
        let rest = arguments.operands.len() - taken.min(arguments.operands.len());
        let rest = u16::try_from(rest).unwrap_or(u16::MAX);
        if rest < self.least || rest > self.most {
            return None;
        }
        if !self.has.iter().all(|flags| arguments.has_any(flags)) || arguments.has_any(&self.not) {
            return None;
        }
        if !self.operands_match(arguments, taken) {
            return None;
        }
        let caseless = arguments.syntax.caseless;
        if !self.environment.is_empty()
            && !subject.execution.environment.iter().any(|binding| {
                self.environment
                    .iter()
                    .any(|glob| bound(glob.as_bytes(), binding, caseless))
            })
        {
            return None;
        }
        if !self.text.is_empty() && !self.text_matches(subject) {
            return None;
        }
        if !self.statement.is_empty() && !statement::any(subject, taken, &self.statement) {
            return None;
        }
        let subject = &Subject { taken, ..*subject };
        self.builtin
            .iter()
            .all(|holds| holds(subject))
            .then_some(Match { effect })
    }

    /// Whether the effect is one that the clause names.
    pub(crate) fn is_effect(&self, effect: &Effect) -> bool {
        self.effect.contains(&effect.verb)
            && (self.place.is_empty()
                || effect.places.iter().any(|place| self.place.contains(place)))
            && !effect
                .places
                .iter()
                .any(|place| self.beyond.contains(place))
    }

    fn operands_match(&self, arguments: &Arguments<'_>, taken: usize) -> bool {
        let caseless = arguments.syntax.caseless;
        let any = |globs: List<Text>| {
            arguments.operands_from(taken).any(|operand| {
                globs
                    .iter()
                    .any(|glob| glob::matches(glob.as_bytes(), operand, caseless))
            })
        };
        (self.operand.is_empty() || any(self.operand))
            && (self.spare.is_empty() || !any(self.spare))
    }

    fn text_matches(&self, subject: &Subject<'_>) -> bool {
        let holds = |text: &[u8]| {
            self.text
                .iter()
                .any(|piece| glob::contains(text, piece.as_bytes()))
        };
        subject
            .arguments
            .words
            .iter()
            .skip(1)
            .flatten()
            .any(|word| holds(word))
            || subject
                .execution
                .stdin
                .as_ref()
                .and_then(|stdin| stdin.bytes())
                .is_some_and(|text| holds(&text))
    }
}

/// How many operands the words take; `None` when they are others. An operand that cannot be known
/// may be no word at all, so it does not stand in the way.
pub(crate) fn words_match(words: &[List<Text>], arguments: &Arguments<'_>) -> Option<usize> {
    let caseless = arguments.syntax.caseless;
    let mut taken = 0;
    for alternatives in words {
        let word = loop {
            let index = *arguments.operands.get(taken)?;
            taken += 1;
            if let Some(word) = arguments.words.get(index)?.as_deref() {
                break word;
            }
        };
        alternatives
            .iter()
            .any(|glob| glob::matches(glob.as_bytes(), word, caseless))
            .then_some(())?;
    }
    Some(taken)
}

/// Whether the glob names the variable, and its value where it has one; a value that is not known
/// may be any.
fn bound(glob: &[u8], binding: &Binding, caseless: bool) -> bool {
    let Some(sign) = glob.iter().position(|byte| *byte == b'=') else {
        return glob::matches(glob, &binding.name, caseless);
    };
    let (name, value) = glob.split_at(sign);
    let value = value.get(1..).unwrap_or_default();
    let holds = |bytes: &[u8]| glob::matches(value, bytes, false);
    glob::matches(name, &binding.name, caseless)
        && binding.value.bytes().is_none_or(|bytes| holds(&bytes))
}
