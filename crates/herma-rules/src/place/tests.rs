use herma_shell::{Origin, Piece, Unknown, Value};

use super::{Place, places};
use crate::scene::Scene;
use Place::*;

mod protected;

fn scene() -> Scene {
    Scene::new(b"/home/dev/proj").with_home(b"/home/dev")
}

/// A word: `*?[]` are patterns, `$V` is unset, `@U` unknown, `@N` names, `@T` a temporary path,
/// `@P` a process number.
fn word(text: &str) -> Value {
    let mut value = Value::empty();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let (piece, length) = match rest.get(..2) {
            Some("$V") => (Piece::Unset(b"V".to_vec()), 2),
            Some("@U") => (unknown(Origin::Output(b"f".to_vec())), 2),
            Some("@N") => (unknown(Origin::Names), 2),
            Some("@T") => {
                value.append(&Value::temporary());
                rest = &rest[2..];
                continue;
            }
            Some("@P") => (unknown(Origin::Variable(b"$".to_vec())), 2),
            _ if "*?".contains(first) => (glob(&rest[..1]), 1),
            _ if first == '[' => {
                let end = rest.find(']').map_or(rest.len(), |at| at + 1);
                (glob(&rest[..end]), end)
            }
            _ => {
                value.push_text(&rest.as_bytes()[..first.len_utf8()], None);
                rest = &rest[first.len_utf8()..];
                continue;
            }
        };
        value.pieces.push(piece);
        rest = &rest[length..];
    }
    value
}

fn unknown(origin: Origin) -> Piece {
    Piece::Unknown(Unknown {
        from: Vec::new(),
        origin,
        many: false,
    })
}

fn glob(pattern: &str) -> Piece {
    Piece::Glob {
        pattern: pattern.as_bytes().to_vec(),
        at: None,
    }
}

fn of(text: &str) -> Vec<Place> {
    places(
        &word(text),
        &Value::computed(b"/home/dev/proj".to_vec()),
        &scene(),
    )
}

#[track_caller]
fn all_are(texts: &[&str], want: &[Place]) {
    for text in texts {
        let mut own = of(text);
        let mut want = want.to_vec();
        own.sort_by_key(|place| *place as u8);
        want.sort_by_key(|place| *place as u8);
        assert_eq!(own, want, "{text}");
    }
}

#[track_caller]
fn all_hold(texts: &[&str], place: Place) {
    for text in texts {
        assert!(of(text).contains(&place), "{text}: {:?}", of(text));
    }
}

#[track_caller]
fn none_hold(texts: &[&str], place: Place) {
    for text in texts {
        assert!(!of(text).contains(&place), "{text}: {:?}", of(text));
    }
}

#[test]
fn a_system_root_is_one_in_every_spelling() {
    all_hold(
        &[
            "/",
            "//",
            "/./",
            "/..",
            "/../..",
            "/srv/..",
            "/etc/..",
            "/*",
            "/.*",
            "/???",
            "/e*",
            "/[a-z]*",
            "/*/*",
            "/usr",
            "/usr/",
            "//usr",
            "/./usr",
            "/opt/../usr",
            "/usr/*",
            "/lib64",
            "/home",
            "/home/*",
            "/root",
            "/Users",
            "/System",
            "/Library",
            "C:\\",
            "C:/",
            "c:",
            "/cygdrive/c",
            "/cygdrive/c/*",
            "/private/etc",
            "/proc/self/root",
            "/proc/1/root/usr",
            "/etc$V",
            "/e$Vtc",
        ],
        SystemRoot,
    );
}

#[test]
fn a_letter_below_mnt_is_a_drive_only_where_linux_runs_below_windows() {
    let path = Value::computed(b"/mnt/c".as_slice());
    let work = Value::computed(b"/w".as_slice());
    let linux = Scene::new(b"/w");
    assert!(!places(&path, &work, &linux).contains(&SystemRoot));
    assert!(places(&path, &work, &linux.below_windows()).contains(&SystemRoot));
}

#[test]
fn what_lies_below_a_system_root_is_not_the_root() {
    none_hold(
        &[
            "/...",
            "/etc/nginx",
            "/usr/l*",
            "/opt",
            "/srv",
            "/mnt",
            "/mnt/data",
            "/tmp",
            "/tmp/*",
            "/library",
            "/etcetera",
            "/home/bob",
            "etc",
            "./usr",
            "C:\\Windows",
            "node_modules/*",
        ],
        SystemRoot,
    );
}

#[test]
fn the_home_is_one_as_a_whole_and_by_glob() {
    all_hold(
        &[
            "/home/dev",
            "/home/dev/",
            "/home/dev/*",
            "/home/dev/.*",
            "/home/dev/.[!.]*",
            "..",
            "../",
            "../*",
            "/home/d*",
        ],
        Home,
    );
    none_hold(&["/home/dev/x", "/home/dev/.c*", "/home/bob", "~"], Home);
}

#[test]
fn a_root_that_only_an_unset_variable_makes_is_an_empty_join() {
    all_are(
        &["$V/*", "/$V", "$V/", "$V$V/*", "/home/dev/$V", "/$V/*"],
        &[EmptyJoin],
    );
    // It is a root whatever the variable holds.
    all_are(&["/usr/$V/.."], &[SystemRoot]);
    all_are(&["$V/etc"], &[EmptyJoin, Etc]);
}

#[test]
fn unknown_text_behind_a_root_may_leave_the_root() {
    all_are(
        &[
            "/@U",
            "/@U/*",
            "/usr/@U",
            "/home/@U",
            "/home/dev/@U",
            "/e@U",
        ],
        &[UnresolvedRoot],
    );
    all_are(&["@U"], &[Unresolved]);
}

#[test]
fn places_in_the_working_directory() {
    all_are(
        &[
            "notes.txt",
            "./a/b",
            "/home/dev/proj/x",
            "a/../b",
            "*.log",
            "~",
        ],
        &[Work],
    );
    all_are(&["."], &[WorkRoot]);
    all_are(&["*", "./*", ".*"], &[Unnamed, WorkRoot]);
    all_are(&["src/*"], &[Unnamed, Work]);
    all_are(&["../other", "/home/dev/x"], &[BelowHome]);
    all_are(&["/opt/acme", "/srv/app/x", "/..."], &[Outside]);
    all_are(&["/usr/local/bin/x"], &[BelowSystem]);
}

#[test]
fn a_directory_that_holds_the_working_directory_is_like_it() {
    let scene = Scene::new(b"/srv/team/app").with_home(b"/home/dev");
    let cwd = Value::computed(b"/srv/team/app".to_vec());
    assert_eq!(places(&word(".."), &cwd, &scene), [WorkRoot, Outside]);
}

#[test]
fn what_can_be_made_again_is_so_at_any_depth_and_behind_an_unknown_prefix() {
    all_are(
        &[
            "node_modules",
            "./target",
            "web/dist",
            "a/b/__pycache__",
            "node_modules/.cache/x",
            "package-lock.json",
            "*.pyc",
            "src/*.o",
            "packages/*/dist",
            "*/node_modules",
        ],
        &[Work, Regenerable],
    );
    all_hold(
        &["@U/build", "$V/build", "@N/__pycache__", "build/*"],
        Regenerable,
    );
    none_hold(
        &[
            "src",
            "build/../src",
            "builder",
            "build*",
            "/srv/app/node_modules",
            "../x/target",
            "/home/dev/other/target",
            "target.txt",
        ],
        Regenerable,
    );
}

#[test]
fn only_named_children_of_a_temporary_directory_are_free() {
    all_are(
        &[
            "/tmp/x",
            "/tmp/x/",
            "/tmp/x/*",
            "/var/tmp/cargo-1",
            "/tmp/build-*",
            "/tmp/b@U",
            "/tmp/@P",
            "@T",
            "@T/x",
            "/private/tmp/x",
            "/tmp/@U/x",
        ],
        &[TempChild],
    );
    all_are(&["/tmp", "/tmp/", "/tmp/$V"], &[TempRoot]);
    all_are(&["/tmp/*"], &[Unnamed, TempRoot]);
    all_are(&["/tmp/@U"], &[Unresolved, TempRoot]);
    all_hold(&["/tmp/../etc", "/tmp/x/../../usr"], SystemRoot);
}

#[test]
fn names_from_a_search_are_unnamed() {
    all_are(&["@N"], &[Unnamed]);
    all_hold(&["/srv/@N", "logs/@N"], Unnamed);
}

#[test]
fn raw_devices_by_name() {
    all_hold(
        &[
            "/dev/sda",
            "/dev/sda1",
            "/dev/hdb",
            "/dev/vda",
            "/dev/xvda1",
            "/dev/nvme0n1",
            "/dev/mmcblk0",
            "/dev/md0",
            "/dev/loop0",
            "/dev/nbd1",
            "/dev/dm-0",
            "/dev/mapper/vg-root",
            "/dev/disk/by-id/x",
            "/dev/disk2",
            "/dev/rdisk2",
            "//dev/sda",
            "/dev/sd*",
            "/dev/sd@U",
            "/dev/../dev/sda",
        ],
        RawDevice,
    );
    none_hold(
        &[
            "/dev/null",
            "/home/dev/dev/sda",
            "dev/sda",
            "/dev/sda/token",
            "/dev/stdout",
            "/dev/shm/x",
            "/dev/mdx",
            "/dev/loop-control",
            "/dev/mapper",
        ],
        RawDevice,
    );
    all_hold(
        &[
            "/dev/null",
            "/dev/stderr",
            "/dev/tty",
            "/dev/fd/3",
            "/proc/self/fd/1",
        ],
        NullDevice,
    );
}

#[test]
fn the_directory_of_the_execution_counts_for_relative_paths() {
    let at = |cwd: &[u8], text: &str| places(&word(text), &Value::computed(cwd.to_vec()), &scene());
    assert_eq!(at(b"/home/dev", "*"), [Home]);
    assert_eq!(at(b"/", "usr"), [SystemRoot]);
    assert_eq!(at(b"/home/dev/proj/web", "dist"), [Work, Regenerable]);
    assert_eq!(at(b"/home/dev/proj/web", "../*"), [Unnamed, WorkRoot]);
    assert_eq!(
        at(b"/home/dev/.ssh", "k"),
        [BelowHome, SshDirectory, PrivateKey]
    );
    let unknown = Value::unknown(Origin::Output(b"x".to_vec()));
    assert_eq!(
        places(&word("build"), &unknown, &scene()),
        [Unresolved, Regenerable]
    );
    assert_eq!(places(&word("/etc"), &unknown, &scene()), [SystemRoot, Etc]);
}

#[test]
fn a_system_root_as_working_directory_makes_nothing_ones_own() {
    let scene = Scene::new(b"/etc").with_home(b"/home/dev");
    let cwd = Value::computed(b"/etc".to_vec());
    assert_eq!(places(&word("hosts"), &cwd, &scene), [BelowSystem, Etc]);
}

#[test]
fn the_empty_word_names_nothing_and_hostile_lengths_end() {
    assert!(of("").is_empty());
    assert!(of("$V").is_empty());
    all_are(&[&"/a".repeat(100_000)], &[Unresolved]);
    let _ = of(&"*a".repeat(8000));
    let _ = of(&"../".repeat(5000));
}

#[test]
fn a_directory_that_only_an_unset_variable_makes_is_an_empty_join() {
    let at = |text: &str| places(&word(text), &word("$V/"), &scene());
    assert_eq!(at("*"), [EmptyJoin]);
    assert_eq!(at("usr"), [EmptyJoin]);
    assert_eq!(at("/usr"), [SystemRoot]);
}

#[test]
fn locks_and_messages_in_a_repository_are_no_history() {
    all_are(
        &[
            ".git/index.lock",
            ".git/refs/heads/a.lock",
            ".git/COMMIT_EDITMSG",
            ".git/info/exclude",
        ],
        &[Work],
    );
    all_hold(
        &[
            ".git",
            ".git/index",
            ".git/HEAD",
            ".git/*.lock",
            ".git/objects/x",
        ],
        GitDirectory,
    );
}

#[test]
fn only_what_certainly_lies_in_a_free_directory_is_free() {
    all_hold(
        &["/@N/node_modules", "/*/x/y", "/home/b*/proj/dist"],
        BelowSystem,
    );
    none_hold(
        &[
            "/t*/x",
            "/?mp/x",
            "/@N/node_modules",
            "/home/*/proj/dist",
            "/@U/x/dist",
        ],
        TempChild,
    );
    none_hold(
        &["/@N/node_modules", "/home/*/proj/dist", "/@U/dist"],
        Regenerable,
    );
}

#[test]
fn a_fresh_temporary_path_is_one_component_below_the_temporary_directory() {
    all_are(&["@T/..", "@T/../"], &[TempRoot]);
    all_are(&["@T/../x", "@T/a/../b", "@T.log"], &[TempChild]);
    all_are(
        &[
            "@T/../..",
            "@T/../../*",
            "@T/../../usr",
            "/tmp/@P/../../usr",
        ],
        &[SystemRoot],
    );
    all_hold(&["@T/../../home/dev", "@T/../../../home/dev/*"], Home);
    all_hold(&["@T/../../etc/hosts", "/tmp/@P/../../etc/hosts"], Etc);
    all_hold(&["@T/../../dev/sda"], RawDevice);
    all_hold(&["@T/../../home/dev/.bashrc"], ShellStartup);
}

#[test]
fn dots_behind_unknown_text_lead_anywhere_and_never_to_what_is_free() {
    none_hold(
        &["/tmp/@U/../x", "/tmp/x/@U/../../y", "/tmp/a@U/../b"],
        TempChild,
    );
    none_hold(
        &[
            "@U/../dist",
            "@U/a/../../dist",
            "src/@U/../dist",
            "@N/../target",
        ],
        Regenerable,
    );
    all_hold(&["/tmp/@U/../../etc", "/srv/@U/../../usr"], SystemRoot);
    all_hold(&["@U/../..", "@U/../../etc"], UnresolvedRoot);
    all_hold(&["@U/../../etc/hosts"], Etc);
    all_hold(&["@U/../../home/dev/.bashrc"], ShellStartup);
    none_hold(&["@U/../etc/app.conf", "@U/a/../etc/app.conf"], Etc);
    all_hold(&["@U/dist", "@U/a/../dist"], Regenerable);
}
