//! Programs that print fields of records: `awk` with a single print action, `jq` with a literal.

use super::{Run, stream};
use crate::execution::Arg;
use crate::value::{Origin, Value};

/// A part of what is printed.
enum Part {
    Text(Vec<u8>),
    Field(usize),
    LastField,
    /// A comma: the output separator.
    Separator,
}

/// `awk '{print $N}'` and the like.
pub(super) fn awk(run: &mut Run<'_>, argv: &[Arg]) -> Value {
    let options = run.options(b"Fvf", &["field-separator", "assign", "file"]);
    let mut operands = options.operands.clone();
    let program = if operands.is_empty() || options.has(b'f', "file") {
        None
    } else {
        operands.remove(0).bytes().map(std::borrow::Cow::into_owned)
    };
    let assigns = options.has(b'v', "assign");
    let parsed = program.filter(|_| !assigns).and_then(|text| parse(&text));
    let Some((begin, parts)) = parsed else {
        if let Some(text) = super::interpret::interpret(run, argv) {
            return text;
        }
        let input = if run.stdin.is_some() || !operands.is_empty() {
            run.input(&operands)
        } else {
            run.unknown()
        };
        return run.derived(&input);
    };
    if begin {
        let mut out = Value::empty();
        print(&parts, &mut out);
        return out;
    }
    let input = run.input(&operands);
    let separator = options.bytes(b'F', "field-separator");
    let single = match separator.as_deref() {
        None | Some(b" ") => None,
        Some(&[byte]) if byte != b'\\' => Some(byte),
        Some(b"\\t") => Some(b'\t'),
        Some(_) => return run.derived(&input),
    };
    if !input.is_known() {
        let fixed = parts
            .iter()
            .all(|part| matches!(part, Part::Text(_) | Part::Separator));
        let mut out = Value::empty();
        if fixed {
            // The same line for every record.
            print(&parts, &mut out);
        }
        out.append(&run.derived(&input));
        return out;
    }
    let (lines, _) = stream::lines(&input);
    let mut out = stream::Output::new();
    for line in &lines {
        let bytes = line.bytes().unwrap_or_default();
        let fields: Vec<&[u8]> = match single {
            Some(byte) => bytes.split(|b| *b == byte).collect(),
            None => bytes
                .split(u8::is_ascii_whitespace)
                .filter(|field| !field.is_empty())
                .collect(),
        };
        for part in &parts {
            match part {
                Part::Text(text) => out.text(text, None),
                Part::Separator => out.text(b" ", None),
                Part::Field(0) => out.value(line),
                Part::Field(number) => {
                    out.text(fields.get(number - 1).copied().unwrap_or_default(), None);
                }
                Part::LastField => out.text(fields.last().copied().unwrap_or_default(), None),
            }
        }
        out.text(b"\n", None);
        if out.is_full() {
            break;
        }
    }
    if input.decoded {
        out.mark_decoded();
    }
    out.finish()
}

/// A line of the parts that need no record.
fn print(parts: &[Part], out: &mut Value) {
    for part in parts {
        match part {
            Part::Text(text) => out.push_text(text, None),
            Part::Separator => out.push_text(b" ", None),
            Part::Field(_) | Part::LastField => {}
        }
    }
    out.push_text(b"\n", None);
}

/// A program that is one action with one `print`, perhaps for `BEGIN`.
fn parse(program: &[u8]) -> Option<(bool, Vec<Part>)> {
    let text = program.trim_ascii();
    let (begin, text) = match text.strip_prefix(b"BEGIN") {
        Some(rest) => (true, rest.trim_ascii_start()),
        None => (false, text),
    };
    let inner = text.strip_prefix(b"{")?.strip_suffix(b"}")?.trim_ascii();
    let inner = inner.strip_suffix(b";").unwrap_or(inner);
    let mut rest = inner.strip_prefix(b"print")?.trim_ascii_start();
    let mut parts = Vec::new();
    if rest.is_empty() {
        parts.push(Part::Field(0));
    }
    while let Some((byte, tail)) = rest.split_first() {
        rest = tail;
        match byte {
            b' ' | b'\t' => {}
            b',' => parts.push(Part::Separator),
            b'$' => {
                if let Some(tail) = rest.strip_prefix(b"NF") {
                    parts.push(Part::LastField);
                    rest = tail;
                } else {
                    let end = rest
                        .iter()
                        .position(|byte| !byte.is_ascii_digit())
                        .unwrap_or(rest.len());
                    parts.push(Part::Field(super::options::number(rest.get(..end)?)?));
                    rest = rest.get(end..)?;
                }
                // `$NF-1`, `$1+2`: arithmetic.
                if matches!(
                    rest.trim_ascii_start().first(),
                    Some(b'-' | b'+' | b'*' | b'/')
                ) {
                    return None;
                }
            }
            b'"' => {
                let end = rest.iter().position(|byte| *byte == b'"')?;
                let text = rest.get(..end)?;
                if text.contains(&b'\\') {
                    return None;
                }
                parts.push(Part::Text(text.to_vec()));
                rest = rest.get(end + 1..)?;
            }
            _ => return None,
        }
        if parts.len() > 64 {
            return None;
        }
    }
    Some((begin, parts))
}

/// `jq -rn '"text"'`; anything else is unknown, and decoded where the filter says so.
pub(super) fn jq(run: &mut Run<'_>) -> Value {
    let options = run.options(b"Lf", &["arg", "argjson", "from-file"]);
    let Some(filter) = options.operands.first().and_then(Value::bytes) else {
        return run.unknown();
    };
    let literal = filter
        .strip_prefix(b"\"")
        .and_then(|rest| rest.strip_suffix(b"\""))
        .filter(|text| !text.contains(&b'\\') && !text.contains(&b'"'));
    if let (Some(text), true) = (literal, options.has(b'r', "raw-output")) {
        let mut out = Value::computed(text);
        out.push_text(b"\n", None);
        return out;
    }
    let files = options.operands.get(1..).unwrap_or_default();
    let input = if options.has(b'n', "null-input") {
        Value::unknown_words(Origin::Output(b"jq".to_vec()))
    } else {
        run.input(files)
    };
    let mut out = run.derived(&input);
    out.decoded |= super::filter::find(&filter, b"@base64d").is_some();
    out
}
