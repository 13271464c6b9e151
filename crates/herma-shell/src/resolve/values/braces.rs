//! Brace expansion on the parts of a word.

use std::rc::Rc;

use super::expand::PartRef;
use super::seams::rejoin;
use crate::resolve::machine::Machine;
use crate::syntax::{Dialect, Part};
use crate::value::{Origin, Value};

/// How many words one brace expression may make; larger ones give one unknown word.
const MAX_WORDS: usize = 1024;

/// How many parts all words of one brace expression may have.
const MAX_PARTS: usize = 1 << 16;

/// A unit of the word: braces and commas that are live, and everything between them.
#[derive(Clone)]
enum Unit<'t> {
    Open,
    Comma,
    Close,
    Part(PartRef<'t>),
}

/// The words that the braces make, each as a list of parts.
pub(crate) fn expand<'t>(parts: &'t [Part], machine: &mut Machine<'_>) -> Vec<Vec<PartRef<'t>>> {
    let live = parts
        .iter()
        .any(|part| matches!(part, Part::Literal(text) if text.bytes.contains(&b'{')));
    if !live {
        return vec![parts.iter().map(PartRef::Whole).collect()];
    }
    let units = units(parts);
    match words(&units) {
        Some(words) if machine.spend(words.iter().map(|word| word.len() as u64).sum()) => {
            if machine.dialect == Dialect::Posix && words.len() > 1 {
                // `sh` is a shell without brace expansion on some machines.
                match machine.pick(b"{,}", 2) {
                    Some(0) => {}
                    Some(_) => return vec![parts.iter().map(PartRef::Whole).collect()],
                    None => return unknown(),
                }
            }
            words.into_iter().map(rejoin).collect()
        }
        _ => unknown(),
    }
}

/// Whether braces make other words of it.
pub(crate) fn has_live(parts: &[Part], machine: &mut Machine<'_>) -> bool {
    let is_literal = |part: &&Part| matches!(part, Part::Literal(_));
    let written = |part: &Part| match part {
        Part::Literal(text) => text.bytes.clone(),
        _ => vec![0],
    };
    if !parts
        .iter()
        .any(|part| is_literal(&part) && written(part).contains(&b'{'))
    {
        return false;
    }
    let before: Vec<u8> = parts.iter().flat_map(written).collect();
    let words = expand(parts, machine);
    let made = |part: &PartRef<'_>| match part {
        PartRef::Whole(part) => written(part),
        PartRef::Slice { bytes, .. } => bytes.to_vec(),
        PartRef::Computed(_) | PartRef::Name(_) => Vec::new(),
    };
    let [only] = words.as_slice() else {
        return true;
    };
    only.iter().flat_map(made).collect::<Vec<u8>>() != before
}

/// One word that cannot be known, for all that the braces make.
fn unknown<'t>() -> Vec<Vec<PartRef<'t>>> {
    let value = Value::unknown_words(Origin::Other);
    vec![vec![PartRef::Computed(Rc::new(value))]]
}

fn units(parts: &[Part]) -> Vec<Unit<'_>> {
    let mut units = Vec::new();
    // Bash takes `$${` for the start of `${`: up to its end, braces are text.
    let mut passed = 0;
    let mut behind_process_id = false;
    for part in parts {
        let Part::Literal(text) = part else {
            behind_process_id = is_process_id(part);
            units.push(Unit::Part(PartRef::Whole(part)));
            continue;
        };
        let mut start = 0;
        if passed > 0 || behind_process_id && text.bytes.starts_with(b"{") {
            start = end_of_passed(&text.bytes, &mut passed);
            push_slice(&mut units, text, 0, start);
        }
        behind_process_id = false;
        for (index, byte) in text.bytes.iter().enumerate().skip(start) {
            let unit = match byte {
                b'{' => Unit::Open,
                b',' => Unit::Comma,
                b'}' => Unit::Close,
                _ => continue,
            };
            push_slice(&mut units, text, start, index);
            units.push(unit);
            // Kept beside the unit so that a brace that turns out to be literal can be put back.
            push_slice(&mut units, text, index, index + 1);
            start = index + 1;
        }
        push_slice(&mut units, text, start, text.bytes.len());
    }
    units
}

/// `$$`
fn is_process_id(part: &Part) -> bool {
    matches!(part, Part::Parameter(parameter) if parameter.name == b"$" && !parameter.braced)
}

/// `"$$("`: bash takes it for a command substitution that is never closed.
pub(super) fn opens_behind_process_id(parts: &[Part]) -> bool {
    parts.windows(2).any(|pair| match pair {
        [part, Part::Quoted(text)] => {
            is_process_id(part) && text.bytes.starts_with(b"(") && !text.bytes.contains(&b')')
        }
        _ => false,
    })
}

/// Where the text behind `$$` ends that bash takes for the inside of braces; `open` counts those
/// that are open.
fn end_of_passed(text: &[u8], open: &mut usize) -> usize {
    for (index, byte) in text.iter().enumerate() {
        match byte {
            b'{' => *open += 1,
            b'}' => *open = open.saturating_sub(1),
            _ => {}
        }
        if *open == 0 {
            return index + 1;
        }
    }
    text.len()
}

fn push_slice<'t>(
    units: &mut Vec<Unit<'t>>,
    text: &'t crate::syntax::Text,
    start: usize,
    end: usize,
) {
    if let Some(bytes) = text.bytes.get(start..end).filter(|bytes| !bytes.is_empty()) {
        let at = text
            .at
            .saturating_add(u32::try_from(start).unwrap_or(u32::MAX));
        units.push(Unit::Part(PartRef::Slice {
            bytes,
            at,
            start: false,
        }));
    }
}

/// An open brace that is being read.
struct Group<'t> {
    /// The words in front of the brace, to be combined with the group's words.
    before: Vec<Vec<PartRef<'t>>>,
    /// The brace itself, if it turns out to be literal.
    brace: PartRef<'t>,
    /// Finished alternatives.
    done: Vec<Vec<PartRef<'t>>>,
    /// A comma was seen, and each comma's own text.
    commas: Vec<PartRef<'t>>,
    /// `..` stands in it, outside of inner braces.
    dots: bool,
    /// A comma stands in inner braces: with `..` the braces go, though they make nothing.
    inner_comma: bool,
    /// Where each alternative ends in `done`.
    ends: Vec<usize>,
    /// The text of the only alternative, for sequences (`1..9`).
    only: Option<&'t [u8]>,
    /// Which unit opened it.
    opened: usize,
}

/// All words; `None` when there are too many.
fn words<'t>(units: &[Unit<'t>]) -> Option<Vec<Vec<PartRef<'t>>>> {
    let mut current: Vec<Vec<PartRef<'t>>> = vec![Vec::new()];
    let mut groups: Vec<Group<'t>> = Vec::new();
    let mut position = 0;
    let mut appended = 0;
    // Whether what comes next begins the word, or what is left of it behind finished braces.
    let mut begins = true;
    while let Some(unit) = units.get(position) {
        let own = match units.get(position + 1) {
            Some(Unit::Part(part)) => Some(part.clone()),
            _ => None,
        };
        let outermost = groups.is_empty();
        let empty = begins && outermost && matches!(units.get(position + 2), Some(Unit::Close));
        begins = false;
        match (unit, own) {
            // `{}`
            (Unit::Open, Some(brace)) if empty => {
                append(&mut current, &brace);
                position += 2;
            }
            (Unit::Open, Some(brace)) => {
                if groups.len() > 64 {
                    return None;
                }
                if let Some(outer) = groups.last_mut() {
                    outer.only = None;
                }
                let before = std::mem::replace(&mut current, vec![Vec::new()]);
                groups.push(Group {
                    before,
                    brace,
                    done: Vec::new(),
                    commas: Vec::new(),
                    dots: false,
                    inner_comma: false,
                    ends: Vec::new(),
                    only: None,
                    opened: position,
                });
                position += 2;
            }
            (Unit::Comma, Some(comma)) => {
                match groups.last_mut() {
                    Some(group) => {
                        group.done.append(&mut current);
                        group.ends.push(group.done.len());
                        group.commas.push(comma);
                        current = vec![Vec::new()];
                    }
                    None => append(&mut current, &comma),
                }
                position += 2;
            }
            (Unit::Close, Some(close)) => {
                // A brace that would close nothing to choose from is text, and the outermost group
                // goes on.
                let first = groups.len() == 1;
                let literal = groups
                    .last_mut()
                    .filter(|group| first && group.commas.is_empty() && !group.dots);
                if let Some(group) = literal {
                    group.only = None;
                    append(&mut current, &close);
                    position += 2;
                    continue;
                }
                match groups.pop() {
                    Some(group) => {
                        if let Some(outer) = groups.last_mut() {
                            outer.inner_comma |= group.inner_comma || !group.commas.is_empty();
                        }
                        begins = groups.is_empty();
                        let written = units.get(group.opened..position + 2);
                        current = close_group(group, current, close, written.unwrap_or_default())?;
                    }
                    None => append(&mut current, &close),
                }
                position += 2;
            }
            (Unit::Part(part), _) => {
                if let (Some(group), PartRef::Slice { bytes, .. }) = (groups.last_mut(), part) {
                    let first = current.len() == 1 && current.first().is_some_and(Vec::is_empty);
                    group.only = (first && group.commas.is_empty()).then_some(*bytes);
                    group.dots |= bytes.windows(2).any(|pair| pair == b"..");
                } else if let Some(group) = groups.last_mut() {
                    group.only = None;
                }
                append(&mut current, part);
                position += 1;
            }
            _ => position += 1,
        }
        // Every part was appended to every word.
        appended += current.len();
        if current.len() > MAX_WORDS || appended > MAX_PARTS.max(2 * units.len()) {
            return None;
        }
    }
    // Braces that were never closed are literal.
    while let Some(group) = groups.pop() {
        current = literal_group(group, current)?;
    }
    Some(current)
}

fn append<'t>(words: &mut [Vec<PartRef<'t>>], part: &PartRef<'t>) {
    for word in words {
        word.push(part.clone());
    }
}

fn close_group<'t>(
    mut group: Group<'t>,
    mut current: Vec<Vec<PartRef<'t>>>,
    close: PartRef<'t>,
    written: &[Unit<'t>],
) -> Option<Vec<Vec<PartRef<'t>>>> {
    if group.commas.is_empty() {
        if let Some(sequence) = group.only.and_then(sequence) {
            let values = sequence?;
            return combine(&group.before, &values);
        }
        if group.dots && group.inner_comma {
            return combine(&group.before, &current);
        }
        if group.dots {
            // No sequence: the shell leaves it as it stands, with the braces in it.
            let part = |unit: &Unit<'t>| match unit {
                Unit::Part(part) => Some(part.clone()),
                Unit::Open | Unit::Comma | Unit::Close => None,
            };
            let text: Vec<PartRef<'t>> = written.iter().filter_map(part).collect();
            return combine(&group.before, &[text]);
        }
        append(&mut current, &close);
        return literal_group(group, current);
    }
    group.done.append(&mut current);
    combine(&group.before, &group.done)
}

/// Puts an unexpanded group back as it was written.
fn literal_group<'t>(
    group: Group<'t>,
    last: Vec<Vec<PartRef<'t>>>,
) -> Option<Vec<Vec<PartRef<'t>>>> {
    let mut words = group.before;
    append(&mut words, &group.brace);
    let mut start = 0;
    for (end, comma) in group.ends.iter().zip(&group.commas) {
        words = combine(&words, group.done.get(start..*end).unwrap_or_default())?;
        append(&mut words, comma);
        start = *end;
    }
    combine(&words, &last)
}

fn combine<'t>(
    left: &[Vec<PartRef<'t>>],
    right: &[Vec<PartRef<'t>>],
) -> Option<Vec<Vec<PartRef<'t>>>> {
    if left.len().checked_mul(right.len())? > MAX_WORDS {
        return None;
    }
    let parts = |words: &[Vec<PartRef<'t>>]| words.iter().map(Vec::len).sum::<usize>();
    let all = parts(left)
        .checked_mul(right.len())?
        .checked_add(parts(right).checked_mul(left.len())?)?;
    if all > MAX_PARTS {
        return None;
    }
    let mut words = Vec::with_capacity(left.len() * right.len());
    for prefix in left {
        for suffix in right {
            let mut word = Vec::with_capacity(prefix.len() + suffix.len());
            word.extend_from_slice(prefix);
            word.extend_from_slice(suffix);
            words.push(word);
        }
    }
    Some(words)
}

/// `a..e`, `1..9..2`: the outer option says whether it is one, the inner whether it is short
/// enough.
fn sequence<'t>(text: &[u8]) -> Option<Option<Vec<Vec<PartRef<'t>>>>> {
    let text = std::str::from_utf8(text).ok()?;
    let mut ends = text.split("..");
    let (first, last) = (ends.next()?, ends.next()?);
    let step: i64 = match ends.next() {
        Some(step) => step.parse().ok()?,
        None => 1,
    };
    if ends.next().is_some() {
        return None;
    }
    let step = step.unsigned_abs().max(1);
    // The first number is read as the C library reads one.
    let blank = |c: char| matches!(c, '\t' | '\n' | '\x0b' | '\x0c' | '\r' | ' ');
    let low = first.trim_start_matches(blank).parse::<i64>();
    if let (Ok(low), Ok(high)) = (low, last.parse::<i64>()) {
        // Beyond what fits, bash leaves the braces alone.
        let count = (low.abs_diff(high) / step).checked_add(1)?;
        if count > MAX_WORDS as u64 {
            return Some(None);
        }
        let padded = [first, last].iter().any(|end| {
            let digits = end.trim_start_matches('-');
            digits.len() > 1 && digits.starts_with('0')
        });
        let width = if padded {
            first.len().max(last.len())
        } else {
            0
        };
        let numbers = (0..count).map(|index| {
            let distance = i64::try_from(index.saturating_mul(step)).unwrap_or(i64::MAX);
            let number = if low <= high {
                low.saturating_add(distance)
            } else {
                low.saturating_sub(distance)
            };
            format!("{number:0width$}")
        });
        return Some(Some(numbers.map(computed).collect()));
    }
    let (&[first], &[last]) = (first.as_bytes(), last.as_bytes()) else {
        return None;
    };
    if !first.is_ascii_alphabetic() || !last.is_ascii_alphabetic() {
        return None;
    }
    let step = usize::try_from(step).ok()?;
    let letters: Vec<u8> = if first <= last {
        (first..=last).step_by(step).collect()
    } else {
        (last..=first).rev().step_by(step).collect()
    };
    Some(Some(
        letters.into_iter().map(|byte| computed([byte])).collect(),
    ))
}

fn computed<'t>(text: impl Into<Vec<u8>>) -> Vec<PartRef<'t>> {
    vec![PartRef::Computed(Rc::new(Value::computed(text)))]
}
