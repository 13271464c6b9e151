//! Files of tests that a runner takes.

use super::inside;
use crate::execution::Arg;
use crate::value::Value;

/// Whether `node`, `bun` or `deno` runs tests.
pub(super) fn runs_tests(argv: &[Arg]) -> bool {
    argv.iter()
        .skip(1)
        .take(8)
        .any(|arg| arg.value.is(b"test") || arg.value.is(b"--test"))
}

/// The files that run: those that are named, those in named directories, or those that the runner
/// finds by itself.
pub(super) fn files(name: &str, argv: &[Arg]) -> Vec<Value> {
    let patterns: &[&str] = match name {
        "bats" => &["*.bats"],
        "node" => &[
            "*.test.js",
            "*.test.mjs",
            "*.test.cjs",
            "*.test.ts",
            "*_test.js",
            "*-test.js",
            "test-*.js",
            "test.js",
            "test/*.js",
            "test/*.mjs",
        ],
        _ => &[
            "*_test.ts",
            "*_test.js",
            "*.test.ts",
            "*.test.js",
            "*.test.tsx",
            "*.test.jsx",
            "*.spec.ts",
            "*.spec.js",
            "test.ts",
            "test.js",
        ],
    };
    let mut out = Vec::new();
    for arg in argv.iter().skip(1) {
        let word = arg.value.known_prefix();
        if word.starts_with(b"-") || arg.value.is(b"test") {
            continue;
        }
        let tail = arg.value.known_suffix();
        if tail.contains(&b'.') && !tail.ends_with(b"/") && !arg.value.is(b".") {
            out.push(arg.value.clone());
        } else if is_directory(&arg.value) {
            out.extend(patterns.iter().map(|file| inside(Some(&arg.value), file)));
        }
    }
    // `bats test`: the word is a directory.
    if name == "bats" {
        let test = argv.iter().skip(1).filter(|arg| arg.value.is(b"test"));
        out.extend(test.map(|arg| inside(Some(&arg.value), "*.bats")));
    }
    if out.is_empty() && name != "bats" {
        out.extend(patterns.iter().map(|file| inside(None, file)));
        let deeper = patterns.iter().filter(|file| !file.contains('/'));
        out.extend(deeper.map(|file| inside(None, &format!("*/{file}"))));
    }
    out
}

/// Whether the word may name a directory.
pub(super) fn is_directory(word: &Value) -> bool {
    word.bytes().is_some_and(|word| {
        !word.is_empty()
            && word
                .iter()
                .all(|byte| byte.is_ascii_alphanumeric() || b"._-/".contains(byte))
    })
}

/// `file.py::case` without the case.
pub(super) fn without_case(word: &Value) -> Value {
    match word.bytes() {
        Some(bytes) => match bytes.windows(2).position(|pair| pair == b"::") {
            Some(end) => Value::computed(bytes.get(..end).unwrap_or_default()),
            None => word.clone(),
        },
        None => word.clone(),
    }
}

/// The text of a file of `bats` as a shell runs it: every test is a block.
pub(super) fn shell(text: &Value) -> Option<Vec<u8>> {
    let bytes = text.bytes()?;
    let mut out = Vec::new();
    let mut called = Vec::new();
    for line in bytes.split(|byte| *byte == b'\n') {
        let known = line.trim_ascii_start();
        if known.starts_with(b"@test ") {
            out.extend(b"{");
            let brace = known.iter().rposition(|byte| *byte == b'{');
            let quote = known.iter().rposition(|byte| matches!(byte, b'"' | b'\''));
            // A body on the same line.
            let body = quote.and_then(|quote| {
                let rest = known.get(quote + 1..)?.trim_ascii_start();
                rest.strip_prefix(b"{")
            });
            match (body, brace) {
                (Some(body), _) => out.extend(body),
                (None, Some(brace)) => out.extend(known.get(brace + 1..).unwrap_or_default()),
                _ => {}
            }
        } else {
            for name in [
                b"setup".as_slice(),
                b"teardown",
                b"setup_file",
                b"teardown_file",
            ] {
                if known.starts_with(name) && known.get(name.len()) == Some(&b'(') {
                    called.push(name);
                }
            }
            out.extend(run(known));
        }
        out.push(b'\n');
    }
    for name in called {
        out.extend(name);
        out.push(b'\n');
    }
    Some(out)
}

/// What `run [options] command` runs; any other line as it is.
fn run(line: &[u8]) -> &[u8] {
    let Some(mut rest) = line.strip_prefix(b"run ") else {
        return line;
    };
    loop {
        rest = rest.trim_ascii_start();
        match rest.iter().position(u8::is_ascii_whitespace) {
            Some(end) if matches!(rest.first(), Some(b'-' | b'!')) => {
                rest = rest.get(end..).unwrap_or_default();
            }
            _ => return rest,
        }
    }
}
