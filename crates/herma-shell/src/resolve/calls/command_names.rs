//! Names of programs that a pattern in command position is compared with.

use crate::resolve::values::pattern;

/// Programs with a certain effect, and carriers: the ones whose spelling as a pattern matters.
const PROGRAMS: [&[u8]; 66] = [
    b"rm",
    b"rmdir",
    b"unlink",
    b"shred",
    b"dd",
    b"mkfs",
    b"mkfs.ext4",
    b"mkfs.xfs",
    b"mke2fs",
    b"mkswap",
    b"wipefs",
    b"sgdisk",
    b"blkdiscard",
    b"parted",
    b"fdisk",
    b"shutdown",
    b"reboot",
    b"halt",
    b"poweroff",
    b"init",
    b"telinit",
    b"systemctl",
    b"loginctl",
    b"kexec",
    b"kill",
    b"killall",
    b"pkill",
    b"chmod",
    b"chown",
    b"mv",
    b"cp",
    b"tee",
    b"truncate",
    b"find",
    b"rsync",
    b"cryptsetup",
    b"sudo",
    b"doas",
    b"su",
    b"runuser",
    b"env",
    b"nice",
    b"nohup",
    b"timeout",
    b"setsid",
    b"xargs",
    b"sh",
    b"bash",
    b"dash",
    b"zsh",
    b"ksh",
    b"busybox",
    b"toybox",
    b"python",
    b"python3",
    b"perl",
    b"ruby",
    b"node",
    b"php",
    b"curl",
    b"wget",
    b"nc",
    b"ncat",
    b"socat",
    b"git",
    b"docker",
];

/// How many readings a pattern may have.
const MAX_READINGS: usize = 16;

/// The programs whose name the pattern matches.
pub(crate) fn matching(pattern: &[u8]) -> impl Iterator<Item = &'static [u8]> {
    let short = pattern.len() <= 64;
    PROGRAMS
        .into_iter()
        .filter(move |name| short && pattern::matches(pattern, name))
        .take(MAX_READINGS)
}
