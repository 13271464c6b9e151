//! A machine made of files, for tests of bounds.

#![expect(clippy::expect_used, reason = "what fails here fails the test")]

use std::collections::HashMap;
use std::fmt::Write as _;

use herma_shell::{Analysis, FileKind, Listing, Read, Request, World, analyse};

/// A machine with these files.
#[derive(Default)]
pub(crate) struct Machine(HashMap<Vec<u8>, Vec<u8>>);

impl Machine {
    pub(crate) fn with(mut self, path: &str, content: impl Into<Vec<u8>>) -> Self {
        self.0.insert(path.as_bytes().to_vec(), content.into());
        self
    }
}

impl World for Machine {
    fn read(&self, path: &[u8], _: usize) -> Read {
        match self.0.get(path) {
            Some(content) => Read::Content(content.clone()),
            None => Read::Missing,
        }
    }

    fn list(&self, _: &[u8]) -> Listing {
        Listing::Missing
    }

    fn stat(&self, path: &[u8]) -> Option<FileKind> {
        self.0.contains_key(path).then_some(FileKind::File)
    }

    fn variable(&self, _: &[u8]) -> Option<Vec<u8>> {
        None
    }

    fn home(&self, _: Option<&[u8]>) -> Option<Vec<u8>> {
        None
    }
}

/// Analyses text for bash in `/work`, on a stack of its own.
pub(crate) fn run(text: &str, machine: &Machine) -> Analysis {
    let request = Request {
        text: text.as_bytes(),
        dialect: herma_shell::syntax::Dialect::Bash,
        cwd: b"/work",
    };
    std::thread::scope(|scope| {
        std::thread::Builder::new()
            .stack_size(herma_shell::STACK)
            .spawn_scoped(scope, || analyse(&request, machine))
            .expect("a thread")
            .join()
            .expect("an analysis")
    })
}

/// `part` for each number, one behind the other.
pub(crate) fn each(count: usize, part: impl Fn(usize) -> String) -> String {
    (0..count).fold(String::new(), |mut all, number| {
        let _ = write!(all, "{}", part(number));
        all
    })
}
