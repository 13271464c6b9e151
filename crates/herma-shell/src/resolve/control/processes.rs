//! Processes that run beside the shell and read what it writes at any time: coprocesses, process
//! substitutions whose descriptor stays open, and what reads a named pipe.

use std::collections::HashSet;
use std::rc::Rc;

use crate::descriptors::PROCESSES;
use crate::execution::{Arg, Reach, Via};
use crate::resolve::files::contents::Contents;
use crate::resolve::machine::state::{Descriptor, Slot, State};
use crate::resolve::machine::{Io, Machine};
use crate::resolve::values::parameter::array;
use crate::syntax::{Command, CommandKind, List};
use crate::value::{Origin, Value};

/// How many processes may read what is written later.
const MAX_READERS: usize = 64;
/// How many named pipes are followed.
const MAX_PIPES: usize = 64;
/// The highest descriptor of the first coprocess.
const HIGHEST: u32 = 63;

/// A process, with what led to it.
struct Reader {
    /// The name under which its input is kept.
    path: Vec<u8>,
    body: Rc<Command>,
    state: State,
    /// It has run without input before.
    ran: bool,
    via: Vec<Via>,
    reach: Reach,
}

/// Processes that read what is written later.
#[derive(Default)]
pub(crate) struct Readers {
    processes: Vec<Reader>,
    /// Named pipes that the line makes.
    pipes: HashSet<Vec<u8>>,
}

/// What arrives in a pipe is kept apart from what is read there; no name of a file begins so.
const ARRIVING: &[u8] = b"\x01arriving";

impl Readers {
    /// The name under which is kept what is written to this named pipe.
    pub(crate) fn arriving(&self, path: &[u8]) -> Option<Vec<u8>> {
        let is_pipe = !self.pipes.is_empty() && self.pipes.contains(path);
        is_pipe.then(|| [ARRIVING, path].concat())
    }
}

impl Machine<'_> {
    /// `coproc NAME command`: it runs beside the shell, which has its ends in an array.
    pub(crate) fn coprocess(&mut self, name: &[u8], body: &Rc<Command>, state: &mut State) {
        let mut io = Io {
            stdin: None,
            captured: Some(vec![Value::empty()]),
            errors: false,
        };
        let mut inner = state.clone();
        inner.print_into_pipe();
        self.jobs += 1;
        self.command(body, &mut inner, &mut io);
        self.jobs -= 1;
        state.keep_files(&inner);
        self.process_files += 1;
        let path = format!("/dev/fd/{}", PROCESSES + self.process_files).into_bytes();
        self.write_file(state, &path, &[Value::empty()], false);
        let mut free = (0..=HIGHEST)
            .rev()
            .filter(|number| state.descriptor(*number).is_none());
        let (Some(output), Some(input)) = (free.next(), free.nth(2)) else {
            self.beyond(body.span);
            return;
        };
        let descriptors = Rc::make_mut(&mut state.descriptors);
        // What it prints may come of what it is given.
        let unknown = Value::unknown_words(Origin::Output(Vec::new()));
        let printed = io.captured.unwrap_or_default();
        for text in printed.into_iter().chain([unknown]) {
            descriptors.push((output, Descriptor::Input(Rc::new(text))));
        }
        descriptors.push((input, Descriptor::Output(path.clone())));
        let ends = [output, input].into_iter().enumerate();
        let ends = ends
            .map(|(index, number)| (index.to_string().into_bytes(), number.to_string().into()))
            .map(|(index, number): (_, Vec<u8>)| (index, Value::computed(number)))
            .collect();
        self.assign(state, name, array(ends), false);
        let pid = [name, b"_PID"].concat();
        let unknown = Value::unknown(Origin::Variable(pid.clone()));
        self.assign(state, &pid, Slot::Scalar(unknown), false);
        self.read_later(path, body, true, state);
    }

    /// Whether the shell keeps a process substitution open: then it reads what is written later.
    pub(crate) fn stays_open(&mut self, path: &[u8], list: &List, state: &State) -> bool {
        let open = |(_, descriptor): &(u32, Descriptor)| matches!(descriptor, Descriptor::Output(file) if file == path);
        if self.shallow || !state.descriptors.iter().any(open) {
            return false;
        }
        let Some(first) = list.items.first() else {
            return true;
        };
        let span = first.first.stages.first().map(|stage| stage.span);
        let last = list.items.last().and_then(|item| item.first.stages.last());
        let span = span
            .zip(last.map(|stage| stage.span))
            .map_or(self.whole, |(first, last)| first.join(last));
        // The tree is copied.
        if !self.spend(20 * u64::from(span.end.saturating_sub(span.start))) {
            return false;
        }
        let body = Command {
            kind: CommandKind::Group(list.clone()),
            redirects: Vec::new(),
            span,
        };
        self.read_later(path.to_vec(), &Rc::new(body), false, state);
        true
    }

    fn read_later(&mut self, path: Vec<u8>, body: &Rc<Command>, ran: bool, state: &State) {
        if self.readers.processes.len() >= MAX_READERS {
            self.beyond(body.span);
            return;
        }
        self.readers.processes.push(Reader {
            path,
            body: Rc::clone(body),
            state: state.clone(),
            ran,
            via: self.via.clone(),
            reach: self.reach,
        });
    }

    /// What the line has written to a process, as far as that is known.
    pub(crate) fn arrived(&mut self, path: &[u8], state: &State) -> Value {
        let text = self.content_of(path, state);
        text.filter(|text| !text.pieces.is_empty())
            .unwrap_or_else(|| Value::unknown_words(Origin::Output(Vec::new())))
    }

    /// Runs the processes with what was written to them; `more` may have been.
    pub(crate) fn run_readers(&mut self, end: &State, more: bool) {
        // What such a process starts may read in turn.
        let mut waiting = std::mem::take(&mut self.readers.processes);
        for _ in 0..MAX_READERS {
            let Some(reader) = waiting.pop() else { break };
            let outer = (
                std::mem::replace(&mut self.via, reader.via),
                std::mem::replace(&mut self.reach, reader.reach),
            );
            let mut state = reader.state;
            let written = |machine: &mut Self| {
                machine
                    .content_of(&reader.path, end)
                    .is_some_and(|text| !text.pieces.is_empty())
            };
            self.in_every_reading(&mut state, &mut Io::default(), |machine, state, _| {
                if reader.ran && !written(machine) {
                    return;
                }
                let mut io = Io {
                    stdin: Some(Rc::new(machine.arrived(&reader.path, end))),
                    captured: None,
                    errors: false,
                };
                machine.command(&reader.body, state, &mut io);
            });
            if more {
                let unknown = Value::unknown_words(Origin::Output(Vec::new()));
                let mut io = Io {
                    stdin: Some(Rc::new(unknown)),
                    captured: None,
                    errors: false,
                };
                self.command(&reader.body, &mut state, &mut io);
            }
            (self.via, self.reach) = outer;
            waiting.append(&mut self.readers.processes);
        }
    }

    /// Notes a named pipe, or a file that a program goes on reading.
    pub(crate) fn note_pipes(&mut self, operands: &[&Arg], state: &State) {
        for operand in operands {
            if let Some(path) = self.located(&operand.value, state)
                && self.readers.pipes.len() < MAX_PIPES
            {
                self.readers.pipes.insert(path);
            }
        }
    }

    /// What the line has written to named pipes: whoever reads them gets it, in any order.
    pub(crate) fn in_pipes(&self, state: &State) -> Vec<(Vec<u8>, Contents)> {
        let content = |path: &Vec<u8>| {
            let arriving = [ARRIVING, path.as_slice()].concat();
            Some((path.clone(), state.files.get(&arriving)?.clone()))
        };
        let mut pipes: Vec<_> = self.readers.pipes.iter().filter_map(content).collect();
        pipes.sort_by(|a, b| a.0.cmp(&b.0));
        pipes
    }
}
