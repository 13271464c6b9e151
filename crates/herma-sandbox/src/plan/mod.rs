//! What a sandbox looks like, before it is made.
