use super::*;
use crate::digest::ZERO;

fn text(event: &Event<'_>) -> String {
    let line = event.line(Timestamp::new(0, 0), 1, &ZERO).unwrap();
    String::from_utf8(line).unwrap()
}

fn field(event: &Event<'_>, name: &str) -> Value {
    let value: Value = serde_json::from_str(&text(event)).unwrap();
    value.get(name).cloned().unwrap_or_default()
}

#[test]
fn all_fields_stand_in_the_order_of_version_1() {
    let event = Event {
        host: Some("claude-code"),
        session: Some("8ead"),
        agent_id: Some("a"),
        turn: Some("3"),
        tool_use_id: Some("t"),
        cwd: Some(b"/home/dev"),
        command: &[b"rm -rf /"],
        decision: Some("deny"),
        floor: Some("hardline"),
        rules: &["fs.delete-root", "x"],
        mode: Some("manual"),
        context: Some("cli"),
        us: Some(412),
        ..Event::new("check")
    };
    let zeros = "0".repeat(64);
    let digest = hex(&hash(&[b"rm -rf /"]));
    let expected = format!(
        r#"{{"v":1,"ts":"1970-01-01T00:00:00.000000Z","seq":1,"prev":"{zeros}","kind":"check","host":"claude-code","session":"8ead","agent_id":"a","turn":"3","tool_use_id":"t","cwd":"/home/dev","argv_redacted":["rm -rf /"],"sha256":"{digest}","decision":"deny","floor":"hardline","rules":["fs.delete-root","x"],"mode":"manual","context":"cli","us":412}}"#
    );
    assert_eq!(text(&event), format!("{expected}\n"));
}

#[test]
fn absent_fields_are_left_out() {
    let zeros = "0".repeat(64);
    let expected = format!(
        r#"{{"v":1,"ts":"1970-01-01T00:00:00.000000Z","seq":1,"prev":"{zeros}","kind":"check"}}"#
    );
    assert_eq!(text(&Event::new("check")), format!("{expected}\n"));
}

#[test]
fn secrets_are_not_recorded_and_the_hash_is_that_of_the_raw_command() {
    let raw = b"PASSWORD=hunter2 deploy";
    let event = Event {
        command: &[raw],
        cwd: Some(b"/tmp/ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"),
        ..Event::new("check")
    };
    let line = text(&event);
    assert!(
        !line.contains("hunter2") && !line.contains("a1B2c3"),
        "{line}"
    );
    assert_eq!(field(&event, "sha256"), hex(&hash(&[raw])));
}

#[test]
fn an_argv_keeps_its_words_and_hashes_them_joined_by_nul() {
    let event = Event {
        command: &[b"rm", b"", b"a b"],
        ..Event::new("exec")
    };
    assert_eq!(
        field(&event, "argv_redacted"),
        serde_json::json!(["rm", "", "a b"])
    );
    assert_eq!(field(&event, "sha256"), hex(&hash(&[b"rm\0\0a b"])));
}

#[test]
fn a_line_stays_one_line_whatever_it_holds() {
    let event = Event {
        command: &[b"a\nb\x1b[2J\0\"\\"],
        session: Some("x\ny"),
        ..Event::new("check")
    };
    let line = text(&event);
    assert_eq!(line.matches('\n').count(), 1);
    assert!(line.is_ascii() && !line.contains('\x1b'));
}

#[test]
fn bytes_that_are_no_utf8_are_base64() {
    let event = Event {
        command: &[b"\xff\xfe"],
        ..Event::new("check")
    };
    assert_eq!(
        field(&event, "argv_redacted"),
        serde_json::json!([{ "b64": "//4=" }])
    );
}

#[test]
fn lines_are_bounded_however_much_is_given() {
    let huge = vec![b'a'; 1 << 20];
    let many: Vec<&[u8]> = vec![b""; 100_000];
    let mut words: Vec<&[u8]> = vec![&huge; 10];
    words.extend(many);
    let rule = "r".repeat(10_000);
    let rules: Vec<&str> = vec![&rule; 10];
    let event = Event {
        command: &words,
        rules: &rules,
        session: Some(&rule),
        ..Event::new("check")
    };
    assert!(text(&event).len() < 80_000);
    let accents = "\u{e9}".repeat(5000);
    let event = Event {
        command: &[accents.as_bytes()],
        ..Event::new("check")
    };
    assert!(text(&event).contains("[+5904 bytes]"));
}
