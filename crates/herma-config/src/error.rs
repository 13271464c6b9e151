//! What is wrong with a configuration file, as data.

use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};

use herma_patterns::{ExpressionError, MAX_PATTERN};

use crate::guarded::Refusal;
use crate::layers::{Layer, MAX_RULES};
use crate::source::Source;

/// One fault in one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigError {
    /// The file.
    pub file: PathBuf,
    /// The line from 1; 0 when the file as a whole is meant.
    pub line: u32,
    /// The column from 1, in characters; 0 when the file as a whole is meant.
    pub column: u32,
    /// What is wrong.
    pub what: Kind,
    /// The name that was probably meant.
    pub suggestion: Option<String>,
    /// The line itself with the place in it, for a caret.
    pub excerpt: Option<Excerpt>,
}

/// A line of the file and the place in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excerpt {
    /// The line without its end, at most 240 characters.
    pub text: String,
    /// Characters before the place.
    pub start: usize,
    /// Characters of the place, at least 1.
    pub width: usize,
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// The file is not read.
    Refused(Refusal),
    /// The file is not UTF-8.
    NotUtf8,
    /// The file is no TOML.
    Syntax(String),
    /// There is no such key.
    UnknownKey(String),
    /// The value has another type.
    WrongType {
        /// The key.
        key: String,
        /// What belongs there.
        expected: &'static str,
        /// What stands there.
        found: &'static str,
    },
    /// The value is none of the words that the key knows.
    NotAChoice {
        /// The key.
        key: String,
        /// The word found.
        found: String,
        /// The words that it knows.
        choices: &'static [&'static str],
    },
    /// The number is too small or too large.
    OutOfRange {
        /// The key.
        key: String,
        /// The smallest number.
        min: i64,
        /// The largest number.
        max: i64,
    },
    /// A project file may not set this key.
    NotInProject(String),
    /// The value is looser than what a higher layer wrote.
    Looser {
        /// The key.
        key: String,
        /// The file and line that wrote it; `None` when it is the default.
        than: Option<(PathBuf, u32)>,
    },
    /// A file in `rules.d` holds something else than `[[rule]]`.
    RulesOnly(String),
    /// A rule is not valid.
    Rule(RuleFault),
    /// A sandbox profile is not valid.
    Profile(ProfileFault),
}

/// What is wrong with a `[profiles.NAME]`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProfileFault {
    /// There is no such profile to extend.
    Parent(String),
    /// It extends itself, by way of these.
    Circle(Vec<String>),
    /// A profile that a higher layer wrote is changed, not made anew: `extends` does not belong
    /// there.
    ExtendsAgain(String),
    /// A path is none that a profile may name.
    Path(String),
    /// A size is no number of bytes and no `512 MiB`.
    Size(String),
    /// A variable's name is not made of letters, digits and `_`, with at most one `*` at its end.
    Variable(String),
}

/// What is wrong with a `[[rule]]`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RuleFault {
    /// A field is missing.
    Missing(&'static str),
    /// The id is not made of lower-case letters, digits, `.`, `-` and `_`, or too long.
    Id(String),
    /// The id is used already.
    IdTaken {
        /// The id.
        id: String,
        /// Where it is used.
        file: PathBuf,
        /// The line there.
        line: u32,
    },
    /// `argv` or its first word is empty.
    EmptyArgv,
    /// It is about commands and about tools.
    ArgvAndTool,
    /// `tool` or one of its names is empty.
    EmptyTool,
    /// No agent program has a file tool of this name, or of this pattern.
    UnknownTool(String),
    /// `path` in a rule that is about no tool.
    PathWithoutTool,
    /// An entry of `path` begins with neither `/`, `~` nor `*`, or there is none.
    Path(String),
    /// A rule allows every path.
    AllowEveryPath,
    /// `cwd` begins with neither `/`, `~` nor `*`.
    Cwd(String),
    /// An `allow` rule begins with a pattern, a shell or an interpreter.
    AllowTooWide(String),
    /// The first word of `argv` holds blanks: it is a whole line.
    LineAsWord(String),
    /// A project file allows something.
    AllowInProject,
    /// A pattern is too long, or there are too many words.
    TooLong,
    /// A word stands behind `**` and is no option.
    BehindRest(String),
    /// The regular expression is none that a rule may have.
    Regex(ExpressionError),
    /// There are too many examples.
    TooManyExamples,
    /// There are too many rules in all files together.
    TooManyRules,
    /// An example is not answered as it should be; what is, in words.
    Example(String),
}

impl ConfigError {
    /// A fault at a place of a file's text, given in bytes.
    #[must_use]
    pub fn at(file: &Path, text: &str, span: Range<usize>, what: Kind) -> Self {
        Source::new(file, Layer::User, text).error(span, what)
    }
}

impl fmt::Display for ConfigError {
    /// One line, `file:line:column: what`, for a hook's answer.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.file.display())?;
        if self.line > 0 {
            write!(out, ":{}:{}", self.line, self.column)?;
        }
        write!(out, ": {}", self.what)?;
        if let Some(suggestion) = &self.suggestion {
            write!(out, "; did you mean `{suggestion}`?")?;
        }
        Ok(())
    }
}

impl std::error::Error for ConfigError {}

impl fmt::Display for Kind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(why) => why.fmt(out),
            Self::NotUtf8 => out.write_str("is not UTF-8"),
            Self::Syntax(why) => write!(out, "{}", why.replace('\n', ", ")),
            Self::UnknownKey(key) => write!(out, "unknown key `{}`", shown(key)),
            Self::WrongType {
                key,
                expected,
                found,
            } => write!(out, "`{}` takes {expected}, not {found}", shown(key)),
            Self::NotAChoice {
                key,
                found,
                choices,
            } => write!(
                out,
                "`{}` is one of {}, not \"{}\"",
                shown(key),
                choices.join(", "),
                shown(found)
            ),
            Self::OutOfRange { key, min, max } => {
                write!(out, "`{}` is a number from {min} to {max}", shown(key))
            }
            Self::NotInProject(key) => {
                write!(out, "a project file may not set `{}`", shown(key))
            }
            Self::Looser { key, than } => {
                write!(out, "`{}` is looser than ", shown(key))?;
                match than {
                    Some((file, line)) => write!(out, "{}:{line}", file.display()),
                    None => out.write_str("the default, which a project file may only tighten"),
                }
            }
            Self::RulesOnly(key) => write!(
                out,
                "`{}` does not belong here: files in rules.d hold [[rule]] only",
                shown(key)
            ),
            Self::Rule(fault) => fault.fmt(out),
            Self::Profile(fault) => fault.fmt(out),
        }
    }
}

impl fmt::Display for ProfileFault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Parent(name) => write!(out, "there is no profile `{}`", shown(name)),
            Self::Circle(names) => {
                write!(
                    out,
                    "the profile extends itself: {}",
                    shown(&names.join(" → "))
                )
            }
            Self::ExtendsAgain(name) => write!(
                out,
                "the profile `{}` is there already; it is changed here, and extends what it did",
                shown(name)
            ),
            Self::Path(path) => write!(
                out,
                "\"{}\" is no path of a profile: it begins with /, ~ or ./, in `mask`, `protect` \
                 and `except` also with a name, and has no `..` or `**`",
                shown(path)
            ),
            Self::Size(size) => write!(
                out,
                "\"{}\" is no size: a number of bytes, or one with KiB, MiB, GiB or TiB",
                shown(size)
            ),
            Self::Variable(name) => write!(
                out,
                "\"{}\" is no variable's name: letters, digits and _, and * at its end",
                shown(name)
            ),
        }
    }
}

impl fmt::Display for RuleFault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing(field) => write!(out, "the rule has no `{field}`"),
            Self::Id(id) => write!(
                out,
                "rule id \"{}\" is not 1 to 64 of a-z 0-9 . - _ beginning with a letter or digit",
                shown(id)
            ),
            Self::IdTaken { id, file, line } => {
                write!(out, "rule id `{id}` is used by {}:{line}", file.display())
            }
            Self::EmptyArgv => out.write_str("`argv` needs a program's name"),
            Self::ArgvAndTool => out.write_str(
                "a rule is about commands (`argv`) or about file tools (`tool`), not about both",
            ),
            Self::EmptyTool => out.write_str("`tool` needs the name of a tool"),
            Self::UnknownTool(name) => write!(out, "there is no file tool `{name}`"),
            Self::PathWithoutTool => out.write_str("`path` needs a `tool`"),
            Self::Path(path) => write!(
                out,
                "each `path` begins with /, ~ or *, not as in \"{}\"",
                shown(path)
            ),
            Self::AllowEveryPath => {
                out.write_str("an allow rule for tools names them in full, and a `path`")
            }
            Self::Cwd(cwd) => write!(
                out,
                "`cwd` begins with /, ~ or *, not as in \"{}\"",
                shown(cwd)
            ),
            Self::AllowTooWide(word) => write!(
                out,
                "an allow rule names one program, no pattern, shell or interpreter: \"{}\"",
                shown(word)
            ),
            Self::LineAsWord(line) => {
                out.write_str("each word of the command is a string of its own: [")?;
                for (index, word) in shown(line).split_whitespace().enumerate() {
                    let comma = if index > 0 { ", " } else { "" };
                    write!(out, "{comma}\"{word}\"")?;
                }
                out.write_str("]")
            }
            Self::TooLong => write!(
                out,
                "a pattern has at most {MAX_PATTERN} bytes, and a rule at most 256 words"
            ),
            Self::BehindRest(word) => write!(
                out,
                "`**` stands for all further words; only options may follow it, not \"{}\"",
                shown(word)
            ),
            Self::Regex(why) => write!(out, "this regular expression is not taken: {why}"),
            Self::TooManyExamples => out.write_str("a rule has at most 256 examples of a kind"),
            Self::TooManyRules => write!(out, "there are more than {MAX_RULES} rules"),
            Self::Example(why) => out.write_str(why),
            Self::AllowInProject => {
                out.write_str("a project file may not allow; it adds deny and ask rules only")
            }
        }
    }
}

/// Text of a file inside a message: short, and without control characters that a terminal obeys.
fn shown(text: &str) -> String {
    let mut shown: String = text.chars().take(80).flat_map(char::escape_debug).collect();
    if text.chars().nth(80).is_some() {
        shown.push('…');
    }
    shown
}
