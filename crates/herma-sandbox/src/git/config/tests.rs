#![allow(clippy::expect_used, reason = "tests")]

use std::process::Command;

use proptest::prelude::*;

use super::*;

fn listed(text: &str) -> Vec<String> {
    let config = Config::parse(text.as_bytes()).expect("parses");
    config
        .entries()
        .iter()
        .map(|it| match &it.value {
            Some(value) => format!("{}={}", it.name, value.escape_ascii()),
            None => it.name.to_string(),
        })
        .collect()
}

fn name(section: &str, subsection: Option<&str>, key: &str) -> Name {
    Name {
        section: section.into(),
        subsection: subsection.map(|it| it.as_bytes().to_vec()),
        key: key.into(),
    }
}

fn with(text: &str, name: &Name, values: &[&str]) -> String {
    let values: Vec<_> = values
        .iter()
        .map(|it| Some(it.as_bytes().to_vec()))
        .collect();
    let config = Config::parse(text.as_bytes())
        .expect("parses")
        .with(name, &values)
        .expect("written");
    String::from_utf8(config.text().to_vec()).expect("text")
}

const USUAL: &str = "[core]\n\tbare = false\n[remote \"origin\"]\n\turl = https://a/b\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n[branch \"main\"]\n\tremote = origin\n";

#[test]
fn names_fold_case_and_subsections_do_not() {
    assert_eq!(
        listed("[Core]\nfsMonitor = x\n[A \"B c\\\"d\"] E=f ; g\n[old.Sub]\nk\n"),
        ["core.fsmonitor=x", "a.B c\\\"d.e=f", "old.sub.k"]
    );
}

#[test]
fn values_lose_quotes_comments_and_outer_blanks() {
    assert_eq!(
        listed(
            "[a]\nb =  x y  # c\nc = \" x \";\nd = p\\\n  q\ne = \"a#b\" c\nf =\ng = \\\"\\n\r\nh = 1\r\n"
        ),
        [
            "a.b=x y",
            "a.c= x ",
            "a.d=p  q",
            "a.e=a#b c",
            "a.f=",
            "a.g=\\\"\\n",
            "a.h=1"
        ]
    );
}

#[test]
fn what_git_refuses_is_malformed() {
    for wrong in [
        "x = 1",
        "[a",
        "[a]\nb = \"x",
        "[a]\n1 = x",
        "[a \"b]\n",
        "[a]\nb = \\q",
        "[a b]\n",
        "]",
        "[a]\nb c\n",
    ] {
        assert!(Config::parse(wrong.as_bytes()).is_err(), "{wrong:?}");
    }
}

#[test]
fn a_key_is_set_where_its_section_is() {
    let url = name("remote", Some("origin"), "url");
    assert_eq!(
        with(USUAL, &url, &["ssh://x"]),
        USUAL
            .replace("\turl = https://a/b\n", "")
            .replace("origin/*\n", "origin/*\n\turl = ssh://x\n")
    );
    let new = name("branch", Some("x"), "merge");
    assert_eq!(
        with(USUAL, &new, &["refs/heads/x"]),
        format!("{USUAL}[branch \"x\"]\n\tmerge = refs/heads/x\n")
    );
    assert_eq!(
        with("[a] b = c", &name("a", None, "d"), &["e"]),
        "[a] b = c\n\td = e\n"
    );
    assert_eq!(
        with("[a] b = c\n", &name("a", None, "b"), &["e #"]),
        "[a] \n\tb = \"e #\"\n"
    );
}

#[test]
fn the_last_key_takes_its_section_along() {
    assert_eq!(
        with(USUAL, &name("branch", Some("main"), "remote"), &[]),
        USUAL.replace("[branch \"main\"]\n\tremote = origin\n", "")
    );
    assert_eq!(
        with(USUAL, &name("branch", Some("other"), "remote"), &[]),
        USUAL
    );
    let kept = with(
        "[a]\n# why\n\tb = c\n\tb = d\n\te = f\n",
        &name("a", None, "b"),
        &[],
    );
    assert_eq!(kept, "[a]\n# why\n\te = f\n");
}

proptest! {
    #[test]
    fn any_bytes_end_in_an_answer(text in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = Config::parse(&text);
    }

    #[test]
    fn what_is_set_is_read_and_nothing_else_changes(
        text in "(\\[(a|b|a \"s\")\\](\n| k = v\n|\n\tk = \"x;\" # c\n|\n;c\n\tl\n)){0,5}",
        section in "[ab]", sub in prop::option::of("s|t\"\\\\"), key in "[klm]",
        values in prop::collection::vec("[ -~\t\n]{0,6}", 0..3),
    ) {
        let config = Config::parse(text.as_bytes()).expect("parses");
        let name = name(&section, sub.as_deref(), &key);
        let values: Vec<_> = values.iter().map(|it| Some(it.as_bytes().to_vec())).collect();
        let next = config.with(&name, &values).expect("written");
        let got: Vec<_> = next.values(&name).into_iter().map(|it| it.map(<[u8]>::to_vec)).collect();
        prop_assert_eq!(got, values);
        let others = |config: &Config| -> Vec<(Name, Option<Vec<u8>>)> {
            config.entries().iter().filter(|it| it.name != name).map(|it| (it.name.clone(), it.value.clone())).collect()
        };
        prop_assert_eq!(others(&config), others(&next));
    }
}

/// The same answers as git's own, on texts of all kinds.
#[test]
fn git_reads_the_same() {
    let directory = tempfile::tempdir().expect("directory");
    let file = directory.path().join("config");
    for text in [
        USUAL,
        "[a]\nb =  x y  # c\nc = \" x \";\nd = p\\\n  q\ne = \"a#b\" c\nf =\ng = \\\"\\n\r\nh = 1\r\n",
        "[Core]\nfsMonitor = x\n[A \"B c\\\"d\"] E=f ; g\n[old.Sub]\nk\n",
        "\u{feff}[a]\n\tb = \"x\\ty\" z\\tw  \n; c\n[a \"\"]\nx = y\n[a]b=1\n",
        "[a]\nb = x\\\\\nc = \"\"\nd = \"\" x\ne = x \"\"\n",
    ] {
        std::fs::write(&file, text).expect("written");
        let out = Command::new("git")
            .args(["config", "--list", "--null", "--file"])
            .arg(&file)
            .output()
            .expect("git");
        assert!(out.status.success(), "{text:?}");
        let git: Vec<String> = out
            .stdout
            .split(|it| *it == 0)
            .filter(|it| !it.is_empty())
            .map(|it| {
                let (name, value) = match it.iter().position(|it| *it == b'\n') {
                    Some(at) => (&it[..at], Some(&it[at + 1..])),
                    None => (it, None),
                };
                match value {
                    Some(value) => format!("{}={}", name.escape_ascii(), value.escape_ascii()),
                    None => name.escape_ascii().to_string(),
                }
            })
            .collect();
        let ours: Vec<String> = Config::parse(text.as_bytes())
            .expect("parses")
            .entries()
            .iter()
            .map(|it| {
                let name = match &it.name.subsection {
                    Some(inner) => [
                        it.name.section.as_bytes(),
                        b".",
                        inner,
                        b".",
                        it.name.key.as_bytes(),
                    ]
                    .concat(),
                    None => format!("{}.{}", it.name.section, it.name.key).into_bytes(),
                };
                match &it.value {
                    Some(value) => format!("{}={}", name.escape_ascii(), value.escape_ascii()),
                    None => name.escape_ascii().to_string(),
                }
            })
            .collect();
        assert_eq!(ours, git, "{text:?}");
    }
}
