//! Packs as Rust source.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::pack::{Clause, Packs, Programs, camel, snake};
use crate::pools::Pools;

/// The static tables that `src/pack.rs` includes.
pub(crate) fn tables(packs: &Packs, programs: &Programs) -> String {
    let mut out = String::new();
    let mut clauses: Vec<String> = Vec::new();
    let mut by_program: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    let mut unanchored: [Vec<usize>; 3] = Default::default();
    let mut pools = Pools::default();

    out.push_str("pub(crate) static RULES: &[Rule] = &[\n");
    for (index, (pack, rule)) in packs.rules.iter().enumerate() {
        let _ = writeln!(
            out,
            "Rule {{ id: {:?}, pack: {pack:?}, severity: Severity::{:?}, floor: {}, title: {:?}, \
             why: {:?}, suggest: {:?}, aliases: &{:?}, each_time: {}, blocks: &{:?}, passes: &{:?} }},",
            rule.id,
            rule.severity,
            rule.floor
                .map_or("None".into(), |floor| format!("Some(Floor::{floor:?})")),
            rule.title,
            rule.why,
            rule.suggest,
            rule.aliases,
            rule.each_time,
            rule.blocks,
            rule.passes,
        );
        for clause in &rule.when {
            let clause = clause.get_ref();
            let runs = clause.run.list();
            if runs.is_empty() {
                let [effects, environments, facts] = &mut unanchored;
                let list = if !clause.effect.list().is_empty() {
                    effects
                } else if !clause.environment.list().is_empty() {
                    environments
                } else {
                    facts
                };
                list.push(clauses.len());
                clauses.push(emit_clause(&mut pools, index, clause, ""));
            }
            for run in runs {
                let (program, words) = run.split_once(' ').unwrap_or((run, ""));
                for name in program.split('|') {
                    by_program
                        .entry(name.to_owned())
                        .or_default()
                        .push(clauses.len());
                }
                clauses.push(emit_clause(&mut pools, index, clause, words));
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
        let _ = writeln!(out, "pub(crate) static {table}: &[(Text, List<u16>)] = &[");
        for (name, list) in rows {
            let name = pools.text(name.trim_end_matches('*'));
            let list = pools
                .indices
                .list(list.iter().map(usize::to_string).collect());
            let _ = writeln!(out, "({name}, {list}),");
        }
        out.push_str("];\n");
    }
    for (name, list) in ["BY_EFFECT", "BY_ENVIRONMENT", "BY_FACT"]
        .iter()
        .zip(&unanchored)
    {
        let _ = writeln!(out, "pub(crate) static {name}: &[u16] = &{list:?};");
    }
    emit_known(&mut out, &mut pools, &packs.known);
    emit_programs(&mut out, &mut pools, programs);
    pools.emit(&mut out);
    out
}

fn emit_clause(pools: &mut Pools, rule: usize, clause: &Clause, words: &str) -> String {
    let has = clause.has.list().into_iter();
    let has = has.map(|alternatives| pools.flags(alternatives)).collect();
    let has = pools.flag_lists.list(has);
    let not = pools.flags(&clause.not.list().join("|"));
    let builtin = clause.builtin.list().into_iter();
    let builtin = builtin.map(|name| format!("crate::predicate::{}", snake(name)));
    let builtin = pools.predicates.list(builtin.collect());
    format!(
        "Clause {{ rule: {rule}, words: {}, has: {has}, not: {not}, operand: {}, spare: {}, \
         least: {}, most: {}, effect: {}, place: {}, beyond: {}, environment: {}, fact: {}, \
         text: {}, statement: {}, builtin: {builtin} }}",
        pools.words(words),
        pools.texts(&clause.operand.list()),
        pools.texts(&clause.spare.list()),
        clause.least,
        clause.most.unwrap_or(u16::MAX.into()),
        pools.verbs.list(variants("Verb", &clause.effect.list())),
        pools.places.list(variants("Place", &clause.place.list())),
        pools.places.list(variants("Place", &clause.beyond.list())),
        pools.texts(&clause.environment.list()),
        pools.facts.list(variants("FactKind", &clause.fact.list())),
        pools.texts(&clause.text.list()),
        pools
            .statements
            .list(variants("Statement", &clause.statement.list())),
    )
}

fn variants(kind: &str, names: &[&str]) -> Vec<String> {
    names
        .iter()
        .map(|name| format!("{kind}::{}", camel(name)))
        .collect()
}

fn emit_known(out: &mut String, pools: &mut Pools, known: &[String]) {
    let mut rows: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for run in known {
        let (program, words) = run.split_once(' ').unwrap_or((run, ""));
        for name in program.split('|') {
            rows.entry(name).or_default().push(pools.words(words));
        }
    }
    out.push_str("pub(crate) static KNOWN: &[(Text, List<List<List<Text>>>)] = &[\n");
    for (name, list) in rows {
        let (name, list) = (pools.text(name), pools.words.list(list));
        let _ = writeln!(out, "({name}, {list}),");
    }
    out.push_str("];\n");
}

fn emit_programs(out: &mut String, pools: &mut Pools, programs: &Programs) {
    let mut rows: BTreeMap<String, String> = BTreeMap::new();
    for program in &programs.programs {
        for key in program.keys() {
            let mut list = |text: &str| pools.texts(&text.split_whitespace().collect::<Vec<_>>());
            let (value, text) = (list(&program.value), list(&program.text));
            let row = format!(
                "Syntax {{ value: {value}, style: Style::{:?}, abbreviates: {}, stops: {}, \
                 separate: {}, caseless: {}, text: {text} }}",
                program.style,
                program.abbreviates,
                program.stops,
                program.separate,
                program.caseless,
            );
            rows.insert(key, row);
        }
    }
    out.push_str("pub(crate) static SYNTAX: &[(Text, Syntax)] = &[\n");
    for (key, row) in rows {
        let _ = writeln!(out, "({}, {row}),", pools.text(&key));
    }
    out.push_str("];\n");
}
