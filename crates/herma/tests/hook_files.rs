//! `herma hook claude-code` before the agent program's own file tools.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "tests"
)]

mod support;

use serde_json::json;
use support::file_tools::*;

#[test]
fn a_tool_gets_the_answer_and_the_rule_of_the_command_with_the_same_effect() {
    let stage = stage();
    for path in [
        "~/.ssh/id_ed25519",
        "~/.ssh/id_ed25519.pub",
        "~/.ssh/config",
        "~/.aws/credentials",
        "~/.netrc",
        "~/.bashrc",
        "~/notes.txt",
        ".env",
        ".env.local",
        ".env.example",
        "src/main.rs",
        "../other/x",
        "/etc/hosts",
        "/etc/shadow",
        "/etc/cron.d/x",
        "/usr/share/x",
        "/opt/x",
        "/tmp/x",
        "/dev/null",
        ".git/config",
        ".git/hooks/pre-commit",
        ".git/COMMIT_EDITMSG",
        ".envrc",
        "AGENTS.md",
        "docs/CLAUDE.md",
        ".mcp.json",
        ".claude/settings.json",
        "~/.claude/settings.json",
        "~/.herma/config.toml",
        ".herma.toml",
        "data.sqlite",
        "server.key",
        "/var/log/syslog",
        "/proc/1/environ",
        "~/.config/chromium/Default/Cookies",
    ] {
        let tools = [
            (format!("cat {path}"), read(&stage, path)),
            (format!("echo x > {path}"), write(&stage, path)),
            (
                format!("sed -i s/a/b/ {path}"),
                ask(
                    &stage,
                    "Edit",
                    &json!({"file_path": path, "old_string": "a", "new_string": "b"}),
                ),
            ),
        ];
        for (command, (decision, reason)) in tools {
            let (wanted, why) = answer(&stage.hook(&command, "default"));
            assert_eq!(
                (decision, rule(&reason)),
                (wanted, rule(&why)),
                "{path} as in {command}: {reason}"
            );
        }
    }
}

#[test]
fn secrets_hooks_and_orders_ask_and_the_project_is_silence() {
    let stage = stage();
    for (tool, input, decision, id) in [
        (
            "Read",
            json!({"file_path": "~/.ssh/id_ed25519"}),
            "ask",
            "secrets.read",
        ),
        (
            "Read",
            json!({"file_path": ".env"}),
            "ask",
            "secrets.env-file",
        ),
        (
            "Write",
            json!({"file_path": ".git/hooks/pre-commit", "content": "x"}),
            "ask",
            "persistence.runs-later",
        ),
        (
            "Write",
            json!({"file_path": "/etc/hosts", "content": "x"}),
            "ask",
            "system.write-etc",
        ),
        (
            "MultiEdit",
            json!({"file_path": "~/.bashrc", "edits": []}),
            "ask",
            "persistence.startup",
        ),
        (
            "NotebookEdit",
            json!({"notebook_path": "/etc/x.ipynb", "new_source": ""}),
            "ask",
            "system.write-etc",
        ),
        (
            "Edit",
            json!({"file_path": "AGENTS.md", "old_string": "a", "new_string": "b"}),
            "ask",
            "agents.instructions",
        ),
        ("Read", json!({"file_path": "AGENTS.md"}), "allow", ""),
        ("Read", json!({"file_path": "/etc/hosts"}), "allow", ""),
        (
            "Write",
            json!({"file_path": "/opt/data/x", "content": "x"}),
            "allow",
            "",
        ),
        (
            "Edit",
            json!({"file_path": "src/main.rs", "old_string": "a", "new_string": "b"}),
            "allow",
            "",
        ),
        (
            "NotebookEdit",
            json!({"notebook_path": "a.ipynb"}),
            "allow",
            "",
        ),
        (
            "Write",
            json!({"file_path": "/dev/sda", "content": "x"}),
            "deny",
            "device.overwrite",
        ),
    ] {
        let (given, reason) = ask(&stage, tool, &input);
        assert_eq!(
            (given, rule(&reason)),
            (decision, id),
            "{tool} {input}: {reason}"
        );
    }
}

#[test]
fn a_search_reads_what_it_names_and_a_listing_reads_nothing() {
    let stage = stage();
    let home = stage.home().display().to_string();
    for (input, decision) in [
        (json!({"pattern": "x"}), "allow"),
        (json!({"pattern": "x", "path": "src"}), "allow"),
        (
            json!({"pattern": "x", "path": "src", "glob": "*.rs"}),
            "allow",
        ),
        (json!({"pattern": "x", "path": "~"}), "allow"),
        (json!({"pattern": "x", "path": "~/.ssh"}), "ask"),
        (
            json!({"pattern": "x", "path": format!("{home}/.ssh/")}),
            "ask",
        ),
        (json!({"pattern": "x", "path": ".env"}), "ask"),
        (json!({"pattern": "x", "glob": ".env"}), "ask"),
        (json!({"pattern": "x", "glob": "**/.env*"}), "ask"),
        (json!({"pattern": "x", "glob": "*.rs,.env.local"}), "ask"),
        (json!({"pattern": "x", "glob": "{*.rs,.env}"}), "ask"),
        (json!({"pattern": "x", "glob": "!.env"}), "allow"),
    ] {
        assert_eq!(ask(&stage, "Grep", &input).0, decision, "{input}");
    }
    for path in ["~/.ssh", "/etc", ".", "~"] {
        let input = json!({"pattern": "**/*", "path": path});
        assert_eq!(ask(&stage, "Glob", &input).0, "allow", "{path}");
        assert_eq!(
            ask(&stage, "LS", &json!({"path": path})).0,
            "allow",
            "{path}"
        );
    }
}

#[test]
fn a_file_is_judged_under_every_name_that_it_has() {
    use std::os::unix::fs::symlink;
    let stage = stage();
    let project = stage.project();
    let at = |name: &str| project.join(name);
    symlink("../home/.ssh/id_ed25519", at("key")).expect("link");
    symlink("key", at("again")).expect("link");
    symlink("../home/.ssh", at("keys")).expect("link");
    symlink("/etc", at("etc")).expect("link");
    symlink(".env", at("settings.txt")).expect("link");
    symlink("nowhere/../.envrc", at("loose")).expect("link");
    std::fs::hard_link(stage.home().join(".ssh/id_ed25519"), at("hard")).expect("link");
    std::fs::hard_link(stage.home().join(".bashrc"), at("rc")).expect("link");
    std::fs::create_dir(at("dots")).expect("directory");
    std::fs::write(at("dots/profile"), "x").expect("file");
    symlink(at("dots/profile"), stage.home().join(".profile")).expect("link");
    std::fs::create_dir(at("dots/config")).expect("directory");
    symlink(at("dots/config"), stage.home().join(".config")).expect("link");
    std::fs::create_dir_all(stage.home().join(".local/share")).expect("directory");
    symlink(at("dots"), stage.home().join(".local/share/fish")).expect("link");
    for (path, id) in [
        ("key", "secrets.read"),
        ("again", "secrets.read"),
        ("keys/id_ed25519", "secrets.read"),
        ("src/../keys/new", "secrets.read"),
        ("hard", "secrets.read"),
        ("settings.txt", "secrets.env-file"),
        ("etc/shadow", "secrets.read"),
        (" ~/.ssh/id_ed25519\n", "secrets.read"),
        ("../home/.ssh/id_ed25519", "secrets.read"),
        // The kernel goes to the home, the host to the project's own file.
        ("keys/../.netrc", "secrets.read"),
    ] {
        let (decision, reason) = read(&stage, path);
        assert_eq!((decision, rule(&reason)), ("ask", id), "{path:?}: {reason}");
    }
    for (path, id) in [
        ("rc", "persistence.startup"),
        ("dots/profile", "persistence.startup"),
        ("dots/config/git/config", "persistence.runs-later"),
        ("dots/fish_history", "system.log-tamper"),
        ("etc/hosts", "system.write-etc"),
        ("keys/new", "secrets.write-ssh"),
    ] {
        let (decision, reason) = write(&stage, path);
        assert_eq!((decision, rule(&reason)), ("ask", id), "{path:?}: {reason}");
    }
    assert_eq!(read(&stage, "etc/hosts").0, "allow");
    assert_eq!(write(&stage, "src/../src/new.rs").0, "allow");
}

#[test]
fn a_home_behind_a_link_is_the_home_under_both_names() {
    use std::os::unix::fs::symlink;
    let stage = stage();
    let real = stage.root().join("var/home");
    std::fs::create_dir_all(&real).expect("directory");
    std::fs::rename(stage.home(), real.join("dev")).expect("moved");
    symlink(real.join("dev"), stage.home()).expect("link");
    std::fs::create_dir(real.join("dev/work")).expect("directory");
    for home in [stage.home(), real.join("dev")] {
        let home = home.display();
        assert_eq!(read(&stage, &format!("{home}/.netrc")).0, "ask", "{home}");
        assert_eq!(write(&stage, &format!("{home}/.zshrc")).0, "ask", "{home}");
        assert_eq!(
            write(&stage, &format!("{home}/work/x")).0,
            "allow",
            "{home}"
        );
    }
}

#[test]
fn a_path_that_is_no_name_or_no_text_is_denied_and_says_so() {
    let stage = stage();
    std::os::unix::fs::symlink("loop", stage.project().join("loop")).expect("link");
    for (path, why) in [
        ("a\0b", "control"),
        ("a\u{202e}txt.exe", "bidi"),
        ("/proc/self/root/etc/shadow", "magic-link"),
        ("loop", "links"),
    ] {
        let (decision, reason) = read(&stage, path);
        assert_eq!(decision, "deny", "{path:?}");
        assert!(reason.contains(why), "{path:?}: {reason}");
    }
    for (tool, input) in [
        ("Read", json!({})),
        ("Read", json!({"file_path": 7})),
        ("Write", json!({"path": "x", "content": "x"})),
        ("NotebookEdit", json!({"file_path": "x"})),
        ("Grep", json!({"path": ["x"]})),
        ("Edit", json!("x")),
    ] {
        assert_eq!(ask(&stage, tool, &input).0, "deny", "{tool} {input}");
    }
    assert_eq!(ask(&stage, "Unknown", &json!({"file_path": 7})).0, "allow");
    assert_eq!(
        ask(&stage, "mcp__fs__read", &json!({"path": "/etc/shadow"})).0,
        "allow"
    );
}

/// With `--home` the state is anywhere, and is herma's all the same.
#[test]
fn a_state_directory_elsewhere_is_protected_from_commands_and_tools() {
    let stage = stage();
    let own = stage.root().join("elsewhere/herma");
    stage.write(&own.join("config.toml"), "deadline_ms = 10000\n");
    let private = std::os::unix::fs::PermissionsExt::from_mode(0o700);
    std::fs::set_permissions(&own, private).expect("permissions");
    std::os::unix::fs::symlink(&own, stage.root().join("link")).expect("link");
    for home in [own.clone(), stage.root().join("link")] {
        let home = home.display().to_string();
        let own = own.display();
        for command in [
            format!("rm -rf {own}"),
            format!("rm {own}/config.toml"),
            format!("sed -i s/a/b/ {own}/config.toml"),
            format!("echo x | tee {own}/rules.d/x.toml"),
            format!("cd {own} && mv config.toml x"),
            format!("cat {own}/runs/1/receipt"),
        ] {
            let words = ["--home", &home, "check", "--json", &command];
            let verdict = stage.run(&words).json();
            assert_eq!(verdict["decision"], "ask", "{home}: {verdict}");
            let event = stage.event(&command, "default");
            let ran = stage.run_with(&["--home", &home, "hook", "claude-code"], event);
            assert_eq!(answer(&ran).0, "ask", "{home}: {command}");
        }
        let command = format!("cat {own}/config.toml");
        let words = ["--home", &home, "check", "--json", &command];
        assert_eq!(stage.run(&words).json()["decision"], "allow");
    }
}

#[test]
fn orders_for_agents_are_asked_about_in_every_mode() {
    let stage = stage();
    for mode in ["manual", "strict", "off"] {
        stage.configure(&format!("deadline_ms = 10000\nmode = \"{mode}\"\n"));
        assert_eq!(write(&stage, "AGENTS.md").0, "ask", "{mode}");
        assert_eq!(
            answer(&stage.hook("echo x >> AGENTS.md", "default")).0,
            "ask",
            "{mode}"
        );
    }
    assert_eq!(write(&stage, ".env").0, "allow", "off");
    stage.configure("deadline_ms = 10000\npacks.disable = [\"agents.instructions\"]\n");
    assert_eq!(write(&stage, "AGENTS.md").0, "allow");
}

#[test]
fn where_nobody_is_asked_a_question_is_a_denial_whose_copy_says_what_would_allow_it() {
    let stage = stage();
    let input = json!({"file_path": ".env"});
    assert_eq!(ask_in(&stage, "new-mode", "Read", &input).0, "deny");
    let copies = stage.run(&["blocked", "list", "--json"]).rows();
    let id = copies[0]["id"].as_str().expect("id");
    let shown = stage.run(&["blocked", "show", id]).stdout;
    let rule = shown.split_once("[[rule]]").expect("a rule").1;
    for key in ["tool = [\"Read\"]", "path = [\"", "/project/.env\"]"] {
        assert!(rule.contains(key), "{shown}");
    }
    stage.configure(&format!("deadline_ms = 10000\n[[rule]]\n{rule}\n"));
    assert_eq!(ask_in(&stage, "new-mode", "Read", &input).0, "allow");
}

/// Its own question about such a file takes the hook's away, and then runs the tool.
#[test]
fn where_the_host_asks_nothing_a_question_about_a_change_is_a_denial() {
    let stage = stage();
    let mode = "bypassPermissions";
    for tool in ["Write", "Edit", "MultiEdit"] {
        let input = json!({"file_path": ".git/hooks/pre-commit", "content": "x"});
        assert_eq!(ask_in(&stage, mode, tool, &input).0, "deny", "{tool}");
        let input = json!({"file_path": "src/main.rs", "content": "x"});
        assert_eq!(ask_in(&stage, mode, tool, &input).0, "allow", "{tool}");
    }
    let input = json!({"notebook_path": "~/.ssh/x.ipynb"});
    assert_eq!(ask_in(&stage, mode, "NotebookEdit", &input).0, "deny");
    let key = json!({"file_path": "~/.ssh/id_ed25519"});
    assert_eq!(ask_in(&stage, mode, "Read", &key).0, "ask");
    let keys = json!({"pattern": "x", "path": "~/.ssh"});
    assert_eq!(ask_in(&stage, mode, "Grep", &keys).0, "ask");
}

#[test]
fn the_trail_names_the_tool_and_the_object_and_no_secret() {
    use std::os::unix::fs::MetadataExt;
    let stage = stage();
    std::fs::hard_link(stage.project().join(".env"), stage.project().join("b")).expect("link");
    read(&stage, ".env");
    read(&stage, "sub/ghp_0123456789abcdefghijABCDEFGHIJ012345");
    ask_in(
        &stage,
        "unknown",
        "Write",
        &json!({"file_path": ".env", "content": "A=1"}),
    );
    let lines = audit(&stage);
    assert_eq!(lines.len(), 3);
    let meta = std::fs::metadata(stage.project().join(".env")).expect("file");
    assert_eq!(lines[0]["argv_redacted"], json!(["Read", ".env"]));
    assert_eq!(lines[0]["device"], meta.dev());
    assert_eq!(lines[0]["inode"], meta.ino());
    assert_eq!(lines[0]["nlink"], 2);
    assert_eq!(lines[0]["decision"], "ask");
    assert_eq!(lines[0]["rules"], json!(["secrets.env-file"]));
    assert_eq!(lines[0]["tool_use_id"], "toolu_1");
    assert!(lines[1].get("inode").is_none());
    assert!(!lines[1].to_string().contains("0123456789abcdef"));
    let copies = stage.run(&["blocked", "list", "--json"]).rows();
    assert_eq!(copies.len(), 1);
    assert_eq!(
        (&copies[0]["tool"], &copies[0]["command"]),
        (&json!("Write"), &json!(".env"))
    );
    assert!(!copies[0].to_string().contains("A=1"));
    assert_eq!(stage.run(&["audit", "verify"]).code, Some(0));
}
