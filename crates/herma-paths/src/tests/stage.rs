//! A directory for each test, gone when it is dropped.

use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

pub(super) struct Stage {
    directory: tempfile::TempDir,
}

impl Stage {
    /// `ws` with a file and a directory, `out` with a secret, `home`.
    pub(super) fn new() -> Self {
        let stage = Self {
            directory: tempfile::tempdir().expect("a directory"),
        };
        for name in ["ws", "ws/src", "out", "home"] {
            std::fs::create_dir(stage.at(name)).expect("a directory");
        }
        for name in ["ws/a.txt", "ws/src/m.rs", "out/secret.txt"] {
            std::fs::write(stage.at(name), name).expect("a file");
        }
        stage
    }

    pub(super) fn at(&self, name: &str) -> PathBuf {
        let base = self.directory.path().canonicalize().expect("a real path");
        base.join(name)
    }

    pub(super) fn bytes(&self, name: &str) -> Vec<u8> {
        self.at(name).as_os_str().as_bytes().to_vec()
    }

    pub(super) fn link(&self, target: &str, name: &str) {
        std::os::unix::fs::symlink(target, self.at(name)).expect("a link");
    }

    pub(super) fn root(&self) -> crate::Root {
        crate::Root::open(&self.bytes("ws")).expect("a root")
    }
}
