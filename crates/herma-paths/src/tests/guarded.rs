use super::stage::Stage;
use crate::{Action, Class, Operation, Protected, Root};

fn name(path: &str, operation: Operation) -> Option<(Class, Action)> {
    let protected = Protected::new(&[b"/home/dev"], b"/home/dev/.herma");
    let found = protected.find_by_name(b"/", path.as_bytes(), operation)?;
    Some((found.class, found.action))
}

fn object(stage: &Stage, root: &Root, path: &str, operation: Operation) -> Option<Class> {
    let protected = Protected::new(&[&stage.bytes("home")], &stage.bytes("home/.herma"));
    let located = root
        .locate(path.as_bytes(), operation, Some(&stage.bytes("home")))
        .expect("located");
    protected
        .find(root, &located, operation)
        .map(|found| found.class)
}

#[test]
fn secrets_ask_before_they_are_read() {
    for (path, class) in [
        ("/home/dev/.ssh/id_ed25519", Class::PrivateKey),
        ("/home/dev/.ssh/work", Class::PrivateKey),
        ("/root/.aws/credentials", Class::Credential),
        ("/home/other/.netrc", Class::Credential),
        ("/srv/app/.env", Class::EnvFile),
        ("/srv/app/.env.prod", Class::EnvFile),
        ("/srv/app/.env.bak", Class::EnvFile),
        ("/srv/app/.ENV~", Class::EnvFile),
        ("/srv/app/secrets.env", Class::EnvFile),
        ("/srv/app/tls.key", Class::PrivateKey),
        ("/etc/shadow", Class::Credential),
        ("/proc/77/environ", Class::Credential),
        ("~/.kube/config", Class::Credential),
    ] {
        let found = name(path, Operation::Read);
        assert_eq!(found, Some((class, Action::Ask)), "{path}");
    }
    for path in [
        "/srv/app/.env.example",
        "/srv/app/example.env",
        "/srv/app/.environment",
        "/srv/app/env",
        "/home/dev/.ssh/id_ed25519.pub",
        "/home/dev/.ssh/known_hosts",
        "/home/dev/.bashrc",
        "/home/dev/proj/AGENTS.md",
        "/etc/hostname",
    ] {
        assert_eq!(name(path, Operation::Read), None, "{path}");
    }
}

#[test]
fn what_steers_or_runs_later_asks_before_it_is_changed() {
    for (path, class) in [
        ("/p/AGENTS.md", Class::Instructions),
        ("/p/sub/claude.md", Class::Instructions),
        ("/p/CLAUDE.local.md", Class::Instructions),
        ("/p/GEMINI.md", Class::Instructions),
        ("/p/.cursor/rules/a.mdc", Class::Instructions),
        ("/p/.github/copilot-instructions.md", Class::Instructions),
        ("/p/.hermes/notes", Class::Instructions),
        ("/p/.git/hooks/pre-commit", Class::Git),
        ("/p/.envrc", Class::RunsLater),
        ("/p/.vscode/tasks.json", Class::RunsLater),
        ("/p/.claude/settings.json", Class::AgentSettings),
        ("/home/dev/.bashrc", Class::ShellStartup),
        ("/home/dev/.ssh/config", Class::Ssh),
        ("/home/dev/.config/systemd/user/x.service", Class::RunsLater),
        ("/var/spool/cron/dev", Class::RunsLater),
        ("/usr/bin/ls", Class::System),
    ] {
        for operation in [Operation::Write, Operation::Create, Operation::Delete] {
            let found = name(path, operation);
            assert_eq!(found, Some((class, Action::Ask)), "{path}");
        }
    }
    for path in [
        "/p/README.md",
        "/p/.gitignore",
        "/p/.git/index.lock",
        "/var/tmp/x",
        "/p/agents.mdx",
    ] {
        assert_eq!(name(path, Operation::Write), None, "{path}");
    }
    assert!(Class::Instructions.asks_each_time());
    assert!(!Class::RunsLater.asks_each_time());
}

#[test]
fn nothing_allows_changes_of_the_guards_own_state() {
    for path in [
        "/home/dev/.herma",
        "/home/dev/.herma/grants.jsonl",
        "/home/dev/.herma/audit/2026-12-01.jsonl",
        "/home/dev/.herma/VERSION",
        "/etc/herma/config.toml",
    ] {
        let found = name(path, Operation::Write);
        assert_eq!(found, Some((Class::HermaState, Action::Deny)), "{path}");
        assert_eq!(name(path, Operation::Read), None, "{path}");
    }
    assert_eq!(
        name("/home/dev/.herma/proxy/ca.key", Operation::Read),
        Some((Class::HermaSecrets, Action::Deny))
    );
    for path in ["/home/dev/.herma/config.toml", "/p/.herma.toml"] {
        let found = name(path, Operation::Write);
        assert_eq!(found, Some((Class::HermaSettings, Action::Ask)), "{path}");
    }
}

#[test]
fn another_name_of_the_same_object_does_not_hide_it() {
    let stage = Stage::new();
    for name in ["home/.ssh", "home/.herma", "ws/dots"] {
        std::fs::create_dir(stage.at(name)).expect("a directory");
    }
    for name in ["home/.ssh/work", "home/.herma/VERSION", "ws/dots/rc"] {
        std::fs::write(stage.at(name), name).expect("a file");
    }
    // Hard links from inside, to a file of a listed directory and to one that has no listed name.
    std::fs::hard_link(stage.at("home/.ssh/work"), stage.at("ws/innocent")).expect("a link");
    std::fs::hard_link(stage.at("home/.herma/VERSION"), stage.at("ws/v")).expect("a link");
    // The protected name is itself a link into the root.
    stage.link("../ws/dots/rc", "home/.bashrc");
    // Links on the way.
    stage.link("../home/.ssh", "ws/keys");
    stage.link("a.txt", "ws/CLAUDE.md");
    let root = stage.root();
    let find = |path, operation| object(&stage, &root, path, operation);
    assert_eq!(find("innocent", Operation::Read), Some(Class::PrivateKey));
    assert_eq!(find("v", Operation::Write), Some(Class::HermaState));
    assert_eq!(find("dots/rc", Operation::Write), Some(Class::ShellStartup));
    assert_eq!(find("keys/work", Operation::Read), Some(Class::PrivateKey));
    assert_eq!(find("keys/new", Operation::Write), Some(Class::PrivateKey));
    assert_eq!(
        find("CLAUDE.md", Operation::Write),
        Some(Class::Instructions)
    );
    assert_eq!(find("a.txt", Operation::Write), None);
    assert_eq!(
        find("~/.ssh/work", Operation::Read),
        Some(Class::PrivateKey)
    );
}

#[test]
fn with_a_directory_goes_what_is_in_it() {
    let stage = Stage::new();
    std::fs::create_dir_all(stage.at("home/.config/gh")).expect("a directory");
    std::fs::create_dir(stage.at("home/work")).expect("a directory");
    let root = Root::open(&stage.bytes("home")).expect("a root");
    let find = |path, operation| object(&stage, &root, path, operation);
    assert_eq!(find(".config", Operation::Delete), Some(Class::Credential));
    assert_eq!(find(".config", Operation::List), None);
    assert_eq!(find("work", Operation::Delete), None);
}

#[test]
fn a_project_below_a_system_directory_is_the_projects() {
    let top = Root::open(b"/").expect("a root");
    let usr = Root::open(b"/usr/bin").expect("a root");
    let protected = Protected::new(&[], b"");
    let find = |root: &Root| {
        let located = root
            .locate(b"/usr/bin/new-tool", Operation::Write, None)
            .expect("located");
        protected
            .find(root, &located, Operation::Write)
            .map(|found| found.class)
    };
    assert_eq!(find(&top), Some(Class::System));
    assert_eq!(find(&usr), None);
    let by_name = |root: &[u8], path: &[u8]| {
        let found = protected.find_by_name(root, path, Operation::Write);
        found.map(|found| found.class)
    };
    assert_eq!(by_name(b"/usr/src/app", b"/usr/src/app/x"), None);
    assert_eq!(by_name(b"/", b"/usr/src/app/x"), Some(Class::System));
    assert_eq!(by_name(b"/etc/app", b"/etc/app/x"), Some(Class::System));
}
