//! The streams between the caller and the command.
//!
//! Output passes at the bucket's rate: what is not taken waits in a pipe or terminal, and the
//! program waits with it. In front of a terminal stands the filter of escapes.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags};
use rustix::io::Errno;

use crate::output::{Bucket, Cap, Escapes};

/// Most bytes that are read at once.
const PORTION: usize = 64 << 10;

/// Most bytes that a pipe takes without waiting once it says that it takes any.
const SURE: usize = 4096;

/// Input of the command.
pub(super) struct Input {
    from: Option<BorrowedFd<'static>>,
    to: Option<OwnedFd>,
    waiting: Vec<u8>,
    /// What ends the input where it cannot be closed.
    end: Option<u8>,
}

/// One stream of output.
pub(super) struct Output {
    from: Option<OwnedFd>,
    to: Target,
    escapes: Option<Escapes>,
    waiting: Vec<u8>,
}

/// Where output goes.
pub(super) enum Target {
    /// A stream of the caller's.
    Stream(BorrowedFd<'static>),
    /// It is kept.
    Kept(Vec<u8>, Cap),
}

impl Input {
    pub(super) fn new(from: Option<BorrowedFd<'static>>, to: OwnedFd, end: Option<u8>) -> Self {
        let _ = rustix::io::ioctl_fionbio(&to, true);
        Self {
            from,
            to: Some(to),
            waiting: Vec::new(),
            end,
        }
    }

    /// What it waits for.
    pub(super) fn wants(&self) -> Option<PollFd<'_>> {
        let to = self.to.as_ref()?;
        if !self.waiting.is_empty() {
            return Some(PollFd::new(to, PollFlags::OUT));
        }
        self.from
            .as_ref()
            .map(|from| PollFd::new(from, PollFlags::IN))
    }

    pub(super) fn go(&mut self) {
        if self.waiting.is_empty() {
            let Some(from) = self.from else {
                return;
            };
            let mut bytes = vec![0; PORTION];
            match rustix::io::read(from, &mut bytes) {
                Ok(0) => {
                    self.from = None;
                    self.waiting.extend(self.end);
                }
                Ok(got) => self.waiting.extend(bytes.get(..got).unwrap_or_default()),
                Err(Errno::AGAIN | Errno::INTR) => {}
                Err(_) => self.from = None,
            }
        }
        if let Some(to) = &self.to
            && !self.waiting.is_empty()
        {
            match rustix::io::write(to, &self.waiting) {
                Ok(written) => drop(self.waiting.drain(..written)),
                Err(Errno::AGAIN | Errno::INTR) => {}
                Err(_) => {
                    self.to = None;
                    self.from = None;
                }
            }
        }
        if self.from.is_none() && self.waiting.is_empty() {
            self.to = None;
        }
    }
}

impl Output {
    pub(super) fn new(from: OwnedFd, to: Target) -> Self {
        let _ = rustix::io::ioctl_fionbio(&from, true);
        let screen = match &to {
            Target::Stream(to) => rustix::termios::isatty(to),
            Target::Kept(..) => false,
        };
        Self {
            from: Some(from),
            to,
            escapes: screen.then(Escapes::new),
            waiting: Vec::new(),
        }
    }

    /// Whether everything has passed.
    pub(super) fn is_done(&self) -> bool {
        self.from.is_none() && self.waiting.is_empty()
    }

    /// What it waits for, when the bucket gives something.
    pub(super) fn wants(&self, open: bool) -> Option<PollFd<'_>> {
        if let Target::Stream(to) = &self.to
            && !self.waiting.is_empty()
        {
            return Some(PollFd::new(to, PollFlags::OUT));
        }
        let from = self.from.as_ref()?;
        open.then(|| PollFd::new(from, PollFlags::IN))
    }

    pub(super) fn go(&mut self, bucket: &mut Bucket, now: Duration) {
        if self.waiting.is_empty()
            && let Some(from) = &self.from
        {
            let most = bucket.take(PORTION, now);
            let mut bytes = vec![0; most];
            match rustix::io::read(from, &mut bytes) {
                Ok(got) if got > 0 => {
                    bucket.put_back(most - got);
                    self.pass(bytes.get(..got).unwrap_or_default());
                }
                Err(Errno::AGAIN | Errno::INTR) => bucket.put_back(most),
                // The end; a terminal's is an error.
                Ok(_) | Err(_) if most > 0 => {
                    bucket.put_back(most);
                    self.from = None;
                }
                Ok(_) | Err(_) => {}
            }
        }
        if let Target::Stream(to) = &self.to
            && !self.waiting.is_empty()
        {
            let sure = self.waiting.len().min(SURE);
            match rustix::io::write(to, self.waiting.get(..sure).unwrap_or_default()) {
                Ok(written) => drop(self.waiting.drain(..written)),
                Err(Errno::AGAIN | Errno::INTR) => {}
                Err(_) => {
                    // Nobody reads: the program learns it as it would without us.
                    self.waiting.clear();
                    self.from = None;
                }
            }
        }
    }

    fn pass(&mut self, bytes: &[u8]) {
        match (&mut self.to, &mut self.escapes) {
            (Target::Kept(kept, cap), _) => kept.extend_from_slice(cap.pass(bytes)),
            (Target::Stream(_), Some(escapes)) => escapes.push(bytes, &mut self.waiting),
            (Target::Stream(_), None) => self.waiting.extend_from_slice(bytes),
        }
    }

    /// What was kept, and how much was not.
    pub(super) fn kept(self) -> (Vec<u8>, u64) {
        match self.to {
            Target::Kept(kept, cap) => (kept, cap.dropped()),
            Target::Stream(_) => (Vec::new(), 0),
        }
    }

    /// Whether the stream goes to this descriptor of the caller's.
    pub(super) fn from(&self) -> Option<BorrowedFd<'_>> {
        self.from.as_ref().map(AsFd::as_fd)
    }
}
