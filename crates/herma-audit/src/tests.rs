//! A directory of its own for each test.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use crate::Log;

/// A directory that is removed at the end.
pub(crate) struct Scratch {
    root: PathBuf,
}

impl Scratch {
    pub(crate) fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("herma-audit-{}-{count}", std::process::id());
        let root = std::env::temp_dir().join(name);
        std::fs::create_dir(&root).unwrap();
        Self { root }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    /// A file of the log.
    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.root.join("audit").join(name)
    }

    pub(crate) fn log(&self) -> Log {
        Log::at(self.path("audit"))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(Path::new(&self.root));
    }
}
