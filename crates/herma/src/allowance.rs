//! What a person could do so that a command passes.

use herma_rules::{
    Access, Action, Decision, Finding, Floor, Guard, Policy, Request, Severity, UserRule, Verdict,
};
use herma_shell::World;

use crate::configured;
use crate::output::visible;

/// How a command could pass.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Allowance {
    /// It passes already.
    Passes,
    /// A floor holds, and nothing overrides it.
    Never,
    /// A rule of the user's own denies or asks; its id.
    Own(String),
    /// With these rules it passes; checked by judging it again.
    Rules(Vec<UserRule>),
    /// No rule covers exactly this.
    Unavailable,
}

/// Looks for the narrowest rules with which a command passes. The world has untouched bounds, since
/// the command is judged again.
pub(crate) fn find(
    policy: &Policy,
    request: &Request<'_>,
    verdict: &Verdict,
    world: &dyn World,
) -> Allowance {
    if verdict.decision == Decision::Allow {
        return Allowance::Passes;
    }
    if verdict.floor.is_some_and(|floor| floor != Floor::UserDeny) {
        return Allowance::Never;
    }
    let is_own = |finding: &&Finding| policy.rules.iter().any(|rule| rule.id == finding.rule);
    if let Some(finding) = verdict.findings.iter().find(is_own) {
        return Allowance::Own(finding.rule.to_string());
    }
    let mut rules: Vec<UserRule> = Vec::new();
    for finding in &verdict.findings {
        let Some((argv, cwd)) = patterns(finding) else {
            return Allowance::Unavailable;
        };
        if rules.iter().any(|rule| covers(rule, &argv, &cwd)) {
            continue;
        }
        let used = |id: &str| policy.rules.iter().chain(&rules).any(|rule| rule.id == id);
        rules.push(UserRule {
            id: free_id(used, &argv),
            action: Action::Allow,
            argv,
            tool: Vec::new(),
            path: Vec::new(),
            cwd: Some(cwd),
            regex: None,
            why: None,
        });
    }
    let mut with = policy.clone();
    with.rules.extend(rules.iter().cloned());
    let again = Guard::new(with).check(request, world);
    if again.decision == Decision::Allow && !rules.is_empty() {
        Allowance::Rules(rules)
    } else {
        Allowance::Unavailable
    }
}

/// Looks for the narrowest rule with which a file tool may use a file.
pub(crate) fn for_file(policy: &Policy, access: &Access<'_>, verdict: &Verdict) -> Allowance {
    if verdict.decision == Decision::Allow {
        return Allowance::Passes;
    }
    if verdict.floor.is_some_and(|floor| floor != Floor::UserDeny) {
        return Allowance::Never;
    }
    let own = verdict.findings.iter().find_map(|finding| {
        let mut rules = policy.rules.iter();
        rules.find(|rule| rule.id == finding.rule)
    });
    if let Some(own) = own {
        return Allowance::Own(own.id.clone());
    }
    let paths: Option<Vec<String>> = access
        .names
        .iter()
        .map(|name| String::from_utf8(name.path.to_vec()).ok())
        .map(|path| path.filter(|path| !path.contains('*')))
        .collect();
    let Some(paths) = paths else {
        return Allowance::Unavailable;
    };
    let used = |id: &str| policy.rules.iter().any(|rule| rule.id == id);
    let words = [
        access.tool.to_owned(),
        paths.first().cloned().unwrap_or_default(),
    ];
    let rule = UserRule {
        id: free_id(used, &words),
        action: Action::Allow,
        argv: Vec::new(),
        tool: vec![access.tool.to_owned()],
        path: paths,
        cwd: None,
        regex: None,
        why: None,
    };
    let mut with = policy.clone();
    with.rules.push(rule.clone());
    if Guard::new(with).check_access(access).decision == Decision::Allow {
        Allowance::Rules(vec![rule])
    } else {
        Allowance::Unavailable
    }
}

/// Whether the rule spells these words in this directory.
fn covers(rule: &UserRule, argv: &[String], cwd: &str) -> bool {
    rule.argv == argv && rule.cwd.as_deref() == Some(cwd)
}

/// The words and the directory of a finding (the same words mean something else in another one) as
/// patterns that match nothing else. There are none when a word is not known or holds a `*`, for
/// which patterns have no other spelling: a rule that allows more than what was asked is for the
/// user to write.
pub(crate) fn patterns(finding: &Finding) -> Option<(Vec<String>, String)> {
    if finding.severity == Severity::Floor || !finding.via.is_empty() || finding.argv.is_empty() {
        return None;
    }
    let exact = |word: &Option<Vec<u8>>| {
        let word = String::from_utf8(word.clone()?).ok()?;
        (!word.contains('*')).then_some(word)
    };
    let cwd = exact(&finding.cwd)?;
    let words: Vec<String> = finding.argv.iter().map(exact).collect::<Option<_>>()?;
    herma_config::may_be_allowed(words.first()?).then_some((words, cwd))
}

/// An id that says what is allowed and that nobody uses.
pub(crate) fn free_id(used: impl Fn(&str) -> bool, argv: &[String]) -> String {
    let mut words = argv.iter().filter(|word| !word.starts_with('-'));
    let name = |word: Option<&String>| -> String {
        let base = word.map_or("", |word| word.rsplit('/').next().unwrap_or(word));
        base.chars()
            .map(|c| c.to_ascii_lowercase())
            .filter(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))
            .take(20)
            .collect()
    };
    let (program, verb) = (name(words.next()), name(words.next()));
    let mut id = String::from("allow");
    for part in [program, verb] {
        if !part.is_empty() {
            id.push('.');
            id.push_str(&part);
        }
    }
    if !used(&id) {
        return id;
    }
    (2u32..)
        .map(|number| format!("{id}-{number}"))
        .find(|id| !used(id))
        .unwrap_or(id)
}

/// A rule as it stands in a configuration file.
pub(crate) fn as_toml(rule: &UserRule, separator: &str) -> String {
    let mut lines = vec![
        "[[rule]]".to_owned(),
        format!("id = {}", toml_string(&rule.id)),
        format!("action = \"{}\"", action(rule.action)),
    ];
    for (key, words) in [
        ("argv", &rule.argv),
        ("tool", &rule.tool),
        ("path", &rule.path),
    ] {
        if !words.is_empty() {
            let words: Vec<String> = words.iter().map(|word| toml_string(word)).collect();
            lines.push(format!("{key} = [{}]", words.join(", ")));
        }
    }
    if let Some(cwd) = &rule.cwd {
        lines.push(format!("cwd = {}", toml_string(cwd)));
    }
    if let Some(regex) = &rule.regex {
        lines.push(format!("regex = {}", toml_string(regex.source())));
    }
    if let Some(why) = &rule.why {
        lines.push(format!("why = {}", toml_string(why)));
    }
    lines.join(separator)
}

/// A rule of the configuration with all that is written about it.
pub(crate) fn written(rule: &herma_config::UserRule, separator: &str) -> String {
    let mut text = as_toml(&configured::verbatim(rule), separator);
    let examples = |blocks: bool| -> Vec<&str> {
        let these = rule.examples.iter().filter(|it| it.blocks == blocks);
        these.map(|it| it.text.as_str()).collect()
    };
    let aliases = rule.aliases.iter().map(String::as_str).collect();
    for (key, values) in [
        ("aliases", aliases),
        ("blocks", examples(true)),
        ("passes", examples(false)),
    ] {
        if !values.is_empty() {
            let values: Vec<String> = values.into_iter().map(toml_string).collect();
            text.push_str(&format!("{separator}{key} = [{}]", values.join(", ")));
        }
    }
    text
}

/// An action's name.
pub(crate) fn action(action: Action) -> &'static str {
    match action {
        Action::Allow => "allow",
        Action::Ask => "ask",
        Action::Deny => "deny",
    }
}

/// A basic string of TOML in which everything can be seen.
pub(crate) fn toml_string(text: &str) -> String {
    let mut out = String::from("\"");
    for char in text.chars() {
        match char {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            char if visible::is_invisible(char) => {
                out.push_str(&format!("\\U{:08X}", u32::from(char)));
            }
            char => out.push(char),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::toml_string;

    #[test]
    fn a_string_keeps_its_bytes_and_shows_them() {
        for text in ["plain", "a \"b\" \\ c", "\u{1b}[2J\n\t", "\u{202e}ü\u{7f}"] {
            let line = format!("x = {}", toml_string(text));
            let table: toml::Table = line.parse().expect("TOML");
            assert_eq!(table.get("x").and_then(toml::Value::as_str), Some(text));
            assert!(!line.chars().any(super::visible::is_invisible));
        }
    }
}
