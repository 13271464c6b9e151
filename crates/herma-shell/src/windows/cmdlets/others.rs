//! Cmdlets for programs, code, the network and the machine.

use super::Call;
use super::paths::path;
use crate::carriers::{Payload, Step};
use crate::execution::Arg;
use crate::syntax::Dialect;
use crate::value::{Piece, Value};

pub(super) fn carry(name: &str, call: &Call<'_>) -> Option<Vec<Step>> {
    let bound = &call.bound;
    let span = call.span();
    Some(match name {
        "invoke-expression" | "iex" => {
            let words = bound.value(&["command"], 0);
            if words.is_empty() {
                return Some(vec![call.step(Payload::ShellInput {
                    span,
                    parameters: Vec::new(),
                    dialect: Dialect::PowerShell,
                })]);
            }
            vec![code(call, &words)]
        }
        "invoke-command" => {
            let mut steps = Vec::new();
            for file in bound.named("filepath") {
                steps.push(script(call, &file));
            }
            steps
        }
        "import-module" => bound
            .value(&["name"], 0)
            .iter()
            .filter(|name| {
                name.value.bytes().is_none_or(|name| {
                    name.iter().any(|byte| b"/\\".contains(byte)) || is_script(&name)
                })
            })
            .map(|name| script(call, name))
            .collect(),
        "add-type" => {
            let code = ["typedefinition", "memberdefinition", "path", "literalpath"]
                .iter()
                .any(|name| bound.has(name))
                || !bound.rest(0).is_empty();
            code.then(|| call.step(Payload::Foreign { span }))
                .into_iter()
                .collect()
        }
        "set-alias" | "new-alias" => vec![call.step(Payload::Foreign { span })],
        "new-object" => {
            let com = bound.has("comobject");
            com.then(|| call.step(Payload::Foreign { span }))
                .into_iter()
                .collect()
        }
        "invoke-webrequest" | "invoke-restmethod" => vec![request(call)],
        "start-bitstransfer" => {
            let mut words = vec![call.word("-o")];
            let to = bound.value(&["destination"], 1);
            words.extend(to.iter().take(1).map(|to| path(to, true)));
            words.extend(bound.value(&["source"], 0));
            vec![call.runs(&["curl"], words)]
        }
        "start-process" => start(call),
        "invoke-item" => {
            let files = bound.value(&["path", "literalpath"], 0);
            vec![call.runs(&["start"], files)]
        }
        "stop-process" => stop(call),
        "stop-computer" => vec![call.runs(&["shutdown", "-h", "now"], Vec::new())],
        "restart-computer" => vec![call.runs(&["reboot"], Vec::new())],
        _ => return None,
    })
}

fn is_script(name: &[u8]) -> bool {
    let lower = name.to_ascii_lowercase();
    [b".ps1".as_slice(), b".psm1", b".psd1"]
        .iter()
        .any(|end| lower.ends_with(end))
}

fn script(call: &Call<'_>, file: &Arg) -> Step {
    let file = path(file, true);
    call.step(Payload::ShellFile {
        path: file.value,
        span: file.span,
        parameters: Vec::new(),
        dialect: Dialect::PowerShell,
    })
}

/// Words as one text.
pub(super) fn code(call: &Call<'_>, words: &[Arg]) -> Step {
    let mut text = Value::empty();
    let mut span = call.span();
    for (index, word) in words.iter().enumerate() {
        if index == 0 {
            span = word.span;
        } else {
            text.push_text(b"\n", None);
        }
        text.append(&word.value);
    }
    call.step(Payload::Shell {
        text,
        span,
        parameters: Vec::new(),
        dialect: Dialect::PowerShell,
    })
}

fn request(call: &Call<'_>) -> Step {
    let bound = &call.bound;
    let mut words = Vec::new();
    let mut option = |name: &str, values: Vec<Arg>| {
        for value in values.into_iter().take(1) {
            words.push(call.word(name));
            words.push(value);
        }
    };
    option("-X", bound.value(&["method", "custommethod"], usize::MAX));
    option(
        "-o",
        bound
            .named("outfile")
            .iter()
            .map(|file| path(file, true))
            .collect(),
    );
    option("-d", bound.named("body"));
    option(
        "-T",
        bound
            .named("infile")
            .iter()
            .map(|file| path(file, true))
            .collect(),
    );
    if bound.has("outfile") || bound.has("o") {
        // What is fetched goes into the file.
    }
    let url = bound.value(&["uri"], 0);
    words.extend(url.into_iter().take(1));
    call.runs(&["curl"], words)
}

/// A program with its arguments, which are text that the program splits.
fn start(call: &Call<'_>) -> Vec<Step> {
    let bound = &call.bound;
    let file = bound.value(&["filepath"], 0);
    let Some(file) = file.first() else {
        return Vec::new();
    };
    let at = usize::from(!bound.has("filepath"));
    let arguments = bound.value(&["argumentlist", "args"], at);
    let mut words = Vec::new();
    let elevated = bound.named("verb").iter().any(|verb| {
        verb.value
            .bytes()
            .is_some_and(|verb| verb.eq_ignore_ascii_case(b"runas"))
    });
    if elevated {
        words.push(call.word("sudo"));
    }
    let mut program = path(file, true);
    if let Some(name) = file.value.bytes() {
        program.value = Value::computed(crate::windows::names::program(&name));
    }
    words.push(program);
    for argument in &arguments {
        words.extend(split(argument));
    }
    let cwd = bound
        .named("workingdirectory")
        .first()
        .map(|directory| path(directory, true).value);
    vec![call.step(Payload::Argv {
        words,
        environment: Vec::new(),
        cwd,
        input_taken: false,
    })]
}

/// A line of arguments as words: double quotes keep blanks.
fn split(argument: &Arg) -> Vec<Arg> {
    let mut words = Vec::new();
    let mut current = Value::empty();
    let mut open = false;
    let mut quoted = false;
    for piece in &argument.value.pieces {
        let Piece::Text { bytes, at } = piece else {
            current.pieces.push(piece.clone());
            open = true;
            continue;
        };
        for (index, byte) in bytes.iter().enumerate() {
            match byte {
                b'"' => {
                    quoted = !quoted;
                    open = true;
                }
                b' ' | b'\t' if !quoted => {
                    if open {
                        words.push(std::mem::take(&mut current));
                    }
                    open = false;
                }
                byte => {
                    let offset = u32::try_from(index).unwrap_or(u32::MAX);
                    current.push_text(&[*byte], at.map(|at| at.saturating_add(offset)));
                    open = true;
                }
            }
        }
    }
    if open {
        words.push(current);
    }
    words
        .into_iter()
        .map(|value| Arg {
            value,
            span: argument.span,
        })
        .collect()
}

fn stop(call: &Call<'_>) -> Vec<Step> {
    let bound = &call.bound;
    let names = bound.value(&["name", "processname"], usize::MAX);
    let ids = bound.value(&["id"], 0);
    let force = bound.has("force");
    let mut steps = Vec::new();
    for name in names {
        let words: &[&str] = if force { &["pkill", "-9"] } else { &["pkill"] };
        steps.push(call.runs(words, vec![name]));
    }
    let ids = if ids.is_empty() && steps.is_empty() && call.command.stdin.is_some() {
        call.piped()
    } else {
        ids
    };
    if !ids.is_empty() {
        let words: &[&str] = if force { &["kill", "-9"] } else { &["kill"] };
        steps.push(call.runs(words, ids));
    }
    steps
}
