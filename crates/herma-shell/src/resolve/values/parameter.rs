//! Parameter expansion.

use std::rc::Rc;

use super::elements::{alike, counted_back, shifted};
use super::expand::{Quoting, join_with};
use super::operators::{
    Letters, change_case, cut, forget, length, number, pattern_bytes, range, replace, slice_list,
    transform,
};
use super::pattern;
use crate::resolve::machine::Machine;
use crate::resolve::machine::state::{Slot, State, unset};
use crate::syntax::{Dialect, Operation, Parameter, Part, Word};
use crate::value::{Origin, Piece, Value};

/// Names that stand for unknown parts of a text that is run; no shell text can set them first,
/// since their numbers only grow.
pub(crate) const PLACEHOLDER: &str = "_herma_unknown_";

/// How large the work of one pattern operator may be: pattern bytes times text bytes squared, since
/// a match is tried at each place.
const MAX_PATTERN_WORK: usize = 1 << 22;

/// Whether `"${…}"` gives a word for each element.
pub(crate) fn is_list(parameter: &Parameter) -> bool {
    !parameter.length
        && (parameter.name == b"@" && !parameter.indirect || subscript_is(parameter, b"@"))
}

fn subscript_is(parameter: &Parameter, text: &[u8]) -> bool {
    parameter.subscript.as_ref().is_some_and(|word| {
        matches!(word.parts.as_slice(), [Part::Literal(literal) | Part::Quoted(literal)] if literal.bytes == text)
    })
}

/// All elements.
fn is_all(parameter: &Parameter) -> bool {
    matches!(parameter.name.as_slice(), b"@" | b"*")
        || subscript_is(parameter, b"@")
        || subscript_is(parameter, b"*")
}

/// What a command costs that gets all of these as words, in units.
fn words_cost<'v>(values: impl Iterator<Item = &'v Value>) -> u64 {
    values.map(|value| 48 + value.size() as u64 / 8).sum()
}

impl Machine<'_> {
    /// The values of an expansion: one, or one for each element.
    pub(crate) fn parameter(
        &mut self,
        parameter: &Parameter,
        quoting: Quoting,
        state: &mut State,
    ) -> Vec<Value> {
        if let Operation::Bad(word) = &parameter.operation {
            self.expand_single(word, state);
            self.bad_substitution = self.dialect != Dialect::Zsh;
            return vec![Value::unknown_words(Origin::Other)];
        }
        if matches!(parameter.operation, Operation::Names) {
            return self.names(parameter, state);
        }
        // zsh: a name without subscript is all elements of its array.
        let all = is_all(parameter)
            || self.dialect == Dialect::Zsh
                && parameter.subscript.is_none()
                && !parameter.indirect
                && matches!(self.slot(&parameter.name, state), Slot::Array(_));
        let values = self.base(parameter, state);
        if parameter.length {
            return vec![length(&values, all)];
        }
        let joined = all
            && quoting == Quoting::Double
            && parameter.name != b"@"
            && !subscript_is(parameter, b"@");
        let values = self.operate(parameter, values, all, quoting, state);
        if !joined {
            return values;
        }
        let separator = match self
            .set_scalar(b"IFS", state)
            .as_ref()
            .and_then(Value::bytes)
        {
            Some(ifs) => ifs.first().map(|byte| vec![*byte]).unwrap_or_default(),
            None => b" ".to_vec(),
        };
        vec![join_with(values, &separator)]
    }

    fn base(&mut self, parameter: &Parameter, state: &mut State) -> Vec<Value> {
        if parameter.indirect {
            let name = match &parameter.subscript {
                Some(subscript) if !is_all(parameter) => {
                    let key = self.subscript(&parameter.name, subscript, state);
                    self.element(&parameter.name, key.as_deref(), state)
                }
                _ => self.scalar(&parameter.name, state),
            };
            let Some(target) = name.bytes().map(std::borrow::Cow::into_owned) else {
                return vec![Value::unknown_words(Origin::Variable(
                    parameter.name.clone(),
                ))];
            };
            if target.is_empty() {
                return vec![unset(&parameter.name)];
            }
            return self.by_text(&target, state);
        }
        match parameter.name.as_slice() {
            b"@" | b"*" => self.all_parameters(state),
            _ if is_all(parameter) => self.elements(&parameter.name, state),
            _ => match &parameter.subscript {
                Some(subscript) if self.dialect == Dialect::Zsh => {
                    vec![self.zsh_element(&parameter.name, subscript, state)]
                }
                Some(subscript) => {
                    let key = self.subscript(&parameter.name, subscript, state);
                    vec![self.element(&parameter.name, key.as_deref(), state)]
                }
                None if self.dialect == Dialect::Zsh => self.zsh_values(&parameter.name, state),
                None => {
                    let target = self.target(&parameter.name, state);
                    if target.contains(&b'[') {
                        // A reference to an element: its subscript is evaluated.
                        return self.by_text(&target, state);
                    }
                    vec![self.scalar(&parameter.name, state)]
                }
            },
        }
    }

    /// zsh: a name alone is all its elements.
    fn zsh_values(&mut self, name: &[u8], state: &State) -> Vec<Value> {
        match name {
            b"argv" => return self.all_parameters(state),
            b"path" | b"fpath" | b"cdpath" | b"commands" | b"functions" | b"aliases"
            | b"galiases" | b"saliases" | b"history" | b"historywords" | b"dirstack"
            | b"options" | b"nameddirs" | b"userdirs" | b"parameters" | b"modules" | b"widgets"
            | b"pipestatus" | b"status" | b"ARGC" | b"funcstack" | b"mapfile"
                if state.variables.get(name).is_none() =>
            {
                return vec![Value::unknown_words(Origin::Variable(name.to_vec()))];
            }
            _ => {}
        }
        let plain = name
            .first()
            .is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'_');
        if plain && matches!(self.slot(name, state), Slot::Array(_)) {
            return self.elements(name, state);
        }
        vec![self.scalar(name, state)]
    }

    /// zsh: elements count from one; of a scalar they are its characters.
    fn zsh_element(&mut self, name: &[u8], subscript: &Word, state: &mut State) -> Value {
        let unknown = || Value::unknown_words(Origin::Variable(name.to_vec()));
        let key = self.expand_single(subscript, state);
        let Some(key) = key.bytes() else {
            return unknown();
        };
        let slot = match name {
            b"argv" | b"@" | b"*" => {
                let values = self.all_parameters(state).into_iter().enumerate();
                array(
                    values
                        .map(|(index, value)| (index.to_string().into_bytes(), value))
                        .collect(),
                )
            }
            _ => self.slot(name, state),
        };
        let Slot::Array(elements) = slot else {
            return unknown();
        };
        let counted = elements
            .iter()
            .enumerate()
            .all(|(index, (own, _))| *own == index.to_string().into_bytes());
        let number = std::str::from_utf8(&key)
            .ok()
            .and_then(|text| text.parse::<i64>().ok());
        let many = elements.iter().any(|(_, value)| {
            let pieces = &value.pieces;
            pieces
                .iter()
                .any(|piece| matches!(piece, Piece::Unknown(unknown) if unknown.many))
        });
        let index = match (counted && !many, number) {
            (true, Some(number)) if number > 0 => usize::try_from(number - 1).ok(),
            (true, Some(number)) if number < 0 => usize::try_from(number.unsigned_abs())
                .ok()
                .and_then(|back| elements.len().checked_sub(back)),
            (false, None) => elements.iter().position(|(own, _)| *own == *key),
            _ => None,
        };
        match index.and_then(|index| elements.get(index)) {
            Some((_, value)) => value.clone(),
            None => unknown(),
        }
    }

    /// The value that `name` or `name[subscript]` in a text names.
    fn by_text(&mut self, text: &[u8], state: &mut State) -> Vec<Value> {
        let Some(open) = text.iter().position(|b| *b == b'[') else {
            return match text {
                b"@" | b"*" => self.all_parameters(state),
                name => vec![self.scalar(name, state)],
            };
        };
        let name = text.get(..open).unwrap_or_default();
        let key = text.get(open + 1..text.len() - 1).unwrap_or_default();
        if matches!(key, b"@" | b"*") {
            return self.elements(name, state);
        }
        let subscript = Value::computed(key);
        let key = self.key(name, &subscript, crate::Span::default(), state);
        vec![self.element(name, key.as_deref(), state)]
    }

    /// The positional parameters.
    pub(crate) fn all_parameters(&mut self, state: &State) -> Vec<Value> {
        let given = &state.parameters.values;
        if !self.spend(given.len() as u64) || !self.affords(words_cost(given.iter())) {
            return vec![Value::unknown_words(Origin::Variable(b"@".to_vec()))];
        }
        let mut values = given.clone();
        // Two of any number of words are one.
        let counted =
            |value: &Value| !matches!(value.pieces.as_slice(), [Piece::Unknown(u)] if u.many);
        if state.parameters.open && values.last().is_none_or(counted) {
            values.push(Value::unknown_words(Origin::Variable(b"@".to_vec())));
        }
        values
    }

    fn elements(&mut self, name: &[u8], state: &State) -> Vec<Value> {
        match self.slot(name, state) {
            Slot::Array(elements) => {
                if !self.spend(elements.len() as u64 * 16) {
                    return Vec::new();
                }
                let values = elements.iter().map(|(_, value)| value);
                if !self.affords(words_cost(values)) {
                    return vec![Value::unknown_words(Origin::Variable(name.to_vec()))];
                }
                elements.iter().map(|(_, value)| value.clone()).collect()
            }
            Slot::Scalar(value) => vec![value],
            Slot::Unset | Slot::Inherited => Vec::new(),
        }
    }

    pub(crate) fn element(&mut self, name: &[u8], key: Option<&[u8]>, state: &State) -> Value {
        match (self.slot(name, state), key) {
            (Slot::Array(elements), Some(key)) if shifted(&elements, key) => {
                if let Some(value) = alike(&elements) {
                    return value;
                }
                let unknown = Value::unknown_words(Origin::Variable(name.to_vec()));
                let mut values = elements.iter().map(|(_, value)| value);
                match values.find(|value| value.made_from().next().is_some()) {
                    Some(value) => unknown.made_as(value),
                    None => unknown,
                }
            }
            (Slot::Array(elements), Some(key)) => {
                let counted = counted_back(&elements, key);
                let key = counted.as_deref().unwrap_or(key);
                let found = elements.iter().find(|(own, _)| own == key);
                found.map_or_else(|| unset(name), |(_, value)| value.clone())
            }
            (Slot::Array(elements), None) => {
                match self.pick(&[name, b"[]"].concat(), elements.len()) {
                    Some(index) => elements
                        .get(index)
                        .map_or_else(|| unset(name), |(_, value)| value.clone()),
                    None => Value::unknown_words(Origin::Variable(name.to_vec())),
                }
            }
            (Slot::Scalar(value), Some(b"0")) => value,
            (Slot::Scalar(value), None) => value,
            _ => unset(name),
        }
    }

    fn operate(
        &mut self,
        parameter: &Parameter,
        values: Vec<Value>,
        all: bool,
        quoting: Quoting,
        state: &mut State,
    ) -> Vec<Value> {
        match &parameter.operation {
            Operation::None | Operation::Names | Operation::Bad(_) => values,
            Operation::Default {
                operator,
                colon,
                word,
            } => self.default(parameter, *operator, *colon, word, values, quoting, state),
            Operation::Remove {
                suffix,
                longest,
                pattern,
            } => self.remove(values, pattern, *suffix, *longest, state),
            Operation::Replace {
                which,
                pattern,
                replacement,
            } => {
                let pattern = self.expand_pattern(pattern, state);
                let pattern = pattern_bytes(&pattern);
                let replacement = replacement
                    .as_ref()
                    .map(|word| self.expand_single(word, state))
                    .unwrap_or_default();
                self.map(values, |value| {
                    let (text, pattern) = (value.bytes()?, pattern.as_deref()?);
                    if too_much_work(pattern, &text) {
                        return None;
                    }
                    replace(value, &text, *which, pattern, &replacement)
                })
            }
            Operation::Slice { offset, length } => {
                let offset = self.arithmetic_word(offset, state);
                let length = length
                    .as_ref()
                    .map(|word| self.arithmetic_word(word, state));
                let offset = number(&offset);
                let length = length.map(|length| number(&length));
                let scalar = matches!(self.slot(&parameter.name, state), Slot::Scalar(_));
                if all && !scalar {
                    let positional = matches!(parameter.name.as_slice(), b"@" | b"*");
                    let zero = positional.then(|| self.scalar(b"0", state));
                    let several = values.iter().any(Value::may_be_several);
                    let most = usize::try_from(offset.unwrap_or(0)).unwrap_or(0);
                    let left_out = match several {
                        true => self.pick(b"${[@]:}", most.min(values.len()) + 1),
                        false => None,
                    };
                    return slice_list(zero, values, offset, length, left_out.unwrap_or(0));
                }
                self.map(values, |value| {
                    let text = value.bytes()?;
                    let length = match length {
                        Some(length) => Some(length?),
                        None => None,
                    };
                    Some(cut(value, range(text.len(), offset?, length)))
                })
            }
            Operation::Case {
                operator,
                all,
                pattern,
            } => {
                let pattern = self.expand_pattern(pattern, state);
                let pattern = pattern_bytes(&pattern);
                let to = match operator {
                    b'^' => Letters::Upper,
                    b',' => Letters::Lower,
                    _ => Letters::Other,
                };
                self.map(values, |value| {
                    let pattern = pattern.as_deref()?;
                    Some(change_case(&value.bytes()?, to, *all, pattern))
                })
            }
            // `${=name}`: the words are made where fields are split.
            Operation::Transform(b'=') => values,
            Operation::Transform(operator) => {
                if *operator == b'P' {
                    for value in &values {
                        self.substitutions_in(value, crate::Span::default(), state);
                    }
                }
                self.map(values, |value| transform(*operator, &value.bytes()?))
            }
        }
    }

    /// `${name#pattern}`, `${name%pattern}` and their longest forms.
    fn remove(
        &mut self,
        values: Vec<Value>,
        pattern: &Word,
        suffix: bool,
        longest: bool,
        state: &mut State,
    ) -> Vec<Value> {
        let pattern = self.expand_pattern(pattern, state);
        let pattern = pattern_bytes(&pattern);
        self.map(values, |value| {
            let (text, pattern) = (value.bytes()?, pattern.as_deref()?);
            if too_much_work(pattern, &text) {
                return None;
            }
            let range = if suffix {
                0..pattern::suffix(pattern, &text, longest).unwrap_or(text.len())
            } else {
                pattern::prefix(pattern, &text, longest).unwrap_or(0)..text.len()
            };
            Some(cut(value, range))
        })
    }

    /// Applies an operator to each value; what it cannot compute is unknown, with the origin kept.
    fn map(
        &mut self,
        values: Vec<Value>,
        mut apply: impl FnMut(&Value) -> Option<Value>,
    ) -> Vec<Value> {
        values
            .into_iter()
            .map(|value| {
                let size: usize = value.pieces.len();
                self.spend(size as u64);
                if value
                    .pieces
                    .iter()
                    .all(|piece| matches!(piece, Piece::Unset(_)))
                    && !value.pieces.is_empty()
                {
                    return value;
                }
                let pinned = crate::resolve::files::names::pinned(&value);
                let result = match (apply(&pinned), &pinned) {
                    (Some(result), std::borrow::Cow::Owned(_)) => {
                        crate::resolve::files::names::unpinned(&result)
                    }
                    (result, _) => result,
                };
                match result {
                    Some(mut result) => {
                        result.decoded |= value.decoded;
                        result
                    }
                    None => forget(&value),
                }
            })
            .collect()
    }

    #[expect(clippy::too_many_arguments, reason = "the operator's own operands")]
    fn default(
        &mut self,
        parameter: &Parameter,
        operator: u8,
        colon: bool,
        word: &Word,
        values: Vec<Value>,
        quoting: Quoting,
        state: &mut State,
    ) -> Vec<Value> {
        let takes_word = self.takes_word(parameter, operator, colon, &values);
        let mut before = state.clone();
        let expanded = self.expand_as_operand(word, quoting, &mut before);
        if !takes_word {
            return if operator == b'+' {
                vec![unset(&parameter.name)]
            } else {
                values
            };
        }
        *state = before;
        if operator == b'=' {
            let name = &parameter.name;
            match &parameter.subscript {
                Some(subscript) if !is_all(parameter) => {
                    let key = self.subscript(name, subscript, state);
                    self.assign_element(state, name, key.as_deref(), expanded.clone(), false);
                }
                _ => self.assign(state, name, Slot::Scalar(expanded.clone()), false),
            }
        }
        if operator == b'?' {
            // The shell stops here, unless something that is not seen has set the name.
            vec![Value::unknown(Origin::Variable(parameter.name.clone()))]
        } else {
            vec![expanded]
        }
    }

    /// Whether `${name-word}` and its like give the word.
    fn takes_word(
        &mut self,
        parameter: &Parameter,
        operator: u8,
        colon: bool,
        values: &[Value],
    ) -> bool {
        let is_unset = values.is_empty()
            || values.iter().all(|value| {
                let pieces = &value.pieces;
                let nothing = pieces.iter().all(|piece| matches!(piece, Piece::Unset(_)));
                nothing && (colon || !pieces.is_empty())
            });
        // Text of its own, or a fresh name, is enough not to be empty.
        let unknown = values
            .iter()
            .any(|value| !value.is_known() && !is_never_empty(value));
        // An unknown value may be empty: both readings.
        let key = [b"${", parameter.name.as_slice(), &[operator]].concat();
        match operator {
            b'+' if unknown => self.pick(&key, 2) != Some(1),
            b'+' => !is_unset,
            _ if unknown => self.pick(&key, 2) == Some(1),
            _ => is_unset,
        }
    }

    /// The word with quotes in it that `${name-word}` or `${name+word}` gives: what the quotes
    /// protect is not split with the rest.
    pub(crate) fn quoted_word<'t>(
        &mut self,
        parameter: &'t Parameter,
        state: &mut State,
    ) -> Option<&'t Word> {
        let Operation::Default {
            operator: operator @ (b'-' | b'+'),
            colon,
            word,
        } = &parameter.operation
        else {
            return None;
        };
        let is_quoted =
            |part: &Part| matches!(part, Part::Quoted(_) | Part::AnsiC(_) | Part::Double(_));
        if parameter.length || !word.parts.iter().any(is_quoted) {
            return None;
        }
        let values = self.base(parameter, state);
        self.takes_word(parameter, *operator, *colon, &values)
            .then_some(word)
    }

    fn expand_as_operand(&mut self, word: &Word, quoting: Quoting, state: &mut State) -> Value {
        if quoting == Quoting::None {
            self.expand_unsplit(word, state)
        } else {
            self.expand_single(word, state)
        }
    }

    /// An operand in an unquoted expansion: it is split afterwards, so what its own quotes protect
    /// is kept together by unsplittable pieces where that can be said.
    fn expand_unsplit(&mut self, word: &Word, state: &mut State) -> Value {
        self.expand_pattern(word, state)
    }
}

/// Whether some of the value is text for certain.
fn is_never_empty(value: &Value) -> bool {
    value.pieces.iter().any(|piece| match piece {
        Piece::Text { bytes, .. } => !bytes.is_empty(),
        Piece::Unknown(unknown) => unknown.origin == Origin::Temporary,
        Piece::Glob { .. } | Piece::Unset(_) => false,
    })
}

fn too_much_work(pattern: &[u8], text: &[u8]) -> bool {
    pattern.len().max(1) * text.len() * text.len() > MAX_PATTERN_WORK
}

/// An array's elements shared between states.
pub(crate) fn array(elements: Vec<(Vec<u8>, Value)>) -> Slot {
    Slot::Array(Rc::new(elements))
}
