//! Calls of functions that the line defines.

use std::collections::HashMap;
use std::rc::Rc;

use crate::execution::{Arg, FactKind};
use crate::resolve::machine::identity::Identity;
use crate::resolve::machine::state::{Function, Parameters, Slot, State, Variable};
use crate::resolve::machine::{Active, Io, Machine};
use crate::resolve::values::operators::number;
use crate::source::Span;
use crate::syntax::Command;
use crate::value::{Origin, Value};

/// How deep one function may call itself before its arguments count as unknown.
const MAX_SELF_CALLS: usize = 8;

/// The same where it does so in a loop.
const MAX_LOOPED_SELF_CALLS: usize = 3;

/// How many states in which a loop or a call is left are kept apart.
const MAX_WAYS_OUT: usize = 64;

impl Machine<'_> {
    /// Calls a function; `false` when the name may (also) be that of a program.
    pub(crate) fn call(
        &mut self,
        name: &[u8],
        args: &[Arg],
        span: Span,
        state: &mut State,
        io: &mut Io,
    ) -> bool {
        let Some(function) = state.functions.get(name).cloned() else {
            return false;
        };
        if self.shallow {
            return !function.maybe;
        }
        self.note_self_call(name, span);
        let depth = self
            .active
            .iter()
            .filter(|active| active.name == name)
            .count();
        let copied: usize = args.iter().map(|arg| 256 + arg.value.size()).sum();
        if !self.spend(100 + copied as u64 / 16) {
            return true;
        }
        let deepest = if self.recurs_in_loop(name) {
            MAX_LOOPED_SELF_CALLS
        } else {
            MAX_SELF_CALLS
        };
        if depth > deepest {
            self.call_unfollowed(name, &function, state, io);
            return !function.maybe;
        }
        if function.more {
            self.fact(FactKind::CommandUnresolved, span, b"");
        }
        let zsh = self.dialect == crate::syntax::Dialect::Zsh;
        let parameters = called_with(args, depth == deepest, zsh, state);
        if self.is_active(name, &parameters, state) {
            return !function.maybe;
        }
        let calls = self.care().calls;
        let too_often = function.bodies.iter().any(|body| {
            self.bodies
                .get(&Identity::of(body))
                .is_some_and(|body| body.calls >= calls)
        });
        if too_often {
            self.call_unfollowed(name, &function, state, io);
            return !function.maybe;
        }
        let parameters = Rc::new(parameters);
        let mut end: Option<(State, Io)> = None;
        for body in &function.bodies {
            let (inner, printed) = self.run_body(name, body, &parameters, state, io);
            match &mut end {
                None => end = Some((inner, printed)),
                Some((known, known_io)) => {
                    self.join(known, &inner);
                    known_io.join(printed);
                }
            }
        }
        if let Some((inner, printed)) = end {
            let outer = Rc::clone(&state.parameters);
            *state = inner;
            state.parameters = outer;
            *io = printed;
        }
        !function.maybe
    }

    /// Whether a call of this function in itself stands in a loop that the function runs.
    fn recurs_in_loop(&self, name: &[u8]) -> bool {
        let mut inside = self.active.iter().skip_while(|call| call.name != name);
        inside.next().is_some()
            && (!self.escapes.is_empty() || inside.any(|call| call.called_in_loop))
    }

    /// Whether the same call is being run: inside it, the same arguments in the same state show
    /// nothing new.
    fn is_active(&self, name: &[u8], parameters: &Parameters, state: &State) -> bool {
        self.active.iter().any(|active| {
            active.name == name && *active.parameters == *parameters && active.state.is_same(state)
        })
    }

    /// Runs one possible body of a function: the state behind it, and what was printed so far.
    fn run_body(
        &mut self,
        name: &[u8],
        body: &Rc<Command>,
        parameters: &Rc<Parameters>,
        state: &State,
        io: &Io,
    ) -> (State, Io) {
        self.called.insert(Identity::of(body));
        let mut inner = State {
            parameters: Rc::clone(parameters),
            ..state.clone()
        };
        let mut inner_io = io.clone();
        self.active.push(Active {
            name: name.to_vec(),
            parameters: Rc::clone(parameters),
            state: state.clone(),
            called_in_loop: !self.escapes.is_empty(),
            conditional: 0,
            in_pipeline: false,
            in_background: false,
            self_calls_in_pipeline: 0,
        });
        self.returns.push(Vec::new());
        self.locals.push(HashMap::new());
        let escapes = std::mem::take(&mut self.escapes);
        self.command(body, &mut inner, &mut inner_io);
        self.escapes = escapes;
        self.active.pop();
        for (mut returned, printed) in self.returns.pop().unwrap_or_default() {
            returned.left = false;
            self.join(&mut inner, &returned);
            inner_io.join(printed);
        }
        inner.left = false;
        self.restore_locals(&mut inner);
        let known = self.bodies.entry(Identity::of(body)).or_default();
        known.calls += 1;
        known
            .changes
            .extend(inner.variables.differing(&state.variables));
        (inner, inner_io)
    }

    /// A call that is not followed: what it prints and sets cannot be known, and one run at the
    /// end, with every value that each name has had, stands for what it starts.
    fn call_unfollowed(
        &mut self,
        name: &[u8],
        function: &Function,
        state: &mut State,
        io: &mut Io,
    ) {
        for body in &function.bodies {
            let known = self.bodies.entry(Identity::of(body)).or_default();
            let first = !std::mem::replace(&mut known.deferred, true);
            let changes: Vec<Rc<[u8]>> = known.changes.iter().cloned().collect();
            self.spend(10 * changes.len() as u64);
            for changed in changes {
                state
                    .variables
                    .update(&changed, |variable| variable.widen(&changed));
            }
            if first {
                self.defer_function(body);
            }
        }
        io.print(&Value::unknown_words(Origin::Output(name.to_vec())));
    }

    /// Notes that a name is local to the current function; says whether it was not before.
    pub(crate) fn make_local(&mut self, name: &[u8], state: &State) -> bool {
        match self.locals.last_mut() {
            Some(locals) if !locals.contains_key(name) => {
                locals.insert(name.to_vec(), state.variables.get(name).cloned());
                true
            }
            _ => false,
        }
    }

    /// Whether a function that runs has a variable of this name of its own.
    pub(crate) fn is_local(&self, name: &[u8]) -> bool {
        self.locals.iter().any(|locals| locals.contains_key(name))
    }

    /// Sets a name to what it is outside of all functions.
    pub(crate) fn show_global(&self, name: &[u8], state: &mut State) {
        match self.locals.iter().find_map(|locals| locals.get(name)) {
            Some(Some(outer)) => state.variables.insert(name, outer.clone()),
            _ => state.variables.remove(name),
        }
    }

    /// The name may be what it is in this state, outside of all functions.
    pub(crate) fn set_global(&mut self, name: &[u8], state: &State) {
        let Some(new) = state.variables.get(name) else {
            return;
        };
        let mut locals = self.locals.iter_mut();
        if let Some(outer) = locals.find_map(|locals| locals.get_mut(name)) {
            let known = outer.get_or_insert_with(|| Variable::new(Slot::Inherited));
            known.join(new, name);
        }
    }

    /// `unset` in a function takes away the variable of a function that called it: the one outside
    /// of that shows. Says whether there is one.
    pub(crate) fn uncover(&mut self, name: &[u8], state: &mut State) -> bool {
        let Some((own, callers)) = self.locals.split_last() else {
            return false;
        };
        if own.contains_key(name) {
            return false;
        }
        let Some(outer) = callers.iter().rev().find_map(|locals| locals.get(name)) else {
            return false;
        };
        match outer {
            Some(variable) => state.variables.insert(name, variable.clone()),
            None => state.variables.remove(name),
        }
        self.uncovered.insert(name.to_vec());
        true
    }

    fn restore_locals(&mut self, state: &mut State) {
        for (name, outer) in self.locals.pop().unwrap_or_default() {
            let changed = state.variables.get(&name).cloned();
            let changed = changed.filter(|_| self.uncovered.contains(&name));
            match outer {
                outer if changed.is_some() => {
                    // It may have been set where the variable outside showed.
                    let mut all = outer.unwrap_or_else(|| Variable::new(Slot::Inherited));
                    if let Some(changed) = &changed {
                        all.join(changed, &name);
                    }
                    state.variables.insert(&name, all);
                }
                Some(variable) => state.variables.insert(&name, variable),
                None => state.variables.remove(&name),
            }
        }
    }

    /// `break`, `continue`: the rest of the loop's body may not run, nor the bodies of as many loops
    /// around it as the operand says.
    pub(crate) fn leave_body(&mut self, args: &[Arg], state: &mut State, io: &Io) {
        let loops = self.escapes.len();
        let goes_on = args.first().is_some_and(|name| name.value.is(b"continue"));
        let levels = match args.get(1) {
            None => 1..=1,
            Some(arg) => match number(&arg.value).and_then(|n| usize::try_from(n).ok()) {
                Some(levels) => levels.clamp(1, loops.max(1))..=levels.clamp(1, loops.max(1)),
                None => 1..=loops,
            },
        };
        for level in levels {
            let Some(index) = loops.checked_sub(level) else {
                return;
            };
            let ways = |machine: &mut Self, other: &mut Vec<(State, Io)>| {
                if let Some(escapes) = machine.escapes.get_mut(index) {
                    let own = if goes_on {
                        &mut escapes.on
                    } else {
                        &mut escapes.out
                    };
                    std::mem::swap(own, other);
                }
            };
            let mut known = Vec::new();
            ways(self, &mut known);
            self.leave_into(&mut known, state, io);
            ways(self, &mut known);
        }
        state.left |= loops > 0;
    }

    /// `return`: the rest of the function's body may not run.
    pub(crate) fn leave_function(&mut self, state: &mut State, io: &Io) {
        if let Some(mut returns) = self.returns.pop() {
            self.leave_into(&mut returns, state, io);
            self.returns.push(returns);
        }
        // Elsewhere the shell refuses it and goes on.
        state.left |= !self.returns.is_empty();
    }

    /// Keeps the state of one more way out; the last one kept stands for all that are too many.
    fn leave_into(&mut self, ways: &mut Vec<(State, Io)>, state: &State, io: &Io) {
        if state.left {
            return;
        }
        let full = ways.len() >= MAX_WAYS_OUT;
        match ways.last_mut() {
            Some((known, printed)) if full => {
                self.join(known, state);
                printed.join(io.clone());
            }
            _ => ways.push((state.clone(), io.clone())),
        }
    }
}

/// The positional parameters of a call. The last call that is followed stands for all further ones.
fn called_with(args: &[Arg], last: bool, zsh: bool, state: &State) -> Parameters {
    let values = if last {
        (1..10)
            .map(|n: u8| Value::unknown_words(Origin::Variable(n.to_string().into_bytes())))
            .collect()
    } else {
        args.iter().skip(1).map(|arg| arg.value.clone()).collect()
    };
    Parameters {
        zero: match args.first() {
            // zsh calls `$0` what the function is called.
            Some(name) if zsh => Some(name.value.clone()),
            _ => state.parameters.zero.clone(),
        },
        values,
        open: last,
    }
}
