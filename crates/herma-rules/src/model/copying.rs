//! `cp`, `mv`, `install`, `ln`, `rsync` and their kin: sources and a target.

use herma_shell::{Piece, Value};

use super::options::{Scan, Spec, spec};
use super::{Act, base_name, join};
use crate::effect::Verb;
use crate::place::Place;

static CP: Spec = spec(
    "abdfiHlLnPpRrsS:t:TuvxZcX",
    "archive attributes-only backup? copy-contents dereference no-dereference force interactive keep-directory-symlink \
     link no-clobber parents no-preserve= preserve? recursive reflink? remove-destination sparse= \
     strip-trailing-slashes suffix= symbolic-link target-directory= no-target-directory update? verbose \
     one-file-system context? help version",
);
static MV: Spec = spec(
    "bfinS:t:TuvZh",
    "backup? force interactive no-clobber no-copy exchange strip-trailing-slashes suffix= target-directory= \
     no-target-directory update? verbose context? help version",
);
static INSTALL: Spec = spec(
    "bcCdDg:m:o:psS:t:TvZB:f:l:M",
    "backup? compare directory group= mode= owner= preserve-timestamps strip strip-program= suffix= \
     target-directory= no-target-directory verbose preserve-context context? help version",
);
static LN: Spec = spec(
    "bdFfiLnPrsS:t:TvhW",
    "backup? directory force interactive logical no-dereference physical relative symbolic suffix= \
     target-directory= no-target-directory verbose help version",
);
static RSYNC: Spec = spec(
    "vqcarRbuldLkKHpEAXogtUNDOJSnWxB:e:IfT:yzhP46FCim@:M:",
    "verbose quiet checksum archive recursive relative backup backup-dir= suffix= update inplace append dirs links \
     copy-links perms executability acls xattrs owner group devices specials times chmod= chown= dry-run whole-file \
     one-file-system block-size= rsh= rsync-path= existing ignore-existing remove-source-files delete \
     delete-before delete-during del delete-delay delete-after delete-excluded ignore-errors force max-delete= \
     max-size= min-size= partial partial-dir= delay-updates prune-empty-dirs numeric-ids timeout= contimeout= \
     ignore-times size-only temp-dir= fuzzy compare-dest= copy-dest= link-dest= compress compress-level= \
     skip-compress= cvs-exclude filter= exclude= exclude-from= include= include-from= files-from= from0 \
     protect-args address= port= sockopts= blocking-io stats human-readable progress itemize-changes out-format= \
     log-file= log-file-format= password-file= list-only bwlimit= write-batch= read-batch= protocol= iconv= \
     checksum-seed= info= debug= stop-after= help version mkpath usermap= groupmap=",
);

pub(super) fn effects(name: &[u8], act: &mut Act<'_>) -> bool {
    match name {
        b"cp" | b"gcp" => {
            let scan = act.scan(&CP);
            copy(act, &scan, Source::Copied);
        }
        b"mv" | b"gmv" => {
            let scan = act.scan(&MV);
            copy(act, &scan, Source::Moved);
        }
        b"install" | b"ginstall" => {
            let scan = act.scan(&INSTALL);
            if scan.has(&["d", "directory"]) {
                act.on_operands(Verb::Write, &scan);
            } else {
                copy(act, &scan, Source::Copied);
            }
            super::permissions::by_option(act, &scan, &["m", "mode"]);
        }
        b"ln" | b"gln" | b"link" => {
            let scan = act.scan(&LN);
            copy(act, &scan, Source::Linked);
        }
        b"rsync" => rsync(act),
        b"ditto" => {
            let scan = act.scan(&spec("vVckxzj", "rsrc norsrc arch= bom="));
            copy(act, &scan, Source::Copied);
        }
        _ => return false,
    }
    true
}

/// What happens to the sources.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Source {
    Copied,
    Moved,
    Linked,
}

fn copy(act: &mut Act<'_>, scan: &Scan<'_>, source: Source) {
    if scan.has(&["help", "version"]) {
        return;
    }
    let mut operands = scan.operands.clone();
    let target = match scan.last(&["t", "target-directory"]) {
        Some((at, value)) => Some((*at, value.clone(), true)),
        None if operands.len() > 1 => operands
            .pop()
            .map(|(at, value)| (at, value.clone(), operands.len() > 1)),
        None if source == Source::Linked => operands
            .first()
            .map(|(at, _)| (*at, Value::computed(b".".to_vec()), true)),
        None => None,
    };
    let plain = scan.has(&["T", "no-target-directory"]);
    // A copy of nothing empties its target, and so does a link to nothing in its stead.
    let replaces = match source {
        Source::Copied => true,
        Source::Linked => scan.has(&["f", "force"]),
        Source::Moved => false,
    };
    let empties = replaces && matches!(operands.as_slice(), [(_, only)] if only.is(b"/dev/null"));
    if let Some((at, target, inside)) = &target {
        if empties {
            act.on(Verb::Empty, *at, target);
        } else {
            write_target(act, *at, target, &operands, *inside, plain);
        }
    }
    if source == Source::Linked {
        // A link replaces the name of a device, not what it holds.
        for effect in &mut act.effects {
            effect.places.retain(|place| *place != Place::RawDevice);
        }
    }
    let into_nothing = target
        .as_ref()
        .is_some_and(|(_, target, _)| target.is(b"/dev/null"));
    let into_trash = target
        .as_ref()
        .is_some_and(|(_, target, _)| is_trash(target));
    for (at, value) in operands {
        match source {
            // A link gives the content another name.
            Source::Copied | Source::Linked => act.on(Verb::Read, at, value),
            Source::Moved => {
                act.on(Verb::MoveAway, at, value);
                if into_trash {
                    let places = act.places(value);
                    act.without_loss(at, places);
                }
                if into_nothing {
                    act.on(Verb::Delete, at, value);
                }
            }
        }
    }
}

/// A desktop's waste bin.
fn is_trash(target: &Value) -> bool {
    target.bytes().is_some_and(|path| {
        path.split(|byte| *byte == b'/')
            .any(|part| part == b".Trash" || part == b"Trash" || part.starts_with(b".Trash-"))
    })
}

/// The target is a directory (`inside`), or may be one: then what is written is in it.
fn write_target(
    act: &mut Act<'_>,
    at: usize,
    target: &Value,
    sources: &[(usize, &Value)],
    inside: bool,
    plain: bool,
) {
    let own = act.places(target);
    let directory = inside
        || target.known_suffix().ends_with(b"/")
        || own.iter().any(|place| {
            matches!(
                place,
                Place::SystemRoot
                    | Place::Home
                    | Place::WorkRoot
                    | Place::TempRoot
                    | Place::EmptyJoin
            )
        });
    if directory && !plain {
        for (_, source) in sources {
            let joined = join(target, &base_name(source));
            act.on(Verb::Write, at, &joined);
        }
        if sources.is_empty() {
            act.on_places(Verb::Write, at, own);
        }
        return;
    }
    act.on_places(Verb::Write, at, own.clone());
    // `mv settings.json .claude`: the target may be a directory, and its own name says nothing.
    if plain {
        return;
    }
    for (_, source) in sources {
        let joined = act.places(&join(target, &base_name(source)));
        let steers = |place: &Place| {
            matches!(
                place,
                Place::GitHook
                    | Place::SshDirectory
                    | Place::ShellStartup
                    | Place::AgentSettings
                    | Place::HermaFiles
                    | Place::RunsLater
            )
        };
        if joined
            .iter()
            .any(|place| steers(place) && !own.contains(place))
        {
            act.on_places(Verb::Write, at, joined);
        }
    }
}

fn rsync(act: &mut Act<'_>) {
    let scan = act.scan(&RSYNC);
    if scan.has(&["n", "dry-run", "list-only", "help", "version"]) {
        return;
    }
    let mut operands = scan.operands.clone();
    if operands.len() < 2 {
        return;
    }
    let Some((at, target)) = operands.pop() else {
        return;
    };
    let remote = is_remote(target);
    for (at, value) in &operands {
        if is_remote(value) {
            continue;
        }
        act.on(if remote { Verb::Send } else { Verb::Read }, *at, value);
        if scan.has(&["remove-source-files"]) {
            act.on(Verb::DeleteTree, *at, value);
        }
    }
    if remote {
        return;
    }
    write_target(act, at, target, &operands, operands.len() > 1, false);
    let deletes = scan
        .given
        .iter()
        .any(|given| given.name.starts_with("delete") || given.name == "del");
    if deletes {
        act.on(Verb::DeleteTree, at, target);
    }
}

/// `host:path`, `user@host:path`, `rsync://host/module`: a colon in front of any slash.
pub(super) fn is_remote(value: &Value) -> bool {
    let text = match value.pieces.first() {
        Some(Piece::Text { bytes, .. }) => bytes.as_slice(),
        // `$HOST:path`
        Some(Piece::Unknown(_)) => {
            return matches!(
                value.pieces.get(1),
                Some(Piece::Text { bytes, .. }) if bytes.first() == Some(&b':')
            );
        }
        _ => return false,
    };
    if text.windows(3).any(|window| window == b"://") {
        return true;
    }
    let colon = text.iter().position(|byte| *byte == b':');
    let slash = text.iter().position(|byte| *byte == b'/');
    match (colon, slash) {
        // A single letter is a Windows drive.
        (Some(1), _) if text.first().is_some_and(u8::is_ascii_uppercase) => false,
        (Some(0) | None, None) => {
            // `user@$HOST:path`
            value.pieces.len() > 1 && text.contains(&b'@') && value.known_suffix().contains(&b':')
        }
        (Some(colon), slash) => colon > 0 && slash.is_none_or(|slash| colon < slash),
        (None, Some(_)) => false,
    }
}
