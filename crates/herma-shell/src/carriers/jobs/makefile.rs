//! Makefiles: recipes, and what `$(shell …)` runs.

use crate::carriers::words::{Cell, cells, lines, word};
use crate::execution::Arg;
use crate::value::Value;

/// More variables are not followed.
const MOST: usize = 64;
/// The longest name, and the longest value in bytes.
const LONGEST: usize = 256;

/// What stands in `$(shell …)`, up to the matching parenthesis.
pub(super) fn shell_functions(text: &Arg, variables: &Variables) -> Vec<Arg> {
    let all = cells(&text.value);
    let mut out = Vec::new();
    let mark = b"shell ";
    for (at, cell) in all.iter().enumerate() {
        if cell.byte() != Some(b'$')
            || !matches!(
                all.get(at + 1).and_then(|cell| cell.byte()),
                Some(b'(' | b'{')
            )
        {
            continue;
        }
        let named = all.get(at + 2..at + 2 + mark.len()).is_some_and(|part| {
            part.iter()
                .zip(mark)
                .all(|(cell, byte)| cell.byte() == Some(*byte))
        });
        if !named || out.len() >= 64 {
            continue;
        }
        let from = at + 2 + mark.len();
        let mut depth = 1usize;
        let end = all
            .iter()
            .enumerate()
            .skip(from)
            .find(|(_, cell)| {
                match cell.byte() {
                    Some(b'(' | b'{') => depth += 1,
                    Some(b')' | b'}') => depth -= 1,
                    _ => {}
                }
                depth == 0
            })
            .map_or(all.len(), |(end, _)| end);
        out.push(recipe(
            all.get(from..end).unwrap_or_default(),
            text,
            variables,
        ));
    }
    out
}

/// Recipe lines: those behind a tab, and what follows `target: ;`.
pub(super) fn recipes(text: &Arg, variables: &Variables) -> Vec<Arg> {
    let all = cells(&text.value);
    // A line goes on behind a backslash.
    let mut continues = false;
    let line_end = |cell: &Cell<'_>| {
        let ends = cell.byte() == Some(b'\n') && !continues;
        continues = cell.byte() == Some(b'\\') && !continues;
        ends
    };
    all.split(line_end)
        .filter_map(|line| {
            if line.first().and_then(|cell| cell.byte()) == Some(b'\t') {
                return Some(recipe(line.get(1..)?, text, variables));
            }
            let colon = line.iter().position(|cell| cell.byte() == Some(b':'))?;
            if line.get(colon + 1).and_then(|cell| cell.byte()) == Some(b'=') {
                return None;
            }
            let semicolon = line
                .iter()
                .skip(colon)
                .position(|cell| cell.byte() == Some(b';'))?;
            Some(recipe(line.get(colon + semicolon + 1..)?, text, variables))
        })
        .collect()
}

/// A recipe without its marks, `$$` being one dollar sign, with the values of variables.
fn recipe(line: &[Cell<'_>], text: &Arg, variables: &Variables) -> Arg {
    let marks = line
        .iter()
        .take_while(|cell| matches!(cell.byte(), Some(b'@' | b'-' | b'+' | b' ' | b'\t')))
        .count();
    let mut out = Vec::new();
    let mut at = marks;
    while let Some(cell) = line.get(at).copied() {
        at += 1;
        if cell.byte() != Some(b'$') {
            out.push(cell);
            continue;
        }
        let rest = line.get(at..).unwrap_or_default();
        if rest.first().and_then(|next| next.byte()) == Some(b'$') {
            out.push(cell);
            at += 1;
        } else if let Some((value, length)) = variables.named(rest)
            && out.len() <= 4 * line.len() + 16 * LONGEST
        {
            out.extend(cells(value));
            at += length;
        } else {
            out.push(cell);
        }
    }
    word(&out, text.span)
}

/// Variables of a makefile, or of the words of `make`, whose values are known.
#[derive(Default)]
pub(super) struct Variables(Vec<(Vec<u8>, Value)>);

/// What the texts assign outside of recipes; a later value replaces an earlier one.
pub(super) fn variables(texts: &[Arg]) -> Variables {
    let mut out = Variables::default();
    // What the words say counts more than the file: it stands last.
    for text in texts.iter().rev() {
        // The name of an open `define`, and its lines.
        let mut defined: Option<(Vec<u8>, Vec<u8>)> = None;
        for line in lines(text) {
            let Some(bytes) = line.value.bytes() else {
                continue;
            };
            if let Some((name, mut body)) = defined.take() {
                if bytes.trim_ascii() == b"endef" {
                    if out.0.len() < MOST && body.len() <= LONGEST {
                        let value = recipe(&cells(&Value::computed(body)), text, &out).value;
                        out.0.retain(|(own, _)| *own != name);
                        out.0.push((name, value));
                    }
                } else {
                    if !body.is_empty() {
                        body.push(b'\n');
                    }
                    body.extend_from_slice(&bytes);
                    if body.len() <= LONGEST {
                        defined = Some((name, body));
                    }
                }
                continue;
            }
            if let Some(name) = bytes.strip_prefix(b"define ") {
                let name = name.trim_ascii();
                let name = name.strip_suffix(b"=").unwrap_or(name).trim_ascii_end();
                defined = Some((name.to_vec(), Vec::new()));
                continue;
            }
            let Some(equals) = bytes.iter().position(|byte| *byte == b'=') else {
                continue;
            };
            let (name, value) = bytes.split_at(equals);
            let name = name.strip_suffix(b"+").unwrap_or(name);
            let name = name.trim_ascii_end();
            let name = name.strip_suffix(b"?").unwrap_or(name);
            let name = name.strip_suffix(b":").unwrap_or(name);
            let name = name.strip_suffix(b":").unwrap_or(name).trim_ascii();
            let name = name
                .strip_prefix(b"export ")
                .or_else(|| name.strip_prefix(b"override "))
                .unwrap_or(name);
            let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-.".contains(byte);
            if name.is_empty()
                || name.len() > LONGEST
                || !name.iter().all(plain)
                || bytes.starts_with(b"\t")
            {
                continue;
            }
            if out.0.len() >= MOST {
                return out;
            }
            let value = value.get(1..).unwrap_or_default().trim_ascii();
            // Values of variables in values, as far as they stand in front.
            let value = Value::computed(value.get(..value.len().min(LONGEST)).unwrap_or_default());
            let value = recipe(&cells(&value), text, &out).value;
            if value.bytes().is_none_or(|bytes| bytes.len() > LONGEST) {
                continue;
            }
            out.0.retain(|(own, _)| own != name);
            out.0.push((name.to_vec(), value));
        }
    }
    out
}

impl Variables {
    /// The value of `(name)`, `{name}` or a letter behind a dollar sign, and how many cells it takes.
    fn named(&self, rest: &[Cell<'_>]) -> Option<(&Value, usize)> {
        let close = match rest.first()?.byte()? {
            b'(' => b')',
            b'{' => b'}',
            letter => return Some((self.value(&[letter])?, 1)),
        };
        let name: Vec<u8> = rest
            .iter()
            .skip(1)
            .take(LONGEST)
            .map_while(|cell| cell.byte().filter(|byte| *byte != close))
            .collect();
        Some((self.value(&name)?, name.len() + 2))
    }

    fn value(&self, name: &[u8]) -> Option<&Value> {
        self.0
            .iter()
            .find(|(own, _)| own == name)
            .map(|(_, value)| value)
    }
}
