//! One file: TOML to settings and rules, each with its place.

use herma_patterns::Expression;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::error::{ConfigError, Kind, RuleFault};
use crate::key::{KEYS, Key, RULE_KEYS, Shape};
use crate::layers::Layer;
use crate::rule::{self, Action, Example, UserRule};
use crate::source::Source;
use crate::suggest;

/// A checked value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    Text(String),
    Integer(i64),
    Boolean(bool),
    Texts(Vec<String>),
    /// Checked for its type only.
    Opaque,
}

/// A key with its value and place.
#[derive(Clone, Debug)]
pub(crate) struct Setting {
    pub(crate) key: &'static Key,
    /// The path as written, with names in the places of `*`.
    pub(crate) path: String,
    pub(crate) value: Value,
    /// Byte offsets of the value in the file.
    pub(crate) span: std::ops::Range<usize>,
}

/// A rule with the place of its id.
#[derive(Clone, Debug)]
pub(crate) struct PlacedRule {
    pub(crate) rule: UserRule,
    pub(crate) span: std::ops::Range<usize>,
}

/// What a file says.
#[derive(Debug, Default)]
pub(crate) struct Document {
    pub(crate) settings: Vec<Setting>,
    pub(crate) rules: Vec<PlacedRule>,
    pub(crate) errors: Vec<ConfigError>,
}

/// Most faults that are reported for one file.
const MAX_ERRORS: usize = 20;

impl Document {
    /// Reads a text. `rules_only` is set for files in `rules.d`.
    pub(crate) fn parse(source: &Source<'_>, rules_only: bool) -> Self {
        let mut document = Self::default();
        match DeTable::parse(source.text) {
            Ok(table) => Reader {
                source,
                rules_only,
                document: &mut document,
            }
            .table(table.get_ref(), &mut Vec::new()),
            Err(error) => {
                let span = error.span().unwrap_or(0..0);
                let what = Kind::Syntax(error.message().to_owned());
                document.errors.push(source.error(span, what));
            }
        }
        document.errors.truncate(MAX_ERRORS);
        document
    }
}

struct Reader<'a, 'd> {
    source: &'d Source<'a>,
    rules_only: bool,
    document: &'d mut Document,
}

impl Reader<'_, '_> {
    fn fault(&mut self, span: std::ops::Range<usize>, what: Kind, suggestion: Option<String>) {
        if self.document.errors.len() < MAX_ERRORS {
            let mut error = self.source.error(span, what);
            error.suggestion = suggestion;
            self.document.errors.push(error);
        }
    }

    /// Walks a table. The depth is that of the longest key in the table of keys.
    fn table(&mut self, table: &DeTable<'_>, names: &mut Vec<String>) {
        for (name, value) in table {
            names.push(name.get_ref().to_string());
            let path = names.join(".");
            if self.rules_only && path != "rule" {
                self.fault(name.span(), Kind::RulesOnly(path), None);
            } else if let Some(key) = KEYS.iter().find(|key| key.matches(names)) {
                self.setting(key, path, name.span(), value);
            } else if leads_on(names) {
                match value.get_ref() {
                    DeValue::Table(inner) => self.table(inner, names),
                    other => {
                        let what = Kind::WrongType {
                            key: path,
                            expected: "a table",
                            found: type_name(other),
                        };
                        self.fault(value.span(), what, None);
                    }
                }
            } else {
                let suggestion = meant(names);
                self.fault(name.span(), Kind::UnknownKey(path), suggestion);
            }
            names.pop();
        }
    }

    fn setting(
        &mut self,
        key: &'static Key,
        path: String,
        name: std::ops::Range<usize>,
        value: &Spanned<DeValue<'_>>,
    ) {
        if self.source.layer == Layer::Project && !key.project {
            return self.fault(name, Kind::NotInProject(path), None);
        }
        if key.shape == Shape::Rules {
            return self.rules(value);
        }
        match typed(key, &path, value.get_ref()) {
            Ok(typed) => self.document.settings.push(Setting {
                key,
                path,
                value: typed,
                span: value.span(),
            }),
            Err(what) => {
                let suggestion = match &what {
                    Kind::NotAChoice { found, choices, .. } => {
                        suggest::nearest(found, choices.iter().copied()).map(str::to_owned)
                    }
                    _ => None,
                };
                self.fault(value.span(), what, suggestion);
            }
        }
    }

    fn rules(&mut self, value: &Spanned<DeValue<'_>>) {
        let wrong = |found| Kind::WrongType {
            key: "rule".to_owned(),
            expected: "[[rule]] tables",
            found,
        };
        let DeValue::Array(entries) = value.get_ref() else {
            return self.fault(value.span(), wrong(type_name(value.get_ref())), None);
        };
        for entry in entries.iter() {
            match entry.get_ref() {
                DeValue::Table(table) => self.rule(table, entry.span()),
                other => self.fault(entry.span(), wrong(type_name(other)), None),
            }
        }
    }

    fn rule(&mut self, table: &DeTable<'_>, whole: std::ops::Range<usize>) {
        let before = self.document.errors.len();
        let mut fields = Vec::new();
        let mut examples = Vec::new();
        for (name, value) in table {
            let path = name.get_ref().as_ref();
            let Some(key) = RULE_KEYS.iter().find(|key| key.path == path) else {
                let known = RULE_KEYS.iter().map(|key| key.path);
                let suggestion = suggest::nearest(path, known).map(str::to_owned);
                self.fault(
                    name.span(),
                    Kind::UnknownKey(format!("rule.{path}")),
                    suggestion,
                );
                continue;
            };
            match typed(key, &format!("rule.{path}"), value.get_ref()) {
                Ok(Value::Texts(_)) if matches!(path, "blocks" | "passes") => {
                    self.examples(path == "blocks", value, &mut examples);
                }
                Ok(typed) => fields.push((key.path, typed, value.span())),
                Err(what) => self.fault(value.span(), what, None),
            }
        }
        if self.document.errors.len() > before {
            return;
        }
        match self.build(&fields, whole) {
            // Examples are command lines.
            Ok(rule) if !rule.rule.tool.is_empty() && !examples.is_empty() => {
                self.fault(rule.span, Kind::Rule(RuleFault::ArgvAndTool), None);
            }
            Ok(mut rule) => {
                rule.rule.examples = examples;
                self.document.rules.push(rule);
            }
            Err((span, fault)) => {
                let meant = match &fault {
                    RuleFault::UnknownTool(name) => tool_meant(name),
                    _ => None,
                };
                self.fault(span, Kind::Rule(fault), meant);
            }
        }
    }

    /// The command lines of `blocks` or `passes`, each with its place.
    fn examples(&mut self, blocks: bool, value: &Spanned<DeValue<'_>>, found: &mut Vec<Example>) {
        let DeValue::Array(entries) = value.get_ref() else {
            return;
        };
        if entries.len() > rule::MAX_EXAMPLES {
            return self.fault(value.span(), Kind::Rule(RuleFault::TooManyExamples), None);
        }
        for entry in entries.iter() {
            if let DeValue::String(text) = entry.get_ref() {
                found.push(Example {
                    text: text.to_string(),
                    blocks,
                    span: entry.span(),
                });
            }
        }
    }

    fn build(
        &self,
        fields: &[(&'static str, Value, std::ops::Range<usize>)],
        whole: std::ops::Range<usize>,
    ) -> Result<PlacedRule, (std::ops::Range<usize>, RuleFault)> {
        let field = |name: &'static str| fields.iter().find(|(path, ..)| *path == name);
        let text = |name: &'static str| match field(name) {
            Some((_, Value::Text(text), span)) => Some((text.clone(), span.clone())),
            _ => None,
        };
        let missing = |name| (whole.clone(), RuleFault::Missing(name));
        let (id, id_span) = text("id").ok_or_else(|| missing("id"))?;
        rule::check_id(&id).map_err(|fault| (id_span.clone(), fault))?;
        let (action, action_span) = text("action").ok_or_else(|| missing("action"))?;
        let action = match action.as_str() {
            "allow" => Action::Allow,
            "ask" => Action::Ask,
            // Anything else was refused with its type.
            _ => Action::Deny,
        };
        if action == Action::Allow && self.source.layer == Layer::Project {
            return Err((action_span, RuleFault::AllowInProject));
        }
        let texts = |name: &'static str| match field(name) {
            Some((_, Value::Texts(texts), span)) => Some((texts.clone(), span.clone())),
            _ => None,
        };
        if let (Some(_), Some((_, _, span))) = (field("tool"), field("regex")) {
            return Err((span.clone(), RuleFault::ArgvAndTool));
        }
        let (argv, tool, path) = match (texts("argv"), texts("tool"), texts("path")) {
            (Some(_), Some((_, span)), _) => return Err((span, RuleFault::ArgvAndTool)),
            (_, None, Some((_, span))) => return Err((span, RuleFault::PathWithoutTool)),
            (None, None, None) => return Err(missing("argv")),
            (Some((argv, span)), None, None) => {
                rule::check_argv(action, &argv).map_err(|fault| (span, fault))?;
                (argv, Vec::new(), Vec::new())
            }
            (None, Some((tool, span)), path) => {
                let place = path.as_ref().map_or(span, |(_, span)| span.clone());
                let path = path.map(|(path, _)| path);
                rule::check_tool(action, &tool, path.as_deref()).map_err(|fault| (place, fault))?;
                (Vec::new(), tool, path.unwrap_or_default())
            }
        };
        let cwd = text("cwd");
        if let Some((cwd, span)) = &cwd {
            rule::check_cwd(cwd).map_err(|fault| (span.clone(), fault))?;
        }
        let regex = match text("regex") {
            Some((source, span)) => {
                Some(Expression::new(&source).map_err(|why| (span, RuleFault::Regex(why)))?)
            }
            None => None,
        };
        let aliases = match field("aliases") {
            Some((_, Value::Texts(aliases), span)) => {
                for alias in aliases {
                    rule::check_id(alias).map_err(|fault| (span.clone(), fault))?;
                }
                aliases.clone()
            }
            _ => Vec::new(),
        };
        Ok(PlacedRule {
            rule: UserRule {
                id,
                action,
                argv,
                tool,
                path,
                cwd: cwd.map(|(cwd, _)| cwd),
                regex,
                aliases,
                examples: Vec::new(),
                why: text("why").map(|(why, _)| why),
                layer: self.source.layer,
                file: self.source.file.to_owned(),
                line: self.source.line(id_span.start),
            },
            span: id_span,
        })
    }
}

/// Whether some key begins with these names.
fn leads_on(names: &[String]) -> bool {
    KEYS.iter().any(|key| {
        let parts: Vec<&str> = key.path.split('.').collect();
        parts.len() > names.len()
            && names
                .iter()
                .zip(&parts)
                .all(|(name, part)| *part == "*" || part == name)
    })
}

/// The key that was probably meant: one with the same parents, else one that ends in this name.
fn meant(names: &[String]) -> Option<String> {
    let (name, parents) = names.split_last()?;
    let siblings = KEYS.iter().filter_map(|key| {
        let parts: Vec<&str> = key.path.split('.').collect();
        let same = parents
            .iter()
            .zip(&parts)
            .all(|(name, part)| *part == "*" || part == name);
        parts
            .get(parents.len())
            .copied()
            .filter(|part| same && *part != "*")
    });
    if let Some(sibling) = suggest::nearest(name, siblings) {
        let mut full = parents.to_vec();
        full.push(sibling.to_owned());
        return Some(full.join("."));
    }
    let ends = |key: &&Key| key.path.rsplit('.').next() == Some(name.as_str());
    KEYS.iter().find(ends).map(|key| key.path.to_owned())
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

/// The value in its key's type.
fn typed(key: &Key, path: &str, value: &DeValue<'_>) -> Result<Value, Kind> {
    let wrong = |expected, found| Kind::WrongType {
        key: path.to_owned(),
        expected,
        found,
    };
    let number = |text: &toml::de::DeInteger<'_>| {
        i64::from_str_radix(text.as_str(), text.radix()).unwrap_or(i64::MAX)
    };
    match (key.shape, value) {
        (Shape::Choice(choices), DeValue::String(text)) => {
            if choices.contains(&text.as_ref()) {
                Ok(Value::Text(text.to_string()))
            } else {
                Err(Kind::NotAChoice {
                    key: path.to_owned(),
                    found: text.to_string(),
                    choices,
                })
            }
        }
        (Shape::Integer { min, max }, DeValue::Integer(text)) => {
            let number = number(text);
            if (min..=max).contains(&number) {
                Ok(Value::Integer(number))
            } else {
                Err(Kind::OutOfRange {
                    key: path.to_owned(),
                    min,
                    max,
                })
            }
        }
        (Shape::Boolean | Shape::Scalar, DeValue::Boolean(truth)) => Ok(Value::Boolean(*truth)),
        (Shape::Text | Shape::Scalar, DeValue::String(text)) => Ok(Value::Text(text.to_string())),
        (Shape::Scalar, DeValue::Integer(text)) => Ok(Value::Integer(number(text))),
        (Shape::Texts, DeValue::Array(entries)) => entries
            .iter()
            .map(|entry| match entry.get_ref() {
                DeValue::String(text) => Ok(text.to_string()),
                other => Err(wrong("a list of texts", type_name(other))),
            })
            .collect::<Result<_, _>>()
            .map(Value::Texts),
        (Shape::Table, DeValue::Table(_)) | (Shape::Tables, DeValue::Array(_)) => Ok(Value::Opaque),
        (shape, other) => Err(wrong(shape.expected(), type_name(other))),
    }
}

impl Shape {
    /// What belongs there, in words.
    pub(crate) fn expected(self) -> &'static str {
        match self {
            Self::Choice(_) | Self::Text => "a text",
            Self::Integer { .. } => "a whole number",
            Self::Boolean => "true or false",
            Self::Texts => "a list of texts",
            Self::Scalar => "a text, number or truth value",
            Self::Table => "a table",
            Self::Tables | Self::Rules => "[[…]] tables",
        }
    }
}

/// The file tool that was meant; their names differ in case from what one may write.
fn tool_meant(name: &str) -> Option<String> {
    let same = rule::FILE_TOOLS
        .iter()
        .find(|tool| tool.eq_ignore_ascii_case(name));
    same.copied()
        .or_else(|| suggest::nearest(name, rule::FILE_TOOLS.iter().copied()))
        .map(str::to_owned)
}

#[cfg(test)]
mod tests;
