//! The crate's own tests as a user who owns nothing: `cargo test` may have run them as root, for
//! whom other directories are open.

use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use serde_json::Value;

use super::super::Context;
use super::super::process::{bare_herma, cargo_command, finish};

/// When the tests count as hanging.
const LIMIT: Duration = Duration::from_secs(300);

/// Why they fail; `None` when they pass.
pub(super) fn faults(context: &Context, user: &[&str], base: &Path) -> Result<Option<String>> {
    let program = base.join("tests");
    fs::copy(built(context)?, &program)?;
    let (first, words) = user.split_first().context("a user")?;
    let mut command = bare_herma(Path::new(first), base);
    command
        .args(words)
        .arg(&program)
        .arg("--quiet")
        .env("TMPDIR", std::env::temp_dir());
    let done = finish(&mut command, b"", LIMIT)?;
    let passed = done.status.is_some_and(|status| status.success());
    Ok((!passed).then(|| done.text()))
}

/// The program that cargo makes of the crate's tests.
fn built(context: &Context) -> Result<String> {
    let mut command = cargo_command(context);
    command.args(["test", "--quiet", "--package", "herma-paths", "--lib"]);
    command.args(["--no-run", "--message-format=json"]);
    let done = command.output().context("cargo")?;
    let program = String::from_utf8_lossy(&done.stdout)
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .filter_map(|message| Some(message.get("executable")?.as_str()?.to_owned()))
        .next_back();
    match program {
        Some(program) => Ok(program),
        None => bail!("{}", String::from_utf8_lossy(&done.stderr)),
    }
}
