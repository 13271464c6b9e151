//! The tree. Every offset and span points into the original text (see [`Source`](crate::Source)).

use std::rc::Rc;

use crate::source::Span;

/// Commands in sequence.
#[derive(Clone, Debug, Default)]
pub struct List {
    /// The and-or lists in order.
    pub items: Vec<AndOr>,
}

/// Pipelines joined by `&&` and `||`.
#[derive(Clone, Debug)]
pub struct AndOr {
    /// The first pipeline.
    pub first: Pipeline,
    /// The others, each with the operator in front of it.
    pub rest: Vec<(Junction, Pipeline)>,
    /// Ends with `&`.
    pub background: bool,
    /// Stands first on its line.
    pub begins_line: bool,
}

/// `&&` or `||`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Junction {
    /// `&&`
    And,
    /// `||`
    Or,
}

/// Commands joined by `|` or `|&`.
#[derive(Clone, Debug)]
pub struct Pipeline {
    /// The commands; never empty, except that `!` or `time` may stand alone.
    pub stages: Vec<Command>,
    /// For each stage but the last: whether `|&` follows it.
    pub with_stderr: Vec<bool>,
    /// Begins with an odd number of `!`.
    pub negated: bool,
    /// Where it stands.
    pub span: Span,
}

/// One command.
#[derive(Clone, Debug)]
pub struct Command {
    /// What it is.
    pub kind: CommandKind,
    /// Redirections of a compound command (those of a simple command are its own).
    pub redirects: Vec<Redirect>,
    /// Where it stands.
    pub span: Span,
}

/// The kinds of command.
#[derive(Clone, Debug)]
pub enum CommandKind {
    /// Assignments, words, redirections.
    Simple(Simple),
    /// `{ list; }`
    Group(List),
    /// `( list )`
    Subshell(List),
    /// `if`/`elif` conditions with their bodies, and the `else` body.
    If {
        /// Condition and body of each branch.
        branches: Vec<(List, List)>,
        /// The `else` body.
        otherwise: Option<List>,
    },
    /// `while` and `until`.
    While {
        /// `until`: the body runs while the condition fails.
        until: bool,
        /// The condition.
        condition: List,
        /// The body.
        body: List,
    },
    /// `for` and `select`.
    For {
        /// The variable.
        variable: Vec<u8>,
        /// The words; `None` for the positional parameters.
        words: Option<Vec<Word>>,
        /// The body.
        body: List,
        /// `select`: the value is read, not iterated.
        select: bool,
    },
    /// `for ((…;…;…))`; the three expressions in one word each.
    ArithmeticFor {
        /// The expressions.
        expressions: Vec<Word>,
        /// The body.
        body: List,
    },
    /// `case`
    Case {
        /// The word that is matched.
        word: Word,
        /// The arms.
        arms: Vec<Arm>,
    },
    /// `(( … ))`
    Arithmetic(Word),
    /// `[[ … ]]`: operators as literal words in order.
    Test(Vec<Word>),
    /// `name() …` or `function name …`.
    Function {
        /// The name.
        name: Vec<u8>,
        /// The body, shared with the definition that the evaluation keeps.
        body: Rc<Command>,
    },
    /// `coproc [NAME] command`
    Coprocess {
        /// The name, when it has one.
        name: Option<Vec<u8>>,
        /// What runs beside the shell, shared with the evaluation, which keeps it.
        body: Rc<Command>,
    },
}

/// One arm of a `case`.
#[derive(Clone, Debug)]
pub struct Arm {
    /// The patterns.
    pub patterns: Vec<Word>,
    /// The body.
    pub body: List,
    /// Ends with `;&` or `;;&`: later arms can run too.
    pub falls_through: bool,
}

/// A simple command.
#[derive(Clone, Debug, Default)]
pub struct Simple {
    /// Assignments in front of the first word.
    pub assignments: Vec<Assignment>,
    /// The words. Words of the form `name=(…)` behind a declaration builtin are words with an
    /// [`Part::Array`].
    pub words: Vec<Word>,
    /// The redirections.
    pub redirects: Vec<Redirect>,
}

/// `name=value`, `name+=value`, `name[index]=value`, `name=(…)`.
#[derive(Clone, Debug)]
pub struct Assignment {
    /// The variable.
    pub name: Vec<u8>,
    /// The subscript.
    pub subscript: Option<Word>,
    /// `+=`
    pub append: bool,
    /// The value; an array literal is a word whose only part is [`Part::Array`].
    pub value: Word,
    /// Where it stands.
    pub span: Span,
}

/// One element of an array literal.
#[derive(Clone, Debug)]
pub struct Element {
    /// `[index]=`
    pub index: Option<Word>,
    /// The value.
    pub value: Word,
}

/// A word: parts that keep their quoting.
#[derive(Clone, Debug, Default)]
pub struct Word {
    /// The parts in order.
    pub parts: Vec<Part>,
    /// Where it stands.
    pub span: Span,
}

/// A run of bytes and where it was written. Runs are split where the writing is not contiguous
/// (continuation lines), so that byte `i` of `bytes` was written at `at + i`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// The bytes without quotes.
    pub bytes: Vec<u8>,
    /// Where the first byte was written.
    pub at: u32,
}

/// A part of a word.
#[derive(Clone, Debug)]
pub enum Part {
    /// Unquoted text: tilde, braces and patterns in it are live.
    Literal(Text),
    /// Quoted text: `\x`, `'…'`, the text between the expansions of `"…"`. An empty pair of quotes
    /// is an empty quoted text.
    Quoted(Text),
    /// `$'…'`, decoded; `at` is the offset of the first byte behind the opening quote. The bytes
    /// need not have been written as they are.
    AnsiC(Text),
    /// `"…"` or `$"…"`: what stands inside, with [`Part::Quoted`] for its text.
    Double(Vec<Part>),
    /// `$x`, `${…}`
    Parameter(Box<Parameter>),
    /// `$(…)`, `` `…` ``, `${ …; }`, `${| …; }`
    Command(CommandSub),
    /// `$((…))`, `$[…]`: the expression's parts, expanded as in double quotes.
    Arithmetic(Word),
    /// `<(…)`, `>(…)`
    Process {
        /// `<(`: the word names a file to read from.
        input: bool,
        /// The commands.
        list: List,
        /// Where it stands.
        span: Span,
    },
    /// `?(…)`, `*(…)`, `+(…)`, `@(…)`, `!(…)`: a pattern; its parts only matter for the
    /// substitutions in them.
    ExtendedGlob {
        /// The character in front of the parenthesis.
        operator: u8,
        /// The alternatives.
        alternatives: Vec<Word>,
        /// As written.
        text: Text,
    },
    /// `(…)` behind an assignment.
    Array(Vec<Element>),
    /// Text that the tree does not say (PowerShell's operators and methods): what the parts run
    /// runs, what comes out is not known.
    Opaque(Vec<Part>),
}

/// A command substitution.
#[derive(Clone, Debug)]
pub struct CommandSub {
    /// The commands.
    pub list: List,
    /// `${ …; }` and `${| …; }` run in the current shell (bash 5.3, ksh, zsh).
    pub current_shell: bool,
    /// Where it stands.
    pub span: Span,
}

/// A parameter expansion.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// The name: a variable, digits, or one of `@ * # ? - $ ! _`.
    pub name: Vec<u8>,
    /// `[subscript]`
    pub subscript: Option<Word>,
    /// `${!name…}`
    pub indirect: bool,
    /// `${#name}`
    pub length: bool,
    /// What follows the name.
    pub operation: Operation,
    /// `${name}`; without braces, text behind it may continue the name once braces are expanded.
    pub braced: bool,
    /// Where it stands.
    pub span: Span,
}

/// The operator of a parameter expansion with its operands.
#[derive(Clone, Debug)]
pub enum Operation {
    /// None.
    None,
    /// `- = ? +` with or without a colon.
    Default {
        /// `-`, `=`, `?` or `+`.
        operator: u8,
        /// With a colon: empty counts as unset.
        colon: bool,
        /// The word.
        word: Word,
    },
    /// `# ## % %%`
    Remove {
        /// From the end.
        suffix: bool,
        /// The longest match.
        longest: bool,
        /// The pattern.
        pattern: Word,
    },
    /// `/ // /# /%`
    Replace {
        /// `/`, or `#`, `%`, or `*` for all.
        which: u8,
        /// The pattern.
        pattern: Word,
        /// The replacement.
        replacement: Option<Word>,
    },
    /// `:offset[:length]`
    Slice {
        /// The offset.
        offset: Word,
        /// The length.
        length: Option<Word>,
    },
    /// `^ ^^ , ,, ~ ~~` with a pattern.
    Case {
        /// `^`, `,` or `~`.
        operator: u8,
        /// All characters.
        all: bool,
        /// The pattern.
        pattern: Word,
    },
    /// `@Q`, `@U`, …
    Transform(u8),
    /// `${!prefix*}`, `${!prefix@}`, `${!name[@]}`: names, not values.
    Names,
    /// Something that bash rejects when it runs; its substitutions may still run first.
    Bad(Word),
}

/// A redirection.
#[derive(Clone, Debug)]
pub struct Redirect {
    /// The operator.
    pub op: RedirectOp,
    /// `2>`
    pub fd: Option<u32>,
    /// `{name}>`
    pub variable: Option<Vec<u8>>,
    /// The target word; for here-documents the delimiter as written.
    pub target: Word,
    /// The here-document's body: quoted text when the delimiter was quoted, else expanded as in
    /// double quotes (but with literal `"`).
    pub body: Option<Word>,
    /// Operator and target.
    pub span: Span,
}

/// Redirection operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RedirectOp {
    /// `<`
    Read,
    /// `>`
    Write,
    /// `>>`
    Append,
    /// `>|`
    Clobber,
    /// `<>`
    ReadWrite,
    /// `<&`
    DupIn,
    /// `>&` (also to a file, when the target is no descriptor)
    DupOut,
    /// `&>`
    Both,
    /// `&>>`
    BothAppend,
    /// `<<`, `<<-`
    HereDoc,
    /// `<<<`
    HereString,
}
