//! `find -exec` and `fd -x`.

use crate::execution::Arg;
use crate::value::{Piece, Value};

use super::options::{Spec, scan};
use super::xargs::{a_name, replaced};
use super::{Command, Step};

pub(super) fn carry(name: &str, command: &Command<'_>) -> Option<Vec<Step>> {
    match name {
        "find" | "gfind" | "bfs" => Some(find(name, command.argv)),
        "fd" | "fdfind" => Some(fd(name, command.argv)),
        _ => None,
    }
}

/// For how many programs, and with how many roots, names are taken to be a root.
const MAX_RUNS: usize = 16;
const MAX_ROOTS: usize = 16;

/// What an expression's other parts say about the names that reach its programs.
struct Filter {
    /// A test may hold names back.
    filtered: bool,
    /// The roots themselves are left out.
    below: bool,
}

fn find(name: &str, argv: &[Arg]) -> Vec<Step> {
    let mut index = 1;
    // -H -L -P -D debug -Olevel
    while let Some(arg) = argv.get(index) {
        match arg.value.known_prefix().as_slice() {
            b"-H" | b"-L" | b"-P" | b"-E" | b"-X" | b"-s" | b"-x" => index += 1,
            b"-D" => index += 2,
            [b'-', b'O', ..] => index += 1,
            b"--" => index += 1,
            _ => break,
        }
    }
    let first_root = index;
    while argv.get(index).is_some_and(|arg| {
        let head = arg.value.known_prefix();
        !(matches!(head.first(), Some(b'-'))
            || matches!(head.as_slice(), b"(" | b"!" | b")" | b","))
    }) {
        index += 1;
    }
    let roots = argv.get(first_root..index).unwrap_or_default();
    let expression = argv.get(index..).unwrap_or_default();
    let (runs, filter) = expression_parts(expression);
    let mut steps = Vec::new();
    for (count, run) in runs.iter().enumerate() {
        let via = format!("{name} {}", run.action);
        let words = replaced(run.words, b"{}", &a_name());
        steps.extend(Step::argv(&via, &words));
        if filter.filtered || count >= MAX_RUNS || !run.words.iter().any(has_mark) {
            continue;
        }
        let known = roots.iter().filter(|root| root.value.is_known());
        for root in known.take(MAX_ROOTS) {
            let mut value = root.value.clone();
            if filter.below {
                if !value.known_suffix().ends_with(b"/") {
                    value.push_text(b"/", None);
                }
                value.pieces.push(Piece::Glob {
                    pattern: b"*".to_vec(),
                    at: None,
                });
            }
            steps.extend(Step::argv(&via, &replaced(run.words, b"{}", &value)));
        }
    }
    steps
}

fn has_mark(arg: &Arg) -> bool {
    let text = arg.value.known_prefix();
    text.windows(2).any(|pair| pair == b"{}")
}

struct Run<'a> {
    action: &'static str,
    words: &'a [Arg],
}

fn expression_parts(expression: &[Arg]) -> (Vec<Run<'_>>, Filter) {
    let mut runs = Vec::new();
    let mut filter = Filter {
        filtered: false,
        below: false,
    };
    let mut index = 0;
    while let Some(arg) = expression.get(index) {
        index += 1;
        let word = arg.value.known_prefix();
        let action = match word.as_slice() {
            b"-exec" => "-exec",
            b"-execdir" => "-execdir",
            b"-ok" => "-ok",
            b"-okdir" => "-okdir",
            b"-maxdepth" => {
                index += 1;
                continue;
            }
            b"-mindepth" => {
                match expression
                    .get(index)
                    .and_then(|depth| depth.value.bytes())
                    .as_deref()
                {
                    Some(b"0") => {}
                    Some(b"1") => filter.below = true,
                    _ => filter.filtered = true,
                }
                index += 1;
                continue;
            }
            b"-fprint" | b"-fprint0" | b"-fls" | b"-printf" | b"-files0-from" => {
                index += 1;
                continue;
            }
            b"-fprintf" => {
                index += 2;
                continue;
            }
            b"-print"
            | b"-print0"
            | b"-ls"
            | b"-depth"
            | b"-d"
            | b"-xdev"
            | b"-mount"
            | b"-x"
            | b"-follow"
            | b"-daystart"
            | b"-noleaf"
            | b"-warn"
            | b"-nowarn"
            | b"-delete"
            | b"-true"
            | b"-o"
            | b"-or"
            | b"-a"
            | b"-and"
            | b","
            | b"("
            | b")"
            | b"-ignore_readdir_race"
            | b"-noignore_readdir_race"
            | b"-quit" => continue,
            _ => {
                // A test, its operand, or a word that cannot be known.
                filter.filtered = true;
                continue;
            }
        };
        let rest = expression.get(index..).unwrap_or_default();
        let mut end = rest.len();
        for (at, part) in rest.iter().enumerate() {
            let plus = part.value.is(b"+")
                && at
                    .checked_sub(1)
                    .and_then(|before| rest.get(before))
                    .is_some_and(|before| before.value.is(b"{}"));
            if part.value.is(b";") || plus {
                end = at;
                break;
            }
        }
        runs.push(Run {
            action,
            words: rest.get(..end).unwrap_or_default(),
        });
        index += end + 1;
    }
    (runs, filter)
}

static FD: Spec = Spec::anywhere(
    "HIusigFaLpd:E:t:e:S:o:c:j:0lqX1x",
    "hidden no-ignore unrestricted case-sensitive ignore-case glob regex fixed-strings absolute-path list-details follow \
     full-path max-depth= min-depth= exact-depth= exclude= prune type= extension= size= changed-within= changed-before= \
     owner= format= batch-size= ignore-file= color= threads= max-results= base-directory= path-separator= search-path= \
     and= quiet show-errors print0 max-buffer-time= strip-cwd-prefix? one-file-system no-ignore-vcs no-ignore-parent",
);

/// The words behind -x or -X up to `;`, with the placeholders or a name at the end.
fn fd(name: &str, argv: &[Arg]) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut index = 1;
    while let Some(arg) = argv.get(index) {
        let head = arg.value.known_prefix();
        let short = head.first() == Some(&b'-') && head.get(1).is_some_and(u8::is_ascii_alphabetic);
        let action = if head == b"--exec" || head == b"--exec-batch" {
            true
        } else {
            short && {
                let own = scan(std::slice::from_ref(arg), 0, &FD);
                own.given
                    .last()
                    .is_some_and(|given| matches!(given.name, "x" | "X") && given.operand.is_none())
            }
        };
        index += 1;
        if !action {
            continue;
        }
        let rest = argv.get(index..).unwrap_or_default();
        let end = rest
            .iter()
            .position(|arg| arg.value.is(b";"))
            .unwrap_or(rest.len());
        let words = rest.get(..end).unwrap_or_default();
        index += end + 1;
        steps.extend(Step::argv(&format!("{name} --exec"), &filled(words)));
    }
    steps
}

/// The words with every placeholder replaced by a name; one is added when there is none.
pub(super) fn filled(words: &[Arg]) -> Vec<Arg> {
    let mut out = words.to_vec();
    for mark in [&b"{}"[..], b"{/}", b"{//}", b"{.}", b"{/.}"] {
        out = replaced(&out, mark, &a_name());
    }
    if out == words && !words.is_empty() {
        let span = words.last().map(|arg| arg.span).unwrap_or_default();
        out.push(Arg {
            value: Value::unknown_words(crate::value::Origin::Names),
            span,
        });
    }
    out
}
