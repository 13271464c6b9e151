//! Editors and pagers with commands that run shell text.

mod scripts;

use crate::execution::Arg;

use super::literals::behind_names;
use super::options::{Spec, scan};
use super::sed::sed;
use super::words::{behind, cells, lines, word};
use super::{Command, Step};

static VIM: Spec = Spec::anywhere(
    "c:S:su:U:w:W:i:T:r::t:q:L:N eEvdyRZmMbnAHFlDfgxXoOpP-h",
    "cmd= servername= remote remote-send= remote-expr= startuptime= literal \
         noplugin not-a-term clean headless embed listen= server= version help",
);
static ED: Spec = Spec::anywhere(
    "Gsp:rvElhV",
    "prompt= quiet silent traditional restricted loose-exit-status help version",
);
static EMACS: Spec = Spec::anywhere(
    "qQe:f:l:u:t:d:nwT:L:a:s:",
    "eval= execute= funcall= load= batch script= quick no-init-file daemon? \
         fg-daemon? chdir= user= terminal= display= directory= insert= kill tramp \
         version help alternate-editor= socket-name= server-file= tty no-wait \
         create-frame",
)
.single_dash();

const SYSTEM: &[&str] = &[
    "system",
    "systemlist",
    "termopen",
    "job_start",
    "jobstart",
    "os.execute",
    "io.popen",
    "vim.fn.system",
];

pub(super) fn carry(name: &str, command: &Command<'_>) -> Option<Vec<Step>> {
    let argv = command.argv;
    let base = name.split('.').next().unwrap_or(name);
    Some(match base {
        "vim" | "vi" | "nvim" | "ex" | "view" | "gvim" | "rvim" | "nvi" | "elvis" | "vimdiff"
        | "mvim" | "gview" => vim(name, command, base == "ex"),
        "ed" | "red" => ed(name, command),
        "sed" | "gsed" => sed(name, argv),
        "emacs" | "emacsclient" => {
            let read = scan(argv, 1, &EMACS);
            let mut names: Vec<&Arg> = read.all(&["eval", "execute"]).collect();
            if name == "emacsclient" && read.has(&["e", "eval"]) {
                names.extend(read.operands.iter().filter_map(|at| argv.get(*at)));
            }
            names.extend(read.all(&["e"]));
            let effects = names.iter().flat_map(|text| scripts::calls(name, text));
            let effects: Vec<Step> = effects.collect();
            names
                .into_iter()
                .flat_map(|text| {
                    behind_names(
                        text,
                        &[
                            "shell-command",
                            "shell-command-to-string",
                            "async-shell-command",
                            "call-process-shell-command",
                            "start-process-shell-command",
                            "compile",
                        ],
                    )
                })
                .map(|text| Step::text(&format!("{name} --eval"), &text))
                .chain(effects)
                .collect()
        }
        "less" | "more" | "most" => argv
            .iter()
            .skip(1)
            .filter_map(|arg| {
                let head = arg.value.known_prefix();
                let marks = head.iter().take_while(|byte| **byte == b'+').count();
                let runs = marks > 0 && head.get(marks) == Some(&b'!');
                runs.then(|| Step::text(&format!("{name} +!"), &behind(arg, marks + 1)))
            })
            .collect(),
        _ => return None,
    })
}

fn vim(name: &str, command: &Command<'_>, ex: bool) -> Vec<Step> {
    let argv = command.argv;
    let read = scan(argv, 1, &VIM);
    let mut texts: Vec<Arg> = read.all(&["c", "cmd"]).cloned().collect();
    texts.extend(
        argv.iter()
            .skip(1)
            .filter(|arg| arg.value.known_prefix().starts_with(b"+"))
            .map(|arg| behind(arg, 1)),
    );
    if ex || read.has(&["e", "E", "s"]) {
        texts.extend(command.stdin.map(|value| Arg {
            value: value.clone(),
            span: super::privilege::argv_span(argv),
        }));
    }
    let mut steps = Vec::new();
    let opened = scripts::opened(command, &read);
    for text in &texts {
        for line in lines(text) {
            steps.extend(scripts::effects(name, &line, &opened));
            steps.extend(ex_command(&line).map(|text| Step::text(&format!("{name} -c"), &text)));
            steps.extend(
                behind_names(&line, SYSTEM)
                    .iter()
                    .map(|text| Step::text(&format!("{name} -c"), text)),
            );
        }
    }
    steps
}

/// The shell text of an Ex command: `!text`, `:%!text`, `r !text`, `w !text`, `silent !text`.
fn ex_command(line: &Arg) -> Option<Arg> {
    let all = cells(&line.value);
    let mut from = 0;
    for (at, cell) in all.iter().enumerate() {
        match cell.byte() {
            // A bar ends a command, but not one that runs shell text.
            Some(b'|') => from = at + 1,
            Some(b'!') => {
                // What may stand in front is short.
                if at - from > 256 {
                    return None;
                }
                let before: Vec<u8> = all
                    .get(from..at)
                    .unwrap_or_default()
                    .iter()
                    .map(|cell| cell.byte().unwrap_or(b'?'))
                    .collect();
                if runs_shell(&before) {
                    return Some(word(all.get(at + 1..).unwrap_or_default(), line.span));
                }
            }
            _ => {}
        }
    }
    let text: Vec<u8> = line.value.known_prefix();
    let lead = text
        .iter()
        .take_while(|byte| matches!(byte, b':' | b' '))
        .count();
    let terminal = text.get(lead..).is_some_and(|rest| {
        rest.starts_with(b"terminal ") || rest.starts_with(b"term ") || rest.starts_with(b"te ")
    });
    terminal.then(|| {
        let gap = text
            .iter()
            .skip(lead)
            .take_while(|byte| **byte != b' ')
            .count();
        behind(line, lead + gap)
    })
}

/// Whether a `!` behind this begins shell text.
fn runs_shell(before: &[u8]) -> bool {
    let spaced = before.last().is_some_and(u8::is_ascii_whitespace);
    let words: Vec<&[u8]> = before
        .split(|byte| byte.is_ascii_whitespace() || *byte == b':')
        .filter(|word| !word.is_empty())
        .collect();
    let range = |word: &[u8]| {
        word.iter()
            .all(|byte| b"0123456789%,.$+-;'<>?".contains(byte))
    };
    let modifier = |word: &[u8]| {
        matches!(
            word,
            b"silent"
                | b"silent!"
                | b"sil"
                | b"sil!"
                | b"noautocmd"
                | b"noa"
                | b"bufdo"
                | b"argdo"
                | b"windo"
                | b"tabdo"
                | b"exe"
                | b"execute"
                | b"vert"
                | b"vertical"
                | b"confirm"
                | b"verbose"
        )
    };
    let Some((last, rest)) = words.split_last() else {
        return true;
    };
    if !rest.iter().all(|word| range(word) || modifier(word)) {
        return false;
    }
    let verb = last
        .iter()
        .position(|byte| byte.is_ascii_alphabetic())
        .and_then(|at| last.get(at..))
        .unwrap_or_default();
    if range(last) {
        return true;
    }
    if spaced {
        modifier(last) || matches!(verb, b"r" | b"re" | b"read" | b"w" | b"wr" | b"write")
    } else {
        matches!(verb, b"r" | b"re" | b"read")
    }
}

fn ed(name: &str, command: &Command<'_>) -> Vec<Step> {
    let read = scan(command.argv, 1, &ED);
    let mut steps: Vec<Step> = read
        .operands
        .iter()
        .filter_map(|at| command.argv.get(*at))
        .filter(|arg| arg.value.known_prefix().starts_with(b"!"))
        .map(|arg| Step::text(name, &behind(arg, 1)))
        .collect();
    if name == "red" {
        return Vec::new();
    }
    if let Some(value) = command.stdin {
        let text = Arg {
            value: value.clone(),
            span: super::privilege::argv_span(command.argv),
        };
        let opened = scripts::opened(command, &read);
        for line in &lines(&text) {
            steps.extend(ex_command(line).map(|text| Step::text(name, &text)));
            steps.extend(scripts::effects(name, line, &opened));
        }
    }
    steps
}
