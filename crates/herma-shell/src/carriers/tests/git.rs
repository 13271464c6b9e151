use super::{carried, carried_in, silent, table};

#[test]
fn aliases_run_when_their_verb_is_used() {
    table(&[
        (
            "git -C . -c 'alias.q=!sh -c \"rm -rf /\"' q",
            &["git alias: text sh -c \"rm -rf /\" (sh -c \"rm -rf /\")"],
        ),
        (
            "git -c alias.x='!git push --force' x a",
            &["git alias: text git push --force \"$@\" (git push --force|a)"],
        ),
        (
            "git -c alias.x='log -p' x y",
            &["git alias: argv git|log|-p|y"],
        ),
        ("git -c alias.x=x x", &["git alias: argv git|x"]),
    ]);
    silent(&[
        "git -c alias.x=!reboot y",
        "git -c alias.status=!reboot status",
        "git config alias.x !reboot",
    ]);
}

#[test]
fn settings_that_run_programs_are_shell_text() {
    table(&[
        (
            "git -c core.sshCommand=reboot fetch",
            &["git -c: text reboot"],
        ),
        ("git -c CORE.PAGER=reboot log", &["git -c: text reboot"]),
        (
            "git -c core.fsmonitor=reboot status",
            &["git -c: text reboot"],
        ),
        ("git -c diff.external=reboot diff", &["git -c: text reboot"]),
        (
            "git -c diff.X.textconv=reboot diff",
            &["git -c: text reboot"],
        ),
        (
            "git -c credential.helper=!reboot fetch",
            &["git -c: text reboot"],
        ),
        (
            "git -c credential.https://x.helper=/bin/reboot fetch",
            &["git -c: text /bin/reboot"],
        ),
        (
            "git -c filter.lfs.clean=reboot add .",
            &["git -c: text reboot"],
        ),
        (
            "git --config-env=core.pager=X log",
            &["git --config-env: unresolved"],
        ),
        (
            "git clone -c core.fsmonitor=reboot u",
            &["git -c: text reboot"],
        ),
    ]);
    silent(&[
        "git -c user.name=reboot commit",
        "git -c core.fsmonitor=true status",
        "git -c credential.helper=store fetch",
        "git -c core.hooksPath=/x commit",
        "git -c pager.log=false log",
    ]);
}

#[test]
fn verbs_that_run_programs() {
    table(&[
        ("git rebase -i -x reboot main", &["git rebase: text reboot"]),
        (
            "git rebase --exec=reboot main",
            &["git rebase: text reboot"],
        ),
        (
            "git bisect run sh -c reboot",
            &["git bisect run: argv sh|-c|reboot"],
        ),
        (
            "git submodule foreach --recursive 'git clean -fdx'",
            &["git submodule foreach: text git clean -fdx"],
        ),
        (
            "git submodule --quiet foreach reboot -f",
            &["git submodule foreach: argv reboot|-f"],
        ),
        ("git difftool -y -x reboot", &["git difftool: text reboot"]),
        ("git grep -Oreboot x", &["git grep: text reboot"]),
        (
            "git filter-branch -f --tree-filter 'rm -rf x' HEAD",
            &["git filter-branch: text rm -rf x"],
        ),
        ("git clone -u reboot ./a b", &["git clone: text reboot"]),
        (
            "git clone --upload-pack=reboot h:a",
            &["@remote git clone: text reboot"],
        ),
        (
            "git clone 'ext::sh -c reboot' x",
            &["git ext::: argv sh|-c|reboot"],
        ),
    ]);
    silent(&[
        "git push -u origin main",
        "git log",
        "git",
        "git bisect good",
        "git commit -m 'git rebase -x reboot'",
    ]);
}

#[test]
fn variables_that_git_runs() {
    assert_eq!(
        carried_in("git fetch", "GIT_SSH_COMMAND", "reboot"),
        ["GIT_SSH_COMMAND: text reboot"]
    );
    assert_eq!(
        carried_in("git log", "PAGER", "reboot"),
        ["PAGER: text reboot"]
    );
    assert!(carried_in("ls", "PAGER", "reboot").is_empty());
    assert!(carried("git log").is_empty());
}

#[test]
fn variables_that_shells_and_pagers_run() {
    assert_eq!(
        carried_in("bash -c true", "BASH_ENV", "x.sh"),
        ["bash -c: text true", "BASH_ENV: file x.sh"]
    );
    assert_eq!(
        carried_in("bash -c true", "BASH_ENV", "$(reboot)"),
        ["bash -c: text true", "BASH_ENV: text : \"$(reboot)\""]
    );
    assert_eq!(
        carried_in("dash -c true", "BASH_ENV", "x.sh"),
        ["dash -c: text true"]
    );
    assert_eq!(
        carried_in("less f", "LESSOPEN", "|reboot %s"),
        ["LESSOPEN: text reboot %s"]
    );
    assert_eq!(
        carried_in(
            "tar cf a b",
            "TAR_OPTIONS",
            "--checkpoint-action=exec=reboot"
        ),
        ["TAR_OPTIONS: text reboot"]
    );
}
