//! Assignments and attributes.

use std::collections::HashMap;
use std::rc::Rc;

use super::associative::{in_order_of_table, is_associative};
use super::elements::{are_indexed, counted_back, shifted};
use super::operators::number;
use super::parameter::array;
use crate::resolve::builtins::settings::MAX_ALIASES;
use crate::resolve::control::deferred::When;
use crate::resolve::machine::state::{Fixed, Fold, MAX_ELEMENTS, Slot, State, Variable};
use crate::resolve::machine::{MAX_VALUE, Machine};
use crate::source::Span;
use crate::syntax::{Assignment, Element, Part, Word};
use crate::value::{Origin, Value};

impl Machine<'_> {
    /// Sets a variable, following references and evaluating integers.
    pub(crate) fn assign(&mut self, state: &mut State, name: &[u8], slot: Slot, append: bool) {
        let name = self.target(name, state);
        // `name[subscript]` where a builtin takes a name.
        if let Some(open) = name.iter().position(|byte| *byte == b'[') {
            let text = name.get(open + 1..name.len() - 1).unwrap_or_default();
            let base = name.get(..open).unwrap_or_default().to_vec();
            let value = slot.scalar(&name);
            let key = self.key(&base, &Value::computed(text), Span::default(), state);
            self.assign_element(state, &base, key.as_deref(), value, append);
            return;
        }
        if self.is_fixed(&name, state) {
            return;
        }
        let (mut integer, mut fold, doubtful) = match state.variables.get(&name) {
            Some(variable) => (variable.integer, variable.fold, variable.doubtful),
            None => (false, None, false),
        };
        let mut append = append;
        let mut slot = slot;
        if doubtful {
            match self.pick(&[b"declare ", name.as_slice()].concat(), 2) {
                Some(0) => {}
                with => {
                    (integer, fold) = (false, None);
                    if with.is_none() {
                        let unknown = Value::unknown_words(Origin::Variable(name.clone()));
                        (slot, append) = (Slot::Scalar(unknown), false);
                    }
                }
            }
        }
        let slot = match (slot, fold) {
            (Slot::Scalar(mut value), _) if integer => {
                if append {
                    let mut sum = self.scalar(&name, state);
                    sum.push_text(b"+", None);
                    sum.append(&value);
                    value = sum;
                    append = false;
                }
                Slot::Scalar(self.arithmetic_text(&value, Span::default(), state))
            }
            (Slot::Scalar(value), Some(fold)) => Slot::Scalar(folded(&value, fold)),
            (Slot::Array(mut elements), fold) if integer || fold.is_some() => {
                for (_, value) in Rc::make_mut(&mut elements) {
                    if let Some(fold) = fold.filter(|_| !integer) {
                        *value = folded(value, fold);
                    } else if self.spend(4) && number(value).is_none() {
                        *value = self.arithmetic_text(value, Span::default(), state);
                    }
                }
                Slot::Array(elements)
            }
            (slot, _) => slot,
        };
        let slot = match slot {
            slot if append => self.appended(state, &name, slot),
            Slot::Scalar(value) => self.as_first_element(&name, value, state),
            slot => slot,
        };
        let slot = match slot {
            // Values that double with every step end here.
            Slot::Scalar(value)
                if value.size() > MAX_VALUE / 4 || !self.spend(value.size() as u64 / 8) =>
            {
                Slot::Scalar(Value::unknown_words(Origin::Variable(name.clone())))
            }
            Slot::Array(elements) if elements.len() > MAX_ELEMENTS => too_many(&name),
            slot => slot,
        };
        if let Slot::Scalar(value) = &slot
            && matches!(
                name.as_slice(),
                b"PS4" | b"PS0" | b"PS1" | b"PROMPT_COMMAND"
            )
        {
            self.prompt(&name, value, state);
        }
        let mut variable = Variable::new(slot);
        if let Some(known) = state.variables.get(&name) {
            variable.exported = known.exported;
            variable.maybe_exported = known.maybe_exported;
            variable.integer = known.integer;
            variable.associative = known.associative;
            variable.doubtful = known.doubtful;
            variable.fold = known.fold;
            // One that names no other variable yet.
            variable.reference = known.reference;
            if known.fixed == Fixed::Maybe {
                variable.fixed = Fixed::Maybe;
                variable.join(known, &name);
            }
        } else {
            variable.exported = self.world.variable(&name).is_some();
        }
        if variable.associative {
            in_order_of_table(&mut variable);
        }
        if state.all_exported {
            variable.maybe_exported |= state.maybe_all_exported && !variable.exported;
            variable.exported = true;
            state.export(&name);
        }
        if variable.exported {
            state.export(&name);
        }
        self.remember(&name, &variable);
        self.spend(60);
        state.posix |= name == b"POSIXLY_CORRECT";
        if name == b"OPTIND" {
            state.option_letters = 0;
        }
        if matches!(name.as_slice(), b"BASH_ALIASES" | b"BASH_CMDS")
            && let Some(Slot::Array(elements)) = variable.slots.first()
        {
            name_commands(&name, elements, state);
        }
        state.variables.insert(&name, variable);
    }

    /// Whether assignments to a name change nothing.
    pub(crate) fn is_fixed(&self, name: &[u8], state: &State) -> bool {
        let by_shell = matches!(
            name,
            b"UID" | b"EUID" | b"PPID" | b"BASHOPTS" | b"SHELLOPTS" | b"BASH_VERSINFO"
        );
        by_shell && self.dialect == crate::syntax::Dialect::Bash
            || state
                .variables
                .get(name)
                .is_some_and(|variable| variable.fixed == Fixed::Yes)
    }

    /// The variable of a loop: of one that is a reference, each word is what it refers to.
    pub(crate) fn assign_in_loop(&mut self, state: &mut State, name: &[u8], value: Value) {
        let known = state.variables.get(name);
        match known.filter(|known| known.reference).cloned() {
            Some(mut reference) => {
                reference.slots = vec![Slot::Scalar(value)];
                state.variables.insert(name, reference);
            }
            None => self.assign(state, name, Slot::Scalar(value), false),
        }
    }

    /// Sets one element; without a known subscript every element may be meant.
    pub(crate) fn assign_element(
        &mut self,
        state: &mut State,
        name: &[u8],
        key: Option<&[u8]>,
        value: Value,
        append: bool,
    ) {
        let Some(key) = key.map(<[u8]>::to_vec) else {
            self.assign_some_element(state, name, &value);
            return;
        };
        let mut elements = match self.slot(name, state) {
            Slot::Array(elements) => elements.to_vec(),
            Slot::Scalar(value) => vec![(b"0".to_vec(), value)],
            Slot::Unset | Slot::Inherited => Vec::new(),
        };
        self.spend(1 + 10 * elements.len() as u64);
        let key = if key.starts_with(b"-") && !is_associative(name, state) {
            if shifted(&elements, &key) {
                self.assign_some_element(state, name, &value);
                return;
            }
            match counted_back(&elements, &key) {
                Some(counted) => counted,
                // The shell refuses it.
                None if are_indexed(&elements) => return,
                None => key,
            }
        } else {
            key
        };
        let room = elements.len() < MAX_ELEMENTS;
        let known = elements.iter().position(|(known, _)| *known == key);
        let found = match known {
            Some(index) => elements.get_mut(index),
            None => None,
        };
        match found {
            Some((_, old)) if append => {
                if state.variables.get(name).is_some_and(|known| known.integer) {
                    old.push_text(b"+", None);
                }
                old.append(&value);
            }
            Some((_, old)) => *old = value,
            None if room => {
                // Indexed arrays stay in the order of their subscripts.
                let number = |key: &[u8]| {
                    std::str::from_utf8(key)
                        .ok()
                        .and_then(|text| text.parse::<i64>().ok())
                };
                let at = match number(&key) {
                    Some(own) => elements
                        .iter()
                        .position(|(known, _)| number(known).is_some_and(|other| other > own))
                        .unwrap_or(elements.len()),
                    None => elements.len(),
                };
                elements.insert(at, (key, value));
            }
            None => {
                self.assign(state, name, too_many(name), false);
                return;
            }
        }
        self.assign(state, name, array(elements), false);
    }

    /// Sets an element whose subscript is not known: it may be any.
    pub(crate) fn assign_some_element(&mut self, state: &mut State, name: &[u8], value: &Value) {
        let mut elements = match self.slot(name, state) {
            Slot::Array(elements) => elements.to_vec(),
            Slot::Scalar(value) => vec![(b"0".to_vec(), value)],
            Slot::Unset | Slot::Inherited => Vec::new(),
        };
        self.spend(1 + 10 * elements.len() as u64);
        let origin = || Origin::Variable(name.to_vec());
        for (_, known) in elements.iter_mut().filter(|(_, known)| known != value) {
            *known = if known.may_be_several() {
                Value::unknown_words(origin())
            } else {
                Value::unknown(origin())
            };
        }
        if elements.len() < MAX_ELEMENTS {
            let key = next_subscript(&elements).to_string().into_bytes();
            elements.push((key, Value::unknown_words(origin())));
        }
        self.assign(state, name, array(elements), false);
    }

    /// An assignment as written.
    pub(crate) fn assignment(&mut self, assignment: &Assignment, state: &mut State) {
        if self.dialect == crate::syntax::Dialect::Zsh && self.zsh_assignment(assignment, state) {
            self.expand_assigned(&assignment.value, state);
            return;
        }
        if let Some(elements) = array_literal(&assignment.value) {
            let slot = self.array(&assignment.name, elements, assignment.append, state);
            self.assign(state, &assignment.name, slot, assignment.append);
            return;
        }
        let value = self.expand_assigned(&assignment.value, state);
        match &assignment.subscript {
            Some(subscript) => {
                let key = self.subscript(&assignment.name, subscript, state);
                self.assign_element(
                    state,
                    &assignment.name,
                    key.as_deref(),
                    value,
                    assignment.append,
                );
            }
            None => {
                self.assign(
                    state,
                    &assignment.name,
                    Slot::Scalar(value),
                    assignment.append,
                );
            }
        }
    }

    /// An array from the words of its literal, for the variable of that name.
    /// What is appended counts from the elements that are there.
    pub(crate) fn array(
        &mut self,
        name: &[u8],
        elements: &[Element],
        append: bool,
        state: &mut State,
    ) -> Slot {
        let target = self.target(name, state);
        let associative = is_associative(&target, state);
        let first = elements.first();
        if associative && first.is_none_or(|first| first.index.is_none()) {
            return self.pairs(elements, state);
        }
        let mut out: Vec<(Vec<u8>, Value)> = Vec::new();
        let mut subscripts: HashMap<Vec<u8>, usize> = HashMap::new();
        let mut next = match self.slot(&target, state) {
            Slot::Array(known) if append => next_subscript(&known),
            Slot::Scalar(_) if append => 1,
            _ => 0,
        };
        let (mut any, mut ordered) = (false, true);
        let written = elements.iter().any(|element| element.index.is_some());
        for element in elements {
            match &element.index {
                Some(index) => {
                    let key = if associative {
                        let key = self.expand_single(index, state);
                        key.bytes().map(std::borrow::Cow::into_owned)
                    } else {
                        self.subscript(b"", index, state)
                    };
                    let value = self.expand_single(&element.value, state);
                    // Where it stands is not known, nor what stands behind it.
                    let Some(key) = key.filter(|key| !key.starts_with(b"-")) else {
                        any = true;
                        continue;
                    };
                    if let Some(number) = subscript_number(&key) {
                        ordered &= number >= next;
                        next = number.saturating_add(1);
                    }
                    match subscripts.get(&key).and_then(|at| out.get_mut(*at)) {
                        Some((_, known)) => *known = value,
                        None => {
                            subscripts.insert(key.clone(), out.len());
                            out.push((key, value));
                        }
                    }
                }
                // Without a subscript it is refused.
                None if associative => drop(self.expand_single(&element.value, state)),
                None => {
                    for arg in self.expand_words(std::slice::from_ref(&element.value), state) {
                        let key = next.to_string().into_bytes();
                        next = next.saturating_add(1);
                        match subscripts.get(&key).and_then(|at| out.get_mut(*at)) {
                            Some((_, known)) => *known = arg.value,
                            None => {
                                if written {
                                    subscripts.insert(key.clone(), out.len());
                                }
                                out.push((key, arg.value));
                            }
                        }
                    }
                }
            }
            // One more than fit says that there are too many; what they run still counts.
            out.truncate(MAX_ELEMENTS + 1);
        }
        if any {
            return Slot::any_array(b"");
        }
        if !ordered && out.iter().all(|(key, _)| subscript_number(key).is_some()) {
            out.sort_by_key(|(key, _)| subscript_number(key));
        }
        array(out)
    }

    /// An array literal as a word (`eval a=(x y)`): its text, to be read again.
    pub(crate) fn array_text(&mut self, elements: &[Element], state: &mut State) -> Value {
        let mut text = Value::computed(b"(".as_slice());
        for (number, element) in elements.iter().enumerate() {
            if number > 0 {
                text.push_text(b" ", None);
            }
            if let Some(index) = &element.index {
                text.push_text(b"[", None);
                text.append(&self.expand_single(index, state));
                text.push_text(b"]=", None);
            }
            let value = self.expand_single(&element.value, state);
            let quoted = value
                .bytes()
                .and_then(|bytes| super::operators::transform(b'Q', &bytes));
            text.append(&quoted.unwrap_or(value));
        }
        text.push_text(b")", None);
        text
    }

    /// A subscript: arithmetic for indexed arrays, text for others. What it evaluates is run.
    pub(crate) fn subscript(
        &mut self,
        name: &[u8],
        word: &Word,
        state: &mut State,
    ) -> Option<Vec<u8>> {
        let text = self.expand_single(word, state);
        let is_process = matches!(
            word.parts.as_slice(),
            [Part::Parameter(parameter)]
                if matches!(parameter.name.as_slice(), b"$" | b"BASHPID" | b"PPID")
        );
        if is_process && self.pick(b"[$$]", 2) == Some(1) {
            // Arrays are rarely that long.
            return Some(u32::MAX.to_string().into_bytes());
        }
        self.key(name, &text, word.span, state)
    }

    /// The element of `name` that the text of a subscript means.
    pub(crate) fn key(
        &mut self,
        name: &[u8],
        text: &Value,
        span: Span,
        state: &mut State,
    ) -> Option<Vec<u8>> {
        if matches!(name, b"BASH_ALIASES" | b"BASH_CMDS") {
            return text.bytes().map(std::borrow::Cow::into_owned);
        }
        if is_associative(name, state) {
            return text.bytes().map(std::borrow::Cow::into_owned);
        }
        let elements = match self.slot(name, state) {
            Slot::Array(elements) => elements,
            _ => Rc::default(),
        };
        if !are_indexed(&elements) {
            return text.bytes().map(std::borrow::Cow::into_owned);
        }
        let number = self.arithmetic_text(text, span, state);
        let number = number.bytes().map(std::borrow::Cow::into_owned);
        // A word that is no number may be the first key of an associative array.
        match number {
            Some(number)
                if number == b"0"
                    && elements.is_empty()
                    && self.dialect == crate::syntax::Dialect::Zsh =>
            {
                let text = text.bytes()?.into_owned();
                let is_name = text
                    .first()
                    .is_some_and(|b| b.is_ascii_alphabetic() || *b == b'_');
                let is_variable = state.variables.contains(&text);
                Some(if is_name && !is_variable {
                    text
                } else {
                    number
                })
            }
            number => number,
        }
    }

    /// Text that an interactive or tracing shell evaluates.
    fn prompt(&mut self, name: &[u8], value: &Value, state: &mut State) {
        if name == b"PROMPT_COMMAND" {
            self.defer_text(value.clone(), Span::default(), When::AnyTime, state);
        } else {
            self.substitutions_in(value, Span::default(), state);
        }
    }

    /// Runs the command substitutions in a text that is expanded again.
    pub(crate) fn substitutions_in(&mut self, value: &Value, span: Span, state: &mut State) {
        let live = value.pieces.iter().any(|piece| match piece {
            crate::Piece::Text { bytes, .. } | crate::Piece::Glob { pattern: bytes, .. } => {
                bytes.iter().any(|byte| matches!(byte, b'$' | b'`'))
            }
            _ => false,
        });
        if !live {
            return;
        }
        self.fixed.insert(span.start);
        let mut source = crate::Source::builder();
        source.push_fixed(b": \"", span);
        for piece in &value.pieces {
            match piece {
                crate::Piece::Text { bytes, at } | crate::Piece::Glob { pattern: bytes, at } => {
                    match at {
                        Some(at) => source.push(bytes, *at),
                        None => source.push_fixed(bytes, span),
                    }
                }
                _ => {}
            }
        }
        source.push_fixed(b"\"", span);
        self.deeper(span, |machine| {
            if !machine.spend(source.bytes().len() as u64) {
                return;
            }
            let parsed = crate::syntax::parse(&source, machine.dialect);
            for item in &parsed.list.items {
                for command in &item.first.stages {
                    if let crate::syntax::CommandKind::Simple(simple) = &command.kind {
                        machine.expand_words(simple.words.get(1..).unwrap_or_default(), state);
                    }
                }
            }
        });
    }
}

/// The shell's own arrays of what names call: aliases, and paths of programs.
fn name_commands(array: &[u8], elements: &[(Vec<u8>, Value)], state: &mut State) {
    for (name, value) in elements {
        match array {
            b"BASH_CMDS" => state.hashed.insert(name, value.clone()),
            _ if state.aliases.len() < MAX_ALIASES || state.aliases.contains(name) => {
                state.aliases.insert(name, vec![value.clone()]);
            }
            _ => {}
        }
    }
}

/// A subscript of an indexed array.
pub(super) fn subscript_number(key: &[u8]) -> Option<u64> {
    std::str::from_utf8(key).ok()?.parse().ok()
}

/// The subscript behind the last one, where `+=` puts its first word.
fn next_subscript(elements: &[(Vec<u8>, Value)]) -> u64 {
    let numbers = elements.iter().filter_map(|(key, _)| subscript_number(key));
    numbers
        .max()
        .map_or(elements.len() as u64, |last| last.saturating_add(1))
}

/// An array with more elements than are kept apart: none of them is known.
fn too_many(name: &[u8]) -> Slot {
    Slot::any_array(name)
}

/// A value in one case.
fn folded(value: &Value, fold: Fold) -> Value {
    let mut value = value.clone();
    for piece in &mut value.pieces {
        if let crate::Piece::Text { bytes, .. } = piece {
            match fold {
                Fold::Upper => bytes.make_ascii_uppercase(),
                Fold::Lower => bytes.make_ascii_lowercase(),
            }
        }
    }
    value
}

/// `(…)` as a value.
pub(crate) fn array_literal(word: &Word) -> Option<&[Element]> {
    match word.parts.as_slice() {
        [Part::Array(elements)] => Some(elements),
        _ => None,
    }
}
