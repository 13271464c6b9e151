//! What a person should know about a plan.

use std::path::PathBuf;

/// One remark.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Note {
    /// The search for protected files ended here: what lies deeper in this tree is not protected
    /// by its name.
    SearchEnded(PathBuf),
    /// More files are protected than a sandbox can mount; these many are not.
    TooMany(usize),
    /// A variable of the profile's list is not handed on, since its value holds a password.
    SecretVariable(String),
    /// The repository is not seen inside: it reaches to the home directory or above it.
    RepositoryHidden(PathBuf),
    /// A repository's link leads to no repository.
    RepositoryBroken(PathBuf),
    /// A path that the profile allows is denied by one of its own entries.
    Denied(PathBuf),
    /// A path that the profile names does not exist.
    Missing(PathBuf),
    /// A masked file is part of the repository; inside it is seen as changed.
    MaskedTracked(PathBuf),
}
