//! The herma command line.
fn main() {}
