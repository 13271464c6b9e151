//! The labelled cases, judged by the packs.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a corpus that cannot be read fails the test"
)]
#![expect(clippy::print_stdout, reason = "the shares of a run")]

mod world;

use std::collections::BTreeMap;

use herma_rules::{Decision, Floor, Guard, Policy, Verdict};
use herma_shell::syntax::Dialect;
use serde::Deserialize;

#[derive(Deserialize)]
struct Row {
    id: String,
    cmd: String,
    expect: String,
    kind: String,
    /// Whose work it belongs to; our own cases belong to the first.
    #[serde(default = "first")]
    issue: u32,
    /// Which shell reads it; bash when it does not say.
    #[serde(default)]
    shell: String,
    /// Where it would start.
    #[serde(default = "project")]
    cwd: String,
}

impl Row {
    fn dialect(&self) -> Dialect {
        match self.shell.as_str() {
            "powershell" => Dialect::PowerShell,
            "cmd" => Dialect::Cmd,
            "zsh" => Dialect::Zsh,
            _ => Dialect::Bash,
        }
    }

    fn judged(&self, guard: &Guard) -> Verdict {
        world::check_at(guard, &self.cmd, self.dialect(), &self.cwd)
    }
}

fn project() -> String {
    "/home/dev/proj".to_owned()
}

const fn first() -> u32 {
    1
}

/// The cases that came with the task, and those that we wrote ourselves.
const FILES: [&str; 2] = ["commands.jsonl", "commands-own.jsonl"];

fn rows(file: &str) -> Vec<Row> {
    let path = format!("{}/../../corpus/{file}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn meets(row: &Row, verdict: &Verdict) -> bool {
    match row.expect.as_str() {
        "floor" => verdict.floor == Some(Floor::Hardline),
        "sudo-stdin" => verdict.floor == Some(Floor::SudoStdin),
        "ask" => verdict.decision != Decision::Allow,
        "allow" => verdict.decision == Decision::Allow,
        other => panic!("{}: unknown label {other}", row.id),
    }
}

/// Judges a file's rows of an issue; the share that meets its label, by label.
fn shares(file: &str, issue: u32) -> BTreeMap<String, (usize, usize)> {
    let guard = Guard::new(Policy::manual());
    let mut shares: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let mut failures: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
    for row in rows(file).iter().filter(|row| row.issue == issue) {
        let verdict = row.judged(&guard);
        let share = shares.entry(row.expect.clone()).or_default();
        share.1 += 1;
        if meets(row, &verdict) {
            share.0 += 1;
        } else {
            let rules: Vec<_> = verdict
                .findings
                .iter()
                .map(|finding| finding.rule.as_ref())
                .collect();
            failures
                .entry((row.expect.clone(), row.kind.clone()))
                .or_default()
                .push(format!("{} {:?} {rules:?}", row.id, row.cmd));
        }
    }
    for ((expect, kind), rows) in &failures {
        println!("expected {expect}: {kind}");
        for row in rows {
            println!("    {row}");
        }
    }
    println!("{shares:?}");
    shares
}

fn percent((good, all): (usize, usize)) -> f64 {
    100.0 * good as f64 / all.max(1) as f64
}

#[test]
fn commands_of_the_first_issue_are_judged_as_labelled() {
    for file in FILES {
        let shares = shares(file, 1);
        assert!(percent(shares["floor"]) >= 99.5, "{file}: floors");
        assert!(percent(shares["sudo-stdin"]) >= 100.0, "{file}: sudo-stdin");
        assert!(percent(shares["ask"]) >= 98.0, "{file}: asks");
        assert!(percent(shares["allow"]) >= 99.0, "{file}: allows");
    }
}

#[test]
fn each_command_of_our_own_is_judged_as_labelled() {
    let guard = Guard::new(Policy::manual());
    let wrong: Vec<_> = rows("commands-own.jsonl")
        .into_iter()
        .filter(|row| !meets(row, &row.judged(&guard)))
        .map(|row| format!("{} is not {}: {:?}", row.id, row.expect, row.cmd))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn commands_of_the_second_issue_are_not_allowed() {
    let shares = shares("commands.jsonl", 2);
    assert!(percent(shares["ask"]) >= 90.0, "asks");
}

#[test]
fn no_harmless_command_meets_a_floor() {
    let guard = Guard::new(Policy::manual());
    for row in FILES
        .into_iter()
        .flat_map(rows)
        .filter(|row| row.expect == "allow")
    {
        let verdict = row.judged(&guard);
        assert_eq!(verdict.floor, None, "{} {:?}", row.id, row.cmd);
    }
}

/// Lines that are known to pass though they end in a floor. One that is seen becomes a case of its own.
#[test]
fn a_gap_that_has_closed_is_a_case() {
    let guard = Guard::new(Policy::manual());
    let closed: Vec<_> = rows("gaps.jsonl")
        .into_iter()
        .filter(|row| row.judged(&guard).decision != Decision::Allow)
        .map(|row| format!("{} {:?}", row.id, row.cmd))
        .collect();
    assert!(
        closed.is_empty(),
        "move these from gaps.jsonl to commands-own.jsonl:\n{}",
        closed.join("\n")
    );
}
