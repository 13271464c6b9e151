use super::{compose, json, just, task};
use crate::execution::Arg;
use crate::source::Span;
use crate::value::Value;

fn strings(found: &[Vec<u8>]) -> Vec<String> {
    found
        .iter()
        .map(|text| String::from_utf8_lossy(text).into_owned())
        .collect()
}

#[test]
fn scripts_are_the_strings_below_the_outermost_key() {
    let text = br#"{ "name": "a", "b": { "scripts": { "x": "no" } },
        "scripts": { "x": "echo \"a\" \u0041", "y": ["one", "two"], "z": { "deep": "no" } } }"#;
    let found: Vec<String> = json::entries(text, b"scripts")
        .iter()
        .map(|(name, text)| {
            format!(
                "{}: {}",
                String::from_utf8_lossy(name),
                String::from_utf8_lossy(text)
            )
        })
        .collect();
    assert_eq!(found, ["x: echo \"a\" A", "y: one", "y: two"]);
}

#[test]
fn what_is_no_json_ends_without_harm() {
    for text in [
        &b"{\"scripts\":{\"x\":\"a"[..],
        b"}}]]\"",
        b"{{{{",
        b"\"\\u",
    ] {
        json::entries(text, b"scripts");
    }
    let deep = vec![b'['; 100_000];
    assert!(json::entries(&deep, b"scripts").is_empty());
}

#[test]
fn tasks_run_their_commands_and_no_descriptions() {
    let text = b"version: '3'\ntasks:\n  a:\n    desc: no\n    cmds:\n      - one\n      - cmd: two # b\n      - |\n        three\n        four\n  b: five\n  c:\n    cmds: [six, 'se,ven']\n";
    let found = strings(&task::commands(text));
    assert_eq!(
        found,
        ["one", "two # b", "three\nfour", "five", "six", "se,ven"]
    );
}

#[test]
fn a_service_is_a_run_with_its_mounts() {
    let text = b"services:\n  a:\n    image: alpine\n    volumes:\n    - /:/h\n    - type: bind\n      source: /etc\n      target: /e\n    entrypoint: [rm, -rf]\n    command: /h '/e x'\n  b:\n    image: c\n";
    let found: Vec<String> = compose::runs(text)
        .iter()
        .map(|words| strings(words).join("|"))
        .collect();
    assert_eq!(
        found,
        [
            "docker|run|-v|/:/h|--mount|type=bind,source=/etc,target=/e|--entrypoint|rm|alpine|-rf|/h|/e x",
            "docker|run|c",
        ]
    );
}

#[test]
fn recipes_of_a_justfile_are_lines_or_scripts() {
    let text = Arg {
        value: Value::computed(
            *b"v := `date`\na b: c\n  @one\n  -two\n\nd:\n  #!/bin/sh\n  three\n  four\n",
        ),
        span: Span::default(),
    };
    let found: Vec<Vec<u8>> = just::recipes(&text)
        .iter()
        .filter_map(|arg| Some(arg.value.bytes()?.into_owned()))
        .collect();
    assert_eq!(strings(&found), ["date", "one", "two", "three\nfour\n"]);
}
