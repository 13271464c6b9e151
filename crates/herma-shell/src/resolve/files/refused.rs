//! What the shell may refuse: redirections that it cannot make, texts that it cannot read. Then the
//! command does not run.

use crate::execution::Redirection;
use crate::resolve::control::command::number_of;
use crate::resolve::machine::state::State;
use crate::resolve::machine::{Io, Machine};
use crate::syntax::RedirectOp;
use crate::world::FileKind;

/// How things are where a command did not run.
pub(in crate::resolve) type Refused = Option<Box<(State, Io)>>;

impl Machine<'_> {
    /// The state in which a command leaves the shell that could not make its redirections; `None`
    /// when nothing says that it cannot.
    pub(in crate::resolve) fn when_refused(
        &mut self,
        redirections: &[Redirection],
        state: &State,
        io: &Io,
    ) -> Refused {
        let refused = redirections
            .iter()
            .any(|redirection| self.may_be_refused(redirection, state));
        refused.then(|| Box::new((state.clone(), io.clone())))
    }

    /// Takes in that reading.
    pub(in crate::resolve) fn join_refused(
        &mut self,
        refused: Refused,
        state: &mut State,
        io: &mut Io,
    ) {
        if let Some(refused) = refused {
            let (before, printed) = *refused;
            self.join(state, &before);
            let stdin = io.stdin.take();
            io.join(printed);
            io.stdin = stdin;
        }
    }

    /// Whether nothing says that the directory of a path is there, before it is written.
    fn is_in_missing(&self, path: &[u8], state: &State) -> bool {
        let slash = path.iter().rposition(|byte| *byte == b'/').unwrap_or(0);
        let (directory, _) = path.split_at(slash);
        if state.place.cwd.is(directory) || self.world.stat(directory).is_some() {
            return false;
        }
        let below = [directory, b"/"].concat();
        let mut first = state.files.first_from(&below);
        if first == Some(path) {
            first = state.files.first_from(&[path, b"\0"].concat());
        }
        let is_below = |file: &[u8]| file.starts_with(&below);
        !state.files.contains(directory) && !first.is_some_and(is_below)
    }

    fn may_be_refused(&mut self, redirection: &Redirection, state: &State) -> bool {
        let target = &redirection.target;
        if matches!(redirection.op, RedirectOp::DupIn | RedirectOp::DupOut) {
            return number_of(target).is_some_and(|number| state.may_be_closed(number));
        }
        if !target.is_known() || !self.spend(5) {
            return false;
        }
        let Some(path) = self.absolute(target, state) else {
            return false;
        };
        if is_device(&path) || path.starts_with(b"/proc/") {
            return false;
        }
        match redirection.op {
            RedirectOp::Read => {
                !state.files.contains(&path) && self.world.stat(&path).is_none()
                    || target.known_prefix().is_empty()
            }
            RedirectOp::Write
            | RedirectOp::Append
            | RedirectOp::Clobber
            | RedirectOp::Both
            | RedirectOp::BothAppend => {
                target.known_prefix().is_empty()
                    || path.ends_with(b"/")
                    || is_of_root(&path)
                    || self.is_in_missing(&path, state)
                    || self.world.stat(&path) == Some(FileKind::Directory)
            }
            _ => false,
        }
    }
}

/// Whether an ordinary user may not write there.
fn is_of_root(path: &[u8]) -> bool {
    let mut parts = path.split(|byte| *byte == b'/').skip(1);
    let first = parts.next().unwrap_or_default();
    let system = [
        b"bin".as_slice(),
        b"boot",
        b"dev",
        b"etc",
        b"lib",
        b"lib64",
        b"proc",
        b"sbin",
        b"sys",
        b"usr",
    ];
    system.contains(&first) || parts.next().is_none()
}

/// What everybody may open below `/dev`.
fn is_device(path: &[u8]) -> bool {
    let Some(name) = path.strip_prefix(b"/dev/") else {
        return false;
    };
    let first = name.split(|byte| *byte == b'/').next().unwrap_or_default();
    let device = [
        b"fd".as_slice(),
        b"full",
        b"mqueue",
        b"null",
        b"ptmx",
        b"pts",
        b"random",
        b"shm",
        b"stderr",
        b"stdin",
        b"stdout",
        b"tcp",
        b"tty",
        b"udp",
        b"urandom",
        b"zero",
    ];
    device.contains(&first)
}
