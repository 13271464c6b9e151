//! `herma path check`.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "tests"
)]

mod support;

use serde_json::json;
use support::Stage;

fn stage() -> Stage {
    let stage = Stage::new();
    stage.write(&stage.project().join("src/m.rs"), "");
    stage.write(&stage.project().join("AGENTS.md"), "");
    stage.write(&stage.project().join(".env"), "");
    stage.write(&stage.home().join(".bashrc"), "");
    std::os::unix::fs::symlink("../home", stage.project().join("out")).expect("a link");
    stage
}

#[test]
fn the_exit_code_says_inside_ask_or_deny() {
    let stage = stage();
    for (words, code) in [
        (&["src/m.rs"][..], 0),
        (&["AGENTS.md"], 0),
        (&["--op", "write", "AGENTS.md"], 3),
        (&[".env"], 3),
        (&["--op", "list", "."], 0),
        (&["--op", "write", "."], 4),
        (&["out/.bashrc"], 4),
        (&["~"], 4),
        (&["a\nb"], 4),
        (&["--root", "/", "/etc/hostname"], 0),
        (
            &["--root", "/", "--op", "write", "~/.herma/grants.jsonl"],
            4,
        ),
        (&["--root", "src", "m.rs"], 4),
        (&["--lexical", "--root", "/w", "../x"], 4),
        (&["--lexical", "--root", "/w", "x"], 0),
        (&["--op", "erase", "x"], 2),
        (&[], 2),
    ] {
        let words = [&["path", "check"], words].concat();
        assert_eq!(stage.run(&words).code, Some(code), "{words:?}");
    }
}

#[test]
fn people_read_where_it_leads_and_why_not() {
    let stage = stage();
    let home = stage.home();
    let said = |words: &[&str]| {
        let words = [&["path", "check"], words].concat();
        let ran = stage.run(&words);
        assert_eq!(ran.stderr, "");
        ran.stdout
    };
    assert_eq!(
        said(&["out/.bashrc"]),
        format!(
            "escape: {}/.bashrc: the path leads out of the root {}\n",
            home.display(),
            stage.project().display()
        )
    );
    assert_eq!(
        said(&["--op", "write", "AGENTS.md"]),
        format!(
            "inside: {}/AGENTS.md\n\
             ask, each time anew: this is a file that agents take orders from (instructions)\n",
            stage.project().display()
        )
    );
    assert_eq!(
        said(&["a\u{202e}b"]),
        "refused: a\\u{202e}b: the path holds a character that changes the writing direction \
         (bidirectional)\n"
    );
}

#[test]
fn programs_read_one_object_a_row() {
    let stage = stage();
    let root = stage.project();
    let rows = [
        json!({"id": 1, "root": root, "path": "src/../src/m.rs", "op": "read", "setup": []}),
        json!({"id": "x", "root": root, "path": "out/.bashrc", "op": "write"}),
        json!({"root": root, "path": "~/p", "env": {"HOME": root}}),
        json!({"root": "", "path": "p"}),
        json!({"root": root, "path": "p", "op": "erase"}),
        json!({"root": root}),
    ];
    let input: String = rows.iter().map(|row| format!("{row}\n")).collect();
    let ran = stage.run_with(&["path", "check", "--batch", "-"], input);
    assert_eq!(ran.code, Some(1));
    let expected = [
        json!({"v": 1, "id": 1, "verdict": "inside", "code": null, "protected": null,
            "path": root.join("src/m.rs"), "links": 1}),
        json!({"v": 1, "id": "x", "verdict": "escape", "code": "outside",
            "protected": {"class": "shell-startup", "action": "ask"},
            "path": stage.home().join(".bashrc"), "links": 1}),
        json!({"v": 1, "verdict": "inside", "code": null, "protected": null,
            "path": root.join("p"), "links": null}),
        json!({"v": 1, "verdict": "refused", "code": "root-relative", "protected": null,
            "path": null, "links": null}),
    ];
    let answers = ran.rows();
    assert_eq!(answers.len(), rows.len());
    for (answer, expected) in answers.iter().zip(&expected) {
        assert_eq!(answer, expected);
    }
    for answer in &answers[expected.len()..] {
        assert!(answer["error"].is_string(), "{answer}");
    }
}

#[test]
fn a_path_need_not_be_utf8() {
    let stage = stage();
    let row = format!(
        "{{\"root\":{},\"path\":\"a\\udcff\",\"op\":\"write\"}}\n",
        json!(stage.project())
    );
    let answer = stage
        .run_with(&["path", "check", "--batch", "-"], row)
        .json();
    assert_eq!(answer["verdict"], "inside");
    assert!(answer["path"]["b64"].is_string(), "{answer}");
}

#[test]
fn every_path_in_the_documents_has_a_case() {
    let repository = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let read = |name: &str| std::fs::read_to_string(repository.join(name)).expect("a file");
    let corpus: std::collections::HashMap<String, String> = read("corpus/paths.jsonl")
        .lines()
        .map(|line| {
            let case: serde_json::Value = serde_json::from_str(line).expect("a case");
            let field = |name: &str| case[name].as_str().expect("a text").to_owned();
            (field("id"), field("expect"))
        })
        .collect();
    let document = read("docs/attacks.md");
    let (_, table) = document
        .split_once("| way | answer | case | |\n")
        .expect("the table");
    let mut rows = 0;
    for row in table.lines().skip(1).take_while(|row| row.starts_with('|')) {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        for case in cells[3].split(", ") {
            assert_eq!(
                corpus.get(case).map(String::as_str),
                Some(cells[2]),
                "{row}"
            );
        }
        rows += 1;
    }
    assert!(rows > 20, "only {rows} rows were found");
}
