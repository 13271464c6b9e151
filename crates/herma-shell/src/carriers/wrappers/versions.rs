//! Managers of Node's versions, and npm inside of a package.

use super::super::interpreters;
use super::super::words::computed;
use crate::carriers::{Command, Step};
use crate::execution::Arg;

/// `nvm exec [options] [version] program…`, `nvm run [options] [version] script…`
pub(super) fn carry(name: &str, argv: &[Arg]) -> Vec<Step> {
    let Some((_, [verb, rest @ ..])) = argv.split_first() else {
        return Vec::new();
    };
    let runs_node = verb.value.is(b"run");
    if !runs_node && !verb.value.is(b"exec") {
        return Vec::new();
    }
    let options = rest
        .iter()
        .take_while(|arg| arg.value.known_prefix().starts_with(b"--"))
        .count();
    let words = rest.get(options..).unwrap_or_default();
    let words = match words.split_first() {
        Some((first, more)) if is_version(first) => more,
        _ => words,
    };
    if !runs_node {
        return Step::argv(&format!("{name} exec"), words)
            .into_iter()
            .collect();
    }
    let mut node = vec![computed(b"node", verb.span)];
    node.extend(words.iter().cloned());
    let command = Command {
        argv: &node,
        stdin: None,
        environment: &[],
    };
    interpreters::carry("node", &command).unwrap_or_default()
}

/// `18`, `v20.1.0`, `lts/iron`, `node`, or a version that only exists when the line runs.
fn is_version(arg: &Arg) -> bool {
    let Some(word) = arg.value.bytes() else {
        return true;
    };
    let digits = word.strip_prefix(b"v").unwrap_or(&word);
    digits.first().is_some_and(u8::is_ascii_digit)
        || word.starts_with(b"lts/")
        || word.starts_with(b"iojs")
        || matches!(
            &*word,
            b"node" | b"stable" | b"default" | b"system" | b"current" | b"lts" | b"latest"
        )
}

/// `npm explore package [--] command…`
pub(super) fn explore(name: &str, argv: &[Arg]) -> Vec<Step> {
    let words = argv.get(3..).unwrap_or_default();
    let words = match words.split_first() {
        Some((first, more)) if first.value.is(b"--") => more,
        _ => words,
    };
    Step::argv(&format!("{name} explore"), words)
        .into_iter()
        .collect()
}
