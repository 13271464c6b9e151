//! `chmod`, `chown`, `chgrp`, access lists.

use herma_shell::Value;

use super::Act;
use super::options::{Scan, Spec, spec};
use crate::effect::Verb;

static CHMOD: Spec = spec(
    "cfvRhHLPE",
    "changes quiet silent verbose recursive reference= preserve-root no-preserve-root dereference no-dereference \
     help version",
);
static CHOWN: Spec = spec(
    "cfvRhHLPnx",
    "changes quiet silent verbose recursive reference= from= preserve-root no-preserve-root dereference \
     no-dereference help version",
);
static SETFACL: Spec = spec(
    "bkndRLPm:x:M:X:",
    "modify= remove= set= set-file= modify-file= remove-file= remove-all remove-default no-mask mask default \
     recursive logical physical restore= test version help",
);

pub(super) fn effects(name: &[u8], act: &mut Act<'_>) -> bool {
    match name {
        b"chmod" | b"gchmod" => chmod(act),
        b"chown" | b"gchown" => {
            let scan = act.scan(&CHOWN);
            owner(act, &scan, true);
        }
        b"chgrp" | b"gchgrp" => {
            let scan = act.scan(&CHOWN);
            owner(act, &scan, false);
        }
        b"setfacl" => setfacl(act),
        _ => return false,
    }
    true
}

fn chmod(act: &mut Act<'_>) {
    // Modes such as `-w` look like options: only what `chmod` knows as one is.
    let argv = act.argv();
    let scan = act.scan(&CHMOD);
    if scan.has(&["help", "version"]) {
        return;
    }
    let dashed = argv.iter().skip(1).any(|arg| {
        arg.value
            .bytes()
            .is_some_and(|word| matches!(&*word, [b'-', letter, ..] if b"rwxXst".contains(letter)))
    });
    let tree = scan.has(&["R", "recursive"]);
    let (mode, targets) = if scan.has(&["reference"]) || dashed {
        (None, scan.operands.as_slice())
    } else {
        match scan.operands.split_first() {
            Some(((_, mode), rest)) => (Some(*mode), rest),
            None => return,
        }
    };
    let bits = mode.and_then(Value::bytes).map(|mode| grants(&mode));
    for (at, value) in targets {
        act.on(if tree { Verb::ModeTree } else { Verb::Mode }, *at, value);
        for verb in bits.iter().flat_map(Grants::verbs) {
            act.on(verb, *at, value);
        }
    }
}

/// Modes that come with an option (`install -m`, `mkdir -m`): the operands get them.
pub(super) fn by_option(act: &mut Act<'_>, scan: &Scan<'_>, names: &[&str]) {
    let Some(mode) = scan.last(names).and_then(|(_, value)| value.bytes()) else {
        return;
    };
    let Some((at, target)) = scan.operands().next_back() else {
        return;
    };
    for verb in grants(&mode).verbs() {
        act.on(verb, at, target);
    }
}

/// What a mode gives away.
#[derive(Clone, Copy, Default)]
struct Grants {
    world_writable: bool,
    setuid: bool,
}

impl Grants {
    fn verbs(&self) -> impl Iterator<Item = Verb> + use<> {
        [
            self.world_writable.then_some(Verb::WorldWritable),
            self.setuid.then_some(Verb::Setuid),
        ]
        .into_iter()
        .flatten()
    }
}

fn grants(mode: &[u8]) -> Grants {
    let octal = mode
        .strip_prefix(b"+")
        .or_else(|| mode.strip_prefix(b"="))
        .unwrap_or(mode);
    if !octal.is_empty() && octal.iter().all(|byte| (b'0'..=b'7').contains(byte)) {
        let digit = |from_end: usize| {
            octal
                .len()
                .checked_sub(from_end)
                .and_then(|at| octal.get(at))
                .map_or(0, |byte| byte - b'0')
        };
        return Grants {
            world_writable: digit(1) & 2 != 0,
            setuid: digit(4) & 6 != 0,
        };
    }
    let mut out = Grants::default();
    for clause in mode.split(|byte| *byte == b',') {
        let who_end = clause
            .iter()
            .position(|byte| matches!(byte, b'+' | b'-' | b'='))
            .unwrap_or(clause.len());
        let who = clause.get(..who_end).unwrap_or_default();
        let actions = clause.get(who_end..).unwrap_or_default();
        // Without a class the umask decides, and it usually keeps others from writing.
        let others = who.iter().any(|class| matches!(class, b'o' | b'a'));
        let owners = who.is_empty() || who.iter().any(|class| matches!(class, b'u' | b'g' | b'a'));
        let mut adds = false;
        for byte in actions {
            match byte {
                b'+' | b'=' => adds = true,
                b'-' => adds = false,
                b'w' if adds && others => out.world_writable = true,
                // `o=u`: the same as the owner has.
                b'u' | b'g' if adds && others => out.world_writable = true,
                b's' if adds && owners => out.setuid = true,
                _ => {}
            }
        }
    }
    out
}

fn owner(act: &mut Act<'_>, scan: &Scan<'_>, may_be_root: bool) {
    if scan.has(&["help", "version"]) {
        return;
    }
    let tree = scan.has(&["R", "recursive"]);
    let (owner, targets) = if scan.has(&["reference"]) {
        (None, scan.operands.as_slice())
    } else {
        match scan.operands.split_first() {
            Some(((_, owner), rest)) => (Some(*owner), rest),
            None => return,
        }
    };
    let root = may_be_root
        && tree
        && owner.and_then(Value::bytes).is_some_and(|owner| {
            let user = owner
                .split(|byte| matches!(byte, b':' | b'.'))
                .next()
                .unwrap_or_default();
            user == b"root" || user == b"0" || user == b"+0" || owner.as_ref() == b":root"
        });
    for (at, value) in targets {
        act.on(if tree { Verb::OwnerTree } else { Verb::Owner }, *at, value);
        if root {
            act.on(Verb::RootOwnerTree, *at, value);
        }
    }
}

fn setfacl(act: &mut Act<'_>) {
    let scan = act.scan(&SETFACL);
    let tree = scan.has(&["R", "recursive"]);
    let opens = scan.all(&["m", "modify", "set"]).any(|(_, entries)| {
        entries
            .bytes()
            .is_some_and(|entries| opens_to_others(&entries))
    });
    for (at, value) in scan.operands() {
        act.on(if tree { Verb::ModeTree } else { Verb::Mode }, at, value);
        if opens {
            act.on(Verb::WorldWritable, at, value);
        }
    }
}

/// `o::rwx`, `other:rw`, `d:o::7`.
fn opens_to_others(entries: &[u8]) -> bool {
    entries.split(|byte| *byte == b',').any(|entry| {
        let fields: Vec<&[u8]> = entry.split(|byte| *byte == b':').collect();
        let fields = match fields.as_slice() {
            [b"d" | b"default", rest @ ..] => rest,
            all => all,
        };
        let [b"o" | b"other", .., bits] = fields else {
            return false;
        };
        bits.contains(&b'w')
            || bits
                .iter()
                .any(|bit| matches!(bit, b'2' | b'3' | b'6' | b'7'))
    })
}
