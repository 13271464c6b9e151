use super::reference;
use crate::key::{KEYS, RULE_KEYS};

#[test]
fn the_page_in_the_repository_is_the_generated_one() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/configuration.md");
    let page = reference();
    if std::env::var_os("HERMA_WRITE_DOCS").is_some() {
        std::fs::write(path, &page).unwrap();
    }
    let kept = std::fs::read_to_string(path).unwrap_or_default();
    assert!(
        kept == page,
        "run HERMA_WRITE_DOCS=1 cargo test -p herma-config reference"
    );
}

#[test]
fn every_key_has_its_entry() {
    let page = reference();
    for key in KEYS.iter().chain(RULE_KEYS) {
        assert!(
            page.contains(&format!("### `{}`\n", key.path)),
            "{}",
            key.path
        );
    }
}
