//! The machine of the labelled cases: a user `dev`, no files, no environment but HOME.

use herma_rules::{Guard, Request, Verdict};
use herma_shell::syntax::Dialect;
use herma_shell::{FileKind, Listing, Read, World};

/// See the module.
pub(crate) struct Corpus;

impl World for Corpus {
    fn read(&self, _: &[u8], _: usize) -> Read {
        Read::Missing
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
        match user {
            None | Some(b"dev") => Some(b"/home/dev".to_vec()),
            Some(b"root") => Some(b"/root".to_vec()),
            Some(_) => None,
        }
    }
}

/// Judges a command line in the project of that user.
#[allow(dead_code, reason = "not every test reads lines for bash alone")]
pub(crate) fn check(guard: &Guard, text: &str) -> Verdict {
    check_in(guard, text, Dialect::Bash)
}

/// The same for another shell.
#[allow(dead_code, reason = "not every test reads lines for other shells")]
pub(crate) fn check_in(guard: &Guard, text: &str, shell: Dialect) -> Verdict {
    check_at(guard, text, shell, "/home/dev/proj")
}

/// The same in another working directory.
#[allow(dead_code, reason = "not every test reads lines for other directories")]
pub(crate) fn check_at(guard: &Guard, text: &str, shell: Dialect, cwd: &str) -> Verdict {
    let mut request = Request::new(text.as_bytes(), cwd.as_bytes());
    request.shell = shell;
    guard.check(&request, &Corpus)
}
