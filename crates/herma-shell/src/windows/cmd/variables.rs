//! Variables: what the text sets, and how their names are written.

use std::collections::{BTreeMap, BTreeSet};

use crate::source::Span;
use crate::syntax::{Part, Text};
use crate::windows::powershell::environment;
use crate::windows::tree;

/// What the words of a text may name.
#[derive(Default)]
pub(super) struct Variables {
    /// Those that the text sets.
    pub(super) set: BTreeSet<Vec<u8>>,
    /// Those of them that the line being read sets: `%x%` is still what it was before.
    pub(super) fresh: BTreeSet<Vec<u8>>,
    /// Those whose value may hold blanks, switches, quotes or operators.
    pub(super) wide: BTreeSet<Vec<u8>>,
    /// Those of which it cannot be said which value they have.
    pub(super) unsure: BTreeSet<Vec<u8>>,
    /// How often the text sets each.
    pub(super) times: BTreeMap<Vec<u8>, usize>,
    /// The text jumps, or restores what variables were.
    pub(super) jumps: bool,
    /// Letters of the loops around.
    pub(super) letters: Vec<u8>,
    /// Letters of loops over words that look like switches.
    pub(super) switches: BTreeSet<u8>,
}

impl Variables {
    /// What a second reading has to know of the first.
    pub(super) fn again(self) -> Option<Self> {
        let several: BTreeSet<Vec<u8>> = self
            .times
            .into_iter()
            .filter_map(|(name, times)| (times > 1).then_some(name))
            .collect();
        if !self.jumps || several.is_empty() {
            return None;
        }
        Some(Self {
            unsure: several,
            ..Self::default()
        })
    }

    /// Whether putting it in may change how the rest of the command is read.
    pub(super) fn is_wide(&self, name: &Variable) -> bool {
        match name {
            Variable::Set(name) => self.wide.contains(name),
            Variable::Letter(letter) => self.switches.contains(letter),
            _ => false,
        }
    }
}

/// A variable in a word.
pub(super) enum Variable {
    Set(Vec<u8>),
    Letter(u8),
    Known(fn(Span) -> Part),
    Unknown,
    Percent,
}

impl Variable {
    pub(super) fn part(self, span: Span) -> Part {
        match self {
            Self::Set(name) => Part::Double(vec![tree::parameter(&name, span)]),
            Self::Letter(letter) => Part::Double(vec![tree::parameter(&loop_key(letter), span)]),
            Self::Known(part) => part(span),
            Self::Unknown => Part::Opaque(Vec::new()),
            Self::Percent => Part::Quoted(Text {
                bytes: b"%".to_vec(),
                at: span.start,
            }),
        }
    }
}

/// The variable at a percent or exclamation mark, and how long it is written.
pub(super) fn variable(text: &[u8], at: usize, names: &Variables) -> Option<(Variable, usize)> {
    let mark = *text.get(at)?;
    let rest = text.get(at + 1..)?;
    if mark == b'%' {
        // `%%i` in a batch file is `%i` on a line.
        let doubled = rest.first() == Some(&b'%');
        let letters = rest.get(usize::from(doubled)..)?;
        let (letter, modifiers) = match letters {
            [b'~', more @ ..] => {
                let count = more
                    .iter()
                    .take_while(|byte| b"fdpnxsatz".contains(&byte.to_ascii_lowercase()))
                    .count();
                let direct = more.get(count);
                match direct.filter(|byte| names.letters.contains(byte) || byte.is_ascii_digit()) {
                    Some(letter) => (Some(*letter), count + 1),
                    // The last modifier letter is the variable.
                    None => (
                        count
                            .checked_sub(1)
                            .and_then(|last| more.get(last).copied()),
                        count,
                    ),
                }
            }
            [letter, ..] => (Some(*letter), 0),
            [] => (None, 0),
        };
        if let Some(letter) = letter {
            let length = 1 + usize::from(doubled) + 1 + modifiers;
            if names.letters.contains(&letter) {
                return Some(match modifiers {
                    0 | 1 => (Variable::Letter(letter), length),
                    _ => (Variable::Unknown, length),
                });
            }
            if (letter.is_ascii_digit() || letter == b'*') && !doubled {
                let known = modifiers > 1 && letter == b'0';
                return Some(if known {
                    // The folder of the script.
                    (
                        Variable::Known(|span| {
                            Part::Quoted(Text {
                                bytes: b"./".to_vec(),
                                at: span.start,
                            })
                        }),
                        length,
                    )
                } else {
                    (Variable::Unknown, length)
                });
            }
        }
        if doubled {
            return Some((Variable::Percent, 2));
        }
    }
    let length = rest
        .iter()
        .take(256)
        .position(|byte| *byte == mark || *byte == b'\n')?;
    if rest.get(length) != Some(&mark) || length == 0 {
        return None;
    }
    let name = rest.get(..length)?;
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"_()-.#$@".contains(byte);
    let computed = name.contains(&b':');
    if computed && plain(name.first()?) && !name.iter().any(|byte| b"&|<>\"^".contains(byte)) {
        return Some((Variable::Unknown, length + 2));
    }
    if !name.iter().all(plain) {
        // It may be a name all the same: then none of it is left.
        return Some((Variable::Unknown, 1));
    }
    let upper = name.to_ascii_uppercase();
    let doubt = names.unsure.contains(&upper) || mark == b'%' && names.fresh.contains(&upper);
    let known = if doubt {
        Variable::Unknown
    } else if names.set.contains(&upper) {
        Variable::Set(upper)
    } else {
        environment(&upper).map_or(Variable::Unknown, Variable::Known)
    };
    Some((known, length + 2))
}

/// The name of a loop's variable in the evaluation.
pub(super) fn loop_key(letter: u8) -> Vec<u8> {
    format!("_cmd_{letter:02x}").into_bytes()
}
