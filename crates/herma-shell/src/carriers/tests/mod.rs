//! What carriers hand on, spelled as plain words.

mod bounds;
mod containers;
mod editors;
mod git;
mod hosts;
mod interpreters;
mod lists;
mod output;
mod shells;
mod terminals;
mod tools;
mod wrappers;

use super::{Command, Payload, Step, carry};
use crate::execution::{Arg, Binding, Host};
use crate::source::Span;
use crate::value::{Origin, Value};

/// Words by blanks; single quotes group, `$NAME` is a word that cannot be known.
pub(super) fn words(line: &str) -> Vec<Arg> {
    let bytes = line.as_bytes();
    let mut out = Vec::new();
    let mut value = Value::empty();
    let mut start = None;
    let mut quoted = false;
    let mut unknown = false;
    for (at, byte) in bytes.iter().enumerate() {
        let offset = u32::try_from(at).unwrap();
        match byte {
            b'$' if !quoted && start.is_none() => {
                start = Some(offset);
                unknown = true;
            }
            b'\'' => {
                quoted = !quoted;
                start.get_or_insert(offset);
            }
            b' ' if !quoted => {
                if let Some(from) = start.take() {
                    let known = std::mem::take(&mut value);
                    out.push(Arg {
                        value: named(known, std::mem::take(&mut unknown)),
                        span: Span::new(from, offset),
                    });
                }
            }
            _ => {
                start.get_or_insert(offset);
                value.push_text(&[*byte], Some(offset));
            }
        }
    }
    if let Some(from) = start {
        out.push(Arg {
            value: named(value, unknown),
            span: Span::new(from, u32::try_from(bytes.len()).unwrap()),
        });
    }
    out
}

fn named(value: Value, unknown: bool) -> Value {
    if unknown {
        Value::unknown(Origin::Variable(value.known_prefix()))
    } else {
        value
    }
}

pub(super) fn show(value: &Value) -> String {
    let mut out = String::new();
    for piece in &value.pieces {
        match piece {
            crate::value::Piece::Text { bytes, .. } => {
                out.push_str(&String::from_utf8_lossy(bytes))
            }
            crate::value::Piece::Glob { pattern, .. } => {
                out.push_str(&format!("<{}>", String::from_utf8_lossy(pattern)));
            }
            crate::value::Piece::Unset(_) => {}
            crate::value::Piece::Unknown(unknown) => {
                out.push_str(if unknown.many { "<?..>" } else { "<?>" })
            }
        }
    }
    out
}

fn list<'a>(values: impl Iterator<Item = &'a Value>) -> String {
    values.map(show).collect::<Vec<_>>().join("|")
}

/// One line for each step: the carrier, the kind, and what it gets.
pub(super) fn render(step: &Step) -> String {
    let host = match &step.via.host {
        Host::Root(root) => format!("@root[{}] ", show(root)),
        Host::Local => String::new(),
        Host::Remote => "@remote ".to_owned(),
        Host::Container(mounts) => {
            let mounts: Vec<_> = mounts
                .iter()
                .map(|(from, to)| format!("{}:{}", show(from), show(to)))
                .collect();
            format!("@container[{}] ", mounts.join(","))
        }
    };
    let what = match &step.payload {
        Payload::Argv {
            words, environment, ..
        } => {
            let mut out: String = environment
                .iter()
                .map(|binding| {
                    format!(
                        "{}={} ",
                        String::from_utf8_lossy(&binding.name),
                        show(&binding.value)
                    )
                })
                .collect();
            out.push_str(&list(words.iter().map(|arg| &arg.value)));
            format!("argv {out}")
        }
        Payload::Shell {
            text, parameters, ..
        } => {
            let mut out = format!("text {}", show(text));
            if !parameters.is_empty() {
                out.push_str(&format!(" ({})", list(parameters.iter())));
            }
            out
        }
        Payload::ShellFile {
            path, parameters, ..
        } => {
            let mut out = format!("file {}", show(path));
            if !parameters.is_empty() {
                out.push_str(&format!(" ({})", list(parameters.iter())));
            }
            out
        }
        Payload::ShellInput { .. } => "input".to_owned(),
        Payload::Code { language, text, .. } => format!("{language:?} {}", show(text)),
        Payload::CodeFile { language, path, .. } => format!("{language:?} file {}", show(path)),
        Payload::CodeInput { language, .. } => format!("{language:?} input"),
        Payload::Foreign { .. } => "foreign".to_owned(),
        Payload::Unresolved { .. } => "unresolved".to_owned(),
    };
    format!("{host}{}: {what}", step.via.name)
}

fn render_all(steps: &[Step]) -> Vec<String> {
    steps.iter().map(render).collect()
}

pub(super) fn carried(line: &str) -> Vec<String> {
    let argv = words(line);
    render_all(&carry(&Command {
        argv: &argv,
        stdin: None,
        environment: &[],
    }))
}

pub(super) fn carried_with(line: &str, input: &str) -> Vec<String> {
    let argv = words(line);
    let stdin = Value::computed(input);
    render_all(&carry(&Command {
        argv: &argv,
        stdin: Some(&stdin),
        environment: &[],
    }))
}

pub(super) fn carried_in(line: &str, name: &str, value: &str) -> Vec<String> {
    let argv = words(line);
    let environment = [Binding {
        name: name.as_bytes().to_vec(),
        value: Value::computed(value),
        span: Span::default(),
    }];
    render_all(&carry(&Command {
        argv: &argv,
        stdin: None,
        environment: &environment,
    }))
}

/// Each line carries exactly these steps.
pub(super) fn table(rows: &[(&str, &[&str])]) {
    let wrong: Vec<String> = rows
        .iter()
        .filter_map(|(line, expected)| {
            let got = carried(line);
            (got != *expected).then(|| format!("{line}\n     got {got:?}\n  wanted {expected:?}"))
        })
        .collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// None of these lines carries anything.
pub(super) fn silent(lines: &[&str]) {
    for line in lines {
        assert_eq!(carried(line), Vec::<String>::new(), "{line}");
    }
}

#[test]
fn what_is_no_carrier_carries_nothing() {
    silent(&[
        "echo reboot",
        "rm -rf /",
        "grep sudo reboot",
        "$X reboot",
        "ls",
    ]);
}

#[test]
fn text_cut_out_of_a_word_keeps_its_place() {
    let argv = words("env --split-string=reboot");
    let steps = carry(&Command {
        argv: &argv,
        stdin: None,
        environment: &[],
    });
    let Some(Payload::Argv { words, .. }) = steps.first().map(|step| &step.payload) else {
        unreachable!("no words");
    };
    assert_eq!(words[0].value.first_written(), Some(19));
    assert_eq!(words[0].span, Span::new(19, 25));
}
