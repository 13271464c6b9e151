//! Git: aliases, settings and options that run programs.

use crate::execution::{Arg, Host};
use crate::source::Span;
use crate::syntax::Dialect;

use super::options::{Scan, Spec, scan};
use super::words::{behind, computed, split_quoted};
use super::{Command, Payload, Step};

static GLOBAL: Spec = Spec::new(
    "c:C:hpPv",
    "exec-path? git-dir= work-tree= namespace= super-prefix= config-env= \
         list-cmds= attr-source= paginate no-pager bare no-replace-objects \
         no-lazy-fetch no-optional-locks no-advice literal-pathspecs glob-pathspecs \
         noglob-pathspecs icase-pathspecs help version html-path man-path info-path",
);
static REBASE: Spec = Spec::anywhere(
    "x:s:X:C:S::ir::fnvqmkp",
    "exec= onto= strategy= strategy-option= gpg-sign? whitespace= empty= \
         rebase-merges? interactive keep-base update-refs autosquash autostash",
);
static DIFFTOOL: Spec = Spec::anywhere(
    "x:t:dgyO:S:G:U:l:",
    "extcmd= tool= dir-diff gui prompt no-prompt symlinks trust-exit-code \
         rotate-to= skip-to=",
);
static GREP: Spec = Spec::anywhere(
    "e:f:A:B:C:m:O::iIvwEGFPnlLcqhHoprzaW",
    "open-files-in-pager? threads= max-depth= max-count= context= \
         after-context= before-context= color?",
);
static TRANSFER: Spec = Spec::anywhere(
    "u:o:b:j:c:lnqvsfpkdS:X:",
    "upload-pack= receive-pack= exec= origin= branch= depth= jobs= config= \
         reference= reference-if-able= server-option= filter= template= \
         separate-git-dir= shallow-since= shallow-exclude= recurse-submodules? \
         bundle-uri= refmap= negotiation-tip= remote= format= prefix= output= \
         push-option= repo= sort= strategy= strategy-option= upload-archive=",
);
static FOREACH: Spec = Spec::new("q", "quiet recursive");
static MAIL: Spec = Spec::anywhere(
    "",
    "to-cmd= cc-cmd= header-cmd= sendmail-cmd= smtp-server= to= cc= bcc= from= \
         subject=",
);
static CONFIG: &str = "git -c";

/// Verbs that an alias cannot replace.
const BUILTIN: &[&str] = &[
    "add",
    "am",
    "apply",
    "archive",
    "bisect",
    "blame",
    "branch",
    "bundle",
    "cat-file",
    "checkout",
    "cherry",
    "cherry-pick",
    "clean",
    "clone",
    "commit",
    "config",
    "describe",
    "diff",
    "difftool",
    "fetch",
    "format-patch",
    "gc",
    "grep",
    "help",
    "init",
    "log",
    "ls-files",
    "ls-remote",
    "ls-tree",
    "merge",
    "mergetool",
    "mv",
    "notes",
    "pull",
    "push",
    "range-diff",
    "rebase",
    "reflog",
    "remote",
    "reset",
    "restore",
    "rev-parse",
    "revert",
    "rm",
    "shortlog",
    "show",
    "stash",
    "status",
    "submodule",
    "switch",
    "tag",
    "version",
    "worktree",
];

pub(super) fn carry(name: &str, command: &Command<'_>) -> Option<Vec<Step>> {
    if name != "git" && name != "hub" && name != "yadm" {
        return None;
    }
    let argv = command.argv;
    let read = scan(argv, 1, &GLOBAL);
    let mut steps = Vec::new();
    let settings = settings(command, &read, &mut steps);
    let Some(start) = read.starts.first().copied() else {
        return Some(steps);
    };
    let verb = argv.get(start).and_then(|arg| arg.value.bytes());
    let verb = verb
        .as_deref()
        .and_then(|verb| std::str::from_utf8(verb).ok());
    let rest = argv.get(start + 1..).unwrap_or_default();
    steps.extend(settings.iter().filter_map(configured));
    let alias = settings.iter().rfind(|setting| {
        let name = setting.key.strip_prefix(b"alias.");
        let name = name.map(|name| name.strip_suffix(b".command").unwrap_or(name));
        matches!((name, verb), (Some(name), Some(verb))
            if name.eq_ignore_ascii_case(verb.as_bytes()) && !BUILTIN.contains(&verb))
    });
    steps.extend(alias.and_then(|setting| aliased(argv, setting, start, rest)));
    if let Some(verb) = verb {
        steps.extend(verb_runs(verb, rest));
    }
    Some(steps)
}

/// How many settings of the environment are looked up.
const MAX_SETTINGS: usize = 256;

struct Setting {
    /// Section and variable in lower case, the subsection as written.
    key: Vec<u8>,
    value: Arg,
    /// The words of its `-c`, none for the environment.
    words: Option<(usize, usize)>,
}

/// The settings of `-c`, `--config-env` and `GIT_CONFIG_KEY_n`.
fn settings(command: &Command<'_>, read: &Scan, steps: &mut Vec<Step>) -> Vec<Setting> {
    let mut out = Vec::new();
    let variable = |name: &[u8]| {
        command
            .environment
            .iter()
            .rfind(|binding| binding.name == name)
            .map(|binding| Arg {
                value: binding.value.clone(),
                span: binding.span,
            })
    };
    for given in &read.given {
        let Some(operand) = &given.operand else {
            continue;
        };
        match given.name {
            "c" => {
                let head = operand.value.known_prefix();
                let Some(equals) = separator(&head) else {
                    continue;
                };
                out.push(Setting {
                    key: normal(head.get(..equals).unwrap_or_default()),
                    value: behind(operand, equals + 1),
                    words: Some((given.at, given.next)),
                });
            }
            "config-env" => {
                let head = operand.value.known_prefix();
                let Some(equals) = head.iter().rposition(|byte| *byte == b'=') else {
                    continue;
                };
                let key = normal(head.get(..equals).unwrap_or_default());
                match variable(head.get(equals + 1..).unwrap_or_default()) {
                    Some(value) => out.push(Setting {
                        key,
                        value,
                        words: Some((given.at, given.next)),
                    }),
                    None if runs(&key).is_some() || key.starts_with(b"alias.") => {
                        steps.push(Step::local(
                            "git --config-env",
                            Payload::Unresolved { span: operand.span },
                        ))
                    }
                    None => {}
                }
            }
            _ => {}
        }
    }
    for binding in command.environment {
        if out.len() > MAX_SETTINGS {
            break;
        }
        let Some(number) = binding.name.strip_prefix(b"GIT_CONFIG_KEY_") else {
            continue;
        };
        let Some(key) = binding.value.bytes() else {
            continue;
        };
        if let Some(value) = variable(&[b"GIT_CONFIG_VALUE_", number].concat()) {
            out.push(Setting {
                key: normal(&key),
                value,
                words: None,
            });
        }
    }
    out
}

/// The `=` behind the key; a subsection may hold one itself, variables cannot.
fn separator(head: &[u8]) -> Option<usize> {
    let first = head.iter().position(|byte| *byte == b'=')?;
    let dots = head
        .get(..first)?
        .iter()
        .filter(|byte| **byte == b'.')
        .count();
    if dots > 0 {
        return Some(first);
    }
    None
}

/// Section and variable are compared without case.
fn normal(key: &[u8]) -> Vec<u8> {
    let first = key
        .iter()
        .position(|byte| *byte == b'.')
        .unwrap_or(key.len());
    let last = key.iter().rposition(|byte| *byte == b'.').unwrap_or(0);
    key.iter()
        .enumerate()
        .map(|(at, byte)| {
            if at < first || at > last {
                byte.to_ascii_lowercase()
            } else {
                *byte
            }
        })
        .collect()
}

enum How {
    Text,
    Helper,
    UnlessBoolean,
    Path,
}

/// Whether a setting's value runs, and how.
fn runs(key: &[u8]) -> Option<How> {
    let section = key.split(|byte| *byte == b'.').next().unwrap_or_default();
    let last = key.rsplit(|byte| *byte == b'.').next().unwrap_or_default();
    Some(match (section, last) {
        (
            b"core",
            b"sshcommand"
            | b"pager"
            | b"editor"
            | b"askpass"
            | b"gitproxy"
            | b"alternaterefscommand",
        )
        | (b"sequence", b"editor")
        | (b"diff", b"external" | b"command" | b"textconv")
        | (b"merge", b"driver")
        | (b"mergetool" | b"difftool" | b"browser" | b"man" | b"guitool", b"cmd" | b"path")
        | (b"gpg", b"program" | b"defaultkeycommand")
        | (b"filter", b"clean" | b"smudge" | b"process")
        | (b"uploadpack", b"packobjectshook")
        | (b"sendemail", b"tocmd" | b"cccmd" | b"headercmd" | b"sendmailcmd")
        | (b"interactive", b"difffilter")
        | (b"trailer", b"command" | b"cmd")
        | (b"remote", b"uploadpack" | b"receivepack")
        | (b"hook" | b"tar" | b"pager", b"command")
        | (b"imap", b"tunnel")
        | (b"instaweb", b"httpd" | b"browser")
        | (b"web", b"browser") => How::Text,
        (b"pager", _) | (b"core", b"fsmonitor") => How::UnlessBoolean,
        (b"credential", b"helper") | (b"submodule", b"update") => How::Helper,
        (b"sendemail", b"smtpserver") => How::Path,
        _ => return None,
    })
}

fn configured(setting: &Setting) -> Option<Step> {
    // Urls may name a program: `ext::…`.
    if setting.key.starts_with(b"url.ext::") {
        let address = setting.key.strip_prefix(b"url.")?;
        let end = address.iter().rposition(|byte| *byte == b'.')?;
        return external(&computed(address.get(..end)?, setting.value.span));
    }
    if setting.key.starts_with(b"remote.") && setting.key.ends_with(b"url") {
        return external(&setting.value);
    }
    let head = setting.value.value.known_prefix();
    match runs(&setting.key)? {
        How::Text => Some(Step::text(CONFIG, &setting.value)),
        How::UnlessBoolean => {
            let boolean = setting.value.value.is_known()
                && matches!(
                    head.to_ascii_lowercase().as_slice(),
                    b"true" | b"false" | b"1" | b"0" | b"yes" | b"no" | b"on" | b"off" | b""
                );
            (!boolean).then(|| Step::text(CONFIG, &setting.value))
        }
        How::Helper if head.starts_with(b"!") => {
            Some(Step::text(CONFIG, &behind(&setting.value, 1)))
        }
        How::Helper | How::Path if head.starts_with(b"/") => {
            Some(Step::text(CONFIG, &setting.value))
        }
        How::Helper if !setting.value.value.is_known() && head.is_empty() => {
            Some(Step::text(CONFIG, &setting.value))
        }
        How::Helper | How::Path => None,
    }
}

/// `ext::program arguments` as a repository's address.
fn external(address: &Arg) -> Option<Step> {
    let head = address.value.known_prefix();
    if !head.starts_with(b"ext::") {
        return None;
    }
    let words: Vec<Arg> = super::words::cells(&behind(address, 5).value)
        .split(|cell| cell.byte() == Some(b' '))
        .filter(|part| !part.is_empty())
        .map(|part| super::words::word(part, address.span))
        .collect();
    Step::argv("git ext::", &words)
}

/// An alias: shell text behind `!`, with the other words as parameters; else words for git itself.
fn aliased(argv: &[Arg], setting: &Setting, start: usize, rest: &[Arg]) -> Option<Step> {
    let name = "git alias";
    if setting.value.value.known_prefix().starts_with(b"!") {
        let text = behind(&setting.value, 1);
        let mut value = text.value.clone();
        if !rest.is_empty() {
            value.push_text(b" \"$@\"", None);
        }
        let mut parameters = vec![text.value.clone()];
        parameters.extend(rest.iter().map(|arg| arg.value.clone()));
        return Some(Step::local(
            name,
            Payload::Shell {
                text: value,
                span: text.span,
                parameters,
                dialect: Dialect::Posix,
            },
        ));
    }
    // The alias itself does not hold inside its own expansion.
    let (from, to) = setting.words?;
    let mut words: Vec<Arg> = argv.get(..from)?.to_vec();
    words.extend(argv.get(to..start)?.iter().cloned());
    words.extend(split_quoted(&setting.value));
    words.extend(rest.iter().cloned());
    Step::argv(name, &words)
}

fn texts(via: &str, read: &Scan, names: &[&str]) -> Vec<Step> {
    read.all(names).map(|text| Step::text(via, text)).collect()
}

fn verb_runs(verb: &str, rest: &[Arg]) -> Vec<Step> {
    let via = format!("git {verb}");
    match verb {
        "rebase" => texts(&via, &scan(rest, 0, &REBASE), &["x", "exec"]),
        "difftool" => texts(&via, &scan(rest, 0, &DIFFTOOL), &["x", "extcmd"]),
        "grep" => texts(&via, &scan(rest, 0, &GREP), &["O", "open-files-in-pager"]),
        "send-email" => {
            let read = scan(rest, 0, &MAIL);
            texts(
                &via,
                &read,
                &["to-cmd", "cc-cmd", "header-cmd", "sendmail-cmd"],
            )
        }
        "filter-branch" => filter_branch(&via, rest),
        "bisect" => match rest {
            [run, words @ ..] if run.value.is(b"run") => {
                Step::argv("git bisect run", words).into_iter().collect()
            }
            _ => Vec::new(),
        },
        "submodule" => foreach(rest),
        "for-each-repo" => {
            let read = scan(rest, 0, &Spec::new("", "config= keep-going"));
            read.starts
                .first()
                .and_then(|start| rest.get(*start..))
                .map(|words| [&[computed(*b"git", first_span(words))], words].concat())
                .and_then(|words| Step::argv(&via, &words))
                .into_iter()
                .collect()
        }
        "clone" | "fetch" | "pull" | "push" | "ls-remote" | "fetch-pack" | "send-pack"
        | "archive" | "remote" | "submodule--helper" => transfer(verb, &via, rest),
        _ => Vec::new(),
    }
}

fn first_span(words: &[Arg]) -> Span {
    words.first().map(|arg| arg.span).unwrap_or_default()
}

fn filter_branch(via: &str, rest: &[Arg]) -> Vec<Step> {
    let spec = Spec::new(
        "d:fp",
        "setup= subdirectory-filter= env-filter= tree-filter= index-filter= \
         parent-filter= msg-filter= commit-filter= tag-name-filter= prune-empty \
         original= state-branch= force",
    );
    texts(
        via,
        &scan(rest, 0, &spec),
        &[
            "setup",
            "env-filter",
            "tree-filter",
            "index-filter",
            "parent-filter",
            "msg-filter",
            "commit-filter",
            "tag-name-filter",
        ],
    )
}

fn foreach(rest: &[Arg]) -> Vec<Step> {
    let outer = scan(rest, 0, &FOREACH);
    let Some(verb) = outer.starts.first().copied() else {
        return Vec::new();
    };
    if !rest.get(verb).is_some_and(|arg| arg.value.is(b"foreach")) {
        return Vec::new();
    }
    let inner = scan(rest, verb + 1, &FOREACH);
    let via = "git submodule foreach";
    inner
        .starts
        .iter()
        .filter_map(|start| match rest.get(*start..)? {
            [text] => Some(Step::text(via, text)),
            words => Step::argv(via, words),
        })
        .collect()
}

fn transfer(verb: &str, via: &str, rest: &[Arg]) -> Vec<Step> {
    // -u and -o differ between the verbs.
    let spec = match verb {
        "clone" => TRANSFER,
        "push" => Spec::anywhere("o:uqvfnd46", TRANSFER.long),
        _ => Spec::anywhere("o:j:s:X:uqvfnkpta46mlS::", TRANSFER.long),
    };
    let read = scan(rest, 0, &spec);
    let operands: Vec<&Arg> = read
        .operands
        .iter()
        .filter_map(|at| rest.get(*at))
        .collect();
    let mut steps: Vec<Step> = operands.iter().filter_map(|arg| external(arg)).collect();
    let remote = operands.iter().any(|arg| {
        let head = arg.value.known_prefix();
        let path = head.starts_with(b"file://") || head.starts_with(b"/") || head.starts_with(b".");
        !path && head.contains(&b':')
    });
    let host = if remote { Host::Remote } else { Host::Local };
    let names: &[&str] = if verb == "clone" {
        &["u", "upload-pack"]
    } else {
        &["upload-pack", "receive-pack", "exec"]
    };
    steps.extend(
        texts(via, &read, names)
            .into_iter()
            .map(|step| step.on(&host)),
    );
    if verb == "clone" {
        for arg in read.all(&["c", "config"]) {
            let head = arg.value.known_prefix();
            if let Some(equals) = separator(&head) {
                steps.extend(configured(&Setting {
                    key: normal(head.get(..equals).unwrap_or_default()),
                    value: behind(arg, equals + 1),
                    words: None,
                }));
            }
        }
    }
    steps
}
