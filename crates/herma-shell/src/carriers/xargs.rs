//! `xargs`: a program whose last arguments come from standard input.

use crate::execution::Arg;
use crate::value::{Origin, Piece, Unknown, Value};

use super::options::{Scan, Spec, scan};
use super::words::{Cell, cells, collect, lines, word};
use super::{Command, Payload, Step};

static XARGS: Spec = Spec::new(
    "0a:d:e::E:i::I:J:l::L:n:oP:prR:S:s:tx",
    "null arg-file= delimiter= eof? replace? max-lines? max-args= max-procs= \
         interactive open-tty no-run-if-empty max-chars= show-limits verbose exit \
         process-slot-var= help version",
);

/// How many runs are told apart; the rest counts as one with unknown words.
const MAX_RUNS: usize = 64;

/// How much text filled commands may be, in bytes.
const MAX_FILLED: usize = 1 << 18;

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
    let options = Options::new(&read);
    // With -a the evaluator gives the file's content as the input.
    let input = command.stdin.filter(|value| {
        // Text that cannot be known at all splits into names that cannot be known.
        value
            .pieces
            .iter()
            .any(|piece| !matches!(piece, Piece::Unknown(_)))
    });
    let items = input.and_then(|input| options.items(input, argv));
    let mut steps = Vec::new();
    for start in &read.starts {
        let words = argv.get(*start..).unwrap_or_default();
        if words.is_empty() {
            continue;
        }
        let runs = match &options.replace {
            Some(mark) => one_by_one(words, mark, items.as_deref(), command.stdin),
            None => options.runs(words, items.as_deref(), command.stdin, argv),
        };
        steps.extend(runs.into_iter().map(|words| {
            Step::local(
                name,
                Payload::Argv {
                    words,
                    environment: Vec::new(),
                    cwd: None,
                    input_taken: !options.from_file,
                },
            )
        }));
    }
    Some(steps)
}

/// What the options ask for.
struct Options {
    /// `-a`: the items come from a file.
    from_file: bool,
    delimiter: Delimiter,
    /// `-I`: each item takes the place of this mark, in a run of its own.
    replace: Option<Vec<u8>>,
    /// `-J`: all items take the place of this mark.
    place: Option<Vec<u8>>,
    /// `-n`: how many items a run gets.
    count: Option<usize>,
    /// `-L`: a run gets the items of some lines.
    by_lines: bool,
    /// `-E`: the item that ends the input.
    end: Option<Vec<u8>>,
    /// Without items the program runs once (`-r` is not given).
    once_anyway: bool,
}

impl Options {
    fn new(read: &Scan) -> Self {
        let text = |names: &[&str]| {
            let bytes = read.last(names)?.value.bytes()?;
            Some(bytes.into_owned())
        };
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
        Self {
            from_file: read.has(&["a", "arg-file"]),
            delimiter,
            replace,
            place: text(&["J"]),
            count: number(read.last(&["n", "max-args"])),
            by_lines: read.has(&["L", "l", "max-lines"]),
            end: text(&["E", "e", "eof"]),
            once_anyway: !read.has(&["r", "no-run-if-empty"]),
        }
    }

    /// The items of the input up to the one that ends it; `None` when it cannot be split.
    fn items(&self, input: &Value, argv: &[Arg]) -> Option<Vec<Arg>> {
        let mut items = items(input, &self.delimiter, self.replace.is_some(), argv)?;
        if let (Some(end), Delimiter::Blanks) = (&self.end, &self.delimiter)
            && let Some(at) = items.iter().position(|item| item.value.is(end))
        {
            items.truncate(at);
        }
        Some(items)
    }

    /// The commands that run with items behind `words`, or in the place of `-J`.
    fn runs(
        &self,
        words: &[Arg],
        items: Option<&[Arg]>,
        input: Option<&Value>,
        argv: &[Arg],
    ) -> Vec<Vec<Arg>> {
        let span = words.first().map(|arg| arg.span).unwrap_or_default();
        let value = Value::unknown_words(Origin::Names);
        let value = match input {
            Some(input) => value.made_as(input),
            None => value,
        };
        let names = [Arg { value, span }];
        let Some(items) = items else {
            return vec![self.with(words, &names)];
        };
        let max_runs = max_runs(words);
        let mut runs = Vec::new();
        // Without input the program runs once without names, and what printed them may have failed.
        if self.once_anyway && !items.is_empty() {
            runs.push(words.to_vec());
        }
        match self.count {
            Some(count) if !items.is_empty() => {
                let chunks = items.chunks(count).take(max_runs);
                runs.extend(chunks.map(|chunk| self.with(words, chunk)));
                if items.len() > count.saturating_mul(max_runs) {
                    runs.push(self.with(words, &names));
                }
            }
            None if self.by_lines => {
                let single = items.iter().take(max_runs).map(std::slice::from_ref);
                runs.extend(single.map(|item| self.with(words, item)));
                if items.len() > 1 {
                    runs.push(self.with(words, items));
                }
                // The words of one line; of several lines only when all are taken at once.
                let value = input.cloned().unwrap_or_default();
                for line in lines(&Arg { value, span }).iter().take(max_runs) {
                    let own = self::items(&line.value, &self.delimiter, false, argv);
                    if let Some(own) = own.filter(|own| own.len() > 1) {
                        runs.push(self.with(words, &own));
                    }
                }
            }
            _ => runs.push(self.with(words, items)),
        }
        runs
    }

    fn with(&self, words: &[Arg], items: &[Arg]) -> Vec<Arg> {
        let at = self
            .place
            .as_ref()
            .and_then(|mark| words.iter().position(|word| word.value.is(mark)));
        match at {
            Some(at) => {
                let (before, behind) = words.split_at(at);
                [before, items, behind.get(1..).unwrap_or_default()].concat()
            }
            None => [words, items].concat(),
        }
    }
}

/// The commands in which each item takes the place of `mark`.
fn one_by_one(
    words: &[Arg],
    mark: &[u8],
    items: Option<&[Arg]>,
    input: Option<&Value>,
) -> Vec<Vec<Arg>> {
    let max_runs = max_runs(words);
    let known = items.unwrap_or_default();
    let mut runs: Vec<Vec<Arg>> = known
        .iter()
        .take(max_runs)
        .map(|item| replaced(words, mark, &item.value))
        .collect();
    if known.len() > max_runs || known.is_empty() {
        let name = Value::unknown(Origin::Names);
        let name = match input {
            Some(input) => name.made_as(input),
            None => name,
        };
        runs.push(replaced(words, mark, &name));
    }
    runs
}

/// How many runs are told apart: long commands are filled less often, so that the work stays linear.
fn max_runs(words: &[Arg]) -> usize {
    let size: usize = words
        .iter()
        .map(|arg| arg.value.known_prefix().len() + 8)
        .sum();
    (MAX_FILLED / (size + 1)).clamp(1, MAX_RUNS)
}

/// What separates items.
enum Delimiter {
    /// Blanks and line ends, with quotes.
    Blanks,
    /// This byte; `None` when it is not known.
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
            // An argument ends at a NUL, whatever stands behind it.
            let mut cut = false;
            let mut current: Vec<Cell<'_>> = Vec::new();
            let mut open = false;
            let mut quote = None;
            let mut rest = cells.iter().copied();
            while let Some(cell) = rest.next() {
                match (cell.byte(), quote) {
                    (Some(0), _) => {
                        open = true;
                        cut = true;
                    }
                    (Some(b'\\'), None) => {
                        open = true;
                        current.extend(rest.next().filter(|_| !cut));
                    }
                    (Some(byte), Some(close)) if byte == close => quote = None,
                    // A quote ends on its line; what was read before runs.
                    (Some(b'\n'), Some(_)) => return Some(out),
                    (Some(byte @ (b'\'' | b'"')), None) => {
                        open = true;
                        quote = Some(byte);
                    }
                    (Some(byte), None)
                        if byte == b'\n'
                            || (matches!(byte, b' ' | b'\t') && !(by_line && open)) =>
                    {
                        if open {
                            out.push(word(&current, span));
                            current.clear();
                            open = false;
                        }
                        cut = false;
                    }
                    // Other white space is passed over in front of an item only.
                    (Some(b'\x0b' | b'\x0c' | b'\r'), None) if !open => {}
                    _ => {
                        open = true;
                        if !cut {
                            current.push(cell);
                        }
                    }
                }
            }
            if open && quote.is_none() {
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
    let value = value.without_unset();
    let cells = cells(&value);
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
            from: Vec::new(),
        })],
        decoded: false,
    }
}
