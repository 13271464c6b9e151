use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use super::*;
use crate::tests::Scratch;

#[test]
fn a_file_is_made_with_its_mode_and_replaced_whole() {
    let scratch = Scratch::new();
    let file = scratch.path("a");
    replace(&file, b"one", 0o600).unwrap();
    replace(&file, b"2", 0o600).unwrap();
    assert_eq!(fs::read(&file).unwrap(), b"2");
    assert_eq!(
        fs::metadata(&file).unwrap().permissions().mode() & 0o777,
        0o600
    );
    assert_eq!(fs::read_dir(scratch.path("")).unwrap().count(), 1);
}

#[test]
fn a_link_is_replaced_and_what_it_names_stays() {
    let scratch = Scratch::new();
    let target = scratch.write("target", "old");
    symlink(&target, scratch.path("link")).unwrap();
    replace(&scratch.path("link"), b"new", 0o600).unwrap();
    assert_eq!(fs::read(&target).unwrap(), b"old");
    assert!(scratch.path("link").symlink_metadata().unwrap().is_file());
}

#[test]
fn when_the_last_step_fails_nothing_is_left_behind() {
    let scratch = Scratch::new();
    scratch.write("d/inside", "x");
    assert!(replace(&scratch.path("d"), b"new", 0o600).is_err());
    assert!(replace(&scratch.path("missing/a"), b"new", 0o600).is_err());
    assert!(replace(Path::new("/"), b"new", 0o600).is_err());
    assert_eq!(fs::read_dir(scratch.path("")).unwrap().count(), 1);
}

#[test]
fn readers_see_the_old_or_the_new_content() {
    let scratch = Scratch::new();
    let file = scratch.write("a", "0".repeat(10_000));
    std::thread::scope(|scope| {
        for digit in ["1", "2"] {
            let file = &file;
            scope.spawn(move || {
                for _ in 0..50 {
                    replace(file, digit.repeat(10_000).as_bytes(), 0o600).unwrap();
                }
            });
        }
        for _ in 0..300 {
            let content = fs::read(&file).unwrap();
            assert_eq!(content.len(), 10_000);
            assert!(content.iter().all(|byte| *byte == content[0]));
        }
    });
}

#[test]
fn directories_are_for_the_owner_and_a_file_in_their_place_is_an_error() {
    let scratch = Scratch::new();
    let directory = scratch.path("d");
    create_directory(&directory, 0o700).unwrap();
    create_directory(&directory, 0o700).unwrap();
    let mode = fs::metadata(&directory).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o700);
    let file = scratch.write("f", "x");
    assert!(create_directory(&file, 0o700).is_err());
}
