//! Properties of mounts.

use std::io;
use std::os::fd::{AsRawFd, BorrowedFd};

/// What holds for a mount from now on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Attributes {
    /// It can only be read.
    pub(crate) read_only: bool,
    /// Its devices are none.
    pub(crate) no_devices: bool,
    /// Nothing in it can be run.
    pub(crate) no_programs: bool,
}

/// `MOUNT_ATTR_*` of the kernel.
const READ_ONLY: u64 = 0x1;
const NO_SET_USER_ID: u64 = 0x2;
const NO_DEVICES: u64 = 0x4;
const NO_PROGRAMS: u64 = 0x8;

#[repr(C)]
struct MountAttributes {
    set: u64,
    clear: u64,
    propagation: u64,
    user_namespace: u64,
}

/// Sets attributes of a mount, and of every mount below it when `below`. Set-user-id programs
/// never count.
pub(crate) fn set_attributes(
    mount: BorrowedFd<'_>,
    attributes: Attributes,
    below: bool,
) -> io::Result<()> {
    let flag = |set: bool, flag: u64| if set { flag } else { 0 };
    let request = MountAttributes {
        set: NO_SET_USER_ID
            | flag(attributes.read_only, READ_ONLY)
            | flag(attributes.no_devices, NO_DEVICES)
            | flag(attributes.no_programs, NO_PROGRAMS),
        clear: 0,
        propagation: 0,
        user_namespace: 0,
    };
    let flags = libc::AT_EMPTY_PATH | if below { libc::AT_RECURSIVE } else { 0 };
    // SAFETY: the path is an empty string, and the structure is the kernel's `mount_attr`, with its
    // size; both live.
    let done = unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            mount.as_raw_fd(),
            c"".as_ptr(),
            flags,
            &raw const request,
            size_of::<MountAttributes>(),
        )
    };
    if done < 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(())
}
