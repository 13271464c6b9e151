//! The machine as the analyser may see it.
//!
//! Only reads, all of them bounded, none of which can wait: a pipe or a device is never opened.

use std::cell::{Cell, OnceCell};
use std::ffi::{OsStr, OsString};
use std::fs::{File, OpenOptions};
use std::io::Read as _;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::Path;

use herma_shell::{FileKind, Listing, Read, World};
use rustix::fs::OFlags;

use crate::accounts::{self, Users};

/// Variables that a repository cannot set for a hook.
const TRUSTED: &[&str] = &["HOME", "PWD", "TMPDIR", "PATH", "USER", "SHELL"];

/// Bytes that one check reads from files.
const READ_BUDGET: usize = 8 << 20;

/// What tells a program from text.
const BEGINNING: u64 = 256;

/// Names that one check reads from directories.
const LIST_BUDGET: usize = 65_536;

/// The real file system with chosen variables.
pub(crate) struct Machine {
    variables: Vec<(Vec<u8>, Vec<u8>)>,
    reads: Cell<usize>,
    names: Cell<usize>,
    users: OnceCell<Users>,
    /// Device and number of the file that the kernel has loaded as a program.
    loaded: Option<(u64, u64)>,
}

impl Machine {
    /// With the trusted ones of this process's variables, and `PWD` as given.
    pub(crate) fn of_process(cwd: &[u8]) -> Self {
        let mut variables: Vec<(Vec<u8>, Vec<u8>)> = TRUSTED
            .iter()
            .filter(|name| **name != "PWD")
            .filter_map(|name| {
                let value = std::env::var_os(name)?;
                Some((name.as_bytes().to_vec(), value.into_vec()))
            })
            .collect();
        variables.push((b"PWD".to_vec(), cwd.to_vec()));
        Self::with(variables)
    }

    /// With the trusted ones of the variables that a sandbox's command gets, and `PWD` as given.
    pub(crate) fn of_run(environment: &[(OsString, OsString)], cwd: &[u8]) -> Self {
        let trusted = environment
            .iter()
            .filter(|(name, _)| TRUSTED.iter().any(|it| name == it) && name != "PWD");
        let mut variables: Vec<(Vec<u8>, Vec<u8>)> = trusted
            .map(|(name, value)| (name.as_bytes().to_vec(), value.as_bytes().to_vec()))
            .collect();
        variables.push((b"PWD".to_vec(), cwd.to_vec()));
        Self::with(variables)
    }

    /// With the given variables; `HOME` is this process's and `PWD` as given unless they are among
    /// them.
    pub(crate) fn of_row(given: Vec<(Vec<u8>, Vec<u8>)>, cwd: &[u8]) -> Self {
        let mut variables = given;
        let has = |variables: &[(Vec<u8>, Vec<u8>)], name: &[u8]| {
            variables.iter().any(|(own, _)| own == name)
        };
        if !has(&variables, b"HOME")
            && let Some(home) = std::env::var_os("HOME")
        {
            variables.push((b"HOME".to_vec(), home.into_vec()));
        }
        if !has(&variables, b"PWD") {
            variables.push((b"PWD".to_vec(), cwd.to_vec()));
        }
        Self::with(variables)
    }

    /// The same with untouched bounds, for another check.
    pub(crate) fn fresh(&self) -> Self {
        Self::with(self.variables.clone())
    }

    fn with(variables: Vec<(Vec<u8>, Vec<u8>)>) -> Self {
        Self {
            variables,
            reads: Cell::new(READ_BUDGET),
            names: Cell::new(LIST_BUDGET),
            users: OnceCell::new(),
            loaded: None,
        }
    }

    /// The same where a file is known to be a program, of which nobody needs more than the beginning.
    pub(crate) fn with_loaded(self, loaded: Option<(u64, u64)>) -> Self {
        Self { loaded, ..self }
    }
}

impl World for Machine {
    fn read(&self, path: &[u8], limit: usize) -> Read {
        let path = Path::new(OsStr::from_bytes(path));
        match path.metadata() {
            Ok(meta) if !meta.is_file() => return Read::Unreadable,
            Ok(_) => {}
            Err(error) if is_missing(&error) => return Read::Missing,
            Err(_) => return Read::Unreadable,
        }
        let Ok(file) = open(path) else {
            return Read::Unreadable;
        };
        // The name may have come to stand for something else since.
        let Some(meta) = file.metadata().ok().filter(std::fs::Metadata::is_file) else {
            return Read::Unreadable;
        };
        if self.loaded == Some((meta.dev(), meta.ino())) {
            let mut beginning = Vec::new();
            let read = file.take(BEGINNING).read_to_end(&mut beginning);
            return read.map_or(Read::Unreadable, |_| Read::Content(beginning));
        }
        let left = self.reads.get();
        let limit = limit.min(left);
        let mut content = Vec::new();
        let bound = u64::try_from(limit).map_or(u64::MAX, |limit| limit.saturating_add(1));
        if file.take(bound).read_to_end(&mut content).is_err() || content.len() > limit {
            return Read::Unreadable;
        }
        self.reads.set(left - content.len());
        Read::Content(content)
    }

    fn list(&self, directory: &[u8]) -> Listing {
        let entries = match Path::new(OsStr::from_bytes(directory)).read_dir() {
            Ok(entries) => entries,
            Err(error) if is_missing(&error) => return Listing::Missing,
            Err(_) => return Listing::Unreadable,
        };
        let mut names = Vec::new();
        for entry in entries {
            // What was read counts, also when there is no answer.
            let (Some(left), Ok(entry)) = (self.names.get().checked_sub(1), entry) else {
                return Listing::Unreadable;
            };
            self.names.set(left);
            names.push(entry.file_name().into_vec());
        }
        Listing::Names(names)
    }

    fn stat(&self, path: &[u8]) -> Option<FileKind> {
        let meta = Path::new(OsStr::from_bytes(path)).metadata().ok()?;
        Some(if meta.is_file() {
            FileKind::File
        } else if meta.is_dir() {
            FileKind::Directory
        } else {
            FileKind::Other
        })
    }

    fn variable(&self, name: &[u8]) -> Option<Vec<u8>> {
        self.variables
            .iter()
            .find(|(own, _)| own == name)
            .map(|(_, value)| value.clone())
    }

    fn home(&self, user: Option<&[u8]>) -> Option<Vec<u8>> {
        self.users.get_or_init(accounts::users).home(user)
    }
}

fn is_missing(error: &std::io::Error) -> bool {
    matches!(
        error.kind(),
        std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory
    )
}

/// Opens without waiting for a writer and without becoming a terminal's owner.
fn open(path: &Path) -> std::io::Result<File> {
    let flags = (OFlags::NONBLOCK | OFlags::NOCTTY).bits();
    OpenOptions::new()
        .read(true)
        .custom_flags(i32::try_from(flags).unwrap_or(0))
        .open(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn machine() -> Machine {
        Machine::of_row(vec![(b"A".to_vec(), b"1".to_vec())], b"/proj")
    }

    #[test]
    fn a_file_is_read_up_to_its_limit() {
        let directory = tempfile::tempdir().expect("directory");
        let path = directory.path().join("x.sh");
        std::fs::write(&path, "echo hi").expect("write");
        let path = path.as_os_str().as_bytes();
        assert_eq!(machine().read(path, 7), Read::Content(b"echo hi".to_vec()));
        assert_eq!(machine().read(path, 6), Read::Unreadable);
        assert_eq!(machine().stat(path), Some(FileKind::File));
    }

    #[test]
    fn of_a_loaded_program_the_beginning_is_read() {
        let directory = tempfile::tempdir().expect("directory");
        let (program, script) = (directory.path().join("p"), directory.path().join("s"));
        for path in [&program, &script] {
            std::fs::write(path, [b'x'; 1000]).expect("write");
        }
        let about = program.metadata().expect("metadata");
        let machine = machine().with_loaded(Some((about.dev(), about.ino())));
        let length = |path: &Path| match machine.read(path.as_os_str().as_bytes(), 2000) {
            Read::Content(content) => content.len(),
            other => panic!("{other:?}"),
        };
        assert_eq!((length(&program), length(&script)), (256, 1000));
    }

    #[test]
    fn what_is_no_regular_file_is_never_opened() {
        let directory = tempfile::tempdir().expect("directory");
        let pipe = directory.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.expect("mkfifo").success());
        assert_eq!(
            machine().read(pipe.as_os_str().as_bytes(), 100),
            Read::Unreadable
        );
        assert_eq!(machine().read(b"/dev/zero", 100), Read::Unreadable);
        assert_eq!(machine().read(b"/", 100), Read::Unreadable);
    }

    #[test]
    fn what_is_not_there_is_missing() {
        assert_eq!(machine().read(b"/nowhere/x", 100), Read::Missing);
        assert_eq!(machine().read(b"/etc/passwd/x", 100), Read::Missing);
        assert_eq!(machine().read(b"/a\0b", 100), Read::Unreadable);
        assert_eq!(machine().list(b"/nowhere"), Listing::Missing);
        assert_eq!(machine().list(b"/etc/passwd"), Listing::Missing);
        assert_eq!(machine().list(b"/a\0b"), Listing::Unreadable);
        assert_eq!(machine().stat(b"/nowhere"), None);
    }

    #[test]
    fn one_check_reads_only_so_much() {
        let directory = tempfile::tempdir().expect("directory");
        let path = directory.path().join("big");
        std::fs::write(&path, vec![b'x'; 1 << 20]).expect("write");
        let path = path.as_os_str().as_bytes();
        let machine = machine();
        let read = (0..20)
            .filter(|_| matches!(machine.read(path, 1 << 20), Read::Content(_)))
            .count();
        assert_eq!(read, READ_BUDGET >> 20);
    }

    #[test]
    fn one_check_lists_only_so_much() {
        let directory = tempfile::tempdir().expect("directory");
        for name in ["a", "b", "c"] {
            std::fs::write(directory.path().join(name), "").expect("write");
        }
        let path = directory.path().as_os_str().as_bytes();
        let machine = machine();
        let three = |machine: &Machine| matches!(machine.list(path), Listing::Names(names) if names.len() == 3);
        assert!(three(&machine));
        assert_eq!(machine.names.get(), LIST_BUDGET - 3);
        machine.names.set(2);
        assert_eq!(machine.list(path), Listing::Unreadable);
        assert_eq!(machine.names.get(), 0, "what it read is spent");
        assert_eq!(machine.list(b"/"), Listing::Unreadable);
        assert_eq!(machine.list(b"/nowhere"), Listing::Missing);
        assert!(three(&machine.fresh()));
    }

    #[test]
    fn one_check_reads_the_accounts_once() {
        let machine = machine();
        assert!(machine.users.get().is_none());
        let first = machine.home(Some(b"root"));
        assert!(machine.users.get().is_some());
        assert_eq!(machine.home(Some(b"root")), first);
        assert!(machine.fresh().users.get().is_none());
    }

    #[test]
    fn only_given_variables_are_seen() {
        let machine = machine();
        assert_eq!(machine.variable(b"A"), Some(b"1".to_vec()));
        assert_eq!(machine.variable(b"PWD"), Some(b"/proj".to_vec()));
        assert_eq!(machine.variable(b"PATH"), None);
        assert_eq!(machine.variable(b"CARGO_MANIFEST_DIR"), None);
        let machine = Machine::of_process(b"/proj");
        assert_eq!(machine.variable(b"PWD"), Some(b"/proj".to_vec()));
        assert_eq!(machine.variable(b"CARGO_MANIFEST_DIR"), None);
    }
}
