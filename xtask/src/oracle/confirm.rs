//! Is what ran among what the analyser reported?

use herma_shell::{Analysis, Execution, FactKind, Origin, Piece, Status, Value};

use super::bash::Argv;

/// How one executed argv relates to the analysis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// An execution with this argv was reported.
    Resolved,
    /// None was, but the analysis says that something here cannot be known.
    SaidSo,
    /// None was, and the analysis claims to know everything.
    Missed,
}

/// Relates one executed argv to the analysis.
pub(crate) fn outcome(argv: &Argv, analysis: &Analysis) -> Outcome {
    if analysis
        .executions
        .iter()
        .any(|execution| reports(execution, argv))
    {
        Outcome::Resolved
    } else if says_so(analysis) {
        Outcome::SaidSo
    } else {
        Outcome::Missed
    }
}

/// Whether the analysis says that it may not know everything.
pub(crate) fn says_so(analysis: &Analysis) -> bool {
    analysis.status == Status::NotUnderstood
        || analysis.facts.iter().any(|fact| {
            matches!(
                fact.kind,
                FactKind::CommandUnresolved
                    | FactKind::CodeUnresolved
                    | FactKind::CodeDecoded
                    | FactKind::CodeFetched
                    | FactKind::CodeForeign
                    | FactKind::ScriptUnresolved
            )
        })
        || analysis.executions.iter().any(names_by_pattern)
}

/// A program that is named by a pattern, which may match a script.
fn names_by_pattern(execution: &Execution) -> bool {
    execution
        .argv
        .first()
        .is_some_and(|program| program.value.has_glob())
}

fn reports(execution: &Execution, argv: &Argv) -> bool {
    // Bash doubles the byte that it marks quoted bytes with in substitutions among array elements.
    let argv: &Argv = &argv.iter().map(|word| marks_once(word)).collect();
    let Some((name, arguments)) = argv.split_first() else {
        return false;
    };
    let Some(program) = execution.argv.first() else {
        return false;
    };
    let named = match program.value.bytes() {
        Some(known) if !program.value.has_glob() => {
            known.rsplit(|byte| *byte == b'/').next() == Some(name.as_slice())
        }
        // A pattern or an unknown directory in front: the last component must fit.
        _ => {
            let mut path = b"/usr/bin/".to_vec();
            path.extend_from_slice(name);
            program.value.could_be(name) || program.value.could_be(&path)
        }
    };
    let values: Vec<&Value> = execution
        .argv
        .iter()
        .skip(1)
        .map(|arg| &arg.value)
        .collect();
    named && words_fit(&values, arguments)
}

/// Whether these values could expand to exactly these words.
fn words_fit(values: &[&Value], words: &[Vec<u8>]) -> bool {
    let mut reachable = vec![false; words.len() + 1];
    reachable[0] = true;
    for value in values {
        let mut next = vec![false; words.len() + 1];
        for start in (0..=words.len()).filter(|start| reachable[*start]) {
            if may_vanish(value) {
                next[start] = true;
            }
            let most = if may_multiply(value) {
                words.len()
            } else {
                start + 1
            };
            for end in start + 1..=most.min(words.len()) {
                if stretch_fits(value, &words[start..end]) {
                    next[end] = true;
                }
            }
        }
        reachable = next;
    }
    reachable[words.len()]
}

fn may_multiply(value: &Value) -> bool {
    value.pieces.iter().any(|piece| match piece {
        Piece::Unknown(unknown) => unknown.many,
        Piece::Glob { .. } => true,
        Piece::Text { .. } | Piece::Unset(_) => false,
    })
}

/// No word at all: what expands to nothing, or a list of names that may be empty.
fn may_vanish(value: &Value) -> bool {
    let names = value
        .pieces
        .iter()
        .any(|piece| matches!(piece, Piece::Unknown(unknown) if unknown.origin == Origin::Names));
    names
        || !value.pieces.is_empty()
            && value.pieces.iter().all(|piece| match piece {
                Piece::Unknown(unknown) => unknown.many,
                Piece::Unset(_) | Piece::Glob { .. } => true,
                Piece::Text { .. } => false,
            })
}

fn stretch_fits(value: &Value, words: &[Vec<u8>]) -> bool {
    match words {
        [] => false,
        [word] => {
            value.could_be(word)
                || is_root(value, word)
                || value
                    .bytes()
                    .is_some_and(|own| numbered_alike(&own) == numbered_alike(word))
        }
        [first, .., last] => {
            (first.starts_with(&leading_text(value)) || is_root(value, first))
                && last.ends_with(&trailing_text(value))
        }
    }
}

/// A search names its root too, unless a test holds it back, which its words alone do not say.
fn is_root(value: &Value, word: &[u8]) -> bool {
    let found = value
        .pieces
        .iter()
        .any(|piece| matches!(piece, Piece::Unknown(unknown) if unknown.origin == Origin::Names));
    let root = leading_text(value);
    let root = root.strip_suffix(b"/").unwrap_or(&root);
    found && [root, &trailing_text(value)].concat() == word
}

fn marks_once(word: &[u8]) -> Vec<u8> {
    let mut once = word.to_vec();
    once.dedup_by(|byte, before| *byte == 1 && *before == 1);
    once
}

/// The word with one number for every file behind a process substitution: which one is the
/// shell's choice.
fn numbered_alike(word: &[u8]) -> Vec<u8> {
    let name = b"/dev/fd/";
    let mut alike = Vec::with_capacity(word.len());
    let mut rest = word;
    while let Some(at) = rest.windows(name.len()).position(|text| text == name) {
        let (before, behind) = rest.split_at(at + name.len());
        alike.extend_from_slice(before);
        let digits = behind.iter().take_while(|byte| byte.is_ascii_digit());
        rest = behind.get(digits.count()..).unwrap_or_default();
    }
    alike.extend_from_slice(rest);
    alike
}

fn leading_text(value: &Value) -> Vec<u8> {
    let mut text = Vec::new();
    for piece in &value.pieces {
        match piece {
            Piece::Text { bytes, .. } => text.extend_from_slice(bytes),
            Piece::Unset(_) => {}
            Piece::Glob { .. } | Piece::Unknown(_) => break,
        }
    }
    text
}

fn trailing_text(value: &Value) -> Vec<u8> {
    let from = value
        .pieces
        .iter()
        .rposition(|piece| matches!(piece, Piece::Glob { .. } | Piece::Unknown(_)))
        .map_or(0, |index| index + 1);
    let tail = Value {
        pieces: value.pieces.get(from..).unwrap_or_default().to_vec(),
        decoded: false,
    };
    leading_text(&tail)
}

#[cfg(test)]
mod tests {
    use herma_shell::{Origin, Value};

    use super::words_fit;

    fn words(list: &[&str]) -> Vec<Vec<u8>> {
        list.iter().map(|word| word.as_bytes().to_vec()).collect()
    }

    #[test]
    fn known_words_must_be_the_same() {
        let one = Value::computed("a");
        assert!(words_fit(&[&one], &words(&["a"])));
        assert!(!words_fit(&[&one], &words(&["b"])));
        assert!(!words_fit(&[&one], &words(&["a", "a"])));
        assert!(!words_fit(&[&one], &words(&[])));
    }

    #[test]
    fn one_unknown_word_is_one_word() {
        let unknown = Value::unknown(Origin::Other);
        assert!(words_fit(&[&unknown], &words(&["x"])));
        assert!(!words_fit(&[&unknown], &words(&["x", "y"])));
    }

    #[test]
    fn unknown_words_are_none_or_several_and_keep_their_edges() {
        let mut value = Value::computed("pre");
        value.append(&Value::unknown_words(Origin::Other));
        assert!(words_fit(&[&value], &words(&["pre1", "2"])));
        assert!(!words_fit(&[&value], &words(&["1", "2"])));
        let free = Value::unknown_words(Origin::Other);
        let last = Value::computed("z");
        assert!(words_fit(&[&free, &last], &words(&["z"])));
        assert!(words_fit(&[&free, &last], &words(&["a", "b", "z"])));
        assert!(!words_fit(&[&free, &last], &words(&["a", "b"])));
    }
}
