//! Paths as bytes.

/// Directories whose programs are what their names say, without a last slash.
pub const PROGRAM_DIRECTORIES: &[&[u8]] = &[
    b"/bin",
    b"/sbin",
    b"/usr/bin",
    b"/usr/sbin",
    b"/usr/local/bin",
    b"/usr/local/sbin",
    b"/opt/homebrew/bin",
    b"/opt/local/bin",
    b"/snap/bin",
];

/// What stands behind the last slash; all of it without one, nothing behind a slash at the end.
#[must_use]
pub fn base_name(path: &[u8]) -> &[u8] {
    path.rsplit(|byte| *byte == b'/').next().unwrap_or(path)
}

/// The absolute path without empty components, `.` and `..`; links are not followed. A path without
/// a first slash is taken to stand below the root.
#[must_use]
pub fn normal(path: &[u8]) -> Vec<u8> {
    let mut segments: Vec<&[u8]> = Vec::new();
    for segment in path.split(|byte| *byte == b'/') {
        match segment {
            b"" | b"." => {}
            b".." => {
                segments.pop();
            }
            name => segments.push(name),
        }
    }
    let mut out = Vec::with_capacity(path.len());
    for segment in segments {
        out.push(b'/');
        out.extend_from_slice(segment);
    }
    if out.is_empty() {
        out.push(b'/');
    }
    out
}
