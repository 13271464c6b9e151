use crate::{Act, DecodeError, Event, FileOperation, FileUse, Host};

fn decode(tool: &str, input: &str) -> Result<Event, DecodeError> {
    let text = format!(
        r#"{{"hook_event_name":"PreToolUse","cwd":"/p","tool_name":"{tool}","tool_input":{input}}}"#
    );
    Host::ClaudeCode.decode(text.as_bytes())
}

fn file(tool: &str, input: &str) -> FileUse {
    match decode(tool, input) {
        Ok(Event::Call(call)) => match call.act {
            Act::File(file) => file,
            other => panic!("{tool} {input}: {other:?}"),
        },
        other => panic!("{tool} {input}: {other:?}"),
    }
}

#[test]
fn each_tool_names_its_path_in_its_own_field() {
    use FileOperation::{Edit, Empty, List, Read, Search, Write};
    for (tool, input, operation, path) in [
        ("Read", r#"{"file_path":"/a","limit":3}"#, Read, "/a"),
        ("Write", r#"{"file_path":"/a","content":"x"}"#, Write, "/a"),
        ("Write", r#"{"file_path":"/a","content":""}"#, Empty, "/a"),
        (
            "Edit",
            r#"{"file_path":"/a","old_string":"x","new_string":"y"}"#,
            Edit,
            "/a",
        ),
        ("MultiEdit", r#"{"file_path":"/a","edits":[]}"#, Edit, "/a"),
        ("NotebookEdit", r#"{"notebook_path":"/n"}"#, Edit, "/n"),
        ("NotebookRead", r#"{"notebook_path":"/n"}"#, Read, "/n"),
        ("Grep", r#"{"pattern":"x"}"#, Search, ""),
        ("Grep", r#"{"pattern":"x","path":"~/d"}"#, Search, "~/d"),
        ("Glob", r#"{"pattern":"*.rs","path":null}"#, List, ""),
        ("LS", r#"{"path":"/d"}"#, List, "/d"),
    ] {
        let file = file(tool, input);
        assert_eq!(
            (file.tool.as_str(), file.operation, file.path.as_str()),
            (tool, operation, path),
            "{input}"
        );
    }
}

#[test]
fn a_path_that_is_missing_or_no_text_is_an_error() {
    for (tool, input) in [
        ("Read", "{}"),
        ("Read", r#"{"path":"/a"}"#),
        ("Read", r#"{"file_path":null}"#),
        ("Read", r#"{"file_path":["/a"]}"#),
        ("Read", r#"{"file_path":"/a","file_path":"/b"}"#),
        ("Write", r#"{"file_path":7,"content":"x"}"#),
        ("Write", r#"{"file_path":"/a","content":{}}"#),
        ("NotebookEdit", r#"{"file_path":"/n"}"#),
        ("Grep", r#"{"path":7}"#),
        ("Grep", r#"{"glob":[".env"]}"#),
        ("Edit", "null"),
        ("Edit", r#""/a""#),
    ] {
        assert!(decode(tool, input).is_err(), "{tool} {input}");
    }
}

#[test]
fn a_path_is_read_as_the_host_reads_it_and_as_it_is_written() {
    let readings = |path: &str| file("Read", &format!(r#"{{"file_path":"{path}"}}"#)).readings;
    assert_eq!(readings("/a b"), ["/a b"]);
    assert_eq!(readings(" /a\\n"), ["/a", " /a\n"]);
    assert_eq!(readings("\u{feff}~/.env"), ["~/.env", "\u{feff}~/.env"]);
    assert_eq!(readings("/e\u{301}"), ["/e\u{301}", "/\u{e9}"]);
}

#[test]
fn patterns_stand_between_blanks_commas_and_braces() {
    let globs = |glob: &str| file("Grep", &format!(r#"{{"glob":"{glob}"}}"#)).globs;
    assert_eq!(globs("*.rs"), ["*.rs"]);
    assert_eq!(globs("*.rs,.env  src/**"), ["*.rs", ".env", "src/**"]);
    assert_eq!(globs("*.{ts,tsx}"), ["*.ts", "*.tsx"]);
    assert_eq!(globs("{.env,a{1,2}}"), [".env", "a1", ".env", "a2"]);
    assert_eq!(globs("a}b{c"), ["a}b{c"]);
    assert!(globs("!.env").is_empty());
    assert!(globs("").is_empty());
}

#[test]
fn too_many_patterns_are_an_error() {
    let grep = |glob: &str| decode("Grep", &format!(r#"{{"glob":"{glob}"}}"#));
    assert!(grep(&"{a,b}".repeat(8)).is_err());
    assert!(grep(&"x,".repeat(100)).is_err());
    assert!(grep(&"x".repeat(5000)).is_err());
    assert!(grep("{a,b}{c,d}").is_ok());
}
