//! Which files are read.

use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use rustix::fs::OFlags;

/// Directories below each other.
const DEPTH: usize = 12;

/// Files that are read.
const FILES: usize = 20_000;

/// Names that are looked at.
const NAMES: usize = 1_000_000;

/// Something to read.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Source {
    Standard,
    /// Named by the user.
    Named(PathBuf),
    /// Found in a directory.
    Found(PathBuf),
}

impl Source {
    /// The name in messages.
    pub(crate) fn name(&self) -> &Path {
        match self {
            Self::Standard => Path::new("-"),
            Self::Named(path) | Self::Found(path) => path,
        }
    }

    /// Opens it. In a directory anybody may have put a link, a pipe or a device; what the user
    /// names is opened as it is.
    pub(crate) fn open(&self) -> io::Result<Box<dyn Read>> {
        Ok(match self {
            Self::Standard => Box::new(io::stdin().lock()),
            Self::Named(path) => Box::new(File::open(path)?),
            Self::Found(path) => {
                let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY).bits();
                let file = OpenOptions::new()
                    .read(true)
                    .custom_flags(i32::try_from(flags).unwrap_or(0))
                    .open(path)?;
                if !file.metadata()?.is_file() {
                    return Err(io::Error::other("not a regular file"));
                }
                Box::new(file)
            }
        })
    }
}

/// The files to read, and what is not read and why.
#[derive(Debug, Default)]
pub(crate) struct Sources {
    pub(crate) files: Vec<Source>,
    pub(crate) passed_over: Vec<(PathBuf, String)>,
    names: usize,
}

impl Sources {
    /// Finds them. Directories are walked in the order of names, without following a link.
    ///
    /// # Errors
    /// What the user named is not there.
    pub(crate) fn find(paths: &[PathBuf]) -> anyhow::Result<Self> {
        let mut sources = Self::default();
        for path in paths {
            if path.as_os_str() == "-" {
                if sources.files.contains(&Source::Standard) {
                    bail!("standard input is named twice");
                }
                sources.files.push(Source::Standard);
                continue;
            }
            let metadata = path
                .metadata()
                .with_context(|| format!("cannot read {}", path.display()))?;
            if metadata.is_dir() {
                sources.walk(path);
            } else {
                sources.files.push(Source::Named(path.clone()));
            }
        }
        Ok(sources)
    }

    fn walk(&mut self, root: &Path) {
        let mut waiting = vec![(root.to_owned(), 0usize)];
        while let Some((directory, depth)) = waiting.pop() {
            let entries = match self.entries(&directory) {
                Ok(entries) => entries,
                Err(error) => {
                    self.pass_over(directory, &error.to_string());
                    continue;
                }
            };
            let mut below = Vec::new();
            for (path, kind) in entries {
                if kind.is_dir() && depth + 1 >= DEPTH {
                    self.pass_over(path, "too deep");
                } else if kind.is_dir() {
                    below.push((path, depth + 1));
                } else if path.extension().is_none_or(|end| end != "jsonl") {
                } else if kind.is_symlink() {
                    self.pass_over(path, "a link, which is not followed");
                } else if !kind.is_file() {
                    self.pass_over(path, "not a regular file");
                } else if self.files.len() >= FILES {
                    self.pass_over(path, "too many files");
                    return;
                } else {
                    self.files.push(Source::Found(path));
                }
            }
            waiting.extend(below.into_iter().rev());
        }
    }

    fn entries(&mut self, directory: &Path) -> io::Result<Vec<(PathBuf, std::fs::FileType)>> {
        let mut entries = Vec::new();
        for entry in directory.read_dir()? {
            self.names += 1;
            if self.names > NAMES {
                return Err(io::Error::other("too many names"));
            }
            let entry = entry?;
            entries.push((entry.path(), entry.file_type()?));
        }
        entries.sort_by(|(a, _), (b, _)| a.cmp(b));
        Ok(entries)
    }

    /// Notes what is not read.
    pub(crate) fn pass_over(&mut self, path: PathBuf, why: &str) {
        self.passed_over.push((path, why.to_owned()));
    }
}
