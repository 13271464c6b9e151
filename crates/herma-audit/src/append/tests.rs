use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use super::*;
use crate::tests::Scratch;
use crate::verify::{Fault, Verification};

/// Noon of the first of December 2026.
const NOON: u64 = 1_796_126_400;
const DAY: u64 = 86_400;
const FIRST: &str = "2026-12-01.jsonl";
const SECOND: &str = "2026-12-02.jsonl";

fn at(seconds: u64) -> Timestamp {
    Timestamp::new(seconds, 0)
}

fn add(log: &Log, seconds: u64) -> Receipt {
    let mut event = Event::new("check");
    event.command = &[b"ls"];
    event.decision = Some("allow");
    log.append_at(&event, at(seconds)).unwrap()
}

fn verified(log: &Log) -> Verification {
    log.verify().unwrap()
}

fn reasons(log: &Log) -> Vec<String> {
    let found = verified(log);
    found.gaps.into_iter().map(|gap| gap.reason).collect()
}

fn edit(file: &Path, change: impl FnOnce(Vec<String>) -> Vec<String>) {
    let text = fs::read_to_string(file).unwrap();
    let lines = change(text.lines().map(str::to_owned).collect());
    let mut text = lines.join("\n");
    text.push('\n');
    fs::write(file, text).unwrap();
}

#[test]
fn lines_are_numbered_from_one_and_chained_by_the_hash_of_their_bytes() {
    let scratch = Scratch::new();
    let log = scratch.log();
    let first = add(&log, NOON);
    let second = add(&log, NOON + 1);
    assert_eq!((first.seq, second.seq), (1, 2));
    assert!(first.began_file && !second.began_file);
    let text = fs::read_to_string(scratch.file(FIRST)).unwrap();
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    assert!(lines[0].starts_with(&format!(
        r#"{{"v":1,"ts":"2026-12-01T12:00:00.000000Z","seq":1,"prev":"{}","kind":"check","#,
        "0".repeat(64)
    )));
    let hash_of_first = hex(&hash(&[lines[0].as_bytes()]));
    assert_eq!(first.hash, hash_of_first);
    assert!(lines[1].contains(&format!(r#""seq":2,"prev":"{hash_of_first}""#)));
}

#[test]
fn files_are_for_the_owner_only() {
    let scratch = Scratch::new();
    add(&scratch.log(), NOON);
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&scratch.path("audit")), 0o700);
    assert_eq!(mode(&scratch.file(FIRST)), 0o600);
    assert_eq!(mode(&scratch.file("head")), 0o600);
}

#[test]
fn the_chain_goes_on_over_midnight() {
    let scratch = Scratch::new();
    let log = scratch.log();
    add(&log, NOON);
    let next = add(&log, NOON + DAY);
    assert_eq!((next.seq, next.file.as_str()), (2, SECOND));
    assert!(next.began_file);
    let found = verified(&log);
    assert!(found.holds(), "{found:?}");
    assert_eq!((found.files, found.lines), (2, 2));
}

#[test]
fn a_clock_that_goes_back_stays_in_the_newest_file() {
    let scratch = Scratch::new();
    let log = scratch.log();
    add(&log, NOON + DAY);
    assert_eq!(add(&log, NOON).file, SECOND);
    assert!(verified(&log).holds());
}

#[test]
fn a_reserve_lies_behind_the_end_of_the_file() {
    use std::os::unix::fs::MetadataExt;
    let scratch = Scratch::new();
    let log = scratch.log();
    for _ in 0..500 {
        add(&log, NOON);
    }
    let metadata = fs::metadata(scratch.file(FIRST)).unwrap();
    assert!(metadata.blocks() * 512 >= metadata.len() + RESERVE);
    assert!(metadata.len() > 64 * 1024);
}

#[test]
fn a_torn_last_line_is_closed_by_a_gap_and_kept() {
    let scratch = Scratch::new();
    let log = scratch.log();
    add(&log, NOON);
    let mut file = fs::OpenOptions::new()
        .append(true)
        .open(scratch.file(FIRST))
        .unwrap();
    file.write_all(b"{\"v\":1,\"ts\":\"2026").unwrap();
    let found = verified(&log);
    assert!(found.holds() && found.torn, "{found:?}");
    assert_eq!(add(&log, NOON + 1).seq, 3);
    let text = fs::read_to_string(scratch.file(FIRST)).unwrap();
    assert_eq!(text.lines().count(), 4);
    assert!(text.contains("\n{\"v\":1,\"ts\":\"2026\n"));
    let found = verified(&log);
    assert!(found.holds() && !found.torn, "{found:?}");
    assert_eq!(found.lines, 3);
    assert_eq!(reasons(&log), ["torn-line"]);
}

#[test]
fn a_torn_line_is_closed_in_its_own_file_also_the_next_day() {
    let scratch = Scratch::new();
    let log = scratch.log();
    add(&log, NOON);
    let mut file = fs::OpenOptions::new()
        .append(true)
        .open(scratch.file(FIRST))
        .unwrap();
    file.write_all(b"{").unwrap();
    add(&log, NOON + DAY);
    let found = verified(&log);
    assert!(found.holds(), "{found:?}");
    assert_eq!(found.gaps[0].file, FIRST);
}

#[test]
fn a_line_whose_head_was_not_written_counts() {
    let scratch = Scratch::new();
    let log = scratch.log();
    add(&log, NOON);
    let head = fs::read(scratch.file("head")).unwrap();
    add(&log, NOON);
    fs::write(scratch.file("head"), head).unwrap();
    assert_eq!(add(&log, NOON).seq, 3);
    assert!(verified(&log).holds());
    assert!(reasons(&log).is_empty());
}

#[test]
fn a_lost_head_is_a_gap_and_the_chain_goes_on() {
    let scratch = Scratch::new();
    let log = scratch.log();
    add(&log, NOON);
    add(&log, NOON);
    fs::remove_file(scratch.file("head")).unwrap();
    let broken = verified(&log).broken.unwrap();
    assert_eq!(broken.what, Fault::NoHead);
    assert_eq!(add(&log, NOON).seq, 4);
    assert!(verified(&log).holds());
    assert_eq!(reasons(&log), ["head-lost"]);
}

#[test]
fn an_edited_line_is_named() {
    let scratch = Scratch::new();
    let log = scratch.log();
    for _ in 0..5 {
        add(&log, NOON);
    }
    edit(&scratch.file(FIRST), |mut lines| {
        lines[2] = lines[2].replace("allow", "deny!");
        lines
    });
    let broken = verified(&log).broken.unwrap();
    assert_eq!(
        (broken.file.as_str(), broken.line, broken.seq),
        (FIRST, 3, Some(3))
    );
    assert_eq!(broken.what, Fault::Changed);
}

#[test]
fn an_edited_last_line_is_named_by_the_head() {
    let scratch = Scratch::new();
    let log = scratch.log();
    add(&log, NOON);
    add(&log, NOON);
    edit(&scratch.file(FIRST), |mut lines| {
        lines[1] = lines[1].replace("allow", "alloW");
        lines
    });
    let broken = verified(&log).broken.unwrap();
    assert_eq!((broken.line, broken.what), (2, Fault::Changed));
}

#[test]
fn a_deleted_line_is_named_by_the_number_that_is_missing() {
    let scratch = Scratch::new();
    let log = scratch.log();
    for _ in 0..5 {
        add(&log, NOON);
    }
    edit(&scratch.file(FIRST), |mut lines| {
        lines.remove(2);
        lines
    });
    let broken = verified(&log).broken.unwrap();
    assert_eq!(broken.line, 3);
    let what = Fault::Missing {
        expected: 3,
        found: 4,
    };
    assert_eq!(broken.what, what);
}

#[test]
fn lines_cut_off_at_the_end_are_missed_by_the_head_and_stay_evident() {
    let scratch = Scratch::new();
    let log = scratch.log();
    for _ in 0..3 {
        add(&log, NOON);
    }
    edit(&scratch.file(FIRST), |mut lines| {
        lines.truncate(1);
        lines
    });
    let broken = verified(&log).broken.unwrap();
    assert_eq!(broken.what, Fault::Truncated { last: 3 });
    assert_eq!(add(&log, NOON).seq, 5);
    let broken = verified(&log).broken.unwrap();
    let what = Fault::Missing {
        expected: 2,
        found: 4,
    };
    assert_eq!((broken.line, broken.what), (2, what));
}

#[test]
fn swapped_removed_and_foreign_files_are_found() {
    let scratch = Scratch::new();
    let log = scratch.log();
    for day in 0..3 {
        add(&log, NOON + day * DAY);
        add(&log, NOON + day * DAY);
    }
    let (first, second) = (scratch.file(FIRST), scratch.file(SECOND));
    let (one, two) = (fs::read(&first).unwrap(), fs::read(&second).unwrap());
    fs::write(&first, &two).unwrap();
    fs::write(&second, &one).unwrap();
    let broken = verified(&log).broken.unwrap();
    assert_eq!((broken.file.as_str(), broken.line), (FIRST, 1));
    fs::write(&first, &one).unwrap();
    fs::write(&second, &two).unwrap();
    assert!(verified(&log).holds());
    fs::remove_file(&second).unwrap();
    let broken = verified(&log).broken.unwrap();
    assert_eq!(broken.file, "2026-12-03.jsonl");
    fs::write(&second, b"rubbish\n").unwrap();
    assert!(!verified(&log).holds());
}

#[test]
fn the_newest_file_removed_is_found_before_and_after_the_next_line() {
    let scratch = Scratch::new();
    let log = scratch.log();
    add(&log, NOON);
    add(&log, NOON + DAY);
    fs::remove_file(scratch.file(SECOND)).unwrap();
    let broken = verified(&log).broken.unwrap();
    assert_eq!(broken.what, Fault::Truncated { last: 2 });
    add(&log, NOON + DAY);
    assert!(!verified(&log).holds());
}

#[test]
fn no_log_and_an_empty_directory_are_an_empty_chain() {
    let scratch = Scratch::new();
    let log = scratch.log();
    assert_eq!(verified(&log), Verification::default());
    fs::create_dir(scratch.path("audit")).unwrap();
    assert_eq!(verified(&log), Verification::default());
    assert!(log.tail(3).unwrap().is_empty());
    assert!(log.purge(1).unwrap().is_empty());
}

#[test]
fn links_and_pipes_in_place_of_files_are_refused() {
    let scratch = Scratch::new();
    let log = scratch.log();
    add(&log, NOON);
    fs::rename(scratch.file(FIRST), scratch.path("elsewhere")).unwrap();
    std::os::unix::fs::symlink(scratch.path("elsewhere"), scratch.file(FIRST)).unwrap();
    let result = log.append_at(&Event::new("check"), at(NOON));
    assert_eq!(result, Err(AuditError::NotAFile(FIRST.into())));
}

#[test]
fn an_append_does_not_wait_for_ever() {
    let scratch = Scratch::new();
    let log = scratch.log().patience(Duration::from_millis(20));
    add(&log, NOON);
    let head = fs::File::open(scratch.file("head")).unwrap();
    let head = OwnedFd::from(head);
    lock(&head, false, Duration::ZERO).unwrap();
    let result = log.append_at(&Event::new("check"), at(NOON));
    assert!(matches!(result, Err(AuditError::Locked(_))), "{result:?}");
    drop(head);
    assert_eq!(add(&log, NOON).seq, 2);
}

#[test]
fn tail_reads_over_files_and_a_follower_sees_each_line_once() {
    let scratch = Scratch::new();
    let log = scratch.log();
    for day in 0..3 {
        add(&log, NOON + day * DAY);
        add(&log, NOON + day * DAY);
    }
    let numbers = |lines: Vec<Vec<u8>>| -> Vec<u64> {
        let read = |line: &Vec<u8>| Record::parse(line).unwrap().seq;
        lines.iter().map(read).collect()
    };
    assert_eq!(numbers(log.tail(3).unwrap()), [4, 5, 6]);
    assert_eq!(numbers(log.tail(100).unwrap()), [1, 2, 3, 4, 5, 6]);
    assert!(log.tail(0).unwrap().is_empty());
    let mut follower = log.follow().unwrap();
    assert!(follower.poll().unwrap().is_empty());
    add(&log, NOON + 2 * DAY);
    add(&log, NOON + 3 * DAY);
    assert_eq!(numbers(follower.poll().unwrap()), [7, 8]);
    assert!(follower.poll().unwrap().is_empty());
}

#[test]
fn after_purging_the_chain_verifies_from_its_anchor() {
    let scratch = Scratch::new();
    let log = scratch.log();
    for day in 0..5 {
        add(&log, NOON + day * DAY);
        add(&log, NOON + day * DAY);
    }
    let removed = log.purge_at(2, at(NOON + 4 * DAY)).unwrap();
    assert_eq!(removed, [FIRST, SECOND]);
    let found = verified(&log);
    assert!(found.holds() && found.anchored, "{found:?}");
    assert_eq!((found.first_seq, found.last_seq), (Some(5), Some(10)));
    // One more file gone than the anchor says.
    fs::remove_file(scratch.file("2026-12-03.jsonl")).unwrap();
    assert!(!verified(&log).holds());
}

#[test]
fn purging_keeps_the_newest_file_however_old() {
    let scratch = Scratch::new();
    let log = scratch.log();
    add(&log, NOON);
    assert!(log.purge_at(1, at(NOON + 900 * DAY)).unwrap().is_empty());
    add(&log, NOON + 900 * DAY);
    assert_eq!(log.purge_at(1, at(NOON + 900 * DAY)).unwrap(), [FIRST]);
    assert!(verified(&log).holds());
}
