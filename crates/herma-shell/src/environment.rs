//! The variables that an execution gets, shared among executions.
//!
//! A script exports a few names once and then starts thousands of programs: each gets the same
//! bindings.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Deref;
use std::sync::Arc;

use crate::execution::Binding;

/// Bindings in the order in which they were set.
#[derive(Clone, Debug)]
pub struct Environment {
    bindings: Arc<[Binding]>,
    /// Of the bindings; they are long, and asked for with each execution.
    hash: u64,
}

impl Environment {
    /// Whether both are copies of one.
    pub(crate) fn is_copy(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.bindings, &other.bindings)
    }

    /// Changes every binding.
    pub(crate) fn each(&mut self, change: impl FnMut(&mut Binding)) {
        let mut bindings = self.bindings.to_vec();
        bindings.iter_mut().for_each(change);
        *self = bindings.into();
    }
}

impl From<Vec<Binding>> for Environment {
    fn from(bindings: Vec<Binding>) -> Self {
        let mut hasher = DefaultHasher::new();
        bindings.hash(&mut hasher);
        Self {
            bindings: bindings.into(),
            hash: hasher.finish(),
        }
    }
}

impl Deref for Environment {
    type Target = [Binding];

    fn deref(&self) -> &[Binding] {
        &self.bindings
    }
}

impl PartialEq for Environment {
    fn eq(&self, other: &Self) -> bool {
        self.is_copy(other) || (self.hash == other.hash && self.bindings == other.bindings)
    }
}

impl Eq for Environment {}

impl Hash for Environment {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.hash);
    }
}
