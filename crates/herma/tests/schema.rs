//! `docs/schema/verdict.v1.json` describes what is printed.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "tests"
)]

mod support;

use serde_json::{Value, json};
use support::Stage;

fn schema() -> Value {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../docs/schema/verdict.v1.json"
    );
    serde_json::from_str(&std::fs::read_to_string(path).expect("a schema")).expect("JSON")
}

/// Whether a value is what the schema says, for the words that ours uses. Keys that the schema does
/// not name are faults, so that none is added in silence.
fn fits(root: &Value, schema: &Value, value: &Value) -> bool {
    let schema_of = |name: &str| schema.get(name);
    if let Some(target) = schema_of("$ref").and_then(Value::as_str) {
        let target = root.pointer(target.trim_start_matches('#'));
        return fits(root, target.expect("a definition"), value);
    }
    schema
        .as_object()
        .expect("a schema")
        .iter()
        .all(|(word, wanted)| {
            let all = |wanted: &Value| wanted.as_array().expect("a list").clone();
            match word.as_str() {
                "anyOf" => all(wanted).iter().any(|one| fits(root, one, value)),
                "enum" => all(wanted).contains(value),
                "const" => wanted == value,
                "type" => match wanted {
                    Value::Array(names) => names.iter().any(|name| is(name, value)),
                    name => is(name, value),
                },
                "minimum" => value.as_i64() >= wanted.as_i64(),
                "minItems" => {
                    value.as_array().map(Vec::len) >= wanted.as_u64().map(|it| it as usize)
                }
                "maxItems" => {
                    value.as_array().map(Vec::len) <= wanted.as_u64().map(|it| it as usize)
                }
                "items" => value
                    .as_array()
                    .is_none_or(|items| items.iter().all(|it| fits(root, wanted, it))),
                "required" => all(wanted)
                    .iter()
                    .all(|key| value.get(key.as_str().unwrap()).is_some()),
                "properties" => value.as_object().is_none_or(|object| {
                    let known = |(key, own): (&String, &Value)| {
                        wanted.get(key).is_some_and(|one| fits(root, one, own))
                    };
                    object.iter().all(known)
                }),
                // `ownRule`'s, the only one.
                "pattern" => value.as_str().is_some_and(|id| {
                    let letters =
                        |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "._-".contains(c);
                    (1..=64).contains(&id.len()) && id.chars().all(letters)
                }),
                "additionalProperties"
                | "$defs"
                | "$schema"
                | "$comment"
                | "title"
                | "description" => true,
                other => panic!("{other} is not known here"),
            }
        })
}

fn is(name: &Value, value: &Value) -> bool {
    match name.as_str().expect("a type") {
        "string" => value.is_string(),
        "integer" => value.is_u64(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "null" => value.is_null(),
        other => panic!("{other} is not known here"),
    }
}

#[test]
fn every_answer_fits() {
    let schema = schema();
    let stage = Stage::new();
    stage.configure(
        "[[rule]]\nid = \"me.a\"\naction = \"allow\"\nargv = [\"git\", \"clean\", \"-fd\"]\n\
         [[rule]]\nid = \"me.d\"\naction = \"deny\"\nargv = [\"npm\", \"**\"]\n",
    );
    stage.write(&stage.project().join("x.sh"), "git reset --hard\n");
    let list = stage.run(&["rules", "list", "--json"]).json();
    let rules = list["rules"].as_array().expect("rules");
    let examples = rules
        .iter()
        .flat_map(|rule| rule["blocks"].as_array().expect("examples"));
    let mut commands: Vec<Value> = examples.cloned().collect();
    for own in [
        "git clean -fd",
        "sudo npm test",
        "sh x.sh",
        "echo 'open",
        "rm -rf \"$(cat x)\"",
    ] {
        commands.push(json!(own));
    }
    let mut input: String = commands
        .iter()
        .map(|it| format!("{}\n", json!({"cmd": it, "id": 1})))
        .collect();
    input.push_str("{\"cmd\":7}\nnot JSON\n");
    let rows = stage.run_with(&["check", "--batch", "-"], input).rows();
    assert_eq!(rows.len(), commands.len() + 2);
    for row in &rows {
        assert!(fits(&schema, &schema, row), "{row}");
    }
}

#[test]
fn what_is_no_answer_does_not_fit() {
    let schema = schema();
    let answer = Stage::new().run(&["check", "--json", "rm -rf /"]).json();
    assert!(fits(&schema, &schema, &answer));
    for (pointer, wrong) in [
        ("/v", json!(2)),
        ("/decision", json!("perhaps")),
        ("/floor", json!("high")),
        ("/rules/0", json!("No Rule")),
        ("/findings/0/span", json!([1])),
        ("/findings/0/severity", Value::Null),
        ("/findings/0/argv/0", json!(7)),
        ("/reason", Value::Null),
    ] {
        let mut changed = answer.clone();
        *changed.pointer_mut(pointer).expect("there") = wrong;
        assert!(!fits(&schema, &schema, &changed), "{pointer}");
    }
    let mut short = answer.clone();
    short.as_object_mut().unwrap().remove("floor");
    assert!(!fits(&schema, &schema, &short));
}
