//! What was found in one text: each thing once, and the gravest of what says the same.

use herma_shell::Span;

use super::field;
use crate::verdict::{Finding, Floor};

/// A finding with what the decision needs of it.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) finding: Finding,
    pub(crate) floor: Option<Floor>,
    /// Which execution of the analysis it is about.
    pub(crate) execution: Option<usize>,
}

/// Where something was found: in the text, and in the script file that it runs.
type Place = (Span, Option<(u32, u32)>);

impl Found {
    fn place(&self) -> Place {
        let script = self.finding.script.as_ref();
        // Several files that run from one place are rare enough.
        let within = script.map(|script| (script.span.start, script.span.end));
        (self.finding.span, within)
    }
}

/// Findings beyond this many say nothing new; floors are kept.
const MOST_FINDINGS: usize = 256;

/// Rules about one effect, each with those that say less of it at the same place.
const SUBSUMED: &[(&str, &[&str])] = &[
    (
        "fs.delete-root",
        &["fs.delete-tree", "fs.delete-outside", "fs.delete-unnamed"],
    ),
    (
        "fs.delete-empty-join",
        &["fs.delete-tree", "fs.delete-outside", "fs.delete-unnamed"],
    ),
    (
        "fs.delete-tree",
        &["fs.delete-outside", "fs.delete-unnamed"],
    ),
];

/// Whether one rule says more of an effect than another.
pub(super) fn subsumes(rule: &str, other: &str) -> bool {
    SUBSUMED
        .iter()
        .any(|(id, weaker)| *id == rule && weaker.contains(&other))
}

/// Findings as they come.
#[derive(Default)]
pub(super) struct Collected {
    found: Vec<Found>,
}

impl Collected {
    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.found.len()
    }

    /// Those from a number on.
    pub(super) fn since(&mut self, from: usize) -> &mut [Found] {
        self.found.get_mut(from..).unwrap_or_default()
    }

    /// Takes those from a number on out again.
    pub(super) fn split_off(&mut self, from: usize) -> Vec<Found> {
        self.found.split_off(from)
    }

    /// Adds a finding; of two of the same rule at the same place the graver stays.
    pub(super) fn add(&mut self, found: Found) {
        let same = self
            .found
            .iter_mut()
            .find(|own| own.place() == found.place() && own.finding.rule == found.finding.rule);
        if let Some(own) = same {
            if own.floor.is_none() && found.floor.is_some() {
                *own = found;
            }
            return;
        }
        let first_floor =
            found.floor.is_some() && self.found.iter().all(|own| own.floor != found.floor);
        if self.found.len() < MOST_FINDINGS || first_floor {
            self.found.push(found);
        }
    }

    /// Whether the rule is already found as a floor.
    pub(super) fn has_floor(&self, id: &str) -> bool {
        self.found
            .iter()
            .any(|own| own.floor.is_some() && own.finding.rule == id)
    }

    /// Whether a floor says all that a rule would say at a place.
    pub(super) fn has_floor_at(&self, rule: &str, span: Span) -> bool {
        self.found.iter().any(|own| {
            own.floor.is_some()
                && own.finding.span == span
                && field(&own.finding.rule) == field(rule)
        })
    }

    /// What was found, gravest first.
    pub(super) fn finish(mut self) -> Vec<Found> {
        // A floor says all that the same field has to say about a place.
        let floors: Vec<(Place, String)> = self
            .found
            .iter()
            .filter(|found| found.floor.is_some())
            .map(|found| (found.place(), field(&found.finding.rule).to_owned()))
            .collect();
        self.found.retain(|found| {
            let own = (found.place(), field(&found.finding.rule));
            found.floor.is_some()
                || !floors
                    .iter()
                    .any(|(place, floor)| *place == own.0 && floor == own.1)
        });
        // Of two words about one effect the stronger is enough.
        let stronger: Vec<(Place, &'static [&'static str])> = self
            .found
            .iter()
            .filter_map(|found| {
                let (_, weaker) = SUBSUMED.iter().find(|(id, _)| *id == found.finding.rule)?;
                Some((found.place(), *weaker))
            })
            .collect();
        self.found.retain(|found| {
            found.floor.is_some()
                || !stronger.iter().any(|(place, weaker)| {
                    *place == found.place() && weaker.contains(&&*found.finding.rule)
                })
        });
        self.found.sort_by_key(|found| {
            std::cmp::Reverse((found.floor.is_some(), found.finding.severity))
        });
        self.found
    }
}
