//! The text of a file, and places in it.

use std::ops::Range;
use std::path::Path;

use crate::error::{ConfigError, Excerpt, Kind};
use crate::layers::Layer;

/// Most characters of a line that are shown.
const SHOWN: usize = 240;

/// A file's name, layer and text.
pub(crate) struct Source<'a> {
    pub(crate) file: &'a Path,
    pub(crate) layer: Layer,
    pub(crate) text: &'a str,
    /// The offsets at which lines begin, the first excepted: a place is found without reading the
    /// file anew.
    starts: Vec<usize>,
}

impl<'a> Source<'a> {
    pub(crate) fn new(file: &'a Path, layer: Layer, text: &'a str) -> Self {
        let starts = text.match_indices('\n').map(|(at, _)| at + 1).collect();
        Self {
            file,
            layer,
            text,
            starts,
        }
    }

    /// A fault at a place.
    pub(crate) fn error(&self, span: Range<usize>, what: Kind) -> ConfigError {
        let (line, column, excerpt) = self.place(span);
        ConfigError {
            file: self.file.to_owned(),
            line,
            column,
            what,
            suggestion: None,
            excerpt: Some(excerpt),
        }
    }

    /// The line of a byte offset, from 1.
    pub(crate) fn line(&self, offset: usize) -> u32 {
        number(self.starts.partition_point(|start| *start <= offset) + 1)
    }

    /// Line and column from 1, and the line with the place in it.
    fn place(&self, span: Range<usize>) -> (u32, u32, Excerpt) {
        let mut start = span.start.min(self.text.len());
        while !self.text.is_char_boundary(start) {
            start -= 1;
        }
        let before = self.starts.partition_point(|line| *line <= start);
        let first = before
            .checked_sub(1)
            .and_then(|before| self.starts.get(before).copied())
            .unwrap_or(0);
        let head = self.text.get(first..start).unwrap_or_default();
        let after = self.text.get(start..).unwrap_or_default();
        let tail = after.split(['\n', '\r']).next().unwrap_or(after);
        let column = head.chars().count();
        let mut width = span.end.saturating_sub(start).min(tail.len());
        while !tail.is_char_boundary(width) {
            width -= 1;
        }
        let width = tail.get(..width).unwrap_or(tail).chars().count();
        let excerpt = Excerpt {
            text: head.chars().chain(tail.chars()).take(SHOWN).collect(),
            start: column.min(SHOWN),
            width: width.clamp(1, SHOWN.saturating_sub(column).max(1)),
        };
        (number(before + 1), number(column + 1), excerpt)
    }
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
