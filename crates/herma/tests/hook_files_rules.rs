//! The user's own rules for an agent program's file tools.

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
fn own_rules_deny_before_they_ask_and_ask_before_they_allow() {
    let stage = stage();
    stage.configure(
        "deadline_ms = 10000\n\
         [[rule]]\nid = \"me.notes\"\naction = \"deny\"\ntool = [\"Read\", \"Edit\"]\n\
         path = [\"~/notes/**\"]\nwhy = \"private\"\n\
         [[rule]]\nid = \"me.docs\"\naction = \"ask\"\ntool = [\"*\"]\npath = [\"*/docs/*\"]\n\
         [[rule]]\nid = \"me.env\"\naction = \"allow\"\ntool = [\"Read\"]\n\
         path = [\"*/.env\", \"*/docs/*\", \"~/notes/*\", \"/dev/*\", \"*/AGENTS.md\"]\n\
         [[rule]]\nid = \"me.disk\"\naction = \"allow\"\ntool = [\"Write\"]\n\
         path = [\"/dev/*\", \"*/AGENTS.md\"]\n",
    );
    stage.write(&stage.home().join("notes/a"), "x");
    std::os::unix::fs::symlink(stage.home().join("notes/a"), stage.project().join("n"))
        .expect("link");
    std::os::unix::fs::symlink(
        stage.home().join(".ssh/id_ed25519"),
        stage.project().join("x.env"),
    )
    .expect("link");
    for path in ["~/notes/a", "~/notes", "n", "../home/notes/new"] {
        let (decision, reason) = read(&stage, path);
        assert_eq!(decision, "deny", "{path}");
        assert!(
            reason.contains("me.notes") && reason.contains("private"),
            "{reason}"
        );
    }
    assert_eq!(write(&stage, "~/notes/a").0, "allow", "another tool");
    assert_eq!(read(&stage, "docs/x").0, "ask", "an ask before an allow");
    assert_eq!(read(&stage, ".env").0, "allow");
    assert_eq!(write(&stage, ".env").0, "ask", "another tool");
    assert_eq!(write(&stage, "/dev/sda").0, "deny", "a floor stays");
    assert_eq!(write(&stage, "AGENTS.md").0, "ask", "asked each time");
    assert_eq!(
        answer(&stage.hook("cat .env", "default")).0,
        "ask",
        "a rule for tools is none for commands"
    );
}

#[test]
fn a_tool_that_is_none_is_an_error_with_what_was_meant() {
    let stage = stage();
    for (name, meant) in [
        ("Raed", Some("Read")),
        ("edit", Some("Edit")),
        ("Bash", None),
    ] {
        stage.configure(&format!(
            "[[rule]]\nid = \"me.x\"\naction = \"deny\"\ntool = [\"Write\", \"{name}\"]\n"
        ));
        let said = stage.run(&["config", "check"]);
        let said = format!("{}{}", said.stdout, said.stderr);
        assert!(said.contains(&format!("no file tool `{name}`")), "{said}");
        match meant {
            Some(meant) => assert!(said.contains(&format!("did you mean `{meant}`?")), "{said}"),
            None => assert!(!said.contains("did you mean"), "{said}"),
        }
        assert_eq!(read(&stage, "src/main.rs").0, "deny");
    }
    for tool in herma_config::FILE_TOOLS {
        assert!(
            herma_hosts::Host::ALL
                .iter()
                .any(|host| host.file_use(tool, "x").is_some()),
            "{tool}"
        );
    }
    for tool in herma_hosts::claude_code::settings::tools().filter(|tool| *tool != "Bash") {
        assert!(herma_config::FILE_TOOLS.contains(&tool), "{tool}");
    }
}

#[test]
fn an_allow_has_to_cover_every_name() {
    let stage = stage();
    stage.configure(
        "deadline_ms = 10000\n[[rule]]\nid = \"me.x\"\naction = \"allow\"\ntool = [\"Read\"]\n\
         path = [\"*/project/**\"]\n",
    );
    std::os::unix::fs::symlink(
        stage.home().join(".ssh/id_ed25519"),
        stage.project().join("link"),
    )
    .expect("link");
    assert_eq!(read(&stage, ".env").0, "allow");
    assert_eq!(read(&stage, "link").0, "ask");
}

#[test]
fn a_project_tightens_and_never_loosens() {
    let stage = stage();
    let own = stage.project().join(".herma.toml");
    stage.write(
        &own,
        "[[rule]]\nid = \"team.gen\"\naction = \"deny\"\ntool = [\"Edit\"]\npath = [\"*/gen/*\"]\n",
    );
    let edit = json!({"file_path": "gen/a.rs", "old_string": "a", "new_string": "b"});
    assert_eq!(ask(&stage, "Edit", &edit).0, "deny");
    stage.write(
        &own,
        "[[rule]]\nid = \"team.env\"\naction = \"allow\"\ntool = [\"Read\"]\npath = [\"*/.env\"]\n",
    );
    let (decision, reason) = read(&stage, "src/main.rs");
    assert_eq!(decision, "deny");
    assert!(
        reason.contains("the configuration is not valid"),
        "{reason}"
    );
}
