//! Any bytes are a path that is answered, and what is answered as inside stays inside.
#![no_main]

use herma_paths::{Operation, Protected, Root, has_traversal, lexical};
use libfuzzer_sys::fuzz_target;

/// A tree with links in all directions that every Linux has.
const ROOT: &[u8] = b"/usr";

fn is_below(path: &[u8], root: &[u8]) -> bool {
    path.strip_prefix(root)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with(b"/"))
}

fuzz_target!(|input: &[u8]| {
    let root = Root::open(ROOT).expect("a root");
    let protected = Protected::new(&[b"/root"], b"/root/.herma");
    for operation in [Operation::Read, Operation::Write, Operation::Delete] {
        let Ok(located) = root.locate(input, operation, Some(b"/root")) else {
            continue;
        };
        let canonical = located.canonical();
        assert!(!has_traversal(&canonical));
        let _ = protected.find(&root, &located, operation);
        if root.admit(located, operation).is_ok() {
            assert!(is_below(&canonical, ROOT));
        }
    }
    if let Ok(place) = lexical::locate(b"/w/x", input, None) {
        assert!(is_below(&place, b"/w/x"));
        let _ = protected.find_by_name(b"/w/x", &place, Operation::Write);
    }
});
