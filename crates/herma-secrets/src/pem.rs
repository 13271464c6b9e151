//! Private keys in PEM form.

const DASHES: &[u8] = b"-----";
const BEGIN: &[u8] = b"-----BEGIN ";

/// Fewest bytes of key material; a header alone is a mention.
const LEAST: usize = 16;

/// Longest label between the dashes.
const LABEL: usize = 64;

/// The key material of the private key whose header begins at `at`: start behind the header, end in
/// front of the footer, or where the text stops looking like key material.
pub(crate) fn at(text: &[u8], at: usize) -> Option<(usize, usize)> {
    let rest = text.get(at..)?.strip_prefix(BEGIN)?;
    let label_end = rest
        .windows(DASHES.len())
        .take(LABEL)
        .position(|window| window == DASHES)?;
    let label = rest.get(..label_end)?;
    if !label.windows(11).any(|window| window == b"PRIVATE KEY") {
        return None;
    }
    let start = at + BEGIN.len() + label_end + DASHES.len();
    let body = text.get(start..)?;
    // Stops at two dashes, so that no byte is looked at for two headers.
    let length = body
        .iter()
        .zip(body.iter().skip(1).chain(b" "))
        .take_while(|(byte, next)| match byte {
            b'-' => **next != b'-',
            byte => {
                byte.is_ascii_alphanumeric()
                    || byte.is_ascii_whitespace()
                    || matches!(
                        byte,
                        b'+' | b'/' | b'=' | b'\\' | b':' | b',' | b'"' | b'\''
                    )
            }
        })
        .count();
    let material = body
        .get(..length)?
        .iter()
        .filter(|byte| byte.is_ascii_alphanumeric())
        .count();
    (material >= LEAST).then_some((start, start + length))
}
