use super::*;

const ALL: [Language; 7] = [
    Language::Python,
    Language::JavaScript,
    Language::Perl,
    Language::Ruby,
    Language::Php,
    Language::Awk,
    Language::Lua,
];

fn random(state: &mut u64) -> usize {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    usize::try_from(*state >> 33).unwrap()
}

#[test]
fn random_bytes_never_panic() {
    let mut state = 0x2545_f491_4f6c_dd1d;
    for round in 0..600 {
        let length = random(&mut state) % 200;
        let bytes: Vec<u8> = (0..length)
            .map(|_| {
                let byte = random(&mut state);
                if round % 2 == 0 {
                    u8::try_from(byte % 256).unwrap()
                } else {
                    u8::try_from(32 + byte % 95).unwrap()
                }
            })
            .collect();
        let mut text = Value::written(&bytes, 3);
        text.append(&Value::unknown(Origin::Fetched));
        text.push_text(&bytes, None);
        for language in ALL {
            actions(language, &text, Span::new(0, 5), b"", None);
        }
    }
}

#[test]
fn random_splices_never_panic() {
    let parts = [
        "import os",
        "from os import *",
        "os.system(",
        "'x'",
        "\"",
        "'''",
        "f'{",
        "}",
        "`",
        "${",
        "#{",
        "<<E\n",
        "<<~'E'",
        "E\n",
        "qw(",
        "q{",
        "%w[",
        "%x(",
        "s/a/b/",
        "tr{a}{b}",
        "/",
        "[",
        "]",
        "(",
        ")",
        "{",
        "=>",
        "->",
        "::",
        ".",
        "..",
        "...",
        "=",
        "+=",
        "for x in ",
        "foreach (",
        " as $x)",
        "require('fs').",
        "const {a:b} = ",
        "import {x as y} from ",
        "rmSync",
        "unlink ",
        "open(F,",
        "$x",
        "@y",
        "$ENV{HOME}",
        "?",
        ":",
        "if",
        "else",
        "\n",
        ";",
        ",",
        "|",
        "print ",
        "getline",
        "[[",
        "]]",
        "--[[",
        "<?php",
        "?>",
        "=pod\n",
        "\\",
        "\u{e9}",
        "0x7f",
        "1..2",
        "*",
        "**",
        "|x|",
        ".each",
        "do",
        "%s",
        "{}",
        ".format(",
        ".join(",
        "[::-1]",
        "-",
        "<",
        ">",
    ];
    let mut state = 0x9e37_79b9_7f4a_7c15;
    for _ in 0..6000 {
        let mut code = String::new();
        for _ in 0..random(&mut state) % 24 {
            code.push_str(parts[random(&mut state) % parts.len()]);
        }
        for language in ALL {
            does(language, &code);
        }
    }
}

#[test]
fn long_and_deep_repetitions_neither_panic_nor_exhaust_the_stack() {
    const LENGTH: usize = 4 * 1024;
    for unit in [
        "(",
        "[",
        "{",
        "((",
        "f(",
        "os.system(",
        "system ",
        "exec 'a',",
        "a+",
        "a.b",
        "x=x+x\n",
        "x='aaaaaaaaaaaaaaaa'\n",
        "x+=x\n",
        "f'{",
        "`${",
        "\"#{",
        "\"@{",
        "'a' ",
        "a?b:",
        "<<E\n",
        "<<E;",
        "q{",
        "/",
        "'",
        "\"",
        "unlink ",
        "[x,",
        "{a:",
        "-",
        "!",
        "open(F,",
        "rm_rf ",
        "$x{",
        "\\",
        "for x in ",
        "print | ",
        "getline<",
        "import a,",
        "const {",
        "[[",
        "--[[",
        "os.system('a');",
        "a or ",
        "x = ['a']+x\n",
        "<*",
        "'%s' % ",
        "%w[a ",
        "system(\"a\" ",
        "|x|",
        "{{",
        "<",
        "?>",
        "<?",
    ] {
        let code = unit.repeat(LENGTH / unit.len());
        for language in ALL {
            assert!(does(language, &code).len() <= LENGTH);
        }
    }
}

#[test]
fn what_nests_too_deep_is_unknown_code() {
    let code = "f'{".repeat(40) + "os.system('reboot')";
    assert_eq!(does(Language::Python, &code), ["code: <?>"]);
}
