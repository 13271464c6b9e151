//! Why a path is not used: one code for each reason.

use std::fmt;

use rustix::io::Errno;

/// What is said of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// It names something in the root.
    Inside,
    /// It names something elsewhere.
    Escape,
    /// The question is malformed, cannot be answered, or the object must not be used so.
    Refused,
}

impl Verdict {
    /// The verdict as machines read it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Inside => "inside",
            Self::Escape => "escape",
            Self::Refused => "refused",
        }
    }
}

/// Why a path is not used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Refusal {
    /// No bytes at all.
    Empty,
    /// NUL, another control character, or a separator of lines or paragraphs.
    Control,
    /// A character that changes the direction of writing.
    Bidirectional,
    /// More than [`MAX_PATH`](crate::MAX_PATH) bytes.
    PathTooLong,
    /// A component of more than [`MAX_NAME`](crate::MAX_NAME) bytes.
    NameTooLong,
    /// A `file:` URI, which somebody behind may decode.
    FileScheme,
    /// A drive, network share, NT or device name of Windows.
    Windows,
    /// `..` between backslashes.
    BackslashTraversal,
    /// `~user`.
    TildeUser,
    /// `~` without a known, absolute home.
    NoHome,
    /// The root is empty or not absolute.
    RootRelative,
    /// The root is not there.
    RootMissing,
    /// The root is not a directory.
    RootNotDirectory,
    /// More than [`MAX_LINKS`](crate::MAX_LINKS) links.
    TooManyLinks,
    /// Something that is no directory is used as one, or a directory was asked for.
    NotDirectory,
    /// `..` behind a component that is not there.
    ParentOfMissing,
    /// A link of procfs that leads to an object, not to a name.
    MagicLink,
    /// The path leads out of the root.
    Outside,
    /// The root itself, which must not be written or deleted.
    IsRoot,
    /// A directory where a file is wanted.
    IsDirectory,
    /// A pipe, socket or device.
    NotRegular,
    /// A file with several names, of which some may be elsewhere.
    HardLinked,
    /// Another file system or bind mount than the root's.
    MountCrossing,
    /// It is there and should be made.
    Exists,
    /// It is not there and should be opened.
    Missing,
    /// A link where none is followed.
    Link,
    /// It belongs to another user.
    ForeignOwner,
    /// This user may not look there.
    Permission,
    /// What was checked and what was opened are not the same.
    Raced,
    /// The kernel cannot say what has to be known.
    Unsupported,
    /// The system failed; the error number.
    System(i32),
}

impl Refusal {
    /// The verdict that goes with it.
    #[must_use]
    pub fn verdict(self) -> Verdict {
        match self {
            Self::Outside => Verdict::Escape,
            _ => Verdict::Refused,
        }
    }

    /// The stable code.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::Control => "control",
            Self::Bidirectional => "bidirectional",
            Self::PathTooLong => "path-too-long",
            Self::NameTooLong => "name-too-long",
            Self::FileScheme => "file-scheme",
            Self::Windows => "windows",
            Self::BackslashTraversal => "backslash-traversal",
            Self::TildeUser => "tilde-user",
            Self::NoHome => "no-home",
            Self::RootRelative => "root-relative",
            Self::RootMissing => "root-missing",
            Self::RootNotDirectory => "root-not-directory",
            Self::TooManyLinks => "too-many-links",
            Self::NotDirectory => "not-directory",
            Self::ParentOfMissing => "parent-of-missing",
            Self::MagicLink => "magic-link",
            Self::Outside => "outside",
            Self::IsRoot => "is-root",
            Self::IsDirectory => "is-directory",
            Self::NotRegular => "not-regular",
            Self::HardLinked => "hard-linked",
            Self::MountCrossing => "mount-crossing",
            Self::Exists => "exists",
            Self::Missing => "missing",
            Self::Link => "link",
            Self::ForeignOwner => "foreign-owner",
            Self::Permission => "permission",
            Self::Raced => "raced",
            Self::Unsupported => "unsupported",
            Self::System(_) => "system",
        }
    }

    /// The refusal for what the system answered while a path was looked at.
    pub(crate) fn of(errno: Errno) -> Self {
        match errno {
            Errno::NOENT => Self::Missing,
            Errno::ACCESS | Errno::PERM => Self::Permission,
            Errno::NOTDIR => Self::NotDirectory,
            Errno::NAMETOOLONG => Self::PathTooLong,
            other => Self::System(other.raw_os_error()),
        }
    }

    /// The refusal for what the system answered after the path was found good: but for a lack of
    /// rights or means, somebody changed it in between.
    pub(crate) fn after_check(errno: Errno) -> Self {
        match errno {
            Errno::ACCESS | Errno::PERM | Errno::ROFS | Errno::TXTBSY => Self::Permission,
            Errno::NAMETOOLONG => Self::PathTooLong,
            Errno::MFILE
            | Errno::NFILE
            | Errno::NOMEM
            | Errno::NOSPC
            | Errno::DQUOT
            | Errno::IO
            | Errno::INTR => Self::System(errno.raw_os_error()),
            _ => Self::Raced,
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Empty => "the path is empty",
            Self::Control => "the path holds a control character or a line separator",
            Self::Bidirectional => "the path holds a character that changes the writing direction",
            Self::PathTooLong => "the path is longer than the system takes",
            Self::NameTooLong => "a name in the path is longer than the system takes",
            Self::FileScheme => "this is a file: URI, not a path",
            Self::Windows => "this is a drive, share or device name of Windows",
            Self::BackslashTraversal => "the path holds .. between backslashes",
            Self::TildeUser => "~user is not expanded",
            Self::NoHome => "~ cannot be expanded without a known home",
            Self::RootRelative => "the root is not an absolute path",
            Self::RootMissing => "the root is not there",
            Self::RootNotDirectory => "the root is not a directory",
            Self::TooManyLinks => "the path leads through too many symbolic links",
            Self::NotDirectory => "something that is not a directory is used as one",
            Self::ParentOfMissing => "the path holds .. behind a directory that is not there",
            Self::MagicLink => "the path leads through a link of /proc that is not a name",
            Self::Outside => "the path leads out of the root",
            Self::IsRoot => "this is the root itself",
            Self::IsDirectory => "this is a directory",
            Self::NotRegular => "this is a pipe, a socket or a device",
            Self::HardLinked => "the file has several names, and some may be elsewhere",
            Self::MountCrossing => "something from elsewhere is mounted there",
            Self::Exists => "it is there already",
            Self::Missing => "it is not there",
            Self::Link => "this is a symbolic link, which is not followed",
            Self::ForeignOwner => "it belongs to another user",
            Self::Permission => "this user may not do that there",
            Self::Raced => "it was changed between check and use",
            Self::Unsupported => "this kernel cannot say what has to be known",
            Self::System(number) => {
                return write!(out, "{}", std::io::Error::from_raw_os_error(*number));
            }
        })
    }
}

impl std::error::Error for Refusal {}
