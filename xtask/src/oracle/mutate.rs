//! Scripts made from labelled cases: as they are, wrapped, spliced, and damaged.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde_json::Value;

use super::generate;
use super::random::Random;

/// Text that changes how what follows is read.
const FRAGMENTS: &[&str] = &[
    ";",
    "\n",
    "&&",
    "||",
    "|",
    "&",
    "|&",
    ";;",
    "(",
    ")",
    "{ ",
    "; }",
    "((",
    "))",
    "[[ ",
    " ]]",
    "$(",
    "`",
    "\"",
    "'",
    "$'",
    "$\"",
    "\\",
    "\\\n",
    "#",
    " # ",
    "<<E\n",
    "\nE\n",
    "<<-E\n\t",
    "<<'E'\n",
    "<<<",
    "<(",
    ">(",
    ">/dev/null",
    "2>&1",
    "${",
    "}",
    "${x:-",
    "${#x}",
    "$((",
    "$x",
    "$@",
    "$#",
    "$$",
    "!",
    "! ",
    "time ",
    "if ",
    "then ",
    "fi",
    "do ",
    "done",
    "for i in a; do ",
    "while ",
    "case x in x) ",
    "esac",
    "function f ",
    "f() ",
    "zz9 ",
    "zz9",
    "\tzz9 1\n",
    "a=1 ",
    "a=(",
    "a[0]=",
    "{a,b}",
    "{1..3}",
    "*",
    "?",
    "~",
    "exec ",
    "command ",
    "eval ",
    "trap ",
    "echo ",
    "| sh",
    "| xargs ",
    "coproc ",
    "set -- a b;",
    "shopt -s extglob\n",
    "!(x)",
    "\r",
    "\r\n",
    "\x0b",
    "\u{a0}",
    "é",
    "-",
    "--",
    "=",
    ",",
    "[",
    "]",
    "^",
    "%",
];

/// The labelled command lines.
#[derive(Debug)]
pub(crate) struct Corpus {
    texts: Vec<Vec<u8>>,
}

impl Corpus {
    pub(crate) fn load(folder: &Path) -> Result<Self> {
        let mut texts = Vec::new();
        for (file, key) in [("commands.jsonl", "cmd"), ("shell/parse.jsonl", "src")] {
            let path = folder.join(file);
            let content = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
            for line in content.lines().filter(|line| !line.is_empty()) {
                let row: Value = serde_json::from_str(line)?;
                let text = row
                    .get(key)
                    .and_then(Value::as_str)
                    .context("a row without text")?;
                texts.push(text.as_bytes().to_vec());
            }
        }
        Ok(Self { texts })
    }

    pub(crate) fn texts(&self) -> &[Vec<u8>] {
        &self.texts
    }

    fn pick(&self, random: &mut Random) -> Vec<u8> {
        let index = random.below(self.texts.len());
        self.texts.get(index).cloned().unwrap_or_default()
    }

    /// The script that belongs to a seed.
    pub(crate) fn script(&self, seed: u64) -> Vec<u8> {
        let mut random = Random::new(seed ^ 0x5eed);
        match random.below(100) {
            0..=59 => generate::script(seed),
            60..=69 => wrap(self.pick(&mut random), &mut random),
            70..=84 => damage(self.pick(&mut random), &mut random),
            85..=91 => damage(generate::script(seed), &mut random),
            _ => splice(
                &self.pick(&mut random),
                &self.pick(&mut random),
                &mut random,
            ),
        }
    }
}

/// The text inside something that runs it, as text.
fn wrap(text: Vec<u8>, random: &mut Random) -> Vec<u8> {
    let text = String::from_utf8_lossy(&text).into_owned();
    let quoted = format!("'{}'", text.replace('\'', "'\\''"));
    let wrapped = match random.below(9) {
        0 => text,
        1 => format!("bash -c {quoted}"),
        2 => format!("eval {quoted}"),
        3 => format!("x={quoted}\neval \"$x\""),
        4 => format!("bash <<'WRAPPED'\n{text}\nWRAPPED\n"),
        5 => format!("x=$(\n{text}\n)"),
        6 => format!("f() {{\n{text}\n}}\nf"),
        7 => format!("printf '%s\\n' {quoted} > w.sh; bash w.sh"),
        _ => format!("if true; then\n{text}\nfi"),
    };
    wrapped.into_bytes()
}

fn splice(left: &[u8], right: &[u8], random: &mut Random) -> Vec<u8> {
    let cut = random.below(left.len() + 1);
    let from = random.below(right.len() + 1);
    let mut out = left[..cut].to_vec();
    if random.chance(60) {
        out.extend_from_slice(random.pick(FRAGMENTS).as_bytes());
    }
    out.extend_from_slice(&right[from..]);
    out
}

fn damage(mut text: Vec<u8>, random: &mut Random) -> Vec<u8> {
    for _ in 0..1 + random.below(3) {
        let at = random.below(text.len() + 1);
        match random.below(6) {
            0 if !text.is_empty() => {
                let end = (at + 1 + random.below(4)).min(text.len());
                text.drain(at..end);
            }
            1 => {
                let end = (at + 1 + random.below(12)).min(text.len());
                let copy = text[at..end].to_vec();
                let to = random.below(text.len() + 1);
                text.splice(to..to, copy);
            }
            _ => {
                let fragment = random.pick(FRAGMENTS).bytes();
                text.splice(at..at, fragment);
            }
        }
    }
    text
}
