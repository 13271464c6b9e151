//! `rm` and its kin.

use herma_shell::{Origin, Piece, Value};

use super::Act;
use super::options::{Scan, Spec, scan, spec};
use crate::effect::Verb;

static RM: Spec = spec(
    "rRfidvIWPx",
    "recursive force interactive? dir verbose one-file-system no-preserve-root preserve-root? help \
     version",
);
static RMDIR: Spec = spec(
    "pv",
    "ignore-fail-on-non-empty parents verbose help version",
);
static SHRED: Spec = spec(
    "fn:s:uvxz",
    "force iterations= size= remove? verbose exact zero random-source= help version",
);
static SRM: Spec = spec(
    "dfirRslmvxzGn:q",
    "recursive force interactive verbose simple",
);
static TRUNCATE: Spec = spec(
    "cor:s:",
    "no-create io-blocks reference= size= help version",
);

pub(super) fn effects(name: &[u8], act: &mut Act<'_>) -> bool {
    match name {
        b"rm" | b"grm" => rm(act, 1),
        // `cmake -E rm -rf x`, `shx rm -rf x`: the same in other words.
        b"cmake" => return cmake(act),
        b"shx" => {
            if !word_is(act, 1, &[b"rm"]) {
                return false;
            }
            rm(act, 2);
        }
        b"trash" | b"trash-put" | b"rmtrash" => {
            let scan = act.scan(&spec("dfirRv", "help version"));
            discard(act, &scan);
        }
        b"gio" | b"gvfs-trash" => {
            let first = if name == b"gio" { 2 } else { 1 };
            if first == 2 && !word_is(act, 1, &[b"trash"]) {
                return false;
            }
            let scan = scan(
                act.argv(),
                first,
                &spec("f", "force empty list restore help"),
            );
            discard(act, &scan);
        }
        b"rmdir" | b"grmdir" => {
            let scan = act.scan(&RMDIR);
            if !scan.has(&["help", "version"]) {
                for (at, value) in scan.operands() {
                    let places = act.places(value);
                    act.without_loss(at, places);
                }
            }
        }
        b"unlink" => {
            let scan = act.scan(&spec("", "help version"));
            act.on_operands(Verb::Delete, &scan);
        }
        b"shred" | b"gshred" => {
            let scan = act.scan(&SHRED);
            if !scan.has(&["help", "version"]) {
                act.on_operands(Verb::Shred, &scan);
            }
        }
        b"srm" | b"wipe" | b"sfill" | b"scrub" | b"nwipe" => {
            let scan = act.scan(&SRM);
            let tree = scan.has(&["r", "R", "recursive"]);
            act.on_operands(Verb::Shred, &scan);
            if tree {
                act.on_operands(Verb::DeleteTree, &scan);
            }
        }
        b"truncate" | b"gtruncate" => truncate(act),
        b"rimraf" | b"del-cli" | b"trash-empty" => {
            let scan = act.scan(&spec("", "help version glob"));
            act.on_operands(Verb::DeleteTree, &scan);
        }
        _ => return false,
    }
    true
}

/// Puts the operands where a person may take them back from: what the work owns is not lost by it.
fn discard(act: &mut Act<'_>, scan: &Scan<'_>) {
    for (at, value) in scan.operands() {
        act.on(Verb::MoveAway, at, value);
        let places = act.places(value);
        act.without_loss(at, places);
    }
}

fn word_is(act: &Act<'_>, at: usize, names: &[&[u8]]) -> bool {
    act.argv()
        .get(at)
        .is_some_and(|arg| names.iter().any(|name| arg.value.is(name)))
}

/// `cmake -E rm|remove|remove_directory`
fn cmake(act: &mut Act<'_>) -> bool {
    if !word_is(act, 1, &[b"-E"]) {
        return false;
    }
    if word_is(act, 2, &[b"remove_directory"]) {
        let scan = scan(act.argv(), 3, &spec("", ""));
        act.on_operands(Verb::DeleteTree, &scan);
    } else if word_is(act, 2, &[b"rm", b"remove"]) {
        rm(act, 3);
    } else {
        return false;
    }
    true
}

/// `first` is the index of the word behind the command.
fn rm(act: &mut Act<'_>, first: usize) {
    let scan = scan(act.argv(), first, &RM);
    if scan.has(&["help", "version"]) {
        return;
    }
    // A word that cannot be known may bring `-r`.
    let tree = scan.unclear || scan.has(&["r", "R", "recursive"]);
    let verb = if tree { Verb::DeleteTree } else { Verb::Delete };
    for (at, value) in scan.operands() {
        act.on(verb, at, value);
    }
    // `xargs rm -rf` without a word: the names come later.
    if scan.operands.is_empty() && scan.unclear {
        let value = Value {
            pieces: vec![Piece::Unknown(herma_shell::Unknown {
                from: Vec::new(),
                origin: Origin::Other,
                many: true,
            })],
            decoded: false,
        };
        act.on(verb, 0, &value);
    }
}

fn truncate(act: &mut Act<'_>) {
    let scan = act.scan(&TRUNCATE);
    if scan.has(&["help", "version"]) {
        return;
    }
    // `+N` and `>N` never cut anything off.
    let grows = scan
        .last(&["s", "size"])
        .is_some_and(|(_, size)| matches!(size.known_prefix().first(), Some(b'+' | b'>')));
    act.on_operands(if grows { Verb::Edit } else { Verb::Empty }, &scan);
}
