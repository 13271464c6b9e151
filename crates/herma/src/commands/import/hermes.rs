//! What Hermes Agent's configuration says about commands, as rules and keys.

mod categories;
mod words;

use herma_config::may_be_allowed;
use herma_rules::{Action, Decision, Guard, Policy, Request, UserRule};

use self::categories::{Category, is_expression};
use self::words::Words;
use super::yaml::{self, Content, Node};
use crate::commands::rules::test::{Examples, PROJECT};

/// Where something stands there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Origin {
    /// From 1.
    pub(super) line: usize,
    /// Such as `approvals.deny`.
    pub(super) key: String,
    /// The value or entry.
    pub(super) text: String,
}

/// All that was found.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// Keys of the configuration, as TOML.
    pub(super) keys: Vec<(Origin, &'static str, String)>,
    pub(super) rules: Vec<(Origin, UserRule)>,
    /// What has no counterpart, and why.
    pub(super) left: Vec<(Origin, String)>,
}

/// The wait for a person that holds without any key, there and here.
const TIMEOUT: u64 = 300;

/// Longest wait that is taken over, in seconds.
const LONGEST: u64 = 86_400;

/// Most entries of a list.
const MOST: usize = 1_000;

/// Reads the whole configuration.
pub(super) fn read(root: &Node) -> Found {
    let mut found = Found::default();
    if let Some(list) = root.get("command_allowlist") {
        found.list("command_allowlist", list, Found::allowance);
    }
    let approvals = root.get("approvals");
    if let Some(Node {
        content: Content::Map(entries),
        ..
    }) = approvals
    {
        for (key, node) in entries {
            found.approvals(key, node);
        }
    } else if let Some(node) = approvals {
        let origin = origin(node, "approvals", "…");
        found.leave(origin, "it is no table");
    }
    if let Some(node) = root.get("security") {
        let origin = origin(node, "security", "…");
        found.leave(
            origin,
            "scanners and transports have no counterpart; what they look for is judged here",
        );
    }
    found
}

fn origin(node: &Node, key: &str, text: &str) -> Origin {
    Origin {
        line: node.line,
        key: key.to_owned(),
        text: node.text().unwrap_or(text).to_owned(),
    }
}

impl Found {
    fn leave(&mut self, origin: Origin, why: impl Into<String>) {
        self.left.push((origin, why.into()));
    }

    fn approvals(&mut self, key: &str, node: &Node) {
        let name = format!("approvals.{key}");
        let at = origin(node, &name, "…");
        match key {
            "deny" => self.list(&name, node, |found, at| found.pattern(at, Action::Deny)),
            "ask" => self.list(&name, node, |found, at| found.pattern(at, Action::Ask)),
            "mode" => self.mode(at, node),
            "timeout" => match at.text.parse() {
                Ok(TIMEOUT) => self.leave(at, "this holds without any key"),
                Ok(seconds @ 1..=LONGEST) => {
                    self.keys.push((at, "approvals.timeout", seconds.to_string()));
                }
                _ => self.leave(at, format!("it is no number of seconds up to {LONGEST}")),
            },
            "cron_mode" | "single_query_mode" | "unattended_mode" => match at.text.as_str() {
                "approve" | "allow" | "off" | "yes" => self.leave(
                    at,
                    "what asks is never allowed because nobody is there; write allow rules for what such runs need",
                ),
                _ => self.leave(at, "this holds without any key: contexts in which nobody answers deny"),
            },
            "smart_policy" => self.leave(at, "there is no reviewer yet; reviewer.policy will name a file"),
            _ => self.leave(at, "it has no counterpart"),
        }
    }

    fn mode(&mut self, at: Origin, node: &Node) {
        match (at.text.as_str(), node.truth()) {
            ("off", _) | (_, Some(false)) => self.leave(
                at,
                "it would allow everything but floors; set mode = \"off\" yourself if that is meant",
            ),
            ("smart", _) => self.keys.push((at, "mode", "\"smart\"".to_owned())),
            _ => self.leave(at, "mode = \"manual\" holds without any key"),
        }
    }

    /// Each entry of a list; a text counts as the list that older versions wrote into it.
    fn list(&mut self, key: &str, node: &Node, each: impl Fn(&mut Self, Origin)) {
        let inner;
        // Its lines are then those of the text.
        let nested = node.text().is_some();
        let items = match &node.content {
            Content::List(items) => items,
            Content::Scalar { text, .. } => {
                inner = yaml::parse(text).ok().flatten();
                match inner.as_ref().map(|inner| &inner.content) {
                    Some(Content::List(items)) => items,
                    _ => return self.leave(origin(node, key, "…"), "it is no list"),
                }
            }
            Content::Map(_) => return self.leave(origin(node, key, "…"), "it is no list"),
        };
        for item in items.iter().take(MOST) {
            match item.text() {
                Some(_) => {
                    let line = if nested { node.line } else { item.line };
                    each(
                        self,
                        Origin {
                            line,
                            ..origin(item, key, "…")
                        },
                    );
                }
                None => self.leave(origin(item, key, "…"), "it is no text"),
            }
        }
        if let Some(next) = items.get(MOST) {
            self.leave(
                origin(next, key, "…"),
                format!("only {MOST} entries are read"),
            );
        }
    }

    /// An entry of the deny list or the ask list.
    fn pattern(&mut self, at: Origin, action: Action) {
        match words::read(action, &at.text) {
            Ok(words) => self.rule(at, action, words),
            Err(why) => self.leave(at, why),
        }
    }

    /// An entry of the allowlist.
    fn allowance(&mut self, at: Origin) {
        let entry = at.text.trim().to_owned();
        if entry.starts_with("tirith:") {
            return self.leave(at, "it silences another scanner");
        }
        if let Some(category) = Category::of(&entry) {
            return match category.words {
                Some(words) => {
                    let argv = words.iter().map(|word| (*word).to_owned()).collect();
                    self.rule(at, Action::Allow, Words { argv, regex: None });
                }
                None => self.leave(at, whole(category)),
            };
        }
        if is_expression(&entry) {
            return self.leave(
                at,
                "it stands for a whole kind of danger, which no rule allows",
            );
        }
        let words = match words::read(Action::Allow, &entry) {
            Ok(words) => words,
            Err(why) => return self.leave(at, why),
        };
        let program = words.argv.first().cloned().unwrap_or_default();
        if !may_be_allowed(&program) {
            return self.leave(
                at,
                format!("{program} runs what it is given, so it would allow everything"),
            );
        }
        if words.regex.is_none() && words.argv.get(1).is_none_or(|word| word == "**") {
            return self.leave(at, format!("it names no more than a program, {program}"));
        }
        // A text without patterns is a command that can be judged.
        if !entry.contains(['*', '?', '['])
            && let Some(why) = needless(&entry)
        {
            return self.leave(at, why);
        }
        self.rule(at, Action::Allow, words);
    }

    fn rule(&mut self, at: Origin, action: Action, words: Words) {
        let same = |(_, rule): &(Origin, UserRule)| {
            (rule.action, &rule.argv, &rule.regex) == (action, &words.argv, &words.regex)
        };
        if self.rules.iter().any(same) {
            return self.leave(at, "an earlier entry says the same");
        }
        let rule = UserRule {
            id: String::new(),
            action,
            argv: words.argv,
            tool: Vec::new(),
            path: Vec::new(),
            cwd: None,
            regex: words.regex,
            why: None,
        };
        self.rules.push((at, rule));
    }
}

/// Why a whole category is not taken over.
fn whole(category: &Category) -> String {
    if category.rules.is_empty() {
        return "nothing asks about this here: what is handed on is judged itself".to_owned();
    }
    format!(
        "it stands for a whole kind of danger; here {} ask, and rules allow single commands",
        category.rules.join(", ")
    )
}

/// Why a command needs no rule, or gets none.
fn needless(text: &str) -> Option<String> {
    let request = Request::new(text.as_bytes(), PROJECT);
    let verdict = Guard::new(Policy::manual()).check(&request, &Examples);
    match (verdict.decision, verdict.floor) {
        (Decision::Allow, _) => Some("this is allowed without a rule".to_owned()),
        (_, Some(_)) => Some("it is a floor, which nothing allows".to_owned()),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
