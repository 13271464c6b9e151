//! Commands of assignments and redirections alone.

use crate::execution::{Arg, Binding};
use crate::resolve::control::command::Routes;
use crate::resolve::machine::state::State;
use crate::resolve::machine::{Io, Machine};
use crate::source::Span;
use crate::syntax::Simple;
use crate::value::Value;

impl Machine<'_> {
    /// A command without words: its assignments set variables. Redirections are reported as those
    /// of a `:`, since there is no program.
    pub(super) fn without_words(
        &mut self,
        simple: &Simple,
        span: Span,
        routes: &Routes<'_>,
        io: &Io,
        state: &mut State,
    ) {
        for assignment in &simple.assignments {
            self.assignment(assignment, state);
            if self.is_fixed(&assignment.name, state) {
                // An error: those behind it are not made.
                break;
            }
        }
        // What the shell itself obeys counts without a program.
        let obeyed: Vec<Binding> = simple
            .assignments
            .iter()
            .filter(|assignment| assignment.name.starts_with(b"HIST"))
            .map(|assignment| Binding {
                name: assignment.name.clone(),
                value: self.scalar(&assignment.name, state),
                span: assignment.span,
            })
            .collect();
        if !routes.redirections.is_empty() || !obeyed.is_empty() {
            let value = Value::computed(b":".as_slice());
            let marker = [Arg { value, span }];
            self.emit(&marker, &obeyed, &routes.redirections, io, span, state);
        }
    }
}
