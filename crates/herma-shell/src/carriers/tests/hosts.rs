use super::{silent, table};

#[test]
fn ssh_joins_the_words_and_runs_settings_here() {
    table(&[
        ("ssh web1 'rm -rf /'", &["@remote ssh: text rm -rf /"]),
        (
            "ssh -p 22 -i k u@web1 rm -rf /",
            &["@remote ssh: text rm -rf /"],
        ),
        ("ssh web1 -p 22 reboot", &["@remote ssh: text reboot"]),
        ("ssh web1 -- reboot -f", &["@remote ssh: text reboot -f"]),
        ("ssh web1", &["@remote ssh: input"]),
        (
            "ssh -o ProxyCommand=reboot -N web1",
            &["ssh -o: text reboot"],
        ),
        (
            "ssh -oproxycommand=reboot -N web1",
            &["ssh -o: text reboot"],
        ),
        (
            "ssh -o 'ProxyCommand reboot' -N web1",
            &["ssh -o: text reboot"],
        ),
        ("scp -o ProxyCommand=reboot a b:", &["scp -o: text reboot"]),
        ("scp -S prog a b:", &["scp -S: argv prog"]),
        (
            "rsync -e 'sh -c reboot' a b:",
            &["rsync -e: argv sh|-c|reboot"],
        ),
        (
            "rsync --rsync-path=reboot a b:c",
            &["@remote rsync --rsync-path: text reboot"],
        ),
        (
            "ansible all -m shell -a reboot",
            &["@remote ansible: text reboot"],
        ),
        ("vagrant ssh -c reboot", &["@remote vagrant: text reboot"]),
    ]);
    silent(&[
        "ssh -N -L 1:b:2 web1",
        "ssh -V",
        "scp a b:",
        "rsync -av a b",
        "ansible all -m ping",
        "vagrant up",
    ]);
}
