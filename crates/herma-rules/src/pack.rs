//! The packs, as the build has compiled them.

use crate::arguments::{Style, Syntax};
use crate::effect::Verb;
use crate::matching::{Clause, Flag, Predicate};
use crate::place::Place;
use crate::statement::Statement;
use crate::table::{List, Listed, Text};
use crate::verdict::{Floor, Severity};
use herma_shell::FactKind;

/// A rule of a pack.
#[derive(Debug)]
#[non_exhaustive]
pub struct Rule {
    /// The id, such as `git.reset-hard`; stable.
    pub id: &'static str,
    /// The pack that it stands in.
    pub pack: &'static str,
    /// How grave it is.
    pub severity: Severity,
    /// Which floor it is, if one.
    pub floor: Option<Floor>,
    /// One line.
    pub title: &'static str,
    /// What would happen.
    pub why: &'static str,
    /// How a command of these becomes one that does less harm and passes: one way a line.
    pub suggest: Option<&'static str>,
    /// Former ids.
    pub aliases: &'static [&'static str],
    /// Each finding is asked about anew: no rule that allows covers it, and the mode `off` does not
    /// silence it.
    pub each_time: bool,
    /// Command lines in which it is found.
    pub blocks: &'static [&'static str],
    /// Command lines in which it is not.
    pub passes: &'static [&'static str],
}

include!(concat!(env!("OUT_DIR"), "/packs.rs"));

macro_rules! listed {
    ($($kind:ty: $pool:ident),* $(,)?) => {
        $(impl Listed for $kind {
            fn all() -> &'static [Self] {
                $pool
            }
        })*
    };
}

listed! {
    Text: TEXTS,
    List<Text>: TEXT_LISTS,
    List<List<Text>>: WORDS,
    Flag: FLAGS,
    List<Flag>: FLAG_LISTS,
    Verb: VERBS,
    Place: PLACES,
    FactKind: FACTS,
    Statement: STATEMENTS,
    Predicate: PREDICATES,
    u16: INDICES,
}

/// Clauses that start with this program.
pub(crate) fn by_name(name: &str) -> &'static [u16] {
    lookup(BY_NAME, name)
        .map(|clauses| clauses.elements())
        .unwrap_or_default()
}

/// Clauses that start with a program whose name begins as this one does.
pub(crate) fn by_prefix(name: &str) -> impl Iterator<Item = u16> {
    BY_PREFIX
        .iter()
        .filter(move |(prefix, _)| name.starts_with(prefix.text()))
        .flat_map(|(_, clauses)| clauses.iter().copied())
}

/// Whether some clause starts with this program.
pub(crate) fn names(name: &str) -> bool {
    !by_name(name).is_empty() || by_prefix(name).next().is_some()
}

/// Names of programs that clauses start with.
pub(crate) fn all_names() -> impl Iterator<Item = &'static str> {
    BY_NAME.iter().map(|(name, _)| name.text())
}

/// How the arguments of a program, or of its subcommand (`git push`), are read.
pub(crate) fn syntax(key: &str) -> Option<&'static Syntax> {
    lookup(SYNTAX, key)
}

/// Words behind the program under which it is known to be harmless.
pub(crate) fn known(name: &str) -> &'static [List<List<Text>>] {
    lookup(KNOWN, name)
        .map(|list| list.elements())
        .unwrap_or_default()
}

fn lookup<T>(table: &'static [(Text, T)], key: &str) -> Option<&'static T> {
    let index = table
        .binary_search_by(|(name, _)| name.text().cmp(key))
        .ok()?;
    table.get(index).map(|(_, value)| value)
}
