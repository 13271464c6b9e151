use std::path::Path;

use super::*;
use crate::error::{Kind, RuleFault};
use crate::layers::Layer;
use crate::source::Source;

/// Merges texts as files of these layers, named `system`, `user` and `project`.
fn merged(files: &[(Layer, &str)]) -> Result<Config, Vec<ConfigError>> {
    let mut merge = Merge::default();
    for (layer, text) in files {
        let file = Path::new(match layer {
            Layer::System => "system",
            Layer::User => "user",
            Layer::Project => "project",
        });
        merge.absorb(&Source::new(file, *layer, text), false);
    }
    Config::from_merge(merge)
}

fn user(text: &str) -> Result<Config, Vec<ConfigError>> {
    merged(&[(Layer::User, text)])
}

fn only_error(result: Result<Config, Vec<ConfigError>>) -> ConfigError {
    let errors = result.expect_err("the text is refused");
    assert_eq!(errors.len(), 1, "{errors:?}");
    errors.into_iter().next().unwrap()
}

#[test]
fn without_files_the_documented_defaults_hold() {
    let config = Config::defaults();
    assert_eq!(config.mode, Mode::Manual);
    assert_eq!(config.deadline_ms, 200);
    assert!(config.packs_disabled.is_empty());
    assert_eq!(config.retention.blocked_days, 30);
    assert_eq!(config.retention.audit_days, 90);
    assert_eq!(config.approval_timeout, 300);
    assert_eq!(config.reviewer.provider, None);
    assert!(!config.egress.enabled);
    assert!(config.egress.enforce);
    assert_eq!(config.egress.tunnel_port, 9090);
    assert_eq!(config.egress.credential_source, "env");
    assert!(!config.egress.allow_env_fallback);
    assert!(config.egress.auto_install);
    assert!(config.rules.is_empty());
    assert!(config.without_effect.is_empty());
}

#[test]
fn contexts_ask_only_where_a_person_is() {
    let config = Config::defaults();
    for asks in ["cli", "gateway", "ask"] {
        assert_eq!(config.context(asks), AskPolicy::Ask, "{asks}");
    }
    for denies in ["cron", "single-query", "unattended", "never-heard-of", ""] {
        assert_eq!(config.context(denies), AskPolicy::Deny, "{denies}");
    }
    let config = user("[contexts]\ncli = \"deny\"\nnightly = \"ask\"").unwrap();
    assert_eq!(config.context("cli"), AskPolicy::Deny);
    assert_eq!(config.context("nightly"), AskPolicy::Ask);
}

#[test]
fn every_key_of_the_user_takes_effect_or_is_listed_as_without() {
    let config = user(
        r#"
mode = "strict"
deadline_ms = 50
packs.disable = ["k8s"]
retention = { blocked_days = 1, audit_days = 2 }
approvals.timeout = 10
reviewer = { provider = "p", model = "m", policy = "f" }
hosts.codex.ask = "deny"
[egress]
enabled = true
enforce = false
tunnel_port = 2000
credential_source = "bitwarden"
allow_env_fallback = true
extra_allowed_hosts = ["example.com"]
auto_install = false
[secrets.bitwarden]
enabled = true
project_id = "x"
[profiles.mine]
network = false
[[provider]]
name = "x"
[[rule]]
id = "a"
action = "deny"
argv = ["git", "push", "**"]
"#,
    )
    .unwrap();
    assert_eq!(config.mode, Mode::Strict);
    assert_eq!(config.deadline_ms, 50);
    assert_eq!(config.packs_disabled, ["k8s"]);
    assert_eq!(
        (config.retention.blocked_days, config.retention.audit_days),
        (1, 2)
    );
    assert_eq!(config.approval_timeout, 10);
    assert_eq!(config.reviewer.model.as_deref(), Some("m"));
    assert_eq!(config.host("codex"), Some(AskPolicy::Deny));
    assert_eq!(config.host("gemini"), None);
    assert!(config.egress.enabled && !config.egress.enforce && !config.egress.auto_install);
    assert_eq!(config.egress.tunnel_port, 2000);
    assert_eq!(config.egress.extra_allowed_hosts, ["example.com"]);
    assert_eq!(config.bitwarden.values["project_id"], "x");
    assert_eq!(config.rules[0].id, "a");
    let without: Vec<&str> = config
        .without_effect
        .iter()
        .map(|use_| use_.key.as_str())
        .collect();
    assert!(!without.contains(&"profiles.mine"), "{without:?}");
    assert!(without.contains(&"provider"));
    assert!(without.contains(&"egress.tunnel_port"));
    assert!(!without.contains(&"mode"));
}

#[test]
fn an_unknown_key_names_its_place_and_the_key_that_was_meant() {
    let error = only_error(user("mode = \"manual\"\n\n[retention]\n  block_days = 3\n"));
    assert_eq!((error.line, error.column), (4, 3));
    assert_eq!(error.what, Kind::UnknownKey("retention.block_days".into()));
    assert_eq!(error.suggestion.as_deref(), Some("retention.blocked_days"));
    let excerpt = error.excerpt.clone().unwrap();
    assert_eq!(excerpt.text, "  block_days = 3");
    assert_eq!((excerpt.start, excerpt.width), (2, 10));
    assert_eq!(
        error.to_string(),
        "user:4:3: unknown key `retention.block_days`; did you mean `retention.blocked_days`?"
    );
}

#[test]
fn a_key_at_the_wrong_level_is_pointed_to_the_right_one() {
    let error = only_error(user("blocked_days = 3"));
    assert_eq!(error.suggestion.as_deref(), Some("retention.blocked_days"));
}

#[test]
fn wrong_types_words_and_numbers_are_refused() {
    let what = |text| only_error(user(text)).what;
    assert!(matches!(what("mode = 1"), Kind::WrongType { .. }));
    assert!(matches!(what("mode = \"of\""), Kind::NotAChoice { .. }));
    assert!(matches!(what("deadline_ms = 0"), Kind::OutOfRange { .. }));
    assert!(matches!(
        what("deadline_ms = 99999999999999999999"),
        Kind::OutOfRange { .. }
    ));
    assert!(matches!(what("deadline_ms = 1.5"), Kind::WrongType { .. }));
    assert!(matches!(what("retention = 3"), Kind::WrongType { .. }));
    assert!(matches!(
        what("packs.disable = [\"a\", 1]"),
        Kind::WrongType { .. }
    ));
    assert!(matches!(what("rule = 1"), Kind::WrongType { .. }));
    assert!(matches!(what("mode ="), Kind::Syntax(_)));
    assert!(matches!(
        what("mode = \"off\"\nmode = \"off\""),
        Kind::Syntax(_)
    ));
}

#[test]
fn a_misspelt_word_is_suggested() {
    let error = only_error(user("mode = \"strickt\""));
    assert_eq!(error.suggestion.as_deref(), Some("strict"));
}

#[test]
fn the_user_may_loosen_defaults_but_not_what_the_machine_wrote() {
    assert_eq!(user("mode = \"off\"").unwrap().mode, Mode::Off);
    let machine = "mode = \"manual\"\ndeadline_ms = 100\negress.enforce = true";
    let with = |text| merged(&[(Layer::System, machine), (Layer::User, text)]);
    assert_eq!(with("mode = \"strict\"").unwrap().mode, Mode::Strict);
    let error = only_error(with("mode = \"off\""));
    assert_eq!(
        error.to_string(),
        "user:1:8: `mode` is looser than system:1"
    );
    assert!(with("mode = \"smart\"").is_err());
    assert!(with("deadline_ms = 101").is_err());
    assert!(with("deadline_ms = 99").is_ok());
    assert!(with("egress.enforce = false").is_err());
}

#[test]
fn lists_of_exceptions_only_shrink_and_neutral_keys_stay() {
    let machine = "packs.disable = [\"a\", \"b\"]\nreviewer.model = \"m\"\n\
                   [retention]\naudit_days = 365\n";
    let with = |text| merged(&[(Layer::System, machine), (Layer::User, text)]);
    assert!(with("packs.disable = [\"b\"]").is_ok());
    assert!(with("packs.disable = [\"c\"]").is_err());
    assert!(with("reviewer.model = \"m\"").is_ok());
    assert!(with("reviewer.model = \"n\"").is_err());
    assert!(with("retention.audit_days = 90").is_err());
    assert!(with("retention.audit_days = 400").is_ok());
}

#[test]
fn files_with_profiles_are_handed_on_in_the_order_of_their_layers() {
    let config = merged(&[
        (Layer::System, "profiles.default.network = false"),
        (Layer::User, "mode = \"strict\""),
        (Layer::Project, "profiles.default.tasks = 9"),
    ])
    .unwrap();
    let layers: Vec<Layer> = config.profiles.iter().map(|file| file.layer).collect();
    assert_eq!(layers, [Layer::System, Layer::Project]);
    assert_eq!(config.profiles[1].text, "profiles.default.tasks = 9");
}

#[test]
fn a_project_only_tightens() {
    let project = |text| merged(&[(Layer::Project, text)]);
    let refused = |text| only_error(project(text)).what;
    for key in [
        "mode = \"strict\"",
        "packs.disable = []",
        "hosts.codex.ask = \"deny\"",
        "egress.enforce = true",
        "retention.audit_days = 900",
        "reviewer.model = \"m\"",
        "provider = [{}]",
        "approvals.timeout = 1",
        "secrets.bitwarden.enabled = true",
    ] {
        assert!(matches!(refused(key), Kind::NotInProject(_)), "{key}");
    }
    assert!(matches!(
        refused("contexts.cron = \"ask\""),
        Kind::Looser { than: None, .. }
    ));
    assert!(project("contexts.cli = \"deny\"").is_ok());
    assert!(matches!(refused("deadline_ms = 201"), Kind::Looser { .. }));
    assert_eq!(project("deadline_ms = 20").unwrap().deadline_ms, 20);
    assert_eq!(
        refused("[[rule]]\nid = \"x\"\naction = \"allow\"\nargv = [\"ls\"]"),
        Kind::Rule(RuleFault::AllowInProject)
    );
    let rules = project("[[rule]]\nid = \"x\"\naction = \"ask\"\nargv = [\"ls\"]").unwrap();
    assert_eq!(rules.rules[0].layer, Layer::Project);
}

#[test]
fn a_project_may_not_loosen_what_the_user_tightened() {
    let files = |project| {
        merged(&[
            (Layer::User, "contexts.cli = \"deny\"\ndeadline_ms = 50"),
            (Layer::Project, project),
        ])
    };
    assert!(files("contexts.cli = \"ask\"").is_err());
    assert!(files("deadline_ms = 51").is_err());
    assert!(files("deadline_ms = 49").is_ok());
}

#[test]
fn faults_of_several_files_are_reported_together_and_are_bounded() {
    let many: String = (0..1000).map(|n| format!("k{n} = 1\n")).collect();
    let errors = merged(&[(Layer::System, "x = 1"), (Layer::User, &many)]).unwrap_err();
    assert_eq!(errors[0].file, Path::new("system"));
    assert_eq!(errors.len(), 21);
}

fn rule(id: &str, more: &str) -> String {
    format!("[[rule]]\nid = \"{id}\"\naction = \"ask\"\nargv = [\"make\"]\n{more}\n")
}

#[test]
fn an_id_and_a_former_id_belong_to_one_rule() {
    let aliases = |of: &str| format!("aliases = [\"{of}\"]");
    let fine = rule("a", &aliases("b")) + &rule("c", "");
    assert_eq!(user(&fine).unwrap().rules[0].aliases, ["b"]);
    for text in [
        rule("a", &aliases("b")) + &rule("b", ""),
        rule("b", "") + &rule("a", &aliases("b")),
        rule("a", &aliases("b")) + &rule("c", &aliases("b")),
        rule("a", &aliases("a")),
    ] {
        let error = only_error(user(&text));
        assert!(
            matches!(error.what, Kind::Rule(RuleFault::IdTaken { .. })),
            "{error}"
        );
    }
    let error = only_error(user(&rule("a", &aliases("B"))));
    assert_eq!(error.what, Kind::Rule(RuleFault::Id("B".to_owned())));
}

#[test]
fn rules_and_their_patterns_are_bounded() {
    let many: String = (0..4096)
        .map(|number| rule(&format!("r{number}"), ""))
        .collect();
    assert_eq!(user(&many).unwrap().rules.len(), 4096);
    let error = only_error(user(&(many.clone() + &rule("x", "") + &rule("y", ""))));
    assert_eq!(error.what, Kind::Rule(RuleFault::TooManyRules));
    let long = "a".repeat(1025);
    for text in [
        rule("a", "").replace("make", &long),
        rule("a", "").replace("\"make\"", &vec!["\"x\""; 257].join(",")),
        rule("a", &format!("cwd = \"/{long}\"")),
    ] {
        assert_eq!(only_error(user(&text)).what, Kind::Rule(RuleFault::TooLong));
    }
    let examples = format!("passes = [{}]", vec!["\"x\""; 257].join(","));
    let error = only_error(user(&rule("a", &examples)));
    assert_eq!(error.what, Kind::Rule(RuleFault::TooManyExamples));
}

#[test]
fn examples_keep_their_place() {
    let text = rule("a", "blocks = [\"make\",\n  \"make x\"]\npasses = [\"ls\"]");
    let config = user(&text).unwrap();
    let rule = &config.rules[0];
    let texts: Vec<(&str, bool)> = rule
        .examples
        .iter()
        .map(|example| (example.text.as_str(), example.blocks))
        .collect();
    assert_eq!(texts, [("make", true), ("make x", true), ("ls", false)]);
    let error = rule.fault(&text, &rule.examples[1], "why".to_owned());
    assert_eq!(error.to_string(), "user:6:3: why");
}
