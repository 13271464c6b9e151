//! What an execution does to a target, whatever its spelling.

use herma_shell::Span;

use crate::place::Place;

/// What is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verb {
    /// Removes one file or an empty directory.
    Delete,
    /// Removes a directory with all below it.
    DeleteTree,
    /// Empties a file.
    Empty,
    /// Creates or overwrites.
    Write,
    /// Appends.
    Append,
    /// Edits in place.
    Edit,
    /// Moves the target away.
    MoveAway,
    /// Changes permissions; the arguments decide what is dangerous.
    Mode,
    /// Changes permissions of a tree.
    ModeTree,
    /// Changes the owner.
    Owner,
    /// Changes the owner of a tree.
    OwnerTree,
    /// Prints or copies the content.
    Read,
    /// Sends the content elsewhere.
    Send,
    /// Makes a file system or partition table, or wipes a device.
    Format,
    /// Overwrites so that nothing can be restored (`shred`).
    Shred,
    /// Lets everybody write (`chmod 777`, `o+w`, an access list for others); comes beside
    /// [`Verb::Mode`] or [`Verb::ModeTree`].
    WorldWritable,
    /// Sets the bit that makes a program run as its owner or group; comes beside [`Verb::Mode`] or
    /// [`Verb::ModeTree`].
    Setuid,
    /// Hides what lies below it behind a file system, or takes one away.
    Mount,
    /// Gives a tree to root; comes beside [`Verb::OwnerTree`].
    RootOwnerTree,
}

impl Verb {
    /// Whether it leaves every file as it is.
    pub(crate) fn only_reads(self) -> bool {
        matches!(self, Self::Read | Self::Send)
    }
}

/// One effect on one target.
#[derive(Clone, Debug)]
pub struct Effect {
    /// What is done.
    pub verb: Verb,
    /// What the target is: every class that holds.
    pub places: Vec<Place>,
    /// Where the target was written.
    pub span: Span,
    /// Index of the target's word in argv, when it is a word of it.
    pub argument: Option<usize>,
}

impl Effect {
    /// Whether a file may be another one behind it; what is written into a terminal or away is none.
    pub(crate) fn changes_a_file(&self) -> bool {
        !self.verb.only_reads() && !self.places.contains(&Place::NullDevice)
    }
}
