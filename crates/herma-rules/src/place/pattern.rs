//! A path component as text with gaps: what is known of it, and what it could match.

use herma_shell::Origin;

/// What an unknown stretch of text may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fog {
    /// Anything, also nothing.
    Any,
    /// Something that is never empty and never a path (`$$`, `$RANDOM`).
    Number,
    /// Names from a pipe or a search.
    Names,
    /// The name of a fresh file or directory: one component.
    Temporary,
}

impl Fog {
    /// What text of this origin may be.
    pub(crate) fn of(origin: &Origin) -> Self {
        match origin {
            Origin::Temporary => Self::Temporary,
            Origin::Names => Self::Names,
            Origin::Variable(name)
                if matches!(
                    name.as_slice(),
                    b"$" | b"!"
                        | b"RANDOM"
                        | b"SRANDOM"
                        | b"BASHPID"
                        | b"PPID"
                        | b"UID"
                        | b"EUID"
                        | b"EPOCHSECONDS"
                        | b"SECONDS"
                ) =>
            {
                Self::Number
            }
            Origin::Output(name)
                if matches!(
                    name.as_slice(),
                    b"date" | b"mktemp" | b"uuidgen" | b"nproc" | b"whoami"
                ) =>
            {
                Self::Number
            }
            _ => Self::Any,
        }
    }
}

/// One element of a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Atom {
    /// This byte.
    Byte(u8),
    /// `?` or a bracket expression: one byte. Brackets are not looked into: what they could match
    /// counts as matched.
    One,
    /// `*` or `!(…)`: any text.
    Many,
    /// `@(…)` and its kin: text that the writer spelled out, any of it.
    Choice,
    /// Text that cannot be known.
    Fog(Fog),
}

/// Appends a shell pattern.
pub(crate) fn push_glob(out: &mut Vec<Atom>, pattern: &[u8]) {
    let mut at = 0;
    while let Some(byte) = pattern.get(at) {
        let rest = pattern.get(at + 1..).unwrap_or_default();
        let operator = matches!(byte, b'!' | b'@' | b'+' | b'?' | b'*');
        // zsh has groups without an operator.
        let start = at + usize::from(operator);
        let group = pattern.get(start..).filter(|text| text.starts_with(b"("));
        if let Some(group) = group.and_then(group_at_start) {
            out.push(if *byte == b'!' || is_any(group) {
                Atom::Many
            } else {
                Atom::Choice
            });
            at = start + group.len();
            continue;
        }
        match byte {
            b'*' => out.push(Atom::Many),
            b'?' => out.push(Atom::One),
            b'[' => match bracket(rest) {
                Some(length) => {
                    out.push(Atom::One);
                    at += length;
                }
                None => out.push(Atom::Byte(b'[')),
            },
            byte => out.push(Atom::Byte(*byte)),
        }
        at += 1;
    }
}

/// The parenthesised group at the start, with both parentheses.
fn group_at_start(text: &[u8]) -> Option<&[u8]> {
    let mut depth = 0_usize;
    for (at, byte) in text.iter().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return text.get(..=at);
                }
            }
            _ => {}
        }
    }
    None
}

/// Whether a group stands for any text (`(.*|*)`), or has no text of its own (`(|.)`).
fn is_any(group: &[u8]) -> bool {
    let bare = |text: &[u8]| text.iter().all(|byte| b"*?.()".contains(byte));
    let mut alternatives = group.split(|byte| *byte == b'|');
    alternatives
        .clone()
        .any(|one| bare(one) && one.contains(&b'*'))
        || alternatives.all(bare)
}

/// Length of a bracket expression behind its `[`, with the closing bracket; it never spans a slash.
fn bracket(text: &[u8]) -> Option<usize> {
    let skip = usize::from(matches!(text.first(), Some(b'!' | b'^')));
    // A closing bracket in first position stands for itself.
    let from = skip + usize::from(text.get(skip) == Some(&b']'));
    let mut at = from;
    while let Some(byte) = text.get(at) {
        match byte {
            b'/' => return None,
            b']' => return Some(at + 1),
            b'[' if text.get(at + 1) == Some(&b':') => {
                let class = text.get(at + 2..)?;
                let end = class.windows(2).position(|pair| pair == b":]")?;
                at += end + 4;
            }
            _ => at += 1,
        }
    }
    None
}

/// One path component.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Part {
    atoms: Vec<Atom>,
    /// Every atom is a byte.
    literal: bool,
    /// Some text cannot be known.
    fog: bool,
    /// No text of its own: see [`Part::is_bare`].
    bare: bool,
}

impl Part {
    /// A component of these atoms.
    pub(crate) fn new(atoms: Vec<Atom>) -> Self {
        let open = |atom: &Atom| matches!(atom, Atom::One | Atom::Many);
        Self {
            literal: atoms.iter().all(|atom| matches!(atom, Atom::Byte(_))),
            fog: atoms.iter().any(|atom| matches!(atom, Atom::Fog(_))),
            bare: atoms.iter().any(open)
                && atoms
                    .iter()
                    .all(|atom| open(atom) || *atom == Atom::Byte(b'.')),
            atoms,
        }
    }

    /// The component when nothing of it is open.
    pub(crate) fn literal(&self) -> Option<Vec<u8>> {
        if !self.literal {
            return None;
        }
        self.atoms
            .iter()
            .map(|atom| match atom {
                Atom::Byte(byte) => Some(*byte),
                _ => None,
            })
            .collect()
    }

    /// Whether it is exactly this name.
    pub(crate) fn is(&self, name: &[u8]) -> bool {
        self.atoms.len() == name.len()
            && self
                .atoms
                .iter()
                .zip(name)
                .all(|(atom, byte)| *atom == Atom::Byte(*byte))
    }

    /// The known bytes in front of the first gap.
    pub(crate) fn prefix(&self) -> Vec<u8> {
        self.atoms
            .iter()
            .map_while(|atom| match atom {
                Atom::Byte(byte) => Some(*byte),
                _ => None,
            })
            .collect()
    }

    /// The known bytes behind the last gap.
    pub(crate) fn suffix(&self) -> Vec<u8> {
        let mut bytes: Vec<u8> = self
            .atoms
            .iter()
            .rev()
            .map_while(|atom| match atom {
                Atom::Byte(byte) => Some(*byte),
                _ => None,
            })
            .collect();
        bytes.reverse();
        bytes
    }

    /// Whether some text of it cannot be known.
    pub(crate) fn has_fog(&self) -> bool {
        self.fog
    }

    /// Whether it holds names from a pipe or a search.
    pub(crate) fn has_names(&self) -> bool {
        self.fog && self.atoms.contains(&Atom::Fog(Fog::Names))
    }

    /// Whether nothing of it is known, and it may be empty.
    pub(crate) fn is_fog(&self) -> bool {
        !self.atoms.is_empty()
            && self
                .atoms
                .iter()
                .all(|atom| matches!(atom, Atom::Fog(Fog::Any | Fog::Names)))
    }

    /// Whether unknown text of it may be no component or several.
    pub(crate) fn may_be_several(&self) -> bool {
        self.fog
            && self
                .atoms
                .iter()
                .any(|atom| matches!(atom, Atom::Fog(Fog::Any | Fog::Names)))
    }

    /// Whether it is a pattern without literal text (`*`, `.*`, `.[!.]*`, `???`).
    pub(crate) fn is_bare(&self) -> bool {
        self.bare
    }

    /// Whether it could be this name when the line runs. A pattern's `*` does not stand for a
    /// leading dot.
    pub(crate) fn could_be(&self, name: &[u8]) -> bool {
        if name.first() == Some(&b'.') && matches!(self.atoms.first(), Some(Atom::Many | Atom::One))
        {
            return false;
        }
        // Greedy with one point to return to: exact, since a gap matches any text.
        let mut atom = 0;
        let mut at = 0;
        let mut retry: Option<(usize, usize)> = None;
        loop {
            match (self.atoms.get(atom), name.get(at)) {
                (None, None) => return true,
                (Some(Atom::Many | Atom::Choice | Atom::Fog(_)), _) => {
                    atom += 1;
                    retry = Some((atom, at));
                    continue;
                }
                (Some(Atom::Byte(want)), Some(have)) if want == have => {
                    atom += 1;
                    at += 1;
                    continue;
                }
                (Some(Atom::One), Some(_)) => {
                    atom += 1;
                    at += 1;
                    continue;
                }
                _ => {}
            }
            match retry {
                Some((next, from)) if from < name.len() => {
                    retry = Some((next, from + 1));
                    atom = next;
                    at = from + 1;
                }
                _ => return false,
            }
        }
    }

    /// Whether it could be this name, written in small letters, where case does not count.
    pub(crate) fn could_be_caseless(&self, name: &[u8]) -> bool {
        let lower = |atom: &Atom| match atom {
            Atom::Byte(byte) => Atom::Byte(byte.to_ascii_lowercase()),
            atom => *atom,
        };
        Self::new(self.atoms.iter().map(lower).collect()).could_be(name)
    }

    /// Whether it is this name or a pattern that could match it; text that cannot be known does not
    /// count.
    pub(crate) fn names(&self, name: &[u8]) -> bool {
        if self.literal {
            self.is(name)
        } else {
            !self.fog && self.could_be(name)
        }
    }

    /// The same without regard to ASCII case, since some file systems do not have it either.
    pub(crate) fn means(&self, name: &str) -> bool {
        let name = name.as_bytes();
        if self.literal {
            return self.atoms.len() == name.len()
                && self.atoms.iter().zip(name).all(|(atom, want)| {
                    matches!(atom, Atom::Byte(byte) if byte.eq_ignore_ascii_case(want))
                });
        }
        !self.fog && self.could_be_caseless(&name.to_ascii_lowercase())
    }

    /// Whether its own text, and not only an extension, says that it means this name: `ap*default*`
    /// does and `*.json` does not.
    pub(crate) fn spells(&self, name: &str) -> bool {
        /// One letter is shared by chance.
        const ENOUGH: usize = 2;
        if self.literal {
            return self.means(name);
        }
        let dot = self
            .atoms
            .iter()
            .rposition(|atom| *atom == Atom::Byte(b'.'))
            .filter(|at| *at > 0);
        let stem = self.atoms.get(..dot.unwrap_or(self.atoms.len()));
        let bytes = stem
            .unwrap_or_default()
            .iter()
            .map(|atom| match atom {
                Atom::Byte(_) => 1,
                Atom::Choice => ENOUGH,
                _ => 0,
            })
            .sum::<usize>();
        bytes >= ENOUGH && self.means(name)
    }
}
