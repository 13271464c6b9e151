//! git.

use crate::matching::Subject;
use herma_shell::path::base_name;

/// Endings of files that no branch is called by.
const SOURCES: &[&[u8]] = &[
    b"c", b"cc", b"cpp", b"cs", b"css", b"go", b"h", b"hpp", b"html", b"java", b"js", b"json",
    b"jsx", b"kt", b"lock", b"md", b"php", b"py", b"rb", b"rs", b"scss", b"sh", b"sql", b"swift",
    b"toml", b"ts", b"tsx", b"txt", b"vue", b"xml", b"yaml", b"yml",
];

/// The working tree is named as a whole (`.`, `./`, `:/`, `*`), or a file of it.
pub(crate) fn pathspec(subject: &Subject<'_>) -> bool {
    not_resolving(subject)
        && subject
            .arguments
            .operands_from(subject.taken)
            .any(|operand| {
                matches!(operand, b"." | b"./" | b":/" | b"..")
                    || operand.starts_with(b"./")
                    || operand.starts_with(b"../")
                    || operand.contains(&b'*')
                    || is_source(operand)
            })
}

/// It does not only take one side of a conflict in files that it names.
pub(crate) fn not_resolving(subject: &Subject<'_>) -> bool {
    let words = subject.execution.argv.iter().skip(1);
    let given = |names: &[&[u8]]| {
        words
            .clone()
            .any(|arg| names.iter().any(|name| arg.value.is(name)))
    };
    let one_side = given(&[b"--ours", b"--theirs", b"-2", b"-3"]);
    if !one_side || given(&[b"-f", b"--force"]) || !words.clone().all(|arg| arg.value.is_known()) {
        return true;
    }
    let named = |operand: &[u8]| {
        !matches!(operand, b"" | b"." | b"..")
            && !operand.ends_with(b"/")
            && !operand.ends_with(b"/.")
            && !operand.ends_with(b"/..")
            && !operand.starts_with(b":")
            && !operand
                .iter()
                .any(|byte| matches!(byte, b'*' | b'?' | b'['))
    };
    let mut operands = subject
        .arguments
        .operands_from(subject.taken)
        .filter(|operand| *operand != b"--")
        .peekable();
    operands.peek().is_none() || !operands.all(named)
}

fn is_source(operand: &[u8]) -> bool {
    let name = base_name(operand);
    name.iter()
        .rposition(|byte| *byte == b'.')
        .filter(|dot| *dot > 0)
        .and_then(|dot| name.get(dot + 1..))
        .is_some_and(|ending| SOURCES.contains(&ending))
}

/// A refspec that begins with `+`, or one that deletes (`:branch`).
pub(crate) fn forcing_refspec(subject: &Subject<'_>) -> bool {
    subject
        .arguments
        .operands_from(subject.taken)
        .skip(1)
        .any(|operand| matches!(operand, [b'+', _, ..]))
}

/// A refspec of a fetch that overwrites a branch of one's own, whatever that holds.
pub(crate) fn overwriting_fetch(subject: &Subject<'_>) -> bool {
    let forced = subject
        .execution
        .argv
        .iter()
        .any(|arg| arg.value.is(b"-f") || arg.value.is(b"--force"));
    subject
        .arguments
        .operands_from(subject.taken)
        .skip(1)
        .any(|operand| {
            let plain = operand.strip_prefix(b"+");
            let spec = plain.unwrap_or(operand);
            let target = spec
                .iter()
                .position(|byte| *byte == b':')
                .and_then(|colon| spec.get(colon + 1..));
            (forced || plain.is_some())
                && target.is_some_and(|target| {
                    !target.is_empty()
                        && (!target.starts_with(b"refs/") || target.starts_with(b"refs/heads/"))
                })
        })
}

/// A refspec with nothing on the left deletes the ref.
pub(crate) fn deleting_refspec(subject: &Subject<'_>) -> bool {
    subject
        .arguments
        .operands_from(subject.taken)
        .skip(1)
        .any(|operand| matches!(operand, [b':', _, ..] | [b'+', b':', _, ..]))
}

/// `git clean` names something that cannot be made again, or nothing at all.
pub(crate) fn not_regenerable(subject: &Subject<'_>) -> bool {
    const REGENERABLE: &[&[u8]] = &[
        b"node_modules",
        b"target",
        b"dist",
        b"build",
        b".next",
        b".nuxt",
        b".turbo",
        b".parcel-cache",
        b".gradle",
        b"coverage",
        b"__pycache__",
        b".pytest_cache",
        b".mypy_cache",
        b".ruff_cache",
        b".venv",
        b"venv",
        b".tox",
    ];
    let mut operands = subject.arguments.operands_from(subject.taken).peekable();
    operands.peek().is_none()
        || subject.arguments.operands.len()
            > subject.taken + subject.arguments.operands_from(subject.taken).count()
        || operands.any(|operand| {
            let end = operand
                .iter()
                .rposition(|byte| *byte != b'/')
                .map_or(0, |at| at + 1);
            let last = base_name(operand.get(..end).unwrap_or_default());
            !REGENERABLE.contains(&last)
        })
}

/// The setting names a program that git runs.
pub(crate) fn running_setting(subject: &Subject<'_>) -> bool {
    let mut operands = subject.arguments.operands_from(subject.taken);
    let (Some(key), Some(value)) = (operands.next(), operands.next()) else {
        return false;
    };
    let key = key.to_ascii_lowercase();
    let alias = key.starts_with(b"alias.") && value.starts_with(b"!");
    alias
        || matches!(
            key.as_slice(),
            b"core.hookspath"
                | b"core.fsmonitor"
                | b"core.sshcommand"
                | b"core.editor"
                | b"core.pager"
                | b"core.gitproxy"
                | b"core.askpass"
                | b"sequence.editor"
                | b"diff.external"
                | b"credential.helper"
                | b"gpg.program"
                | b"init.templatedir"
                | b"uploadpack.packobjectshook"
                | b"include.path"
                | b"protocol.ext.allow"
                | b"safe.directory"
        )
        || (key.starts_with(b"filter.")
            && (key.ends_with(b".clean")
                || key.ends_with(b".smudge")
                || key.ends_with(b".process")))
        || (key.starts_with(b"diff.")
            && (key.ends_with(b".command") || key.ends_with(b".textconv")))
        || (key.starts_with(b"merge.") && key.ends_with(b".driver"))
        || (key.starts_with(b"url.")
            && (key.ends_with(b".insteadof") || key.ends_with(b".pushinsteadof")))
        || (key.starts_with(b"http.") && (key.ends_with(b"proxy") || key.ends_with(b"sslverify")))
        || ((key.starts_with(b"mergetool.") || key.starts_with(b"difftool."))
            && key.ends_with(b".cmd"))
}
