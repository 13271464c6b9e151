//! The real-shell oracle as a suite.

use anyhow::Result;

use super::install;
use super::{Context, Outcome};
use crate::oracle::{self, Options};

/// Scripts by default, in CI, and with `--long`.
const QUICK: usize = 2_000;
const CI: usize = 20_000;
const LONG: usize = 200_000;

pub(super) fn run(context: &Context) -> Result<Outcome> {
    let wanted = [
        ("cc", "gcc"),
        ("bash", "bash"),
        ("zsh", "zsh"),
        ("dash", "dash"),
        ("xxd", "xxd"),
        ("rev", "bsdextrautils"),
        ("flock", "util-linux"),
    ];
    if let Err(missing) = install::debian(context, &wanted)? {
        return Ok(Outcome::Skipped(missing));
    }
    let scripts = if context.long {
        LONG
    } else if std::env::var_os("CI").is_some() {
        CI
    } else {
        QUICK
    };
    let options = Options {
        scripts,
        seed: context.seed,
        show_said_so: false,
        print_only: false,
    };
    let (cases, wrong) = oracle::judge_cases(&context.repository, &context.target)?;
    if !wrong.is_empty() {
        return Ok(Outcome::Failed(format!(
            "of {cases} cases:\n{}",
            wrong.join("\n")
        )));
    }
    let zsh = match oracle::judge_zsh(&context.repository, &context.target)? {
        Some((cases, wrong)) if wrong.is_empty() => format!("{cases} cases of zsh"),
        Some((cases, wrong)) => {
            return Ok(Outcome::Failed(format!(
                "of {cases} cases of zsh:\n{}",
                wrong.join("\n")
            )));
        }
        None => "zsh is missing".to_owned(),
    };
    let report = oracle::run(&context.repository, &context.target, &options)?;
    for (why, count) in &report.why {
        println!("  said so, {why}: {count}");
    }
    let summary = format!(
        "{cases} cases; {zsh}; seed {}: {}",
        context.seed,
        report.summary()
    );
    if report.resolved == 0 {
        return Ok(Outcome::Failed(format!("nothing was confirmed; {summary}")));
    }
    Ok(if report.misses.is_empty() {
        Outcome::Passed(summary)
    } else {
        Outcome::Failed(summary)
    })
}
