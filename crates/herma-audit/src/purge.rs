//! Removing old files while the chain stays verifiable.

use rustix::fs::{AtFlags, Mode, OFlags};

use crate::append::Log;
use crate::digest::hash;
use crate::directory::{ANCHOR, Directory, HEAD, lock, measure, read_position};
use crate::error::AuditError;
use crate::head::Head;
use crate::read::last_lines;
use crate::record::Record;
use crate::time::{Timestamp, days_of};

impl Log {
    /// Removes files older than `days` days and returns their names. The position of the last line
    /// removed stays in `anchor`, from which [`Log::verify`] goes on. The newest file stays.
    ///
    /// # Errors
    /// A file cannot be read or removed.
    pub fn purge(&self, days: u32) -> Result<Vec<String>, AuditError> {
        self.purge_at(days, Timestamp::now())
    }

    /// [`Log::purge`] as of `now`.
    ///
    /// # Errors
    /// As [`Log::purge`].
    pub fn purge_at(&self, days: u32, now: Timestamp) -> Result<Vec<String>, AuditError> {
        let Some(directory) = Directory::open(&self.directory)? else {
            return Ok(Vec::new());
        };
        let Some(head_file) = directory.file(HEAD, OFlags::RDWR)? else {
            return Ok(Vec::new());
        };
        lock(&head_file, false, self.patience)?;
        let Some(head) = read_position(&head_file)? else {
            return Ok(Vec::new());
        };
        let oldest = now.days().saturating_sub(u64::from(days));
        let mut old = directory.days()?;
        old.retain(|name| {
            let day = name.strip_suffix(".jsonl").and_then(days_of);
            *name != head.file && day.is_some_and(|day| day < oldest)
        });
        // Without a last line that can be read there is nothing to anchor to; an empty file was
        // begun on a full disk.
        while let Some(newest) = old.last() {
            if let Some(anchor) = end_of(&directory, newest)? {
                store(&directory, &anchor)?;
                break;
            }
            old.pop();
        }
        for name in &old {
            rustix::fs::unlinkat(&directory.fd, name, AtFlags::empty())
                .map_err(AuditError::system("remove an audit file"))?;
        }
        Ok(old)
    }
}

/// The position of a file's last line; `None` when it has none that can be read.
fn end_of(directory: &Directory, name: &str) -> Result<Option<Head>, AuditError> {
    let Some(file) = directory.file(name, OFlags::RDONLY)? else {
        return Ok(None);
    };
    let (length, _) = measure(&file, name)?;
    let lines = last_lines(&file, length, 1)?;
    let Some(line) = lines.last() else {
        return Ok(None);
    };
    Ok(Record::parse(line).map(|record| Head {
        file: name.to_owned(),
        seq: record.seq,
        length,
        hash: hash(&[line]),
    }))
}

/// Writes the anchor before anything is removed: after a crash in between, files up to the anchor's
/// are surplus, never missing.
fn store(directory: &Directory, anchor: &Head) -> Result<(), AuditError> {
    const NEW: &str = ".anchor.new";
    let failed = AuditError::system("write the anchor of the audit log");
    let flags =
        OFlags::WRONLY | OFlags::CREATE | OFlags::TRUNC | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let mode = Mode::from_raw_mode(0o600);
    let file = rustix::fs::openat(&directory.fd, NEW, flags, mode).map_err(&failed)?;
    let text = anchor.write();
    let written = rustix::io::write(&file, text.as_bytes()).map_err(&failed)?;
    if written != text.len() {
        return Err(AuditError::Full);
    }
    rustix::fs::fsync(&file).map_err(&failed)?;
    rustix::fs::renameat(&directory.fd, NEW, &directory.fd, ANCHOR).map_err(&failed)?;
    rustix::fs::fsync(&directory.fd).map_err(&failed)
}
