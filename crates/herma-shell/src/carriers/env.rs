//! `env`, with its own way of splitting text into words.

use crate::execution::{Arg, Binding};
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
    if !matches!(name, "env" | "genv" | "printenv") {
        return None;
    }
    if name == "printenv" {
        return Some(Vec::new());
    }
    let mut argv = command.argv.to_vec();
    let mut from = 1;
    let mut cwd = None;
    for _ in 0..MAX_SPLITS {
        let read = scan(&argv, from, &ENV);
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
        from = 1;
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
    let mut out = Vec::new();
    let mut own: Vec<Piece> = Vec::new();
    // Pieces for variables live here until the words are built.
    for (index, cell) in cells.iter().enumerate() {
        if cell.byte() == Some(b'$') {
            let rest = cells.get(index + 1..).unwrap_or_default();
            own.push(variable(rest).0);
        }
    }
    let mut variables = own.iter();
    let mut current: Vec<Cell<'_>> = Vec::new();
    let mut open = false;
    let mut quote = None;
    let mut index = 0;
    while let Some(cell) = cells.get(index).copied() {
        index += 1;
        let place = match cell {
            Cell::Byte(_, at) => at,
            Cell::Opaque(_) => None,
        };
        match (cell.byte(), quote) {
            (Some(b'$'), quoting) => {
                let piece = variables.next();
                if quoting == Some(b'\'') {
                    current.push(cell);
                } else if let Some(piece) = piece {
                    let rest = cells.get(index..).unwrap_or_default();
                    index += variable(rest).1;
                    current.push(Cell::Opaque(piece));
                }
                open = true;
            }
            (Some(b'\\'), quoting) => {
                let Some(next) = cells.get(index).copied() else {
                    break;
                };
                index += 1;
                if !matches!((next.byte(), quoting), (Some(b'c' | b'_'), None)) {
                    open = true;
                }
                match (next.byte(), quoting) {
                    (Some(b'c'), None) => break,
                    (Some(b'_'), None) => {
                        if open {
                            out.push(word(&current, arg.span));
                            current.clear();
                            open = false;
                        }
                    }
                    (Some(b'_'), Some(b'"')) => current.push(Cell::Byte(b' ', place)),
                    (Some(byte), Some(b'\'')) if byte != b'\'' && byte != b'\\' => {
                        current.push(cell);
                        current.push(next);
                    }
                    (Some(byte @ (b'f' | b'n' | b'r' | b't' | b'v')), _) => {
                        let byte = match byte {
                            b'f' => 0x0c,
                            b'n' => b'\n',
                            b'r' => b'\r',
                            b't' => b'\t',
                            _ => 0x0b,
                        };
                        current.push(Cell::Byte(byte, None));
                    }
                    _ => {
                        // The variable behind an escaped dollar stays text.
                        if next.byte() == Some(b'$') {
                            variables.next();
                        }
                        current.push(next);
                    }
                }
            }
            (Some(byte), Some(close)) if byte == close => quote = None,
            (Some(byte @ (b'\'' | b'"')), None) => {
                quote = Some(byte);
                open = true;
            }
            (Some(b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c), None) => {
                if open {
                    out.push(word(&current, arg.span));
                    current.clear();
                    open = false;
                }
            }
            (Some(b'#'), None) if !open => break,
            _ => {
                current.push(cell);
                open = true;
            }
        }
    }
    if open {
        out.push(word(&current, arg.span));
    }
    out
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
        origin: Origin::Variable(name),
        many: false,
    });
    (piece, length)
}
