//! Shells: text behind `-c`, a script file, or commands from standard input.

use crate::descriptors::descriptor_of;
use crate::execution::Arg;
use crate::source::Span;
use crate::syntax::Dialect;

use super::options::{Spec, scan};
use super::privilege::argv_span;
use super::words::begins_unknown;
use super::{Command, Payload, Step};

pub(super) fn carry(name: &str, command: &Command<'_>) -> Option<Vec<Step>> {
    let argv = command.argv;
    if matches!(name, "busybox" | "toybox" | "busybox-static") {
        return Some(multicall(name, argv));
    }
    if let Some(dialect) = dialect(name) {
        return Some(shell(name, argv, dialect));
    }
    match name.to_ascii_lowercase().as_str() {
        "fish" | "csh" | "tcsh" | "nu" | "elvish" | "xonsh" => Some(other_shell(name, argv)),
        _ => None,
    }
}

/// A name without the version behind it: `bash-5.2`, `python3.12`.
pub(super) fn family(name: &str) -> &str {
    let stem = name.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '.');
    let stem = if stem.len() < name.len() {
        stem.strip_suffix('-').unwrap_or(stem)
    } else {
        stem
    };
    if stem.is_empty() { name } else { stem }
}

/// The grammar of a shell that is analysed.
pub(super) fn dialect(name: &str) -> Option<Dialect> {
    match family(name) {
        "zsh" | "rzsh" | "zsh-static" | "zsh-beta" => Some(Dialect::Zsh),
        "bash" | "rbash" | "ksh" | "rksh" | "ksh93" | "mksh" | "lksh" | "oksh" | "pdksh"
        | "bash-static" | "mksh-static" | "brush" | "osh" | "ysh" => Some(Dialect::Bash),
        "sh" | "dash" | "ash" | "posh" | "yash" | "hush" | "ash.static" | "bosh" => {
            Some(Dialect::Posix)
        }
        _ => None,
    }
}

/// A shell that reads its commands from standard input.
pub(super) fn input(via: &str, span: Span, dialect: Dialect) -> Step {
    Step::local(
        via,
        Payload::ShellInput {
            span,
            parameters: Vec::new(),
            dialect,
        },
    )
}

/// What the words of a shell's invocation say before its script.
#[derive(Default)]
struct Invocation {
    text: bool,
    stdin: bool,
    interactive: bool,
    start_up: Vec<Arg>,
    nothing: bool,
    /// Words that cannot be known and may be the script or its text.
    unclear: Vec<usize>,
    /// There are more such words than are read in every way.
    lost: bool,
    rest: usize,
}

/// How many words that cannot be known are read both as an option and as the script.
const MAX_UNCLEAR: usize = 4;

fn read(argv: &[Arg]) -> Invocation {
    let mut out = Invocation::default();
    let mut index = 1;
    while let Some(arg) = argv.get(index) {
        if begins_unknown(arg) && out.unclear.len() < MAX_UNCLEAR {
            out.unclear.push(index);
            index += 1;
            continue;
        }
        let head = arg.value.known_prefix();
        let whole = arg.value.is_known();
        index += 1;
        match head.as_slice() {
            b"-" | b"--" if whole => break,
            b"--rcfile" | b"--init-file" | b"-rcfile" | b"-init-file" => {
                out.start_up.extend(argv.get(index).cloned());
                index += 1;
            }
            b"--help" | b"--version" | b"-help" | b"-version" => out.nothing = true,
            // Bash takes the names of its long options behind one dash too.
            b"-debug" | b"-debugger" | b"-dump-po-strings" | b"-dump-strings" | b"-login"
            | b"-noediting" | b"-noprofile" | b"-norc" | b"-posix" | b"-pretty-print"
            | b"-protected" | b"-restricted" | b"-verbose" | b"-wordexp" => {}
            b"--emulate" => index += 1,
            [b'-', b'-', ..] => {}
            [sign @ (b'-' | b'+'), letters @ ..] if !letters.is_empty() || !whole => {
                for letter in letters {
                    match letter {
                        b'c' if *sign == b'-' => out.text = true,
                        b's' if *sign == b'-' => out.stdin = true,
                        b'i' if *sign == b'-' => out.interactive = true,
                        b'o' | b'O' => index += 1,
                        _ => {}
                    }
                }
            }
            _ => {
                index -= 1;
                out.lost = begins_unknown(arg);
                break;
            }
        }
    }
    out.rest = index;
    out
}

/// What a shell with these words runs.
pub(super) fn shell(name: &str, argv: &[Arg], dialect: Dialect) -> Vec<Step> {
    let read = read(argv);
    if read.nothing && !read.text {
        return Vec::new();
    }
    let via =
        if read.text && (name == family(name) || self::dialect(name).is_some()) && is_shell(name) {
            format!("{name} -c")
        } else {
            name.to_owned()
        };
    let span = argv_span(argv);
    let mut steps: Vec<Step> = Vec::new();
    // Options of zsh change how the text is read: only those that nothing changes are passed over.
    let options = argv.get(1..read.rest).unwrap_or_default();
    let changes = options.iter().any(|arg| {
        let head = arg.value.known_prefix();
        match head.as_slice() {
            [b'-', b'-', ..] => !matches!(head.as_slice(), b"--no-rcs" | b"--login"),
            [b'-' | b'+', letters @ ..] => letters
                .iter()
                .any(|letter| !b"cfilsduvexn".contains(letter)),
            _ => true,
        }
    });
    if dialect == Dialect::Zsh && changes {
        steps.push(Step::local(via.clone(), Payload::Foreign { span }));
    }
    let candidates = read.unclear.iter().copied().chain([read.rest]);
    for at in candidates {
        let Some(first) = argv.get(at) else { continue };
        let values = |from: usize| -> Vec<_> {
            argv.get(from..)
                .unwrap_or_default()
                .iter()
                .map(|arg| arg.value.clone())
                .collect()
        };
        let payload = if read.text {
            Payload::Shell {
                text: first.value.clone(),
                span: first.span,
                parameters: values(at + 1),
                dialect,
            }
        } else if read.stdin {
            Payload::ShellInput {
                span,
                parameters: values(at),
                dialect,
            }
        } else if is_stdin(first) {
            Payload::ShellInput {
                span,
                parameters: values(at + 1),
                dialect,
            }
        } else {
            Payload::ShellFile {
                path: first.value.clone(),
                span: first.span,
                parameters: values(at + 1),
                dialect,
            }
        };
        steps.push(Step::local(via.clone(), payload));
    }
    if read.lost {
        steps.push(Step::local(via.clone(), Payload::Unresolved { span }));
    }
    let nothing = argv.get(read.rest).is_none() && read.unclear.is_empty() && !read.lost;
    if nothing && !read.text {
        steps.push(input(&via, span, dialect));
    }
    if read.interactive || !read.text {
        steps.extend(read.start_up.iter().map(|file| {
            Step::local(
                via.clone(),
                Payload::ShellFile {
                    path: file.value.clone(),
                    span: file.span,
                    parameters: Vec::new(),
                    dialect,
                },
            )
        }));
    }
    steps
}

fn is_shell(name: &str) -> bool {
    dialect(name).is_some()
}

/// Whether a script's path names standard input.
pub(super) fn is_stdin(arg: &Arg) -> bool {
    arg.value
        .bytes()
        .is_some_and(|path| descriptor_of(&path) == Some(0))
}

/// An applet and its arguments.
fn multicall(name: &str, argv: &[Arg]) -> Vec<Step> {
    match argv.get(1) {
        Some(first) if first.value.known_prefix().first() == Some(&b'-') => Vec::new(),
        _ => Step::argv(name, argv.get(1..).unwrap_or_default())
            .into_iter()
            .collect(),
    }
}

static OTHER: Spec = Spec::new(
    "c:C:d:f:o:D:p:",
    "command= init-command= commands= config= env-config= plugin-config= rc= \
         debug= features= profile= version help no-config private login interactive \
         no-execute",
);

/// Shells with another grammar, close enough for simple commands: the text is read as well as it
/// can be, and marked as foreign.
fn other_shell(name: &str, argv: &[Arg]) -> Vec<Step> {
    // csh takes no operand for -f and -d.
    let spec = if matches!(family(name), "csh" | "tcsh") {
        Spec::new("c:", "version help")
    } else {
        OTHER
    };
    let read = scan(argv, 1, &spec);
    let via = format!("{name} -c");
    let mut steps = Vec::new();
    for text in read.all(&["c", "command", "C", "init-command", "commands"]) {
        steps.push(Step::local(
            via.clone(),
            Payload::Shell {
                text: text.value.clone(),
                span: text.span,
                parameters: Vec::new(),
                dialect: Dialect::Bash,
            },
        ));
        if !is_common(text) {
            steps.push(Step::local(
                via.clone(),
                Payload::Foreign { span: text.span },
            ));
        }
    }
    if steps.is_empty() && read.starts.is_empty() && !read.has(&["version", "help"]) {
        steps.push(input(name, argv_span(argv), Dialect::Bash));
    }
    steps
}

/// Whether every shell reads the text alike: words, quotes without expansions, lists and pipes.
fn is_common(text: &Arg) -> bool {
    text.value.bytes().is_some_and(|bytes| {
        bytes.iter().all(|byte| {
            byte.is_ascii_alphanumeric() || *byte >= 0x80 || b" -_./=:,@%+;|&<>'\"\n".contains(byte)
        })
    })
}
