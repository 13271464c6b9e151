//! What the kernel is asked: opening one name, opening below a directory, which object and mount
//! a descriptor is.

use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use rustix::fs::{AtFlags, FileType, Mode, OFlags, ResolveFlags, Stat, StatxFlags};
use rustix::io::Errno;

use crate::Refusal;

/// Which object it is, whatever its names are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Identity {
    /// The device's number.
    pub device: u64,
    /// The inode's number on that device.
    pub inode: u64,
}

impl Identity {
    #[allow(
        clippy::useless_conversion,
        reason = "the fields' types differ between systems"
    )]
    pub(crate) fn of(stat: &Stat) -> Self {
        Self {
            device: stat.st_dev.into(),
            inode: stat.st_ino.into(),
        }
    }
}

/// How a path below a directory is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// `openat2`, which resolves the whole path under its restrictions.
    Whole,
    /// One `openat` for each component, for kernels and filters without `openat2`.
    #[cfg_attr(
        not(test),
        expect(
            dead_code,
            reason = "taken when `openat2` is missing; tests take it on purpose"
        )
    )]
    Components,
}

/// Opens one name for looking at it; a link is opened itself.
pub(crate) fn look(directory: BorrowedFd<'_>, name: &[u8]) -> Result<OwnedFd, Errno> {
    let flags = OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    rustix::fs::openat(directory, name, flags, Mode::empty())
}

/// Opens a directory (never a link) for walking on.
pub(crate) fn directory(directory: BorrowedFd<'_>, name: &[u8]) -> Result<OwnedFd, Errno> {
    let flags = OFlags::PATH | OFlags::NOFOLLOW | OFlags::DIRECTORY | OFlags::CLOEXEC;
    rustix::fs::openat(directory, name, flags, Mode::empty())
}

/// The directory at the top.
pub(crate) fn top() -> Result<OwnedFd, Errno> {
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
    rustix::fs::open(c"/", flags, Mode::empty())
}

/// Whether the descriptor is on procfs, and whether it is its top.
pub(crate) fn procfs(fd: BorrowedFd<'_>) -> Result<Option<bool>, Errno> {
    /// The inode at the top of every procfs.
    const TOP: u64 = 1;
    if rustix::fs::fstatfs(fd)?.f_type != rustix::fs::PROC_SUPER_MAGIC {
        return Ok(None);
    }
    Ok(Some(Identity::of(&rustix::fs::fstat(fd)?).inode == TOP))
}

/// The mount that the descriptor was reached through.
pub(crate) fn mount(fd: BorrowedFd<'_>) -> Result<u64, Refusal> {
    let found = rustix::fs::statx(
        fd,
        c"",
        AtFlags::EMPTY_PATH | AtFlags::SYMLINK_NOFOLLOW,
        StatxFlags::MNT_ID,
    )
    .map_err(|_| Refusal::Unsupported)?;
    if found.stx_mask & StatxFlags::MNT_ID.bits() == 0 {
        return Err(Refusal::Unsupported);
    }
    Ok(found.stx_mnt_id)
}

/// Opens `names` below `base` without following any link. With `same_mount` nothing mounted on the
/// way is entered.
pub(crate) fn open_below(
    base: BorrowedFd<'_>,
    names: &[Vec<u8>],
    flags: OFlags,
    same_mount: bool,
    way: Way,
) -> Result<OwnedFd, Refusal> {
    let flags = flags | OFlags::NOFOLLOW | OFlags::NOCTTY | OFlags::CLOEXEC;
    let opened = match way {
        Way::Whole => match whole(base, names, flags, same_mount) {
            // Old kernels answer the first, filters of system calls either.
            Err(Errno::NOSYS | Errno::PERM) => components(base, names, flags),
            other => other,
        },
        Way::Components => components(base, names, flags),
    };
    let fd = opened.map_err(Refusal::after_check)?;
    if same_mount && mount(fd.as_fd())? != mount(base)? {
        return Err(Refusal::MountCrossing);
    }
    Ok(fd)
}

fn whole(
    base: BorrowedFd<'_>,
    names: &[Vec<u8>],
    flags: OFlags,
    same_mount: bool,
) -> Result<OwnedFd, Errno> {
    let mut resolve =
        ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
    if same_mount {
        resolve |= ResolveFlags::NO_XDEV;
    }
    let path = if names.is_empty() {
        b".".to_vec()
    } else {
        names.join(&b'/')
    };
    rustix::fs::openat2(base, path, flags, Mode::empty(), resolve)
}

fn components(base: BorrowedFd<'_>, names: &[Vec<u8>], flags: OFlags) -> Result<OwnedFd, Errno> {
    let Some((last, before)) = names.split_last() else {
        return rustix::fs::openat(base, c".", flags, Mode::empty());
    };
    let mut current = None;
    for name in before {
        let from = current.as_ref().map_or(base, OwnedFd::as_fd);
        current = Some(directory(from, name)?);
    }
    let from = current.as_ref().map_or(base, OwnedFd::as_fd);
    let fd = rustix::fs::openat(from, last.as_slice(), flags, Mode::empty())?;
    // With O_PATH a link would be opened itself.
    if flags.contains(OFlags::PATH) && kind(&rustix::fs::fstat(&fd)?) == FileType::Symlink {
        return Err(Errno::LOOP);
    }
    Ok(fd)
}

/// The type of an object.
pub(crate) fn kind(stat: &Stat) -> FileType {
    FileType::from_raw_mode(stat.st_mode)
}
