//! Strings in an object of a JSON file, by name.

/// More names and strings are not taken.
const MOST: usize = 256;

/// The strings below `key` of the outermost object, each with its own name; the items of a list have
/// the list's. What is no JSON ends where it stops being so.
pub(super) fn entries(text: &[u8], key: &[u8]) -> Vec<(Vec<u8>, Vec<u8>)> {
    let mut out = Vec::new();
    // The names that lead here, one for each open object.
    let mut names: Vec<Option<Vec<u8>>> = Vec::new();
    // Whether an open bracket is an object's.
    let mut objects: Vec<bool> = Vec::new();
    let mut at = 0;
    while let Some(byte) = text.get(at) {
        at += 1;
        match byte {
            b'{' => {
                objects.push(true);
                names.push(None);
            }
            b'[' => objects.push(false),
            b'}' => {
                objects.pop();
                names.pop();
            }
            b']' => {
                objects.pop();
            }
            b',' if objects.last() == Some(&true) => {
                if let Some(name) = names.last_mut() {
                    *name = None;
                }
            }
            b'"' => {
                let (string, length) = string(text.get(at..).unwrap_or_default());
                at += length;
                let expects_name =
                    objects.last() == Some(&true) && names.last().is_some_and(Option::is_none);
                if expects_name {
                    if let Some(name) = names.last_mut() {
                        *name = Some(string);
                    }
                } else if let [Some(outer), Some(own)] = names.as_slice()
                    && outer == key
                    && own.len() < MOST
                    && out.len() < MOST
                {
                    out.push((own.clone(), string));
                }
            }
            _ => {}
        }
        if objects.len() > MOST {
            break;
        }
    }
    out
}

/// A string behind its opening quote, and how many bytes it takes.
fn string(text: &[u8]) -> (Vec<u8>, usize) {
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(byte) = text.get(at) {
        at += 1;
        match byte {
            b'"' => break,
            b'\\' => {
                let escaped = text.get(at).copied().unwrap_or(b'\\');
                at += 1;
                match escaped {
                    b'n' => out.push(b'\n'),
                    b't' => out.push(b'\t'),
                    b'r' => out.push(b'\r'),
                    b'u' => {
                        let digits = text.get(at..at + 4).unwrap_or_default();
                        let code = std::str::from_utf8(digits)
                            .ok()
                            .and_then(|digits| u32::from_str_radix(digits, 16).ok())
                            .and_then(char::from_u32)
                            .unwrap_or(char::REPLACEMENT_CHARACTER);
                        let mut buffer = [0; 4];
                        out.extend_from_slice(code.encode_utf8(&mut buffer).as_bytes());
                        at += digits.len();
                    }
                    other => out.push(other),
                }
            }
            byte => out.push(*byte),
        }
    }
    (out, at)
}
