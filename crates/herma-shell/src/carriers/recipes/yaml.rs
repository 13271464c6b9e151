//! As much YAML as recipes are written in: mappings and lists by indentation, scalars, lists in
//! brackets. Anchors, tags and mappings in braces are not followed.

/// Deeper nesting is cut off.
const DEEPEST: usize = 16;
/// Longer text in front of a colon is no key.
const LONGEST: usize = 128;

/// A scalar with the keys that lead to it; an item of a list adds no key.
pub(super) struct Scalar {
    pub(super) keys: Vec<Vec<u8>>,
    pub(super) value: Vec<u8>,
    /// It is an item of a list.
    pub(super) listed: bool,
}

/// All scalars in their order.
pub(super) fn scalars(text: &[u8]) -> Vec<Scalar> {
    let mut out = Vec::new();
    // Open keys with their indentation.
    let mut open: Vec<(usize, Vec<u8>)> = Vec::new();
    let mut rest = text.split(|byte| *byte == b'\n').peekable();
    while let Some(line) = rest.next() {
        let mut body = line.trim_ascii_start();
        let mut indent = line.len() - body.len();
        if body.is_empty() || body.starts_with(b"#") || body == b"---" {
            continue;
        }
        let mut item = false;
        while let Some(inner) = body.strip_prefix(b"- ") {
            item = true;
            // Items stand below a key even at its own indentation.
            open.retain(|(at, _)| *at <= indent);
            let inner_body = inner.trim_ascii_start();
            indent += body.len() - inner_body.len();
            body = inner_body;
        }
        let own_indent = indent;
        if !item {
            open.retain(|(at, _)| *at < indent);
        }
        let (key, value) = entry(body);
        let mut keys: Vec<Vec<u8>> = open.iter().map(|(_, key)| key.clone()).collect();
        if let Some(key) = key {
            open.retain(|(at, _)| *at < own_indent);
            keys = open.iter().map(|(_, key)| key.clone()).collect();
            keys.push(key.clone());
            if open.len() < DEEPEST {
                open.push((own_indent, key));
            }
        }
        let parent = line.len() - line.trim_ascii_start().len();
        let value = if matches!(value.first(), Some(b'|' | b'>')) {
            let mut block = Vec::new();
            while let Some(next) = rest.peek() {
                let inner = next.trim_ascii_start();
                if !inner.is_empty() && next.len() - inner.len() <= parent {
                    break;
                }
                block.extend_from_slice(inner);
                block.push(b'\n');
                rest.next();
            }
            block
        } else {
            value.to_vec()
        };
        let listed = item || value.starts_with(b"[");
        for value in flow(&value) {
            out.push(Scalar {
                keys: keys.clone(),
                value,
                listed,
            });
        }
    }
    out
}

/// `key: value` or a value alone.
fn entry(body: &[u8]) -> (Option<Vec<u8>>, &[u8]) {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-./ *$?".contains(byte);
    let quoted = matches!(body.first(), Some(b'"' | b'\''));
    let colon = body.iter().enumerate().position(|(at, byte)| {
        *byte == b':' && matches!(body.get(at + 1), None | Some(b' ' | b'\r'))
    });
    match colon.map(|at| body.split_at(at)) {
        Some((key, value)) if key.len() <= LONGEST && (quoted || key.iter().all(plain)) => {
            let value = value.get(1..).unwrap_or_default().trim_ascii();
            (Some(unquoted(key)), value)
        }
        _ => (None, body.trim_ascii()),
    }
}

/// A list in brackets as its items, else the scalar.
fn flow(value: &[u8]) -> Vec<Vec<u8>> {
    let inner = value
        .strip_prefix(b"[")
        .and_then(|value| value.strip_suffix(b"]"));
    let Some(inner) = inner else {
        return vec![unquoted(value)];
    };
    let mut out = Vec::new();
    let mut item = Vec::new();
    let mut quote = None;
    for byte in inner {
        match (quote, byte) {
            (Some(open), byte) if open == *byte => {
                quote = None;
                item.push(*byte);
            }
            (None, b'"' | b'\'') => {
                quote = Some(*byte);
                item.push(*byte);
            }
            (None, b',') => out.push(unquoted(&std::mem::take(&mut item))),
            (_, byte) => item.push(*byte),
        }
    }
    if !item.is_empty() {
        out.push(unquoted(&item));
    }
    out
}

fn unquoted(value: &[u8]) -> Vec<u8> {
    let value = value.trim_ascii();
    for quote in [b"\"".as_slice(), b"'"] {
        if let Some(inner) = value
            .strip_prefix(quote)
            .and_then(|value| value.strip_suffix(quote))
        {
            return if quote == b"'" {
                inner.to_vec()
            } else {
                String::from_utf8_lossy(inner)
                    .replace("\\\"", "\"")
                    .replace("\\\\", "\\")
                    .into_bytes()
            };
        }
    }
    value.to_vec()
}
