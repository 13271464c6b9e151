//! `env`, with its own way of splitting text into words.

use crate::execution::{Arg, Binding};
use crate::source::Span;
use crate::value::{Origin, Piece, Unknown, Value};

use super::options::{Spec, scan};
use super::words::{Cell, assignments, cells, word};
use super::{Command, Payload, Step};

static ENV: Spec = Spec::new(
    "a:C:iS:u:v0P:L:U:",
    "argv0= chdir= ignore-environment split-string= unset= null debug \
         block-signal? default-signal? ignore-signal? list-signal-handling help \
         version",
);

/// How often the words may be split again: `-S` may stand inside the split text.
const MAX_SPLITS: usize = 16;

pub(super) fn carry(name: &str, command: &Command<'_>) -> Option<Vec<Step>> {
    match name {
        "env" | "genv" => {}
        "printenv" => return Some(Vec::new()),
        _ => return None,
    }
    let mut argv = command.argv.to_vec();
    let mut cwd = None;
    for _ in 0..MAX_SPLITS {
        let read = scan(&argv, 1, &ENV);
        if read.has(&["help", "version"]) {
            return Some(Vec::new());
        }
        let split = read
            .given
            .iter()
            .find(|given| matches!(given.name, "S" | "split-string"));
        let before = split.map_or(usize::MAX, |given| given.at);
        for given in read.given.iter().filter(|given| given.at <= before) {
            if matches!(given.name, "C" | "chdir") {
                cwd = given.operand.as_ref().map(|arg| arg.value.clone());
            }
        }
        let Some(split) = split else {
            return Some(steps(name, &argv, &read.starts, cwd));
        };
        // The text's words take the place of the option and its operand.
        let text = split.operand.clone();
        let rest = split.next;
        let mut words = vec![argv.first().cloned()?];
        words.extend(text.iter().flat_map(split_string));
        words.extend(argv.get(rest..).unwrap_or_default().iter().cloned());
        argv = words;
    }
    Some(vec![Step::local(
        name,
        Payload::Unresolved {
            span: argv.first()?.span,
        },
    )])
}

fn steps(name: &str, argv: &[Arg], starts: &[usize], cwd: Option<Value>) -> Vec<Step> {
    let mut steps = Vec::new();
    for start in starts {
        // A lone `-` is `-i`.
        let start = start
            + argv
                .get(*start..)
                .unwrap_or_default()
                .iter()
                .take_while(|arg| arg.value.is(b"-"))
                .count();
        let (environment, start): (Vec<Binding>, usize) = assignments(argv, start);
        let words = argv.get(start..).unwrap_or_default();
        if words.is_empty() {
            continue;
        }
        steps.push(Step::local(
            name,
            Payload::Argv {
                words: words.to_vec(),
                environment,
                cwd: cwd.clone(),
                input_taken: false,
            },
        ));
    }
    steps
}

/// Splits as `env -S` does: quotes, escapes, `\_` for a separator, `\c` for the end, `#` for a
/// comment, `${NAME}` for a variable.
fn split_string(arg: &Arg) -> Vec<Arg> {
    let cells = cells(&arg.value);
    // What stands for each variable, in their order; words are built from references to it.
    let pieces: Vec<Piece> = cells
        .iter()
        .enumerate()
        .filter(|(_, cell)| cell.byte() == Some(b'$'))
        .map(|(at, _)| variable(cells.get(at + 1..).unwrap_or_default()).0)
        .collect();
    let mut splitter = Splitter {
        cells: &cells,
        index: 0,
        variables: pieces.iter(),
        words: Vec::new(),
        current: Vec::new(),
        open: false,
        quote: None,
        span: arg.span,
    };
    while splitter.step() {}
    splitter.end_word();
    splitter.words
}

/// The state of `env -S` between two cells.
struct Splitter<'a> {
    cells: &'a [Cell<'a>],
    index: usize,
    variables: std::slice::Iter<'a, Piece>,
    words: Vec<Arg>,
    current: Vec<Cell<'a>>,
    /// A word has begun.
    open: bool,
    /// The quote that is open.
    quote: Option<u8>,
    span: Span,
}

impl<'a> Splitter<'a> {
    fn end_word(&mut self) {
        if self.open {
            self.words.push(word(&self.current, self.span));
            self.current.clear();
            self.open = false;
        }
    }

    /// Reads one cell with what belongs to it; `false` at the end.
    fn step(&mut self) -> bool {
        let Some(cell) = self.cells.get(self.index).copied() else {
            return false;
        };
        self.index += 1;
        match (cell.byte(), self.quote) {
            (Some(b'$'), _) => self.dollar(cell),
            (Some(b'\\'), _) => return self.escape(cell),
            (Some(byte), Some(close)) if byte == close => self.quote = None,
            (Some(byte @ (b'\'' | b'"')), None) => {
                self.quote = Some(byte);
                self.open = true;
            }
            (Some(b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c), None) => self.end_word(),
            (Some(b'#'), None) if !self.open => return false,
            _ => {
                self.current.push(cell);
                self.open = true;
            }
        }
        true
    }

    /// A `$`: a variable, but in single quotes itself.
    fn dollar(&mut self, cell: Cell<'a>) {
        let piece = self.variables.next();
        if self.quote == Some(b'\'') {
            self.current.push(cell);
        } else if let Some(piece) = piece {
            let rest = self.cells.get(self.index..).unwrap_or_default();
            self.index += variable(rest).1;
            self.current.push(Cell::Opaque(piece));
        }
        self.open = true;
    }

    /// A backslash and the cell behind it; `false` when nothing counts behind them.
    fn escape(&mut self, backslash: Cell<'a>) -> bool {
        let Some(next) = self.cells.get(self.index).copied() else {
            return false;
        };
        self.index += 1;
        match (next.byte(), self.quote) {
            (Some(b'c'), None) => return false,
            (Some(b'_'), None) => {
                self.end_word();
                return true;
            }
            (Some(b'_'), Some(b'"')) => {
                let at = match backslash {
                    Cell::Byte(_, at) => at,
                    Cell::Opaque(_) => None,
                };
                self.current.push(Cell::Byte(b' ', at));
            }
            (Some(byte), Some(b'\'')) if byte != b'\'' && byte != b'\\' => {
                self.current.extend([backslash, next]);
            }
            (Some(b'f'), _) => self.current.push(Cell::Byte(0x0c, None)),
            (Some(b'n'), _) => self.current.push(Cell::Byte(b'\n', None)),
            (Some(b'r'), _) => self.current.push(Cell::Byte(b'\r', None)),
            (Some(b't'), _) => self.current.push(Cell::Byte(b'\t', None)),
            (Some(b'v'), _) => self.current.push(Cell::Byte(0x0b, None)),
            _ => {
                // The variable behind an escaped dollar stays text.
                if next.byte() == Some(b'$') {
                    self.variables.next();
                }
                self.current.push(next);
            }
        }
        self.open = true;
        true
    }
}

/// The variable behind a `$`, and how many cells its name takes.
fn variable(rest: &[Cell<'_>]) -> (Piece, usize) {
    let braced = rest.first().and_then(|cell| cell.byte()) == Some(b'{');
    let skip = usize::from(braced);
    let name: Vec<u8> = rest
        .iter()
        .skip(skip)
        .map_while(|cell| {
            cell.byte()
                .filter(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
        })
        .collect();
    let length = skip + name.len() + skip;
    let piece = Piece::Unknown(Unknown {
        from: Vec::new(),
        origin: Origin::Variable(name),
        many: false,
    });
    (piece, length)
}
