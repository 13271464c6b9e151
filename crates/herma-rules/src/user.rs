//! Rules that the user wrote, against an execution.

use herma_shell::Execution;

use crate::arguments::Arguments;
use crate::glob;
use crate::policy::{Action, UserRule};

/// Whether the rule names this execution.
pub(crate) fn matches(
    rule: &UserRule,
    base: &str,
    execution: &Execution,
    arguments: &Arguments<'_>,
) -> bool {
    let Some((program, words)) = rule.argv.split_first() else {
        return false;
    };
    if !program_matches(program, base, execution) || !directory_matches(rule, execution) {
        return false;
    }
    let (words, open) = match words.split_last() {
        Some((last, words)) if last == "**" => (words, true),
        _ => (words, false),
    };
    let exact = rule.action == Action::Allow;
    if exact {
        return ordered(words, open, arguments);
    }
    let is_option = |word: &&String| word.len() > 1 && word.starts_with('-');
    let options: Vec<&String> = words.iter().filter(is_option).collect();
    let operands: Vec<&String> = words.iter().filter(|word| !is_option(word)).collect();
    options.iter().all(|option| has_option(option, arguments))
        && operands_match(&operands, open, arguments)
        && (open || given_options(arguments) <= options.len())
}

fn program_matches(program: &str, base: &str, execution: &Execution) -> bool {
    if program.contains('/') {
        let path = execution.argv.first().and_then(|arg| arg.value.bytes());
        return path.is_some_and(|path| glob::matches(program.as_bytes(), &path, false));
    }
    glob::matches(program.as_bytes(), base.as_bytes(), false)
}

fn directory_matches(rule: &UserRule, execution: &Execution) -> bool {
    let Some(wanted) = &rule.cwd else { return true };
    match execution.cwd.bytes() {
        Some(cwd) => {
            // `dir/**` covers the directory itself.
            let own = wanted.strip_suffix("/**");
            own.is_some_and(|own| glob::matches(own.as_bytes(), &cwd, false))
                || glob::matches(wanted.as_bytes(), &cwd, false)
        }
        // Where it runs cannot be known: a deny or an ask holds, an allow does not.
        None => rule.action != Action::Allow,
    }
}

/// An allow rule covers what it spells: its options in any order, nothing besides.
fn ordered(words: &[String], open: bool, arguments: &Arguments<'_>) -> bool {
    let mut given: Vec<&[u8]> = Vec::new();
    for word in arguments.words.iter().skip(1) {
        match word.as_deref() {
            Some(word) => given.push(word),
            None => return false,
        }
    }
    for option in words.iter().filter(|word| word.starts_with('-')) {
        match given
            .iter()
            .position(|word| glob::matches(option.as_bytes(), word, false))
        {
            Some(at) => {
                given.remove(at);
            }
            None => return false,
        }
    }
    let mut rest = given.into_iter();
    for word in words.iter().filter(|word| !word.starts_with('-')) {
        match rest.next() {
            Some(own) if glob::matches(word.as_bytes(), own, false) => {}
            _ => return false,
        }
    }
    open || rest.next().is_none()
}

fn has_option(wanted: &str, arguments: &Arguments<'_>) -> bool {
    let wanted = wanted.as_bytes();
    arguments.words.iter().skip(1).flatten().any(|word| {
        glob::matches(wanted, word, false)
            || matches!(wanted, [b'-', letter] if in_bundle(*letter, word))
            || word.split(|byte| *byte == b'=').next() == Some(wanted) && word.starts_with(b"--")
    })
}

fn in_bundle(letter: u8, word: &[u8]) -> bool {
    matches!(word, [b'-', rest @ ..] if !rest.starts_with(b"-") && rest.contains(&letter))
}

fn given_options(arguments: &Arguments<'_>) -> usize {
    arguments
        .words
        .iter()
        .skip(1)
        .flatten()
        .filter(|word| {
            word.len() > 1 && word.starts_with(b"-") && word.as_ref() != b"--".as_slice()
        })
        .count()
}

fn operands_match(wanted: &[&String], open: bool, arguments: &Arguments<'_>) -> bool {
    let mut given = arguments.operands.iter();
    for word in wanted {
        let Some(index) = given.next() else {
            return false;
        };
        match arguments.words.get(*index).and_then(|own| own.as_deref()) {
            Some(own) if glob::matches(word.as_bytes(), own, false) => {}
            // A word that cannot be known may be the one that is meant.
            None => {}
            Some(_) => return false,
        }
    }
    open || given.next().is_none()
}
