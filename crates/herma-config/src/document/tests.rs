use std::path::Path;

use super::*;

fn parse(text: &str, rules_only: bool) -> Document {
    let source = Source::new(Path::new("f"), Layer::User, text);
    Document::parse(&source, rules_only)
}

fn fault(text: &str) -> ConfigError {
    let mut errors = parse(text, false).errors;
    assert_eq!(errors.len(), 1, "{errors:?}");
    errors.remove(0)
}

const RULE: &str = "[[rule]]\nid = \"team.no-push\"\naction = \"deny\"\n\
                    argv = [\"git\", \"push\", \"**\"]\ncwd = \"~/work/**\"\nwhy = \"later\"\n";

#[test]
fn a_rule_is_read_with_its_place() {
    let document = parse(RULE, false);
    assert!(document.errors.is_empty());
    let rule = &document.rules[0].rule;
    assert_eq!(
        (rule.id.as_str(), rule.action),
        ("team.no-push", Action::Deny)
    );
    assert_eq!(rule.argv, ["git", "push", "**"]);
    assert_eq!(rule.cwd.as_deref(), Some("~/work/**"));
    assert_eq!(rule.why.as_deref(), Some("later"));
    assert_eq!((rule.file.as_path(), rule.line), (Path::new("f"), 2));
}

#[test]
fn faults_of_rules_point_at_the_field() {
    let at = |from: &str, to: &str| {
        let error = fault(&RULE.replace(from, to));
        (error.line, error.what)
    };
    let rule = |fault| Kind::Rule(fault);
    let missing = |field| rule(RuleFault::Missing(field));
    assert_eq!(at("id = \"team.no-push\"\n", ""), (1, missing("id")));
    assert_eq!(at("action = \"deny\"\n", ""), (1, missing("action")));
    assert_eq!(
        at("argv = [\"git\", \"push\", \"**\"]\n", ""),
        (1, missing("argv"))
    );
    assert_eq!(
        at("team.no-push", "No"),
        (2, rule(RuleFault::Id("No".into())))
    );
    assert_eq!(
        at("[\"git\", \"push\", \"**\"]", "[]"),
        (4, rule(RuleFault::EmptyArgv))
    );
    assert_eq!(
        at("~/work/**", "work"),
        (5, rule(RuleFault::Cwd("work".into())))
    );
    let (line, what) = at("\"deny\"", "\"refuse\"");
    assert!(line == 3 && matches!(what, Kind::NotAChoice { .. }));
    let (line, what) = at("why =", "because =");
    assert_eq!((line, what), (6, Kind::UnknownKey("rule.because".into())));
    let allow = RULE.replace("deny", "allow").replace("\"git\"", "\"sh\"");
    let too_wide = rule(RuleFault::AllowTooWide("sh".into()));
    assert_eq!(fault(&allow).what, too_wide);
}

#[test]
fn a_misspelt_field_of_a_rule_is_suggested() {
    let error = fault(&RULE.replace("argv =", "args ="));
    assert_eq!(error.suggestion.as_deref(), Some("argv"));
}

#[test]
fn rule_files_hold_rules_only() {
    assert!(parse(RULE, true).errors.is_empty());
    let document = parse("mode = \"off\"", true);
    assert_eq!(document.errors[0].what, Kind::RulesOnly("mode".into()));
    assert!(document.settings.is_empty());
}

#[test]
fn columns_count_characters_and_the_excerpt_is_the_line() {
    let error = fault("# \u{e9}\nreviewer = { model = \"\u{e9}\u{e9}\", x = 1 }\r\n");
    assert_eq!((error.line, error.column), (2, 28));
    let excerpt = error.excerpt.unwrap();
    assert_eq!(
        excerpt.text,
        "reviewer = { model = \"\u{e9}\u{e9}\", x = 1 }"
    );
    assert_eq!((excerpt.start, excerpt.width), (27, 1));
}

#[test]
fn faults_never_carry_control_characters_into_a_line() {
    let error = fault("\"a\\u001b[2J\\n\" = 1");
    let line = error.to_string();
    assert!(!line.contains('\x1b') && !line.contains('\n'), "{line:?}");
}

#[test]
fn any_text_is_read_or_refused_without_a_panic() {
    let pieces = [
        "mode",
        "=",
        "\"off\"",
        "[",
        "]",
        "[[rule]]",
        "\n",
        ".",
        "{",
        "}",
        ",",
        "'",
        "\"\"\"",
        "\u{e9}",
        "\0",
        "contexts",
        "*",
        "1e999",
        "0x",
        "#",
        "rule",
        "id",
        "true",
        "1979-05-27",
        "\r",
        "\\u0000",
    ];
    let mut number = 1u64;
    for _ in 0..20_000 {
        let mut text = String::new();
        for _ in 0..12 {
            number = number
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            text.push_str(pieces[usize::try_from(number >> 33).unwrap() % pieces.len()]);
        }
        for error in parse(&text, false).errors {
            let excerpt = error.excerpt.clone().unwrap();
            assert!(
                error.line > 0 && error.column > 0 && excerpt.width > 0,
                "{text:?}"
            );
            assert!(!error.to_string().contains('\n'), "{text:?}");
        }
    }
}

#[test]
fn deep_nesting_is_refused_not_followed() {
    for open in ["[", "{a=", "a."] {
        let text = format!("mode = {}", open.repeat(100_000));
        assert!(!parse(&text, false).errors.is_empty());
        let text = format!("{} = 1", open.repeat(100_000));
        assert!(!parse(&text, false).errors.is_empty());
    }
}

#[test]
fn a_rule_is_about_commands_or_about_tools() {
    let tools = "[[rule]]\nid = \"me.notes\"\naction = \"deny\"\n\
                 tool = [\"Read\"]\npath = [\"~/notes/**\"]\n";
    let document = parse(tools, false);
    assert!(document.errors.is_empty(), "{:?}", document.errors);
    let rule = &document.rules[0].rule;
    assert_eq!((rule.tool.len(), rule.path.len()), (1, 1));
    assert!(rule.argv.is_empty());
    let at = |text: &str| {
        let error = fault(text);
        (error.line, error.what)
    };
    assert_eq!(
        at(&format!("{tools}argv = [\"cat\"]\n")),
        (4, Kind::Rule(RuleFault::ArgvAndTool))
    );
    assert_eq!(
        at(&tools.replace("tool = [\"Read\"]\n", "")),
        (4, Kind::Rule(RuleFault::PathWithoutTool))
    );
    assert_eq!(
        at(&tools.replace("~/", "")),
        (5, Kind::Rule(RuleFault::Path("notes/**".to_owned())))
    );
}
