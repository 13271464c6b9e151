//! Appending to the chain.

use std::path::PathBuf;
use std::time::Duration;

use rustix::fd::OwnedFd;
use rustix::fs::OFlags;
use rustix::io::Errno;

use crate::digest::{Hash, hash, hex};
use crate::directory::{Directory, HEAD, lock, measure, read_position};
use crate::error::AuditError;
use crate::head::Head;
use crate::line::Event;
use crate::read::{Lines, Piece};
use crate::record::Record;
use crate::time::Timestamp;

/// Bytes that are reserved behind each file, so that a full disk still records.
pub const RESERVE: u64 = 256 * 1024;

/// Bytes by which the reservation is renewed at a time.
const RESERVE_STEP: u64 = 64 * 1024;

/// For how long an append waits for others.
const PATIENCE: Duration = Duration::from_secs(1);

/// The audit log in one directory. Holds nothing open.
#[derive(Clone, Debug)]
pub struct Log {
    pub(crate) directory: PathBuf,
    pub(crate) patience: Duration,
}

/// What was recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Receipt {
    /// The line's number.
    pub seq: u64,
    /// Name of the file that holds it.
    pub file: String,
    /// SHA-256 of the line with its newline, in hexadecimal.
    pub hash: String,
    /// Whether it is the first line of its file: once a day, the time to purge.
    pub began_file: bool,
}

impl Log {
    /// The log in this directory, which the first append makes.
    pub fn at(directory: impl Into<PathBuf>) -> Self {
        Self {
            directory: directory.into(),
            patience: PATIENCE,
        }
    }

    /// The same log, waiting at most this long for others; one second unless set.
    #[must_use]
    pub fn patience(self, patience: Duration) -> Self {
        Self { patience, ..self }
    }

    /// Records an event that happens now.
    ///
    /// # Errors
    /// Nothing of the event is recorded; the caller denies.
    pub fn append(&self, event: &Event<'_>) -> Result<Receipt, AuditError> {
        self.append_at(event, Timestamp::now())
    }

    /// Records an event that happened at `at`. A clock that went back stays in the newest file.
    ///
    /// # Errors
    /// As [`Log::append`].
    pub fn append_at(&self, event: &Event<'_>, at: Timestamp) -> Result<Receipt, AuditError> {
        let directory = Directory::open_or_create(&self.directory)?;
        let head_file = create(&directory, HEAD, OFlags::RDWR)?;
        lock(&head_file, false, self.patience)?;
        let mut chain = Chain::settle(&directory, &head_file, at)?;
        let today = format!("{}.jsonl", at.date());
        let receipt = if today > chain.head.file {
            match chain
                .begin(&today)
                .and_then(|mut next| next.write(event, at))
            {
                // A full disk has no room for a new file; yesterday's has its reserve.
                Err(AuditError::Full) if chain.file.is_some() => chain.write(event, at),
                written => written,
            }
        } else {
            chain.write(event, at)
        }?;
        Ok(receipt)
    }
}

/// The chain under the lock.
struct Chain<'a> {
    directory: &'a Directory,
    head_file: &'a OwnedFd,
    head: Head,
    /// The file that `head` names; `None` before the first line and when it is gone.
    file: Option<OwnedFd>,
    /// Where it ends; behind the head when something is to be closed.
    end: u64,
    /// Whether the last byte is no newline.
    unterminated: bool,
    /// What a gap record has to say.
    gap: Option<&'static str>,
}

impl<'a> Chain<'a> {
    /// Finds the end of the chain: where `head` says, or, when the file says something else, behind
    /// what is there, with a gap record to come.
    fn settle(
        directory: &'a Directory,
        head_file: &'a OwnedFd,
        at: Timestamp,
    ) -> Result<Self, AuditError> {
        let mut chain = Self {
            directory,
            head_file,
            head: Head::start(),
            file: None,
            end: 0,
            unterminated: false,
            gap: None,
        };
        match read_position(head_file)? {
            Some(head) => chain.head = head,
            None => match directory.days()?.pop() {
                Some(newest) => chain.without_head(newest)?,
                None => return Ok(chain),
            },
        }
        let name = chain.head.file.clone();
        chain.file = directory.file(&name, OFlags::RDWR | OFlags::APPEND)?;
        let Some(file) = &chain.file else {
            // The file is gone: what follows goes into a new one, and the gap says why.
            chain.gap = Some("file-lost");
            chain.head.length = 0;
            let today = format!("{}.jsonl", at.date());
            let name = today.max(name);
            chain.file = Some(create(directory, &name, OFlags::RDWR | OFlags::APPEND)?);
            chain.head.file = name;
            return chain.measured();
        };
        let (length, _) = measure(file, &name)?;
        chain.end = length;
        if length < chain.head.length {
            chain.gap = Some("lines-lost");
            chain.unterminated = !ends_line(file, length)?;
        } else if length > chain.head.length {
            chain.adopt(length)?;
        }
        Ok(chain)
    }

    fn measured(mut self) -> Result<Self, AuditError> {
        if let Some(file) = &self.file {
            let (length, _) = measure(file, &self.head.file)?;
            self.unterminated = !ends_line(file, length)?;
            self.end = length;
        }
        Ok(self)
    }

    /// Starts from the newest file, since `head` is lost.
    fn without_head(&mut self, newest: String) -> Result<(), AuditError> {
        self.gap = Some("head-lost");
        if let Some(file) = self.directory.file(&newest, OFlags::RDONLY)? {
            let (length, _) = measure(&file, &newest)?;
            let mut lines = Lines::new(&file, 0, length);
            while let Some(Piece::Line(line)) = lines.next()? {
                self.follow(&line);
            }
        }
        self.head.file = newest;
        Ok(())
    }

    /// Takes the lines behind the head: whoever wrote them died before it wrote the head. A part of
    /// a line is closed by a gap record.
    fn adopt(&mut self, length: u64) -> Result<(), AuditError> {
        let Some(file) = self.file.take() else {
            return Ok(());
        };
        let mut lines = Lines::new(&file, self.head.length, length);
        while let Some(piece) = lines.next()? {
            match piece {
                Piece::Line(line) => {
                    let fits = Record::parse(&line).is_some_and(|record| {
                        record.prev == self.head.hash && record.seq == self.head.seq + 1
                    });
                    if !fits {
                        self.gap = Some("foreign-lines");
                    }
                    self.follow(&line);
                }
                Piece::Rest(rest) => {
                    self.gap = Some("torn-line");
                    self.unterminated = !ends_line(&file, length)?;
                    // The next line follows the torn one as it will stand there.
                    self.head.hash = hash(&[&rest, b"\n"]);
                    // Behind an overlong line nothing else is looked at.
                    break;
                }
            }
        }
        self.file = Some(file);
        Ok(())
    }

    /// Moves the head behind a line that is there.
    fn follow(&mut self, line: &[u8]) {
        if let Some(record) = Record::parse(line) {
            self.head.seq = record.seq;
        }
        self.head.hash = hash(&[line]);
        self.head.length += u64::try_from(line.len()).unwrap_or_default();
    }

    /// The same chain in a new file.
    fn begin(&mut self, name: &str) -> Result<Chain<'a>, AuditError> {
        // What is to be said about the old file is said there.
        if self.gap.is_some() && self.file.is_some() {
            self.write_gap(Timestamp::now())?;
        }
        let file = create(self.directory, name, OFlags::RDWR | OFlags::APPEND)?;
        let (length, _) = measure(&file, name)?;
        let next = Chain {
            directory: self.directory,
            head_file: self.head_file,
            head: Head {
                file: name.to_owned(),
                length: 0,
                ..self.head.clone()
            },
            unterminated: !ends_line(&file, length)?,
            // Somebody else's bytes in a file that the chain has not reached.
            gap: (length > 0).then_some("foreign-lines"),
            file: Some(file),
            end: length,
        };
        Ok(next)
    }

    fn write_gap(&mut self, at: Timestamp) -> Result<(), AuditError> {
        let Some(reason) = self.gap else {
            return Ok(());
        };
        let mut gap = Event::new("gap");
        gap.context = Some(reason);
        let line = gap.line(at, self.head.seq + 1, &self.head.hash)?;
        let mut bytes = Vec::with_capacity(line.len() + 1);
        if self.unterminated {
            bytes.push(b'\n');
        }
        bytes.extend_from_slice(&line);
        self.put(&bytes, hash(&[&line]))?;
        self.gap = None;
        self.unterminated = false;
        Ok(())
    }

    fn write(&mut self, event: &Event<'_>, at: Timestamp) -> Result<Receipt, AuditError> {
        let began_file = self.end == 0;
        self.write_gap(at)?;
        let line = event.line(at, self.head.seq + 1, &self.head.hash)?;
        let digest: Hash = hash(&[&line]);
        self.put(&line, digest)?;
        Ok(Receipt {
            seq: self.head.seq,
            file: self.head.file.clone(),
            hash: hex(&digest),
            began_file,
        })
    }

    /// Appends bytes that end with one line and moves the head behind them.
    fn put(&mut self, bytes: &[u8], line_hash: Hash) -> Result<(), AuditError> {
        let Some(file) = &self.file else {
            return Err(AuditError::NotAFile(self.head.file.clone()));
        };
        reserve(file, self.end, &self.head.file)?;
        if let Err(error) = write_all(file, bytes) {
            // A part of a line must not stay, so that nothing of the event counts as recorded.
            let _ = rustix::fs::ftruncate(file, self.end);
            return Err(error);
        }
        self.end += u64::try_from(bytes.len()).unwrap_or_default();
        self.head.seq += 1;
        self.head.length = self.end;
        self.head.hash = line_hash;
        // The line is recorded. A head that cannot be written is mended by the next append, which
        // finds the line behind it.
        let _ = rustix::io::pwrite(self.head_file, self.head.write().as_bytes(), 0);
        Ok(())
    }
}

fn create(directory: &Directory, name: &str, flags: OFlags) -> Result<OwnedFd, AuditError> {
    directory
        .file(name, flags | OFlags::CREATE)?
        .ok_or_else(|| AuditError::NotAFile(name.to_owned()))
}

/// Whether the first `length` bytes are empty or end with a newline.
fn ends_line(file: &OwnedFd, length: u64) -> Result<bool, AuditError> {
    let Some(last) = length.checked_sub(1) else {
        return Ok(true);
    };
    let mut byte = [0u8];
    rustix::io::pread(file, &mut byte, last).map_err(AuditError::system("read an audit file"))?;
    Ok(byte == *b"\n")
}

/// Renews the reservation behind the file's end. A disk that is full or cannot reserve is no error
/// here: what was reserved before is for this.
fn reserve(file: &OwnedFd, end: u64, name: &str) -> Result<(), AuditError> {
    let (_, allocated) = measure(file, name)?;
    if allocated < end.saturating_add(RESERVE) {
        #[cfg(target_os = "linux")]
        let _ = rustix::fs::fallocate(
            file,
            rustix::fs::FallocateFlags::KEEP_SIZE,
            end,
            RESERVE + RESERVE_STEP,
        );
    }
    Ok(())
}

fn write_all(file: &OwnedFd, mut bytes: &[u8]) -> Result<(), AuditError> {
    while !bytes.is_empty() {
        match rustix::io::write(file, bytes) {
            Ok(0) => return Err(AuditError::Full),
            Ok(count) => bytes = bytes.get(count..).unwrap_or_default(),
            Err(Errno::INTR) => {}
            Err(errno) => return Err(AuditError::system("write the audit log")(errno)),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
