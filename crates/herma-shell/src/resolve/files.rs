//! Files as the line leaves them, and scripts that it runs.

pub(super) mod contents;
pub(super) mod descriptors;
pub(super) mod directory;
pub(super) mod links;
pub(super) mod names;
mod patterns;
pub(super) mod products;
mod programs;
pub(super) mod refused;
pub(super) mod rewrites;
pub(super) mod stack;
pub(super) mod writes;

use std::collections::HashSet;
use std::rc::Rc;

use self::contents::Contents;
use self::names::is_temporary;
use super::machine::state::{Descriptor, Parameters, State};
use super::machine::{Io, MAX_VALUE, Machine};
use crate::descriptors::descriptor_of;
use crate::execution::{FactKind, Reach};
use crate::output::Files;
use crate::source::Span;
use crate::syntax::Dialect;
use crate::value::{Origin, Piece, Value};
use crate::world::{FileKind, Read};

/// How many files one analysis reads from the machine for the line itself, and how many for the
/// scripts that it runs.
const MAX_FILES: usize = 32;
/// How many files it reads that are to be run.
const MAX_RUN: usize = 64;
/// How many files that the line writes are remembered.
const MAX_WRITTEN: usize = 1024;
/// How many of them one pattern may name.
const MAX_MATCHED: usize = 16;
/// How deep scripts may run scripts.
const MAX_SCRIPTS: usize = 16;
/// Units of work for opening a file.
const FILE_OPENED: u64 = 100;
/// What a script that runs itself costs for each byte: a few runs use up the script's own budget.
const SELF_RUN_PER_BYTE: u64 = 64;

/// The files of the machine that were read.
#[derive(Default)]
pub(super) struct FilesRead {
    paths: HashSet<Vec<u8>>,
    by_line: usize,
    in_scripts: usize,
    /// How many were read to be run, and how often.
    run: usize,
    runs: usize,
    /// Those that were not read, since there were too many.
    left: HashSet<Vec<u8>>,
    /// The line wrote more files than are remembered.
    lost: bool,
}

impl FilesRead {
    fn contains(&self, path: &[u8]) -> bool {
        self.paths.contains(path)
    }

    /// Says whether it is new.
    fn note(&mut self, path: &[u8]) -> bool {
        !self.contains(path) && self.paths.insert(path.to_vec())
    }
}

impl Machine<'_> {
    /// Notes what a file holds from here on: one of these texts.
    pub(super) fn write_file(
        &mut self,
        state: &mut State,
        path: &[u8],
        texts: &[Value],
        append: bool,
    ) {
        self.spend(50);
        if matches!(path, b"/dev/null" | b"/dev/tty") {
            return;
        }
        if let Some(number) = descriptor_of(path) {
            // What arrives in standard output is what the program prints.
            if let Some(Descriptor::Output(file)) = state.descriptor(number).filter(|_| number != 1)
                && descriptor_of(file).is_none()
            {
                let file = file.clone();
                self.write_file(state, &file, texts, true);
            }
            return;
        }
        if self::patterns::has_pattern(path) && !self.shallow {
            self.write_matching(path, texts, append, state);
        }
        if let Some(led) = self.led(path, state).filter(|led| led != path) {
            self.write_file(state, &led, texts, append);
        }
        let arriving = self.readers.arriving(path);
        let append = append || arriving.is_some();
        let path = arriving.as_deref().unwrap_or(path);
        if state.files.len() > MAX_WRITTEN && !state.files.contains(path) {
            self.files_read.lost = true;
            self.beyond(Span::default());
            return;
        }
        let before = || {
            // What stood in an existing file before is not known here.
            let mut content = Value::empty();
            if self.world.stat(path).is_some() {
                content = Value::unknown_words(Origin::File(path.to_vec()));
                content.push_text(b"\n", None);
            }
            content
        };
        let unknown = [Value::unknown_words(Origin::Other)];
        // Where commands are only read once, what piles up in files is not followed.
        let texts = if self.shallow { &unknown } else { texts };
        let append = append && !self.shallow;
        let contents = match state.files.get(path) {
            // Several fresh temporary files share one name here: none hides another.
            Some(known) if append || is_temporary(path) => {
                let mut contents = known.clone();
                contents.append(texts, before);
                contents
            }
            None if append => {
                let mut contents = Contents::of(&[before()]);
                contents.append(texts, Value::empty);
                contents
            }
            // The same job may run beside this one: what it held, it may hold again.
            Some(known) if self.jobs > 0 => {
                let mut contents = Contents::of(texts);
                contents.join(known);
                contents
            }
            Some(_) | None => Contents::of(texts),
        };
        self.spend(contents.size() as u64 / 16);
        state.files.insert(path, contents);
    }

    /// A value with the contents of files in place of their names.
    pub(super) fn loaded(&mut self, value: Value) -> Value {
        let by_name = value.pieces.iter().any(
            |piece| matches!(piece, Piece::Unknown(unknown) if matches!(unknown.origin, Origin::File(_))),
        );
        if !by_name {
            return value;
        }
        let mut out = Value {
            pieces: Vec::new(),
            decoded: value.decoded,
        };
        let count = value.pieces.len();
        let appended = count > 1;
        for (index, piece) in value.pieces.into_iter().enumerate() {
            if let Piece::Unknown(unknown) = &piece
                && let Origin::File(path) = &unknown.origin
            {
                if let Some(mut content) = self.read(path) {
                    // A substitution has dropped the last newlines, a pipe has not.
                    let key = [b"\n".as_slice(), path].concat();
                    if index + 1 < count
                        && content.ends_with(b"\n")
                        && self.pick(&key, 2) == Some(1)
                    {
                        let end = content.iter().rposition(|byte| *byte != b'\n');
                        content.truncate(end.map_or(0, |end| end + 1));
                    }
                    out.push_text(&content, None);
                    continue;
                }
                // Nothing stood in a file that was not there, before the line appended to it. One that
                // is only read must come from somewhere.
                if appended && !path.is_empty() && self.world.stat(path).is_none() {
                    continue;
                }
            }
            out.pieces.push(piece);
        }
        out
    }

    /// Reads a file whose text is a value.
    fn read(&mut self, path: &[u8]) -> Option<Vec<u8>> {
        // What scripts read does not use up what the line itself may name.
        let in_script = self.reach == Reach::Script;
        let room = self.files_read.contains(path)
            || if in_script {
                self.files_read.in_scripts < MAX_FILES
            } else {
                self.files_read.by_line < MAX_FILES
            };
        if !room {
            if self.world.stat(path).is_some() {
                self.files_read.left.insert(path.to_vec());
                if !in_script {
                    self.beyond(Span::default());
                }
            }
            return None;
        }
        let content = self.content(path)?;
        if self.files_read.note(path) {
            if in_script {
                self.files_read.in_scripts += 1;
            } else {
                self.files_read.by_line += 1;
            }
        }
        Some(content)
    }

    /// Reads a file that is run.
    fn read_to_run(&mut self, path: &[u8], span: Span) -> Option<Vec<u8>> {
        if !self.files_read.contains(path) && self.files_read.run >= MAX_RUN {
            if self.world.stat(path) == Some(FileKind::File) {
                self.hidden(span);
            }
            return None;
        }
        let content = self.content(path)?;
        if self.files_read.note(path) {
            self.files_read.run += 1;
        }
        self.files_read.runs += 1;
        if self.files_read.runs <= MAX_RUN {
            self.pay_in(content.len());
        }
        Some(content)
    }

    fn content(&mut self, path: &[u8]) -> Option<Vec<u8>> {
        if path.is_empty() || !self.spend(FILE_OPENED) {
            return None;
        }
        match self.world.read(path, MAX_VALUE) {
            Read::Content(content) => {
                self.spend(content.len() as u64 / 64);
                Some(content)
            }
            Read::Missing | Read::Unreadable => None,
        }
    }

    /// Says so when some of the text that is to run stands in a file that was not read, since there
    /// were too many.
    pub(super) fn about_unread(&mut self, text: &Value, span: Span) {
        let FilesRead { left, lost, .. } = &self.files_read;
        if left.is_empty() && !lost {
            return;
        }
        let is_hidden = |path: &Vec<u8>| {
            left.contains(path) || *lost && !path.is_empty() && self.world.stat(path).is_none()
        };
        if text.any_unknown(|origin| matches!(origin, Origin::File(path) if is_hidden(path))) {
            self.hidden(span);
        }
    }

    /// What the script file holds that is run here: what the line wrote, else what the machine has.
    pub(super) fn script(
        &mut self,
        path: &Value,
        span: Span,
        state: &State,
    ) -> Option<(Value, Reach)> {
        let script = self.script_by_path(path, span, state)?;
        self.followed += 1;
        Some(script)
    }

    fn script_by_path(
        &mut self,
        path: &Value,
        span: Span,
        state: &State,
    ) -> Option<(Value, Reach)> {
        if let Some(number) = self.descriptor(path, state) {
            let text = self.descriptor_input(number, state)?;
            let reach = super::calls::payload::reach_of(&text).max(self.reach);
            return Some((self.loaded(Rc::unwrap_or_clone(text)), reach));
        }
        let mut own = self.located(path, state)?;
        if path.has_glob()
            && let Some(matched) = self.matched(&own, state)
        {
            own = matched;
        }
        if let Some(content) = self.content_of(&own, state) {
            let from_machine = content.pieces.iter().any(
                |piece| matches!(piece, Piece::Unknown(u) if matches!(u.origin, Origin::File(_))),
            );
            let reach = if from_machine {
                Reach::Script
            } else {
                self.reach
            };
            return Some((self.loaded(content), reach));
        }
        let absolute = self.absolute(path, state)?;
        if self.files_read.lost && self.world.stat(&absolute).is_none() {
            self.hidden(span);
        }
        let content = self.read_to_run(&absolute, span)?;
        let content = self.report.scripts.content(&absolute, &content, span);
        Some((content, Reach::Script))
    }

    /// A file of the line's own that the pattern names, in the reading that the current command
    /// takes.
    pub(crate) fn matched(&mut self, pattern: &[u8], state: &State) -> Option<Vec<u8>> {
        let found = self.own_files(pattern, true, state);
        // It may name files that were there before, too.
        let index = self.pick(pattern, found.len() + 1)?;
        found.into_iter().nth(index)
    }

    /// Runs a shell script file in a shell of its own.
    pub(super) fn shell_file(
        &mut self,
        path: &Value,
        parameters: Vec<Value>,
        span: Span,
        dialect: Dialect,
        state: &mut State,
        io: &mut Io,
    ) {
        let Some((content, reach)) = self.script(path, span, state) else {
            self.unread_script(path, span, b"sh", state);
            return;
        };
        let mut inner = self.fresh_shell(state);
        inner.parameters = Rc::new(Parameters {
            zero: Some(path.clone()),
            values: parameters,
            open: false,
        });
        self.in_new_shell(&mut inner, |machine, inner| {
            machine.script_text(path, &content, reach, span, dialect, inner, io);
        });
        state.keep_files(&inner);
    }

    /// A script that is not there, or whose name cannot be known.
    pub(in crate::resolve) fn unread_script(
        &mut self,
        path: &Value,
        span: Span,
        program: &[u8],
        state: &State,
    ) {
        if path.is_fetched() {
            self.fact(FactKind::CodeFetched, span, program);
        } else if path.has_glob() || self.absolute(path, state).is_none() {
            self.fact(FactKind::ScriptUnresolved, span, program);
        } else if let Some(absolute) = self.absolute(path, state)
            && self.world.stat(&absolute) == Some(crate::FileKind::File)
        {
            // It is there, but too long to read, or not readable.
            self.fact(FactKind::CodeUnresolved, span, program);
        }
    }

    /// Runs a script's text, unless it is running already.
    #[expect(clippy::too_many_arguments, reason = "a script with its surroundings")]
    pub(super) fn script_text(
        &mut self,
        path: &Value,
        content: &Value,
        reach: Reach,
        span: Span,
        dialect: Dialect,
        state: &mut State,
        io: &mut Io,
    ) {
        let name = self.absolute(path, state).unwrap_or_default();
        let runs = self.scripts.iter().filter(|known| **known == name).count();
        let reach = self.reach.max(reach);
        let again = runs == 1 && reach != Reach::Script && !self.shallow;
        if runs > 0 && !(again && self.spend(SELF_RUN_PER_BYTE * content.size() as u64)) {
            return;
        }
        if self.scripts.len() >= MAX_SCRIPTS {
            self.hidden(span);
            return;
        }
        self.scripts.push(name.clone());
        let outer = (self.reach, self.dialect);
        self.reach = reach;
        self.dialect = dialect;
        if again {
            // A script of the line that runs itself: its second run stands for all further ones.
            let open = Parameters {
                open: true,
                ..Parameters::default()
            };
            let parameters = std::mem::replace(&mut state.parameters, Rc::new(open));
            self.shell_text(content, span, b"sh", state, io);
            state.parameters = parameters;
        } else {
            self.with_budget_of(
                content.size(),
                (&name, span),
                state,
                io,
                |machine, state, io| {
                    machine.script_itself = true;
                    machine.shell_text(content, span, b"sh", state, io);
                    machine.script_itself = false;
                },
            );
        }
        (self.reach, self.dialect) = outer;
        self.scripts.pop();
    }
}

/// Files for programs whose output is computed.
pub(super) struct LineFiles<'m, 'w, 's> {
    pub(super) machine: &'m mut Machine<'w>,
    pub(super) state: &'s State,
}

impl Files for LineFiles<'_, '_, '_> {
    fn kind(&self, path: &Value) -> Option<FileKind> {
        let path = self.machine.located(path, self.state)?;
        if self.state.files.contains(&path) {
            return Some(FileKind::File);
        }
        self.machine.world.stat(&path)
    }

    fn absolute(&self, path: &Value) -> Option<Vec<u8>> {
        self.machine.absolute(path, self.state)
    }

    fn descriptor(&self, path: &Value) -> Option<u32> {
        self.machine.descriptor(path, self.state)
    }

    fn content(&mut self, path: &Value) -> Option<Value> {
        if let Some(number) = self.descriptor(path) {
            let text = self.machine.descriptor_input(number, self.state)?;
            return Some(Rc::unwrap_or_clone(text));
        }
        if path.has_glob() {
            // Files by a pattern: which ones is not known here.
            return Some(Value::unknown_words(Origin::File(Vec::new())));
        }
        let own = self.machine.located(path, self.state)?;
        if let Some(content) = self.machine.content_of(&own, self.state) {
            return Some(content);
        }
        let absolute = self.machine.absolute(path, self.state)?;
        Some(Value::unknown_words(Origin::File(absolute)))
    }
}
