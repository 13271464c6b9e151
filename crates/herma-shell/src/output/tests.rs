use std::collections::HashMap;

use super::*;
use crate::source::Span;
use crate::value::Piece;
use crate::world::FileKind;

struct Known(HashMap<Vec<u8>, Value>);

impl Files for Known {
    fn kind(&self, _: &Value) -> Option<FileKind> {
        None
    }

    fn absolute(&self, path: &Value) -> Option<Vec<u8>> {
        let path = path.bytes()?;
        let mut parts: Vec<&[u8]> = Vec::new();
        for part in path.strip_prefix(b"/")?.split(|byte| *byte == b'/') {
            match part {
                b"." => {}
                b".." => drop(parts.pop()),
                name => parts.push(name),
            }
        }
        Some([b"/".as_slice(), &parts.join(&b'/')].concat())
    }

    fn descriptor(&self, path: &Value) -> Option<u32> {
        crate::descriptors::descriptor_of(&path.bytes()?)
    }

    fn content(&mut self, path: &Value) -> Option<Value> {
        self.0.get(&*path.bytes()?).cloned()
    }
}

fn argv(words: &[&str]) -> Vec<Arg> {
    let mut at = 0;
    words
        .iter()
        .map(|word| {
            let end = at + u32::try_from(word.len()).unwrap();
            let arg = Arg {
                value: Value::written(word.as_bytes(), at),
                span: Span::new(at, end),
            };
            at = end + 1;
            arg
        })
        .collect()
}

fn run(words: &[&str], stdin: Option<Value>, dialect: Dialect) -> Value {
    let mut files = Known(HashMap::new());
    files
        .0
        .insert(b"f".to_vec(), Value::written(b"one\ntwo\n", 500));
    output(&argv(words), stdin.as_ref(), &mut files, dialect)
}

fn bash(words: &[&str]) -> Value {
    run(words, None, Dialect::Bash)
}

fn text(value: &Value) -> String {
    String::from_utf8_lossy(&value.bytes().expect("known")).into_owned()
}

fn prints(words: &[&str]) -> String {
    text(&bash(words))
}

fn piped(input: &str, words: &[&str]) -> Value {
    run(
        words,
        Some(Value::written(input.as_bytes(), 100)),
        Dialect::Bash,
    )
}

fn fetched() -> Value {
    Value::unknown_words(Origin::Fetched)
}

#[test]
fn echo_joins_words_and_keeps_where_they_were_written() {
    let value = bash(&["echo", "rm", "-rf"]);
    assert_eq!(text(&value), "rm -rf\n");
    assert!(matches!(&value.pieces[0], Piece::Text { at: Some(5), .. }));
    assert!(matches!(&value.pieces[2], Piece::Text { at: Some(8), .. }));
}

#[test]
fn echo_takes_only_bundles_of_its_letters_as_options() {
    assert_eq!(prints(&["echo", "-nE", "a"]), "a");
    assert_eq!(prints(&["echo", "-nx", "a"]), "-nx a\n");
    assert_eq!(prints(&["echo", "--", "a"]), "-- a\n");
    assert_eq!(prints(&["echo", "-e", r"a\tb\c", "rest"]), "a\tb");
    assert_eq!(prints(&["echo", r"a\tb"]), "a\\tb\n");
    assert_eq!(prints(&["echo", "-"]), "-\n");
    assert_eq!(prints(&["echo"]), "\n");
}

#[test]
fn echo_of_dash_reads_escapes_always_and_knows_only_n() {
    assert_eq!(
        text(&run(&["echo", r"a\nb"], None, Dialect::Posix)),
        "a\nb\n"
    );
    assert_eq!(
        text(&run(&["echo", "-e", "a"], None, Dialect::Posix)),
        "-e a\n"
    );
    assert_eq!(text(&run(&["echo", "-n", "a"], None, Dialect::Posix)), "a");
    assert_eq!(
        text(&run(&["/bin/echo", "-e", r"\x41"], None, Dialect::Posix)),
        "A\n"
    );
}

#[test]
fn escapes_by_number_count_as_decoded_and_plain_ones_do_not() {
    assert!(bash(&["printf", r"\151\144\n"]).decoded);
    assert!(bash(&["printf", "%b", r"\0151"]).decoded);
    assert!(bash(&["printf", r"\x72m"]).decoded);
    assert!(bash(&["echo", "-e", r"\u0072m"]).decoded);
    assert!(!bash(&["printf", r"reboot\n\t\\"]).decoded);
    assert!(!bash(&["printf", "%s", r"\x72"]).decoded);
    assert_eq!(prints(&["printf", r"\x72\155\u002f"]), "rm/");
}

#[test]
fn printf_reuses_its_format_and_pads() {
    assert_eq!(prints(&["printf", "%s-", "a", "b"]), "a-b-");
    assert_eq!(prints(&["printf", "%s %s;", "a", "b", "c"]), "a b;c ;");
    assert_eq!(
        prints(&["printf", "[%5s|%-4s|%.1s]", "ab", "cd", "xyz"]),
        "[   ab|cd  |x]"
    );
    assert_eq!(prints(&["printf", "%*d", "4", "7"]), "   7");
    assert_eq!(
        prints(&["printf", "%03d %x %X %o %u", "7", "255", "255", "8", "3"]),
        "007 ff FF 10 3"
    );
    assert_eq!(
        prints(&["printf", "%d %d %d", "0x10", "010", "'A"]),
        "16 8 65"
    );
    assert_eq!(prints(&["printf", "%c%c%%", "rest", "mine"]), "rm%");
    assert_eq!(
        prints(&["printf", "%.2f %e", "1.5", "150"]),
        "1.50 1.500000e+02"
    );
    assert_eq!(prints(&["printf", "%q", "a b"]), "a\\ b");
    assert_eq!(prints(&["printf", "%-5d|", "-3"]), "-3   |");
    assert_eq!(prints(&["printf", "%05d", "-3"]), "-0003");
    assert_eq!(prints(&["printf", "--", "x"]), "x");
    assert_eq!(prints(&["printf", "-v", "x", "text"]), "");
    assert_eq!(prints(&["printf", "none", "a", "b"]), "none");
    for (format, text) in [("%", ""), ("a%5", "a"), ("%s%", "A"), ("a%!b", "a")] {
        assert_eq!(prints(&["printf", format, "A", "B"]), text, "{format}");
    }
}

#[test]
fn printf_keeps_unknown_arguments() {
    let mut words = argv(&["printf", "rm %s", "x"]);
    words[2].value = fetched();
    let value = output(&words, None, &mut Known(HashMap::new()), Dialect::Bash);
    assert_eq!(value.known_prefix(), b"rm ");
    assert!(value.is_fetched());
}

#[test]
fn input_passes_through_and_keeps_its_place() {
    for words in [
        &["cat"][..],
        &["cat", "-"],
        &["tee", "x"],
        &["head"],
        &["tail", "-n", "+1"],
    ] {
        let value = piped("a\nb\n", words);
        assert_eq!(text(&value), "a\nb\n", "{words:?}");
        assert_eq!(value.first_written(), Some(100), "{words:?}");
    }
    assert_eq!(prints(&["cat", "f"]), "one\ntwo\n");
    assert_eq!(prints(&["cat", "f", "f"]), "one\ntwo\none\ntwo\n");
}

#[test]
fn a_missing_file_is_unknown_by_its_name() {
    assert!(bash(&["cat", "nope"]).any_unknown(|origin| *origin == Origin::File(b"nope".to_vec())));
    assert!(!bash(&["cat"]).is_known());
}

#[test]
fn lines_are_chosen() {
    let shows = |words: &[&str]| text(&piped("c\nb\na\nb\n", words));
    assert_eq!(shows(&["head", "-1"]), "c\n");
    assert_eq!(shows(&["head", "-n1"]), "c\n");
    assert_eq!(shows(&["head", "-n", "-3"]), "c\n");
    assert_eq!(shows(&["head", "-c", "3"]), "c\nb");
    assert_eq!(shows(&["tail", "-n", "+3"]), "a\nb\n");
    assert_eq!(shows(&["tail", "-1"]), "b\n");
    assert_eq!(shows(&["tail", "-c2"]), "b\n");
    assert_eq!(shows(&["tac"]), "b\na\nb\nc\n");
    assert_eq!(shows(&["sort"]), "a\nb\nb\nc\n");
    assert_eq!(shows(&["sort", "-ru"]), "c\nb\na\n");
    assert_eq!(shows(&["grep", "b"]), "b\nb\n");
    assert_eq!(shows(&["grep", "-v", "b"]), "c\na\n");
    assert_eq!(shows(&["sed", "-n", "2p"]), "b\n");
    assert_eq!(shows(&["sed", "2,$d"]), "c\n");
    assert_eq!(shows(&["sed", "/b/d"]), "c\na\n");
    assert_eq!(shows(&["paste", "-sd", ""]), "cbab\n");
    assert_eq!(text(&piped("a\na\nb", &["uniq"])), "a\nb\n");
}

#[test]
fn lines_are_edited() {
    let shows = |words: &[&str]| text(&piped("rX -rf X\n", words));
    assert_eq!(shows(&["sed", "s/X/m/"]), "rm -rf X\n");
    assert_eq!(shows(&["sed", "s|X|/|g"]), "r/ -rf /\n");
    assert_eq!(
        shows(&["sed", "-e", "s/^rX/rm/", "-e", "s/X$/&&/"]),
        "rm -rf XX\n"
    );
    assert_eq!(shows(&["cut", "-c1-2"]), "rX\n");
    assert_eq!(shows(&["cut", "-d", " ", "-f2,3"]), "-rf X\n");
    assert_eq!(shows(&["cut", "-d ", "-f1"]), "rX\n");
    assert_eq!(shows(&["awk", "{print $2}"]), "-rf\n");
    assert_eq!(shows(&["awk", "{print $NF, \"x\" $1}"]), "X xrX\n");
    assert_eq!(prints(&["awk", "BEGIN{print \"rm -rf /\"}"]), "rm -rf /\n");
    assert!(!piped("a\n", &["sed", "s/a.*b/c/"]).is_known());
    assert!(!piped("a\n", &["awk", "{system($1)}"]).is_known());
}

#[test]
fn decoders_decode_and_say_so() {
    for (input, words, expected) in [
        ("cm0gLXJmIC9zcnY=\n", &["base64", "-d"][..], "rm -rf /srv"),
        ("cm0gLXJmIC9zcnY=", &["base64", "--decode"], "rm -rf /srv"),
        ("cm0gLX!JmIC9zcnY=", &["base64", "-di"], "rm -rf /srv"),
        ("cm0gLXJmIC9zcnY=", &["base64", "-D"], "rm -rf /srv"),
        ("OJWSALLSMYQC6===", &["base32", "-d"], "rm -rf /"),
        (
            "cm0gLXJmIC8_",
            &["basenc", "--base64url", "-d"],
            "rm -rf /?",
        ),
        ("726d202d7266202f", &["xxd", "-r", "-p"], "rm -rf /"),
        ("726d202d7266202f", &["xxd", "-p", "-r"], "rm -rf /"),
        (
            "00000000: 726d 202d 7266 202f                      rm -rf /\n",
            &["xxd", "-r"],
            "rm -rf /",
        ),
        (
            "cm0gLXJmIC8=",
            &["openssl", "base64", "-d", "-A"],
            "rm -rf /",
        ),
        (
            "cm0gLXJmIC8=",
            &["openssl", "enc", "-d", "-base64"],
            "rm -rf /",
        ),
        ("/ fr- mr", &["rev"], "rm -rf /"),
        ("ez -es /", &["tr", "ezs", "rmf"], "rm -rf /"),
        ("eba", &["tr", "a-m", "n-z"], "ron"),
        ("AB", &["tr", "[:upper:]", "[:lower:]"], "ab"),
        ("r m", &["tr", "-d", " "], "rm"),
        ("aab", &["tr", "-s", "a"], "ab"),
        ("a1b2", &["tr", "-cd", "a-z"], "ab"),
        ("a:b", &["tr", ":", "\\n"], "a\nb"),
        ("reXoot", &["sed", "y/X/b/"], "reboot"),
    ] {
        let value = piped(input, words);
        let shown = value.bytes().expect("known");
        assert_eq!(String::from_utf8_lossy(&shown), expected, "{words:?}");
        assert!(value.decoded, "{words:?}");
        assert_eq!(value.first_written(), None, "{words:?}");
    }
}

#[test]
fn encoding_and_passing_on_do_not_count_as_decoding() {
    for (input, words, expected) in [
        ("rm -rf /", &["base64"][..], "cm0gLXJmIC8=\n"),
        ("rm -rf /", &["base64", "-w0"], "cm0gLXJmIC8="),
        ("rm", &["xxd", "-p"], "726d\n"),
        ("x", &["cat"], "x"),
        ("rX\n", &["sed", "s/X/m/"], "rm\n"),
    ] {
        let value = piped(input, words);
        assert_eq!(text(&value), expected);
        assert!(!value.decoded, "{words:?}");
    }
}

#[test]
fn gzip_is_read_with_a_bound() {
    // `printf 'rm -rf /' | gzip -n`
    let packed = [
        0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0x2b, 0xca, 0x55, 0xd0, 0x2d, 0x4a, 0x53, 0xd0, 7, 0,
        0x5c, 0x4c, 0xf2, 0xec, 8, 0, 0, 0,
    ];
    for words in [
        &["gunzip"][..],
        &["gzip", "-dc"],
        &["zcat"],
        &["gzip", "-cd", "-"],
    ] {
        let value = run(words, Some(Value::computed(packed)), Dialect::Bash);
        assert_eq!(text(&value), "rm -rf /", "{words:?}");
        assert!(value.decoded);
    }
    let damaged = run(
        &["gunzip"],
        Some(Value::computed(*b"no gzip")),
        Dialect::Bash,
    );
    assert!(!damaged.is_known() && damaged.decoded);
    assert!(bash(&["gunzip", "f.gz"]).pieces.is_empty());
}

#[test]
fn decoders_that_are_not_computed_are_unknown_and_decoded() {
    for words in [
        &["xz", "-dc"][..],
        &["bunzip2"],
        &["openssl", "enc", "-d", "-aes-256-cbc"],
        &["gpg", "-d"],
    ] {
        let value = piped("x", words);
        assert!(!value.is_known() && value.decoded, "{words:?}");
    }
}

#[test]
fn what_was_fetched_stays_fetched() {
    for words in [
        &["cat"][..],
        &["tee", "x"],
        &["head", "-5"],
        &["grep", "x"],
        &["sed", "s/a/b/"],
        &["sed", "s/a.*/b/"],
        &["tr", "-d", "\\r"],
        &["base64", "-d"],
        &["gunzip"],
        &["sort"],
        &["jq", "-r", ".x"],
        &["awk", "{print $1}"],
        &["anything"],
    ] {
        let value = run(words, Some(fetched()), Dialect::Bash);
        assert!(value.is_fetched(), "{words:?}");
    }
    assert!(run(&["base64", "-d"], Some(fetched()), Dialect::Bash).decoded);
}

#[test]
fn downloads_print_only_when_they_are_told_to() {
    for words in [
        &["curl", "http://h/i"][..],
        &["curl", "-fsSL", "http://h/i"],
        &["curl", "-o", "-", "http://h/i"],
        &["wget", "-qO-", "http://h/i"],
        &["wget", "-O", "-", "http://h/i"],
        &["http", "http://h/i"],
        &["fetch", "-o", "-", "http://h/i"],
    ] {
        assert!(bash(words).is_fetched(), "{words:?}");
    }
    for words in [
        &["curl", "-o", "f", "http://h/i"][..],
        &["curl", "-sO", "http://h/i"],
        &["wget", "http://h/i"],
        &["wget", "-O", "f", "http://h/i"],
    ] {
        assert!(bash(words).pieces.is_empty(), "{words:?}");
    }
}

#[test]
fn downloads_name_the_files_that_they_write() {
    let names = |words: &[&str]| -> Option<Vec<String>> {
        Some(downloads(&argv(words))?.iter().map(text).collect())
    };
    for (words, expected) in [
        (&["curl", "-o", "f", "http://h/i"][..], &["f"][..]),
        (&["curl", "-of", "http://h/i"], &["f"]),
        (&["curl", "-fsSLo", "f", "http://h/i"], &["f"]),
        (&["curl", "--output=f", "http://h/i"], &["f"]),
        (&["curl", "-sO", "http://h/p/i.sh?x=1"], &["i.sh"]),
        (
            &[
                "curl",
                "-X",
                "GET",
                "--remote-name-all",
                "http://h/a",
                "http://h/b",
            ],
            &["a", "b"],
        ),
        (&["curl", "http://h/i"], &[]),
        (&["wget", "http://h/i.sh"], &["i.sh"]),
        (&["wget", "http://h"], &["index.html"]),
        (&["wget", "-q", "http://h/i", "-O", "r"], &["r"]),
        (&["wget", "-P", "/tmp/d", "http://h/i"], &["/tmp/d/i"]),
        (&["wget", "-qO-", "http://h/i"], &[]),
        (&["aria2c", "-o", "f", "http://h/i"], &["f"]),
        (&["scp", "host:/srv/f", "f"], &["f", "f/f"]),
        (&["scp", "host:/srv/f", "."], &["f"]),
        (&["scp", "f", "host:"], &[]),
        (&["rsync", "-a", "host:x/y.sh", "d/"], &["d/y.sh"]),
        (&["iwr", "http://h/i", "-OutFile", "f"], &["f"]),
        (&["http", "--download", "http://h/i"], &["i"]),
    ] {
        assert_eq!(
            names(words),
            Some(expected.iter().map(ToString::to_string).collect()),
            "{words:?}"
        );
    }
    assert_eq!(names(&["cat", "f"]), None);
}

#[test]
fn names_and_paths_are_computed() {
    assert_eq!(prints(&["which", "python3"]), "/usr/bin/python3\n");
    assert_eq!(prints(&["command", "-v", "rm"]), "rm\n");
    assert_eq!(prints(&["type", "-p", "rm"]), "/usr/bin/rm\n");
    assert_eq!(prints(&["basename", "/a/b.sh", ".sh"]), "b\n");
    assert_eq!(prints(&["basename", "/"]), "/\n");
    assert_eq!(prints(&["basename", "-a", "x/a", "y/b/"]), "a\nb\n");
    assert_eq!(prints(&["dirname", "/a/b"]), "/a\n");
    assert_eq!(prints(&["dirname", "/a"]), "/\n");
    assert_eq!(prints(&["dirname", "a"]), ".\n");
    assert_eq!(prints(&["realpath", "/a/../b/./c"]), "/b/c\n");
    assert_eq!(prints(&["readlink", "-f", "/.."]), "/\n");
    assert_eq!(prints(&["seq", "3"]), "1\n2\n3\n");
    assert_eq!(prints(&["seq", "-s,", "2", "4"]), "2,3,4\n");
    assert_eq!(prints(&["seq", "3", "-1", "1"]), "3\n2\n1\n");
    assert!(bash(&["mktemp", "-d"]).any_unknown(|origin| *origin == Origin::Temporary));
    assert!(!bash(&["mktemp", "./x.XXXX"]).any_unknown(|origin| *origin == Origin::Temporary));
    assert!(bash(&["yes"]).known_prefix().starts_with(b"y\ny\n"));
    assert!(!bash(&["yes"]).is_known());
}

#[test]
fn nothing_is_printed_by_what_prints_nothing() {
    for words in [&["true"][..], &[":"], &["mkdir", "x"], &["touch", "x"]] {
        assert!(bash(words).pieces.is_empty(), "{words:?}");
    }
}

#[test]
fn unknown_programs_are_named() {
    assert!(
        bash(&["date", "+%F"]).any_unknown(|origin| *origin == Origin::Output(b"date".to_vec()))
    );
}

#[test]
fn outputs_are_bounded() {
    let value = bash(&["printf", "%9999999999d", "1"]);
    assert!(value.known_length() <= LIMIT && !value.is_known());
    let value = bash(&["seq", "99999999"]);
    assert!(value.known_length() <= LIMIT && !value.is_known());
    let long = "a".repeat(60_000);
    let script = format!("s/a/{}/g", "b".repeat(60_000));
    let value = piped(&long, &["sed", &script]);
    assert!(value.known_length() <= LIMIT);
    let value = piped(&long, &["tr", "[a*9999999]", "b"]);
    assert_eq!(value.known_length(), long.len());
}

/// A small generator, so that failures repeat.
fn random(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state
}

#[test]
fn random_words_never_panic() {
    let parts = [
        "-",
        "--",
        "-d",
        "-n",
        "-r",
        "-p",
        "-c",
        "-f1",
        "-o",
        "-O",
        "%",
        "%s",
        "%*.*d",
        "%-05x",
        "\\",
        "\\x",
        "\\0",
        "\\u12",
        "s/a/b/",
        "s/^/x/g",
        "y/a/b/",
        "1,2p",
        "$d",
        "{print $1}",
        "[:alpha:]",
        "[a*9]",
        "a-z",
        "http://h/",
        "host:f",
        "f",
        "",
        "=",
        "'",
        "\u{e9}",
        "1",
        "-1",
        "/",
        "..",
        "1-",
        ",",
        "99999999999999999999",
    ];
    let names = [
        "echo", "printf", "cat", "head", "tail", "cut", "sed", "awk", "tr", "rev", "base64",
        "base32", "basenc", "xxd", "openssl", "gzip", "seq", "yes", "basename", "dirname",
        "realpath", "mktemp", "jq", "curl", "wget", "scp", "rsync", "gh", "iwr", "grep", "sort",
        "paste", "dd", "aws", "http", "fetch",
    ];
    let mut state = 0x9e37_79b9_7f4a_7c15;
    let pick = |state: &mut u64, length: usize| {
        usize::try_from(random(state) % u64::try_from(length).unwrap()).unwrap()
    };
    for _ in 0..40_000 {
        let mut words = vec![names[pick(&mut state, names.len())].to_owned()];
        for _ in 0..pick(&mut state, 5) {
            let mut word = String::new();
            for _ in 0..=pick(&mut state, 3) {
                word.push_str(parts[pick(&mut state, parts.len())]);
            }
            words.push(word);
        }
        let mut words = argv(&words.iter().map(String::as_str).collect::<Vec<_>>());
        if random(&mut state).is_multiple_of(4) {
            let index = pick(&mut state, words.len());
            words[index]
                .value
                .append(&Value::unknown(Origin::Variable(b"X".to_vec())));
        }
        let mut stdin = Value::written(b"1f8b a=b\nc d\n\n/e", 7);
        if random(&mut state).is_multiple_of(2) {
            stdin.append(&fetched());
        }
        let mut files = Known(HashMap::new());
        for dialect in [Dialect::Bash, Dialect::Posix] {
            let value = output(&words, Some(&stdin), &mut files, dialect);
            assert!(value.known_length() <= LIMIT);
        }
        downloads(&words);
    }
}
