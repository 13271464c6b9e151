//! The machine's registers: bounds, carriers on the way, what is deferred to the end.

mod calls;
mod choice;
mod fingerprint;
mod fuel;
pub(super) mod identity;
mod io;
pub(super) mod map;
mod place;
pub(super) mod places;
pub(super) mod report;
mod room;
pub(super) mod state;
mod widen;

use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

pub(super) use self::calls::{Active, Body, Escapes};
pub(super) use self::choice::Choice;
use self::identity::Identity;
pub(super) use self::io::{Io, bound_readings};
use self::report::Report;
use self::room::make_room;
use self::state::{Slot, State, Variable, Variables};
use super::control::deferred::Later;
use super::control::processes::Readers;
use super::files::FilesRead;
use super::values::exported::LastEnvironment;
use super::{MAX_TEXT, Request};
use crate::MAX_DEPTH;
use crate::execution::{Analysis, Fact, FactKind, Host, Reach, Redirection, Uncertain, Via, Why};
use crate::source::{Source, Span};
use crate::syntax::{Dialect, Parsed, parse};
use crate::value::{Unknown, Value};
use crate::world::World;

/// Units of work for each byte of the text. A unit is about ten nanoseconds.
const FUEL_PER_BYTE: u64 = 256;
/// Units of work for the shortest text.
const FUEL_MINIMUM: u64 = 200_000;
/// Units of work for all scripts that a line runs.
const FUEL_FOR_SCRIPTS: u64 = 2_000_000;
/// Units of work for starting a script.
const SCRIPT_START: u64 = 1_000;
/// Units of work for each byte of what is read once.
const FUEL_ONCE_PER_BYTE: u64 = FUEL_PER_BYTE / 2;
/// Units of work for all scripts that are read once; what files of the machine
/// add comes on top.
const FUEL_FOR_SCRIPTS_ONCE: u64 = 20_000_000;
/// What one command may cost beyond its own words, in units, where commands are read once.
const SMALL_ONCE: u64 = 1_000;
/// How large a value is remembered beyond its own time, in bytes.
pub(super) const MAX_REMEMBERED: usize = 1 << 12;
/// How many pieces of a printed text are kept apart.
pub(super) const MAX_PIECES: usize = 4096;
/// How large a captured output or a value may grow, in bytes.
pub(super) const MAX_VALUE: usize = 1 << 20;

/// How often a line is read with what arrives in its named pipes: pipes may feed pipes.
const MAX_PIPE_ROUNDS: usize = 3;

/// The script file that was parsed last: it may be read once more.
struct LastScript {
    text: Vec<u8>,
    start: u32,
    dialect: Dialect,
    parsed: Rc<Parsed>,
}

/// A script file with what it is given.
#[derive(PartialEq, Eq, Hash)]
struct ScriptCall {
    path: Vec<u8>,
    parameters: Vec<Value>,
    cwd: Value,
}

pub(super) struct Machine<'w> {
    pub(super) world: &'w dyn World,
    pub(super) dialect: Dialect,
    pub(super) report: Report,
    fuel: u64,
    /// The fuel at the start.
    budget: u64,
    pub(super) whole: Span,
    depth: usize,
    /// The bound on work was reached.
    exhausted: bool,
    /// What scripts may still cost.
    pool: u64,
    /// What scripts may still cost that are read once.
    pool_once: u64,
    /// The calls that were read so.
    read_once: HashSet<ScriptCall>,
    /// Each command is read once, without following calls, rounds and readings.
    pub(super) shallow: bool,
    pub(super) via: Vec<Via>,
    pub(super) reach: Reach,
    /// Every value that a name had at some time, for what runs at a time that is not known.
    pub(super) ever: Variables,
    pub(super) later: Later,
    pub(super) readers: Readers,
    pub(super) active: Vec<Active>,
    /// How `break` and `continue` left the body of each loop that is being run.
    pub(super) escapes: Vec<Escapes>,
    /// States in which `return` left each function that is being run.
    pub(super) returns: Vec<Vec<(State, Io)>>,
    /// How many jobs beside the shell the current command stands in.
    pub(super) jobs: usize,
    /// The line starts a job somewhere before.
    pub(super) has_started_job: bool,
    /// What `local` names were before, for each function that is being run.
    pub(super) locals: Vec<HashMap<Vec<u8>, Option<Variable>>>,
    /// Names of functions' variables that a function which they call has unset.
    pub(super) uncovered: HashSet<Vec<u8>>,
    pub(super) called: HashSet<Identity>,
    /// For each function body: how often it ran, and the names that it changed.
    pub(super) bodies: HashMap<Identity, Body>,
    pub(super) choice: Choice,
    /// The current command's words were declared as they were written.
    pub(super) declared_as_written: bool,
    /// Inputs that commands took lines from, and where these stand.
    pub(super) lines_taken: Vec<(Rc<Value>, Span)>,
    /// An expansion of the current command is none that the shell knows: the command does not run.
    pub(super) bad_substitution: bool,
    /// States in which an error in arithmetic ended the rest of a line.
    pub(super) given_up: Vec<State>,
    /// The script that the innermost shell reads from its standard input.
    pub(super) script_on_input: Option<Rc<Value>>,
    /// Aliases that are being expanded.
    pub(super) alias_chain: Vec<Vec<u8>>,
    pub(super) placeholders: Vec<Unknown>,
    /// Places to which computed text was mapped: text that seems to stand there was not written.
    pub(super) fixed: HashSet<u32>,
    /// Redirections of the compounds around the current command.
    pub(super) redirections: Vec<Redirection>,
    /// Script files that are being run, and how many were read.
    pub(super) scripts: Vec<Vec<u8>>,
    last_script: Option<LastScript>,
    pub(super) last_environment: LastEnvironment,
    /// The last execution's working directory.
    last_cwd: Arc<Value>,
    /// The next text is that of a script file.
    pub(super) script_itself: bool,
    /// How many files were read as code.
    pub(super) followed: usize,
    pub(super) files_read: FilesRead,
    pub(super) process_files: u32,
    /// Command substitutions around the current command.
    pub(super) substitutions: usize,
}

/// Runs the machine on a text.
pub(super) fn run(source: &Source, request: &Request<'_>, world: &dyn World) -> Analysis {
    let length = u32::try_from(source.bytes().len()).unwrap_or(u32::MAX);
    let whole = source.span(0, source.bytes().len());
    let mut machine = Machine {
        world,
        dialect: request.dialect,
        report: Report::behind(whole.end),
        fuel: FUEL_MINIMUM + FUEL_PER_BYTE * u64::from(length),
        budget: FUEL_MINIMUM + FUEL_PER_BYTE * u64::from(length),
        whole,
        depth: 0,
        exhausted: false,
        pool: FUEL_FOR_SCRIPTS,
        pool_once: FUEL_FOR_SCRIPTS_ONCE,
        read_once: HashSet::new(),
        shallow: false,
        via: Vec::new(),
        reach: Reach::Line,
        ever: Variables::default(),
        later: Later::default(),
        readers: Readers::default(),
        active: Vec::new(),
        escapes: Vec::new(),
        returns: Vec::new(),
        jobs: 0,
        has_started_job: false,
        locals: Vec::new(),
        uncovered: HashSet::new(),
        called: HashSet::new(),
        bodies: HashMap::new(),
        choice: Choice::default(),
        declared_as_written: false,
        lines_taken: Vec::new(),
        bad_substitution: false,
        given_up: Vec::new(),
        script_on_input: None,
        alias_chain: Vec::new(),
        placeholders: Vec::new(),
        fixed: HashSet::new(),
        redirections: Vec::new(),
        scripts: Vec::new(),
        last_script: None,
        last_environment: LastEnvironment::default(),
        last_cwd: Arc::default(),
        script_itself: false,
        followed: 0,
        files_read: FilesRead::default(),
        process_files: 0,
        substitutions: 0,
    };
    if source.bytes().len() > MAX_TEXT {
        machine.uncertain(Why::TooLong, machine.whole);
        return machine.report.finish(machine.whole);
    }
    let mut state = State::new(Value::computed(request.cwd));
    let start = state.clone();
    machine.text(source, &mut state, &mut Io::default());
    let mut known = Vec::new();
    for _ in 0..MAX_PIPE_ROUNDS {
        let pipes = machine.in_pipes(&state);
        if pipes == known || machine.exhausted {
            break;
        }
        // Who reads a named pipe may stand in front of who writes it: once more, with what arrives.
        machine.fuel = machine.budget;
        machine.bodies.clear();
        state = start.clone();
        for (path, contents) in &pipes {
            state.files.insert(path, contents.clone());
        }
        machine.text(source, &mut state, &mut Io::default());
        known = pipes;
    }
    machine.run_deferred(&state);
    if machine.exhausted {
        // What stands behind the bound is still looked at.
        let budget = FUEL_MINIMUM + FUEL_PER_BYTE * u64::from(length);
        (machine.fuel, machine.budget, machine.exhausted) = (budget, budget, false);
        machine.shallow = true;
        machine.text(source, &mut start.clone(), &mut Io::default());
        if machine.exhausted {
            machine.hidden(machine.whole);
        }
    }
    machine.report.finish(machine.whole)
}

impl Machine<'_> {
    /// Parses and runs shell text in this state.
    pub(super) fn text(&mut self, source: &Source, state: &mut State, io: &mut Io) {
        self.text_of(source, None, state, io);
    }

    /// Parses and runs shell text; `partly` is the place of a text some of which is unset or
    /// unknown: what the shell would make of the whole cannot be said from errors in the rest.
    pub(super) fn text_of(
        &mut self,
        source: &Source,
        partly: Option<Span>,
        state: &mut State,
        io: &mut Io,
    ) {
        if !self.spend(50 + source.bytes().len() as u64 * 2) {
            return;
        }
        let parsed = self.parsed(source);
        if !self.via.is_empty() && !self.dialect.is_windows() && ends_in_backslash(source.bytes()) {
            // Whether it stays depends on how the shell reads the text.
            let end = source.bytes().len();
            self.fact(FactKind::CodeUnresolved, source.span(end - 1, end), b"");
        }
        // Texts that a script of the machine computes may be ones that its readings only seem to
        // allow.
        let script_itself = std::mem::take(&mut self.script_itself);
        let computed = partly.or_else(|| {
            let computed = self.reach == Reach::Script && !script_itself;
            computed.then(|| source.span(0, source.bytes().len()))
        });
        match computed {
            Some(span) if !parsed.errors.is_empty() => {
                self.fact(FactKind::CodeUnresolved, span, b"");
            }
            _ => {
                for error in &parsed.errors {
                    self.uncertain(error.why, error.span);
                }
            }
        }
        for span in &parsed.unread {
            self.fact(FactKind::CodeForeign, *span, b"");
        }
        // Without the option the shell refuses a text with such patterns.
        let refused = (parsed.extended && !self.via.is_empty() && !sets_extglob(source.bytes()))
            .then(|| Box::new((state.clone(), io.clone())));
        let given_up = std::mem::take(&mut self.given_up);
        self.lines(&parsed.list, state, io);
        self.given_up = given_up;
        self.join_refused(refused, state, io);
    }

    /// The text's tree; a script that is read once more is parsed once.
    fn parsed(&mut self, source: &Source) -> Rc<Parsed> {
        let start = source.span(0, 1).start;
        if let Some(last) = &self.last_script
            && (last.start, last.dialect) == (start, self.dialect)
            && last.text == source.bytes()
        {
            return Rc::clone(&last.parsed);
        }
        make_room(source.bytes().len());
        let mut parsed = parse(source, self.dialect);
        if self.dialect == Dialect::Posix && !parsed.errors.is_empty() {
            // `sh` is bash on some machines, and its grammar takes more.
            let wider = parse(source, Dialect::Bash);
            if wider.errors.is_empty() {
                parsed = wider;
            }
        }
        let parsed = Rc::new(parsed);
        if self.script_itself {
            self.last_script = Some(LastScript {
                text: source.bytes().to_vec(),
                start,
                dialect: self.dialect,
                parsed: Rc::clone(&parsed),
            });
        }
        parsed
    }

    /// Text of the tree as a value: with its place, unless it was computed.
    pub(super) fn place(&self, at: u32) -> Option<u32> {
        (!self.fixed.contains(&at) && !self.report.scripts.holds(at)).then_some(at)
    }

    /// Runs a script with work of its own, by its length, taken from a common pool. Where that is
    /// not enough, each of its commands is still read once; where that is too much, too, the answer
    /// says so.
    pub(super) fn with_budget_of(
        &mut self,
        length: usize,
        (path, span): (&[u8], Span),
        state: &mut State,
        io: &mut Io,
        mut run: impl FnMut(&mut Self, &mut State, &mut Io),
    ) {
        let outer = (self.fuel, self.budget, self.exhausted);
        let outer_choice = std::mem::take(&mut self.choice);
        let call = ScriptCall {
            path: path.to_vec(),
            parameters: state.parameters.values.clone(),
            cwd: state.place.cwd.clone(),
        };
        if self.shallow {
            self.script_once(call, length, span, |machine| run(machine, state, io));
        } else {
            let start = (state.clone(), io.clone());
            self.script_closely(length, state, io, &mut run);
            if self.exhausted {
                self.shallow = true;
                let (mut state, mut io) = start;
                self.script_once(call, length, span, |machine| {
                    run(machine, &mut state, &mut io);
                });
                self.shallow = false;
            }
        }
        self.choice = outer_choice;
        (self.fuel, self.budget, self.exhausted) = outer;
    }

    /// Runs a script with everything that it calls.
    fn script_closely(
        &mut self,
        length: usize,
        state: &mut State,
        io: &mut Io,
        run: &mut impl FnMut(&mut Self, &mut State, &mut Io),
    ) {
        let wanted = FUEL_MINIMUM + FUEL_PER_BYTE * length as u64;
        let budget = wanted.min(self.pool);
        // Starting one is work too.
        self.pool -= budget.min(SCRIPT_START);
        self.pool -= budget.min(self.pool);
        (self.fuel, self.budget, self.exhausted) = (budget, budget, false);
        let waiting = self.later.functions();
        run(self, state, io);
        // What the script defines and does not call is work of the script.
        if self.later.functions() > waiting {
            let any_time = self.at_any_time(state);
            self.run_functions(waiting, &any_time);
        }
        self.pool += self.fuel;
    }

    /// Reads a script's commands once. A call that was read before is read again as long as there
    /// is enough left for all that are new.
    fn script_once(
        &mut self,
        call: ScriptCall,
        length: usize,
        span: Span,
        run: impl FnOnce(&mut Self),
    ) {
        let wanted = FUEL_MINIMUM + FUEL_ONCE_PER_BYTE * length as u64;
        let scarce = wanted > self.pool_once / 2 || self.report.is_half_full();
        if !self.read_once.insert(call) && scarce {
            return;
        }
        let budget = wanted.min(self.pool_once);
        self.pool_once -= budget;
        (self.fuel, self.budget, self.exhausted) = (budget, budget, false);
        run(self);
        self.pool_once += self.fuel;
        if self.exhausted {
            self.hidden(span);
        }
    }

    /// Runs something with fuel of its own.
    pub(super) fn with_own_budget(&mut self, run: impl FnOnce(&mut Self)) {
        let outer = (self.fuel, self.budget, self.exhausted);
        (self.fuel, self.budget, self.exhausted) = (FUEL_MINIMUM, FUEL_MINIMUM, false);
        run(self);
        (self.fuel, self.budget, self.exhausted) = outer;
    }

    /// Whether a bound was reached so far; from here on one that is reached counts for itself.
    pub(super) fn take_exhausted(&mut self) -> bool {
        std::mem::take(&mut self.exhausted)
    }

    /// Reads a script's text once that has run where the work was not enough; `exhausted` is what
    /// was before.
    pub(super) fn text_of_script_once(
        &mut self,
        text: &Value,
        span: Span,
        exhausted: bool,
        state: &State,
    ) {
        if self.exhausted && self.reach == Reach::Script {
            let outer = (self.fuel, self.budget);
            let call = ScriptCall {
                path: text.known_prefix(),
                parameters: Vec::new(),
                cwd: state.place.cwd.clone(),
            };
            self.shallow = true;
            self.script_once(call, text.size(), span, |machine| {
                machine.value_as_text(text, span, &mut state.clone(), &mut Io::default());
            });
            self.shallow = false;
            (self.fuel, self.budget) = outer;
            self.exhausted = false;
        }
        self.exhausted |= exhausted;
    }

    /// A file of the machine that is run brings work of its own.
    pub(super) fn pay_in(&mut self, length: usize) {
        self.pool_once += FUEL_ONCE_PER_BYTE * length as u64;
    }

    /// Runs something one level deeper, unless that is too deep.
    pub(super) fn deeper(&mut self, span: Span, run: impl FnOnce(&mut Self)) {
        if self.depth >= MAX_DEPTH {
            if self.shallow || !self.is_read_again() {
                self.uncertain(Why::Depth, span);
            }
            self.exhausted = true;
            return;
        }
        self.depth += 1;
        run(self);
        self.depth -= 1;
    }

    /// Runs something behind a carrier.
    pub(super) fn behind(&mut self, via: Via, run: impl FnOnce(&mut Self)) {
        self.via.push(via);
        run(self);
        self.via.pop();
    }

    pub(super) fn uncertain(&mut self, why: Why, span: Span) {
        self.report.uncertain(Uncertain { why, span });
    }

    pub(super) fn fact(&mut self, kind: FactKind, span: Span, program: &[u8]) {
        self.report.fact(Fact {
            kind,
            span,
            via: self.via.clone(),
            reach: self.reach,
            program: program.to_vec(),
            script: None,
        });
    }

    /// The working directory as executions share it.
    pub(super) fn shared_cwd(&mut self, state: &State) -> Arc<Value> {
        let mut cwd = std::borrow::Cow::Borrowed(&state.place.cwd);
        if self.report.scripts.is_any_inside(&cwd) {
            self.report.scripts.unwritten(cwd.to_mut());
        }
        if *self.last_cwd != *cwd {
            self.last_cwd = Arc::new(cwd.into_owned());
        }
        Arc::clone(&self.last_cwd)
    }

    pub(super) fn execution(&mut self, execution: crate::Execution) {
        if !self.report.execution(execution) {
            self.fuel = 0;
            self.exhausted = true;
            if self.shallow || !self.is_read_again() {
                self.uncertain(Why::Fuel, self.whole);
            }
        }
    }

    /// Remembers a value that a name has had.
    pub(super) fn remember(&mut self, name: &[u8], variable: &Variable) {
        let large =
            |slot: &Slot| matches!(slot, Slot::Scalar(value) if value.size() > MAX_REMEMBERED);
        let mut widened;
        let variable = if variable.slots.iter().any(large) {
            widened = variable.clone();
            widened.widen(name);
            &widened
        } else {
            variable
        };
        let mut all = match self.ever.get(name) {
            Some(known) if known.covers(variable) => return,
            Some(known) => known.clone(),
            None => {
                self.ever.insert(name, variable.clone());
                return;
            }
        };
        all.join(variable, name);
        self.ever.insert(name, all);
    }

    /// Takes in another possible state, paying for the work.
    pub(super) fn join(&mut self, state: &mut State, other: &State) -> bool {
        // Without fuel nothing is followed any more, and the bound is said.
        if !self.spend(20) {
            return false;
        }
        let joined = state.join(other);
        if !joined.complete {
            self.uncertain(Why::Fuel, self.whole);
        }
        self.spend(joined.work as u64 * 50) && joined.changed
    }
}

/// Whether a text may switch its own patterns on.
fn sets_extglob(text: &[u8]) -> bool {
    text.windows(7).any(|window| window == b"extglob")
}

fn ends_in_backslash(text: &[u8]) -> bool {
    let backslashes = text.iter().rev().take_while(|byte| **byte == b'\\');
    backslashes.count() % 2 == 1
}

/// A carrier on this machine.
pub(super) fn local(name: &str) -> Via {
    Via {
        name: name.to_owned(),
        host: Host::Local,
    }
}
