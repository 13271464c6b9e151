//! Findings of built-in rules and of the user's.

use std::borrow::Cow;

use herma_shell::{Execution, Span, Via};

use super::collected::Found;
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
    let title = match floor {
        Some(_) => "Refused by your rule",
        None => "Your rule asks",
    };
    let why = rule
        .why
        .clone()
        .unwrap_or_else(|| format!("matches {}", rule.argv.join(" ")));
    Found {
        finding: Finding {
            rule: Cow::Owned(rule.id.clone()),
            severity: if floor.is_some() {
                Severity::Floor
            } else {
                Severity::Medium
            },
            title: Cow::Borrowed(title),
            why: Cow::Owned(why),
            span: execution.span,
            argv: words(execution),
            spelled: spelled(execution),
            cwd: directory(execution),
            script: execution.script.clone(),
            via: execution.via.iter().map(|via| via.name.clone()).collect(),
            suggest: None,
        },
        floor,
        execution: None,
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
