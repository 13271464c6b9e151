//! The labelled texts of `corpus/shell/parse.jsonl`, as far as the grammar alone decides them.

mod tree;

use herma_shell::Source;
use herma_shell::syntax::{Dialect, parse};

/// Rows that only evaluation decides: what a substitution prints, an alias, and subscripts in text
/// that is evaluated later.
const EVALUATED: [&str; 4] = [
    "$(echo zz9) x",
    "shopt -s expand_aliases\nalias q='zz9 1'\nq\n",
    "x='a[$(zz9 1)]'; echo $((x))\n",
    "[[ -v 'a[$(zz9 1)]' ]]\n",
];

#[test]
fn every_command_position_is_found_at_its_byte_and_broken_texts_have_errors() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../corpus/shell/parse.jsonl"
    );
    let text = std::fs::read_to_string(path).expect("the corpus");
    let mut wrong = Vec::new();
    let mut rows = 0;
    for line in text.lines() {
        let row: serde_json::Value = serde_json::from_str(line).expect("a row");
        let src = row["src"].as_str().expect("src");
        let valid = row["valid"].as_bool().expect("valid");
        let expected: Vec<u32> = row["exp"]
            .as_array()
            .expect("exp")
            .iter()
            .map(|at| u32::try_from(at.as_u64().expect("an offset")).expect("small"))
            .collect();
        rows += 1;
        let parsed = parse(&Source::original(src.as_bytes().to_vec()), Dialect::Bash);
        if parsed.errors.is_empty() != valid {
            wrong.push(format!("{src:?}: errors {:?}", parsed.errors));
        }
        // Of broken texts the corpus judges the status only.
        if !valid || EVALUATED.contains(&src) {
            continue;
        }
        let named = tree::walk(&parsed.list, b"zz9").named;
        if named != expected {
            wrong.push(format!("{src:?}: found {named:?}, expected {expected:?}"));
        }
    }
    assert!(rows > 300, "only {rows} rows");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
