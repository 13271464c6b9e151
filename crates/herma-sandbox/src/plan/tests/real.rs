//! Real trees with real git.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{has, profile};
use crate::plan::{Machine, Place, Plan, plan};

fn git(directory: &Path, arguments: &[&str]) {
    let out = Command::new("git")
        .current_dir(directory)
        .args([
            "-c",
            "user.name=a",
            "-c",
            "user.email=b@c",
            "-c",
            "protocol.file.allow=always",
        ])
        .args(arguments)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .output()
        .expect("git");
    assert!(
        out.status.success(),
        "{arguments:?}: {}",
        String::from_utf8_lossy(&out.stderr)
    );
}

fn real_plan(home: &Path, cwd: &Path) -> Plan {
    let state = home.join(".herma");
    let run = state.join("runs/1");
    fs::create_dir_all(&run).expect("made");
    let place = Place {
        cwd,
        home,
        state: &state,
        run: &run,
        environment: &[],
    };
    plan(&profile("default", |_| {}), &place, &Machine).expect("a plan")
}

fn home() -> (tempfile::TempDir, PathBuf) {
    let directory = tempfile::tempdir().expect("directory");
    let home = fs::canonicalize(directory.path()).expect("real");
    (directory, home)
}

#[test]
fn worktrees_and_submodules_of_git_are_understood() {
    let (_kept, home) = home();
    let (main, other, library) = (home.join("main"), home.join("other"), home.join("library"));
    for path in [&main, &library] {
        fs::create_dir(path).expect("made");
        git(path, &["init", "-q", "-b", "main"]);
        fs::write(path.join("file"), "x").expect("written");
        git(path, &["add", "."]);
        git(path, &["commit", "-q", "-m", "x"]);
    }
    git(
        &main,
        &["submodule", "--quiet", "add", "../library", "deep/lib"],
    );
    git(&main, &["commit", "-q", "-m", "y"]);
    git(&main, &["worktree", "add", "-q", "../other"]);

    let plan = real_plan(&home, &main);
    let at = |line: &str| line.replace('@', &home.display().to_string());
    for line in [
        "pin @/main/.git",
        "fixed @/main/.git/hooks",
        "fixed @/main/.git/modules/deep/lib/hooks",
        "link @/main/.git/config -> /run/herma/git/0/config",
        "link @/main/.git/modules/deep/lib/config -> /run/herma/git/1/config",
        "fixed @/main/deep/lib/.git",
        "fixed @/main/.git/worktrees/other/commondir",
    ] {
        assert!(
            has(&plan, &at(line)),
            "{line}\n{}",
            super::lines(&plan).join("\n")
        );
    }
    let plan = real_plan(&home, &other);
    for line in [
        "write @/main/.git",
        "write @/other",
        "fixed @/main/.git/hooks",
        "fixed @/other/.git",
    ] {
        assert!(
            has(&plan, &at(line)),
            "{line}\n{}",
            super::lines(&plan).join("\n")
        );
    }
    assert!(!has(&plan, &at("write @/main")) && !has(&plan, &at("read @/main")));
    let plan = real_plan(&home, &main.join("deep/lib"));
    assert!(
        has(&plan, &at("write @/main/.git/modules/deep/lib")),
        "{}",
        super::lines(&plan).join("\n")
    );
    assert!(!has(&plan, &at("write @/main/.git")));
}

#[test]
fn a_tracked_file_that_git_sees_unchanged_is_not_masked() {
    let (_kept, home) = home();
    let main = home.join("main");
    fs::create_dir(&main).expect("made");
    git(&main, &["init", "-q"]);
    fs::write(main.join(".env"), "A=1").expect("written");
    fs::write(main.join("test.key"), "x").expect("written");
    fs::write(main.join(".env.local"), "SECRET=1").expect("written");
    git(&main, &["add", ".env", "test.key"]);
    let plan = real_plan(&home, &main);
    let at = |name: &str| format!("empty file {}/main/{name}", home.display());
    assert!(!has(&plan, &at(".env")) && !has(&plan, &at("test.key")));
    assert!(has(&plan, &at(".env.local")));
    fs::write(main.join(".env"), "A=1\nSECRET=2").expect("written");
    assert!(has(&real_plan(&home, &main), &at(".env")));
}
