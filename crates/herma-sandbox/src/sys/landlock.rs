//! What the kernel says of Landlock.

/// Its version; `None` when there is none, or it is switched off.
pub(crate) fn version() -> Option<u32> {
    const ASK_FOR_THE_VERSION: u32 = 1;
    // SAFETY: with this flag the kernel takes no memory, and makes nothing.
    let answer = unsafe {
        libc::syscall(
            libc::SYS_landlock_create_ruleset,
            std::ptr::null::<u8>(),
            0_usize,
            ASK_FOR_THE_VERSION,
        )
    };
    u32::try_from(answer).ok().filter(|it| *it > 0)
}
