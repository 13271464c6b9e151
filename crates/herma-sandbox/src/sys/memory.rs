//! What other processes see of this one's memory.

use std::io;

/// Overwrites the arguments and the environment that this process was started with: `cmdline` of a
/// process can be read by everybody who sees it. What the standard library says of either is
/// meaningless from then on. `name` is what is seen instead.
pub(crate) fn wipe(name: &[u8]) -> io::Result<()> {
    let stat = std::fs::read_to_string("/proc/self/stat")?;
    // The second field may hold anything but ends with the last parenthesis.
    let behind = stat.rsplit_once(')').map_or("", |(_, behind)| behind);
    let field = |number: usize| {
        let text = behind.split_ascii_whitespace().nth(number - 3)?;
        text.parse::<usize>().ok().filter(|it| *it != 0)
    };
    for (start, end, text) in [(48, 49, name), (50, 51, &b""[..])] {
        let (Some(start), Some(end)) = (field(start), field(end)) else {
            return Err(io::ErrorKind::InvalidData.into());
        };
        let length = end.saturating_sub(start);
        let shown = text.len().min(length.saturating_sub(1));
        let text = text.get(..shown).unwrap_or_default();
        // SAFETY: the kernel says that these are the arguments and the environment, on the stack
        // where it put them for this process, which is writable. No other thread reads them: there
        // is none. The last byte stays NUL, so that every pointer into them still points at a
        // string that ends.
        unsafe {
            let start = std::ptr::with_exposed_provenance_mut::<u8>(start);
            start.write_bytes(0, length);
            start.copy_from_nonoverlapping(text.as_ptr(), text.len());
        }
    }
    Ok(())
}
