//! What editors' scripts do to files: commands that write, functions that delete and rename, and
//! code of other languages.

use crate::carriers::literals::literal;
use crate::carriers::options::Scan;
use crate::carriers::words::{Cell, cells, computed, word};
use crate::carriers::{Command, Payload, Step, interpreters};
use crate::code::Language;
use crate::execution::Arg;

/// Functions with a path, and the program with the same effect.
const FUNCTIONS: &[(&str, &[&str])] = &[
    ("delete", &["rm"]),
    ("rename", &["mv"]),
    ("mkdir", &["mkdir"]),
    ("delete-file", &["rm"]),
    ("delete-directory", &["rm", "-rf"]),
    ("move-file-to-trash", &["rm", "-rf"]),
    ("rename-file", &["mv"]),
];

/// Commands whose rest is code.
const LANGUAGES: &[(&str, Language)] = &[
    ("lua ", Language::Lua),
    ("luado ", Language::Lua),
    ("py ", Language::Python),
    ("py3 ", Language::Python),
    ("python ", Language::Python),
    ("python3 ", Language::Python),
    ("pyx ", Language::Python),
    ("perl ", Language::Perl),
    ("ruby ", Language::Ruby),
];

/// Commands that write a file.
const WRITING: &[&[u8]] = &[
    b"w", b"wr", b"wri", b"writ", b"write", b"wq", b"x", b"xit", b"exit", b"up", b"update", b"sav",
    b"saveas", b"wa", b"wall", b"xa", b"xall", b"wqa", b"W",
];

/// What a line of an editor's script does to files; `opened` are the files that it edits.
pub(super) fn effects(name: &str, line: &Arg, opened: &[Arg]) -> Vec<Step> {
    let mut steps = calls(name, line);
    let all = cells(&line.value);
    let mut next = 0;
    for part in all.split(|cell| cell.byte() == Some(b'|')) {
        let from = next;
        next += part.len() + 1;
        let lead = part
            .iter()
            .take_while(|cell| {
                cell.byte()
                    .is_some_and(|byte| b" \t:0123456789,.$%+;'<>".contains(&byte))
            })
            .count();
        let part = part.get(lead..).unwrap_or_default();
        let text: Vec<u8> = part.iter().map_while(|cell| cell.byte()).collect();
        let code = LANGUAGES
            .iter()
            .find(|(start, _)| text.starts_with(start.as_bytes()));
        if let Some((start, language)) = code {
            // Code goes on behind a bar.
            let rest = all.get(from + lead + start.len()..).unwrap_or_default();
            steps.push(interpreters::code(name, *language, &word(rest, line.span)));
            break;
        }
        let length = text
            .iter()
            .take_while(|byte| byte.is_ascii_alphabetic())
            .count();
        let (verb, rest) = text.split_at(length);
        let bang = usize::from(rest.first() == Some(&b'!'));
        if !WRITING.contains(&verb) || rest.get(bang) == Some(&b'!') {
            continue;
        }
        let rest = part.get(length + bang..).unwrap_or_default();
        let marks = rest
            .iter()
            .take_while(|cell| matches!(cell.byte(), Some(b' ' | b'>')))
            .count();
        let path = rest.get(marks..).unwrap_or_default();
        match path.first().and_then(|cell| cell.byte()) {
            // `w !text` is the shell's.
            Some(b'!' | b'+') => {}
            None if path.is_empty() => {
                steps.extend(opened.iter().filter_map(|file| tee(name, file)))
            }
            _ => steps.extend(tee(name, &word(path, line.span))),
        }
    }
    steps
}

fn tee(name: &str, path: &Arg) -> Option<Step> {
    let words = [
        computed(*b"tee", path.span),
        computed(*b"--", path.span),
        path.clone(),
    ];
    let mut step = Step::argv(name, &words)?;
    if let Payload::Argv { input_taken, .. } = &mut step.payload {
        // What is written is not the script.
        *input_taken = true;
    }
    Some(step)
}

/// Calls of functions with literals.
pub(super) fn calls(name: &str, text: &Arg) -> Vec<Step> {
    let all = cells(&text.value);
    let mut steps = Vec::new();
    let mut at = 0;
    while at < all.len() {
        let rest = all.get(at..).unwrap_or_default();
        let boundary = at
            .checked_sub(1)
            .and_then(|before| all.get(before))
            .and_then(|cell| cell.byte())
            .is_none_or(|byte| !byte.is_ascii_alphanumeric() && !b"_-.#".contains(&byte));
        let found = FUNCTIONS
            .iter()
            .filter(|_| boundary)
            .filter(|(function, _)| begins(rest, function.as_bytes()))
            .max_by_key(|(function, _)| function.len());
        let Some((function, program)) = found else {
            at += 1;
            continue;
        };
        let (literals, length) = literals(rest.get(function.len()..).unwrap_or_default(), text);
        at += function.len() + length;
        let Some((path, more)) = literals.split_first() else {
            continue;
        };
        let flags = more.first().and_then(|arg| arg.value.bytes());
        let program: &[&str] = match (*function, flags.as_deref()) {
            ("delete", Some(b"rf")) => &["rm", "-rf"],
            ("delete", Some(b"d")) => &["rmdir"],
            _ => program,
        };
        let mut words: Vec<Arg> = program
            .iter()
            .map(|part| computed(part.as_bytes(), path.span))
            .collect();
        words.push(computed(*b"--", path.span));
        words.push(path.clone());
        if program.contains(&"mv") {
            words.extend(more.first().cloned());
        }
        steps.extend(Step::argv(name, &words));
    }
    steps
}

fn begins(all: &[Cell<'_>], name: &[u8]) -> bool {
    all.len() > name.len()
        && all
            .iter()
            .zip(name)
            .all(|(cell, byte)| cell.byte() == Some(*byte))
        && all
            .get(name.len())
            .and_then(|cell| cell.byte())
            .is_some_and(|byte| matches!(byte, b'(' | b' '))
}

/// The literals that follow, with only blanks, commas and a parenthesis between.
fn literals(all: &[Cell<'_>], text: &Arg) -> (Vec<Arg>, usize) {
    let mut out = Vec::new();
    let mut at = 0;
    while out.len() < 2 {
        let gap = all
            .iter()
            .skip(at)
            .take_while(|cell| matches!(cell.byte(), Some(b' ' | b'(' | b',')))
            .count();
        let rest = all.get(at + gap..).unwrap_or_default();
        let Some((found, length)) = literal(rest, text) else {
            break;
        };
        at += gap + length;
        out.push(found);
    }
    (out, at)
}

/// The files that an editor is given.
pub(super) fn opened(command: &Command<'_>, read: &Scan) -> Vec<Arg> {
    read.operands
        .iter()
        .filter_map(|at| command.argv.get(*at))
        .filter(|arg| !arg.value.known_prefix().starts_with(b"+"))
        .cloned()
        .collect()
}
