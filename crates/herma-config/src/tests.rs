//! A directory of its own for each test.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::Home;

/// A directory (0700) that is removed at the end.
pub(crate) struct Scratch {
    root: PathBuf,
}

impl Scratch {
    pub(crate) fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("herma-config-{}-{count}", std::process::id());
        let root = std::env::temp_dir().join(name);
        crate::atomic::create_directory(&root, 0o700).unwrap();
        Self { root }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    /// Writes a file that only this user may write, with the directories above it.
    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        let mut directory = self.root.clone();
        for part in std::path::Path::new(name).parent().unwrap().iter() {
            directory.push(part);
            crate::atomic::create_directory(&directory, 0o700).unwrap();
        }
        crate::atomic::replace(&path, content.as_ref(), 0o600).unwrap();
        path
    }

    pub(crate) fn home(&self) -> Home {
        Home::at(self.path("home")).unwrap()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.root);
    }
}
