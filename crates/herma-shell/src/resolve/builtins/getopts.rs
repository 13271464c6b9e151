//! `getopts`: one option of the parameters for each call.

use crate::execution::Arg;
use crate::resolve::machine::Machine;
use crate::resolve::machine::state::{Slot, State};
use crate::resolve::values::operators::number;
use crate::value::{Origin, Value};

/// What one call finds.
struct Found {
    /// The letter; `?` for one that is not taken, or at the end.
    letter: u8,
    /// Its argument.
    argument: Slot,
    /// The word that the next call looks at, from one.
    next: usize,
    /// How many of that word's letters were read.
    letters: usize,
}

impl Machine<'_> {
    /// `getopts options name [word …]`; whether there was an option, where that is certain.
    pub(crate) fn getopts(&mut self, args: &[Arg], state: &mut State) -> Option<bool> {
        let name = args.get(2).and_then(|arg| arg.value.bytes())?.into_owned();
        let Some(found) = self.next_option(args, state) else {
            let unknown = Value::unknown(Origin::Variable(name.clone()));
            self.assign(state, &name, Slot::Scalar(unknown), false);
            let unknown = Value::unknown_words(Origin::Variable(b"OPTARG".to_vec()));
            self.assign(state, b"OPTARG", Slot::Scalar(unknown), false);
            let unknown = Value::unknown(Origin::Variable(b"OPTIND".to_vec()));
            self.assign(state, b"OPTIND", Slot::Scalar(unknown), false);
            return None;
        };
        let ended = found.letter == b'?' && found.letters == usize::MAX;
        let letter = Value::computed([found.letter].as_slice());
        self.assign(state, &name, Slot::Scalar(letter), false);
        self.assign(state, b"OPTARG", found.argument, false);
        let next = Value::computed(found.next.to_string());
        self.assign(state, b"OPTIND", Slot::Scalar(next), false);
        state.option_letters = if ended { 0 } else { found.letters };
        Some(!ended)
    }

    /// `None` where what the next option is depends on what is not known.
    fn next_option(&mut self, args: &[Arg], state: &State) -> Option<Found> {
        let taken = args.get(1)?.value.bytes()?.into_owned();
        let words: Vec<Value> = match args.get(3..) {
            Some([_, ..]) => args.iter().skip(3).map(|arg| arg.value.clone()).collect(),
            _ if state.parameters.open => return None,
            _ => state.parameters.values.clone(),
        };
        let next = match state.variables.get(b"OPTIND") {
            Some(_) => usize::try_from(number(&self.scalar(b"OPTIND", state))?).ok()?,
            None => 1,
        };
        let end = |next| Found {
            letter: b'?',
            argument: Slot::Unset,
            next,
            letters: usize::MAX,
        };
        let Some(word) = words.get(next.checked_sub(1)?) else {
            return Some(end(next));
        };
        let shown = word.known_prefix();
        let letters = match shown.as_slice() {
            b"--" if word.is_known() => return Some(end(next + 1)),
            [b'-', letters @ ..] if !letters.is_empty() => letters,
            _ if word.is_known() => return Some(end(next)),
            [_, ..] if shown.first() != Some(&b'-') => return Some(end(next)),
            _ => return None,
        };
        let at = state.option_letters;
        let letter = *letters.get(at)?;
        let rest = letters.get(at + 1..).unwrap_or_default();
        let behind = |letters: usize| {
            if rest.is_empty() {
                (next + 1, 0)
            } else {
                (next, letters)
            }
        };
        let place = taken
            .iter()
            .position(|byte| *byte == letter && *byte != b':');
        let Some(place) = place.filter(|_| word.is_known()) else {
            if !word.is_known() {
                return None;
            }
            let (next, letters) = behind(at + 1);
            return Some(Found {
                letter: b'?',
                argument: Slot::Unset,
                next,
                letters,
            });
        };
        if taken.get(place + 1) != Some(&b':') {
            let (next, letters) = behind(at + 1);
            return Some(Found {
                letter,
                argument: Slot::Unset,
                next,
                letters,
            });
        }
        let (argument, next) = if rest.is_empty() {
            match words.get(next) {
                Some(argument) => (argument.clone(), next + 2),
                // One without its argument.
                None => {
                    return Some(Found {
                        letter: b'?',
                        argument: Slot::Unset,
                        next: next + 1,
                        letters: 0,
                    });
                }
            }
        } else {
            (Value::computed(rest), next + 1)
        };
        Some(Found {
            letter,
            argument: Slot::Scalar(argument),
            next,
            letters: 0,
        })
    }
}
