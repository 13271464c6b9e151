//! Starting programs for a suite.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};

use super::Context;

/// What a program that was waited for left behind.
#[derive(Debug)]
pub(crate) struct Finished {
    /// `None` when it was ended at the limit.
    pub(crate) status: Option<ExitStatus>,
    pub(crate) output: Vec<u8>,
    pub(crate) errors: Vec<u8>,
    pub(crate) took: Duration,
}

impl Finished {
    /// Both streams as text, for messages.
    pub(crate) fn text(&self) -> String {
        format!(
            "{}{}",
            String::from_utf8_lossy(&self.output),
            String::from_utf8_lossy(&self.errors)
        )
    }
}

/// Runs a program with this input and ends it at the limit.
pub(crate) fn finish(command: &mut Command, input: &[u8], limit: Duration) -> Result<Finished> {
    let started = Instant::now();
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .with_context(|| format!("starting {}", command.get_program().to_string_lossy()))?;
    let mut stdin = child.stdin.take().context("stdin")?;
    let mut stdout = child.stdout.take().context("stdout")?;
    let mut stderr = child.stderr.take().context("stderr")?;
    thread::scope(|scope| {
        scope.spawn(move || {
            // The program may end without reading all of it.
            let _ = stdin.write_all(input);
        });
        let output = scope.spawn(move || {
            let mut bytes = Vec::new();
            let _ = stdout.read_to_end(&mut bytes);
            bytes
        });
        let errors = scope.spawn(move || {
            let mut bytes = Vec::new();
            let _ = stderr.read_to_end(&mut bytes);
            bytes
        });
        let mut status = None;
        while started.elapsed() < limit {
            if let Some(ended) = child.try_wait()? {
                status = Some(ended);
                break;
            }
            thread::sleep(Duration::from_millis(
                if started.elapsed().as_millis() < 50 {
                    1
                } else {
                    10
                },
            ));
        }
        if status.is_none() {
            child.kill()?;
            child.wait()?;
        }
        let took = started.elapsed();
        Ok(Finished {
            status,
            output: output.join().unwrap_or_default(),
            errors: errors.join().unwrap_or_default(),
            took,
        })
    })
}

/// Runs cargo with its output shown; false when it failed.
pub(crate) fn cargo(context: &Context, arguments: &[&str]) -> Result<bool> {
    let status = cargo_command(context)
        .args(arguments)
        .status()
        .context("cargo")?;
    Ok(status.success())
}

/// Cargo for this repository and target directory.
pub(crate) fn cargo_command(context: &Context) -> Command {
    let mut command = Command::new("cargo");
    command
        .current_dir(&context.repository)
        .env("CARGO_TARGET_DIR", &context.target);
    command
}

/// Builds the real binary (debug: overflow checks on) and names it; `XTASK_HERMA` names another.
pub(crate) fn herma(context: &Context) -> Result<PathBuf> {
    if let Some(other) = std::env::var_os("XTASK_HERMA") {
        return Ok(PathBuf::from(other));
    }
    if !cargo(context, &["build", "--quiet", "--package", "herma"])? {
        bail!("herma does not build");
    }
    Ok(context.target.join("debug/herma"))
}

/// Whether a program is on the path.
pub(crate) fn exists(name: &str) -> bool {
    std::env::var_os("PATH").is_some_and(|paths| {
        std::env::split_paths(&paths).any(|folder| folder.join(name).is_file())
    })
}

/// An empty folder of this name below the suites' own.
pub(crate) fn fresh_folder(context: &Context, name: &str) -> Result<PathBuf> {
    let folder = context.target.join("suites").join(name);
    if folder.exists() {
        std::fs::remove_dir_all(&folder).with_context(|| folder.display().to_string())?;
    }
    std::fs::create_dir_all(&folder)?;
    Ok(folder)
}

/// Herma with nothing of the caller's environment, state below `home`.
pub(crate) fn bare_herma(binary: &Path, home: &Path) -> Command {
    let mut command = Command::new(binary);
    command
        .env_clear()
        .env("PATH", "/usr/bin:/bin")
        .env("HOME", home)
        .current_dir(home);
    command
}
