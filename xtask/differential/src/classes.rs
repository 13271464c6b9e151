//! Known differences.

/// Which side sees a command alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Ours,
    Theirs,
}

/// One command that only one side sees.
pub(crate) struct Difference<'a> {
    pub(crate) text: &'a str,
    pub(crate) at: usize,
    pub(crate) side: Side,
    pub(crate) parser: &'static str,
}

/// The class of a difference, by what stands in the text.
pub(crate) fn class(_difference: &Difference<'_>) -> Option<&'static str> {
    None
}
