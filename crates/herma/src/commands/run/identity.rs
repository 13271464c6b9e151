//! What a program is, whatever its caller calls it.
//!
//! The first argument is the caller's claim. The file that runs has a name, too; and a copy under
//! another name is the program that it is a copy of.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use herma_sandbox::guard::{Executable, Program};

/// Programs that floors are about and whose copies are looked for.
const SOUGHT: &[&str] = &[
    "rm",
    "find",
    "dd",
    "shred",
    "wipefs",
    "mkfs",
    "mke2fs",
    "mkswap",
    "blkdiscard",
    "sgdisk",
    "sfdisk",
    "kill",
    "killall",
    "pkill",
    "mv",
    "chmod",
    "chown",
    "tee",
    "cp",
    "rsync",
    "busybox",
    "bash",
    "dash",
    "sh",
    "env",
    "xargs",
];

/// Where they are.
const DIRECTORIES: &[&str] = &["/usr/bin", "/bin", "/usr/sbin", "/sbin"];

/// Longer files are no copies of these.
const MAX_BYTES: u64 = 8 << 20;

/// Most files that are remembered.
const MAX_KNOWN: usize = 4096;

/// A file as it is now: device, number, length, last change.
type Stamp = (u64, u64, u64, i64, i64);

/// What files are copies of.
#[derive(Default)]
pub(crate) struct Identities {
    originals: Option<Vec<(u64, PathBuf)>>,
    known: HashMap<Stamp, Option<String>>,
}

impl Identities {
    /// Names under which the program is judged besides the one that its caller gives it.
    pub(crate) fn others(
        &mut self,
        claimed: &[u8],
        program: &Program,
        executable: Option<&Executable>,
    ) -> Vec<Vec<u8>> {
        let mut names = Vec::new();
        let known = known(claimed);
        if known.is_none() {
            // Programs of many names do what the last part says, wherever they are.
            names.push(base(claimed).to_vec());
        }
        if let Some(executable) = executable {
            if let Some(name) = executable.path.file_name() {
                names.push(name.as_bytes().to_vec());
            }
            if !is_system(executable) {
                let link = PathBuf::from(format!("/proc/{}/exe", program.process()));
                names.extend(self.original(&link).map(String::into_bytes));
            }
        }
        distinct(known, names)
    }

    /// The name of the program that a file is a copy of.
    fn original(&mut self, file: &Path) -> Option<String> {
        let about = fs::metadata(file).ok()?;
        if about.len() > MAX_BYTES {
            return None;
        }
        let key = (
            about.dev(),
            about.ino(),
            about.len(),
            about.mtime(),
            about.ctime_nsec().wrapping_add(about.ctime() << 30),
        );
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let originals = self.originals.get_or_insert_with(originals);
        let mut content = None;
        let found = originals
            .iter()
            .filter(|(length, _)| *length == about.len());
        let found = found
            .filter(|(_, path)| {
                let own = content.get_or_insert_with(|| read(file));
                own.is_some() && *own == read(path)
            })
            .find_map(|(_, path)| Some(path.file_name()?.to_str()?.to_owned()));
        if self.known.len() >= MAX_KNOWN {
            self.known.clear();
        }
        self.known.insert(key, found.clone());
        found
    }
}

/// Whether it is one of the system's own programs: in a namespace of its own, anything can have the
/// path of one.
fn is_system(executable: &Executable) -> bool {
    DIRECTORIES.iter().any(|it| executable.path.starts_with(it))
        && fs::metadata(&executable.path)
            .is_ok_and(|it| (it.dev(), it.ino()) == (executable.device, executable.inode))
}

fn originals() -> Vec<(u64, PathBuf)> {
    let paths = SOUGHT
        .iter()
        .flat_map(|name| DIRECTORIES.iter().map(move |it| Path::new(it).join(name)));
    paths
        .filter_map(|path| Some((fs::metadata(&path).ok()?.len(), path)))
        .collect()
}

fn read(file: &Path) -> Option<Vec<u8>> {
    let mut content = Vec::new();
    let file = File::open(file).ok()?;
    file.take(MAX_BYTES + 1).read_to_end(&mut content).ok()?;
    Some(content)
}

/// The last part of a path. A login shell's mark stays: with it the rules do not know the name.
fn base(claimed: &[u8]) -> &[u8] {
    claimed.rsplit(|it| *it == b'/').next().unwrap_or(claimed)
}

/// The name that the rules read in the claim; they know no programs of other directories.
fn known(claimed: &[u8]) -> Option<&[u8]> {
    let name = base(claimed);
    let directory = claimed.get(..claimed.len() - name.len())?;
    let is_system = |it: &&str| directory.strip_suffix(b"/") == Some(it.as_bytes());
    (directory.is_empty() || DIRECTORIES.iter().any(is_system)).then_some(name)
}

/// Each name once, as the rules know them.
fn distinct(known: Option<&[u8]>, names: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
    let mut distinct: Vec<Vec<u8>> = Vec::new();
    for name in names {
        let mut before = known.into_iter().chain(distinct.iter().map(Vec::as_slice));
        if !before.any(|it| is_alike(it, &name)) {
            distinct.push(name);
        }
    }
    distinct
}

/// Whether the rules know both names as one: versions of a program, or shells.
fn is_alike(claimed: &[u8], real: &[u8]) -> bool {
    const SHELLS: &[&[u8]] = &[b"sh", b"bash", b"dash"];
    let stem = |name: &[u8]| {
        let end = name
            .iter()
            .rposition(|it| !it.is_ascii_digit() && *it != b'.')
            .map_or(0, |it| it + 1);
        name.get(..end).unwrap_or_default().to_vec()
    };
    let is_shell = |name: &[u8]| SHELLS.contains(&name);
    stem(claimed) == stem(real) || is_shell(claimed) && is_shell(real)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_one_program_are_alike() {
        for (claimed, real) in [("python3", "python3.11"), ("sh", "dash"), ("rm", "rm")] {
            assert!(is_alike(claimed.as_bytes(), real.as_bytes()), "{claimed}");
        }
        for (claimed, real) in [
            ("ls", "rm"),
            ("", "rm"),
            ("7", "rm"),
            ("sh", "rm"),
            ("-rm", "rm"),
        ] {
            assert!(!is_alike(claimed.as_bytes(), real.as_bytes()), "{claimed}");
        }
        assert_eq!(base(b"/bin/rm"), b"rm");
        assert_eq!(base(b""), b"");
    }

    #[test]
    fn a_name_counts_wherever_its_file_is() {
        let others = |claimed: &str, names: &[&str]| {
            let names = names.iter().map(|it| it.as_bytes().to_vec()).collect();
            let all = distinct(known(claimed.as_bytes()), names);
            all.iter()
                .map(|it| String::from_utf8_lossy(it).into_owned())
                .collect::<Vec<_>>()
        };
        for claimed in ["rm", "/bin/rm", "/usr/sbin/rm"] {
            assert!(others(claimed, &["rm", "rm"]).is_empty(), "{claimed}");
        }
        for claimed in ["./rm", "/opt/bin/rm", "/usr/bin/../../tmp/rm", "bin/rm"] {
            assert_eq!(others(claimed, &["rm", "rm"]), ["rm"], "{claimed}");
        }
        assert_eq!(others("sh", &["sh", "busybox"]), ["busybox"]);
    }

    #[test]
    fn a_path_alone_makes_no_program_the_system_s() {
        let of = |path: &str, file: &Path| {
            let about = fs::metadata(file).expect("a file");
            is_system(&Executable {
                path: path.into(),
                device: about.dev(),
                inode: about.ino(),
            })
        };
        let own = tempfile::NamedTempFile::new().expect("a file");
        assert!(of("/usr/bin/env", Path::new("/usr/bin/env")));
        assert!(!of("/usr/bin/env", own.path()));
        assert!(!of("/usr/bin/no-such-program", own.path()));
        assert!(!of("/tmp/env", Path::new("/usr/bin/env")));
    }

    #[test]
    fn a_copy_is_what_it_is_a_copy_of() {
        let directory = tempfile::tempdir().expect("a directory");
        let copy = directory.path().join("harmless");
        fs::copy("/bin/rm", &copy).expect("copied");
        let mut identities = Identities::default();
        assert_eq!(identities.original(&copy).as_deref(), Some("rm"));
        assert_eq!(identities.original(&copy).as_deref(), Some("rm"));
        fs::write(&copy, "else").expect("written");
        assert_eq!(identities.original(&copy), None);
    }
}
