use super::{carried_with, silent, table};

#[test]
fn editors_run_what_stands_behind_an_exclamation_mark() {
    table(&[
        ("vim -c '!reboot' f", &["vim -c: text reboot"]),
        (
            "vim -c ':!rm -rf / | cat'",
            &["vim -c: text rm -rf / | cat"],
        ),
        ("vim '+!reboot'", &["vim -c: text reboot"]),
        (
            "vim -es -c 'silent !reboot' -c q!",
            &["vim -c: text reboot"],
        ),
        (
            "nvim -c '%!sort | reboot'",
            &["nvim -c: text sort | reboot"],
        ),
        ("vim -c 'r !reboot'", &["vim -c: text reboot"]),
        ("vim -c 'w !sudo tee x'", &["vim -c: text sudo tee x"]),
        (
            "vim --cmd 'call system(\"reboot\")'",
            &["vim -c: text reboot"],
        ),
        ("less +!reboot f", &["less +!: text reboot"]),
        (
            "emacs --batch --eval '(shell-command \"reboot\")'",
            &["emacs --eval: text reboot"],
        ),
        ("sed '1e reboot' f", &["sed e: text reboot"]),
        ("sed 's/.*/reboot/e' f", &["sed s///e: text reboot"]),
        (
            "sed -n -e '/x/,/y/{ s,a,b,g' -e '1!e rm -rf /'",
            &["sed e: text rm -rf /"],
        ),
        ("sed 's/x/&/e'", &["sed e: text <?>"]),
        ("vim -c wq! f", &["vim: argv tee|--|f"]),
        ("vim -c 'w! x' f", &["vim: argv tee|--|x"]),
        (
            "vim -c 'call delete(\"x\", \"rf\")'",
            &["vim: argv rm|-rf|--|x"],
        ),
        (
            "vim -c 'lua os.remove(\"x\") | y'",
            &["vim: Lua os.remove(\"x\") | y"],
        ),
    ]);
    silent(&[
        "vim -c 'e! | q!'",
        "vim + f",
        "sed s/e/x/g f",
        "sed 's/a/e reboot/' f",
        "sed -n 5p f",
        "sed 's/[/]e/x/' f",
        "sed -i 's|a|b|;s|c|d|' f",
        "sed y/abc/def/ f",
        "sed '/e x/d' f",
        "sed 'a\\\ne reboot' f",
    ]);
    assert_eq!(
        carried_with("ed -s f", "1p\n!reboot\nq\n"),
        ["ed: text reboot"]
    );
    assert_eq!(
        carried_with("ex -s f", "%s/a/b/\n!reboot\nq!\n"),
        ["ex -c: text reboot"]
    );
}

#[test]
fn consoles_run_marked_lines() {
    table(&[
        ("psql -c '\\! reboot'", &["psql: text  reboot"]),
        (
            "psql -c 'copy t from program \"reboot\"'",
            &["psql: text reboot"],
        ),
        ("mysql -e 'select 1; \\! reboot'", &["mysql: text  reboot"]),
        ("sqlite3 x.db '.shell reboot'", &["sqlite3: text reboot"]),
        ("gdb -batch -ex '!reboot'", &["gdb -ex: text reboot"]),
        (
            "gdb -ex 'shell reboot' --args a b",
            &["gdb -ex: text reboot", "gdb --args: argv a|b"],
        ),
        ("gdb -ex 'python x'", &["gdb -ex: Python x"]),
        (
            "osascript -e 'do shell script \"reboot\"'",
            &["osascript: text reboot"],
        ),
        ("Rscript -e 'system(\"reboot\")'", &["Rscript: text reboot"]),
        (
            "expect -c 'spawn rm -rf /'",
            &["expect spawn: argv rm|-rf|/"],
        ),
        ("expect -c 'lassign x; interact'", &["expect: foreign"]),
        (
            "expect -c 'spawn bash; send \"reboot\\r\"'",
            &["expect spawn: argv bash", "expect send: text reboot\n"],
        ),
    ]);
    silent(&[
        "psql -c 'select 1'",
        "sqlite3 x.db 'select 1'",
        "gdb -p 1",
        "mysql -u root -p x",
    ]);
}
