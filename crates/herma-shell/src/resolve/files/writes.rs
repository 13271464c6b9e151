//! Files that programs write with content that is known.

use crate::carriers::rewriters::{Copied, copies};
use crate::execution::{Arg, Redirection};
use crate::path::base_name;
use crate::resolve::machine::state::State;
use crate::resolve::machine::{Io, Machine};
use crate::value::{Origin, Value};

/// Programs that write what a link as their last component leads to.
const FOLLOWERS: &[&[u8]] = &[
    b"tee",
    b"cp",
    b"truncate",
    b"chmod",
    b"chown",
    b"chgrp",
    b"shred",
    b"wipefs",
    b"blkdiscard",
];

impl Machine<'_> {
    /// The words with paths through links of the line in place of those that name them; `None`
    /// when no word goes through one.
    pub(crate) fn through_links(&mut self, args: &[Arg], state: &State) -> Option<Vec<Arg>> {
        if state.links.is_empty() || !self.spend(10 * args.len() as u64) {
            return None;
        }
        let name = args.first()?.value.known_prefix();
        let name = base_name(&name);
        let follows = FOLLOWERS.contains(&name) || name.starts_with(b"mkfs");
        let mut changed = false;
        let mut led = args.to_vec();
        for arg in &mut led {
            let through = if name == b"dd" {
                self.through_operand(&arg.value, state)
            } else {
                self.through_link(&arg.value, follows, state)
            };
            if let Some(value) = through {
                arg.value = value;
                changed = true;
            }
        }
        changed.then_some(led)
    }

    /// Redirections with what links of the line lead to; `None` when none goes through one.
    pub(crate) fn redirections_through_links(
        &mut self,
        redirections: &[Redirection],
        state: &State,
    ) -> Option<Vec<Redirection>> {
        if state.links.is_empty() || !self.spend(10 * redirections.len() as u64) {
            return None;
        }
        let mut led = redirections.to_vec();
        let mut changed = false;
        for redirection in &mut led {
            if let Some(target) = self.through_link(&redirection.target, true, state) {
                redirection.target = target;
                changed = true;
            }
        }
        changed.then_some(led)
    }

    /// `of=PATH` where the path goes through a link.
    fn through_operand(&mut self, operand: &Value, state: &State) -> Option<Value> {
        let bytes = operand.bytes()?;
        let path = bytes
            .strip_prefix(b"of=")
            .or_else(|| bytes.strip_prefix(b"if="))?;
        let led = self.through_link(&Value::computed(path), true, state)?;
        let mut out = Value::computed(bytes.get(..3)?);
        out.append(&led);
        Some(out)
    }

    /// Files that a program writes with known content: copies, downloads, `tee`.
    pub(crate) fn write_outputs(&mut self, args: &[Arg], io: &Io, state: &mut State) {
        let Some(name) = args.first().and_then(|arg| arg.value.bytes()) else {
            return;
        };
        let name = base_name(&name);
        let downloaded = crate::output::downloads(args);
        if let Some(files) = downloaded.filter(|files| name != b"rsync" || !files.is_empty()) {
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
            .filter(|arg| name != b"mount" || !is_bind(arg))
            .collect();
        if let Some(copied) = copies(args) {
            let symbolic = name == b"ln" && args.iter().any(is_symbolic);
            for source in &copied.sources {
                if !self.spend(60) {
                    return;
                }
                self.copy(&copied, source, symbolic, io, state);
            }
            return;
        }
        match name {
            b"mkfifo" => self.note_pipes(&operands, state),
            b"mknod" if operands.last().is_some_and(|last| last.value.is(b"p")) => {
                self.note_pipes(operands.get(..1).unwrap_or_default(), state);
            }
            b"tail" if args.iter().any(goes_on) => self.note_pipes(&operands, state),
            b"tee" => {
                let append = args
                    .iter()
                    .any(|arg| arg.value.is(b"-a") || arg.value.is(b"--append"));
                let text = io
                    .stdin
                    .as_deref()
                    .cloned()
                    .unwrap_or_else(|| Value::unknown_words(Origin::Other));
                for file in operands {
                    if let Some(path) = self.located(&file.value, state) {
                        self.write_file(state, &path, std::slice::from_ref(&text), append);
                    }
                }
            }
            b"mount" if args.iter().any(is_bind) => {
                if let [from, to] = operands.as_slice()
                    && let (Some(from), Some(to)) = (
                        self.absolute(&from.value, state),
                        self.absolute(&to.value, state),
                    )
                {
                    state
                        .links
                        .insert(&to, vec![[from.as_slice(), b"/"].concat()]);
                }
            }
            b"dd" => {
                let from = args.iter().rev().find_map(|arg| {
                    let file = arg.value.known_prefix().strip_prefix(b"if=")?.to_vec();
                    arg.value.is_known().then(|| Value::computed(file))
                });
                let text = match from {
                    Some(file) => self.file_as_input(&file, io.stdin.as_deref(), state),
                    None => io
                        .stdin
                        .as_deref()
                        .cloned()
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

    fn copy(
        &mut self,
        copied: &Copied,
        source: &Value,
        symbolic: bool,
        io: &Io,
        state: &mut State,
    ) {
        let target = &copied.target;
        let (Some(from), Some(to)) = (self.located(source, state), self.located(target, state))
        else {
            return;
        };
        // What is not there cannot be copied: the target stays as it is.
        let missing = !source.has_glob()
            && !state.files.contains(&from)
            && self.descriptor(source, state).is_none()
            && self.world.stat(&from).is_none();
        let before = (missing && !symbolic).then(|| state.clone());
        self.copy_tree(source, &to, state);
        // Which file a pattern names is not known here.
        let origin = if source.has_glob() {
            Vec::new()
        } else {
            from.clone()
        };
        let content = self
            .descriptor_by_path(source, io.stdin.as_deref(), state)
            .or_else(|| self.content_of(&from, state))
            .unwrap_or_else(|| Value::unknown_words(Origin::File(origin)));
        let inside = [to.as_slice(), b"/", base_name(&from)].concat();
        if !copied.into {
            // `-n`, or what may not be replaced: it stays as it is.
            self.write_too(state, &to, &content);
        }
        self.write_file(state, &inside, std::slice::from_ref(&content), false);
        let known = !from.starts_with(crate::resolve::files::names::ELSEWHERE);
        if known && symbolic {
            state.links.insert(&inside, vec![from.clone()]);
            if !copied.into && !names_directory(target) {
                state.links.insert(&to, vec![from]);
            }
        }
        if let Some(before) = before {
            self.join(state, &before);
        }
    }
}

/// `mount --bind` and its kin.
fn is_bind(arg: &Arg) -> bool {
    let word = arg.value.known_prefix();
    matches!(
        word.as_slice(),
        b"--bind" | b"--rbind" | b"-B" | b"-R" | b"--move" | b"-M"
    ) || word
        .split(|byte| matches!(byte, b',' | b'='))
        .any(|option| matches!(option, b"bind" | b"rbind" | b"-obind" | b"-orbind"))
}

/// Whether a path can only name a directory (`.`, `..`, `a/`).
fn names_directory(path: &Value) -> bool {
    let tail = path.known_suffix();
    let last = base_name(&tail);
    matches!(last, b"." | b"..") || last.is_empty() && !tail.is_empty()
}

/// `tail -f`, `tail -F`, `tail --follow`.
fn goes_on(arg: &Arg) -> bool {
    let word = arg.value.known_prefix();
    match word.as_slice() {
        [b'-', b'-', long @ ..] => long.starts_with(b"follow"),
        [b'-', flags @ ..] => flags.iter().any(|flag| matches!(flag, b'f' | b'F')),
        _ => false,
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
