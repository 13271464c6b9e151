//! Other parsers' opinion of what stands in command position.

use anyhow::Result;

use super::process::cargo_command;
use super::{Context, Outcome};

/// The comparison is a package of its own: it builds a C parser and a second shell parser.
pub(super) fn run(context: &Context) -> Result<Outcome> {
    let output = cargo_command(context)
        .args(["run", "--quiet", "--manifest-path"])
        .arg(context.repository.join("xtask/differential/Cargo.toml"))
        .arg("--")
        .arg(&context.repository)
        .arg(context.seed.to_string())
        .output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    print!("{text}");
    if !output.status.success() {
        eprint!("{}", String::from_utf8_lossy(&output.stderr));
    }
    let last = text.lines().last().unwrap_or("no answer").to_owned();
    Ok(if output.status.success() {
        Outcome::Passed(last)
    } else {
        Outcome::Failed(last)
    })
}
