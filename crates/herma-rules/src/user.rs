//! Rules that the user wrote, against an execution.

mod wanted;

use herma_shell::Execution;
use herma_shell::path::PROGRAM_DIRECTORIES;

use self::wanted::Wanted;
use crate::access::{Access, KnownAs};
use crate::arguments::{Arguments, Given, Spelled};
use crate::glob;
use crate::policy::{Action, UserRule};

/// Whether the rule names this execution. A `deny` or an `ask` holds where it cannot be known, an
/// `allow` covers what it spells and nothing besides.
pub(crate) fn matches(
    rule: &UserRule,
    base: &str,
    execution: &Execution,
    arguments: &Arguments<'_>,
) -> bool {
    let Some(program) = rule.argv.first() else {
        return false;
    };
    if !program_matches(rule.action, program, base, execution)
        || !directory_matches(rule, execution)
    {
        return false;
    }
    let wanted = Wanted::read(base, &rule.argv);
    let words = if rule.action == Action::Allow {
        spells(&wanted, arguments)
    } else {
        names(&wanted, arguments)
    };
    words && expression_matches(rule, arguments)
}

/// Whether the rule is for this tool and this object. What denies or asks holds under any name of
/// the object, what allows only under all of them.
pub(crate) fn covers(rule: &UserRule, access: &Access<'_>) -> bool {
    let tool = rule
        .tool
        .iter()
        .any(|tool| glob::matches(tool.as_bytes(), access.tool.as_bytes(), false));
    let named = |name: &KnownAs<'_>| rule.path.iter().any(|pattern| path_matches(pattern, name));
    let in_directory = |name: &KnownAs<'_>| match &rule.cwd {
        Some(wanted) => path_matches_any(wanted, &[name.scene.work_path()]),
        None => true,
    };
    let here = |name: &KnownAs<'_>| (rule.path.is_empty() || named(name)) && in_directory(name);
    tool && match rule.action {
        Action::Allow => !access.names.is_empty() && access.names.iter().all(here),
        Action::Ask | Action::Deny => access.names.iter().any(here),
    }
}

fn path_matches(pattern: &str, name: &KnownAs<'_>) -> bool {
    match pattern.strip_prefix('~') {
        Some(rest) if rest.is_empty() || rest.starts_with('/') => {
            name.scene.home_paths().iter().any(|home| {
                name.path
                    .strip_prefix(home.as_slice())
                    .is_some_and(|below| {
                        (below.is_empty() || below.starts_with(b"/"))
                            && path_matches_any(rest, &[below.to_vec()])
                    })
            })
        }
        _ => path_matches_any(pattern, &[name.path.to_vec()]),
    }
}

/// Whether one of the paths matches; `dir/**` covers the directory itself.
fn path_matches_any(pattern: &str, paths: &[Vec<u8>]) -> bool {
    paths.iter().any(|path| {
        let own = pattern.strip_suffix("/**");
        own.is_some_and(|own| glob::matches(own.as_bytes(), path, false))
            || glob::matches(pattern.as_bytes(), path, false)
    })
}

fn program_matches(action: Action, program: &str, base: &str, execution: &Execution) -> bool {
    let Some((directory, name)) = program.rsplit_once('/') else {
        return glob::matches(program.as_bytes(), base.as_bytes(), false);
    };
    // The same program by its bare name.
    if action != Action::Allow
        && PROGRAM_DIRECTORIES.contains(&directory.as_bytes())
        && glob::matches(name.as_bytes(), base.as_bytes(), false)
    {
        return true;
    }
    let path = execution.argv.first().and_then(|arg| arg.value.bytes());
    path.is_some_and(|path| glob::matches(program.as_bytes(), &path, false))
}

fn directory_matches(rule: &UserRule, execution: &Execution) -> bool {
    let Some(wanted) = &rule.cwd else { return true };
    match execution.cwd.bytes() {
        Some(cwd) => {
            // `dir/**` covers the directory itself.
            let own = wanted.strip_suffix("/**");
            own.is_some_and(|own| glob::matches(own.as_bytes(), &cwd, false))
                || glob::matches(wanted.as_bytes(), &cwd, false)
        }
        None => rule.action != Action::Allow,
    }
}

/// Whether a `deny` or an `ask` means these arguments.
fn names(wanted: &Wanted<'_>, arguments: &Arguments<'_>) -> bool {
    let there = |option: &Spelled<'_>| {
        arguments
            .spelled()
            .any(|own| option_matches(arguments, &own, option, false))
    };
    let covered = |own: &Spelled<'_>| {
        let same = |option: &Spelled<'_>| option_matches(arguments, own, option, false);
        wanted.options().any(|option| same(&option)) || wanted.patterns_cover(own, arguments)
    };
    wanted.options().all(|option| there(&option))
        && wanted.patterns_hold(arguments)
        && (!wanted.marked() || arguments.has_marker())
        && operands_match(wanted, arguments)
        && (wanted.open || arguments.spelled().all(|own| covered(&own)))
}

fn operands_match(wanted: &Wanted<'_>, arguments: &Arguments<'_>) -> bool {
    let mut given = arguments.operands.iter();
    for word in wanted.operands() {
        let Some(index) = given.next() else {
            return false;
        };
        match arguments.words.get(*index).and_then(|own| own.as_deref()) {
            Some(own) if glob::matches(word, own, false) => {}
            // A word that cannot be known may be the one that is meant.
            None => {}
            Some(_) => return false,
        }
    }
    wanted.open || given.next().is_none()
}

/// Whether an `allow` spells these arguments: its options in any order, each with its value, and no
/// others in front of its last word.
fn spells(wanted: &Wanted<'_>, arguments: &Arguments<'_>) -> bool {
    if arguments.words.iter().skip(1).any(Option::is_none)
        || wanted.marked() != arguments.has_marker()
    {
        return false;
    }
    let mut given = arguments.operands.iter();
    let mut last = 0;
    for word in wanted.operands() {
        let index = given.next();
        let own = index.and_then(|at| arguments.words.get(*at)?.as_deref());
        if !own.is_some_and(|own| glob::matches(word, own, false)) {
            return false;
        }
        last = index.copied().unwrap_or_default();
    }
    if !wanted.open && given.next().is_some() {
        return false;
    }
    let covered = |own: &Spelled<'_>| {
        let same = |option: &Spelled<'_>| option_matches(arguments, own, option, true);
        wanted.options().any(|option| same(&option)) || wanted.patterns_cover(own, arguments)
    };
    let there = |option: &Spelled<'_>| {
        arguments
            .spelled()
            .any(|own| option_matches(arguments, &own, option, true))
    };
    wanted.options().all(|option| there(&option))
        && wanted.patterns_hold(arguments)
        && arguments
            .spelled()
            .all(|own| (wanted.open && own.word > last) || covered(&own))
}

/// Whether an option is the wanted one, with the value that is wanted. `exact` also refuses a value
/// that is not.
fn option_matches(
    arguments: &Arguments<'_>,
    own: &Spelled<'_>,
    wanted: &Spelled<'_>,
    exact: bool,
) -> bool {
    arguments.is_same(own, wanted)
        && match (wanted.value, own.value) {
            (Given::None | Given::Unknown, Given::None) => true,
            (Given::None | Given::Unknown, _) | (Given::Known(_), Given::Unknown) => !exact,
            (Given::Known(wanted), Given::Known(own)) => glob::matches(wanted, own, false),
            (Given::Known(_), Given::None) => false,
        }
}

/// Whether the words match the rule's expression. Where one is not known, what was seen of it is
/// enough for a `deny` or an `ask`.
fn expression_matches(rule: &UserRule, arguments: &Arguments<'_>) -> bool {
    let Some(expression) = &rule.regex else {
        return true;
    };
    let mut text: Vec<u8> = Vec::new();
    let mut known = true;
    for word in &arguments.words {
        if !text.is_empty() {
            text.push(b' ');
        }
        match word {
            Some(word) => text.extend_from_slice(word),
            None => known = false,
        }
    }
    if rule.action == Action::Allow {
        return known && expression.matches(&text) == Some(true);
    }
    match expression.matches(&text) {
        Some(true) | None => true,
        Some(false) => !known && expression.seen(&text),
    }
}
