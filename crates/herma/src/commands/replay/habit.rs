//! Executions that differ in one word.

use std::collections::{BTreeMap, BTreeSet};

use herma_rules::Guard;

/// Different commands that make a pattern.
const MEMBERS: usize = 3;

/// Packs about programs with verbs, whose last word names one thing of many.
const NAMING: &[&str] = &[
    "containers",
    "git",
    "packages",
    "services",
    "unresolved",
    "vcs",
];

/// Bytes at which a word is cut into parts.
const SEPARATORS: &[char] = &['/', '-', '_', '.', ':', '@', '=', ' '];

/// An execution that a rule would have to allow.
#[derive(Debug)]
pub(crate) struct Need {
    pub(crate) argv: Vec<String>,
    pub(crate) cwd: String,
    /// The rules that find it.
    pub(crate) finds: BTreeSet<String>,
    pub(crate) grave: bool,
    /// The questions with it.
    pub(crate) asked: Vec<usize>,
    /// How often they were asked.
    pub(crate) times: usize,
}

impl Need {
    pub(crate) fn new(argv: Vec<String>, cwd: String) -> Self {
        Self {
            argv,
            cwd,
            finds: BTreeSet::new(),
            grave: false,
            asked: Vec::new(),
            times: 0,
        }
    }

    fn options(&self) -> BTreeSet<&str> {
        let words = self.argv.iter().skip(1).map(String::as_str);
        words.filter(|word| word.starts_with('-')).collect()
    }

    fn operands(&self) -> Vec<&str> {
        let words = self.argv.iter().skip(1).map(String::as_str);
        words.filter(|word| !word.starts_with('-')).collect()
    }
}

/// Needs of one kind.
#[derive(Debug)]
pub(crate) struct Habit {
    pub(crate) needs: Vec<usize>,
    /// Words that cover all of them, when there are enough and they differ in their last operand.
    pub(crate) pattern: Option<Vec<String>>,
}

/// What makes needs one of a kind.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Kind<'a> {
    cwd: &'a str,
    program: &'a str,
    verb: Option<&'a str>,
    options: BTreeSet<&'a str>,
    operands: usize,
    finds: &'a BTreeSet<String>,
}

/// Puts together needs with the same directory, program, verb, options and rules.
pub(crate) fn habits(needs: &[Need]) -> Vec<Habit> {
    let mut kinds: BTreeMap<Kind<'_>, Vec<usize>> = BTreeMap::new();
    for (at, need) in needs.iter().enumerate() {
        let kind = Kind {
            cwd: &need.cwd,
            program: need.argv.first().map_or("", String::as_str),
            verb: verb(&need.argv),
            options: need.options(),
            operands: need.operands().len(),
            finds: &need.finds,
        };
        kinds.entry(kind).or_default().push(at);
    }
    kinds
        .into_values()
        .map(|members| {
            let found: Vec<&Need> = members.iter().filter_map(|at| needs.get(*at)).collect();
            Habit {
                pattern: pattern(&found),
                needs: members,
            }
        })
        .collect()
}

/// The word behind the program that says what it does.
fn verb(argv: &[String]) -> Option<&str> {
    let word = argv.get(1)?;
    let first = word.bytes().next()?;
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    (first.is_ascii_lowercase() && word.bytes().all(plain)).then_some(word)
}

/// Words that cover all of the needs, and no other than the last operand varies.
fn pattern(needs: &[&Need]) -> Option<Vec<String>> {
    let first = needs.first()?;
    if needs.len() < MEMBERS || needs.iter().any(|need| need.grave) {
        return None;
    }
    verb(&first.argv)?;
    let names_things = |id: &String| {
        let pack = Guard::rule(id).map(|rule| rule.pack);
        pack.is_some_and(|pack| NAMING.contains(&pack))
    };
    if !first.finds.iter().all(names_things) {
        return None;
    }
    let lists: Vec<Vec<&str>> = needs.iter().map(|need| need.operands()).collect();
    let heads: Option<BTreeSet<&[&str]>> = lists
        .iter()
        .map(|list| list.split_last().map(|(_, head)| head))
        .collect();
    let heads = heads?;
    // The verb is the first of them, so that it does not vary.
    if heads.len() != 1 || heads.first()?.is_empty() {
        return None;
    }
    let lasts: Vec<&str> = lists
        .iter()
        .filter_map(|list| list.last().copied())
        .collect();
    let stem = stem(&lasts)?;
    let at = first.argv.iter().rposition(|word| !word.starts_with('-'))?;
    let mut argv = first.argv.clone();
    *argv.get_mut(at)? = stem;
    Some(argv)
}

/// What the words have in common, in whole parts, around a `*`.
fn stem(words: &[&str]) -> Option<String> {
    let (first, rest) = words.split_first()?;
    let head = |a: &str, b: &str| -> usize {
        let same = a.chars().zip(b.chars()).take_while(|(a, b)| a == b);
        same.map(|(char, _)| char.len_utf8()).sum()
    };
    let mut prefix = *first;
    for word in rest {
        prefix = prefix.get(..head(prefix, word))?;
    }
    let prefix = prefix
        .rfind(SEPARATORS)
        .and_then(|at| prefix.get(..=at))
        .unwrap_or_default();
    let tails: Option<Vec<&str>> = words.iter().map(|word| word.strip_prefix(prefix)).collect();
    let tails = tails?;
    let (first, rest) = tails.split_first()?;
    let mut suffix = *first;
    for tail in rest {
        let same = suffix.chars().rev().zip(tail.chars().rev());
        let same = same.take_while(|(a, b)| a == b);
        let length: usize = same.map(|(char, _)| char.len_utf8()).sum();
        suffix = suffix.get(suffix.len() - length..)?;
    }
    let suffix = suffix
        .find(SEPARATORS)
        .and_then(|at| suffix.get(at..))
        .unwrap_or_default();
    Some(format!("{prefix}*{suffix}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stem_keeps_whole_parts() {
        for (words, expected) in [
            (["fix-1", "fix-22", "fix-x"], "fix-*"),
            (["fix", "foo", "four"], "*"),
            (["feature/a/x", "feature/b/x", "feature/c/x"], "feature/*/x"),
            (["a.rs", "b.rs", "c.rs"], "*.rs"),
            (["stash@{0}", "stash@{1}", "stash@{2}"], "stash@*"),
            (["a-", "a-b", "a-b-"], "a-*"),
            (["ü-a", "ü-b", "ö-c"], "*"),
            (["", "a", "b"], "*"),
        ] {
            assert_eq!(stem(&words).as_deref(), Some(expected), "{words:?}");
        }
    }

    fn need(line: &str, rule: &str) -> Need {
        let argv = line.split(' ').map(str::to_owned).collect();
        let mut need = Need::new(argv, "/p".to_owned());
        need.finds.insert(rule.to_owned());
        need
    }

    fn patterns(lines: &[&str], rule: &str) -> Vec<String> {
        let needs: Vec<Need> = lines.iter().map(|line| need(line, rule)).collect();
        habits(&needs)
            .into_iter()
            .filter_map(|habit| habit.pattern)
            .map(|words| words.join(" "))
            .collect()
    }

    #[test]
    fn three_names_behind_the_same_verb_and_options_make_a_pattern() {
        let rule = "git.branch-delete";
        assert_eq!(
            patterns(
                &["git branch -D a", "git branch b -D", "git branch -D c"],
                rule
            ),
            ["git branch -D *"]
        );
        for lines in [
            &["git branch -D a", "git branch -D b"][..],
            &["git branch -D a", "git branch -D b", "git branch -M c"],
            &["git branch -D a", "git branch -D b", "git branch -D c d"],
            &[
                "git branch -D a x",
                "git branch -D b x",
                "git branch -D c x",
            ],
            &[
                "git -C x branch -D",
                "git -C y branch -D",
                "git -C z branch -D",
            ],
            &["git a", "git b", "git c"],
        ] {
            assert!(patterns(lines, rule).is_empty(), "{lines:?}");
        }
    }

    #[test]
    fn paths_of_programs_without_verbs_make_none() {
        let lines = ["rm build ../a", "rm build ../b", "rm build ../c"];
        assert!(patterns(&lines, "fs.delete-outside").is_empty());
    }

    #[test]
    fn what_is_grave_makes_none() {
        let mut needs: Vec<Need> = ["a", "b", "c"]
            .iter()
            .map(|name| need(&format!("git branch -D {name}"), "git.branch-delete"))
            .collect();
        if let Some(need) = needs.last_mut() {
            need.grave = true;
        }
        assert!(habits(&needs).iter().all(|habit| habit.pattern.is_none()));
    }
}
