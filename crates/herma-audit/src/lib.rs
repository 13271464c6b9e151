//! What was decided: audit lines in a hash chain, and copies of blocked commands.
//!
//! [`Log`] appends one JSON line for each decision to `audit/<date>.jsonl` (UTC). Every line holds
//! the SHA-256 of the line before it, across files, and `head` holds the last one's, so that an
//! edited, removed, reordered or cut-off line is found by [`Log::verify`]. This makes tampering
//! by the same user evident, not impossible: who can write the files can write a new chain.
//! Commands are redacted here, with `herma-secrets`; callers hand over what was run.
//!
//! Lines are not flushed to the disk one by one. After a power cut the last ones may be missing;
//! the next line is then a `gap` record that says so. 256 KiB are reserved behind each file, so that a
//! full disk still records; an error of [`Log::append`] means that nothing was recorded, and the
//! caller denies.
//!
//! [`Copies`] keeps what was blocked, as data for reports and never as something to run.
//!
//! ```no_run
//! use herma_audit::{Event, Log};
//!
//! let log = Log::at("/home/me/.herma/audit");
//! let mut event = Event::new("check");
//! event.command = &[b"rm -rf /"];
//! event.decision = Some("deny");
//! event.floor = Some("hardline");
//! event.rules = &["fs.delete-root"];
//! let receipt = log.append(&event)?;
//! if receipt.began_file {
//!     log.purge(90)?;
//! }
//! # Ok::<(), herma_audit::AuditError>(())
//! ```

#![forbid(unsafe_code)]

mod append;
mod base64;
mod copies;
mod digest;
mod directory;
mod error;
mod head;
mod line;
mod purge;
mod read;
mod record;
mod tail;
mod time;
mod verify;

pub use append::{Log, RESERVE, Receipt};
pub use copies::{Block, Copies, CopyError, Entry, Kept, KeptRule, Verdict};
pub use error::AuditError;
pub use line::{Event, FileObject};
pub use tail::Follower;
pub use time::Timestamp;
pub use verify::{Break, Fault, Gap, Verification};

#[cfg(test)]
mod tests;
