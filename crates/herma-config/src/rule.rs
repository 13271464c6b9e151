//! The user's own rules.

use std::path::PathBuf;

use crate::error::RuleFault;
use crate::layers::Layer;

/// What a rule does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Action {
    /// Allows what other rules ask about.
    Allow,
    /// Asks.
    Ask,
    /// Denies: a floor.
    Deny,
}

/// One `[[rule]]`, validated.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UserRule {
    /// Its name; unique over all layers.
    pub id: String,
    /// What it does.
    pub action: Action,
    /// A pattern for each word; the first is not empty.
    pub argv: Vec<String>,
    /// A pattern for the working directory; `~` is not replaced.
    pub cwd: Option<String>,
    /// The reason.
    pub why: Option<String>,
    /// The layer that it stands in.
    pub layer: Layer,
    /// The file that it stands in.
    pub file: PathBuf,
    /// The line of its id.
    pub line: u32,
}

/// Longest id in bytes.
const MAX_ID: usize = 64;

/// Programs that run what they are given: an `allow` rule for one allows everything.
const INTERPRETERS: &[&str] = &[
    "sh",
    "bash",
    "dash",
    "zsh",
    "ksh",
    "mksh",
    "fish",
    "csh",
    "tcsh",
    "ash",
    "busybox",
    "toybox",
    "nu",
    "elvish",
    "xonsh",
    "pwsh",
    "powershell",
    "cmd",
    "python",
    "pypy",
    "ipython",
    "perl",
    "ruby",
    "irb",
    "node",
    "nodejs",
    "deno",
    "bun",
    "php",
    "lua",
    "luajit",
    "tclsh",
    "wish",
    "expect",
    "awk",
    "gawk",
    "mawk",
    "nawk",
    "osascript",
    "rscript",
    "julia",
    "groovy",
    "guile",
    "eval",
    "exec",
    "source",
    ".",
    "command",
    "builtin",
    "env",
    "sudo",
    "doas",
    "su",
    "xargs",
    "ssh",
];

/// Whether the id keeps to the characters that stay stable in file names, JSON and shells.
pub(crate) fn check_id(id: &str) -> Result<(), RuleFault> {
    let first = id
        .bytes()
        .next()
        .is_some_and(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
    let rest = id.bytes().all(|byte| {
        byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'.' | b'-' | b'_')
    });
    if first && rest && id.len() <= MAX_ID {
        Ok(())
    } else {
        Err(RuleFault::Id(id.to_owned()))
    }
}

/// Whether the words name a program and, for `allow`, one that does not run other programs.
pub(crate) fn check_argv(action: Action, argv: &[String]) -> Result<(), RuleFault> {
    let Some(first) = argv.first().filter(|first| !first.is_empty()) else {
        return Err(RuleFault::EmptyArgv);
    };
    if action == Action::Allow && (first.contains(['*', '?', '[', '{']) || interprets(first)) {
        return Err(RuleFault::AllowTooWide(first.clone()));
    }
    Ok(())
}

/// Whether an `allow` rule may begin with this word: it names one program that does not run others.
#[must_use]
pub fn may_be_allowed(program: &str) -> bool {
    check_argv(Action::Allow, &[program.to_owned()]).is_ok()
}

/// Whether the working directory's pattern can match anything.
pub(crate) fn check_cwd(cwd: &str) -> Result<(), RuleFault> {
    if cwd.starts_with(['/', '~', '*']) {
        Ok(())
    } else {
        Err(RuleFault::Cwd(cwd.to_owned()))
    }
}

/// Whether the program runs what it is given, whatever its directory, version or case.
fn interprets(program: &str) -> bool {
    if INTERPRETERS.contains(&program) {
        return true;
    }
    let base = program.rsplit(['/', '\\']).next().unwrap_or(program);
    let base = base.to_ascii_lowercase();
    let base = base.strip_suffix(".exe").unwrap_or(&base);
    let plain = base.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.' || c == '-');
    INTERPRETERS.contains(&base) || INTERPRETERS.contains(&plain)
}

#[cfg(test)]
mod tests;
