//! Files that programs make out of those that the line wrote.

use crate::carriers::products::{Product, products};
use crate::execution::Arg;
use crate::resolve::machine::state::State;
use crate::resolve::machine::{Io, Machine};
use crate::value::Value;

/// How many files go into an archive.
const MAX_ARCHIVED: usize = 64;

impl Machine<'_> {
    /// Notes what compilers, archivers and the like make of files of the line.
    pub(crate) fn write_products(&mut self, args: &[Arg], io: &Io, state: &mut State) {
        let here = self.absolute(&Value::computed(*b"."), state);
        for product in products(args, here.as_deref()) {
            if !self.spend(20) {
                return;
            }
            match product {
                Product::Compiled {
                    path,
                    head,
                    sources,
                } => self.write_compiled(&path, head, &sources, io, state),
                Product::Archive {
                    path,
                    sources,
                    flat,
                } => self.write_archive(&path, &sources, flat, state),
                Product::Addition { path, text } => {
                    if let Some(path) = self.located(&path, state) {
                        self.write_file(state, &path, &[Value::computed(text)], true);
                    }
                }
            }
        }
    }

    fn write_compiled(
        &mut self,
        path: &Value,
        head: &[u8],
        sources: &[Value],
        io: &Io,
        state: &mut State,
    ) {
        let mut text = Value::computed(head);
        let mut own = false;
        for source in sources.iter().take(MAX_ARCHIVED) {
            let content = if source.is(b"-") {
                io.stdin.as_deref().cloned()
            } else {
                let Some(file) = self.located(source, state) else {
                    continue;
                };
                let file = if source.has_glob() {
                    self.matched(&file, state)
                } else {
                    Some(file)
                };
                file.and_then(|file| self.content_of(&file, state))
            };
            if let Some(content) = content {
                own = true;
                text.append(&content);
                text.push_text(b"\n", None);
            }
        }
        if own && let Some(path) = self.located(path, state) {
            self.write_file(state, &path, &[text], false);
        }
    }

    fn write_archive(&mut self, path: &Value, sources: &[Value], flat: bool, state: &mut State) {
        if state.files.is_empty() {
            return;
        }
        let Some(archive) = self.located(path, state) else {
            return;
        };
        let mut found = Vec::new();
        for source in sources.iter().take(MAX_ARCHIVED) {
            let (Some(name), Some(from)) = (source.bytes(), self.located(source, state)) else {
                continue;
            };
            let name = crate::path::base_name(&name).to_vec();
            for (file, _) in state.files.iter() {
                if !self.spend(2) || found.len() >= MAX_ARCHIVED {
                    break;
                }
                let Some(rest) = file.strip_prefix(from.as_slice()) else {
                    continue;
                };
                let inside = match rest {
                    [] => [archive.as_slice(), b"/", &name].concat(),
                    [b'/', ..] if flat || name.is_empty() || name == b"." => {
                        [archive.as_slice(), rest].concat()
                    }
                    [b'/', ..] => [archive.as_slice(), b"/", &name, rest].concat(),
                    _ => continue,
                };
                found.push((file.to_vec(), inside));
            }
        }
        for (file, inside) in found {
            if let Some(content) = self.content_of(&file, state) {
                self.write_file(state, &inside, &[content], false);
            }
        }
    }
}
