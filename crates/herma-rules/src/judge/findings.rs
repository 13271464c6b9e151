//! Findings of built-in rules and of the user's.

use std::borrow::Cow;

use herma_shell::{Execution, Span, Via};

use super::collected::Found;
use crate::access::Access;
use crate::pack::Rule;
use crate::policy::UserRule;
use crate::verdict::{Finding, Floor, Severity};

/// The finding of a built-in rule at a place.
pub(super) fn finding(
    rule: &'static Rule,
    floor: Option<Floor>,
    span: Span,
    via: &[Via],
    execution: Option<&Execution>,
) -> Finding {
    let severity = match (floor, rule.severity) {
        (None, Severity::Floor) => Severity::High,
        (_, severity) => severity,
    };
    Finding {
        rule: Cow::Borrowed(rule.id),
        severity,
        title: Cow::Borrowed(rule.title),
        why: Cow::Borrowed(rule.why),
        span,
        argv: execution.map(words).unwrap_or_default(),
        spelled: execution.map(spelled).unwrap_or_default(),
        cwd: execution.and_then(directory),
        script: execution.and_then(|it| it.script.clone()),
        via: via.iter().map(|via| via.name.clone()).collect(),
        // It is fitted when the whole line is known.
        suggest: None,
    }
}

/// The finding of a rule of the user.
pub(super) fn by_user(rule: &UserRule, execution: &Execution, floor: Option<Floor>) -> Found {
    Found {
        finding: Finding {
            argv: words(execution),
            spelled: spelled(execution),
            cwd: directory(execution),
            script: execution.script.clone(),
            via: execution.via.iter().map(|via| via.name.clone()).collect(),
            ..of_user(rule, &rule.argv, execution.span, floor)
        },
        floor,
        execution: None,
    }
}

/// The finding of a rule of the user for tools.
pub(super) fn by_user_for_tool(
    rule: &UserRule,
    access: &Access<'_>,
    floor: Option<Floor>,
) -> Found {
    let patterns = [rule.tool.as_slice(), &rule.path].concat();
    let words = [access.tool.as_bytes(), access.written].map(|word| Some(word.to_vec()));
    Found {
        finding: Finding {
            argv: words.to_vec(),
            ..of_user(rule, &patterns, access.span(), floor)
        },
        floor,
        execution: None,
    }
}

fn of_user(rule: &UserRule, patterns: &[String], span: Span, floor: Option<Floor>) -> Finding {
    let (severity, title) = match floor {
        Some(_) => (Severity::Floor, "Refused by your rule"),
        None => (Severity::Medium, "Your rule asks"),
    };
    let why = rule
        .why
        .clone()
        .unwrap_or_else(|| format!("matches {}", patterns.join(" ")));
    Finding {
        rule: Cow::Owned(rule.id.clone()),
        severity,
        title: Cow::Borrowed(title),
        why: Cow::Owned(why),
        span,
        argv: Vec::new(),
        spelled: Vec::new(),
        cwd: None,
        script: None,
        via: Vec::new(),
        suggest: None,
    }
}

fn spelled(execution: &Execution) -> Vec<Option<Vec<u8>>> {
    execution
        .argv
        .iter()
        .map(|arg| arg.value.spelled())
        .collect()
}

fn directory(execution: &Execution) -> Option<Vec<u8>> {
    execution.cwd.bytes().map(Cow::into_owned)
}

fn words(execution: &Execution) -> Vec<Option<Vec<u8>>> {
    execution
        .argv
        .iter()
        .map(|arg| arg.value.bytes().map(Cow::into_owned))
        .collect()
}
