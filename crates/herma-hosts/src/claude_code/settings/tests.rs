use super::*;

const COMMAND: &str = "/usr/bin/herma hook claude-code";

fn add(text: &str) -> Edited {
    install(text, COMMAND, None).expect("editable")
}

#[test]
fn a_missing_file_becomes_one_with_the_hook() {
    let edited = add("");
    assert_eq!(edited.change, Change::Added);
    assert_eq!(
        edited.text,
        r#"{
  "hooks": {
    "PreToolUse": [
      {
        "matcher": "Bash|Read|Write|Edit|MultiEdit|NotebookRead|NotebookEdit|Grep|Glob|LS",
        "hooks": [
          {
            "type": "command",
            "command": "/usr/bin/herma hook claude-code",
            "timeout": 10
          }
        ]
      }
    ]
  }
}
"#
    );
}

#[test]
fn on_failure_only_where_the_version_knows_it() {
    for (version, expected) in [
        (None, false),
        (Some("2.1.197 (Claude Code)"), false),
        (Some("2.1.294"), false),
        (Some("2.1.295"), true),
        (Some("2.1.332 (Claude Code)"), true),
        (Some("2.1.300-beta.1"), true),
        (Some("3.0.0"), true),
        (Some("1.9.999"), false),
        (Some("2.1"), false),
        (Some("latest"), false),
        (Some(""), false),
    ] {
        let edited = install("{}", COMMAND, version).expect("editable");
        assert_eq!(
            edited.text.contains("\"onFailure\": \"block\""),
            expected,
            "{version:?}"
        );
    }
}

/// Files as people have them; each keeps its bytes but for the hook.
const FILES: &[&str] = &[
    "{}",
    "{}\n",
    "{\n  \"model\": \"opus\"\n}\n",
    "{\n    \"model\": \"opus\",\n    \"n\": 1.10e2\n}",
    "{\n\t\"env\": {\"A\": \"1\"}\n}\n",
    "{\"model\":\"opus\",\"big\":123456789012345678901234567890}",
    "{\n  \"z\": 1,\n  \"hooks\": {\n    \"Stop\": []\n  },\n  \"a\": [ 1,2 , 3 ]\n}\n",
    "{\n  \"hooks\": {\n    \"PreToolUse\": [\n      {\n        \"matcher\": \"Write\",\n        \"hooks\": [{\"type\": \"command\", \"command\": \"x\"}]\n      }\n    ]\n  }\n}\n",
    "{ \"\\u0061\" : \"\\/\" }\r\n",
];

#[test]
fn removing_gives_back_the_text_from_before() {
    for file in FILES {
        let added = add(file);
        assert_eq!(added.change, Change::Added);
        let value: serde_json::Value = serde_json::from_str(&added.text).expect("JSON");
        let groups = value["hooks"]["PreToolUse"].as_array().expect("groups");
        assert_eq!(
            groups.last().expect("ours")["hooks"][0]["command"],
            COMMAND,
            "{file}"
        );
        let removed = remove(&added.text).expect("editable");
        assert_eq!(removed.change, Change::Removed);
        assert_eq!(&removed.text, file);
    }
}

#[test]
fn adding_twice_changes_nothing() {
    for file in FILES {
        let once = add(file);
        let twice = add(&once.text);
        assert_eq!(twice.change, Change::Unchanged, "{file}");
        assert_eq!(twice.text, once.text);
    }
}

#[test]
fn another_path_or_version_updates_the_hook_in_one_place() {
    let old = install("{\"a\": 1}", "'/old place/herma' hook claude-code", None).expect("editable");
    let new = install(&old.text, COMMAND, Some("2.1.332")).expect("editable");
    assert_eq!(new.change, Change::Updated);
    let found = installed(&new.text).expect("readable");
    let commands: Vec<&str> = found.iter().map(|own| own.command.as_str()).collect();
    assert_eq!(commands, [COMMAND]);
    assert!(new.text.contains("onFailure"));
}

#[test]
fn a_hook_of_ours_that_misses_the_shell_is_moved() {
    let text = add("{}").text.replace(&super::matcher(), "Write");
    let edited = add(&text);
    assert_eq!(edited.change, Change::Updated);
    assert!(edited.text.contains(&super::matcher()) && !edited.text.contains("\"Write\""));
}

#[test]
fn an_older_entry_for_the_shell_alone_is_widened() {
    let old = add("{}").text.replace(&super::matcher(), "Bash");
    let found = installed(&old).expect("read");
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].unseen.first(), Some(&"Read"));
    let edited = add(&old);
    assert_eq!(edited.change, Change::Updated);
    assert_eq!(edited.text, add("{}").text);
    let found = installed(&edited.text).expect("read");
    assert!(found.len() == 1 && found[0].unseen.is_empty());
}

#[test]
fn a_wider_matcher_is_left_alone() {
    for matcher in ["*", "", ".*", &format!("WebFetch|{}", super::matcher())] {
        let text = add("{}").text.replace(&super::matcher(), matcher);
        assert_eq!(add(&text).change, Change::Unchanged, "{matcher:?}");
    }
}

#[test]
fn a_neighbour_in_the_same_group_stays() {
    let text = format!(
        r#"{{"hooks":{{"PreToolUse":[{{"matcher":"Bash","hooks":[{{"command":"mine"}},{{"command":"{COMMAND}"}}]}}]}}}}"#
    );
    let removed = remove(&text).expect("editable");
    assert_eq!(
        removed.text,
        r#"{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"command":"mine"}]}]}}"#
    );
}

#[test]
fn every_copy_of_ours_goes() {
    let entry = format!(r#"{{"matcher":"Bash","hooks":[{{"command":"{COMMAND}"}}]}}"#);
    let text = format!(r#"{{"hooks":{{"PreToolUse":[{entry},{entry}]}},"a":1}}"#);
    assert_eq!(remove(&text).expect("editable").text, r#"{"a":1}"#);
    assert_eq!(installed(&add(&text).text).expect("readable").len(), 1);
}

#[test]
fn only_our_own_command_is_ours() {
    for (command, ours) in [
        ("herma hook claude-code", true),
        ("/opt/x/herma hook claude-code", true),
        ("'/a b/herma' hook claude-code", true),
        ("\"/a b/herma\" hook claude-code", true),
        ("C:\\bin\\herma.exe hook claude-code", true),
        ("/x/herma --home /h/.herma hook claude-code", true),
        ("'/a b/herma' --home '/h x/.herma' hook claude-code", true),
        ("/x/herma --home /h hook claude-code || exit 2", true),
        ("/x/herma-0.1 --home /h hook claude-code || exit 2", true),
        ("/x/herma-0.1 --home /h hook claude-code", false),
        ("/x/herma --home /h hook claude-code || exit 0", false),
        ("echo herma hook claude-code", false),
        ("notherma hook claude-code", false),
        ("herma hook claude-code-x", false),
        ("herma hook codex", false),
        ("echo herma", false),
        ("", false),
    ] {
        assert_eq!(is_ours(command), ours, "{command}");
    }
}

#[test]
fn nothing_to_remove_is_no_change() {
    for file in FILES.iter().chain(&["", " \n"]) {
        let edited = remove(file).expect("editable");
        assert_eq!(edited.change, Change::Unchanged);
        assert_eq!(&edited.text, file);
    }
}

#[test]
fn settings_of_another_shape_are_refused() {
    for text in [
        "[]",
        "7",
        "{",
        "{} {}",
        "// comment\n{}",
        r#"{"hooks": []}"#,
        r#"{"hooks": {"PreToolUse": {}}}"#,
        r#"{"hooks": {"PreToolUse": ["x"]}}"#,
        r#"{"hooks": {"PreToolUse": [{"hooks": 1}]}}"#,
        r#"{"hooks": {}, "hooks": {}}"#,
    ] {
        assert!(install(text, COMMAND, None).is_err(), "{text}");
        assert!(remove(text).is_err(), "{text}");
    }
}

#[test]
fn an_error_names_line_and_column() {
    assert!(matches!(
        install("{\n  \"a\": x\n}", COMMAND, None),
        Err(SettingsError::Json {
            line: 2,
            column: 8,
            ..
        })
    ));
}

#[test]
fn hooks_that_are_switched_off_are_reported() {
    let edited = add("{\"disableAllHooks\": true}");
    assert_eq!(edited.warnings, [Warning::AllHooksDisabled]);
    assert!(add("{\"disableAllHooks\": false}").warnings.is_empty());
}

#[test]
fn the_command_names_the_state_and_denies_when_it_ends_without_an_answer() {
    let line = super::command("'/a b/herma'", "/h/.herma");
    assert_eq!(
        line,
        "'/a b/herma' --home /h/.herma hook claude-code || exit 2"
    );
    assert!(is_ours(&line));
}
