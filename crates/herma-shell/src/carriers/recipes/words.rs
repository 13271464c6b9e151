//! What the words of a command say about the files that it reads.

use super::super::options::{Spec, scan};
use crate::execution::Arg;
use crate::value::Value;

/// What of `scripts` these words run, and the directory in which the file is.
pub(super) fn scripts(name: &str, argv: &[Arg]) -> (Option<Value>, Vec<Vec<u8>>) {
    static SPEC: Spec = Spec::anywhere(
        "C:w:sgD",
        "prefix= dir= cwd= workspace= filter= silent if-present loglevel= registry= global",
    );
    let read = scan(argv, 1, &SPEC);
    let directory = read
        .last(&["prefix", "dir", "cwd", "C"])
        .map(|arg| arg.value.clone());
    let words: Vec<Vec<u8>> = read
        .operands
        .iter()
        .filter_map(|at| argv.get(*at)?.value.bytes())
        .map(std::borrow::Cow::into_owned)
        .collect();
    let mut words = words.iter().map(Vec::as_slice);
    let verb = words.next().unwrap_or_default();
    let stage = |name: &[u8]| {
        [b"pre".as_slice(), b"", b"post"]
            .map(|when| [when, name].concat())
            .to_vec()
    };
    let names = match verb {
        b"run" | b"run-script" | b"rum" | b"urn" => words.next().map(stage).unwrap_or_default(),
        b"test" | b"t" | b"tst" | b"it" => stage(b"test"),
        b"start" | b"stop" => stage(verb),
        b"restart" => [b"stop".as_slice(), b"restart", b"start"]
            .iter()
            .flat_map(|name| stage(name))
            .collect(),
        b"install" | b"i" | b"ci" | b"add" | b"" | b"install-test" | b"rebuild" => {
            [b"install".as_slice(), b"prepublish", b"prepare", b"test"]
                .iter()
                .flat_map(|name| stage(name))
                .collect()
        }
        b"publish" | b"pack" => [
            b"publish".as_slice(),
            b"prepublishOnly",
            b"pack",
            b"prepare",
        ]
        .iter()
        .flat_map(|name| stage(name))
        .collect(),
        // The others start a script by its name alone.
        other if name != "npm" => stage(other),
        _ => Vec::new(),
    };
    (directory, names)
}

/// The directories that `pip install` is given.
pub(super) fn installed(argv: &[Arg]) -> Vec<Value> {
    let words = plain(argv);
    if !words
        .iter()
        .any(|word| word == b"install" || word == b"wheel" || word == b"sync")
    {
        return Vec::new();
    }
    let is_path = |arg: &&Arg| {
        let word = arg.value.known_prefix();
        word == b"."
            || word.starts_with(b"./")
            || word.starts_with(b"/")
            || word.starts_with(b"../")
    };
    argv.iter()
        .skip(1)
        .filter(is_path)
        .map(|arg| arg.value.clone())
        .collect()
}

/// The module that `python -m` runs.
pub(super) fn modules(argv: &[Arg]) -> Vec<String> {
    let mut out = Vec::new();
    for pair in argv.windows(2) {
        let [option, operand] = pair else { continue };
        let (Some(option), Some(operand)) = (option.value.bytes(), operand.value.bytes()) else {
            continue;
        };
        let operand = String::from_utf8_lossy(&operand);
        let flags = option.strip_prefix(b"-").unwrap_or_default();
        if flags.starts_with(b"-") {
            continue;
        }
        match flags.last() {
            Some(b'm') => out.push(operand.into_owned()),
            Some(b'c') => {}
            _ => continue,
        }
        break;
    }
    out.retain(|name| !name.is_empty() && name.len() < 256 && !name.contains('*'));
    out
}

/// The words that are no options, when known.
pub(super) fn plain(argv: &[Arg]) -> Vec<Vec<u8>> {
    argv.iter()
        .skip(1)
        .filter_map(|arg| arg.value.bytes())
        .filter(|word| !word.starts_with(b"-"))
        .map(std::borrow::Cow::into_owned)
        .collect()
}

/// The directory or archive that Python is given in place of a script.
pub(super) fn packed(argv: &[Arg]) -> Option<Value> {
    static PYTHON: Spec = Spec::new("bBc:dEhiIm:OPqRsStuvVW:X:x?", "");
    let read = scan(argv, 1, &PYTHON);
    if read.has(&["c", "m"]) {
        return None;
    }
    let script = argv.get(*read.starts.first()?)?;
    let is_script = script.value.is(b"-") || script.value.known_suffix().ends_with(b".py");
    (!is_script).then(|| script.value.clone())
}
