use std::fs;

use super::*;
use crate::tests::Scratch;

#[test]
fn newer_state_is_refused_with_what_to_do() {
    let scratch = Scratch::new();
    let home = scratch.home();
    scratch.write("home/VERSION", "2\n");
    for refused in [check(&home).map(drop), bring_up(&home)] {
        let error = refused.unwrap_err();
        assert!(matches!(error, VersionError::Newer { found: 2, .. }));
        assert!(error.to_string().contains("upgrade herma"), "{error}");
    }
    assert_eq!(fs::read_to_string(home.version()).unwrap(), "2\n");
}

#[test]
fn what_is_no_version_is_refused() {
    let scratch = Scratch::new();
    let home = scratch.home();
    for content in ["", "x", "0", "-1", "1.0", "99999999999999999999", "1\n2\n"] {
        scratch.write("home/VERSION", content);
        let result = check(&home);
        assert!(
            matches!(result, Err(VersionError::Malformed(_))),
            "{content:?}"
        );
    }
    scratch.write("home/VERSION", "1".repeat(65));
    assert!(matches!(check(&home), Err(VersionError::Refused(..))));
}

#[test]
fn older_state_is_copied_and_then_brought_up_step_by_step() {
    let scratch = Scratch::new();
    let home = scratch.home();
    scratch.write("home/VERSION", "1\n");
    scratch.write("home/config.toml", "old");
    scratch.write("home/sessions/a.json", "{}");
    scratch.write("home/audit/2026-12-01.jsonl", "x");
    let steps = [
        Migration {
            from: 1,
            apply: |root| fs::write(root.join("config.toml"), "two"),
        },
        Migration {
            from: 2,
            apply: |root| {
                assert_eq!(fs::read_to_string(root.join("VERSION"))?, "2\n");
                fs::write(root.join("config.toml"), "three")
            },
        },
    ];
    migrate(&home, 1, &steps, 3).unwrap();
    let read = |name: &str| fs::read_to_string(home.root().join(name)).unwrap();
    assert_eq!(read("VERSION"), "3\n");
    assert_eq!(read("config.toml"), "three");
    assert_eq!(read("backup-1/config.toml"), "old");
    assert_eq!(read("backup-1/VERSION"), "1\n");
    assert_eq!(read("backup-1/sessions/a.json"), "{}");
    assert!(!home.root().join("backup-1/audit").exists());
}

#[test]
fn a_step_that_fails_leaves_the_version_and_the_copy() {
    let scratch = Scratch::new();
    let home = scratch.home();
    scratch.write("home/VERSION", "1\n");
    scratch.write("home/config.toml", "old");
    let steps = [Migration {
        from: 1,
        apply: |root| {
            fs::write(root.join("config.toml"), "half")?;
            Err(io::ErrorKind::Other.into())
        },
    }];
    let error = migrate(&home, 1, &steps, 2).unwrap_err();
    assert!(matches!(error, VersionError::Migration { from: 1, .. }));
    assert_eq!(check(&home).unwrap(), Some(1));
    // Trying again must not replace the good copy by the half-done state.
    migrate(&home, 1, &steps, 2).unwrap_err();
    let kept = fs::read_to_string(home.root().join("backup-1/config.toml"));
    assert_eq!(kept.unwrap(), "old");
}

#[test]
fn a_version_without_a_way_up_is_refused_untouched() {
    let scratch = Scratch::new();
    let home = scratch.home();
    scratch.write("home/VERSION", "1\n");
    let error = migrate(&home, 1, &[], 2).unwrap_err();
    assert!(matches!(error, VersionError::NoWay { found: 1 }));
    assert!(!home.root().join("backup-1").exists());
}
