#![allow(clippy::expect_used, reason = "tests")]

mod fake;
mod real;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use fake::Fake;

use super::*;
use crate::profile::{Pattern, Profile, Shelf};

const HOME: &str = "/home/dev";
const CWD: &str = "/home/dev/proj";

/// An ordinary machine.
fn machine() -> Fake {
    let mut fake = Fake::new();
    fake.links(&[
        ("/bin", "usr/bin"),
        ("/lib", "usr/lib"),
        ("/lib64", "usr/lib64"),
    ]);
    fake.directories(&[
        "/usr/bin",
        "/usr/lib",
        "/usr/lib64",
        "/etc/ssl/private",
        "/opt",
        "/var/lib/dpkg",
        "/home/dev/.cargo/bin",
        "/home/dev/.cargo/registry",
        "/home/dev/.npm",
        "/home/dev/.ssh",
        "/home/dev/.herma/runs/1",
        "/home/other",
        "/srv/data",
        CWD,
    ]);
    fake.files(&[
        ("/etc/passwd", "x"),
        ("/etc/shadow", "x"),
        ("/home/dev/.ssh/id_ed25519", "x"),
        ("/home/dev/.cargo/credentials.toml", "x"),
        (
            "/home/dev/.gitconfig",
            "[user]\n\tname = A\n\temail = a@b\n[core]\n\teditor = x\n",
        ),
    ]);
    fake
}

fn repository(fake: &mut Fake, git: &str) {
    fake.directories(&[
        &format!("{git}/hooks"),
        &format!("{git}/objects"),
        &format!("{git}/refs"),
        &format!("{git}/info"),
    ]);
    fake.files(&[
        (&format!("{git}/HEAD"), "ref: refs/heads/main\n"),
        (&format!("{git}/config"), "[core]\n\tbare = false\n"),
        (&format!("{git}/info/exclude"), "# none\n"),
    ]);
}

fn profile(name: &str, changes: impl Fn(&mut Profile)) -> Profile {
    let mut profile = Shelf::builtin()
        .unwrap()
        .profile(name)
        .unwrap()
        .expect("known");
    changes(&mut profile);
    profile
}

fn patterns(texts: &[&str]) -> Vec<Pattern> {
    texts
        .iter()
        .map(|it| Pattern::parse(it).expect("a pattern"))
        .collect()
}

fn plan_in(cwd: &str, profile: &Profile, fake: &Fake) -> Result<Plan, Refusal> {
    let environment: Vec<(OsString, OsString)> = [
        ("PATH", "/usr/bin"),
        ("LC_ALL", "C"),
        ("HOME", "/elsewhere"),
        ("AWS_SECRET_ACCESS_KEY", "s"),
        ("LD_PRELOAD", "x"),
        ("PAGER", "https://me:pw@host"),
        ("BASH_ENV", "x"),
    ]
    .map(|(name, value)| (name.into(), value.into()))
    .into();
    let place = Place {
        cwd: Path::new(cwd),
        home: Path::new(HOME),
        state: Path::new("/home/dev/.herma"),
        run: Path::new("/home/dev/.herma/runs/1"),
        environment: &environment,
    };
    plan(profile, &place, fake)
}

fn made(profile: &Profile, fake: &Fake) -> Plan {
    plan_in(CWD, profile, fake).expect("a plan")
}

/// A line for each step.
fn lines(plan: &Plan) -> Vec<String> {
    plan.mounts
        .iter()
        .map(|mount| match mount {
            Mount::Bind { from, to, write } => {
                let how = if *write { "write" } else { "read" };
                let from = if from == to {
                    String::new()
                } else {
                    format!(" from {}", from.display())
                };
                format!("{how} {}{from}", to.display())
            }
            Mount::Private { to, .. } => format!("private {}", to.display()),
            Mount::Tmpfs { to, mode, .. } => format!("memory {} {mode:o}", to.display()),
            Mount::Proc { to } => format!("proc {}", to.display()),
            Mount::Dev { to } => format!("dev {}", to.display()),
            Mount::File { to, content } => format!(
                "file {} {:?}",
                to.display(),
                content.escape_ascii().to_string()
            ),
            Mount::Link { to, target } => format!("link {} -> {}", to.display(), target.display()),
            Mount::Pin { to } => format!("pin {}", to.display()),
            Mount::ReadOnly { to } => format!("fixed {}", to.display()),
            Mount::MaskFile { to } => format!("empty file {}", to.display()),
            Mount::MaskDirectory { to } => format!("empty directory {}", to.display()),
        })
        .collect()
}

fn has(plan: &Plan, line: &str) -> bool {
    lines(plan).iter().any(|it| it == line)
}

#[test]
fn the_plan_of_an_ordinary_tree() {
    let mut fake = machine();
    repository(&mut fake, "/home/dev/proj/.git");
    fake.directories(&[
        "/home/dev/proj/.vscode",
        "/home/dev/proj/.github/workflows",
        "/home/dev/proj/node_modules/x",
        "/home/dev/proj/web",
    ]);
    fake.files(&[
        ("/home/dev/proj/.env", "x"),
        ("/home/dev/proj/.env.example", "x"),
        ("/home/dev/proj/web/.env.local", "x"),
        ("/home/dev/proj/.vscode/settings.json", "x"),
        ("/home/dev/proj/.github/workflows/ci.yml", "x"),
        ("/home/dev/proj/node_modules/x/.env", "x"),
        ("/home/dev/proj/AGENTS.md", "x"),
        ("/home/dev/proj/web/server.key", "x"),
    ]);
    let plan = made(&profile("default", |_| {}), &fake);
    let text = format!(
        "{}\n\nplaceholders\n{}\n\nenvironment\n{}\n\nlandlock\n{}\n\nnotes {:?}\ncopies {:?}\n",
        lines(&plan).join("\n"),
        plan.placeholders
            .iter()
            .map(|it| format!("{} {:?}", it.path.display(), it.what))
            .collect::<Vec<_>>()
            .join("\n"),
        plan.environment
            .iter()
            .map(|(name, value)| format!("{}={}", name.display(), value.display()))
            .collect::<Vec<_>>()
            .join("\n"),
        plan.landlock
            .iter()
            .map(|it| format!("{} {}", it.path.display(), it.create))
            .collect::<Vec<_>>()
            .join("\n"),
        plan.notes,
        plan.repositories
    );
    insta::assert_snapshot!("ordinary", text);
}

#[test]
fn nothing_of_the_home_is_seen_but_what_is_listed() {
    let plan = made(&profile("default", |_| {}), &machine());
    assert!(has(&plan, "memory /home/dev 700"));
    assert!(has(&plan, "read /home/dev/.cargo/bin"));
    assert!(has(&plan, "private /home/dev/.cargo/registry"));
    let text = lines(&plan).join("\n");
    for hidden in [".ssh", "credentials", "/home/other", ".herma/", "/srv"] {
        assert!(!text.contains(hidden), "{hidden}");
    }
    assert!(has(&plan, "empty file /etc/shadow"));
    assert!(has(&plan, "empty directory /etc/ssl/private"));
}

#[test]
fn a_mount_never_comes_before_what_it_lies_in() {
    let mut fake = machine();
    repository(&mut fake, "/home/dev/proj/.git");
    fake.files(&[
        ("/home/dev/proj/.env", "x"),
        ("/home/dev/proj/a/.vscode/tasks.json", "x"),
    ]);
    for name in ["default", "generic", "locked", "read-only"] {
        let plan = made(
            &profile(name, |it| it.write = patterns(&["/srv/data", "~"])),
            &fake,
        );
        let binds = |mount: &Mount| {
            matches!(
                mount,
                Mount::Bind { .. } | Mount::Private { .. } | Mount::Tmpfs { .. }
            )
        };
        for (at, mount) in plan.mounts.iter().enumerate() {
            for later in plan.mounts.iter().skip(at + 1) {
                assert!(
                    !(binds(later) && mount.to().starts_with(later.to())),
                    "{later:?} covers {mount:?}"
                );
            }
        }
    }
}

#[test]
fn a_denial_wins_against_a_deeper_allow() {
    let fake = machine();
    let plan = made(
        &profile("default", |it| {
            it.read
                .extend(patterns(&["~/.ssh/id_ed25519", "/srv/data"]));
            it.hide = patterns(&["/srv", "~/.cargo"]);
        }),
        &fake,
    );
    let text = lines(&plan).join("\n");
    assert!(
        !text.contains(".ssh") && !text.contains("/srv") && !text.contains(".cargo"),
        "{text}"
    );
    assert!(plan.notes.contains(&Note::Denied("/srv/data".into())));
    assert!(
        plan.notes
            .contains(&Note::Denied("/home/dev/.ssh/id_ed25519".into()))
    );
    let plan = made(
        &profile("default", |it| {
            it.read.extend(patterns(&["~/.ssh/id_ed25519"]));
            it.except = patterns(&["~/.ssh"]);
        }),
        &fake,
    );
    assert!(has(&plan, "read /home/dev/.ssh/id_ed25519"));
}

#[test]
fn secrets_in_what_is_allowed_as_a_whole_are_masked() {
    let mut fake = machine();
    fake.files(&[
        ("/home/dev/.netrc", "x"),
        ("/home/dev/.config/gh/hosts.yml", "x"),
        ("/home/dev/.bashrc", "x"),
    ]);
    let plan = made(&profile("default", |it| it.write = patterns(&["~"])), &fake);
    assert!(has(&plan, "write /home/dev"));
    assert!(has(&plan, "empty directory /home/dev/.ssh"));
    assert!(has(&plan, "empty file /home/dev/.netrc"));
    assert!(has(&plan, "empty directory /home/dev/.config/gh"));
    assert!(has(&plan, "empty directory /home/dev/.herma"));
    assert!(has(&plan, "fixed /home/dev/.bashrc"));
}

#[test]
fn of_two_allows_the_deeper_and_for_one_path_the_weaker_counts() {
    let plan = made(
        &profile("default", |it| {
            it.write = patterns(&["/srv", "/opt"]);
            it.read.extend(patterns(&["/srv/data"]));
        }),
        &machine(),
    );
    assert!(has(&plan, "write /srv") && has(&plan, "read /srv/data") && has(&plan, "read /opt"));
}

#[test]
fn what_cannot_be_a_workspace_is_refused() {
    let fake = machine();
    let default = profile("default", |_| {});
    let why = |cwd| plan_in(cwd, &default, &fake).expect_err("refused");
    assert_eq!(why("/home/dev"), Refusal::Home("/home/dev".into()));
    assert_eq!(why("/home"), Refusal::Home("/home".into()));
    assert_eq!(why("/"), Refusal::Home("/".into()));
    assert_eq!(why("/usr/lib"), Refusal::System("/usr/lib".into()));
    assert_eq!(why("/etc"), Refusal::System("/etc".into()));
    assert_eq!(
        why("/home/dev/.ssh"),
        Refusal::Secret("/home/dev/.ssh".into())
    );
    assert_eq!(
        why("/home/dev/.herma/runs"),
        Refusal::Secret("/home/dev/.herma/runs".into())
    );
    assert_eq!(
        why("/home/dev/none"),
        Refusal::Missing("/home/dev/none".into())
    );
    let hidden = profile("default", |it| it.hide = patterns(&["~/proj"]));
    assert_eq!(
        plan_in(CWD, &hidden, &fake),
        Err(Refusal::Hidden(CWD.into()))
    );
}

#[test]
fn a_read_only_workspace_is_masked_and_needs_no_protection() {
    let mut fake = machine();
    repository(&mut fake, "/home/dev/proj/.git");
    fake.files(&[("/home/dev/proj/.env", "x")]);
    let plan = made(&profile("read-only", |_| {}), &fake);
    assert!(has(&plan, "read /home/dev/proj") && has(&plan, "empty file /home/dev/proj/.env"));
    assert_eq!((plan.placeholders.len(), plan.repositories.len()), (0, 0));
    let plan = made(
        &profile("default", |it| {
            it.workspace = crate::profile::Workspace::Private
        }),
        &fake,
    );
    assert!(has(&plan, "private /home/dev/proj") && has(&plan, "empty file /home/dev/proj/.env"));
    assert_eq!(plan.placeholders.len(), 0);
}

#[test]
fn a_directory_of_a_repository_sees_the_rest_of_it_and_git_works() {
    let mut fake = machine();
    repository(&mut fake, "/home/dev/proj/.git");
    fake.directories(&["/home/dev/proj/sub"]);
    fake.files(&[("/home/dev/proj/.env", "x")]);
    let plan = plan_in("/home/dev/proj/sub", &profile("default", |_| {}), &fake).expect("a plan");
    assert!(has(&plan, "read /home/dev/proj") && has(&plan, "write /home/dev/proj/sub"));
    assert!(
        has(&plan, "write /home/dev/proj/.git") && has(&plan, "fixed /home/dev/proj/.git/hooks")
    );
    assert!(has(
        &plan,
        "link /home/dev/proj/.git/config -> /run/herma/git/0/config"
    ));
    assert!(has(&plan, "empty file /home/dev/proj/.env"));
    assert!(!has(&plan, "fixed /home/dev/proj/.vscode"));
    assert!(has(&plan, "fixed /home/dev/proj/sub/.vscode"));
}

#[test]
fn a_repository_that_reaches_to_the_home_is_not_opened() {
    let mut fake = machine();
    repository(&mut fake, "/home/dev/.git");
    let plan = made(&profile("default", |_| {}), &fake);
    assert_eq!(
        plan.notes,
        [
            Note::SecretVariable("PAGER".into()),
            Note::RepositoryHidden(HOME.into())
        ]
    );
    assert!(!lines(&plan).join("\n").contains("/home/dev/.git/"));
}

#[test]
fn a_link_to_a_repository_counts_only_when_it_leads_back() {
    let mut fake = machine();
    repository(&mut fake, "/home/dev/secret/.git");
    fake.files(&[("/home/dev/proj/.git", "gitdir: /home/dev/secret/.git\n")]);
    let plan = made(&profile("default", |_| {}), &fake);
    assert!(plan.notes.contains(&Note::RepositoryBroken(CWD.into())));
    assert!(!lines(&plan).join("\n").contains("secret"));
    // A further working tree of it.
    let mut fake = machine();
    repository(&mut fake, "/home/dev/main/.git");
    fake.files(&[
        (
            "/home/dev/main/.git/worktrees/proj/gitdir",
            "/home/dev/proj/.git\n",
        ),
        ("/home/dev/main/.git/worktrees/proj/commondir", "../..\n"),
        ("/home/dev/main/.git/worktrees/proj/HEAD", "x"),
        (
            "/home/dev/proj/.git",
            "gitdir: /home/dev/main/.git/worktrees/proj\n",
        ),
    ]);
    let plan = made(&profile("default", |_| {}), &fake);
    for line in [
        "write /home/dev/main/.git",
        "fixed /home/dev/main/.git/hooks",
        "link /home/dev/main/.git/config -> /run/herma/git/0/config",
        "pin /home/dev/main/.git/worktrees",
        "pin /home/dev/main/.git/worktrees/proj",
        "fixed /home/dev/main/.git/worktrees/proj/commondir",
        "fixed /home/dev/main/.git/worktrees/proj/gitdir",
        "fixed /home/dev/proj/.git",
    ] {
        assert!(has(&plan, line), "{line}\n{}", lines(&plan).join("\n"));
    }
    assert!(
        !lines(&plan)
            .iter()
            .any(|it| it.ends_with(" /home/dev/main"))
    );
}

#[test]
fn hooks_in_the_working_tree_are_protected() {
    let mut fake = machine();
    repository(&mut fake, "/home/dev/proj/.git");
    fake.files(&[(
        "/home/dev/proj/.git/config",
        "[core]\n\thooksPath = tools/../scripts/hooks\n",
    )]);
    fake.directories(&["/home/dev/proj/scripts/hooks"]);
    let plan = made(&profile("default", |_| {}), &fake);
    assert!(has(&plan, "fixed /home/dev/proj/scripts/hooks"));
    assert!(has(&plan, "pin /home/dev/proj/scripts"));
}

#[test]
fn submodules_and_nested_repositories_are_protected_too() {
    let mut fake = machine();
    repository(&mut fake, "/home/dev/proj/.git");
    repository(&mut fake, "/home/dev/proj/.git/modules/libs/a");
    repository(&mut fake, "/home/dev/proj/vendored/.git");
    fake.files(&[
        (
            "/home/dev/proj/.git/modules/libs/a/config",
            "[core]\n\tworktree = ../../../../libs/a\n",
        ),
        (
            "/home/dev/proj/libs/a/.git",
            "gitdir: ../../.git/modules/libs/a\n",
        ),
    ]);
    let plan = made(&profile("default", |_| {}), &fake);
    for line in [
        "fixed /home/dev/proj/.git/modules/libs/a/hooks",
        "pin /home/dev/proj/.git/modules/libs",
        "fixed /home/dev/proj/libs/a/.git",
        "pin /home/dev/proj/vendored/.git",
        "fixed /home/dev/proj/vendored/.git/hooks",
    ] {
        assert!(has(&plan, line), "{line}\n{}", lines(&plan).join("\n"));
    }
    assert_eq!(plan.repositories.len(), 3);
}

#[test]
fn what_is_excepted_is_neither_masked_nor_protected() {
    let mut fake = machine();
    repository(&mut fake, "/home/dev/proj/.git");
    fake.files(&[
        ("/home/dev/proj/.env.test", "x"),
        ("/home/dev/proj/.github/workflows/x.yml", "x"),
    ]);
    let plan = made(
        &profile("default", |it| {
            it.except = patterns(&[".env.test", ".github", "./.vscode", ".mcp.json"])
        }),
        &fake,
    );
    let text = lines(&plan).join("\n");
    assert!(
        !text.contains(".env.test") && !text.contains(".github") && !text.contains(".vscode"),
        "{text}"
    );
    assert!(
        !plan
            .placeholders
            .iter()
            .any(|it| it.path.ends_with(".vscode"))
    );
}

#[test]
fn what_git_tracks_unchanged_is_not_masked() {
    let mut fake = machine();
    repository(&mut fake, "/home/dev/proj/.git");
    let mut index = b"DIRC\0\0\0\x02\0\0\0\x01".to_vec();
    let mut entry = vec![0; 62];
    entry[8..12].copy_from_slice(&7_u32.to_be_bytes());
    entry[36..40].copy_from_slice(&1_u32.to_be_bytes());
    entry.extend_from_slice(b".env\0");
    entry.resize(entry.len().next_multiple_of(8), 0);
    index.extend_from_slice(&entry);
    index.extend_from_slice(&[0; 20]);
    fake.bytes("/home/dev/proj/.git/index", index);
    fake.files(&[
        ("/home/dev/proj/.env", "x"),
        ("/home/dev/proj/web/.env", "x"),
    ]);
    fake.changed("/home/dev/proj/.env", 7);
    let plan = made(&profile("default", |_| {}), &fake);
    assert!(
        !has(&plan, "empty file /home/dev/proj/.env")
            && has(&plan, "empty file /home/dev/proj/web/.env")
    );
    fake.changed("/home/dev/proj/.env", 8);
    let plan = made(&profile("default", |_| {}), &fake);
    assert!(has(&plan, "empty file /home/dev/proj/.env"));
    assert!(
        plan.notes
            .contains(&Note::MaskedTracked("/home/dev/proj/.env".into()))
    );
}

#[test]
fn instruction_files_are_protected_where_the_profile_says_so() {
    let mut fake = machine();
    fake.files(&[
        ("/home/dev/proj/AGENTS.md", "x"),
        ("/home/dev/proj/a/CLAUDE.md", "x"),
    ]);
    assert!(!has(
        &made(&profile("default", |_| {}), &fake),
        "fixed /home/dev/proj/AGENTS.md"
    ));
    let plan = made(&profile("locked", |_| {}), &fake);
    assert!(
        has(&plan, "fixed /home/dev/proj/AGENTS.md")
            && has(&plan, "fixed /home/dev/proj/a/CLAUDE.md")
    );
    assert!(has(&plan, "fixed /home/dev/proj/.github"));
}

#[test]
fn a_directory_with_the_name_of_a_secret_is_looked_into() {
    let mut fake = machine();
    fake.directories(&["/home/dev/proj/.env/bin"]);
    let plan = made(&profile("default", |_| {}), &fake);
    assert!(
        !lines(&plan)
            .iter()
            .any(|it| it.contains("/.env") && !it.contains("/.envrc"))
    );
}

#[test]
fn links_are_kept_as_links_and_their_targets_protected() {
    let mut fake = machine();
    fake.links(&[
        ("/home/dev/proj/.mcp.json", "conf/mcp.json"),
        ("/home/dev/proj/.claude", "/home/dev/shared"),
        ("/home/dev/proj/.env", "conf/prod"),
    ]);
    fake.files(&[
        ("/home/dev/proj/conf/mcp.json", "x"),
        ("/home/dev/proj/conf/prod", "x"),
    ]);
    fake.directories(&["/home/dev/shared"]);
    let plan = made(&profile("default", |_| {}), &fake);
    assert!(has(&plan, "link /home/dev/proj/.mcp.json -> conf/mcp.json"));
    assert!(has(&plan, "fixed /home/dev/proj/conf/mcp.json"));
    assert!(has(
        &plan,
        "link /home/dev/proj/.claude -> /home/dev/shared"
    ));
    assert!(has(&plan, "empty file /home/dev/proj/conf/prod"));
    assert!(
        !lines(&plan)
            .iter()
            .any(|it| it.ends_with("write /home/dev/shared"))
    );
}

#[test]
fn the_search_ends_at_its_bounds_and_says_so() {
    let mut fake = machine();
    for number in 0..2100 {
        fake.files(&[(&format!("/home/dev/proj/d{number}/.env"), "x")]);
    }
    let plan = made(&profile("default", |_| {}), &fake);
    assert!(
        plan.notes
            .iter()
            .any(|it| matches!(it, Note::SearchEnded(_)))
    );
    assert!(plan.notes.iter().any(|it| matches!(it, Note::TooMany(_))) || plan.mounts.len() <= 600);
    let mut fake = machine();
    fake.files(&[
        ("/home/dev/proj/1/2/3/4/5/6/7/8/9/10/11/12/.env", "x"),
        ("/home/dev/proj/1/2/3/4/5/6/7/8/9/10/11/12/13/.env", "x"),
    ]);
    let plan = made(&profile("default", |_| {}), &fake);
    assert!(has(
        &plan,
        "empty file /home/dev/proj/1/2/3/4/5/6/7/8/9/10/11/12/.env"
    ));
    assert!(!has(
        &plan,
        "empty file /home/dev/proj/1/2/3/4/5/6/7/8/9/10/11/12/13/.env"
    ));
    assert!(plan.notes.contains(&Note::SearchEnded(
        "/home/dev/proj/1/2/3/4/5/6/7/8/9/10/11/12/13".into()
    )));
}

#[test]
fn a_repository_without_a_working_tree_is_protected() {
    let mut fake = machine();
    repository(&mut fake, "/srv/data/x.git");
    let plan = plan_in("/srv/data/x.git", &profile("default", |_| {}), &fake).expect("a plan");
    assert!(has(&plan, "fixed /srv/data/x.git/hooks"));
    assert!(has(
        &plan,
        "link /srv/data/x.git/config -> /run/herma/git/0/config"
    ));
}

#[test]
fn a_workspace_in_tmp_is_all_of_tmp_that_is_seen() {
    let mut fake = machine();
    fake.directories(&["/tmp/w", "/tmp/.X11-unix"]);
    let plan = plan_in("/tmp/w", &profile("default", |_| {}), &fake).expect("a plan");
    assert!(has(&plan, "memory /tmp 1777") && has(&plan, "write /tmp/w"));
    assert!(!lines(&plan).join("\n").contains("X11"));
    assert_eq!(
        plan_in("/tmp", &profile("default", |_| {}), &fake),
        Err(Refusal::System(PathBuf::from("/tmp")))
    );
}

#[test]
fn what_a_configuration_includes_from_the_workspace_can_only_be_read() {
    let mut fake = machine();
    repository(&mut fake, "/home/dev/proj/.git");
    fake.files(&[
        (
            "/home/dev/proj/.git/config",
            "[include]\n\tpath = ../shared/git\n[includeIf \"gitdir:x\"]\n\tpath = ../later\n\
             [extensions]\n\tworktreeConfig = true\n",
        ),
        ("/home/dev/proj/shared/git", "[include]\n\tpath = more\n"),
        ("/home/dev/proj/shared/more", "[user]\n\tname = A\n"),
    ]);
    let plan = made(&profile("default", |_| ()), &fake);
    for path in ["shared/git", "shared/more", "later", ".git/config.worktree"] {
        let to = Path::new(CWD).join(path);
        assert!(plan.mounts.contains(&Mount::ReadOnly { to }), "{path}");
    }
    let to = Path::new(CWD).join("shared");
    assert!(plan.mounts.contains(&Mount::Pin { to }));
}

#[test]
fn what_leads_to_a_nested_repository_is_pinned_and_in_locked_to_all_that_is_protected() {
    let mut fake = machine();
    repository(&mut fake, "/home/dev/proj/.git");
    repository(&mut fake, "/home/dev/proj/vendor/x/.git");
    fake.files(&[("/home/dev/proj/packages/a/.claude/settings.json", "{}")]);
    let pinned = |profile: &Profile, path: &str| {
        let to = Path::new(CWD).join(path);
        made(profile, &fake).mounts.contains(&Mount::Pin { to })
    };
    let (default, locked) = (profile("default", |_| ()), profile("locked", |_| ()));
    assert!(pinned(&default, "vendor") && pinned(&default, "vendor/x"));
    assert!(pinned(&locked, "packages") && pinned(&locked, "packages/a"));
    assert!(!pinned(&default, "packages"));
}
