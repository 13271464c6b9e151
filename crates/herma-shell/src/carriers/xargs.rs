//! `xargs`: a program whose last arguments come from standard input.

use crate::execution::Arg;
use crate::value::{Origin, Piece, Unknown, Value};

use super::options::{Spec, scan};
use super::words::{Cell, cells, collect, word};
use super::{Command, Payload, Step};

static XARGS: Spec = Spec::new(
    "0a:d:e::E:i::I:J:l::L:n:oP:prR:S:s:tx",
    "null arg-file= delimiter= eof? replace? max-lines? max-args= max-procs= \
         interactive open-tty no-run-if-empty max-chars= show-limits verbose exit \
         process-slot-var= help version",
);

/// How many runs are told apart; the rest counts as one with unknown words.
const MAX_RUNS: usize = 64;

/// The file that the names are read from (`-a`).
pub(crate) fn file(argv: &[Arg]) -> Option<Value> {
    let read = scan(argv, 1, &XARGS);
    read.last(&["a", "arg-file"]).map(|arg| arg.value.clone())
}

pub(super) fn carry(name: &str, command: &Command<'_>) -> Option<Vec<Step>> {
    if !matches!(name, "xargs" | "gxargs") {
        return None;
    }
    let argv = command.argv;
    let read = scan(argv, 1, &XARGS);
    if read.has(&["help", "version"]) {
        return Some(Vec::new());
    }
    let from_file = read.has(&["a", "arg-file"]);
    let delimiter = match read.last(&["d", "delimiter"]) {
        Some(arg) => Delimiter::Byte(delimiter(arg)),
        None if read.has(&["0", "null"]) => Delimiter::Byte(Some(0)),
        None => Delimiter::Blanks,
    };
    let replace = read
        .given
        .iter()
        .rev()
        .find(|given| matches!(given.name, "I" | "i" | "replace"))
        .map(|given| match &given.operand {
            Some(operand) => operand
                .value
                .bytes()
                .map(|bytes| bytes.into_owned())
                .unwrap_or_default(),
            None => b"{}".to_vec(),
        });
    let place = read
        .last(&["J"])
        .and_then(|arg| arg.value.bytes())
        .map(|bytes| bytes.into_owned());
    let by_count = number(read.last(&["n", "max-args"]));
    let by_lines = read.has(&["L", "l", "max-lines"]);
    let end = read
        .last(&["E", "e", "eof"])
        .and_then(|arg| arg.value.bytes())
        .map(|bytes| bytes.into_owned());

    // With -a the evaluator gives the file's content as the input.
    let input = command.stdin.filter(|value| {
        // Text that cannot be known at all splits into names that cannot be known.
        value
            .pieces
            .iter()
            .any(|piece| !matches!(piece, Piece::Unknown(_)))
    });
    let items = input.and_then(|value| items(value, &delimiter, replace.is_some(), argv));
    let items = items.map(|mut items| {
        if let (Some(end), Delimiter::Blanks) = (&end, &delimiter)
            && let Some(at) = items.iter().position(|item| item.value.is(end))
        {
            items.truncate(at);
        }
        items
    });
    let mut steps = Vec::new();
    for start in &read.starts {
        let words = argv.get(*start..).unwrap_or_default();
        if words.is_empty() {
            continue;
        }
        // Long commands are filled less often, so that the work stays linear.
        let size: usize = words
            .iter()
            .map(|arg| arg.value.known_prefix().len() + 8)
            .sum();
        let max_runs = (262_144 / (size + 1)).clamp(1, MAX_RUNS);
        let span = words.first().map(|arg| arg.span).unwrap_or_default();
        let names = Arg {
            value: Value::unknown_words(Origin::Names),
            span,
        };
        let mut push = |words: Vec<Arg>| {
            steps.push(Step::local(
                name,
                Payload::Argv {
                    words,
                    environment: Vec::new(),
                    cwd: None,
                    input_taken: !from_file,
                },
            ));
        };
        if let Some(mark) = &replace {
            let one = Arg {
                value: Value::unknown(Origin::Names),
                span,
            };
            match &items {
                Some(items) => {
                    for item in items.iter().take(max_runs) {
                        push(replaced(words, mark, &item.value));
                    }
                    if items.len() > max_runs || items.is_empty() {
                        push(replaced(words, mark, &one.value));
                    }
                }
                None => push(replaced(words, mark, &one.value)),
            }
            continue;
        }
        let with = |items: &[Arg]| -> Vec<Arg> {
            let at = place
                .as_ref()
                .and_then(|mark| words.iter().position(|word| word.value.is(mark)));
            match at {
                Some(at) => {
                    let mut out = words.get(..at).unwrap_or_default().to_vec();
                    out.extend_from_slice(items);
                    out.extend_from_slice(words.get(at + 1..).unwrap_or_default());
                    out
                }
                None => [words, items].concat(),
            }
        };
        // Without input the program runs once without names, and what printed them may have failed.
        let once_anyway = !read.has(&["r", "no-run-if-empty"]);
        let given = items.as_ref().is_some_and(|items| !items.is_empty());
        if once_anyway && given {
            push(words.to_vec());
        }
        match (&items, by_count) {
            (Some(items), Some(count)) if !items.is_empty() => {
                for chunk in items.chunks(count).take(max_runs) {
                    push(with(chunk));
                }
                if items.len() > count.saturating_mul(max_runs) {
                    push(with(std::slice::from_ref(&names)));
                }
            }
            (Some(items), None) if by_lines => {
                for item in items.iter().take(max_runs) {
                    push(with(std::slice::from_ref(item)));
                }
                if items.len() > 1 {
                    push(with(items));
                }
                // The words of one line; of several lines only when all are taken at once.
                let given = Arg {
                    value: input.cloned().unwrap_or_default(),
                    span,
                };
                for line in super::words::lines(&given).iter().take(max_runs) {
                    let words = self::items(&line.value, &delimiter, false, argv);
                    if let Some(words) = words.filter(|words| words.len() > 1) {
                        push(with(&words));
                    }
                }
            }
            (Some(items), _) => push(with(items)),
            (None, _) => push(with(std::slice::from_ref(&names))),
        }
    }
    Some(steps)
}

enum Delimiter {
    Blanks,
    Byte(Option<u8>),
}

fn number(arg: Option<&Arg>) -> Option<usize> {
    let bytes = arg?.value.bytes()?;
    let count: usize = std::str::from_utf8(&bytes).ok()?.parse().ok()?;
    (count > 0).then_some(count)
}

/// The byte that `-d` names: itself or an escape.
fn delimiter(arg: &Arg) -> Option<u8> {
    let bytes = arg.value.bytes()?;
    match &*bytes {
        [byte] => Some(*byte),
        [b'\\', rest @ ..] => match rest {
            [b'n'] => Some(b'\n'),
            [b't'] => Some(b'\t'),
            [b'r'] => Some(b'\r'),
            [b'0'] => Some(0),
            [b'\\'] => Some(b'\\'),
            [b'a'] => Some(7),
            [b'b'] => Some(8),
            [b'f'] => Some(12),
            [b'v'] => Some(11),
            [b'x', hex @ ..] => u8::from_str_radix(std::str::from_utf8(hex).ok()?, 16).ok(),
            octal => u8::from_str_radix(std::str::from_utf8(octal).ok()?, 8).ok(),
        },
        _ => None,
    }
}

/// The input as items; `None` when it cannot be split.
fn items(value: &Value, delimiter: &Delimiter, by_line: bool, argv: &[Arg]) -> Option<Vec<Arg>> {
    let span = argv.first()?.span;
    let cells = cells(value);
    match delimiter {
        Delimiter::Byte(None) => None,
        Delimiter::Byte(Some(byte)) => {
            let mut parts: Vec<Arg> = cells
                .split(|cell| cell.byte() == Some(*byte))
                .map(|part| word(part, span))
                .collect();
            if parts
                .last()
                .is_some_and(|part| part.value.pieces.is_empty())
            {
                parts.pop();
            }
            Some(parts)
        }
        Delimiter::Blanks => {
            let mut out = Vec::new();
            let mut current: Vec<Cell<'_>> = Vec::new();
            let mut open = false;
            let mut quote = None;
            let mut rest = cells.iter().copied();
            while let Some(cell) = rest.next() {
                match (cell.byte(), quote) {
                    (Some(b'\\'), None) => {
                        open = true;
                        current.extend(rest.next());
                    }
                    (Some(byte), Some(close)) if byte == close => quote = None,
                    (Some(byte @ (b'\'' | b'"')), None) => {
                        open = true;
                        quote = Some(byte);
                    }
                    (Some(byte), None)
                        if byte == b'\n'
                            || (matches!(byte, b' ' | b'\t' | 0x0b | 0x0c | b'\r')
                                && !(by_line && open)) =>
                    {
                        if open {
                            out.push(word(&current, span));
                            current.clear();
                            open = false;
                        }
                    }
                    _ => {
                        open = true;
                        current.push(cell);
                    }
                }
            }
            if open {
                out.push(word(&current, span));
            }
            Some(out)
        }
    }
}

/// The words with every occurrence of `mark` replaced.
pub(super) fn replaced(words: &[Arg], mark: &[u8], by: &Value) -> Vec<Arg> {
    words
        .iter()
        .map(|arg| Arg {
            value: replace_in(&arg.value, mark, by),
            span: arg.span,
        })
        .collect()
}

/// The value with every occurrence of `mark` replaced.
pub(super) fn replace_in(value: &Value, mark: &[u8], by: &Value) -> Value {
    if mark.is_empty() {
        return value.clone();
    }
    let cells = cells(value);
    let mut out = Value::empty();
    out.decoded = value.decoded;
    let mut from = 0;
    let mut index = 0;
    while index < cells.len() {
        let found = cells.get(index..index + mark.len()).is_some_and(|part| {
            part.iter()
                .zip(mark)
                .all(|(cell, byte)| cell.byte() == Some(*byte))
        });
        if found {
            out.append(&collect(cells.get(from..index).unwrap_or_default()));
            out.append(by);
            index += mark.len();
            from = index;
        } else {
            index += 1;
        }
    }
    out.append(&collect(cells.get(from..).unwrap_or_default()));
    out
}

/// One name that arrives from elsewhere, as a part of a word.
pub(super) fn a_name() -> Value {
    Value {
        pieces: vec![Piece::Unknown(Unknown {
            origin: Origin::Names,
            many: false,
        })],
        decoded: false,
    }
}
