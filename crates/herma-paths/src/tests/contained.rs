use std::io::{Read, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt};

use super::stage::Stage;
use crate::kernel::{self, Way};
use crate::{Operation, Refusal, open_within, secure_dir, secure_file};

fn check(stage: &Stage, path: &str, operation: Operation) -> Result<Vec<u8>, Refusal> {
    let root = stage.root();
    let home = stage.bytes("home");
    let checked = root.check(path.as_bytes(), operation, Some(&home))?;
    Ok(checked.located().canonical())
}

#[test]
fn a_relative_path_starts_at_the_root_and_is_answered_canonically() {
    let stage = Stage::new();
    stage.link("src", "ws/l");
    for (path, canonical) in [
        ("a.txt", "ws/a.txt"),
        ("./src/../a.txt", "ws/a.txt"),
        ("l/m.rs", "ws/src/m.rs"),
        ("l/../a.txt", "ws/a.txt"),
        ("src/new/b", "ws/src/new/b"),
        (".", "ws"),
    ] {
        assert_eq!(
            check(&stage, path, Operation::Read),
            Ok(stage.bytes(canonical)),
            "{path}"
        );
    }
}

#[test]
fn what_leads_out_is_an_escape_whatever_leads_there() {
    let stage = Stage::new();
    stage.link("../out", "ws/d");
    stage.link("../out/later", "ws/dangling");
    for path in [
        "..",
        "../out/secret.txt",
        "d",
        "d/x/y",
        "d/../a.txt",
        "dangling",
        "~",
        "~/x",
    ] {
        assert_eq!(
            check(&stage, path, Operation::Write),
            Err(Refusal::Outside),
            "{path}"
        );
    }
}

#[test]
fn a_link_is_followed_for_its_content_and_not_for_its_removal() {
    let stage = Stage::new();
    stage.link("../out/secret.txt", "ws/l");
    stage.link("../out", "ws/d");
    assert_eq!(check(&stage, "l", Operation::Read), Err(Refusal::Outside));
    assert_eq!(
        check(&stage, "l", Operation::Delete),
        Ok(stage.bytes("ws/l"))
    );
    assert_eq!(
        check(&stage, "d/secret.txt", Operation::Delete),
        Err(Refusal::Outside)
    );
    assert_eq!(
        check(&stage, "d/", Operation::Delete),
        Err(Refusal::Outside)
    );
    let root = stage.root();
    let checked = root.check(b"l", Operation::Delete, None).expect("inside");
    checked.remove().expect("removed");
    assert!(stage.at("out/secret.txt").exists());
    assert!(stage.at("ws/l").symlink_metadata().is_err());
}

#[test]
fn each_operation_takes_its_own_kinds_of_objects() {
    use Operation::{Create, Delete, List, Read, Write};
    let stage = Stage::new();
    std::fs::hard_link(stage.at("ws/a.txt"), stage.at("ws/h")).expect("a link");
    rustix::fs::mknodat(
        rustix::fs::CWD,
        stage.at("ws/pipe"),
        rustix::fs::FileType::Fifo,
        rustix::fs::Mode::RUSR,
        0,
    )
    .expect("a pipe");
    for (path, operation, refusal) in [
        ("src", Write, Some(Refusal::IsDirectory)),
        ("new/", Write, Some(Refusal::IsDirectory)),
        ("src", Create, Some(Refusal::IsDirectory)),
        ("src/m.rs", Create, Some(Refusal::Exists)),
        ("src/m.rs", List, Some(Refusal::NotDirectory)),
        ("src/m.rs/", Read, Some(Refusal::NotDirectory)),
        ("src/m.rs/..", Read, Some(Refusal::NotDirectory)),
        ("h", Write, Some(Refusal::HardLinked)),
        ("pipe", Read, Some(Refusal::NotRegular)),
        ("pipe", Write, Some(Refusal::NotRegular)),
        (".", Write, Some(Refusal::IsRoot)),
        ("src/..", Delete, Some(Refusal::IsRoot)),
        ("none/..", Read, Some(Refusal::ParentOfMissing)),
        ("pipe", Delete, None),
        ("h", Read, None),
        ("h", Delete, None),
        ("src", Read, None),
        ("src", List, None),
        ("none/", Read, None),
    ] {
        assert_eq!(
            check(&stage, path, operation).err(),
            refusal,
            "{path} {operation:?}"
        );
    }
}

#[test]
fn links_of_procfs_to_objects_are_refused() {
    let stage = Stage::new();
    for path in [
        "/proc/self/root/etc",
        "/proc/self/cwd",
        "/proc/self/exe",
        "/proc/self/fd/0",
        "/proc/self/ns/mnt",
        "/proc/1/root",
        "/proc/1/fd/0",
        "/proc/thread-self/cwd/a",
        "/proc/self/fd/4000000",
        "/proc/4000000/root",
        "/dev/fd/0",
    ] {
        assert_eq!(
            check(&stage, path, Operation::Read),
            Err(Refusal::MagicLink),
            "{path}"
        );
    }
    for path in ["/proc/self/status", "/proc/none", "/proc/mounts"] {
        assert_eq!(
            check(&stage, path, Operation::Read),
            Err(Refusal::Outside),
            "{path}"
        );
    }
}

#[test]
fn forty_links_are_followed_and_no_more() {
    let stage = Stage::new();
    stage.link("a.txt", "ws/k0");
    for number in 1..=40 {
        stage.link(&format!("k{}", number - 1), &format!("ws/k{number}"));
    }
    assert!(check(&stage, "k39", Operation::Read).is_ok());
    assert_eq!(
        check(&stage, "k40", Operation::Read),
        Err(Refusal::TooManyLinks)
    );
}

#[test]
fn a_root_must_be_an_absolute_existing_directory() {
    let stage = Stage::new();
    let open = |root: &[u8]| crate::Root::open(root).err();
    assert_eq!(open(b""), Some(Refusal::RootRelative));
    assert_eq!(open(b"ws"), Some(Refusal::RootRelative));
    assert_eq!(open(&stage.bytes("none")), Some(Refusal::RootMissing));
    assert_eq!(open(&stage.bytes("none/../ws")), Some(Refusal::RootMissing));
    assert_eq!(
        open(&stage.bytes("ws/a.txt")),
        Some(Refusal::RootNotDirectory)
    );
    assert_eq!(open(b"/proc/self/cwd"), Some(Refusal::MagicLink));
}

#[test]
fn what_is_opened_is_what_was_checked() {
    for way in [Way::Whole, Way::Components] {
        let stage = Stage::new();
        let mut root = stage.root();
        root.way = way;
        let mut text = String::new();
        let opened = root
            .check(b"src/m.rs", Operation::Read, None)
            .and_then(crate::Checked::open)
            .expect("opened");
        assert_eq!(opened.path, stage.bytes("ws/src/m.rs"));
        assert_eq!(opened.link_count, 1);
        (&opened.file).read_to_string(&mut text).expect("read");
        assert_eq!(text, "ws/src/m.rs");

        // A link takes the directory's place.
        let checked = root.check(b"src/m.rs", Operation::Write, None).expect("in");
        std::fs::write(stage.at("out/m.rs"), "outside").expect("a file");
        std::fs::rename(stage.at("ws/src"), stage.at("ws/away")).expect("renamed");
        stage.link("../out", "ws/src");
        assert_eq!(checked.open().err(), Some(Refusal::Raced));

        // Another file takes the file's place.
        let checked = root.check(b"a.txt", Operation::Write, None).expect("in");
        std::fs::write(stage.at("ws/b"), "b").expect("a file");
        std::fs::rename(stage.at("ws/b"), stage.at("ws/a.txt")).expect("renamed");
        assert_eq!(checked.open().err(), Some(Refusal::Raced));

        // A link appears where a directory is to be made.
        let checked = root.check(b"new/f", Operation::Write, None).expect("in");
        stage.link("../out", "ws/new");
        assert_eq!(checked.open().err(), Some(Refusal::Raced));
        assert!(!stage.at("out/f").exists());

        // A file appears that was to be made.
        let checked = root.check(b"made", Operation::Write, None).expect("in");
        std::fs::write(stage.at("ws/made"), "x").expect("a file");
        assert_eq!(checked.open().err(), Some(Refusal::Raced));
    }
}

#[test]
fn missing_directories_are_made_below_the_root() {
    for way in [Way::Whole, Way::Components] {
        let stage = Stage::new();
        let mut root = stage.root();
        root.way = way;
        let checked = root.check(b"x/y/z", Operation::Write, None).expect("in");
        let mut opened = checked.open().expect("opened");
        opened.file.write_all(b"z").expect("written");
        assert_eq!(std::fs::read(stage.at("ws/x/y/z")).expect("read"), b"z");
        assert_eq!(
            open_within(&stage.bytes("ws"), b"none", Operation::Read, None).err(),
            Some(Refusal::Missing)
        );
    }
}

#[test]
fn a_replaced_file_keeps_its_mode_and_leaves_nothing_behind() {
    let stage = Stage::new();
    let file = stage.at("ws/a.txt");
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o751)).expect("mode");
    let old = std::fs::metadata(&file).expect("there").ino();
    let root = stage.root();
    let replace = |path: &[u8], content: &[u8]| {
        root.check(path, Operation::Write, None)
            .and_then(|checked| checked.replace(content))
    };
    let identity = replace(b"a.txt", b"new").expect("replaced");
    let now = std::fs::metadata(&file).expect("there");
    assert_eq!(std::fs::read(&file).expect("read"), b"new");
    assert_eq!(now.mode() & 0o777, 0o751);
    assert_ne!(now.ino(), old);
    assert_eq!(now.ino(), identity.inode);
    replace(b"p/q", b"made").expect("made");
    assert_eq!(std::fs::read(stage.at("ws/p/q")).expect("read"), b"made");
    let checked = root.check(b"a.txt", Operation::Write, None).expect("in");
    std::fs::remove_file(&file).expect("removed");
    stage.link("../out/secret.txt", "ws/a.txt");
    assert_eq!(checked.replace(b"x").err(), Some(Refusal::Raced));
    let checked = root.check(b"late", Operation::Write, None).expect("in");
    std::fs::write(stage.at("ws/late"), "theirs").expect("a file");
    assert_eq!(checked.replace(b"ours").err(), Some(Refusal::Raced));
    std::fs::remove_file(stage.at("ws/late")).expect("removed");
    let left = std::fs::read_dir(stage.at("ws")).expect("list").count();
    assert_eq!(left, 3, "a.txt, src, p");
}

#[test]
fn secure_files_and_directories_are_made_narrow_and_followed_nowhere() {
    let stage = Stage::new();
    let mode = |name: &str| {
        let found = std::fs::symlink_metadata(stage.at(name)).expect("there");
        found.mode() & 0o7777
    };
    secure_dir(&stage.bytes("state")).expect("made");
    assert_eq!(mode("state"), 0o700);
    std::fs::set_permissions(stage.at("state"), std::fs::Permissions::from_mode(0o755))
        .expect("mode");
    secure_dir(&stage.bytes("state")).expect("there");
    assert_eq!(mode("state"), 0o700);
    secure_file(&stage.bytes("state/key")).expect("made");
    assert_eq!(mode("state/key"), 0o600);
    std::fs::set_permissions(
        stage.at("state/key"),
        std::fs::Permissions::from_mode(0o644),
    )
    .expect("mode");
    secure_file(&stage.bytes("state/key")).expect("there");
    assert_eq!(mode("state/key"), 0o600);
    stage.link("out", "link");
    stage.link("out/secret.txt", "file");
    assert_eq!(secure_dir(&stage.bytes("link")).err(), Some(Refusal::Link));
    assert_eq!(secure_file(&stage.bytes("file")).err(), Some(Refusal::Link));
    std::fs::hard_link(stage.at("state/key"), stage.at("key2")).expect("a link");
    assert_eq!(
        secure_file(&stage.bytes("key2")).err(),
        Some(Refusal::HardLinked)
    );
    assert_eq!(
        secure_file(&stage.bytes("none/key")).err(),
        Some(Refusal::Missing)
    );
}

#[test]
fn opening_below_a_directory_follows_no_link_and_climbs_nowhere() {
    use std::os::fd::AsFd;

    use rustix::fs::OFlags;

    let stage = Stage::new();
    stage.link("src", "ws/l");
    stage.link("a.txt", "ws/f");
    let root = stage.root();
    for way in [Way::Whole, Way::Components] {
        let open = |names: &[&str]| {
            let names: Vec<Vec<u8>> = names.iter().map(|name| name.as_bytes().to_vec()).collect();
            let base = root.directory.as_fd();
            kernel::open_below(base, &names, OFlags::RDONLY, false, way).map(drop)
        };
        assert_eq!(open(&["src", "m.rs"]), Ok(()));
        assert_eq!(open(&[]), Ok(()));
        assert_eq!(open(&["l", "m.rs"]), Err(Refusal::Raced), "{way:?}");
        assert_eq!(open(&["f"]), Err(Refusal::Raced), "{way:?}");
        assert_eq!(open(&["none"]), Err(Refusal::Raced), "{way:?}");
    }
    let up = [b"..".to_vec()];
    let climbed = kernel::open_below(
        root.directory.as_fd(),
        &up,
        OFlags::RDONLY,
        false,
        Way::Whole,
    );
    assert_eq!(climbed.err(), Some(Refusal::Raced));
}

#[test]
fn a_very_deep_tree_needs_one_descriptor() {
    let stage = Stage::new();
    let depth = 1500;
    std::fs::create_dir_all(stage.at(&format!("ws/{}", "d/".repeat(depth)))).expect("a directory");
    let down = "d/".repeat(depth);
    assert_eq!(
        check(&stage, &format!("{down}x"), Operation::Write),
        Ok(stage.bytes(&format!("ws/{down}x")))
    );
    let back = format!("{}{}a.txt", "d/".repeat(800), "../".repeat(800));
    assert_eq!(
        check(&stage, &back, Operation::Read),
        Ok(stage.bytes("ws/a.txt"))
    );
}
