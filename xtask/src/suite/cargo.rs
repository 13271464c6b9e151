//! Suites that cargo runs.

use anyhow::Result;

use super::install;
use super::process::{cargo, exists};
use super::{Context, Outcome};

fn judged(ok: bool, what: &str) -> Outcome {
    if ok {
        Outcome::Passed(what.to_owned())
    } else {
        Outcome::Failed(what.to_owned())
    }
}

/// rustfmt.
pub(super) fn format(context: &Context) -> Result<Outcome> {
    Ok(judged(
        cargo(context, &["fmt", "--all", "--", "--check"])?,
        "cargo fmt --check",
    ))
}

/// clippy, warnings as errors.
pub(super) fn lints(context: &Context) -> Result<Outcome> {
    let ok = cargo(
        context,
        &[
            "clippy",
            "--quiet",
            "--workspace",
            "--all-targets",
            "--",
            "-D",
            "warnings",
        ],
    )?;
    Ok(judged(ok, "cargo clippy"))
}

/// Programs that tests of the exec guard start others with; without one, its part is skipped.
const STARTERS: &[(&str, &str)] = &[
    ("cc", "gcc"),
    ("busybox", "busybox-static"),
    ("make", "make"),
    ("perl", "perl"),
    ("git", "git"),
    ("node", "nodejs"),
    ("npm", "npm"),
    ("tclsh", "tcl"),
    ("ed", "ed"),
    ("sqlite3", "sqlite3"),
];

/// Unit and integration tests.
pub(super) fn tests(context: &Context) -> Result<Outcome> {
    if context.install {
        install::debian(context, STARTERS)?.map_err(anyhow::Error::msg)?;
    }
    if exists("cargo-nextest") {
        let ok = cargo(
            context,
            &[
                "nextest",
                "run",
                "--workspace",
                "--no-fail-fast",
                "--status-level",
                "fail",
                "--no-tests",
                "pass",
            ],
        )?;
        return Ok(judged(ok, "cargo nextest"));
    }
    let ok = cargo(
        context,
        &[
            "test",
            "--quiet",
            "--workspace",
            "--no-fail-fast",
            "--lib",
            "--bins",
            "--tests",
        ],
    )?;
    Ok(judged(ok, "cargo test"))
}

/// Examples in the documentation.
pub(super) fn doc_tests(context: &Context) -> Result<Outcome> {
    Ok(judged(
        cargo(context, &["test", "--quiet", "--workspace", "--doc"])?,
        "cargo test --doc",
    ))
}

/// Licences, sources and bans of dependencies.
pub(super) fn dependencies(context: &Context) -> Result<Outcome> {
    let Some(program) = install::cargo_deny(context)? else {
        return Ok(Outcome::Skipped(
            "cargo-deny is missing (--install builds it)".to_owned(),
        ));
    };
    // All targets' packages, which no build here has brought yet.
    if !cargo(context, &["fetch", "--quiet", "--locked"])? {
        return Ok(Outcome::Failed("cargo fetch".to_owned()));
    }
    let status = std::process::Command::new(program)
        .current_dir(&context.repository)
        .args(["--offline", "check", "bans", "licenses", "sources"])
        .status()?;
    Ok(judged(
        status.success(),
        "cargo deny check bans licenses sources",
    ))
}
