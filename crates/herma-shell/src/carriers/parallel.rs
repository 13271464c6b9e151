//! GNU parallel: a template filled with arguments and given to a shell.

use crate::execution::Arg;
use crate::syntax::Dialect;
use crate::value::{Origin, Value};

use super::options::{Spec, scan};
use super::privilege::argv_span;
use super::words::{cells, computed, join, lines, word};
use super::xargs::{a_name, replace_in};
use super::{Command, Payload, Step, shells};

static PARALLEL: Spec = Spec::new(
    "a:d:E:I:j:P:S:N:n:L:l::s:C:W:M:i::qukmXx0trvpDgz",
    "arg-file= arg-sep= arg-file-sep= bar bg basefile= block= cat cleanup \
         colsep= compress-program= delay= delimiter= dry-run dryrun env= eof? eta \
         fifo fg group halt= header= hostgroups id= joblog= jobs= keep-order \
         line-buffer link load= limit= max-args= max-chars= max-line-length-allowed \
         max-lines? max-procs= max-replace-args= memfree= memsuspend= nice= \
         no-notice no-run-if-empty null onall nonall output-as-files parens= pipe \
         pipepart plain plus profile= progress quote recend= recstart= replace? \
         results= resume resume-failed retries= return= rpl= semaphore \
         semaphorename= semaphoretimeout= seqreplace= shebang shellquote shuf \
         silent ssh= sshdelay= sshlogin= sshloginfile= sqlmaster= swap tag \
         tagstring= tempdir= tmpdir= tee termseq= timeout= tmux total-jobs= \
         transferfile= trc= trim= ungroup use-cpus-instead-of-cores verbose version \
         wait will-cite workdir= xapply xargs help citation number-of-cpus \
         number-of-cores tty interactive",
);
/// How many combinations of arguments are told apart.
const MAX_RUNS: usize = 64;

pub(super) fn carry(name: &str, command: &Command<'_>) -> Option<Vec<Step>> {
    if name == "sem" {
        return Some(semaphore(command.argv));
    }
    if name != "parallel" && name != "env_parallel" && name != "rush" {
        return None;
    }
    let argv = command.argv;
    let read = scan(argv, 1, &PARALLEL);
    if read.has(&[
        "version",
        "help",
        "dry-run",
        "dryrun",
        "shellquote",
        "citation",
        "number-of-cpus",
        "number-of-cores",
    ]) {
        return Some(Vec::new());
    }
    let mark = read
        .last(&["I"])
        .and_then(|arg| arg.value.bytes())
        .map_or_else(|| b"{}".to_vec(), |bytes| bytes.into_owned());
    let piped = read.has(&["pipe", "pipepart"]);
    let from_file = read.has(&["a", "arg-file"]);
    let mut steps = Vec::new();
    if read.starts.is_empty() && !piped {
        return Some(from_input(name, command, from_file));
    }
    for start in &read.starts {
        let words = argv.get(*start..).unwrap_or_default();
        let end = words.iter().position(is_separator).unwrap_or(words.len());
        let (template, rest) = words.split_at(end);
        let input = Arg {
            value: command
                .stdin
                .filter(|_| !from_file && !piped)
                .cloned()
                .unwrap_or_else(|| Value::unknown_words(Origin::Names)),
            span: argv.first().map(|arg| arg.span).unwrap_or_default(),
        };
        let sources = if rest.is_empty() && !piped {
            vec![Source::input(&input)]
        } else {
            sources(rest)
        };
        let template = Template {
            name,
            words: template,
            mark: &mark,
            appends: !piped,
        };
        // Long templates are filled less often, so that the work stays linear.
        let size: usize = template
            .words
            .iter()
            .map(|arg| arg.value.known_prefix().len())
            .sum();
        let runs = (65_536 / (size + 1)).clamp(1, MAX_RUNS);
        let wanted = sources
            .iter()
            .fold(1_usize, |all, source| all.saturating_mul(source.0.len()));
        for combination in combinations(&sources).into_iter().take(runs) {
            steps.extend(template.filled(&combination));
        }
        if wanted > runs {
            // Unknown arguments stand for all that are too many.
            steps.extend(template.filled(&vec![None; sources.len()]));
        }
    }
    Some(steps)
}

/// Without words every line of the input is a command.
fn from_input(name: &str, command: &Command<'_>, from_file: bool) -> Vec<Step> {
    let span = argv_span(command.argv);
    if from_file {
        return vec![Step::local(name, Payload::Unresolved { span })];
    }
    match command.stdin {
        Some(text) => vec![Step::text(
            name,
            &Arg {
                value: text.clone(),
                span,
            },
        )],
        None => vec![shells::input(name, span, Dialect::Posix)],
    }
}

/// `sem` runs its words once.
fn semaphore(argv: &[Arg]) -> Vec<Step> {
    scan(argv, 1, &PARALLEL)
        .starts
        .iter()
        .filter_map(|start| join(argv.get(*start..)?))
        .map(|text| Step::text("sem", &text))
        .collect()
}

fn is_separator(arg: &Arg) -> bool {
    [&b":::"[..], b"::::", b":::+", b"::::+"]
        .iter()
        .any(|mark| arg.value.is(mark))
}

/// Where the arguments of one `:::` come from; `None` where they cannot be known.
struct Source(Vec<Option<Arg>>);

impl Source {
    fn input(input: &Arg) -> Self {
        if !input.value.is_known() {
            return Self(vec![None]);
        }
        let mut items: Vec<Option<Arg>> = lines(input).into_iter().map(Some).collect();
        if items
            .last()
            .is_some_and(|last| last.as_ref().is_some_and(|arg| arg.value.pieces.is_empty()))
        {
            items.pop();
        }
        Self(items)
    }
}

fn sources(words: &[Arg]) -> Vec<Source> {
    let mut out: Vec<Source> = Vec::new();
    let mut from_files = false;
    for arg in words {
        if is_separator(arg) {
            from_files = arg.value.known_prefix().starts_with(b"::::");
            out.push(Source(Vec::new()));
        } else if let Some(source) = out.last_mut() {
            let known = !from_files && arg.value.is_known();
            source.0.push(known.then(|| arg.clone()));
        }
    }
    out
}

fn combinations(sources: &[Source]) -> Vec<Vec<Option<Arg>>> {
    let mut out: Vec<Vec<Option<Arg>>> = vec![Vec::new()];
    for source in sources {
        let mut next = Vec::new();
        for before in &out {
            for item in &source.0 {
                if next.len() >= MAX_RUNS {
                    break;
                }
                let mut own = before.clone();
                own.push(item.clone());
                next.push(own);
            }
        }
        out = next;
    }
    out
}

struct Template<'a> {
    name: &'a str,
    words: &'a [Arg],
    mark: &'a [u8],
    appends: bool,
}

impl Template<'_> {
    fn filled(&self, items: &[Option<Arg>]) -> Vec<Step> {
        let Some(text) = join(self.words) else {
            // Each argument is a command of its own.
            return match items {
                [Some(text)] => vec![Step::text(self.name, text)],
                [None] => vec![Step::text(
                    self.name,
                    &Arg {
                        value: Value::unknown(Origin::Names),
                        span: crate::source::Span::default(),
                    },
                )],
                _ => items
                    .iter()
                    .flatten()
                    .map(|text| Step::text(self.name, text))
                    .collect(),
            };
        };
        let plain = text.value.is_known()
            && cells(&text.value).iter().all(|cell| {
                cell.byte().is_some_and(|byte| {
                    byte.is_ascii_alphanumeric() || b" -_./:=,@%+{}".contains(&byte) || byte >= 0x80
                })
            });
        if !plain {
            return vec![Step::text(self.name, &self.quoted(&text, items))];
        }
        // Without anything that the shell would interpret the words are the program's.
        let words: Vec<Arg> = cells(&text.value)
            .split(|cell| cell.byte() == Some(b' '))
            .filter(|part| !part.is_empty())
            .map(|part| word(part, text.span))
            .collect();
        let (mut out, used) = self.replaced(&words, items, |item| item.value.clone());
        if !used && self.appends {
            out.extend(items.iter().map(|item| {
                item.clone().unwrap_or_else(|| Arg {
                    value: Value::unknown_words(Origin::Names),
                    span: text.span,
                })
            }));
        }
        if out.is_empty() {
            return Vec::new();
        }
        vec![Step::local(
            self.name,
            Payload::Argv {
                words: out,
                environment: Vec::new(),
                cwd: None,
                input_taken: self.appends,
            },
        )]
    }

    fn replaced(
        &self,
        words: &[Arg],
        items: &[Option<Arg>],
        by: impl Fn(&Arg) -> Value,
    ) -> (Vec<Arg>, bool) {
        let mut out = words.to_vec();
        for (index, item) in items.iter().enumerate() {
            let value = item.as_ref().map_or_else(a_name, &by);
            let numbered = format!("{{{}}}", index + 1);
            for arg in &mut out {
                arg.value = replace_in(&arg.value, numbered.as_bytes(), &value);
                if items.len() == 1 {
                    arg.value = replace_in(&arg.value, self.mark, &value);
                    for mark in [&b"{.}"[..], b"{/}", b"{//}", b"{/.}"] {
                        arg.value = replace_in(&arg.value, mark, &a_name());
                    }
                }
            }
        }
        let used = out != words;
        (out, used)
    }

    /// The template as shell text with known arguments in single quotes; an unknown one is left out
    /// of the text, so that the rest of it is still read.
    fn quoted(&self, text: &Arg, items: &[Option<Arg>]) -> Arg {
        let known: Vec<Option<Arg>> = items
            .iter()
            .map(|item| Some(item.clone().unwrap_or_else(|| computed(*b"{}", text.span))))
            .collect();
        let quote = |item: &Arg| {
            let mut value = Value::computed(*b"'");
            value.append(&replace_in(&item.value, b"'", &Value::computed(*b"'\\''")));
            value.push_text(b"'", None);
            value
        };
        let (mut out, used) = self.replaced(std::slice::from_ref(text), &known, quote);
        let mut filled = out.pop().unwrap_or_else(|| text.clone());
        if !used && self.appends {
            for item in known.iter().flatten() {
                filled.value.push_text(b" ", None);
                filled.value.append(&quote(item));
            }
        }
        filled
    }
}
