//! What is known of a program that is about to run.

use std::fs::{self, File};
use std::io::Read;
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;

/// Most bytes of arguments; the kernel takes no more than 6 MiB.
const MAX_BYTES: u64 = 8 << 20;

/// A program that is loaded and has run no instruction.
#[derive(Debug)]
pub struct Program {
    process: i32,
    arguments: Option<Vec<Vec<u8>>>,
}

/// The file that runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Executable {
    /// Its path, as the kernel says it.
    pub path: PathBuf,
    /// Its device.
    pub device: u64,
    /// Its number there.
    pub inode: u64,
}

impl Program {
    /// Looks at a process, which is stopped.
    pub(super) fn of(process: i32) -> Self {
        Self {
            process,
            arguments: arguments(process),
        }
    }

    /// Its arguments, the first its name; `None` when they cannot be read.
    #[must_use]
    pub fn arguments(&self) -> Option<&[Vec<u8>]> {
        self.arguments.as_deref()
    }

    /// Its number inside.
    #[must_use]
    pub fn process(&self) -> i32 {
        self.process
    }

    /// The file that runs; `None` when nobody may know.
    #[must_use]
    pub fn executable(&self) -> Option<Executable> {
        let link = format!("/proc/{}/exe", self.process);
        let about = fs::metadata(&link).ok()?;
        Some(Executable {
            path: fs::read_link(link).ok()?,
            device: about.dev(),
            inode: about.ino(),
        })
    }

    /// Its working directory; `None` when nobody may know.
    #[must_use]
    pub fn cwd(&self) -> Option<PathBuf> {
        fs::read_link(format!("/proc/{}/cwd", self.process)).ok()
    }
}

/// The kernel copied them into memory that is the process's alone, and marked where they are.
fn arguments(process: i32) -> Option<Vec<Vec<u8>>> {
    let mut bytes = Vec::new();
    File::open(format!("/proc/{process}/cmdline"))
        .ok()?
        .take(MAX_BYTES)
        .read_to_end(&mut bytes)
        .ok()?;
    if bytes.pop() != Some(0) {
        return None;
    }
    Some(bytes.split(|it| *it == 0).map(<[u8]>::to_vec).collect())
}
