use super::*;

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

#[test]
fn ids_keep_to_characters_that_are_stable_everywhere() {
    for id in ["a", "team.no-push", "0x_1", &"a".repeat(64)] {
        assert_eq!(check_id(id), Ok(()), "{id}");
    }
    for id in [
        "",
        ".a",
        "-a",
        "A",
        "a b",
        "a/b",
        "\u{e9}",
        "a\n",
        &"a".repeat(65),
    ] {
        assert!(check_id(id).is_err(), "{id:?}");
    }
}

#[test]
fn an_allow_rule_names_one_program_that_runs_no_others() {
    let allow = |program: &str| check_argv(Action::Allow, &words(&[program, "**"]));
    for program in [
        "git",
        "./gradlew",
        "/usr/bin/make",
        "cargo",
        "shellcheck",
        "nodemon",
        "pythonic",
    ] {
        assert_eq!(allow(program), Ok(()), "{program}");
    }
    for program in [
        "*",
        "**",
        "g?t",
        "[a-z]*",
        "{a,b}",
        "sh",
        "bash",
        "/bin/bash",
        "python3",
        "python3.12",
        "pypy3",
        "node",
        "env",
        "sudo",
        "xargs",
        "eval",
        ".",
        "BASH",
        "cmd.exe",
        "perl5.36",
        "lua5.4",
        "C:\\Windows\\cmd.exe",
    ] {
        let refused = RuleFault::AllowTooWide(program.to_owned());
        assert_eq!(allow(program), Err(refused), "{program}");
    }
}

#[test]
fn a_whole_line_is_not_taken_for_a_program() {
    for action in [Action::Allow, Action::Ask, Action::Deny] {
        let refused = RuleFault::LineAsWord("npm publish".into());
        assert_eq!(
            refused.to_string(),
            "each word of the command is a string of its own: [\"npm\", \"publish\"]"
        );
        assert_eq!(check_argv(action, &words(&["npm publish"])), Err(refused));
        assert_eq!(
            check_argv(action, &words(&["/opt/my tool/run", "x"])),
            Ok(())
        );
    }
}

#[test]
fn deny_and_ask_rules_may_name_anything_but_nothing() {
    for action in [Action::Ask, Action::Deny] {
        assert_eq!(check_argv(action, &words(&["*", "--force"])), Ok(()));
        assert_eq!(check_argv(action, &words(&["bash"])), Ok(()));
        assert_eq!(check_argv(action, &[]), Err(RuleFault::EmptyArgv));
        assert_eq!(check_argv(action, &words(&[""])), Err(RuleFault::EmptyArgv));
    }
}

#[test]
fn a_working_directory_begins_at_a_root_or_with_a_pattern() {
    for cwd in ["/srv", "~/work/**", "~", "**/secret"] {
        assert_eq!(check_cwd(cwd), Ok(()), "{cwd}");
    }
    for cwd in ["", "work", "./x", "$HOME/x"] {
        assert!(check_cwd(cwd).is_err(), "{cwd}");
    }
}

#[test]
fn a_rule_for_tools_names_them_and_its_paths() {
    let check = |action, tool: &[&str], path: Option<&[&str]>| {
        let path = path.map(words);
        check_tool(action, &words(tool), path.as_deref())
    };
    for action in [Action::Deny, Action::Ask, Action::Allow] {
        assert_eq!(check(action, &["Read"], Some(&["~/notes/**"])), Ok(()));
        assert_eq!(check(action, &[], None), Err(RuleFault::EmptyTool));
        assert_eq!(check(action, &[""], None), Err(RuleFault::EmptyTool));
        assert_eq!(
            check(action, &["Read"], Some(&["notes"])),
            Err(RuleFault::Path("notes".to_owned()))
        );
        assert_eq!(
            check(action, &["Read"], Some(&[])),
            Err(RuleFault::Path(String::new()))
        );
    }
    assert_eq!(check(Action::Deny, &["*"], None), Ok(()));
    assert_eq!(check(Action::Deny, &["*Edit", "Read"], None), Ok(()));
    for unknown in ["Raed", "read", "Bash", "X*"] {
        assert_eq!(
            check(Action::Deny, &["Read", unknown], None),
            Err(RuleFault::UnknownTool(unknown.to_owned()))
        );
    }
    for (tool, path) in [
        (&["Read"][..], None),
        (&["*"], Some(&["~/a"][..])),
        (&["Read"], Some(&["/**"])),
        (&["Read"], Some(&["~/a", "*"])),
    ] {
        assert_eq!(
            check(Action::Allow, tool, path),
            Err(RuleFault::AllowEveryPath)
        );
    }
}
