//! The calls that `herma doctor` makes up to see whether an installed hook answers. The hook judges
//! them as any other and writes nothing down: they are no command of anybody's.

use herma_hosts::{Act, Call};

/// The session that the calls name. No host has sessions of this name.
pub(crate) const SESSION: &str = "herma-doctor";

/// A command that a floor denies in every mode, and that does nothing if it is run after all.
pub(crate) const DENIED: &str = "sudo -S -k true </dev/null";

/// A command that every mode allows.
pub(crate) const ALLOWED: &str = "true";

/// A path that no file can have, and that is denied for it.
pub(crate) const NO_PATH: &str = "\0";

/// Whether a call is one of these, word for word: nothing else goes unrecorded, whatever session
/// it names.
pub(crate) fn is_one(call: &Call) -> bool {
    let made_up = |command: &String| command == ALLOWED || command == DENIED;
    call.session.as_deref() == Some(SESSION)
        && match &call.act {
            Act::Commands(commands) => matches!(commands.as_slice(), [only] if made_up(only)),
            Act::File(file) => file.path == NO_PATH,
        }
}
