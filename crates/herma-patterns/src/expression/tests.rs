use proptest::prelude::*;

use super::{Expression, ExpressionError, compile};

fn of(source: &str) -> Expression {
    Expression::new(source).unwrap_or_else(|error| panic!("{source}: {error}"))
}

fn literals(source: &str) -> Vec<String> {
    let expression = of(source);
    let text = |literal: &Vec<u8>| String::from_utf8_lossy(literal).into_owned();
    expression.literals.iter().map(text).collect()
}

#[test]
fn every_match_holds_one_of_the_literals() {
    for (source, expected) in [
        ("prod", vec!["prod"]),
        ("(?i)PrOd", vec!["prod"]),
        (r"--context[= ]prod-\w+", vec!["--context"]),
        ("a.*deploy.*z", vec!["deploy"]),
        ("(live|prod)-db", vec!["live", "prod"]),
        ("(production|staging)", vec!["production", "staging"]),
        ("(abc)+x?", vec!["abc"]),
        ("x?y*(drop) table", vec!["drop table"]),
        (r"^\s*push$", vec!["push"]),
    ] {
        assert_eq!(literals(source), expected, "{source}");
    }
}

#[test]
fn what_every_text_may_match_is_refused() {
    for source in [
        "", ".*", "a", r"\d+", "a|prod", "(prod)?", "prod|.*", "[ab][cd]", "(?i)x.y", "x{0,9}",
    ] {
        assert_eq!(
            Expression::new(source).unwrap_err(),
            ExpressionError::NoLiteral,
            "{source}"
        );
    }
}

#[test]
fn faults_are_said_in_one_line() {
    for source in [
        "(",
        "a)",
        "[z-a]",
        r"\q",
        "a{2,1}",
        "*x",
        "(?P<n>a)(?P<n>b)",
        r"(a)\1",
    ] {
        let Err(ExpressionError::Syntax(why)) = Expression::new(source) else {
            panic!("{source} is taken");
        };
        assert!(!why.is_empty() && !why.contains('\n'), "{source}: {why}");
    }
}

#[test]
fn large_expressions_are_refused() {
    let error = |source: &str| Expression::new(source).unwrap_err();
    assert_eq!(error(&"a".repeat(1025)), ExpressionError::TooLong);
    assert_eq!(error("(?:abc){1000}{1000}"), ExpressionError::TooLarge);
    assert_eq!(error("ab(?:c{90}){90}"), ExpressionError::TooLarge);
    let deep = format!("{}ab{}", "(".repeat(100), ")".repeat(100));
    assert!(matches!(error(&deep), ExpressionError::Syntax(_)));
}

#[test]
fn nothing_is_compiled_before_a_literal_was_seen() {
    let expression = of("dep+loy-(?i)PROD");
    assert!(!expression.seen(b"git status"));
    assert_eq!(expression.matches(b"git status"), Some(false));
    assert!(expression.compiled.get().is_none());
    assert_eq!(expression.matches(b"make deploy-prod"), Some(true));
    assert!(expression.compiled.get().is_some());
    assert_eq!(expression.matches(b"make loy-PROD"), Some(false));
}

#[test]
fn bytes_that_are_no_text_are_matched_too() {
    assert_eq!(of("a.b-c").matches(b"x a\xffb-c"), Some(true));
    assert_eq!(of(r"a\xffb").matches(b"a\xffb"), Some(true));
}

#[test]
fn of_a_very_long_text_nothing_is_said() {
    let text = [b"ab".as_slice(), &vec![b'x'; 200_000]].concat();
    assert_eq!(of("ab").matches(&text), None);
    assert_eq!(of("cd").matches(&text), Some(false));
}

/// Expressions over three letters.
fn expression() -> impl Strategy<Value = String> {
    let leaf = prop::sample::select(vec![
        "a", "b", "ab", "bca", "[ab]", "[aA]", ".", "^", "$", r"\b",
    ]);
    leaf.prop_map(str::to_owned)
        .prop_recursive(4, 24, 4, |inner| {
            let several = prop::collection::vec(inner.clone(), 1..4);
            prop_oneof![
                several.clone().prop_map(|parts| parts.concat()),
                several.prop_map(|parts| format!("(?:{})", parts.join("|"))),
                (
                    inner.clone(),
                    prop::sample::select(vec!["?", "*", "+", "{2}", "{0,2}"])
                )
                    .prop_map(|(part, times)| format!("(?:{part}){times}")),
                inner.prop_map(|part| format!("(?i:{part})")),
            ]
        })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_match_is_lost_for_want_of_a_literal(source in expression(), text in "[abcABC]{0,12}") {
        if let Ok(expression) = Expression::new(&source) {
            let plain = compile(&source).expect("compiled");
            let found = plain.is_match(&mut plain.create_cache(), text.as_bytes());
            prop_assert_eq!(expression.matches(text.as_bytes()), Some(found));
        }
    }
}
