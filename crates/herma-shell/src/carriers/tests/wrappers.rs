use super::{carried, silent, table};

#[test]
fn sudo_hands_on_what_follows_its_options() {
    table(&[
        ("sudo reboot", &["sudo: argv reboot"]),
        ("sudo -u root reboot", &["sudo: argv reboot"]),
        ("sudo -uroot reboot", &["sudo: argv reboot"]),
        ("sudo --user=root -E reboot", &["sudo: argv reboot"]),
        ("sudo --user root reboot", &["sudo: argv reboot"]),
        ("sudo --us root reboot", &["sudo: argv reboot"]),
        ("sudo -nHu root reboot", &["sudo: argv reboot"]),
        (
            "sudo -h host -p '' -C 3 -D / -R / -r r -t t -T 5 -U u -g g reboot",
            &["sudo: argv reboot"],
        ),
        ("sudo -k -S id", &["sudo: argv id"]),
        ("sudo -u root -- rm -rf /", &["sudo: argv rm|-rf|/"]),
        ("sudo A=1 B= reboot", &["sudo: argv A=1 B= reboot"]),
        ("/usr/bin/sudo reboot", &["sudo: argv reboot"]),
        ("sudo -s", &["sudo: input"]),
        ("sudo -i", &["sudo: input"]),
        ("sudo -i reboot", &["sudo: argv reboot"]),
        ("sudo -s '$0' x", &["sudo: text $0 x"]),
        (
            "sudo -E echo sh -c reboot",
            &["sudo: argv echo|sh|-c|reboot"],
        ),
        ("doas -u root poweroff", &["doas: argv poweroff"]),
        ("doas -s", &["doas: input"]),
        ("pkexec --user root reboot", &["pkexec: argv reboot"]),
    ]);
    silent(&[
        "sudo -l",
        "sudo -l reboot",
        "sudo -v",
        "sudo -k",
        "sudo -K",
        "sudo -V",
        "sudo --help",
        "sudo -h",
        "sudo -e reboot",
        "sudo --edit /etc/hosts",
        "sudoedit /etc/hosts",
        "sudo",
        "sudo --list reboot",
    ]);
}

#[test]
fn words_that_cannot_be_known_are_read_both_ways() {
    assert_eq!(
        carried("sudo $X reboot"),
        ["sudo: argv <?>|reboot", "sudo: argv reboot"]
    );
    assert_eq!(carried("nice $X"), ["nice: argv <?>"]);
    assert_eq!(
        carried("sudo --brand-new value reboot"),
        ["sudo: argv value|reboot", "sudo: argv reboot"]
    );
}

#[test]
fn su_gives_the_last_text_to_a_shell() {
    table(&[
        ("su -c reboot", &["su: text reboot"]),
        ("su root -c reboot", &["su: text reboot"]),
        ("su - root -c reboot", &["su: text reboot"]),
        ("su -c true -c reboot", &["su: text reboot"]),
        ("su --command=reboot root", &["su: text reboot"]),
        ("su --comm reboot", &["su: text reboot"]),
        ("su --session-command reboot root", &["su: text reboot"]),
        ("su -lc reboot", &["su: text reboot"]),
        ("su root -- -c reboot", &["su: text reboot"]),
        ("su root -c 'echo $1' x y", &["su: text echo $1 (x|y)"]),
        ("su", &["su: input"]),
        ("su -", &["su: input"]),
        ("runuser root -c 'rm -rf /'", &["runuser: text rm -rf /"]),
        ("runuser -u dev -- reboot -f", &["runuser: argv reboot|-f"]),
        ("sg wheel -c reboot", &["sg: text reboot"]),
        ("sg wheel reboot", &["sg: text reboot"]),
        ("capsh -- -c reboot", &["capsh: text reboot"]),
    ]);
    silent(&["su --help"]);
}

#[test]
fn env_reads_options_assignments_and_split_strings() {
    table(&[
        ("env rm -rf /", &["env: argv rm|-rf|/"]),
        (
            "env -i PATH=/bin rm -rf /",
            &["env: argv PATH=/bin rm|-rf|/"],
        ),
        ("env -u DISPLAY reboot", &["env: argv reboot"]),
        ("env - reboot", &["env: argv reboot"]),
        ("env -C /tmp reboot", &["env: argv reboot"]),
        ("env --split-string=reboot", &["env: argv reboot"]),
        (
            "env --split-string='sh -c reboot'",
            &["env: argv sh|-c|reboot"],
        ),
        (
            "env --split 'sh -c reboot' x",
            &["env: argv sh|-c|reboot|x"],
        ),
        ("env -S 'rm -rf /'", &["env: argv rm|-rf|/"]),
        ("env -S'rm -rf /'", &["env: argv rm|-rf|/"]),
        ("env -iS 'A=1 rm -rf /' x", &["env: argv A=1 rm|-rf|/|x"]),
        ("env -S '-u X -S reboot'", &["env: argv reboot"]),
        ("env -S 'rm\\_-rf\\_/'", &["env: argv rm|-rf|/"]),
        ("env -S 'reboot \\c now' x", &["env: argv reboot|x"]),
        ("env -S 'reboot #now' x", &["env: argv reboot|x"]),
        ("env -S 'sh -c \"rm -rf /\"'", &["env: argv sh|-c|rm -rf /"]),
        (
            "env -S '${X} reboot'",
            &["env: argv <?>|reboot", "env: argv reboot"],
        ),
        (
            "env echo --split-string reboot",
            &["env: argv echo|--split-string|reboot"],
        ),
        ("/usr/bin/env /sbin/reboot", &["env: argv /sbin/reboot"]),
    ]);
    silent(&[
        "env",
        "env -i A=1",
        "env --help",
        "env -u X",
        "printenv PATH",
    ]);
}

#[test]
fn schedulers_skip_their_own_operands() {
    table(&[
        ("nice -10 poweroff", &["nice: argv poweroff"]),
        ("nice -n 19 reboot", &["nice: argv reboot"]),
        ("nice --adj=5 reboot", &["nice: argv reboot"]),
        ("timeout 30 reboot", &["timeout: argv reboot"]),
        ("timeout --preserve-status 10 halt", &["timeout: argv halt"]),
        ("timeout -s KILL -k 5 10 halt", &["timeout: argv halt"]),
        ("nohup reboot", &["nohup: argv reboot"]),
        ("setsid -f reboot", &["setsid: argv reboot"]),
        ("stdbuf -oL -e 0 reboot", &["stdbuf: argv reboot"]),
        ("ionice -c3 rm -rf /", &["ionice: argv rm|-rf|/"]),
        ("ionice -c 2 -n 7 reboot", &["ionice: argv reboot"]),
        ("chrt -r 5 reboot", &["chrt: argv reboot"]),
        ("taskset 1 reboot", &["taskset: argv reboot"]),
        ("taskset -c 0-3 reboot", &["taskset: argv reboot"]),
        ("time -p reboot", &["time: argv reboot"]),
        ("/usr/bin/time -f %e -o x reboot", &["time: argv reboot"]),
        ("chroot /mnt reboot", &["@root[/mnt] chroot: argv reboot"]),
        (
            "chroot --userspec=a:b /mnt reboot",
            &["@root[/mnt] chroot: argv reboot"],
        ),
        ("unshare -r -m reboot", &["unshare: argv reboot"]),
        (
            "nsenter -t 1 -m -u reboot",
            &["@root[/proc/1/root] nsenter: argv reboot"],
        ),
        ("strace -f rm -rf ../data", &["strace: argv rm|-rf|../data"]),
        (
            "strace -f -e trace=file -o out reboot",
            &["strace: argv reboot"],
        ),
        ("perf stat -e cycles reboot", &["perf stat: argv reboot"]),
        ("setarch x86_64 -R reboot", &["setarch: argv reboot"]),
        (
            "systemd-run -p A=b --unit x reboot",
            &["systemd-run: argv reboot"],
        ),
        ("busybox rm -rf /", &["busybox: argv rm|-rf|/"]),
        ("toybox rm -rf /", &["toybox: argv rm|-rf|/"]),
        (
            "/lib64/ld-linux-x86-64.so.2 /bin/rm -rf /",
            &["ld-linux-x86-64.so.2: argv /bin/rm|-rf|/"],
        ),
        (
            "bwrap --ro-bind / / --dev /dev rm -rf /",
            &["bwrap: argv rm|-rf|/"],
        ),
        ("firejail --quiet --net=none rm x", &["firejail: argv rm|x"]),
        ("with-secrets rm x", &["with-secrets: argv rm|x"]),
        ("nix develop . -c rm x", &["nix develop: argv rm|x"]),
        ("setarch -R reboot", &["setarch: argv reboot"]),
        ("caffeinate -i make", &["caffeinate: argv make"]),
        ("unbuffer -p rm x", &["unbuffer: argv rm|x"]),
        ("faketime -f @1 rm x", &["faketime: argv rm|x"]),
        ("sem -j 4 'rm -rf /'", &["sem: text rm -rf /"]),
        ("npx -c reboot", &["npx -c: text reboot"]),
        ("uv tool run ruff check", &["uv tool run: argv ruff|check"]),
        ("npx rimraf /", &["npx: argv rimraf|/"]),
        ("npm exec -- rimraf /", &["npm exec: argv rimraf|/"]),
        ("uv run --with x reboot", &["uv run: argv reboot"]),
        ("poetry run reboot", &["poetry run: argv reboot"]),
        ("bundle exec rm -rf /", &["bundle exec: argv rm|-rf|/"]),
        ("direnv exec . reboot", &["direnv exec: argv reboot"]),
        (
            "aws-vault exec prof -- reboot",
            &["aws-vault exec: argv reboot"],
        ),
        ("op run --env-file=x -- reboot", &["op run: argv reboot"]),
        ("dotenv -- reboot", &["dotenv: argv reboot"]),
        ("conda run -n x reboot", &["conda run: argv reboot"]),
        ("nix-shell -p x --run reboot", &["nix-shell: text reboot"]),
    ]);
    silent(&[
        "chrt -p 123",
        "ionice -p 123",
        "taskset -p 1 123",
        "taskset -cp 0 123",
        "npm run reboot",
        "yarn run reboot",
        "pnpm run reboot",
        "pnpm reboot",
        "nice",
        "npm install x",
        "uv pip install reboot",
        "bun install",
    ]);
}
