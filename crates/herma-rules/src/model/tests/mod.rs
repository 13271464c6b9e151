//! What each program does, with the analyser in front.

use herma_shell::syntax::Dialect;
use herma_shell::{FileKind, Listing, Read as Content, Request, World, analyse};

mod changing;
mod deleting;
mod reading;
mod writing;

use super::effects;
use crate::effect::Verb;
use crate::place::Place;
use crate::scene::Scene;

/// A machine without files, whose user lives in `/home/dev`.
struct Machine;

impl World for Machine {
    fn read(&self, _: &[u8], _: usize) -> Content {
        Content::Missing
    }

    fn list(&self, _: &[u8]) -> Listing {
        Listing::Missing
    }

    fn stat(&self, _: &[u8]) -> Option<FileKind> {
        None
    }

    fn variable(&self, name: &[u8]) -> Option<Vec<u8>> {
        (name == b"HOME").then(|| b"/home/dev".to_vec())
    }

    fn home(&self, user: Option<&[u8]>) -> Option<Vec<u8>> {
        user.is_none().then(|| b"/home/dev".to_vec())
    }
}

/// What a line does, as (verb, places) of every effect of every execution.
fn of(line: &str) -> Vec<(Verb, Vec<Place>)> {
    let request = Request {
        text: line.as_bytes(),
        dialect: Dialect::Bash,
        cwd: b"/home/dev/proj",
    };
    let scene = Scene::of_world(b"/home/dev/proj", &Machine);
    analyse(&request, &Machine)
        .executions
        .iter()
        .flat_map(|execution| effects(execution, &scene))
        .map(|effect| (effect.verb, effect.places))
        .collect()
}

#[track_caller]
fn does(lines: &[&str], verb: Verb, place: Place) {
    for line in lines {
        let own = of(line);
        assert!(
            own.iter()
                .any(|(own, places)| *own == verb && places.contains(&place)),
            "{line}: {own:?}"
        );
    }
}

#[track_caller]
fn does_not(lines: &[&str], verbs: &[Verb]) {
    for line in lines {
        let own = of(line);
        assert!(
            !own.iter().any(|(own, _)| verbs.contains(own)),
            "{line}: {own:?}"
        );
    }
}

#[test]
fn every_program_reads_any_words() {
    const PROGRAMS: &[&str] = &[
        "rm",
        "cp",
        "mv",
        "install",
        "ln",
        "rsync",
        "tee",
        "dd",
        "sed",
        "perl",
        "awk",
        "patch",
        "tar",
        "unzip",
        "zip",
        "7z",
        "gzip",
        "curl",
        "wget",
        "scp",
        "find",
        "chmod",
        "chown",
        "setfacl",
        "mkfs.ext4",
        "wipefs",
        "sgdisk",
        "parted",
        "cryptsetup",
        "nvme",
        "hdparm",
        "truncate",
        "shred",
        "grep",
        "jq",
        "xargs",
        "python3",
        "git",
        "crontab",
        "ssh-keygen",
        "xxd",
        "split",
        "openssl",
        "socat",
        "aws",
        "docker",
        "gh",
        "cat",
        "vim",
    ];
    const WORDS: &[&str] = &[
        "-",
        "--",
        "---",
        "-r",
        "-rf",
        "-o",
        "-o=",
        "--=",
        "--output",
        "--output=",
        "-i",
        "-iT",
        "-C",
        "-t",
        "-m",
        "-f",
        "-x",
        "-exec",
        "-delete",
        "-name",
        "{}",
        "';'",
        "+",
        "''",
        "/",
        "//",
        ".",
        "..",
        "~",
        "*",
        "'['",
        "[a",
        "'!(x'",
        "$X",
        "\"$X\"/",
        "$(f)",
        "\"$(f)\"x",
        "if=",
        "of=",
        "of=/dev/sda",
        "=",
        "@",
        "@x",
        "f=@",
        ":",
        "a:",
        ":b",
        "a:b",
        "C:",
        "C:\\\\",
        "\\\\",
        "$'\\xff'",
        "$'\\n'",
        "0",
        "777",
        "o+",
        "+",
        ",,",
        "u:::",
        "w",
        "'w '",
        "a",
        "cp",
        "-x",
        "config",
        "--file",
        "mklabel",
        "-9",
        "-0777",
    ];
    let mut state = 0x9e37_79b9_u32;
    let mut next = |bound: usize| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as usize % bound
    };
    for _ in 0..4000 {
        let mut line = PROGRAMS[next(PROGRAMS.len())].to_owned();
        for _ in 0..next(7) {
            line.push(' ');
            line.push_str(WORDS[next(WORDS.len())]);
        }
        for (_, places) in of(&line) {
            assert!(!places.is_empty(), "{line}");
        }
    }
}
