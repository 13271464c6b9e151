//! Development tasks of herma: `cargo xtask test`, `cargo xtask oracle`, `cargo xtask bench`.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a task's output is for people"
)]

mod oracle;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};

fn main() -> ExitCode {
    match run(std::env::args().skip(1).collect()) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: Vec<String>) -> Result<ExitCode> {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .context("the repository")?;
    let target = std::env::var_os("CARGO_TARGET_DIR")
        .map_or_else(|| repository.join("target"), PathBuf::from);
    let mut rest = arguments.into_iter();
    match rest.next().as_deref() {
        Some("oracle") => {
            let mut options = oracle::Options {
                scripts: 2000,
                seed: 1,
                show_said_so: false,
                print_only: false,
            };
            while let Some(flag) = rest.next() {
                match flag.as_str() {
                    "--scripts" => options.scripts = rest.next().context("--scripts N")?.parse()?,
                    "--seed" => options.seed = rest.next().context("--seed N")?.parse()?,
                    "--doubts" => options.show_said_so = true,
                    "--print" => options.print_only = true,
                    other => bail!("unknown option {other}"),
                }
            }
            let started = std::time::Instant::now();
            let report = oracle::run(repository, &target, &options)?;
            println!(
                "{} in {:.1} s",
                report.summary(),
                started.elapsed().as_secs_f64()
            );
            for (why, count) in &report.why {
                println!("  said so, {why}: {count}");
            }
            Ok(if report.misses.is_empty() {
                ExitCode::SUCCESS
            } else {
                ExitCode::FAILURE
            })
        }
        _ => bail!("usage: cargo xtask oracle [--scripts N] [--seed N] [--doubts] [--print]"),
    }
}
