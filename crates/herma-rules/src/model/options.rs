//! Reading a program's words as `getopt_long` does.

use herma_shell::{Arg, Origin, Piece, Value};

/// How a program reads its options.
#[derive(Clone, Copy)]
pub(super) struct Spec {
    /// Short options as `getopt` writes them: `a` is a flag, `a:` takes an operand, `a::` takes one
    /// only when it is attached.
    pub(super) short: &'static str,
    /// Long options, separated by blanks: `all` is a flag, `user=` takes an operand, `color?` takes
    /// one only behind `=`.
    pub(super) long: &'static str,
    /// Long options are written with one dash.
    pub(super) single_dash: bool,
}

/// Options that the program takes anywhere between its operands.
pub(super) const fn spec(short: &'static str, long: &'static str) -> Spec {
    Spec {
        short,
        long,
        single_dash: false,
    }
}

/// An option that was given.
pub(super) struct Given {
    /// Its letter, or its long name as the table has it.
    pub(super) name: &'static str,
    /// Its operand, with the index of the word that it stands in.
    pub(super) operand: Option<(usize, Value)>,
}

/// A command's words, read as options and operands.
#[derive(Default)]
pub(super) struct Scan<'a> {
    /// The options in order.
    pub(super) given: Vec<Given>,
    /// The operands with their places in argv.
    pub(super) operands: Vec<(usize, &'a Value)>,
    /// Some word that cannot be known stands where options may stand.
    pub(super) unclear: bool,
}

impl<'a> Scan<'a> {
    /// Whether one of these options was given.
    pub(super) fn has(&self, names: &[&str]) -> bool {
        self.given.iter().any(|given| names.contains(&given.name))
    }

    /// The last operand given to one of these options.
    pub(super) fn last(&self, names: &[&str]) -> Option<&(usize, Value)> {
        self.given
            .iter()
            .rev()
            .filter(|given| names.contains(&given.name))
            .find_map(|given| given.operand.as_ref())
    }

    /// All operands given to these options.
    pub(super) fn all(
        &self,
        names: &'static [&'static str],
    ) -> impl Iterator<Item = &(usize, Value)> {
        self.given
            .iter()
            .filter(|given| names.contains(&given.name))
            .filter_map(|given| given.operand.as_ref())
    }

    /// The operands as (place in argv, value).
    pub(super) fn operands(&self) -> impl DoubleEndedIterator<Item = (usize, &'a Value)> + '_ {
        self.operands.iter().copied()
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Arity {
    Flag,
    Required,
    Attached,
}

/// Reads the words from `from` on.
pub(super) fn scan<'a>(argv: &'a [Arg], from: usize, spec: &Spec) -> Scan<'a> {
    let mut out = Scan::default();
    let mut index = from;
    while let Some(arg) = argv.get(index) {
        let value = &arg.value;
        let at = index;
        index += 1;
        if may_be_options(value) {
            out.unclear = true;
        }
        let head = value.known_prefix();
        let [b'-', letters @ ..] = head.as_slice() else {
            out.operands.push((at, value));
            continue;
        };
        match letters {
            [] => out.operands.push((at, value)),
            b"-" if value.is(b"--") => {
                let rest = argv.get(index..).unwrap_or_default();
                let first = index;
                out.operands.extend(
                    rest.iter()
                        .enumerate()
                        .map(|(offset, arg)| (first + offset, &arg.value)),
                );
                return out;
            }
            [b'-', name @ ..] => {
                index = long(&mut out, argv, at, name, 2, spec);
            }
            name if spec.single_dash && find_long(before_equals(name), spec, true).is_some() => {
                index = long(&mut out, argv, at, name, 1, spec);
            }
            letters => index = short(&mut out, argv, at, letters, spec),
        }
    }
    out
}

/// Whether the value could turn into options: an unquoted word that cannot be known, or one that
/// begins as an option does and goes on unknown. Names of files from a search are none.
fn may_be_options(value: &Value) -> bool {
    match value.pieces.as_slice() {
        [Piece::Unknown(unknown), ..] => {
            unknown.many && !matches!(unknown.origin, Origin::Names | Origin::Temporary)
        }
        [Piece::Text { bytes, .. }, rest @ ..] => {
            bytes.first() == Some(&b'-')
                && rest.iter().any(|piece| matches!(piece, Piece::Unknown(_)))
        }
        _ => false,
    }
}

fn before_equals(name: &[u8]) -> &[u8] {
    name.split(|byte| *byte == b'=').next().unwrap_or(name)
}

fn long(
    out: &mut Scan<'_>,
    argv: &[Arg],
    at: usize,
    name: &[u8],
    dashes: usize,
    spec: &Spec,
) -> usize {
    let key = before_equals(name);
    let attached = name.len() > key.len();
    let Some((long, arity)) = find_long(key, spec, dashes == 1) else {
        return at + 1;
    };
    let mut next = at + 1;
    let operand = if attached {
        argv.get(at)
            .map(|arg| (at, behind(&arg.value, dashes + key.len() + 1)))
    } else if arity == Arity::Required {
        next += 1;
        argv.get(at + 1).map(|arg| (at + 1, arg.value.clone()))
    } else {
        None
    };
    out.given.push(Given {
        name: long,
        operand,
    });
    next
}

fn short(out: &mut Scan<'_>, argv: &[Arg], at: usize, letters: &[u8], spec: &Spec) -> usize {
    for (position, letter) in letters.iter().enumerate() {
        let Some((name, arity)) = find_short(*letter, spec) else {
            continue;
        };
        if arity == Arity::Flag {
            out.given.push(Given {
                name,
                operand: None,
            });
            continue;
        }
        // An operand that is attached ends the bundle, known or not.
        let rest = argv
            .get(at)
            .map(|arg| behind(&arg.value, position + 2))
            .filter(|value| !value.pieces.is_empty());
        let (operand, next) = match rest {
            Some(value) => (Some((at, value)), at + 1),
            None if arity == Arity::Required => (
                argv.get(at + 1).map(|arg| (at + 1, arg.value.clone())),
                at + 2,
            ),
            None => (None, at + 1),
        };
        out.given.push(Given { name, operand });
        return next;
    }
    at + 1
}

/// The value without its first `count` bytes, all of which are known.
pub(super) fn behind(value: &Value, count: usize) -> Value {
    let mut out = Value {
        pieces: Vec::new(),
        decoded: value.decoded,
    };
    let mut skip = count;
    for piece in &value.pieces {
        match piece {
            Piece::Text { bytes, at } => {
                let taken = skip.min(bytes.len());
                skip -= taken;
                let offset = u32::try_from(taken).unwrap_or(u32::MAX);
                out.push_text(
                    bytes.get(taken..).unwrap_or_default(),
                    at.map(|at| at.saturating_add(offset)),
                );
            }
            Piece::Glob { pattern, .. } if skip > 0 => skip = skip.saturating_sub(pattern.len()),
            other => out.pieces.push(other.clone()),
        }
    }
    out
}

fn find_short(letter: u8, spec: &Spec) -> Option<(&'static str, Arity)> {
    let at = spec
        .short
        .bytes()
        .position(|own| own == letter && own != b':')?;
    let name = spec.short.get(at..=at)?;
    let arity = match spec.short.as_bytes().get(at + 1..).unwrap_or_default() {
        [b':', b':', ..] => Arity::Attached,
        [b':', ..] => Arity::Required,
        _ => Arity::Flag,
    };
    Some((name, arity))
}

/// The long option of this name, or the first that it abbreviates.
fn find_long(key: &[u8], spec: &Spec, exact: bool) -> Option<(&'static str, Arity)> {
    let entries = || {
        spec.long.split_ascii_whitespace().map(|entry| {
            if let Some(name) = entry.strip_suffix('=') {
                (name, Arity::Required)
            } else if let Some(name) = entry.strip_suffix('?') {
                (name, Arity::Attached)
            } else {
                (entry, Arity::Flag)
            }
        })
    };
    entries()
        .find(|(name, _)| name.as_bytes() == key)
        .or_else(|| {
            (!exact && !key.is_empty())
                .then(|| entries().find(|(name, _)| name.as_bytes().starts_with(key)))
                .flatten()
        })
}
