//! `sed`, as far as its script is literal.

use super::filter::{find, literal};
use super::{LIMIT, Run, stream};
use crate::value::{Piece, Value};

/// Which lines a command is for.
enum Address {
    All,
    Lines(usize, usize),
    Last,
    Holding(Vec<u8>),
}

enum Action {
    Substitute {
        pattern: Vec<u8>,
        start: bool,
        end: bool,
        replacement: Vec<u8>,
        all: bool,
    },
    Transliterate(Vec<u8>, Vec<u8>),
    Print,
    Delete,
    Quit,
}

struct Command {
    address: Address,
    negated: bool,
    action: Action,
}

pub(super) fn sed(run: &mut Run<'_>) -> Value {
    let options = run.options(b"efl", &["expression", "file", "line-length"]);
    let mut operands = options.operands.clone();
    let mut script = Vec::new();
    let mut given = false;
    for option in &options.options {
        if option.is(b"e") || option.is_long(b"expression") {
            given = true;
            let bytes = option.value.as_ref().and_then(Value::bytes);
            script.push(bytes.map(std::borrow::Cow::into_owned));
        } else if option.is(b"f") || option.is_long(b"file") {
            given = true;
            script.push(None);
        }
    }
    if !given && !operands.is_empty() {
        script.push(operands.remove(0).bytes().map(std::borrow::Cow::into_owned));
    }
    if options.has(b'i', "in-place") {
        return Value::empty();
    }
    let input = run.input(&operands);
    let commands = script
        .into_iter()
        .collect::<Option<Vec<_>>>()
        .and_then(|parts| parse(&parts.join(&b'\n')));
    let quiet = options.has(b'n', "quiet") || options.has(0, "silent");
    commands
        // Lines that are not known yet may change.
        .filter(|commands| {
            let edits = |command: &Command| {
                matches!(
                    command.action,
                    Action::Substitute { .. } | Action::Transliterate(..)
                )
            };
            input.is_known() || !commands.iter().any(edits)
        })
        .and_then(|commands| apply(&commands, &input, quiet))
        .unwrap_or_else(|| run.derived(&input))
}

fn parse(script: &[u8]) -> Option<Vec<Command>> {
    let mut commands = Vec::new();
    let mut rest = script;
    loop {
        while let Some((b' ' | b'\t' | b'\n' | b';', tail)) = rest.split_first() {
            rest = tail;
        }
        if rest.is_empty() {
            return Some(commands);
        }
        if commands.len() >= 16 {
            return None;
        }
        let (address, tail) = address(rest)?;
        let negated = tail.first() == Some(&b'!');
        let tail = tail.get(usize::from(negated)..)?;
        let (action, tail) = action(tail)?;
        if !matches!(tail.first(), None | Some(b' ' | b'\n' | b';')) {
            return None;
        }
        rest = tail;
        commands.push(Command {
            address,
            negated,
            action,
        });
    }
}

fn address(text: &[u8]) -> Option<(Address, &[u8])> {
    match text.first()? {
        b'$' => Some((Address::Last, text.get(1..)?)),
        b'0'..=b'9' => {
            let (first, tail) = line(text)?;
            match tail.first() {
                Some(b',') => {
                    let tail = tail.get(1..)?;
                    if tail.first() == Some(&b'$') {
                        return Some((Address::Lines(first, usize::MAX), tail.get(1..)?));
                    }
                    let (last, tail) = line(tail)?;
                    Some((Address::Lines(first, last.max(first)), tail))
                }
                _ => Some((Address::Lines(first, first), tail)),
            }
        }
        b'/' => {
            let (pattern, tail) = part(text.get(1..)?, b'/')?;
            literal(&pattern).then_some((Address::Holding(pattern), tail))
        }
        _ => Some((Address::All, text)),
    }
}

fn line(text: &[u8]) -> Option<(usize, &[u8])> {
    let end = text
        .iter()
        .position(|byte| !byte.is_ascii_digit())
        .unwrap_or(text.len());
    let (digits, tail) = text.split_at(end);
    Some((super::options::number(digits)?, tail))
}

/// The text up to the delimiter, which a backslash takes its meaning from.
fn part(text: &[u8], delimiter: u8) -> Option<(Vec<u8>, &[u8])> {
    let mut out = Vec::new();
    let mut at = 0;
    loop {
        let byte = *text.get(at)?;
        if byte == delimiter {
            return Some((out, text.get(at + 1..)?));
        }
        if byte == b'\\' && text.get(at + 1) == Some(&delimiter) {
            at += 1;
            out.push(delimiter);
        } else {
            out.push(byte);
        }
        at += 1;
    }
}

fn action(text: &[u8]) -> Option<(Action, &[u8])> {
    let (command, tail) = text.split_first()?;
    let action = match command {
        b'p' => Action::Print,
        b'd' => Action::Delete,
        b'q' => Action::Quit,
        b's' | b'y' => {
            let (delimiter, tail) = tail.split_first()?;
            let (left, tail) = part(tail, *delimiter)?;
            let (right, tail) = part(tail, *delimiter)?;
            if *command == b'y' {
                let same = left.len() == right.len() && !left.contains(&b'\\');
                return same.then_some((Action::Transliterate(left, right), tail));
            }
            let start = left.first() == Some(&b'^');
            let pattern = left.get(usize::from(start)..)?;
            let end = pattern.last() == Some(&b'$');
            let pattern = pattern.get(..pattern.len() - usize::from(end))?;
            let pattern = &control_letters(pattern);
            if !literal(pattern) || right.contains(&b'\\') || (pattern.is_empty() && !start && !end)
            {
                return None;
            }
            let all = tail.first() == Some(&b'g');
            return Some((
                Action::Substitute {
                    pattern: pattern.to_vec(),
                    start,
                    end,
                    replacement: right,
                    all,
                },
                tail.get(usize::from(all)..)?,
            ));
        }
        _ => return None,
    };
    Some((action, tail))
}

/// `None` when the output would be too long.
fn apply(commands: &[Command], input: &Value, quiet: bool) -> Option<Value> {
    let (lines, ended) = stream::lines(input);
    let count = lines.len();
    let mut printed = Vec::new();
    let mut total = 0;
    let mut decoded = input.decoded;
    'lines: for (index, line) in lines.into_iter().enumerate() {
        let mut line = line;
        let mut quit = false;
        for command in commands {
            let here = match &command.address {
                Address::All => true,
                Address::Lines(first, last) => (*first..=*last).contains(&(index + 1)),
                Address::Last => index + 1 == count,
                // A line that is not known might hold it: the caller gets an unknown output.
                Address::Holding(text) => find(&line.bytes()?, text).is_some(),
            };
            if here == command.negated {
                continue;
            }
            match &command.action {
                Action::Print => {
                    total += line.known_length() + 1;
                    printed.push(line.clone());
                }
                Action::Delete => continue 'lines,
                Action::Quit => {
                    quit = true;
                    break;
                }
                Action::Substitute {
                    pattern,
                    start,
                    end,
                    replacement,
                    all,
                } => line = substitute(&line, pattern, *start, *end, replacement, *all)?,
                Action::Transliterate(from, to) => {
                    line = transliterate(&line, from, to);
                    decoded = true;
                }
            }
            if total > LIMIT {
                return None;
            }
        }
        if !quiet {
            total += line.known_length() + 1;
            printed.push(line);
        }
        if quit {
            break;
        }
    }
    Some(stream::unlines(&printed, ended, decoded))
}

fn substitute(
    line: &Value,
    pattern: &[u8],
    start: bool,
    end: bool,
    replacement: &[u8],
    all: bool,
) -> Option<Value> {
    let mut out = Value::empty();
    let last = line.pieces.len().saturating_sub(1);
    let mut done = false;
    let mut grown = 0;
    for (index, piece) in line.pieces.iter().enumerate() {
        let (Piece::Text { bytes, at } | Piece::Glob { pattern: bytes, at }) = piece else {
            out.pieces.push(piece.clone());
            continue;
        };
        let offset = |by: usize| at.and_then(|at| at.checked_add(u32::try_from(by).ok()?));
        let mut from = 0;
        while !done {
            let rest = bytes.get(from..).unwrap_or_default();
            let found = match (start, end) {
                (true, false) => {
                    (index == 0 && from == 0 && rest.starts_with(pattern)).then_some(0)
                }
                (false, true) => {
                    (index == last && rest.ends_with(pattern)).then(|| rest.len() - pattern.len())
                }
                (true, true) => (index == 0 && last == 0 && rest == pattern).then_some(0),
                (false, false) => find(rest, pattern),
            };
            let Some(found) = found else {
                break;
            };
            out.push_text(rest.get(..found).unwrap_or_default(), offset(from));
            for byte in replacement {
                if *byte == b'&' {
                    out.push_text(pattern, None);
                } else {
                    out.push_text(&[*byte], None);
                }
            }
            grown += replacement.len();
            if grown > LIMIT {
                return None;
            }
            from += found + pattern.len();
            done = !all || pattern.is_empty();
        }
        out.push_text(bytes.get(from..).unwrap_or_default(), offset(from));
        if start && last == 0 {
            done = true;
        }
    }
    (out.known_length() <= LIMIT).then_some(out)
}

fn transliterate(line: &Value, from: &[u8], to: &[u8]) -> Value {
    let mut map: Vec<u8> = (0..=u8::MAX).collect();
    for (from, to) in from.iter().zip(to).rev() {
        if let Some(slot) = map.get_mut(usize::from(*from)) {
            *slot = *to;
        }
    }
    let mut out = Value::empty();
    for piece in &line.pieces {
        match piece {
            Piece::Text { bytes, .. } | Piece::Glob { pattern: bytes, .. } => {
                let text: Vec<u8> = bytes
                    .iter()
                    .map(|byte| map.get(usize::from(*byte)).copied().unwrap_or(*byte))
                    .collect();
                out.push_text(&text, None);
            }
            other => out.pieces.push(other.clone()),
        }
    }
    out
}

/// A pattern with carriage returns and tabs in place of what stands for them.
fn control_letters(pattern: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rest = pattern;
    while let Some((byte, behind)) = rest.split_first() {
        let (letter, behind) = match rest {
            [b'\\', b'r', behind @ ..] => (b'\r', behind),
            [b'\\', b't', behind @ ..] => (b'\t', behind),
            // Another escape is as it was: the pattern is not literal then.
            [b'\\', other, behind @ ..] => {
                out.push(b'\\');
                (*other, behind)
            }
            _ => (*byte, behind),
        };
        out.push(letter);
        rest = behind;
    }
    out
}
