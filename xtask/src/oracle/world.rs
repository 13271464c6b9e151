//! The analyser's view of the root in which scripts run.

use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use herma_shell::{FileKind, Listing, Read, World};

/// The working directory of every script.
pub(crate) const CWD: &[u8] = b"/home/dev/proj";

/// The prepared root as a world.
#[derive(Debug)]
pub(crate) struct HouseWorld {
    root: PathBuf,
}

impl HouseWorld {
    pub(crate) fn new(root: &Path) -> Self {
        Self {
            root: root.to_path_buf(),
        }
    }

    fn place(&self, path: &[u8]) -> PathBuf {
        let path = path.strip_prefix(b"/").unwrap_or(path);
        self.root.join(std::ffi::OsStr::from_bytes(path))
    }
}

impl World for HouseWorld {
    fn read(&self, path: &[u8], limit: usize) -> Read {
        let place = self.place(path);
        match fs::metadata(&place) {
            Err(_) => Read::Missing,
            Ok(data) if !data.is_file() || data.len() > limit as u64 => Read::Unreadable,
            Ok(_) => fs::read(place).map_or(Read::Unreadable, Read::Content),
        }
    }

    fn list(&self, directory: &[u8]) -> Listing {
        let Ok(entries) = fs::read_dir(self.place(directory)) else {
            return Listing::Missing;
        };
        let names: Result<Vec<_>, _> = entries
            .map(|entry| entry.map(|entry| entry.file_name().as_bytes().to_vec()))
            .collect();
        names.map_or(Listing::Unreadable, |mut names| {
            names.sort();
            Listing::Names(names)
        })
    }

    fn stat(&self, path: &[u8]) -> Option<FileKind> {
        let data = fs::metadata(self.place(path)).ok()?;
        Some(if data.is_file() {
            FileKind::File
        } else if data.is_dir() {
            FileKind::Directory
        } else {
            FileKind::Other
        })
    }

    fn variable(&self, name: &[u8]) -> Option<Vec<u8>> {
        let value: &[u8] = match name {
            b"HOME" => b"/home/dev",
            b"USER" => b"dev",
            b"PATH" => b"/usr/bin:/bin",
            b"SHELL" => b"/bin/bash",
            b"PWD" => CWD,
            _ => return None,
        };
        Some(value.to_vec())
    }

    fn home(&self, user: Option<&[u8]>) -> Option<Vec<u8>> {
        match user {
            None | Some(b"dev") => Some(b"/home/dev".to_vec()),
            Some(b"root") => Some(b"/root".to_vec()),
            Some(_) => None,
        }
    }
}
