//! Field splitting: how expansions become words.

use std::borrow::Cow;

use crate::value::{Origin, Piece, Unknown, Value};

/// Which bytes separate fields.
#[derive(Clone, Debug)]
pub(crate) struct Separators {
    /// Blanks, tabs, newlines of `IFS`.
    pub(crate) blank: Cow<'static, [u8]>,
    /// The other bytes of `IFS`.
    pub(crate) other: Cow<'static, [u8]>,
    /// The first byte of `IFS`, which stands between the elements of a list.
    first: Option<u8>,
    /// `IFS` cannot be known: no more can what it splits.
    unknown: bool,
}

impl Default for Separators {
    fn default() -> Self {
        Self {
            blank: Cow::Borrowed(b" \t\n"),
            other: Cow::Borrowed(b""),
            first: Some(b' '),
            unknown: false,
        }
    }
}

impl Separators {
    /// From the value of `IFS`.
    pub(crate) fn from_ifs(ifs: &[u8]) -> Self {
        let (blank, other): (Vec<u8>, Vec<u8>) =
            ifs.iter().partition(|byte| b" \t\n".contains(byte));
        Self {
            blank: blank.into(),
            other: other.into(),
            first: ifs.first().copied(),
            unknown: false,
        }
    }

    /// Whether what separates cannot be known.
    pub(crate) fn is_unknown(&self) -> bool {
        self.unknown
    }

    /// Nothing splits.
    pub(crate) fn none() -> Self {
        Self::from_ifs(b"")
    }

    /// Any text may split anywhere.
    pub(crate) fn unknown() -> Self {
        Self {
            unknown: true,
            ..Self::default()
        }
    }
}

/// Words under construction.
#[derive(Default)]
pub(crate) struct Fields {
    words: Vec<Value>,
    current: Value,
    /// The current word exists even if it is empty.
    open: bool,
    /// A separator stood at the end of the last expansion.
    closed: bool,
    /// One that is no blank stood there.
    hard: bool,
    /// The current word is the last element of a list, and there may be no such element.
    loose: bool,
}

impl Fields {
    /// Quoted or literal text: part of the current word, never split.
    pub(crate) fn quoted(&mut self, value: &Value) {
        self.close();
        if !value.pieces.is_empty() {
            self.tighten();
        }
        self.current.append(value);
        self.open = true;
    }

    /// Between two elements of a list, the first of which is `before`.
    pub(crate) fn next_element(&mut self, before: &Value, separators: Option<&Separators>) {
        if may_be_none(before) && self.current.pieces.len() > 1 {
            // Without it the next one stands behind the text in front.
            return;
        }
        match separators.and_then(|separators| separators.first.map(|first| (first, separators))) {
            // An unquoted list is joined before it is split.
            Some((first, separators)) => self.split_text(&[first], None, separators),
            None => self.end_word(),
        }
    }

    /// Behind the last element of a list with several.
    pub(crate) fn last_element(&mut self, last: &Value) {
        self.loose = may_be_none(last) && self.current.pieces.len() == 1;
    }

    /// More text for the current word: without a last element it belongs to the word before.
    fn tighten(&mut self) {
        if std::mem::take(&mut self.loose)
            && let Some(mut before) = self.words.pop()
        {
            before.append(&self.current);
            self.current = before;
        }
    }

    /// A quoted expansion: one word, however many words its text would make elsewhere.
    pub(crate) fn single(&mut self, value: &Value) {
        let mut value = value.clone();
        for piece in &mut value.pieces {
            if let Piece::Unknown(unknown) = piece {
                unknown.many = false;
            }
        }
        self.quoted(&value);
    }

    /// A live pattern.
    pub(crate) fn pattern(&mut self, pattern: &[u8], at: Option<u32>) {
        self.close();
        self.tighten();
        self.current.pieces.push(Piece::Glob {
            pattern: pattern.to_vec(),
            at,
        });
        self.open = true;
    }

    /// An unquoted expansion: split, with live patterns.
    pub(crate) fn split(&mut self, value: &Value, separators: &Separators) {
        self.current.decoded |= value.decoded;
        if separators.unknown && !value.pieces.is_empty() {
            self.close();
            self.current.push_unknown(&Unknown {
                origin: Origin::Variable(b"IFS".to_vec()),
                many: true,
                from: value.sources(),
            });
            self.open = true;
            return;
        }
        for piece in &value.pieces {
            match piece {
                Piece::Text { bytes, at } => self.split_text(bytes, *at, separators),
                Piece::Glob { pattern, at } => self.pattern(pattern, *at),
                Piece::Unset(_) => {
                    self.close();
                    self.current.pieces.push(piece.clone());
                }
                Piece::Unknown(unknown) => {
                    self.close();
                    self.tighten();
                    let many = Unknown {
                        many: true,
                        ..unknown.clone()
                    };
                    self.current.pieces.push(Piece::Unknown(many));
                    self.open = true;
                }
            }
        }
    }

    fn split_text(&mut self, bytes: &[u8], at: Option<u32>, separators: &Separators) {
        let mut start = 0;
        let mut position = 0;
        while let Some(&byte) = bytes.get(position) {
            if separators.blank.contains(&byte) {
                self.piece(bytes, start, position, at);
                if self.open {
                    self.closed = true;
                }
                position += 1;
                start = position;
            } else if separators.other.contains(&byte) {
                self.piece(bytes, start, position, at);
                // With blanks around it one separator; a second one delimits an empty word.
                if self.hard {
                    self.close();
                }
                self.open = true;
                self.closed = true;
                self.hard = true;
                position += 1;
                start = position;
            } else {
                position += 1;
            }
        }
        self.piece(bytes, start, position, at);
    }

    fn piece(&mut self, bytes: &[u8], start: usize, end: usize, at: Option<u32>) {
        let Some(text) = bytes.get(start..end).filter(|text| !text.is_empty()) else {
            return;
        };
        self.close();
        self.tighten();
        let at = at.and_then(|at| at.checked_add(u32::try_from(start).ok()?));
        push_live(&mut self.current, text, at);
        self.open = true;
    }

    /// Ends the current word when a separator was seen.
    fn close(&mut self) {
        if self.closed {
            self.end_word();
        }
    }

    /// Ends the current word.
    pub(crate) fn end_word(&mut self) {
        self.closed = false;
        self.hard = false;
        self.loose = false;
        let word = std::mem::take(&mut self.current);
        if self.open {
            self.words.push(word);
        }
        self.open = false;
    }

    /// The words.
    pub(crate) fn finish(mut self) -> Vec<Value> {
        self.end_word();
        self.words
    }

    /// How many words there are so far.
    pub(crate) fn len(&self) -> usize {
        self.words.len() + usize::from(self.open)
    }
}

/// Whether this element of a list may be none at all.
fn may_be_none(value: &Value) -> bool {
    matches!(value.pieces.as_slice(), [Piece::Unknown(unknown)] if unknown.many)
}

/// Appends unquoted text with its pattern characters live.
pub(crate) fn push_live(value: &mut Value, bytes: &[u8], at: Option<u32>) {
    if !bytes.iter().any(|byte| matches!(byte, b'*' | b'?' | b'[')) {
        value.push_text(bytes, at);
        return;
    }
    let offset = |index: usize| at.and_then(|at| at.checked_add(u32::try_from(index).ok()?));
    let mut start = 0;
    let mut position = 0;
    // No bracket in front of this position is closed.
    let mut open_until = 0;
    while let Some(&byte) = bytes.get(position) {
        let length = match byte {
            b'*' | b'?' => 1,
            b'[' => {
                let rest = bytes.get(position..).unwrap_or_default();
                let closed = if position < open_until {
                    None
                } else {
                    bracket(rest)
                };
                match closed {
                    Some(length) => length,
                    None => {
                        if position >= open_until {
                            let end = rest.iter().position(|byte| *byte == b'/');
                            open_until = position + end.unwrap_or(rest.len());
                        }
                        // Quoted text may follow that belongs to the brackets (`[\9]`).
                        usize::from(bytes.len() > 1)
                    }
                }
            }
            _ => 0,
        };
        if length == 0 {
            position += 1;
            continue;
        }
        value.push_text(
            bytes.get(start..position).unwrap_or_default(),
            offset(start),
        );
        let pattern = bytes.get(position..position + length).unwrap_or_default();
        value.pieces.push(Piece::Glob {
            pattern: pattern.to_vec(),
            at: offset(position),
        });
        position += length;
        start = position;
    }
    value.push_text(bytes.get(start..).unwrap_or_default(), offset(start));
}

/// The length of a bracket expression at the start of the text.
pub(crate) fn bracket(bytes: &[u8]) -> Option<usize> {
    let mut position = 1;
    if matches!(bytes.get(position), Some(b'!' | b'^')) {
        position += 1;
    }
    if bytes.get(position) == Some(&b']') {
        position += 1;
    }
    loop {
        match bytes.get(position)? {
            b']' => return Some(position + 1),
            b'/' => return None,
            b'[' if bytes.get(position + 1) == Some(&b':') => {
                let rest = bytes.get(position + 2..)?;
                position += rest
                    .windows(2)
                    .take(16)
                    .position(|w| w == b":]")
                    .map_or(1, |n| n + 4);
            }
            _ => position += 1,
        }
    }
}
