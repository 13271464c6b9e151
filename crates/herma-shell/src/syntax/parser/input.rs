//! The text of one job with a position, and what all jobs share: fuel, errors, slots.

use std::collections::HashSet;
use std::collections::VecDeque;

use super::heredoc::Pending;
use super::{Dialect, Fault, Outcome};
use crate::MAX_DEPTH;
use crate::execution::{Uncertain, Why};
use crate::source::{Source, Span};
use crate::syntax::{List, Word};

/// Work per byte before the text counts as hostile.
const FUEL_PER_BYTE: u64 = 64;
/// Work that even an empty text may cost.
const FUEL_BASE: u64 = 4096;

/// Bytes to parse; `origins[i]` is where byte `i` was written.
#[derive(Debug, Default)]
pub(super) struct Buffer {
    bytes: Vec<u8>,
    origins: Vec<u32>,
    end: u32,
}

impl Buffer {
    /// The whole source, without NUL bytes: bash drops them.
    pub(super) fn root(source: &Source) -> Self {
        let mut buffer = Self::default();
        buffer.bytes.reserve(source.bytes().len());
        buffer.origins.reserve(source.bytes().len());
        source
            .mapped()
            .filter(|(byte, _)| *byte != 0)
            .for_each(|(byte, origin)| buffer.push(byte, origin));
        buffer.end = source.origin(source.bytes().len());
        buffer
    }

    pub(super) fn push(&mut self, byte: u8, origin: u32) {
        self.bytes.push(byte);
        self.origins.push(origin);
        self.end = origin.saturating_add(1);
    }

    pub(super) fn len(&self) -> usize {
        self.bytes.len()
    }

    pub(super) fn tail(&self, from: usize) -> &[u8] {
        self.bytes.get(from..).unwrap_or(&[])
    }

    pub(super) fn truncate(&mut self, len: usize) {
        self.bytes.truncate(len);
        self.origins.truncate(len);
    }

    pub(super) fn last(&self) -> Option<(u8, u32)> {
        self.bytes.last().copied().zip(self.origins.last().copied())
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (u8, u32)> + '_ {
        self.bytes.iter().copied().zip(self.origins.iter().copied())
    }
}

/// A body that is parsed after the text around it.
#[derive(Debug)]
pub(super) struct Job {
    pub(super) slot: usize,
    pub(super) buffer: Buffer,
    pub(super) depth: usize,
    pub(super) heredoc: bool,
}

/// What a job yielded.
#[derive(Debug)]
pub(super) enum Filled {
    Empty,
    List(List),
    Word(Word),
}

/// A place in the tree that a job fills, with the span that belongs there.
#[derive(Debug)]
pub(super) struct Slot {
    pub(super) filled: Filled,
    pub(super) span: Span,
}

/// Where a reading began, to go back to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Checkpoint {
    pos: usize,
    jobs: usize,
    slots: usize,
    pending: usize,
    scope: usize,
    closer: Option<u8>,
    depth: usize,
}

#[derive(Debug)]
pub(super) struct Input {
    buffer: Buffer,
    pub(super) pos: usize,
    pub(super) dialect: Dialect,
    fuel: u64,
    depth: usize,
    jobs: VecDeque<Job>,
    slots: Vec<Slot>,
    errors: Vec<Uncertain>,
    /// Here-documents whose bodies begin behind the next newline; those before `scope` belong to
    /// the text around the current substitution.
    pub(super) pending: Vec<Pending>,
    pub(super) scope: usize,
    /// What ends the current substitution.
    pub(super) closer: Option<u8>,
    /// There are patterns like `@(a|b)`.
    pub(super) extended: bool,
    /// Places where the first reading of `((` or of a pattern list failed.
    refused: HashSet<usize>,
    /// Behind this place such a reading ran into the end of the text: bash gives up there, and
    /// trying again at every parenthesis would cost the square of the length.
    unclosed: Option<usize>,
    /// A place and the end of its line, once it was looked for.
    line: (usize, usize),
}

impl Input {
    pub(super) fn new(buffer: Buffer, dialect: Dialect) -> Self {
        let fuel = FUEL_BASE + FUEL_PER_BYTE * buffer.len() as u64;
        Self {
            buffer,
            pos: 0,
            dialect,
            fuel,
            depth: 0,
            jobs: VecDeque::new(),
            slots: Vec::new(),
            errors: Vec::new(),
            pending: Vec::new(),
            scope: 0,
            closer: None,
            extended: false,
            refused: HashSet::new(),
            unclosed: None,
            line: (1, 0),
        }
    }

    /// Turns to the text of the next job.
    pub(super) fn open(&mut self, buffer: Buffer) {
        self.buffer = buffer;
        self.pos = 0;
        self.refused.clear();
        self.unclosed = None;
        self.line = (1, 0);
        self.forget_pending();
    }

    pub(super) fn bash(&self) -> bool {
        self.dialect != Dialect::Posix
    }

    pub(super) fn zsh(&self) -> bool {
        self.dialect == Dialect::Zsh
    }

    // --- bytes ---

    /// The byte at the position, behind any continuation lines.
    pub(super) fn peek(&mut self) -> Option<u8> {
        self.pos = self.joined(self.pos);
        self.raw(self.pos)
    }

    /// The byte behind the one that [`Input::peek`] gave.
    pub(super) fn peek_second(&self) -> Option<u8> {
        self.raw(self.joined(self.pos + 1))
    }

    /// The byte at an index as written.
    pub(super) fn raw(&self, index: usize) -> Option<u8> {
        self.buffer.bytes.get(index).copied()
    }

    /// The first index from `index` on that is not in a continuation (backslash, newline).
    pub(super) fn joined(&self, mut index: usize) -> usize {
        while self.raw(index) == Some(b'\\') && self.raw(index + 1) == Some(b'\n') {
            index += 2;
        }
        index
    }

    /// Where `text` ends, if it stands at `index` (continuations may stand between its bytes).
    pub(super) fn ends_at(&self, mut index: usize, text: &[u8]) -> Option<usize> {
        for byte in text {
            index = self.joined(index);
            if self.raw(index) != Some(*byte) {
                return None;
            }
            index += 1;
        }
        Some(index)
    }

    pub(super) fn at(&self, text: &[u8]) -> bool {
        self.ends_at(self.pos, text).is_some()
    }

    /// Steps over `text` if it stands here.
    pub(super) fn eat(&mut self, text: &[u8]) -> bool {
        match self.ends_at(self.pos, text) {
            Some(end) => {
                self.pos = end;
                true
            }
            None => false,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.buffer.len()
    }

    /// The bytes `start..end` as written.
    pub(super) fn slice(&self, start: usize, end: usize) -> &[u8] {
        let end = end.min(self.buffer.len());
        self.buffer.bytes.get(start.min(end)..end).unwrap_or(&[])
    }

    /// The bytes `start..end` with continuations removed.
    pub(super) fn joined_slice(&self, start: usize, end: usize) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut index = self.joined(start);
        while index < end {
            bytes.extend(self.raw(index));
            index = self.joined(index + 1);
        }
        bytes
    }

    pub(super) fn skip_blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t')) {
            self.pos += 1;
        }
    }

    /// Whether only blanks stand in front of this place on its line.
    pub(super) fn begins_line(&self) -> bool {
        let mut at = self.pos;
        while let Some(before) = at.checked_sub(1) {
            match self.raw(before) {
                Some(b' ' | b'\t') => at = before,
                Some(b'\n') => {
                    return before.checked_sub(1).and_then(|at| self.raw(at)) != Some(b'\\');
                }
                _ => return false,
            }
        }
        true
    }

    /// Steps over blanks and a comment.
    pub(super) fn skip_gap(&mut self) {
        self.skip_blanks();
        if self.peek() == Some(b'#') {
            while self.raw(self.pos).is_some_and(|byte| byte != b'\n') {
                self.pos += 1;
            }
        }
    }

    /// Steps over blanks, comments and newlines; here-document bodies behind the newlines are read.
    pub(super) fn skip_newlines(&mut self) -> Outcome<()> {
        loop {
            self.skip_gap();
            if self.raw(self.pos) != Some(b'\n') {
                return Ok(());
            }
            self.newline()?;
        }
    }

    /// Where the next newline stands, or the end of the text.
    pub(super) fn line_end(&mut self) -> usize {
        let (from, end) = self.line;
        if self.pos < from || self.pos > end {
            let mut end = self.pos;
            while self.raw(end).is_some_and(|byte| byte != b'\n') {
                end += 1;
            }
            self.line = (self.pos, end);
        }
        self.line.1
    }

    /// Goes behind the next newline; false at the end of the text.
    pub(super) fn skip_line(&mut self) -> bool {
        while let Some(byte) = self.raw(self.pos) {
            self.pos += 1;
            if byte == b'\n' {
                return true;
            }
        }
        false
    }

    // --- places ---

    pub(super) fn origin(&self, index: usize) -> u32 {
        self.buffer
            .origins
            .get(index)
            .copied()
            .unwrap_or(self.buffer.end)
    }

    pub(super) fn span(&self, start: usize, end: usize) -> Span {
        let first = self.origin(start);
        let last = match end.checked_sub(1) {
            Some(last) if last >= start && last < self.len() => self.origin(last).saturating_add(1),
            Some(last) if last >= start => self.buffer.end,
            _ => first,
        };
        Span::new(first, last.max(first))
    }

    // --- faults ---

    /// The shell would report a syntax error at the position, or at the end of the text.
    pub(super) fn fault(&self) -> Fault {
        let why = if self.pos >= self.len() {
            Why::UnexpectedEnd
        } else {
            Why::Syntax
        };
        Fault {
            why,
            start: self.pos,
            end: self.pos + 1,
        }
    }

    /// The text ends inside what began at `start`.
    pub(super) fn unfinished(&self, start: usize) -> Fault {
        Fault {
            why: Why::UnexpectedEnd,
            start,
            end: self.len(),
        }
    }

    pub(super) fn burn(&mut self, work: usize) -> Outcome<()> {
        match self.fuel.checked_sub(work as u64) {
            Some(fuel) => {
                self.fuel = fuel;
                Ok(())
            }
            None => Err(Fault {
                why: Why::Fuel,
                start: self.pos,
                end: self.pos + 1,
            }),
        }
    }

    pub(super) fn set_depth(&mut self, depth: usize) {
        self.depth = depth;
    }

    pub(super) fn deepen(&mut self) {
        self.depth += 1;
    }

    pub(super) fn rise(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }

    pub(super) fn check_depth(&self) -> Outcome<()> {
        if self.depth <= MAX_DEPTH {
            return Ok(());
        }
        Err(Fault {
            why: Why::Depth,
            start: self.pos,
            end: self.pos + 1,
        })
    }

    pub(super) fn report(&mut self, error: Uncertain) {
        self.errors.push(error);
    }

    pub(super) fn take_errors(&mut self) -> Vec<Uncertain> {
        std::mem::take(&mut self.errors)
    }

    // --- readings ---

    pub(super) fn checkpoint(&self) -> Checkpoint {
        Checkpoint {
            pos: self.pos,
            jobs: self.jobs.len(),
            slots: self.slots.len(),
            pending: self.pending.len(),
            scope: self.scope,
            closer: self.closer,
            depth: self.depth,
        }
    }

    /// Goes back and remembers that the first reading failed there.
    pub(super) fn refuse(&mut self, checkpoint: Checkpoint) {
        let work = self.pos.saturating_sub(checkpoint.pos) as u64;
        self.fuel = self.fuel.saturating_sub(work);
        self.pos = checkpoint.pos;
        self.jobs.truncate(checkpoint.jobs);
        self.slots.truncate(checkpoint.slots);
        self.pending.truncate(checkpoint.pending);
        self.scope = checkpoint.scope;
        self.closer = checkpoint.closer;
        self.depth = checkpoint.depth;
        self.refused.insert(checkpoint.pos);
    }

    pub(super) fn refused(&self, pos: usize) -> bool {
        self.refused.contains(&pos) || self.unclosed.is_some_and(|from| pos > from)
    }

    /// A first reading that began at the position ran into the end of the text.
    pub(super) fn note_unclosed(&mut self) {
        let from = self.unclosed.get_or_insert(self.pos);
        *from = self.pos.min(*from);
    }

    // --- jobs ---

    /// Plans the parse of a body; the answer is the slot that it fills.
    pub(super) fn plan(&mut self, buffer: Buffer, heredoc: bool, span: Span) -> usize {
        let slot = self.hold(Filled::Empty, span);
        self.plan_into(slot, buffer, heredoc);
        slot
    }

    pub(super) fn plan_into(&mut self, slot: usize, buffer: Buffer, heredoc: bool) {
        self.jobs.push_back(Job {
            slot,
            buffer,
            depth: self.depth + 1,
            heredoc,
        });
    }

    pub(super) fn hold(&mut self, filled: Filled, span: Span) -> usize {
        self.slots.push(Slot { filled, span });
        self.slots.len() - 1
    }

    pub(super) fn fill(&mut self, slot: usize, filled: Filled) {
        if let Some(slot) = self.slots.get_mut(slot) {
            slot.filled = filled;
        }
    }

    pub(super) fn next_job(&mut self) -> Option<Job> {
        self.jobs.pop_front()
    }

    pub(super) fn take_slots(&mut self) -> Vec<Slot> {
        std::mem::take(&mut self.slots)
    }

    pub(super) fn forget_pending(&mut self) {
        self.pending.clear();
        self.scope = 0;
        self.closer = None;
    }
}
