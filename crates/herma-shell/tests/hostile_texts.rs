//! Texts that want to exhaust the parser.

#![expect(clippy::print_stdout, reason = "the times of a run")]

mod tree;

use std::time::{Duration, Instant};

use herma_shell::syntax::{Dialect, Parsed, parse};
use herma_shell::{Source, Why};

/// Far above what a build without optimisation needs on a busy machine, far below what work of the
/// square of the length would take.
const LIMIT: Duration = Duration::from_secs(20);

fn timed(text: &str) -> Parsed {
    let source = Source::original(text.as_bytes().to_vec());
    let start = Instant::now();
    let parsed = parse(&source, Dialect::Bash);
    let elapsed = start.elapsed();
    println!(
        "{elapsed:>12.2?} {:>8} bytes, {} errors, {:?}…",
        text.len(),
        parsed.errors.len(),
        text.chars().take(12).collect::<String>()
    );
    assert!(elapsed < LIMIT, "{elapsed:?} for {} bytes", text.len());
    parsed
}

fn whys(parsed: &Parsed) -> Vec<Why> {
    parsed.errors.iter().map(|error| error.why).collect()
}

#[test]
fn nesting_beyond_the_limit_is_refused_as_too_deep() {
    for opening in [
        "$(",
        "<(",
        "{ ",
        "( ",
        "if ",
        "while ",
        "case x in x) ",
        "${x:-",
        "\"${x:-\"$(",
        "$((1+",
        "f() { ",
        "function f { ",
        "for ((;;)) { ",
        "echo @(",
        "a[$(",
        "x=($(",
        "[[ $(",
        "until ",
        "coproc { ",
        "! { ",
        "time { ",
        "for x in $(",
        "case $(",
    ] {
        let parsed = timed(&opening.repeat(10_000));
        assert!(
            whys(&parsed)
                .iter()
                .any(|why| matches!(why, Why::Depth | Why::Fuel)),
            "{opening:?}: {:?}",
            parsed.errors.first()
        );
    }
}

#[test]
fn nesting_within_the_limit_is_understood() {
    let text = format!("{}zz9{}", "echo $(".repeat(150), ")".repeat(150));
    let parsed = timed(&text);
    assert!(parsed.errors.is_empty());
    assert_eq!(tree::walk(&parsed.list, b"zz9").named.len(), 1);
}

#[test]
fn a_hundred_kilobytes_of_one_byte_or_token_end_in_time() {
    for token in [
        "<",
        ">",
        "(",
        ")",
        "{",
        "}",
        "[",
        "]",
        "$",
        "`",
        "\"",
        "'",
        "\\",
        "\n",
        ";",
        "&",
        "|",
        "#",
        "=",
        "!",
        "a",
        "((",
        "$((",
        "$((a) ",
        "((a) ",
        "$[",
        "${",
        "<<E ",
        "<<E$(",
        "<<`",
        "[[ ",
        "]] ",
        "a[",
        "a=(",
        "$'",
        "$\"",
        "\\\n",
        "\\\n\n",
        "a;",
        "a|",
        "a&&",
        "a <<E\n",
        "E\n",
        "if a;then ",
        "case a in ",
        "a)b;;",
        "esac ",
        "for a ",
        "do ",
        "+(",
        "+(a|",
        "*(",
        "a() ",
        "coproc ",
        "time ",
        "! ",
        "${a/",
        "${a:",
        "${a[",
        "$(a`",
        "`$(",
        "`\\`",
        "\"`",
        "\"${a:-\"",
        "1>",
        "{a}>",
        "0",
        "\u{a0}",
        "'\"`",
        "$(<<E\n",
        "$(<<E)",
        "((1)|$((",
        "\0",
        "$\\\n",
        "<\\\n",
        "a\\\n",
        "[[ a =~ (",
        "[[ ( ",
        "x=~",
        "case x in (",
        "<(",
        "=(",
        "$(#",
        "#\n",
        "a #b\n",
        "$(( $( ",
    ] {
        timed(&token.repeat(100_000 / token.len()));
    }
}

#[test]
fn two_thousand_here_documents_on_a_line_are_all_read() {
    let mut text = String::from("cat");
    for index in 0..2000 {
        text.push_str(&format!(" <<E{index}"));
    }
    text.push('\n');
    for index in 0..2000 {
        text.push_str(&format!("x $(zz9)\nE{index}\n"));
    }
    text.push_str("zz9\n");
    let parsed = timed(&text);
    assert!(parsed.errors.is_empty());
    assert_eq!(tree::walk(&parsed.list, b"zz9").named.len(), 2001);
}

#[test]
fn a_megabyte_of_here_document_is_read() {
    let line = "it's \"$x\" and $(zz9)\n";
    let text = format!("cat <<E\n{}E\nzz9\n", line.repeat(1_000_000 / line.len()));
    let parsed = timed(&text);
    assert!(parsed.errors.is_empty());
    assert!(tree::walk(&parsed.list, b"zz9").named.len() > 40_000);
}

#[test]
fn here_documents_within_here_documents_end_in_time() {
    let mut text = String::new();
    for index in 0..1000 {
        text.push_str(&format!("cat <<E{index}\n$("));
    }
    timed(&text);
    for index in (0..1000).rev() {
        text.push_str(&format!(")\nE{index}\n"));
    }
    timed(&text);
}

#[test]
fn nested_backticks_end_in_time() {
    let mut text = String::from("zz9");
    for _ in 0..14 {
        text = format!("`{}`", text.replace('\\', "\\\\").replace('`', "\\`"));
    }
    let parsed = timed(&text);
    assert!(parsed.errors.is_empty());
    assert_eq!(tree::walk(&parsed.list, b"zz9").named.len(), 1);
    timed(&"`$(".repeat(30_000));
    timed(&"$(`".repeat(30_000));
}

#[test]
fn many_failed_first_readings_end_in_time() {
    timed(&format!("{}{}", "((a ".repeat(150), ") ".repeat(300)));
    timed(&format!("{}{}", "$((a ".repeat(150), ") ".repeat(300)));
    timed(&format!("{}{}", "$((a $(".repeat(90), ") ".repeat(300)).repeat(20));
    timed(&"$((a);(b))\n".repeat(10_000));
    timed(&"echo +(a\n".repeat(10_000));
    timed(&"((a);(b))\n".repeat(10_000));
    timed(&format!("echo {}", "a+(".repeat(150)).repeat(100));
}

#[test]
fn long_lines_of_ordinary_commands_end_in_time() {
    timed(&"echo word 'quoted' \"$x\" > out; ".repeat(4_000));
    timed(&format!("echo {}", "word ".repeat(50_000)));
    timed(&format!("echo {}", "w".repeat(1_000_000)));
    timed(&format!("echo '{}'", "w".repeat(1_000_000)));
    timed(&format!("echo $'{}'", "\\n".repeat(500_000)));
    timed(&"a=$(b) ".repeat(20_000));
    timed(&"f() { a; }\n".repeat(10_000));
}

#[test]
fn texts_for_zsh_take_time_by_their_length() {
    let units = [
        "(",
        ")",
        "{ ",
        "} ",
        "$a[",
        "$a[1]",
        "${(e)a",
        "${(",
        "$=a",
        "$#",
        "=(",
        "=a ",
        "*(",
        "*(.)",
        "() { ",
        "f() ",
        "a b () { ",
        "function a ",
        "repeat 2 ",
        "for a (",
        "for a (b) ",
        ">!",
        "> a ",
        "&|",
        "&! ",
        "always { ",
        "{ a } always ",
        "if [[ a ]] ",
        "if (( 1 )) { ",
        "elif ",
        "- ",
        "noglob ",
        "x=(a) ",
        "$x ",
        "$x:h",
        "~a ",
        "^a ",
        "(a|",
        "(#q",
        "echo a > b > c\n",
        "a[1]=b\n",
        "setopt extendedglob\n",
    ];
    for unit in units {
        let text = unit.repeat((64 << 10) / unit.len());
        let start = std::time::Instant::now();
        let source = Source::original(text.clone().into_bytes());
        let _ = parse(&source, Dialect::Zsh);
        let took = start.elapsed();
        assert!(
            took < std::time::Duration::from_secs(10),
            "{unit:?}: {took:?}"
        );
        let short = unit.repeat((4 << 10) / unit.len());
        let run = move || {
            let request = herma_shell::Request {
                text: short.as_bytes(),
                dialect: Dialect::Zsh,
                cwd: b"/w",
            };
            let start = std::time::Instant::now();
            let _ = herma_shell::analyse(&request, &herma_shell::EmptyWorld);
            start.elapsed()
        };
        let took = std::thread::Builder::new()
            .stack_size(herma_shell::STACK)
            .spawn(run)
            .expect("a thread")
            .join()
            .expect("an answer");
        assert!(
            took < std::time::Duration::from_secs(30),
            "{unit:?}: {took:?}"
        );
    }
}
