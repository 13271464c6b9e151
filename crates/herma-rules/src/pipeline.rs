//! Which programs' output reaches an execution, however many filters stand between.

use herma_shell::{Execution, Origin, Piece, Value};

/// How many executions back a source is looked for.
const FARTHEST: usize = 32;
/// How many filters are followed.
const LONGEST: usize = 8;

/// The programs whose output is among the arguments or the standard input of the execution at
/// `index`, and those that feed them in turn: nearest first.
pub(crate) fn sources(executions: &[Execution], index: usize) -> Vec<Vec<u8>> {
    followed(executions, index).0
}

/// The executions of those programs in front of the one at `index`.
pub(crate) fn feeders(executions: &[Execution], index: usize) -> Vec<&Execution> {
    let (_, found) = followed(executions, index);
    found
        .into_iter()
        .filter_map(|at| executions.get(at))
        .collect()
}

/// Names of the programs, and where their executions are.
fn followed(executions: &[Execution], index: usize) -> (Vec<Vec<u8>>, Vec<usize>) {
    let mut found: Vec<Vec<u8>> = Vec::new();
    let mut places = Vec::new();
    let Some(execution) = executions.get(index) else {
        return (found, places);
    };
    let mut at = index;
    let mut names = outputs(execution.argv.iter().skip(1).map(|arg| &arg.value));
    names.extend(outputs(&execution.stdin));
    let carried = execution.via.last().is_some_and(|via| via.name == "xargs");
    if carried && let Some(carrier) = before(executions, at, b"xargs") {
        at = carrier;
        names.extend(
            executions
                .get(carrier)
                .map(|own| outputs(&own.stdin))
                .unwrap_or_default(),
        );
    }
    for _ in 0..LONGEST {
        let mut farther = Vec::new();
        for name in names {
            if let Some(source) = before(executions, at, &name) {
                at = at.min(source);
                places.push(source);
                if let Some(own) = executions.get(source) {
                    farther.extend(outputs(&own.stdin));
                }
            }
            if !found.contains(&name) {
                found.push(name);
            }
        }
        if farther.is_empty() {
            break;
        }
        names = farther;
    }
    (found, places)
}

/// The nearest execution of this program in front of `index`.
fn before(executions: &[Execution], index: usize, name: &[u8]) -> Option<usize> {
    let start = index.saturating_sub(FARTHEST);
    executions
        .get(start..index)?
        .iter()
        .rposition(|own| own.program().is_some_and(|own| own == name))
        .map(|at| at + start)
}

fn outputs<'a>(values: impl IntoIterator<Item = &'a Value>) -> Vec<Vec<u8>> {
    let mut names = Vec::new();
    for piece in values.into_iter().flat_map(|value| &value.pieces) {
        let Piece::Unknown(unknown) = piece else {
            continue;
        };
        let name = match &unknown.origin {
            Origin::Output(name) => name.as_slice(),
            // As if `cat` printed it.
            Origin::File(_) => b"cat",
            _ => continue,
        };
        if !names.iter().any(|own| own == name) {
            names.push(name.to_vec());
        }
    }
    names
}
