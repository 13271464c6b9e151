//! A directory that paths must stay in, and what may happen where.

use rustix::fd::{AsFd, OwnedFd};
use rustix::fs::FileType;

use crate::kernel::{self, Identity, Way};
use crate::text::check_text;
use crate::walk::{self, Located, Start, Step};
use crate::{MAX_PATH, Refusal};

/// What shall be done with the path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// Read a file or list a directory.
    Read,
    /// Write a file, made with its directories where it is missing.
    Write,
    /// Make a file that is not there.
    Create,
    /// Remove the name; a link that stands last is removed itself.
    Delete,
    /// List a directory.
    List,
}

impl Operation {
    /// Whether something is changed.
    #[must_use]
    pub fn changes(self) -> bool {
        matches!(self, Self::Write | Self::Create | Self::Delete)
    }

    fn follows(self) -> bool {
        self != Self::Delete
    }
}

/// An open directory that paths must stay in.
#[derive(Debug)]
pub struct Root {
    pub(crate) directory: OwnedFd,
    pub(crate) steps: Vec<Step>,
    pub(crate) identity: Identity,
    pub(crate) way: Way,
}

impl Root {
    /// Opens the directory at the absolute path `root`. Links on the way are followed: the root is
    /// what they lead to.
    ///
    /// # Errors
    /// It is not absolute, not there, or no directory.
    pub fn open(root: &[u8]) -> Result<Self, Refusal> {
        if root.first() != Some(&b'/') {
            return Err(Refusal::RootRelative);
        }
        if root.len() > MAX_PATH {
            return Err(Refusal::PathTooLong);
        }
        if root.contains(&0) {
            return Err(Refusal::Control);
        }
        let found = walk::walk(Start::top()?, root, true).map_err(|why| match why {
            Refusal::NotDirectory => Refusal::RootNotDirectory,
            Refusal::ParentOfMissing => Refusal::RootMissing,
            other => other,
        })?;
        if found.barred {
            return Err(Refusal::Permission);
        }
        if !found.missing.is_empty() {
            return Err(Refusal::RootMissing);
        }
        if found.target.is_some() {
            return Err(Refusal::RootNotDirectory);
        }
        let stat = rustix::fs::fstat(&found.directory).map_err(Refusal::of)?;
        Ok(Self {
            directory: found.directory,
            steps: found.steps,
            identity: Identity::of(&stat),
            way: Way::Whole,
        })
    }

    /// The root's canonical path.
    #[must_use]
    pub fn canonical(&self) -> Vec<u8> {
        let mut path = Vec::new();
        for step in &self.steps {
            path.push(b'/');
            path.extend_from_slice(&step.name);
        }
        if path.is_empty() {
            path.push(b'/');
        }
        path
    }

    /// Finds where `path` leads, in the root or elsewhere. A relative path starts at the root; `~`
    /// and `~/…` start at `home`.
    ///
    /// # Errors
    /// The path is malformed or cannot be walked.
    pub fn locate(
        &self,
        path: &[u8],
        operation: Operation,
        home: Option<&[u8]>,
    ) -> Result<Located, Refusal> {
        check_text(path)?;
        let expanded = expand_home(path, home)?;
        let start = if expanded.first() == Some(&b'/') {
            Start::top()?
        } else {
            Start {
                directory: kernel::directory(self.directory.as_fd(), b".").map_err(Refusal::of)?,
                steps: self.steps.clone(),
            }
        };
        walk::walk(start, &expanded, operation.follows())
    }

    /// Says whether the operation may happen at a place.
    ///
    /// # Errors
    /// [`Refusal::Outside`] when the place is not in the root, else what forbids the operation.
    pub fn admit(&self, located: Located, operation: Operation) -> Result<Checked<'_>, Refusal> {
        self.contains(&located)?;
        if located.barred {
            return Err(Refusal::Permission);
        }
        let is_root = located.missing.is_empty() && located.steps.len() == self.steps.len();
        let kind = match &located.target {
            _ if !located.missing.is_empty() => None,
            Some((_, stat)) => Some(kernel::kind(stat)),
            None => Some(FileType::Directory),
        };
        match (operation, kind) {
            (Operation::Write | Operation::Create | Operation::Delete, _) if is_root => {
                return Err(Refusal::IsRoot);
            }
            (Operation::Write | Operation::Create, Some(FileType::Directory)) => {
                return Err(Refusal::IsDirectory);
            }
            // The kernel does not make a file behind a slash.
            (Operation::Write | Operation::Create, None) if located.wants_directory => {
                return Err(Refusal::IsDirectory);
            }
            (Operation::Delete | Operation::List, Some(FileType::Directory)) => {}
            (Operation::Delete, _) | (_, None) => {}
            (Operation::List, Some(_)) => return Err(Refusal::NotDirectory),
            (Operation::Read, Some(FileType::Directory | FileType::RegularFile)) => {}
            (Operation::Write | Operation::Create, Some(FileType::RegularFile)) => {
                if located.link_count() != Some(1) {
                    return Err(Refusal::HardLinked);
                }
                if operation == Operation::Create {
                    return Err(Refusal::Exists);
                }
            }
            (_, Some(_)) => return Err(Refusal::NotRegular),
        }
        if operation.changes() && !self.is_top() {
            let fd = match &located.target {
                Some((fd, _)) => fd,
                None => &located.directory,
            };
            if kernel::mount(fd.as_fd())? != kernel::mount(self.directory.as_fd())? {
                return Err(Refusal::MountCrossing);
            }
        }
        Ok(Checked {
            root: self,
            located,
            operation,
        })
    }

    /// [`Root::locate`] and [`Root::admit`].
    ///
    /// # Errors
    /// As they have them.
    pub fn check(
        &self,
        path: &[u8],
        operation: Operation,
        home: Option<&[u8]>,
    ) -> Result<Checked<'_>, Refusal> {
        let located = self.locate(path, operation, home)?;
        self.admit(located, operation)
    }

    /// Whether the root is the top directory, where nothing can be elsewhere.
    pub(crate) fn is_top(&self) -> bool {
        self.steps.is_empty()
    }

    fn contains(&self, located: &Located) -> Result<(), Refusal> {
        let same_names = located.steps.len() >= self.steps.len()
            && located
                .steps
                .iter()
                .zip(&self.steps)
                .all(|(step, root)| step.name == root.name);
        if !same_names {
            return Err(Refusal::Outside);
        }
        // Another directory has come to the root's name since it was opened.
        let at_root = self
            .steps
            .len()
            .checked_sub(1)
            .and_then(|last| located.steps.get(last));
        match at_root {
            Some(step) if step.identity != self.identity => Err(Refusal::Raced),
            _ => Ok(()),
        }
    }
}

/// A place that was found good for one operation.
#[derive(Debug)]
pub struct Checked<'a> {
    pub(crate) root: &'a Root,
    pub(crate) located: Located,
    pub(crate) operation: Operation,
}

impl Checked<'_> {
    /// The place.
    #[must_use]
    pub fn located(&self) -> &Located {
        &self.located
    }
}

/// The path with `~` replaced. Nothing else is expanded.
pub(crate) fn expand_home(path: &[u8], home: Option<&[u8]>) -> Result<Vec<u8>, Refusal> {
    match path {
        [b'~'] | [b'~', b'/', ..] => {
            let home = home
                .filter(|home| home.first() == Some(&b'/'))
                .ok_or(Refusal::NoHome)?;
            let mut expanded = home.to_vec();
            expanded.extend_from_slice(path.get(1..).unwrap_or_default());
            if expanded.len() > MAX_PATH {
                return Err(Refusal::PathTooLong);
            }
            Ok(expanded)
        }
        [b'~', ..] => Err(Refusal::TildeUser),
        _ => Ok(path.to_vec()),
    }
}
