//! Where the text of script files stands: behind the text that was given, each file for itself, so
//! that every byte of all of them has an offset of its own. The answer maps these back to the place
//! in the given text from which the script is run.

use crate::execution::ScriptPlace;
use crate::source::Span;
use crate::value::{Piece, Value};

/// The script files that were read.
#[derive(Default)]
pub(crate) struct Scripts {
    /// By offset, which grows.
    files: Vec<ScriptFile>,
    /// Behind the text that was given.
    first: u32,
}

struct ScriptFile {
    path: Vec<u8>,
    /// Where it begins.
    base: u32,
    length: u32,
    /// Offsets of its line ends.
    lines: Vec<u32>,
    /// What runs it; in the given text, or in a file before this one.
    from: Span,
}

impl Scripts {
    /// For a text that ends here.
    pub(crate) fn behind(end: u32) -> Self {
        Self {
            files: Vec::new(),
            first: end.saturating_add(1),
        }
    }

    /// A file's content with offsets of its own; without when there are no more.
    pub(crate) fn content(&mut self, path: &[u8], content: &[u8], from: Span) -> Value {
        let known = self
            .files
            .iter()
            .find(|file| file.path == path && file.from == from);
        let base = match known {
            Some(file) => Some(file.base),
            None => self.add(path, content, from),
        };
        let mut value = Value::empty();
        value.push_text(content, base);
        value
    }

    fn add(&mut self, path: &[u8], content: &[u8], from: Span) -> Option<u32> {
        let base = match self.files.last() {
            Some(last) => last.base.checked_add(last.length)?.checked_add(1)?,
            None => self.first,
        };
        let length = u32::try_from(content.len()).ok()?;
        base.checked_add(length)?.checked_add(1)?;
        let lines = (0u32..).zip(content).filter(|(_, byte)| **byte == b'\n');
        self.files.push(ScriptFile {
            path: path.to_vec(),
            base,
            length,
            lines: lines.map(|(at, _)| at).collect(),
            from,
        });
        Some(base)
    }

    /// Whether an offset is one of a script file.
    pub(crate) fn holds(&self, offset: u32) -> bool {
        offset >= self.first
    }

    fn file(&self, offset: u32) -> Option<&ScriptFile> {
        if !self.holds(offset) {
            return None;
        }
        let behind = self.files.partition_point(|file| file.base <= offset);
        self.files.get(behind.checked_sub(1)?)
    }

    /// The place in the given text for one that may be in a script.
    pub(crate) fn outside(&self, mut span: Span) -> Span {
        while let Some(file) = self.file(span.start) {
            span = file.from;
        }
        while let Some(file) = self.file(span.end.saturating_sub(1)) {
            span.end = file.from.end;
        }
        span
    }

    /// The innermost script file that a place is in.
    pub(crate) fn place(&self, span: Span) -> Option<ScriptPlace> {
        let file = self.file(span.start)?;
        let start = span.start.saturating_sub(file.base);
        let end = span.end.saturating_sub(file.base);
        let before = file.lines.partition_point(|line| *line < start);
        Some(ScriptPlace {
            path: file.path.clone(),
            line: u32::try_from(before).unwrap_or(u32::MAX).saturating_add(1),
            span: Span::new(start.min(file.length), end.clamp(start, file.length)),
        })
    }

    /// Whether some of it is text in scripts.
    pub(crate) fn is_any_inside(&self, value: &Value) -> bool {
        value.pieces.iter().any(|piece| match piece {
            Piece::Text { at, .. } | Piece::Glob { at, .. } => {
                at.is_some_and(|offset| self.holds(offset))
            }
            _ => false,
        })
    }

    /// Text in scripts is not written in the given text.
    pub(crate) fn unwritten(&self, value: &mut Value) {
        for piece in &mut value.pieces {
            if let Piece::Text { at, .. } | Piece::Glob { at, .. } = piece
                && at.is_some_and(|offset| self.holds(offset))
            {
                *at = None;
            }
        }
    }
}
