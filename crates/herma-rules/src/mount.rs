//! Paths inside a container that are this machine's.

use std::borrow::Cow;
use std::sync::Arc;

use herma_shell::{Execution, Host, Piece, Value, Via};

/// Where the root of the host's first process lies in a container that sees the host's processes.
const FIRST_ROOT: &[u8] = b"/proc/1/root";

/// An execution in a container with its mounted paths as the host knows them.
pub(crate) struct OnHost {
    pub(crate) execution: Execution,
    /// Indices of the words that were mapped.
    pub(crate) moved: Vec<usize>,
    /// Some redirection was mapped.
    pub(crate) redirected: bool,
}

/// Whether what runs behind these carriers runs on this machine, in its own root.
pub(crate) fn is_local(via: &[Via]) -> bool {
    let entered = via
        .iter()
        .rposition(|via| matches!(&via.host, Host::Root(root) if root.is(FIRST_ROOT)));
    // `docker run --pid=host … nsenter -t 1 -m`: whoever joins the first process leaves.
    let outside = match entered {
        Some(at) if shares_processes(via.get(..at).unwrap_or_default()) => at,
        _ => 0,
    };
    via.iter().skip(outside).all(|via| via.host.is_local())
        && !via.iter().any(|via| via.host == Host::Remote)
}

/// Whether every container on the way sees the processes of the host.
pub(crate) fn shares_processes(via: &[Via]) -> bool {
    via.iter().all(|via| match &via.host {
        Host::Local | Host::Root(_) => true,
        Host::Remote => false,
        Host::Container(mounts) => mounts.iter().any(|(_, inside)| inside.is(FIRST_ROOT)),
    })
}

/// The execution as the host sees it, for the innermost container that mounts something; none when
/// no word, no redirection and not the directory that it runs in lies below a mount.
pub(crate) fn on_host(execution: &Execution) -> Option<OnHost> {
    if execution.via.iter().any(|via| via.host == Host::Remote) {
        return None;
    }
    let mut out = execution.clone();
    let mut moved = Vec::new();
    let mut redirected = false;
    for via in execution.via.iter().rev() {
        let mounts = match &via.host {
            Host::Container(mounts) => mounts,
            Host::Root(root) => {
                below(&mut out, root);
                continue;
            }
            Host::Local | Host::Remote => continue,
        };
        // A relative word lies where the container's own directory does.
        let directory = map(&out.cwd, mounts);
        if let Some(directory) = &directory {
            out.cwd = Arc::new(directory.clone());
        }
        for (at, arg) in out.argv.iter_mut().enumerate().skip(1) {
            let relative = is_relative(&arg.value);
            if directory.is_some() && relative && !moved.contains(&at) {
                moved.push(at);
            }
            if let Some(mapped) = map_word(&arg.value, mounts) {
                arg.value = mapped;
                if !moved.contains(&at) {
                    moved.push(at);
                }
            }
        }
        for redirection in &mut out.redirections {
            redirected |= directory.is_some() && is_relative(&redirection.target);
            if let Some(mapped) = map(&redirection.target, mounts) {
                redirection.target = mapped;
                redirected = true;
            }
        }
    }
    for via in &mut out.via {
        via.host = Host::Local;
    }
    (redirected || !moved.is_empty()).then_some(OnHost {
        execution: out,
        moved,
        redirected,
    })
}

fn is_relative(value: &Value) -> bool {
    value
        .known_prefix()
        .first()
        .is_none_or(|byte| *byte != b'/')
}

/// Puts what is named from another root below the carrier's directory.
fn below(execution: &mut Execution, root: &Value) {
    let Some(root) = root.bytes() else { return };
    let root = trim(&root).to_vec();
    let moved = |value: &Value| {
        let path = value.bytes()?;
        let joined = path
            .starts_with(b"/")
            .then(|| [root.as_slice(), &*path].concat())?;
        Some(rebuild(value, Cow::Owned(joined)))
    };
    let words = execution.argv.iter_mut().skip(1).map(|arg| &mut arg.value);
    let targets = execution
        .redirections
        .iter_mut()
        .map(|redirection| &mut redirection.target);
    for value in words.chain(targets) {
        if let Some(below) = moved(value) {
            *value = below;
        }
    }
    if let Some(below) = moved(&execution.cwd) {
        execution.cwd = Arc::new(below);
    }
}

/// A word that is a path, or ends in one (`of=/dev/sda`).
fn map_word(value: &Value, mounts: &[(Value, Value)]) -> Option<Value> {
    if let Some(mapped) = map(value, mounts) {
        return Some(mapped);
    }
    let word = value.bytes()?;
    let at = word.iter().position(|byte| *byte == b'=')?;
    let (name, path) = word.split_at(at + 1);
    let mapped = map(&Value::computed(path), mounts)?;
    let mut out = Value::computed(name);
    out.append(&mapped);
    Some(out)
}

fn map(value: &Value, mounts: &[(Value, Value)]) -> Option<Value> {
    let path = value.bytes()?;
    if !path.starts_with(b"/") {
        return None;
    }
    let path = herma_shell::path::normal(&path);
    mounts.iter().find_map(|(host, inside)| {
        let (host, inside) = (host.bytes()?, inside.bytes()?);
        let files = host.len() > 1 && host.ends_with(b"/") && inside.ends_with(b"/");
        let rest = path.strip_prefix(trim(&inside))?;
        if !(rest.is_empty() || rest.starts_with(b"/"))
            || files && (rest.is_empty() || value.has_glob())
        {
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
            out.pieces.push(Piece::Glob {
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
