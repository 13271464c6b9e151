//! One text: TOML to drafts of profiles, each value with its place.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use herma_config::{ConfigError, Kind, Layer, ProfileFault, nearest};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::key::{KEYS, Key, Shape};
use super::pattern::{Anchor, Pattern};
use super::size::size;

/// Most faults that are reported for one text.
const MAX_FAULTS: usize = 20;

/// A checked value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Value {
    Patterns(Vec<(Pattern, Range<usize>)>),
    Variables(Vec<(String, Range<usize>)>),
    Number(u64),
    Truth(bool),
    Text(String),
}

/// What one text says about one profile.
#[derive(Clone, Debug)]
pub(super) struct Draft {
    pub(super) name: String,
    pub(super) layer: Layer,
    /// Whether herma itself brings it: everybody may change it.
    pub(super) builtin: bool,
    pub(super) file: PathBuf,
    pub(super) text: Arc<str>,
    /// The place of the name.
    pub(super) span: Range<usize>,
    pub(super) values: BTreeMap<&'static str, (Value, Range<usize>)>,
}

impl Draft {
    pub(super) fn fault(&self, span: Range<usize>, what: Kind) -> ConfigError {
        ConfigError::at(&self.file, &self.text, span, what)
    }

    /// The line of a place, from 1.
    pub(super) fn line(&self, span: &Range<usize>) -> u32 {
        let before = self.text.get(..span.start).unwrap_or_default();
        u32::try_from(before.matches('\n').count() + 1).unwrap_or(u32::MAX)
    }
}

/// Reads the tables below `profiles` of a configuration; other keys are left to it.
pub(super) fn configuration(
    layer: Layer,
    file: &Path,
    text: &str,
) -> Result<Vec<Draft>, Vec<ConfigError>> {
    let mut reader = Reader::new(layer, file, text);
    if let Some(table) = reader.table()
        && let Some((_, value)) = table
            .get_ref()
            .iter()
            .find(|(name, _)| name.get_ref() == "profiles")
    {
        match value.get_ref() {
            DeValue::Table(profiles) => {
                for (name, value) in profiles {
                    reader.profile(name.get_ref(), name.span(), value);
                }
            }
            other => reader.wrong("profiles", "a table", other, value.span()),
        }
    }
    reader.end()
}

/// Reads a text that is one profile.
pub(super) fn whole(name: &str, file: &Path, text: &str) -> Result<Vec<Draft>, Vec<ConfigError>> {
    let mut reader = Reader::new(Layer::System, file, text);
    if let Some(table) = reader.table() {
        reader.draft(name, 0..0, table.get_ref());
    }
    for draft in &mut reader.drafts {
        draft.builtin = true;
    }
    reader.end()
}

struct Reader<'a> {
    layer: Layer,
    file: &'a Path,
    text: &'a str,
    shared: Arc<str>,
    drafts: Vec<Draft>,
    faults: Vec<ConfigError>,
}

impl<'a> Reader<'a> {
    fn new(layer: Layer, file: &'a Path, text: &'a str) -> Self {
        Self {
            layer,
            file,
            text,
            shared: text.into(),
            drafts: Vec::new(),
            faults: Vec::new(),
        }
    }

    fn end(mut self) -> Result<Vec<Draft>, Vec<ConfigError>> {
        // Tables are read in the order of their names.
        self.faults.sort_by_key(|fault| (fault.line, fault.column));
        if self.faults.is_empty() {
            Ok(self.drafts)
        } else {
            Err(self.faults)
        }
    }

    fn table(&mut self) -> Option<Spanned<DeTable<'a>>> {
        match DeTable::parse(self.text) {
            Ok(table) => Some(table),
            Err(error) => {
                let what = Kind::Syntax(error.message().to_owned());
                self.fault(error.span().unwrap_or(0..0), what, None);
                None
            }
        }
    }

    fn fault(&mut self, span: Range<usize>, what: Kind, suggestion: Option<&str>) {
        if self.faults.len() < MAX_FAULTS {
            let mut fault = ConfigError::at(self.file, self.text, span, what);
            fault.suggestion = suggestion.map(str::to_owned);
            self.faults.push(fault);
        }
    }

    fn wrong(
        &mut self,
        key: &str,
        expected: &'static str,
        found: &DeValue<'_>,
        span: Range<usize>,
    ) {
        let what = Kind::WrongType {
            key: key.to_owned(),
            expected,
            found: type_name(found),
        };
        self.fault(span, what, None);
    }

    fn profile(&mut self, name: &str, span: Range<usize>, value: &Spanned<DeValue<'_>>) {
        match value.get_ref() {
            DeValue::Table(table) => self.draft(name, span, table),
            other => self.wrong(&format!("profiles.{name}"), "a table", other, value.span()),
        }
    }

    fn draft(&mut self, name: &str, span: Range<usize>, table: &DeTable<'_>) {
        let mut values = BTreeMap::new();
        self.keys(table, "", &mut values);
        self.drafts.push(Draft {
            name: name.to_owned(),
            layer: self.layer,
            builtin: false,
            file: self.file.to_owned(),
            text: Arc::clone(&self.shared),
            span,
            values,
        });
    }

    fn keys(
        &mut self,
        table: &DeTable<'_>,
        before: &str,
        values: &mut BTreeMap<&'static str, (Value, Range<usize>)>,
    ) {
        for (name, value) in table {
            let path = format!("{before}{}", name.get_ref());
            let inside = format!("{path}.");
            if let Some(key) = KEYS.iter().find(|key| key.path == path) {
                if let Some(read) = self.value(key, value) {
                    values.insert(key.path, (read, value.span()));
                }
            } else if before.is_empty() && KEYS.iter().any(|key| key.path.starts_with(&inside)) {
                match value.get_ref() {
                    DeValue::Table(below) => self.keys(below, &inside, values),
                    other => self.wrong(&path, "a table", other, value.span()),
                }
            } else {
                let meant = meant(&path);
                self.fault(name.span(), Kind::UnknownKey(path), meant);
            }
        }
    }

    fn value(&mut self, key: &Key, value: &Spanned<DeValue<'_>>) -> Option<Value> {
        let span = value.span();
        match (key.shape, value.get_ref()) {
            (Shape::Paths { names, .. }, DeValue::Array(_)) => self
                .texts(key, value, |text| {
                    let pattern = Pattern::parse(text);
                    pattern
                        .filter(|it| names || it.anchor() != Anchor::Anywhere)
                        .ok_or_else(|| ProfileFault::Path(text.to_owned()))
                })
                .map(Value::Patterns),
            (Shape::Variables, DeValue::Array(_)) => self
                .texts(key, value, |text| {
                    is_variable(text)
                        .then(|| text.to_owned())
                        .ok_or_else(|| ProfileFault::Variable(text.to_owned()))
                })
                .map(Value::Variables),
            (Shape::Size | Shape::Count, DeValue::Integer(number)) => {
                let number = u64::from_str_radix(number.as_str(), number.radix());
                match number {
                    Ok(number @ 1..=MAX_NUMBER) => Some(Value::Number(number)),
                    _ => {
                        let max = i64::try_from(MAX_NUMBER).unwrap_or(i64::MAX);
                        let key = key.path.to_owned();
                        self.fault(span, Kind::OutOfRange { key, min: 1, max }, None);
                        None
                    }
                }
            }
            (Shape::Size, DeValue::String(text)) => {
                if let Some(number @ 1..=MAX_NUMBER) = size(text) {
                    return Some(Value::Number(number));
                }
                let what = Kind::Profile(ProfileFault::Size(text.to_string()));
                self.fault(span, what, None);
                None
            }
            (Shape::Permission, DeValue::Boolean(truth)) => Some(Value::Truth(*truth)),
            (Shape::Choice(choices), DeValue::String(word)) => {
                if choices.contains(&word.as_ref()) {
                    return Some(Value::Text(word.to_string()));
                }
                let meant = nearest(word, choices.iter().copied());
                let what = Kind::NotAChoice {
                    key: key.path.to_owned(),
                    found: word.to_string(),
                    choices,
                };
                self.fault(span, what, meant);
                None
            }
            (Shape::About | Shape::Extends, DeValue::String(text)) => {
                Some(Value::Text(text.to_string()))
            }
            (shape, other) => {
                self.wrong(key.path, expected(shape), other, span);
                None
            }
        }
    }

    /// The texts of a list, each read by `read`.
    fn texts<T>(
        &mut self,
        key: &Key,
        value: &Spanned<DeValue<'_>>,
        read: impl Fn(&str) -> Result<T, ProfileFault>,
    ) -> Option<Vec<(T, Range<usize>)>> {
        let DeValue::Array(entries) = value.get_ref() else {
            return None;
        };
        let mut found = Vec::new();
        for entry in entries.iter() {
            match entry.get_ref() {
                DeValue::String(text) => match read(text) {
                    Ok(read) => found.push((read, entry.span())),
                    Err(fault) => self.fault(entry.span(), Kind::Profile(fault), None),
                },
                other => self.wrong(key.path, "a list of texts", other, entry.span()),
            }
        }
        Some(found)
    }
}

/// The largest number that a limit may be; kernel interfaces take it as a signed one.
const MAX_NUMBER: u64 = i64::MAX as u64;

/// The key that was probably meant: one that is spelt alike, or whose last name is this.
fn meant(path: &str) -> Option<&'static str> {
    let last = |path: &'static str| path.rsplit('.').next().unwrap_or(path);
    let own = path.rsplit('.').next().unwrap_or(path);
    nearest(path, KEYS.iter().map(|key| key.path)).or_else(|| {
        let near = nearest(own, KEYS.iter().map(|key| last(key.path)))?;
        KEYS.iter()
            .map(|key| key.path)
            .find(|path| last(path) == near)
    })
}

fn is_variable(name: &str) -> bool {
    let stem = name.strip_suffix('*').unwrap_or(name);
    !stem.is_empty()
        && stem
            .bytes()
            .all(|it| it.is_ascii_alphanumeric() || it == b'_')
}

fn expected(shape: Shape) -> &'static str {
    match shape {
        Shape::Paths { .. } | Shape::Variables => "a list of texts",
        Shape::Size => "a size such as \"512 MiB\"",
        Shape::Count => "a whole number",
        Shape::Permission => "true or false",
        Shape::Choice(_) | Shape::About | Shape::Extends => "a text",
    }
}

fn type_name(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a text",
        DeValue::Integer(_) => "a whole number",
        DeValue::Float(_) => "a fraction",
        DeValue::Boolean(_) => "true or false",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    }
}
