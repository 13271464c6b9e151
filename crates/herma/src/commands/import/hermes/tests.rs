use super::*;

fn found(text: &str) -> Found {
    read(&yaml::parse(text).unwrap().unwrap())
}

fn rules(text: &str) -> Vec<(usize, Action, String)> {
    let found = found(text);
    let said = |(at, rule): &(Origin, UserRule)| (at.line, rule.action, rule.argv.join(" "));
    found.rules.iter().map(said).collect()
}

/// Why the only entry is left.
fn why(text: &str) -> String {
    let found = found(text);
    assert!(
        found.rules.is_empty() && found.keys.is_empty(),
        "{text}: {found:?}"
    );
    assert_eq!(found.left.len(), 1, "{text}: {found:?}");
    found.left[0].1.clone()
}

#[test]
fn a_command_that_asks_here_becomes_a_rule() {
    let text =
        "command_allowlist:\n- git reset --hard\n- 'terraform apply *'\n- docker stop web*\n";
    let allow = |line, argv: &str| (line, Action::Allow, argv.to_owned());
    assert_eq!(
        rules(text),
        [
            allow(2, "git reset --hard"),
            allow(3, "terraform apply **"),
            allow(4, "docker stop web* **"),
        ]
    );
}

#[test]
fn a_whole_kind_of_danger_is_a_note() {
    for entry in [
        "recursive delete",
        "SQL DROP",
        "script execution via -e/-c flag",
        "kill process via pgrep/pidof expansion (self-termination)",
        "sudo with privilege flag (stdin/askpass/shell/list)",
        r"'rm\s+-[^\s]*r'",
        "tirith:homograph",
    ] {
        why(&format!("command_allowlist: [{entry}]"));
    }
    assert!(why("command_allowlist: [recursive delete]").contains("fs.delete-tree"));
}

#[test]
fn a_kind_that_is_one_verb_becomes_its_rule() {
    let text = "command_allowlist:\n- git reset --hard (destroys uncommitted changes)\n";
    assert_eq!(
        rules(text),
        [(2, Action::Allow, "git reset --hard **".to_owned())]
    );
}

#[test]
fn what_would_allow_everything_or_changes_nothing_is_a_note() {
    for (entry, part) in [
        ("python *", "runs what it is given"),
        ("sudo *", "runs what it is given"),
        ("bash -c x", "runs what it is given"),
        ("git *", "no more than a program"),
        ("git", "no more than a program"),
        ("'*'", "pattern"),
        ("npm test", "allowed without a rule"),
        ("rm -rf /", "a floor"),
        ("'a && b'", "more than one program"),
    ] {
        let why = why(&format!("command_allowlist: [{entry}]"));
        assert!(why.contains(part), "{entry}: {why}");
    }
}

#[test]
fn denials_and_questions_become_rules() {
    let text =
        "approvals:\n  deny:\n    - 'git push*'\n    - '*rm -rf*'\n  ask: ['npm publish *']\n";
    assert_eq!(
        rules(text),
        [
            (3, Action::Deny, "git push* **".to_owned()),
            (4, Action::Deny, "rm -rf **".to_owned()),
            (5, Action::Ask, "npm publish **".to_owned()),
        ]
    );
}

#[test]
fn modes_and_times_become_keys_unless_they_loosen() {
    let keys = |text: &str| -> Vec<String> {
        let found = found(&format!("approvals:\n  {text}\n"));
        found
            .keys
            .iter()
            .map(|(_, key, value)| format!("{key} = {value}"))
            .collect()
    };
    assert_eq!(keys("mode: smart"), ["mode = \"smart\""]);
    assert_eq!(keys("timeout: 60"), ["approvals.timeout = 60"]);
    for text in [
        "mode: manual",
        "mode: off",
        "mode: 'off'",
        "mode: true",
        "mode: x",
        "timeout: 300",
        "timeout: soon",
        "timeout: 999999999",
        "cron_mode: approve",
        "cron_mode: deny",
        "deny: []",
        "denial_breaker_threshold: 3",
    ] {
        assert!(keys(text).is_empty(), "{text}");
    }
}

#[test]
fn a_list_that_is_written_as_text_is_read_as_one() {
    let text = "a: 1\ncommand_allowlist: '[\"git reset --hard\"]'\n";
    assert_eq!(
        rules(text),
        [(2, Action::Allow, "git reset --hard".to_owned())]
    );
    assert!(why("command_allowlist: git reset --hard").contains("no list"));
    assert!(why("command_allowlist: '*'").contains("no list"));
}

#[test]
fn an_entry_that_comes_again_is_one_rule() {
    let found = found("approvals: {deny: ['git push *', 'git push  *']}");
    assert_eq!((found.rules.len(), found.left.len()), (1, 1));
}
