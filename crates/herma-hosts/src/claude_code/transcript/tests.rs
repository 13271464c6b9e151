use serde_json::{Value, json};

use super::*;

fn row(kind: &str, content: Value) -> Value {
    json!({
        "parentUuid": null, "isSidechain": false, "type": kind, "cwd": "/proj",
        "message": {"role": kind, "content": content},
        "uuid": "u", "timestamp": "2026-11-30T19:12:11.901Z", "sessionId": "s", "version": "2.1.197",
    })
}

fn bash(command: &Value) -> Value {
    json!({"id": "toolu_1", "name": "Bash", "type": "tool_use",
        "input": {"command": command, "description": "step"}})
}

fn read(row: &Value) -> Result<Row, TranscriptError> {
    decode(row.to_string().as_bytes())
}

fn refused(row: &Value) -> Vec<String> {
    read(row).expect("a row").refused
}

#[test]
fn a_shell_call_has_its_command_directory_and_time() {
    let content = json!([
        {"type": "text", "text": "look"},
        bash(&json!("ls")),
        {"id": "toolu_2", "name": "Read", "type": "tool_use", "input": {"file_path": "/x"}},
    ]);
    let row = read(&row("assistant", content)).expect("a row");
    assert_eq!(row.cwd.as_deref(), Some("/proj"));
    assert_eq!(row.time.as_deref(), Some("2026-11-30T19:12:11.901Z"));
    let [call] = row.calls.as_slice() else {
        panic!("{row:?}");
    };
    assert_eq!((call.id.as_str(), call.command.as_str()), ("toolu_1", "ls"));
}

#[test]
fn rows_without_calls_say_nothing() {
    for line in [
        r#"{"type":"summary","summary":"x","leafUuid":"u"}"#,
        r#"{"type":"queue-operation","operation":"enqueue","content":"go"}"#,
        r#"{"type":"progress","data":{"message":{"type":"assistant","message":{"content":[{"type":"tool_use"}]}}}}"#,
        r#"{"type":"assistant","message":{"content":"plain"}}"#,
        r#"{"type":"user","message":{"content":"<bash-input>rm -rf /</bash-input>"}}"#,
        r#"{"type":"user"}"#,
        "{}",
    ] {
        let row = decode(line.as_bytes()).expect(line);
        assert!(row.calls.is_empty() && row.refused.is_empty(), "{line}");
    }
}

#[test]
fn only_what_the_model_says_is_a_call() {
    assert_eq!(
        read(&row("user", json!([bash(&json!("ls"))]))).map(|row| row.calls),
        Ok(Vec::new())
    );
}

#[test]
fn a_persons_no_is_told_from_a_failure() {
    let result = |content: Value, is_error: bool| {
        row(
            "user",
            json!([{"type": "tool_result", "tool_use_id": "toolu_1", "content": content, "is_error": is_error}]),
        )
    };
    let no = "The user doesn't want to proceed with this tool use. The tool use was rejected.";
    assert_eq!(refused(&result(json!(no), true)), ["toolu_1"]);
    let parts = json!([{"type": "text", "text": no}]);
    assert_eq!(refused(&result(parts, true)), ["toolu_1"]);
    let mut newer = result(json!("in words that nobody knows yet"), true);
    newer["toolDenialKind"] = json!("user-rejected");
    assert_eq!(refused(&newer), ["toolu_1"]);
    newer["toolDenialKind"] = json!("interrupted");
    assert!(refused(&newer).is_empty());
    // What a command prints is not what a person says.
    assert!(refused(&result(json!(no), false)).is_empty());
    for failure in [
        "Exit code 1\nThe user doesn't want to proceed with this tool use",
        "PreToolUse:Bash hook error: herma: Deletes a system root or a home",
        "",
    ] {
        assert!(
            refused(&result(json!(failure), true)).is_empty(),
            "{failure}"
        );
    }
}

#[test]
fn what_is_not_understood_is_an_error() {
    let call = |value: Value| row("assistant", json!([value]));
    assert_eq!(
        read(&call(bash(&Value::Null))),
        Err(TranscriptError::Missing("command"))
    );
    let mut without = call(bash(&json!("ls")));
    without["cwd"] = Value::Null;
    assert_eq!(read(&without), Err(TranscriptError::Missing("cwd")));
    without["cwd"] = json!("proj");
    assert_eq!(read(&without), Err(TranscriptError::RelativeCwd));
    for line in [
        "",
        "nonsense",
        "[]",
        "[\"assistant\"]",
        "{\"type\":\"assi",
        "{\"type\":7}",
        "{\"type\":\"assistant\",\"message\":{\"content\":[7]}}",
        "\u{0}",
    ] {
        assert!(decode(line.as_bytes()).is_err(), "{line}");
    }
    assert!(decode(&[b'['; 100_000]).is_err());
    let deep = format!("{{\"a\":{}", "[".repeat(100_000));
    assert!(decode(deep.as_bytes()).is_err());
}
