//! Other parsers' opinion of what stands in command position.

use std::time::Duration;

use anyhow::Result;

use super::process::{cargo_command, finish};
use super::{Context, Outcome};
use crate::oracle;

/// Random texts beside the labelled ones.
const TEXTS: usize = 4_000;

/// The comparison is a package of its own: it builds a C parser and a second shell parser.
pub(super) fn run(context: &Context) -> Result<Outcome> {
    let manifest = context.repository.join("xtask/differential/Cargo.toml");
    let built = cargo_command(context)
        .args(["build", "--quiet", "--manifest-path"])
        .arg(&manifest)
        .status()?;
    if !built.success() {
        return Ok(Outcome::Failed("it does not build".to_owned()));
    }
    let mut input = String::new();
    for text in oracle::texts(&context.repository, context.seed, TEXTS)? {
        if let Ok(text) = String::from_utf8(text) {
            input.push_str(&serde_json::Value::from(text).to_string());
            input.push('\n');
        }
    }
    let mut command = std::process::Command::new(context.target.join("debug/differential"));
    command.arg(context.repository.join("docs/parser-differences.md"));
    let done = finish(&mut command, input.as_bytes(), Duration::from_secs(600))?;
    let text = String::from_utf8_lossy(&done.output).into_owned();
    print!("{text}{}", String::from_utf8_lossy(&done.errors));
    let last = text.lines().last().unwrap_or("no answer").to_owned();
    let fine = done.status.is_some_and(|status| status.success());
    Ok(if fine {
        Outcome::Passed(last)
    } else {
        Outcome::Failed(last)
    })
}
