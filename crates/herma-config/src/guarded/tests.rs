use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use super::*;
use crate::tests::Scratch;

fn chmod(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

#[test]
fn a_file_of_ones_own_is_read_and_a_missing_one_is_an_answer() {
    let scratch = Scratch::new();
    let file = scratch.write("a", "x");
    assert_eq!(read(&file, 1, Trust::Owner), Ok(Some(b"x".to_vec())));
    assert_eq!(read(&scratch.path("b"), 1, Trust::Owner), Ok(None));
    assert_eq!(read(&file.join("c"), 1, Trust::Owner), Ok(None));
}

#[test]
fn a_file_over_the_limit_is_refused_whole() {
    let scratch = Scratch::new();
    let file = scratch.write("a", "12345");
    assert_eq!(read(&file, 4, Trust::Owner), Err(Refusal::TooLarge(4)));
    let endless = Path::new("/dev/zero");
    assert_eq!(read(endless, 4, Trust::Anybody), Err(Refusal::WrongType));
}

#[test]
fn links_directories_and_pipes_are_refused_without_waiting() {
    let scratch = Scratch::new();
    let file = scratch.write("a", "x");
    symlink(&file, scratch.path("link")).unwrap();
    assert_eq!(
        read(&scratch.path("link"), 9, Trust::Anybody),
        Err(Refusal::Link)
    );
    let directory = scratch.write("d/x", "x");
    let directory = directory.parent().unwrap();
    assert_eq!(read(directory, 9, Trust::Anybody), Err(Refusal::WrongType));
    let pipe = scratch.path("pipe");
    let status = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(status.unwrap().success());
    assert_eq!(read(&pipe, 9, Trust::Anybody), Err(Refusal::WrongType));
}

#[test]
fn what_others_may_write_decides_nothing() {
    let scratch = Scratch::new();
    let file = scratch.write("d/a", "x");
    for mode in [0o620, 0o602, 0o666] {
        chmod(&file, mode);
        assert_eq!(
            read(&file, 9, Trust::Owner),
            Err(Refusal::Writable { mode })
        );
        assert_eq!(read(&file, 9, Trust::Anybody), Ok(Some(b"x".to_vec())));
    }
    chmod(&file, 0o644);
    assert!(read(&file, 9, Trust::Owner).is_ok());
    chmod(&scratch.path("d"), 0o777);
    let refused = Directory::open(&scratch.path("d"), Trust::Owner).unwrap_err();
    assert_eq!(refused, Refusal::Writable { mode: 0o777 });
}

#[test]
fn only_this_user_and_root_own_what_decides() {
    let allows = |uid, me| owner_allows(uid, 0o600, me, Trust::Owner);
    assert_eq!(allows(1000, 1000), Ok(()));
    assert_eq!(allows(0, 1000), Ok(()));
    assert_eq!(allows(1001, 1000), Err(Refusal::Owner { uid: 1001 }));
    assert_eq!(allows(1000, 0), Err(Refusal::Owner { uid: 1000 }));
    assert_eq!(owner_allows(1001, 0o666, 1000, Trust::Anybody), Ok(()));
}

#[test]
fn names_are_listed_in_order_and_files_read_by_name() {
    let scratch = Scratch::new();
    for name in ["d/b", "d/a", "d/.c", "d/e/x"] {
        scratch.write(name, name);
    }
    let directory = Directory::open(&scratch.path("d"), Trust::Owner)
        .unwrap()
        .unwrap();
    assert_eq!(directory.names().unwrap(), [".c", "a", "b", "e"]);
    assert_eq!(
        directory.read(OsStr::new("a"), 9),
        Ok(Some(b"d/a".to_vec()))
    );
    assert_eq!(directory.read(OsStr::new("z"), 9), Ok(None));
    let inner = directory.directory(OsStr::new("e")).unwrap().unwrap();
    assert_eq!(inner.names().unwrap(), ["x"]);
    symlink(scratch.path("d/e"), scratch.path("d/link")).unwrap();
    for wrong in ["link", "a"] {
        let opened = directory.directory(OsStr::new(wrong));
        assert_eq!(opened.unwrap_err(), Refusal::WrongType, "{wrong}");
    }
    let file = Directory::open(&scratch.path("d/a"), Trust::Owner);
    assert_eq!(file.unwrap_err(), Refusal::WrongType);
}
