//! What holds for every text, whatever its bytes.

mod texts;
mod tree;

use herma_shell::Source;
use herma_shell::syntax::{Dialect, parse};
use proptest::prelude::*;

/// Pieces that lead into every construct.
fn piece() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        prop::collection::vec(any::<u8>(), 1..4),
        prop::sample::select(vec![
            "$(",
            ")",
            "`",
            "\"",
            "'",
            "\\",
            "\n",
            "\\\n",
            "<<E",
            "\nE\n",
            "<<-'E'",
            "<(",
            ">&",
            "{fd}>",
            "${",
            "}",
            "${x:-",
            "${x//",
            "${x:",
            "${!x",
            "$((",
            "))",
            "((",
            "$[",
            "]",
            "[[ ",
            " ]]",
            "=~ ",
            "a[",
            "]=",
            "a=(",
            "if ",
            "; then ",
            "; fi",
            "case x in ",
            ") ",
            ";; ",
            "esac",
            "for x in ",
            "; do ",
            "; done",
            "{ ",
            "; }",
            "f() ",
            "function f ",
            "coproc ",
            "! ",
            "time ",
            "&&",
            "||",
            "|",
            "|&",
            "&",
            "&>",
            ";",
            "#",
            "+(",
            "$'",
            "\\x41",
            "$\"",
            "zz9",
            " ",
            "\t",
            "\0",
            "\r",
            "\u{e9}",
            "~",
            "*",
            "1",
            "-",
            "for ((",
            "<<<",
            "\\$",
            "\\`",
        ])
        .prop_map(|piece| piece.as_bytes().to_vec()),
    ]
}

fn text() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(piece(), 0..40).prop_map(|pieces| pieces.concat())
}

fn dialect() -> impl Strategy<Value = Dialect> {
    prop_oneof![Just(Dialect::Bash), Just(Dialect::Posix)]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn spans_lie_within_the_text(text in text(), dialect in dialect()) {
        let parsed = parse(&Source::original(text.clone()), dialect);
        let length = u32::try_from(text.len()).expect("short");
        for span in tree::walk(&parsed.list, b"zz9").spans {
            prop_assert!(span.start <= span.end, "{span:?}");
            prop_assert!(span.end <= length, "{span:?} of {length}");
        }
        for error in &parsed.errors {
            prop_assert!(error.span.start <= error.span.end, "{error:?}");
            prop_assert!(error.span.end <= length, "{error:?} of {length}");
        }
    }

    #[test]
    fn literal_bytes_stand_in_the_text_where_the_tree_says(
        text in text(),
        dialect in dialect(),
    ) {
        let parsed = parse(&Source::original(text.clone()), dialect);
        for (at, bytes) in tree::walk(&parsed.list, b"zz9").texts {
            let at = at as usize;
            // Names in front of a subscript and delimiters are put together from pieces.
            let written = text.get(at..at + bytes.len());
            let pieced = text.get(at..).is_some_and(|rest| {
                let rest = &rest[..rest.len().min(4 * bytes.len() + 8)];
                [&b"\\\n"[..], b"<<", b"\0", b"'", b"\"", b"\\"]
                    .iter()
                    .any(|mark| rest.windows(mark.len()).any(|window| window == *mark))
            });
            // A here-document without its end gets the newline that is missing.
            let body = bytes.strip_suffix(b"\n");
            let ended = body.is_some_and(|body| text.get(at..at + body.len()) == Some(body));
            prop_assert!(
                written == Some(bytes.as_slice()) || ended || pieced,
                "{:?} at {at}",
                String::from_utf8_lossy(&bytes)
            );
        }
    }

    #[test]
    fn an_offset_of_the_source_moves_every_span(text in text()) {
        let plain = parse(&Source::original(text.clone()), Dialect::Bash);
        let mut moved = Source::builder();
        moved.push(&text, 1000);
        let moved = parse(&moved, Dialect::Bash);
        let seen = |list| {
            let seen = tree::walk(list, b"zz9");
            (seen.named, seen.shape)
        };
        let (named, shape) = seen(&plain.list);
        let (moved_named, moved_shape) = seen(&moved.list);
        prop_assert_eq!(shape, moved_shape);
        prop_assert_eq!(plain.errors.len(), moved.errors.len());
        let expected: Vec<u32> = named.iter().map(|at| at + 1000).collect();
        prop_assert_eq!(expected, moved_named);
    }
}

/// An error further on takes nothing away from the lines before it.
#[test]
fn complete_lines_are_kept_before_an_error() {
    for text in texts::all() {
        let before = parse(&Source::original(text.as_bytes().to_vec()), Dialect::Bash);
        if !before.errors.is_empty() || text.ends_with('\\') || text.contains("<<") {
            continue;
        }
        let count = tree::walk(&before.list, b"zz9").shape.len();
        let broken = format!("{text}\n) zz9\nzz9\n");
        let after = parse(&Source::original(broken.into_bytes()), Dialect::Bash);
        assert!(!after.errors.is_empty(), "{text:?}");
        let found = tree::walk(&after.list, b"zz9").shape.len();
        assert_eq!(found, count + 1, "{text:?}");
    }
}
