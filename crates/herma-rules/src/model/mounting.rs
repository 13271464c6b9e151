//! `mount` and `umount`: what lies below the mount point is hidden, or comes back.

use super::Act;
use super::options::{Spec, spec};
use crate::effect::Verb;
use crate::place::Place;

static MOUNT: Spec = spec(
    "aBcfFhilL:MnN:o:O:rRsT:t:U:vVw",
    "all bind canonicalize fake fork help internal-only show-labels label= move make-private \
     make-shared make-slave no-mtab namespace= options= test-opts= options-mode= options-source= \
     options-source-force onlyonce read-only rbind source= target= target-prefix= fstab= types= \
     uuid= verbose version rw",
);
static UMOUNT: Spec = spec(
    "aAcdfhilnN:O:qRrt:vV",
    "all all-targets detach-loop force help internal-only lazy no-mtab namespace= test-opts= quiet \
     recursive read-only types= verbose version",
);

pub(super) fn effects(name: &[u8], act: &mut Act<'_>) -> bool {
    match name {
        b"mount" => mount(act),
        b"umount" => umount(act),
        _ => return false,
    }
    true
}

/// `mount [SOURCE] TARGET`
fn mount(act: &mut Act<'_>) {
    let scan = act.scan(&MOUNT);
    if scan.has(&["h", "help", "V", "version", "f", "fake"]) {
        return;
    }
    // The same directory under another name.
    let binds = scan.has(&["bind", "rbind", "move", "B", "R", "M"])
        || scan.all(&["o", "options"]).any(|(_, options)| {
            options
                .known_prefix()
                .split(|byte| *byte == b',')
                .any(|option| matches!(option, b"bind" | b"rbind" | b"move"))
        });
    if binds && let Some((at, value)) = scan.operands().next() {
        over(act, at, value);
    }
    let named = scan.last(&["target"]).map(|(at, value)| (*at, value));
    if let Some((at, value)) = named.or_else(|| scan.operands().next_back()) {
        over(act, at, value);
    }
}

fn umount(act: &mut Act<'_>) {
    let scan = act.scan(&UMOUNT);
    if scan.has(&["h", "help", "V", "version"]) {
        return;
    }
    for (at, value) in scan.operands() {
        over(act, at, value);
    }
}

/// A device alone stands for the place that the machine's table gives it.
fn over(act: &mut Act<'_>, at: usize, value: &herma_shell::Value) {
    let places = act.places(value);
    if !places.contains(&Place::RawDevice) {
        act.on_places(Verb::Mount, at, places);
    }
}
