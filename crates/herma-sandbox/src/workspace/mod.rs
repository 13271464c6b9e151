//! What must be done in the working directory before and behind a run.
//!
//! ```text
//! Journal::open      removes what a killed run left behind
//! Journal::tree      the machine without the mount points of other runs
//! plan               …
//! Journal::place     makes this run's mount points
//! Copies::make       copies configurations of repositories
//! ── the run ──
//! Copies::merge      harmless settings go back, the others are shown
//! Journal::end       removes the mount points, unless another run needs them
//! changes            what else is new: for the receipt
//! ```

mod changes;
mod copies;
mod directory;
mod journal;
mod record;

pub use changes::{Bounds, Change, Changes, Moment, changes};
pub use copies::{Copies, Fate, Setting};
pub use journal::{Journal, Without};

#[cfg(test)]
mod tests;
