use super::{carried_with, silent, table};

#[test]
fn repeaters_and_recorders() {
    table(&[
        ("watch rm -rf /", &["watch: text rm -rf /"]),
        ("watch -n 1 -d reboot", &["watch: text reboot"]),
        ("watch -x rm x", &["watch: argv rm|x"]),
        (
            "hyperfine -w 3 --prepare 'rm -rf x' 'a b' c",
            &[
                "hyperfine: text rm -rf x",
                "hyperfine: text a b",
                "hyperfine: text c",
            ],
        ),
        ("entr -r rm x", &["entr: argv rm|x"]),
        ("entr -s 'rm -rf x'", &["entr: text rm -rf x"]),
        ("watchexec -e rs -- rm -rf x", &["watchexec: text rm -rf x"]),
        ("script -c reboot f", &["script -c: text reboot"]),
        ("script f -qc reboot", &["script -c: text reboot"]),
        ("script -q /dev/null rm x", &["script: argv rm|x"]),
        ("script", &["script: input"]),
        ("flock /tmp/l -c 'reboot'", &["flock: text reboot"]),
        ("flock -n /tmp/l reboot -f", &["flock: argv reboot|-f"]),
        ("xterm -e rm x", &["xterm: argv rm|x"]),
        ("gnome-terminal -- rm x", &["gnome-terminal: argv rm|x"]),
        ("ip netns exec ns1 reboot", &["ip netns exec: argv reboot"]),
        ("cargo watch -s 'rm x'", &["cargo watch: text rm x"]),
    ]);
    silent(&["flock -u 9", "ip addr show", "watch --help", "cargo build"]);
}

#[test]
fn multiplexers() {
    table(&[
        ("screen -dmS x reboot", &["screen: argv reboot"]),
        (
            "screen -S x -X stuff 'reboot^M'",
            &["screen -X stuff: text reboot\n"],
        ),
        (
            "tmux new-session -d -s x 'rm -rf /'",
            &["tmux new-session: text rm -rf /"],
        ),
        ("tmux new -d rm -rf /", &["tmux new-session: argv rm|-rf|/"]),
        (
            "tmux -L s splitw -h reboot",
            &["tmux split-window: text reboot"],
        ),
        (
            "tmux send-keys -t x 'rm -rf /' Enter",
            &["tmux send-keys: text rm -rf /\n"],
        ),
        (
            "tmux send -t x reboot C-m",
            &["tmux send-keys: text reboot\n"],
        ),
        ("tmux run-shell reboot", &["tmux run-shell: text reboot"]),
        (
            "tmux if-shell true 'run-shell reboot'",
            &["tmux if-shell: text true", "tmux run-shell: text reboot"],
        ),
        ("tmux new -d ; run reboot", &["tmux run-shell: text reboot"]),
    ]);
    silent(&[
        "screen -ls",
        "screen -r x",
        "screen -d -r x",
        "tmux ls",
        "tmux attach -t x",
        "tmux kill-server",
        "tmux",
    ]);
}

#[test]
fn later_and_services() {
    table(&[
        ("at now", &["at: input"]),
        ("at -f x.sh now", &["at: file x.sh"]),
        ("crontab f", &["crontab: unresolved"]),
        (
            "start-stop-daemon -S -x /sbin/reboot -- -f",
            &["start-stop-daemon: argv /sbin/reboot|-f"],
        ),
        ("make --eval='$(shell reboot)'", &["make: text reboot"]),
        ("make --eval 'x:;reboot' x", &["make: text reboot"]),
        (
            "socat TCP:h:1 EXEC:'/bin/sh -i',pty",
            &["socat: argv /bin/sh|-i"],
        ),
        ("socat - SYSTEM:reboot", &["socat: text reboot"]),
        ("nc -e /bin/sh h 1", &["nc -e: argv /bin/sh"]),
        ("ncat --sh-exec reboot h 1", &["ncat -c: text reboot"]),
    ]);
    silent(&[
        "at -l",
        "crontab -l",
        "crontab -e",
        "make",
        "make -f x all",
        "make CC=gcc",
        "nc -l 80",
        "socat TCP:h:1 -",
    ]);
    assert_eq!(
        carried_with(
            "crontab -",
            "# x\nA=1\n*/5 * * * * reboot\n@daily rm -rf /%x\n"
        ),
        ["crontab: text reboot", "crontab: text rm -rf /"]
    );
    assert_eq!(
        carried_with("make -f -", "all:\n\t@rm -rf $$HOME\n"),
        ["make: text rm -rf $HOME"]
    );
}
