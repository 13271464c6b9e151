//! What programs get in their environment from the variables of the line.

use std::rc::Rc;

use crate::environment::Environment;
use crate::execution::Binding;
use crate::resolve::control::command::size;
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
    /// What it costs to ask for it.
    units: u64,
    environment: Option<Environment>,
}

impl Machine<'_> {
    /// Variables of the line that programs get in their environment, and those in front of this one.
    pub(crate) fn environment(&mut self, own: &[Binding], state: &State) -> Environment {
        if state.more_exported {
            self.beyond(Span::default());
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
            let (environment, units) = (environment.clone(), last.units);
            if units == 0 || self.spend(units) {
                return environment;
            }
        }
        let (bindings, units) = self.copied(state);
        let environment = Environment::from(bindings);
        self.last_environment = LastEnvironment {
            names: Rc::clone(&state.exported),
            variables: state
                .exported
                .iter()
                .map(|name| variables(name).cloned())
                .collect(),
            units: units.unwrap_or_default(),
            environment: units.map(|_| environment.clone()),
        };
        environment
    }

    /// The bindings, and what they cost unless that was more than is left.
    fn copied(&mut self, state: &State) -> (Vec<Binding>, Option<u64>) {
        let mut bindings = Vec::new();
        let mut cost = Some(0);
        for name in state.exported.iter() {
            let Some(variable) = state.variables.get(name) else {
                continue;
            };
            let (true, Some(Slot::Scalar(value))) = (variable.exported, variable.slots.first())
            else {
                continue;
            };
            let units = size(value) as u64 / 2;
            let value = if size(value) > MAX_REMEMBERED {
                Value::unknown_words(Origin::Variable(name.clone()))
            } else if self.spend(units) {
                cost = cost.map(|cost| cost + units.max(1));
                value.clone()
            } else {
                cost = None;
                Value::unknown_words(Origin::Variable(name.clone()))
            };
            bindings.push(Binding {
                name: name.clone(),
                value,
                span: Span::default(),
            });
        }
        (bindings, cost)
    }
}

fn same(now: Option<&Rc<Variable>>, then: Option<&Rc<Variable>>) -> bool {
    match (now, then) {
        (Some(now), Some(then)) => Rc::ptr_eq(now, then),
        (None, None) => true,
        _ => false,
    }
}
