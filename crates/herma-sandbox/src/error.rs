//! What can go wrong.

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
}
