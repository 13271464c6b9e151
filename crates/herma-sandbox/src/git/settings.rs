//! What a setting of git can do.

use super::config::{Config, Malformed, Name};

/// What becomes of a setting that a sandbox changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effect {
    /// It names branches, remotes or a person: it goes back to the repository.
    Harmless,
    /// It may do more, or is not known: it is left out and shown.
    Unknown,
    /// It names a program, or changes which files or settings git uses: it is left out and shown.
    RunsPrograms,
}

/// Keys of a branch that name other branches.
const BRANCH: &[&str] = &[
    "remote",
    "merge",
    "rebase",
    "pushremote",
    "description",
    "vscode-merge-base",
    "gh-merge-base",
];

/// Keys of a person.
const USER: &[&str] = &["name", "email", "signingkey", "useconfigonly"];

/// Sections in which every key may run something or lead elsewhere.
const PROGRAMS: &[&str] = &[
    "alias",
    "browser",
    "credential",
    "difftool",
    "extensions",
    "filter",
    "gpg",
    "guitool",
    "hook",
    "imap",
    "include",
    "includeif",
    "init",
    "lfs",
    "man",
    "mergetool",
    "pager",
    "protocol",
    "receive",
    "safe",
    "sendemail",
    "tar",
    "trailer",
    "transfer",
    "trace2",
    "uploadarchive",
    "uploadpack",
    "url",
    "web",
];

/// Single keys of that kind, `section.key`.
const PROGRAM_KEYS: &[&str] = &[
    "core.alternaterefscommand",
    "core.askpass",
    "core.attributesfile",
    "core.bare",
    "core.editor",
    "core.excludesfile",
    "core.fsmonitor",
    "core.gitproxy",
    "core.hookspath",
    "core.pager",
    "core.sshcommand",
    "core.worktree",
    "core.gvfs",
    "core.notesref",
    "core.repositoryformatversion",
    "core.usebuiltinfsmonitor",
    "diff.external",
    "diff.command",
    "diff.textconv",
    "interactive.difffilter",
    "merge.driver",
    "merge.tool",
    "diff.tool",
    "sequence.editor",
    "remote.uploadpack",
    "remote.receivepack",
    "remote.vcs",
    "remote.proxy",
    "http.proxy",
    "submodule.update",
    "rebase.instructionformat",
    "ssh.variant",
    "instaweb.httpd",
    "instaweb.browser",
    "help.browser",
    "branch.mergeoptions",
    "commit.template",
    "log.mailmap",
    "mailmap.file",
    "fsck.skiplist",
    "sequencer.editor",
    "svn-remote.url",
    "notes.rewriteref",
    "gui.editor",
    "maintenance.repo",
    "scalar.repo",
    "http.sslverify",
    "http.sslcainfo",
    "http.sslbackend",
    "http.extraheader",
    "http.cookiefile",
    "remote.promisor",
    "remote.partialclonefilter",
];

/// What a setting can do.
#[must_use]
pub fn effect(name: &Name, value: Option<&[u8]>) -> Effect {
    let inner = name.subsection.as_deref();
    let plain = value.is_none_or(|value| !value.iter().any(u8::is_ascii_control));
    match (name.section.as_str(), inner, name.key.as_str()) {
        _ if inner.is_some_and(|it| it.iter().any(u8::is_ascii_control)) => Effect::Unknown,
        ("branch", Some(_), "remote" | "pushremote") => address(value),
        ("branch", Some(_), key) if BRANCH.contains(&key) && plain => Effect::Harmless,
        ("remote", Some(_), "url") => address(value),
        ("remote", Some(_), "fetch") if plain && value.is_some() => Effect::Harmless,
        ("user", None, key) if USER.contains(&key) && plain => Effect::Harmless,
        (section, ..) if PROGRAMS.contains(&section) => Effect::RunsPrograms,
        (section, _, key) if PROGRAM_KEYS.contains(&format!("{section}.{key}").as_str()) => {
            Effect::RunsPrograms
        }
        _ => Effect::Unknown,
    }
}

/// Whether an address leads to a repository, not to a program (`ext::…`) or an option.
fn address(value: Option<&[u8]>) -> Effect {
    let Some(value) = value else {
        return Effect::Unknown;
    };
    let helper = value
        .windows(2)
        .position(|it| it == b"::")
        .is_some_and(|at| {
            value
                .get(..at)
                .is_some_and(|name| !name.contains(&b'/') && !name.contains(&b'['))
        });
    if helper || value.starts_with(b"-") {
        return Effect::RunsPrograms;
    }
    if value.is_empty() || value.iter().any(|it| it.is_ascii_control()) {
        return Effect::Unknown;
    }
    Effect::Harmless
}

/// Sections of the user's own configuration whose keys say how git behaves and name no program.
const BEHAVIOUR: &[&str] = &[
    "advice",
    "apply",
    "blame",
    "branch",
    "checkout",
    "clean",
    "color",
    "column",
    "commit",
    "feature",
    "fetch",
    "format",
    "grep",
    "help",
    "index",
    "log",
    "pack",
    "pull",
    "push",
    "rebase",
    "rerere",
    "reset",
    "stash",
    "status",
    "submodule",
    "tag",
    "versionsort",
    "worktree",
];

/// Keys of other sections of that kind.
const BEHAVIOUR_KEYS: &[&str] = &[
    "core.abbrev",
    "core.autocrlf",
    "core.commentchar",
    "core.eol",
    "core.filemode",
    "core.ignorecase",
    "core.longpaths",
    "core.precomposeunicode",
    "core.preloadindex",
    "core.quotepath",
    "core.safecrlf",
    "core.symlinks",
    "core.untrackedcache",
    "core.whitespace",
    "diff.algorithm",
    "diff.colormoved",
    "diff.colormovedws",
    "diff.context",
    "diff.ignoresubmodules",
    "diff.indentheuristic",
    "diff.interhunkcontext",
    "diff.mnemonicprefix",
    "diff.noprefix",
    "diff.renames",
    "diff.submodule",
    "diff.wserrorhighlight",
    "init.defaultbranch",
    "merge.conflictstyle",
    "merge.ff",
    "merge.log",
    "merge.renames",
    "merge.stat",
    "merge.verbosity",
    "user.name",
    "user.email",
    "user.useconfigonly",
];

/// Keys that these sections hold nevertheless, or that need what is not there inside.
const NOT_HERE: &[&str] = &[
    "commit.gpgsign",
    "commit.template",
    "tag.gpgsign",
    "push.gpgsign",
    "log.showsignature",
    "log.mailmap",
    "submodule.update",
    "branch.mergeoptions",
    "branch.remote",
    "branch.pushremote",
    "format.signaturefile",
    "rebase.instructionformat",
    "help.browser",
    "column.ui",
];

/// The part of the user's configuration that a sandbox may have: names, colours, habits; nothing
/// that runs a program, leads elsewhere or holds a password. `git-lfs` is the exception, word by
/// word as it installs itself, since repositories that use it can do nothing without it.
///
/// # Errors
/// [`Malformed`] when a value cannot be written.
pub fn behaviour(files: &[Config]) -> Result<Config, Malformed> {
    let mut kept = Config::parse(b"")?;
    for file in files {
        for entry in file.entries() {
            let name = &entry.name;
            let value = entry.value.as_deref();
            let short = format!("{}.{}", name.section, name.key);
            let behaves = (BEHAVIOUR.contains(&name.section.as_str())
                || BEHAVIOUR_KEYS.contains(&short.as_str()))
                && !NOT_HERE.contains(&short.as_str());
            let plain = value.is_none_or(|it| !it.contains(&b'!') && !it.contains(&0));
            if behaves && plain && !holds_password(value) || is_lfs(name, value) {
                let mut values: Vec<Option<Vec<u8>>> = kept
                    .values(name)
                    .into_iter()
                    .map(|it| it.map(<[u8]>::to_vec))
                    .collect();
                values.push(entry.value.clone());
                kept = kept.with(name, &values)?;
            }
        }
    }
    Ok(kept)
}

fn holds_password(value: Option<&[u8]>) -> bool {
    value.is_some_and(crate::secret::has_userinfo)
}

fn is_lfs(name: &Name, value: Option<&[u8]>) -> bool {
    if name.section != "filter" || name.subsection.as_deref() != Some(b"lfs") {
        return false;
    }
    match name.key.as_str() {
        "clean" => value == Some(b"git-lfs clean -- %f"),
        "smudge" => value == Some(b"git-lfs smudge -- %f"),
        "process" => value == Some(b"git-lfs filter-process"),
        "required" => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn effects(text: &str) -> Vec<Effect> {
        let config = Config::parse(text.as_bytes()).unwrap();
        config
            .entries()
            .iter()
            .map(|it| effect(&it.name, it.value.as_deref()))
            .collect()
    }

    #[test]
    fn branches_remotes_and_persons_are_harmless() {
        let text = "[branch \"x\"]\nremote = origin\nmerge = refs/heads/x\n[remote \"o\"]\n\
                    url = https://a/b\nurl = git@host:me/x.git\nurl = ../other\nurl = ssh://[::1]/x\nfetch = +refs/*:refs/*\n\
                    [user]\nname = A\nemail = b@c\n";
        assert!(
            effects(text).iter().all(|it| *it == Effect::Harmless),
            "{:?}",
            effects(text)
        );
    }

    #[test]
    fn what_runs_a_program_is_known() {
        let text = "[core]\nfsmonitor = x\nhooksPath = x\nsshCommand = x\npager = x\neditor = x\nworktree = /\n[alias]\nst = !x\n\
                    [filter \"f\"]\nsmudge = x\n[diff \"d\"]\ntextconv = x\ncommand = x\n[credential]\nhelper = x\n[include]\npath = x\n\
                    [includeIf \"gitdir:/\"]\npath = x\n[remote \"o\"]\nurl = ext::sh -c x\nuploadpack = x\nurl = --upload-pack=x\nvcs = x\n\
                    [branch \"b\"]\nremote = ext::x\nmergeOptions = -s x\n[gpg]\nprogram = x\n[url \"https://evil\"]\ninsteadOf = https://good\n\
                    [merge \"m\"]\ndriver = x\n[submodule \"s\"]\nupdate = !x\n[hook \"h\"]\ncommand = x\n[protocol \"ext\"]\nallow = always\n";
        for (at, effect) in effects(text).iter().enumerate() {
            assert_eq!(*effect, Effect::RunsPrograms, "entry {at}");
        }
    }

    #[test]
    fn anything_else_is_not_known() {
        let text = "[core]\nfileMode = false\n[remote \"o\"]\ntagOpt = --tags\npushurl = x\n[x \"y\"]\nz = 1\n[branch \"a\"]\nmerge = \"x\\ty\"\n[remote]\nurl = x\n";
        for (at, effect) in effects(text).iter().enumerate() {
            assert_eq!(*effect, Effect::Unknown, "entry {at}");
        }
    }

    #[test]
    fn a_sandbox_gets_names_and_habits_of_the_user_only() {
        let text = "[user]\n\tname = A B\n\temail = a@b\n\tsigningkey = K\n[core]\n\teditor = vim\n\tautocrlf = input\n\thooksPath = ~/h\n\
                    [alias]\n\tst = status\n[credential]\n\thelper = store\n[url \"https://u:p@h/\"]\n\tinsteadOf = x\n[pull]\n\trebase = true\n\
                    [commit]\n\tgpgsign = true\n\tverbose = true\n[http]\n\textraHeader = t\n[include]\n\tpath = x\n\
                    [filter \"lfs\"]\n\tclean = git-lfs clean -- %f\n\tsmudge = sh -c x\n[branch]\n\tsort = -committerdate\n";
        let kept = behaviour(&[Config::parse(text.as_bytes()).unwrap()]).unwrap();
        let names: Vec<String> = kept
            .entries()
            .iter()
            .map(|it| it.name.to_string())
            .collect();
        assert_eq!(
            names,
            [
                "user.name",
                "user.email",
                "core.autocrlf",
                "pull.rebase",
                "commit.verbose",
                "filter.lfs.clean",
                "branch.sort"
            ]
        );
    }
}
