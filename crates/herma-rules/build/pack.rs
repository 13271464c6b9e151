//! The format of `rules/*.toml`.

use std::collections::BTreeSet;

use serde::Deserialize;
use toml::Spanned;

/// Names in the crate's source that packs may use.
pub(crate) struct Names {
    pub(crate) verbs: Vec<String>,
    pub(crate) places: Vec<String>,
    pub(crate) facts: Vec<String>,
    pub(crate) statements: Vec<String>,
    pub(crate) predicates: Vec<String>,
}

/// One rule as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct Rule {
    pub(crate) id: String,
    pub(crate) severity: Severity,
    /// Which floor; for rules of that severity only.
    pub(crate) floor: Option<Floor>,
    pub(crate) title: String,
    pub(crate) why: String,
    pub(crate) suggest: Option<String>,
    #[serde(default)]
    pub(crate) aliases: Vec<String>,
    /// Neither a rule that allows nor the mode `off` silences it.
    #[serde(default)]
    pub(crate) each_time: bool,
    pub(crate) when: Vec<Spanned<Clause>>,
    pub(crate) blocks: Vec<String>,
    pub(crate) passes: Vec<String>,
}

#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Severity {
    Floor,
    High,
    Medium,
    Low,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Floor {
    Hardline,
    SudoStdin,
}

/// One clause: all that it names must hold.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub(crate) struct Clause {
    /// Program and subcommand words, alternatives with `|`; several lines are alternatives too.
    pub(crate) run: OneOrMany,
    /// Options that must be there; alternatives with `|`, a wanted value behind `=`.
    pub(crate) has: OneOrMany,
    /// Options of which none may be there.
    pub(crate) not: OneOrMany,
    /// Globs of which one must match an operand behind the words of `run`.
    pub(crate) operand: OneOrMany,
    /// Globs that no operand may match.
    pub(crate) spare: OneOrMany,
    /// How many operands at least stand behind the words.
    pub(crate) least: usize,
    /// How many operands at most stand behind the words.
    pub(crate) most: Option<usize>,
    /// What is done.
    pub(crate) effect: OneOrMany,
    /// To what; one of these.
    pub(crate) place: OneOrMany,
    /// To none of these.
    pub(crate) beyond: OneOrMany,
    /// Variables of which one is set for the execution.
    pub(crate) environment: OneOrMany,
    /// A property of the line.
    pub(crate) fact: OneOrMany,
    /// Text of which one piece stands in an argument or in standard input, without case.
    pub(crate) text: OneOrMany,
    /// A kind of SQL statement among the texts for a client.
    pub(crate) statement: OneOrMany,
    /// Functions of `src/predicate/`; all must hold.
    pub(crate) builtin: OneOrMany,
}

/// A string or a list of strings.
#[derive(Deserialize, Default)]
#[serde(untagged)]
pub(crate) enum OneOrMany {
    #[default]
    None,
    One(String),
    Many(Vec<String>),
}

impl OneOrMany {
    pub(crate) fn list(&self) -> Vec<&str> {
        match self {
            Self::None => Vec::new(),
            Self::One(one) => vec![one],
            Self::Many(many) => many.iter().map(String::as_str).collect(),
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PackFile {
    rule: Vec<Spanned<Rule>>,
}

/// All rules, with the pack that each stands in.
#[derive(Default)]
pub(crate) struct Packs {
    pub(crate) rules: Vec<(String, Rule)>,
    pub(crate) known: Vec<String>,
    ids: BTreeSet<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct KnownFile {
    run: Vec<String>,
}

impl Packs {
    pub(crate) fn read(&mut self, pack: &str, text: &str, names: &Names) -> Result<(), String> {
        let file: PackFile = toml::from_str(text).map_err(|error| error.to_string())?;
        for rule in file.rule {
            let line = line_of(text, rule.span().start);
            let rule = rule.into_inner();
            let at = |what: String| format!("line {line}: {}: {what}", rule.id);
            for id in rule.aliases.iter().chain([&rule.id]) {
                if !self.ids.insert(id.clone()) {
                    return Err(at(format!("the id {id} is given twice")));
                }
            }
            if !rule.when.is_empty() && (rule.blocks.is_empty() || rule.passes.is_empty()) {
                return Err(at("needs examples in blocks and in passes".into()));
            }
            if rule.floor.is_some() != (rule.severity == Severity::Floor) {
                return Err(at("severity floor and the key floor go together".into()));
            }
            for clause in &rule.when {
                let line = line_of(text, clause.span().start);
                check(clause.get_ref(), names)
                    .map_err(|what| format!("line {line}: {}: {what}", rule.id))?;
            }
            self.rules.push((pack.to_owned(), rule));
        }
        Ok(())
    }

    pub(crate) fn read_known(&mut self, text: &str) -> Result<(), String> {
        let file: KnownFile = toml::from_str(text).map_err(|error| error.to_string())?;
        self.known = file.run;
        Ok(())
    }
}

fn check(clause: &Clause, names: &Names) -> Result<(), String> {
    let known = |names: &[String], given: &OneOrMany, what: &str| {
        given.list().iter().try_for_each(|name| {
            if names.contains(&camel(name)) || names.contains(&snake(name)) {
                Ok(())
            } else {
                Err(format!("{name} is no {what}"))
            }
        })
    };
    known(&names.verbs, &clause.effect, "effect")?;
    known(&names.places, &clause.place, "place")?;
    known(&names.places, &clause.beyond, "place")?;
    known(&names.facts, &clause.fact, "fact")?;
    known(&names.statements, &clause.statement, "statement")?;
    known(&names.predicates, &clause.builtin, "builtin")?;
    if clause.effect.list().is_empty()
        && !(clause.place.list().is_empty() && clause.beyond.list().is_empty())
    {
        return Err("place and beyond need an effect".into());
    }
    let anchored = [
        &clause.run,
        &clause.effect,
        &clause.environment,
        &clause.fact,
    ];
    if anchored.iter().all(|list| list.list().is_empty()) {
        return Err("names neither run nor effect, environment or fact".into());
    }
    for option in clause.has.list().iter().chain(&clause.not.list()) {
        if option
            .split('|')
            .any(|name| !name.starts_with(['-', '/', '+']))
        {
            return Err(format!("{option} is no option"));
        }
    }
    Ok(())
}

/// How a program's arguments are read.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct Program {
    /// Program, or program and subcommand; alternatives of the program with `|`.
    pub(crate) name: String,
    /// Options with an operand, separated by blanks.
    #[serde(default)]
    pub(crate) value: String,
    /// How options look.
    #[serde(default)]
    pub(crate) style: Style,
    /// Long options may be cut short.
    #[serde(default)]
    pub(crate) abbreviates: bool,
    /// Options end at the first operand.
    #[serde(default)]
    pub(crate) stops: bool,
    /// The subcommand's options are its own.
    #[serde(default)]
    pub(crate) separate: bool,
    /// Words and options compare without case.
    #[serde(default)]
    pub(crate) caseless: bool,
    /// Options whose operands are statements for a server.
    #[serde(default)]
    pub(crate) text: String,
}

impl Program {
    /// The program's names, each with the subcommand.
    pub(crate) fn keys(&self) -> impl Iterator<Item = String> {
        let (names, words) = self.name.split_once(' ').unwrap_or((&self.name, ""));
        names
            .split('|')
            .map(move |name| format!("{name} {words}").trim_end().to_owned())
    }
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Style {
    /// `-a`, `-ab`, `--long`, `--long=value`.
    #[default]
    Gnu,
    /// `-long`, `--long`.
    Single,
    /// `/a`, `-Long`.
    Windows,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ProgramsFile {
    program: Vec<Spanned<Program>>,
}

#[derive(Default)]
pub(crate) struct Programs {
    pub(crate) programs: Vec<Program>,
}

impl Programs {
    pub(crate) fn read(&mut self, text: &str) -> Result<(), String> {
        let file: ProgramsFile = toml::from_str(text).map_err(|error| error.to_string())?;
        let mut keys = BTreeSet::new();
        for program in file.program {
            let line = line_of(text, program.span().start);
            let program = program.into_inner();
            for key in program.keys() {
                if keys.contains(&key) {
                    return Err(format!("line {line}: {key} is given twice"));
                }
                keys.insert(key);
            }
            self.programs.push(program);
        }
        Ok(())
    }
}

/// The variants of an enum in Rust source that has one a line.
pub(crate) fn variants(source: &str, name: &str) -> Vec<String> {
    let head = format!(" enum {name} {{");
    source
        .lines()
        .skip_while(|line| !(line.starts_with("pub") && line.ends_with(&head)))
        .skip(1)
        .take_while(|line| *line != "}")
        .filter_map(|line| line.trim().strip_suffix(','))
        .filter(|word| word.chars().all(|c| c.is_ascii_alphanumeric()))
        .map(str::to_owned)
        .collect()
}

/// The functions in Rust source that the crate may call.
pub(crate) fn functions(source: &str) -> impl Iterator<Item = String> {
    source
        .lines()
        .filter_map(|line| line.strip_prefix("pub(crate) fn "))
        .filter_map(|rest| rest.split('(').next())
        .map(str::to_owned)
}

/// `no-input` as `no_input`.
pub(crate) fn snake(name: &str) -> String {
    name.replace('-', "_")
}

/// `delete-tree` as `DeleteTree`.
pub(crate) fn camel(name: &str) -> String {
    name.split('-')
        .map(|part| {
            let mut chars = part.chars();
            chars
                .next()
                .map(|first| first.to_ascii_uppercase().to_string() + chars.as_str())
                .unwrap_or_default()
        })
        .collect()
}

fn line_of(text: &str, offset: usize) -> usize {
    text.bytes()
        .take(offset)
        .filter(|byte| *byte == b'\n')
        .count()
        + 1
}
