use super::{carried, carried_with, table};

#[test]
fn xargs_appends_what_it_reads() {
    table(&[
        ("xargs rm -rf", &["xargs: argv rm|-rf|<?..>"]),
        ("xargs -0 -n 1 -P 4 rm -rf", &["xargs: argv rm|-rf|<?..>"]),
        ("xargs -a hosts -I{} reboot", &["xargs: argv reboot"]),
        ("xargs -I % sh -c 'rm %'", &["xargs: argv sh|-c|rm <?>"]),
        ("xargs -n1 echo rm", &["xargs: argv echo|rm|<?..>"]),
        ("xargs -J % cp % /etc", &["xargs: argv cp|<?..>|/etc"]),
        ("xargs --max-args=1 --no-run rm", &["xargs: argv rm|<?..>"]),
        ("xargs", &[]),
        ("xargs --help", &[]),
    ]);
}

#[test]
fn xargs_splits_input_that_is_known() {
    assert_eq!(
        carried_with("xargs -r rm -rf", "/\n"),
        ["xargs: argv rm|-rf|/"]
    );
    assert_eq!(
        carried_with("xargs -r rm -rf", "a 'b c' d\\ e\n"),
        ["xargs: argv rm|-rf|a|b c|d e"]
    );
    assert_eq!(
        carried_with("xargs -r -0 rm", "a b\0/\0"),
        ["xargs: argv rm|a b|/"]
    );
    assert_eq!(
        carried_with("xargs -r -d, rm", "a,b"),
        ["xargs: argv rm|a|b"]
    );
    assert_eq!(
        carried_with("xargs -r -n1 rm", "a b"),
        ["xargs: argv rm|a", "xargs: argv rm|b"]
    );
    assert_eq!(
        carried_with("xargs -r -I{} rm -rf {}/x", "a b\n/\n"),
        ["xargs: argv rm|-rf|a b/x", "xargs: argv rm|-rf|//x"]
    );
    // What printed the input may have failed: then the program runs once without names.
    assert_eq!(
        carried_with("xargs rm -rf", "/\n"),
        ["xargs: argv rm|-rf", "xargs: argv rm|-rf|/"]
    );
    // The evaluator gives the file's content in place of standard input.
    assert_eq!(carried_with("xargs -r -a f rm", "/"), ["xargs: argv rm|/"]);
    assert_eq!(carried("xargs -a f rm"), ["xargs: argv rm|<?..>"]);
}

#[test]
fn find_runs_programs_on_names_and_on_its_root() {
    table(&[
        (
            "find . -name core -execdir rm {} ;",
            &[
                // In the root, and in some directory below it.
                "find -execdir: argv rm|./core",
                "find -execdir: argv rm|./core",
            ],
        ),
        (
            "find . -maxdepth 0 -exec rm -rf / ;",
            &["find -exec: argv rm|-rf|/"],
        ),
        (
            "find / -exec rm -rf {} +",
            &[
                "find -exec: argv rm|-rf|/<?..>",
                "find -exec: argv rm|-rf|/",
            ],
        ),
        (
            "find / -mindepth 1 -exec rm -rf {} +",
            &[
                "find -exec: argv rm|-rf|/<?..>",
                "find -exec: argv rm|-rf|/<*>",
            ],
        ),
        (
            "find / -type f -exec rm {} +",
            &["find -exec: argv rm|/<?..>"],
        ),
        (
            "find . -name x -execdir sh -c reboot ;",
            &["find -execdir: argv sh|-c|reboot"],
        ),
        (
            "find . -type f -exec a {} ; -ok b x{}y ;",
            &["find -exec: argv a|./<?>", "find -ok: argv b|x./<?>y"],
        ),
        ("fd -e o -x rm", &["fd --exec: argv rm|<?..>"]),
        ("fd x -X rm {} ; y", &["fd --exec: argv rm|<?>"]),
        ("find . -name -exec -o -name x", &[]),
        ("find . -name '*.o'", &[]),
    ]);
    assert!(carried("find . -delete").is_empty());
}
