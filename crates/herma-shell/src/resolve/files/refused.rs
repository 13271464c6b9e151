//! What the shell may refuse: redirections that it cannot make, texts that it cannot read. Then the
//! command does not run.

use crate::execution::Redirection;
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

    fn may_be_refused(&mut self, redirection: &Redirection, state: &State) -> bool {
        let target = &redirection.target;
        if !target.is_known() || !self.spend(5) {
            return false;
        }
        let Some(path) = self.absolute(target, state) else {
            return false;
        };
        if path.starts_with(b"/dev/") || path.starts_with(b"/proc/") {
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
                    || self.world.stat(&path) == Some(FileKind::Directory)
            }
            _ => false,
        }
    }
}
