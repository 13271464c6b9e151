//! Brings what suites need, when `--install` allows it.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context as _, Result, bail};

use super::Context;
use super::process::{cargo_command, exists};

/// The pinned Claude Code.
pub(crate) const CLAUDE_CODE: &str = "2.1.197";
/// The pinned cargo-deny.
const CARGO_DENY: &str = "0.20.2";

/// Programs and the Debian packages that hold them. False when one is missing and may not be
/// installed; its name is in `missing`.
pub(crate) fn debian(context: &Context, wanted: &[(&str, &str)]) -> Result<Result<(), String>> {
    let packages: Vec<&str> = wanted
        .iter()
        .filter(|(program, _)| !exists(program))
        .map(|(_, package)| *package)
        .collect();
    if packages.is_empty() {
        return Ok(Ok(()));
    }
    if !context.install {
        return Ok(Err(format!(
            "Debian packages are missing: {} (--install brings them)",
            packages.join(" ")
        )));
    }
    apt(&["update"])?;
    let mut arguments = vec!["install", "--yes", "--no-install-recommends"];
    arguments.extend(&packages);
    apt(&arguments)?;
    Ok(Ok(()))
}

fn apt(arguments: &[&str]) -> Result<()> {
    let status = Command::new("apt-get")
        .env("DEBIAN_FRONTEND", "noninteractive")
        .args(["-qq", "-o=Dpkg::Use-Pty=0"])
        .args(arguments)
        .status()
        .context("apt-get")?;
    if !status.success() {
        bail!("apt-get {} failed", arguments.join(" "));
    }
    Ok(())
}

/// cargo-deny, built once into `target/tools`.
pub(crate) fn cargo_deny(context: &Context) -> Result<Option<PathBuf>> {
    let root = context.target.join("tools");
    let program = root.join("bin/cargo-deny");
    if program.exists() {
        return Ok(Some(program));
    }
    if !context.install {
        return Ok(None);
    }
    let mut command = cargo_command(context);
    command
        .args(["install", "--quiet", "--locked", "--root"])
        .arg(&root)
        .args([
            "--no-default-features",
            "--version",
            CARGO_DENY,
            "cargo-deny",
        ])
        .env("CARGO_TARGET_DIR", context.target.join("tools-build"))
        // The program runs for a second; what it costs is the build.
        .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0")
        .env("CARGO_PROFILE_RELEASE_LTO", "off")
        .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16");
    if !command.status()?.success() {
        bail!("cargo-deny does not build");
    }
    Ok(Some(program))
}

/// Claude Code from npm, once into `target/agent`. `None` when missing and not to be installed.
pub(crate) fn claude_code(context: &Context) -> Result<Option<PathBuf>> {
    let folder = context.target.join("agent").join(CLAUDE_CODE);
    let program = folder.join("node_modules/.bin/claude");
    if program.exists() && folder.join("complete").exists() {
        return Ok(Some(program));
    }
    if !context.install {
        return Ok(None);
    }
    if !exists("npm") {
        debian(context, &[("node", "nodejs"), ("npm", "npm")])?.map_err(anyhow::Error::msg)?;
    }
    std::fs::create_dir_all(&folder)?;
    std::fs::write(folder.join("package.json"), "{\"private\":true}\n")?;
    let package = format!("@anthropic-ai/claude-code@{CLAUDE_CODE}");
    let npm = Command::new("npm")
        .current_dir(&folder)
        .args([
            "install",
            "--no-audit",
            "--no-fund",
            "--loglevel=error",
            &package,
        ])
        .status()?;
    if !npm.success() {
        bail!("npm could not install {package}");
    }
    // npm may be set not to run install scripts; this one links the native binary.
    let link = Command::new("node")
        .current_dir(&folder)
        .arg("node_modules/@anthropic-ai/claude-code/install.cjs")
        .status()?;
    if !link.success() {
        bail!("Claude Code's install.cjs failed");
    }
    std::fs::write(folder.join("complete"), "")?;
    Ok(Some(program))
}
