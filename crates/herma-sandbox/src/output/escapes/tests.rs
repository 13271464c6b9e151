use proptest::prelude::*;

use super::*;

fn shown(bytes: &[u8]) -> String {
    let mut out = Vec::new();
    let mut filter = Escapes::new();
    filter.push(bytes, &mut out);
    filter.finish();
    out.escape_ascii().to_string()
}

fn same(bytes: &[u8]) {
    assert_eq!(shown(bytes), bytes.escape_ascii().to_string());
}

#[test]
fn text_colours_movement_and_the_alternate_screen_stay() {
    for text in [
        "plain\ttext\r\n\x07\x08",
        "ünïcödé 漢字 😀 e\u{301}",
        "\x1b[1;38;2;1;2;3mred\x1b[0m",
        "\x1b[38:5:1m",
        "\x1b[2J\x1b[H\x1b[10;5H\x1b[K\x1b[3A",
        "\x1b[?1049h\x1b[?25l\x1b[?2004h\x1b[?1006;1000h\x1b[?1049l",
        "\x1b7\x1b8\x1bM\x1b=\x1b>\x1bc",
        "\x1b(B\x1b)0\x0e\x0f",
        "\x1b[2 q\x1b[!p",
        "\x1b[>1u\x1b[<u\x1b[>4;2m",
        "\x1b[5;20r\x1b[s\x1b[u",
        "\x1b[4h\x1b[4l",
        "\x1b[100b\x1b#8",
    ] {
        same(text.as_bytes());
    }
}

#[test]
fn strings_are_taken_out_whole() {
    for text in [
        "\x1b]52;c;aDU=\x07",
        "\x1b]0;title\x1b\\",
        "\x1b]8;;https://x\x1b\\",
        "\x1bP+q544e\x1b\\",
        "\x1bP$qm\x1b\\",
        "\x1b_Ga=q;AAAA\x1b\\",
        "\x1b^x\x1b\\",
        "\x1bXx\x1b\\",
        "\x1b]52;c;x\u{9c}",
        "\u{9d}52;c;x\x07",
        "\u{90}x\u{9c}",
        "\u{9f}x\x1b\\",
        "\x1b]2;x\x18",
        "\x1b]1337;File=:AA\nBB\x07",
        "\x1bkname\x1b\\",
    ] {
        let got = shown(&[b"a", text.as_bytes(), b"b"].concat());
        assert!(
            got == "ab" || text.starts_with("\x1bk") && got == "anameb",
            "{text:?}: {got}"
        );
    }
    for bytes in [
        &b"\x9d52;c;x\x07"[..],
        b"\x90x\x9c",
        b"\x9fx\x9c",
        b"\x98x\x9c",
        b"\x9ex\x9c",
        b"\x9b6n",
        b"\x9b31m",
    ] {
        assert_eq!(
            shown(&[b"a", bytes, b"b"].concat()),
            "ab",
            "{}",
            bytes.escape_ascii()
        );
    }
}

#[test]
fn a_title_of_any_characters_is_taken_out_whole() {
    // Their bytes hold 0x9c, which alone would end the string.
    for text in ["\x1b]0;✳ name\x07", "\x1b]0;✜🜜\x1b\\", "\x1bP✜\x1b\\"] {
        assert_eq!(
            shown(&[b"a", text.as_bytes(), b"b"].concat()),
            "ab",
            "{text:?}"
        );
    }
}

#[test]
fn what_the_terminal_would_answer_is_taken_out() {
    for text in [
        "\x1b[5n",
        "\x1b[6n",
        "\x1b[?6n",
        "\x1b[c",
        "\x1b[0c",
        "\x1b[>c",
        "\x1b[=c",
        "\x1b[>q",
        "\x1b[21t",
        "\x1b[20t",
        "\x1b[14t",
        "\x1b[18t",
        "\x1b[x",
        "\x1b[?1$p",
        "\x1b[1$w",
        "\x1b[1;1;1;1;1;1*y",
        "\x1b[?u",
        "\x1b[?1;1;0S",
        "\x1bZ",
        "\x05",
        "\x1b['|",
        "\x1b[i",
        "\x1b[5i",
        "\x1b[?4m",
        "\x1b[?996n",
    ] {
        assert_eq!(
            shown(&[b"a", text.as_bytes(), b"b"].concat()),
            "ab",
            "{text:?}"
        );
    }
}

#[test]
fn what_is_not_known_is_taken_out() {
    for text in [
        "\x1b[?9999h",
        "\x1b[?25;9999h",
        "\x1b[?h",
        "\x1b[99h",
        "\x1b[1;2\"q",
        "\x1b[8;1;1t",
        "\x1b%G",
        "\x1b F",
        "\x1b(~",
        "\x1b[1?m",
        "\x1b[y",
        "\x1b[p",
    ] {
        assert_eq!(
            shown(&[b"a", text.as_bytes(), b"b"].concat()),
            "ab",
            "{text:?}"
        );
    }
}

#[test]
fn a_sequence_in_a_sequence_begins_anew() {
    assert_eq!(shown(b"\x1b[3\x1b[1m"), "\\x1b[1m");
    assert_eq!(shown(b"\x1b]0;\x1b[1mx"), "\\x1b[1mx");
    assert_eq!(shown(b"\x1b\x1b]52;c;x\x07y"), "y");
    assert_eq!(shown(b"\x1b[6\nn"), "\\nn");
    assert_eq!(shown(b"\x1b]52;c;\x1b]52;c;x\x07y"), "y");
}

#[test]
fn torn_characters_become_visible_and_hide_no_control() {
    assert_eq!(shown(b"\xe2\x82a"), "\\xef\\xbf\\xbda");
    assert_eq!(
        shown(b"\xc0\xafx\xff"),
        "\\xef\\xbf\\xbd\\xef\\xbf\\xbdx\\xef\\xbf\\xbd"
    );
    assert_eq!(shown(b"\xe2\x1b]52;c;x\x07y"), "\\xef\\xbf\\xbdy");
    // Overlong forms of a control are none for whoever decodes strictly, and are not passed on.
    assert_eq!(shown(b"\xe0\x82\x9b6n"), "\\xef\\xbf\\xbd6n");
    assert_eq!(shown(b"\xed\xa0\x80"), "\\xef\\xbf\\xbd");
    assert_eq!(shown(b"a\xe2\x82"), "a");
}

#[test]
fn an_endless_string_hides_a_bounded_part_of_the_output() {
    let mut bytes = b"\x1b]0;".to_vec();
    bytes.resize(bytes.len() + 2 * MAX_STRING, b'x');
    bytes.extend_from_slice(b"end");
    assert!(shown(&bytes).ends_with("end"));
    let long = [b"\x1b[".as_slice(), &[b'1'; 500], b"mx"].concat();
    assert_eq!(shown(&long), "x");
}

/// Bytes of which sequences are made more often than of others.
fn bytes() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        4 => any::<u8>().prop_map(|it| vec![it]),
        4 => prop::sample::select(vec![
            &b"\x1b"[..], b"\x1b[", b"\x1b]", b"\x1bP", b"\x1b_", b"\x1b\\", b"\x07", b"\x9b", b"\xc2", b"\xc2\x9b", b"\xc2\x9d", b"\x9c", b"52;c;x", b"?25h", b"6n", b"1;31m",
            b"\xe2\x82", b"\xac", b"\x18", b"text", b"$", b">", b"?", b"\xf0\x9f\x98\x80",
        ]).prop_map(<[u8]>::to_vec),
    ];
    prop::collection::vec(piece, 0..60).prop_map(|it| it.concat())
}

/// What a terminal would find in what is shown: a strict reader of its own.
fn dangers(shown: &[u8]) -> Option<String> {
    let text = String::from_utf8(shown.to_vec())
        .map_err(|_| "no text")
        .ok();
    let Some(text) = text else {
        return Some("not UTF-8".into());
    };
    let letters: Vec<char> = text.chars().collect();
    let mut at = 0;
    while at < letters.len() {
        let letter = letters[at];
        if ('\u{80}'..='\u{9f}').contains(&letter) || letter == '\x05' {
            return Some(format!("control {letter:?}"));
        }
        if letter != '\x1b' {
            at += 1;
            continue;
        }
        match letters.get(at + 1) {
            None => return Some("open escape".into()),
            Some(']' | 'P' | '_' | '^' | 'X' | 'Z') => return Some("string".into()),
            Some('[') => {
                let Some(end) = letters[at + 2..]
                    .iter()
                    .position(|it| ('@'..='~').contains(it))
                else {
                    return Some("open sequence".into());
                };
                let last = letters[at + 2 + end];
                let inner: String = letters[at + 2..at + 2 + end].iter().collect();
                if matches!(last, 'n' | 'c' | 't' | 'x' | 'i' | 'w' | 'y' | '|')
                    || inner.contains('$')
                    || inner == "?" && last == 'u'
                {
                    return Some(format!("sequence {inner}{last}"));
                }
                if !inner.chars().all(|it| (' '..='?').contains(&it)) {
                    return Some("control in a sequence".into());
                }
                at += 3 + end;
            }
            Some(_) => at += 2,
        }
    }
    None
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn portions_change_nothing(bytes in bytes(), cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..20)) {
        let mut whole = Vec::new();
        Escapes::new().push(&bytes, &mut whole);
        let mut cuts: Vec<usize> = cuts.iter().map(|it| it.index(bytes.len() + 1)).collect();
        cuts.sort_unstable();
        let (mut parts, mut filter, mut from) = (Vec::new(), Escapes::new(), 0);
        for cut in cuts {
            filter.push(&bytes[from..cut], &mut parts);
            from = cut;
        }
        filter.push(&bytes[from..], &mut parts);
        prop_assert_eq!(&parts, &whole);
        let (mut single, mut filter) = (Vec::new(), Escapes::new());
        for byte in &bytes {
            filter.push(&[*byte], &mut single);
        }
        prop_assert_eq!(single, whole);
    }

    #[test]
    fn nothing_dangerous_is_shown(bytes in bytes()) {
        let mut out = Vec::new();
        Escapes::new().push(&bytes, &mut out);
        prop_assert_eq!(dangers(&out), None);
    }

    #[test]
    fn what_is_shown_stays_when_it_is_filtered_again(bytes in bytes()) {
        let (mut once, mut twice) = (Vec::new(), Vec::new());
        Escapes::new().push(&bytes, &mut once);
        Escapes::new().push(&once, &mut twice);
        prop_assert_eq!(once, twice);
    }

    #[test]
    fn text_is_never_changed(text in "[^\u{0}-\u{1f}\u{7f}-\u{9f}]{0,80}") {
        let mut out = Vec::new();
        Escapes::new().push(text.as_bytes(), &mut out);
        prop_assert_eq!(out, text.as_bytes());
    }
}
