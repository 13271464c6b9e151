//! What is known of a word when the shell would have expanded it.

use std::borrow::Cow;

use crate::source::{Source, Span};

/// How many files a value is known to be made of.
const MAX_SOURCES: usize = 16;

/// Longer paths name no file.
const MAX_PATH: usize = 4096;

/// Why a piece of a value cannot be known, as far as it matters for a verdict.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Origin {
    /// The value of a variable or parameter that the line does not determine.
    Variable(Vec<u8>),
    /// What a program prints; its name when known.
    Output(Vec<u8>),
    /// What a program prints whose documented interface are settings for a shell to evaluate
    /// (`brew shellenv`); its name.
    Settings(Vec<u8>),
    /// What was fetched from the network.
    Fetched,
    /// The name of a fresh file or directory in the temporary directory (`mktemp`): one component.
    Temporary,
    /// The contents of a file.
    File(Vec<u8>),
    /// Names that arrive from a pipe, a file list or a directory search (`xargs`, `find -exec {}`).
    Names,
    /// Anything else: arithmetic, a bound that was hit.
    Other,
}

/// Text that cannot be known.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Unknown {
    /// Where it would come from.
    pub origin: Origin,
    /// It may expand to no word or to several.
    pub many: bool,
    /// The files whose content it is made of, where the line says which.
    pub from: Vec<Vec<u8>>,
}

/// A part of a value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Piece {
    /// Known bytes.
    Text {
        /// The bytes after expansion and quote removal.
        bytes: Vec<u8>,
        /// Where the first byte was written, when the run was written contiguously.
        at: Option<u32>,
    },
    /// An unquoted pattern as written (`*`, `?`, `[a-z]`, `!(x)`): it matches file names when it
    /// runs, and stays as written when none match.
    Glob {
        /// The pattern's bytes.
        pattern: Vec<u8>,
        /// Where it was written.
        at: Option<u32>,
    },
    /// A variable that nobody set: expands to nothing.
    Unset(Vec<u8>),
    /// Text that cannot be known.
    Unknown(Unknown),
}

impl Piece {
    /// How many bytes of it are known.
    pub(crate) fn known_length(&self) -> usize {
        match self {
            Self::Text { bytes, .. } | Self::Glob { pattern: bytes, .. } => bytes.len(),
            Self::Unset(_) | Self::Unknown(_) => 0,
        }
    }
}

/// One word after expansion: a sequence of pieces.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Value {
    /// The pieces in order; none for the empty word.
    pub pieces: Vec<Piece>,
    /// Some part of it came out of a decoder (`base64 -d`, `xxd -r`, `tr`, …).
    pub decoded: bool,
}

impl Value {
    /// The empty word.
    #[must_use]
    pub fn empty() -> Self {
        Self::default()
    }

    /// Known bytes that were not written in the text.
    #[must_use]
    pub fn computed(bytes: impl Into<Vec<u8>>) -> Self {
        let mut value = Self::default();
        value.push_text(&bytes.into(), None);
        value
    }

    /// Known bytes that were written at `at`.
    #[must_use]
    pub fn written(bytes: &[u8], at: u32) -> Self {
        let mut value = Self::default();
        value.push_text(bytes, Some(at));
        value
    }

    /// One unknown word.
    #[must_use]
    pub fn unknown(origin: Origin) -> Self {
        Self {
            pieces: vec![Piece::Unknown(Unknown {
                origin,
                many: false,
                from: Vec::new(),
            })],
            decoded: false,
        }
    }

    /// A fresh path in the temporary directory.
    #[must_use]
    pub fn temporary() -> Self {
        let mut value = Self::computed(b"/tmp/".as_slice());
        value.append(&Self::unknown(Origin::Temporary));
        value
    }

    /// Unknown text that may be no word or several.
    #[must_use]
    pub fn unknown_words(origin: Origin) -> Self {
        Self {
            pieces: vec![Piece::Unknown(Unknown {
                origin,
                many: true,
                from: Vec::new(),
            })],
            decoded: false,
        }
    }

    /// Appends known bytes, joining them to a text piece that they continue.
    pub fn push_text(&mut self, bytes: &[u8], at: Option<u32>) {
        if bytes.is_empty() {
            return;
        }
        if let Some(Piece::Text {
            bytes: last,
            at: last_at,
        }) = self.pieces.last_mut()
        {
            let continues = match (*last_at, at) {
                (Some(a), Some(b)) => {
                    u32::try_from(last.len()).is_ok_and(|n| a.wrapping_add(n) == b)
                }
                (None, None) => true,
                _ => false,
            };
            if continues {
                last.extend_from_slice(bytes);
                return;
            }
        }
        self.pieces.push(Piece::Text {
            bytes: bytes.to_vec(),
            at,
        });
    }

    /// Appends another value.
    pub fn append(&mut self, other: &Self) {
        self.decoded |= other.decoded;
        for piece in &other.pieces {
            match piece {
                Piece::Text { bytes, at } => self.push_text(bytes, *at),
                Piece::Unknown(unknown) => self.push_unknown(unknown),
                other => self.pieces.push(other.clone()),
            }
        }
    }

    /// Appends unknown text, joining it to unknown text of the same origin.
    pub fn push_unknown(&mut self, unknown: &Unknown) {
        if let Some(Piece::Unknown(last)) = self.pieces.last_mut()
            && last.origin == unknown.origin
            && last.from == unknown.from
        {
            last.many |= unknown.many;
            return;
        }
        self.pieces.push(Piece::Unknown(unknown.clone()));
    }

    /// Whether nothing of it is unknown; patterns count as known (they are what was written).
    #[must_use]
    pub fn is_known(&self) -> bool {
        !self
            .pieces
            .iter()
            .any(|piece| matches!(piece, Piece::Unknown(_)))
    }

    /// Whether it holds an unquoted pattern.
    #[must_use]
    pub fn has_glob(&self) -> bool {
        self.pieces
            .iter()
            .any(|piece| matches!(piece, Piece::Glob { .. }))
    }

    /// Whether it may stand for several words: it holds a pattern, or text that may be several.
    #[must_use]
    pub fn may_be_several(&self) -> bool {
        self.pieces.iter().any(|piece| match piece {
            Piece::Glob { .. } => true,
            Piece::Unknown(unknown) => unknown.many,
            _ => false,
        })
    }

    /// Whether some of it comes from a variable that nobody set.
    #[must_use]
    pub fn has_unset(&self) -> bool {
        self.pieces
            .iter()
            .any(|piece| matches!(piece, Piece::Unset(_)))
    }

    /// Without variables that nobody set where something else stands beside them.
    #[must_use]
    pub(crate) fn without_unset(&self) -> Cow<'_, Self> {
        let is_unset = |piece: &Piece| matches!(piece, Piece::Unset(_));
        let all = self.pieces.iter().all(is_unset);
        if all || !self.pieces.iter().any(is_unset) {
            return Cow::Borrowed(self);
        }
        let mut set = Self::empty();
        set.decoded = self.decoded;
        for piece in self.pieces.iter().filter(|piece| !is_unset(piece)) {
            match piece {
                Piece::Text { bytes, at } => set.push_text(bytes, *at),
                piece => set.pieces.push(piece.clone()),
            }
        }
        Cow::Owned(set)
    }

    /// The bytes, patterns as written; `None` when a part is unknown.
    #[must_use]
    pub fn bytes(&self) -> Option<Cow<'_, [u8]>> {
        match self.pieces.as_slice() {
            [] => Some(Cow::Borrowed(&[])),
            [Piece::Text { bytes, .. } | Piece::Glob { pattern: bytes, .. }] => {
                Some(Cow::Borrowed(bytes))
            }
            pieces => {
                let mut out = Vec::new();
                for piece in pieces {
                    match piece {
                        Piece::Text { bytes, .. } | Piece::Glob { pattern: bytes, .. } => {
                            out.extend_from_slice(bytes);
                        }
                        Piece::Unset(_) => {}
                        Piece::Unknown(_) => return None,
                    }
                }
                Some(Cow::Owned(out))
            }
        }
    }

    /// Whether it is exactly these bytes.
    #[must_use]
    pub fn is(&self, bytes: &[u8]) -> bool {
        self.bytes().is_some_and(|own| *own == *bytes)
    }

    /// The known bytes in front of the first unknown piece.
    #[must_use]
    pub fn known_prefix(&self) -> Vec<u8> {
        let mut out = Vec::new();
        for piece in &self.pieces {
            match piece {
                Piece::Text { bytes, .. } | Piece::Glob { pattern: bytes, .. } => {
                    out.extend_from_slice(bytes);
                }
                Piece::Unset(_) => {}
                Piece::Unknown(_) => break,
            }
        }
        out
    }

    /// The known bytes behind the last unknown piece.
    #[must_use]
    pub fn known_suffix(&self) -> Vec<u8> {
        let from = self
            .pieces
            .iter()
            .rposition(|piece| matches!(piece, Piece::Unknown(_)))
            .map_or(0, |index| index + 1);
        Self {
            pieces: self.pieces.get(from..).unwrap_or_default().to_vec(),
            decoded: false,
        }
        .known_prefix()
    }

    /// Whether some unknown part has this origin.
    #[must_use]
    pub fn any_unknown(&self, mut test: impl FnMut(&Origin) -> bool) -> bool {
        self.pieces
            .iter()
            .any(|piece| matches!(piece, Piece::Unknown(unknown) if test(&unknown.origin)))
    }

    /// The files whose content is in it, where the line says which.
    pub fn made_from(&self) -> impl Iterator<Item = &[u8]> {
        self.pieces.iter().flat_map(|piece| {
            let (own, from) = match piece {
                Piece::Unknown(Unknown { origin, from, .. }) => match origin {
                    Origin::File(path) if !path.is_empty() => (Some(path), from.as_slice()),
                    _ => (None, from.as_slice()),
                },
                _ => (None, [].as_slice()),
            };
            own.into_iter().chain(from).map(Vec::as_slice)
        })
    }

    /// Those files once each, as far as they are kept.
    #[must_use]
    pub fn sources(&self) -> Vec<Vec<u8>> {
        let mut sources: Vec<Vec<u8>> = Vec::new();
        for path in self.made_from() {
            let fits = sources.len() < MAX_SOURCES && path.len() <= MAX_PATH;
            if fits && !sources.iter().any(|known| known == path) {
                sources.push(path.to_vec());
            }
        }
        sources
    }

    /// The value, made of the content of the files that another one is made of.
    #[must_use]
    pub fn made_as(mut self, other: &Self) -> Self {
        let sources = other.sources();
        if sources.is_empty() {
            return self;
        }
        for piece in &mut self.pieces {
            if let Piece::Unknown(unknown) = piece {
                unknown.from.clone_from(&sources);
            }
        }
        self
    }

    /// Whether some of it was fetched from the network.
    #[must_use]
    pub fn is_fetched(&self) -> bool {
        self.any_unknown(|origin| *origin == Origin::Fetched)
    }

    /// Where the first byte was written, if it was.
    #[must_use]
    pub fn first_written(&self) -> Option<u32> {
        self.pieces.iter().find_map(|piece| match piece {
            Piece::Text { at, .. } | Piece::Glob { at, .. } => Some(*at),
            _ => None,
        })?
    }

    /// The known text in front of the first unknown piece as a source to parse; computed bytes map
    /// to `fallback`. The flag says whether the whole value is known.
    #[must_use]
    pub fn to_source(&self, fallback: Span) -> (Source, bool) {
        let mut source = Source::builder();
        for piece in &self.pieces {
            match piece {
                Piece::Text { bytes, at } | Piece::Glob { pattern: bytes, at } => match at {
                    Some(at) => source.push(bytes, *at),
                    None => source.push_fixed(bytes, fallback),
                },
                Piece::Unset(_) => {}
                Piece::Unknown(_) => return (source, false),
            }
        }
        (source, true)
    }

    /// The same text as if none of it was written.
    pub(crate) fn without_places(&self) -> Self {
        let mut out = Self {
            pieces: Vec::with_capacity(self.pieces.len()),
            decoded: self.decoded,
        };
        for piece in &self.pieces {
            match piece {
                Piece::Text { bytes, .. } => out.push_text(bytes, None),
                piece => out.pieces.push(piece.clone()),
            }
        }
        out
    }

    /// How many bytes of it are known, patterns as written.
    pub(crate) fn known_length(&self) -> usize {
        self.pieces.iter().map(Piece::known_length).sum()
    }

    /// Roughly how many bytes it takes.
    pub(crate) fn size(&self) -> usize {
        self.pieces
            .iter()
            .map(|piece| match piece {
                Piece::Text { bytes, .. } => bytes.len() + 16,
                _ => 64,
            })
            .sum()
    }

    /// Whether running the line could give these bytes for this value.
    #[must_use]
    pub fn could_be(&self, bytes: &[u8]) -> bool {
        // Pieces as a pattern: text is literal, globs and unknowns match anything. Greedy matching
        // with one backtrack point is exact for such patterns.
        let mut piece = 0;
        let mut pos = 0;
        let mut retry: Option<(usize, usize)> = None;
        loop {
            match self.pieces.get(piece) {
                Some(Piece::Text { bytes: text, .. })
                    if bytes.get(pos..).is_some_and(|rest| rest.starts_with(text)) =>
                {
                    pos += text.len();
                    piece += 1;
                    continue;
                }
                Some(Piece::Unset(_)) => {
                    piece += 1;
                    continue;
                }
                Some(Piece::Glob { .. } | Piece::Unknown(_)) => {
                    piece += 1;
                    retry = Some((piece, pos));
                    continue;
                }
                None if pos == bytes.len() => return true,
                _ => {}
            }
            match retry {
                Some((at_piece, at_pos)) if at_pos < bytes.len() => {
                    retry = Some((at_piece, at_pos + 1));
                    piece = at_piece;
                    pos = at_pos + 1;
                }
                _ => return false,
            }
        }
    }
}
