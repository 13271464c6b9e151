use super::{carried, carried_with, silent, table};

#[test]
fn options_that_name_a_program() {
    table(&[
        ("rg --pre reboot needle .", &["rg --pre: argv reboot"]),
        ("rg --pre=reboot needle", &["rg --pre: argv reboot"]),
        (
            "sort --compress-program=reboot f",
            &["sort --compress-program: argv reboot"],
        ),
        (
            "sort --comp reboot f",
            &["sort --compress-program: argv reboot"],
        ),
        ("ag --pager reboot x", &["ag --pager: text reboot"]),
        ("man -P 'sh -c reboot' ls", &["man -P: text sh -c reboot"]),
        ("man -Hreboot ls", &["man -H: text reboot"]),
        (
            "tar cf x --checkpoint=1 --checkpoint-action=exec='rm -rf /' y",
            &["tar --checkpoint-action: text rm -rf /"],
        ),
        (
            "tar xf x --to-command=reboot",
            &["tar --to-command: text reboot"],
        ),
        (
            "tar -cf x -I 'sh -c reboot' y",
            &["tar -I: argv sh|-c|reboot"],
        ),
        ("tar cfI x reboot y", &["tar -I: argv reboot"]),
        (
            "zip -T -TT 'sh -c reboot' x y",
            &["zip -TT: text sh -c reboot"],
        ),
        ("tcpdump -w f -G 1 -z reboot", &["tcpdump -z: argv reboot"]),
        (
            "split --filter='rm -rf /' f",
            &["split --filter: text rm -rf /"],
        ),
        (
            "apt-get -o APT::Update::Pre-Invoke::=reboot update",
            &["apt-get -o: text reboot"],
        ),
        (
            "nodemon --exec 'rm -rf x' a.js",
            &["nodemon --exec: text rm -rf x"],
        ),
        (
            "go test -exec 'sh -c reboot' .",
            &["go --exec: argv sh|-c|reboot"],
        ),
    ]);
    silent(&[
        "rg pre",
        "tar czf a.tgz --exclude=x b",
        "sort -k2 f",
        "apt-get -o Debug::x=1 update",
        "man ls",
        "zip -r a b",
    ]);
}

#[test]
fn parallel_fills_its_template() {
    table(&[
        (
            "parallel rm -rf ::: /srv/a /srv/b",
            &[
                "parallel: argv rm|-rf|/srv/a",
                "parallel: argv rm|-rf|/srv/b",
            ],
        ),
        (
            "parallel -j2 'rm -rf {}' ::: /",
            &["parallel: argv rm|-rf|/"],
        ),
        (
            "parallel 'cd {} && rm x' ::: a",
            &["parallel: text cd 'a' && rm x"],
        ),
        (
            "parallel ::: 'rm -rf /' ls",
            &["parallel: text rm -rf /", "parallel: text ls"],
        ),
        ("parallel gzip", &["parallel: argv gzip|<?..>"]),
        (
            "parallel mv {1} {2} ::: a ::: b",
            &["parallel: argv mv|a|b"],
        ),
        ("parallel rm :::: list", &["parallel: argv rm|<?..>"]),
    ]);
    assert_eq!(
        carried_with("parallel rm -rf", "/\n"),
        ["parallel: argv rm|-rf|/"]
    );
    assert_eq!(
        carried_with("parallel", "rm -rf /\n"),
        ["parallel: text rm -rf /\n"]
    );
    assert!(carried("parallel --dry-run rm ::: /").is_empty());
}
