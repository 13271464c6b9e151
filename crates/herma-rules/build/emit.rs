//! Packs as Rust source.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::pack::{Clause, Packs, Programs, camel};

/// The static tables that `src/pack.rs` includes.
pub(crate) fn tables(packs: &Packs, programs: &Programs) -> String {
    let mut out = String::new();
    let mut clauses: Vec<String> = Vec::new();
    let mut by_program: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    let mut unanchored: [Vec<usize>; 3] = Default::default();

    out.push_str("pub(crate) static RULES: &[Rule] = &[\n");
    for (index, (pack, rule)) in packs.rules.iter().enumerate() {
        let _ = writeln!(
            out,
            "Rule {{ id: {:?}, pack: {pack:?}, severity: Severity::{:?}, floor: {}, title: {:?}, \
             why: {:?}, suggest: {:?}, aliases: &{:?}, blocks: &{:?}, passes: &{:?} }},",
            rule.id,
            rule.severity,
            rule.floor
                .map_or("None".into(), |floor| format!("Some(Floor::{floor:?})")),
            rule.title,
            rule.why,
            rule.suggest,
            rule.aliases,
            rule.blocks,
            rule.passes,
        );
        for clause in &rule.when {
            let clause = clause.get_ref();
            let runs = clause.run.list();
            if runs.is_empty() {
                let kind = if !clause.effect.list().is_empty() {
                    0
                } else if !clause.environment.list().is_empty() {
                    1
                } else {
                    2
                };
                unanchored[kind].push(clauses.len());
                clauses.push(emit_clause(index, clause, ""));
            }
            for run in runs {
                let (program, words) = run.split_once(' ').unwrap_or((run, ""));
                for name in program.split('|') {
                    by_program
                        .entry(name.to_owned())
                        .or_default()
                        .push(clauses.len());
                }
                clauses.push(emit_clause(index, clause, words));
            }
        }
    }
    out.push_str("];\n\n");
    let _ = writeln!(
        out,
        "pub(crate) static CLAUSES: &[Clause] = &[\n{}\n];",
        clauses.join(",\n")
    );
    let (globs, names): (Vec<_>, Vec<_>) =
        by_program.iter().partition(|(name, _)| name.contains('*'));
    for (table, rows) in [("BY_NAME", names), ("BY_PREFIX", globs)] {
        let _ = writeln!(out, "pub(crate) static {table}: &[(&str, &[u16])] = &[");
        for (name, list) in rows {
            let _ = writeln!(out, "({:?}, &{list:?}),", name.trim_end_matches('*'));
        }
        out.push_str("];\n");
    }
    for (name, list) in ["BY_EFFECT", "BY_ENVIRONMENT", "BY_FACT"]
        .iter()
        .zip(&unanchored)
    {
        let _ = writeln!(out, "pub(crate) static {name}: &[u16] = &{list:?};");
    }
    emit_known(&mut out, &packs.known);
    emit_programs(&mut out, programs);
    out
}

fn emit_clause(rule: usize, clause: &Clause, words: &str) -> String {
    let has: Vec<String> = clause
        .has
        .list()
        .iter()
        .map(|alternatives| flags(alternatives))
        .collect();
    let not = clause.not.list().join("|");
    format!(
        "Clause {{ rule: {rule}, words: {}, has: &[{}], not: {}, operand: &{:?}, spare: &{:?}, \
         least: {}, most: {}, effect: {}, place: {}, beyond: {}, environment: &{:?}, fact: {}, \
         text: &{:?}, statement: {}, builtin: &[{}] }}",
        emit_words(words),
        has.join(", "),
        flags(&not),
        clause.operand.list(),
        clause.spare.list(),
        clause.least,
        clause.most.unwrap_or(usize::MAX),
        variants("Verb", &clause.effect.list()),
        variants("Place", &clause.place.list()),
        variants("Place", &clause.beyond.list()),
        clause.environment.list(),
        variants("FactKind", &clause.fact.list()),
        clause.text.list(),
        variants("Statement", &clause.statement.list()),
        clause
            .builtin
            .list()
            .iter()
            .map(|name| format!("crate::predicate::{}", name.replace('-', "_")))
            .collect::<Vec<_>>()
            .join(", "),
    )
}

fn emit_words(words: &str) -> String {
    let words: Vec<String> = words
        .split_whitespace()
        .map(|word| format!("&{:?}", word.split('|').collect::<Vec<_>>()))
        .collect();
    format!("&[{}]", words.join(", "))
}

fn flags(alternatives: &str) -> String {
    let flags: Vec<String> = alternatives
        .split('|')
        .filter(|name| !name.is_empty())
        .map(|flag| {
            let (name, value) = match flag.split_once('=') {
                Some((name, value)) => (name, Some(value)),
                None => (flag, None),
            };
            format!("Flag {{ name: {name:?}, value: {value:?} }}")
        })
        .collect();
    format!("&[{}]", flags.join(", "))
}

fn variants(kind: &str, names: &[&str]) -> String {
    let list: Vec<String> = names
        .iter()
        .map(|name| format!("{kind}::{}", camel(name)))
        .collect();
    format!("&[{}]", list.join(", "))
}

fn emit_known(out: &mut String, known: &[String]) {
    let mut rows: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for run in known {
        let (program, words) = run.split_once(' ').unwrap_or((run, ""));
        for name in program.split('|') {
            rows.entry(name).or_default().push(emit_words(words));
        }
    }
    out.push_str("pub(crate) static KNOWN: &[(&str, &[&[&[&str]]])] = &[\n");
    for (name, list) in rows {
        let _ = writeln!(out, "({name:?}, &[{}]),", list.join(", "));
    }
    out.push_str("];\n");
}

fn emit_programs(out: &mut String, programs: &Programs) {
    let mut rows: BTreeMap<String, String> = BTreeMap::new();
    for program in &programs.programs {
        let (names, words) = program.name.split_once(' ').unwrap_or((&program.name, ""));
        for name in names.split('|') {
            let key = format!("{name} {words}");
            let list = |text: &str| format!("&{:?}", text.split_whitespace().collect::<Vec<_>>());
            let row = format!(
                "Syntax {{ value: {}, style: Style::{:?}, abbreviates: {}, stops: {}, separate: {}, \
                 caseless: {}, text: {} }}",
                list(&program.value),
                program.style,
                program.abbreviates,
                program.stops,
                program.separate,
                program.caseless,
                list(&program.text),
            );
            rows.insert(key.trim_end().to_owned(), row);
        }
    }
    out.push_str("pub(crate) static SYNTAX: &[(&str, Syntax)] = &[\n");
    for (key, row) in rows {
        let _ = writeln!(out, "({key:?}, {row}),");
    }
    out.push_str("];\n");
}
