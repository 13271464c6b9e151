//! What holds for any text.

use super::*;

const PIECES: &[&str] = &[
    "PASSWORD=",
    "token: ",
    "\"api_key\":",
    "--password ",
    "-p",
    "mysql ",
    "curl -u ",
    "echo ",
    " | sudo -S ",
    "Authorization: Bearer ",
    "Cookie: ",
    "https://",
    "@",
    ":",
    "=",
    "'",
    "\"",
    "\\\"",
    "\\",
    " ",
    "\n",
    ";",
    "&",
    "$",
    "${",
    "$(",
    "`",
    "<<<",
    "<",
    ">",
    "[",
    "]",
    "[REDACTED:",
    "password]",
    "a",
    "1",
    "Z",
    "-",
    "_",
    ".",
    "/",
    "eyJhbGciOiJIUzI1NiJ9.",
    "eyJzdWIiOiIxMjM0In0.",
    "-----BEGIN PRIVATE KEY-----",
    "-----END ",
    "AKIAQWERTYUIOPASDFGH",
    "wJalrXUtnFEMIzK7MDENGobPxRfiCYabcdef1234",
    "sk-ant-",
    "ghp_",
    "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8",
    "%3D",
    "\u{e9}",
    "xxx",
    "sudo ",
    "docker login ",
];

#[test]
fn any_mixture_is_redacted_once_for_all_in_order_and_without_overlap() {
    let mut numbers = Numbers(7);
    for round in 0..12_000 {
        let mut text = Vec::new();
        for _ in 0..numbers.below(14) {
            text.extend_from_slice(PIECES[numbers.below(PIECES.len())].as_bytes());
            if numbers.below(20) == 0 {
                text.push(u8::try_from(numbers.below(256)).unwrap());
            }
        }
        let shown = String::from_utf8_lossy(&text).into_owned();
        let spans = find(&text);
        let mut end = 0;
        for span in &spans {
            assert!(
                span.start >= end && span.start < span.end && span.end <= text.len(),
                "{round} {shown} {spans:?}"
            );
            end = span.end;
        }
        let once = redact(&text).into_owned();
        assert_eq!(redact(&once), once, "{round} {shown}");
    }
}

#[test]
fn a_secret_that_is_found_is_not_in_the_output() {
    let mut numbers = Numbers(11);
    for _ in 0..6_000 {
        let secret = format!("Zq7{}x{}", numbers.below(1 << 30), numbers.below(1 << 30));
        let mut text = String::new();
        for index in 0..8 {
            if index == 4 {
                text.push_str(
                    ["PASSWORD=", "--token ", "\"api_key\": \"", "https://u:"][numbers.below(4)],
                );
                text.push_str(&secret);
                text.push('@');
            } else {
                text.push_str(PIECES[numbers.below(PIECES.len())]);
            }
        }
        let found = find(text.as_bytes());
        let at = text.find(&secret).unwrap();
        if found
            .iter()
            .any(|span| span.start <= at && span.end >= at + secret.len())
        {
            assert!(!shown(&text).contains(&secret), "{text}");
        }
    }
}

/// Quadratic work on a text of this length takes minutes.
#[test]
fn long_texts_of_any_repeated_piece_end_soon() {
    use std::time::{Duration, Instant};
    let units = [
        "token=",
        "token=$(",
        "token=\"$(",
        "sig=",
        "authorization:",
        "cookie:",
        "token='",
        "token=/",
        "password=\"a",
        "echo a|sudo\t",
        "echo a | sudo -S ",
        "://",
        "://a:",
        "-----BEGIN PRIVATE KEY-----a",
        "bearer ",
        "token:",
        "token: $",
        "--token ",
        "a",
        "\\",
    ];
    for unit in units.iter().chain(PIECES) {
        let text = unit.repeat(128 * 1024 / unit.len());
        let started = Instant::now();
        std::hint::black_box(redact(text.as_bytes()));
        assert!(started.elapsed() < Duration::from_secs(5), "{unit:?}");
    }
}

#[test]
fn places_move_with_what_is_replaced() {
    let token = ["ghp", "_", "16C7e42F292c6912E7710c838347Ae178B4a"].concat();
    let text = format!("echo {token}; rm x; echo {token}; reboot");
    let clean = String::from_utf8(redact(text.as_bytes()).into_owned()).expect("UTF-8");
    for (part, marked) in [
        ("rm x", "rm x"),
        ("reboot", "reboot"),
        ("echo", "echo"),
        // Places that begin or end in a secret.
        (
            "42F292c6912E7710c838347Ae178B4a; rm",
            "[REDACTED:github-token]; rm",
        ),
        ("echo ghp_16C7", "echo ghp_[REDACTED:github-token]"),
        ("E7710", "[REDACTED:github-token]"),
        (token.as_str(), "ghp_[REDACTED:github-token]"),
    ] {
        let at = text.find(part).expect("there");
        let mut places = [at..at + part.len(), text.len()..text.len()];
        let shown = redact_with(text.as_bytes(), &mut places);
        assert_eq!(&*shown, clean.as_bytes());
        assert_eq!(clean.get(places[0].clone()), Some(marked), "{part}");
        assert_eq!(places[1], clean.len()..clean.len());
    }
}
