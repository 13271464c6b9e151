use std::fs;
use std::path::PathBuf;

use super::{List, Listed, Text};
use crate::matching::Flag;
use crate::pack::{self, CLAUSES, KNOWN, RULES};

/// A text or list whose place does not hold all of it would be read as nothing.
fn text(text: Text) {
    assert_eq!(text.text().len(), usize::from(text.length), "{text:?}");
}

fn list<T: Listed>(list: List<T>) -> &'static [T] {
    let elements = list.elements();
    assert_eq!(elements.len(), usize::from(list.length), "at {}", list.at);
    elements
}

fn texts(own: List<Text>) {
    for own in list(own) {
        text(*own);
    }
}

fn flags(own: List<Flag>) {
    for flag in list(own) {
        text(flag.name);
        flag.value.into_iter().for_each(text);
    }
}

#[test]
fn every_clause_is_where_it_is_said_to_be() {
    for clause in CLAUSES {
        list(clause.words).iter().copied().for_each(texts);
        list(clause.has).iter().copied().for_each(flags);
        flags(clause.not);
        for own in [
            clause.operand,
            clause.spare,
            clause.environment,
            clause.text,
        ] {
            texts(own);
        }
        list(clause.effect);
        list(clause.place);
        list(clause.beyond);
        list(clause.fact);
        list(clause.statement);
        list(clause.builtin);
        assert!(RULES.get(usize::from(clause.rule)).is_some());
    }
}

#[test]
fn every_program_is_where_it_is_said_to_be() {
    for (name, syntax) in pack::SYNTAX {
        text(*name);
        texts(syntax.value);
        texts(syntax.text);
    }
    for (name, runs) in KNOWN {
        text(*name);
        for words in list(*runs) {
            list(*words).iter().copied().for_each(texts);
        }
    }
    for (name, clauses) in pack::BY_NAME.iter().chain(pack::BY_PREFIX) {
        text(*name);
        for index in list(*clauses) {
            assert!(CLAUSES.get(usize::from(*index)).is_some());
        }
    }
}

#[test]
fn nothing_of_the_sources_is_missing() {
    let folder = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../rules"));
    let (mut rules, mut programs, mut known) = (0, 0, 0);
    for entry in fs::read_dir(folder).expect("rules") {
        let path = entry.expect("entry").path();
        if path.extension().is_none_or(|extension| extension != "toml") {
            continue;
        }
        let source = fs::read_to_string(&path).expect("pack");
        rules += source.lines().filter(|line| *line == "[[rule]]").count();
        // How many names a line such as `name = "git|hub push"` gives.
        let names = source
            .lines()
            .filter_map(|line| line.strip_prefix("name = \""));
        programs += names
            .map(|line| {
                line.split([' ', '"'])
                    .next()
                    .map_or(0, |names| names.split('|').count())
            })
            .sum::<usize>();
        if path.ends_with("known.toml") {
            let runs = source
                .lines()
                .filter(|line| line.trim_start().starts_with('"'));
            known = runs.count();
        }
    }
    assert_eq!(RULES.len(), rules);
    assert_eq!(pack::SYNTAX.len(), programs);
    let runs: usize = KNOWN.iter().map(|(_, runs)| runs.len()).sum();
    assert!(known > 0 && runs >= known, "{runs} of {known}");
}
