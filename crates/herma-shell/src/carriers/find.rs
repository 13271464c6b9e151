//! `find -exec` and `fd -x`.

use crate::execution::Arg;
use crate::find::{Run, Term, Tests, roots, terms};
use crate::value::{Piece, Value};
use crate::world::FileKind;

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

/// For how many programs names are told apart, and how many roots and names are.
const MAX_RUNS: usize = 16;
const MAX_FOUND: usize = 16;

/// Which names reach an expression's programs.
#[derive(Default)]
struct Filter {
    tests: Tests,
    /// The roots themselves are left out.
    below: bool,
}

fn find(name: &str, argv: &[Arg]) -> Vec<Step> {
    let (roots, expression) = parts(argv);
    let (runs, filter) = programs(argv, expression);
    let mut steps = Vec::new();
    for (count, run) in runs.iter().enumerate() {
        let via = format!("{name} {}", run.action);
        let mut previous = None;
        let mut push = |found: &Value| {
            let (mut found, directory) = if run.action.ends_with("dir") {
                in_place(found)
            } else {
                (found.clone(), None)
            };
            if run.several {
                as_many(&mut found);
            }
            let words = replaced(run.words, b"{}", &found);
            // Without a mark every name gives the same command.
            let directory = directory.filter(|_| run.words.iter().any(has_mark));
            let handed = Some((words, directory));
            if previous != handed
                && let Some((words, directory)) = &handed
            {
                steps.extend(Step::argv(&via, words).map(|step| step.within(directory.clone())));
            }
            previous = handed;
        };
        let named = filter.named(roots);
        if count >= MAX_RUNS || named.is_empty() {
            push(&a_name());
        } else {
            named.iter().for_each(&mut push);
        }
        if count < MAX_RUNS && run.words.iter().any(has_mark) {
            filter.whole(roots).iter().for_each(&mut push);
        }
    }
    steps
}

/// What `find` prints, as far as its words say: the roots when nothing is filtered, or names below
/// them that end as `-name` says. Each is one word of the output; `None` when nothing is known.
pub(crate) fn printed(argv: &[Arg], kind: impl Fn(&Value) -> Option<FileKind>) -> Option<Value> {
    let (roots, expression) = parts(argv);
    // Of several roots only those that are there are printed.
    let there: Vec<Arg> = roots
        .iter()
        .filter(|root| !root.value.is_known() || kind(&root.value).is_some())
        .cloned()
        .collect();
    let roots = if there.is_empty() { roots } else { &there };
    let (runs, filter) = programs(argv, expression);
    if !runs.is_empty() {
        return None;
    }
    let zero = argv
        .iter()
        .skip(expression)
        .any(|arg| arg.value.is(b"-print0"));
    let separator: &[u8] = if zero { b"\0" } else { b"\n" };
    // A file holds nothing.
    let files = !filter.tests.filtered
        && !there.is_empty()
        && there
            .iter()
            .all(|root| kind(&root.value) == Some(FileKind::File));
    let named = if files {
        Vec::new()
    } else {
        filter.named(roots)
    };
    let complete = files || !named.is_empty();
    // A root comes before what it holds.
    let mut found = filter.whole(roots);
    found.extend(named);
    if found.is_empty() {
        return None;
    }
    let mut out = Value::empty();
    for value in found {
        let mut value = value;
        as_many(&mut value);
        out.append(&value);
        out.push_text(separator, None);
    }
    if !complete {
        // Any number of further names.
        out.append(&Value::unknown_words(crate::value::Origin::Names));
    }
    Some(out)
}

/// The directories to search, and the index of the expression.
fn parts(argv: &[Arg]) -> (&[Arg], usize) {
    let roots = roots(argv);
    let expression = roots.end;
    (argv.get(roots).unwrap_or_default(), expression)
}

/// The programs that the expression at this index starts, and which names reach them.
fn programs(argv: &[Arg], expression: usize) -> (Vec<Run<'_>>, Filter) {
    let mut runs = Vec::new();
    let mut filter = Filter::default();
    for (_, term) in terms(argv, expression) {
        filter.tests.add(term);
        match term {
            Term::Run(run) => runs.push(run),
            Term::Prune => filter.tests.filtered = true,
            Term::MinDepth(depth) => match depth.and_then(|depth| depth.value.bytes()).as_deref() {
                Some(b"0") => {}
                Some(b"1") => filter.below = true,
                _ => filter.tests.filtered = true,
            },
            _ => {}
        }
    }
    (runs, filter)
}

impl Filter {
    /// What is found when nothing is held back: the roots themselves, or all that they hold.
    fn whole(&self, roots: &[Arg]) -> Vec<Value> {
        if self.tests.filtered {
            return Vec::new();
        }
        roots
            .iter()
            .filter(|root| root.value.is_known())
            .take(MAX_FOUND)
            .map(|root| {
                let root = root.value.clone();
                if self.below {
                    anything_below(root)
                } else {
                    root
                }
            })
            .collect()
    }

    /// What is found below each root: some path, which ends as the expression says when every
    /// alternative says a name. Nothing when there are too many to tell apart.
    fn named(&self, roots: &[Arg]) -> Vec<Value> {
        let here = [Value::computed(*b".")];
        let roots: Vec<&Value> = if roots.is_empty() {
            here.iter().collect()
        } else {
            roots.iter().map(|root| &root.value).collect()
        };
        let names = self.tests.spelled();
        if roots.len() * names.len().max(1) > MAX_FOUND {
            return Vec::new();
        }
        let mut found = Vec::new();
        for root in roots {
            let mut direct = root.clone();
            if !direct.known_suffix().ends_with(b"/") {
                direct.push_text(b"/", None);
            }
            let mut below = direct.clone();
            below.append(&a_name());
            if names.is_empty() {
                found.push(below);
                continue;
            }
            below.push_text(b"/", None);
            for name in names {
                // In the root itself, and somewhere below it.
                for place in [&direct, &below] {
                    let mut value = place.clone();
                    value.append(name);
                    found.push(value);
                }
            }
        }
        found
    }
}

/// A found name stands for any number of them.
fn as_many(value: &mut Value) {
    for piece in &mut value.pieces {
        if let Piece::Unknown(unknown) = piece {
            unknown.many = true;
        }
    }
}

/// The name as `-execdir` gives it, and the directory that holds it when it is another.
fn in_place(found: &Value) -> (Value, Option<Value>) {
    let suffix = found.known_suffix();
    match suffix.iter().rposition(|byte| *byte == b'/') {
        Some(slash) if slash + 1 < suffix.len() => {
            let name = suffix.get(slash + 1..).unwrap_or_default();
            let directory = without_end(found, name.len() + 1);
            (Value::computed([b"./", name].concat()), directory)
        }
        // A pattern stays one.
        None if found.has_glob() => {
            let mut name = Value::computed(*b"./");
            name.append(found);
            (name, None)
        }
        None if found.is_known() && !suffix.is_empty() && suffix != b"." => {
            (Value::computed([b"./", suffix.as_slice()].concat()), None)
        }
        _ => (found.clone(), None),
    }
}

/// The value without its last bytes, which are known; `None` when nothing else is left.
fn without_end(value: &Value, length: usize) -> Option<Value> {
    let mut out = value.clone();
    let mut left = length;
    while left > 0 {
        let Some(Piece::Text { bytes, .. }) = out.pieces.last_mut() else {
            return None;
        };
        let keep = bytes.len().saturating_sub(left);
        left -= bytes.len() - keep;
        bytes.truncate(keep);
        if bytes.is_empty() {
            out.pieces.pop();
        }
    }
    (!out.pieces.is_empty()).then_some(out)
}

fn has_mark(arg: &Arg) -> bool {
    let text = arg.value.without_unset().known_prefix();
    text.windows(2).any(|pair| pair == b"{}")
}

static FD: Spec = Spec::anywhere(
    "HIusigFaLpd:E:t:e:S:o:c:j:0lqX1x",
    "hidden no-ignore unrestricted case-sensitive ignore-case glob regex \
         fixed-strings absolute-path list-details follow full-path max-depth= \
         min-depth= exact-depth= exclude= prune type= extension= size= \
         changed-within= changed-before= owner= format= batch-size= ignore-file= \
         color= threads= max-results= base-directory= path-separator= search-path= \
         and= quiet show-errors print0 max-buffer-time= strip-cwd-prefix? \
         one-file-system no-ignore-vcs no-ignore-parent",
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
        let mut handed = filled(words);
        if handed.len() > words.len()
            && let (Some(found), Some(last)) = (whole_name(argv), handed.last_mut())
        {
            last.value = found;
        }
        let via = format!("{name} --exec");
        let all = everything(argv);
        let complete = !all.is_empty();
        for all in all {
            let own = if handed.len() > words.len() {
                let mut own = words.to_vec();
                own.push(Arg {
                    value: all,
                    span: arg.span,
                });
                own
            } else {
                replaced(words, b"{}", &all)
            };
            steps.extend(Step::argv(&via, &own));
        }
        if !complete {
            steps.extend(Step::argv(&via, &handed));
        }
    }
    steps
}

/// What `fd . DIRECTORY` finds in each directory when nothing is held back: all that it holds.
fn everything(argv: &[Arg]) -> Vec<Value> {
    let read = scan(argv, 1, &FD);
    // The words of the command do not count.
    let end = argv
        .iter()
        .position(|arg| {
            let word = arg.value.known_prefix();
            word.starts_with(b"--exec")
                || word.starts_with(b"-")
                    && !word.starts_with(b"--")
                    && word.iter().any(|byte| b"xX".contains(byte))
        })
        .unwrap_or(argv.len());
    let filters = [
        "E",
        "exclude",
        "e",
        "extension",
        "S",
        "size",
        "d",
        "max-depth",
        "min-depth",
        "exact-depth",
        "t",
        "type",
        "o",
        "owner",
        "changed-within",
        "changed-before",
        "and",
        "max-results",
        "1",
        "g",
        "glob",
        "F",
        "fixed-strings",
    ];
    if read.has(&filters) {
        return Vec::new();
    }
    let operands: Vec<&Arg> = read
        .operands
        .iter()
        .filter(|at| **at < end)
        .filter_map(|at| argv.get(*at))
        .collect();
    let here = Arg {
        value: Value::computed(*b"."),
        span: crate::source::Span::default(),
    };
    let directories: Vec<&Arg> = match operands.as_slice() {
        [] => vec![&here],
        [pattern] if is_any(pattern) => vec![&here],
        [pattern, rest @ ..] if is_any(pattern) => rest.to_vec(),
        _ => return Vec::new(),
    };
    directories
        .into_iter()
        .filter(|directory| directory.value.is_known())
        .take(MAX_FOUND)
        .map(|directory| anything_below(directory.value.clone()))
        .collect()
}

/// `directory/*`
fn anything_below(mut directory: Value) -> Value {
    if !directory.known_suffix().ends_with(b"/") {
        directory.push_text(b"/", None);
    }
    directory.pieces.push(Piece::Glob {
        pattern: b"*".to_vec(),
        at: None,
    });
    directory
}

fn is_any(pattern: &&Arg) -> bool {
    [b".".as_slice(), b"", b".*", b"^"]
        .iter()
        .any(|any| pattern.value.is(any))
}

/// What `fd '^node_modules$'` finds: some path that ends in the name, when the pattern is one name
/// from its start to its end.
fn whole_name(argv: &[Arg]) -> Option<Value> {
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    let first = *scan(argv, 1, &FD).operands.first()?;
    let pattern = argv.get(first)?.value.bytes()?;
    let name = pattern.strip_prefix(b"^")?.strip_suffix(b"$")?;
    if name.is_empty() || !name.iter().all(is_name) {
        return None;
    }
    let mut found = Value::unknown_words(crate::value::Origin::Names);
    found.push_text(b"/", None);
    found.push_text(name, None);
    Some(found)
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
