//! Where the shell is.

use crate::value::{Origin, Value};

/// How many directories of a `cd` that may have failed are kept.
const MAX_STAYED: usize = 4;

/// Where the shell is in another reading, and `$OLDPWD` there.
pub(crate) type Stayed = (Value, Option<Value>);

/// Where the shell is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) cwd: Value,
    /// Where the shell may be if one of the last `cd` failed and nothing says that it did not.
    pub(crate) stayed: Vec<Stayed>,
    /// `$OLDPWD`
    pub(crate) previous: Option<Value>,
    /// What `popd` goes back to.
    pub(crate) stack: Vec<Value>,
}

impl Place {
    /// Notes directories in which the shell is if a `cd` failed; of many, the latest are kept.
    pub(crate) fn stay_in(&mut self, directories: &[Stayed]) {
        for stayed in directories {
            let known = (&self.cwd, &self.previous);
            if self.stayed.len() < MAX_STAYED
                && (&stayed.0, &stayed.1) != known
                && !self.stayed.contains(stayed)
            {
                self.stayed.push(stayed.clone());
            }
        }
    }

    /// Takes in what another way to the same directory says.
    pub(super) fn join(&mut self, other: &Self) {
        self.stay_in(&other.stayed);
        if self.previous != other.previous {
            self.previous = Some(Value::unknown(Origin::Variable(b"OLDPWD".to_vec())));
        }
        if self.stack != other.stack {
            let length = self.stack.len().max(other.stack.len());
            let unknown = Value::unknown(Origin::Variable(b"DIRSTACK".to_vec()));
            self.stack = vec![unknown; length];
        }
    }
}
