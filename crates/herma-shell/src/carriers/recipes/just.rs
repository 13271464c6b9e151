//! Justfiles.

use super::super::words::lines;
use crate::execution::Arg;
use crate::value::Value;

/// What the recipes run, line by line, or as a whole where a recipe begins with `#!`; and what
/// stands in backticks.
pub(super) fn recipes(text: &Arg) -> Vec<Arg> {
    let mut out: Vec<Arg> = Vec::new();
    let mut script: Option<Arg> = None;
    let mut in_recipe = false;
    for line in lines(text) {
        let known = line.value.known_prefix();
        let indented = matches!(known.first(), Some(b' ' | b'\t'));
        if !indented {
            out.extend(script.take());
            in_recipe = false;
            if let Some(command) = in_backticks(&known) {
                out.push(Arg {
                    value: Value::computed(command),
                    span: line.span,
                });
            }
            continue;
        }
        let body = known.trim_ascii_start();
        let marks = body
            .iter()
            .take_while(|byte| matches!(byte, b'@' | b'-'))
            .count();
        let skipped = known.len() - body.len();
        if !in_recipe && body.starts_with(b"#!") {
            script = body.ends_with(b"sh").then(|| Arg {
                value: Value::empty(),
                span: line.span,
            });
        } else if let Some(script) = &mut script {
            script
                .value
                .append(&super::super::words::behind(&line, skipped).value);
            script.value.push_text(b"\n", None);
        } else {
            out.push(super::super::words::behind(&line, skipped + marks));
        }
        in_recipe = true;
    }
    out.extend(script);
    out
}

fn in_backticks(line: &[u8]) -> Option<Vec<u8>> {
    let from = line.iter().position(|byte| *byte == b'`')? + 1;
    let rest = line.get(from..)?;
    let end = rest.iter().position(|byte| *byte == b'`')?;
    rest.get(..end).map(<[u8]>::to_vec)
}
