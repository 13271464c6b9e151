//! awk: programs by option, operand and file.

use super::interpreters::{code, code_file};
use super::options::{Spec, scan};
use super::words::behind;
use super::{Payload, Step};
use crate::code::Language;
use crate::execution::Arg;
use crate::value::Value;

static AWK: Spec = Spec::new(
    "F:v:f:e:E:i:l:o::d::D::p::L::bcCghIkMnNOPrsStVW:z:m:",
    "field-separator= assign= file= source= exec= include= load= pretty-print? \
         dump-variables? debug? profile? lint? characters-as-bytes traditional csv \
         copyright gen-pot help trace bignum use-lc-numeric non-decimal-data \
         optimize posix re-interval no-optimize sandbox lint-old version",
);

pub(super) fn awk(name: &str, argv: &[Arg]) -> Vec<Step> {
    let read = scan(argv, 1, &AWK);
    if read.has(&["V", "version", "help", "h", "copyright", "C"]) {
        return Vec::new();
    }
    let mut steps = Vec::new();
    for given in &read.given {
        let Some(operand) = &given.operand else {
            continue;
        };
        match given.name {
            "e" | "source" => steps.push(code(name, Language::Awk, operand)),
            "f" | "file" | "E" | "exec" | "i" | "include" => {
                steps.push(code_file(name, Language::Awk, operand, argv));
            }
            // mawk -W exec file
            "W" if operand.value.known_prefix().starts_with(b"exec=") => {
                steps.push(code_file(name, Language::Awk, &behind(operand, 5), argv));
            }
            _ => {}
        }
    }
    let programmed = read.has(&["e", "source", "f", "file", "E", "exec"]);
    if !programmed {
        let starts = read.starts.iter().filter_map(|start| argv.get(*start));
        steps.extend(starts.map(|program| code(name, Language::Awk, program)));
    }
    // Variables are set before the program begins.
    let set: Vec<Value> = read.all(&["v", "assign"]).filter_map(assigned).collect();
    if !set.is_empty() {
        for step in &mut steps {
            if let Payload::Code { text, .. } = &mut step.payload {
                let program = std::mem::take(text);
                set.iter().for_each(|value| text.append(value));
                text.append(&program);
            }
        }
    }
    steps
}

/// `-v name=value` as a statement of the language.
fn assigned(operand: &Arg) -> Option<Value> {
    let bytes = operand.value.bytes()?;
    let equals = bytes.iter().position(|byte| *byte == b'=')?;
    let (name, value) = bytes.split_at(equals);
    let mut out = [b"BEGIN { ".as_slice(), name, b" = \""].concat();
    for byte in value.get(1..)? {
        match byte {
            b'"' => out.extend_from_slice(b"\\\""),
            b'\n' => out.extend_from_slice(b"\\n"),
            byte => out.push(*byte),
        }
    }
    out.extend_from_slice(b"\" }\n");
    Some(Value::computed(out))
}
