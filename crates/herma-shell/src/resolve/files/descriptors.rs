//! Descriptors by number and by path, and how long they stay open.

use std::rc::Rc;

use crate::descriptors::{descriptor_matching, descriptor_of};
use crate::execution::Redirection;
use crate::resolve::control::command::{Routes, number_of, opened};
use crate::resolve::machine::Machine;
use crate::resolve::machine::state::{Descriptor, State};
use crate::resolve::values::pattern::matches;
use crate::syntax::RedirectOp;
use crate::value::{Origin, Value};

/// How many descriptors are followed.
pub(crate) const MAX_DESCRIPTORS: usize = 256;

/// Descriptors with what they are open on.
pub(crate) type Descriptors = Rc<Vec<(u32, Descriptor)>>;

impl State {
    /// What a descriptor is open on.
    pub(crate) fn descriptor(&self, number: u32) -> Option<&Descriptor> {
        self.descriptors
            .iter()
            .rev()
            .find(|(known, open)| *known == number && *open != Descriptor::Closed)
            .map(|(_, d)| d)
    }

    /// The file that a descriptor writes.
    pub(crate) fn written_by(&self, number: u32) -> Option<&Vec<u8>> {
        let mut open = self.descriptors.iter().rev();
        open.find_map(|(known, descriptor)| match descriptor {
            Descriptor::Output(path) if *known == number => Some(path),
            _ => None,
        })
    }

    /// Standard output becomes a pipe, whatever it was.
    pub(crate) fn print_into_pipe(&mut self) {
        if self.descriptors.iter().any(|(number, _)| *number == 1) {
            Rc::make_mut(&mut self.descriptors).retain(|(number, _)| *number != 1);
        }
    }

    /// Whether the line opens a descriptor in some readings only.
    pub(crate) fn may_be_closed(&self, number: u32) -> bool {
        self.descriptors.contains(&(number, Descriptor::Closed))
    }

    /// What reading a descriptor may give, one text for each reading.
    pub(crate) fn descriptor_inputs(&self, number: u32) -> Vec<&Rc<Value>> {
        self.descriptors
            .iter()
            .filter_map(|(known, descriptor)| match descriptor {
                Descriptor::Input(text) if *known == number => Some(text),
                _ => None,
            })
            .collect()
    }
}

impl Machine<'_> {
    /// The descriptor that a path names, itself or by a link of the line; `$$` stands for the
    /// process in `/proc/$$/fd/1`.
    pub(crate) fn descriptor(&self, path: &Value, state: &State) -> Option<u32> {
        let prefix = path.known_prefix();
        if !path.is_known() && prefix.starts_with(b"/proc/") {
            let behind = path.known_suffix();
            return descriptor_of(&[b"/proc/self", behind.as_slice()].concat());
        }
        let wild = path.has_glob();
        let path = self.located(path, state)?;
        if wild {
            return descriptor_matching(|name| matches(&path, name));
        }
        descriptor_of(&path).or_else(|| {
            let mut targets = state.links.get(&path)?.iter();
            targets.find_map(|target| descriptor_of(target))
        })
    }

    /// What reading the descriptor that a path names gives; `stdin` is standard input.
    pub(crate) fn descriptor_by_path(
        &mut self,
        path: &Value,
        stdin: Option<&Value>,
        state: &State,
    ) -> Option<Value> {
        let number = self.descriptor(path, state)?;
        let own = stdin.filter(|_| number == 0).cloned();
        let open = own.or_else(|| {
            let text = self.descriptor_input(number, state)?;
            Some(Rc::unwrap_or_clone(text))
        });
        Some(open.unwrap_or_else(|| Value::unknown_words(Origin::Other)))
    }

    /// Descriptors that stay open: those of `exec` without a program, and of a command while it
    /// runs.
    pub(crate) fn open_descriptors(&mut self, redirections: &[Redirection], state: &mut State) {
        for redirection in redirections {
            let default = match redirection.op {
                RedirectOp::Read
                | RedirectOp::ReadWrite
                | RedirectOp::HereDoc
                | RedirectOp::HereString
                | RedirectOp::DupIn => 0,
                _ => 1,
            };
            let number = redirection.fd.unwrap_or(default);
            let duplicates = matches!(redirection.op, RedirectOp::DupIn | RedirectOp::DupOut);
            if duplicates && redirection.target.is(b"-") {
                Rc::make_mut(&mut state.descriptors).retain(|(known, _)| *known != number);
                continue;
            }
            let Some(descriptor) = self.open(redirection, state) else {
                if is_standard_output(&redirection.target) {
                    Rc::make_mut(&mut state.descriptors).retain(|(known, _)| *known != number);
                }
                continue;
            };
            // Other states share the list: it is copied.
            let copied: usize = state
                .descriptors
                .iter()
                .map(|(_, open)| match open {
                    Descriptor::Input(text) => text.size(),
                    Descriptor::Output(path) => path.len(),
                    Descriptor::Closed => 0,
                })
                .sum();
            if !self.spend(20 + copied as u64 / 8) {
                return;
            }
            let written = match redirection.op {
                RedirectOp::ReadWrite => self.located(&redirection.target, state),
                _ => None,
            };
            let descriptors = Rc::make_mut(&mut state.descriptors);
            descriptors.retain(|(known, _)| *known != number);
            if descriptors.len() < MAX_DESCRIPTORS {
                descriptors.push((number, descriptor));
                descriptors.extend(written.map(|path| (number, Descriptor::Output(path))));
            } else {
                self.uncertain(crate::Why::Fuel, redirection.span);
            }
        }
    }

    /// What is written over what a file holds is not followed; one that is not there is made.
    fn open_for_both(&mut self, target: &Value, state: &mut State) {
        let Some(path) = self.located(target, state) else {
            return;
        };
        let holds = self.content_of(&path, state);
        if holds.is_none() && self.world.stat(&path).is_none() {
            self.write_file(state, &path, &[Value::empty()], false);
        } else if holds.is_none_or(|content| !content.is(b"")) {
            self.forget_file(target, state);
        }
    }

    /// What a redirection opens, when that is followed.
    fn open(&mut self, redirection: &Redirection, state: &mut State) -> Option<Descriptor> {
        let target = &redirection.target;
        Some(match redirection.op {
            RedirectOp::Read | RedirectOp::ReadWrite => {
                let input = self.file_as_input(target, None, state);
                if redirection.op == RedirectOp::ReadWrite {
                    self.open_for_both(target, state);
                }
                Descriptor::Input(Rc::new(input))
            }
            RedirectOp::HereDoc | RedirectOp::HereString => {
                Descriptor::Input(Rc::new(target.clone()))
            }
            RedirectOp::Write
            | RedirectOp::Append
            | RedirectOp::Clobber
            | RedirectOp::Both
            | RedirectOp::BothAppend => {
                if let Some(number) = self.descriptor(target, state) {
                    return state.descriptor(number).cloned();
                }
                let path = self.located(target, state)?;
                if !matches!(redirection.op, RedirectOp::Append | RedirectOp::BothAppend) {
                    self.write_file(state, &path, &[Value::empty()], false);
                }
                Descriptor::Output(path)
            }
            // `exec >&file`
            RedirectOp::DupOut if target.is_known() && number_of(target).is_none() => {
                let path = self.located(target, state)?;
                self.write_file(state, &path, &[Value::empty()], false);
                Descriptor::Output(path)
            }
            RedirectOp::DupIn | RedirectOp::DupOut => opened(target, state)?.clone(),
        })
    }
}

/// Closes what a command's own redirections opened; `before` are the descriptors in front of it.
pub(crate) fn close_descriptors(routes: &Routes<'_>, before: &Descriptors, state: &mut State) {
    if Rc::ptr_eq(before, &state.descriptors) {
        return;
    }
    let other = |(number, _): &&(u32, Descriptor)| !routes.opened.contains(number);
    if before
        .iter()
        .filter(other)
        .eq(state.descriptors.iter().filter(other))
    {
        state.descriptors = Rc::clone(before);
        return;
    }
    let descriptors = Rc::make_mut(&mut state.descriptors);
    descriptors.retain(|(number, _)| !routes.opened.contains(number));
    let own = |(number, _): &&(u32, Descriptor)| routes.opened.contains(number);
    descriptors.extend(before.iter().filter(own).cloned());
}

/// `1` or `2` behind `>&`, which no file need stand behind.
fn is_standard_output(target: &Value) -> bool {
    target.is(b"1") || target.is(b"2")
}
