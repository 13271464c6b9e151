//! The newest lines, and those to come.

use std::path::PathBuf;

use rustix::fs::OFlags;

use crate::append::Log;
use crate::directory::{Directory, HEAD, measure};
use crate::error::AuditError;
use crate::read::{Lines, Piece, last_lines};

impl Log {
    /// The newest `count` lines, oldest first, without newlines. None when there is no log.
    ///
    /// # Errors
    /// A file cannot be read.
    pub fn tail(&self, count: usize) -> Result<Vec<Vec<u8>>, AuditError> {
        let Some(directory) = Directory::open(&self.directory)? else {
            return Ok(Vec::new());
        };
        let mut newest_first: Vec<Vec<u8>> = Vec::new();
        for name in directory.days()?.iter().rev() {
            let left = count.saturating_sub(newest_first.len());
            if left == 0 {
                break;
            }
            if let Some(file) = directory.file(name, OFlags::RDONLY)? {
                let (length, _) = measure(&file, name)?;
                newest_first.extend(last_lines(&file, length, left)?.into_iter().rev());
            }
        }
        newest_first.reverse();
        for line in &mut newest_first {
            line.pop();
        }
        Ok(newest_first)
    }

    /// Follows the log from its present end.
    ///
    /// # Errors
    /// A file cannot be read.
    pub fn follow(&self) -> Result<Follower, AuditError> {
        let mut follower = Follower {
            directory: self.directory.clone(),
            file: String::new(),
            at: 0,
        };
        if let Some(directory) = Directory::open(&self.directory)?
            && let Some(name) = directory.days()?.pop()
            && let Some(file) = directory.file(&name, OFlags::RDONLY)?
        {
            // Behind the head lies at most a line that is being written.
            let head = directory.position(HEAD)?.filter(|head| head.file == name);
            let (length, _) = measure(&file, &name)?;
            follower.at = head.map_or(length, |head| head.length.min(length));
            follower.file = name;
        }
        Ok(follower)
    }
}

/// A position in the log.
#[derive(Clone, Debug)]
pub struct Follower {
    directory: PathBuf,
    file: String,
    at: u64,
}

impl Follower {
    /// Complete lines since the last call, without newlines, across files. The caller chooses how
    /// often to ask.
    ///
    /// # Errors
    /// A file cannot be read.
    pub fn poll(&mut self) -> Result<Vec<Vec<u8>>, AuditError> {
        let mut found = Vec::new();
        let Some(directory) = Directory::open(&self.directory)? else {
            return Ok(found);
        };
        for name in directory.days()? {
            if name < self.file {
                continue;
            }
            if name > self.file {
                self.file.clone_from(&name);
                self.at = 0;
            }
            let Some(file) = directory.file(&name, OFlags::RDONLY)? else {
                continue;
            };
            let (length, _) = measure(&file, &name)?;
            let mut lines = Lines::new(&file, self.at, length);
            while let Some(Piece::Line(mut line)) = lines.next()? {
                self.at += u64::try_from(line.len()).unwrap_or_default();
                line.pop();
                found.push(line);
            }
        }
        Ok(found)
    }
}
