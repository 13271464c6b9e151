//! Files as the line leaves them, and scripts that it runs.

pub(super) mod contents;
pub(super) mod descriptors;
pub(super) mod directory;
pub(super) mod links;
pub(super) mod products;
pub(super) mod rewrites;
pub(super) mod stack;
pub(super) mod writes;

use std::collections::HashSet;
use std::rc::Rc;

use self::contents::Contents;
use super::calls::shebang::{Start, Started, start};
use super::calls::simple::Invocation;
use super::machine::state::{Descriptor, Parameters, State};
use super::machine::{Io, MAX_VALUE, Machine, local};
use super::values::pattern::matches;
use crate::descriptors::descriptor_of;
use crate::execution::{Arg, Binding, FactKind, Reach};
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
            return Some((self.loaded(text), reach));
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
        let depth = |path: &[u8]| path.iter().filter(|byte| **byte == b'/').count();
        let mut found = Vec::new();
        for (path, _) in state.files.iter() {
            let work = 1 + pattern.len() as u64 * path.len() as u64 / 16;
            if !self.spend(work) {
                break;
            }
            if found.len() == MAX_MATCHED {
                self.beyond(Span::default());
                break;
            }
            if depth(path) == depth(pattern) && matches(pattern, path) {
                found.push(path.to_vec());
            }
        }
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
        self.script_text(path, &content, reach, span, dialect, &mut inner, io);
        state.files = inner.files;
    }

    /// A script that is not there, or whose name cannot be known.
    pub(super) fn unread_script(
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

    /// A file of the line's own that a changed `PATH` makes a program.
    fn on_path(&mut self, name: &[u8], environment: &[Binding], state: &State) -> Option<Vec<u8>> {
        let given = environment.iter().rev();
        let path = match given.into_iter().find(|binding| binding.name == b"PATH") {
            Some(binding) => binding.value.known_prefix(),
            None => {
                let own = state.variables.get(b"PATH");
                own.filter(|variable| variable.own)?;
                self.scalar(b"PATH", state).known_prefix()
            }
        };
        for directory in path.split(|byte| *byte == b':') {
            // Looking for a file is a question to the machine.
            if !self.spend(100) {
                return None;
            }
            let file = Value::computed([directory, b"/", name].concat());
            let file = self.absolute(&file, state)?;
            if state.files.contains(&file)
                || !is_of_system(&file) && self.world.stat(&file).is_some()
            {
                return Some(file);
            }
        }
        None
    }

    /// A copy of a program, or a link to one, does what the program does.
    fn copied_program(&mut self, path: &[u8], args: &[Arg], state: &State, io: &mut Io) {
        let Some(content) = self.content_of(path, state) else {
            return;
        };
        let [Piece::Unknown(unknown)] = content.pieces.as_slice() else {
            return;
        };
        let Origin::File(original) = &unknown.origin else {
            return;
        };
        if original == path {
            return;
        }
        let mut args = args.to_vec();
        if let Some(first) = args.first_mut() {
            first.value = Value::computed(original.as_slice());
        }
        let span = args
            .iter()
            .map(|arg| arg.span)
            .reduce(Span::join)
            .unwrap_or_default();
        let original = Invocation {
            args: &args,
            environment: &[],
            redirections: &[],
            span,
        };
        let mut inner = state.clone();
        self.deeper(span, |machine| {
            machine.program(&original, &mut inner, io);
        });
    }

    /// A program named by a path that is a file with a script in it.
    pub(super) fn program_file(
        &mut self,
        args: &[Arg],
        environment: &[Binding],
        state: &mut State,
        io: &mut Io,
    ) {
        let Some(first) = args.first() else { return };
        let path = &first.value;
        let found;
        let path = match path.bytes() {
            Some(bytes) if bytes.contains(&b'/') => path,
            Some(name) => match self.on_path(&name, environment, state) {
                Some(file) => {
                    found = Value::computed(file);
                    &found
                }
                None => return,
            },
            None if path.known_prefix().contains(&b'/')
                && self
                    .located(path, state)
                    .is_some_and(|file| state.files.contains(&file)) =>
            {
                path
            }
            None => {
                // Without a known name another fact says so.
                if path.known_suffix().contains(&b'/') {
                    self.unread_script(path, first.span, b"", state);
                }
                return;
            }
        };
        if path.has_glob() {
            self.unread_script(path, first.span, b"", state);
        }
        let Some(absolute) = self.located(path, state) else {
            return;
        };
        let own = state.files.contains(&absolute);
        if !own && self.absolute(path, state).is_none() {
            // In a directory that is not known.
            self.unread_script(path, first.span, b"", state);
            return;
        }
        // System programs are not scripts worth reading, and the hook is in a hurry.
        if !own && is_of_system(&absolute) {
            return;
        }
        self.copied_program(&absolute, args, state, io);
        let Some((content, reach)) = self.script(path, first.span, state) else {
            return;
        };
        if content.is_fetched() {
            self.fact(FactKind::CodeFetched, first.span, b"");
        }
        let file = Started {
            args,
            environment,
            content: &content,
            reach,
            own,
        };
        self.behind(
            local(&String::from_utf8_lossy(&absolute)),
            |machine| match start(&content) {
                Start::Shell(dialect) => {
                    let mut inner = machine.fresh_shell(state);
                    machine.set_environment(environment, &mut inner);
                    inner.parameters = Rc::new(Parameters {
                        zero: Some(path.clone()),
                        values: args.iter().skip(1).map(|arg| arg.value.clone()).collect(),
                        open: false,
                    });
                    machine.script_text(path, &content, reach, first.span, dialect, &mut inner, io);
                    state.files = inner.files;
                }
                Start::Program(words) => machine.interpret(&words, &file, state, io),
                Start::Unknown if own => machine.fact(FactKind::CodeUnresolved, first.span, b""),
                Start::Unknown | Start::Binary => {}
            },
        );
    }
}

/// What stands for the name of a fresh temporary file; no name of a file begins so.
pub(super) const TEMPORARY: &[u8] = b"\x01mktemp";

/// The name that stands for every directory that cannot be known.
pub(super) const ELSEWHERE: &[u8] = b"/\x01elsewhere";

/// What stands in front of the name of a part that cannot be known; no name of a file begins so.
const UNKNOWN: u8 = 2;

/// Whether a name that is fresh or cannot be known stands in the path: it may be several files.
pub(super) fn is_temporary(path: &[u8]) -> bool {
    path.contains(&UNKNOWN) || path.windows(TEMPORARY.len()).any(|part| part == TEMPORARY)
}

/// The path with names for the parts that cannot be known; `None` when nothing says which they are.
pub(super) fn named_by_origin(path: &Value) -> Option<Vec<u8>> {
    let mut named = Vec::new();
    for piece in &path.pieces {
        match piece {
            Piece::Text { bytes, .. } => named.extend_from_slice(bytes),
            Piece::Unset(_) => {}
            Piece::Glob { .. } => return None,
            Piece::Unknown(unknown) => {
                let origin = match &unknown.origin {
                    Origin::Variable(name) | Origin::Output(name) => name.as_slice(),
                    Origin::Temporary => TEMPORARY,
                    _ => return None,
                };
                if origin.is_empty() {
                    return None;
                }
                named.push(UNKNOWN);
                let plain = |byte: &u8| if *byte == b'/' { b'_' } else { *byte };
                named.extend(origin.iter().map(plain));
            }
        }
    }
    Some(named)
}

/// The value's bytes, with fixed ones for fresh names; `None` when another part is unknown.
pub(super) fn with_temporary(value: &Value) -> Option<Vec<u8>> {
    pinned(value).bytes().map(std::borrow::Cow::into_owned)
}

/// The value with fixed bytes for fresh names, so that text can be computed with.
pub(super) fn pinned(value: &Value) -> std::borrow::Cow<'_, Value> {
    let is_fresh = |piece: &Piece| matches!(piece, Piece::Unknown(unknown) if unknown.origin == Origin::Temporary);
    if !value.pieces.iter().any(is_fresh) {
        return std::borrow::Cow::Borrowed(value);
    }
    let mut out = value.clone();
    for piece in out.pieces.iter_mut().filter(|piece| is_fresh(piece)) {
        *piece = Piece::Text {
            bytes: TEMPORARY.to_vec(),
            at: None,
        };
    }
    std::borrow::Cow::Owned(out)
}

/// Gives fresh names back what stands for them; `None` when one was taken apart.
pub(super) fn unpinned(value: &Value) -> Option<Value> {
    let mut out = Value::empty();
    out.decoded = value.decoded;
    for piece in &value.pieces {
        let Piece::Text { bytes, at } = piece else {
            out.pieces.push(piece.clone());
            continue;
        };
        let mut rest = bytes.as_slice();
        let mut at = *at;
        while let Some(start) = rest
            .windows(TEMPORARY.len())
            .position(|part| part == TEMPORARY)
        {
            out.push_text(rest.get(..start).unwrap_or_default(), at);
            out.append(&Value::unknown(Origin::Temporary));
            rest = rest.get(start + TEMPORARY.len()..).unwrap_or_default();
            at = None;
        }
        out.push_text(rest, at);
    }
    let marks = |piece: &Piece| matches!(piece, Piece::Text { bytes, .. } if bytes.contains(&1));
    (!out.pieces.iter().any(marks)).then_some(out)
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
            return self.machine.descriptor_input(number, self.state);
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

/// Whether a file belongs to the system, whose programs are not looked into.
fn is_of_system(path: &[u8]) -> bool {
    path.starts_with(b"/bin/") || path.starts_with(b"/sbin/") || path.starts_with(b"/usr/")
}
