//! What a check answers.

use std::borrow::Cow;

use herma_shell::{ScriptPlace, Span, Status, Uncertain};

/// What may happen with a command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Decision {
    /// It may run.
    Allow,
    /// A person decides.
    Ask,
    /// It may not run.
    Deny,
}

/// A finding that no mode, grant or allow rule overrides; of several the first of these counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Floor {
    /// The effect is certain and cannot be undone.
    Hardline,
    /// A password is handed to `sudo` on standard input.
    SudoStdin,
    /// A deny rule of the user.
    UserDeny,
}

/// How grave a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// Worth a look.
    Low,
    /// Loses work or changes something shared.
    Medium,
    /// Loses data, opens the machine, or leaks.
    High,
    /// See [`Floor`].
    Floor,
}

/// A rule that matched.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// The rule's id, such as `git.reset-hard`.
    pub rule: Cow<'static, str>,
    /// How grave it is.
    pub severity: Severity,
    /// One line.
    pub title: Cow<'static, str>,
    /// What would happen.
    pub why: Cow<'static, str>,
    /// Where, in bytes of the text that was given.
    pub span: Span,
    /// The script file that it stands in; `span` is then where the script is run.
    pub script: Option<ScriptPlace>,
    /// The execution's words; `None` for one that cannot be known. Empty when the finding is about
    /// the line and not about an execution.
    pub argv: Vec<Option<Vec<u8>>>,
    /// The same words as one would write them: patterns bare, literal text quoted where it needs it.
    pub spelled: Vec<Option<Vec<u8>>>,
    /// The directory in which the execution runs; `None` when that cannot be known, or the finding
    /// is about the line.
    pub cwd: Option<Vec<u8>>,
    /// Carriers from the outside in.
    pub via: Vec<String>,
    /// A command that does less harm, and passes.
    pub suggest: Option<Cow<'static, str>>,
}

/// What a rule of the user allows that would otherwise be found.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Allowed {
    /// The user's rule.
    pub rule: String,
    /// The rules that it silences, each once; never empty.
    pub silenced: Vec<Cow<'static, str>>,
}

/// The answer to a check.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Verdict {
    /// What may happen.
    pub decision: Decision,
    /// The floor, when there is one; the decision is then `Deny`.
    pub floor: Option<Floor>,
    /// What was found, gravest first; at most some hundreds.
    pub findings: Vec<Finding>,
    /// The user's rules without which more would be found, in their order.
    pub allowed_by: Vec<Allowed>,
    /// Whether the whole text was understood.
    pub status: Status,
    /// Places that were not understood.
    pub uncertain: Vec<Uncertain>,
    /// One sentence for people and for the model; empty when allowed.
    pub reason: String,
    /// Whether it may make, change or remove a file; certainly not only when false.
    pub changes_files: bool,
}
