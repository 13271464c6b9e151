//! Paths inside a container that are this machine's.

use std::borrow::Cow;

use herma_shell::{Execution, Host, Value};

/// An execution in a container with its mounted paths as the host knows them.
pub(crate) struct OnHost {
    pub(crate) execution: Execution,
    /// Indices of the words that were mapped.
    pub(crate) moved: Vec<usize>,
    /// Its working directory is this machine's too.
    pub(crate) inside: bool,
}

/// The execution as the host sees it, for the innermost container that mounts something; none when
/// no word, and not the directory that it runs in, lies below a mount.
pub(crate) fn on_host(execution: &Execution) -> Option<OnHost> {
    if execution.via.iter().any(|via| via.host == Host::Remote) {
        return None;
    }
    let mut out = execution.clone();
    let mut moved = Vec::new();
    let mut inside = false;
    for via in execution.via.iter().rev() {
        let Host::Container(mounts) = &via.host else {
            continue;
        };
        // A relative word lies where the container's own directory does.
        let directory = map(&out.cwd, mounts);
        if let Some(directory) = &directory {
            out.cwd = directory.clone();
            inside = true;
        }
        for (at, arg) in out.argv.iter_mut().enumerate().skip(1) {
            let relative = arg
                .value
                .known_prefix()
                .first()
                .is_none_or(|byte| *byte != b'/');
            if directory.is_some() && relative && !moved.contains(&at) {
                moved.push(at);
            }
            if let Some(mapped) = map(&arg.value, mounts) {
                arg.value = mapped;
                if !moved.contains(&at) {
                    moved.push(at);
                }
            }
        }
    }
    for via in &mut out.via {
        via.host = Host::Local;
    }
    (!moved.is_empty()).then_some(OnHost {
        execution: out,
        moved,
        inside,
    })
}

fn map(value: &Value, mounts: &[(Value, Value)]) -> Option<Value> {
    let path = value.bytes()?;
    if !path.starts_with(b"/") {
        return None;
    }
    mounts.iter().find_map(|(host, inside)| {
        let host = host.bytes()?;
        let inside = trim(&inside.bytes()?).to_vec();
        let rest = path.strip_prefix(inside.as_slice())?;
        if !(rest.is_empty() || rest.starts_with(b"/")) {
            return None;
        }
        let mut joined = trim(&host).to_vec();
        joined.extend_from_slice(rest);
        if joined.is_empty() {
            joined.push(b'/');
        }
        Some(rebuild(value, Cow::Owned(joined)))
    })
}

/// Patterns stay patterns: the star in `/h/*` still names what is there.
fn rebuild(value: &Value, path: Cow<'_, [u8]>) -> Value {
    if !value.has_glob() {
        return Value::computed(path.into_owned());
    }
    let mut out = Value::empty();
    let mut text = Vec::new();
    for byte in path.iter() {
        if matches!(byte, b'*' | b'?') {
            out.push_text(&std::mem::take(&mut text), None);
            out.pieces.push(herma_shell::Piece::Glob {
                pattern: vec![*byte],
                at: None,
            });
        } else {
            text.push(*byte);
        }
    }
    out.push_text(&text, None);
    out
}

fn trim(path: &[u8]) -> &[u8] {
    let end = path
        .iter()
        .rposition(|byte| *byte != b'/')
        .map_or(0, |at| at + 1);
    path.get(..end).unwrap_or_default()
}
