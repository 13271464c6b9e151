//! What is printed: for people and for programs.

pub(crate) mod difference;
pub(crate) mod excerpt;
pub(crate) mod human;
pub(crate) mod json;
pub(crate) mod visible;
