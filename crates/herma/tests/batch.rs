//! `herma check --batch`: JSON lines in and out.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "tests"
)]

mod support;

use support::Stage;

const BATCH: &[&str] = &["check", "--batch", "-"];

#[test]
fn answers_come_in_the_order_of_the_rows_under_their_ids() {
    let stage = Stage::new();
    let input: String = (0..300)
        .map(|n| {
            let cmd = if n % 3 == 0 { "git reset --hard" } else { "ls" };
            format!("{{\"id\":{n},\"cmd\":\"{cmd}\"}}\n")
        })
        .collect();
    let ran = stage.run_with(BATCH, input);
    assert_eq!(ran.code, Some(0));
    let rows = ran.rows();
    assert_eq!(rows.len(), 300);
    for (n, row) in rows.iter().enumerate() {
        assert_eq!(row["v"], 1);
        assert_eq!(row["id"], n);
        assert_eq!(row["decision"], if n % 3 == 0 { "ask" } else { "allow" });
    }
}

#[test]
fn an_id_is_given_back_as_it_is() {
    let stage = Stage::new();
    for id in ["7", "\"x\\u00fc\"", "null", "[1,{\"a\":2}]", "1.50"] {
        let ran = stage.run_with(BATCH, format!("{{\"cmd\":\"ls\",\"id\":{id}}}"));
        let expected = if id == "null" {
            "{\"v\":1,\"decision\"".to_owned()
        } else {
            format!("{{\"v\":1,\"id\":{id},\"decision\"")
        };
        assert!(ran.stdout.starts_with(&expected), "{}", ran.stdout);
    }
    let ran = stage.run_with(BATCH, "{\"cmd\":\"ls\"}");
    assert!(
        ran.stdout.starts_with("{\"v\":1,\"decision\""),
        "{}",
        ran.stdout
    );
}

#[test]
fn a_malformed_row_is_an_error_and_the_others_are_answered() {
    let stage = Stage::new();
    let input = "{\"cmd\":\"ls\"}\nnot json\n{\"id\":\"b\",\"cmd\":7}\n\n{\"id\":4}\n\
                 {\"cmd\":\"ls\",\"cwd\":\"x\"}\n{\"cmd\":\"git reset --hard\"}\n";
    let ran = stage.run_with(BATCH, input);
    assert_eq!(ran.code, Some(1));
    let rows = ran.rows();
    assert_eq!(rows.len(), 6);
    assert_eq!(rows[0]["decision"], "allow");
    assert!(
        rows[1]["error"]
            .as_str()
            .expect("error")
            .starts_with("row 2: ")
    );
    assert_eq!(rows[2]["id"], "b");
    for row in &rows[1..5] {
        assert_eq!(row["v"], 1);
        assert!(
            row["error"].is_string() && row.get("decision").is_none(),
            "{row}"
        );
    }
    assert_eq!(rows[3]["id"], 4);
    assert_eq!(rows[5]["decision"], "ask");
}

#[test]
fn an_array_is_no_row_and_has_no_id() {
    let ran = Stage::new().run_with(BATCH, "[1]\n[\"ls\"]\n");
    assert_eq!(ran.code, Some(1));
    for row in ran.rows() {
        assert!(row.get("id").is_none(), "{row}");
        assert!(row["error"].is_string(), "{row}");
    }
}

#[test]
fn rows_that_are_not_utf8_are_malformed() {
    let stage = Stage::new();
    let ran = stage.run_with(BATCH, b"{\"cmd\":\"\xff\"}\n{\"cmd\":\"ls\"}\n");
    assert_eq!(ran.code, Some(1));
    assert_eq!(ran.rows().len(), 2);
}

#[test]
fn unknown_fields_are_ignored() {
    let stage = Stage::new();
    let ran = stage.run_with(
        BATCH,
        "{\"cmd\":\"ls\",\"expect\":\"allow\",\"note\":[1]}\n",
    );
    assert_eq!(ran.code, Some(0));
    assert_eq!(ran.json()["decision"], "allow");
}

#[test]
fn the_environment_of_a_row_counts_and_ours_does_not() {
    let stage = Stage::new();
    let ask = |row: &str| {
        let mut command = stage.command(BATCH);
        command.env("X", "reset");
        support::feed(command, row.as_bytes()).json()["decision"].clone()
    };
    assert_eq!(ask(r#"{"cmd":"git $X --hard","env":{"X":"reset"}}"#), "ask");
    assert_eq!(ask(r#"{"cmd":"git $X --hard","env":{"X":"log"}}"#), "allow");
    assert_eq!(ask(r#"{"cmd":"git $X --hard"}"#), "allow");
}

#[test]
fn a_row_has_the_configuration_of_its_own_directory() {
    let stage = Stage::new();
    let inner = stage.project().join("inner");
    stage.write(
        &inner.join(".herma.toml"),
        "[[rule]]\nid = \"p.ls\"\naction = \"ask\"\nargv = [\"ls\"]\n",
    );
    let input = format!(
        "{{\"cmd\":\"ls\"}}\n{{\"cmd\":\"ls\",\"cwd\":\"{}\"}}\n",
        inner.display()
    );
    let rows = stage.run_with(BATCH, input).rows();
    assert_eq!(rows[0]["decision"], "allow");
    assert_eq!(rows[1]["decision"], "ask");
}

#[test]
fn a_file_is_read_and_a_missing_one_is_a_failure() {
    let stage = Stage::new();
    let file = stage.project().join("rows.jsonl");
    stage.write(&file, "{\"cmd\":\"ls\"}");
    let ran = stage.run(&["check", "--batch", "rows.jsonl"]);
    assert_eq!((ran.code, ran.rows().len()), (Some(0), 1));
    let ran = stage.run(&["check", "--batch", "nowhere.jsonl"]);
    assert_eq!(ran.code, Some(1));
    assert_eq!(ran.stdout, "");
    assert!(ran.stderr.contains("nowhere.jsonl"), "{}", ran.stderr);
}

#[test]
fn each_answer_is_there_before_the_next_row_is() {
    use std::io::{BufRead, BufReader, Write};
    let stage = Stage::new();
    let mut child = stage
        .command(BATCH)
        .stdin(std::process::Stdio::piped())
        .spawn()
        .expect("started");
    let mut input = child.stdin.take().expect("input");
    let mut output = BufReader::new(child.stdout.take().expect("output"));
    for _ in 0..3 {
        input.write_all(b"{\"cmd\":\"ls\"}\n").expect("written");
        input.flush().expect("flushed");
        let mut line = String::new();
        output.read_line(&mut line).expect("answered");
        assert!(line.contains("allow"));
    }
    drop(input);
    assert!(child.wait().expect("ended").success());
}

#[test]
fn a_reader_that_goes_away_is_no_success() {
    let stage = Stage::new();
    let mut child = stage
        .command(&["rules", "list", "--json"])
        .spawn()
        .expect("started");
    drop(child.stdout.take());
    let status = child.wait().expect("ended");
    // The output may have been written before the pipe was closed.
    assert!(matches!(status.code(), Some(0 | 1)), "{status}");
}
