//! Modes, contexts and the user's own rules.

mod world;

use herma_rules::{
    Action, ContextPolicy, Decision, Expression, Floor, Guard, Mode, Policy, Request, Severity,
    UserRule, Verdict,
};
use herma_shell::{FileKind, Listing, Read, World};

fn rule(action: Action, argv: &[&str]) -> UserRule {
    UserRule {
        id: "team.rule".to_owned(),
        action,
        argv: argv.iter().map(|word| (*word).to_owned()).collect(),
        tool: Vec::new(),
        path: Vec::new(),
        cwd: None,
        regex: None,
        why: None,
    }
}

fn with(action: Action, argv: &[&str], text: &str) -> Verdict {
    let mut policy = Policy::manual();
    policy.rules.push(rule(action, argv));
    world::check(&Guard::new(policy), text)
}

fn in_mode(mode: Mode, text: &str) -> Verdict {
    let guard = Guard::new(Policy::manual());
    let mut request = Request::new(text.as_bytes(), b"/home/dev/proj");
    request.mode = Some(mode);
    guard.check(&request, &world::Corpus)
}

fn in_context(policy: Policy, context: &str, text: &str) -> Decision {
    let guard = Guard::new(policy);
    let mut request = Request::new(text.as_bytes(), b"/home/dev/proj");
    request.context = Some(context);
    guard.check(&request, &world::Corpus).decision
}

#[test]
fn a_deny_rule_holds_behind_every_carrier() {
    for text in [
        "git push origin main",
        "sudo git push",
        "sh -c 'git push'",
        "git -C x push --force",
        "cd x && /usr/bin/git push",
        "find . -exec git push \\;",
    ] {
        let verdict = with(Action::Deny, &["git", "push", "**"], text);
        assert_eq!(verdict.floor, Some(Floor::UserDeny), "{text}");
        assert_eq!(verdict.decision, Decision::Deny, "{text}");
    }
    let verdict = with(
        Action::Deny,
        &["git", "push", "**"],
        "git pull; echo git push",
    );
    assert_eq!(verdict.floor, None);
}

#[test]
fn options_of_a_rule_match_in_any_order_and_in_bundles() {
    for text in [
        "git push origin -f",
        "git push -uf origin",
        "git push --follow-tags -f",
    ] {
        let verdict = with(Action::Deny, &["git", "push", "-f", "**"], text);
        assert_eq!(verdict.floor, Some(Floor::UserDeny), "{text}");
    }
    let verdict = with(
        Action::Deny,
        &["git", "push", "-f", "**"],
        "git push origin",
    );
    assert_eq!(verdict.decision, Decision::Allow);
}

#[test]
fn an_option_of_a_rule_keeps_its_value() {
    let denied = |argv: &[&str], text: &str| with(Action::Deny, argv, text).floor.is_some();
    let rule = ["kubectl", "delete", "-n", "prod-*", "**"];
    for text in [
        "kubectl delete -n prod-eu pod x",
        "kubectl -n prod-eu delete pod x",
        "kubectl delete pod x -nprod-eu",
    ] {
        assert!(denied(&rule, text), "{text}");
    }
    for text in [
        "kubectl delete -n dev pod prod-x",
        "kubectl get -n prod-eu pod x",
        "kubectl delete prod-eu -n dev",
    ] {
        assert!(!denied(&rule, text), "{text}");
    }
    assert!(denied(
        &["docker", "run", "--network=host", "**"],
        "docker run -d --network host i"
    ));
    assert!(denied(
        &["git", "push", "--force", "**"],
        "git push --forc origin"
    ));
}

#[test]
fn an_allowance_covers_an_option_with_its_own_value_only() {
    let rule = ["kubectl", "delete", "pod", "x", "-n", "dev"];
    let decision = |text| with(Action::Allow, &rule, text).decision;
    assert_eq!(decision("kubectl delete pod x -n dev"), Decision::Allow);
    assert_eq!(decision("kubectl -n dev delete pod x"), Decision::Allow);
    for text in [
        "kubectl delete pod x",
        "kubectl delete pod x -n prod",
        "kubectl delete -n pod x dev",
        "kubectl delete pod x -n dev --force",
        "kubectl delete pod x -n dev -A",
        "kubectl delete pod x -n dev -n prod",
    ] {
        assert_eq!(decision(text), Decision::Ask, "{text}");
    }
    let rule = ["git", "checkout", "--", "x"];
    let decision = |text| with(Action::Allow, &rule, text).decision;
    assert_eq!(decision("git checkout -- x"), Decision::Allow);
    assert_eq!(decision("git checkout -f x"), Decision::Ask);
}

#[test]
fn words_of_a_rule_may_stand_on_both_sides_of_the_rest() {
    let denied = |text| {
        with(Action::Deny, &["git", "push", "**", "--no-verify"], text)
            .floor
            .is_some()
    };
    assert!(denied("git push origin main --no-verify"));
    assert!(denied("git push --no-verify"));
    assert!(!denied("git push origin main"));
}

#[test]
fn a_program_of_the_system_is_denied_by_its_bare_name_too() {
    let denied = |argv: &[&str], text: &str| with(Action::Deny, argv, text).floor.is_some();
    assert!(denied(&["/usr/bin/make", "**"], "make x"));
    assert!(denied(&["/usr/bin/make", "**"], "/bin/make x"));
    assert!(denied(&["make", "**"], "/usr/bin/make x"));
    assert!(!denied(&["./make", "**"], "make x"));
    let allowed = with(
        Action::Allow,
        &["/usr/bin/git", "reset", "--hard"],
        "git reset --hard",
    );
    assert_eq!(allowed.decision, Decision::Ask);
}

fn with_regex(action: Action, argv: &[&str], regex: &str, text: &str) -> Verdict {
    let mut policy = Policy::manual();
    let mut rule = rule(action, argv);
    rule.regex = Expression::new(regex).ok();
    assert!(rule.regex.is_some(), "{regex}");
    policy.rules.push(rule);
    world::check(&Guard::new(policy), text)
}

#[test]
fn a_regular_expression_is_matched_against_the_words_that_are_run() {
    let denied = |text| {
        let verdict = with_regex(Action::Deny, &["*", "**"], r"--context[= ]prod-\w+", text);
        verdict.floor.is_some()
    };
    assert!(denied("kubectl get pods --context=prod-eu"));
    assert!(denied("kubectl --context 'prod-eu' get pods"));
    assert!(denied("C=prod-eu; sh -c \"helm --context $C list\""));
    assert!(!denied("kubectl get pods --context=dev-eu"));
    assert!(!denied("kubectl get pods # --context=prod-eu"));
    assert!(
        !denied("cat <<E\n--context prod-eu\nE"),
        "data is no argument"
    );
}

#[test]
fn a_word_that_is_not_known_holds_where_a_literal_was_seen() {
    let denied = |text| {
        let verdict = with_regex(Action::Deny, &["deploy", "**"], "--to (live|prod)", text);
        verdict.floor.is_some()
    };
    assert!(denied("deploy --to live"));
    assert!(denied("deploy --to prod \"$(cat x)\""));
    assert!(!denied("deploy --to test"));
    assert!(!denied("deploy \"$(cat x)\""));
    assert!(
        denied("deploy --to \"$(cat x)\""),
        "it may be the rest of it"
    );
}

#[test]
fn an_allowance_with_an_expression_needs_all_its_words() {
    let decision = |text| {
        let argv = ["git", "push", "--force", "**"];
        with_regex(
            Action::Allow,
            &argv,
            r"^git push --force origin feature/\w+$",
            text,
        )
        .decision
    };
    assert_eq!(
        decision("git push --force origin feature/x"),
        Decision::Allow
    );
    assert_eq!(decision("git push --force origin main"), Decision::Ask);
    assert_eq!(
        decision("git push --force origin feature/$(cat x)"),
        Decision::Ask
    );
}

#[test]
fn one_star_is_one_word_and_two_are_the_rest() {
    let denied = |argv: &[&str], text| with(Action::Deny, argv, text).floor.is_some();
    assert!(denied(&["make", "*"], "make deploy"));
    assert!(!denied(&["make", "*"], "make"));
    assert!(!denied(&["make", "*"], "make a b"));
    assert!(denied(&["make", "**"], "make a b"));
    assert!(denied(&["make", "deploy-*"], "make deploy-prod"));
    assert!(denied(&["kube*", "**"], "kubectl get pods"));
}

#[test]
fn an_allow_rule_silences_its_execution_only() {
    let decision = |text| with(Action::Allow, &["git", "reset", "--hard", "**"], text).decision;
    assert_eq!(decision("git reset --hard"), Decision::Allow);
    assert_eq!(decision("git reset HEAD~1 --hard"), Decision::Allow);
    assert_eq!(decision("git reset --hard && git clean -fd"), Decision::Ask);
    assert_eq!(
        decision("sh -c 'git reset --hard'"),
        Decision::Ask,
        "a carrier's payload"
    );
    assert_eq!(
        decision("git reset --hard > .env"),
        Decision::Ask,
        "a redirection"
    );
    assert_eq!(
        decision("git -c alias.x=y reset --hard"),
        Decision::Ask,
        "more than it spells"
    );
    assert_eq!(
        decision("./git reset --hard"),
        Decision::Ask,
        "another program of the name"
    );
}

#[test]
fn the_allow_rule_that_silences_something_is_named_with_what_it_silences() {
    let named = |argv: &[&str], text| {
        let allowed = with(Action::Allow, argv, text).allowed_by;
        let of = |it: &herma_rules::Allowed| (it.rule.clone(), it.silenced.join(" "));
        allowed.iter().map(of).collect::<Vec<_>>()
    };
    let own = |silenced: &str| vec![("team.rule".to_owned(), silenced.to_owned())];
    let reset = &["git", "reset", "--hard", "**"][..];
    assert_eq!(named(reset, "git reset --hard"), own("git.reset-hard"));
    assert_eq!(
        named(
            reset,
            "git reset --hard; git reset --hard HEAD~1; git clean -fd"
        ),
        own("git.reset-hard"),
        "once, and also when something else is found"
    );
    for (argv, text) in [
        (reset, "git status"),
        (reset, "sudo git reset --hard"),
        (&["ls", "**"], "ls -la"),
        (&["rm", "**"], "rm -rf /"),
    ] {
        assert_eq!(named(argv, text), [], "{text}");
    }
    let mut policy = Policy::manual();
    policy.rules.push(rule(Action::Allow, reset));
    policy.mode = Mode::Off;
    let verdict = world::check(&Guard::new(policy.clone()), "git reset --hard");
    assert_eq!(verdict.allowed_by, [], "the mode looks for nothing");
    policy.mode = Mode::Strict;
    policy.rules.push(rule(Action::Allow, &["mytool"]));
    let verdict = world::check(&Guard::new(policy), "mytool");
    assert_eq!(verdict.decision, Decision::Allow);
    assert_eq!(verdict.allowed_by.len(), 1);
}

#[test]
fn a_star_of_an_allow_rule_stands_for_no_option() {
    let decision = |text| with(Action::Allow, &["git", "branch", "-D", "*"], text).decision;
    assert_eq!(decision("git branch -D topic"), Decision::Allow);
    assert_eq!(decision("git branch topic -D"), Decision::Allow);
    assert_eq!(decision("git branch -D --remotes"), Decision::Ask);
    assert_eq!(decision("git branch -D -r"), Decision::Ask);
}

#[test]
fn an_allow_rule_never_lifts_a_floor() {
    let verdict = with(Action::Allow, &["rm", "**"], "rm -rf /");
    assert_eq!(verdict.floor, Some(Floor::Hardline));
    let verdict = with(Action::Allow, &["sudo", "**"], "sudo -S id");
    assert_eq!(verdict.floor, Some(Floor::SudoStdin));
}

#[test]
fn deny_comes_before_ask_and_ask_before_allow() {
    let mut policy = Policy::manual();
    policy
        .rules
        .push(rule(Action::Allow, &["git", "clean", "**"]));
    policy
        .rules
        .push(rule(Action::Ask, &["git", "clean", "-f*", "**"]));
    policy
        .rules
        .push(rule(Action::Deny, &["git", "clean", "-f*", "-x", "**"]));
    let guard = Guard::new(policy);
    let decision = |text| world::check(&guard, text).decision;
    assert_eq!(decision("git clean -d --force"), Decision::Allow);
    assert_eq!(decision("git clean -f"), Decision::Ask);
    assert_eq!(decision("git clean -fd -x"), Decision::Deny);
}

#[test]
fn a_rule_may_be_bound_to_a_directory() {
    let mut policy = Policy::manual();
    let mut bound = rule(Action::Deny, &["make", "**"]);
    bound.cwd = Some("/home/dev/work/**".to_owned());
    policy.rules.push(bound);
    let guard = Guard::new(policy);
    let decision = |text| world::check(&guard, text).decision;
    assert_eq!(decision("make"), Decision::Allow);
    assert_eq!(decision("cd ~/work && make"), Decision::Deny);
    assert_eq!(decision("cd ~/work/x && make"), Decision::Deny);
    assert_eq!(decision("make -C ~/work"), Decision::Allow);
}

#[test]
fn mode_off_keeps_floors_and_deny_rules_only() {
    assert_eq!(
        in_mode(Mode::Off, "git reset --hard").decision,
        Decision::Allow
    );
    assert_eq!(in_mode(Mode::Off, "echo 'open").decision, Decision::Allow);
    assert_eq!(in_mode(Mode::Off, "rm -rf /").floor, Some(Floor::Hardline));
    assert_eq!(
        in_mode(Mode::Off, "sudo -S id").floor,
        Some(Floor::SudoStdin)
    );
    let mut policy = Policy::manual();
    policy.mode = Mode::Off;
    policy.rules.push(rule(Action::Deny, &["make"]));
    policy.rules.push(rule(Action::Ask, &["ls"]));
    let guard = Guard::new(policy);
    assert_eq!(world::check(&guard, "make").floor, Some(Floor::UserDeny));
    assert_eq!(world::check(&guard, "ls").decision, Decision::Allow);
}

#[test]
fn mode_strict_asks_for_what_is_not_known() {
    let piped = "timeout 5 find . -name x | xargs wc -l";
    assert_eq!(in_mode(Mode::Strict, piped).decision, Decision::Allow);
    let carried = "timeout 5 mytool";
    assert_eq!(in_mode(Mode::Strict, carried).decision, Decision::Ask);
    assert_eq!(
        in_mode(Mode::Strict, "ls -la | grep x").decision,
        Decision::Allow
    );
    assert_eq!(
        in_mode(Mode::Strict, "git status && git log").decision,
        Decision::Allow
    );
    assert_eq!(in_mode(Mode::Strict, "mytool").decision, Decision::Ask);
    assert_eq!(in_mode(Mode::Strict, "./ls").decision, Decision::Ask);
    assert_eq!(
        in_mode(Mode::Strict, "echo x > ../y").decision,
        Decision::Ask
    );
}

#[test]
fn a_context_answers_an_ask_and_an_unknown_one_refuses() {
    let ask = "git reset --hard";
    for context in ["cli", "gateway", "ask"] {
        assert_eq!(
            in_context(Policy::manual(), context, ask),
            Decision::Ask,
            "{context}"
        );
    }
    for context in ["cron", "single-query", "unattended", "", "elsewhere"] {
        assert_eq!(
            in_context(Policy::manual(), context, ask),
            Decision::Deny,
            "{context}"
        );
        assert_eq!(
            in_context(Policy::manual(), context, "ls"),
            Decision::Allow,
            "{context}"
        );
    }
    let mut policy = Policy::manual();
    policy
        .contexts
        .push(("cron".to_owned(), ContextPolicy::Ask));
    assert_eq!(in_context(policy, "cron", ask), Decision::Ask);
}

#[test]
fn packs_and_rules_may_be_switched_off_but_no_floor() {
    let mut policy = Policy::manual();
    policy.disabled = vec![
        "git".to_owned(),
        "fs".to_owned(),
        "fs.delete-root".to_owned(),
    ];
    let guard = Guard::new(policy);
    assert_eq!(
        world::check(&guard, "git reset --hard").decision,
        Decision::Allow
    );
    assert_eq!(
        world::check(&guard, "rm -rf /").floor,
        Some(Floor::Hardline)
    );
}

#[test]
fn spans_point_into_the_given_text_through_folding() {
    let guard = Guard::new(Policy::manual());
    let text = "echo é; ｒｍ -rf ／";
    let verdict = world::check(&guard, text);
    let span = verdict.findings[0].span;
    assert_eq!(&text[span.start as usize..span.end as usize], "／");
}

#[test]
fn an_uncertain_program_of_a_floor_asks() {
    let guard = Guard::new(Policy::manual());
    for text in ["./rm -rf /", "/tmp/reboot", "Reboot", "RM -rf /"] {
        let verdict = world::check(&guard, text);
        assert_eq!(
            (verdict.decision, verdict.floor),
            (Decision::Ask, None),
            "{text}"
        );
        assert_eq!(verdict.findings[0].severity, Severity::High, "{text}");
    }
    let verdict = world::check(&guard, "./tool > /dev/sda");
    assert_eq!(
        verdict.floor,
        Some(Floor::Hardline),
        "a redirection needs no program"
    );
}

#[test]
fn another_machine_turns_a_floor_into_a_question_unless_a_mount_leads_back() {
    let guard = Guard::new(Policy::manual());
    for text in [
        "ssh h 'rm -rf /'",
        "docker exec c rm -rf /",
        "docker run -v /srv:/h i rm -rf /etc",
    ] {
        let verdict = world::check(&guard, text);
        assert_eq!(
            (verdict.decision, verdict.floor),
            (Decision::Ask, None),
            "{text}"
        );
    }
    for text in [
        "docker run -v /:/h i rm -rf /h/etc",
        "docker run -v /:/h i rm -rf /h/*",
    ] {
        assert_eq!(
            world::check(&guard, text).floor,
            Some(Floor::Hardline),
            "{text}"
        );
    }
}

#[test]
fn a_text_beyond_the_limit_is_said_to_be_too_long() {
    let guard = Guard::new(Policy::manual());
    let verdict = world::check(&guard, &format!("echo {}", "a".repeat(2 * 1024 * 1024)));
    assert_eq!(verdict.decision, Decision::Ask);
    assert_eq!(verdict.findings[0].rule, "shell.too-long");
}

/// One script at `/home/dev/proj/x.sh`.
struct Script(&'static str);

impl World for Script {
    fn read(&self, path: &[u8], _: usize) -> Read {
        if path == b"/home/dev/proj/x.sh" {
            Read::Content(self.0.as_bytes().to_vec())
        } else {
            Read::Missing
        }
    }

    fn list(&self, _: &[u8]) -> Listing {
        Listing::Missing
    }

    fn stat(&self, path: &[u8]) -> Option<FileKind> {
        (path == b"/home/dev/proj/x.sh").then_some(FileKind::File)
    }

    fn variable(&self, name: &[u8]) -> Option<Vec<u8>> {
        world::Corpus.variable(name)
    }

    fn home(&self, user: Option<&[u8]>) -> Option<Vec<u8>> {
        world::Corpus.home(user)
    }
}

#[test]
fn in_a_script_file_only_what_is_resolved_counts() {
    let guard = Guard::new(Policy::manual());
    let check = |script| {
        let request = Request::new(b"sh x.sh", b"/home/dev/proj");
        guard.check(&request, &Script(script))
    };
    for script in [
        "rm -rf \"$DESTDIR/usr/share/x\"",
        "rm -rf \"$X\"/*",
        "eval \"$(tool env)\"",
        "$CC -o x x.c",
        "git checkout -- \"$1\"",
        "rm -f \"$(cat list)\"",
    ] {
        assert_eq!(check(script).decision, Decision::Allow, "{script}");
    }
    assert_eq!(check("rm -rf /").floor, Some(Floor::Hardline));
    assert_eq!(check("echo x\nreboot").floor, Some(Floor::Hardline));
    assert_eq!(check("git reset --hard").decision, Decision::Ask);
}
