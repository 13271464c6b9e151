use std::os::unix::ffi::OsStrExt;

use proptest::prelude::*;

use super::stage::Stage;
use crate::{MAX_PATH, Operation, Refusal, Root, check_text, has_traversal, lexical};

/// Paths from parts that mean something in the tree below.
fn path() -> impl Strategy<Value = String> {
    let part = prop::sample::select(vec![
        "a.txt",
        "src",
        "m.rs",
        "..",
        ".",
        "",
        "up",
        "out",
        "self",
        "deep",
        "loop",
        "gone",
        "abs",
        "ws",
        "new",
        "secret.txt",
        "...",
        "~",
    ]);
    prop::collection::vec(part, 0..9).prop_map(|parts| parts.join("/"))
}

fn tree() -> Stage {
    let stage = Stage::new();
    stage.link("..", "ws/up");
    stage.link("../out", "ws/out");
    stage.link(".", "ws/self");
    stage.link("src/../up/ws/src", "ws/deep");
    stage.link("loop", "ws/loop");
    stage.link("nowhere", "ws/gone");
    stage.link("../ws/a.txt", "out/back");
    let src = stage.at("ws/src");
    std::os::unix::fs::symlink(src, stage.at("ws/abs")).expect("a link");
    stage
}

fn operation() -> impl Strategy<Value = Operation> {
    prop::sample::select(vec![
        Operation::Read,
        Operation::Write,
        Operation::Create,
        Operation::Delete,
        Operation::List,
    ])
}

/// What the kernel finds, as a path.
fn kernel(stage: &Stage, path: &str) -> Option<Vec<u8>> {
    let found = std::fs::canonicalize(stage.at("ws").join(path)).ok()?;
    Some(found.as_os_str().as_bytes().to_vec())
}

fn is_below(path: &[u8], root: &[u8]) -> bool {
    path.strip_prefix(root)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with(b"/"))
}

#[test]
fn inside_is_what_the_kernel_finds_inside() {
    let stage = tree();
    let root = stage.root();
    let mut runner = proptest::test_runner::TestRunner::default();
    runner
        .run(&(path(), operation()), |(path, operation)| {
            let answer = root
                .check(path.as_bytes(), operation, None)
                .map(|checked| (checked.located().canonical(), checked.located().identity()));
            let found = kernel(&stage, &path);
            match (&answer, &found) {
                // Removing takes the link itself.
                (Ok(_), Some(_)) if operation == Operation::Delete => {}
                (Ok((canonical, identity)), Some(found)) => {
                    prop_assert_eq!(canonical, found);
                    prop_assert!(is_below(found, &root.canonical()));
                    prop_assert!(identity.is_some());
                }
                (Ok((_, identity)), None) if operation != Operation::Delete => {
                    prop_assert!(identity.is_none());
                }
                (Err(Refusal::Outside), Some(found)) if operation != Operation::Delete => {
                    prop_assert!(!is_below(found, &root.canonical()));
                }
                _ => {}
            }
            if let Ok((canonical, _)) = answer {
                prop_assert!(is_below(&canonical, &root.canonical()));
                prop_assert!(!has_traversal(&canonical));
            }
            Ok(())
        })
        .expect("holds");
}

proptest! {
    #[test]
    fn any_bytes_are_answered(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let root = Root::open(b"/usr").expect("a root");
        let text = check_text(&bytes);
        let answer = root.check(&bytes, Operation::Read, Some(b"/nowhere")).map(drop);
        if let Err(why) = text {
            prop_assert_eq!(answer, Err(why));
        }
        let _ = lexical::locate(b"/usr", &bytes, None);
    }

    #[test]
    fn names_below_a_root_stay_below_it(path in path()) {
        if let Ok(place) = lexical::locate(b"/w/x", path.as_bytes(), None) {
            prop_assert!(is_below(&place, b"/w/x"));
            prop_assert!(!has_traversal(&place));
        }
    }

    #[test]
    fn a_long_path_is_refused_by_its_length(extra in 1usize..2000) {
        let path = "a/".repeat(MAX_PATH / 2 + extra);
        prop_assert_eq!(check_text(path.as_bytes()), Err(Refusal::PathTooLong));
    }
}
