//! Development tasks of herma.
//!
//! `cargo xtask test` runs every suite, `cargo xtask oracle` only the comparison with real bash,
//! `cargo xtask generate` writes the documents that are made, `cargo xtask bench` measures.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a task's output is for people"
)]
#![allow(
    clippy::indexing_slicing,
    reason = "no verdict depends on it: a panic here is a failed suite"
)]

mod bench;
mod generate;
mod oracle;
mod suite;
mod wild;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::str::FromStr;
use std::time::Instant;

use anyhow::{Context as _, Result, bail};

const USAGE: &str = "\
usage: cargo xtask test [--install] [--suite NAME] [--seed N] [--long]
       cargo xtask oracle [--scripts N] [--seed N] [--doubts] [--print] [--files F…]
       cargo xtask generate
       cargo xtask wild [--max-ask PERCENT] FILE…
       cargo xtask bench [--install]";

fn main() -> ExitCode {
    match run(std::env::args().skip(1)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(mut arguments: impl Iterator<Item = String>) -> Result<bool> {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .context("the repository")?;
    let target = std::env::var_os("CARGO_TARGET_DIR")
        .map_or_else(|| repository.join("target"), PathBuf::from);
    let mut context = suite::Context {
        repository: repository.to_path_buf(),
        target,
        install: false,
        seed: 1,
        long: false,
    };
    let task = arguments.next().context(USAGE)?;
    let arguments: Vec<String> = arguments.collect();
    if ["help", "--help", "-h"].contains(&task.as_str())
        || arguments
            .iter()
            .any(|word| word == "--help" || word == "-h")
    {
        println!("{USAGE}\n\nsuites: {}", suite::names().join(" "));
        return Ok(true);
    }
    let mut arguments = arguments.into_iter();
    let mut only = None;
    let mut files = Vec::new();
    let mut max_ask = None;
    let mut options = oracle::Options {
        scripts: 2_000,
        seed: 1,
        show_said_so: false,
        print_only: false,
    };
    while let Some(flag) = arguments.next() {
        match (task.as_str(), flag.as_str()) {
            ("test" | "bench", "--install") => context.install = true,
            ("test", "--long") => context.long = true,
            ("test", "--suite") => only = Some(arguments.next().context("--suite NAME")?),
            ("test" | "oracle", "--seed") => {
                context.seed = number(arguments.next())?;
                options.seed = context.seed;
            }
            ("oracle", "--scripts") => options.scripts = number(arguments.next())?,
            ("oracle", "--files") => files.extend(arguments.by_ref().map(PathBuf::from)),
            ("wild", "--max-ask") => max_ask = Some(number(arguments.next())?),
            ("wild", file) if !file.starts_with('-') => files.push(PathBuf::from(file)),
            ("oracle", "--doubts") => options.show_said_so = true,
            ("oracle", "--print") => options.print_only = true,
            _ => bail!("{task} takes no {flag}\n{USAGE}"),
        }
    }
    match task.as_str() {
        "test" => suite::run(&context, only.as_deref()),
        "generate" => generate::run(&context),
        "bench" => bench::run(&context),
        "wild" => wild::run(&context, &files, max_ask),
        "oracle" if !files.is_empty() => {
            oracle::judge_files(&context.repository, &context.target, &files)
        }
        "oracle" => {
            let started = Instant::now();
            let report = oracle::run(&context.repository, &context.target, &options)?;
            println!(
                "{} in {:.1} s",
                report.summary(),
                started.elapsed().as_secs_f64()
            );
            for (why, count) in &report.why {
                println!("  said so, {why}: {count}");
            }
            Ok(report.misses.is_empty())
        }
        _ => bail!(USAGE),
    }
}

fn number<T: FromStr>(text: Option<String>) -> Result<T>
where
    T::Err: std::error::Error + Send + Sync + 'static,
{
    Ok(text.context("a number is missing")?.parse()?)
}
