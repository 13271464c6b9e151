use super::*;

#[test]
fn paths_are_unique_and_every_key_is_documented() {
    for keys in [KEYS, RULE_KEYS] {
        for (index, key) in keys.iter().enumerate() {
            assert!(!key.doc.is_empty(), "{}", key.path);
            let earlier = &keys[..index];
            assert!(
                earlier.iter().all(|other| other.path != key.path),
                "{}",
                key.path
            );
        }
    }
}

#[test]
fn defaults_have_the_shape_of_their_key() {
    for key in KEYS {
        let fits = match (key.shape, key.default) {
            (_, Default::Unset) | (Shape::Choice(_), Default::ByName) => true,
            (Shape::Choice(choices), Default::Text(text)) => choices.contains(&text),
            (Shape::Integer { min, max }, Default::Integer(number)) => {
                (min..=max).contains(&number)
            }
            (Shape::Boolean, Default::Boolean(_)) | (Shape::Texts, Default::Empty) => true,
            _ => false,
        };
        assert!(fits, "{}", key.path);
    }
}

#[test]
fn which_values_are_tighter_fits_the_shape() {
    for key in KEYS {
        let fits = match key.tighter {
            Tighter::None => true,
            Tighter::Later => matches!(key.shape, Shape::Choice(_)),
            Tighter::Lower | Tighter::Higher => matches!(key.shape, Shape::Integer { .. }),
            Tighter::True | Tighter::False => key.shape == Shape::Boolean,
            Tighter::Subset => key.shape == Shape::Texts,
            Tighter::Adds => {
                matches!(key.shape, Shape::Rules | Shape::Table | Shape::Tables)
            }
        };
        assert!(fits, "{}", key.path);
        // A project file may only set what can be compared.
        assert!(!key.project || key.tighter != Tighter::None, "{}", key.path);
    }
}

#[test]
fn a_star_stands_for_one_name() {
    let names = |path: &str| -> Vec<String> { path.split('.').map(str::to_owned).collect() };
    let key = find("hosts.*.ask").unwrap();
    assert!(key.matches(&names("hosts.codex.ask")));
    for other in [
        "hosts.codex",
        "hosts.codex.ask.x",
        "hosts.codex.mode",
        "ask",
    ] {
        assert!(!key.matches(&names(other)), "{other}");
    }
}
