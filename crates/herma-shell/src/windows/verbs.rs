//! Commands of cmd.exe, as the programs that have the same effect.

use crate::execution::Arg;
use crate::value::{Piece, Value};

/// What a command of cmd.exe runs instead; `None` for a program.
pub(crate) fn read(name: &[u8], args: &[Arg]) -> Option<Vec<Arg>> {
    let span = args.first()?.span;
    let make = |words: &[&str], rest: Vec<Arg>| -> Option<Vec<Arg>> {
        let mut out: Vec<Arg> = words
            .iter()
            .map(|word| Arg {
                value: Value::computed(word.as_bytes()),
                span,
            })
            .collect();
        out.extend(rest);
        Some(out)
    };
    let given = Given::of(args);
    match name {
        b"del" | b"erase" => {
            let recursive = given.has(b"s") || given.unsure;
            let whole = |arg: &Arg| {
                let head = arg.value.bytes().unwrap_or_default();
                !head.iter().any(|byte| b"*?".contains(byte))
                    || head.ends_with(b"\\*")
                    || head.ends_with(b"/*")
                    || head.ends_with(b"*.*")
                    || *head == *b"*"
            };
            if recursive
                && given.operands.iter().all(|arg| !whole(arg))
                && !given.operands.is_empty()
            {
                // Files of that name in all directories below.
                let mut words = Vec::new();
                let first = given.operands.first()?;
                let (directory, pattern) = split(first);
                words.push(directory);
                words.push(word("-name", first));
                words.push(pattern);
                words.push(word("-delete", first));
                return make(&["find"], words);
            }
            let how: &[&str] = match (recursive, given.has(b"f") || given.has(b"q")) {
                (true, _) => &["rm", "-r", "-f", "--"],
                (false, true) => &["rm", "-f", "--"],
                (false, false) => &["rm", "--"],
            };
            make(how, given.paths())
        }
        b"rd" | b"rmdir" => {
            if given.has(b"s") || given.unsure {
                make(&["rm", "-r", "-f", "--"], given.paths())
            } else {
                make(&["rmdir", "--"], given.paths())
            }
        }
        b"copy" => make(&["cp", "--"], with_target(given.paths(), span)),
        b"xcopy" => make(&["cp", "-r", "--"], with_target(given.paths(), span)),
        b"move" | b"ren" | b"rename" => make(&["mv", "--"], given.paths()),
        b"md" | b"mkdir" => make(&["mkdir", "-p", "--"], given.paths()),
        b"type" => make(&["cat", "--"], given.paths()),
        b"dir" => make(&["ls", "--"], given.paths()),
        b"echo" => {
            let mut text = Value::empty();
            for (index, arg) in args.iter().skip(1).enumerate() {
                if index > 0 {
                    text.push_text(b" ", None);
                }
                text.append(&arg.value);
            }
            make(&["printf", "%s\n"], vec![Arg { value: text, span }])
        }
        b"cd" | b"chdir" => match given.operands.is_empty() {
            true => make(&["pwd"], Vec::new()),
            false => make(&["cd"], given.paths()),
        },
        b"pushd" => make(&["pushd"], given.paths()),
        b"popd" => make(&["popd"], Vec::new()),
        b"mklink" => {
            let mut paths = given.paths();
            paths.reverse();
            make(&["ln", "-s", "--"], paths)
        }
        b"format" => {
            let drive = given.operands.iter().any(|arg| {
                arg.value
                    .bytes()
                    .is_some_and(|text| text.get(1) == Some(&b':'))
            });
            if !drive {
                return None;
            }
            make(&["Format-Volume", "-DriveLetter"], given.operands)
        }
        b"start" => {
            let mut rest = given.words;
            while let Some(first) = rest.first() {
                let text = first.value.bytes().unwrap_or_default().to_ascii_lowercase();
                let takes: [&[u8]; 4] = [b"/d", b"/affinity", b"/node", b"/machine"];
                if takes.contains(&text.as_slice()) {
                    rest.drain(..rest.len().min(2));
                } else if text.starts_with(b"/")
                    || text.is_empty() && first.value.is_known()
                    || text.contains(&b' ') && rest.len() > 1
                {
                    rest.remove(0);
                } else {
                    break;
                }
            }
            let first = rest.first_mut()?;
            if let Some(name) = first.value.bytes() {
                first.value = Value::computed(super::names::program(&name));
            }
            Some(rest)
        }
        b"exit" | b"shift" | b"break" | b"set" | b"goto" | b"history" | b"alias" => {
            make(&["true"], Vec::new())
        }
        b"call" => {
            let first = given.words.first()?;
            if first.value.known_prefix().starts_with(b":") {
                return make(&["true"], Vec::new());
            }
            // The words are expanded once more.
            let mut text = Value::empty();
            for (index, arg) in given.words.iter().enumerate() {
                if index > 0 {
                    text.push_text(b" ", None);
                }
                text.append(&arg.value);
            }
            make(&["cmd", "/c"], vec![Arg { value: text, span }])
        }
        _ => None,
    }
}

/// `shutdown /s`: what switches off, and what only says something.
pub(crate) fn shutdown(args: &[Arg]) -> Option<Vec<Arg>> {
    let span = args.first()?.span;
    // As on other systems, where PowerShell runs too.
    let unix = args.iter().any(|arg| {
        let head = arg.value.known_prefix();
        head == b"now" || head.starts_with(b"+") || head.contains(&b':')
    });
    if unix {
        return None;
    }
    // What stands between two of them may be taken out.
    let odd = args.iter().skip(1).any(|arg| {
        let text = arg.value.bytes().unwrap_or_default();
        text.contains(&b'%') || text.contains(&b'!')
    });
    let ends = args.iter().skip(1).any(|arg| {
        let text = arg.value.bytes().unwrap_or_default().to_ascii_lowercase();
        matches!(text.first(), Some(b'/' | b'-'))
            && matches!(
                text.get(1..).unwrap_or_default(),
                b"s" | b"r" | b"p" | b"g" | b"sg" | b"h" | b"hybrid" | b"o" | b"soft" | b"fw"
            )
    });
    let words: &[&[u8]] = if ends {
        &[b"shutdown", b"-h", b"now"]
    } else if odd || args.iter().any(|arg| !arg.value.is_known()) {
        return None;
    } else {
        &[b"shutdown", b"--help"]
    };
    Some(
        words
            .iter()
            .map(|word| Arg {
                value: Value::computed(*word),
                span,
            })
            .collect(),
    )
}

fn word(text: &str, of: &Arg) -> Arg {
    Arg {
        value: Value::computed(text.as_bytes()),
        span: of.span,
    }
}

/// The directory and the name of a path.
fn split(arg: &Arg) -> (Arg, Arg) {
    let text = arg.value.known_prefix();
    let at = text.iter().rposition(|byte| b"\\/:".contains(byte));
    let (directory, name) = match at {
        Some(at) => (
            text.get(..=at).unwrap_or_default(),
            text.get(at + 1..).unwrap_or_default(),
        ),
        None => (b".".as_slice(), text.as_slice()),
    };
    let make = |bytes: &[u8]| Arg {
        value: Value::computed(
            bytes
                .iter()
                .map(|byte| if *byte == b'\\' { b'/' } else { *byte })
                .collect::<Vec<u8>>(),
        ),
        span: arg.span,
    };
    (make(directory), make(name))
}

fn with_target(mut paths: Vec<Arg>, span: crate::source::Span) -> Vec<Arg> {
    if paths.len() == 1 {
        paths.push(Arg {
            value: Value::computed(b".".as_slice()),
            span,
        });
    }
    paths
}

/// Words as switches and operands.
struct Given {
    words: Vec<Arg>,
    switches: Vec<Vec<u8>>,
    operands: Vec<Arg>,
    unsure: bool,
}

impl Given {
    fn of(args: &[Arg]) -> Self {
        let words: Vec<Arg> = args.iter().skip(1).cloned().collect();
        let mut switches = Vec::new();
        let mut operands = Vec::new();
        for arg in &words {
            let head = arg.value.known_prefix();
            match head.strip_prefix(b"/") {
                // What a variable holds is no switch.
                Some(switch)
                    if arg.value.is_known()
                        && arg.value.first_written() == Some(arg.span.start) =>
                {
                    for one in switch.split(|byte| *byte == b'/') {
                        switches.push(one.to_ascii_lowercase());
                    }
                }
                _ => operands.push(arg.clone()),
            }
        }
        // What is put in for a variable may be a switch.
        let unsure = words.iter().any(|arg| {
            !arg.value.is_known()
                || arg
                    .value
                    .bytes()
                    .is_some_and(|text| text.contains(&b'%') || text.contains(&b'!'))
        });
        Self {
            words,
            switches,
            operands,
            unsure,
        }
    }

    fn has(&self, switch: &[u8]) -> bool {
        self.switches.iter().any(|own| own == switch)
    }

    /// The operands with slashes and live patterns.
    fn paths(&self) -> Vec<Arg> {
        self.operands
            .iter()
            .map(|arg| {
                let mut arg = arg.clone();
                let mut value = Value::empty();
                value.decoded = arg.value.decoded;
                for piece in &arg.value.pieces {
                    match piece {
                        Piece::Text { bytes, at } | Piece::Glob { pattern: bytes, at } => {
                            let text: Vec<u8> = bytes
                                .iter()
                                .map(|byte| if *byte == b'\\' { b'/' } else { *byte })
                                .collect();
                            if text.iter().any(|byte| b"*?".contains(byte)) {
                                // `*.*` is everything.
                                let text = match text.strip_suffix(b"*.*") {
                                    Some(head) => [head, b"*"].concat(),
                                    None => text,
                                };
                                value.pieces.push(Piece::Glob {
                                    pattern: text,
                                    at: *at,
                                });
                            } else {
                                value.push_text(&text, *at);
                            }
                        }
                        Piece::Unknown(unknown) => value.push_unknown(unknown),
                        piece => value.pieces.push(piece.clone()),
                    }
                }
                arg.value = value;
                arg
            })
            .collect()
    }
}
