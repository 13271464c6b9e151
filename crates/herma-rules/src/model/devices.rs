//! What writes to devices: `dd`, file systems, partition tables.

use super::Act;
use super::options::{Spec, spec};
use super::writing::assigned;
use crate::effect::Verb;
use crate::place::Place;

static MKFS: Spec = spec(
    "t:L:b:C:i:I:J:G:N:d:e:E:f:g:l:m:M:o:O:r:s:S:T:U:n:F:qvVcjDKPaAhR:",
    "type= label= uuid= help version",
);
static MKSWAP: Spec = spec(
    "cfp:L:v:U:e:o:q",
    "check force pagesize= label= swapversion= uuid= endianness= offset= size= file lock? quiet help version verbose",
);
static WIPEFS: Spec = spec(
    "abfhiJnO:o:pqt:V",
    "all backup? force help noheadings json no-act offset= output= parsable quiet types= version lock?",
);
static SGDISK: Spec = spec(
    "ab:c:d:e:f:g:G:i:j:k:l:L:m:n:N:o:O:p:P:r:R:s:t:T:u:U:v:V:zZA:C:D:E:F:h:I:S:",
    "zap zap-all clear help version print info= verify",
);

pub(super) fn effects(name: &[u8], act: &mut Act<'_>) -> bool {
    match name {
        b"dd" | b"gdd" | b"dcfldd" | b"dc3dd" => dd(act),
        b"ddrescue" | b"dd_rescue" => {
            let scan = act.scan(&spec(
                "a:b:B:c:CdDe:E:fFhH:i:IJK:l:L:mMnNo:O:p:P:qr:Rs:S:t:T:uvVwx:X:yZ:1:",
                "help version force ask no-scrape no-trim",
            ));
            let mut operands = scan.operands();
            if let Some((at, value)) = operands.next() {
                act.on(Verb::Read, at, value);
            }
            if let Some((at, value)) = operands.next() {
                act.on(Verb::Write, at, value);
            }
        }
        name if name.starts_with(b"partclone.") || name == b"partimage" => {
            let scan = act.scan(&spec(
                "s:o:O:L:cdrbDRCNFqIaxXz:",
                "source= output= overwrite= logfile=",
            ));
            for (at, value) in scan.all(&["s", "source"]) {
                act.on(Verb::Read, *at, value);
            }
            for (at, value) in scan.all(&["o", "output", "O", "overwrite"]) {
                act.on(Verb::Write, *at, value);
            }
        }
        b"mke2fs" | b"mkdosfs" | b"mkntfs" | b"mkreiserfs" | b"mkexfatfs" | b"newfs" => {
            make(act, name);
        }
        b"mkswap" => {
            let scan = act.scan(&MKSWAP);
            if !scan.has(&["help", "version"]) {
                act.on_operands(Verb::Format, &scan);
            }
        }
        b"wipefs" => {
            let scan = act.scan(&WIPEFS);
            if !scan.has(&["n", "no-act", "help", "h"]) && scan.has(&["a", "all", "o", "offset"]) {
                act.on_operands(Verb::Format, &scan);
            }
        }
        b"sgdisk" => sgdisk(act),
        b"blkdiscard" => {
            let scan = act.scan(&spec(
                "fho:l:p:qsvVz",
                "force offset= length= step= quiet secure zeroout verbose help version",
            ));
            if !scan.has(&["h", "help", "V", "version"]) {
                act.on_operands(Verb::Format, &scan);
            }
        }
        b"parted" => parted(act),
        b"cryptsetup" => cryptsetup(act),
        b"hdparm" => {
            let erases = act.argv().iter().any(|arg| {
                let word = arg.value.known_prefix();
                word.starts_with(b"--security-erase")
                    || word.starts_with(b"--trim-sector")
                    || word.starts_with(b"--write-sector")
                    || word.starts_with(b"--sanitize-")
            });
            if erases {
                last_operand(act, Verb::Format);
            }
        }
        b"nvme" => {
            let verb = act.argv().get(1).and_then(|arg| arg.value.bytes());
            if matches!(
                verb.as_deref(),
                Some(b"format" | b"sanitize" | b"write-zeroes")
            ) {
                for at in 2..act.argv().len() {
                    raw_only(act, at);
                }
            }
        }
        b"badblocks" => {
            let scan = act.scan(&spec("b:c:d:e:fi:no:p:st:vwX", ""));
            if scan.has(&["w"]) {
                act.on_operands(Verb::Format, &scan);
            }
        }
        name if name.starts_with(b"mkfs.") || name == b"mkfs" || name.starts_with(b"newfs_") => {
            make(act, name);
        }
        _ => return false,
    }
    true
}

fn dd(act: &mut Act<'_>) {
    let argv = act.argv();
    let empties = argv
        .iter()
        .any(|arg| assigned(&arg.value, b"if").is_some_and(|file| file.is(b"/dev/null")));
    let verb = if empties { Verb::Empty } else { Verb::Write };
    for (at, arg) in argv.iter().enumerate().skip(1) {
        for key in [b"of".as_slice(), b"ofs"] {
            if let Some(file) = assigned(&arg.value, key) {
                act.on(verb, at, &file);
            }
        }
        if let Some(file) = assigned(&arg.value, b"if") {
            act.on(Verb::Read, at, &file);
        }
    }
}

fn make(act: &mut Act<'_>, name: &[u8]) {
    let scan = act.scan(&MKFS);
    // `-n` is a dry run for the ext family, and a name for others.
    let ext = name == b"mke2fs" || name.starts_with(b"mkfs.ext");
    let dry = ext && act.argv().iter().skip(1).any(|arg| arg.value.is(b"-n"));
    if dry || scan.has(&["help", "version", "V"]) {
        return;
    }
    if scan.operands.is_empty() {
        // The table joins the options of many file systems: here one took the only word that can be
        // the device (`mkfs.xfs -f /dev/sda`).
        last_operand(act, Verb::Format);
    } else {
        act.on_operands(Verb::Format, &scan);
    }
}

fn last_operand(act: &mut Act<'_>, verb: Verb) {
    let argv = act.argv();
    if let Some((at, arg)) = argv.iter().enumerate().skip(1).next_back() {
        act.on(verb, at, &arg.value);
    }
}

fn raw_only(act: &mut Act<'_>, at: usize) {
    let Some(arg) = act.argv().get(at) else {
        return;
    };
    let places = act.places(&arg.value);
    if places.contains(&Place::RawDevice) {
        act.on_places(Verb::Format, at, places);
    }
}

fn sgdisk(act: &mut Act<'_>) {
    let scan = act.scan(&SGDISK);
    if scan.has(&["help", "h", "V", "version"]) {
        return;
    }
    let wipes = act.argv().iter().skip(1).any(|arg| {
        let Some(word) = arg.value.bytes() else {
            return false;
        };
        match &*word {
            [b'-', b'-', ..] => {
                [b"--zap-all".as_slice(), b"--zap", b"--clear"].contains(&&*word)
                    || (word.len() > 4 && b"--zap-all".starts_with(&word))
            }
            [b'-', letters @ ..] => letters
                .iter()
                .take_while(|letter| b"zZogGpPsv".contains(letter))
                .any(|letter| b"zZo".contains(letter)),
            _ => false,
        }
    });
    if wipes {
        for at in 1..act.argv().len() {
            raw_only(act, at);
        }
    }
}

fn parted(act: &mut Act<'_>) {
    let argv = act.argv();
    let labels = argv.iter().skip(2).any(|arg| {
        arg.value
            .bytes()
            .is_some_and(|word| matches!(&*word, b"mklabel" | b"mktable") || has_word(&word))
    });
    if !labels {
        return;
    }
    for at in 1..argv.len() {
        raw_only(act, at);
    }
}

/// A whole `parted` script in one word (`"mklabel gpt"`).
fn has_word(word: &[u8]) -> bool {
    word.split(u8::is_ascii_whitespace)
        .any(|part| matches!(part, b"mklabel" | b"mktable"))
}

fn cryptsetup(act: &mut Act<'_>) {
    let scan = act.scan(&spec(
        "c:h:s:S:d:l:o:p:y:qvi:t:T:M:",
        "cipher= hash= key-size= key-file= keyfile-size= keyfile-offset= key-slot= size= offset= skip= batch-mode \
         timeout= tries= type= label= uuid= pbkdf= iter-time= header= sector-size= use-random use-urandom \
         verify-passphrase test-args help version",
    ));
    let mut operands = scan.operands();
    let verb = operands.next().and_then(|(_, value)| value.bytes());
    let erases = matches!(
        verb.as_deref(),
        Some(b"luksFormat" | b"luksErase" | b"erase" | b"reencrypt")
    );
    if erases {
        for (at, value) in operands {
            act.on(Verb::Format, at, value);
        }
    }
}
