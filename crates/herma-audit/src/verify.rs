//! Following the chain from its start to its head.

use std::fmt;

use rustix::fs::OFlags;

use crate::append::Log;
use crate::digest::{Hash, ZERO, hash};
use crate::directory::{ANCHOR, Directory, HEAD, lock, measure, read_position};
use crate::error::AuditError;
use crate::head::Head;
use crate::read::{Lines, Piece};
use crate::record::Record;

/// What following the chain found. No log at all is an empty chain.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Verification {
    /// Files read.
    pub files: usize,
    /// Lines that fit.
    pub lines: u64,
    /// Number of the first line that is left.
    pub first_seq: Option<u64>,
    /// Number of the last line that fits.
    pub last_seq: Option<u64>,
    /// Whether the chain starts from the anchor that purging left.
    pub anchored: bool,
    /// Gap records, each a place where something was lost and herma said so.
    pub gaps: Vec<Gap>,
    /// Whether the last line is torn; the next append closes it.
    pub torn: bool,
    /// The first place where the chain does not hold.
    pub broken: Option<Break>,
}

impl Verification {
    /// Whether every line fits.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.broken.is_none()
    }
}

/// A gap record.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Gap {
    /// Its file.
    pub file: String,
    /// Its line from 1.
    pub line: u64,
    /// Its number.
    pub seq: u64,
    /// What was lost: `torn-line`, `lines-lost`, `foreign-lines`, `file-lost`, `head-lost`.
    pub reason: String,
}

/// A place where the chain does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Break {
    /// The file.
    pub file: String,
    /// The line from 1; 0 when the file as a whole is meant.
    pub line: u64,
    /// The number of the line there, when it has one.
    pub seq: Option<u64>,
    /// What does not hold.
    pub what: Fault,
}

/// What does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// This is no audit line.
    NotALine,
    /// The line is not the one that the line behind it, or the head, was chained to.
    Changed,
    /// Another line belongs here.
    Missing {
        /// The number that belongs here.
        expected: u64,
        /// The number found.
        found: u64,
    },
    /// The line is not chained to the line before it.
    Unchained,
    /// Lines that the head knows are gone.
    Truncated {
        /// The number of the last line by the head.
        last: u64,
    },
    /// There are lines and no head.
    NoHead,
}

impl fmt::Display for Break {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.file)?;
        if self.line > 0 {
            write!(out, ":{}", self.line)?;
        }
        if let Some(seq) = self.seq {
            write!(out, " (seq {seq})")?;
        }
        match &self.what {
            Fault::NotALine => out.write_str(": not an audit line"),
            Fault::Changed => out.write_str(": changed since it was written"),
            Fault::Missing { expected, .. } => {
                write!(out, ": seq {expected} belongs here")
            }
            Fault::Unchained => out.write_str(": not chained to the line before it"),
            Fault::Truncated { last } => write!(out, ": lines up to seq {last} are gone"),
            Fault::NoHead => out.write_str(": the head of the chain is gone"),
        }
    }
}

/// How often the chain is followed before a file that vanishes is an error.
const TRIES: usize = 3;

impl Log {
    /// Follows the whole chain and stops at the first place where it does not hold. Appends go on
    /// meanwhile: what they add is not looked at.
    ///
    /// # Errors
    /// A file cannot be read.
    pub fn verify(&self) -> Result<Verification, AuditError> {
        // A file that a purge removes meanwhile is no break: the anchor has moved.
        for _ in 1..TRIES {
            match self.walk() {
                Err(AuditError::NotAFile(_)) => {}
                walked => return walked,
            }
        }
        self.walk()
    }

    fn walk(&self) -> Result<Verification, AuditError> {
        let mut walk = Walk::default();
        let Some(directory) = Directory::open(&self.directory)? else {
            return Ok(walk.found);
        };
        let (head, anchor, files) = self.snapshot(&directory)?;
        if let Some(anchor) = &anchor {
            walk.found.anchored = true;
            walk.seq = anchor.seq;
            walk.hash = anchor.hash;
        }
        for (name, length) in &files {
            if anchor.as_ref().is_some_and(|anchor| *name <= anchor.file) {
                continue;
            }
            let Some(file) = directory.file(name, OFlags::RDONLY)? else {
                return Err(AuditError::NotAFile(name.clone()));
            };
            walk.found.files += 1;
            let end = head.as_ref().filter(|head| head.file == *name);
            walk.file(name, Lines::new(&file, 0, *length), end)?;
            if walk.found.broken.is_some() {
                return Ok(walk.found);
            }
        }
        walk.finish(head.as_ref());
        Ok(walk.found)
    }

    /// Head, anchor, and the files with their lengths, all of one moment.
    #[expect(clippy::type_complexity, reason = "one caller, right above")]
    fn snapshot(
        &self,
        directory: &Directory,
    ) -> Result<(Option<Head>, Option<Head>, Vec<(String, u64)>), AuditError> {
        let head_file = directory.file(HEAD, OFlags::RDONLY)?;
        let head = match &head_file {
            Some(fd) => {
                lock(fd, true, self.patience)?;
                read_position(fd)?
            }
            None => None,
        };
        let anchor = directory.position(ANCHOR)?;
        let mut files = Vec::new();
        for name in directory.days()? {
            if let Some(file) = directory.file(&name, OFlags::RDONLY)? {
                let (length, _) = measure(&file, &name)?;
                files.push((name, length));
            }
        }
        Ok((head, anchor, files))
    }
}

/// The walk along the chain.
struct Walk {
    /// Number of the last line that was read.
    seq: u64,
    /// Hash of the last line.
    hash: Hash,
    /// Where the last line stands.
    last: Option<(String, u64)>,
    /// Whether the last line is no audit line; a gap record has to follow.
    unread: bool,
    /// Whether the head's position was met.
    met_head: bool,
    found: Verification,
}

impl Default for Walk {
    fn default() -> Self {
        Self {
            seq: 0,
            hash: ZERO,
            last: None,
            unread: false,
            met_head: false,
            found: Verification::default(),
        }
    }
}

impl Walk {
    fn file(
        &mut self,
        name: &str,
        mut lines: Lines<'_>,
        head: Option<&Head>,
    ) -> Result<(), AuditError> {
        let mut number = 0;
        let mut at = 0u64;
        while let Some(piece) = lines.next()? {
            number += 1;
            let line = match piece {
                Piece::Line(line) => line,
                Piece::Rest(_) => {
                    // Behind the head it is a write that was cut off; anything else is a change.
                    if head.is_some_and(|head| head.length == at) {
                        self.found.torn = true;
                    } else {
                        self.fail(name, number, None, Fault::NotALine);
                    }
                    return Ok(());
                }
            };
            at += u64::try_from(line.len()).unwrap_or_default();
            self.line(name, number, &line);
            if self.found.broken.is_some() {
                return Ok(());
            }
            if let Some(head) = head.filter(|head| head.length == at) {
                self.met_head = true;
                if head.hash != self.hash || head.seq != self.seq {
                    self.fail(name, number, Some(self.seq), Fault::Changed);
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    fn line(&mut self, name: &str, number: u64, line: &[u8]) {
        let Some(record) = Record::parse(line) else {
            if self.unread {
                return self.fail(name, number, None, Fault::NotALine);
            }
            self.unread = true;
            self.step(name, number, line);
            return;
        };
        let closes = record.gap.as_deref() == Some("torn-line");
        if self.unread && !closes {
            let (file, line) = self.last.clone().unwrap_or_default();
            return self.fail(&file, line, None, Fault::NotALine);
        }
        let expected = self.seq + 1;
        if record.seq != expected {
            let what = Fault::Missing {
                expected,
                found: record.seq,
            };
            return self.fail(name, number, Some(record.seq), what);
        }
        if record.prev != self.hash {
            return match self.last.clone() {
                Some((file, line)) => self.fail(&file, line, Some(self.seq), Fault::Changed),
                None => self.fail(name, number, Some(record.seq), Fault::Unchained),
            };
        }
        if let Some(reason) = record.gap {
            self.found.gaps.push(Gap {
                file: name.to_owned(),
                line: number,
                seq: record.seq,
                reason,
            });
        }
        self.unread = false;
        self.seq = record.seq;
        self.found.first_seq.get_or_insert(record.seq);
        self.found.last_seq = Some(record.seq);
        self.found.lines += 1;
        self.step(name, number, line);
    }

    fn step(&mut self, name: &str, number: u64, line: &[u8]) {
        self.hash = hash(&[line]);
        self.last = Some((name.to_owned(), number));
    }

    fn finish(&mut self, head: Option<&Head>) {
        let (file, line) = self.last.clone().unwrap_or_default();
        match head {
            Some(head) if !self.met_head => {
                // A purge that left nothing else would have kept the head's file.
                let last = Fault::Truncated { last: head.seq };
                let file = if file.is_empty() { &head.file } else { &file };
                self.fail(file, line, self.found.last_seq, last);
            }
            None if self.last.is_some() => {
                self.fail(&file, line, self.found.last_seq, Fault::NoHead);
            }
            _ if self.unread => self.fail(&file, line, None, Fault::NotALine),
            _ => {}
        }
    }

    fn fail(&mut self, file: &str, line: u64, seq: Option<u64>, what: Fault) {
        self.found.broken = Some(Break {
            file: file.to_owned(),
            line,
            seq,
            what,
        });
    }
}
