//! Reading files of the log by position, line by line, in bounded memory.

use rustix::fd::OwnedFd;

use crate::error::AuditError;

/// Longest line that is read as one, in bytes; herma writes lines below 64 KiB.
pub(crate) const MAX_LINE: usize = 1 << 20;

const BLOCK: usize = 64 * 1024;

/// Lines of a file between two positions.
pub(crate) struct Lines<'a> {
    fd: &'a OwnedFd,
    at: u64,
    end: u64,
    buffer: Vec<u8>,
    start: usize,
}

/// One line with its newline, or the rest of the file without one.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    /// A line with its newline.
    Line(Vec<u8>),
    /// Bytes without a newline at the end, or a line longer than [`MAX_LINE`] up to there.
    Rest(Vec<u8>),
}

impl<'a> Lines<'a> {
    /// The lines of `at..end`.
    pub(crate) fn new(fd: &'a OwnedFd, at: u64, end: u64) -> Self {
        Self {
            fd,
            at,
            end,
            buffer: Vec::new(),
            start: 0,
        }
    }

    /// The next line; `None` at the end.
    pub(crate) fn next(&mut self) -> Result<Option<Piece>, AuditError> {
        let mut searched = self.start;
        loop {
            let unseen = self.buffer.get(searched..).unwrap_or_default();
            if let Some(offset) = unseen.iter().position(|byte| *byte == b'\n') {
                let end = searched + offset + 1;
                let line = self.buffer.get(self.start..end).unwrap_or_default();
                let line = line.to_vec();
                self.start = end;
                return Ok(Some(Piece::Line(line)));
            }
            let kept = self.buffer.len() - self.start;
            if kept > MAX_LINE || !self.fill()? {
                let rest = self.buffer.split_off(self.start);
                self.buffer.clear();
                self.start = 0;
                return Ok((!rest.is_empty()).then_some(Piece::Rest(rest)));
            }
            // `fill` moved what was kept to the front.
            searched = kept;
        }
    }

    /// Reads one more block; `false` at the end.
    fn fill(&mut self) -> Result<bool, AuditError> {
        self.buffer.drain(..self.start);
        self.start = 0;
        let want = usize::try_from(self.end.saturating_sub(self.at)).unwrap_or(BLOCK);
        let mut block = vec![0; want.min(BLOCK)];
        if block.is_empty() {
            return Ok(false);
        }
        let count = rustix::io::pread(self.fd, &mut block, self.at)
            .map_err(AuditError::system("read an audit file"))?;
        block.truncate(count);
        self.buffer.extend_from_slice(&block);
        self.at = self
            .at
            .saturating_add(u64::try_from(count).unwrap_or_default());
        Ok(count > 0)
    }
}

/// Complete lines at the end of the first `length` bytes, at most `most`, oldest first, with their
/// newlines. Bytes behind the last newline are left out.
pub(crate) fn last_lines(
    fd: &OwnedFd,
    length: u64,
    most: usize,
) -> Result<Vec<Vec<u8>>, AuditError> {
    let mut blocks: Vec<Vec<u8>> = Vec::new();
    let mut newlines = 0;
    let mut at = length;
    // One more than asked for: the newline in front of the first line.
    while at > 0 && newlines <= most {
        let size = at.min(BLOCK as u64);
        at -= size;
        let mut block = vec![0; usize::try_from(size).unwrap_or(BLOCK)];
        let mut filled = 0;
        while let Some(part) = block.get_mut(filled..).filter(|part| !part.is_empty()) {
            let offset = at.saturating_add(u64::try_from(filled).unwrap_or_default());
            let count = rustix::io::pread(fd, part, offset)
                .map_err(AuditError::system("read an audit file"))?;
            if count == 0 {
                break;
            }
            filled += count;
        }
        block.truncate(filled);
        newlines += block.iter().filter(|byte| **byte == b'\n').count();
        blocks.push(block);
    }
    blocks.reverse();
    let bytes = blocks.concat();
    let mut lines: Vec<Vec<u8>> = bytes
        .split_inclusive(|byte| *byte == b'\n')
        .filter(|line| line.ends_with(b"\n"))
        .map(<[u8]>::to_vec)
        .collect();
    let surplus = lines.len().saturating_sub(most);
    Ok(lines.split_off(surplus))
}

#[cfg(test)]
mod tests {
    use std::fs::File;

    use super::*;
    use crate::tests::Scratch;

    fn file(scratch: &Scratch, content: &[u8]) -> (OwnedFd, u64) {
        let path = scratch.path("lines");
        std::fs::write(&path, content).unwrap();
        let length = u64::try_from(content.len()).unwrap();
        (OwnedFd::from(File::open(path).unwrap()), length)
    }

    #[test]
    fn lines_of_any_length_come_one_by_one_and_the_rest_last() {
        let scratch = Scratch::new();
        let long = vec![b'x'; 3 * BLOCK];
        let content = [b"a\n\n", &long[..], b"\nrest"].concat();
        let (fd, length) = file(&scratch, &content);
        let mut lines = Lines::new(&fd, 0, length);
        assert_eq!(lines.next().unwrap(), Some(Piece::Line(b"a\n".to_vec())));
        assert_eq!(lines.next().unwrap(), Some(Piece::Line(b"\n".to_vec())));
        let line = [&long[..], b"\n"].concat();
        assert_eq!(lines.next().unwrap(), Some(Piece::Line(line)));
        assert_eq!(lines.next().unwrap(), Some(Piece::Rest(b"rest".to_vec())));
        assert_eq!(lines.next().unwrap(), None);
    }

    #[test]
    fn a_line_without_end_is_given_up_in_bounded_memory() {
        let scratch = Scratch::new();
        let (fd, length) = file(&scratch, &vec![b'x'; 3 * MAX_LINE]);
        match Lines::new(&fd, 0, length).next().unwrap() {
            Some(Piece::Rest(rest)) => assert!(rest.len() <= MAX_LINE + 2 * BLOCK),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_last_lines_are_found_over_blocks() {
        let scratch = Scratch::new();
        let content: String = (0..30_000).map(|n| format!("{n}\n")).collect();
        let (fd, length) = file(&scratch, format!("{content}torn").as_bytes());
        let last = last_lines(&fd, length, 2).unwrap();
        assert_eq!(last, [b"29998\n", b"29999\n"]);
        assert_eq!(last_lines(&fd, length, 99_999).unwrap().len(), 30_000);
    }
}
