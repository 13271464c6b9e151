//! Archives: what is packed is read, where they unpack is written.

use herma_shell::Value;

use super::copying::is_remote;
use super::options::{Spec, behind, scan, spec};
use super::{Act, join};
use crate::effect::Verb;

static TAR: Spec = spec(
    "AcdrtuxC:f:b:F:g:H:I:K:L:N:T:V:X:jJzZahikklmMnoOpPsSvwWB",
    "create extract get list append update diff compare delete concatenate catenate directory= file= \
     files-from= exclude= exclude-from= gzip bzip2 xz zstd lzma compress use-compress-program= to-stdout \
     transform= xform= strip-components= one-top-level? owner= group= mode= mtime= newer= after-date= \
     listed-incremental= label= rmt-command= rsh-command= info-script= new-volume-script= checkpoint? \
     checkpoint-action= to-command= overwrite keep-old-files skip-old-files remove-files verbose \
     absolute-names wildcards numeric-owner same-owner no-same-owner preserve-permissions blocking-factor= \
     record-size= tape-length= format= sort= warning= suffix= backup? index-file= starting-file= \
     occurrence? help version auto-compress exclude-vcs dereference null",
);
static UNZIP: Spec = spec("abBCcd:DfIjKLlMnNoO:pPqtTuUvVW:xXyzZ:", "");
static ZIP: Spec = spec(
    "0123456789@AB:b:cCdDeEfFgGhiIjJklLmMnoO:pP:qrRsS:tTuvwxXyZ:z",
    "",
);
static COMPRESS: Spec = spec(
    "0123456789acdDfhklLnNqrRS:tvVzT:po:Mm",
    "ascii stdout to-stdout decompress uncompress force help keep list license name no-name quiet recursive suffix= \
     synchronous test verbose version fast best rsyncable threads= output= rm compress",
);

pub(super) fn effects(name: &[u8], act: &mut Act<'_>) -> bool {
    match name {
        b"tar" | b"gtar" | b"bsdtar" => tar(act),
        b"unzip" => {
            let scan = act.scan(&UNZIP);
            if scan.has(&["l", "v", "t", "z", "Z"]) {
                return true;
            }
            if let Some((at, value)) = scan.last(&["d"]) {
                let (at, value) = (*at, value.clone());
                act.on(Verb::Write, at, &value);
            }
        }
        b"zip" => {
            let scan = act.scan(&ZIP);
            // What is left out stands at the end.
            let end = act
                .argv()
                .iter()
                .position(|arg| arg.value.is(b"-x") || arg.value.is(b"--exclude"))
                .unwrap_or(usize::MAX);
            let mut operands = scan.operands().filter(|(at, _)| *at < end);
            if let Some((at, value)) = operands.next()
                && !value.is(b"-")
            {
                act.on(Verb::Write, at, value);
            }
            for (at, value) in operands {
                act.on(Verb::Read, at, value);
                if scan.has(&["m"]) {
                    act.on(Verb::DeleteTree, at, value);
                }
            }
        }
        b"7z" | b"7za" | b"7zz" | b"rar" => {
            let argv = act.argv();
            let adds = argv
                .get(1)
                .is_some_and(|arg| arg.value.is(b"a") || arg.value.is(b"u"));
            for (at, arg) in argv.iter().enumerate().skip(3) {
                if let Some(directory) = arg.value.known_prefix().strip_prefix(b"-o")
                    && !directory.is_empty()
                {
                    act.on(Verb::Write, at, &behind(&arg.value, 2));
                }
                if adds && arg.value.known_prefix().first() != Some(&b'-') {
                    act.on(Verb::Read, at, &arg.value);
                }
            }
        }
        b"gzip" | b"gunzip" | b"bzip2" | b"bunzip2" | b"xz" | b"unxz" | b"zstd" | b"unzstd"
        | b"lzma" | b"unlzma" | b"lz4" | b"compress" | b"uncompress" | b"pigz" | b"unpigz" => {
            compress(act);
        }
        b"zcat" | b"bzcat" | b"xzcat" | b"zstdcat" | b"gzcat" | b"lz4cat" | b"zless" | b"zmore" => {
            let scan = act.scan(&COMPRESS);
            act.on_operands(Verb::Read, &scan);
        }
        b"cpio" => {
            let scan = act.scan(&spec("oiptdumvBcE:F:I:O:H:D:C:R:", "directory= file="));
            for (at, value) in scan.all(&["O"]) {
                act.on(Verb::Write, *at, value);
            }
        }
        _ => return false,
    }
    true
}

fn tar(act: &mut Act<'_>) {
    let argv = act.argv();
    // `tar czf out.tgz dir`: the first word is a bundle without a dash; its operands follow it.
    let bundle = argv
        .get(1)
        .and_then(|arg| arg.value.bytes())
        .filter(|word| {
            !word.is_empty()
                && word.first() != Some(&b'-')
                && word.iter().all(u8::is_ascii_alphanumeric)
        });
    let mut archive: Vec<(usize, Value)> = Vec::new();
    let mut directories: Vec<(usize, Value)> = Vec::new();
    let mut letters: Vec<u8> = Vec::new();
    let mut from = 1;
    if let Some(word) = bundle {
        letters = word.to_vec();
        from = 2;
        for letter in &letters {
            if !b"fCbFgHIKLNTVX".contains(letter) {
                continue;
            }
            if let Some(arg) = argv.get(from) {
                match letter {
                    b'f' => archive.push((from, arg.value.clone())),
                    b'C' => directories.push((from, arg.value.clone())),
                    _ => {}
                }
            }
            from += 1;
        }
    }
    let scan = scan(argv, from, &TAR);
    archive.extend(scan.all(&["f", "file"]).cloned());
    directories.extend(scan.all(&["C", "directory", "one-top-level"]).cloned());
    let mode = |short: &'static [&'static str], letter: &[u8]| {
        scan.has(short) || letters.iter().any(|own| letter.contains(own))
    };
    let extracts = mode(&["x", "extract", "get"], b"x");
    let creates = mode(&["c", "create", "r", "append", "u", "update", "A"], b"cruA");
    if scan.has(&["to-stdout", "O"]) || letters.contains(&b'O') {
        return;
    }
    if extracts {
        for (at, value) in &directories {
            act.on(Verb::Write, *at, value);
        }
    } else if creates {
        for (at, value) in archive {
            if is_remote(&value) {
                continue;
            }
            if !value.is(b"-") {
                act.on(Verb::Write, at, &value);
            }
        }
        // `-C` holds for the operands behind it; where it stands is not told apart.
        let directory = directories.last().map(|(_, value)| value);
        for (at, value) in scan.operands() {
            let joined = directory
                .filter(|_| !matches!(value.known_prefix().first(), Some(b'/' | b'~')))
                .map(|directory| join(directory, value));
            let value = joined.as_ref().unwrap_or(value);
            act.on(Verb::Read, at, value);
            if scan.has(&["remove-files"]) {
                act.on(Verb::DeleteTree, at, value);
            }
        }
    }
}

/// In place, the file goes and another comes; with `-c` it is printed.
fn compress(act: &mut Act<'_>) {
    let scan = act.scan(&COMPRESS);
    if scan.has(&["l", "list", "t", "test", "h", "help", "V", "version"]) {
        return;
    }
    let prints = scan.has(&["c", "stdout", "to-stdout"]);
    act.on_operands(if prints { Verb::Read } else { Verb::Edit }, &scan);
    if let Some((at, value)) = scan.last(&["o", "output"]) {
        let (at, value) = (*at, value.clone());
        act.on(Verb::Write, at, &value);
    }
}
