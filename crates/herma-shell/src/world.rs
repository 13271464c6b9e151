//! The only way from the analyser to the machine.

/// What reading a file gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Read {
    /// The whole content.
    Content(Vec<u8>),
    /// There is no such file.
    Missing,
    /// It is there but larger than the limit, not a regular file, or not readable.
    Unreadable,
}

/// What listing a directory gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Listing {
    /// All names in it, in any order.
    Names(Vec<Vec<u8>>),
    /// There is no such directory.
    Missing,
    /// It is there but holds more names than the limit, or they cannot be read.
    Unreadable,
}

/// What a path names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// A regular file.
    File,
    /// A directory.
    Directory,
    /// Anything else.
    Other,
}

/// What the analyser may ask about the machine. Paths are absolute and lexically normalised.
pub trait World {
    /// Reads a file of at most `limit` bytes.
    fn read(&self, path: &[u8], limit: usize) -> Read;
    /// The names in a directory.
    fn list(&self, directory: &[u8]) -> Listing;
    /// What the path names, links followed; `None` when nothing.
    fn stat(&self, path: &[u8]) -> Option<FileKind>;
    /// The value of an environment variable that may be trusted.
    fn variable(&self, name: &[u8]) -> Option<Vec<u8>>;
    /// A user's home by the password database; the current user's for `None`.
    fn home(&self, user: Option<&[u8]>) -> Option<Vec<u8>>;
}

/// A world without files, variables or users, for tests and for text alone.
#[derive(Clone, Copy, Debug)]
pub struct EmptyWorld;

impl World for EmptyWorld {
    fn read(&self, _: &[u8], _: usize) -> Read {
        Read::Missing
    }

    fn list(&self, _: &[u8]) -> Listing {
        Listing::Missing
    }

    fn stat(&self, _: &[u8]) -> Option<FileKind> {
        None
    }

    fn variable(&self, _: &[u8]) -> Option<Vec<u8>> {
        None
    }

    fn home(&self, _: Option<&[u8]>) -> Option<Vec<u8>> {
        None
    }
}
