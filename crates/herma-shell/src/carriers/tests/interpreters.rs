use super::{silent, table};

#[test]
fn interpreters_run_inline_code_files_or_their_input() {
    table(&[
        ("python3 -c x", &["python3: Python x"]),
        ("python3 -Bc x -V", &["python3: Python x"]),
        ("python3 -cx", &["python3: Python x"]),
        (
            "python3.12 -W ignore -X dev -c x",
            &["python3.12: Python x"],
        ),
        ("python3 -", &["python3: Python input"]),
        ("python3", &["python3: Python input"]),
        ("python3 a.py -c x", &["python3: Python file a.py"]),
        (
            "python -m timeit -s x y",
            &["python -m: Python x", "python -m: Python y"],
        ),
        (
            "python -m pip install x",
            &["python -m: argv pip|install|x"],
        ),
        ("perl -we x", &["perl: Perl x"]),
        ("perl -e a -e b", &["perl: Perl a\nb"]),
        ("perl -i.bak -pe x f", &["perl: Perl x"]),
        ("perl -0777 -ne x f", &["perl: Perl x"]),
        ("perl -MFile::Path -E x", &["perl: Perl x"]),
        ("perl a.pl", &["perl: Perl file a.pl"]),
        ("perl", &["perl: Perl input"]),
        ("ruby -rfileutils -e x", &["ruby: Ruby x"]),
        ("node -e x", &["node: JavaScript x"]),
        ("node -pe x", &["node: JavaScript e", "node: JavaScript x"]),
        ("node -p x", &["node: JavaScript x"]),
        ("node --eval=x", &["node: JavaScript x"]),
        ("node --print x", &["node: JavaScript x"]),
        (
            "node -r ./a.js b.js",
            &["node: JavaScript file ./a.js", "node: JavaScript file b.js"],
        ),
        ("php -r x", &["php: Php x"]),
        ("php -f a.php", &["php: Php file a.php"]),
        ("lua -e x", &["lua: Lua x"]),
        (
            "perl '-Mbase;x' -e y",
            &["perl: Perl y", "perl: Perl use base;x"],
        ),
        ("perl -MPOSIX=floor -e y", &["perl: Perl y"]),
        ("bun -e x", &["bun: JavaScript x"]),
        ("bun run a.ts", &["bun: JavaScript file a.ts"]),
        ("bun a.ts", &["bun: JavaScript file a.ts"]),
        ("deno eval x", &["deno: JavaScript x"]),
        ("deno eval -p x", &["deno: JavaScript x"]),
        ("deno run -A a.ts", &["deno: JavaScript file a.ts"]),
        ("deno run https://x/y.ts", &["deno: JavaScript file <?>"]),
        ("rails runner x", &["rails: Ruby x"]),
        (
            "python manage.py shell -c x",
            &["python: Python file manage.py", "python: Python x"],
        ),
        ("awk -F: x f", &["awk: Awk x"]),
        ("gawk -v a=1 -e x", &["gawk: Awk BEGIN { a = \"1\" }\nx"]),
        ("awk -f a.awk", &["awk: Awk file a.awk"]),
    ]);
    silent(&[
        "python3 --version",
        "node -v",
        "node --check a.js",
        "php -l a.php",
        "ruby --version",
        "bun install",
        "bun test",
        "deno test",
        "python3 -m http.server",
        "awk --version",
    ]);
}
