//! Justfiles.

use super::super::words::lines;
use crate::execution::Arg;
use crate::value::Value;

/// What the recipes run, line by line, or as a whole where a recipe begins with `#!`; and what
/// stands in backticks.
pub(super) fn recipes(text: &Arg) -> Vec<Arg> {
    let mut out: Vec<Arg> = Vec::new();
    let mut script: Option<Arg> = None;
    let mut in_recipe = false;
    let mut variables: Vec<(Vec<u8>, Vec<u8>)> = Vec::new();
    for line in lines(text) {
        let line = filled(line, &variables);
        let known = line.value.known_prefix();
        let indented = matches!(known.first(), Some(b' ' | b'\t'));
        if !indented {
            out.extend(script.take());
            in_recipe = false;
            assigned(&known, &mut variables);
            if let Some(command) = in_backticks(&known) {
                out.push(Arg {
                    value: Value::computed(command),
                    span: line.span,
                });
            }
            continue;
        }
        let body = known.trim_ascii_start();
        let marks = body
            .iter()
            .take_while(|byte| matches!(byte, b'@' | b'-'))
            .count();
        let skipped = known.len() - body.len();
        if !in_recipe && body.starts_with(b"#!") {
            script = body.ends_with(b"sh").then(|| Arg {
                value: Value::empty(),
                span: line.span,
            });
        } else if let Some(script) = &mut script {
            script
                .value
                .append(&super::super::words::behind(&line, skipped).value);
            script.value.push_text(b"\n", None);
        } else {
            out.push(super::super::words::behind(&line, skipped + marks));
        }
        in_recipe = true;
    }
    out.extend(script);
    out
}

fn in_backticks(line: &[u8]) -> Option<Vec<u8>> {
    let from = line.iter().position(|byte| *byte == b'`')? + 1;
    let rest = line.get(from..)?;
    let end = rest.iter().position(|byte| *byte == b'`')?;
    rest.get(..end).map(<[u8]>::to_vec)
}

/// More variables are not followed, nor longer values.
const MOST: usize = 64;
const LONGEST: usize = 256;

/// What `name := value` sets, and the defaults of a recipe's parameters (`clean dir='x':`).
fn assigned(line: &[u8], variables: &mut Vec<(Vec<u8>, Vec<u8>)>) {
    let set = |name: &[u8], value: Option<Vec<u8>>, variables: &mut Vec<(Vec<u8>, Vec<u8>)>| {
        variables.retain(|(own, _)| own != name);
        if let Some(value) = value.filter(|value| value.len() <= LONGEST)
            && variables.len() < MOST
        {
            variables.push((name.to_vec(), value));
        }
    };
    if let Some(at) = line.windows(2).position(|pair| pair == b":=") {
        let (name, value) = line.split_at(at);
        let name = name.trim_ascii();
        let name = name.strip_prefix(b"export ").unwrap_or(name);
        let value = expression(value.get(2..).unwrap_or_default(), variables);
        set(name, value, variables);
        return;
    }
    for word in line.split(u8::is_ascii_whitespace) {
        if let Some(at) = word.iter().position(|byte| *byte == b'=') {
            let (name, value) = word.split_at(at);
            let value = value.get(1..).unwrap_or_default();
            let value = value.strip_suffix(b":").unwrap_or(value);
            let value = expression(value, variables);
            set(name.trim_ascii_start(), value, variables);
        }
    }
}

/// The value of an expression of strings and names, joined by `+` and `/`; `None` when it holds
/// anything else.
fn expression(text: &[u8], variables: &[(Vec<u8>, Vec<u8>)]) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    let mut rest = text.trim_ascii();
    loop {
        match rest.first()? {
            quote @ (b'"' | b'\'') => {
                let end = rest.iter().skip(1).position(|byte| byte == quote)? + 1;
                out.extend_from_slice(rest.get(1..end)?);
                rest = rest.get(end + 1..)?;
            }
            _ => {
                let is_name = |byte: &&u8| byte.is_ascii_alphanumeric() || b"_-".contains(byte);
                let length = rest.iter().take_while(is_name).count();
                let name = rest.get(..length).filter(|name| !name.is_empty())?;
                let (_, value) = variables.iter().find(|(own, _)| own == name)?;
                out.extend_from_slice(value);
                rest = rest.get(length..)?;
            }
        }
        rest = rest.trim_ascii_start();
        match rest.first() {
            None | Some(b'#') => return Some(out),
            Some(b'+') => {}
            Some(b'/') => out.push(b'/'),
            Some(_) => return None,
        }
        if out.len() > 4 * LONGEST {
            return None;
        }
        rest = rest.get(1..)?.trim_ascii_start();
    }
}

/// The line with the values of `{{name}}` in it.
fn filled(line: Arg, variables: &[(Vec<u8>, Vec<u8>)]) -> Arg {
    let Some(bytes) = line.value.bytes().map(std::borrow::Cow::into_owned) else {
        return line;
    };
    if variables.is_empty() || !bytes.windows(2).any(|pair| pair == b"{{") {
        return line;
    }
    let mut out = Vec::new();
    let mut rest = bytes.as_slice();
    while let Some(open) = rest.windows(2).position(|pair| pair == b"{{") {
        out.extend_from_slice(rest.get(..open).unwrap_or_default());
        let inner = rest.get(open + 2..).unwrap_or_default();
        let close = inner.windows(2).position(|pair| pair == b"}}");
        let value = close
            .and_then(|close| inner.get(..close))
            .and_then(|name| expression(name, variables));
        match (value, close) {
            (Some(value), Some(close)) if out.len() <= 16 * LONGEST + bytes.len() => {
                out.extend_from_slice(&value);
                rest = inner.get(close + 2..).unwrap_or_default();
            }
            _ => {
                out.extend_from_slice(b"{{");
                rest = inner;
            }
        }
    }
    out.extend_from_slice(rest);
    Arg {
        value: Value::computed(out),
        span: line.span,
    }
}
