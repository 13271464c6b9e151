//! The test suites and the order in which they run.

mod agent;
mod cargo;
mod corpus;
mod differential;
mod documents;
mod fuzz;
mod hostile;
mod install;
mod model;
mod oracle;
mod paths;
mod patterns;
pub(crate) mod process;
mod scripts;

use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Result, bail};

/// Where things are and how much to do.
#[derive(Clone, Debug)]
pub(crate) struct Context {
    /// The repository's root.
    pub(crate) repository: PathBuf,
    /// Where cargo and the suites put what they build.
    pub(crate) target: PathBuf,
    /// Bring what is missing from Debian, npm, PyPI and crates.io.
    pub(crate) install: bool,
    /// Start of every random sequence.
    pub(crate) seed: u64,
    /// More of everything that can be made longer.
    pub(crate) long: bool,
}

/// How a suite ended.
#[derive(Clone, Debug)]
pub(crate) enum Outcome {
    /// What was checked, in a few words.
    Passed(String),
    /// What went wrong; details were printed.
    Failed(String),
    /// Why it could not run.
    Skipped(String),
}

type Suite = (&'static str, fn(&Context) -> Result<Outcome>);

/// Cheap ones first, so that a broken tree fails early.
const SUITES: &[Suite] = &[
    ("format", cargo::format),
    ("lints", cargo::lints),
    ("tests", cargo::tests),
    ("doc-tests", cargo::doc_tests),
    ("documents", documents::current),
    ("corpus", corpus::commands),
    ("corpus-parse", corpus::parse),
    ("corpus-paths", paths::run),
    ("hostile", hostile::run),
    ("oracle", oracle::run),
    ("differential", differential::run),
    ("scripts", scripts::run),
    ("fuzz", fuzz::run),
    ("agent", agent::run),
    ("dependencies", cargo::dependencies),
];

/// The suites' names, in the order in which they run.
pub(crate) fn names() -> Vec<&'static str> {
    SUITES.iter().map(|(name, _)| *name).collect()
}

/// Runs all suites, or the one named, and prints the sums. True when none failed.
pub(crate) fn run(context: &Context, only: Option<&str>) -> Result<bool> {
    let suites: Vec<&Suite> = SUITES
        .iter()
        .filter(|(name, _)| only.is_none_or(|wanted| wanted == *name))
        .collect();
    if suites.is_empty() {
        bail!("no such suite; there are: {}", names().join(" "));
    }
    let mut lines = Vec::new();
    let (mut passed, mut failed, mut skipped) = (0, 0, 0);
    for (name, suite) in suites {
        println!("== {name}");
        let started = Instant::now();
        let outcome = suite(context).unwrap_or_else(|error| Outcome::Failed(format!("{error:#}")));
        let seconds = started.elapsed().as_secs_f64();
        let line = match &outcome {
            Outcome::Passed(what) => {
                passed += 1;
                format!("{name:<13} passed  {seconds:>7.1} s  {what}")
            }
            Outcome::Failed(why) => {
                failed += 1;
                format!("{name:<13} FAILED  {seconds:>7.1} s  {why}")
            }
            Outcome::Skipped(why) => {
                skipped += 1;
                format!("{name:<13} skipped {seconds:>7.1} s  {why}")
            }
        };
        println!("{line}");
        lines.push(line);
    }
    println!("\nseed {}", context.seed);
    for line in &lines {
        println!("{line}");
    }
    println!("{passed} passed, {failed} failed, {skipped} skipped");
    Ok(failed == 0)
}
