//! What programs get in their environment from the variables of the line.

use std::rc::Rc;

use crate::environment::Environment;
use crate::execution::Binding;
use crate::resolve::machine::state::{Slot, State, Variable};
use crate::resolve::machine::{MAX_REMEMBERED, Machine};
use crate::source::Span;
use crate::value::{Origin, Value};

/// The environment that was asked for last: most executions of a script get the same one.
#[derive(Default)]
pub(crate) struct LastEnvironment {
    names: Rc<Vec<Vec<u8>>>,
    /// The variables of these names.
    variables: Vec<Option<Rc<Variable>>>,
    environment: Option<Environment>,
}

impl Machine<'_> {
    /// Variables of the line that programs get in their environment, and those in front of this one.
    pub(crate) fn environment(&mut self, own: &[Binding], state: &State) -> Environment {
        if state.more_exported {
            self.hidden(Span::default());
        }
        let exported = self.exported(state);
        if own.is_empty() {
            return exported;
        }
        [&*exported, own].concat().into()
    }

    fn exported(&mut self, state: &State) -> Environment {
        let variables = |name: &Vec<u8>| state.variables.shared(name);
        let last = &self.last_environment;
        if let Some(environment) = &last.environment
            && last.names == state.exported
            && state
                .exported
                .iter()
                .map(variables)
                .zip(&last.variables)
                .all(|(now, then)| same(now, then.as_ref()))
        {
            // Whoever judges an execution looks at each of them.
            let (environment, names) = (environment.clone(), last.names.len() as u64);
            if names == 0 || self.spend(names) {
                return environment;
            }
        }
        let (bindings, complete) = self.copied(state);
        let environment = Environment::from(bindings);
        self.last_environment = LastEnvironment {
            names: Rc::clone(&state.exported),
            variables: state
                .exported
                .iter()
                .map(|name| variables(name).cloned())
                .collect(),
            environment: complete.then(|| environment.clone()),
        };
        environment
    }

    /// The bindings, and whether there was enough fuel for them.
    fn copied(&mut self, state: &State) -> (Vec<Binding>, bool) {
        let mut bindings = Vec::new();
        let mut complete = true;
        let all = exported_values(state).map(|(_, value)| units(value)).sum();
        let affordable = self.affords(all);
        for (name, value) in exported_values(state) {
            let known = affordable && value.size() <= MAX_REMEMBERED;
            let paid = self.spend(if known { units(value) } else { 8 });
            complete &= paid;
            bindings.push(Binding {
                name: name.clone(),
                value: if known && paid {
                    value.clone()
                } else {
                    Value::unknown_words(Origin::Variable(name.clone()))
                },
                span: Span::default(),
            });
        }
        (bindings, complete)
    }
}

/// The variables of the line that programs get, as far as they have one text.
fn exported_values(state: &State) -> impl Iterator<Item = (&Vec<u8>, &Value)> {
    state.exported.iter().filter_map(|name| {
        let variable = state.variables.get(name)?;
        match variable.slots.first() {
            Some(Slot::Scalar(value)) if variable.exported => Some((name, value)),
            _ => None,
        }
    })
}

/// What a copy of a value costs.
fn units(value: &Value) -> u64 {
    value.size() as u64 / 2
}

fn same(now: Option<&Rc<Variable>>, then: Option<&Rc<Variable>>) -> bool {
    match (now, then) {
        (Some(now), Some(then)) => Rc::ptr_eq(now, then),
        (None, None) => true,
        _ => false,
    }
}
