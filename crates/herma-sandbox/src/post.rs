//! The post: the one place inside a sandbox where the process outside can be asked something.
//!
//! It is a directory of the run's, mounted so that it can only be read. In it lie a socket, whose
//! other end was made outside, and the program that asks. A mount point can be neither moved nor
//! removed, and only a process outside has no number inside: so nobody inside can take the place of
//! the process outside, except before programs in further namespaces that it made for them itself.

use std::os::fd::BorrowedFd;
use std::path::{Path, PathBuf};

use crate::plan::{Mount, Plan};

/// Where it is inside.
pub const PLACE: &str = "/run/herma-hook";

/// The socket inside.
pub const SOCKET: &str = "/run/herma-hook/socket";

/// The directory inside with the program.
const PROGRAMS: &str = "/run/herma-hook/bin";

/// The program's name.
const PROGRAM: &str = "herma";

/// A post's directory outside.
#[derive(Clone, Debug)]
pub struct Post {
    directory: PathBuf,
}

impl Post {
    /// Makes one below a run's directory.
    ///
    /// # Errors
    /// When a directory or a file cannot be made.
    pub fn make(run: &Path) -> std::io::Result<Self> {
        let directory = run.join("post");
        std::fs::create_dir(&directory)?;
        std::fs::create_dir(directory.join("bin"))?;
        // The program is mounted over it.
        std::fs::write(directory.join("bin").join(PROGRAM), [])?;
        Ok(Self { directory })
    }

    /// Where the socket is to be made.
    #[must_use]
    pub fn socket(&self) -> PathBuf {
        self.directory.join("socket")
    }

    /// Shows it in a sandbox, with this program as the one that asks.
    pub fn add(&self, plan: &mut Plan, program: &Path) {
        let bind = |from: &Path, to: PathBuf| Mount::Bind {
            from: from.to_owned(),
            to,
            write: false,
        };
        plan.mounts
            .push(bind(&self.directory, PathBuf::from(PLACE)));
        plan.mounts
            .push(bind(program, Path::new(PROGRAMS).join(PROGRAM)));
        // Last: what the machine has under this name goes first.
        for (name, value) in &mut plan.environment {
            if name == "PATH" {
                if !value.is_empty() {
                    value.push(":");
                }
                value.push(PROGRAMS);
            }
        }
    }
}

/// Whether the other end of a connected socket was made outside this process's sandbox: a process
/// that these namespaces do not have has no number in them.
#[must_use]
pub fn is_outside(socket: BorrowedFd<'_>) -> bool {
    crate::sys::peer::of(socket).is_ok_and(|(process, _)| process == 0)
}

/// Whether the other end of a connected socket is of this process's own user.
#[must_use]
pub fn is_own(socket: BorrowedFd<'_>) -> bool {
    let own = rustix::process::geteuid().as_raw();
    crate::sys::peer::of(socket).is_ok_and(|(_, user)| user == own)
}

#[cfg(test)]
mod tests {
    use std::os::fd::AsFd;
    use std::os::unix::net::UnixStream;

    #[test]
    fn a_process_of_the_same_namespaces_is_not_outside() {
        let (one, _other) = UnixStream::pair().expect("a pair");
        assert!(super::is_own(one.as_fd()));
        assert!(!super::is_outside(one.as_fd()));
    }
}
