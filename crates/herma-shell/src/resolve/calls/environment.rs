//! Assignments in front of a command: the environment of a program, and what a builtin sees while it
//! runs.

use super::simple::{DECLARATIONS, Invocation};
use crate::execution::Binding;
use crate::resolve::machine::state::{Slot, State, Variable};
use crate::resolve::machine::{Io, Machine};
use crate::syntax::Simple;

/// Builtins behind which POSIX keeps the assignments in front of them.
const SPECIAL: &[&[u8]] = &[
    b".",
    b":",
    b"break",
    b"continue",
    b"eval",
    b"exec",
    b"exit",
    b"export",
    b"readonly",
    b"return",
    b"set",
    b"shift",
    b"source",
    b"times",
    b"trap",
    b"unset",
];

impl Machine<'_> {
    /// Assignments in front of a program: its environment.
    pub(super) fn bindings(&mut self, simple: &Simple, state: &mut State) -> Vec<Binding> {
        let mut bindings = Vec::new();
        // Each sees those in front of it.
        let several = simple.assignments.len() > 1
            || simple
                .assignments
                .iter()
                .any(|assignment| assignment.append);
        let mut before = Vec::new();
        for assignment in &simple.assignments {
            let mut value = self.expand_assigned(&assignment.value, state);
            if let Some(subscript) = &assignment.subscript {
                self.subscript(&assignment.name, subscript, state);
            }
            if several {
                let name = assignment.name.as_slice();
                before.push((name, state.variables.get(name).cloned()));
                let slot = Slot::Scalar(value.clone());
                self.assign(state, name, slot, assignment.append);
                if assignment.append {
                    value = self.scalar(name, state);
                }
            }
            bindings.push(Binding {
                name: assignment.name.clone(),
                value,
                span: assignment.span,
            });
        }
        restore(before, state);
        bindings
    }

    /// Assignments in front of a builtin hold while it runs; of a special one, in a POSIX shell,
    /// also behind it.
    pub(super) fn builtin_with_environment(
        &mut self,
        name: &[u8],
        invocation: &Invocation<'_>,
        state: &mut State,
        io: &mut Io,
    ) {
        let mut before = Vec::new();
        for binding in invocation.environment {
            before.push((
                binding.name.as_slice(),
                state.variables.get(&binding.name).cloned(),
            ));
            self.assign(
                state,
                &binding.name,
                Slot::Scalar(binding.value.clone()),
                false,
            );
        }
        self.builtin(name, invocation, state, io);
        let posix = self.dialect == crate::syntax::Dialect::Posix || state.posix;
        if posix && SPECIAL.contains(&name) {
            return;
        }
        if DECLARATIONS.contains(&name) {
            // What is declared while it holds stays.
            before.retain(|(name, _)| !invocation.args.iter().any(|arg| arg.value.is(name)));
        }
        restore(before, state);
    }
}

/// Gives names back what they were, the first change last.
fn restore(before: Vec<(&[u8], Option<Variable>)>, state: &mut State) {
    for (name, variable) in before.into_iter().rev() {
        match variable {
            Some(variable) => state.variables.insert(name, variable),
            None => state.variables.remove(name),
        }
    }
}
