//! `find`'s command line: where it starts, and the terms of its expression.

mod end;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::ops::Range;

use crate::execution::Arg;
use crate::value::{Piece, Value};

/// Tests that take an operand, which may look like an action.
const TESTS: &[&[u8]] = &[
    b"-name",
    b"-iname",
    b"-path",
    b"-ipath",
    b"-wholename",
    b"-iwholename",
    b"-lname",
    b"-ilname",
    b"-regex",
    b"-iregex",
    b"-regextype",
    b"-type",
    b"-xtype",
    b"-size",
    b"-mtime",
    b"-mmin",
    b"-atime",
    b"-amin",
    b"-ctime",
    b"-cmin",
    b"-anewer",
    b"-cnewer",
    b"-user",
    b"-group",
    b"-uid",
    b"-gid",
    b"-perm",
    b"-inum",
    b"-links",
    b"-samefile",
    b"-fstype",
    b"-used",
    b"-context",
    b"-flags",
];

/// One term of the expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Term<'a> {
    /// Starts a program (`-exec`, `-execdir`, `-ok`, `-okdir`).
    Run(Run<'a>),
    /// `-delete`
    Delete,
    /// Writes a list of names; index of the file's name in argv (`-fprint`, `-fls`, …).
    Write(usize),
    /// `-name`, with its operand.
    Name(&'a Arg),
    /// `-path`, with its operand, a pattern over the whole path.
    Path(&'a Arg),
    /// `-regex`, with its operand, an expression over the whole path.
    Regex(&'a Arg),
    /// `-type`, with its operand.
    Type(&'a Arg),
    /// `-o`
    Or,
    /// `!`
    Not,
    /// `-mindepth`, with its operand.
    MinDepth(Option<&'a Arg>),
    /// `-prune`
    Prune,
    /// `-quit`
    Quit,
    /// Holds no name back: other actions, options, brackets.
    Neutral,
    /// Any other test, or a word that cannot be known.
    Test,
}

/// A program that the expression starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run<'a> {
    /// The action's name.
    pub action: &'static str,
    /// The program and its arguments, with `{}` where the name goes.
    pub words: &'a [Arg],
    /// Ends in `+`: the names arrive as many words.
    pub several: bool,
}

/// Where the search starts: indices in argv. The expression stands behind them.
#[must_use]
pub fn roots(argv: &[Arg]) -> Range<usize> {
    let mut start = 1;
    // -H -L -P -D debug -Olevel
    while let Some(arg) = argv.get(start) {
        match arg.value.known_prefix().as_slice() {
            b"-H" | b"-L" | b"-P" | b"-E" | b"-X" | b"-s" | b"-x" | b"--" => start += 1,
            b"-D" => start += 2,
            [b'-', b'O', ..] => start += 1,
            _ => break,
        }
    }
    let start = start.min(argv.len());
    let rest = argv.get(start..).unwrap_or_default();
    let count = rest.iter().position(begins_expression);
    start..start + count.unwrap_or(rest.len())
}

fn begins_expression(arg: &Arg) -> bool {
    let head = arg.value.known_prefix();
    // `-` alone is a name.
    head.first() == Some(&b'-') && !arg.value.is(b"-")
        || matches!(head.as_slice(), b"(" | b"!" | b")" | b",")
}

/// The terms of the expression that begins at index `from` of argv, each with the index of its first
/// word.
#[must_use]
pub fn terms(argv: &[Arg], from: usize) -> Terms<'_> {
    Terms { argv, next: from }
}

/// An iterator over terms.
#[derive(Clone, Debug)]
pub struct Terms<'a> {
    argv: &'a [Arg],
    next: usize,
}

impl<'a> Iterator for Terms<'a> {
    type Item = (usize, Term<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        let at = self.next;
        let word = self.argv.get(at)?.value.known_prefix();
        let operand = self.argv.get(at + 1);
        let mut length = 1;
        let term = match word.as_slice() {
            b"-exec" => return Some((at, self.run("-exec"))),
            b"-execdir" => return Some((at, self.run("-execdir"))),
            b"-ok" => return Some((at, self.run("-ok"))),
            b"-okdir" => return Some((at, self.run("-okdir"))),
            b"-delete" => Term::Delete,
            b"-fprint" | b"-fprint0" | b"-fls" | b"-fprintf" => {
                length = if word == b"-fprintf" { 3 } else { 2 };
                Term::Write(at + 1)
            }
            b"-mindepth" => {
                length = 2;
                Term::MinDepth(operand)
            }
            b"-maxdepth" | b"-printf" | b"-files0-from" => {
                length = 2;
                Term::Neutral
            }
            b"-name" | b"-iname" => {
                length = 2;
                operand.map_or(Term::Neutral, Term::Name)
            }
            b"-path" | b"-ipath" | b"-wholename" | b"-iwholename" => {
                length = 2;
                operand.map_or(Term::Test, Term::Path)
            }
            b"-regex" | b"-iregex" => {
                length = 2;
                operand.map_or(Term::Test, Term::Regex)
            }
            b"-type" => {
                length = 2;
                operand.map_or(Term::Test, Term::Type)
            }
            b"-o" | b"-or" | b"," => Term::Or,
            // An action behind it still runs for what comes this far.
            b"!" | b"-not" if operand.is_some_and(is_run) => Term::Neutral,
            b"!" | b"-not" => Term::Not,
            b"-prune" => Term::Prune,
            b"-quit" => Term::Quit,
            word if is_neutral(word) => Term::Neutral,
            word => {
                if TESTS.contains(&word) || word.starts_with(b"-newer") {
                    length = 2;
                }
                Term::Test
            }
        };
        self.next = at + length;
        Some((at, term))
    }
}

impl<'a> Terms<'a> {
    /// The words behind an action up to `;`, or to `+` behind `{}`.
    fn run(&mut self, action: &'static str) -> Term<'a> {
        let rest = self.argv.get(self.next + 1..).unwrap_or_default();
        let ends_several = |at: usize| {
            let before = at.checked_sub(1).and_then(|before| rest.get(before));
            before.is_some_and(|before| before.value.is(b"{}"))
        };
        let mut end = rest.len();
        let mut several = false;
        for (at, word) in rest.iter().enumerate() {
            let plus = word.value.is(b"+") && ends_several(at);
            if plus || word.value.is(b";") {
                end = at;
                several = plus;
                break;
            }
        }
        self.next += end + 2;
        Term::Run(Run {
            action,
            words: rest.get(..end).unwrap_or_default(),
            several,
        })
    }
}

fn is_run(word: &Arg) -> bool {
    [b"-exec".as_slice(), b"-execdir", b"-ok", b"-okdir"]
        .iter()
        .any(|action| word.value.is(action))
}

fn is_neutral(word: &[u8]) -> bool {
    matches!(
        word,
        b"-print"
            | b"-print0"
            | b"-ls"
            | b"-depth"
            | b"-d"
            | b"-xdev"
            | b"-mount"
            | b"-x"
            | b"-follow"
            | b"-daystart"
            | b"-noleaf"
            | b"-warn"
            | b"-nowarn"
            | b"-true"
            | b"-a"
            | b"-and"
            | b"("
            | b")"
            | b"-ignore_readdir_race"
            | b"-noignore_readdir_race"
    )
}

/// What terms say about the names that are found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tests {
    /// A test may hold names back.
    pub filtered: bool,
    /// What the last component matches, by `-name` and by the ends of `-path` and `-regex`.
    names: Vec<Value>,
    /// The operands of `-type`.
    types: Vec<Vec<u8>>,
    /// How often `-o` separates alternatives.
    alternatives: usize,
    /// Something is negated: a name may be one that is not wanted.
    negated: bool,
}

impl Tests {
    /// Takes in one more term.
    pub fn add(&mut self, term: Term<'_>) {
        match term {
            // `-name '*'` holds nothing back.
            Term::Name(name) if !name.value.is(b"*") => {
                self.filtered = true;
                self.names.push(pattern(&name.value));
            }
            Term::Path(path) => {
                self.filtered = true;
                self.names
                    .extend(path.value.bytes().and_then(|path| end::of_pattern(&path)));
            }
            Term::Regex(regex) => {
                self.filtered = true;
                self.names
                    .extend(regex.value.bytes().and_then(|regex| end::of_regex(&regex)));
            }
            Term::Type(kinds) => {
                self.filtered = true;
                self.types
                    .push(kinds.value.bytes().map(Cow::into_owned).unwrap_or_default());
            }
            Term::Or => self.alternatives += 1,
            Term::Not => {
                self.filtered = true;
                self.negated = true;
            }
            Term::Test => self.filtered = true,
            _ => {}
        }
    }

    /// The names of which one must hold; none when nothing says so.
    #[must_use]
    pub fn spelled(&self) -> &[Value] {
        if self.negated || self.names.len() <= self.alternatives {
            return &[];
        }
        // Without alternatives the last name holds as well as the others.
        let from = if self.alternatives == 0 {
            self.names.len() - 1
        } else {
            0
        };
        self.names.get(from..).unwrap_or_default()
    }

    /// Nothing but files and links is found, so removing with all below removes no directory.
    #[must_use]
    pub fn only_files(&self) -> bool {
        self.only(b"fl")
    }

    /// Nothing but directories is found, and removing those without what they hold loses no file.
    #[must_use]
    pub fn only_directories(&self) -> bool {
        self.only(b"d")
    }

    fn only(&self, wanted: &[u8]) -> bool {
        let given = |types: &Vec<u8>| {
            !types.is_empty()
                && types
                    .iter()
                    .all(|kind| *kind == b',' || wanted.contains(kind))
        };
        self.alternatives == 0 && !self.negated && self.types.iter().any(given)
    }
}

/// A quoted pattern is one for `find` all the same.
fn pattern(value: &Value) -> Value {
    let mut out = Value {
        pieces: Vec::new(),
        decoded: value.decoded,
    };
    for piece in &value.pieces {
        match piece {
            Piece::Text { bytes, at } if bytes.iter().any(|byte| b"*?[".contains(byte)) => {
                out.pieces.push(Piece::Glob {
                    pattern: bytes.clone(),
                    at: *at,
                });
            }
            other => out.pieces.push(other.clone()),
        }
    }
    out
}
