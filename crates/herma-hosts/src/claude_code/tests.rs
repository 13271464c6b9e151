use super::*;
use crate::Host;

fn bash(extra: &str) -> String {
    format!(
        r#"{{"session_id":"8ead","transcript_path":"/t","cwd":"/proj","permission_mode":"default",
        "effort":{{"level":"high"}},"hook_event_name":"PreToolUse","tool_name":"Bash",
        "tool_input":{{"command":"echo hi","description":"step"}},"tool_use_id":"toolu_1"{extra}}}"#
    )
}

fn decode(text: &str) -> Result<Event, DecodeError> {
    Host::ClaudeCode.decode(text.as_bytes())
}

fn call(mode: Option<&str>) -> Call {
    Call {
        act: Act::Commands(vec!["ls".to_owned()]),
        cwd: None,
        session: None,
        agent_id: None,
        turn: None,
        tool_use_id: None,
        permission_mode: mode.map(str::to_owned),
    }
}

#[test]
fn a_shell_call_is_decoded_with_its_place_and_names() {
    let Ok(Event::Call(call)) = decode(&bash(r#","prompt_id":"97bf","agent_id":"a143""#)) else {
        panic!("not a call");
    };
    assert_eq!(call.act, Act::Commands(vec!["echo hi".to_owned()]));
    assert_eq!(call.cwd.as_deref(), Some("/proj"));
    assert_eq!(call.session.as_deref(), Some("8ead"));
    assert_eq!(call.agent_id.as_deref(), Some("a143"));
    assert_eq!(call.turn.as_deref(), Some("97bf"));
    assert_eq!(call.tool_use_id.as_deref(), Some("toolu_1"));
    assert_eq!(call.permission_mode.as_deref(), Some("default"));
}

#[test]
fn unknown_fields_are_ignored_whatever_they_hold() {
    assert!(matches!(
        decode(&bash(
            r#","mcp_server":{"name":[1,null]},"zz":"\ud83d\ude00""#
        )),
        Ok(Event::Call(_))
    ));
}

#[test]
fn other_tools_and_other_events_are_not_ours() {
    for text in [
        r#"{"hook_event_name":"PreToolUse","tool_name":"WebFetch","tool_input":{"url":"/x"}}"#,
        r#"{"hook_event_name":"PreToolUse","tool_name":"read","tool_input":{"file_path":"/x"}}"#,
        r#"{"hook_event_name":"PreToolUse","tool_name":"mcp__echo__echo","tool_input":{}}"#,
        r#"{"hook_event_name":"PreToolUse","tool_name":"Agent","tool_input":7}"#,
        r#"{"hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{"command":"ls"}}"#,
        r#"{"hook_event_name":"SessionStart","source":"startup"}"#,
    ] {
        assert_eq!(decode(text), Ok(Event::Other), "{text}");
    }
}

#[test]
fn what_is_missing_or_of_another_type_is_an_error() {
    for text in [
        "",
        "   ",
        "null",
        "[]",
        "7",
        "{",
        "not json",
        "{}",
        r#"{"tool_name":"Bash","tool_input":{"command":"ls"}}"#,
        r#"{"hook_event_name":"PreToolUse","tool_input":{"command":"ls"}}"#,
        r#"{"hook_event_name":"PreToolUse","tool_name":"Bash"}"#,
        r#"{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":null}"#,
        r#"{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":"ls"}"#,
        r#"{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{}}"#,
        r#"{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":null}}"#,
        r#"{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":["ls"]}}"#,
        r#"{"hook_event_name":"PreToolUse","tool_name":["Bash"],"tool_input":{"command":"ls"}}"#,
        r#"{"hook_event_name":7,"tool_name":"Bash","tool_input":{"command":"ls"}}"#,
        r#"{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"\ud800"}}"#,
    ] {
        assert!(decode(text).is_err(), "{text}");
    }
    assert!(decode(&format!("{} trailing", bash(""))).is_err());
    assert!(
        decode(&bash(r#","permission_mode":"plan""#)).is_err(),
        "a field given twice"
    );
    assert!(
        Host::ClaudeCode
            .decode(b"{\"hook_event_name\":\"\xff\"}")
            .is_err()
    );
}

#[test]
fn a_command_given_twice_is_an_error() {
    let text = r#"{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls","command":"reboot"}}"#;
    assert!(decode(text).is_err());
}

#[test]
fn a_relative_working_directory_is_an_error() {
    let text = r#"{"hook_event_name":"PreToolUse","tool_name":"Bash","cwd":"proj","tool_input":{"command":"ls"}}"#;
    assert_eq!(decode(text), Err(DecodeError::RelativeCwd));
}

#[test]
fn deep_nesting_does_not_overflow() {
    let deep = "[".repeat(200_000);
    let text = bash(&format!(r#","x":{deep}"#));
    assert!(decode(&text).is_err());
}

#[test]
fn an_error_names_the_place() {
    let Err(DecodeError::Json {
        line,
        column,
        detail,
    }) = decode("{\n  7}")
    else {
        panic!("no JSON error");
    };
    assert_eq!((line, column), (2, 3));
    assert_eq!(detail, "key must be a string");
}

#[test]
fn allow_is_silence() {
    for mode in [
        None,
        Some("default"),
        Some("bypassPermissions"),
        Some("new"),
    ] {
        assert_eq!(encode(&call(mode), &Answer::Allow), Reply::silence());
    }
}

#[test]
fn ask_is_one_json_object_in_every_known_mode() {
    for mode in MODES {
        let reply = encode(
            &call(Some(mode)),
            &Answer::Ask {
                reason: "a \"b\"\nc",
                changes_files: false,
            },
        );
        assert_eq!(reply.code, 0);
        assert_eq!(reply.stderr, b"");
        assert_eq!(
            String::from_utf8_lossy(&reply.stdout),
            "{\"hookSpecificOutput\":{\"hookEventName\":\"PreToolUse\",\"permissionDecision\":\"ask\",\
             \"permissionDecisionReason\":\"a \\\"b\\\" c\"}}\n"
        );
    }
}

#[test]
fn ask_in_an_unknown_mode_is_a_denial() {
    for mode in [None, Some(""), Some("Default"), Some("yolo")] {
        let reply = encode(&call(mode), &asked(false));
        assert_eq!(reply, refusal("why"), "{mode:?}");
    }
}

fn asked(changes_files: bool) -> Answer<'static> {
    Answer::Ask {
        reason: "why",
        changes_files,
    }
}

#[test]
fn ask_about_a_change_is_a_denial_where_the_host_does_not_ask() {
    for mode in MODES {
        let reply = encode(&call(Some(mode)), &asked(true));
        assert_eq!(
            reply == refusal("why"),
            *mode == "bypassPermissions",
            "{mode}"
        );
    }
}

#[test]
fn deny_is_exit_code_two_and_one_line() {
    let reply = encode(&call(Some("default")), &Answer::Deny { reason: "no\nway" });
    assert_eq!(reply.code, 2);
    assert_eq!(reply.stdout, b"");
    assert_eq!(reply.stderr, b"no way\n");
}

#[test]
fn a_denial_without_a_reason_still_says_something() {
    assert_eq!(refusal("\n").stderr, b"herma: denied\n");
}
