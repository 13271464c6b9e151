//! Paths that name open descriptors: `/dev/stdout`, `/dev/fd/3`, `/proc/self/fd/3`.

/// From here on the numbers are those of process substitutions, which no descriptor has.
pub(crate) const PROCESSES: u32 = 1 << 24;

/// The descriptor that a path names. `.`, `..` and empty components count as the system reads them;
/// a relative path names none.
pub(crate) fn descriptor_of(path: &[u8]) -> Option<u32> {
    let mut parts: Vec<&[u8]> = Vec::new();
    for part in path.strip_prefix(b"/")?.split(|byte| *byte == b'/') {
        match part {
            b"" | b"." => {}
            b".." => {
                parts.pop();
            }
            _ if parts.len() == 8 => return None,
            _ => parts.push(part),
        }
    }
    match parts.as_slice() {
        [b"dev", b"stdin"] => Some(0),
        [b"dev", b"stdout"] => Some(1),
        [b"dev", b"stderr"] => Some(2),
        [b"dev", b"fd", digits] | [b"proc", _, b"fd", digits] => number(digits),
        // A process by its thread.
        [b"proc", _, b"task", _, b"fd", digits] => number(digits),
        _ => None,
    }
}

/// The one descriptor that a path with wildcards can name.
pub(crate) fn descriptor_matching(matches: impl Fn(&[u8]) -> bool) -> Option<u32> {
    let named = [
        (b"/dev/stdin".as_slice(), 0),
        (b"/dev/stdout", 1),
        (b"/dev/stderr", 2),
    ];
    let mut found = None;
    let mut name = |path: &[u8], number| {
        if !matches(path) {
            return true;
        }
        found.replace(number).is_none_or(|known| known == number)
    };
    let one = named.iter().all(|(path, number)| name(path, *number))
        && (0..10).all(|number| {
            name(format!("/dev/fd/{number}").as_bytes(), number)
                && name(format!("/proc/self/fd/{number}").as_bytes(), number)
        });
    found.filter(|_| one)
}

fn number(digits: &[u8]) -> Option<u32> {
    if !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let number = std::str::from_utf8(digits).ok()?.parse().ok()?;
    (number < PROCESSES).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::descriptor_of;

    #[test]
    fn every_name_of_a_descriptor_gives_its_number() {
        for (path, number) in [
            ("/dev/stdin", 0),
            ("/dev/stdout", 1),
            ("/dev/stderr", 2),
            ("/dev/fd/10", 10),
            ("/proc/self/fd/1", 1),
            ("/proc/77/fd/3", 3),
            ("/proc/self/task/77/fd/3", 3),
            ("//dev/./x/../fd//3/", 3),
        ] {
            assert_eq!(descriptor_of(path.as_bytes()), Some(number), "{path}");
        }
    }

    #[test]
    fn other_paths_name_none() {
        for path in [
            "dev/stdout",
            "/dev/tty",
            "/dev/null",
            "/dev/fd",
            "/dev/fd/x",
            "/dev/fd/99999999999",
            "/dev/fd/16777216",
            "/tmp/dev/stdout",
        ] {
            assert_eq!(descriptor_of(path.as_bytes()), None, "{path}");
        }
    }
}
