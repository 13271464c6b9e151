//! `find` and `fd`: what their own actions do. What `-exec` runs is an execution of its own.

use herma_shell::{Arg, Piece, Value};

use super::{Act, join};
use crate::effect::Verb;
use crate::place::Place;

pub(super) fn effects(name: &[u8], act: &mut Act<'_>) -> bool {
    match name {
        b"find" | b"gfind" | b"bfs" => find(act),
        _ => return false,
    }
    true
}

/// What stands in front of an action.
#[derive(Default)]
struct Tests {
    /// Some test may hold names back.
    filtered: bool,
    /// The operands of `-name`.
    names: Vec<Value>,
    /// How often `-o` separates alternatives.
    alternatives: usize,
    /// Something is negated: a name may be one that is not wanted.
    negated: bool,
}

impl Tests {
    /// The names of which one must hold; none when nothing says so.
    fn spelled(&self) -> &[Value] {
        if self.negated || self.names.len() <= self.alternatives {
            return &[];
        }
        // Without alternatives the last name holds as well as the others.
        let from = if self.alternatives == 0 {
            self.names.len() - 1
        } else {
            0
        };
        self.names.get(from..).unwrap_or_default()
    }
}

fn find(act: &mut Act<'_>) {
    let argv = act.argv();
    let first = leading_options(argv);
    let roots_end = argv
        .iter()
        .enumerate()
        .skip(first)
        .find(|(_, arg)| begins_expression(&arg.value))
        .map_or(argv.len(), |(at, _)| at);
    let mut roots: Vec<(usize, Value)> = (first..roots_end)
        .filter_map(|at| argv.get(at).map(|arg| (at, arg.value.clone())))
        .collect();
    if roots.is_empty() {
        roots.push((0, Value::computed(b".".to_vec())));
    }
    let mut tests = Tests::default();
    let mut at = roots_end;
    while let Some(arg) = argv.get(at) {
        at += 1;
        let word = arg.value.bytes();
        match word.as_deref() {
            Some(b"-delete") => delete(act, at - 1, &roots, &tests),
            Some(b"-fprint" | b"-fprint0" | b"-fls" | b"-fprintf") => {
                if let Some(file) = argv.get(at) {
                    act.on(Verb::Write, at, &file.value);
                }
                at += 1;
                if word.as_deref() == Some(b"-fprintf") {
                    at += 1;
                }
            }
            Some(b"-exec" | b"-execdir" | b"-ok" | b"-okdir") => {
                at = behind_exec(argv, at);
            }
            Some(b"-maxdepth" | b"-mindepth" | b"-printf" | b"-files0-from") => at += 1,
            Some(
                b"-print"
                | b"-print0"
                | b"-ls"
                | b"-depth"
                | b"-d"
                | b"-xdev"
                | b"-mount"
                | b"-x"
                | b"-follow"
                | b"-daystart"
                | b"-noleaf"
                | b"-warn"
                | b"-nowarn"
                | b"-true"
                | b"-a"
                | b"-and"
                | b"("
                | b")"
                | b"-ignore_readdir_race"
                | b"-noignore_readdir_race"
                | b"-regextype"
                | b"-prune",
            ) => {}
            Some(b"-o" | b"-or" | b",") => {
                tests.alternatives += 1;
            }
            Some(b"!" | b"-not") => {
                tests.negated = true;
                tests.filtered = true;
            }
            Some(b"-name") => {
                // `-name '*'` holds nothing back.
                if let Some(name) = argv.get(at).filter(|name| !name.value.is(b"*")) {
                    tests.filtered = true;
                    tests.names.push(pattern(&name.value));
                }
                at += 1;
            }
            // Tests, with or without an operand: what is no action does not matter further.
            _ => tests.filtered = true,
        }
    }
}

fn leading_options(argv: &[Arg]) -> usize {
    let mut at = 1;
    while let Some(arg) = argv.get(at) {
        match arg.value.known_prefix().as_slice() {
            b"-H" | b"-L" | b"-P" | b"-E" | b"-X" | b"-s" | b"-x" | b"--" => at += 1,
            b"-D" => at += 2,
            [b'-', b'O', ..] => at += 1,
            _ => break,
        }
    }
    at
}

fn begins_expression(value: &Value) -> bool {
    let head = value.known_prefix();
    head.first() == Some(&b'-') || matches!(head.as_slice(), b"(" | b"!" | b")" | b",")
}

fn behind_exec(argv: &[Arg], from: usize) -> usize {
    let mut at = from;
    while let Some(arg) = argv.get(at) {
        at += 1;
        let plus = arg.value.is(b"+")
            && at
                .checked_sub(2)
                .and_then(|before| argv.get(before))
                .is_some_and(|before| before.value.is(b"{}"));
        if plus || arg.value.is(b";") {
            break;
        }
    }
    at
}

/// `-delete`: without a test everything below the roots, else what the name says.
fn delete(act: &mut Act<'_>, at: usize, roots: &[(usize, Value)], tests: &Tests) {
    for (index, root) in roots {
        let argument = if *index == 0 { at } else { *index };
        if !tests.filtered {
            act.on(Verb::DeleteTree, argument, root);
            continue;
        }
        for name in tests.spelled() {
            let places = act.places(&join(root, name));
            deletes_some(act, argument, places);
        }
        if tests.spelled().is_empty() {
            let mut value = root.clone();
            value.push_text(b"/", None);
            value.pieces.push(Piece::Glob {
                pattern: b"*".to_vec(),
                at: None,
            });
            let mut places = act.places(&value);
            // Not all of the root goes, since a test chooses.
            places.retain(|place| {
                !matches!(place, Place::SystemRoot | Place::Home | Place::EmptyJoin)
            });
            deletes_some(act, argument, places);
        }
    }
}

fn deletes_some(act: &mut Act<'_>, argument: usize, mut places: Vec<Place>) {
    if !places.contains(&Place::Unnamed) && !places.contains(&Place::TempChild) {
        places.push(Place::Unnamed);
    }
    act.on_places(Verb::Delete, argument, places);
}

/// A quoted pattern is a pattern for `find`.
fn pattern(value: &Value) -> Value {
    let mut out = Value {
        pieces: Vec::new(),
        decoded: value.decoded,
    };
    for piece in &value.pieces {
        match piece {
            Piece::Text { bytes, at } if bytes.iter().any(|byte| b"*?[".contains(byte)) => {
                out.pieces.push(Piece::Glob {
                    pattern: bytes.clone(),
                    at: *at,
                });
            }
            other => out.pieces.push(other.clone()),
        }
    }
    out
}
