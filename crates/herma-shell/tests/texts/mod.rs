//! Texts for the comparison with bash: every construct, whole and broken.

mod arithmetic;
mod arrays;
mod case;
mod compounds;
mod expansions;
mod functions;
mod here_documents;
mod lists;
mod quotes;
mod test_commands;

/// The texts by what they are about.
const TOPICS: [&[&str]; 10] = [
    arithmetic::TEXTS,
    arrays::TEXTS,
    case::TEXTS,
    compounds::TEXTS,
    expansions::TEXTS,
    functions::TEXTS,
    here_documents::TEXTS,
    lists::TEXTS,
    quotes::TEXTS,
    test_commands::TEXTS,
];

/// All texts.
pub(crate) fn all() -> impl Iterator<Item = &'static str> {
    TOPICS.into_iter().flatten().copied()
}
