use std::fs;
use std::os::unix::fs::PermissionsExt;

use super::*;
use crate::tests::Scratch;

const NOON: u64 = 1_796_126_400;
const DAY: u64 = 86_400;

fn at(seconds: u64) -> Timestamp {
    Timestamp::new(seconds, 0)
}

fn copies(scratch: &Scratch) -> Copies {
    Copies::at(scratch.path("blocked"))
}

#[test]
fn a_copy_holds_the_command_as_it_was_with_rules_and_origin() {
    let scratch = Scratch::new();
    let copies = copies(&scratch);
    let block = Block {
        floor: Some("hardline"),
        rules: &[("fs.delete-root", 0, 8)],
        host: Some("claude-code"),
        session: Some("8ead"),
        cwd: Some(b"/w"),
        ..Block::new(b"rm -rf / # PASSWORD=hunter2 \xff", "deny")
    };
    let id = copies.keep_at(&block, at(NOON)).unwrap();
    assert!(id.starts_with("20261201T120000-") && id.len() == 24, "{id}");
    let kept = copies.show(&id).unwrap();
    assert_eq!(kept.command, block.command);
    assert_eq!(kept.ts, "2026-12-01T12:00:00.000000Z");
    assert_eq!(kept.floor.as_deref(), Some("hardline"));
    let rule = KeptRule {
        id: "fs.delete-root".into(),
        start: 0,
        end: 8,
    };
    assert_eq!(kept.rules, [rule]);
    assert_eq!(kept.host.as_deref(), Some("claude-code"));
    assert_eq!(kept.cwd.as_deref(), Some(b"/w".as_slice()));
    assert!(!kept.cut);
    let mode = |name: &str| {
        let metadata = fs::metadata(scratch.path(name)).unwrap();
        metadata.permissions().mode() & 0o777
    };
    assert_eq!(mode("blocked"), 0o700);
    assert_eq!(mode(&format!("blocked/{id}.json")), 0o600);
}

#[test]
fn a_copy_never_says_how_to_run_it() {
    let scratch = Scratch::new();
    let copies = copies(&scratch);
    let id = copies
        .keep_at(&Block::new(b"reboot", "deny"), at(NOON))
        .unwrap();
    let path = scratch.path(&format!("blocked/{id}.json"));
    let content = fs::read_to_string(&path).unwrap();
    for word in ["bash ", "sh -c", "#!", "eval"] {
        assert!(!content.contains(word), "{content}");
    }
    assert_eq!(fs::metadata(path).unwrap().permissions().mode() & 0o111, 0);
}

#[test]
fn a_report_is_a_labelled_case_without_secrets() {
    let scratch = Scratch::new();
    let copies = copies(&scratch);
    let block = Block {
        rules: &[("net.upload", 0, 4)],
        ..Block::new(b"curl -u bob:hunter2 x", "ask")
    };
    let id = copies.keep_at(&block, at(NOON)).unwrap();
    let line = copies
        .report(&id, Verdict::Allow, 7, "our own server, TOKEN=abcd1234")
        .unwrap();
    let expected = format!(
        r#"{{"id":"{id}","cmd":"curl -u bob:[REDACTED:password] x","expect":"allow","kind":"net.upload","issue":7,"note":"our own server, TOKEN=[REDACTED:secret]"}}"#
    );
    assert_eq!(line, expected);
}

#[test]
fn names_that_are_no_ids_never_reach_the_file_system() {
    let scratch = Scratch::new();
    let copies = copies(&scratch);
    copies.keep_at(&Block::new(b"x", "deny"), at(NOON)).unwrap();
    fs::write(scratch.path("secret.json"), "{}\n").unwrap();
    for id in [
        "../secret",
        "",
        "/etc/passwd",
        "20261201T120000-0000000g",
        "..",
        "purged",
    ] {
        assert_eq!(copies.show(id), Err(CopyError::Unknown(id.into())));
    }
    let missing = "20261201T120000-00000000";
    assert_eq!(
        copies.show(missing),
        Err(CopyError::Unknown(missing.into()))
    );
    fs::write(scratch.path(&format!("blocked/{missing}.json")), "{}\n").unwrap();
    assert_eq!(
        copies.show(missing),
        Err(CopyError::Malformed(missing.into()))
    );
}

#[test]
fn the_same_command_in_the_same_second_is_kept_once() {
    let scratch = Scratch::new();
    let copies = copies(&scratch);
    let block = Block::new(b"x", "deny");
    let first = copies.keep_at(&block, at(NOON)).unwrap();
    assert_eq!(copies.keep_at(&block, at(NOON)).unwrap(), first);
    copies.keep_at(&block, at(NOON + 1)).unwrap();
    assert_eq!(copies.list().unwrap().len(), 2);
}

#[test]
fn old_copies_go_at_most_once_a_day() {
    let scratch = Scratch::new();
    let copies = copies(&scratch);
    assert_eq!(copies.purge_at(30, at(NOON)).unwrap(), 0);
    for day in 0..3 {
        copies
            .keep_at(&Block::new(b"x", "deny"), at(NOON + day * DAY))
            .unwrap();
    }
    assert_eq!(copies.purge_at(1, at(NOON + 2 * DAY)).unwrap(), 1);
    copies.keep_at(&Block::new(b"y", "deny"), at(NOON)).unwrap();
    assert_eq!(copies.purge_at(1, at(NOON + 2 * DAY + 60)).unwrap(), 0);
    assert_eq!(copies.purge_at(1, at(NOON + 3 * DAY)).unwrap(), 2);
    assert_eq!(copies.list().unwrap().len(), 1);
}

#[test]
fn the_number_of_copies_is_bounded_and_the_oldest_go_first() {
    let scratch = Scratch::new();
    let copies = copies(&scratch);
    copies.keep_at(&Block::new(b"x", "deny"), at(NOON)).unwrap();
    for index in 0..MAX_COPIES {
        let name = format!("blocked/20261130T{index:06}-00000000.json");
        fs::write(scratch.path(&name), "{}\n").unwrap();
    }
    let id = copies.keep_at(&Block::new(b"y", "deny"), at(NOON)).unwrap();
    let list = copies.list().unwrap();
    assert_eq!(list.len(), MAX_COPIES);
    assert_eq!(list[0].id, "20261130T000002-00000000");
    assert!(list.iter().any(|entry| entry.id == id));
}

#[test]
fn a_long_command_is_cut_and_says_so() {
    let scratch = Scratch::new();
    let copies = copies(&scratch);
    let long = vec![b'"'; MAX_COMMAND + 1];
    let id = copies
        .keep_at(&Block::new(&long, "deny"), at(NOON))
        .unwrap();
    let kept = copies.show(&id).unwrap();
    assert!(kept.cut);
    assert_eq!(kept.command.len(), MAX_COMMAND);
}

#[test]
fn without_a_directory_there_are_no_copies() {
    let scratch = Scratch::new();
    let copies = copies(&scratch);
    assert!(copies.list().unwrap().is_empty());
    assert_eq!(copies.purge_at(1, at(NOON)).unwrap(), 0);
}
