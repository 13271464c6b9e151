use super::{does, does_not, of};
use crate::effect::Verb::{self, *};
use crate::place::Place::*;

#[test]
fn rm_deletes_its_operands_in_every_spelling() {
    does(
        &[
            "rm -rf /",
            "rm / -rf",
            "rm -r -f /",
            "rm --recursive --force /",
            "rm --rec /",
            "rm -fR -- /",
            "rm -rf build /",
            "rm -Rf --no-preserve-root /",
            "rm -vrfi /",
            "find / -delete",
            "find / -xdev -delete",
            "rsync -a --delete /var/empty/ /",
            "rsync -a --del empty/ /",
            "rimraf /",
            "find / -maxdepth 9 -depth -delete",
            "find / -print0 | xargs -0 rm -rf",
            "find / -exec rm -rf {} +",
            "find / -name '*' -exec rm -rf {} +",
            "cd / && rm -rf *",
            "srm -r /",
        ],
        DeleteTree,
        SystemRoot,
    );
    does(
        &["rm -rf $(f) x", "rm $(f) x", "rm -$(f) x"],
        DeleteTree,
        Work,
    );
    does(
        &["rm /etc", "rm -f /", "rmdir /etc", "unlink /etc"],
        Delete,
        SystemRoot,
    );
    does(
        &[
            "rm -- -rf",
            "rm -f a",
            "rm -i -- old-r",
            "unlink a",
            "rmdir a",
            "rm -d a",
        ],
        Delete,
        Work,
    );
    does_not(
        &[
            "rm -- -rf",
            "rm -f r",
            "rm --help",
            "echo rm -rf /",
            "rm --version",
            "git rm -r x",
            "rsync -n --delete a/ b/",
            "find . -name x",
        ],
        &[DeleteTree],
    );
    does_not(&["find / -path -delete"], &[Delete]);
}

#[test]
fn names_that_find_hands_on_keep_their_end() {
    let regenerable = |lines: &[&str], verb: Verb| does(lines, verb, Regenerable);
    regenerable(
        &[
            "find . -name '__pycache__' -type d -prune -exec rm -rf {} +",
            "find . -name node_modules -print0 | xargs -0 rm -rf",
            "find . \\( -name dist -o -name build \\) -exec rm -rf {} +",
        ],
        DeleteTree,
    );
    regenerable(
        &[
            "find . -name '*.pyc' -delete",
            "find . -type f -name '*.o' -exec rm {} \\;",
        ],
        Delete,
    );
    let named = of("find . -name '*.tmp' -delete");
    assert!(
        named.iter().all(|(_, places)| places == &[Work]),
        "{named:?}"
    );
    for line in [
        "find . -name tmp -delete",
        "find . -name '.*' -delete",
        "find . ! -name '*.tmp' -delete",
    ] {
        let own = of(line);
        assert!(
            own.iter().all(|(_, places)| places.contains(&Unnamed)),
            "{line}: {own:?}"
        );
    }
    for line in [
        "find /srv -name '*.pyc' -delete",
        "find . ! -name '*.pyc' -delete",
    ] {
        let own = of(line);
        assert!(
            own.iter().all(|(_, places)| !places.contains(&Regenerable)),
            "{line}: {own:?}"
        );
    }
    let mixed = of("find . -name '*.pyc' -o -name x -delete");
    assert!(
        mixed
            .iter()
            .any(|(_, places)| !places.contains(&Regenerable)),
        "{mixed:?}"
    );
    let all = of("find . \\( -name '*.pyc' -o -name '*.pyo' \\) -delete");
    assert!(
        all.iter().all(|(_, places)| places.contains(&Regenerable)),
        "{all:?}"
    );
    does(
        &[
            "find /tmp/x -type f -exec rm {} +",
            "find /tmp/x -mtime +1 | xargs rm",
            "find /tmp/x -type f -delete",
        ],
        Delete,
        TempChild,
    );
    does(&["find ~/.ssh -type f -exec cat {} +"], Read, SshDirectory);
    does_not_root(&[
        "find / -mtime +1 -exec rm -rf {} +",
        "find / -name x -exec rm -rf {} +",
        "find /etc -type f | xargs rm -rf",
    ]);
    does(
        &["find . -delete", "find -delete", "find . -delete -name x"],
        DeleteTree,
        WorkRoot,
    );
    does(&["find / -name core -delete"], Delete, Unnamed);
    does_not(
        &[
            "find / -name core -delete",
            "find / -type f -mtime +9 -delete",
        ],
        &[DeleteTree],
    );
}

#[test]
fn moving_reads_nothing_and_takes_the_source_away() {
    does(
        &["mv /usr /usr.old", "mv -t /tmp/x /usr"],
        MoveAway,
        SystemRoot,
    );
    does(&["mv a /dev/null"], Delete, Work);
    does(&["mv ~/* /tmp/x"], MoveAway, Home);
    does_not(&["mv a b"], &[Delete, DeleteTree, Read]);
}

#[test]
fn what_may_be_set_elsewhere_is_not_taken_for_nothing() {
    does(
        &["cd \"$X/\" && rm -rf *", "cd $X/ && rm -rf ./*"],
        DeleteTree,
        EmptyJoin,
    );
    does(
        &[
            "cd $X && rm -rf *",
            "rm -rf \"${X:?}\"/*",
            "cd \"$X\" && rm -rf *",
        ],
        DeleteTree,
        Unresolved,
    );
    does(&["rm -rf /\"${X:?}\""], DeleteTree, UnresolvedRoot);
    does(
        &["rm -rf \"${X:?}/node_modules\"", "cd $X && rm -rf dist"],
        DeleteTree,
        Regenerable,
    );
    does(
        &["cd && rm -rf *", "cd ~ && rm -rf *", "cd; rm -rf .* *"],
        DeleteTree,
        Home,
    );
}

#[test]
fn names_that_a_loop_reads_are_not_known() {
    does(
        &[
            "read f < list.txt; rm \"$f\"",
            "while read -r f; do rm -f \"$f\"; done < list.txt",
            "git ls-files | while read f; do rm \"$f\"; done",
            "cat list.txt | while read f; do rm \"$f\"; done",
        ],
        Delete,
        Unresolved,
    );
}

#[track_caller]
fn does_not_root(lines: &[&str]) {
    for line in lines {
        let own = of(line);
        assert!(
            own.iter()
                .all(|(_, places)| !places.contains(&SystemRoot) && !places.contains(&Home)),
            "{line}: {own:?}"
        );
    }
}
