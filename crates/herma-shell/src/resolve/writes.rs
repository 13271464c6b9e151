//! Files that programs write with content that is known.

use super::machine::{Io, Machine};
use super::state::State;
use crate::execution::Arg;
use crate::value::{Origin, Piece, Value};

impl Machine<'_> {
    /// The words with paths through links of the line in place of those that name them; `None`
    /// when no word goes through one.
    pub(super) fn through_links(&mut self, args: &[Arg], state: &State) -> Option<Vec<Arg>> {
        if state.links.is_empty() || !self.spend(10 * args.len() as u64) {
            return None;
        }
        let mut changed = false;
        let led = args
            .iter()
            .map(|arg| match self.through_link(&arg.value, state) {
                Some(value) => {
                    changed = true;
                    Arg {
                        value,
                        span: arg.span,
                    }
                }
                None => arg.clone(),
            })
            .collect();
        changed.then_some(led)
    }

    /// A path that goes through a link: the link itself with nothing behind it does not.
    fn through_link(&mut self, path: &Value, state: &State) -> Option<Value> {
        let [Piece::Text { bytes, at }, rest @ ..] = path.pieces.as_slice() else {
            return None;
        };
        let slashes = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'/');
        for (position, _) in slashes.take(64) {
            if !self.spend(2 + position as u64 / 16) {
                return None;
            }
            let link = Value::computed(bytes.get(..position)?);
            let Some(target) = self
                .absolute(&link, state)
                .and_then(|link| state.links.get(&link))
            else {
                continue;
            };
            let mut value = Value::computed(target.as_slice());
            let at = at.and_then(|at| at.checked_add(u32::try_from(position).ok()?));
            value.push_text(bytes.get(position..)?, at);
            value.pieces.extend_from_slice(rest);
            return Some(value);
        }
        None
    }

    /// Files that a program writes with known content: copies, downloads, `tee`.
    pub(super) fn write_outputs(&mut self, args: &[Arg], io: &Io, state: &mut State) {
        let Some(name) = args.first().and_then(|arg| arg.value.bytes()) else {
            return;
        };
        let name = name.rsplit(|b| *b == b'/').next().unwrap_or_default();
        if let Some(files) = crate::output::downloads(args) {
            for file in files {
                if let Some(path) = self.located(&file, state) {
                    self.write_file(
                        state,
                        &path,
                        &[Value::unknown_words(Origin::Fetched)],
                        false,
                    );
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
                    if let Some(path) = self.located(&file.value, state) {
                        self.write_file(state, &path, std::slice::from_ref(&text), append);
                    }
                }
            }
            b"cp" | b"mv" | b"ln" | b"install" => {
                let [sources @ .., target] = operands.as_slice() else {
                    return;
                };
                let symbolic = name == b"ln" && args.iter().any(is_symbolic);
                for source in sources {
                    if !self.spend(60) {
                        return;
                    }
                    let Some(from) = self.located(&source.value, state) else {
                        continue;
                    };
                    // Which file a pattern names is not known here.
                    let origin = if source.value.has_glob() {
                        Vec::new()
                    } else {
                        from.clone()
                    };
                    let content = self
                        .descriptor_by_path(&source.value, io.stdin.as_ref(), state)
                        .or_else(|| self.content_of(&from, state))
                        .unwrap_or_else(|| Value::unknown_words(Origin::File(origin)));
                    let Some(to) = self.located(&target.value, state) else {
                        continue;
                    };
                    let base = from.rsplit(|b| *b == b'/').next().unwrap_or_default();
                    let inside = [to.as_slice(), b"/", base].concat();
                    self.write_file(state, &to, std::slice::from_ref(&content), false);
                    self.write_file(state, &inside, std::slice::from_ref(&content), false);
                    let known = !from.starts_with(super::files::ELSEWHERE);
                    if known && symbolic {
                        state.links.insert(&to, from);
                    }
                }
            }
            b"dd" => {
                let from = args.iter().rev().find_map(|arg| {
                    let file = arg.value.known_prefix().strip_prefix(b"if=")?.to_vec();
                    arg.value.is_known().then(|| Value::computed(file))
                });
                let text = match from {
                    Some(file) => self.file_as_input(&file, io.stdin.as_ref(), state),
                    None => io
                        .stdin
                        .clone()
                        .unwrap_or_else(|| Value::unknown_words(Origin::Other)),
                };
                for arg in args {
                    let shown = arg.value.known_prefix();
                    if let Some(target) = shown.strip_prefix(b"of=")
                        && let Some(path) = self.located(&Value::computed(target), state)
                    {
                        self.write_file(state, &path, std::slice::from_ref(&text), false);
                    }
                }
            }
            _ => {}
        }
    }
}

/// `-s` in any bundle, `--symbolic`.
fn is_symbolic(arg: &Arg) -> bool {
    let word = arg.value.known_prefix();
    match word.as_slice() {
        [b'-', b'-', long @ ..] => b"symbolic".starts_with(long) && !long.is_empty(),
        [b'-', flags @ ..] => flags.contains(&b's'),
        _ => false,
    }
}
