//! What an execution does to which path: one file per family of verbs.
//!
//! Programs are known by name; the words are read as the program reads them. What a program is not
//! known to do is not invented: it has no effects beyond its redirections.

mod archives;
mod copying;
mod deleting;
mod devices;
mod editing;
mod fetching;
mod mounting;
mod options;
mod permissions;
mod reading;
mod redirections;
mod search;
mod sending;
mod writing;

pub(crate) use self::reading::prints_input;
pub(crate) use self::sending::takes_input;
use herma_shell::{Arg, Execution, Span, Value};

use crate::effect::{Effect, Verb};
use crate::place::{self, Place};
use crate::scene::Scene;

/// What this execution does to which path, whatever the spelling.
#[must_use]
pub fn effects(execution: &Execution, scene: &Scene) -> Vec<Effect> {
    let name = execution.program().unwrap_or_default();
    let mut act = Act {
        execution,
        scene,
        effects: Vec::new(),
    };
    for family in FAMILIES {
        if family(&name, &mut act) {
            break;
        }
    }
    redirections::redirections(&name, &mut act);
    act.effects
}

/// A family of programs: adds the effects and says whether the program is its own.
type Family = fn(&[u8], &mut Act<'_>) -> bool;

const FAMILIES: &[Family] = &[
    deleting::effects,
    copying::effects,
    writing::effects,
    editing::effects,
    permissions::effects,
    devices::effects,
    mounting::effects,
    search::effects,
    archives::effects,
    fetching::effects,
    sending::effects,
    reading::effects,
];

/// An execution and what was found of it so far.
struct Act<'a> {
    execution: &'a Execution,
    scene: &'a Scene,
    effects: Vec<Effect>,
}

impl<'a> Act<'a> {
    fn argv(&self) -> &'a [Arg] {
        &self.execution.argv
    }

    /// The words as this program's options and operands.
    fn scan(&self, spec: &options::Spec) -> options::Scan<'a> {
        options::scan(self.argv(), 1, spec)
    }

    fn places(&self, value: &Value) -> Vec<Place> {
        place::places(value, &self.execution.cwd, self.scene)
    }

    /// An effect on the path that a word, or a part of it, names.
    fn on(&mut self, verb: Verb, argument: usize, value: &Value) {
        let places = self.places(value);
        self.on_places(verb, argument, places);
    }

    fn on_places(&mut self, verb: Verb, argument: usize, places: Vec<Place>) {
        if places.is_empty() {
            return;
        }
        let span = self
            .argv()
            .get(argument)
            .map_or(self.execution.span, |arg| arg.span);
        self.effects.push(Effect {
            verb,
            places,
            span,
            argument: Some(argument),
        });
    }

    /// A name that goes without loss, so that it need not be known: a directory that goes only when
    /// it is empty, what a waste bin takes.
    fn without_loss(&mut self, argument: usize, mut places: Vec<Place>) {
        places.retain(|place| {
            !matches!(
                place,
                Place::Unnamed | Place::Unresolved | Place::WorkRoot | Place::TempRoot
            )
        });
        self.on_places(Verb::Delete, argument, places);
    }

    /// A name that is made, touched or replaced: what stands behind a device of that name stays.
    fn on_name(&mut self, verb: Verb, argument: usize, value: &Value) {
        let mut places = self.places(value);
        places.retain(|place| *place != Place::RawDevice);
        self.on_places(verb, argument, places);
    }

    /// An effect on a path that no word of the argv names.
    fn on_span(&mut self, verb: Verb, span: Span, places: Vec<Place>) {
        if places.is_empty() {
            return;
        }
        self.effects.push(Effect {
            verb,
            places,
            span,
            argument: None,
        });
    }

    /// The same effect on every operand.
    fn on_operands(&mut self, verb: Verb, scan: &options::Scan<'a>) {
        for (at, value) in scan.operands() {
            self.on(verb, at, value);
        }
    }
}

/// The value's path joined with a name.
fn join(directory: &Value, name: &Value) -> Value {
    let mut out = directory.clone();
    if !out.known_suffix().ends_with(b"/") {
        out.push_text(b"/", None);
    }
    out.append(name);
    out
}

/// The last component of a path.
fn base_name(path: &Value) -> Value {
    use herma_shell::Piece;
    let mut out = Value {
        pieces: Vec::new(),
        decoded: path.decoded,
    };
    let mut pieces = path.pieces.as_slice();
    // Trailing slashes are no part of a name.
    while let Some((Piece::Text { bytes, .. }, rest)) = pieces.split_last() {
        if !bytes.iter().all(|byte| *byte == b'/') {
            break;
        }
        pieces = rest;
    }
    let last = pieces.len().saturating_sub(1);
    for (index, piece) in pieces.iter().enumerate() {
        let Piece::Text { bytes, at } = piece else {
            out.pieces.push(piece.clone());
            continue;
        };
        let mut end = bytes.len();
        if index == last {
            while end > 0 && bytes.get(end - 1) == Some(&b'/') {
                end -= 1;
            }
        }
        let text = bytes.get(..end).unwrap_or_default();
        let start = text.iter().rposition(|byte| *byte == b'/').map(|at| at + 1);
        if start.is_some() {
            out.pieces.clear();
        }
        let start = start.unwrap_or_default();
        let offset = u32::try_from(start).unwrap_or(u32::MAX);
        out.push_text(
            text.get(start..).unwrap_or_default(),
            at.map(|at| at.saturating_add(offset)),
        );
    }
    out
}

#[cfg(test)]
mod tests;
