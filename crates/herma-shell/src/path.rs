//! Paths as bytes.

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
