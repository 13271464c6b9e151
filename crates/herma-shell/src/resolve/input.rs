//! Builtins that set variables from input: `read`, `mapfile`, `getopts`.

use super::fields::{Fields, Separators};
use super::machine::{Io, Machine};
use super::parameter::array;
use super::state::{MAX_ALTERNATIVES, Slot, State, Variable};
use crate::execution::Arg;
use crate::value::{Origin, Piece, Unknown, Value};

impl Machine<'_> {
    /// `read`: each line of the input is a possible value.
    pub(super) fn read_builtin(&mut self, args: &[Arg], io: &Io, state: &mut State) {
        let mut names = Vec::new();
        let mut into_array = None;
        let mut delimiter: Option<u8> = None;
        let mut count: Option<usize> = None;
        let mut descriptor: Option<Vec<u8>> = None;
        let mut words = args.iter().skip(1);
        while let Some(arg) = words.next() {
            let Some(bytes) = arg.value.bytes() else {
                continue;
            };
            let [b'-', flags @ ..] = &*bytes else {
                names.push(bytes.into_owned());
                continue;
            };
            if flags.is_empty() {
                names.push(b"-".to_vec());
            }
            for (index, flag) in flags.iter().enumerate() {
                if !b"adeinNprstuE".contains(flag) {
                    // An error: nothing is read.
                    return;
                }
                if b"adinNptu".contains(flag) {
                    let attached = flags.get(index + 1..).unwrap_or_default();
                    let operand = if attached.is_empty() {
                        words
                            .next()
                            .and_then(|arg| arg.value.bytes().map(|b| b.into_owned()))
                    } else {
                        Some(attached.to_vec())
                    };
                    match flag {
                        b'a' => into_array = operand,
                        b'd' => {
                            delimiter = Some(
                                operand
                                    .as_ref()
                                    .and_then(|d| d.first().copied())
                                    .unwrap_or(0),
                            )
                        }
                        b'n' | b'N' => {
                            let text = operand.as_deref().and_then(|n| std::str::from_utf8(n).ok());
                            count = text.and_then(|text| text.parse::<usize>().ok());
                        }
                        b'u' => descriptor = operand.clone(),
                        _ => {}
                    }
                    break;
                }
            }
        }
        let invalid = |name: &Vec<u8>| {
            let base = name.split(|byte| *byte == b'[').next().unwrap_or_default();
            let starts = base
                .first()
                .is_some_and(|b| b.is_ascii_alphabetic() || *b == b'_');
            !starts || !base.iter().all(|b| b.is_ascii_alphanumeric() || *b == b'_')
        };
        if names.iter().any(invalid) {
            // An error: nothing is read.
            return;
        }
        for name in &names {
            if name.contains(&b'[') {
                self.arithmetic_text(
                    &Value::computed(name.as_slice()),
                    args.first().map_or_else(Default::default, |a| a.span),
                    state,
                );
            }
        }
        let number = descriptor.and_then(|text| std::str::from_utf8(&text).ok()?.parse().ok());
        let opened = number.and_then(|number| self.descriptor_input(number, state));
        let input = match opened.as_ref().or(io.stdin.as_ref()) {
            Some(input) => self.loaded(input.clone()),
            None => Value::unknown_words(Origin::Variable(b"REPLY".to_vec())),
        };
        let mut lines = match delimiter {
            // Up to the delimiter; what was read before is not known here.
            Some(delimiter) => {
                let mut parts = split(&input, delimiter);
                parts.push(input.clone());
                parts
            }
            None => lines(&input),
        };
        if let Some(count) = count {
            lines = lines.iter().map(|line| first_bytes(line, count)).collect();
        }
        if names.is_empty() && into_array.is_none() {
            names.push(b"REPLY".to_vec());
        }
        let separators = self.separators(state);
        let mut slots: Vec<Vec<Slot>> = vec![Vec::new(); names.len()];
        let mut arrays = Vec::new();
        for line in lines {
            let words = fields(&line, &separators);
            if into_array.is_some() {
                arrays.push(array(
                    words
                        .into_iter()
                        .enumerate()
                        .map(|(index, value)| (index.to_string().into_bytes(), value))
                        .collect(),
                ));
                continue;
            }
            for (index, slot) in slots.iter_mut().enumerate() {
                let last = index + 1 == names.len();
                let value = if last && index == 0 {
                    stripped(&line)
                } else if last {
                    super::expand::join_words(words.get(index..).unwrap_or_default().to_vec())
                } else {
                    words.get(index).cloned().unwrap_or_default()
                };
                slot.push(Slot::Scalar(value));
            }
        }
        if let Some(name) = into_array {
            self.assign_any(state, &name, arrays);
        }
        for (name, slots) in names.iter().zip(slots) {
            self.assign_any(state, name, slots);
        }
    }

    /// Sets a name to one of several values.
    fn assign_any(&mut self, state: &mut State, name: &[u8], slots: Vec<Slot>) {
        let mut distinct: Vec<Slot> = Vec::new();
        for slot in slots {
            if !distinct.contains(&slot) {
                distinct.push(slot);
            }
            if distinct.len() > MAX_ALTERNATIVES {
                break;
            }
        }
        if distinct.len() > MAX_ALTERNATIVES {
            let unknown = Value::unknown_words(Origin::Variable(name.to_vec()));
            distinct = vec![Slot::Scalar(unknown)];
        }
        let first = distinct
            .first()
            .cloned()
            .unwrap_or(Slot::Scalar(Value::empty()));
        self.assign(state, name, first, false);
        let target = self.target(name, state);
        if distinct.len() > 1 {
            state
                .variables
                .update(&target, |variable| variable.slots = distinct.clone());
        }
        let mut all = Variable::new(Slot::Unset);
        all.slots = if distinct.is_empty() {
            vec![Slot::Unset]
        } else {
            distinct
        };
        self.remember(&target, &all);
    }

    /// `mapfile`, `readarray`
    pub(super) fn mapfile(&mut self, args: &[Arg], io: &Io, state: &mut State) {
        let mut name = None;
        let mut keep_newline = true;
        let mut words = args.iter().skip(1);
        while let Some(arg) = words.next() {
            let Some(bytes) = arg.value.bytes() else {
                continue;
            };
            match &*bytes {
                b"-t" => keep_newline = false,
                b"-C" => {
                    if let Some(callback) = words.next() {
                        let mut text = callback.value.clone();
                        text.push_text(b" ", None);
                        text.append(&Value::unknown(Origin::Other));
                        text.push_text(b" ", None);
                        text.append(&Value::unknown(Origin::Other));
                        let mut inner = state.clone();
                        self.text_behind(
                            "mapfile",
                            &text,
                            callback.span,
                            &mut inner,
                            &mut Io::default(),
                        );
                    }
                }
                b"-d" | b"-n" | b"-O" | b"-s" | b"-u" | b"-c" => {
                    words.next();
                }
                [b'-', flags @ ..]
                    if !flags
                        .iter()
                        .all(|flag| b"tdnOsuCc0123456789".contains(flag)) =>
                {
                    // An error: nothing is read.
                    return;
                }
                [b'-', ..] => {}
                _ if name.is_none() => name = Some(bytes.into_owned()),
                _ => {}
            }
        }
        let input = match &io.stdin {
            Some(input) => self.loaded(input.clone()),
            None => Value::unknown_words(Origin::Names),
        };
        let name = name.unwrap_or_else(|| b"MAPFILE".to_vec());
        let valid = name
            .iter()
            .all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
        if !valid {
            return;
        }
        let elements = lines(&input)
            .into_iter()
            .enumerate()
            .map(|(index, mut line)| {
                if keep_newline {
                    line.push_text(b"\n", None);
                }
                (index.to_string().into_bytes(), line)
            })
            .collect();
        self.assign(state, &name, array(elements), false);
    }
}

/// The first bytes of a value, as far as they are known.
fn first_bytes(value: &Value, count: usize) -> Value {
    match value.bytes() {
        Some(bytes) => Value::computed(bytes.get(..count.min(bytes.len())).unwrap_or_default()),
        None => value.clone(),
    }
}

/// Behind how many lines what follows counts as unknown.
const MAX_LINES: usize = 1024;

/// The lines of a value; unknown text may be any number of lines.
pub(super) fn lines(value: &Value) -> Vec<Value> {
    split(value, b'\n')
}

fn split(value: &Value, delimiter: u8) -> Vec<Value> {
    let mut lines = Vec::new();
    let mut line = Value {
        pieces: Vec::new(),
        decoded: value.decoded,
    };
    for piece in &value.pieces {
        let Piece::Text { bytes, at } = piece else {
            line.pieces.push(piece.clone());
            continue;
        };
        let mut start = 0;
        for (index, byte) in bytes.iter().enumerate() {
            if *byte == delimiter {
                let at = at.and_then(|at| at.checked_add(u32::try_from(start).ok()?));
                line.push_text(bytes.get(start..index).unwrap_or_default(), at);
                lines.push(std::mem::replace(
                    &mut line,
                    Value {
                        pieces: Vec::new(),
                        decoded: value.decoded,
                    },
                ));
                start = index + 1;
            }
        }
        let at = at.and_then(|at| at.checked_add(u32::try_from(start).ok()?));
        line.push_text(bytes.get(start..).unwrap_or_default(), at);
        if lines.len() > MAX_LINES {
            line.push_unknown(&Unknown {
                origin: Origin::Other,
                many: true,
            });
            break;
        }
    }
    if !line.pieces.is_empty() {
        lines.push(line);
    }
    lines
}

fn fields(line: &Value, separators: &Separators) -> Vec<Value> {
    let mut fields = Fields::default();
    fields.split(line, separators);
    fields
        .finish()
        .into_iter()
        .map(|word| dead(&word))
        .collect()
}

/// Patterns in data are data.
fn dead(word: &Value) -> Value {
    let mut out = Value {
        pieces: Vec::new(),
        decoded: word.decoded,
    };
    for piece in &word.pieces {
        match piece {
            Piece::Glob { pattern, at } => out.push_text(pattern, *at),
            Piece::Text { bytes, at } => out.push_text(bytes, *at),
            other => out.pieces.push(other.clone()),
        }
    }
    out
}

/// Without blanks at the ends.
fn stripped(line: &Value) -> Value {
    let mut line = line.clone();
    if let Some(Piece::Text { bytes, at }) = line.pieces.first_mut() {
        let blanks = bytes.iter().take_while(|b| b" \t".contains(b)).count();
        bytes.drain(..blanks);
        *at = at.and_then(|at| at.checked_add(u32::try_from(blanks).ok()?));
    }
    if let Some(Piece::Text { bytes, .. }) = line.pieces.last_mut() {
        while bytes.last().is_some_and(|b| b" \t".contains(b)) {
            bytes.pop();
        }
    }
    line
}
