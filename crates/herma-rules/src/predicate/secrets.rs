//! Files with secrets.

use crate::kept;
use crate::matching::Subject;

/// What is read is not only made a value of the line.
pub(crate) fn seen(subject: &Subject<'_>) -> bool {
    !kept::becomes_value(subject.execution, subject.effects)
}
