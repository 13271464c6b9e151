//! Why nothing was recorded or read.

use std::fmt;
use std::time::Duration;

use rustix::io::Errno;

/// Why an operation on the log failed. After a failed append nothing of the event is recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AuditError {
    /// The disk is full, and what was reserved is used.
    Full,
    /// Another process kept the lock for this long.
    Locked(Duration),
    /// A file is no regular file, or a link stands in its place.
    NotAFile(String),
    /// The system refused: what was done, and the error number.
    System {
        /// What was done.
        what: &'static str,
        /// The error number.
        number: i32,
    },
    /// The event could not be written as JSON.
    Encode,
}

impl AuditError {
    /// An error of the system while doing `what`.
    pub(crate) fn system(what: &'static str) -> impl Fn(Errno) -> Self {
        move |errno| match errno {
            Errno::NOSPC | Errno::DQUOT | Errno::FBIG => Self::Full,
            errno => Self::System {
                what,
                number: errno.raw_os_error(),
            },
        }
    }
}

impl fmt::Display for AuditError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Full => out.write_str("the disk is full and the audit reserve is used"),
            Self::Locked(waited) => {
                write!(
                    out,
                    "the audit log was locked for {} ms",
                    waited.as_millis()
                )
            }
            Self::NotAFile(name) => write!(out, "audit file {name} is no regular file"),
            Self::System { what, number } => write!(
                out,
                "cannot {what}: {}",
                std::io::Error::from_raw_os_error(*number)
            ),
            Self::Encode => out.write_str("the event cannot be written as JSON"),
        }
    }
}

impl std::error::Error for AuditError {}
