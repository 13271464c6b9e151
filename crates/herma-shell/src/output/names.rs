//! Programs that print names, paths and numbers that their arguments determine.

use super::stream::{self, Output};
use super::{LIMIT, Run};
use crate::execution::Arg;
use crate::value::{Origin, Piece, Value};

pub(super) fn names(run: &Run<'_>) -> Value {
    match run.name {
        b"seq" => seq(run),
        b"yes" => yes(run),
        b"basename" => basename(run),
        b"dirname" => {
            let operands = run.options(b"", &[]).operands;
            each(operands.iter().map(dirname))
        }
        b"realpath" | b"grealpath" | b"readlink" | b"greadlink" => resolved(run),
        b"which" => {
            let operands = run.options(b"", &[]).operands;
            // No program's name is a number: nothing is printed for it.
            let found = operands.into_iter().filter(|name| {
                let name = name.bytes();
                !name.is_some_and(|name| name.iter().all(u8::is_ascii_digit))
            });
            each(found.map(on_path))
        }
        b"command" | b"type" => found(run),
        b"mktemp" => mktemp(run),
        b"ls" | b"gls" => listed(run),
        _ => run.unknown(),
    }
}

/// A line for each value.
fn each(values: impl Iterator<Item = Value>) -> Value {
    let mut out = Output::new();
    for value in values {
        out.value(&value);
        out.text(b"\n", None);
    }
    out.finish()
}

fn seq(run: &Run<'_>) -> Value {
    let mut separator = b"\n".to_vec();
    let (mut before, mut after) = (Vec::new(), Vec::new());
    let mut numbers = Vec::new();
    let mut words = run.words.iter();
    while let Some(word) = words.next() {
        let Some(bytes) = word.value.bytes() else {
            return run.unknown();
        };
        if let [b'-', option @ (b's' | b'f'), attached @ ..] = &*bytes {
            let next = if attached.is_empty() {
                words.next().and_then(|arg| arg.value.bytes())
            } else {
                Some(attached.into())
            };
            let Some(next) = next else {
                return run.unknown();
            };
            if *option == b's' {
                separator = next.into_owned();
            } else {
                match around_number(&next) {
                    Some(parts) => (before, after) = parts,
                    None => return run.unknown(),
                }
            }
            continue;
        }
        let parsed = std::str::from_utf8(&bytes)
            .ok()
            .and_then(|text| text.parse::<i64>().ok());
        let Some(parsed) = parsed else {
            return run.unknown();
        };
        numbers.push(parsed);
    }
    let (first, step, last) = match numbers.as_slice() {
        [last] => (1, 1, *last),
        [first, last] => (*first, 1, *last),
        [first, step, last] if *step != 0 => (*first, *step, *last),
        _ => return run.unknown(),
    };
    let mut out = Output::new();
    let mut number = first;
    let mut begun = false;
    while (step > 0 && number <= last) || (step < 0 && number >= last) {
        if begun {
            out.text(&separator, None);
        }
        begun = true;
        let shown = number.to_string();
        out.text(&[&before, shown.as_bytes(), &after].concat(), None);
        if out.is_full() {
            return out.finish();
        }
        let Some(next) = number.checked_add(step) else {
            break;
        };
        number = next;
    }
    if begun {
        out.text(b"\n", None);
    }
    out.finish()
}

/// What stands around the number in a format of `seq`; `None` when it does not show it as it is.
fn around_number(format: &[u8]) -> Option<(Vec<u8>, Vec<u8>)> {
    let mut parts = (Vec::new(), Vec::new());
    let mut seen = false;
    let mut rest = format;
    while let Some((byte, behind)) = rest.split_first() {
        rest = behind;
        let part = if seen { &mut parts.1 } else { &mut parts.0 };
        if *byte != b'%' {
            part.push(*byte);
            continue;
        }
        if let Some(behind) = rest.strip_prefix(b"%") {
            part.push(b'%');
            rest = behind;
            continue;
        }
        let number = rest.strip_prefix(b"g").or(rest.strip_prefix(b".0f"));
        rest = number.filter(|_| !seen)?;
        seen = true;
    }
    seen.then_some(parts)
}

/// `yes` repeats for ever: some lines, then an unknown rest.
fn yes(run: &Run<'_>) -> Value {
    let mut line = Value::empty();
    for (index, word) in run.words.iter().enumerate() {
        if index > 0 {
            line.push_text(b" ", None);
        }
        line.append(&word.value);
    }
    if run.words.is_empty() {
        line.push_text(b"y", None);
    }
    line.push_text(b"\n", None);
    let mut out = Output::new();
    for _ in 0..16 {
        if line.known_length() * 16 <= LIMIT {
            out.value(&line);
        }
    }
    out.unknown(Origin::Output(b"yes".to_vec()));
    out.finish()
}

fn basename(run: &Run<'_>) -> Value {
    let options = run.options(b"s", &["suffix"]);
    let is_option = |arg: &Arg| arg.value.known_prefix().first() == Some(&b'-');
    let first = run.words.iter().position(|word| !is_option(word));
    if first.is_some_and(|first| run.words.iter().skip(first).any(is_option)) {
        // Behind an operand some take options, others none.
        return run.unknown();
    }
    let several = options.has(b'a', "multiple") || options.has(b's', "suffix");
    let mut operands = options.operands.clone();
    let mut suffix = options.value(b's', "suffix").cloned();
    if !several && operands.len() == 2 {
        suffix = operands.pop();
    }
    if !several && operands.len() > 1 {
        // An error.
        return Value::empty();
    }
    let suffix = match suffix.as_ref().map(Value::bytes) {
        None => Vec::new(),
        Some(Some(bytes)) => bytes.into_owned(),
        Some(None) => return run.unknown(),
    };
    each(operands.iter().map(|path| {
        let path = trimmed(path);
        let tail = path.known_suffix();
        let start = path.known_length() - tail.len();
        let name = match tail.iter().rposition(|byte| *byte == b'/') {
            Some(_) if path.is(b"/") => return path,
            Some(slash) => stream::slice(&path, start + slash + 1, usize::MAX),
            None if path.is_known() => path,
            None => return run.unknown(),
        };
        let size = name.known_length();
        if !suffix.is_empty() && size > suffix.len() && name.known_suffix().ends_with(&suffix) {
            stream::slice(&name, 0, size - suffix.len())
        } else {
            name
        }
    }))
}

/// Without slashes at the end, unless it is the root.
fn trimmed(path: &Value) -> Value {
    let tail = path.known_suffix();
    let size = path.known_length();
    let slashes = tail.iter().rev().take_while(|byte| **byte == b'/').count();
    if slashes == size && size > 0 && path.is_known() {
        return stream::slice(path, 0, 1);
    }
    stream::slice(path, 0, size - slashes)
}

fn dirname(path: &Value) -> Value {
    let path = trimmed(path);
    if path.is(b"/") {
        return path;
    }
    // The shell's own path stands for `$0`, which in a script is the script's.
    let is_shell = path.is(b"/usr/bin/bash") || path.is(b"/usr/bin/sh");
    if is_shell && path.first_written().is_none() {
        return Value::unknown(Origin::Output(b"dirname".to_vec()));
    }
    let tail = path.known_suffix();
    let start = path.known_length() - tail.len();
    match tail.iter().rposition(|byte| *byte == b'/') {
        Some(0) if start == 0 && path.is_known() => Value::computed(*b"/"),
        Some(slash) => trimmed(&stream::slice(&path, 0, start + slash)),
        None if path.is_known() => Value::computed(*b"."),
        // A fresh name is one component.
        None if let Some(directory) = above_fresh(&path) => dirname(&directory),
        None => Value::unknown(Origin::Output(b"dirname".to_vec())),
    }
}

/// What stands in front of a fresh name at the end of a path, with a known name in its place.
fn above_fresh(path: &Value) -> Option<Value> {
    let is_unknown = |piece: &Piece| matches!(piece, Piece::Unknown(_));
    let at = path.pieces.iter().rposition(is_unknown)?;
    let Some(Piece::Unknown(unknown)) = path.pieces.get(at) else {
        return None;
    };
    let fresh = match &unknown.origin {
        Origin::Temporary => true,
        Origin::Output(name) => name == b"mktemp",
        _ => false,
    };
    let mut above = Value {
        pieces: path.pieces.get(..at)?.to_vec(),
        decoded: path.decoded,
    };
    above.push_text(b"x", None);
    fresh.then_some(above)
}

/// `realpath` and `readlink -f`, by the text alone.
fn resolved(run: &Run<'_>) -> Value {
    let options = run.options(b"", &["relative-to", "relative-base"]);
    let reads_link = run.name.ends_with(b"readlink");
    let follows = [
        "canonicalize",
        "canonicalize-existing",
        "canonicalize-missing",
    ]
    .iter()
    .zip(*b"fem")
    .any(|(long, letter)| options.has(letter, long));
    if (reads_link && !follows) || options.has(0, "relative-to") {
        return run.unknown();
    }
    each(options.operands.iter().map(|path| {
        match run.files.absolute(path).filter(|_| !path.has_glob()) {
            Some(absolute) if path.is(&absolute) => path.clone(),
            Some(absolute) => Value::computed(absolute),
            // Relative paths mean the same file as they are.
            None => path.clone(),
        }
    }))
}

/// `command -v NAME`, `type -p NAME`: the name stands for the program.
fn found(run: &Run<'_>) -> Value {
    let options = run.options(b"", &[]);
    let asks = if run.name == b"command" {
        options.has(b'v', "")
    } else {
        options.has(b'p', "") || options.has(b'P', "")
    };
    if !asks {
        return run.unknown();
    }
    match run.name {
        // A builtin's name is printed as it is; what the name leads to is the same program.
        b"command" => each(options.operands.into_iter()),
        _ => each(options.operands.into_iter().map(on_path)),
    }
}

/// Where a program of the system stands.
fn on_path(name: Value) -> Value {
    let known = name.bytes().is_some_and(|name| !name.contains(&b'/'));
    if !known {
        return name;
    }
    let mut path = Value::computed(b"/usr/bin/".as_slice());
    path.append(&name);
    path
}

/// `ls -d NAME`: the names as they are given, whatever they name.
fn listed(run: &Run<'_>) -> Value {
    let options = run.options(b"", &[]);
    let plain = run.words.iter().all(|word| {
        let word = word.value.known_prefix();
        word.first() != Some(&b'-') || matches!(word.as_slice(), b"-d" | b"-1d" | b"-d1" | b"-1")
    });
    if !plain || !options.has(b'd', "directory") {
        return run.unknown();
    }
    let mut names = options.operands;
    let there = |name: &Value| !name.is_known() || run.files.kind(name).is_some();
    if names.iter().any(there) {
        names.retain(there);
    }
    let known = |name: &Value| name.bytes().map(std::borrow::Cow::into_owned);
    if names.iter().all(Value::is_known) {
        names.sort_by_key(known);
    }
    each(names.into_iter())
}

fn mktemp(run: &Run<'_>) -> Value {
    let options = run.options(b"p", &["suffix"]);
    let by_tmpdir =
        |path: &Value| matches!(path.pieces.first(), Some(Piece::Unset(name)) if name == b"TMPDIR");
    let fresh = |mut path: Value| {
        let origin = if path.known_prefix().starts_with(b"/tmp/") {
            Origin::Temporary
        } else {
            Origin::Output(b"mktemp".to_vec())
        };
        path.append(&Value::unknown(origin));
        path
    };
    let mut out = match (options.operands.first(), options.value(b'p', "tmpdir")) {
        (_, Some(directory)) if !directory.pieces.is_empty() && !by_tmpdir(directory) => {
            let mut path = directory.clone();
            path.push_text(b"/", None);
            fresh(path)
        }
        (Some(template), None)
            if !options.has(b't', "") && !options.has(b'p', "tmpdir") && !by_tmpdir(template) =>
        {
            // The run of `X` in the last component is what is made up.
            let tail = template.known_suffix();
            let name = tail
                .iter()
                .rposition(|byte| *byte == b'/')
                .map_or(0, |at| at + 1);
            let made_up = tail.iter().skip(name).position(|byte| *byte == b'X');
            let kept = made_up.map_or(tail.len(), |at| name + at);
            let path = stream::slice(template, 0, template.known_length() - tail.len() + kept);
            // A relative name stays one without any text of its own.
            fresh(if path.pieces.is_empty() {
                Value::computed(b"./".as_slice())
            } else {
                path
            })
        }
        _ => Value::temporary(),
    };
    out.push_text(b"\n", None);
    out
}
