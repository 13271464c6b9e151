//! The safer command that a rule names, about what the command at hand is about.
//!
//! `{operand}` is the command's last operand, `{operands}` all behind its subcommand.

use herma_shell::{Execution, Value};

/// The suggestion for an execution; none when it is for another program, or its operands cannot be
/// written down plainly.
pub(crate) fn fitted(template: &str, execution: &Execution) -> Option<String> {
    let first = template.split(' ').next()?;
    let program = execution.program()?;
    if program != first.as_bytes() || !execution.via.iter().all(|via| via.host.is_local()) {
        return None;
    }
    let operands: Vec<&Value> = execution
        .argv
        .iter()
        .skip(1)
        .map(|arg| &arg.value)
        .filter(|value| value.known_prefix().first() != Some(&b'-'))
        .collect();
    let mut out = template.to_owned();
    if template.contains("{operands}") {
        let words: Option<Vec<String>> =
            operands.iter().skip(1).map(|value| plain(value)).collect();
        out = out.replace("{operands}", &words?.join(" "));
    }
    if template.contains("{operand}") {
        let last = operands
            .last()
            .filter(|_| operands.len() > 1 || first == "cat")?;
        out = out.replace("{operand}", &plain(last)?);
    }
    Some(out.trim_end().to_owned())
}

/// The word, when the shell reads it as it stands.
fn plain(value: &Value) -> Option<String> {
    if value.has_glob() {
        return None;
    }
    let word = String::from_utf8(value.bytes()?.into_owned()).ok()?;
    let fits = !word.is_empty()
        && word
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"._/-@:".contains(&byte));
    fits.then_some(word)
}
