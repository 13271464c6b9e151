//! `declare`, `export` and their kind: attributes and values.

use super::assign::array_literal;
use super::machine::{Io, Machine};
use super::parameter::array;
use super::simple::is_assignment;
use super::state::{Fold, Slot, State, Variable};
use crate::execution::Arg;
use crate::syntax::{Part, Word};
use crate::value::Value;

impl Machine<'_> {
    /// Attributes and values of `declare` and its kind.
    pub(super) fn declared(&mut self, words: &[Word], args: &[Arg], state: &mut State) {
        let builtin = args
            .first()
            .and_then(|arg| arg.value.bytes().map(|b| b.into_owned()));
        let builtin = builtin.unwrap_or_default();
        let flags: Vec<u8> = args
            .iter()
            .skip(1)
            .filter_map(|arg| arg.value.bytes())
            .filter(|bytes| matches!(bytes.first(), Some(b'-')))
            .flat_map(|bytes| bytes.get(1..).unwrap_or_default().to_vec())
            .collect();
        if flags.contains(&b'f') || flags.contains(&b'p') {
            return;
        }
        let local = !self.returns.is_empty()
            && builtin != b"export"
            && builtin != b"readonly"
            && !flags.contains(&b'g');
        let mark = |variable: &mut Variable| {
            variable.exported |= builtin == b"export" || flags.contains(&b'x');
            variable.reference |= flags.contains(&b'n') && builtin != b"export";
            variable.integer |= flags.contains(&b'i');
            if flags.contains(&b'u') {
                variable.fold = Some(Fold::Upper);
            } else if flags.contains(&b'l') {
                variable.fold = Some(Fold::Lower);
            }
        };
        for word in words.iter().skip(1) {
            if !is_assignment(word) {
                continue;
            }
            let Some(target) = split_assignment(word) else {
                continue;
            };
            if local {
                self.make_local(&target.name, state);
            }
            state
                .variables
                .update(&target.name, |variable| variable.reference = false);
            if flags.iter().any(|flag| b"iul".contains(flag)) {
                let mut variable = state
                    .variables
                    .get(&target.name)
                    .cloned()
                    .unwrap_or_else(|| Variable::new(Slot::Unset));
                mark(&mut variable);
                state.variables.insert(&target.name, variable);
            }
            if let Some(elements) = array_literal(&target.value) {
                let slot = self.array(elements, state);
                self.assign(state, &target.name, slot, target.append);
            } else {
                let value = self.expand_single(&target.value, state);
                match &target.subscript {
                    Some(subscript) => {
                        self.arithmetic_text(
                            &Value::computed(subscript.as_slice()),
                            word.span,
                            state,
                        );
                        self.assign_element(
                            state,
                            &target.name,
                            Some(subscript),
                            value,
                            target.append,
                        );
                    }
                    None => self.assign(state, &target.name, Slot::Scalar(value), target.append),
                }
            }
            state.variables.update(&target.name, mark);
            if state
                .variables
                .get(&target.name)
                .is_some_and(|variable| variable.exported)
            {
                state.export(&target.name);
            }
        }
        for arg in args.iter().skip(1) {
            let Some(name) = arg.value.bytes() else {
                continue;
            };
            // A subscript in an operand that only expansion made an assignment.
            let left = name.split(|byte| *byte == b'=').next().unwrap_or_default();
            if let Some(open) = left.iter().position(|byte| *byte == b'[') {
                let subscript = Value::computed(left.get(open + 1..).unwrap_or_default());
                self.substitutions_in(&subscript, arg.span, state);
            }
            let from_words = words
                .iter()
                .any(|word| word.span == arg.span && is_assignment(word));
            if from_words || name.starts_with(b"-") {
                continue;
            }
            let (name, value) = match name.iter().position(|byte| *byte == b'=') {
                Some(equals) => (
                    name.get(..equals).unwrap_or_default().to_vec(),
                    Some(name.get(equals + 1..).unwrap_or_default().to_vec()),
                ),
                None => (name.to_vec(), None),
            };
            if local {
                self.make_local(&name, state);
            }
            match value {
                // `declare -a 'name=(…)'`: an array literal in a quoted operand.
                Some(value) if value.first() == Some(&b'(') && value.last() == Some(&b')') => {
                    let text = Value::computed([name.as_slice(), b"=", &value].concat());
                    self.value_as_text(&text, arg.span, state, &mut Io::default());
                }
                Some(value) => {
                    self.assign(state, &name, Slot::Scalar(Value::computed(value)), false)
                }
                None if local => {
                    self.assign(state, &name, Slot::Unset, false);
                }
                None if (flags.contains(&b'a') || flags.contains(&b'A'))
                    && !state.variables.contains(&name) =>
                {
                    self.assign(state, &name, array(Vec::new()), false);
                }
                None => {}
            }
            let mut variable = state.variables.get(&name).cloned().unwrap_or_else(|| {
                let mut variable = Variable::new(Slot::Inherited);
                variable.own = false;
                variable
            });
            mark(&mut variable);
            if variable.exported && variable.own {
                state.export(&name);
            }
            state.variables.insert(&name, variable);
        }
    }
}

/// `name=value` as an operand, split.
struct Target {
    name: Vec<u8>,
    subscript: Option<Vec<u8>>,
    append: bool,
    value: Word,
}

fn split_assignment(word: &Word) -> Option<Target> {
    let (first, rest) = word.parts.split_first()?;
    let Part::Literal(text) = first else {
        return None;
    };
    let equals = text.bytes.iter().position(|byte| *byte == b'=')?;
    let left = text.bytes.get(..equals)?;
    let append = left.last() == Some(&b'+');
    let left = if append {
        left.get(..left.len() - 1)?
    } else {
        left
    };
    let (name, subscript) = match left.iter().position(|byte| *byte == b'[') {
        Some(open) => (
            left.get(..open)?,
            Some(left.get(open + 1..left.len().checked_sub(1)?)?.to_vec()),
        ),
        None => (left, None),
    };
    let mut parts = Vec::new();
    let value = text.bytes.get(equals + 1..)?;
    if !value.is_empty() {
        parts.push(Part::Literal(crate::syntax::Text {
            bytes: value.to_vec(),
            at: text.at.saturating_add(u32::try_from(equals + 1).ok()?),
        }));
    }
    parts.extend(rest.iter().cloned());
    Some(Target {
        name: name.to_vec(),
        subscript,
        append,
        value: Word {
            parts,
            span: word.span,
        },
    })
}
