//! New processes.

use std::io;
use std::os::fd::{FromRawFd, OwnedFd, RawFd};

use rustix::process::Pid;

/// Namespaces that a child gets for itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Namespaces {
    /// Those of its parent.
    None,
    /// All: user, mount, process, network, IPC, names, control groups.
    All,
}

impl Namespaces {
    fn flags(self) -> libc::c_int {
        match self {
            Self::None => 0,
            Self::All => {
                libc::CLONE_NEWUSER
                    | libc::CLONE_NEWNS
                    | libc::CLONE_NEWPID
                    | libc::CLONE_NEWNET
                    | libc::CLONE_NEWIPC
                    | libc::CLONE_NEWUTS
                    | libc::CLONE_NEWCGROUP
            }
        }
    }
}

/// Which side of a fork this is.
#[derive(Debug)]
pub(crate) enum Side {
    /// The parent, with its child and a descriptor for it.
    Parent(Pid, OwnedFd),
    /// The child.
    Child,
}

/// Forks. The process has one thread: whatever another one holds, a lock of the allocator for
/// example, would stay held in the child for ever.
///
/// # Errors
/// The kernel's answer; `EDEADLK` when there is more than one thread.
pub(crate) fn fork(namespaces: Namespaces) -> io::Result<Side> {
    if threads() != Some(1) {
        return Err(io::Error::from_raw_os_error(libc::EDEADLK));
    }
    let flags = namespaces.flags() | libc::CLONE_PIDFD | libc::SIGCHLD;
    let mut pidfd: RawFd = -1;
    // SAFETY: without CLONE_VM and with no stack of its own the child goes on here with a copy of
    // everything, as behind `fork`; the kernel writes one descriptor to `pidfd`, which lives. There
    // is one thread, so no lock is held. What `fork` of the C library does beyond that (handlers,
    // the cached thread number) serves threads, which the child never starts.
    let pid = unsafe { libc::syscall(libc::SYS_clone, flags, 0, &raw mut pidfd, 0, 0) };
    if pid < 0 {
        return Err(io::Error::last_os_error());
    }
    match i32::try_from(pid).ok().and_then(Pid::from_raw) {
        // SAFETY: the kernel has just made this descriptor for us, and nobody else knows of it.
        Some(pid) => Ok(Side::Parent(pid, unsafe { OwnedFd::from_raw_fd(pidfd) })),
        None => Ok(Side::Child),
    }
}

/// How many threads this process has.
fn threads() -> Option<usize> {
    std::fs::read_dir("/proc/self/task")
        .ok()
        .map(Iterator::count)
}

/// Ends the process at once, without what waits for its end.
pub(crate) fn leave(code: i32) -> ! {
    // SAFETY: `_exit` returns never and touches nothing of this process.
    unsafe { libc::_exit(code) }
}
