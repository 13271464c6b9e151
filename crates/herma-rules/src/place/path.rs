//! A value as a lexically normalised path.

use herma_shell::{Piece, Value};

use super::pattern::{Atom, Fog, Part, push_glob};

/// Longer values name no file on any system that matters.
const LONGEST: usize = 16 * 1024;

/// Where a path starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Base {
    /// At `/`.
    Root,
    /// At a Windows drive.
    Drive,
    /// Behind text that cannot be known.
    Unknown(Fog),
}

/// A normalised path.
#[derive(Clone, Debug)]
pub(crate) struct Path {
    /// Where it starts.
    pub(crate) base: Base,
    /// Its components, without `.`, `..` and empty ones.
    pub(crate) parts: Vec<Part>,
    /// A variable that nobody set stands where a whole component would be, and without it the path
    /// is this.
    pub(crate) filled: Option<Box<Path>>,
    /// The first bytes come out of a variable that nobody set.
    pub(crate) unset_prefix: bool,
    /// How many `..` lead out of text that cannot be known and that the path starts with.
    pub(crate) climbs: usize,
    /// A `..` took away a component that cannot be known: it may have been none or several.
    pub(crate) loose: bool,
}

/// What a value names.
pub(crate) enum Parsed {
    /// The empty word.
    Empty,
    /// More bytes than a path can have.
    TooLong,
    /// A path.
    Path(Path),
}

impl Path {
    /// The path that `value` names in the directory `cwd`.
    pub(crate) fn parse(value: &Value, cwd: &Value) -> Parsed {
        let Some(atoms) = atoms(value, false) else {
            return Parsed::TooLong;
        };
        if atoms.is_empty() {
            return Parsed::Empty;
        }
        let Some(directory) = self::atoms(cwd, false) else {
            return Parsed::TooLong;
        };
        let mut path = normalise(&atoms, &directory);
        if has_lone_unset(value) || has_lone_unset(cwd) {
            let (Some(atoms), Some(directory)) = (self::atoms(value, true), self::atoms(cwd, true))
            else {
                return Parsed::TooLong;
            };
            path.filled = Some(Box::new(normalise(&atoms, &directory)));
        }
        path.unset_prefix = matches!(value.pieces.first(), Some(Piece::Unset(_)));
        Parsed::Path(path)
    }

    /// A path of known bytes.
    pub(crate) fn known(bytes: &[u8]) -> Self {
        let atoms: Vec<Atom> = bytes.iter().copied().map(Atom::Byte).collect();
        normalise(&atoms, &[Atom::Byte(b'/')])
    }

    /// The path without patterns that stand for everything in a directory.
    pub(crate) fn trunk(&self) -> &[Part] {
        let mut parts = self.parts.as_slice();
        while let Some((last, rest)) = parts.split_last() {
            if !last.is_bare() {
                break;
            }
            parts = rest;
        }
        parts
    }

    /// Whether its last component stands for everything in a directory.
    pub(crate) fn is_bare(&self) -> bool {
        self.parts.last().is_some_and(Part::is_bare)
    }

    /// Whether the components may stand in the root directory: two `..` behind text that cannot be
    /// known are enough, where one still means the directory next to it.
    pub(crate) fn may_be_rooted(&self) -> bool {
        self.base == Base::Root || self.climbs > 1
    }

    /// Whether some text of it cannot be known.
    pub(crate) fn has_names(&self) -> bool {
        self.base == Base::Unknown(Fog::Names) || self.parts.iter().any(Part::has_names)
    }
}

/// The value's pieces; `fill` puts a byte that no name holds where an unset variable stands alone.
fn atoms(value: &Value, fill: bool) -> Option<Vec<Atom>> {
    let mut out = Vec::new();
    for (index, piece) in value.pieces.iter().enumerate() {
        match piece {
            Piece::Text { bytes, .. } => out.extend(bytes.iter().copied().map(Atom::Byte)),
            Piece::Glob { pattern, .. } if pattern.len() <= LONGEST => {
                push_glob(&mut out, pattern);
            }
            Piece::Glob { .. } => return None,
            Piece::Unset(_) => {
                if fill && stands_alone(&value.pieces, index) {
                    out.push(Atom::Byte(0));
                }
            }
            Piece::Unknown(unknown) => out.push(Atom::Fog(Fog::of(&unknown.origin))),
        }
        if out.len() > LONGEST {
            return None;
        }
    }
    Some(out)
}

/// Whether a variable that nobody set stands where a whole component would be.
fn has_lone_unset(value: &Value) -> bool {
    value.pieces.iter().enumerate().any(|(index, piece)| {
        matches!(piece, Piece::Unset(_)) && stands_alone(&value.pieces, index)
    })
}

/// Whether a whole component would come out of the piece: on both sides there is a slash, a pattern
/// or the end.
fn stands_alone(pieces: &[Piece], index: usize) -> bool {
    let before = pieces
        .get(..index)
        .unwrap_or_default()
        .iter()
        .rev()
        .find(|piece| !matches!(piece, Piece::Unset(_)));
    let after = pieces
        .get(index + 1..)
        .unwrap_or_default()
        .iter()
        .find(|piece| !matches!(piece, Piece::Unset(_)));
    let left = match before {
        Some(Piece::Text { bytes, .. }) => bytes.last() == Some(&b'/'),
        Some(Piece::Unknown(_)) => false,
        _ => true,
    };
    let right = match after {
        Some(Piece::Text { bytes, .. }) => bytes.first() == Some(&b'/'),
        Some(Piece::Unknown(_)) => false,
        _ => true,
    };
    left && right
}

/// Joins and normalises.
fn normalise(atoms: &[Atom], cwd: &[Atom]) -> Path {
    let drive = is_drive(atoms);
    let rooted = atoms.first() == Some(&Atom::Byte(b'/'));
    let foggy = starts_foggy(atoms).is_some();
    let mut path = Path {
        base: Base::Root,
        parts: Vec::new(),
        filled: None,
        unset_prefix: false,
        climbs: 0,
        loose: false,
    };
    if drive {
        path.base = Base::Drive;
        push_parts(&mut path, atoms.get(2..).unwrap_or_default(), true);
        return path;
    }
    if !rooted && !foggy {
        let drive = is_drive(cwd);
        match cwd.first() {
            Some(Atom::Byte(b'/')) => push_parts(&mut path, cwd, false),
            Some(Atom::Fog(fog)) => start_foggy(&mut path, *fog, cwd),
            _ if drive => {
                path.base = Base::Drive;
                push_parts(&mut path, cwd.get(2..).unwrap_or_default(), true);
            }
            // A working directory that is not absolute is none.
            _ => path.base = Base::Unknown(Fog::Any),
        }
    }
    match starts_foggy(atoms) {
        Some(fog) => start_foggy(&mut path, fog, atoms),
        None => push_parts(&mut path, atoms, false),
    }
    alias(&mut path);
    path
}

/// The unknown text that a path starts with, unless it is the name of a fresh file.
fn starts_foggy(atoms: &[Atom]) -> Option<Fog> {
    match atoms.first() {
        Some(Atom::Fog(fog)) if *fog != Fog::Temporary => Some(*fog),
        _ => None,
    }
}

/// Starts a path whose first text is unknown; the rest of its first component stays with it.
fn start_foggy(path: &mut Path, fog: Fog, atoms: &[Atom]) {
    path.parts.clear();
    path.climbs = 0;
    path.loose = false;
    path.base = Base::Unknown(fog);
    let rest = atoms.get(1..).unwrap_or_default();
    // `$X.log`: the component has a known end.
    let glued = !matches!(rest.first(), None | Some(Atom::Byte(b'/')));
    push_parts(path, if glued { atoms } else { rest }, false);
}

/// `C:`, `C:\…` or `C:/…`.
fn is_drive(atoms: &[Atom]) -> bool {
    matches!(
        (atoms.first(), atoms.get(1)),
        (Some(Atom::Byte(letter)), Some(Atom::Byte(b':'))) if letter.is_ascii_alphabetic()
    ) && matches!(
        atoms.get(2),
        None | Some(Atom::Byte(b'\\' | b'/') | Atom::Many)
    )
}

/// Appends components; `.` and empty ones are dropped, `..` takes one away.
fn push_parts(path: &mut Path, atoms: &[Atom], windows: bool) {
    let slash = |atom: &Atom| *atom == Atom::Byte(b'/') || (windows && *atom == Atom::Byte(b'\\'));
    for part in atoms.split(slash) {
        match part {
            [] | [Atom::Byte(b'.')] => {}
            [Atom::Byte(b'.'), Atom::Byte(b'.')] => match path.parts.pop() {
                Some(part) => path.loose |= part.may_be_several(),
                None if matches!(path.base, Base::Unknown(_)) => path.climbs += 1,
                None => {}
            },
            part => path.parts.push(Part::new(part.to_vec())),
        }
    }
}

/// Other names of the same directory: macOS keeps `/etc`, `/var`, `/tmp` and `/home` below
/// `/private`, and `/proc/self/root` is `/`.
fn alias(path: &mut Path) {
    if path.base != Base::Root {
        return;
    }
    if let [first, second, ..] = path.parts.as_slice()
        && first.is(b"private")
        && ["etc", "var", "tmp", "home"]
            .iter()
            .any(|name| second.is(name.as_bytes()))
    {
        path.parts.remove(0);
    }
    while let [first, process, third, ..] = path.parts.as_slice()
        && first.is(b"proc")
        && third.is(b"root")
        && process
            .literal()
            .is_some_and(|name| name == b"self" || name.iter().all(u8::is_ascii_digit))
    {
        path.parts.drain(..3);
    }
}
