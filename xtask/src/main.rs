//! Development tasks of herma.
fn main() {}
