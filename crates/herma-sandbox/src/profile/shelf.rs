//! All profiles: herma's own and those of every layer, with what they inherit.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};

use herma_config::{ConfigError, Kind, Layer, ProfileFault, ProfileFile, nearest};

use super::document::{self, Draft, Value};
use super::key::{KEYS, Shape, rank};
use super::{BUILTIN, Profile};

/// What every profile extends that does not say otherwise.
const DEFAULT: &str = "default";

/// Most profiles between one and the last that it extends.
const MAX_DEPTH: usize = 32;

/// Profiles by name. Texts are added in the order of their layers, the machine's first.
#[derive(Clone, Debug)]
pub struct Shelf {
    drafts: BTreeMap<String, Vec<Draft>>,
}

/// A value that counts, and who wrote it last.
#[derive(Clone, Debug)]
struct Written {
    value: Value,
    /// `None` for herma itself.
    by: Option<(Layer, PathBuf, u32)>,
}

/// Values by key.
type Values = BTreeMap<&'static str, Written>;

impl Shelf {
    /// herma's own profiles.
    ///
    /// # Errors
    /// None; a test reads them all.
    pub fn builtin() -> Result<Self, Vec<ConfigError>> {
        let mut shelf = Self {
            drafts: BTreeMap::new(),
        };
        for (name, text) in BUILTIN {
            let file = PathBuf::from(format!("{name}.toml"));
            shelf.take(document::whole(name, &file, text)?);
        }
        Ok(shelf)
    }

    /// herma's own profiles and those of a configuration's files.
    ///
    /// # Errors
    /// Every fault found, never an empty list.
    pub fn of(files: &[ProfileFile]) -> Result<Self, Vec<ConfigError>> {
        let mut shelf = Self::builtin()?;
        let mut faults = Vec::new();
        for file in files {
            if let Err(more) = shelf.add(file.layer, &file.file, &file.text) {
                faults.extend(more);
            }
        }
        if faults.is_empty() {
            Ok(shelf)
        } else {
            Err(faults)
        }
    }

    /// Adds the `[profiles.NAME]` tables of a text and checks every profile that it names.
    ///
    /// # Errors
    /// Every fault found, never an empty list; nothing is added then.
    pub fn add(&mut self, layer: Layer, file: &Path, text: &str) -> Result<(), Vec<ConfigError>> {
        let drafts = document::configuration(layer, file, text)?;
        let named: BTreeSet<String> = drafts.iter().map(|draft| draft.name.clone()).collect();
        let mut next = self.clone();
        next.take(drafts);
        let mut faults: Vec<ConfigError> = Vec::new();
        for name in named {
            let found = next.values(&name, &mut Vec::new()).err();
            for fault in found.into_iter().flatten() {
                // A profile's fault is one of those that extend it, too.
                if !faults.contains(&fault) {
                    faults.push(fault);
                }
            }
        }
        if faults.is_empty() {
            *self = next;
            Ok(())
        } else {
            Err(faults)
        }
    }

    fn take(&mut self, drafts: Vec<Draft>) {
        for draft in drafts {
            self.drafts
                .entry(draft.name.clone())
                .or_default()
                .push(draft);
        }
    }

    /// The names of all profiles, in alphabetical order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.drafts.keys().map(String::as_str)
    }

    /// The name that was probably meant.
    #[must_use]
    pub fn nearest(&self, name: &str) -> Option<&str> {
        nearest(name, self.names())
    }

    /// The profile with this name; `None` when there is none.
    ///
    /// # Errors
    /// None for what [`Shelf::add`] took.
    pub fn profile(&self, name: &str) -> Result<Option<Profile>, Vec<ConfigError>> {
        if !self.drafts.contains_key(name) {
            return Ok(None);
        }
        let values = self.values(name, &mut Vec::new())?;
        let values = values
            .into_iter()
            .map(|(key, it)| (key, it.value))
            .collect();
        Ok(Some(Profile::of(name, &values)))
    }

    /// What holds for a profile: what it extends, then what each layer says.
    fn values(&self, name: &str, above: &mut Vec<String>) -> Result<Values, Vec<ConfigError>> {
        let drafts = self.drafts.get(name).map(Vec::as_slice).unwrap_or_default();
        let Some(first) = drafts.first() else {
            return Ok(Values::new());
        };
        let (parent, place) = self.parent(first);
        above.push(name.to_owned());
        let mut values = match parent {
            Some(parent) if above.contains(&parent) || above.len() > MAX_DEPTH => {
                above.push(parent);
                let what = Kind::Profile(ProfileFault::Circle(above.clone()));
                return Err(vec![first.fault(place, what)]);
            }
            Some(parent) if !self.drafts.contains_key(&parent) => {
                let meant = self.nearest(&parent).map(str::to_owned);
                let what = Kind::Profile(ProfileFault::Parent(parent));
                let mut fault = first.fault(place, what);
                fault.suggestion = meant;
                return Err(vec![fault]);
            }
            Some(parent) => self.values(&parent, above)?,
            None => Values::new(),
        };
        above.pop();
        let mut faults = Vec::new();
        for (index, draft) in drafts.iter().enumerate() {
            lay(draft, index > 0, &mut values, &mut faults);
        }
        if faults.is_empty() {
            Ok(values)
        } else {
            Err(faults)
        }
    }

    /// What a profile extends, and where it says so.
    fn parent(&self, first: &Draft) -> (Option<String>, Range<usize>) {
        match first.values.get("extends") {
            Some((Value::Text(parent), span)) => (Some(parent.clone()), span.clone()),
            _ if first.builtin => (None, 0..0),
            _ => (Some(DEFAULT.to_owned()), first.span.clone()),
        }
    }
}

/// Lays what a draft says over what holds so far.
fn lay(draft: &Draft, again: bool, values: &mut Values, faults: &mut Vec<ConfigError>) {
    for key in KEYS {
        let Some((value, span)) = draft.values.get(key.path) else {
            continue;
        };
        if key.shape == Shape::Extends {
            if again {
                let what = Kind::Profile(ProfileFault::ExtendsAgain(draft.name.clone()));
                faults.push(draft.fault(span.clone(), what));
            }
            continue;
        }
        let higher = values.get(key.path);
        let bound = !draft.builtin && binds(draft.layer, higher);
        if bound && let Some(place) = looser(key.shape, higher.map(|it| &it.value), value, span) {
            let than = higher
                .and_then(|it| it.by.as_ref())
                .map(|(_, file, line)| (file.clone(), *line));
            let key = key.path.to_owned();
            faults.push(draft.fault(place, Kind::Looser { key, than }));
            continue;
        }
        let by = (!draft.builtin).then(|| (draft.layer, draft.file.clone(), draft.line(span)));
        let value = joined(higher.map(|it| &it.value), value);
        values.insert(key.path, Written { value, by });
    }
}

/// Whether a layer may only tighten a value: a project's always, every other what a higher layer
/// wrote.
fn binds(layer: Layer, higher: Option<&Written>) -> bool {
    layer == Layer::Project
        || higher
            .and_then(|it| it.by.as_ref())
            .is_some_and(|(by, ..)| *by < layer)
}

/// Where a value is looser than what holds; nothing holds where `higher` is `None`, and everything
/// may be done.
fn looser(
    shape: Shape,
    higher: Option<&Value>,
    value: &Value,
    span: &Range<usize>,
) -> Option<Range<usize>> {
    let whole = |looser: bool| looser.then(|| span.clone());
    match (shape, higher, value) {
        (Shape::Paths { denies: false, .. }, _, Value::Patterns(new)) => {
            let old = match higher {
                Some(Value::Patterns(old)) => old.as_slice(),
                _ => &[],
            };
            new.iter()
                .find(|(new, _)| !old.iter().any(|(old, _)| old == new))
                .map(|(_, span)| span.clone())
        }
        (Shape::Variables, _, Value::Variables(new)) => {
            let old = match higher {
                Some(Value::Variables(old)) => old.as_slice(),
                _ => &[],
            };
            new.iter()
                .find(|(new, _)| !old.iter().any(|(old, _)| old == new))
                .map(|(_, span)| span.clone())
        }
        (Shape::Size | Shape::Count, Some(Value::Number(old)), Value::Number(new)) => {
            whole(new > old)
        }
        (Shape::Permission, Some(Value::Truth(old)), Value::Truth(new)) => whole(*new && !*old),
        (Shape::Choice(choices), Some(Value::Text(old)), Value::Text(new)) => {
            whole(rank(choices, new) < rank(choices, old))
        }
        _ => None,
    }
}

/// Lists are joined, anything else is replaced.
fn joined(old: Option<&Value>, new: &Value) -> Value {
    match (old, new) {
        (Some(Value::Patterns(old)), Value::Patterns(new)) => Value::Patterns(both(old, new)),
        (Some(Value::Variables(old)), Value::Variables(new)) => Value::Variables(both(old, new)),
        _ => new.clone(),
    }
}

fn both<T: Clone + PartialEq>(
    old: &[(T, Range<usize>)],
    new: &[(T, Range<usize>)],
) -> Vec<(T, Range<usize>)> {
    let mut all = old.to_vec();
    for entry in new {
        if !all.iter().any(|(it, _)| *it == entry.0) {
            all.push(entry.clone());
        }
    }
    all
}
