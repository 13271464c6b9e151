//! Whether a file system is there under two names.

use std::collections::HashSet;
#[cfg(target_os = "linux")]
use std::io::Read;

use crate::walk::Located;

/// Whether the file systems that the path leads through may be mounted elsewhere too, by a bind
/// mount or a second one. What cannot be told may be.
#[cfg(target_os = "linux")]
pub(super) fn may_be_mounted_twice(located: &Located) -> bool {
    // The table says no size, and most fit in this.
    let mut mounts = Vec::with_capacity(1 << 14);
    let read = std::fs::File::open("/proc/self/mountinfo")
        .and_then(|mut table| table.read_to_end(&mut mounts));
    if read.is_err() {
        return true;
    }
    let devices: HashSet<u64> = located
        .steps
        .iter()
        .map(|step| step.identity.device)
        .collect();
    devices.into_iter().any(|device| !is_once(&mounts, device))
}

#[cfg(not(target_os = "linux"))]
pub(super) fn may_be_mounted_twice(_: &Located) -> bool {
    true
}

/// Whether exactly one line of the table is about the device. Some file systems have files on
/// devices that no line names.
#[cfg(target_os = "linux")]
fn is_once(mounts: &[u8], device: u64) -> bool {
    let wanted = format!(
        "{}:{}",
        rustix::fs::major(device),
        rustix::fs::minor(device)
    );
    let named = mounts
        .split(|byte| *byte == b'\n')
        .filter_map(|line| line.split(|byte| *byte == b' ').nth(2))
        .filter(|field| *field == wanted.as_bytes());
    named.take(2).count() == 1
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::is_once;

    #[test]
    fn a_device_is_counted_by_its_lines() {
        let table = b"22 1 8:1 / / rw - ext4 /dev/sda1 rw\n\
            23 22 8:2 / /home rw - ext4 /dev/sda2 rw\n\
            24 22 8:2 /dev/x /srv rw - ext4 /dev/sda2 rw\n";
        let device = |minor| rustix::fs::makedev(8, minor);
        assert!(is_once(table, device(1)));
        assert!(!is_once(table, device(2)));
        assert!(!is_once(table, device(3)), "named by no line");
        assert!(!is_once(b"", device(1)));
    }
}
