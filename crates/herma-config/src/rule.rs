//! The user's own rules.

use std::ops::Range;
use std::path::PathBuf;

use herma_patterns::{Expression, MAX_PATTERN};

use crate::error::{ConfigError, Kind, RuleFault};
use crate::layers::Layer;
use crate::source::Source;

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
    /// A pattern for each word; the first is not empty. Empty in a rule for tools.
    pub argv: Vec<String>,
    /// Patterns for names of file tools; empty in a rule for commands.
    pub tool: Vec<String>,
    /// Patterns for paths that the tools use; `~` is not replaced. Empty for all.
    pub path: Vec<String>,
    /// A pattern for the working directory; `~` is not replaced.
    pub cwd: Option<String>,
    /// What the words must match besides.
    pub regex: Option<Expression>,
    /// The reason.
    pub why: Option<String>,
    /// Former ids.
    pub aliases: Vec<String>,
    /// Command lines that say what the rule is for; [`UserRule::fault`] points at one.
    pub examples: Vec<Example>,
    /// The layer that it stands in.
    pub layer: Layer,
    /// The file that it stands in.
    pub file: PathBuf,
    /// The line of its id.
    pub line: u32,
}

/// A command line that a rule is tried on.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Example {
    /// The command line.
    pub text: String,
    /// It is one that the rule blocks; for an `allow` rule, does not allow.
    pub blocks: bool,
    /// Byte offsets in the file.
    pub span: Range<usize>,
}

impl UserRule {
    /// That an example is not answered as it should be, at its place in the file's text.
    #[must_use]
    pub fn fault(&self, text: &str, example: &Example, what: String) -> ConfigError {
        let what = Kind::Rule(RuleFault::Example(what));
        Source::new(&self.file, self.layer, text).error(example.span.clone(), what)
    }
}

/// Longest id in bytes.
const MAX_ID: usize = 64;

/// Most words of a rule.
const MAX_WORDS: usize = 256;

/// Most command lines in `blocks` and in `passes`.
pub(crate) const MAX_EXAMPLES: usize = 256;

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
    if argv.len() > MAX_WORDS || argv.iter().any(|word| word.len() > MAX_PATTERN) {
        return Err(RuleFault::TooLong);
    }
    // No program on the search path has a blank in its name: a whole line would never match.
    if !first.contains(['/', '\\', '*']) && first.contains(char::is_whitespace) {
        return Err(RuleFault::LineAsWord(first.clone()));
    }
    let rest = argv.iter().skip(1).skip_while(|word| *word != "**").skip(1);
    if let Some(word) = rest.clone().find(|word| !word.starts_with('-')) {
        return Err(RuleFault::BehindRest(word.clone()));
    }
    if action == Action::Allow && (first.contains(['*', '?', '[', '{']) || interprets(first)) {
        return Err(RuleFault::AllowTooWide(first.clone()));
    }
    Ok(())
}

/// The agent programs' file tools, all programs together.
pub const FILE_TOOLS: &[&str] = &[
    "Read",
    "Write",
    "Edit",
    "MultiEdit",
    "NotebookRead",
    "NotebookEdit",
    "Grep",
    "Glob",
    "LS",
];

/// Whether the patterns name tools and paths; `path` is `None` when it is not written.
pub(crate) fn check_tool(
    action: Action,
    tool: &[String],
    path: Option<&[String]>,
) -> Result<(), RuleFault> {
    if tool.is_empty() || tool.iter().any(String::is_empty) {
        return Err(RuleFault::EmptyTool);
    }
    let matches = |pattern: &str, name: &str| {
        herma_patterns::glob::matches(pattern.as_bytes(), name.as_bytes(), false)
    };
    let unknown = |pattern: &&String| !FILE_TOOLS.iter().any(|name| matches(pattern, name));
    if let Some(unknown) = tool.iter().find(unknown) {
        return Err(RuleFault::UnknownTool(unknown.clone()));
    }
    let Some(path) = path else {
        return match action {
            Action::Allow => Err(RuleFault::AllowEveryPath),
            Action::Ask | Action::Deny => Ok(()),
        };
    };
    let wrong = path.iter().find(|path| !path.starts_with(['/', '~', '*']));
    match (wrong, path) {
        (Some(wrong), _) => Err(RuleFault::Path(wrong.clone())),
        (None, []) => Err(RuleFault::Path(String::new())),
        _ if action != Action::Allow => Ok(()),
        // What stands for everything is no path.
        _ if tool.iter().any(|tool| tool.contains('*'))
            || path
                .iter()
                .any(|path| path.bytes().all(|byte| matches!(byte, b'*' | b'/'))) =>
        {
            Err(RuleFault::AllowEveryPath)
        }
        _ => Ok(()),
    }
}

/// Whether an `allow` rule may begin with this word: it names one program that does not run others.
#[must_use]
pub fn may_be_allowed(program: &str) -> bool {
    check_argv(Action::Allow, &[program.to_owned()]).is_ok()
}

/// Whether the working directory's pattern can match anything.
pub(crate) fn check_cwd(cwd: &str) -> Result<(), RuleFault> {
    if cwd.len() > MAX_PATTERN {
        Err(RuleFault::TooLong)
    } else if cwd.starts_with(['/', '~', '*']) {
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
