//! Files that programs write with content that is known.

use super::machine::{Io, Machine};
use super::state::State;
use crate::execution::Arg;
use crate::value::{Origin, Value};

impl Machine<'_> {
    /// Files that a program writes with known content: copies, downloads, `tee`.
    pub(super) fn write_outputs(&mut self, args: &[Arg], io: &Io, state: &mut State) {
        let Some(name) = args.first().and_then(|arg| arg.value.bytes()) else {
            return;
        };
        let name = name.rsplit(|b| *b == b'/').next().unwrap_or_default();
        if let Some(files) = crate::output::downloads(args) {
            for file in files {
                if let Some(path) = self.absolute(&file, state) {
                    self.write_file(state, &path, &Value::unknown_words(Origin::Fetched), false);
                }
            }
            return;
        }
        let operands: Vec<&Arg> = args
            .iter()
            .skip(1)
            .filter(|arg| arg.value.known_prefix().first() != Some(&b'-'))
            .collect();
        match name {
            b"tee" => {
                let append = args
                    .iter()
                    .any(|arg| arg.value.is(b"-a") || arg.value.is(b"--append"));
                let text = io
                    .stdin
                    .clone()
                    .unwrap_or_else(|| Value::unknown_words(Origin::Other));
                for file in operands {
                    if let Some(path) = self.absolute(&file.value, state) {
                        self.write_file(state, &path, &text, append);
                    }
                }
            }
            b"cp" | b"mv" | b"ln" | b"install" => {
                let [sources @ .., target] = operands.as_slice() else {
                    return;
                };
                for source in sources {
                    let Some(from) = self.absolute(&source.value, state) else {
                        continue;
                    };
                    let content = state.files.get(&from).cloned();
                    let content =
                        content.unwrap_or_else(|| Value::unknown_words(Origin::File(from.clone())));
                    let Some(to) = self.absolute(&target.value, state) else {
                        continue;
                    };
                    let base = from.rsplit(|b| *b == b'/').next().unwrap_or_default();
                    let inside = [to.as_slice(), b"/", base].concat();
                    self.write_file(state, &to, &content, false);
                    self.write_file(state, &inside, &content, false);
                }
            }
            b"dd" => {
                for arg in args {
                    let shown = arg.value.known_prefix();
                    if let Some(target) = shown.strip_prefix(b"of=")
                        && let Some(path) = self.absolute(&Value::computed(target), state)
                    {
                        let text = io
                            .stdin
                            .clone()
                            .unwrap_or_else(|| Value::unknown_words(Origin::Other));
                        self.write_file(state, &path, &text, false);
                    }
                }
            }
            _ => {}
        }
    }
}
