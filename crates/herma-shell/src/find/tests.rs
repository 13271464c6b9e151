use super::{Run, Term, Tests, roots, terms};
use crate::execution::Arg;
use crate::source::Span;
use crate::value::Value;

fn argv(text: &str) -> Vec<Arg> {
    text.split(' ')
        .map(|word| Arg {
            value: Value::computed(word),
            span: Span::default(),
        })
        .collect()
}

fn read(argv: &[Arg]) -> Vec<(usize, Term<'_>)> {
    terms(argv, roots(argv).end).collect()
}

#[test]
fn roots_stand_between_the_leading_options_and_the_expression() {
    for (text, range) in [
        ("find", 1..1),
        ("find /a /b", 1..3),
        ("find -H -L /a -name x", 3..4),
        ("find -D tree -O3 -- /a !", 5..6),
        ("find -D", 2..2),
        ("find - /a -name x", 1..3),
        ("find ( -name x )", 1..1),
    ] {
        assert_eq!(roots(&argv(text)), range, "{text}");
    }
}

#[test]
fn an_operand_that_looks_like_an_action_is_none() {
    for text in [
        "find . -path -delete",
        "find . -newermt -delete",
        "find . -name -delete",
        "find . -maxdepth -delete",
        "find . -fprint -delete",
        "find . -fprintf f -delete",
    ] {
        let argv = argv(text);
        let deletes = |(_, term)| term == Term::Delete;
        assert!(!read(&argv).into_iter().any(deletes), "{text}");
    }
}

#[test]
fn a_program_ends_at_a_semicolon_or_at_a_plus_behind_the_mark() {
    for (text, count, several) in [
        ("find . -exec rm {} ; -print", 2, false),
        ("find . -exec rm {} + -print", 2, true),
        ("find . -exec rm + {} ; -print", 3, false),
    ] {
        let argv = argv(text);
        let words = argv.get(3..3 + count).unwrap_or_default();
        let run = Run {
            action: "-exec",
            words,
            several,
        };
        let print = (argv.len() - 1, Term::Neutral);
        assert_eq!(read(&argv), [(2, Term::Run(run)), print], "{text}");
    }
    let open = argv("find . -ok rm {}");
    assert!(matches!(read(&open).as_slice(), [(2, Term::Run(run))] if run.words.len() == 2));
}

#[test]
fn names_are_spelled_when_every_alternative_has_one() {
    for (text, spelled) in [
        ("find . -name a", vec!["a"]),
        ("find . -name a -name b", vec!["b"]),
        ("find . -name a -o -name b", vec!["a", "b"]),
        ("find . -name a -o -type f", vec![]),
        ("find . ! -name a", vec![]),
        ("find . -name *", vec![]),
    ] {
        let argv = argv(text);
        let mut tests = Tests::default();
        for (_, term) in read(&argv) {
            tests.add(term);
        }
        let spelled: Vec<Value> = spelled.into_iter().map(Value::computed).collect();
        assert_eq!(tests.spelled(), spelled, "{text}");
        assert_eq!(tests.filtered, text != "find . -name *", "{text}");
    }
}
