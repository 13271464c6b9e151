//! What the documents say about commands: every row of a table with the columns `example` and
//! `herma` is judged, and must be what the row says.
//!
//! The world is the one of the labelled cases: home `/home/dev`, directory `/home/dev/proj`, nothing
//! else set.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "tests"
)]

mod support;

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use support::Stage;

/// Documents with such tables.
const DOCUMENTS: &[&str] = &["docs/attacks.md", "docs/differences.md"];

/// A row that speaks of a command.
struct Row {
    place: String,
    command: String,
    decision: String,
    /// Names in backticks: rules that must be found.
    rules: Vec<String>,
    /// Labelled cases with the same text.
    cases: Vec<String>,
}

#[test]
fn every_example_in_the_documents_is_judged_as_it_says() {
    let rows = rows();
    assert!(rows.len() > 300, "only {} rows were found", rows.len());
    let input: String = rows
        .iter()
        .map(|row| {
            let line = json!({
                "cmd": row.command,
                "cwd": "/home/dev/proj",
                "env": {"HOME": "/home/dev", "USER": "dev"},
            });
            format!("{line}\n")
        })
        .collect();
    let answers = Stage::new()
        .run_with(&["check", "--batch", "-"], input)
        .rows();
    assert_eq!(answers.len(), rows.len());
    let mut faults = Vec::new();
    for (row, answer) in rows.iter().zip(&answers) {
        let decision = match answer["floor"].as_str() {
            Some("hardline") => "floor",
            Some(other) => other,
            None => answer["decision"].as_str().expect("a decision"),
        };
        let found = answer["rules"].as_array().expect("rules");
        let missing = row.rules.iter().any(|rule| !found.contains(&json!(rule)));
        if decision != row.decision || missing {
            faults.push(format!(
                "{}: {:?} is {decision} {}",
                row.place, row.command, answer["rules"]
            ));
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn every_labelled_case_that_the_documents_name_has_the_text_beside_it() {
    let corpus = read("corpus/commands.jsonl") + &read("corpus/commands-own.jsonl");
    let corpus: HashMap<String, String> = corpus
        .lines()
        .map(|line| {
            let case: Value = serde_json::from_str(line).expect("a case");
            let field = |name: &str| case[name].as_str().expect("a text").to_owned();
            (field("id"), field("cmd"))
        })
        .collect();
    for row in rows() {
        for case in &row.cases {
            assert_eq!(
                corpus.get(case),
                Some(&row.command),
                "{}: {case}",
                row.place
            );
        }
    }
}

#[test]
fn the_introduction_counts_the_attacks_of_the_self_test() {
    let attacks = read("crates/herma/src/commands/sandbox/attacks.toml");
    // One is no attack, but a command that must get through.
    let count = attacks.matches("[[attack]]").count() - 1;
    assert!(
        read("README.md").contains(&format!("tries {count} attacks")),
        "{count}"
    );
}

/// The rules that the introduction shows, put into a file together.
#[test]
fn the_rules_in_the_introduction_are_valid_and_their_examples_hold() {
    let readme = read("README.md");
    let blocks = readme.split("```toml\n").skip(1);
    let rules: String = blocks.filter_map(|rest| rest.split("```").next()).collect();
    assert!(rules.matches("[[rule]]").count() >= 2, "{rules}");
    let stage = Stage::new();
    let file = stage.project().join("rules.toml");
    stage.write(&file, &rules);
    let ran = stage.run(&["rules", "test", "rules.toml"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(name: &str) -> String {
    let path = repository().join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn rows() -> Vec<Row> {
    DOCUMENTS.iter().flat_map(|name| rows_of(name)).collect()
}

fn rows_of(name: &str) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut columns: Option<(usize, usize, usize)> = None;
    for (index, line) in read(name).lines().enumerate() {
        let cells = cells(line);
        if cells.is_empty() {
            columns = None;
            continue;
        }
        let Some((example, herma, by)) = columns else {
            let at = |title: &str| cells.iter().position(|cell| cell == title);
            columns = at("example")
                .zip(at("herma"))
                .zip(at("shown by"))
                .map(|((example, herma), by)| (example, herma, by));
            continue;
        };
        let (Some(command), Some(decision), Some(by)) =
            (cells.get(example), cells.get(herma), cells.get(by))
        else {
            panic!("{name}:{}: a cell is missing", index + 1);
        };
        if decision.starts_with("---") {
            continue;
        }
        rows.push(Row {
            place: format!("{name}:{}", index + 1),
            command: command_of(command),
            decision: decision.clone(),
            rules: names(by, true),
            cases: names(by, false),
        });
    }
    rows
}

/// The cells of a table's row; none for any other line.
fn cells(line: &str) -> Vec<String> {
    let Some(inner) = line
        .strip_prefix('|')
        .and_then(|rest| rest.strip_suffix('|'))
    else {
        return Vec::new();
    };
    inner
        .replace("\\|", "\u{1}")
        .split('|')
        .map(|cell| cell.trim().replace('\u{1}', "|"))
        .collect()
}

/// A code span's text, with the pictures of control characters as what they stand for.
fn command_of(cell: &str) -> String {
    let code = cell
        .strip_prefix("`` ")
        .and_then(|rest| rest.strip_suffix(" ``"))
        .or_else(|| cell.strip_prefix('`')?.strip_suffix('`'))
        .unwrap_or_else(|| panic!("{cell:?} is no code"));
    code.replace('␊', "\n")
        .replace('␛', "\u{1b}")
        .replace('␀', "\0")
}

/// The names in a list: those in backticks, or the others.
fn names(cell: &str, quoted: bool) -> Vec<String> {
    cell.split(',')
        .map(str::trim)
        .filter(|name| !name.is_empty() && name.starts_with('`') == quoted)
        .map(|name| name.trim_matches('`').to_owned())
        .collect()
}
