//! What runs at a time that is not known: traps, and functions that nothing calls.

use std::collections::HashSet;
use std::rc::Rc;

use crate::execution::{Reach, Via, Why};
use crate::resolve::machine::identity::Identity;
use crate::resolve::machine::state::{Parameters, Slot, State, Variable};
use crate::resolve::machine::{Io, Machine, local};
use crate::source::Span;
use crate::syntax::Command;
use crate::value::{Origin, Value};

/// How many texts may wait for their time.
const MAX_TRAPS: usize = 1024;
/// How many working directories are remembered for them.
const MAX_PLACES: usize = 16;

/// Something to be run later, with what led to it.
struct Deferred<T> {
    what: T,
    via: Vec<Via>,
    reach: Reach,
}

/// When a text may run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum When {
    /// Once, when the shell ends.
    AtEnd,
    /// Any number of times.
    AnyTime,
    /// Any number of times, also within a function, with its parameters.
    WithinFunctions,
}

/// A text with its place in the line.
struct Trap {
    text: Value,
    span: Span,
    when: When,
    /// Where the shell was, as places in the list of all.
    since: usize,
    cwd: Value,
}

/// What waits.
#[derive(Default)]
pub(crate) struct Later {
    traps: Vec<Deferred<Trap>>,
    functions: Vec<Deferred<Rc<Command>>>,
    /// Working directories in the order in which the shell went there.
    places: Vec<Value>,
    /// Where the shell ends before the end of the text.
    exits: Option<State>,
}

impl Later {
    /// How many functions wait.
    pub(crate) fn functions(&self) -> usize {
        self.functions.len()
    }
}

impl Machine<'_> {
    /// Text that runs at a time that is not known (`trap`).
    pub(crate) fn defer_text(&mut self, text: Value, span: Span, when: When, state: &State) {
        if self.shallow {
            let mut inner = state.clone();
            self.text_behind("trap", &text, span, &mut inner, &mut Io::default());
            return;
        }
        if self.later.traps.len() >= MAX_TRAPS {
            self.uncertain(Why::Fuel, span);
            return;
        }
        let mut via = self.via.clone();
        via.push(local("trap"));
        self.later.traps.push(Deferred {
            what: Trap {
                text,
                span,
                when,
                since: self.later.places.len(),
                cwd: state.place.cwd.clone(),
            },
            via,
            reach: self.reach,
        });
    }

    /// A function that may never be called.
    pub(crate) fn defer_function(&mut self, body: &Rc<Command>) {
        self.later.functions.push(Deferred {
            what: Rc::clone(body),
            via: self.via.clone(),
            reach: self.reach,
        });
    }

    /// Notes where the shell is, for what waits.
    pub(crate) fn note_place(&mut self, state: &State) {
        let places = &mut self.later.places;
        if self.later.traps.is_empty() || places.len() > MAX_PLACES {
            return;
        }
        places.push(if places.len() < MAX_PLACES {
            state.place.cwd.clone()
        } else {
            Value::unknown(Origin::Variable(b"PWD".to_vec()))
        });
    }

    /// Notes that the shell may end here: what it wrote so far is there for what waits.
    pub(crate) fn note_exit(&mut self, state: &State) {
        if self.later.traps.is_empty() {
            return;
        }
        match self.later.exits.take() {
            Some(mut exits) => {
                self.join(&mut exits, state);
                self.later.exits = Some(exits);
            }
            None => self.later.exits = Some(state.clone()),
        }
    }

    pub(crate) fn run_deferred(&mut self, end: &State) {
        let traps = !self.later.traps.is_empty();
        self.run_readers(end, traps);
        let mut round = 0;
        // Traps may define functions and set traps; both stop being new soon.
        while !(self.later.traps.is_empty() && self.later.functions.is_empty()) {
            if round == crate::MAX_DEPTH {
                self.uncertain(Why::Depth, self.whole);
                break;
            }
            round += 1;
            let traps = std::mem::take(&mut self.later.traps);
            let (state, _) = self.run_traps(traps, end);
            self.run_functions(0, &state);
        }
        self.via.clear();
    }

    /// Does what a new shell does: nothing of the functions and loops around it is left.
    pub(crate) fn in_new_shell(
        &mut self,
        inner: &mut State,
        run: impl FnOnce(&mut Self, &mut State),
    ) {
        let locals = std::mem::take(&mut self.locals);
        let returns = std::mem::take(&mut self.returns);
        let escapes = std::mem::take(&mut self.escapes);
        self.in_own_process(inner, run);
        self.locals = locals;
        self.returns = returns;
        self.escapes = escapes;
    }

    /// Does what a process of its own does; the traps that it sets run at its end.
    pub(crate) fn in_own_process(
        &mut self,
        inner: &mut State,
        run: impl FnOnce(&mut Self, &mut State),
    ) {
        let from = self.later.traps.len();
        let exits = self.later.exits.take();
        // What it makes local is local there.
        let known = self
            .locals
            .last()
            .map(|locals| locals.keys().cloned().collect());
        let known: HashSet<Vec<u8>> = known.unwrap_or_default();
        self.spend(known.len() as u64);
        let given_up = self.given_up.len();
        run(self, inner);
        self.given_up.truncate(given_up);
        if let Some(locals) = self.locals.last_mut() {
            locals.retain(|name, _| known.contains(name));
        }
        if self.later.traps.len() > from {
            let traps = self.later.traps.split_off(from);
            let of_script = traps.iter().any(|trap| trap.reach == Reach::Script);
            let run = |machine: &mut Self| {
                let (_, ends) = machine.run_traps(traps, inner);
                for end in &ends {
                    machine.join(inner, end);
                }
            };
            if of_script {
                // The line does not pay for what a script leaves for its end.
                self.with_own_budget(|machine| machine.within_reach(Reach::Script, run));
            } else {
                run(self);
            }
        }
        self.later.exits = exits;
    }

    /// Runs traps of a shell that ends in the state given: the state in which they started, and the
    /// ends of all of them.
    fn run_traps(&mut self, traps: Vec<Deferred<Trap>>, end: &State) -> (State, Vec<State>) {
        let outer = (self.via.clone(), self.reach);
        let mut end = end.clone();
        end.left = false;
        if let Some(exits) = self.later.exits.clone() {
            self.join(&mut end, &exits);
        }
        let mut state = self.at_any_time(&end);
        let ends: Vec<Value> = std::iter::once(&state.place)
            .chain(&state.elsewhere)
            .map(|place| place.cwd.clone())
            .collect();
        state.elsewhere.clear();
        let mut after = Vec::new();
        for trap in traps {
            self.via = trap.via;
            self.reach = trap.reach;
            let Trap {
                text,
                span,
                when,
                since,
                cwd,
            } = trap.what;
            let mut places = ends.clone();
            places.push(cwd);
            places.extend_from_slice(self.later.places.get(since..).unwrap_or_default());
            for (index, place) in places.iter().enumerate() {
                if places.iter().take(index).any(|known| known == place) {
                    continue;
                }
                let mut state = state.clone();
                Rc::make_mut(&mut state.place).cwd = place.clone();
                let mut io = Io::default();
                let exhausted = self.take_exhausted();
                if when == When::WithinFunctions {
                    let mut within = state.clone();
                    within.parameters = Rc::new(Parameters {
                        open: true,
                        ..Parameters::default()
                    });
                    self.value_as_text(&text, span, &mut within, &mut io);
                    within.parameters = Rc::clone(&state.parameters);
                    self.join(&mut state, &within);
                }
                if when == When::AtEnd {
                    self.value_as_text(&text, span, &mut state, &mut io);
                } else {
                    self.rounds(&mut state, &mut io, |machine, state, io| {
                        machine.value_as_text(&text, span, state, io);
                    });
                }
                self.text_of_script_once(&text, span, exhausted, &state);
                after.push(state);
            }
        }
        (self.via, self.reach) = outer;
        (state, after)
    }

    /// Runs the functions that wait, from a place in their queue on, unless they were called.
    pub(crate) fn run_functions(&mut self, from: usize, state: &State) {
        let outer = (self.via.clone(), self.reach);
        for function in self
            .later
            .functions
            .split_off(from.min(self.later.functions.len()))
        {
            let body = Identity::of(&function.what);
            let called = self.called.contains(&body);
            if called && !self.bodies.get(&body).is_some_and(|body| body.deferred) {
                continue;
            }
            self.via = function.via;
            self.reach = if called {
                function.reach
            } else {
                function.reach.max(Reach::Uncalled)
            };
            let mut state = state.clone();
            Rc::make_mut(&mut state.parameters).open = true;
            self.command(&function.what, &mut state, &mut Io::default());
            // A later call that is not followed makes it wait again.
            if let Some(known) = self.bodies.get_mut(&body) {
                known.deferred = false;
            }
        }
        (self.via, self.reach) = outer;
    }

    /// The end state, with every value that a name has had.
    pub(crate) fn at_any_time(&mut self, end: &State) -> State {
        let mut state = end.clone();
        self.spend(50 * self.ever.len() as u64);
        for (name, variable) in self.ever.iter() {
            let mut all = match state.variables.get(name) {
                Some(known) => known.clone(),
                None => Variable {
                    slots: vec![Slot::Inherited],
                    ..variable.clone()
                },
            };
            all.join(variable, name);
            state.variables.insert(name, all);
        }
        state.left = false;
        state
    }
}
