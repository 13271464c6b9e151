//! Reading options as `getopt_long` does, from tables.

use crate::execution::Arg;

use super::words::{begins_unknown, behind};

/// How a program reads its options.
#[derive(Clone, Copy)]
pub(super) struct Spec {
    /// Short options as `getopt` writes them: `a` is a flag, `a:` takes an operand, `a::` takes one
    /// only when it is attached. Blanks are ignored.
    pub(super) short: &'static str,
    /// Long options, separated by blanks: `all` is a flag, `user=` takes an operand, `color?` takes
    /// one only behind `=`, `bind==` takes the next two words.
    pub(super) long: &'static str,
    /// Options may follow operands; otherwise the first operand ends them.
    pub(super) permutes: bool,
    /// Long options may be written with one dash and are not abbreviated.
    pub(super) single_dash: bool,
}

impl Spec {
    /// Options up to the first operand.
    pub(super) const fn new(short: &'static str, long: &'static str) -> Self {
        Self {
            short,
            long,
            permutes: false,
            single_dash: false,
        }
    }

    /// Options anywhere.
    pub(super) const fn anywhere(short: &'static str, long: &'static str) -> Self {
        Self {
            short,
            long,
            permutes: true,
            single_dash: false,
        }
    }

    /// The same with long options behind one dash too.
    pub(super) const fn single_dash(self) -> Self {
        Self {
            single_dash: true,
            ..self
        }
    }
}

/// An option that was given.
pub(super) struct Given {
    /// Its letter or long name as the table has it; empty when the table has none.
    pub(super) name: &'static str,
    /// Its operand.
    pub(super) operand: Option<Arg>,
    /// The index of its word.
    pub(super) at: usize,
    /// The index of the word behind it and its operand.
    pub(super) next: usize,
}

/// The words of a command, read as options and operands.
#[derive(Default)]
pub(super) struct Scan {
    /// The options in order.
    pub(super) given: Vec<Given>,
    /// The indices of the operands, as far as options are read; unclear words count.
    pub(super) operands: Vec<usize>,
    /// Where the first operand may stand: more than one when words cannot be known.
    pub(super) starts: Vec<usize>,
}

impl Scan {
    /// Whether one of these options was given.
    pub(super) fn has(&self, names: &[&str]) -> bool {
        self.given.iter().any(|given| names.contains(&given.name))
    }

    /// The operand of the last of these options that was given.
    pub(super) fn last(&self, names: &[&str]) -> Option<&Arg> {
        self.given
            .iter()
            .rev()
            .filter(|given| names.contains(&given.name))
            .find_map(|given| given.operand.as_ref())
    }

    /// The operands of these options.
    pub(super) fn all<'s>(
        &'s self,
        names: &'s [&str],
    ) -> impl DoubleEndedIterator<Item = &'s Arg> + 's {
        self.given
            .iter()
            .filter(move |given| names.contains(&given.name))
            .filter_map(|given| given.operand.as_ref())
    }
}

/// How many words that cannot be known are read both as an option and as the program.
const MAX_UNCLEAR: usize = 4;

/// How many words are read both as the operand of an option that no table has and as the program.
const MAX_DOUBTFUL: usize = 16;

/// Whether an option takes an operand.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Arity {
    Flag,
    Required,
    Two,
    Attached,
}

/// Reads the words from `from` on.
pub(super) fn scan(words: &[Arg], from: usize, spec: &Spec) -> Scan {
    let mut out = Scan::default();
    let mut index = from;
    // The option before this word is not in the table: this word may be its operand.
    let mut doubt = false;
    while let Some(arg) = words.get(index) {
        let head = arg.value.known_prefix();
        let after_doubt = std::mem::take(&mut doubt);
        if begins_unknown(arg) && (spec.permutes || out.starts.len() < MAX_UNCLEAR) {
            out.starts.push(index);
            out.operands.push(index);
            index += 1;
            continue;
        }
        if head.first() != Some(&b'-') || (head.len() == 1 && arg.value.is_known()) {
            out.operands.push(index);
            out.starts.push(index);
            index += 1;
            if spec.permutes || (after_doubt && out.starts.len() < MAX_DOUBTFUL) {
                continue;
            }
            out.operands.extend(index..words.len());
            return finish(out, spec);
        }
        if head == b"--" && arg.value.is_known() {
            index += 1;
            if index < words.len() {
                out.starts.push(index);
            }
            out.operands.extend(index..words.len());
            return finish(out, spec);
        }
        let step = if head.starts_with(b"--") {
            long(words, index, &head, 2, spec, &mut out)
        } else if spec.single_dash && find_exact(&head, spec).is_some() {
            long(words, index, &head, 1, spec, &mut out)
        } else {
            bundle(words, index, &head, spec, &mut out)
        };
        doubt = step.doubt;
        index = step.next;
    }
    finish(out, spec)
}

/// Operands behind a doubtful one count as well; in a permuting program only the first is a start.
fn finish(mut scan: Scan, spec: &Spec) -> Scan {
    if spec.permutes {
        scan.starts.truncate(1);
    }
    scan
}

/// Where reading goes on, and whether the next word may be this option's operand.
struct Next {
    next: usize,
    doubt: bool,
}

fn long(
    words: &[Arg],
    index: usize,
    head: &[u8],
    dashes: usize,
    spec: &Spec,
    out: &mut Scan,
) -> Next {
    let Some(arg) = words.get(index) else {
        return Next {
            next: index + 1,
            doubt: false,
        };
    };
    let equals = head.iter().position(|byte| *byte == b'=');
    let name = head
        .get(dashes..equals.unwrap_or(head.len()))
        .unwrap_or_default();
    let attached = equals.map(|equals| behind(arg, equals + 1));
    let entry = find_long(name, spec);
    let (name, arity) = entry.unwrap_or(("", Arity::Flag));
    let (operand, next) = match (attached, arity) {
        (Some(operand), _) => (Some(operand), index + 1),
        (None, Arity::Required) => (words.get(index + 1).cloned(), index + 2),
        (None, Arity::Two) => (words.get(index + 1).cloned(), index + 3),
        (None, _) => (None, index + 1),
    };
    let doubt = entry.is_none() && operand.is_none() || !arg.value.is_known() && equals.is_none();
    out.given.push(Given {
        name,
        operand,
        at: index,
        next,
    });
    Next { next, doubt }
}

fn bundle(words: &[Arg], index: usize, head: &[u8], spec: &Spec, out: &mut Scan) -> Next {
    let mut next = index + 1;
    let Some(arg) = words.get(index) else {
        return Next { next, doubt: false };
    };
    for (position, letter) in head.iter().enumerate().skip(1) {
        let (name, arity) = find_short(*letter, spec).unwrap_or(("", Arity::Flag));
        let mut operand = None;
        if arity != Arity::Flag {
            let rest = behind(arg, position + 1);
            if !rest.value.pieces.is_empty() {
                operand = Some(rest);
            } else if arity == Arity::Required {
                operand = words.get(index + 1).cloned();
                next = index + 2;
            }
        }
        let ends = operand.is_some() || arity == Arity::Required;
        out.given.push(Given {
            name,
            operand,
            at: index,
            next,
        });
        if ends {
            return Next { next, doubt: false };
        }
    }
    Next {
        next,
        doubt: !arg.value.is_known(),
    }
}

fn find_short(letter: u8, spec: &Spec) -> Option<(&'static str, Arity)> {
    if !letter.is_ascii_graphic() || letter == b':' {
        return None;
    }
    let bytes = spec.short.as_bytes();
    let at = bytes.iter().position(|byte| *byte == letter)?;
    let arity = match (bytes.get(at + 1), bytes.get(at + 2)) {
        (Some(b':'), Some(b':')) => Arity::Attached,
        (Some(b':'), _) => Arity::Required,
        _ => Arity::Flag,
    };
    Some((spec.short.get(at..=at)?, arity))
}

fn entry(entry: &'static str) -> (&'static str, Arity) {
    if let Some(name) = entry.strip_suffix("==") {
        (name, Arity::Two)
    } else if let Some(name) = entry.strip_suffix('=') {
        (name, Arity::Required)
    } else if let Some(name) = entry.strip_suffix('?') {
        (name, Arity::Attached)
    } else {
        (entry, Arity::Flag)
    }
}

/// The option with this name, or the first that the name abbreviates.
fn find_long(name: &[u8], spec: &Spec) -> Option<(&'static str, Arity)> {
    let entries = || spec.long.split_ascii_whitespace().map(entry);
    let exact = entries().find(|(long, _)| long.as_bytes() == name);
    if exact.is_some() || name.is_empty() || spec.single_dash {
        return exact;
    }
    entries().find(|(long, _)| long.as_bytes().starts_with(name))
}

/// The option that a word with one dash names as a whole.
fn find_exact(head: &[u8], spec: &Spec) -> Option<(&'static str, Arity)> {
    let end = head.iter().position(|byte| *byte == b'=');
    let name = head.get(1..end.unwrap_or(head.len()))?;
    spec.long
        .split_ascii_whitespace()
        .map(entry)
        .find(|(long, _)| long.as_bytes() == name)
}
