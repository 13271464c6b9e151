//! What must be done in the working directory before and behind a run.
