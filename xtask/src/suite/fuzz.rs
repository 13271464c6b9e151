//! A short, deterministic fuzz run in this process; `fuzz/` holds the coverage-guided targets.

use anyhow::Result;

use super::process::cargo_command;
use super::{Context, Outcome, patterns};
use crate::oracle::smoke;

/// Texts by default and with `--long`.
const QUICK: usize = 20_000;
const LONG: usize = 1_000_000;

pub(super) fn run(context: &Context) -> Result<Outcome> {
    // The targets need a nightly toolchain to run, and a stable one to be checked.
    let manifest = context.repository.join("fuzz/Cargo.toml");
    let checked = cargo_command(context)
        .args(["check", "--quiet", "--manifest-path"])
        .arg(&manifest)
        .env("RUSTC_BOOTSTRAP", "1")
        .status()?;
    if !checked.success() {
        return Ok(Outcome::Failed(
            "the fuzz targets do not compile".to_owned(),
        ));
    }
    let texts = if context.long { LONG } else { QUICK };
    let mut faults = smoke::run(&context.repository, context.seed, texts)?;
    faults.extend(patterns::run(context.seed, texts));
    for fault in faults.iter().take(20) {
        println!("  {fault}");
    }
    Ok(if faults.is_empty() {
        Outcome::Passed(format!("{texts} texts, seed {}", context.seed))
    } else {
        Outcome::Failed(format!(
            "{} faults in {texts} texts, seed {}",
            faults.len(),
            context.seed
        ))
    })
}
