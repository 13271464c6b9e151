//! What the analyser answers.

use std::sync::Arc;

use crate::environment::Environment;
use crate::source::Span;
use crate::value::Value;

/// One word of an argv.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Arg {
    /// The word after expansion.
    pub value: Value,
    /// Where it was written in the original text.
    pub span: Span,
}

/// A variable that the execution gets in its environment.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Binding {
    /// The variable's name.
    pub name: Vec<u8>,
    /// Its value.
    pub value: Value,
    /// Where the assignment was written.
    pub span: Span,
}

/// A redirection after expansion.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Redirection {
    /// The operator.
    pub op: crate::syntax::RedirectOp,
    /// The descriptor in front of the operator, when one was written as a number.
    pub fd: Option<u32>,
    /// The file, descriptor, or here-text.
    pub target: Value,
    /// Where operator and target were written.
    pub span: Span,
}

/// Where a carrier runs what it is given.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Host {
    /// On this machine, with this machine's files.
    Local,
    /// On this machine, with this directory of the carrier's as its root (`chroot`).
    Root(Value),
    /// On another machine (`ssh`).
    Remote,
    /// In a container; host paths that can be written there, as (host path, path inside). Where
    /// both end in a slash, only single files below them are meant. The processes of the host are
    /// there when its root is at `/proc/1/root`.
    Container(Vec<(Value, Value)>),
}

impl Host {
    /// Whether it is this machine, with whatever root.
    #[must_use]
    pub const fn is_local(&self) -> bool {
        matches!(self, Self::Local | Self::Root(_))
    }
}

/// One step of the way from the command line to an execution.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Via {
    /// The carrier's name for people and JSON (`sudo`, `sh -c`, `eval`, `python3`, …).
    pub name: String,
    /// Where the carrier runs it.
    pub host: Host,
}

/// How a program is started.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// By the shell or a carrier, with this argv.
    Program,
    /// A library call in inline code, written as the argv with the same effect
    /// (`shutil.rmtree("/x")` as `rm -r -- /x`).
    Call,
}

/// How certainly the line reaches an execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Reach {
    /// The line itself runs it (conditions and loops do not count).
    Line,
    /// It stands in a function that the line defines and never calls.
    Uncalled,
    /// It stands in a script file that the line runs.
    Script,
}

/// Where something stands in a script file.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ScriptPlace {
    /// The file's absolute path.
    pub path: Vec<u8>,
    /// The line on which it begins, from 1.
    pub line: u32,
    /// Where, in bytes of the file.
    pub span: Span,
}

/// One program that the command line would start.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Execution {
    /// Program and arguments; never empty.
    pub argv: Vec<Arg>,
    /// Offset of the first byte of the program's name as written.
    pub at: u32,
    /// The whole command with assignments and redirections, in the original text.
    pub span: Span,
    /// Variables set for this execution: exported ones that the line set, and prefix assignments.
    pub environment: Environment,
    /// Redirections of the command and of the compounds around it, innermost last.
    pub redirections: Vec<Redirection>,
    /// Standard input when the line determines where it comes from; `None` when inherited.
    pub stdin: Option<Value>,
    /// Working directory; many executions share one.
    pub cwd: Arc<Value>,
    /// Carriers from the outside in; empty when the shell itself runs it.
    pub via: Vec<Via>,
    /// How it is started.
    pub kind: Kind,
    /// How certainly it is reached.
    pub reach: Reach,
    /// It stands in a command substitution: what it prints becomes a value of the line.
    pub captured: bool,
    /// The script file that it stands in, when it is one of the machine's.
    pub script: Option<ScriptPlace>,
}

impl Execution {
    /// The program's name without directories, when it is known: a name behind an unknown
    /// directory counts.
    #[must_use]
    pub fn program(&self) -> Option<Vec<u8>> {
        let first = &self.argv.first()?.value;
        let suffix = first.known_suffix();
        match suffix.iter().rposition(|byte| *byte == b'/') {
            Some(slash) => Some(suffix.get(slash + 1..)?.to_vec()),
            None if first.is_known() => Some(suffix),
            None => None,
        }
    }
}

/// A property of the line that is no execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FactKind {
    /// The program's name cannot be known.
    CommandUnresolved,
    /// An interpreter or `eval` gets text that cannot be known.
    CodeUnresolved,
    /// An interpreter or `eval` gets text that came out of a decoder.
    CodeDecoded,
    /// An interpreter, `eval` or the shell runs what was fetched from the network.
    CodeFetched,
    /// A function that pipes or backgrounds itself without end.
    ForkBomb,
    /// Code in a language that is not analysed (PowerShell, cmd.exe).
    CodeForeign,
    /// A script whose name cannot be known (a pattern, a name from a search).
    ScriptUnresolved,
    /// An interactive shell or interpreter without a script.
    Interactive,
}

/// A property of the line, with its place.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Fact {
    /// What was seen.
    pub kind: FactKind,
    /// Where, in the original text.
    pub span: Span,
    /// Carriers from the outside in.
    pub via: Vec<Via>,
    /// How certainly it is reached.
    pub reach: Reach,
    /// The program concerned (the interpreter for code), empty when unknown.
    pub program: Vec<u8>,
    /// The script file that it stands in, when it is one of the machine's.
    pub script: Option<ScriptPlace>,
}

/// Why a text counts as not understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Why {
    /// The text ends inside a construct.
    UnexpectedEnd,
    /// The shell would report a syntax error here.
    Syntax,
    /// Constructs or carriers nest deeper than [`crate::MAX_DEPTH`].
    Depth,
    /// The bound on work was reached.
    Fuel,
    /// The text is longer than what is analysed.
    TooLong,
}

/// A place that was not understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Uncertain {
    /// Why.
    pub why: Why,
    /// Where, in the original text.
    pub span: Span,
}

/// Whether the whole text was understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// Everything that the text could run is reported.
    Clean,
    /// Some part was not understood: what is reported is a lower bound.
    NotUnderstood,
}

/// The analyser's answer.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// Whether the whole text was understood.
    pub status: Status,
    /// Executions in the order of evaluation, without repetitions.
    pub executions: Vec<Execution>,
    /// Properties of the line.
    pub facts: Vec<Fact>,
    /// Places that were not understood; not empty when the status says so.
    pub uncertain: Vec<Uncertain>,
    /// The work that was done, in units of about ten nanoseconds: the same for the same text.
    pub work: u64,
}
