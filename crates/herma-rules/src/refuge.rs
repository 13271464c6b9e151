//! Directories that take in what a line moves: they may be called as what can be made again is, or
//! be temporary, and yet hold what is nowhere else.

use herma_shell::{Arg, Execution, Value};

use crate::effect::Verb;
use crate::model;
use crate::place::{self, Place};
use crate::scene::Scene;
use crate::unpacked::absolute;

/// More say nothing new.
const MOST: usize = 32;

/// Where a line moved something that cannot be made again.
#[derive(Default)]
pub(crate) struct Refuge {
    /// Absolute paths.
    targets: Vec<Vec<u8>>,
}

impl Refuge {
    /// Takes in what an execution moves (`mv src node_modules`, `git mv src dist`).
    pub(crate) fn follow(&mut self, base: &[u8], execution: &Execution, scene: &Scene) {
        let words = match base {
            b"mv" | b"gmv" => execution.argv.get(1..),
            b"git"
                if execution
                    .argv
                    .get(1)
                    .is_some_and(|verb| verb.value.is(b"mv")) =>
            {
                execution.argv.get(2..)
            }
            _ => None,
        };
        let operands: Vec<&Value> = words
            .unwrap_or_default()
            .iter()
            .map(|arg: &Arg| &arg.value)
            .filter(|value| value.known_prefix().first() != Some(&b'-'))
            .collect();
        let Some((target, sources)) = operands.split_last() else {
            return;
        };
        let lasting = sources.iter().any(|source| {
            let places = place::places(source, &execution.cwd, scene);
            !places
                .iter()
                .any(|place| matches!(place, Place::Regenerable | Place::TempChild))
        });
        if lasting && self.targets.len() < MOST {
            self.targets
                .extend(target.bytes().and_then(|path| absolute(&path, execution)));
        }
    }

    /// Whether the execution deletes a tree that took something in, or a directory around it.
    pub(crate) fn loses(&self, base: &[u8], execution: &Execution, scene: &Scene) -> bool {
        if self.targets.is_empty() || matches!(base, b"mv" | b"gmv" | b"git") {
            return false;
        }
        model::effects(execution, scene)
            .iter()
            .filter(|effect| effect.verb == Verb::DeleteTree)
            .filter_map(|effect| execution.argv.get(effect.argument?))
            .filter_map(|arg| absolute(&arg.value.bytes()?, execution))
            .any(|path| {
                let within = |inner: &[u8], outer: &[u8]| {
                    inner
                        .strip_prefix(outer)
                        .is_some_and(|rest| rest.is_empty() || rest.starts_with(b"/"))
                };
                self.targets
                    .iter()
                    .any(|target| within(target, &path) || within(&path, target))
            })
    }
}
