//! Programs that print nothing unless they are told to: those that copy, make and remove files.

use super::Run;
use crate::value::Value;

/// What such a program prints: what it copies to standard output by a name of it, and what it does
/// when it is told to say so.
pub(super) fn silent(run: &mut Run<'_>) -> Value {
    let options = run.options(
        b"tTmSogZ",
        &["target-directory", "mode", "suffix", "owner", "group"],
    );
    if options.has(b'v', "verbose") || options.has(b'c', "changes") && run.name.starts_with(b"ch") {
        return run.unknown();
    }
    let (target, sources) = match options.value(b't', "target-directory") {
        Some(target) => (target, options.operands.as_slice()),
        None => match options.operands.split_last() {
            Some((target, sources)) => (target, sources),
            None => return Value::empty(),
        },
    };
    let mut printed = Value::empty();
    for source in sources {
        let inside = super::fetch::into(target, Some(source));
        let mut places = inside.iter().chain([target]);
        if places.any(|place| run.files.descriptor(place).is_some()) {
            let content = run.file(source);
            printed.append(&content);
        }
    }
    super::stream::bound(printed)
}
