//! Files of the line that another program changes: what they hold is mostly not known from there on.

use crate::carriers::rewriters::rewritten;
use crate::execution::Arg;
use crate::resolve::machine::state::State;
use crate::resolve::machine::{Io, Machine};
use crate::resolve::values::pattern::matches;
use crate::value::{Origin, Piece, Value};

impl Machine<'_> {
    /// Notes which files of the line a program changes.
    pub(crate) fn rewrite(&mut self, args: &[Arg], io: &Io, state: &mut State) {
        if state.files.is_empty() && io.stdin.is_none() || !self.spend(args.len() as u64) {
            return;
        }
        let changes = rewritten(args);
        if let Some(sources) = &changes.by_content {
            let from_line = if sources.is_empty() {
                io.stdin.as_deref().is_some_and(is_written)
            } else {
                sources.iter().any(|source| self.is_of_line(source, state))
            };
            if from_line {
                self.forget_files(state);
                return;
            }
        }
        for path in &changes.paths {
            if !path.is_known() && path.pieces.len() == 1 {
                // A name that cannot be known (`xargs sed -i`) is that of any file.
                self.forget_files(state);
                return;
            }
            let files = self.files_under(path, state);
            if files.is_empty() && changes.makes {
                self.note_made(path, args, io, state);
            }
            for file in files {
                let text = self.rewritten_text(changes.printed.as_deref(), &file, state);
                let text = text.unwrap_or_else(|| Value::unknown_words(Origin::Other));
                self.write_file(state, &file, &[text], false);
            }
        }
    }

    /// Notes which files a library call changes, written as the argv with the same effect.
    pub(crate) fn call_writes(&mut self, argv: &[Arg], io: &Io, state: &mut State) {
        let writes = argv.first().is_some_and(|name| name.value.is(b"tee"));
        if !writes {
            self.rewrite(argv, io, state);
            self.write_outputs(argv, io, state);
            return;
        }
        for arg in argv.iter().skip(1) {
            self.forget_file(&arg.value, state);
        }
    }

    /// A file that a program makes out of what the line wrote.
    fn note_made(&mut self, path: &Value, args: &[Arg], io: &Io, state: &mut State) {
        let typed = io.stdin.as_deref().is_some_and(is_written);
        let mut operands = args.iter().skip(1).map(|arg| &arg.value);
        if !path.has_glob()
            && (typed || operands.any(|operand| self.is_of_line(operand, state)))
            && let Some(path) = self.located(path, state)
        {
            let text = Value::unknown_words(Origin::Other);
            self.write_file(state, &path, &[text], false);
        }
    }

    /// What `sed` without `-i` prints for a file.
    fn rewritten_text(
        &mut self,
        printed: Option<&[Arg]>,
        file: &[u8],
        state: &mut State,
    ) -> Option<Value> {
        let content = self.content_of(file, state)?;
        let content = self.loaded(content);
        let argv = printed.filter(|_| content.is_known())?;
        let io = Io {
            stdin: Some(content.into()),
            ..Io::default()
        };
        let text = self.output_of(argv, &io, state);
        text.is_known().then_some(text)
    }

    /// Whether the line wrote this file, or a file in this directory.
    fn is_of_line(&mut self, path: &Value, state: &State) -> bool {
        !self.files_under(path, state).is_empty()
    }

    /// The files of the line may hold something else from here on.
    fn forget_files(&mut self, state: &mut State) {
        let files: Vec<Vec<u8>> = state.files.iter().map(|(file, _)| file.to_vec()).collect();
        for file in files {
            if !self.spend(10) {
                return;
            }
            let text = Value::unknown_words(Origin::Other);
            self.write_too(state, &file, &text);
        }
    }

    /// What the file, or the files in the directory, that an operand names holds is not known from
    /// here on, when the line wrote it.
    pub(crate) fn forget_file(&mut self, path: &Value, state: &mut State) {
        for file in self.files_under(path, state) {
            let text = Value::unknown_words(Origin::Other);
            self.write_file(state, &file, &[text], false);
        }
    }

    /// The files of the line that a word names: itself, what a pattern matches, what stands in the
    /// directory.
    pub(crate) fn files_under(&mut self, path: &Value, state: &State) -> Vec<Vec<u8>> {
        let mut found = Vec::new();
        let Some(named) = self.located(path, state) else {
            return found;
        };
        if !path.has_glob() && !self.spend(state.files.len() as u64 / 4) {
            return found;
        }
        let parts = |path: &[u8]| path.iter().filter(|byte| **byte == b'/').count();
        let depth = parts(&named);
        for (file, _) in state.files.iter() {
            let is_it = if path.has_glob() {
                if !self.spend(1 + named.len() as u64 * file.len() as u64 / 16) {
                    return found;
                }
                let slashes = file.iter().enumerate().filter(|(_, byte)| **byte == b'/');
                let end = slashes.map(|(at, _)| at).nth(depth).unwrap_or(file.len());
                matches(&named, file.get(..end).unwrap_or_default())
            } else {
                let root = named == b"/";
                file.strip_prefix(named.as_slice())
                    .is_some_and(|rest| rest.is_empty() || root || rest.first() == Some(&b'/'))
            };
            if is_it {
                found.push(file.to_vec());
            }
        }
        found
    }

    /// Copies the files of the line that stand in a directory, or that a pattern matches, to where
    /// `to` is: below it, or in a directory of the same name in it.
    pub(crate) fn copy_tree(&mut self, source: &Value, to: &[u8], state: &mut State) {
        let Some(from) = self.located(source, state) else {
            return;
        };
        let depth = from.iter().filter(|byte| **byte == b'/').count();
        // What was copied to a name may be the file of that name or stand in a directory: copies of
        // copies would double with each step.
        let doubtful = state.files.contains(&from);
        for file in self.files_under(source, state) {
            let deep = file
                .get(from.len() + 1..)
                .is_some_and(|rest| rest.contains(&b'/'));
            if file == from || doubtful && deep {
                continue;
            }
            let Some(content) = self.content_of(&file, state) else {
                continue;
            };
            // The part of the file's path that the source names, and what is below that.
            let slashes = file.iter().enumerate().filter(|(_, byte)| **byte == b'/');
            let end = if source.has_glob() {
                slashes.map(|(at, _)| at).nth(depth).unwrap_or(file.len())
            } else {
                from.len()
            };
            let (named, below) = file.split_at(end);
            let base = crate::path::base_name(named);
            let below = below.strip_prefix(b"/").unwrap_or(below);
            let inside = [to, b"/", base, b"/", below].concat();
            let inside = inside.strip_suffix(b"/").unwrap_or(&inside).to_vec();
            if !doubtful {
                self.write_too(state, &inside, &content);
            }
            if !below.is_empty() {
                self.write_too(state, &[to, b"/", below].concat(), &content);
            }
        }
    }

    /// Notes what a file holds, if this is the file that is written.
    pub(crate) fn write_too(&mut self, state: &mut State, path: &[u8], text: &Value) {
        let path = crate::path::normal(path);
        let known = state.files.get(&path).cloned();
        self.write_file(state, &path, std::slice::from_ref(text), false);
        if let Some(known) = known {
            state.files.update(&path, |contents| {
                contents.join(&known);
            });
        }
    }
}

/// Whether a text is more than what a file of the machine holds.
fn is_written(text: &Value) -> bool {
    let of_machine = |piece: &Piece| matches!(piece, Piece::Unknown(unknown) if matches!(unknown.origin, Origin::File(_)));
    !text.pieces.iter().all(of_machine)
}
