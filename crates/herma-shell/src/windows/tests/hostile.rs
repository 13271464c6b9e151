//! Texts that want to hurt the reader.

use std::time::{Duration, Instant};

use super::analysis;
use crate::syntax::{Dialect, parse};
use crate::{Source, Status};

#[test]
fn deep_nesting_is_not_understood_and_ends_soon() {
    for open in [
        "$(",
        "(",
        "@(",
        "{",
        "@{",
        "if (1) {",
        "\"$(",
        "[",
        "& {",
        "^(",
        "for %i in (",
    ] {
        let text = open.repeat(10_000);
        for dialect in [Dialect::PowerShell, Dialect::Cmd] {
            let start = Instant::now();
            let found = analysis(&text, dialect);
            assert!(start.elapsed() < Duration::from_secs(20), "{open}");
            if dialect == Dialect::PowerShell && open != "^(" && open != "for %i in (" {
                assert_eq!(found.status, Status::NotUnderstood, "{open}");
            }
        }
    }
}

#[test]
fn long_texts_take_time_by_their_length() {
    let unit = [
        "a ",
        "'",
        "\"",
        "`",
        "$x",
        ",",
        "|",
        ";a\n",
        "@'\n",
        "<#",
        "-f ",
        "+'a'",
        "$x.y",
        "[0]",
        "^",
        "%x%",
        "&",
        "\"$x\"",
        "{0}",
        "(",
        ")",
        "a,b ",
        "%%",
        "% ",
        "%a b",
        "!a!",
        "set a=%a%%a%\n",
        "goto a\n:a\n",
        "if ",
        "else ",
        "rem ^\n",
        "call ",
        "for /f %i in (",
        "^\r\n",
        "\r",
        "1>",
        "@{a=1;",
        "!",
        "> ",
        "\n",
    ];
    for unit in unit {
        let text = unit.repeat((128 << 10) / unit.len());
        for dialect in [Dialect::PowerShell, Dialect::Cmd] {
            let start = Instant::now();
            let _ = parse(&Source::original(text.clone().into_bytes()), dialect);
            assert!(
                start.elapsed() < Duration::from_secs(10),
                "{unit:?} for {dialect:?} took {:?}",
                start.elapsed()
            );
        }
    }
}

#[test]
fn text_that_is_copied_does_not_grow_without_bound() {
    let mut text = "'a'".to_owned();
    for _ in 0..60 {
        text = format!("('{{0}}{{0}}' -f {text})");
    }
    analysis(&text, Dialect::PowerShell);
    let mut text = "'a'".to_owned();
    for _ in 0..60 {
        text = format!("('x','y','z' -join {text})");
    }
    analysis(&text, Dialect::PowerShell);
}
