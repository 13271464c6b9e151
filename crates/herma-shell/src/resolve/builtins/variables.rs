//! Builtins that set, unset and look at variables: `unset`, `printf -v`, `test -v`.

use crate::execution::Arg;
use crate::resolve::machine::state::{Fixed, Slot, State, Variable};
use crate::resolve::machine::{Io, Machine};
use crate::resolve::values::elements::{counted_back, shifted};
use crate::resolve::values::parameter::array;
use crate::source::Span;
use crate::value::Value;

impl Machine<'_> {
    /// `unset name …`
    pub(super) fn unset(&mut self, args: &[Arg], state: &mut State) {
        let functions_only = args.iter().any(|arg| arg.value.is(b"-f"));
        let variables_only = args.iter().any(|arg| arg.value.is(b"-v"));
        let references_only = args.iter().any(|arg| arg.value.is(b"-n"));
        for arg in args.iter().skip(1) {
            let Some(name) = arg.value.bytes() else {
                continue;
            };
            if references_only && state.variables.get(&name).is_some_and(|v| !v.reference) {
                continue;
            }
            if name.starts_with(b"-") {
                continue;
            }
            if name.contains(&b'[') {
                self.unset_element(&name, arg.span, state);
                continue;
            }
            if functions_only {
                state.functions.remove(&name);
                continue;
            }
            if !state.variables.contains(&name) && !variables_only {
                state.functions.remove(&name);
            }
            self.unset_variable(&name, state);
        }
    }

    fn unset_variable(&mut self, name: &[u8], state: &mut State) {
        if self.is_fixed(name, state) {
            return;
        }
        let known = state.variables.get(name).cloned();
        if self.uncover(name, state) {
            return;
        }
        let mut variable = Variable::new(Slot::Unset);
        if let Some(known) = known.filter(|known| known.fixed == Fixed::Maybe) {
            variable.fixed = Fixed::Maybe;
            variable.join(&known, name);
        }
        state.variables.insert(name, variable);
    }

    /// `unset 'name[subscript]'`
    fn unset_element(&mut self, text: &[u8], span: Span, state: &mut State) {
        let Some(open) = text.iter().position(|byte| *byte == b'[') else {
            return;
        };
        let name = text.get(..open).unwrap_or_default();
        let key = text.get(open + 1..text.len() - 1).unwrap_or_default();
        let subscript = Value::computed(key);
        self.substitutions_in(&subscript, span, state);
        let known = self.key(name, &subscript, span, state);
        let key = known.as_deref().unwrap_or(key);
        let (moved, counted) = match self.slot(name, state) {
            Slot::Array(elements) => (shifted(&elements, key), counted_back(&elements, key)),
            _ => (false, None),
        };
        let key = counted.as_deref().unwrap_or(key);
        if moved || !key.iter().all(u8::is_ascii_digit) {
            // Which element this is depends on what the subscript evaluates to.
            state
                .variables
                .update(name, |variable| variable.widen(name));
        } else if let Slot::Array(elements) = self.slot(name, state) {
            let rest = elements
                .iter()
                .filter(|(known, _)| known != key)
                .cloned()
                .collect();
            self.assign(state, name, array(rest), false);
        }
    }

    /// `printf -v name format …`
    pub(super) fn printf_into(&mut self, args: &[Arg], state: &mut State) {
        let Some(flag) = args.get(1) else { return };
        let shown = flag.value.known_prefix();
        let (name, rest) = if shown.len() > 2 {
            (Some(shown.get(2..).unwrap_or_default().to_vec()), 2)
        } else {
            (
                args.get(2)
                    .and_then(|arg| arg.value.bytes().map(|b| b.into_owned())),
                3,
            )
        };
        let Some(name) = name else { return };
        if name.contains(&b'[') {
            self.arithmetic_text(&Value::computed(name.as_slice()), flag.span, state);
        }
        let mut call: Vec<Arg> = args.iter().take(1).cloned().collect();
        call.extend(args.iter().skip(rest).cloned());
        if call.len() < 2 {
            // Without a format nothing is set.
            return;
        }
        let text = self.output_of(&call, &Io::default(), state);
        self.assign(state, &name, Slot::Scalar(text), false);
    }

    /// `test -v name[subscript]`: the subscript is evaluated.
    pub(super) fn test_variables(&mut self, args: &[Arg], state: &mut State) {
        for pair in args.windows(2) {
            let [operator, operand] = pair else { continue };
            if operator.value.is(b"-v") || operator.value.is(b"-R") {
                self.arithmetic_text(&operand.value, operand.span, state);
            }
        }
    }
}
