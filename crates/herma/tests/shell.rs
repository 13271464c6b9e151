//! `herma shell parse`: what the analyser sees.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "tests"
)]

mod support;

use support::Stage;

#[test]
fn json_has_version_status_and_lists() {
    let stage = Stage::new();
    let ran = stage.run(&["shell", "parse", "--json", "echo hi; sudo ls"]);
    assert_eq!(ran.code, Some(0));
    assert!(
        ran.stdout
            .starts_with("{\"v\":1,\"status\":\"clean\",\"executions\":[")
    );
    let json = ran.json();
    let first = &json["executions"][0];
    assert_eq!(first["argv"], serde_json::json!(["echo", "hi"]));
    assert_eq!(first["at"], 0);
    assert_eq!(first["span"], serde_json::json!([0, 7]));
    assert_eq!(first["via"], serde_json::json!([]));
    let executions = json["executions"].as_array().expect("executions");
    assert!(
        executions
            .iter()
            .any(|it| it["via"] == serde_json::json!(["sudo"])
                && it["argv"] == serde_json::json!(["ls"])
                && it["at"] == 14)
    );
    assert_eq!(json["uncertain"], serde_json::json!([]));
}

#[test]
fn what_is_not_understood_is_a_status_and_not_a_failure() {
    let stage = Stage::new();
    for text in ["echo 'a", "if true", "echo $(", ")"] {
        let ran = stage.run_with(&["shell", "parse", "--json", "--stdin"], text);
        assert_eq!(ran.code, Some(0), "{text}");
        let json = ran.json();
        assert_eq!(json["status"], "not-understood", "{text}");
        assert!(
            !json["uncertain"].as_array().expect("list").is_empty(),
            "{text}"
        );
    }
}

#[test]
fn an_unknown_word_is_null() {
    let stage = Stage::new();
    let json = stage
        .run(&["shell", "parse", "--json", "ls \"$(date)\""])
        .json();
    let executions = json["executions"].as_array().expect("executions");
    assert!(
        executions
            .iter()
            .any(|it| it["argv"] == serde_json::json!(["ls", null])),
        "{json}"
    );
}

#[test]
fn rows_are_answered_in_order() {
    let stage = Stage::new();
    let input = "{\"cmd\":\"ls\",\"id\":1}\n7\n{\"cmd\":\"id\",\"id\":2}\n";
    let ran = stage.run_with(&["shell", "parse", "--batch", "-"], input);
    assert_eq!(ran.code, Some(1));
    let rows = ran.rows();
    assert_eq!(rows[0]["executions"][0]["argv"][0], "ls");
    assert!(rows[1]["error"].is_string());
    assert_eq!(rows[2]["id"], 2);
}

#[test]
fn a_person_sees_one_line_for_each() {
    let stage = Stage::new();
    let ran = stage.run(&["shell", "parse", "echo 'a b'; sudo ls \"$(date)\""]);
    insta::assert_snapshot!(ran.stdout, @r#"
    status: clean
         0  echo 'a b'
        23  date
        12  sudo ls ‹unknown›
        17  ls ‹unknown›   via sudo
    "#);
}

#[test]
fn redirections_functions_that_are_not_called_and_scripts_are_shown() {
    let stage = Stage::new();
    stage.write(&stage.project().join("a.sh"), "x=1\n\nid\n");
    let text = "f() { reboot; }; ls *.c '*' 2>&1 >'my log' <<< hi; (id) >> out; sh a.sh";
    let ran = stage.run(&["shell", "parse", text]);
    let shown = ran
        .stdout
        .replace(&stage.project().display().to_string(), "PROJECT");
    insta::assert_snapshot!(shown, @r#"
    status: clean
        17  ls *.c '*' 2>&1 > 'my log' <<< 'hi\n'
        51  : >> out
        52  id >> out
        64  sh a.sh
        67  id   via sh   in PROJECT/a.sh:3
         6  reboot   in a function that is not called
    "#);
    let json = stage
        .run(&["shell", "parse", "--json", "ls 2>&1 > log"])
        .json();
    let redirections = &json["executions"][0]["redirections"];
    assert_eq!(
        redirections[0],
        serde_json::json!({"op": ">&", "fd": 2, "target": "1", "span": [3, 7]})
    );
    assert_eq!(redirections[1]["op"], ">");
    let plain = stage.run(&["shell", "parse", "--json", "ls"]).json();
    assert!(plain["executions"][0].get("redirections").is_none());
}
