//! Known differences, each explained under its name in `docs/parser-differences.md`.

/// Which side sees a command alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Ours,
    Theirs,
}

/// One command that only one side sees.
pub(crate) struct Difference<'a> {
    pub(crate) text: &'a str,
    pub(crate) at: usize,
    pub(crate) side: Side,
    pub(crate) parser: &'static str,
}

type Known = (&'static str, &'static str, Side, fn(&str) -> bool);

/// Name, parser, side, and whether the text in front of the command shows the cause.
const KNOWN: &[Known] = &[
    ("quotes-in-default", "shuck", Side::Ours, quotes_in_default),
    (
        "quotes-in-default",
        "tree-sitter",
        Side::Ours,
        quotes_in_default,
    ),
    ("function-substitution", "shuck", Side::Ours, |before| {
        before.ends_with("${ ") || before.ends_with("${| ")
    }),
    ("repeated-negation", "shuck", Side::Ours, |before| {
        before.ends_with("! ! ")
    }),
    ("repeated-negation", "tree-sitter", Side::Ours, |before| {
        before.ends_with("! ! ")
    }),
    ("time-options", "shuck", Side::Ours, |before| {
        before.ends_with("time -p -- ")
    }),
    ("arithmetic-with-commands", "shuck", Side::Ours, |before| {
        before.contains("((") || before.contains("$[")
    }),
    ("two-here-documents", "shuck", Side::Ours, |before| {
        before.lines().any(|line| line.matches("<<").count() > 1)
    }),
    ("nested-backticks", "shuck", Side::Ours, |before| {
        before.ends_with("\\`")
    }),
    ("nested-backticks", "tree-sitter", Side::Ours, |before| {
        before.ends_with("\\`")
    }),
    ("conditional-operand", "shuck", Side::Ours, |before| {
        before.contains("[[ ")
    }),
    ("continued-operator", "shuck", Side::Ours, |before| {
        before.contains("&\\\n&") || before.contains("|\\\n|")
    }),
    ("case-in-substitution", "shuck", Side::Ours, |before| {
        before.contains("$(") && before.contains("case ")
    }),
    ("bad-parameter", "shuck", Side::Ours, open_parameter),
    ("escapes-in-backticks", "shuck", Side::Theirs, |before| {
        before.contains('`') && before.ends_with("\\\\; ")
    }),
    (
        "escapes-in-backticks",
        "tree-sitter",
        Side::Theirs,
        escaped_in_backticks,
    ),
    ("timed-command", "tree-sitter", Side::Ours, timed),
    ("coprocess", "tree-sitter", Side::Ours, |before| {
        before.contains("coproc")
    }),
    ("negated-compound", "tree-sitter", Side::Ours, |before| {
        before.ends_with("! { ") || before.ends_with("! ( ")
    }),
    (
        "parameter-operand",
        "tree-sitter",
        Side::Ours,
        open_parameter,
    ),
    ("adjacent-backticks", "tree-sitter", Side::Ours, |before| {
        before.ends_with("` `")
    }),
    (
        "indented-delimiter",
        "tree-sitter",
        Side::Ours,
        here_document,
    ),
    (
        "indented-delimiter",
        "tree-sitter",
        Side::Theirs,
        here_document,
    ),
    ("vertical-tab", "tree-sitter", Side::Theirs, |before| {
        before
            .trim_end_matches(' ')
            .ends_with(['\u{b}', '\u{c}', '\r'])
    }),
];

/// The class of a difference, by what stands in front of the command.
pub(crate) fn class(difference: &Difference<'_>) -> Option<&'static str> {
    let before = difference.text.get(..difference.at)?;
    KNOWN
        .iter()
        .find(|(_, parser, side, shows)| {
            *parser == difference.parser && *side == difference.side && shows(before)
        })
        .map(|(name, ..)| *name)
}

/// `"${x:-'` and then a substitution.
fn quotes_in_default(before: &str) -> bool {
    let quoted = ["'$(", "'`"]
        .iter()
        .find_map(|end| before.strip_suffix(end));
    quoted.is_some_and(|rest| rest.ends_with(['-', '=', '+', '?']) && rest.contains("\"${"))
}

/// `${` without its `}`.
fn open_parameter(before: &str) -> bool {
    before
        .rfind("${")
        .is_some_and(|start| !before[start..].contains('}'))
}

/// Two backslashes shortly before, inside backticks.
fn escaped_in_backticks(before: &str) -> bool {
    before.contains('`')
        && before
            .rfind("\\\\")
            .is_some_and(|at| before.len() - at <= 8)
}

fn timed(before: &str) -> bool {
    let rest = before.trim_end_matches(['{', '(', ' ', '-', 'p', '\\', '\n']);
    rest.ends_with("time")
}

fn here_document(before: &str) -> bool {
    before.contains("<<")
}
