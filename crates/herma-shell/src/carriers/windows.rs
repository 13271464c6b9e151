//! `powershell`, `pwsh` and `cmd`: text, files and standard input for the shells of Windows.

use crate::execution::Arg;
use crate::syntax::Dialect;
use crate::value::Value;

use super::privilege::argv_span;
use super::shells::input;
use super::words::begins_unknown;
use super::{Command, Payload, Step};

/// Options of PowerShell that take an operand.
const OPERANDS: &[&str] = &[
    "executionpolicy",
    "ep",
    "ex",
    "inputformat",
    "outputformat",
    "of",
    "windowstyle",
    "w",
    "version",
    "v",
    "configurationname",
    "configurationfile",
    "settingsfile",
    "psconsolefile",
    "workingdirectory",
    "wd",
    "custompipename",
];

pub(super) fn carry(name: &str, command: &Command<'_>) -> Option<Vec<Step>> {
    match name.to_ascii_lowercase().as_str() {
        "powershell" | "pwsh" | "pwsh-preview" => Some(powershell(name, command)),
        "cmd" => Some(cmd(name, command)),
        "forfiles" => Some(for_files(name, command)),
        "runas" => Some(run_as(name, command)),
        "wmic" => wmic(name, command),
        lower if lower.ends_with(".bat") || lower.ends_with(".cmd") => {
            let argv = command.argv;
            let path = argv.first()?;
            let parameters = argv.iter().skip(1).map(|arg| arg.value.clone()).collect();
            Some(vec![Step::local(
                name,
                Payload::ShellFile {
                    path: slashed(&path.value),
                    span: path.span,
                    parameters,
                    dialect: Dialect::Cmd,
                },
            )])
        }
        _ => None,
    }
}

/// `forfiles /c "cmd /c del @path"`: the command for each file that it finds.
fn for_files(name: &str, command: &Command<'_>) -> Vec<Step> {
    let argv = command.argv;
    let at = argv
        .iter()
        .position(|arg| arg.value.known_prefix().eq_ignore_ascii_case(b"/c"));
    let Some(arg) = at.and_then(|at| argv.get(at + 1)) else {
        return Vec::new();
    };
    let mut text = Value::empty();
    match arg.value.bytes() {
        Some(written) => {
            for (index, part) in written.split(|byte| *byte == b'@').enumerate() {
                if index == 0 {
                    text.push_text(part, None);
                    continue;
                }
                // `@path`: what was found.
                let word = part.iter().take_while(|byte| byte.is_ascii_alphabetic());
                let length = word.count();
                text.append(&Value::unknown(crate::value::Origin::Other));
                text.push_text(part.get(length..).unwrap_or_default(), None);
            }
        }
        None => text = arg.value.clone(),
    }
    vec![shell(&format!("{name} /c"), text, arg.span, Dialect::Cmd)]
}

/// `runas /user:name "command"`.
fn run_as(name: &str, command: &Command<'_>) -> Vec<Step> {
    let argv = command.argv;
    let at = argv
        .iter()
        .skip(1)
        .position(|arg| !arg.value.known_prefix().starts_with(b"/"));
    match at {
        Some(at) => {
            let (text, span) = together(argv, at + 1);
            vec![shell(name, text, span, Dialect::Cmd)]
        }
        None => Vec::new(),
    }
}

/// `wmic process call create "command"`.
fn wmic(name: &str, command: &Command<'_>) -> Option<Vec<Step>> {
    let argv = command.argv;
    let at = argv
        .iter()
        .position(|arg| arg.value.known_prefix().eq_ignore_ascii_case(b"create"))?;
    let (text, span) = together(argv, at + 1);
    Some(vec![shell(name, text, span, Dialect::Cmd)])
}

/// PowerShell: options begin with a dash or slash, compare without case and may be abbreviated.
fn powershell(name: &str, command: &Command<'_>) -> Vec<Step> {
    let argv = command.argv;
    let mut index = 1;
    while let Some(arg) = argv.get(index) {
        let head = arg.value.known_prefix().to_ascii_lowercase();
        let option = head
            .strip_prefix(b"--")
            .or_else(|| head.strip_prefix(b"-"))
            .or_else(|| head.strip_prefix(b"/"));
        let Some(option) = option.filter(|_| !begins_unknown(arg)) else {
            // Windows PowerShell takes a bare word as -Command; pwsh takes a file.
            let is_file = head.ends_with(b".ps1") && !begins_unknown(arg);
            return vec![if is_file {
                file(name, argv, index)
            } else {
                text(name, argv, index)
            }];
        };
        let of = |whole: &str, shortest: usize| {
            option.len() >= shortest && whole.as_bytes().starts_with(option)
        };
        if option.is_empty() || of("command", 1) && is_input(argv.get(index + 1)) {
            return vec![input(name, argv_span(argv), Dialect::PowerShell)];
        }
        if of("command", 1) || of("commandwithargs", 8) || option == b"cwa" {
            return vec![text(name, argv, index + 1)];
        }
        if of("encodedcommand", 1) || option == b"ec" {
            return vec![encoded(name, argv.get(index + 1).unwrap_or(arg))];
        }
        if of("file", 1) {
            return vec![match argv.get(index + 1) {
                next if is_input(next) => input(name, argv_span(argv), Dialect::PowerShell),
                _ => file(name, argv, index + 1),
            }];
        }
        if of("help", 1) || option == b"?" {
            return Vec::new();
        }
        let takes = OPERANDS.iter().any(|word| {
            word.as_bytes() == option || (option.len() > 2 && word.as_bytes().starts_with(option))
        });
        let ends = of("version", 1) && argv.len() == index + 1;
        if ends {
            return Vec::new();
        }
        index += if takes { 2 } else { 1 };
    }
    vec![input(name, argv_span(argv), Dialect::PowerShell)]
}

fn is_input(arg: Option<&Arg>) -> bool {
    arg.is_some_and(|arg| arg.value.is(b"-"))
}

/// The words from `index` on as one text.
fn text(name: &str, argv: &[Arg], index: usize) -> Step {
    let (text, span) = together(argv, index);
    shell(&format!("{name} -Command"), text, span, Dialect::PowerShell)
}

fn together(argv: &[Arg], index: usize) -> (Value, crate::source::Span) {
    let mut text = Value::empty();
    let mut span = argv_span(argv);
    for (count, arg) in argv.iter().skip(index).enumerate() {
        if count == 0 {
            span = arg.span;
        } else {
            text.push_text(b" ", None);
            span = span.join(arg.span);
        }
        text.append(&arg.value);
    }
    (text, span)
}

fn shell(via: &str, text: Value, span: crate::source::Span, dialect: Dialect) -> Step {
    Step::local(
        via,
        Payload::Shell {
            text,
            span,
            parameters: Vec::new(),
            dialect,
        },
    )
}

fn file(name: &str, argv: &[Arg], index: usize) -> Step {
    let parameters = argv
        .iter()
        .skip(index + 1)
        .map(|arg| arg.value.clone())
        .collect();
    match argv.get(index) {
        Some(path) => Step::local(
            name,
            Payload::ShellFile {
                path: slashed(&path.value),
                span: path.span,
                parameters,
                dialect: Dialect::PowerShell,
            },
        ),
        None => input(name, argv_span(argv), Dialect::PowerShell),
    }
}

/// A path with the slashes of this system.
fn slashed(path: &Value) -> Value {
    let mut path = path.clone();
    for piece in &mut path.pieces {
        if let crate::value::Piece::Text { bytes, .. } = piece {
            for byte in bytes {
                if *byte == b'\\' {
                    *byte = b'/';
                }
            }
        }
    }
    path
}

/// Base64 of UTF-16 text.
fn encoded(name: &str, arg: &Arg) -> Step {
    let via = format!("{name} -EncodedCommand");
    let decoded = arg.value.bytes().and_then(|text| decode(&text));
    let text = match decoded {
        Some(text) => {
            let mut text = Value::computed(text);
            text.decoded = true;
            text
        }
        None => Value::unknown(crate::value::Origin::Other),
    };
    shell(&via, text, arg.span, Dialect::PowerShell)
}

fn decode(text: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut bits = 0_u32;
    let mut held = 0;
    for letter in text {
        let digit = match letter {
            b'A'..=b'Z' => letter - b'A',
            b'a'..=b'z' => letter - b'a' + 26,
            b'0'..=b'9' => letter - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            b'=' | b' ' | b'\n' | b'\r' | b'\t' => continue,
            _ => return None,
        };
        bits = bits << 6 | u32::from(digit);
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.push(u8::try_from(bits >> held & 0xff).ok()?);
        }
    }
    let units: Vec<u16> = bytes
        .chunks_exact(2)
        .map(|pair| match pair {
            [low, high] => u16::from_le_bytes([*low, *high]),
            _ => 0,
        })
        .collect();
    Some(String::from_utf16_lossy(&units).into_bytes())
}

/// `cmd /c text`, also `//c` as msys needs it, and `/s/c` run together.
fn cmd(name: &str, command: &Command<'_>) -> Vec<Step> {
    let argv = command.argv;
    let at = argv.iter().skip(1).position(|arg| {
        let head = arg.value.known_prefix().to_ascii_lowercase();
        head.first() == Some(&b'/')
            && head
                .windows(2)
                .any(|pair| matches!(pair, [b'/', b'c' | b'k' | b'r']))
    });
    let Some(at) = at else {
        return vec![input(name, argv_span(argv), Dialect::Cmd)];
    };
    let mut words = argv.to_vec();
    // `/cdel`: the text begins in the same word.
    if let Some(word) = words.get_mut(at + 1) {
        let head = word.value.known_prefix();
        let behind = head
            .windows(2)
            .position(|pair| matches!(pair, [b'/', b'c' | b'C' | b'k' | b'K' | b'r' | b'R']))
            .map_or(head.len(), |place| place + 2);
        let rest = head.get(behind..).unwrap_or_default();
        if !rest.is_empty() {
            let value = Value::computed(rest);
            let span = word.span;
            let (mut text, whole) = together(argv, at + 2);
            let mut all = value;
            if !text.pieces.is_empty() {
                all.push_text(b" ", None);
                all.append(&std::mem::take(&mut text));
            }
            return vec![shell(
                &format!("{name} /c"),
                all,
                span.join(whole),
                Dialect::Cmd,
            )];
        }
    }
    if argv.get(at + 2).is_none() {
        return vec![input(name, argv_span(argv), Dialect::Cmd)];
    }
    let (text, span) = together(argv, at + 2);
    vec![shell(&format!("{name} /c"), text, span, Dialect::Cmd)]
}
