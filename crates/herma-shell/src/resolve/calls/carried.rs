//! Carriers: programs that hand on what others run, and what they are given for it.

use std::rc::Rc;

use super::payload::Carrier;
use super::simple::Invocation;
use crate::carriers::recipes::recipes;
use crate::carriers::{Command, Step, carry};
use crate::execution::{Arg, Binding, FactKind};
use crate::path::base_name;
use crate::resolve::machine::state::State;
use crate::resolve::machine::{Io, Machine};
use crate::source::Span;
use crate::value::{Piece, Value};

/// How much generated text (`seq`, `yes`) is kept, in bytes.
const MAX_GENERATED: usize = 1 << 16;

/// Programs that read arguments from their input.
const XARGS: [&[u8]; 2] = [b"xargs", b"gxargs"];
/// Programs that read an editing script.
const SED: [&[u8]; 2] = [b"sed", b"gsed"];
/// Programs that read a makefile.
const MAKE: [&[u8]; 4] = [b"make", b"gmake", b"bmake", b"remake"];

impl Machine<'_> {
    /// Follows what a program hands on, or computes what it prints.
    pub(crate) fn carried(
        &mut self,
        args: &[Arg],
        environment: &[Binding],
        state: &mut State,
        io: &mut Io,
    ) {
        let with_scripts = self.with_scripts(args, io, state);
        if let Some(words) = &with_scripts {
            // What the script reads and writes itself.
            let spans = args.iter().map(|arg| arg.span);
            let span = spans.reduce(Span::join).unwrap_or_default();
            self.emit(words, environment, &[], io, span, state);
        }
        let args = with_scripts.as_deref().unwrap_or(args);
        let given = self.input_by_name(args, io, state);
        // Where it has read its standard input to the end, its steps find nothing in it.
        let reads_to_end = given.is_none()
            && program(args).is_some_and(|name| MAKE.contains(&name.as_slice()))
            && option_value(args, b"-f", b"--file").is_some_and(|file| file.is(b"-"));
        let mut extended;
        let args = if let Some((_, Some(file))) = &given {
            // The recipe file as if it had come on standard input.
            extended = args.to_vec();
            for word in [b"-f".as_slice(), b"-"] {
                extended.push(Arg {
                    value: Value::computed(word),
                    span: *file,
                });
            }
            extended.as_slice()
        } else {
            args
        };
        let loaded = match given {
            Some((text, _)) => text,
            None => io
                .stdin
                .as_deref()
                .cloned()
                .filter(|_| runs_input(args))
                .map(|text| self.loaded(text)),
        };
        let stdin = loaded.as_ref().or(io.stdin.as_deref());
        let bindings = self.environment(environment, state);
        let mut steps = carry(&Command {
            argv: args,
            stdin,
            environment: &bindings,
        });
        steps.extend(self.recipes(args, state));
        if steps.is_empty() {
            if io.captured.is_some() {
                let mut text = self.output_of(args, io, state);
                let generated = text
                    .pieces
                    .iter()
                    .all(|piece| matches!(piece, Piece::Text { at: None, .. }));
                if generated && text.size() > MAX_GENERATED {
                    let name = args
                        .first()
                        .and_then(|arg| arg.value.bytes())
                        .unwrap_or_default();
                    text = super::simple::unknown_output(&name);
                }
                self.say(args, &text, io);
            }
            return;
        }
        // Where the carrier's output is its own, what its steps print is not captured.
        let own = io.captured.is_some() && !steps.iter().all(|step| step.prints);
        let captured = own.then(|| {
            let text = self.output_of(args, io, state);
            let before = io.captured.clone();
            self.say(args, &text, io);
            std::mem::replace(&mut io.captured, before)
        });
        let outer = reads_to_end
            .then(|| io.stdin.replace(Rc::new(Value::empty())))
            .flatten();
        for step in steps {
            if !self.spend(4) {
                break;
            }
            let span = args.first().map_or_else(Span::default, |arg| arg.span);
            let Step { via, payload, .. } = step;
            let name = via.name.clone();
            let carrier = Carrier {
                program: name.split(' ').next().unwrap_or_default().as_bytes(),
                environment,
            };
            self.behind(via, |machine| {
                machine.deeper(span, |machine| {
                    machine.payload(carrier, payload, state, io);
                });
            });
        }
        if outer.is_some() {
            io.stdin = outer;
        }
        if let Some(captured) = captured {
            io.captured = captured;
        }
    }

    /// What a program runs by files of its own that the line wrote.
    fn recipes(&mut self, args: &[Arg], state: &State) -> Vec<Step> {
        let mut steps = Vec::new();
        if state.files.is_empty() {
            return steps;
        }
        for recipe in recipes(args) {
            let Some(path) = self.located(&recipe.file, state) else {
                continue;
            };
            let path = if recipe.file.has_glob() {
                self.matched(&path, state)
            } else {
                Some(path)
            };
            if let Some(content) = path.and_then(|path| self.content_of(&path, state)) {
                self.followed += 1;
                let is_text = |piece: &Piece| matches!(piece, Piece::Text { .. });
                let content = if recipe.adds() && content.pieces.iter().any(is_text) {
                    content
                } else {
                    self.loaded(content)
                };
                steps.extend(recipe.steps(&content));
            }
        }
        steps
    }

    /// The words of `sed` with the scripts that it takes from files of the line.
    fn with_scripts(&mut self, args: &[Arg], io: &Io, state: &State) -> Option<Vec<Arg>> {
        if !SED.contains(&program(args)?.as_slice()) {
            return None;
        }
        let mut words = args.to_vec();
        let count = words.len();
        for file in crate::carriers::sed::files(args) {
            let content = if file.value.is(b"-") {
                io.stdin.as_deref().cloned()
            } else {
                self.descriptor_by_path(&file.value, io.stdin.as_deref(), state)
                    .or_else(|| self.content_of(&self.located(&file.value, state)?, state))
            };
            let Some(content) = content else {
                continue;
            };
            self.followed += 1;
            let option = Arg {
                value: Value::computed(b"-e".as_slice()),
                span: file.span,
            };
            let script = Arg {
                value: self.loaded(content),
                span: file.span,
            };
            words.splice(1..1, [option, script]);
        }
        (words.len() > count).then_some(words)
    }

    /// Input that a carrier takes from a file that it names itself: `xargs -a FILE`, and the
    /// makefile that the line wrote, with the place of the call.
    fn input_by_name(
        &mut self,
        args: &[Arg],
        io: &Io,
        state: &State,
    ) -> Option<(Option<Value>, Option<Span>)> {
        let first = args.first()?;
        match &*program(args)? {
            name if XARGS.contains(&name) => {
                let file = crate::carriers::xargs::file(args)?;
                let content = self.file_as_input(&file, io.stdin.as_deref(), state);
                Some((Some(self.loaded(content)), None))
            }
            name if MAKE.contains(&name) => {
                let named = option_value(args, b"-f", b"--file");
                let place = option_value(args, b"-C", b"--directory");
                let names: Vec<Value> = match named {
                    Some(file) => vec![file],
                    None => [b"GNUmakefile".as_slice(), b"makefile", b"Makefile"]
                        .iter()
                        .map(|name| Value::computed(*name))
                        .collect(),
                };
                for file in names {
                    let mut path = place.clone().unwrap_or_default();
                    if place.is_some() {
                        path.push_text(b"/", None);
                    }
                    path.append(&file);
                    let Some(path) = self.absolute(&path, state) else {
                        continue;
                    };
                    if let Some(content) = self.content_of(&path, state) {
                        self.followed += 1;
                        return Some((Some(content), Some(first.span)));
                    }
                }
                None
            }
            _ => None,
        }
    }

    /// Starts argv as a program: no functions, aliases or builtins.
    pub(crate) fn start(&mut self, invocation: &Invocation<'_>, state: &mut State, io: &mut Io) {
        let Some(first) = invocation.args.first() else {
            return;
        };
        let unresolved = match first.value.bytes() {
            Some(_) => false,
            None => {
                let suffix = first.value.known_suffix();
                suffix
                    .iter()
                    .rposition(|b| *b == b'/')
                    .is_none_or(|at| at + 1 >= suffix.len())
            }
        };
        if unresolved {
            let kind = if first.value.is_fetched() {
                FactKind::CodeFetched
            } else {
                FactKind::CommandUnresolved
            };
            self.fact(kind, first.span, b"");
        }
        self.program(invocation, state, io);
    }
}

/// The value of an option, attached or as the next word; the last one counts. Long options may be
/// abbreviated.
fn option_value(args: &[Arg], short: &[u8], long: &[u8]) -> Option<Value> {
    let mut found = None;
    for (index, arg) in args.iter().enumerate().skip(1) {
        let Some(word) = arg.value.bytes() else {
            continue;
        };
        let (name, attached) = match word.iter().position(|byte| *byte == b'=') {
            Some(equals) => word.split_at(equals),
            None => (&*word, [].as_slice()),
        };
        let is_long = name.len() > 2 && name.starts_with(b"--") && long.starts_with(name);
        if *word == *short || is_long && attached.is_empty() {
            found = args.get(index + 1).map(|arg| arg.value.clone());
        } else if is_long {
            found = Some(Value::computed(attached.get(1..).unwrap_or_default()));
        } else if let Some(value) = word
            .strip_prefix(short)
            .filter(|_| !word.starts_with(b"--"))
        {
            found = Some(Value::computed(value));
        }
    }
    found
}

/// A program's name without directories.
fn program(args: &[Arg]) -> Option<Vec<u8>> {
    let name = args.first()?.value.bytes()?;
    Some(base_name(&name).to_vec())
}

/// Whether what the program runs may stand in its standard input, as arguments or as text.
fn runs_input(args: &[Arg]) -> bool {
    program(args).is_some_and(|name| {
        let name = name.as_slice();
        XARGS.contains(&name)
            || MAKE.contains(&name)
            || matches!(name, b"parallel" | b"at" | b"batch" | b"crontab")
    })
}
