//! One line on a terminal while something takes long.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

/// Work that is shorter shows nothing.
const QUIET: Duration = Duration::from_secs(1);

/// Time between two lines.
const PACE: Duration = Duration::from_millis(100);

/// A line on standard error that is written over and over.
pub(crate) struct Progress {
    next: Option<Instant>,
    shown: bool,
}

impl Progress {
    /// Silent unless standard error is a terminal.
    pub(crate) fn new() -> Self {
        let terminal = std::io::stderr().is_terminal();
        Self {
            next: terminal.then(|| Instant::now() + QUIET),
            shown: false,
        }
    }

    /// Shows where the work is.
    pub(crate) fn show(&mut self, line: impl FnOnce() -> String) {
        let now = Instant::now();
        if self.next.is_some_and(|next| now >= next) {
            self.next = Some(now + PACE);
            self.shown = true;
            // A terminal that cannot be written to is no reason to stop.
            let _ = write!(std::io::stderr().lock(), "\r\x1b[K{}", line());
        }
    }

    /// Takes the line away.
    pub(crate) fn end(&mut self) {
        if self.shown {
            let _ = write!(std::io::stderr().lock(), "\r\x1b[K");
            self.shown = false;
        }
    }
}
