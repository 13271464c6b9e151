//! Taskfiles.

use super::yaml::scalars;

/// The commands of all tasks, and what fills variables and says whether a task is up to date.
pub(super) fn commands(text: &[u8]) -> Vec<Vec<u8>> {
    let runs = |key: &[u8]| {
        matches!(
            key,
            b"cmds" | b"cmd" | b"sh" | b"defer" | b"status" | b"preconditions"
        )
    };
    scalars(text)
        .into_iter()
        .filter(|scalar| {
            let last = scalar.keys.last().map(Vec::as_slice).unwrap_or_default();
            // `tasks: {name: command}` without more.
            let short = matches!(scalar.keys.as_slice(), [tasks, _] if tasks == b"tasks");
            runs(last) || short
        })
        .map(|scalar| scalar.value)
        .filter(|value| !value.is_empty())
        .collect()
}
