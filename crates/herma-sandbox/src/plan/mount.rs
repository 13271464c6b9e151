//! Steps that make the view of the file system.

use std::path::{Path, PathBuf};

/// One step. Paths are absolute; `to` is inside the new root, `from` outside of it.
///
/// Missing mount points below an earlier [`Mount::Tmpfs`] are made, with their parents; elsewhere
/// they exist, [`super::Plan::placeholders`] included. No `to` is below a link of the new root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mount {
    /// A file or directory of the machine, with everything mounted in it, without set-user-id
    /// programs and devices.
    Bind {
        /// Outside.
        from: PathBuf,
        /// Inside.
        to: PathBuf,
        /// Whether it may be changed.
        write: bool,
    },
    /// A directory of the machine; changes are seen inside only and are lost at the end. Where the
    /// kernel cannot do that, it can only be read.
    Private {
        /// Outside.
        from: PathBuf,
        /// Inside.
        to: PathBuf,
    },
    /// An empty directory in memory.
    Tmpfs {
        /// Inside.
        to: PathBuf,
        /// Most bytes.
        size: u64,
        /// Permission bits.
        mode: u32,
    },
    /// The processes of the sandbox.
    Proc {
        /// Inside.
        to: PathBuf,
    },
    /// `null zero full random urandom tty ptmx pts` and the links, nothing else.
    Dev {
        /// Inside.
        to: PathBuf,
    },
    /// A file that can only be read, with this content.
    File {
        /// Inside.
        to: PathBuf,
        /// Its bytes.
        content: Vec<u8>,
    },
    /// A symbolic link; over a file that exists it is mounted (`open_tree` without following, then
    /// `move_mount`), so that it can be neither removed nor renamed.
    Link {
        /// Inside.
        to: PathBuf,
        /// What it points at, as written.
        target: PathBuf,
    },
    /// What is there is mounted over itself, so that it can be neither renamed nor removed.
    Pin {
        /// Inside.
        to: PathBuf,
    },
    /// What is there can only be read, below it too, and neither renamed nor removed.
    ReadOnly {
        /// Inside.
        to: PathBuf,
    },
    /// An empty file that can only be read stands in its place.
    MaskFile {
        /// Inside.
        to: PathBuf,
    },
    /// An empty directory that can only be read stands in its place.
    MaskDirectory {
        /// Inside.
        to: PathBuf,
    },
}

impl Mount {
    /// Where it is inside.
    #[must_use]
    pub fn to(&self) -> &Path {
        match self {
            Self::Bind { to, .. }
            | Self::Private { to, .. }
            | Self::Tmpfs { to, .. }
            | Self::Proc { to }
            | Self::Dev { to }
            | Self::File { to, .. }
            | Self::Link { to, .. }
            | Self::Pin { to }
            | Self::ReadOnly { to }
            | Self::MaskFile { to }
            | Self::MaskDirectory { to } => to,
        }
    }
}

/// A Landlock rule: everything below `/` may be read and run; what may be changed is listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathRule {
    /// Inside.
    pub path: PathBuf,
    /// Whether files and directories may be made, removed and renamed, or files only be written
    /// to, as in `/dev`.
    pub create: bool,
}
