//! Walking a path as the kernel does: from left to right, links where they stand, `..` from where
//! the walk has come to.
//!
//! One descriptor is held, of the directory reached. `..` is opened from there and must be the
//! directory that the walk came through.

use rustix::fd::{AsFd, OwnedFd};
use rustix::fs::{FileType, Stat};
use rustix::io::Errno;

use crate::kernel::{self, Identity};
use crate::{MAX_NAME, Refusal};

/// Most symbolic links on the way, as in the kernel.
pub const MAX_LINKS: usize = 40;

/// A name on the way and the object that it led to.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub(crate) name: Vec<u8>,
    pub(crate) identity: Identity,
}

/// Where a path leads.
#[derive(Debug)]
pub struct Located {
    /// From below the top directory to the last object that is there.
    pub(crate) steps: Vec<Step>,
    /// Names behind it that are not there.
    pub(crate) missing: Vec<Vec<u8>>,
    /// The deepest directory that is there.
    pub(crate) directory: OwnedFd,
    /// The target, when it is there and not a directory.
    pub(crate) target: Option<(OwnedFd, Stat)>,
    /// The path said that it is a directory.
    pub(crate) wants_directory: bool,
    /// This user may not look behind the last step.
    pub(crate) barred: bool,
    /// Canonical places of links that stood last in what was still to be walked.
    pub(crate) through: Vec<Vec<Vec<u8>>>,
    /// The given path, absolute, collapsed by text alone.
    pub(crate) given: Vec<Vec<u8>>,
}

impl Located {
    /// The canonical path: absolute, without links, `.` and `..`; what is not there yet included.
    #[must_use]
    pub fn canonical(&self) -> Vec<u8> {
        let names = self.steps.iter().map(|step| step.name.as_slice());
        let mut path = Vec::new();
        for name in names.chain(self.missing.iter().map(Vec::as_slice)) {
            path.push(b'/');
            path.extend_from_slice(name);
        }
        if path.is_empty() {
            path.push(b'/');
        }
        path
    }

    /// Which object is there; `None` when nothing is.
    #[must_use]
    pub fn identity(&self) -> Option<Identity> {
        if !self.missing.is_empty() || self.barred {
            return None;
        }
        self.steps.last().map(|step| step.identity)
    }

    /// How many names the file has; `None` for a directory and for what is not there.
    #[must_use]
    #[allow(
        clippy::useless_conversion,
        reason = "the field's type differs between systems"
    )]
    pub fn link_count(&self) -> Option<u64> {
        self.target
            .as_ref()
            .map(|(_, stat)| u64::from(stat.st_nlink))
    }

    /// Canonical names of the links that led to it as a whole, first to last.
    #[must_use]
    pub fn links(&self) -> Vec<Vec<u8>> {
        self.through.iter().map(|names| joined(names)).collect()
    }

    /// The canonical names.
    pub(crate) fn names(&self) -> Vec<Vec<u8>> {
        self.steps
            .iter()
            .map(|step| step.name.clone())
            .chain(self.missing.iter().cloned())
            .collect()
    }
}

/// The absolute path with these names.
pub(crate) fn joined(names: &[Vec<u8>]) -> Vec<u8> {
    let mut path = vec![b'/'];
    path.extend(names.join(&b'/'));
    path
}

/// Finds where an absolute path leads, by links where they stand.
///
/// # Errors
/// The path is malformed, relative, or cannot be walked.
pub fn locate(path: &[u8]) -> Result<Located, Refusal> {
    crate::text::check_text(path)?;
    if path.first() != Some(&b'/') {
        return Err(Refusal::RootRelative);
    }
    walk(Start::top()?, path, true)
}

/// A component that is still to be walked.
struct Part {
    name: Vec<u8>,
    /// A slash or another component follows in its own text.
    slash: bool,
}

/// The components of a text, last first.
fn parts(text: &[u8]) -> Vec<Part> {
    let mut parts: Vec<Part> = text
        .split(|byte| *byte == b'/')
        .filter(|name| !name.is_empty())
        .map(|name| Part {
            name: name.to_vec(),
            slash: true,
        })
        .collect();
    if let Some(last) = parts.last_mut() {
        last.slash = text.last() == Some(&b'/');
    }
    parts.reverse();
    parts
}

/// Where a walk starts: a directory and the way to it from the top.
pub(crate) struct Start {
    pub(crate) directory: OwnedFd,
    pub(crate) steps: Vec<Step>,
}

impl Start {
    /// The top directory.
    pub(crate) fn top() -> Result<Self, Refusal> {
        Ok(Self {
            directory: kernel::top().map_err(Refusal::of)?,
            steps: Vec::new(),
        })
    }
}

/// Collapses a path by its text, from the names in front of it.
pub(crate) fn collapsed(front: &[Vec<u8>], path: &[u8]) -> Vec<Vec<u8>> {
    let mut names: Vec<Vec<u8>> = if path.first() == Some(&b'/') {
        Vec::new()
    } else {
        front.to_vec()
    };
    for name in path.split(|byte| *byte == b'/') {
        match name {
            b"" | b"." => {}
            b".." => {
                names.pop();
            }
            name => names.push(name.to_vec()),
        }
    }
    names
}

/// Walks `path` from `start`. A link that stands last is followed if `follow` says so, or if a
/// slash behind it does.
pub(crate) fn walk(start: Start, path: &[u8], follow: bool) -> Result<Located, Refusal> {
    let front: Vec<Vec<u8>> = start.steps.iter().map(|step| step.name.clone()).collect();
    let mut walk = Walk {
        top: None,
        pending: parts(path),
        hops: 0,
        follow,
        here: Located {
            steps: start.steps,
            missing: Vec::new(),
            directory: start.directory,
            target: None,
            wants_directory: false,
            barred: false,
            through: Vec::new(),
            given: collapsed(&front, path),
        },
    };
    if path.first() == Some(&b'/') {
        walk.restart()?;
    }
    while let Some(part) = walk.pending.pop() {
        walk.step(part)?;
        if walk.here.barred {
            break;
        }
    }
    Ok(walk.here)
}

struct Walk {
    /// The top directory's identity, once it was needed.
    top: Option<Identity>,
    /// Last first.
    pending: Vec<Part>,
    hops: usize,
    follow: bool,
    here: Located,
}

impl Walk {
    fn restart(&mut self) -> Result<(), Refusal> {
        self.here.directory = kernel::top().map_err(Refusal::of)?;
        self.here.steps.clear();
        Ok(())
    }

    fn step(&mut self, part: Part) -> Result<(), Refusal> {
        let behind = part.slash || !self.pending.is_empty();
        match part.name.as_slice() {
            b"." => {
                self.here.wants_directory = true;
                Ok(())
            }
            b".." => {
                self.here.wants_directory = true;
                self.up()
            }
            _ if part.name.len() > MAX_NAME => Err(Refusal::NameTooLong),
            _ if !self.here.missing.is_empty() => {
                self.here.wants_directory = behind;
                self.here.missing.push(part.name);
                Ok(())
            }
            _ => {
                self.here.wants_directory = behind;
                self.down(part.name, behind)
            }
        }
    }

    fn up(&mut self) -> Result<(), Refusal> {
        if !self.here.missing.is_empty() {
            return Err(Refusal::ParentOfMissing);
        }
        if self.here.steps.is_empty() {
            return Ok(());
        }
        let above = match kernel::directory(self.here.directory.as_fd(), b"..") {
            Ok(above) => above,
            Err(Errno::ACCESS) => {
                self.here.barred = true;
                return Ok(());
            }
            Err(errno) => return Err(Refusal::of(errno)),
        };
        let found = Identity::of(&rustix::fs::fstat(&above).map_err(Refusal::of)?);
        self.here.steps.pop();
        let expected = match self.here.steps.last() {
            Some(step) => step.identity,
            None => self.top()?,
        };
        if found != expected {
            return Err(Refusal::Raced);
        }
        self.here.directory = above;
        Ok(())
    }

    fn top(&mut self) -> Result<Identity, Refusal> {
        if let Some(top) = self.top {
            return Ok(top);
        }
        let fd = kernel::top().map_err(Refusal::of)?;
        let top = Identity::of(&rustix::fs::fstat(&fd).map_err(Refusal::of)?);
        self.top = Some(top);
        Ok(top)
    }

    fn down(&mut self, name: Vec<u8>, behind: bool) -> Result<(), Refusal> {
        let fd = match kernel::look(self.here.directory.as_fd(), &name) {
            Ok(fd) => fd,
            Err(Errno::NOENT) => return self.miss(name),
            Err(Errno::ACCESS) => return self.bar(),
            Err(Errno::NAMETOOLONG) => return Err(Refusal::NameTooLong),
            Err(errno) => return Err(Refusal::of(errno)),
        };
        let stat = rustix::fs::fstat(&fd).map_err(Refusal::of)?;
        let step = |name| Step {
            name,
            identity: Identity::of(&stat),
        };
        match kernel::kind(&stat) {
            FileType::Directory => {
                self.here.steps.push(step(name));
                self.here.directory = fd;
                Ok(())
            }
            FileType::Symlink if behind || self.follow => self.link(&fd, name, behind),
            _ if behind => Err(Refusal::NotDirectory),
            _ => {
                self.here.steps.push(step(name));
                self.here.target = Some((fd, stat));
                Ok(())
            }
        }
    }

    /// Goes on with what the link holds.
    fn link(&mut self, fd: &OwnedFd, name: Vec<u8>, behind: bool) -> Result<(), Refusal> {
        // Links below the top of procfs lead to objects of other processes. Those at the top are
        // text (`self`, `mounts`).
        if kernel::procfs(self.here.directory.as_fd()).map_err(Refusal::of)? == Some(false) {
            return Err(Refusal::MagicLink);
        }
        self.hops += 1;
        if self.hops > MAX_LINKS {
            return Err(Refusal::TooManyLinks);
        }
        let text = rustix::fs::readlinkat(fd, c"", Vec::new()).map_err(Refusal::of)?;
        let text = text.as_bytes();
        if self.pending.is_empty() {
            let mut place: Vec<Vec<u8>> = self
                .here
                .steps
                .iter()
                .map(|step| step.name.clone())
                .collect();
            place.push(name);
            self.here.through.push(place);
        }
        let mut inner = parts(text);
        if let Some(last) = inner.first_mut() {
            last.slash |= behind;
        }
        if text.first() == Some(&b'/') {
            self.restart()?;
            self.here.wants_directory = inner.is_empty();
        }
        self.pending.extend(inner);
        Ok(())
    }

    /// Nothing has this name. On procfs processes and descriptors come and go, and what is not
    /// there now may be a link to an object in the next moment.
    fn miss(&mut self, name: Vec<u8>) -> Result<(), Refusal> {
        let comes_and_goes = match kernel::procfs(self.here.directory.as_fd()) {
            Ok(None) => false,
            Ok(Some(true)) => name.iter().all(u8::is_ascii_digit),
            Ok(Some(false)) => true,
            Err(errno) => return Err(Refusal::of(errno)),
        };
        if comes_and_goes {
            return Err(Refusal::MagicLink);
        }
        self.here.missing.push(name);
        Ok(())
    }

    /// The rest cannot be looked at. On procfs it may be a link to an object of another process.
    fn bar(&mut self) -> Result<(), Refusal> {
        if kernel::procfs(self.here.directory.as_fd()).map_err(Refusal::of)? == Some(false) {
            return Err(Refusal::MagicLink);
        }
        self.here.barred = true;
        Ok(())
    }
}
