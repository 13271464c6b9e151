//! JSON lines in, JSON lines out.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Read, Write};
use std::path::Path;

use anyhow::Context;
use herma_shell::syntax::Dialect;
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::exit::Exit;
use crate::input::TEXT_LIMIT;

/// A command line with the world that it starts in.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Row {
    /// The command line.
    pub(crate) text: Vec<u8>,
    /// The working directory, absolute.
    pub(crate) cwd: Vec<u8>,
    /// Variables that are set.
    pub(crate) env: Vec<(Vec<u8>, Vec<u8>)>,
    /// The shell that reads the line.
    pub(crate) dialect: Dialect,
}

impl Row {
    /// A command line for bash.
    pub(crate) fn of_process(text: Vec<u8>, cwd: Vec<u8>) -> Self {
        Self {
            text,
            cwd,
            env: Vec::new(),
            dialect: Dialect::Bash,
        }
    }
}

/// The fields of a row; others are ignored.
#[derive(Deserialize)]
struct Input {
    cmd: String,
    cwd: Option<String>,
    env: Option<BTreeMap<String, String>>,
    shell: Option<String>,
}

#[derive(Deserialize)]
struct Identified<'a> {
    #[serde(borrow)]
    id: Option<&'a RawValue>,
}

/// Answers every row of a file (`-` is standard input) with one line, in order. A row that cannot
/// be read is handed on as the sentence that says why, and makes the exit code 1. Blank lines are
/// skipped.
pub(crate) fn each(
    file: &Path,
    cwd: &[u8],
    answer: impl FnMut(Option<&RawValue>, Result<Row, String>) -> anyhow::Result<String>,
) -> anyhow::Result<Exit> {
    each_as(file, |line| row(line, cwd), answer)
}

/// The same for rows of another kind.
pub(crate) fn each_as<R>(
    file: &Path,
    row: impl Fn(&[u8]) -> Result<R, String>,
    mut answer: impl FnMut(Option<&RawValue>, Result<R, String>) -> anyhow::Result<String>,
) -> anyhow::Result<Exit> {
    let reader: Box<dyn Read> = if file.as_os_str() == "-" {
        Box::new(std::io::stdin().lock())
    } else {
        Box::new(File::open(file).with_context(|| format!("cannot open {}", file.display()))?)
    };
    let mut reader = BufReader::new(reader);
    let mut out = BufWriter::new(std::io::stdout().lock());
    let mut exit = Exit::Success;
    let mut number = 0u64;
    let mut line = Vec::new();
    loop {
        // Whoever waits for the answer gets it before we wait for the next row.
        if reader.buffer().is_empty() {
            out.flush()?;
        }
        line.clear();
        let read = (&mut reader)
            .take(TEXT_LIMIT)
            .read_until(b'\n', &mut line)
            .with_context(|| format!("cannot read {}", file.display()))?;
        if read == 0 {
            break;
        }
        number += 1;
        if line.last() == Some(&b'\n') {
            line.pop();
        } else if u64::try_from(read).unwrap_or(u64::MAX) == TEXT_LIMIT {
            reader.skip_until(b'\n')?;
            line.clear();
            line.extend_from_slice(b"too long");
        }
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        let id = object(&line).ok().and_then(|Identified { id }| id);
        let row = row(&line).map_err(|error| format!("row {number}: {error}"));
        if row.is_err() {
            exit = Exit::Failure;
        }
        out.write_all(answer(id, row)?.as_bytes())?;
        out.write_all(b"\n")?;
    }
    out.flush()?;
    Ok(exit)
}

/// Reads one row; what it does not say comes from the directory given.
pub(crate) fn row(line: &[u8], cwd: &[u8]) -> Result<Row, String> {
    let input: Input = object(line)?;
    let dialect = match input.shell {
        None => Dialect::Bash,
        Some(shell) => dialect_of(&shell)?,
    };
    let cwd = match input.cwd {
        None => cwd.to_vec(),
        Some(own) if own.starts_with('/') => herma_shell::path::normal(own.as_bytes()),
        // A drive of Windows.
        Some(own)
            if own
                .get(1..3)
                .is_some_and(|mark| matches!(mark, ":\\" | ":/")) =>
        {
            own.into_bytes()
        }
        Some(own) => return Err(format!("cwd {own:?} is not absolute")),
    };
    let env = input
        .env
        .into_iter()
        .flatten()
        .map(|(name, value)| (name.into_bytes(), value.into_bytes()))
        .collect();
    Ok(Row {
        text: input.cmd.into_bytes(),
        cwd,
        env,
        dialect,
    })
}

/// The fields of a row.
pub(crate) fn object<'a, T: Deserialize<'a>>(line: &'a [u8]) -> Result<T, String> {
    if line.trim_ascii_start().first() != Some(&b'{') {
        return Err("not a JSON object".to_owned());
    }
    serde_json::from_slice(line).map_err(|error| fault(&error))
}

/// What is wrong with a row's JSON. A row is one line, so only the column is a place.
fn fault(error: &serde_json::Error) -> String {
    let sentence = error.to_string();
    let what = sentence
        .rsplit_once(" at line ")
        .map_or(sentence.as_str(), |(what, _)| what);
    format!("{what} (column {})", error.column())
}

/// The grammar of a shell, named with or without its directory.
pub(crate) fn dialect_of(shell: &str) -> Result<Dialect, String> {
    let name = shell.rsplit(['/', '\\']).next().unwrap_or(shell);
    let lower = name.to_ascii_lowercase();
    Ok(match lower.strip_suffix(".exe").unwrap_or(&lower) {
        "bash" | "ksh" => Dialect::Bash,
        "zsh" => Dialect::Zsh,
        "sh" | "dash" | "ash" | "posix" => Dialect::Posix,
        "powershell" | "pwsh" => Dialect::PowerShell,
        "cmd" => Dialect::Cmd,
        _ => {
            return Err(format!(
                "shell {shell:?} is not known; known are bash, sh, dash, ash, zsh, ksh, \
                 powershell, pwsh and cmd"
            ));
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_takes_what_it_does_not_say_from_its_surroundings() {
        let row = row(br#"{"cmd":"ls","x":[1]}"#, b"/proj").expect("row");
        assert_eq!(row.text, b"ls");
        assert_eq!(row.cwd, b"/proj");
        assert_eq!(row.dialect, Dialect::Bash);
    }

    #[test]
    fn a_fault_is_told_in_the_words_of_the_format() {
        for (line, said) in [
            ("nonsense", "not a JSON object"),
            (" []", "not a JSON object"),
            ("{\"id\":1}", "missing field `cmd` (column 8)"),
            (
                "{\"cmd\":7}",
                "invalid type: integer `7`, expected a string (column 8)",
            ),
        ] {
            assert_eq!(row(line.as_bytes(), b"/").expect_err(line), said);
        }
    }

    #[test]
    fn a_row_of_another_shape_says_why() {
        for line in [
            "[]",
            "{}",
            "{\"cmd\":7}",
            "{\"cmd\":\"ls\",\"cwd\":\"proj\"}",
            "{\"cmd\":\"ls\",\"env\":{\"A\":1}}",
            "{\"cmd\":\"ls\",\"shell\":\"fish\"}",
            "{\"cmd\":\"ls\",\"cmd\":\"reboot\"}",
            "{\"cmd\":\"\\ud800\"}",
            "{\"cmd\":\"ls\"} x",
        ] {
            assert!(row(line.as_bytes(), b"/").is_err(), "{line}");
        }
    }
}
