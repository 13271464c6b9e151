//! Where bash finds commands that a reader would not expect, and how much of a broken text is kept.

mod tree;

use herma_shell::Source;
use herma_shell::syntax::{Dialect, parse};

fn offsets(text: &str) -> Vec<usize> {
    text.match_indices("zz9").map(|(at, _)| at).collect()
}

fn named(text: &str, dialect: Dialect) -> (Vec<usize>, bool) {
    let parsed = parse(&Source::original(text.as_bytes().to_vec()), dialect);
    let named = tree::walk(&parsed.list, b"zz9").named;
    let named = named.into_iter().map(|at| at as usize).collect();
    (named, parsed.errors.is_empty())
}

#[test]
fn every_zz9_of_these_texts_is_a_command() {
    for text in [
        // The dash closes the descriptor; what follows it is the next word.
        ">&-zz9",
        "{fd}>&-zz9 a; zz9",
        "<& -zz9",
        // What sticks to an array literal belongs to the assignment.
        "a=(b)c zz9",
        // The brace closes the substitution whatever follows it.
        "echo \"${ zz9; }\"",
        "echo ${| zz9; }x",
        // Pattern lists are off unless switched on.
        "f@() { zz9; }",
        "!(zz9)",
        // A here-document that its substitution leaves open begins behind the line's end.
        "echo $(cat <<E); zz9\nx\nE\nzz9",
        // In a substitution the closing parenthesis may stand behind the delimiter.
        "echo $(cat <<E\nx\nE)\nzz9",
        // Single quotes hide nothing in expressions and subscripts.
        "echo $(('$(zz9)'))",
        "a['$(zz9)']=1",
        "echo \"${x:-'$(zz9)'}\"",
        "cat <<E\n${x:-'$(zz9)'}\nE",
        // What is no expression is a subshell.
        "((zz9); (zz9))",
        "echo $((zz9) ; (zz9) )",
        // A subscript without an assignment is part of the word.
        "a[$(zz9)] b",
        // Behind `}` and the like, reserved words need no separator.
        "if { zz9; } then zz9; fi",
        "while (zz9) do zz9; done",
        // The delimiter is what it is without quotes; tabs go before the comparison.
        "cat <<-\"E\"'F'\nzz\n\tEF\nzz9",
        "cat <<E\n\\\\\nE\nzz9",
        // Lines are joined before the comparison with the delimiter.
        "cat <<E\n\\\nE\nzz9",
        "coproc zz9; coproc N { zz9; }",
        "time -p -- zz9",
        "! ! zz9",
        "zz\\\n9; z\\\nz9",
    ] {
        let expected: Vec<usize> = if text.contains("zz\\\n") {
            vec![0, 7]
        } else {
            offsets(text)
        };
        assert_eq!(named(text, Dialect::Bash), (expected, true), "{text:?}");
    }
}

#[test]
fn no_zz9_of_these_texts_is_a_command() {
    for text in [
        "cat <<E\nzz9",
        "cat <<$(zz9)\n$(zz9)\n",
        "cat <<'E'\n`zz9` $(zz9)\nE",
        "echo \"${x#'$(zz9)'}\"",
        "echo $'`zz9`' '$(zz9)' \\`zz9\\`",
        "a=( zz9\n zz9 )",
        "[[ zz9 == zz9 && ( zz9 || zz9 ) ]]",
        "case zz9 in zz9|zz9) ;; (zz9) esac",
        "echo @(zz9|zz9)",
        "coproc a zz9",
        "a | time zz9",
        "echo a #zz9\n#zz9",
        "> zz9 < zz9",
    ] {
        assert_eq!(named(text, Dialect::Bash), (vec![], true), "{text:?}");
    }
}

#[test]
fn broken_texts_keep_what_was_read_and_go_on_behind_the_line() {
    for text in [
        "zz9; if zz9; then zz9",
        "while zz9; do zz9; { zz9",
        "case x in a) zz9",
        "f() { zz9; zz9",
        "echo $(zz9 <(zz9 `zz9`",
        "echo \"$(zz9)",
        "a=( $(zz9) ",
        "x=$(zz9) zz9 'a",
        "zz9 && ) a\nzz9",
        "[[ $(zz9) == ",
        "echo ${x:-$(zz9)",
        "echo $((1 + $(zz9)",
        "zz9 | (zz9",
    ] {
        assert_eq!(
            named(text, Dialect::Bash),
            (offsets(text), false),
            "{text:?}"
        );
    }
}

#[test]
fn posix_sh_has_a_smaller_grammar() {
    for (text, expected) in [
        // `&>` is a background command and a redirection.
        ("zz9 &>f", vec![0]),
        ("zz9 &>f zz9", vec![0, 8]),
        ("((zz9))", vec![2]),
        ("time zz9", vec![]),
        ("[[ a ]] && zz9", vec![11]),
        ("function zz9", vec![]),
        ("f() zz9", vec![4]),
        ("echo \"${x:-it's}\"; zz9", vec![19]),
        ("zz9 $'a'", vec![0]),
    ] {
        assert_eq!(named(text, Dialect::Posix), (expected, true), "{text:?}");
    }
    for text in ["a=(b)", "cat <(zz9)", "cat <<<b", "function f { zz9; }"] {
        assert!(!named(text, Dialect::Posix).1, "{text:?}");
    }
}
