//! What can go wrong.

use std::path::PathBuf;

/// Why a sandbox could not be made or kept.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A system call failed.
    #[error("{step}: {source}")]
    System {
        /// What was being done.
        step: &'static str,
        /// The kernel's answer.
        source: std::io::Error,
    },
    /// A file system call failed.
    #[error("{step} {}: {source}", .path.display())]
    File {
        /// What was being done.
        step: &'static str,
        /// With what.
        path: PathBuf,
        /// The kernel's answer.
        source: std::io::Error,
    },
    /// A step inside failed, before the program was started.
    #[error("{step}{}: {source}", .path.as_ref().map_or(String::new(), |it| format!(" {}", it.display())))]
    Inside {
        /// What was being done.
        step: String,
        /// With what.
        path: Option<PathBuf>,
        /// The kernel's answer.
        source: std::io::Error,
    },
    /// What makes the sandbox was ended from outside.
    #[error("the sandbox was ended from outside")]
    Killed,
    /// What makes the sandbox no longer answers, and everything in it was ended.
    #[error("the sandbox no longer answered, and was ended")]
    Silent,
    /// Something came into being while the sandbox was being made; another attempt sees it.
    #[error("{} was not there a moment ago", .0.display())]
    Changed(PathBuf),
}

impl Error {
    /// A system call that failed.
    pub(crate) fn system(step: &'static str, source: impl Into<std::io::Error>) -> Self {
        Self::System {
            step,
            source: source.into(),
        }
    }

    /// A file system call that failed.
    pub(crate) fn file(
        step: &'static str,
        path: impl Into<PathBuf>,
        source: impl Into<std::io::Error>,
    ) -> Self {
        Self::File {
            step,
            path: path.into(),
            source: source.into(),
        }
    }
}
