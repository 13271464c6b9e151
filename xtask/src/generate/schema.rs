//! The schema of what `herma check --json` prints.

use anyhow::Result;
use serde_json::{Value, json};

/// The schema with the ids of these rules.
pub(super) fn verdict(ids: &[&str]) -> Result<String> {
    let text = || json!({"type": "string"});
    let list = |items: Value| json!({"type": "array", "items": items});
    let word = json!({"anyOf": [
        {"type": "string"},
        {
            "type": "object",
            "required": ["b64"],
            "properties": {"b64": text()},
            "additionalProperties": false,
            "description": "bytes that are no UTF-8"
        },
        {"type": "null", "description": "a word that is not known"}
    ]});
    let span = json!({
        "type": "array",
        "items": {"type": "integer", "minimum": 0},
        "minItems": 2,
        "maxItems": 2,
        "description": "byte offsets: the first, and the one behind the last"
    });
    let finding = json!({
        "type": "object",
        "required": ["rule", "severity", "title", "why", "span", "argv", "via", "suggest"],
        "properties": {
            "rule": {"$ref": "#/$defs/rule"},
            "severity": {"enum": ["floor", "high", "medium", "low"]},
            "title": text(),
            "why": text(),
            "span": {"$ref": "#/$defs/span"},
            "script": {
                "type": "object",
                "required": ["path", "line", "span"],
                "properties": {
                    "path": {"$ref": "#/$defs/word"},
                    "line": {"type": "integer", "minimum": 1},
                    "span": {"$ref": "#/$defs/span"}
                }
            },
            "argv": list(json!({"$ref": "#/$defs/word"})),
            "via": list(text()),
            "suggest": {"type": ["string", "null"]}
        }
    });
    let answer = json!({
        "type": "object",
        "required": ["v", "decision", "floor", "rules", "findings", "allowed_by", "reason"],
        "properties": {
            "v": {"const": 1},
            "id": {"description": "the row's, as it was written; with --batch only"},
            "decision": {"enum": ["allow", "ask", "deny"]},
            "floor": {"enum": [null, "hardline", "sudo-stdin", "user-deny"]},
            "rules": list(json!({"$ref": "#/$defs/rule"})),
            "findings": list(json!({"$ref": "#/$defs/finding"})),
            "allowed_by": list(json!({"$ref": "#/$defs/ownRule"})),
            "reason": text()
        }
    });
    let fault = json!({
        "type": "object",
        "required": ["v", "error"],
        "properties": {"v": {"const": 1}, "id": {}, "error": text()},
        "additionalProperties": false
    });
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$comment": "Made by `cargo xtask generate`; edit xtask/src/generate/schema.rs.",
        "title": "An answer of herma check --json and --batch, version 1",
        "description": "Readers ignore keys that they do not know; within a version keys are only added.",
        "anyOf": [{"$ref": "#/$defs/answer"}, {"$ref": "#/$defs/fault"}],
        "$defs": {
            "answer": answer,
            "fault": fault,
            "finding": finding,
            "span": span,
            "word": word,
            "rule": {"anyOf": [{"$ref": "#/$defs/builtInRule"}, {"$ref": "#/$defs/ownRule"}]},
            "builtInRule": {"enum": ids},
            "ownRule": {
                "type": "string",
                "pattern": "^[a-z0-9][a-z0-9._-]{0,63}$",
                "description": "an id that the user gave"
            }
        }
    });
    Ok(serde_json::to_string_pretty(&schema)? + "\n")
}
