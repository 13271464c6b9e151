//! herma's view.

use std::collections::BTreeSet;

use herma_shell::syntax::Dialect;
use herma_shell::{EmptyWorld, Request, Status, analyse};

use super::is_marker;

/// Offsets of the marker as a command.
pub(crate) struct Ours {
    /// Run by anything.
    pub(crate) all: BTreeSet<usize>,
    /// Run by the shell that reads the text.
    pub(crate) shell: BTreeSet<usize>,
}

pub(crate) fn commands(text: &str) -> Option<Ours> {
    let request = Request {
        text: text.as_bytes(),
        dialect: Dialect::Bash,
        cwd: b"/w",
    };
    let analysis = analyse(&request, &EmptyWorld);
    if analysis.status != Status::Clean {
        return None;
    }
    let named = |execution: &&herma_shell::Execution| is_marker(text, execution.at as usize);
    let all = analysis
        .executions
        .iter()
        .filter(named)
        .map(|execution| execution.at as usize)
        .collect();
    let shell = analysis
        .executions
        .iter()
        .filter(named)
        .filter(|execution| execution.via.is_empty())
        .map(|execution| execution.at as usize)
        .collect();
    Some(Ours { all, shell })
}
