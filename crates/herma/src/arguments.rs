//! The command line: what can be typed.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{ArgGroup, Args, Parser, Subcommand, ValueEnum, ValueHint};

/// Judges what an autonomous agent is about to do on this machine.
#[derive(Debug, Parser)]
#[command(
    name = "herma",
    version,
    max_term_width = 100,
    subcommand_required = true,
    arg_required_else_help = true
)]
pub(crate) struct Arguments {
    /// State directory; with it every HERMA_* variable is ignored [default: $HERMA_HOME, ~/.herma]
    #[arg(long, global = true, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) home: Option<PathBuf>,

    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Say whether a shell command may run
    #[command(after_help = CHECK_CODES)]
    Check(Check),
    /// Judge the commands of past sessions, and propose rules for what was asked again and again
    #[command(after_help = REPLAY_CODES)]
    Replay(Replay),
    /// Show what the analyser sees in shell text
    #[command(subcommand)]
    Shell(Shell),
    /// Say where paths lead and whether files are protected
    #[command(subcommand)]
    Path(Paths),
    /// List, explain and test rules
    #[command(subcommand)]
    Rules(Rules),
    /// Answer an agent program's hook (reads its JSON on standard input)
    Hook {
        /// The agent program
        #[arg(value_name = "HOST")]
        host: HostName,
    },
    /// Install the hook in an agent program's settings
    Init(Init),
    /// Take over what another guard was told
    #[command(subcommand)]
    Import(Import),
    /// Read and verify the audit trail
    #[command(subcommand)]
    Audit(Audit),
    /// Look at the copies of blocked commands
    #[command(subcommand)]
    Blocked(Blocked),
    /// Show and check the configuration
    #[command(subcommand)]
    Config(Config),
    /// Run a command in a sandbox
    #[command(after_help = RUN_CODES)]
    Run(Run),
    /// Look at what sandboxes hold
    #[command(subcommand)]
    Sandbox(Sandbox),
    /// Say whether the guard is installed and answers
    Doctor {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
}

const CHECK_CODES: &str =
    "Exit codes: 0 allow, 3 ask, 4 deny, 1 failure, 2 usage. Writes nothing without --record.";

const RUN_CODES: &str = "Exit codes: the command's own, 128 and the signal's number when a signal \
    ended it, 124 when its time was up, 127 when there is no such program, 126 when it cannot be \
    run, 125 when the sandbox cannot be made, 2 usage.";

#[derive(Debug, Args)]
pub(crate) struct Run {
    /// The program and its arguments
    #[arg(value_name = "COMMAND", required = true, trailing_var_arg = true, value_hint = ValueHint::CommandWithArguments)]
    pub(crate) command: Vec<OsString>,
    /// What the sandbox allows: default, locked, read-only, generic, or one of your own
    #[arg(long, value_name = "NAME", default_value = "default")]
    pub(crate) profile: String,
    /// No network but one without a way out
    #[arg(long)]
    pub(crate) no_network: bool,
    /// Let the command also read this file or directory
    #[arg(long, value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub(crate) read: Vec<PathBuf>,
    /// Let the command also change this file or directory
    #[arg(long, value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub(crate) write: Vec<PathBuf>,
    /// Hand this variable on, too; `*` at the end stands for any end
    #[arg(long, value_name = "NAME")]
    pub(crate) env: Vec<String>,
    /// End the command after so many seconds
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) timeout: Option<u64>,
    /// Most memory of one process, such as 512MiB
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub(crate) memory: Option<u64>,
    /// Judge no programs as they start; floors are then checked on command text only
    #[arg(long)]
    pub(crate) no_exec_guard: bool,
    /// Keep the output and print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// Print no receipt at the end
    #[arg(long)]
    pub(crate) quiet: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Sandbox {
    /// Attack a sandbox of this machine from inside, and say what got through
    #[command(after_help = SELFTEST_CODES)]
    Selftest(Selftest),
}

const SELFTEST_CODES: &str = "Exit codes: 0 nothing got through, 4 something did, 1 failure, \
    2 usage. Works in a directory of its own; of the network it uses the loopback interface only.";

#[derive(Debug, Args)]
pub(crate) struct Selftest {
    /// The profile
    #[arg(long, value_name = "NAME", default_value = "locked")]
    pub(crate) profile: String,
    /// Only attacks whose id holds this
    #[arg(long, value_name = "TEXT")]
    pub(crate) only: Option<String>,
    /// Print the attacks as JSON lines and try nothing
    #[arg(long)]
    pub(crate) list: bool,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

/// A number of bytes.
fn size(text: &str) -> Result<u64, String> {
    herma_sandbox::profile::size(text).ok_or_else(|| "a number of bytes, such as 512MiB".to_owned())
}

/// Exactly one source of text.
fn text_group(sources: &[&'static str]) -> ArgGroup {
    ArgGroup::new("source").args(sources).required(true)
}

#[derive(Debug, Args)]
#[command(group = text_group(&["command", "stdin", "batch"]))]
pub(crate) struct Check {
    /// The command line; several words are one program with its arguments (put `--` in front)
    #[arg(value_name = "COMMAND")]
    pub(crate) command: Vec<OsString>,
    /// Read the command line from standard input
    #[arg(long)]
    pub(crate) stdin: bool,
    /// Read JSON lines {"cmd", "id"?, "cwd"?, "env"?, "shell"?} and answer each with one
    #[arg(long, value_name = "FILE|-", value_hint = ValueHint::FilePath)]
    pub(crate) batch: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// Write an audit line, and keep a copy of what is blocked
    #[arg(long)]
    pub(crate) record: bool,
    /// Directory in which the command would start [default: this one]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) cwd: Option<PathBuf>,
    /// The shell that reads it: bash, sh, zsh, ksh, powershell, pwsh or cmd [default: bash]
    #[arg(long, value_name = "NAME", value_parser = crate::rows::dialect_of)]
    pub(crate) shell: Option<herma_shell::syntax::Dialect>,
    /// Context whose policy answers an ask (cli, gateway, ask, single-query, cron, unattended)
    #[arg(long, value_name = "NAME")]
    pub(crate) context: Option<String>,
    /// Mode in place of the configured one
    #[arg(long, value_name = "MODE")]
    pub(crate) mode: Option<ModeName>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum ModeName {
    /// Allow what no rule names
    Manual,
    /// As manual; a reviewer may answer what would be asked
    Smart,
    /// Ask for every program that is not known to be harmless
    Strict,
    /// Floors only
    Off,
}

const REPLAY_CODES: &str = "Judges with the rules, files and directories of today. Records nothing. \
    Exit codes: 0 done, 1 failure, 2 usage.";

#[derive(Debug, Args)]
pub(crate) struct Replay {
    /// Transcripts, lists of commands, directories with .jsonl files (~/.claude/projects); `-` is
    /// standard input
    #[arg(value_name = "PATH", required = true, value_hint = ValueHint::AnyPath)]
    pub(crate) paths: Vec<PathBuf>,
    /// What the files hold [default: told by each file's first lines]
    #[arg(long, value_name = "FORMAT")]
    pub(crate) format: Option<FormatName>,
    /// Only commands that are younger, such as 90m, 12h, 30d, 4w
    #[arg(long, value_name = "AGE", value_parser = age)]
    pub(crate) since: Option<i64>,
    /// Only the latest N commands
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<usize>,
    /// Propose rules also for what was asked only once
    #[arg(long)]
    pub(crate) once: bool,
    /// Add the proposed rules to your config.toml, after showing them and asking
    #[arg(long)]
    pub(crate) write: bool,
    /// Do not ask before writing
    #[arg(long, requires = "write")]
    pub(crate) yes: bool,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FormatName {
    /// Transcripts of Claude Code
    ClaudeCode,
    /// One command a line
    List,
    /// JSON lines {"cmd", "cwd"?, "env"?, "shell"?}
    Jsonl,
}

/// A number of minutes, hours, days or weeks, in seconds.
fn age(text: &str) -> Result<i64, String> {
    let wrong = || "a number and one of m, h, d, w, such as 30d".to_owned();
    let (at, unit) = text.char_indices().next_back().ok_or_else(wrong)?;
    let seconds = match unit {
        'm' => 60,
        'h' => 3_600,
        'd' => 86_400,
        'w' => 7 * 86_400,
        _ => return Err(wrong()),
    };
    let number: u32 = text
        .get(..at)
        .and_then(|number| number.parse().ok())
        .ok_or_else(wrong)?;
    Ok(i64::from(number) * seconds)
}

#[derive(Debug, Subcommand)]
pub(crate) enum Shell {
    /// Print the executions that a command line would start
    Parse(Parse),
}

#[derive(Debug, Args)]
#[command(group = text_group(&["text", "stdin", "batch"]))]
pub(crate) struct Parse {
    /// The shell text
    #[arg(value_name = "TEXT")]
    pub(crate) text: Option<OsString>,
    /// Read the text from standard input
    #[arg(long)]
    pub(crate) stdin: bool,
    /// Read JSON lines {"cmd", "id"?, "cwd"?, "env"?, "shell"?} and answer each with one
    #[arg(long, value_name = "FILE|-", value_hint = ValueHint::FilePath)]
    pub(crate) batch: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// Directory in which the text would run [default: this one]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) cwd: Option<PathBuf>,
    /// The shell that reads it: bash, sh, zsh, ksh, powershell, pwsh or cmd [default: bash]
    #[arg(long, value_name = "NAME", value_parser = crate::rows::dialect_of)]
    pub(crate) shell: Option<herma_shell::syntax::Dialect>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Paths {
    /// Say whether a path stays in a directory, and whether it names a protected file
    #[command(after_help = PATH_CODES)]
    Check(PathCheck),
}

const PATH_CODES: &str = "Exit codes: 0 inside, 3 inside and protected (a person has to be asked), \
    4 outside, refused, or protected from everybody, 1 failure, 2 usage. Writes nothing.";

#[derive(Debug, Args)]
#[command(group = text_group(&["path", "batch"]))]
pub(crate) struct PathCheck {
    /// The path; relative to the root, `~` is your home
    #[arg(value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub(crate) path: Option<OsString>,
    /// Directory in which the path must stay, absolute [default: this one]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) root: Option<PathBuf>,
    /// What would be done with it
    #[arg(long, value_name = "OPERATION", default_value = "read")]
    pub(crate) op: OperationName,
    /// Compare names only: root and path are in a container or on another machine
    #[arg(long)]
    pub(crate) lexical: bool,
    /// Read JSON lines {"path", "id"?, "root"?, "op"?, "env"?, "lexical"?} and answer each with one
    #[arg(long, value_name = "FILE|-", value_hint = ValueHint::FilePath)]
    pub(crate) batch: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum OperationName {
    /// Read a file or list a directory
    Read,
    /// Write a file that is there or not
    Write,
    /// Make a file that is not there
    Create,
    /// Remove the name
    Delete,
    /// List a directory
    List,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Rules {
    /// List all rules
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Explain one rule
    Show {
        /// The rule's id, or a former one
        id: String,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Run the examples of the built-in rules, or those of a file with rules
    #[command(
        after_help = "Exit codes: 0 all hold, 1 some do not or the file is not valid, 2 usage."
    )]
    Test {
        /// A file with [[rule]] tables; `blocks` and `passes` are its rules' examples
        #[arg(value_hint = ValueHint::FilePath)]
        file: Option<PathBuf>,
    },
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum HostName {
    /// Anthropic's Claude Code
    ClaudeCode,
}

impl HostName {
    pub(crate) fn host(self) -> herma_hosts::Host {
        match self {
            Self::ClaudeCode => herma_hosts::Host::ClaudeCode,
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct Init {
    /// The agent program
    #[arg(value_name = "HOST")]
    pub(crate) host: HostName,
    /// Take the hook out again
    #[arg(long)]
    pub(crate) remove: bool,
    /// Show what would change, and change nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Use the settings of the project in this directory in place of the user's
    #[arg(long)]
    pub(crate) project: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Import {
    /// Print what Hermes Agent's lists of commands come to here, and what they cannot
    Hermes(ImportFile),
}

#[derive(Debug, Args)]
pub(crate) struct ImportFile {
    /// Its configuration [default: ~/.hermes/config.yaml]
    #[arg(value_name = "PATH", value_hint = ValueHint::FilePath)]
    pub(crate) path: Option<PathBuf>,
    /// Add it to your configuration, after showing and asking
    #[arg(long)]
    pub(crate) write: bool,
    /// Do not ask
    #[arg(long, requires = "write")]
    pub(crate) yes: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Audit {
    /// Print the latest lines
    Tail {
        /// How many
        #[arg(short = 'n', long, default_value_t = 10, value_name = "N")]
        lines: usize,
        /// Wait for more
        #[arg(short, long)]
        follow: bool,
        /// Print the lines as they are stored
        #[arg(long)]
        json: bool,
    },
    /// Check that no line was changed, removed or added
    Verify {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum Blocked {
    /// List what is kept
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Show one blocked command with the rule that fired
    Show {
        /// The id from the list
        id: String,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Print one blocked command as a labelled case for a report, secrets removed
    Report(Report),
}

#[derive(Debug, Args)]
pub(crate) struct Report {
    /// The id from the list
    pub(crate) id: String,
    /// What would have been right
    #[arg(long, default_value = "allow", value_name = "DECISION")]
    pub(crate) expect: ExpectName,
    /// Number of the issue about it
    #[arg(long, default_value_t = 0, value_name = "N")]
    pub(crate) issue: u64,
    /// A few words about it
    #[arg(long, value_name = "TEXT")]
    pub(crate) note: Option<String>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum ExpectName {
    /// It should have run
    Allow,
    /// A person should have been asked
    Ask,
    /// Nothing should have allowed it
    Floor,
    /// It hands a password to sudo on standard input
    SudoStdin,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Config {
    /// Print the configuration in force
    Show,
    /// Print the path of the user's file
    Path,
    /// Check all layers
    Check,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn an_age_is_a_number_with_a_unit() {
        assert_eq!(super::age("30d"), Ok(30 * 86_400));
        assert_eq!(super::age("0m"), Ok(0));
        for wrong in [
            "",
            "d",
            "30",
            "-1d",
            "3.5h",
            "30 d",
            "1d2h",
            "30ü",
            "99999999999w",
        ] {
            assert!(super::age(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_definitions_agree_with_each_other() {
        super::Arguments::command().debug_assert();
    }
}
