//! `herma import`.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "tests"
)]

mod support;

use support::Stage;

const CONFIG: &str = r#"model: some/model
approvals:
  mode: smart
  timeout: 60
  cron_mode: approve
  deny:
    - "git push --force*"
    - "*terraform destroy*"
    - "kubectl * --context=prod-?? delete *"
    - "curl * | sh"
command_allowlist:
  - recursive delete
  - git branch force delete
  - "git reset --hard origin/*"
  - "docker compose down -v"
  - "npm test"
  - "python3 *"
  - "rm -rf /"
  - "rm\\s+-[^\\s]*r"
security:
  tirith_enabled: true
"#;

fn stage() -> Stage {
    let stage = Stage::new();
    stage.write(&stage.home().join(".hermes/config.yaml"), CONFIG);
    stage
}

/// What is printed, with the home taken out.
fn printed(stage: &Stage, words: &[&str]) -> String {
    let ran = stage.run(words);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    ran.stdout.replace(&stage.home().display().to_string(), "~")
}

#[test]
fn what_is_taken_and_what_is_not_is_printed_with_its_origin() {
    let stage = stage();
    insta::assert_snapshot!(printed(&stage, &["import", "hermes"]));
    assert!(!stage.state().exists(), "nothing is written");
}

#[test]
fn what_is_printed_is_valid_and_holds() {
    let stage = stage();
    let text = printed(&stage, &["import", "hermes"]);
    stage.configure(&text);
    let decision =
        |command: &str| stage.run(&["check", "--json", command]).json()["decision"].clone();
    for (command, expected) in [
        ("git push --force origin main", "deny"),
        ("sudo sh -c 'terraform destroy -auto-approve'", "deny"),
        ("kubectl get --context=prod-eu delete x", "deny"),
        ("kubectl get pods", "allow"),
        ("git branch -D x", "allow"),
        ("git reset --hard origin/main", "allow"),
        ("git reset --hard HEAD~1", "ask"),
        ("docker compose down -v", "allow"),
        ("docker compose down -v --rmi all", "ask"),
        ("git stash clear", "ask"),
        ("rm -rf /", "deny"),
    ] {
        assert_eq!(decision(command), expected, "{command}");
    }
}

#[test]
fn writing_adds_once_and_keeps_what_is_there() {
    let stage = stage();
    let own =
        "# mine\ndeadline_ms = 400\n\n[[rule]]\nid = \"me.x\"\naction = \"ask\"\nargv = [\"x\"]\n";
    stage.configure(own);
    let words = ["import", "hermes", "--write", "--yes"];
    assert!(printed(&stage, &words).contains("# added to "));
    let file = stage.state().join("config.toml");
    let written = stage.read(&file);
    assert!(written.contains(own), "{written}");
    assert!(
        written.contains("# from ") && written.contains("mode = \"smart\""),
        "{written}"
    );
    assert_eq!(stage.run(&["config", "check"]).code, Some(0));
    let again = printed(&stage, &words);
    assert!(again.contains("there is nothing to add"), "{again}");
    assert_eq!(stage.read(&file), written);
}

#[test]
fn a_key_that_is_set_stays() {
    let stage = stage();
    stage.configure("mode = \"strict\"\n");
    printed(&stage, &["import", "hermes", "--write", "--yes"]);
    let written = stage.read(&stage.state().join("config.toml"));
    assert_eq!(written.matches("mode = ").count(), 1, "{written}");
    assert!(written.contains("mode = \"strict\""), "{written}");
}

#[test]
fn without_a_terminal_nothing_is_written_unless_asked_not_to_ask() {
    let stage = stage();
    let ran = stage.run(&["import", "hermes", "--write"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.stderr.contains("--yes"), "{ran:?}");
    assert!(!stage.state().exists());
}

#[test]
fn a_file_that_is_not_understood_is_a_failure_with_its_place() {
    let stage = Stage::new();
    let file = stage.project().join("c.yaml");
    for (text, part) in [
        ("a: [1\n", "c.yaml:2:"),
        ("a: 1\nb: *x\n", "c.yaml:2:4: "),
        ("a: !!x 1\n", "c.yaml:1:"),
        ("", "is empty"),
    ] {
        stage.write(&file, text);
        let ran = stage.run(&["import", "hermes", "c.yaml"]);
        assert_eq!(ran.code, Some(1), "{text}: {ran:?}");
        assert!(ran.stderr.contains(part), "{text}: {ran:?}");
    }
    assert_eq!(stage.run(&["import", "hermes", "none.yaml"]).code, Some(1));
}

#[test]
fn hostile_text_is_shown_and_not_obeyed() {
    let stage = Stage::new();
    let file = stage.project().join("c.yaml");
    let text =
        "approvals:\n  deny:\n    - \"git push x\\e\\u202e\\a\"\n    - \"a | b\\n[[rule]]\"\n";
    stage.write(&file, text);
    let out = printed(&stage, &["import", "hermes", "c.yaml"]);
    assert!(!out.contains('\u{1b}') && !out.contains('\u{7}'), "{out:?}");
    assert_eq!(
        out.lines().filter(|line| *line == "[[rule]]").count(),
        1,
        "{out}"
    );
}
