//! The user's own rules behind everything that hands a command on.

mod world;

use herma_rules::{Action, Decision, Floor, Guard, Policy, UserRule};

/// What the shell itself runs, in all its constructs; `@` is the command.
const GRAMMAR: &[&str] = &[
    "@",
    "time @",
    "( @ )",
    "{ @; }",
    "if @; then :; fi",
    "while @; do break; done",
    "! @",
    "true && @",
    "false || @",
    "echo x | @",
    "@ | cat",
    "x=$(@)",
    r#"echo "$(@)""#,
    "echo `@`",
    "cat <(@)",
    "A=1 @",
    "f() { @; }; f",
    r#"alias g="@"; g"#,
    "cat x | while read l; do @; done",
    "for i in 1 2; do @; done",
    "case a in a) @;; esac",
    "coproc @",
    r#"\@"#,
];

/// More than the command alone: where its output goes, and a setting that runs something.
const WITH_MORE: &[&str] = &["@ > log", "{ @; } 2>&1 | tee log", "GIT_SSH_COMMAND=x @"];

/// What other programs are given to run.
const CARRIERS: &[&str] = &[
    "sudo @",
    "sudo -u x -- @",
    "env A=1 @",
    "env -i @",
    "nice -n 5 @",
    "timeout 5 @",
    "nohup @ &",
    "setsid @",
    "stdbuf -oL @",
    "ionice -c3 @",
    "chrt -b 0 @",
    "taskset 1 @",
    "exec @",
    "command @",
    "builtin command @",
    "chroot / @",
    "unshare -r @",
    "flock /tmp/l @",
    r#"flock /tmp/l -c "@""#,
    "watch @",
    r#"watch -n1 "@""#,
    r#"script -c "@" /dev/null"#,
    "strace -f @",
    r#"sh -c "@""#,
    r#"bash -lc "@""#,
    r#"zsh -c "@""#,
    r#"eval "@""#,
    "eval @",
    r#"trap "@" EXIT"#,
    "bash <<E\n@\nE",
    r#"bash <<< "@""#,
    r#"echo "@" | sh"#,
    r#"printf "%s\n" "@" | bash"#,
    r#"find . -exec @ \;"#,
    "find . -execdir @ +",
    "echo a | xargs @",
    "xargs -I{} @ {} < l",
    "parallel @ ::: a",
    r#"ssh h "@""#,
    "ssh h @",
    "docker exec c @",
    "docker run --rm i @",
    "kubectl exec p -- @",
    r#"su -c "@""#,
    r#"su x -c "@""#,
    "runuser -u x -- @",
    "doas @",
    "pkexec @",
    r#"busybox sh -c "@""#,
    r#"python3 -c "import os; os.system('@')""#,
    r#"node -e "require('child_process').execSync('@')""#,
    r#"perl -e "system('@')""#,
    r#"ruby -e "system('@')""#,
    r#"awk "BEGIN{system(\"@\")}""#,
    r#"php -r "system('@');""#,
    r#"git -c alias.x="!@" x"#,
    r#"git rebase -x "@" main"#,
    "git bisect run @",
    r#"tar cf /dev/null x --checkpoint-action=exec="@""#,
    r#"vim -c "!@""#,
    r#"tmux send-keys "@" Enter"#,
    r#"tmux new -d "@""#,
    "screen -dm @",
    r#"at now <<< "@""#,
    "systemd-run @",
    "systemd-run --user -- @",
    "make -f - <<E\na:\n\t@\nE",
    r#"npx -c "@""#,
    r#"npm exec -c "@""#,
    "poetry run @",
    "uv run @",
    "bundle exec @",
    "pipenv run @",
    "direnv exec . @",
    r#"nix-shell --run "@""#,
    "mise exec -- @",
    "entr @",
    "watchexec @",
    "xvfb-run @",
    "proxychains @",
    "torsocks @",
    "fakeroot @",
    "dbus-run-session @",
    "caffeinate @",
    "arch -x86_64 @",
    "/usr/bin/env @",
    r#"ansible all -m shell -a "@""#,
    r#"vagrant ssh -c "@""#,
    r#"gcloud compute ssh vm --command "@""#,
    "lxc exec c -- @",
    "podman exec c @",
    "nsenter -t 1 -m @",
    "firejail @",
    "bwrap --bind / / @",
    r#"hyperfine "@""#,
    r#"concurrently "@""#,
    "rlwrap @",
    "unbuffer @",
    r#"expect -c "spawn @""#,
    r#"sg grp -c "@""#,
    r#"crontab <<< "* * * * * @""#,
    r#"echo "@" > x.sh; sh x.sh"#,
    r#"cp /dev/stdin x.sh <<< "@"; bash x.sh"#,
];

fn guard(action: Action, argv: &[&str]) -> Guard {
    let mut policy = Policy::manual();
    policy.rules.push(UserRule {
        id: "team.rule".to_owned(),
        action,
        argv: argv.iter().map(|word| (*word).to_owned()).collect(),
        tool: Vec::new(),
        path: Vec::new(),
        cwd: None,
        regex: None,
        why: None,
    });
    Guard::new(policy)
}

#[test]
fn a_denial_holds_in_every_construct_and_behind_every_carrier() {
    let guard = guard(Action::Deny, &["frob", "push", "**"]);
    let mut missed = Vec::new();
    for text in GRAMMAR.iter().chain(WITH_MORE).chain(CARRIERS) {
        let text = text.replace('@', "frob push x");
        if world::check(&guard, &text).floor != Some(Floor::UserDeny) {
            missed.push(text);
        }
    }
    assert!(missed.is_empty(), "{missed:#?}");
}

#[test]
fn a_question_holds_in_every_construct_and_behind_every_carrier() {
    let guard = guard(Action::Ask, &["frob", "push", "**"]);
    let mut missed = Vec::new();
    for text in GRAMMAR.iter().chain(WITH_MORE).chain(CARRIERS) {
        let text = text.replace('@', "frob push x");
        let verdict = world::check(&guard, &text);
        if !verdict.findings.iter().any(|it| it.rule == "team.rule") {
            missed.push(text);
        }
    }
    assert!(missed.is_empty(), "{missed:#?}");
}

#[test]
fn an_allowance_covers_what_the_shell_runs_and_nothing_that_a_carrier_does() {
    let guard = guard(Action::Allow, &["git", "stash", "clear"]);
    let allows = |text: &str| {
        let text = text.replace('@', "git stash clear");
        world::check(&guard, &text).decision == Decision::Allow
    };
    let wrong: Vec<_> = GRAMMAR.iter().filter(|text| !allows(text)).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    let wrong: Vec<_> = WITH_MORE
        .iter()
        .chain(CARRIERS)
        .filter(|text| allows(text))
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_mention_is_no_command() {
    for action in [Action::Deny, Action::Ask] {
        let guard = guard(action, &["frob", "push", "**"]);
        for text in [
            "echo frob push x",
            "git commit -m 'frob push x'",
            "grep -r 'frob push' src",
            "cat <<E\nfrob push x\nE",
            "echo 'frob push x' > notes.md",
            "ls # frob push x",
            "frob --push x",
            "frob pull push",
            "unfrob push x",
        ] {
            assert_eq!(
                world::check(&guard, text).decision,
                Decision::Allow,
                "{text}"
            );
        }
    }
}
